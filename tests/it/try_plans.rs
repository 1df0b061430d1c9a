//! Plan and stop comparisons on tables of one's own: budgets, plan files, few rows, deadlines,
//! settings that fits choose.

use std::fs;

#[cfg(target_os = "linux")]
use super::command::wait_until;
use super::command::{Dir, files};
#[cfg(target_os = "linux")]
use super::external::{DESCRIPTION, script};
#[cfg(target_os = "linux")]
use super::pages::words as words_of;
use super::try_table::{exported, my, write};
use super::wording::{elements, line, shape};

#[test]
fn a_plan_is_kept_and_repeats_a_comparison_to_the_byte() {
    let dir = Dir::new();
    my(&dir, "yacht");
    let first = "try --verbose my.csv --target y --methods calibrated-linear-gaussian,tree --level 0.8 --seed 3";
    let printed = dir.run(first).code(0).out;
    let of_first = files(&dir.path("uqbench-report/try"));
    let plan = String::from_utf8(of_first["my-plan.json"].clone()).unwrap();
    for part in [
        "\"rows\": 308",
        "\"sha256\": \"",
        "\"calibrated-linear-gaussian\": {",
        "\"level\": 0.8",
        "\"seed\": 3",
        "\"words\"",
    ] {
        assert!(plan.contains(part), "{part} in {plan}");
    }
    for name in ["my-comparison.json", "my-comparison.csv", "site/my.html"] {
        assert!(of_first.contains_key(name), "{name}");
    }
    let again =
        "try --verbose my.csv --target y --figures again --plan uqbench-report/try/my-plan.json";
    assert_eq!(dir.run(again).code(0).out, printed);
    assert!(of_first == files(&dir.path("again")));

    dir.run(&format!("{again} --seed 4")).code(2).says("cannot be used with");
    dir.run("try --verbose my.csv --target y --plan nowhere.json")
        .code(1)
        .says("nowhere.json")
        .says("FILE-plan.json");
    fs::write(dir.path("bad.json"), plan.replace("308", "309")).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json")
        .code(1)
        .says("found 309 rows, expected 308");
    fs::write(dir.path("bad.json"), plan.replace("\"repeats\": 2", "\"repeats\": 3")).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json")
        .code(1)
        .says("found 3 divisions into folds, expected 2 to 2");
    fs::write(dir.path("bad.json"), plan.replace("\"folds\": 5", "\"folds\": 4")).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json")
        .code(1)
        .says("found 4 folds, expected 5");
    let parameters = plan.replace("\"min_leaf\": ", "\"min_leaf\": 1");
    assert_ne!(parameters, plan);
    fs::write(dir.path("bad.json"), parameters).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json")
        .code(1)
        .says("`tree` has other settings in this program");
    let (header, mut lines) = exported(&dir, "yacht");
    lines.swap(0, 1);
    write(&dir, "other.csv", &header, &lines);
    dir.run("try --verbose other.csv --target y --plan uqbench-report/try/my-plan.json")
        .code(1)
        .says("that of the numbers of other.csv: it is another table of the same size");
    fs::write(dir.path("bad.json"), &plan[..plan.len() / 2]).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json")
        .code(1)
        .says("bad.json")
        .says("line");
    fs::write(dir.path("bad.json"), plan.replace("\"tree\"", "\"tre\"")).unwrap();
    dir.run("try --verbose my.csv --target y --plan bad.json").code(2).says("did you mean `tree`?");
}

#[test]
fn a_comparison_that_replaces_that_of_other_numbers_says_so() {
    let dir = Dir::new();
    few(&dir);
    // The warning names the plan, and the option that writes elsewhere.
    let is_warned = |told: &str| {
        told.lines().any(|line| line.contains("my-plan.json") && line.contains("--figures DIR"))
    };
    let of_y = "try --verbose my.csv --target y --methods linear-gaussian";
    let first = dir.run(of_y).code(0);
    // The same numbers are no other comparison, whatever is asked of them.
    let again = dir.run(&format!("{of_y},tree --level 0.8")).code(0);
    assert!(!is_warned(&first.err) && !is_warned(&again.err), "{}{}", first.err, again.err);
    let of_x = "try --verbose my.csv --target x --methods linear-gaussian";
    let replaced = dir.run(of_x).code(0);
    assert!(is_warned(&replaced.err), "{}", replaced.err);
    insta::assert_snapshot!(line(&replaced.err, &["my-plan.json", "--figures DIR"]), @"note: uqbench-report/try/my-plan.json is of another table or target, or of other rows or columns; this comparison replaces it and the page and numbers beside it; --figures DIR writes into another folder");
    let elsewhere = dir.run(&format!("{of_y} --figures elsewhere")).code(0);
    assert!(!is_warned(&elsewhere.err), "{}", elsewhere.err);
    // What is no plan is nothing that a comparison has left.
    dir.write("uqbench-report/try/my-plan.json", "{}");
    let over_another = dir.run(of_y).code(0);
    assert!(!is_warned(&over_another.err), "{}", over_another.err);
}

/// 30 rows of one feature.
fn few(dir: &Dir) {
    let lines: Vec<String> = (0..30).map(|i| format!("{i},{}", i + (i * 37) % 30)).collect();
    write(dir, "my.csv", "x,y", &lines);
}

#[test]
fn few_rows_are_tried_by_what_they_can_calibrate_and_the_plan_says_so() {
    let dir = Dir::new();
    few(&dir);
    // 24 rows calibrate an interval of 90 %.
    let calibrated = dir.run("try --verbose my.csv --target y").code(0).out;
    assert!(
        calibrated.contains("| calibrated-ngboost ") && !calibrated.contains("Failed"),
        "{calibrated}"
    );
    // One of 95 % takes 39.
    let ended = dir
        .run("try --verbose my.csv --target y --level 0.95")
        .code(0)
        .says("\n  uncalibrated-stack ");
    assert!(!ended.out.contains("Failed") && !ended.out.contains("| calibrated-"), "{}", ended.out);
    // The rows that the level needs, and those that a fold has.
    let why = line(&ended.out, &["95 %", " 39 ", " 24"]);
    insta::assert_snapshot!(why, @"- `quantile-forest-validated`: weighted targets of the leaves; leaves, features and trees chosen by the out-of-bag CRPS; not calibrated, because its 95 % interval needs 39 training rows or more, and a fold has 24.");
    let plan = fs::read_to_string(dir.path("uqbench-report/try/my-plan.json")).unwrap();
    assert!(line(&plan, &["95 %", " 39 ", " 24"]).starts_with('"'), "{plan}");
    assert!(plan.contains("\"budget\": 45.0"), "{plan}");
    let mut of_first = files(&dir.path("uqbench-report/try"));
    let again = dir
        .run("try --verbose my.csv --target y --figures again --plan uqbench-report/try/my-plan.json")
        .code(0)
        .out;
    assert!(again.contains(why), "{again}");
    let mut of_second = files(&dir.path("again"));
    of_first.retain(|name, _| !name.contains("site/"));
    of_second.retain(|name, _| !name.contains("site/"));
    assert!(of_first == of_second);
}

#[test]
fn the_plan_is_told_before_the_first_fit_and_a_budget_chooses_among_named_methods() {
    let dir = Dir::new();
    my(&dir, "yacht");
    let ended = dir
        .run("try --verbose my.csv --target y --methods linear-gaussian,stack --budget 1s")
        .code(0)
        .says("60 fits of at most 246 ");
    let told = [
        line(&ended.err, &["plan: 5 folds", " 246 "]),
        line(&ended.err, &["  linear-gaussian  "]),
        line(&ended.err, &["--budget 1 s"]),
        line(&ended.err, &["note: ", ": stack ("]),
    ];
    insta::assert_snapshot!(shape(&told.join("\n")), @"
    plan: # folds, divided twice, of about # training rows; processor time that all fits of a method alone are expected to take:
    linear-gaussian a second or less
    in all a second or less, with common fits made once, of --budget # s
    note: not tried, because with it more than the budget is expected: stack (# s)
    ");
    assert!(
        ended.out.contains("| linear-gaussian ") && !ended.out.contains("| stack "),
        "{}",
        ended.out
    );
    // What is left out is on the page, in both files, and told again by a run that repeats the
    // plan.
    insta::assert_snapshot!(shape(line(&ended.out, &["`stack` ("])), @"Not tried, because with it more than the budget is expected, in processor time of all its fits: `stack` (# s). `--budget` sets a larger one, and `--methods` names methods.");
    let of_first = files(&dir.path("uqbench-report/try"));
    for name in ["my-plan.json", "my-comparison.json"] {
        let text = String::from_utf8_lossy(&of_first[name]).into_owned();
        assert!(
            text.contains(
                "\"left_out\": [\n    {\n      \"method\": \"stack\",\n      \"seconds\": "
            ),
            "{name}: {text}"
        );
    }
    let again =
        "try --verbose my.csv --target y --figures again --plan uqbench-report/try/my-plan.json";
    let repeated = dir.run(again).code(0).says(": stack (");
    assert_eq!(repeated.out, ended.out);
    assert!(of_first == files(&dir.path("again")));
}

#[test]
fn chosen_settings_are_written_for_each_fold_and_for_the_fit_of_all_rows() {
    let dir = Dir::new();
    my(&dir, "motorcycle-94");
    let words = "try --verbose my.csv --target y --methods calibrated-quantile-forest-validated --predict \
                 my.csv --out pred.csv --predict-with calibrated-quantile-forest-validated";
    let ended = dir.run(words).code(0);
    let chosen =
        line(&ended.err, &["`calibrated-quantile-forest-validated`", "features 1, min_leaf "]);
    insta::assert_snapshot!(shape(chosen), @"`calibrated-quantile-forest-validated` has chosen on all rows: features #, min_leaf #, trees #");
    assert!(ended.out.contains("## Chosen settings"), "{}", ended.out);
    let settings = fs::read_to_string(dir.path("uqbench-report/try/my-settings.csv")).unwrap();
    let lines: Vec<&str> = settings.lines().collect();
    assert_eq!(lines[0], "method,fitted_on,repeat,fold,setting,value");
    // Three settings of 20 folds and of the fit of all rows.
    assert_eq!(lines.len(), 1 + 3 * 21, "{settings}");
    assert!(
        lines[61].starts_with("calibrated-quantile-forest-validated,all rows,,,features,"),
        "{settings}"
    );
    let page = fs::read_to_string(dir.path("uqbench-report/try/site/my.html")).unwrap();
    let heads = elements(&page, "main h2, main th").into_iter();
    let heads: Vec<String> = heads.filter(|head| head.starts_with("Chosen")).collect();
    assert!(heads.len() >= 2, "in the folds, and on all rows: {heads:?}");
    insta::assert_snapshot!(heads.join("\n"), @"
    Chosen settings
    Chosen in each fold
    Chosen on all rows
    ");
}

/// An external method whose fits take an hour, and the file that its first fit makes.
#[cfg(target_os = "linux")]
fn slow(dir: &Dir) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let mark = dir.path("mark");
    dir.write("slow.sh", &script(DESCRIPTION, &format!("touch {}\nsleep 3619", mark.display())));
    fs::set_permissions(dir.path("slow.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    mark
}

#[cfg(target_os = "linux")]
#[test]
fn a_deadline_and_ctrl_c_end_a_comparison_which_compares_what_has_finished() {
    let dir = Dir::new();
    few(&dir);
    let mark = slow(&dir);
    let words = "try --verbose my.csv --target y --methods linear-gaussian --jobs 1 --with ./slow.sh \
                 --predict my.csv --out pred.csv";
    let late = dir
        .run(&format!("{words} --deadline 5s"))
        .code(3)
        .says("note: nothing was predicted or saved");
    let first = |out: &str| out.lines().nth(2).unwrap().to_owned();
    assert!(first(&late.out).contains("`slow` (0 of 20 "), "{}", late.out);
    insta::assert_snapshot!(first(&late.out), @"**This comparison was stopped at its deadline before its end.** What follows compares only the methods that had finished every fold. Not finished, and so not compared: `slow` (0 of 20 fits).");
    assert!(
        late.out.contains("**Recommended: `linear-gaussian`.**") && !late.out.contains("| slow "),
        "{}",
        late.out
    );
    let kept = files(&dir.path("uqbench-report/try"));
    let page = String::from_utf8_lossy(&kept["site/my.html"]).into_owned();
    assert!(words_of(&page).contains("(0 of 20 ") && kept.contains_key("my-comparison.csv"));
    let compared: serde_json::Value = serde_json::from_slice(&kept["my-comparison.json"]).unwrap();
    assert_eq!(compared["aborted"]["cause"], "deadline");
    assert_eq!(compared["aborted"]["unfinished"][0]["method"], "slow");
    insta::assert_snapshot!(compared["warnings"][0].as_str().unwrap(), @"this comparison was stopped at its deadline before its end, and compares only the methods that had finished every fold. Not finished, and so not compared: `slow` (0 of 20 fits).");
    assert!(!dir.path("pred.csv").exists());

    let _ = fs::remove_file(&mark);
    let started = dir.start(words);
    wait_until(|| mark.exists(), "the slow method runs");
    started.signal(rustix::process::Signal::INT);
    let stopped = started.end().code(130).says("stopping; once more to stop at once");
    let compared = fs::read(dir.path("uqbench-report/try/my-comparison.json")).unwrap();
    let compared: serde_json::Value = serde_json::from_slice(&compared).unwrap();
    assert_eq!(compared["aborted"]["cause"], "user");
    assert!(first(&stopped.out).contains("`slow` (0 of 20 "), "{}", stopped.out);
    insta::assert_snapshot!(first(&stopped.out), @"**This comparison was stopped by its user before its end.** What follows compares only the methods that had finished every fold. Not finished, and so not compared: `slow` (0 of 20 fits).");
    assert!(stopped.out.contains("**Recommended: `linear-gaussian`.**"), "{}", stopped.out);
    // Where nothing has finished, nothing is compared.
    dir.run("try --verbose my.csv --target y --deadline 0s")
        .code(3)
        .says("no method had finished: nothing is compared");
}
