//! Report what else ran while times and memory were measured, because other work makes them larger.

use crate::grid::Grid;
use crate::section::Section;
use uq_core::stats::digits::NONE;
use uqbench_judge::evidence::Evidence;
use uqbench_run::runner::record::Beside;

/// One line on all finished trials of a benchmark that scores time or memory; `None` for any other benchmark, and where none finished.
pub fn section(evidence: &Evidence) -> Option<Section> {
    (!evidence.beside.is_empty()).then(|| told(&evidence.beside))
}

fn told(noted: &[Option<Beside>]) -> Section {
    let known = || noted.iter().flatten();
    let most = known().map(|beside| beside.trials).max().map_or(NONE.into(), |most| most.to_string());
    let load =
        known().filter_map(|beside| beside.load).reduce(f64::max).map_or(NONE.into(), |load| format!("{load:.1}"));
    let mut grid = Grid::new(&["#Trials", "#Beside others", "#Most others at a time", "#Highest load", "#Not noted"]);
    grid.push(vec![
        noted.len().to_string(),
        known().filter(|beside| beside.trials > 0).count().to_string(),
        most,
        load,
        (noted.len() - known().count()).to_string(),
    ]);
    let note = "Beside others: trials of the same run that ran at the same time. Load: the machine's average number of running and \
                waiting tasks over a minute. Times are those of a quiet machine only where no trial ran beside another one and the \
                load was below the number of processors.";
    Section { title: "How quiet the machine was".into(), grid, note: note.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_numbers_are_reported_and_unknown_ones_are_counted() {
        let quiet = Beside { trials: 0, load: Some(0.31) };
        let busy = Beside { trials: 3, load: None };
        assert_eq!(told(&[Some(quiet), Some(busy), None]).grid.rows, [["3", "1", "3", "0.3", "1"]]);
        assert_eq!(told(&[None]).grid.rows, [["1", "0", "–", "–", "1"]]);
    }
}
