//! Title and explain the tables of baselines beside the papers that introduced them.

use crate::grid::counted;
use uq_core::metrics::MetricId;

/// Title of the table of words.
pub const COUNTS: &str = "Baselines beside their own papers: counts";

/// Title of the table of every number.
pub const NUMBERS: &str = "Baselines beside their own papers";

/// Title of the table that says which columns are paired.
pub const ORDER: &str = "Order of the splits";

/// Title of the table of numbers that judge nothing.
pub const HINTS: &str = "Hints, not judged";

/// What the words mean; `not_run` printed numbers have none.
pub fn counts(not_run: usize) -> String {
    let not_run = match not_run {
        0 => String::new(),
        count => {
            let have = if count == 1 { "has" } else { "have" };
            format!(
                " {} {have} fewer than two finite repetitions of ours, and no word.",
                counted(count, "printed number")
            )
        }
    };
    format!(
        "Our version of a method beside the numbers of its own paper. Faithful: the interval of \
         the difference lies within the margin m. Weak: ours is worse by more than m. Suspiciously \
         good: ours is better by more than m. Differs: farther than m by a metric that ranks \
         nothing here. Inconclusive: the interval contains an end of the margin. The intervals of \
         one paper are Holm-corrected together at 5 %.{not_run}"
    )
}

/// Which correlations decide whether losses are paired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order<'a> {
    /// The metric of the scores.
    pub metric: MetricId,
    /// The datasets that decide; none means all of the table.
    pub datasets: &'a [&'a str],
    /// What their correlations have to exceed.
    pub above: f64,
}

/// How the columns that are paired are found.
pub fn order(Order { metric, datasets, above }: Order) -> String {
    let decide = if datasets.is_empty() {
        "each of these correlations".into()
    } else {
        format!("each of those on {}", datasets.join(" and "))
    };
    format!(
        "Correlation of our {} with the authors' over splits. Losses are paired by split where \
         {decide} exceeds {above}: then both have the same splits in the same order. –: no scores \
         on common splits.",
        metric.label()
    )
}

/// What the columns of every number mean; `wide` of `judged` intervals are wider than the margin.
pub fn numbers(wide: usize, judged: usize) -> String {
    let power = match judged {
        0 => String::new(),
        judged => format!(
            " {wide} of {judged} numbers have h above m: no difference, however small, would make \
             them faithful."
        ),
    };
    format!(
        "g: the printed loss less ours, positive where ours is better; h: half width of its \
         interval, with half a printed digit; m: the larger of the tolerance δ and one printed \
         digit. Two values of h and two words are those of a spread read as a standard deviation \
         and as a standard error; a word stands only where both agree. Experiment: what separates \
         the causes of a number that is not met.{power}"
    )
}

/// What hints from this source are; the source is a sentence, or empty.
pub fn hints(source: &str) -> String {
    format!("These numbers judge nothing. {source}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::metrics::Rmse;

    #[test]
    fn notes_say_what_is_left_out_and_what_decides() {
        let behind = |whole: String, start: String| {
            whole.strip_prefix(&start).unwrap().trim_start().to_owned()
        };
        insta::assert_snapshot!(counts(0), @"Our version of a method beside the numbers of its own paper. Faithful: the interval of the difference lies within the margin m. Weak: ours is worse by more than m. Suspiciously good: ours is better by more than m. Differs: farther than m by a metric that ranks nothing here. Inconclusive: the interval contains an end of the margin. The intervals of one paper are Holm-corrected together at 5 %.");
        insta::assert_snapshot!(behind(counts(1), counts(0)), @"1 printed number has fewer than two finite repetitions of ours, and no word.");
        insta::assert_snapshot!(behind(counts(2), counts(0)), @"2 printed numbers have fewer than two finite repetitions of ours, and no word.");
        let paired =
            |datasets: &[&str]| order(Order { metric: MetricId::Rmse(Rmse), datasets, above: 0.9 });
        insta::assert_snapshot!(paired(&[]), @"Correlation of our RMSE with the authors' over splits. Losses are paired by split where each of these correlations exceeds 0.9: then both have the same splits in the same order. –: no scores on common splits.");
        insta::assert_snapshot!(paired(&["Boston", "Energy"]), @"Correlation of our RMSE with the authors' over splits. Losses are paired by split where each of those on Boston and Energy exceeds 0.9: then both have the same splits in the same order. –: no scores on common splits.");
        insta::assert_snapshot!(numbers(0, 0), @"g: the printed loss less ours, positive where ours is better; h: half width of its interval, with half a printed digit; m: the larger of the tolerance δ and one printed digit. Two values of h and two words are those of a spread read as a standard deviation and as a standard error; a word stands only where both agree. Experiment: what separates the causes of a number that is not met.");
        insta::assert_snapshot!(behind(numbers(2, 5), numbers(0, 0)), @"2 of 5 numbers have h above m: no difference, however small, would make them faithful.");
        insta::assert_snapshot!(hints("They are of a preprint."), @"These numbers judge nothing. They are of a preprint.");
    }
}
