//! What `save` and `predict` refuse.

use super::*;

#[test]
fn files_that_no_model_can_answer_are_refused_with_the_reason_and_write_nothing() {
    let dir = Dir::new();
    saved(&dir);
    for (new, code, part) in [
        ("house,x,colour\na,1,red\n", 1, "new.csv, column \"day\": found no such column"),
        ("house,x,colour,days\na,1,red,2024-03-04\n", 1, "is it \"days\"?"),
        ("house,x,colour,day\n", 1, "found a header without rows"),
        ("", 1, "found an empty file"),
    ] {
        dir.write("new.csv", new);
        let ended = dir.run("predict my.model new.csv --out pred.csv").code(code).says(part);
        assert_eq!(ended.out, "", "{new}");
        assert!(!dir.path("pred.csv").exists(), "{new}");
    }
    dir.run("predict my.model nowhere.csv").code(1).says("nowhere.csv: cannot be read");
}

#[test]
fn a_model_file_that_is_none_or_damaged_is_refused() {
    let dir = Dir::new();
    saved(&dir);
    dir.write("new.csv", "house,x,colour,day\na,1,red,2024-03-04\n");
    let model = fs::read(dir.path("my.model")).unwrap();
    let refused = |bytes: &[u8], part: &str| {
        fs::write(dir.path("other.model"), bytes).unwrap();
        let ended = dir
            .run("predict other.model new.csv --out pred.csv")
            .code(1)
            .says("other.model: ")
            .says(part);
        assert!(ended.out.is_empty() && !dir.path("pred.csv").exists());
    };
    refused(
        b"x,y\n1,2\n",
        "this is no model file; expected one that `uqbench try --save FILE` has written",
    );
    refused(b"", "this is no model file");
    refused(
        &model[..model.len() - 1],
        "this model file is damaged: its bytes are not those that were written",
    );
    let mut changed = model.clone();
    *changed.last_mut().unwrap() ^= 1;
    refused(&changed, "damaged");
    let newer = [b"uqbench-model 4\n", &model[16..]].concat();
    refused(&newer, "this model file has format 4");
    let older = [b"uqbench-model 1\n", &model[16..]].concat();
    refused(&older, "the format of this model file is no longer read; save it anew");
    dir.run("predict nowhere.model new.csv").code(1).says("nowhere.model: cannot be read");
    dir.run("predict . new.csv").code(1).says("cannot be read");
}

#[test]
fn paths_and_options_that_exclude_each_other_are_refused_before_anything_runs() {
    let dir = Dir::new();
    dir.write("my.csv", &table(60));
    dir.write("new.csv", "house,x,colour,day\na,1,red,2024-03-04\n");
    for (words, part) in [
        ("try my.csv --target y --save my.csv", "--save: my.csv would be overwritten by the model"),
        (
            "try my.csv --target y --predict new.csv --out a.csv --save new.csv",
            "--save: new.csv would be overwritten",
        ),
        (
            "try my.csv --target y --predict new.csv --out a.csv --save a.csv",
            "--save: a.csv is the file of --out, too",
        ),
        ("try my.csv --target y --predict-with dtb", "--save <FILE>"),
        ("try my.csv --target y --side above", "--side"),
        ("try my.csv --target y --side upper --level 0.4", "expected more than 0.5"),
        ("try my.csv --target y --side upper --plan plan.json", "cannot be used with"),
    ] {
        let ended = dir.run(words).code(2).says(part);
        assert_eq!(ended.out, "", "{words}");
    }
    assert!(!dir.path("uqbench-report").exists());
    saved(&dir);
    let before = fs::read(dir.path("my.model")).unwrap();
    for (words, part) in [
        ("predict my.model new.csv --out my.model", "--out: my.model would be overwritten"),
        ("predict my.model new.csv --out new.csv", "--out: new.csv would be overwritten"),
        (
            "predict my.model new.csv --with ./m.sh",
            "is a method of this program and needs no command",
        ),
        ("predict my.model", "<FILE>"),
    ] {
        dir.run(words).code(2).says(part);
    }
    assert_eq!(fs::read(dir.path("my.model")).unwrap(), before);
    dir.run("predict my.model new.csv --out no/folder/pred.csv").code(0);
    assert!(dir.path("no/folder/pred.csv").is_file(), "a missing folder is made");
    dir.run("predict my.model new.csv --out no/folder").code(1);
}

#[test]
fn where_none_is_recommended_none_is_saved_unless_one_is_named() {
    let dir = Dir::new();
    // Rows of equal features are one fold: no other row tells of their outcomes.
    let alone = (0..60).map(|i| format!("{i},{}", 37 * i % 61));
    let lines: Vec<String> = alone.chain((0..50).map(|i| format!("1000,{}", 5000 + i))).collect();
    dir.write("my.csv", &format!("x,y\n{}\n", lines.join("\n")));
    let words = "try my.csv --target y --methods unconditional-gaussian --save my.model";
    dir.run(words).code(1).says("nothing was predicted or saved").says("--predict-with NAME");
    assert!(!dir.path("my.model").exists());
    dir.run(&format!("{words} --predict-with unconditional-gaussian"))
        .code(0)
        .says("`unconditional-gaussian`")
        .says("110 rows");
    dir.write("new.csv", "x\n3\n");
    // The procedure recommends another method, so that nothing is said of it.
    let ended = dir.run("predict my.model new.csv").code(0);
    let said = ended.err.lines().filter(|line| line.starts_with("- ")).collect::<Vec<_>>();
    insta::assert_snapshot!(shape(&said.join("\n")), @"
    - Its # % intervals cover #.# % (# % interval: #.# to #.# %) of the test rows: too few.
    - Its coverage is measured and not guaranteed: no theorem is known for this method.
    - The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.
    ");
}
