//! Say what a random division of the rows hides.

use super::percent;
use crate::grid::{counted, listed};
use uqbench_judge::judgement::league::{Division, SkillLoss};

/// The title of the table of losses by method.
pub const TITLE: &str = "What a random division hides";

/// The title of the table of losses by dataset.
pub const BY_DATASET: &str = "What a random division hides: by dataset";

/// The note below the table of losses by method.
pub const NOTE: &str = "At random: skill on the same datasets, divided at random into parts of \
    about the same sizes. Here: skill on this board. Loss: skill at random less skill here on each \
    dataset, in percentage points; the median over datasets, with its 95 % interval from order \
    statistics, which assumes that sources of datasets are independent. A control is a linear \
    method: its predictions have no neighbours among the training rows. The two predictors that \
    ignore the features have no skill, so that they lose none.";

/// What the column of targets without a trend means.
pub const DETRENDED_NOTE: &str = "Loss without trend: the same loss where the target is what its \
    least-squares line over the number of the period leaves. The line is that of all rows, so that \
    nobody could know it beforehand.";

/// The note below the table of losses by dataset.
pub const BY_DATASET_NOTE: &str =
    "Medians over all methods but the controls, in the order of the board.";

/// A loss in percentage points.
pub fn points(share: f64) -> String {
    percent(share).trim_end_matches(" %").to_owned()
}

/// A median loss in its interval, in percentage points.
pub fn points_within(loss: &SkillLoss) -> String {
    match loss.interval {
        Some((low, high)) => {
            format!("{} ({} to {})", points(loss.median), points(low), points(high))
        }
        None => points(loss.median),
    }
}

/// The finding: what methods show at random, and not here; and what the controls do.
pub fn finding(division: &Division) -> String {
    let count = division.entrants.iter().filter(|entrant| !entrant.is_control).count();
    format!(
        "What a random division hides: the same datasets, divided at random, show {} (median over \
         {} of the median over {}{}); {} of them show more.{}",
        more_skill(&division.all),
        counted(division.all.datasets, "dataset"),
        counted(count, "method"),
        interval(&division.all),
        division.all.lost,
        controls(division),
    )
}

/// The finding for targets without their trend.
pub fn detrended(division: &Division) -> String {
    format!(
        "Without the linear trend of their targets the same datasets, divided at random, show {} \
         ({}{}); {} of them show more.{}",
        more_skill(&division.all),
        counted(division.all.datasets, "dataset"),
        interval(&division.all),
        division.all.lost,
        controls(division),
    )
}

/// How much more skill, in percentage points.
fn more_skill(loss: &SkillLoss) -> String {
    let side = if loss.median < 0.0 { "less" } else { "more" };
    format!("{} percentage points {side} skill", points(loss.median.abs()))
}

/// The interval of a loss in a clause; none for few sources.
fn interval(loss: &SkillLoss) -> String {
    loss.interval.map_or_else(String::new, |(low, high)| {
        format!(", 95 % interval {} to {}", points(low), points(high))
    })
}

/// What the controls lose, in a sentence; none without a control.
fn controls(division: &Division) -> String {
    let controls = division.entrants.iter().filter(|entrant| entrant.is_control);
    let shown: Vec<String> = controls
        .map(|entrant| format!("{} loses {}", entrant.heading, points(entrant.loss.median)))
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<&str> = shown.iter().map(String::as_str).collect();
            format!(" Of the controls {}.", listed(&names))
        }
    }
}

/// Why a board is not compared with another one that has no trials.
pub fn no_twin(twin: &str) -> String {
    format!("It is not compared with the benchmark {twin}, of which no trial has run.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_judge::judgement::league::{EntrantLoss, Skills};

    fn loss(median: f64, interval: Option<(f64, f64)>) -> SkillLoss {
        SkillLoss { median, interval, lost: 14, datasets: 17 }
    }

    fn entrant(heading: &str, is_control: bool, median: f64) -> EntrantLoss {
        EntrantLoss {
            entrant: 0,
            heading: heading.into(),
            is_control,
            skills: Skills { random: 0.5, honest: 0.25 },
            by_dataset: Vec::new(),
            loss: loss(median, None),
        }
    }

    #[test]
    fn the_finding_says_how_much_and_what_controls_lose() {
        let mut division = Division {
            entrants: vec![entrant("Ridge", true, 0.02), entrant("A", false, 0.1)],
            all: loss(0.081, Some((0.031, 0.142))),
            datasets: Vec::new(),
        };
        insta::assert_snapshot!(finding(&division), @"What a random division hides: the same datasets, divided at random, show 8.1 percentage points more skill (median over 17 datasets of the median over 1 method, 95 % interval 3.1 to 14.2); 14 of them show more. Of the controls Ridge loses 2.0.");
        insta::assert_snapshot!(detrended(&division), @"Without the linear trend of their targets the same datasets, divided at random, show 8.1 percentage points more skill (17 datasets, 95 % interval 3.1 to 14.2); 14 of them show more. Of the controls Ridge loses 2.0.");
        division.entrants.remove(0);
        division.all = loss(-0.081, None);
        insta::assert_snapshot!(finding(&division), @"What a random division hides: the same datasets, divided at random, show 8.1 percentage points less skill (median over 17 datasets of the median over 1 method); 14 of them show more.");
        insta::assert_snapshot!(no_twin("league-beyond-time-random"), @"It is not compared with the benchmark league-beyond-time-random, of which no trial has run.");
    }

    #[test]
    fn a_loss_stands_in_its_interval() {
        assert_eq!(points_within(&loss(0.081, Some((-0.031, 0.142)))), "8.1 (−3.1 to 14.2)");
        assert_eq!(points_within(&loss(0.081, None)), "8.1");
    }
}
