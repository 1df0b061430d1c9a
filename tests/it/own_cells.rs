//! Cells of a user's table that are no plain values: limits, numbers that stand for missing ones,
//! and `NA` as a level.

use std::fs;

use super::command::Dir;
use super::wording::{in_one_line, line};

fn write(dir: &Dir, name: &str, header: &str, line: impl Fn(usize) -> String) {
    let lines: Vec<String> = (0..120).map(line).collect();
    dir.write(name, &format!("{header}\n{}\n", lines.join("\n")));
}

/// Numbers without order from row to row.
fn mixed(i: usize) -> usize {
    i * 7919 % 1009
}

const LINEAR: &str = "--methods linear-gaussian --predict-with linear-gaussian";

fn hash(out: &str) -> &str {
    out.lines().find(|line| line.starts_with("parsed matrix")).unwrap()
}

#[test]
fn limits_are_told_and_new_rows_are_read_as_the_table_is() {
    let dir = Dir::new();
    for (name, limit) in [("my.csv", "<0.5"), ("half.csv", "0.25")] {
        write(&dir, name, "lead,ph,y", |i| {
            let lead = if i % 4 == 1 {
                limit.to_owned()
            } else {
                format!("{:.2}", 0.5 + mixed(i) as f64 / 99.0)
            };
            format!("{lead},{},{}", mixed(i + 500) as f64 / 100.0, mixed(i + 300) as f64 / 7.0)
        });
    }
    let told = dir.run("audit my.csv --target y").code(3);
    let limits = line(&told.out, &["\"lead\"", "30 of 120"]);
    insta::assert_snapshot!(in_one_line(limits), @r#"| warning | the column "lead" has limits in place of numbers in 30 of 120 rows ("\<0.5" in 30 read as 0.25): half of a limit is taken for a number below it, and the limit for one above it, as --censored half says; the other readings are limit, missing, level |"#);
    let [of_limits, of_half] =
        ["my.csv", "half.csv"].map(|file| dir.run(&format!("data describe {file} --target y")).out);
    assert_eq!(hash(&of_limits), hash(&of_half));
    let level = dir.run("data describe my.csv --target y --censored level").out;
    assert_ne!(hash(&level), hash(&of_half));
    dir.run(&format!("try --verbose my.csv --target y {LINEAR} --save my.model"))
        .code(0)
        .says("\"lead\"");
    let predicted = |lead: &str| {
        dir.write("new.csv", &format!("lead,ph\n{lead},5\n"));
        dir.run("predict my.model new.csv --out pred.csv").code(0).says("\"lead\"");
        fs::read_to_string(dir.path("pred.csv")).unwrap()
    };
    assert_eq!(predicted("<0.5"), predicted("0.25"));
    assert_eq!(predicted("< 3"), predicted("1.5"));
}

#[test]
fn a_number_for_missing_values_is_told_and_na_reads_it_as_an_empty_cell() {
    let dir = Dir::new();
    for (name, missing) in [("my.csv", "-200"), ("empty.csv", "")] {
        write(&dir, name, "co,nox,t,y", |i| {
            let or = |every: usize, value: f64| {
                if i % every == 3 { missing.to_owned() } else { value.to_string() }
            };
            let [a, b, c] = [
                or(9, mixed(i) as f64 / 99.0),
                or(11, 60.0 + mixed(i + 9) as f64),
                or(13, mixed(i + 99) as f64 / 25.0),
            ];
            format!("{a},{b},{c},{}", mixed(i + 300) as f64 / 7.0)
        });
    }
    let told = dir.run("audit my.csv --target y").code(3).out;
    assert!(
        ["\"co\"", "\"nox\"", "\"t\"", "-200"].iter().all(|part| told.contains(part)),
        "{told}"
    );
    dir.run("audit my.csv --target y --na -200").code(0);
    let stated = dir.run("data describe my.csv --target y --na -200").code(0).out;
    assert_eq!(hash(&stated), hash(&dir.run("data describe empty.csv --target y").out));
    dir.run("audit my.csv --target y --na cO=-200").code(2);
    dir.run(&format!("try --verbose my.csv --target y --na -200 {LINEAR} --save a.model")).code(0);
    dir.run(&format!("try --verbose empty.csv --target y {LINEAR} --save b.model")).code(0);
    let predicted = |model: &str, missing: &str| {
        dir.write("new.csv", &format!("co,nox,t\n{missing},500,20\n5,{missing},7\n"));
        dir.run(&format!("predict {model} new.csv --out pred.csv")).code(0);
        fs::read_to_string(dir.path("pred.csv")).unwrap()
    };
    assert_eq!(predicted("a.model", "-200"), predicted("b.model", ""));
    let benchmark = |na: &str| {
        dir.write(
            "b.toml",
            &format!(
                "id = \"b\"\ntitle = \"B\"\nprotocol = {{ k-fold = {{ folds = 3 }} \
                 }}\n[[datasets]]\nfile = \"my.csv\"\n\
                 target = \"y\"\nna = [\"{na}\"]\n[[methods]]\nid = \"linear-gaussian\"\ncolumns = \
                 [{{ heading = \"Linear\" }}]\n\
                 [[metrics]]\nid = \"rmse\"\nheading = \"RMSE\"\n"
            ),
        );
        dir.run("run b.toml --profile smoke --jobs 1")
    };
    benchmark("-200").code(0);
    assert_ne!(benchmark("cO=-200").code, Some(0));
}

#[test]
fn a_region_na_is_a_level_and_an_empty_new_cell_is_told() {
    let dir = Dir::new();
    let region = |i: usize| ["NA", "EU", "AS", "AF", "SA"][i % 5];
    write(&dir, "my.csv", "region,x,y", |i| {
        format!(
            "{},{},{}",
            region(i),
            mixed(i),
            mixed(i + 300) as f64 / 7.0 + 90.0 * (i % 5) as f64
        )
    });
    dir.run("audit my.csv --target y --group region").code(0);
    let calibrated = "--methods calibrated-linear-gaussian --predict-with \
                      calibrated-linear-gaussian --calibrate-by region";
    for options in [LINEAR, calibrated] {
        dir.run(&format!("try --verbose my.csv --target y {options} --save my.model")).code(0);
        dir.write("new.csv", "region,x\nNA,2\nEU,2\n,2\n");
        dir.run("predict my.model new.csv --out pred.csv").code(0).says("\"region\"");
        let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
        let rows: Vec<&str> = text.lines().collect();
        assert!(
            rows[0].ends_with(",note") && rows[1].ends_with(',') && rows[2].ends_with(','),
            "{text}"
        );
        assert!(rows[3].contains("\"region\"") || rows[3].contains("region"), "{text}");
    }
    write(&dir, "scored.csv", "group,method,y,mean,sd", |i| {
        format!("{},None,{},{},200", region(i), mixed(i), mixed(i + 3))
    });
    let scored = dir.run("score scored.csv --level 0.9").code(0);
    assert!(scored.out.contains("NA"), "{}", scored.out);
    dir.write("scored.csv", "group,y,mean,sd\nNA,1,2,3\n,2,3,4\n");
    dir.run("score scored.csv --level 0.9").code(1);
}
