//! State what a search inside the training rows tried, and what it chose.

use super::SideTable;

/// A result of a candidate: its score, or a number that is learned with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A score of which higher is better.
    Score,
    /// Continuous ranked probability score, in the target's units; lower is better.
    Crps,
    /// Loss on the rows held out; lower is better.
    ValidationLoss,
    /// Precision of the noise, learned with the candidate's settings.
    Precision,
}

impl Outcome {
    /// All outcomes.
    const ALL: [Self; 4] = [Self::Score, Self::Crps, Self::ValidationLoss, Self::Precision];

    /// Name of its column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Crps => "crps",
            Self::ValidationLoss => "validation_loss",
            Self::Precision => "precision",
        }
    }
}

/// The candidates of a search, one row for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// Columns of the settings and of [`Outcome`]s.
    pub columns: Vec<(String, Vec<f64>)>,
    /// Whether the candidate is the chosen one.
    pub chosen: Vec<bool>,
}

impl Candidates {
    /// The table of a search among settings.
    pub const SEARCH: &str = "search";

    /// The table of a choice on rows held out, made by the method itself.
    pub const CHOICE: &str = "choice";

    /// The column of [`Self::chosen`], the last one.
    const CHOSEN: &str = "chosen";

    /// The table with this name.
    pub fn to_table(&self, name: &str) -> SideTable {
        let flags = self.chosen.iter().map(|chosen| f64::from(*chosen)).collect();
        let columns =
            self.columns.iter().cloned().chain([(Self::CHOSEN.to_owned(), flags)]).collect();
        SideTable { name: name.into(), columns }
    }

    /// Reads the table, whatever its name. `None` where it does not say which candidate is chosen.
    pub fn from_table(table: &SideTable) -> Option<Self> {
        let chosen = table.column(Self::CHOSEN)?.iter().map(|flag| *flag == 1.0).collect();
        let columns =
            table.columns.iter().filter(|(name, _)| name != Self::CHOSEN).cloned().collect();
        Some(Self { columns, chosen })
    }

    /// Names and values of the settings of the chosen candidate; `None` where none is chosen.
    pub fn chosen_settings(&self) -> Option<(Vec<String>, Vec<f64>)> {
        let place = self.chosen.iter().position(|chosen| *chosen)?;
        let is_outcome =
            |name: &String| Outcome::ALL.iter().any(|outcome| outcome.column() == name);
        let settings = self.columns.iter().filter(|(name, _)| !is_outcome(name));
        settings.map(|(name, values)| Some((name.clone(), *values.get(place)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    fn columns(columns: &[(&str, [f64; 2])]) -> Vec<(String, Vec<f64>)> {
        columns.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect()
    }

    #[test]
    fn a_search_is_stored_as_it_always_was() {
        let columns = columns(&[("hidden", [3.0, 5.0]), (Outcome::Score.column(), [-1.5, -1.0])]);
        let search = Candidates { columns, chosen: vec![false, true] };
        let text = concat!(
            r#"{"name":"search","columns":[["hidden",[3.0,5.0]],"#,
            r#"["score",[-1.5,-1.0]],["chosen",[0.0,1.0]]]}"#
        );
        let table = search.to_table(Candidates::SEARCH);
        assert_stored(&search, &table, Candidates::from_table, text, &["hidden", "score"]);
        assert_eq!(search.chosen_settings(), Some((vec!["hidden".into()], vec![5.0])));
    }

    #[test]
    fn a_choice_is_stored_as_it_always_was_and_its_precision_is_no_setting() {
        let precision = (Outcome::Precision.column(), [4.0, 2.0]);
        let columns = columns(&[
            ("rate", [0.1, 0.2]),
            precision,
            (Outcome::ValidationLoss.column(), [1.5, 2.5]),
        ]);
        let choice = Candidates { columns, chosen: vec![true, false] };
        let text = concat!(
            r#"{"name":"choice","columns":[["rate",[0.1,0.2]],["precision",[4.0,2.0]],"#,
            r#"["validation_loss",[1.5,2.5]],["chosen",[1.0,0.0]]]}"#
        );
        let optional = ["rate", "precision", "validation_loss"];
        assert_stored(
            &choice,
            &choice.to_table(Candidates::CHOICE),
            Candidates::from_table,
            text,
            &optional,
        );
        assert_eq!(choice.chosen_settings(), Some((vec!["rate".into()], vec![0.1])));
        assert_eq!(Candidates { chosen: vec![false; 2], ..choice }.chosen_settings(), None);
    }
}
