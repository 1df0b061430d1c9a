//! Say why a reader should look at a trial.

use uqbench_judge::report::Why;

/// Most letters of an error in the list; the trial's page has it in full.
const LETTERS: usize = 150;

/// The note below the list of trials. `more` trials without predictions are in this file alone.
pub fn note(more: usize, file: &str) -> String {
    let left_out = match more {
        0 => String::new(),
        more => format!(" {more} further trials without predictions are in {file}."),
    };
    format!(
        "Of each dataset the trials with the lowest, the median and the highest score, and every \
         trial that ran without predictions. The command uqbench show KEY makes the page of any \
         other stored trial.{left_out}"
    )
}

/// Why a reader should look at a trial.
pub fn why(why: &Why) -> String {
    match why {
        Why::OnlyScore => "only score".into(),
        Why::LowestScore => "lowest score".into(),
        Why::MedianScore => "median score".into(),
        Why::HighestScore => "highest score".into(),
        Why::NoPredictions(outcome) => format!("no predictions: {outcome}"),
        Why::Failed(error) => shortened(error),
    }
}

/// The first line of an error, cut where it is long.
fn shortened(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let short: String = first.chars().take(LETTERS).collect();
    if short.len() < error.len() { format!("{short} …") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_cut_after_its_first_line_and_where_it_is_long() {
        assert_eq!(shortened("timed out"), "timed out");
        assert_eq!(shortened("crashed: a\nb"), "crashed: a …");
        let long = shortened(&"ä".repeat(LETTERS + 1));
        assert_eq!((long.chars().count(), long.ends_with("ä …")), (LETTERS + 2, true));
    }

    #[test]
    fn trials_that_are_left_out_are_counted() {
        let file = "dtb-table-1-trials.csv";
        assert!(note(12, file).starts_with(&note(0, file)) && !note(0, file).contains(file));
        insta::assert_snapshot!(note(12, file), @"Of each dataset the trials with the lowest, the median and the highest score, and every trial that ran without predictions. The command uqbench show KEY makes the page of any other stored trial. 12 further trials without predictions are in dtb-table-1-trials.csv.");
    }

    #[test]
    fn each_reason_is_written() {
        let all = [
            Why::OnlyScore,
            Why::LowestScore,
            Why::MedianScore,
            Why::HighestScore,
            Why::NoPredictions("diverged"),
        ];
        insta::assert_snapshot!(all.map(|reason| why(&reason)).join("\n"), @"
        only score
        lowest score
        median score
        highest score
        no predictions: diverged
        ");
    }
}
