//! Say what to run after a comparison.

use super::Try;
use super::written::{Comparison, ROWS};
use uqbench_report::try_table::recommend;

/// A file of new rows that nobody has named.
const NEW: &str = "new.csv";

/// The file of their predictions.
const PREDICTIONS: &str = "predictions.csv";

impl Try {
    /// How to predict new rows, in words that do not depend on how the command was given, so that a
    /// repeated comparison has the same page.
    pub(super) fn next_on_page(&self) -> Vec<String> {
        let model = self.model();
        vec![
            format!(
                "add `--predict {NEW} --out {PREDICTIONS} --save {model}` to the same command: it \
                 predicts new rows and keeps the model"
            ),
            format!("then `{}` predicts later rows without this table", predict(&model)),
        ]
    }

    /// What a person would run now, and where everything else stands.
    pub(super) fn next(&self, comparison: &Comparison) -> Vec<String> {
        let is_recommended = recommend(comparison.evaluation).method.is_some();
        let model = self.model();
        let used = match (&self.predict, &self.save) {
            _ if !is_recommended => None,
            (_, Some(model)) => {
                Some(format!("`{}` predicts later rows", predict(&model.to_string_lossy())))
            }
            (Some(_), None) => Some(format!("add `--save {model}` to predict later rows by it")),
            (None, None) => Some(format!(
                "add `--predict {NEW} --out {PREDICTIONS} --save {model}` to predict new rows"
            )),
        };
        let rows = match is_recommended {
            true => format!("; {}{ROWS} has the interval of each row", self.own.stem()),
            false => String::new(),
        };
        let page = format!("open {} (all methods and limits){rows}", self.link());
        used.into_iter().chain([page]).collect()
    }

    /// The file of the model that nobody has named.
    fn model(&self) -> String {
        let file = format!("{}.model", self.own.stem());
        shlex::try_quote(&file).map_or_else(|_| file.clone(), std::borrow::Cow::into_owned)
    }
}

/// The command that predicts new rows by a model.
fn predict(model: &str) -> String {
    format!("uqbench predict {model} {NEW} --out {PREDICTIONS}")
}
