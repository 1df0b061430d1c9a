//! Check the shape of rendered tables, and that they depend on the store alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::command::{Dir, files};
use super::mocks;
use super::pages::stated_command;
use super::wording::{elements, paragraph, shape};

const TABLE_1: &str = "run dtb-table-1 --profile smoke --splits 2 --datasets california";

#[test]
fn a_page_has_this_shape() {
    let dir = Dir::new();
    dir.run(TABLE_1).code(0);
    let page = fs::read_to_string(dir.path("out/dtb-table-1.md")).unwrap();
    let kept =
        page.lines().filter(|line| line.starts_with(['#', '|']) || line.starts_with("Profile"));
    insta::assert_snapshot!(kept.map(shape).collect::<Vec<_>>().join("\n"), @r##"
    # DTB · Table #: Overall losses of ten regression trees, weighed by the game and uniformly
    Profile smoke; # of # trials; protocol inferred (see the notes).
    # Overall loss (mean squared error)
    | Dataset | Uniform, weak | DT, weak | Uniform, weak, T = U | DT, weak, T = U | Uniform, strong | DT, strong | Uniform, strong, T = U | DT, strong, T = U | Unconditional Gaussian | Unconditional quantiles | Linear Gaussian |
    | -- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
    | Housing | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# (#.#) | #.# ± #.# | #.# ± #.# | #.# ± #.# |
    # Notes on the protocol
    # Claims
    # Methods as run
    | Column | Variant | Datasets | Method | Settings |
    | -- | -- | -- | -- | -- |
    | Uniform, weak; DT, weak | | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = separate |
    | Uniform, weak, T = U; DT, weak, T = U | | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = shared |
    | Uniform, strong; DT, strong | | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = separate |
    | Uniform, strong, T = U; DT, strong, T = U | | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = shared |
    | Uniform, weak; DT, weak | T/U #/# (Example #) | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_fraction = #.#, uq_set = separate |
    | Uniform, strong; DT, strong | T/U #/# (Example #) | all | dtb | learners = [{"count":#,"id":"tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_fraction = #.#, uq_set = separate |
    | Uniform, weak; DT, weak | smartcore's trees | all | dtb | learners = [{"count":#,"id":"smartcore-tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = separate |
    | Uniform, strong; DT, strong | smartcore's trees | all | dtb | learners = [{"count":#,"id":"smartcore-tree","parameters":{"max_depth":#}}], subset_fraction = #.#, uq_set = separate |
    # Every number
    # More tables
    "##);
    let name = page
        .lines()
        .find_map(|line| line.strip_prefix("- [Verdicts](")?.split(')').next())
        .unwrap();
    let verdicts = fs::read_to_string(dir.path("out").join(name)).unwrap();
    // Two rows show both shapes: a number that was run, and one that was not.
    let of_others = |line: &&str| line.contains("Overall loss") && !line.contains(",\"DT, weak\",");
    let kept = verdicts
        .lines()
        .filter(|line| !of_others(line) && !line.starts_with("SC") && !line.starts_with("Bike"));
    insta::assert_snapshot!(kept.map(shape).collect::<Vec<_>>().join("\n"), @r##"
    Dataset,Column,Metric,Printed,Ours,n,h,δ,Shipped run,Run here,Verdict
    Housing,"DT, weak",Overall loss (mean squared error),#.#,#.# ± #.#,#,#.#,#.#,reproduced,# of #,too few repetitions
    Grid,"DT, weak",Overall loss (mean squared error),#.#,–,#,–,–,reproduced,shipped,not run (not part of this profile)
    "##);
}

#[test]
fn the_scorecard_has_these_columns() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 --profile smoke --datasets california").code(0);
    // Index and scorecard belong to all benchmarks together.
    assert!(!dir.path("out/scorecard.csv").exists());
    dir.run("report --profile smoke").code(3);
    let csv = fs::read_to_string(dir.path("out/scorecard.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "paper,artefact,claim,dataset,method,variant,metric,published,published_spread,spread_kind,n_published,\
         ours_mean,ours_sd,n,half_width,tolerance,verdict,protocol,alternatives,test_results_seen,profile,note"
    );
    let rows: Vec<&str> = lines.filter(|row| row.starts_with("dtb,Table 1,")).collect();
    assert_eq!(rows.len(), 4 * 8 + 1, "4 datasets of 8 printed numbers, and one claim");
    // A number that was run, one that was not, and a claim without its words.
    let number = |dataset: &str| {
        rows.iter().find(|row| row.contains(&format!(",,{dataset},\"dt, weak, separate\",")))
    };
    let claim = rows
        .iter()
        .find_map(|row| row.strip_suffix('"')?.split_once(",\"").map(|(fields, _)| fields));
    let kept = [*number("california").unwrap(), *number("grid").unwrap(), claim.unwrap()];
    insta::assert_snapshot!(kept.map(shape).join("\n"), @r##"
    dtb,Table #,,california,"dt, weak, separate",,mse,#.#,,none,#,#.#,#.#,#,#.#,#.#,too few repetitions,inferred,#,yes,smoke,
    dtb,Table #,,grid,"dt, weak, separate",,mse,#.#,,none,#,,,#,,,not run (not part of this profile),inferred,#,yes,smoke,
    dtb,Table #,overall-loss-lower-for-uniform,,,,mse,holds,,none,,,,#,,,undecided,inferred,#,yes,smoke
    "##);
}

#[test]
fn a_report_is_a_function_of_the_store() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run(
        "run dtb-figure-3 dtb-table-1 mocks.toml --profile smoke --splits 2 --datasets \
         california,motorcycle-94",
    )
    .code(0);
    let first = files(&dir.path("out"));
    let figures = |files: &BTreeMap<String, Vec<u8>>, ending: &str| {
        files
            .keys()
            .filter(|name| name.ends_with(ending))
            .map(|name| name.replace(ending, ""))
            .collect::<Vec<_>>()
    };
    assert!(!figures(&first, ".svg").is_empty() && figures(&first, ".png").is_empty());
    let words = "report dtb-table-1 --profile smoke --splits 2 --datasets california";
    dir.run(&format!("{words} --out drawn --png")).code(0);
    let drawn = files(&dir.path("drawn"));
    assert!(!figures(&drawn, ".png").is_empty());
    assert_eq!(figures(&drawn, ".svg"), figures(&drawn, ".png"), "each figure in both formats");
    let images = drawn.iter().filter(|(name, _)| name.ends_with(".png"));
    assert!(images.map(|(_, bytes)| bytes).all(|bytes| bytes.starts_with(b"\x89PNG")));
    for out in ["again", "and-again"] {
        let words = "report dtb-figure-3 dtb-table-1 mocks.toml --profile smoke --splits 2";
        dir.run(&format!("{words} --datasets california,motorcycle-94 --out {out}")).code(0);
        let again = files(&dir.path(out));
        assert!(again.keys().eq(first.keys()), "{:?}", again.keys());
        for (name, bytes) in &first {
            assert!(again[name] == *bytes, "{name} differs");
        }
    }
}

#[test]
fn a_larger_profile_reuses_the_trials_of_a_smaller_one() {
    let dir = Dir::new();
    let smoke = dir.run("run dtb-figure-3 --profile smoke").code(0);
    assert_eq!(smoke.counts(), [2, 2, 0, 2]);
    let quick = dir.run("run dtb-figure-3 --profile quick").code(0);
    assert_eq!(quick.counts()[2], 2, "{}", quick.last());
}

#[test]
fn two_benchmarks_share_their_trials() {
    let dir = Dir::new();
    let options = "--profile smoke --datasets california --splits 1";
    let one = dir.run(&format!("run dtb-table-1 {options}")).code(0);
    assert_eq!(one.counts(), [7, 7, 0, 7]);
    let other = dir.run(&format!("run dtb-table-2 {options}")).code(0);
    assert_eq!(other.counts(), [7, 7, 7, 0]);
}

#[test]
fn calibration_and_conditional_coverage_come_from_the_stored_rows() {
    let dir = Dir::new();
    let text = r#"
        id = "noise"
        paper = "none"
        artefact = "Figure 0"
        title = "Growing noise"
        protocol_source = "printed"
        protocol = "demonstration"
        anchors = true
        datasets = [{ key = "simulated:heteroscedastic-sine", heading = "Sine" }]
        methods = [{ id = "tree", columns = [{ heading = "Tree", labels = { method = "tree" } }] }]
        metrics = [
          { id = "coverage-by-region", heading = "By region" },
          { id = "coverage-by-noise(groups=4)", heading = "By noise" },
        ]
        [[figures]]
        kind = "calibration"
        file = "noise-calibration"
        title = "Calibration"
        panels = [
          { title = "A tree", labels = { method = "tree" } },
          { title = "One Gaussian", labels = { method = "unconditional-gaussian" } },
        ]
    "#;
    dir.write("noise.toml", &mocks::in_every_profile(text, 2));
    dir.run("run noise.toml").code(0);
    let csv = fs::read_to_string(dir.path("out/noise.csv")).unwrap();
    for metric in ["coverage-by-region(level=0.95)", "\"coverage-by-noise(level=0.95,groups=4)\""] {
        assert!(csv.contains(metric), "{metric}:\n{csv}");
    }
    let svg = fs::read_to_string(dir.path("out/noise-calibration.svg")).unwrap();
    assert!(svg.contains("A tree") && svg.contains("One Gaussian"));
    // Two repetitions of a thousand new rows each, all of them independent.
    assert_eq!(svg.matches("n = 2000, n* = 2000").count(), 2);
}

#[test]
fn a_mixture_is_drawn_and_a_claim_is_judged_on_its_own_dataset() {
    let dir = Dir::new();
    dir.run("run jcm-figure-1 --profile smoke").code(0);
    let svg = fs::read_to_string(dir.path("out/jcm-figure-1.svg")).unwrap();
    for text in ["Heteroscedastic: ", "Sparse: "] {
        assert_eq!(svg.matches(text).count(), 1, "{text}");
    }
    let is_truth = |text: &String| text.starts_with("truth") && text.contains('±');
    let truth: Vec<String> = elements(&svg, "text").into_iter().filter(is_truth).collect();
    assert_eq!(truth.len(), 1, "{truth:?}");
    insta::assert_snapshot!(truth[0], @"truth ± 2 sd of its noise");
    let csv = fs::read_to_string(dir.path("out/jcm-figure-1.csv")).unwrap();
    let metric = "\"variance-ratio(part=epistemic,low=-2,high=2)\"";
    let row = csv
        .lines()
        .find(|line| line.starts_with("simulated:jcm-sparse,") && line.contains(metric))
        .unwrap();
    let mean: f64 = row.split(metric).nth(1).unwrap().split(',').nth(2).unwrap().parse().unwrap();
    let page = fs::read_to_string(dir.path("out/jcm-figure-1.md")).unwrap();
    let shown = page.lines().find(|line| line.contains(&format!(" {mean:.3}, ")));
    let shown = shown.unwrap_or_else(|| panic!("{mean}: {page}"));
    assert!(shown.contains(" 1;"), "{shown}");
    insta::assert_snapshot!(shape(shown.trim()), @"- # repetition, and ten are needed: variance-ratio(part=epistemic,low=-#,high=#) #.#, expected at least #; the paper prints no numbers for it");
}

#[test]
fn every_number_leads_to_its_provenance_and_its_first_trial() {
    let dir = Dir::new();
    dir.run(TABLE_1).code(0);
    assert!(!dir.path("out/provenance.md").exists(), "it belongs to all benchmarks together");
    dir.run("report --profile smoke").code(3);
    assert!(
        fs::read_to_string(dir.path("out/index.md"))
            .unwrap()
            .contains("[provenance.md](provenance.md)")
    );
    let page = fs::read_to_string(dir.path("out/provenance.md")).unwrap();
    let table = |name: &str| fs::read_to_string(dir.path("out").join(name)).unwrap();
    let protocols = table("provenance-protocols.csv");
    for (heading, file) in
        [("Figure 2", "dtb-figure-2"), ("Table 1", "dtb-table-1"), ("Table 2", "dtb-table-2")]
    {
        let row =
            page.lines().find(|line| line.contains(&format!("[{heading}]({file}.md)"))).unwrap();
        assert!(row.contains("| inferred "), "{row}");
        assert!(
            protocols.contains(&format!("\ndtb,{heading},inferred,")),
            "{heading}: {protocols}"
        );
    }
    let tried = table("provenance-alternatives.csv");
    assert!(
        tried.contains("\ndtb,Table 1,") && tried.contains(",T/U 67/33 (Example 1),"),
        "{tried}"
    );

    let scorecard = fs::read_to_string(dir.path("out/scorecard.csv")).unwrap();
    let numbers = fs::read_to_string(dir.path("out/provenance.csv")).unwrap();
    let rows: Vec<&str> = numbers.lines().skip(1).collect();
    assert_eq!(rows.len(), scorecard.lines().count() - 1, "one row for each row of the scorecard");
    let trial = |part: &str| {
        let row = rows.iter().find(|row| row.contains(",Table 1,") && row.contains(part)).unwrap();
        row.rsplit(',').next().unwrap().to_owned()
    };
    let [number, claim] =
        [trial("\"dt, weak, separate\""), trial(",claim overall-loss-lower-for-uniform,")];
    for digits in [&number, &claim] {
        let folder = fs::read_dir(dir.path("store/trials").join(&digits[..2])).unwrap();
        let found = folder.filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(digits.as_str())
        });
        assert_eq!(found.count(), 1, "{digits} leads to one trial");
    }
    let of_grid =
        rows.iter().find(|row| row.contains(",Table 1,") && row.contains(",grid,")).unwrap();
    assert!(of_grid.ends_with('–'), "{of_grid}");
}

#[test]
fn a_mean_without_some_repetitions_is_marked() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 3));
    dir.run("run mocks.toml --splits 2").code(0);
    dir.run("report mocks.toml").code(3);
    let page = fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with("| Data ")).unwrap();
    assert_eq!(row.matches('†').count(), 2, "{row}");
    insta::assert_snapshot!(paragraph(&page, &[" 2 repetitions", "† 2 of 3 "]), @"Mean ± standard deviation over 2 repetitions; † 2 of 3 repetitions; the others were dropped.");
    dir.run("run mocks.toml").code(0);
    assert!(!fs::read_to_string(dir.path("out/mocks.md")).unwrap().contains('†'));

    let mut curve = mocks::benchmark(&mocks::answering(1, 0), 3);
    curve = curve.replace("labels = { mock = \"answer 0\" }", "labels = { mock = \"a\" }, x = 0.5");
    curve = curve.replace("id = \"mocks\"", "id = \"curve\"");
    dir.write("curve.toml", &curve);
    dir.run("run curve.toml --splits 2 --store other").code(0);
    dir.run("report curve.toml --store other").code(3);
    let page = fs::read_to_string(dir.path("out/curve.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with("| 0.5 ")).unwrap();
    assert!(row.contains('†') && page.contains("† 2 of 3 "), "{page}");
    assert!(page.contains("|   x | ") && page.contains(" mock a |"), "{page}");

    // A table has the name in the sweep of its metric, not that of another sweep.
    for (file, metric, x_label, title) in
        [("one", "crps", "Other", "Else"), ("two", "rmse", "Noise", "Mock")]
    {
        curve += &format!(
            "\n[[figures]]\nkind = \"sweep\"\nfile = \"{file}\"\ntitle = \"T\"\nx_label = \
             \"{x_label}\"\n\
             panels = [{{ metric = \"{metric}\", label = \"L\" }}]\nseries = [{{ title = \
             \"{title}\", labels = {{ mock = \"a\" }} }}]\n"
        );
    }
    dir.write("curve.toml", &curve);
    dir.run("report curve.toml --store other").code(3);
    let page = fs::read_to_string(dir.path("out/curve.md")).unwrap();
    assert!(page.contains("| Noise |"), "{page}");
    assert!(page.contains("Mock |") && !page.contains("mock a"), "{page}");
}

#[test]
fn the_command_of_a_trials_page_runs_that_trial_alone_with_the_same_bytes() {
    let dir = Dir::new();
    dir.run("run dtb-figure-3 --profile smoke").code(0);
    let all = dir.kept("store");
    let keys: BTreeSet<&str> = all.keys().map(|path| path.split('/').nth(1).unwrap()).collect();
    assert!(keys.len() > 1, "{keys:?}");
    let key = *keys.first().unwrap();
    let shown = dir.run(&format!("show {} --store store --out shown", &key[..12])).code(0).out;
    // The full profile plans it, too, and is named first.
    let command = stated_command(&shown).trim_start_matches("uqbench ");
    assert_eq!(
        command,
        format!("run dtb-figure-3 --profile full --trial {} --store again", &key[..16])
    );
    assert_eq!(dir.run(&format!("{command} --out unused")).code(0).counts(), [1, 1, 0, 1]);
    let again = dir.kept("again");
    assert!(
        !again.is_empty()
            && again.iter().all(|(path, bytes)| path.contains(key) && all[path] == *bytes)
    );
    assert!(!dir.path("unused").exists(), "no page is written");
    dir.run("run dtb-figure-3 --profile smoke --trial 0 --trial 1").code(2);
    dir.run("run dtb-figure-3 --profile smoke --trial xyz")
        .code(2)
        .says("0 trials")
        .says("`xyz`, expected one");
}

#[test]
fn a_citation_has_the_papers_methods_data_and_metrics_of_a_run() {
    let dir = Dir::new();
    let cited = dir.run("cite jcm-table-2 --profile full").code(0).out;
    // The paper, a method, a dataset and a metric.
    for words in ["Ji, Chunlin", "Gal, Y.", "boston", "Gneiting"] {
        assert!(cited.to_lowercase().contains(&words.to_lowercase()), "{words}: {cited}");
    }
    let entries = cited.lines().filter(|line| line.starts_with('@')).count();
    assert!(entries > 8, "{entries} entries");
    dir.run("cite no-such-benchmark").code(2);
}
