//! Write what code has shown that somebody else has run: a row on the page of its board, and a
//! table of its datasets.

use super::{Rerun, grid};
use crate::grid::Grid;
use crate::section::Section;
use crate::words::league as words;
use crate::words::league::notes;
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::judgement::league::Rerun as Shown;

/// The table of code that somebody else has run.
pub(super) fn entries(all: &[Rerun]) -> Section {
    let mut grid = Grid::new(&[
        "Entry",
        "Kind",
        "#Skill",
        "Beside it",
        "#Datasets",
        "#Splits",
        "#Failed splits",
        "#Seed",
        "Date",
        "Run by",
    ]);
    for Rerun { shown, seed, is_repeated, date, by } in all {
        let beside = shown.yardsticks.iter();
        let beside: Vec<String> =
            beside.map(|(name, skill)| format!("{name} {}", words::percent(*skill))).collect();
        grid.push([
            shown.heading.clone(),
            words::singular(shown.kind).into(),
            words::percent(shown.skill),
            if beside.is_empty() { NONE.into() } else { beside.join(", ") },
            shown.datasets.len().to_string(),
            shown.failed.1.to_string(),
            shown.failed.0.to_string(),
            words::seed(*seed, *is_repeated),
            date.clone(),
            by.clone().unwrap_or_else(|| NONE.into()),
        ]);
    }
    Section { title: words::RERUN_ENTRIES.into(), grid, note: notes::RERUN.into() }
}

/// What code has shown on each dataset, in Markdown. `loss` is the label of the loss.
pub fn result(shown: &Shown, loss: &str) -> String {
    let mut head = vec![
        "Dataset".to_owned(),
        "#Splits".into(),
        format!("#{loss}"),
        format!("#{loss} of the reference"),
        "#Skill".into(),
    ];
    head.extend(shown.yardsticks.iter().map(|(name, _)| format!("#Skill of {name}")));
    head.push("#Failed splits".into());
    let mut grid = grid(&head);
    for one in &shown.datasets {
        let first = [
            one.heading.clone(),
            one.splits.to_string(),
            number(one.loss, None),
            number(one.reference_loss, None),
            words::percent(one.skill),
        ];
        let beside = one.yardsticks.iter().map(|skill| words::percent(*skill));
        grid.push(first.into_iter().chain(beside).chain([one.failed.to_string()]));
    }
    let all =
        [words::ALL_DATASETS.to_owned(), shown.failed.1.to_string(), NONE.into(), NONE.into()];
    let beside = shown.yardsticks.iter().map(|(_, skill)| words::percent(*skill));
    let skills = std::iter::once(words::percent(shown.skill)).chain(beside);
    grid.push(all.into_iter().chain(skills).chain([shown.failed.0.to_string()]));
    grid.markdown()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_judge::evidence::brought::EntrantKind;
    use uqbench_judge::judgement::league::OnDataset;

    fn shown(yardsticks: &[(&str, f64)]) -> Shown {
        let on = |heading: &str, failed: usize| OnDataset {
            heading: heading.into(),
            splits: 5,
            loss: 1.25,
            reference_loss: 2.5,
            skill: 0.5,
            failed,
            yardsticks: yardsticks.iter().map(|(_, skill)| *skill).collect(),
        };
        Shown {
            heading: "mine <b> 1".into(),
            kind: EntrantKind::System,
            skill: 0.5,
            failed: (1, 10),
            yardsticks: yardsticks.iter().map(|(name, skill)| ((*name).into(), *skill)).collect(),
            datasets: vec![on("Boston", 1), on("Yacht", 0)],
        }
    }

    #[test]
    fn a_rerun_is_a_row_and_its_datasets_a_table() {
        let shown = shown(&[("Ridge", 0.3), ("NGBoost", -0.01)]);
        insta::assert_snapshot!(result(&shown, "CRPS"), @r"
        | Dataset | Splits |  CRPS | CRPS of the reference |  Skill | Skill of Ridge | Skill of NGBoost | Failed splits |
        | ------- | -----: | ----: | --------------------: | -----: | -------------: | ---------------: | ------------: |
        | Boston  |      5 | 1.250 |                 2.500 | 50.0 % |         30.0 % |           −1.0 % |             1 |
        | Yacht   |      5 | 1.250 |                 2.500 | 50.0 % |         30.0 % |           −1.0 % |             0 |
        | All     |     10 |     – |                     – | 50.0 % |         30.0 % |           −1.0 % |             1 |
        ");
        let rerun =
            Rerun { shown, seed: u64::MAX, is_repeated: true, date: "2026-11-29".into(), by: None };
        let table = entries(&[rerun]).grid.markdown();
        let cells: Vec<&str> = table.lines().nth(2).unwrap().split('|').map(str::trim).collect();
        let seed = "18446744073709551615 (repeated)";
        let expected = [
            "system",
            "50.0 %",
            "Ridge 30.0 %, NGBoost −1.0 %",
            "2",
            "10",
            "1",
            seed,
            "2026-11-29",
        ];
        assert_eq!(cells[2..10], expected);
        assert_eq!((cells[1], cells[10]), ("mine \\<b> 1", "–"));
    }
}
