//! Judge the folder of a paper: one of the program that was moved out of it, and a stranger's.

use std::fs;
use std::path::{Path, PathBuf};

use super::command::{Dir, files};

/// Copies a folder and what is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn papers_that_were_moved_out_of_the_program_render_the_same_bytes() {
    let dir = Dir::new();
    let folder = repository("benchmarks/papers");
    let keys = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let keys: Vec<String> = keys.map(|key| key.into_string().unwrap()).collect();
    assert!(keys.len() > 9, "{keys:?}");
    copy(&folder, &dir.path("moved"));
    // The trials of a figure of each kind, and of tables; with all of them this would take minutes.
    // DTB's two tables share trials, of which each pack has the scores of its own.
    let packs = [
        "dtb-table-1",
        "dtb-table-2",
        "dtb-figure-2",
        "jcm-theorem-1",
        "wiener-figure-1",
        "kompa-rmse",
    ];
    let packs = packs.map(|id| repository(&format!("reports/packs/{id}.pack")));
    let packs = packs.map(|path| path.to_str().unwrap().to_owned()).join(" ");
    dir.run(&format!("store merge {packs} --into trials")).code(0);
    let report = |names: &[String], out: &str, code: i32| {
        let options = format!("--from trials --profile full --formats md,csv --out {out}");
        dir.run(&format!("report {} {options}", names.join(" "))).code(code);
        files(&dir.path(out))
    };
    // Most trials are missing.
    let inside = report(&keys, "inside", 3);
    let moved: Vec<String> = keys.iter().map(|key| format!("moved/{key}")).collect();
    let outside = report(&moved, "outside", 3);
    assert!(inside.len() > 100, "{}", inside.len());
    assert_eq!(inside.keys().collect::<Vec<_>>(), outside.keys().collect::<Vec<_>>());
    let files =
        moved.iter().flat_map(|folder| fs::read_dir(dir.path(folder)).unwrap().map(Result::unwrap));
    let names: Vec<PathBuf> = files.map(|file| file.path()).collect();
    let ids = names.iter().filter(|name| name.extension().is_some_and(|end| end == "toml"));
    let ids: Vec<(String, &str)> = ids
        .map(|name| {
            let typed = name.strip_prefix(dir.path("moved").parent().unwrap()).unwrap();
            (typed.to_str().unwrap().to_owned(), name.file_stem().unwrap().to_str().unwrap())
        })
        .collect();
    for (name, bytes) in &inside {
        // A command names the file of a benchmark: nothing else may differ.
        let page = String::from_utf8_lossy(&outside[name]).into_owned();
        let page = ids.iter().fold(page, |text, (typed, id)| text.replace(typed, id));
        assert!(page.as_bytes() == bytes.as_slice(), "{name} differs");
    }

    // Pages of one would speak of the other.
    let both = dir
        .run("report moved/dtb/dtb-figure-2.toml dtb-figure-3 --from trials --profile full")
        .code(2)
        .err;
    assert!(both.contains("two papers with the key `dtb`"), "{both}");

    // The folder is what was read: another name of the paper is on every page of it.
    let paper = fs::read_to_string(dir.path("moved/dtb/paper.toml")).unwrap();
    dir.write("moved/dtb/paper.toml", &paper.replace("name = \"DTB\"", "name = \"Moved\""));
    let renamed = report(&["./moved/dtb/dtb-figure-2.toml".into()], "renamed", 0);
    let page = String::from_utf8_lossy(&renamed["dtb-figure-2.md"]).into_owned();
    assert!(page.starts_with("# Moved · Figure 2: "), "{page}");
}

/// The folder of a new paper, of which linear regression alone is run.
fn new_paper() -> Dir {
    let dir = Dir::new();
    dir.run("new paper my-paper").code(0);
    fs::rename(dir.path("my-paper"), dir.path("mine")).unwrap();
    dir
}

#[test]
fn a_new_paper_is_taken_by_every_command_and_ends_with_verdicts() {
    let dir = new_paper();
    let chosen = "mine --profile full --methods linear-gaussian";
    let page = dir.run(&format!("run {chosen}")).code(0).out;
    assert!(page.contains("# Kompa et al. · Table 1: RMSE and coverage"), "{page}");
    assert!(page.contains("| Yacht   |   9.0 ± 1.3 (9.4761) ∼ |"), "{page}");
    assert!(page.contains("[1](errata/my-paper.md#my-paper-1): Table 1"), "{page}");
    assert!(dir.path("out/errata/my-paper.md").exists());
    dir.run(&format!("report {chosen} --out again")).code(0);
    dir.run(&format!("store pack store mine.pack {chosen}")).code(0);
    dir.run(&format!("check {chosen} --against mine.pack")).code(0);
    let folder = dir.run(&format!("check {chosen} --against store")).code(2).err;
    assert!(folder.contains("`uqbench store pack store FILE`"), "{folder}");
    let planned = dir.run("plan mine --profile full --methods linear-gaussian").code(0).out;
    assert!(planned.contains("my-paper-table-1"), "{planned}");
    let cited = dir.run("cite mine").code(0).out;
    assert!(cited.contains("author = {Kompa, Benjamin and Snoek, Jasper and Beam"), "{cited}");
    let table = dir.run("compare linear-gaussian --benchmarks mine --profile full").code(1);
    assert!(table.err.contains("two methods"), "{}", table.err);
    let both = "--benchmarks mine --profile full --splits 3 --datasets yacht";
    dir.run("run mine --profile full --splits 3 --datasets yacht").code(0);
    let compared = dir.run(&format!("compare linear-gaussian sparse-gp {both}")).code(0).out;
    assert!(compared.contains("| Yacht"), "{compared}");
    // What is there is not replaced, and a folder of no paper is none.
    let again = dir.run("new paper mine").code(1).err;
    assert!(again.contains("nothing in it is replaced"), "{again}");
    fs::create_dir(dir.path("empty")).unwrap();
    let none = dir.run("run ./empty").code(1).err;
    assert!(none.contains("no file paper.toml") && none.contains("uqbench new paper"), "{none}");
}

#[test]
fn a_mistake_in_a_strangers_folder_is_named_with_file_and_line() {
    let dir = new_paper();
    let mistake = |file: &str, old: &str, new: &str| {
        let path = dir.path("mine").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file}: {old}");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        let told = dir.run("run mine --profile smoke").code(1).err;
        fs::write(&path, text).unwrap();
        told
    };
    let printed = "printed/table-1.csv";
    for (file, old, new, words) in [
        (printed, "rmse,4.9654", "rmse,about five", "printed/table-1.csv: line 5: `about five`"),
        (printed, "boston,linear", "boton,linear", "line 5: dataset `boton`"),
        (printed, "linear regression,rmse", "lasso,rmse", "line 5: no column has the labels"),
        (printed, "regression,rmse", "regression,mae", "line 5: metric `mae`"),
        (printed, "= se", "= stderr", "spread_kind: found \"stderr\", expected one of sd, se"),
        (printed, "regression,coverage", "regression,rmse", "line 6: line 5 has a number for"),
        ("table-1.toml", "\"printed/table-1.csv\"", "\"../../etc/passwd\"", "in a folder below"),
        ("table-1.toml", "artefact", "paper = \"jcm\"\nartefact", "expected \"my-paper\""),
        ("table-1.toml", "key = \"boston\"", "file = \"/etc/hosts\"\ntarget = \"y\"", "below"),
        (
            "paper.toml",
            "year = 2021",
            "year = \"2021\"",
            "paper.toml: line 11, `year`: found string \"2021\", expected a whole",
        ),
        (
            "paper.toml",
            "benchmark = \"my",
            "benchmark = \"your",
            "id `your-paper-table-1`, did you",
        ),
        (printed, "4.9654,0.1826", "4.9654,-0.1826", "line 5: `-0.1826` is not a spread"),
        (printed, "# spread_kind", "# spread_kid", "line 2: `spread_kid`: did you mean `spread"),
        ("errata.md", "(medium; source)", "(grave; source)", "errata.md: line 8: found"),
    ] {
        let told = mistake(file, old, new);
        assert!(told.contains(words), "{new}: {told}");
    }
    // All mistakes of a file are told at once.
    let path = dir.path("mine").join(printed);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("3.5397", "three").replace("0.9449", "most")).unwrap();
    let told = dir.run("run mine --profile smoke").code(1).err;
    assert!(told.contains("line 7: `three`") && told.contains("line 10: `most`"), "{told}");
    // A value may have its spread beside it, and a table may be several files.
    let (rmse, coverage): (Vec<&str>, Vec<&str>) =
        text.lines().skip(4).partition(|line| line.contains(",rmse,"));
    let head = text.lines().take(4).collect::<Vec<_>>().join("\n");
    let beside = |line: &str| line.replacen(",0.1826", " ± 0.1826,", 1);
    for (name, lines) in [("rmse", rmse), ("coverage", coverage)] {
        let lines = lines.iter().map(|line| beside(line)).collect::<Vec<_>>().join("\n");
        dir.write(&format!("mine/printed/{name}.csv"), &format!("{head}\n{lines}\n"));
    }
    fs::remove_file(&path).unwrap();
    let table = fs::read_to_string(dir.path("mine/table-1.toml")).unwrap();
    let two = "[\"printed/rmse.csv\", \"printed/coverage.csv\"]";
    dir.write("mine/table-1.toml", &table.replacen("\"printed/table-1.csv\"", two, 1));
    let page = dir.run("run mine --profile smoke --methods linear-gaussian").code(0).out;
    assert!(page.contains("(4.9654)") && page.contains("(0.9449)"), "{page}");
}

#[test]
fn an_edit_of_the_paper_shows_on_the_next_page() {
    let dir = new_paper();
    let words = "run mine --profile smoke --methods linear-gaussian --datasets yacht";
    dir.run(words).code(0);
    for (file, old, new) in [
        ("paper.toml", "data/processed of", "page 12, from"),
        ("paper.toml", "has 10 inducing points", "has few inducing points"),
        ("errata.md", "**Error, Table 1: linear", "**Unclear, Table 1: linear"),
    ] {
        let text = fs::read_to_string(dir.path("mine").join(file)).unwrap();
        dir.write(&format!("mine/{file}"), &text.replacen(old, new, 1));
        let page = dir.run(words).code(0).out;
        let shown = new.trim_start_matches("**").split(',').next().unwrap();
        assert!(page.contains(shown), "{new}: {page}");
    }
}

#[test]
fn a_command_of_a_strangers_folder_runs_only_where_that_is_allowed() {
    let dir = new_paper();
    let text = fs::read_to_string(dir.path("mine/table-1.toml")).unwrap();
    let method = "[[methods]]\nid = \"external\"\nparameters = { name = \"theirs\", command = [\"touch\", \
                  \"ran\"] }\ncolumns = [{ heading = \"Theirs\", labels = { method = \"theirs\" } }]\n";
    dir.write("mine/table-1.toml", &format!("{text}\n{method}"));
    let told = dir.run("run mine --profile smoke").code(1).err;
    assert!(told.contains("--allow-external"), "{told}");
    assert!(!dir.path("ran").exists() && !dir.path("mine/ran").exists());
}

#[test]
fn markup_in_a_strangers_folder_is_shown_as_text() {
    let dir = new_paper();
    let paper = fs::read_to_string(dir.path("mine/paper.toml")).unwrap();
    let hostile = "<script>alert(1)</script>";
    let paper = paper
        .replace("Kompa et al.", hostile)
        .replace("data/processed of the", hostile)
        .replace("Training and test rows are", hostile);
    dir.write("mine/paper.toml", &paper);
    let errata = fs::read_to_string(dir.path("mine/errata.md")).unwrap();
    dir.write("mine/errata.md", &errata.replace("**Error, Table 1: linear", hostile));
    dir.run("run mine --profile smoke --methods linear-gaussian").code(0);
    for (name, bytes) in files(&dir.path("out/site")) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(hostile), "{name} has a script");
    }
}

#[test]
fn numbers_in_the_benchmark_file_are_as_good_as_those_in_a_table() {
    let dir = new_paper();
    let text = fs::read_to_string(dir.path("mine/table-1.toml")).unwrap();
    let inline = "published = [\n  { dataset = \"yacht\", metric = \"rmse\", value = \"9.4761\", spread = \
                  \"0.3776\", spread_kind = \"se\", count = 20, method = \"linear regression\" },\n]";
    let changed = text.replacen("published = \"printed/table-1.csv\"", inline, 1);
    dir.write("mine/table-1.toml", &changed);
    let words = "run mine --profile full --methods linear-gaussian --datasets yacht";
    let page = dir.run(words).code(0).out;
    assert!(page.contains("| Yacht   | 9.0 ± 1.3 (9.4761) ∼ |"), "{page}");
    for (old, new, told) in [
        ("\"9.4761\"", "9.4761", "line 13"),
        ("\"9.4761\"", "\"nine\"", "line 13, `published`, entry 1: `nine` is not a number"),
        ("\"yacht\", metric", "\"yach\", metric", "line 13, `published`, entry 1: dataset `yach`"),
    ] {
        dir.write("mine/table-1.toml", &changed.replacen(old, new, 1));
        let err = dir.run(words).code(1).err;
        assert!(err.contains(told), "{new}: {err}");
    }
}

#[test]
fn negative_log_likelihoods_are_turned_where_that_is_stated_and_refused_elsewhere() {
    let dir = new_paper();
    let text = fs::read_to_string(dir.path("mine/table-1.toml")).unwrap();
    let row = |more: &str| {
        let metric = "[[metrics]]\nid = \"rmse\"\nheading = \"RMSE\"\npublished = \"rmse\"\n";
        assert!(text.contains(metric), "{text}");
        let own = format!(
            "[[metrics]]\nid = \"log-likelihood\"\nheading = \"LL\"\npublished = \"nll\"\n{more}"
        );
        text.replacen(metric, &format!("{metric}\n{own}"), 1)
    };
    let printed = fs::read_to_string(dir.path("mine/printed/table-1.csv")).unwrap();
    dir.write("mine/printed/table-1.csv", &(printed + "yacht,linear regression,nll,3.631,0.01\n"));
    dir.write("mine/table-1.toml", &row(""));
    let refused = dir.run("run mine").code(1).err;
    assert!(refused.contains("`nll` is the name of a negative log-likelihood"), "{refused}");
    dir.write("mine/table-1.toml", &row("negative = true\n"));
    let words = "run mine --profile full --methods linear-gaussian --datasets yacht";
    let page = dir.run(words).code(0).out;
    assert!(page.contains("(-3.631)"), "{page}");
    // One of the coverages in the example is excluded.
    let audited = dir.run("audit-table mine").code(3).out;
    assert!(!audited.contains("negative log-likelihood"), "{audited}");
}

#[test]
fn the_rows_of_a_file_of_splits_are_tested_and_a_trial_says_which() {
    let dir = new_paper();
    let file = "mine/table-1.toml";
    let text = fs::read_to_string(dir.path(file)).unwrap();
    let given = text.replace("\"standard\"", "{ given = \"splits.csv\" }");
    dir.write(file, &given.replace("published = ", "# published = "));
    let numbers = |from: usize, count: usize| {
        (from..from + count).map(|row| row.to_string()).collect::<Vec<_>>().join(" ")
    };
    let splits = format!(
        "# Two splits of Yacht, one of Boston.\ndataset,split,feature,test\nyacht,0,a,{}\n\
         yacht,1,b,{}\nboston,0,,{}\n",
        numbers(0, 30),
        numbers(100, 25),
        numbers(0, 51)
    );
    dir.write("mine/splits.csv", &splits);
    let run = "run mine --profile full --methods linear-gaussian --formats md,csv";
    let ends = || dir.run(run).code(0).out;
    assert!(ends().contains("3 of 3 expected trials finished (0 reused, 3 run)"));
    dir.run("store pack store mine.pack mine --profile full --methods linear-gaussian").code(0);
    // The file is no part of a trial: another remark changes no key, another row does.
    dir.write("mine/splits.csv", &splits.replace(",a,", ",another,"));
    assert!(ends().contains("(3 reused, 0 run)"));
    dir.write("mine/splits.csv", &splits.replace(",a,0 1 ", ",a,1 "));
    assert!(ends().contains("(2 reused, 1 run)"));
    fs::remove_file(dir.path("mine/splits.csv")).unwrap();
    let unread = dir.run(run).code(1).err;
    assert!(unread.contains("splits.csv: it cannot be read"), "{unread}");
    dir.write("mine/splits.csv", &splits);
    let again = "rerun mine --all --offline --pack mine.pack --out again";
    let graded = dir.run(again).code(0).out;
    assert!(graded.contains("3 trials ran again: 3 with equal bytes"), "{graded}");

    dir.write("mine/splits.csv", "dataset,split,test\nyacht,0,1 400\nboston,0,7\n");
    let beyond = dir.run(run).code(0);
    let beyond = beyond.err + &beyond.out;
    assert!(
        beyond.contains("row 400, counted from 0, is tested, but the table has 308"),
        "{beyond}"
    );
    dir.write("mine/splits.csv", "dataset,split,test\nyatch,0,1 4\nboston,0,7 7\n");
    let wrong = dir.run(run).code(1).err;
    assert!(wrong.contains("splits.csv: line 3: the test row 7 is named twice"), "{wrong}");
    dir.write("mine/splits.csv", "dataset,split,test\nyatch,0,1 4\nboston,0,7\n");
    let wrong = dir.run(run).code(1).err;
    assert!(
        wrong.contains("no splits of dataset `yacht`; it has those of `boston`, `yatch`"),
        "{wrong}"
    );
}
