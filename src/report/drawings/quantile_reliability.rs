//! Count the outcomes below the quantiles of each method, over its finished repetitions.

use ndarray::ArrayView1;

use super::gather::{DrawingError, Gather, chosen};
use super::pooled::{effective, pool};
use crate::benchmark::figures::QuantileReliability;
use crate::evidence::results::Results;
use crate::plot::{self, Drawing, ReliabilityPanel};
use crate::predictive::Predictive;
use crate::runner::store::Store;
use crate::stats::{Counts, Reliability};

impl Gather for QuantileReliability {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut drawing =
            plot::QuantileReliability { title: self.title.clone(), notes: Vec::new(), panels: Vec::new() };
        let mut undefined: Vec<&str> = Vec::new();
        let what = format!("outcomes below quantiles@1 at {:?}", self.levels);
        let pooled = pool(&chosen, store, &what, |predictive, y| counts(&self.levels, predictive, y))?;
        for ((panel, series), counts) in chosen.iter().zip(pooled) {
            let Some(counts) = counts else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, counts.iter().map(|counts| counts.outcomes).sum());
            let reliability = Reliability::new(&self.levels, &counts, effective);
            let title = panel.title.clone();
            drawing.panels.extend(reliability.map(|reliability| ReliabilityPanel { title, reliability }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            drawing.notes.push(format!("Left out, because a quantile is undefined at one of the levels: {left_out}."));
        }
        Ok((!drawing.panels.is_empty()).then(|| Box::new(drawing) as Drawing))
    }
}

/// Outcomes of one test set below their quantiles; `None` where a quantile is undefined.
fn counts(levels: &[f64], predictive: &Predictive, y: ArrayView1<f64>) -> Option<Counts> {
    let mut counts = Counts { below: Vec::new(), at_most: Vec::new(), outcomes: y.len() };
    for &level in levels {
        let quantiles = predictive.distribution().quantiles(level)?;
        counts.below.push(y.iter().zip(&quantiles).filter(|(y, q)| y < q).count());
        counts.at_most.push(y.iter().zip(&quantiles).filter(|(y, q)| y <= q).count());
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::predictive::{Atoms, Form, Quantiles};

    #[test]
    fn outcomes_that_equal_their_quantile_are_at_most_it_but_not_below() {
        let atoms = Atoms { values: array![[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], weights: array![[0.5, 0.5]] };
        let found = counts(&[0.5, 0.9], &Predictive::new(Form::Atoms(atoms)), array![1.0, 1.5, 2.0].view()).unwrap();
        assert_eq!(found, Counts { below: vec![0, 2], at_most: vec![1, 3], outcomes: 3 });
    }

    #[test]
    fn a_level_beyond_the_outermost_one_has_no_quantile() {
        let quantiles = Quantiles { levels: vec![0.1, 0.9], values: array![[0.0, 1.0]] };
        let predictive = Predictive::new(Form::Quantiles(quantiles));
        assert!(counts(&[0.5], &predictive, array![0.2].view()).is_some());
        assert_eq!(counts(&[0.05], &predictive, array![0.2].view()), None);
    }
}
