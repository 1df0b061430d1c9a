//! Submit a plan to a scheduler that is none: a program named `sbatch` that records its script, or
//! runs it at once.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::command::{Dir, Ended, Limited};
use super::shards::{pages, twelve_trials};
use super::wording::{counts, line};

/// A folder with a plan for three shards, and a program `sbatch` in `bin`, whose text is given.
fn with_sbatch(text: &str) -> Dir {
    let dir = Dir::new();
    dir.write("mocks.toml", &twelve_trials());
    dir.run("plan mocks.toml --shards 3 --out plan.json").code(0);
    fs::create_dir(dir.path("bin")).unwrap();
    dir.write("bin/sbatch", text);
    fs::set_permissions(dir.path("bin/sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

fn submit(dir: &Dir, words: &str) -> Ended {
    let words = format!("submit plan.json --slurm --store store --out out --offline {words}");
    let path = format!("{}:{}", dir.path("bin").display(), std::env::var("PATH").unwrap());
    Ended::of(&words, dir.command(&words).env("PATH", path).ended())
}

/// Runs every task of an array, one after another, then the job that depends on it, as Slurm would.
const RUNS: &str = r#"#!/bin/sh
echo "$@" >> submitted
script=script-$$; cat > $script
export SLURM_CPUS_PER_TASK=$(sed -n 's/^#SBATCH --cpus-per-task=//p' $script)
last=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' $script)
if [ -n "$last" ]; then
  for task in $(seq $last); do SLURM_ARRAY_TASK_ID=$task sh $script >> tasks.log 2>&1 || exit 1; done
  echo 41
else
  sh $script > report.log 2>&1 || exit 1
  echo "42;cluster"
fi
"#;

/// How many lines of a log end with these counts of trials.
fn ended_with(log: &str, tally: [u64; 4]) -> usize {
    log.lines().filter(|line| counts(line).ends_with(&tally)).count()
}

#[test]
fn an_array_and_its_report_give_the_pages_of_one_machine() {
    let dir = with_sbatch(RUNS);
    let ended = submit(&dir, "--cpus 2 --at-once 2").code(0);
    let submitted = line(&ended.out, &["41 (", "42"]);
    assert!(counts(submitted).starts_with(&[41, 3, 42]), "{submitted}");
    insta::assert_snapshot!(submitted, @"submitted array 41 (3 tasks), and report 42, which starts when the array has ended");
    for part in ["uqbench status --plan plan.json --store store", "scancel 41 42"] {
        assert!(ended.out.contains(part), "{}", ended.out);
    }
    assert_eq!(
        fs::read_to_string(dir.path("submitted")).unwrap(),
        "--parsable\n--parsable --dependency=afterany:41\n"
    );
    let tasks = fs::read_to_string(dir.path("tasks.log")).unwrap();
    assert_eq!(ended_with(&tasks, [4, 4, 0, 4]), 3, "{tasks}");
    let report = fs::read_to_string(dir.path("report.log")).unwrap();
    assert_eq!(ended_with(&report, [12, 12, 12, 0]), 1, "{report}");
    assert!(dir.path("out/mocks.md").exists(), "the job wrote the report");
    dir.run("run mocks.toml --store whole --out out-whole").code(0);
    assert!(dir.kept("store") == dir.kept("whole"));
    assert!(pages(&dir, "store", "out") == pages(&dir, "whole", "out-whole"));
    // All is stored: the same command finds nothing left to run.
    submit(&dir, "").code(0);
    let tasks = fs::read_to_string(dir.path("tasks.log")).unwrap();
    assert_eq!(ended_with(&tasks, [4, 4, 4, 0]), 3, "{tasks}");
}

/// The scripts that `--print` shows: of the array and of the report.
fn scripts(dir: &Dir, words: &str) -> [String; 2] {
    let out = submit(dir, &format!("--print {words}")).code(0).out;
    let (array, report) = out.split_once("\n\n").unwrap();
    [array.to_owned() + "\n", report.to_owned()]
}

#[test]
fn printed_scripts_state_every_option_and_submit_nothing() {
    let dir = with_sbatch("#!/bin/sh\ntouch called\n");
    let words = "--cpus 2 --at-once 4 --memory 1024 --margin 2 --sbatch=--partition=long";
    let [array, report] = scripts(&dir, words);
    let folder = dir.path("").display().to_string();
    let folder = folder.trim_end_matches('/');
    // Four trials of ten seconds, two at a time, and one more at the end: 30 s, twice that, and ten
    // minutes.
    let expected = format!(
        "#!/bin/sh\n#SBATCH --job-name=uqbench\n#SBATCH --array=1-3%4\n#SBATCH \
         --cpus-per-task=2\n#SBATCH --mem=2560M\n\
         #SBATCH --time=11\n#SBATCH --output=\"{folder}/uqbench-logs/task-%A_%a.log\"\n#SBATCH \
         --open-mode=append\n\
         #SBATCH --requeue\n#SBATCH --partition=long\nset -eu\ncd {folder}/.\n\
         export RAYON_NUM_THREADS=\"$SLURM_CPUS_PER_TASK\"\n"
    );
    let (head, call) = array.split_once("exec ").unwrap();
    assert_eq!(head.replace("/.\n", "\n"), expected.replace("/.\n", "\n"));
    let call = call.trim_end();
    assert!(
        call.ends_with(&format!(
            "run --plan {folder}/plan.json --store {folder}/store --jobs 2 --memory 1024 --offline"
        )),
        "{call}"
    );
    assert!(Path::new(call.split(' ').next().unwrap()).is_absolute(), "{call}");
    let wanted =
        format!("report mocks.toml --profile quick --store {folder}/store --out {folder}/out\n");
    assert!(report.ends_with(&wanted) && report.contains("#SBATCH --partition=long\n"), "{report}");
    assert!(!report.contains("--array"), "{report}");
    assert!(!dir.path("called").exists() && !dir.path("uqbench-logs").exists());
    let [other, _] = scripts(&dir, "--minutes 90");
    assert!(
        other.contains("#SBATCH --time=90\n") && other.contains("#SBATCH --array=1-3\n"),
        "{other}"
    );
}

#[test]
fn what_sbatch_refuses_is_told_in_one_error() {
    let dir = with_sbatch(
        "#!/bin/sh\necho 'sbatch: error: Invalid job array specification' >&2\nexit 1\n",
    );
    submit(&dir, "")
        .code(1)
        .says("sbatch refused the script")
        .says("Invalid job array specification")
        .says("--print");
    let dir = with_sbatch("#!/bin/sh\ncat > /dev/null\necho hello\n");
    submit(&dir, "").code(1).says("sbatch printed \"hello\", expected the number of a job");
    // The array is accepted, the report is not.
    let dir = with_sbatch("#!/bin/sh\ncat > /dev/null\n[ -z \"$2\" ] && echo 7 || exit 3\n");
    submit(&dir, "").code(1).says("array 7 was submitted").says("scancel 7").says("sbatch refused");
    let dir = with_sbatch("");
    fs::remove_file(dir.path("bin/sbatch")).unwrap();
    let words = "submit plan.json --slurm --store store";
    let ended = Ended::of(words, dir.command(words).env("PATH", dir.path("bin")).ended());
    ended.code(1).says("sbatch cannot be run").says("--print");
}

#[test]
fn names_with_blanks_are_quoted_and_options_on_several_lines_are_refused() {
    let dir = with_sbatch(RUNS);
    let mut command = dir.command("submit plan.json --slurm --print");
    let ended = Ended::of("submit --sbatch", command.arg("--sbatch=--x\nrm -rf /").ended());
    ended.code(2).says("expected one long option");
    let mut command = dir.command("submit plan.json --slurm --print --store");
    let ended = Ended::of("submit --store", command.arg("a store; it's one").ended()).code(0);
    let quoted = ended.out.lines().find(|line| line.starts_with("exec ")).unwrap();
    let words = shlex::split(quoted).unwrap();
    assert!(words.iter().any(|word| word.ends_with("/a store; it's one")), "{quoted}");
    submit(&dir, "--logs 100%").code(2).says("--logs");
}

/// A folder with a plan of two benchmarks, of which one runs a command, and with a program `sbatch`
/// that notes that it was called.
fn with_command() -> Dir {
    let dir = with_sbatch("#!/bin/sh\ncat >> scripts\necho 7\n");
    let method = "[[methods]]\nid = \"external\"\nparameters = { name = \"mean\", command = \
                  [\"sh\", \"mean.sh\"], files = [\"mean.sh\"] }\ncolumns = [{ heading = \"Mean\", \
                  labels = { mock = \"mean\" } }]\n";
    let other = super::mocks::benchmark(&super::mocks::answering(1, 0), 2)
        .replace("id = \"mocks\"", "id = \"own\"");
    dir.write(
        "own.toml",
        &other.replacen("[profiles.smoke]", &format!("{method}[profiles.smoke]"), 1),
    );
    dir.write(
        "mean.sh",
        "#!/bin/sh\necho '{\"contract\": 1, \"name\": \"mean\", \"arrays\": \"csv\"}'\n",
    );
    // The store learns what the method says of itself.
    dir.run("run own.toml --allow-external --splits 1");
    dir.run("plan mocks.toml own.toml --shards 2 --out plan.json --store store").code(0);
    dir
}

#[test]
fn a_plan_that_runs_a_command_is_refused_before_it_is_submitted() {
    let dir = with_command();
    submit(&dir, "").code(1);
    submit(&dir, "--print").code(1);
    assert!(!dir.path("scripts").exists(), "nothing is submitted");
    submit(&dir, "--allow-external").code(0);
    let scripts = fs::read_to_string(dir.path("scripts")).unwrap();
    let tasks: Vec<&str> = scripts.lines().filter(|line| line.contains(" run --plan ")).collect();
    assert!(tasks.len() == 1 && tasks[0].ends_with("--allow-external --offline"), "{scripts}");
    assert!(submit(&dir, "--allow-external --print").code(0).out.contains("--allow-external"));
}

#[test]
fn a_task_that_would_fail_is_not_submitted() {
    let dir = with_command();
    // Its program has gone since.
    dir.write("mean.sh", "#!/bin/sh\nexit 1\n");
    submit(&dir, "--allow-external").code(1);
    // A file stands where the store should be.
    dir.write(
        "mean.sh",
        "#!/bin/sh\necho '{\"contract\": 1, \"name\": \"mean\", \"arrays\": \"csv\"}'\n",
    );
    fs::remove_dir_all(dir.path("store")).unwrap();
    dir.write("store", "a file");
    submit(&dir, "--allow-external").code(1);
    assert!(!dir.path("scripts").exists());
}

#[test]
fn a_dry_shard_runs_nothing() {
    let dir = with_sbatch("");
    dir.run("run --plan plan.json --shard 1/3 --dry").code(0);
    assert!(dir.kept("store").is_empty());
    dir.run("run --plan plan.json --shard 4/3 --dry").code(2);
    dir.run("run mocks.toml --dry").code(2);
}
