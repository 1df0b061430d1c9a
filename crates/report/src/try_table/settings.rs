//! Tabulate which settings each fit has chosen inside its training rows.

use crate::grid::Grid;
use crate::section::{Block, Section};
use crate::words::try_table::notes;
use uq_core::stats::digits::{NONE, abscissa};
use uqbench_run::runner::try_table::{ChosenSetting, Evaluation, FoldScores, Folding, Tried};

/// A method that was fitted on all rows, and what that fit has chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whole<'a> {
    /// Its name.
    pub id: &'a str,
    /// What its fit has chosen.
    pub settings: &'a [ChosenSetting],
}

/// A folded table with a row for each setting of a method: its values in the folds, and that in the
/// fit of all rows. `None` where nothing was chosen.
pub fn chosen_settings(evaluation: &Evaluation, whole: Option<Whole>) -> Option<Block> {
    let mut grid = Grid::new(&["Method", "Setting", "Chosen in each fold"]);
    if whole.is_some() {
        grid = Grid::new(&["Method", "Setting", "Chosen in each fold", "#Chosen on all rows"]);
    }
    for method in &evaluation.methods {
        for name in names(method) {
            let of_all = whole.map(|whole| {
                let found = (whole.id == method.id).then(|| value(whole.settings, name)).flatten();
                found.map_or_else(|| NONE.into(), shown)
            });
            let row = [
                method.id.to_string(),
                name.to_owned(),
                in_folds(method, name, evaluation.folding),
            ];
            grid.push(row.into_iter().chain(of_all));
        }
    }
    let note = notes::chosen_settings(whole.is_some());
    let section = Section { title: "Chosen settings".into(), grid, note };
    (!section.grid.rows.is_empty()).then_some(Block::folded(section))
}

/// Every chosen setting of every fit; the fit of all rows has no fold.
pub fn settings_numbers(evaluation: &Evaluation, whole: Option<Whole>) -> Grid {
    let mut grid = Grid::new(&["method", "fitted_on", "#repeat", "#fold", "setting", "#value"]);
    let mut add = |id: &str, place: [String; 3], settings: &[ChosenSetting]| {
        for ChosenSetting { name, value } in settings {
            let [fitted_on, repeat, fold] = place.clone();
            grid.push(vec![
                id.to_owned(),
                fitted_on,
                repeat,
                fold,
                name.clone(),
                value.to_string(),
            ]);
        }
    };
    for method in &evaluation.methods {
        for (index, fold) in method.folds.iter().flatten().enumerate() {
            let [repeat, number] = evaluation.folding.place(index).map(|of| of.to_string());
            add(&method.id, ["other folds".into(), repeat, number], &fold.settings);
        }
        if let Some(whole) = whole.filter(|whole| whole.id == method.id) {
            add(&method.id, ["all rows".into(), String::new(), String::new()], whole.settings);
        }
    }
    grid
}

/// Settings as they stand in a sentence: `rounds 120, weight of ngboost 0.31`.
pub fn settings_in_words(settings: &[ChosenSetting]) -> String {
    settings
        .iter()
        .map(|of| format!("{} {}", of.name, shown(of.value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A value, of which four decimals tell enough where they tell anything.
fn shown(value: f64) -> String {
    abscissa(if value.abs() < 1e-3 { value } else { (value * 1e4).round() / 1e4 })
}

/// The settings that a method has chosen in some fold, in the order in which they come first.
fn names(method: &Tried) -> Vec<&str> {
    let mut names = Vec::new();
    for setting in method.folds.iter().flatten().flat_map(|fold| &fold.settings) {
        if !names.contains(&setting.name.as_str()) {
            names.push(setting.name.as_str());
        }
    }
    names
}

/// The value of a setting.
fn value(settings: &[ChosenSetting], name: &str) -> Option<f64> {
    settings.iter().find(|setting| setting.name == name).map(|setting| setting.value)
}

/// The values of a setting in the folds: `3, 5, 3, 3, 9; 3, …`.
fn in_folds(method: &Tried, name: &str, folding: Folding) -> String {
    let folds: Vec<&FoldScores> = method.folds.iter().flatten().collect();
    let of_fold =
        |fold: &&FoldScores| value(&fold.settings, name).map_or_else(|| NONE.into(), shown);
    let of_repeat =
        |folds: &[&FoldScores]| folds.iter().map(of_fold).collect::<Vec<String>>().join(", ");
    folds.chunks(folding.folds as usize).map(of_repeat).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::predictive::{Bounds, Side};
    use uqbench_run::runner::try_table::Division;

    fn setting(name: &str, value: f64) -> ChosenSetting {
        ChosenSetting { name: name.into(), value }
    }

    /// A method of two divisions that has chosen these leaves, and rounds in all folds but the
    /// first.
    fn evaluation(leaves: [f64; 10]) -> Evaluation {
        let fold = |(k, leaf): (usize, f64)| FoldScores {
            train_rows: 80,
            test_rows: 20,
            covered: None,
            width: None,
            interval_score: None,
            crps: None,
            mse: None,
            log_score: None,
            impossible: 0,
            pit: None,
            rows: Vec::new(),
            settings: [setting("leaf", leaf), setting("rounds", 0.25)]
                .into_iter()
                .take(1 + usize::from(k > 0))
                .collect(),
            seconds: 0.0,
        };
        let folds = Ok(leaves.into_iter().enumerate().map(fold).collect());
        Evaluation {
            bounds: Bounds { level: 0.9, side: Side::Both },
            division: Division::Rows,
            folding: Folding { folds: 5, repeats: 2 },
            log_score: None,
            smallest: 0.0,
            order: None,
            kinds: Vec::new(),
            stated: None,
            clusters: Vec::new(),
            inside: Vec::new(),
            left_out: Vec::new(),
            calibrated_by: None,
            slab: None,
            aborted: None,
            methods: vec![Tried {
                id: "forest".into(),
                settings: "".into(),
                guaranteed: None,
                folds,
            }],
        }
    }

    #[test]
    fn settings_are_listed_by_fold_and_for_the_fit_of_all_rows() {
        let evaluation = evaluation([3.0, 3.0, 9.0, 3.0, 3.0, 9.0, 9.0, 9.0, 9.0, 15.0]);
        let Some(Block::Table(_, section)) = chosen_settings(&evaluation, None) else {
            panic!("no table")
        };
        assert_eq!(section.grid.rows[0], ["forest", "leaf", "3, 3, 9, 3, 3; 9, 9, 9, 9, 15"]);
        assert!(
            section.grid.rows[1][2].text.starts_with("–, 0.25, 0.25,"),
            "{:?}",
            section.grid.rows
        );
        let chosen = [setting("leaf", 15.0)];
        let whole = |id| Some(Whole { id, settings: &chosen });
        let of_all = |id| {
            chosen_settings(&evaluation, whole(id)).unwrap().section().unwrap().grid.rows[0][3]
                .clone()
        };
        assert_eq!((of_all("forest"), of_all("tree")), ("15".into(), "–".into()));

        let numbers = settings_numbers(&evaluation, whole("forest"));
        assert_eq!(numbers.rows.len(), 10 + 9 + 1);
        assert_eq!(numbers.rows[0], ["forest", "other folds", "1", "1", "leaf", "3"]);
        assert_eq!(numbers.rows[17], ["forest", "other folds", "2", "5", "leaf", "15"]);
        assert_eq!(numbers.rows[19], ["forest", "all rows", "", "", "leaf", "15"]);
    }

    #[test]
    fn a_sentence_has_the_digits_that_matter() {
        let settings =
            [setting("rounds", 120.0), setting("weight of tree", 1.0 / 3.0), setting("rate", 1e-5)];
        assert_eq!(settings_in_words(&settings), "rounds 120, weight of tree 0.3333, rate 1e-5");
    }

    #[test]
    fn where_nothing_was_chosen_there_is_no_table() {
        let mut evaluation = evaluation([3.0; 10]);
        evaluation.methods[0].folds.iter_mut().flatten().for_each(|fold| fold.settings.clear());
        assert_eq!(chosen_settings(&evaluation, None), None);
        assert!(settings_numbers(&evaluation, None).rows.is_empty());
    }
}
