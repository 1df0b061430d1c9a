use super::*;
use crate::metrics::{LogLikelihood, MetricId};
use crate::report::export::page_in_markdown;
use crate::runner::try_table::{FoldScores, Tried};

/// A method of five folds of 20 test rows, with these covered rows in all and these CRPS.
fn tried(id: &'static str, covered: usize, crps: [f64; 5]) -> Tried {
    let fold = |(k, crps): (usize, f64)| FoldScores {
        train_rows: 80,
        test_rows: 20,
        covered: Some(covered / 5 + usize::from(k < covered % 5)),
        width: Some(4.0 * crps),
        crps: Some(crps),
        mse: Some(4.0 * crps * crps),
        log_score: Some(-crps),
        pit: None,
        seconds: if id == "dtb" { 0.25 } else { 0.001 },
    };
    Tried { id: id.into(), settings: "as it is", folds: Ok(crps.into_iter().enumerate().map(fold).collect()) }
}

fn evaluation(methods: Vec<Tried>) -> Evaluation {
    let log_score = Some(MetricId::LogLikelihood(LogLikelihood));
    Evaluation { level: 0.9, division: Division::Rows, log_score, methods }
}

fn in_markdown(title: &str, methods: Vec<Tried>) -> String {
    page_in_markdown(&page(title, 100, 2, &evaluation(methods)))
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
        "Its 90 % intervals cover 91.0 % of the test rows",
        "is the lowest of the methods whose intervals do not cover too few rows",
        "Its CRPS is 50.0 % below that of `unconditional-gaussian`",
        "Not `dtb`, though its CRPS is lower: its 90 % intervals cover only 40.0 %",
        "nothing was tuned",
    ] {
        assert!(found.text.contains(part), "{part} in\n{}", found.text);
    }
}

#[test]
fn the_simpler_of_two_within_noise_is_recommended() {
    // Differences 0.1, −0.05, 0.15, −0.1, 0.05: mean 0.03, s 0.1037, half width 2.776 × 0.1037 × √(1/5 + 1/4) = 0.193.
    let other = [0.9, 1.15, 0.75, 1.15, 0.9];
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 91, GOOD),
        tried("dtb", 89, other),
    ]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    assert!(found.text.contains("the difference, 0.03 ± 0.19, is within the noise"), "{}", found.text);
    let clearly = recommended(vec![tried("linear-gaussian", 91, GOOD), tried("dtb", 89, GOOD.map(|crps| crps - 0.2))]);
    assert_eq!(clearly.method.as_deref(), Some("dtb"));
}

#[test]
fn the_corrected_interval_is_that_of_nadeau_and_bengio() {
    // By hand: d = (1, 2, 3, 4, 5), s² = 2.5, test/train 1/4: 2.776445 × √((0.2 + 0.25) × 2.5) = 2.944865.
    let a = [3.0, 4.0, 5.0, 6.0, 7.0];
    let found = recommended(vec![tried("linear-gaussian", 90, a), tried("dtb", 90, [2.0; 5])]);
    // The mean difference, 3, is just beyond it.
    assert_eq!(found.method.as_deref(), Some("dtb"));
    let found = recommended(vec![tried("linear-gaussian", 90, a.map(|crps| crps - 0.06)), tried("dtb", 90, [2.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"), "2.94 is within it");
}

#[test]
fn features_without_information_are_reported() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 90, ANCHOR.map(|c| c + 0.1)),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert!(found.text.contains("the features carry no information that these methods can use"), "{}", found.text);
    let found = recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("dtb", 30, GOOD)]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert!(found.text.contains("The features do carry information, but"), "{}", found.text);
}

#[test]
fn nothing_is_recommended_where_all_intervals_cover_too_few_rows() {
    let failed = Tried { id: "dtb".into(), settings: "as it is", folds: Err("unsupported: too wide".into()) };
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

    | Method                 | Coverage | 95 % interval  | Judged    | Mean width |          CRPS |  RMSE | Log-likelihood | Seconds a fold |
    | ---------------------- | -------: | -------------- | --------- | ---------: | ------------: | ----: | -------------: | -------------: |
    | unconditional-gaussian |    0.900 | 0.824 to 0.951 | as stated |      8.000 | 2.000 ± 0.079 | 4.002 |         -2.000 |           0.00 |
    | linear-gaussian        |    0.750 | 0.653 to 0.831 | too low   |      4.000 | 1.000 ± 0.079 | 2.005 |         -1.000 |           0.00 |
    | dtb                    |    1.000 | 0.964 to 1.000 | too high  |      6.000 | 1.500 ± 0.079 | 3.003 |              – |           0.25 |

    Coverage: the share of all test rows inside their central 90 % interval, judged against 90 % by exact binomial tests (5 %, Holm over methods). CRPS (continuous ranked probability score): the error of the whole distribution in the target's unit, lower is better; ± standard deviation over folds. Log-likelihood in nat, higher is better.

    - `unconditional-gaussian`: as it is.
    - `linear-gaussian`: as it is.
    - `dtb`: as it is.

    **Recommended: `dtb`.**

    - Its 90 % intervals cover 100.0 % of the test rows (95 % interval: 96.4 to 100.0 %), not significantly less than stated; they are wider than necessary.
    - Its CRPS, 1.500, is the lowest of the methods whose intervals do not cover too few rows.
    - Its CRPS is 25.0 % below that of `unconditional-gaussian`, which ignores the features.
    - Not `linear-gaussian`, though its CRPS is lower: its 90 % intervals cover only 75.0 % of the test rows.
    - Limits: nothing was tuned, so another setting may do better. Coverage holds on average over new rows like these (exchangeable with them: no later times, other places or features out of range), not for each kind of row.
    ");
}
