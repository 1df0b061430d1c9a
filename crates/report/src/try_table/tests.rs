mod answer;
mod choice;
mod comparison;
mod kinds;
mod noiseless;
mod own_tables;

use super::log_score::Impossible;
use super::order::{Alike, alike};
use super::reason::{
    Advice, Covered, Lead, Offer, Promise, Reason, Tested, Theorem, TooFew, Warning,
};
use super::recommend::promised;
use super::*;
use crate::export::page_in_markdown;
use crate::words::try_table::{headline as headline_in_words, order as order_in_words};
use uq_core::metrics::{LogLikelihood, MetricId};
use uq_core::predictive::{Bounds, Side};
use uq_core::stats::coverage::{Coverage, Kept};
use uq_core::stats::order::Order;
use uqbench_data::own::{RowGroup, RowLabels};
use uqbench_run::runner::try_table::{
    Aborted, Cause, Division, FoldScores, Folding, LeftOut, TestedRow, Tried, Unfinished,
};

/// The page of a comparison of a table of this size.
fn page(
    title: &str,
    rows: usize,
    features: usize,
    warnings: &[String],
    evaluation: &Evaluation,
) -> Page {
    let target = "y";
    let subject = Subject { title, target, rows, features, warnings, notes: &[], next: &[] };
    super::page(&subject, evaluation)
}

/// The line of a page that says how rows were divided.
fn divided(page: &str) -> &str {
    page.lines().find(|line| line.contains(" features. ")).unwrap()
}

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
        impossible: 0,
        pit: None,
        rows: Vec::new(),
        settings: Vec::new(),
        seconds: if id == "dtb" { 0.25 } else { 0.001 },
    };
    let folds = Ok(crps.into_iter().enumerate().map(fold).collect());
    Tried { id: id.into(), settings: "as it is".into(), guaranteed: None, folds }
}

fn guarantee(least: f64) -> Option<Guarantee> {
    Some(Guarantee { least, theorem: "Someone 2021, Theorem 4".into() })
}

fn evaluation(methods: Vec<Tried>) -> Evaluation {
    let log_score = Some(MetricId::LogLikelihood(LogLikelihood));
    let division = Division::Rows;
    Evaluation {
        bounds: Bounds { level: 0.9, side: Side::Both },
        division,
        folding: Folding { folds: 5, repeats: 1 },
        log_score,
        smallest: -1.0,
        order: None,
        kinds: Vec::new(),
        stated: None,
        clusters: Vec::new(),
        inside: Vec::new(),
        left_out: Vec::new(),
        calibrated_by: None,
        slab: None,
        aborted: None,
        methods,
    }
}

fn in_markdown(title: &str, methods: Vec<Tried>) -> String {
    page_in_markdown(&page(title, 100, 2, &[], &evaluation(methods)))
}

/// Whether two numbers are equal but for rounding.
fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

/// Whether nothing is said of a procedure where this method is used, because it is not the
/// recommended one.
fn is_of_no_procedure(evaluation: &Evaluation, id: &str) -> bool {
    let is_of_procedure =
        |promise: &Promise| matches!(promise, Promise::Procedure(_) | Promise::Overstated(_));
    !promised(evaluation, id).iter().any(is_of_procedure)
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
        found
            .panels
            .iter()
            .map(|panel| (panel.title.as_str(), panel.pit.outcomes()))
            .collect::<Vec<_>>(),
        [("dtb", 100)]
    );
    assert!(found.notes.len() == 1 && found.notes[0].contains("tree"), "{:?}", found.notes);
    assert_eq!(figure("y", &evaluation(vec![tried("tree", 90, GOOD)])), None);
}

#[test]
fn the_page_is_a_table_a_recommendation_and_its_limits() {
    let mut wide = tried("dtb", 100, GOOD.map(|crps| crps + 0.5));
    wide.folds.as_mut().unwrap()[0].log_score = None;
    let methods =
        vec![tried("unconditional-gaussian", 90, ANCHOR), tried("linear-gaussian", 75, GOOD), wide];
    let text = in_markdown("strength of my|file.csv", methods);
    insta::assert_snapshot!(text, @r"
    # strength of my\|file.csv

    **Recommended: `dtb`.** Its 90 % intervals hold 100.0 % (95 % interval: 96.4 to 100.0 %) of 100 outcomes that its fits had not seen: more than 90 %, so that they are wider than necessary. No theorem guarantees that. Its CRPS is 25.0 % below that of `unconditional-gaussian`, which ignores the features.

    | Method                 | Coverage | Mean width | Interval score |          CRPS |
    | ---------------------- | -------: | ---------: | -------------: | ------------: |
    | dtb                    |    1.000 |      6.000 |          7.500 | 1.500 ± 0.079 |
    | unconditional-gaussian |    0.900 |      8.000 |          10.00 | 2.000 ± 0.079 |

    100 rows, 2 features. 5-fold cross-validation: each row is tested once, by models of the other folds' rows.

    ## Methods

    | Method                 | Coverage | 95 % interval  | Judged             | Guaranteed | Mean width | Interval score |          CRPS |  RMSE | Log-likelihood |
    | ---------------------- | -------: | -------------- | ------------------ | ---------: | ---------: | -------------: | ------------: | ----: | -------------: |
    | unconditional-gaussian |    0.900 | 0.824 to 0.951 | unclear (100 rows) |       none |      8.000 |          10.00 | 2.000 ± 0.079 | 4.002 |         -2.000 |
    | linear-gaussian        |    0.750 | 0.653 to 0.831 | too low            |       none |      4.000 |          5.000 | 1.000 ± 0.079 | 2.005 |         -1.000 |
    | dtb                    |    1.000 | 0.964 to 1.000 | too high           |       none |      6.000 |          7.500 | 1.500 ± 0.079 | 3.003 |              – |

    Coverage: the share of the test rows inside their central 90 % interval. It is near the level where its whole 95 % interval (Clopper & Pearson; each row counts once) lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Guaranteed: the least coverage by a theorem, for exchangeable rows. Interval score: the width, and 20 times the distance of a target outside. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. Log-likelihood in nat, higher is better.

    - `unconditional-gaussian`: as it is.
    - `linear-gaussian`: as it is.
    - `dtb`: as it is.

    ## Why dtb

    - Its 90 % intervals cover 100.0 % (95 % interval: 96.4 to 100.0 %) of the test rows: they are wider than necessary.
    - Its coverage is measured and not guaranteed: no theorem is known for this method. With the choice of the method repeated on other rows each time, the coverage is 100.0 % (95 % interval: 95.7 to 100.0 %).
    - It has the lowest CRPS, 1.500, and the lowest product of it and the interval score of the methods whose intervals do not cover too few rows.
    - Its CRPS is 25.0 % below that of `unconditional-gaussian`, which ignores the features.
    - Not `linear-gaussian`, though its CRPS is lower: its 90 % intervals cover only 75.0 % of the test rows.
    - Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.
    ");
}

/// The method of 300 rows, whose mean is the row's number and whose intervals are `width` wide, but
/// for the rows of which `covers` says no.
fn of_rows(id: &'static str, crps: f64, width: f64, covers: impl Fn(usize) -> bool) -> Tried {
    let row = |row: usize| {
        let mean = row as f64;
        let (lower, upper) = (mean - width / 2.0, mean + width / 2.0);
        // In an order that says nothing.
        let error = Some((row * 7919 % 300) as f64);
        TestedRow {
            row,
            outcome: mean,
            mean: Some(mean),
            lower,
            upper,
            width: Some(upper - lower),
            error,
            covered: covers(row),
        }
    };
    let mut tried = tried(id, 0, [crps; 5]);
    for (k, fold) in tried.folds.iter_mut().flatten().enumerate() {
        fold.rows = (0..300).filter(|i| i % 5 == k).map(row).collect();
        fold.test_rows = fold.rows.len();
        fold.covered = Some(fold.rows.iter().filter(|row| row.covered).count());
    }
    tried
}

#[test]
fn infinite_log_scores_are_explained_where_they_are_printed() {
    let mut methods = vec![tried("linear-gaussian", 90, GOOD), tried("quantile-forest", 90, GOOD)];
    assert!(!in_markdown("y of my.csv", methods.clone()).contains("-inf"));
    for (fold, rows) in methods[1].folds.iter_mut().flatten().zip([2, 1]) {
        (fold.log_score, fold.impossible) = (Some(f64::NEG_INFINITY), rows);
    }
    let text = in_markdown("y of my.csv", methods.clone());
    assert!(text.contains("-inf"), "{text}");
    let expected = Impossible { method: "quantile-forest".into(), rows: 3, tested: 100 };
    assert_eq!(impossible(&evaluation(methods.clone())), [expected]);
    methods[1].folds.as_mut().unwrap()[4].log_score = None;
    assert!(!in_markdown("y of my.csv", methods).contains("-inf"), "the mean is undefined");
}

#[test]
fn nothing_is_guaranteed_of_a_method_that_failed() {
    let folds = Err("too wide".into());
    let failed = Tried {
        id: "cv-plus".into(),
        settings: "as it is".into(),
        guaranteed: guarantee(0.9),
        folds,
    };
    let text = in_markdown("y of my.csv", vec![tried("linear-gaussian", 90, GOOD), failed]);
    let row = text.lines().find(|line| line.starts_with("| cv-plus")).unwrap();
    assert!(row.split('|').skip(2).all(|cell| ["–", ""].contains(&cell.trim())), "{row}");
}

#[test]
fn measured_seconds_are_told_beside_the_page() {
    let methods = vec![tried("linear-gaussian", 90, GOOD), tried("dtb", 90, GOOD)];
    assert_eq!(
        seconds(&evaluation(methods.clone())).as_deref(),
        Some("linear-gaussian 0.00, dtb 0.25")
    );
    let slower = |mut tried: Tried| {
        tried.folds.iter_mut().flatten().for_each(|fold| fold.seconds *= 7.0);
        tried
    };
    let of_slower = in_markdown("y", methods.iter().cloned().map(slower).collect());
    assert_eq!(of_slower, in_markdown("y", methods), "no time is on the page");
}

/// What is alike in neighbouring rows, the errors of the recommended method included.
fn alike_rows(evaluation: &Evaluation) -> Option<Alike> {
    let method = recommend(evaluation).method;
    let chosen = evaluation.methods.iter().find(|tried| Some(&*tried.id) == method.as_deref());
    alike(chosen, evaluation)
}

#[test]
fn rows_that_are_like_their_neighbours_are_warned_of_before_the_table() {
    let mut evaluation = evaluation(vec![of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0)]);
    let order = |ratio: f64| Order { ratio, p: 1e-9 };
    assert_eq!(alike_rows(&evaluation), None);
    evaluation.order = Some(order(1.2));
    assert_eq!(alike_rows(&evaluation), None, "targets may be sorted a little");
    evaluation.order = Some(order(0.63));
    assert_eq!(alike_rows(&evaluation), Some(Alike::TargetsSomewhat(order(0.63))), "as in a panel");
    evaluation.order = Some(order(0.1));
    let found = Alike::Targets(order(0.1), None);
    assert_eq!(alike_rows(&evaluation), Some(found));
    let text = page_in_markdown(&page("y of my.csv", 300, 2, &["other".into()], &evaluation));
    let (headline, _) = text.split_once("## Methods").unwrap();
    let warning = order_in_words::warning(found);
    assert!(headline.contains(&format!("- Warning: {warning}\n- Warning: other")), "{headline}");
    assert!(
        headline.contains("`--time COLUMN`") && headline.contains("`--group COLUMN`"),
        "{headline}"
    );
    for fold in evaluation.methods[0].folds.iter_mut().flatten() {
        fold.rows.iter_mut().for_each(|row| row.error = Some(row.row as f64));
    }
    // Errors 0, 1, 2, … of 300 rows.
    let of_errors = 12.0 / (300.0 * 301.0);
    let Some(Alike::Targets(targets, Some(errors))) = alike_rows(&evaluation) else {
        panic!("{:?}", alike_rows(&evaluation))
    };
    assert!(targets == order(0.1) && is_near(errors.ratio, of_errors), "{targets:?} {errors:?}");
    evaluation.order = Some(order(1.2));
    let Some(Alike::Errors(errors)) = alike_rows(&evaluation) else {
        panic!("{:?}", alike_rows(&evaluation))
    };
    assert!(is_near(errors.ratio, of_errors), "{errors:?}");
    evaluation.order = Some(order(0.1));
    evaluation.methods[0].folds.iter_mut().flatten().for_each(|fold| fold.covered = Some(10));
    assert_eq!(recommend(&evaluation).method, None);
    assert_eq!(alike_rows(&evaluation), Some(found), "also where none is recommended");
    evaluation.division = Division::Groups { groups: 30 };
    assert_eq!(alike_rows(&evaluation), None, "they are divided accordingly");
}

/// Five blocks of twenty rows after the first 200, of which the last is covered less often.
#[test]
fn a_series_has_its_coverage_by_block_in_time() {
    let mut methods = vec![of_rows("linear-gaussian", 1.0, 6.0, |_| true)];
    for (k, fold) in methods[0].folds.iter_mut().flatten().enumerate() {
        let start = 200 + 20 * k;
        let row = |row: usize| TestedRow {
            row,
            outcome: 3.0,
            mean: None,
            lower: 0.0,
            upper: 6.0,
            width: Some(6.0),
            error: None,
            covered: k < 4 || row.is_multiple_of(2),
        };
        fold.rows = (start..start + 20).map(row).collect();
        (fold.train_rows, fold.test_rows, fold.covered) =
            (start, 20, Some(if k < 4 { 20 } else { 10 }));
    }
    let cells = (0..300).map(|row| format!("day {row}")).collect();
    let evaluation = Evaluation {
        division: Division::Blocks { start: 200 },
        stated: Some(RowLabels { name: "day".into(), cells }),
        ..evaluation(methods)
    };
    let text = page_in_markdown(&page("y of my.csv", 300, 2, &[], &evaluation));
    let first = divided(&text);
    assert!(["\"day\"", "200"].iter().all(|part| first.contains(part)), "{first}");
    for part in [
        "| day 200 to day 219 |            200 |   20 |    1.000 | 0.776 to 1.000 | unclear \
         (20 rows) |",
        "| day 280 to day 299 |            280 |   20 |    0.500 | 0.218 to 0.782 | too low           \
         |",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let found = recommend(&evaluation);
    assert!(matches!(found.reasons[1], Reason::Promise(Theorem::Dependent, _)), "{found:?}");
    assert_eq!(found.reasons.last(), Some(&Reason::Limits(Division::Blocks { start: 200 })));
}

#[test]
fn a_comparison_that_was_stopped_says_so_first_and_names_what_is_missing() {
    let unfinished = |id: &str, finished| Unfinished { id: id.into(), finished, fits: 10 };
    let all = vec![unfinished("stack", 7), unfinished("ngboost", 0)];
    for cause in [Cause::User, Cause::Deadline] {
        let aborted = Aborted { cause, unfinished: all.clone() };
        let methods =
            vec![tried("unconditional-gaussian", 90, ANCHOR), tried("linear-gaussian", 90, GOOD)];
        let text = page_in_markdown(&page(
            "y of my.csv",
            100,
            2,
            &[],
            &Evaluation { aborted: Some(aborted.clone()), ..evaluation(methods) },
        ));
        let first = text.lines().nth(2).unwrap();
        assert_eq!(first, headline_in_words::stopped(&aborted).trim_end(), "{text}");
        assert!(first.contains("`stack`") && first.contains("`ngboost`"), "{first}");
        assert!(text.contains("**Recommended: `linear-gaussian`.**"), "{text}");
    }
    assert_eq!(headline::stopped(&evaluation(vec![tried("linear-gaussian", 90, GOOD)])), None);
}

#[test]
fn what_the_budget_has_left_out_is_on_the_page() {
    let left_out = |method: &str, seconds| LeftOut { method: method.into(), seconds };
    let mut evaluation = evaluation(vec![tried("linear-gaussian", 90, GOOD)]);
    let text =
        |evaluation: &Evaluation| page_in_markdown(&page("y of my.csv", 100, 2, &[], evaluation));
    assert!(!text(&evaluation).contains("--budget"));
    evaluation.left_out = vec![left_out("stack", 600.0), left_out("log-normal-ngboost", 0.4)];
    let text = text(&evaluation);
    for part in ["`stack`", "`log-normal-ngboost`", "`--budget`"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn groups_are_promised_new_groups() {
    let evaluation = Evaluation {
        division: Division::Groups { groups: 12 },
        stated: Some(RowLabels { name: "shop".into(), cells: Vec::new() }),
        ..evaluation(vec![tried("linear-gaussian", 90, GOOD)])
    };
    let text = page_in_markdown(&page("y of my.csv", 100, 2, &[], &evaluation));
    let first = divided(&text);
    assert!(first.contains("\"shop\"") && first.contains("12 groups"), "{first}");
    let found = recommend(&evaluation);
    assert!(matches!(found.reasons[1], Reason::Promise(Theorem::Dependent, _)), "{found:?}");
    assert_eq!(found.reasons.last(), Some(&Reason::Limits(Division::Groups { groups: 12 })));
    assert_eq!(blocks(&evaluation.methods[0], &evaluation), None);
}

/// 270 of 300 rows lie below their upper bound. The rule reads the loss of the bound in place of
/// the interval score.
#[test]
fn one_bound_has_words_columns_and_a_rule_of_its_own() {
    let mut evaluation = evaluation(vec![
        of_rows("unconditional-gaussian", 2.0, 2.0, |row| row % 10 > 0),
        of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0),
    ]);
    evaluation.smallest = 0.0;
    let tested = Tested { coverage: Coverage { covered: 270, rows: 300 }, kept: Kept::Unclear };
    for (side, name, quantile) in
        [(Side::Upper, "upper bounds", "0.9"), (Side::Lower, "lower bounds", "0.1")]
    {
        evaluation.bounds.side = side;
        let text = page_in_markdown(&page("y of my.csv", 300, 2, &[], &evaluation));
        for part in ["Mean distance", "Pinball loss |", name] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(!text.contains("Interval score") && !text.contains("Mean width"), "{text}");
        let found = recommend(&evaluation);
        assert_eq!(found.reasons[0], Reason::Tested(tested), "{side}");
        let is_below_zero = |warning: &Warning| matches!(warning, Warning::BelowZero { .. });
        assert_eq!(found.warnings.iter().any(is_below_zero), side == Side::Lower, "{found:?}");
        let names: Vec<String> =
            numbers(&evaluation).rows[..3].iter().map(|row| row[5].text.clone()).collect();
        let expected = [
            format!("bound-coverage(level=0.9,side={side})"),
            format!("bound-distance(level=0.9,side={side})"),
            format!("pinball(level={quantile})"),
        ];
        assert_eq!(names, expected);
    }
    let found = promised(&evaluation, "linear-gaussian");
    let [
        Promise::Tested(covered),
        Promise::Theorem(Theorem::Unknown),
        Promise::Procedure(Some(estimate)),
        Promise::Holds(Division::Rows),
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!((*covered, estimate.coverage), (tested, tested.coverage));
    assert_eq!(promises(&evaluation, "linear-gaussian").len(), found.len());
    // The procedure recommends the other method.
    assert!(is_of_no_procedure(&evaluation, "unconditional-gaussian"));
    assert!(promises(&evaluation, "dtb").is_empty());
}
