//! Take entries that somebody brought to a board.

use super::{Entrant, Field, Score};
use crate::evidence::brought::Brought;

impl Field {
    /// Adds entries as entrants, after those that are here. Their scores are by the metrics of this
    /// field, in its order.
    ///
    /// A split without a score of a dataset that an entry names counts as failed, and so does one
    /// that it says nothing of. Of a dataset that it does not name it has nothing.
    pub fn bring(&mut self, entries: &[Brought]) {
        for entry in entries {
            let column = self.entrants.len();
            self.entrants.push(Entrant {
                heading: entry.heading.clone(),
                id: entry.key.clone(),
                aliases: Vec::new(),
                identities: vec![entry.key.clone()],
                benchmarks: Vec::new(),
                brought: Some(entry.kind),
            });
            for block in &mut self.blocks {
                let named = entry.scores.get(&block.key);
                for (metric, of_metric) in block.scores.iter_mut().enumerate() {
                    let planned = of_metric.iter().map(Vec::len).max().unwrap_or(0);
                    let of_split = |split: usize| {
                        let Some(scores) = named else { return Score::Absent };
                        match scores.get(metric).and_then(|of| of.get(split)) {
                            None | Some(Score::Absent) => Score::Failed,
                            Some(score) => *score,
                        }
                    };
                    of_metric.resize(column, Vec::new());
                    of_metric.push((0..planned).map(of_split).collect());
                }
                block.approximations.resize(block.scores.len(), Vec::new());
                let approximations = named.map_or(&[][..], |_| &entry.approximations[..]);
                for (of_metric, one) in block.approximations.iter_mut().zip(approximations) {
                    of_metric.resize(column, None);
                    of_metric.push(one.clone());
                }
                block.identities.resize(column, None);
                block.identities.push(named.map(|_| entry.key.clone()));
                block.first_trials.resize(column + 1, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::evidence::brought::EntrantKind;
    use crate::evidence::own_predictions::Approximation;
    use ndarray::Array2;
    use uq_core::predictive::{Exactness, Form, Quantiles};

    #[test]
    fn what_an_entry_lacks_has_failed_and_what_it_does_not_name_is_absent() {
        let names = ["a", "b"].map(str::to_owned);
        let metrics = ["crps", "rmse"].map(|name| name.parse().unwrap());
        let scores = vec![vec![vec![Some(1.0); 3]; 2]; 2];
        let mut field = Field::of_scores("t", &names, &metrics, scores, vec![Vec::new(); 2], 0.1);
        field.blocks.push(field.blocks[0].clone());
        field.blocks[1].key = "u".into();
        // The scores by one metric of three splits: one is there, and one is said to be absent.
        let given = vec![vec![Score::Given(0.5), Score::Absent]];
        let values = Array2::zeros((1, 3));
        let form = Form::Quantiles(Quantiles { levels: vec![0.1, 0.5, 0.9], values });
        let few_quantiles = Approximation::of(&form, Exactness::Approximate(""));
        let entry = Brought {
            heading: "mine 1".into(),
            key: "0f".into(),
            kind: EntrantKind::System,
            stated_seconds: None,
            scores: BTreeMap::from([("t".to_owned(), given)]),
            approximations: vec![few_quantiles, None],
        };
        field.bring(&[entry]);
        assert_eq!(field.entrants[2].brought, Some(EntrantKind::System));
        assert_eq!(field.entrants[0].brought, None);
        let of = |block: usize, metric: usize| field.blocks[block].scores(metric)[2].clone();
        assert_eq!(of(0, 0), [Score::Given(0.5), Score::Failed, Score::Failed]);
        assert_eq!(of(0, 1), [Score::Failed; 3]);
        assert_eq!(of(1, 0), [Score::Absent; 3]);
        assert_eq!(field.present(), [0, 1, 2]);
        let is_marked = |block: usize, metric: usize| {
            [0, 1, 2].map(|entrant| field.blocks[block].is_approximated(metric, entrant))
        };
        assert_eq!((is_marked(0, 0), is_marked(0, 1)), ([false, false, true], [false; 3]));
        assert_eq!(is_marked(1, 0), [false; 3], "it has nothing there");
    }
}
