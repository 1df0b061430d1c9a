//! Put scores of predictions that one already has into words.

use crate::grid::counted;
use crate::words::signs::APPROXIMATED;
use uq_core::metrics::percent;
use uq_core::stats::coverage::rule;
use uq_core::stats::jackknife::GROUPS;
use uqbench_data::own::Finding;
use uqbench_judge::evidence::own_predictions::{Basis, Evaluation, OwnForm, OwnPredictions};

/// How to read the tables of differences.
pub const READING: &str = "Gain: mean loss of the reference less that of the method on the same \
    rows; positive means that the method is better. n: test sets, or groups of rows of one test \
    set. \
    Interval and p: Student's over them, Holm-corrected at 5 % over the comparisons of the table. \
    Decision: better or worse where the corrected p is below 0.05; equivalent where the whole \
    interval lies inside the region of practical equivalence; both where both hold; else \
    undecided. P(better), P(equivalent), P(worse): posterior of the correlated t-test (Corani and \
    Benavoli 2015) that the gain lies above, inside or below the region; it is not corrected for \
    the number of comparisons, and decides nothing. Detectable: the smallest gain that this design \
    would find significant on its own. None, approximated: one of the two scores is made of few \
    quantiles, so that it would differ although the predictions were the same.";

/// What a figure over several test sets shows of them.
pub const POOLED: &str = "The rows of all test sets are pooled.";

/// How many rows, test sets and methods there are, and how intervals are made. `target` is the
/// column of the outcomes.
pub fn about(target: &str, predictions: &OwnPredictions, evaluation: &Evaluation) -> String {
    let (rows, splits) = (counted(predictions.y.len(), "row"), predictions.splits.len());
    let forms: Vec<String> = predictions
        .methods
        .iter()
        .map(|method| format!("{} ({})", method.method, method.form))
        .collect();
    let intervals = if splits > 1 {
        over_test_sets(splits, evaluation)
    } else {
        format!(
            "The rows are one test set and count as independent. Intervals are Student's over the \
             pseudo-values of the jackknife, random groups of rows ({GROUPS}, or single rows where \
             there are fewer) left out in turn; they say nothing of other fits of the methods."
        )
    };
    let level = percent(evaluation.level);
    let mut text = format!(
        "{rows}, outcomes in the column {target}. Methods: {}. Level of the central intervals: \
         {level}. {intervals} Every interval is a 95 % interval.",
        forms.join("; ")
    );
    if let Some(step) = evaluation.grain.step {
        text += &format!(
            " The outcomes are multiples of {step}, so that a density of them has no bound: the \
             discretised log score replaces the log-likelihood."
        );
    } else if evaluation.grain.discrete {
        text += " The outcomes are discrete, so that a density of them has no bound: there is no \
                 log score.";
    }
    if predictions.methods.iter().any(|method| method.form == OwnForm::Interval) {
        text += " Ends of an interval say nothing of the distribution elsewhere: they have the \
                 scores of intervals alone, and those of the column mean where there is one.";
    }
    if predictions.methods.iter().any(|method| method.infinite.is_some()) {
        text += " Some intervals have an infinite end: they cover all outcomes on that side, and \
                 scores that grow with it are infinite.";
    }
    text
}

/// How intervals over several test sets are made.
fn over_test_sets(splits: usize, evaluation: &Evaluation) -> String {
    format!(
        "Scores are means over {splits} test sets. Intervals are Student's over these, widened for \
         training sets that overlap (Nadeau and Bengio 2003, {:.3} test rows for each training \
         row{}).",
        evaluation.overlap.test_to_train,
        basis(evaluation.overlap.basis)
    )
}

/// Where the number of training rows is taken from.
fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::OneSet | Basis::Stated => "",
        Basis::CrossValidation => ", as in one cross-validation",
        Basis::Rest => ", the rows that a test set leaves of all tested ones",
        Basis::AtLeastRest => {
            ", if a training set is all other tested rows; --train-rows states it"
        }
        Basis::Unknown => ", because nothing tells the training sets' size; --train-rows states it",
    }
}

/// What warns of the numbers.
pub fn warning(finding: &Finding) -> String {
    format!("Warning: {}.", finding.text.to_string().trim_end_matches('.'))
}

/// The metrics that no method defines, by their names.
pub fn undefined(metrics: &[String]) -> String {
    format!(
        "Not defined by these predictions, or by what is known of these rows: {}. The command \
         “uqbench list metrics” has the definitions.",
        metrics.join(", ")
    )
}

/// The note below the scores. `approximations` say how some of them are approximated.
pub fn scores(approximations: &[&str]) -> String {
    let marked = if approximations.is_empty() {
        String::new()
    } else {
        format!(" {}: approximated ({}).", APPROXIMATED.sign, approximations.join("; "))
    };
    format!(
        "Score ± half width of its 95 % interval; of a share of the rows, its exact 95 % interval \
         (Clopper & Pearson); no interval for a maximum over groups of one test set. –: not \
         defined.{marked}"
    )
}

/// The title of the table of coverages. `level` is in per cent.
pub fn coverage_title(level: &str) -> String {
    format!("Coverage of the {level} intervals")
}

/// The note below the coverages over all rows, of which some are `distinct`. `level` is in per
/// cent.
pub fn coverage(level: &str, rows: usize, distinct: usize) -> String {
    let recurring = if distinct < rows {
        format!(" Only {distinct} of the {rows} rows are distinct: the intervals count each once.")
    } else {
        String::new()
    };
    format!(
        "The share of all rows inside their central {level} interval, ends included. {}{recurring}",
        rule(level, "methods")
    )
}

/// The group of rows whose coverage by a method is farthest from the level.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstGroup {
    /// The method.
    pub method: String,
    /// The group.
    pub group: String,
    /// Share of its rows that are covered.
    pub share: f64,
    /// Number of its rows that have an interval.
    pub rows: usize,
}

/// What a table of coverages by group shows of each method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownGroups {
    /// Largest number of groups that are shown.
    pub most: usize,
    /// Number of rows that the CSV file has besides.
    pub hidden: usize,
    /// Whether it has the PIT calibration error.
    pub has_pit: bool,
}

/// The note below the coverages by group. `level` is in per cent.
pub fn by_group(level: &str, worst: &[WorstGroup], shown: ShownGroups) -> String {
    let ShownGroups { most, hidden, has_pit } = shown;
    let worst: Vec<String> = worst
        .iter()
        .map(|WorstGroup { method, group, share, rows }| {
            format!("{method}: {group}, {share:.3} of {rows} rows")
        })
        .collect();
    let more = match hidden {
        0 => String::new(),
        _ => format!(
            " The {most} worst groups of each method are shown; the CSV file has {hidden} more \
             rows."
        ),
    };
    let pit = if has_pit {
        " The PIT calibration error is about 0.42 by the root of the rows for perfect predictions."
    } else {
        ""
    };
    format!(
        "Worst group, by the distance of its coverage from {level}: {}. {} Of many groups some are \
         far off by chance.{pit}{more}",
        worst.join("; "),
        rule(level, "groups and methods")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_data::own::Cells;
    use uqbench_judge::evidence::own_predictions::OwnFile;

    /// What is said of the predictions in a file.
    fn of_file(text: &str) -> String {
        let cells = Cells::parse("p.csv", text.as_bytes()).unwrap();
        let file = OwnFile::new(&cells, "p", "y", None, Some(0.9)).unwrap();
        let predictions = OwnPredictions::new(&[file]).unwrap();
        about("y", &predictions, &Evaluation::of(&predictions, 0.9, None))
    }

    /// A file of normal distributions of these outcomes, in test sets of 30 rows.
    fn gaussian(rows: usize, outcome: impl Fn(usize) -> f64) -> String {
        let row = |i: usize| format!("{},{},{i},1\n", i / 30, outcome(i));
        format!("split,y,mean,sd\n{}", (0..rows).map(row).collect::<String>())
    }

    #[test]
    fn what_is_scored_is_said_in_one_paragraph() {
        let continuous = |i: usize| ((i * 37 % 60) as f64 / 60.0).sqrt() + i as f64;
        insta::assert_snapshot!(of_file(&gaussian(30, continuous)), @"30 rows, outcomes in the column y. Methods: p (gaussian). Level of the central intervals: 90 %. The rows are one test set and count as independent. Intervals are Student's over the pseudo-values of the jackknife, random groups of rows (20, or single rows where there are fewer) left out in turn; they say nothing of other fits of the methods. Every interval is a 95 % interval.");
        insta::assert_snapshot!(of_file(&gaussian(60, continuous)), @"60 rows, outcomes in the column y. Methods: p (gaussian). Level of the central intervals: 90 %. Scores are means over 2 test sets. Intervals are Student's over these, widened for training sets that overlap (Nadeau and Bengio 2003, 1.000 test rows for each training row, as in one cross-validation). Every interval is a 95 % interval.");
        insta::assert_snapshot!(of_file(&gaussian(30, |i| (i % 3) as f64)), @"30 rows, outcomes in the column y. Methods: p (gaussian). Level of the central intervals: 90 %. The rows are one test set and count as independent. Intervals are Student's over the pseudo-values of the jackknife, random groups of rows (20, or single rows where there are fewer) left out in turn; they say nothing of other fits of the methods. Every interval is a 95 % interval. The outcomes are multiples of 1, so that a density of them has no bound: the discretised log score replaces the log-likelihood.");
        insta::assert_snapshot!(of_file(&gaussian(30, |i| (i % 3) as f64 / 3.0)), @"30 rows, outcomes in the column y. Methods: p (gaussian). Level of the central intervals: 90 %. The rows are one test set and count as independent. Intervals are Student's over the pseudo-values of the jackknife, random groups of rows (20, or single rows where there are fewer) left out in turn; they say nothing of other fits of the methods. Every interval is a 95 % interval. The outcomes are discrete, so that a density of them has no bound: there is no log score.");
        insta::assert_snapshot!(of_file("y,lower,upper\n5.5,0,inf\n5.25,0,10\n9.125,0,8\n"), @"3 rows, outcomes in the column y. Methods: p (interval). Level of the central intervals: 90 %. The rows are one test set and count as independent. Intervals are Student's over the pseudo-values of the jackknife, random groups of rows (20, or single rows where there are fewer) left out in turn; they say nothing of other fits of the methods. Every interval is a 95 % interval. Ends of an interval say nothing of the distribution elsewhere: they have the scores of intervals alone, and those of the column mean where there is one. Some intervals have an infinite end: they cover all outcomes on that side, and scores that grow with it are infinite.");
    }

    #[test]
    fn each_basis_of_the_training_rows_is_stated() {
        use Basis::{AtLeastRest, CrossValidation, OneSet, Rest, Stated, Unknown};
        assert_eq!([OneSet, Stated].map(basis), ["", ""]);
        let all = [CrossValidation, Rest, AtLeastRest, Unknown].map(basis);
        insta::assert_snapshot!(all.join("\n"), @"
        , as in one cross-validation
        , the rows that a test set leaves of all tested ones
        , if a training set is all other tested rows; --train-rows states it
        , because nothing tells the training sets' size; --train-rows states it
        ");
    }

    #[test]
    fn notes_name_what_the_tables_leave_out() {
        insta::assert_snapshot!(undefined(&["mse".into(), "energy".into()]), @"Not defined by these predictions, or by what is known of these rows: mse, energy. The command “uqbench list metrics” has the definitions.");
        insta::assert_snapshot!(scores(&[]), @"Score ± half width of its 95 % interval; of a share of the rows, its exact 95 % interval (Clopper & Pearson); no interval for a maximum over groups of one test set. –: not defined.");
        insta::assert_snapshot!(scores(&["from 3 quantiles"]), @"Score ± half width of its 95 % interval; of a share of the rows, its exact 95 % interval (Clopper & Pearson); no interval for a maximum over groups of one test set. –: not defined. ≈: approximated (from 3 quantiles).");
        insta::assert_snapshot!(coverage("90 %", 60, 50), @"The share of all rows inside their central 90 % interval, ends included. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of methods (Holm). Only 50 of the 60 rows are distinct: the intervals count each once.");
        assert!(coverage("90 %", 60, 50).starts_with(&coverage("90 %", 60, 60)));
        insta::assert_snapshot!(warning(&Finding::note("it is so.")), @"Warning: it is so.");
    }

    #[test]
    fn the_worst_groups_are_named() {
        let worst = WorstGroup { method: "a".into(), group: "left".into(), share: 0.5, rows: 30 };
        let shown = ShownGroups { most: 20, hidden: 0, has_pit: false };
        insta::assert_snapshot!(by_group("90 %", &[worst.clone(), worst.clone()], shown), @"Worst group, by the distance of its coverage from 90 %: a: left, 0.500 of 30 rows; a: left, 0.500 of 30 rows. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of groups and methods (Holm). Of many groups some are far off by chance.");
        let shown = ShownGroups { hidden: 7, has_pit: true, ..shown };
        insta::assert_snapshot!(by_group("90 %", &[worst], shown), @"Worst group, by the distance of its coverage from 90 %: a: left, 0.500 of 30 rows. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of groups and methods (Holm). Of many groups some are far off by chance. The PIT calibration error is about 0.42 by the root of the rows for perfect predictions. The 20 worst groups of each method are shown; the CSV file has 7 more rows.");
    }

    #[test]
    fn figures_and_differences_are_explained() {
        insta::assert_snapshot!(POOLED, @"The rows of all test sets are pooled.");
        insta::assert_snapshot!(READING, @"Gain: mean loss of the reference less that of the method on the same rows; positive means that the method is better. n: test sets, or groups of rows of one test set. Interval and p: Student's over them, Holm-corrected at 5 % over the comparisons of the table. Decision: better or worse where the corrected p is below 0.05; equivalent where the whole interval lies inside the region of practical equivalence; both where both hold; else undecided. P(better), P(equivalent), P(worse): posterior of the correlated t-test (Corani and Benavoli 2015) that the gain lies above, inside or below the region; it is not corrected for the number of comparisons, and decides nothing. Detectable: the smallest gain that this design would find significant on its own. None, approximated: one of the two scores is made of few quantiles, so that it would differ although the predictions were the same.");
    }
}
