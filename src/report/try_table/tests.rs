use super::*;
use crate::data::own::{RowGroup, RowLabels};
use crate::metrics::{LogLikelihood, MetricId};
use crate::predictive::{Bounds, Side};
use crate::report::export::page_in_markdown;
use crate::runner::try_table::{Aborted, Cause, Division, FoldScores, TestedRow, Tried, Unfinished};
use crate::stats::order::Order;

/// A method of five folds of 20 test rows, with these covered rows in all and these CRPS.
fn tried(id: &'static str, covered: usize, crps: [f64; 5]) -> Tried {
    let fold = |(k, crps): (usize, f64)| FoldScores {
        train_rows: 80,
        test_rows: 20,
        covered: Some(covered / 5 + usize::from(k < covered % 5)),
        width: Some(4.0 * crps),
        interval_score: Some(5.0 * crps),
        crps: Some(crps),
        mse: Some(4.0 * crps * crps),
        log_score: Some(-crps),
        pit: None,
        rows: Vec::new(),
        settings: Vec::new(),
        seconds: if id == "dtb" { 0.25 } else { 0.001 },
    };
    let folds = Ok(crps.into_iter().enumerate().map(fold).collect());
    Tried { id: id.into(), settings: "as it is".into(), guaranteed: None, folds }
}

fn evaluation(methods: Vec<Tried>) -> Evaluation {
    let log_score = Some(MetricId::LogLikelihood(LogLikelihood));
    let division = Division::Rows;
    Evaluation {
        bounds: Bounds { level: 0.9, side: Side::Both },
        division,
        repeats: 1,
        log_score,
        smallest: -1.0,
        order: None,
        categories: Vec::new(),
        stated: None,
        aborted: None,
        methods,
    }
}

fn in_markdown(title: &str, methods: Vec<Tried>) -> String {
    page_in_markdown(&page(title, 100, 2, &[], &evaluation(methods)))
}

const ANCHOR: [f64; 5] = [2.0, 2.1, 1.9, 2.05, 1.95];
const GOOD: [f64; 5] = [1.0, 1.1, 0.9, 1.05, 0.95];

#[test]
fn every_method_with_a_distribution_function_is_drawn() {
    let mut drawn = tried("dtb", 90, GOOD);
    drawn.folds.iter_mut().flatten().for_each(|fold| fold.pit = Some(vec![(0.25, 0.5); 20]));
    let found = figure("y of my.csv", &evaluation(vec![tried("tree", 90, GOOD), drawn]));
    let Some(found) = found else { panic!("no figure") };
    assert_eq!(
        found.panels.iter().map(|panel| (panel.title.as_str(), panel.pit.outcomes())).collect::<Vec<_>>(),
        [("dtb", 100)]
    );
    assert!(found.notes[0].ends_with("no distribution function: tree."), "{:?}", found.notes);
    assert_eq!(figure("y", &evaluation(vec![tried("tree", 90, GOOD)])), None);
}

fn recommended(methods: Vec<Tried>) -> Recommendation {
    recommend(&evaluation(methods))
}

#[test]
fn the_lowest_crps_among_methods_with_enough_coverage_is_recommended() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 91, GOOD),
        tried("dtb", 40, GOOD.map(|crps| crps - 0.2)),
    ]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    for part in [
        "Its 90 % intervals cover 91.0 % (95 % interval: 83.6 to 95.8 %) of the test rows: as stated.",
        "It has the lowest CRPS, 1.000, and the lowest product of it and the interval score of the methods whose intervals do not cover",
        "Its CRPS is 50.0 % below that of `unconditional-gaussian`",
        "Not `dtb`, though its CRPS is lower: its 90 % intervals cover only 40.0 %",
        "nothing was tuned",
    ] {
        assert!(found.text.contains(part), "{part} in\n{}", found.text);
    }
}

/// Differences a − 1.02 × 10 by hand: mean −0.15, s² = 0.0125, scale² = (1/5 + 1/4) s², t = −2 with four degrees of freedom,
/// whose distribution function is 0.058 there. A tenth more: t = −2/3, 0.271.
#[test]
fn the_simpler_of_two_is_recommended_where_it_is_as_good_with_enough_probability() {
    let a = [9.9, 10.1, 10.0, 10.2, 10.05];
    let found = recommended(vec![tried("linear-gaussian", 90, a), tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    for part in [
        "`dtb` has the lowest product of CRPS and interval score (CRPS 10.00 against 10.05)",
        "most probably (0.94) at most 2 % higher",
    ] {
        assert!(found.text.contains(part), "{part} in {}", found.text);
    }
    let found = recommended(vec![tried("linear-gaussian", 90, a.map(|crps| crps + 0.1)), tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("dtb"), "0.73 is too little");
    // The interval score decides, too.
    let mut wide = tried("linear-gaussian", 90, a);
    wide.folds.iter_mut().flatten().for_each(|fold| fold.interval_score = Some(55.0));
    let found = recommended(vec![wide, tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
}

/// 1.02 × 4 is less than 1.00 × 6, and the first method is not at most 2 % worse by the second's CRPS alone.
#[test]
fn a_lower_interval_score_outweighs_a_little_crps() {
    let with = |id: &'static str, crps: f64, score: f64| {
        let mut tried = tried(id, 90, [crps; 5]);
        tried.folds.iter_mut().flatten().for_each(|fold| fold.interval_score = Some(score));
        tried
    };
    let found = recommended(vec![with("linear-gaussian", 1.0, 6.0), with("dtb", 1.02, 4.0)]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
    let part = "It has the lowest product of CRPS (1.020) and interval score of the methods";
    assert!(found.text.contains(part), "{}", found.text);
}

#[test]
fn what_ignores_the_features_is_recommended_only_where_nothing_has_a_lower_crps() {
    let lower = ANCHOR.map(|crps| crps - 0.001);
    let found = recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("linear-gaussian", 90, lower)]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
}

/// Each fold is predicted by the method that the four others recommend: without fold 0 that is `dtb`, which covers 10 of its 20
/// rows, without another one it is `linear-gaussian`, which covers 18 of 20.
#[test]
fn the_estimate_is_of_rows_that_have_chosen_nothing() {
    let mut other = tried("dtb", 90, [9.0, 0.9, 0.9, 0.9, 0.9]);
    other.folds.as_mut().unwrap()[0].covered = Some(10);
    other.folds.as_mut().unwrap()[1].covered = Some(20);
    let mut linear = tried("linear-gaussian", 90, [1.0; 5]);
    linear.guaranteed = Some(0.8);
    let found = recommended(vec![linear, other]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    assert!(found.text.contains("Guaranteed coverage: at least 80.0 % by a theorem"), "{}", found.text);
    // 10 + 4 × 18 of 100.
    assert!(found.text.contains("the other folds recommend: 82.0 % (95 % interval"), "{}", found.text);
}

#[test]
fn features_without_information_are_reported() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 90, ANCHOR.map(|c| c + 0.1)),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert!(found.text.contains("the features carry no information that these methods can use"), "{}", found.text);
}

#[test]
fn what_ignores_the_features_is_not_recommended_where_a_method_that_covers_too_few_rows_beats_it() {
    let found = recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("dtb", 30, GOOD)]);
    assert_eq!(found.method, None);
    for part in [
        "of every method that uses the features cover too few rows",
        "`dtb` has the lowest CRPS of them, but its intervals cover only 30.0 %; `--methods calibrated-dtb` tries it",
    ] {
        assert!(found.text.contains(part), "{part} in {}", found.text);
    }
}

#[test]
fn nothing_is_recommended_where_all_intervals_cover_too_few_rows() {
    let folds = Err("unsupported: too wide".into());
    let failed = Tried { id: "dtb".into(), settings: "as it is".into(), guaranteed: None, folds };
    let found = recommended(vec![tried("linear-gaussian", 60, GOOD), failed.clone()]);
    assert_eq!(found.method, None);
    assert!(found.text.starts_with("**Recommended: none.**"), "{}", found.text);
    let text = in_markdown("y of my.csv", vec![tried("linear-gaussian", 60, GOOD), failed]);
    assert!(text.contains("- `dtb`: as it is. Failed: unsupported: too wide"), "{text}");
}

#[test]
fn the_page_is_a_table_a_recommendation_and_its_limits() {
    let mut wide = tried("dtb", 100, GOOD.map(|crps| crps + 0.5));
    wide.folds.as_mut().unwrap()[0].log_score = None;
    let methods = vec![tried("unconditional-gaussian", 90, ANCHOR), tried("linear-gaussian", 75, GOOD), wide];
    let text = in_markdown("strength of my|file.csv", methods);
    insta::assert_snapshot!(text, @r"
    # strength of my\|file.csv

    100 rows, 2 features. 5-fold cross-validation: each row is tested once, by models of the other folds' rows.

    ## Methods

    | Method                 | Coverage | 95 % interval  | Judged    | Guaranteed | Mean width | Interval score |          CRPS |  RMSE | Log-likelihood | Seconds a fold |
    | ---------------------- | -------: | -------------- | --------- | ---------: | ---------: | -------------: | ------------: | ----: | -------------: | -------------: |
    | unconditional-gaussian |    0.900 | 0.824 to 0.951 | as stated |       none |      8.000 |          10.00 | 2.000 ± 0.079 | 4.002 |         -2.000 |           0.00 |
    | linear-gaussian        |    0.750 | 0.653 to 0.831 | too low   |       none |      4.000 |          5.000 | 1.000 ± 0.079 | 2.005 |         -1.000 |           0.00 |
    | dtb                    |    1.000 | 0.964 to 1.000 | too high  |       none |      6.000 |          7.500 | 1.500 ± 0.079 | 3.003 |              – |           0.25 |

    Coverage: the share of the test rows inside their central 90 % interval. It is as stated within 2 points of 90 %, too low or too high where its 95 % interval (Clopper & Pearson; each row counts once) lies outside that band; else there are too few rows to tell. Guaranteed: the least coverage by a theorem, for exchangeable rows. Interval score: the width, and 20 times the distance of a target outside. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. Log-likelihood in nat, higher is better.

    - `unconditional-gaussian`: as it is.
    - `linear-gaussian`: as it is.
    - `dtb`: as it is.

    **Recommended: `dtb`.**

    - Its 90 % intervals cover 100.0 % (95 % interval: 96.4 to 100.0 %) of the test rows: they are wider than necessary.
    - Guaranteed coverage: none, because no theorem is known for this method. Estimated on rows that have chosen nothing, each fold predicted by the method that the other folds recommend: 100.0 % (95 % interval: 96.4 to 100.0 %).
    - It has the lowest CRPS, 1.500, and the lowest product of it and the interval score of the methods whose intervals do not cover too few rows.
    - Its CRPS is 25.0 % below that of `unconditional-gaussian`, which ignores the features.
    - Not `linear-gaussian`, though its CRPS is lower: its 90 % intervals cover only 75.0 % of the test rows.
    - Limits: nothing was tuned, so another setting may do better. Coverage holds on average over new rows like these (exchangeable with them: no later times, other places or features out of range), not for each kind of row.
    ");
}

/// The method of 300 rows, whose mean is the row's number and whose intervals are `width` wide, but for the rows of which `covers`
/// says no.
fn of_rows(id: &'static str, crps: f64, width: f64, covers: impl Fn(usize) -> bool) -> Tried {
    let row = |row: usize| {
        let mean = row as f64;
        let (lower, upper) = (mean - width / 2.0, mean + width / 2.0);
        // In an order that says nothing.
        let error = Some((row * 7919 % 300) as f64);
        TestedRow { row, mean: Some(mean), lower, upper, width: Some(upper - lower), error, covered: covers(row) }
    };
    let mut tried = tried(id, 0, [crps; 5]);
    for (k, fold) in tried.folds.iter_mut().flatten().enumerate() {
        fold.rows = (0..300).filter(|i| i % 5 == k).map(row).collect();
        fold.test_rows = fold.rows.len();
        fold.covered = Some(fold.rows.iter().filter(|row| row.covered).count());
    }
    tried
}

/// Every interval is equally wide, so that there are no kinds by width. 30 of 300 rows are not covered, all of the largest means.
#[test]
fn kinds_of_rows_that_are_covered_too_rarely_are_named_with_a_method_that_mends_it() {
    let uneven = of_rows("linear-gaussian", 1.0, 2.0, |row| row < 270);
    let even = of_rows("dtb", 1.5, 3.0, |row| row % 10 != 1);
    let mut evaluation = evaluation(vec![uneven, even]);
    evaluation.categories = vec![
        RowGroup { name: "colour=red".into(), rows: (0..300).step_by(2).collect() },
        RowGroup { name: "colour=blue".into(), rows: (0..19).collect() },
    ];
    let page = page("y of my.csv", 300, 2, &["column x is [y](copied).".into()], &evaluation);
    let text = page_in_markdown(&page);
    for part in [
        "some kinds: largest third of the predicted means (70.0 % of 100 rows). `dtb` covers enough rows of every kind; its CRPS is 1.50",
        "| largest third of the predicted means  |  100 |    0.700 |",
        "| colour=red ",
        "- Warning: column x is ",
        "too low",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("colour=blue") && !text.contains("interval widths"), "{text}");
}

#[test]
fn intervals_below_zero_are_warned_of_where_no_target_is() {
    let mut evaluation = evaluation(vec![of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0)]);
    assert!(!recommend(&evaluation).text.contains("reach below zero"));
    evaluation.smallest = 0.0;
    // Rows 0, 1 and 2 of 300.
    assert!(recommend(&evaluation).text.contains("1.0 % of its intervals reach below zero"));
}

#[test]
fn all_numbers_are_listed_by_fold() {
    let grid = numbers(&evaluation(vec![tried("dtb", 91, GOOD)]));
    assert_eq!(grid.rows.len(), 5 * 6);
    assert_eq!(grid.rows[0], ["dtb", "1", "1", "80", "20", "picp(level=0.9)", "0.95"]);
    assert_eq!(grid.rows[29], ["dtb", "1", "5", "80", "20", "log-likelihood", "-0.95"]);
}

#[test]
fn rows_that_are_like_their_neighbours_are_warned_of_before_the_table() {
    let mut evaluation = evaluation(vec![of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0)]);
    let headline = |evaluation: &Evaluation| {
        let page = page_in_markdown(&page("y of my.csv", 300, 2, &["other".into()], evaluation));
        page.split_once("## Methods").unwrap().0.to_owned()
    };
    assert!(!headline(&evaluation).contains("von Neumann"));
    evaluation.order = Some(Order { ratio: 1.2, p: 1e-9 });
    assert!(!headline(&evaluation).contains("von Neumann"), "targets may be sorted a little");
    evaluation.order = Some(Order { ratio: 0.1, p: 1e-9 });
    let found = headline(&evaluation);
    assert!(found.contains("- Warning: the targets of neighbouring rows are much alike"), "{found}");
    assert!(found.contains("`--time COLUMN`") && found.contains("`--group COLUMN`"), "{found}");
    for fold in evaluation.methods[0].folds.iter_mut().flatten() {
        fold.rows.iter_mut().for_each(|row| row.error = Some(row.row as f64));
    }
    assert!(headline(&evaluation).contains("errors of the recommended method at neighbouring rows are alike"));
    evaluation.methods[0].folds.iter_mut().flatten().for_each(|fold| fold.covered = Some(10));
    assert!(headline(&evaluation).contains("the targets of neighbouring rows"), "also where none is recommended");
    evaluation.division = Division::Groups { groups: 30 };
    assert!(!headline(&evaluation).contains("von Neumann"), "they are divided accordingly");
}

/// Five blocks of twenty rows after the first 200, of which the last is covered less often.
#[test]
fn a_series_has_its_coverage_by_block_in_time() {
    let mut methods = vec![of_rows("linear-gaussian", 1.0, 6.0, |_| true)];
    for (k, fold) in methods[0].folds.iter_mut().flatten().enumerate() {
        let start = 200 + 20 * k;
        let row = |row: usize| TestedRow {
            row,
            mean: None,
            lower: 0.0,
            upper: 6.0,
            width: Some(6.0),
            error: None,
            covered: k < 4 || row.is_multiple_of(2),
        };
        fold.rows = (start..start + 20).map(row).collect();
        (fold.train_rows, fold.test_rows, fold.covered) = (start, 20, Some(if k < 4 { 20 } else { 10 }));
    }
    let cells = (0..300).map(|row| format!("day {row}")).collect();
    let evaluation = Evaluation {
        division: Division::Blocks { start: 200 },
        stated: Some(RowLabels { name: "day".into(), cells }),
        ..evaluation(methods)
    };
    let text = page_in_markdown(&page("y of my.csv", 300, 2, &[], &evaluation));
    for part in [
        "in the order of the column \"day\": the rows after the first 200 are 5 blocks in time",
        "folds of random rows would promise more",
        "## Coverage of linear-gaussian by block in time",
        "| day 200 to day 219 |            200 |   20 |    1.000 | 0.832 to 1.000 | as stated |",
        "| day 280 to day 299 |            280 |   20 |    0.500 | 0.272 to 0.728 | too low   |",
        "none, because the theorems are about exchangeable rows",
        "near in time are alike",
        "over later rows",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_comparison_that_was_stopped_says_so_first_and_names_what_is_missing() {
    let unfinished = |id: &str, finished| Unfinished { id: id.into(), finished, fits: 10 };
    let all = vec![unfinished("stack", 7), unfinished("ngboost", 0)];
    for (cause, by) in [(Cause::User, "stopped by its user"), (Cause::Deadline, "stopped at its deadline")] {
        let aborted = Some(Aborted { cause, unfinished: all.clone() });
        let methods = vec![tried("unconditional-gaussian", 90, ANCHOR), tried("linear-gaussian", 90, GOOD)];
        let text = page_in_markdown(&page("y of my.csv", 100, 2, &[], &Evaluation { aborted, ..evaluation(methods) }));
        let first = text.lines().nth(2).unwrap();
        assert!(first.starts_with(&format!("**This comparison was {by} before its end.**")), "{text}");
        assert!(first.ends_with("not compared: `stack` (7 of 10 fits), `ngboost` (0 of 10 fits)."), "{text}");
        assert!(text.contains("**Recommended: `linear-gaussian`.**"), "{text}");
    }
    assert!(!in_markdown("y", vec![tried("linear-gaussian", 90, GOOD)]).contains("stopped"));
}

#[test]
fn groups_are_promised_new_groups() {
    let evaluation = Evaluation {
        division: Division::Groups { groups: 12 },
        stated: Some(RowLabels { name: "shop".into(), cells: Vec::new() }),
        ..evaluation(vec![tried("linear-gaussian", 90, GOOD)])
    };
    let text = page_in_markdown(&page("y of my.csv", 100, 2, &[], &evaluation));
    for part in
        ["by the 12 groups of the column \"shop\"", "for rows of new groups", "over rows of new groups like these"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("by block in time"));
}

/// 270 of 300 rows lie below their upper bound. The rule reads the loss of the bound in place of the interval score.
#[test]
fn one_bound_has_words_columns_and_a_rule_of_its_own() {
    let mut evaluation = evaluation(vec![
        of_rows("unconditional-gaussian", 2.0, 2.0, |row| row % 10 > 0),
        of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0),
    ]);
    evaluation.smallest = 0.0;
    for (side, name, quantile) in [(Side::Upper, "upper bounds", "0.9"), (Side::Lower, "lower bounds", "0.1")] {
        evaluation.bounds.side = side;
        let text = page_in_markdown(&page("y of my.csv", 300, 2, &[], &evaluation));
        for part in [
            format!("Its 90 % {name} cover 90.0 % (95 % interval: 86.0 to 93.2 %) of the test rows: as stated."),
            "Mean distance".into(),
            "Pinball loss |".into(),
            format!("the predicted quantile {quantile}."),
            format!("Pinball loss: {quantile} times the distance of a target above its bound"),
            format!("of the methods whose {name} do not cover too few rows"),
        ] {
            assert!(text.contains(&part), "{part} in\n{text}");
        }
        assert!(!text.contains("nterval score:") && !text.contains("Mean width"), "{text}");
        assert_eq!(text.contains("of its lower bounds reach below zero"), side == Side::Lower, "{text}");
        let names: Vec<String> = numbers(&evaluation).rows[..3].iter().map(|row| row[5].clone()).collect();
        let expected = [
            format!("bound-coverage(level=0.9,side={side})"),
            format!("bound-distance(level=0.9,side={side})"),
            format!("pinball(level={quantile})"),
        ];
        assert_eq!(names, expected);
    }
    let promised = promises(&evaluation, "linear-gaussian").join(" ");
    for part in
        ["Its 90 % lower bounds cover 90.0 %", "Guaranteed coverage: none", "Estimated on rows", "Coverage holds on"]
    {
        assert!(promised.contains(part), "{part} in {promised}");
    }
    // The estimate is of the recommended method alone.
    assert!(!promises(&evaluation, "unconditional-gaussian").join(" ").contains("Estimated"));
    assert!(promises(&evaluation, "dtb").is_empty());
}
