//! Say what to run after a comparison.

use super::Try;
use super::written::{Comparison, ROWS};
use crate::cli::quoted::quoted;
use uq_core::predictive::{Bounds, Side};
use uqbench_report::try_table::recommend;

/// A file of new rows that nobody has named.
const NEW: &str = "new.csv";

/// The file of their predictions.
const PREDICTIONS: &str = "predictions.csv";

impl Try {
    /// How to predict new rows, in words that do not depend on how the command was given, so that a
    /// repeated comparison has the same page.
    pub(super) fn next_on_page(&self, comparison: &Comparison) -> Vec<String> {
        let model = self.model();
        let mut next = vec![
            format!(
                "add `--predict {NEW} --out {PREDICTIONS} --save {model}` to the same command: it \
                 predicts new rows and keeps the model"
            ),
            format!("then `{}` predicts later rows without this table", predict(&model)),
        ];
        next.push(format!(
            "when the outcomes of new rows are known, `{}` says whether the model is still right",
            watch(&model, PREDICTIONS, comparison)
        ));
        if recommend(comparison.evaluation).method.is_some() {
            next.push(format!(
                "see {}{ROWS} for the interval of each row of this table; `line` counts as a \
                 spreadsheet does",
                self.own.stem()
            ));
        }
        next
    }

    /// What a person would run now, and where everything else stands.
    pub(super) fn next(&self, comparison: &Comparison) -> Vec<String> {
        let is_recommended = recommend(comparison.evaluation).method.is_some();
        let model = self.model();
        let used = match (&self.predict, &self.save) {
            _ if !is_recommended => None,
            (_, Some(model)) => {
                let model = quoted(&model.to_string_lossy());
                Some(format!("`{}` predicts later rows", predict(&model)))
            }
            (Some(_), None) => Some(format!("add `--save {model}` to predict later rows by it")),
            (None, None) => Some(format!(
                "add `--predict {NEW} --out {PREDICTIONS} --save {model}` to predict new rows"
            )),
        };
        let rows = match is_recommended {
            true => format!("; {}{ROWS} has the interval of each line", self.own.stem()),
            false => String::new(),
        };
        let page = format!("open {} (all methods and limits){rows}", self.link());
        let written = self.predict.as_ref().zip(self.out.as_ref()).filter(|_| is_recommended);
        let judged = written.and_then(|(new, out)| {
            let [new, out] = [new, out].map(|file| file.to_string_lossy());
            let judge = match &self.save {
                Some(model) => watch(&quoted(&model.to_string_lossy()), &out, comparison),
                None => score(&new, &out, comparison)?,
            };
            Some(format!("`{judge}`, when outcomes are known"))
        });
        used.into_iter().chain(judged).chain([page]).collect()
    }

    /// The file of the model that nobody has named.
    fn model(&self) -> String {
        quoted(&format!("{}.model", self.own.stem()))
    }
}

/// The command that predicts new rows by a model.
fn predict(model: &str) -> String {
    format!("uqbench predict {model} {NEW} --out {PREDICTIONS}")
}

/// The command that watches a model, when the outcomes of its predictions `out` are known.
fn watch(model: &str, out: &str, comparison: &Comparison) -> String {
    let id = comparison.id.map_or("row", |id| &id.name);
    let [out, id] = [out, id].map(quoted);
    format!("uqbench watch {model} {out} --truth OUTCOMES.csv --id {id}")
}

/// The command that scores the predictions `out` of the rows `new`, when their outcomes stand
/// beside these; `None` for one bound, which is no form that is scored.
fn score(new: &str, out: &str, comparison: &Comparison) -> Option<String> {
    let Bounds { level, side } = comparison.evaluation.bounds;
    let [out, new, id, target] =
        [out, new, comparison.id.map_or("row", |id| &id.name), &comparison.own.table.target_name]
            .map(quoted);
    (side == Side::Both).then(|| {
        format!("uqbench score {out} --truth {new} --id {id} --y {target} --level {level}")
    })
}
