//! External methods in benchmarks and in tables of one's own.

use std::fs;

use super::super::command::{Dir, Ended, Limited};
use super::super::mocks;
use super::super::pages::command_of;
use super::{DESCRIPTION, MOMENTS, lines, script};

/// A benchmark of a mock that predicts the training mean, and of the script `mean.sh`.
fn benchmark() -> String {
    let text = mocks::benchmark(&mocks::answering(1, 0), 2);
    let method = "[[methods]]\nid = \"external\"\nparameters = { name = \"mean\", command = \
                  [\"sh\", \"mean.sh\"], files = [\"mean.sh\"], settings = { depth = 3 } \
                  }\ncolumns = [{ heading = \"Mean\", labels = { mock = \"mean\" } }]\n";
    text.replacen("[profiles.smoke]", &format!("{method}[profiles.smoke]"), 1)
}

/// The script, which writes a line to the file `calls` for each call.
fn mean(dir: &Dir, description: &str) -> String {
    script(description, MOMENTS).replacen(
        "case",
        &format!("echo \"$1\" >> {}\ncase", dir.path("calls").display()),
        1,
    )
}

fn new() -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path("bench")).unwrap();
    dir.write("bench/own.toml", &benchmark());
    dir.write("bench/mean.sh", &mean(&dir, DESCRIPTION));
    dir
}

fn calls(dir: &Dir) -> usize {
    lines(&dir.path("calls"))
}

#[track_caller]
fn run(dir: &Dir) -> Ended {
    dir.run("run bench/own.toml --profile smoke --allow-external").code(0)
}

#[test]
fn a_method_that_states_no_code_is_named_once() {
    let dir = new();
    let named = |ended: &Ended| {
        ended.err.lines().filter(|line| line.starts_with("note: external method `mean`")).count()
    };
    assert_eq!(named(&run(&dir)), 1);
    // One that has looked and found none is not.
    dir.write("bench/mean.sh", &mean(&dir, &DESCRIPTION.replacen('{', "{\"code\": {}, ", 1)));
    assert_eq!(named(&run(&dir)), 0);
    let ended = run(&dir);
    assert!(ended.last().contains("(4 reused, 0 run)"), "{}", ended.last());
}

#[test]
fn a_column_of_a_benchmark_has_the_numbers_of_the_same_method_in_rust() {
    let dir = new();
    let ended = run(&dir);
    assert_eq!(ended.last(), "4 of 4 expected trials finished (0 reused, 4 run)");
    let page = fs::read_to_string(dir.path("out/mocks.csv")).unwrap();
    let rmse = |heading: &str| -> f64 {
        let row = page
            .lines()
            .find(|line| line.contains(heading) && line.contains(",rmse,"))
            .unwrap_or_else(|| panic!("{page}"));
        row.split(',').nth(7).unwrap().parse().unwrap()
    };
    dir.run("run bench/own.toml --profile smoke --allow-external --isolation thread --store other")
        .code(0);
    assert!(dir.kept("store") == dir.kept("other"), "threads and processes give the same bytes");
    assert!(
        (rmse(",mean,") - rmse(",answer 0,")).abs() < 1e-9,
        "both predict the training mean\n{page}"
    );
}

#[test]
fn nothing_runs_without_permission_and_reading_runs_nothing() {
    let dir = new();
    dir.run("run bench/own.toml --profile smoke")
        .code(1)
        .says("it runs the command `sh mean.sh` with your rights");
    assert_eq!(calls(&dir), 0);
    dir.run("status bench/own.toml --profile smoke").code(1);
    run(&dir);
    let made = calls(&dir);
    assert_eq!(made, 3, "a description and two trials");
    let status = dir.run("status bench/own.toml --profile smoke").code(0);
    assert!(status.out.contains("| mocks     |        4 |        4 |"), "{}", status.out);
    dir.run("report bench/own.toml --profile smoke")
        .code(0)
        .prints("4 of 4 expected trials finished");
    dir.run("list methods external").code(0).prints("must be given");
    assert_eq!(calls(&dir), made);
    // A pack and a store without the file of descriptions have the description in their trials.
    let pack = dir.path("p.pack");
    dir.run(&format!(
        "store pack {} {} bench/own.toml --profile smoke",
        dir.path("store").display(),
        pack.display()
    ))
    .code(0);
    dir.run(&format!("report bench/own.toml --profile smoke --store {}", pack.display()))
        .code(0)
        .prints("4 of 4");
    fs::write(dir.path("store/external.json"), "cut").unwrap();
    dir.run("status bench/own.toml --profile smoke").code(1).says("external.json is damaged");
    fs::remove_file(dir.path("store/external.json")).unwrap();
    dir.run("status bench/own.toml --profile smoke").code(0);
    assert_eq!(calls(&dir), made);
}

#[test]
fn a_plan_runs_nothing_and_takes_what_the_store_keeps_of_the_method() {
    let dir = new();
    let plan = "plan bench/own.toml --profile smoke --store store";
    dir.run(plan).code(1).says("is not a store");
    assert_eq!(calls(&dir), 0, "a method that was never asked is not asked for a plan");
    run(&dir);
    let made = calls(&dir);
    let stored = |words: &str| {
        let ended = dir.run(words).code(0);
        let row = ended
            .out
            .lines()
            .find(|line| line.starts_with("| mocks "))
            .unwrap_or_else(|| panic!("{}", ended.out));
        row.split('|').nth(3).unwrap().trim().to_owned()
    };
    assert_eq!(stored(plan), "4", "the trials are found by the kept description");
    assert_eq!(stored(&format!("{plan} --shards 2 --out plan.json")), "4");
    dir.write("bench/own.toml", &benchmark().replace("depth = 3", "depth = 4"));
    assert_eq!(stored(plan), "2", "with another setting its two trials are still to run");
    dir.write("bench/own.toml", &benchmark());
    fs::remove_file(dir.path("bench/mean.sh")).unwrap();
    assert_eq!(stored(plan), "4", "without its files it is the newest one that the store has");
    assert_eq!(calls(&dir), made);
}

#[test]
fn another_version_file_or_setting_means_new_trials_and_another_folder_does_not() {
    let dir = new();
    run(&dir);
    let again = run(&dir);
    assert_eq!(again.last(), "4 of 4 expected trials finished (4 reused, 0 run)");
    fs::rename(dir.path("bench"), dir.path("moved")).unwrap();
    let moved = dir.run("run moved/own.toml --profile smoke --allow-external").code(0);
    assert_eq!(moved.last(), "4 of 4 expected trials finished (4 reused, 0 run)");
    let new = "4 of 4 expected trials finished (2 reused, 2 run)";
    let upgraded = mean(&dir, &DESCRIPTION.replace("\"1\"", "\"2\""));
    dir.write("moved/mean.sh", &upgraded);
    assert_eq!(dir.run("run moved/own.toml --profile smoke --allow-external").code(0).last(), new);
    dir.write("moved/mean.sh", &format!("{upgraded}\n# Another file.\n"));
    assert_eq!(dir.run("run moved/own.toml --profile smoke --allow-external").code(0).last(), new);
    dir.write("moved/own.toml", &benchmark().replace("depth = 3", "depth = 4"));
    assert_eq!(dir.run("run moved/own.toml --profile smoke --allow-external").code(0).last(), new);
}

#[test]
fn a_failure_is_recorded_with_the_end_of_standard_error_and_runs_again() {
    let dir = new();
    dir.write("bench/mean.sh", &script(DESCRIPTION, "echo I am out of ideas >&2; exit 3"));
    let ended = dir.run("run bench/own.toml --profile smoke --allow-external").code(3);
    let ended = ended
        .says("`mean` on motorcycle-94")
        .says("exit status: 3; the end of standard error: I am out of ideas");
    assert_eq!(ended.last(), "2 of 4 expected trials finished (0 reused, 2 run), 2 crashed");
    dir.write(
        "bench/mean.sh",
        &script(
            DESCRIPTION,
            r#"echo '{"contract": 1, "error": "unsupported", "message": "m"}' > response.json"#,
        ),
    );
    let ended = run(&dir);
    assert_eq!(ended.last(), "4 of 4 expected trials finished (2 reused, 2 run), 2 unsupported");
}

#[test]
fn a_command_is_one_more_column_of_a_benchmark_and_one_more_row_of_an_own_table() {
    let dir = new();
    dir.write("my mean.sh", &script(DESCRIPTION, MOMENTS));
    let run = |words: &str| {
        let output = dir.command(words).args(["--with", "sh 'my mean.sh'"]).ended();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for words in ["run dtb-figure-2 --profile smoke", "report dtb-figure-2 --profile smoke"] {
        let (code, out, err) = run(words);
        assert_eq!(code, Some(0), "{words}\n{out}\n{err}");
        let page = fs::read_to_string(dir.path("out/dtb-figure-2.md")).unwrap();
        assert!(page.contains("my mean"), "{words}: {page}");
    }
    let rows: String = (0..40).map(|i| format!("{i},{}\n", 3 * i + i * i % 7)).collect();
    dir.write("table.csv", &format!("a,b\n{rows}"));
    let (code, out, err) =
        run("try --verbose table.csv --target b --methods unconditional-gaussian");
    assert_eq!(code, Some(0), "{err}");
    let cells = |name: &str| -> Vec<String> {
        let (_, methods) = out.split_once("## Methods").unwrap();
        let line = methods
            .lines()
            .find(|line| line.starts_with(&format!("| {name} ")))
            .unwrap_or_else(|| panic!("{out}"));
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    // The variance has another divisor, so only the root mean squared error is the same.
    assert_eq!(cells("my mean")[9], cells("unconditional-gaussian")[9], "{out}");
    dir.write("dtb.sh", &script(DESCRIPTION, MOMENTS));
    let (code, _, err) = run("try --verbose table.csv --target b --with=./dtb.sh");
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("another method is called `dtb`"), "{err}");
}

#[test]
fn the_command_of_a_trial_repeats_the_added_method_and_allows_the_commands_of_a_file() {
    let dir = new();
    dir.write("my mean.sh", &script(DESCRIPTION, MOMENTS));
    let method = ["--with", "sh 'my mean.sh'"];
    let run = |words: &str, more: &[String]| {
        Ended::of(words, dir.command(words).args(more).ended()).code(0)
    };
    let with = method.map(str::to_owned);
    run("run bench/own.toml --profile smoke --allow-external", &with);
    let table = fs::read_to_string(dir.path("out/mocks-trials.csv")).unwrap();
    let key =
        table.lines().find(|line| line.contains(",my mean,")).unwrap().split(',').next().unwrap();
    run(&format!("show {key} bench/own.toml --store store --out shown"), &with);
    let page =
        fs::read_to_string(dir.path(&format!("shown/site/trial-{}.html", &key[..16]))).unwrap();
    let command = command_of(&page);
    let start = ["uqbench", "run", "bench/own.toml", "--profile", "full"];
    let end = ["--allow-external", "--trial", &key[..16], "--store", "again"];
    assert_eq!(command, [&start[..], &method[..], &end[..]].concat());
    let stated = &command[2..command.len() - 2];
    run("run --store again --out unused", stated)
        .prints("1 of 1 expected trials finished (0 reused, 1 run)");
    let (all, again) = (dir.kept("store"), dir.kept("again"));
    assert!(!again.is_empty() && again.iter().all(|(path, bytes)| all[path] == *bytes));
    // Nothing runs to show a trial, and nothing is known of a method that is not named.
    let calls = calls(&dir);
    let unnamed = run(&format!("show {key} bench/own.toml --store store --out shown"), &[]);
    assert!(unnamed.out.contains("is not known"), "{}", unnamed.out);
    assert_eq!(lines(&dir.path("calls")), calls);
}

#[test]
fn what_is_not_at_hand_is_excused_with_the_methods_reason_and_runs_again() {
    let dir = new();
    let weights = dir.path("weights");
    let refusal = r#"echo '{"contract": 1, "error": "unavailable", "message": "no weights"}' > response.json"#;
    let text = format!("if [ -e {} ]; then\n{MOMENTS}\nelse\n{refusal}\nfi", weights.display());
    dir.write("bench/mean.sh", &script(DESCRIPTION, &text));
    let ended = run(&dir);
    assert_eq!(ended.last(), "2 of 4 expected trials finished (0 reused, 2 run), 2 unavailable");
    for name in ["mocks-trials.csv", "site/index.html"] {
        let page = fs::read_to_string(dir.path("out").join(name)).unwrap();
        assert!(page.contains("mean: no weights"), "{page}");
    }
    dir.run("run bench/own.toml --profile smoke --allow-external --require-data").code(3);
    fs::write(weights, "").unwrap();
    assert_eq!(run(&dir).last(), "4 of 4 expected trials finished (2 reused, 2 run)");
}

#[test]
fn versions_of_a_method_with_one_name_and_command_do_not_hide_each_other() {
    let dir = new();
    run(&dir);
    fs::create_dir(dir.path("other")).unwrap();
    dir.write("other/own.toml", &benchmark());
    dir.write("other/mean.sh", &mean(&dir, &DESCRIPTION.replace("\"1\"", "\"2\"")));
    dir.run("run other/own.toml --profile smoke --allow-external").code(0);
    let finished = |folder: &str| {
        let status = dir.run(&format!("status {folder}/own.toml --profile smoke")).code(0);
        status.out.contains("| mocks     |        4 |        4 |")
    };
    assert!(finished("bench") && finished("other"), "each has its own trials");
    // As an earlier version of this program left it: the last description of the name and the
    // command alone.
    fs::remove_file(dir.path("store/external.json")).unwrap();
    assert!(finished("bench") && finished("other"), "the trials say it");
    fs::remove_file(dir.path("bench/mean.sh")).unwrap();
    assert!(finished("bench"), "without its files it is the newest one");
    dir.run("report bench/own.toml --profile smoke")
        .code(0)
        .prints("4 of 4 expected trials finished");
    dir.run("run bench/own.toml --profile smoke --allow-external")
        .code(1)
        .says("mean.sh cannot be read");
    fs::remove_dir_all(dir.path("store/trials")).unwrap();
    dir.run("status bench/own.toml --profile smoke").code(3).says("has no trial of it");
}

/// A script that answers the mean 0 with this variance at every test row.
fn with_variance(variance: &str) -> String {
    let run = format!(
        "awk '{{ print 0 > \"mean.csv\"; print \"{variance}\" > \"variance.csv\" }}' X_test.csv\n\
         echo '{{\"contract\": 1, \"form\": \"gaussian\", \"mean\": \"mean.csv\", \"variance\": \
         \"variance.csv\"}}' > response.json"
    );
    script(DESCRIPTION, &run)
}

#[test]
fn a_variance_that_overflows_in_the_units_of_the_target_diverges_and_stops_no_other_trial() {
    let dir = Dir::new();
    // Scaled by the training rows: 1e307 in units of a standard deviation of 15 is infinite in
    // those of the target.
    dir.write("mini.toml", &mocks::on("yacht", &mocks::answering(2, 0), 2));
    dir.write("ovf.sh", &with_variance("1e307"));
    let run =
        || Ended::of("run", dir.command("run mini.toml").args(["--with", "sh ovf.sh"]).ended());
    let ended = run().code(0);
    assert!(
        ended.last().starts_with("6 of 6 expected trials finished (0 reused, 6 run)"),
        "{}",
        ended.last()
    );
    let outcomes = fs::read_to_string(dir.path("out/mocks-trials.csv")).unwrap();
    assert_eq!(outcomes.matches("diverged").count(), 2, "{outcomes}");
    assert!(run().code(0).last().starts_with("6 of 6 expected trials finished (6 reused, 0 run)"));
    dir.run("store check --store store").code(0);
}

#[test]
fn a_trial_that_cannot_be_drawn_costs_its_own_figures() {
    let dir = Dir::new();
    dir.write("mini.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.write("vast.sh", &with_variance("1e80"));
    let run =
        || Ended::of("run", dir.command("run mini.toml").args(["--with", "sh vast.sh"]).ended());
    let ended = run().code(3);
    assert!(ended.last().starts_with("6 of 6 expected trials finished"), "{}", ended.last());
    let page = dir.page("out/mocks.md");
    assert!(page.contains("answer 0") && dir.path("out/mocks.csv").is_file(), "{page}");
    // Each of the pages of trials is there.
    let pages = fs::read_dir(dir.path("out/site")).unwrap().map(|entry| entry.unwrap().file_name());
    let of_trials = pages.filter(|name| name.to_str().unwrap().starts_with("trial-")).count();
    assert!(of_trials >= 3, "{of_trials}");
    // Again, from pages that were kept.
    run().code(3);
    // A run without the method is as it was.
    dir.run("run mini.toml").code(0);
}

#[test]
fn code_that_a_method_states_is_part_of_its_key() {
    let dir = Dir::new();
    dir.write("mini.toml", &mocks::benchmark(&mocks::answering(1, 0), 2));
    dir.write("outside.txt", "0");
    let outside = dir.path("outside.txt").display().to_string();
    let stated = format!("\"'$(sha256sum < {outside} | cut -c1-64)'\"");
    let described = DESCRIPTION
        .replace("\"arrays\"", &format!("\"code\": {{\"mylib\": {stated}}}, \"arrays\""));
    dir.write("mine.sh", &script(&described, MOMENTS));
    let run = || {
        Ended::of("run", dir.command("run mini.toml").args(["--with", "sh mine.sh"]).ended())
            .code(0)
    };
    let ran = |words: &str| run().last().ends_with(words);
    assert!(ran("(0 reused, 4 run)") && ran("(4 reused, 0 run)"));
    dir.write("outside.txt", "100");
    assert!(ran("(2 reused, 2 run)"), "the trials of the method run again, and no others");
    dir.write("outside.txt", "0");
    assert!(ran("(4 reused, 0 run)"), "those of the first code are still there");
}

#[test]
fn a_description_takes_no_longer_than_the_time_limit() {
    let dir = Dir::new();
    dir.write("mini.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    dir.write("slow.sh", "#!/bin/sh\nsleep 200\n");
    let start = std::time::Instant::now();
    let ended = dir.command("run mini.toml --timeout 2").args(["--with", "sh slow.sh"]).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(start.elapsed().as_secs() < 100, "{:?}", start.elapsed());
}

#[test]
fn a_run_in_which_a_method_damages_stored_trials_is_incomplete() {
    let dir = Dir::new();
    dir.write("mini.toml", &mocks::benchmark(&mocks::answering(1, 0), 2));
    dir.run("run mini.toml").code(0);
    let store = dir.path("store/trials").display().to_string();
    let damage =
        format!("for f in {store}/*/*/rows.parquet; do printf x >> $f; break; done\n{MOMENTS}");
    dir.write("evil.sh", &script(DESCRIPTION, &damage));
    let ended = Ended::of(
        "run",
        dir.command("run mini.toml --jobs 1").args(["--with", "sh evil.sh"]).ended(),
    );
    ended.code(3);
}

#[test]
fn a_variance_of_0_gives_the_log_likelihood_of_an_impossible_outcome() {
    let dir = Dir::new();
    let text = mocks::benchmark(&mocks::answering(1, 0), 2);
    dir.write(
        "mini.toml",
        &text.replace(
            "id = \"rmse\", heading = \"RMSE\"",
            "id = \"log-likelihood\", heading = \"LL\"",
        ),
    );
    dir.write("spike.sh", &with_variance("0"));
    let with = ["--with", "sh spike.sh"];
    Ended::of("run", dir.command("run mini.toml").args(with).ended()).code(0);
    let mut file = csv::Reader::from_path(dir.path("out/mocks.csv")).unwrap();
    let names = file.headers().unwrap().clone();
    let at = |name: &str| names.iter().position(|own| own == name).unwrap();
    let rows = file.records().map(Result::unwrap).collect::<Vec<_>>();
    let of_spike = rows
        .iter()
        .find(|row| &row[at("metric")] == "log-likelihood" && &row[at("method")] == "external");
    assert_eq!(&of_spike.unwrap()[at("mean")], "-inf");
    let page = dir.page("out/mocks.md");
    let table = page.lines().find(|line| line.starts_with("| Data |")).unwrap();
    assert!(table.ends_with("| -inf |"), "{table}");
    // 19 rows in each of two splits.
    assert!(page.contains("spike on Data at 38 of 38 tested rows"), "{page}");
    let stated =
        Ended::of("compare", dir.command("compare --benchmarks mini.toml").args(with).ended())
            .code(0);
    assert!(stated.out.contains("-inf"), "{}", stated.out);
}
