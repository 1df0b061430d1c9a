//! Say what a square of the map stands for: a printed number, ours, and the verdict on them.

use crate::scorecard::{Row, Ruling};
use uq_core::stats::digits::{NONE, mean_and_spread, number};
use uqbench_judge::judgement::shipped::{Origin, Share};

/// What the squares, their symbols and their words mean.
pub const SQUARES: &str = "Each square is a number that a paper prints; click it for ours. Numbers \
    that were tried under other settings only are on the pages of their tables. Compatible, \
    inconclusive: our runs neither confirm nor deny the number. Differs (better): ours is better \
    than the printed one. None in both: the paper prints “none” because no setting passed its own \
    rule, and we have none either. None in the paper alone: we have one. Too few repetitions: \
    fewer than ten, or of a shorter run. Numbers with “none” on a side, those with too few \
    repetitions, and those that have not run are not judged; all others are.";

/// What an outline means, where a smaller profile shows the verdicts of the shipped run.
pub const OUTLINED: &str = "Outlined: the verdict of the shipped run. This machine's run has too \
    few repetitions for one.";

/// Printed numbers by how much of the shipped run behind them ran here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// All of it.
    pub here: usize,
    /// A part.
    pub partly: usize,
    /// None of it.
    pub shipped: usize,
}

/// What the frames of squares mean, and how many have each; empty where nothing is known of it.
pub fn origins(Origins { here, partly, shipped }: Origins) -> String {
    if here + partly + shipped == 0 {
        return String::new();
    }
    format!(
        "With a frame ({here}): all trials of the number ran on this machine, too, with equal \
         results. With a line below ({partly}): some of them did. With neither ({shipped}): the \
         number comes from the shipped run alone."
    )
}

/// How much of the shipped run behind a number ran here.
fn ran_here(share: Share) -> String {
    let Share { equal, of, .. } = share;
    match share.origin() {
        None => String::new(),
        Some(Origin::Here) => format!("Run here: all {of} trials, with the same results."),
        Some(Origin::Partly) => {
            format!("Partly run here: {equal} of {of} trials, with the same results.")
        }
        Some(Origin::Shipped) => "From the shipped run.".into(),
    }
}

/// A printed number and its verdict, as its row has them; `full` is the verdict of the shipped run,
/// and whether this run agrees.
pub fn square(row: &Row, full: Option<(&Ruling, Option<bool>)>) -> String {
    let ours = mean_and_spread(row.ours_mean, row.ours_sd);
    let width = |width: Option<f64>| width.map_or(NONE.into(), |width| number(width, Some(width)));
    let start = format!(
        "{}, {}, {}: printed {}, ours {ours}, n = {}, h = {}, δ = {}. ",
        row.dataset,
        row.method,
        row.metric,
        row.published,
        row.n,
        width(row.half_width),
        width(row.tolerance)
    );
    start
        + &match full {
            None => format!("{}. {}", row.verdict, row.why),
            Some((verdict, agrees)) => {
                let agrees = match agrees {
                    Some(true) => "; this run agrees with it",
                    Some(false) => "; this run does not agree with it",
                    None => "",
                };
                format!("{} The shipped run: {verdict}{agrees}. {}", row.why, ran_here(row.share))
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_judge::judgement::Verdict;

    #[test]
    fn a_square_tells_its_number_and_the_shipped_run_where_that_decides() {
        let row = Row {
            dataset: "boston".into(),
            method: "JCM".into(),
            metric: "rmse".into(),
            published: "2.9".into(),
            ours_mean: Some(2.95),
            ours_sd: Some(0.5),
            n: 5,
            half_width: Some(0.2),
            tolerance: Some(0.29),
            verdict: Ruling::Number(Verdict::TooFew),
            why: "Too few repetitions.".into(),
            ..Row::default()
        };
        insta::assert_snapshot!(square(&row, None), @"boston, JCM, rmse: printed 2.9, ours 2.95 ± 0.50, n = 5, h = 0.20, δ = 0.29. too few repetitions. Too few repetitions.");
        let full = Ruling::Number(Verdict::Reproduced);
        insta::assert_snapshot!(square(&row, Some((&full, Some(true)))).trim_end(), @"boston, JCM, rmse: printed 2.9, ours 2.95 ± 0.50, n = 5, h = 0.20, δ = 0.29. Too few repetitions. The shipped run: reproduced; this run agrees with it.");
        insta::assert_snapshot!(square(&row, Some((&full, Some(false)))).trim_end(), @"boston, JCM, rmse: printed 2.9, ours 2.95 ± 0.50, n = 5, h = 0.20, δ = 0.29. Too few repetitions. The shipped run: reproduced; this run does not agree with it.");
        insta::assert_snapshot!(square(&row, Some((&full, None))).trim_end(), @"boston, JCM, rmse: printed 2.9, ours 2.95 ± 0.50, n = 5, h = 0.20, δ = 0.29. Too few repetitions. The shipped run: reproduced.");
    }

    #[test]
    fn frames_are_counted_where_something_is_known_of_them() {
        assert_eq!(origins(Origins::default()), "");
        insta::assert_snapshot!(origins(Origins { here: 3, partly: 2, shipped: 1 }), @"With a frame (3): all trials of the number ran on this machine, too, with equal results. With a line below (2): some of them did. With neither (1): the number comes from the shipped run alone.");
        insta::assert_snapshot!(SQUARES, @"Each square is a number that a paper prints; click it for ours. Numbers that were tried under other settings only are on the pages of their tables. Compatible, inconclusive: our runs neither confirm nor deny the number. Differs (better): ours is better than the printed one. None in both: the paper prints “none” because no setting passed its own rule, and we have none either. None in the paper alone: we have one. Too few repetitions: fewer than ten, or of a shorter run. Numbers with “none” on a side, those with too few repetitions, and those that have not run are not judged; all others are.");
        insta::assert_snapshot!(OUTLINED, @"Outlined: the verdict of the shipped run. This machine's run has too few repetitions for one.");
    }

    #[test]
    fn the_part_of_the_shipped_run_that_ran_here_is_told() {
        let share = |equal, of| ran_here(Share { equal, of, ..Share::default() });
        assert_eq!(share(0, 0), "");
        insta::assert_snapshot!(share(20, 20), @"Run here: all 20 trials, with the same results.");
        insta::assert_snapshot!(share(3, 20), @"Partly run here: 3 of 20 trials, with the same results.");
        insta::assert_snapshot!(share(0, 20), @"From the shipped run.");
    }
}
