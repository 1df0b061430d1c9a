//! Say what a page that compares methods compares, and how to read it.

use uq_core::metrics::{Direction, MetricId};
use uqbench_judge::evidence::imputation::Imputation;

/// How to read the tables, at the end of the page.
pub const READING: [&str; 4] = [
    "How to read this. –: not defined or not run. Skill: 1 − mean loss / anchor's mean loss \
     (Murphy 1988), for log scores the gain in nat; 0 is no better than the anchor.",
    "Gain: mean loss of the reference less that of the method on the same splits; positive means \
     that the method is better. Interval and p: Student's, with the variance of Nadeau and Bengio \
     (2003) for overlapping training sets, (1/n + test/train) s², Holm-corrected at 5 % over the \
     comparisons of the table. They hold for new data of the kind, on one dataset each.",
    "Decision: better or worse where the corrected p is below 0.05; equivalent where the whole \
     interval lies inside the region of practical equivalence; both where both hold; else \
     undecided. The first sentences, the marks of the figures and the table follow this rule. \
     Scores that differ by no more than rounding are equal. P(better), P(equivalent), P(worse): \
     posterior of the correlated t-test (Corani and Benavoli 2015) that the gain lies above, \
     inside or below the region; it looks at one comparison alone, is not corrected for their \
     number, and decides nothing. Detectable: the smallest gain that this design would find \
     significant on its own.",
    "Across datasets (Demšar 2006) a dataset is one observation. Signed ranks: Wilcoxon's test of \
     the datasets' mean gains, equal means left out; W+ sums the ranks of the datasets on which \
     the first method is better. Mean ranks: only datasets on which every ranked method has a \
     score, by the splits that all of them have; methods whose mean ranks differ by less than the \
     critical difference are joined, and all are where the test over all methods (Iman and \
     Davenport) does not reject at 5 %.",
];

/// The title of the page, by the headings of the methods.
pub fn title(methods: &[&str]) -> String {
    match methods {
        [a, b] => format!("Comparison of {a} and {b}"),
        all => format!("Comparison of {} methods", all.len()),
    }
}

/// The method that the others are compared with, and what became of failed repetitions.
pub fn terms(reference: &str, rule: &Imputation) -> String {
    let rule = match rule {
        Imputation::Drop => "dropped".into(),
        Imputation::Worst => "given the worst score on the same split".into(),
        Imputation::Method(name) => {
            format!("given the score of {name} where it has one, else dropped")
        }
    };
    format!(
        "Reference: {reference}. A gain is positive where a method is better than the reference. \
         Failed repetitions: {rule}."
    )
}

/// That no method has a score by a metric.
pub fn no_score(metric: MetricId) -> String {
    format!("{}: no method has this score on any dataset.", metric.label())
}

/// The title of the figure of gains.
pub fn gains_title(metric: MetricId, reference: &str) -> String {
    format!("{} against {reference}: positive is better", metric.label())
}

/// The axis of the figure of gains.
pub fn gain_axis(metric: MetricId) -> String {
    let label = metric.label();
    match metric.direction() {
        Direction::Lower => format!("Gain in {label}, % of the reference's"),
        Direction::Higher => format!("Gain in {label}"),
        Direction::Target(_) => format!("Gain in the distance of {label} from its aim"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(name: &str) -> MetricId {
        name.parse().unwrap()
    }

    #[test]
    fn two_methods_are_named_and_more_are_counted() {
        insta::assert_snapshot!(title(&["DT", "GP"]), @"Comparison of DT and GP");
        insta::assert_snapshot!(title(&["DT", "GP", "NGBoost"]), @"Comparison of 3 methods");
    }

    #[test]
    fn each_rule_for_failed_repetitions_is_stated() {
        insta::assert_snapshot!(terms("DT", &Imputation::Drop), @"Reference: DT. A gain is positive where a method is better than the reference. Failed repetitions: dropped.");
        insta::assert_snapshot!(terms("DT", &Imputation::Worst), @"Reference: DT. A gain is positive where a method is better than the reference. Failed repetitions: given the worst score on the same split.");
        insta::assert_snapshot!(terms("DT", &Imputation::Method("GP".into())), @"Reference: DT. A gain is positive where a method is better than the reference. Failed repetitions: given the score of GP where it has one, else dropped.");
        insta::assert_snapshot!(no_score(metric("crps")), @"CRPS: no method has this score on any dataset.");
    }

    #[test]
    fn gains_have_the_unit_of_the_metric() {
        insta::assert_snapshot!(gains_title(metric("crps"), "DT"), @"CRPS against DT: positive is better");
        insta::assert_snapshot!(gain_axis(metric("crps")), @"Gain in CRPS, % of the reference's");
        insta::assert_snapshot!(gain_axis(metric("log-likelihood")), @"Gain in Log-likelihood");
        insta::assert_snapshot!(gain_axis(metric("picp(level=0.95)")), @"Gain in the distance of PICP (95 %) from its aim");
    }

    #[test]
    fn the_page_says_how_to_read_it() {
        let [first, gain, decision, across] = READING;
        insta::assert_snapshot!(first, @"How to read this. –: not defined or not run. Skill: 1 − mean loss / anchor's mean loss (Murphy 1988), for log scores the gain in nat; 0 is no better than the anchor.");
        insta::assert_snapshot!(gain, @"Gain: mean loss of the reference less that of the method on the same splits; positive means that the method is better. Interval and p: Student's, with the variance of Nadeau and Bengio (2003) for overlapping training sets, (1/n + test/train) s², Holm-corrected at 5 % over the comparisons of the table. They hold for new data of the kind, on one dataset each.");
        insta::assert_snapshot!(decision, @"Decision: better or worse where the corrected p is below 0.05; equivalent where the whole interval lies inside the region of practical equivalence; both where both hold; else undecided. The first sentences, the marks of the figures and the table follow this rule. Scores that differ by no more than rounding are equal. P(better), P(equivalent), P(worse): posterior of the correlated t-test (Corani and Benavoli 2015) that the gain lies above, inside or below the region; it looks at one comparison alone, is not corrected for their number, and decides nothing. Detectable: the smallest gain that this design would find significant on its own.");
        insta::assert_snapshot!(across, @"Across datasets (Demšar 2006) a dataset is one observation. Signed ranks: Wilcoxon's test of the datasets' mean gains, equal means left out; W+ sums the ranks of the datasets on which the first method is better. Mean ranks: only datasets on which every ranked method has a score, by the splits that all of them have; methods whose mean ranks differ by less than the critical difference are joined, and all are where the test over all methods (Iman and Davenport) does not reject at 5 %.");
    }
}
