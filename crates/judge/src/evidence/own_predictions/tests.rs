//! Closed forms of scores and intervals, and an error for each wrong file.

use std::f64::consts::PI;
use std::fmt::Write;

mod identities;
mod strangers;

use super::*;
use uq_core::metrics::MetricId;
use uq_core::predictive::Exactness;
use uq_core::stats::Summary;
use uq_core::stats::corrected::Corrected;
use uqbench_data::own::{Cells, OwnError};

fn file(
    name: &str,
    text: &str,
    form: Option<OwnForm>,
    level: Option<f64>,
) -> Result<OwnFile, OwnError> {
    OwnFile::new(&Cells::parse(&format!("{name}.csv"), text.as_bytes())?, name, "y", form, level)
}

fn read(text: &str) -> OwnPredictions {
    OwnPredictions::new(&[file("p", text, None, Some(0.8)).unwrap()]).unwrap()
}

/// The score of the first method.
fn scored(evaluation: &Evaluation, metric: &str) -> Scored {
    let metric: MetricId = metric.parse().unwrap();
    let place = evaluation.metrics.iter().position(|known| *known == metric);
    evaluation.methods[0].scores[place.unwrap_or_else(|| panic!("{metric} is undefined"))].clone()
}

fn close(found: Option<f64>, expected: f64) {
    assert!(
        found.is_some_and(|found| (found - expected).abs() < 1e-12),
        "{found:?} against {expected}"
    );
}

#[test]
fn normal_distributions_have_the_scores_of_closed_forms() {
    // Every outcome is its mean. The means are irrational, so that the target counts as continuous.
    let mut text = "y,mean,sd\n".to_owned();
    (0..40).for_each(|i| writeln!(text, "{0},{0},2", f64::from(i).sqrt()).unwrap());
    let evaluation = Evaluation::of(&read(&text), 0.8, None);
    close(scored(&evaluation, "crps").score, 2.0 * (2.0_f64.sqrt() - 1.0) / PI.sqrt());
    close(scored(&evaluation, "log-likelihood").score, -(2.0 * (2.0 * PI).sqrt()).ln());
    close(scored(&evaluation, "rmse").score, 0.0);
    close(scored(&evaluation, "picp(level=0.8)").score, 1.0);
    // 1.281 551 565 544 6 is the normal quantile of 0.9.
    let width = 4.0 * 1.281_551_565_544_6;
    assert!((scored(&evaluation, "mpiw(level=0.8)").score.unwrap() - width).abs() < 1e-10);
    assert!(
        scored(&evaluation, "crps").half_width.unwrap() < 1e-12,
        "all rows have the same score"
    );
    assert_eq!(scored(&evaluation, "crps").exactness, Exactness::Exact);
}

#[test]
fn the_interval_of_a_mean_over_few_rows_is_students() {
    let errors = [0.5, -1.0, 4.0, 2.5, 0.1];
    let mut text = "y,mean,sd\n".to_owned();
    errors.iter().for_each(|error| writeln!(text, "{error},0,1").unwrap());
    let found = scored(&Evaluation::of(&read(&text), 0.8, None), "mae");
    let expected = Summary::from_values(&errors.map(f64::abs)).unwrap();
    close(found.score, expected.mean);
    assert!((found.half_width.unwrap() - expected.half_width(0.05).unwrap()).abs() < 1e-9);
    assert_eq!(
        scored(&Evaluation::of(&read(&text), 0.8, None), "max-fold-mse(folds=100)").half_width,
        None
    );
}

#[test]
fn test_sets_are_averaged_and_their_overlap_widens_the_interval() {
    let mut text = "split,y,mean,sd\n".to_owned();
    // Mean absolute errors 1.5, 3.5 and 5.5.
    (1..=6).for_each(|i| writeln!(text, "fold {},{i},0,1", (i - 1) / 2).unwrap());
    let predictions = read(&text);
    assert_eq!(
        predictions.splits.iter().map(|split| split.name.as_str()).collect::<Vec<_>>(),
        ["fold 0", "fold 1", "fold 2"]
    );
    let evaluation = Evaluation::of(&predictions, 0.8, None);
    let found = scored(&evaluation, "mae");
    assert_eq!((found.score, found.repetitions), (Some(3.5), vec![1.5, 3.5, 5.5]));
    // Three folds: one test row for two training rows.
    let expected = Corrected::compare(&[1.5, 3.5, 5.5], 0.5).unwrap().half_width(0.05);
    close(found.half_width, expected);
    let many =
        scored(&Evaluation::of(&predictions, 0.8, Some(1_000_000)), "mae").half_width.unwrap();
    let plain = Summary::from_values(&[1.5, 3.5, 5.5]).unwrap().half_width(0.05).unwrap();
    assert!((many / plain - 1.0).abs() < 1e-5, "many training rows overlap little");
}

#[test]
fn intervals_have_the_scores_of_intervals_alone() {
    let predictions = read("lower,upper,y,mean\n0,1,0.51,0.2\n0,2,3,1\n-1,1,-0.03,0\n");
    let evaluation = Evaluation::of(&predictions, 0.8, None);
    // Widths 1, 2 and 2; the second outcome is 1 above its interval, times 2/0.2.
    close(scored(&evaluation, "interval-score(level=0.8)").score, 15.0 / 3.0);
    close(scored(&evaluation, "picp(level=0.8)").score, 2.0 / 3.0);
    close(scored(&evaluation, "mae").score, (0.31 + 2.0 + 0.03) / 3.0);
    assert_eq!(scored(&evaluation, "mae").exactness, Exactness::Exact);
    for name in ["crps", "sharpness", "pit-calibration", "mean-variance"] {
        assert_eq!(evaluation.position(name), None, "{name}");
    }
    assert!(evaluation.undefined.iter().any(|metric| metric.name() == "crps"));
    let without = Evaluation::of(&read("lower,upper,y\n0,1,0.51\n0,2,3\n"), 0.8, None);
    assert_eq!(
        (without.position("mae"), without.position("rmse")),
        (None, None),
        "no column `mean`"
    );
}

#[test]
fn quantiles_and_draws_are_read_in_any_order_of_columns() {
    let quantiles = read("q0.9,y,q0.1,q0.5\n3,0.3,1,2\n4,5,0,0\n");
    assert_eq!(default_level(&quantiles), 0.8, "the widest central interval");
    let evaluation = Evaluation::of(&quantiles, 0.8, None);
    // 0.1 · (2 − 0.3) … of the median: 0.5 · |0.3 − 2| and 0.5 · |5 − 0|.
    close(scored(&evaluation, "pinball(level=0.5)").score, 0.5 * (1.7 + 5.0) / 2.0);
    close(scored(&evaluation, "picp(level=0.8)").score, 0.0);
    assert!(matches!(scored(&evaluation, "crps").exactness, Exactness::Approximate(_)));
    assert_eq!(evaluation.position("pit-calibration"), None);
    let draws = read("s2,s1,y\n1,3,2\n");
    let evaluation = Evaluation::of(&draws, 0.8, None);
    // The fair CRPS of two draws at distance 1 on either side: 1 − 2 · 2/(2 · 2 · 1).
    close(scored(&evaluation, "crps").score, 0.0);
    assert_eq!(default_level(&draws), 0.9);
}

#[test]
fn rounded_and_discrete_outcomes_have_no_density() {
    let mut text = "y,mean,sd\n".to_owned();
    (0..40).for_each(|i| writeln!(text, "{},{i},2", i * i).unwrap());
    let evaluation = Evaluation::of(&read(&text), 0.8, None);
    assert_eq!(evaluation.grain.step, Some(1.0));
    assert_eq!((evaluation.position("log-likelihood"), evaluation.position("nlpd")), (None, None));
    assert!(scored(&evaluation, "discretised-log-score").score.unwrap() < 0.0);
}

#[test]
fn groups_are_scored_by_themselves() {
    let predictions = read("group,y,lower,upper\na,0.5,0,1\nb,7.5,0,1\na,0.25,0,1\nb,0.1,0,1\n");
    let evaluation = Evaluation::of(&predictions, 0.8, None);
    let names: Vec<&str> = predictions.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let coverage = |group: usize| {
        evaluation.methods[0].coverage(&predictions, &predictions.groups[group].rows).unwrap()
    };
    assert_eq!([coverage(0).covered, coverage(1).covered], [2, 1]);
    // Coverage 1 and 0.5 at 0.8.
    close(scored(&evaluation, "coverage-by-region(level=0.8)").score, 0.3);
    let picp = evaluation.position("picp").unwrap();
    assert_eq!(
        evaluation.methods[0].by_group.iter().map(|scores| scores[picp]).collect::<Vec<_>>(),
        [Some(1.0), Some(0.5)]
    );
}

#[test]
fn rows_of_methods_are_paired_by_their_labels_or_their_order() {
    let a = file("a", "row,y,mean,sd\n1,1.5,1,1\n2,2.5,2,1\n", None, None).unwrap();
    let b = file("b", "row,y,q0.1,q0.9\n2,2.5,20,21\n1,1.5,10,11\n", None, None).unwrap();
    let both = OwnPredictions::new(&[a, b]).unwrap();
    assert_eq!(
        both.methods.iter().map(|method| method.method.as_str()).collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_eq!(both.methods[1].predictive.distribution().quantile(0, 0.1), Some(10.0));
    assert_eq!(both.distinct, 2);
    let long = read("method,split,y,mean,sd\nu,1,1.5,0,1\nv,2,9,5,1\nu,2,9,1,1\nv,1,1.5,4,1\n");
    assert_eq!(long.methods[1].predictive.means().unwrap().to_vec(), [4.0, 5.0]);
}

#[test]
fn a_wrong_file_says_where_and_what_to_do() {
    let cases = [
        (
            "y,x\n1,2\n",
            "p.csv: found the columns `y`, `x`, expected predictions beside the outcomes: `mean` \
             and `sd`",
        ),
        ("z,mean,sd\n1,2,3\n", "`y`: p.csv has no column \"y\""),
        ("y,mean,sd\n", "p.csv: found a header without rows"),
        ("", "p.csv: found an empty file"),
        (
            "y,mean,sd\n1,2,3\n1,2,0\n",
            "p.csv, line 3, column \"sd\": found 0, expected a standard deviation above 0",
        ),
        ("y,mean,sd\n1,nan,3\n", "p.csv, line 2, column \"mean\": found a missing value (\"nan\")"),
        (
            "y,mean,sd\n1,two,3\n",
            "p.csv, line 2, column \"mean\": found \"two\", expected a number",
        ),
        ("y,mean,sd\ninf,2,3\n", "column \"y\": found \"inf\", expected a finite number"),
        (
            "y,q0.1,q0.9\n1,0,1\n1,2,1\n",
            "p.csv, line 3, column \"q0.9\": found 1, below 2 in the column \"q0.1\"",
        ),
        (
            "y,q0.1,q.1\n1,0,1\n",
            "column \"q.1\": found the level of the column \"q0.1\", expected one column for each \
             level",
        ),
        (
            "y,lower,upper\n1,2,1\n",
            "p.csv, line 2, column \"upper\": found 1, below 2 in the column \"lower\"",
        ),
        ("y,s1,s3\n1,2,1\n", "p.csv: found columns of draws without `s2`"),
        ("y,s1\n1,2\n", "found columns of draws without `s2`"),
        (
            "y,mean,sd,q0.1,q0.9\n1,2,1,0,4\n",
            "several forms: gaussian, quantiles, expected one form; `form` gaussian",
        ),
        (
            "y,mean,sd\n1,-Infinity,3\n",
            "column \"mean\": found \"-Infinity\", expected a finite number",
        ),
        ("y,lower,upper\n1,inf,inf\n", "column \"lower\": found an infinite lower end"),
        ("y,lower,upper\n1,0,-inf\n", "column \"upper\": found -inf as an upper end"),
        (
            "y,mean,sd,split,train_rows\n1,0,1,a,0\n",
            "column \"train_rows\": found 0, expected a number of training rows",
        ),
        (
            "y,mean,sd,dataset\n1,2,1,a\n1,2,1,b\n",
            "line 3, column \"dataset\": found a second dataset, \"b\"",
        ),
    ];
    for (text, part) in cases {
        let error = file("p", text, None, Some(0.9)).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(part), "{text}\n{error}\n{part}");
    }
    let error = file("p", "y,lower,upper\n1,0,2\n", None, None).unwrap_err().to_string();
    assert!(error.contains("`level` 0.9 for 90 %"), "{error}");
    let error =
        file("p", "y,mean,sd\n1,0,2\n", Some(OwnForm::Samples), None).unwrap_err().to_string();
    assert!(error.contains("expected those of the form samples, because of `form`"), "{error}");
    assert!(
        file("p", "y,mean,sd,lower,upper\n1,2,1,0,4\n", Some(OwnForm::Interval), Some(0.5)).is_ok()
    );
}

#[test]
fn methods_that_do_not_pair_are_refused() {
    let told = |a: &str, b: &str| {
        let files = [file("a", a, None, None).unwrap(), file("b", b, None, None).unwrap()];
        OwnPredictions::new(&files).unwrap_err().to_string()
    };
    let one = "y,mean,sd\n1,0,1\n2,0,1\n";
    assert!(told(one, "y,mean,sd\n1,0,1\n").contains(
        "b.csv: found different numbers of rows, 2 of \"a\" and 1 of \"b\", expected the same"
    ));
    assert!(
        told(one, "y,mean,sd\n1,0,1\n2.5,0,1\n")
            .contains("found the outcome 2.5 of \"b\" where \"a\" has 2")
    );
    let other_splits = told(one, "y,mean,sd,split\n1,0,1,u\n2,0,1,v\n");
    assert!(other_splits.contains("\"u\"") && other_splits.contains("\"v\""), "{other_splits}");
    assert!(
        told(one, "y,mean,sd,row\n1,0,1,7\n2,0,1,7\n").contains("found row \"7\" of \"b\" twice")
    );
    let grouped = "y,mean,sd,group\n1,0,1,u\n2,0,1,v\n";
    assert!(
        told(grouped, "y,mean,sd,group\n1,0,1,u\n2,0,1,w\n")
            .contains("found the group \"w\" of \"b\" where \"a\" has \"v\"")
    );
    let a = file("a", one, None, None).unwrap();
    let twice = OwnPredictions::new(&[a.clone(), a]).unwrap_err().to_string();
    assert!(twice.contains("a.csv: found a second method called \"a\""), "{twice}");
}
