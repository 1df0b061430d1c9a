//! Choose the best of several candidates, such as settings that were tried inside the training
//! rows.

use ndarray::ArrayView2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::side_tables::{Candidates, Outcome};
use crate::state::{self, Restored, StateError};
use crate::{Context, FitError, Fitted, Reading, Request, SideTable};
use uq_core::predictive::Predictive;

/// Candidates in the order in which they were tried, each with its score, of which higher is
/// better, or the reason why it has none.
pub struct Search<C> {
    tried: Vec<(C, Result<f64, FitError>)>,
}

impl<C> Default for Search<C> {
    /// A search that has tried nothing.
    fn default() -> Self {
        Self { tried: Vec::new() }
    }
}

impl<C: PartialEq> Search<C> {
    /// Whether this candidate was tried.
    pub fn has_tried(&self, candidate: &C) -> bool {
        self.tried.iter().any(|(tried, _)| tried == candidate)
    }

    /// Adds a candidate, and returns whether it is better than all before it. NaN is no score.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] and [`FitError::TimedOut`]: they end the search.
    pub fn add(&mut self, candidate: C, score: Result<f64, FitError>) -> Result<bool, FitError> {
        if let Err(stop @ (FitError::Cancelled | FitError::TimedOut)) = score {
            return Err(stop);
        }
        let before = self.best().map(|(_, score)| score);
        let is_best = score
            .as_ref()
            .is_ok_and(|score| !score.is_nan() && before.is_none_or(|before| *score > before));
        self.tried.push((candidate, score));
        Ok(is_best)
    }

    /// The candidates with a score, in the order tried.
    pub fn scored(&self) -> impl Iterator<Item = (&C, f64)> {
        self.tried.iter().filter_map(|(candidate, score)| Some((candidate, *score.as_ref().ok()?)))
    }

    /// The best candidate and its score; of equally good ones the first. `None` where no candidate
    /// has a score.
    pub fn best(&self) -> Option<(&C, f64)> {
        let numbers = self.scored().filter(|(_, score)| !score.is_nan());
        numbers.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The best candidate, as [`Self::best`]; `describe` names a candidate.
    ///
    /// # Errors
    /// Where no candidate has a score: an error of the kind of the first one's, with its reason and
    /// the name of the method `id`; [`FitError::NoneCovers`] where that is the reason of any
    /// candidate.
    pub fn chosen(&self, id: &str, describe: impl Fn(&C) -> String) -> Result<&C, FitError> {
        if let Some((best, _)) = self.best() {
            return Ok(best);
        }
        let reason = self
            .tried
            .iter()
            .find_map(|(candidate, score)| Some((candidate, score.as_ref().err()?)));
        let Some((first, reason)) = reason else {
            return Err(FitError::Unsupported(format!("{id}: no candidate has a score")));
        };
        let (count, first) = (self.tried.len(), describe(first));
        let message =
            format!("{id}: none of {count} candidates has a score; the first, {first}: {reason}");
        let uncovered =
            self.tried.iter().any(|(_, score)| matches!(score, Err(FitError::NoneCovers(_))));
        Err(match reason {
            _ if uncovered => FitError::NoneCovers(message),
            FitError::Diverged(_) => FitError::Diverged(message),
            FitError::Singular(_) => FitError::Singular(message),
            _ => FitError::Unsupported(message),
        })
    }
}

/// The side table `name` of what was tried, one row for each candidate: the columns `settings`,
/// which hold the candidate's `numbers` in their order, then its `score`, then whether it is the
/// chosen one.
pub fn side_table<'a, C: PartialEq + 'a>(
    name: &str,
    settings: &[&str],
    numbers: impl Fn(&C) -> Vec<f64>,
    score: Outcome,
    rows: impl IntoIterator<Item = (&'a C, f64)>,
    chosen: &C,
) -> SideTable {
    let names = settings.iter().copied().chain([score.column()]);
    let columns = names.map(|name| (name.to_owned(), Vec::new())).collect();
    let mut candidates = Candidates { columns, chosen: Vec::new() };
    for (candidate, score) in rows {
        let row = numbers(candidate).into_iter().chain([score]);
        candidates
            .columns
            .iter_mut()
            .zip(row)
            .for_each(|((_, column), number)| column.push(number));
        candidates.chosen.push(candidate == chosen);
    }
    candidates.to_table(name)
}

/// A fit with the chosen settings, and the side table of what was tried.
pub struct Searched<C> {
    /// The name of the method that has searched.
    pub id: &'static str,
    /// What tells the method with the chosen settings from the others, where the fit's state does
    /// not.
    pub chosen: C,
    /// The fit.
    pub fitted: Box<dyn Fitted>,
    /// The side table.
    pub search: SideTable,
}

impl<C: DeserializeOwned + Serialize + Send + Sync + 'static> Searched<C> {
    /// The fit of this state of the method `id`; `restore` makes the fit with the chosen settings
    /// of its own state.
    ///
    /// # Errors
    /// [`StateError`], and those of `restore`.
    pub fn restored(
        id: &'static str,
        state: &[u8],
        restore: impl FnOnce(&C, &[u8]) -> Restored,
    ) -> Restored {
        let (chosen, inner, search): (C, Vec<u8>, SideTable) = state::read(id, state)?;
        let fitted = restore(&chosen, &inner)?;
        Ok(Box::new(Self { id, chosen, fitted, search }))
    }
}

impl<C: Serialize + Send + Sync> Fitted for Searched<C> {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(self.id, &(&self.chosen, self.fitted.state()?, &self.search))
    }

    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        self.fitted.predict(reading, features, request, context)
    }

    fn predict_all(
        &self,
        readings: &[Reading],
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<Predictive>, FitError> {
        self.fitted.predict_all(readings, features, request, context)
    }

    fn readings_share_work(&self) -> bool {
        self.fitted.readings_share_work()
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.fitted.parts()
    }

    /// Those of the fit, then the search's.
    fn side_tables(&self) -> Vec<SideTable> {
        let mut side_tables = self.fitted.side_tables();
        side_tables.push(self.search.clone());
        side_tables
    }

    fn side_tables_at(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        self.fitted.side_tables_at(features, request, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(scores: &[(char, Result<f64, FitError>)]) -> Search<char> {
        let mut search = Search::default();
        for (candidate, score) in scores {
            search.add(*candidate, score.clone()).unwrap();
        }
        search
    }

    fn failed(why: &str) -> Result<f64, FitError> {
        Err(FitError::Diverged(why.into()))
    }

    #[test]
    fn the_first_of_the_best_scores_is_chosen() {
        let mut tie = search(&[('a', Ok(1.0)), ('b', Ok(2.0)), ('c', Ok(2.0))]);
        assert_eq!(tie.best(), Some((&'b', 2.0)));
        assert_eq!(tie.add('d', Ok(2.0)), Ok(false));
        assert_eq!(tie.add('e', Ok(2.5)), Ok(true));
        assert!(tie.has_tried(&'d') && !tie.has_tried(&'x'));
        assert_eq!(tie.chosen("m", char::to_string), Ok(&'e'));
    }

    #[test]
    fn a_candidate_without_a_score_is_never_chosen() {
        let mut found =
            search(&[('a', failed("lost")), ('b', Ok(f64::NAN)), ('c', Ok(f64::NEG_INFINITY))]);
        assert_eq!(found.best(), Some((&'c', f64::NEG_INFINITY)));
        assert_eq!(found.add('d', Ok(f64::NAN)), Ok(false));
        assert_eq!(found.add('e', failed("lost again")), Ok(false));
        assert_eq!(found.chosen("m", char::to_string), Ok(&'c'));
    }

    #[test]
    fn where_all_fail_the_first_reason_is_reported_and_a_stop_ends_the_search() {
        let mut none = search(&[
            ('a', Ok(f64::NAN)),
            ('b', failed("lost")),
            ('c', Err(FitError::Unsupported("no".into()))),
        ]);
        let expected = "m: none of 3 candidates has a score; the first, b: diverged: lost";
        assert_eq!(none.chosen("m", char::to_string), Err(FitError::Diverged(expected.into())));
        assert_eq!(none.add('d', Err(FitError::TimedOut)), Err(FitError::TimedOut));
        none.add('e', Err(FitError::NoneCovers("wide".into()))).unwrap();
        let expected = expected.replace("of 3", "of 4");
        assert_eq!(none.chosen("m", char::to_string), Err(FitError::NoneCovers(expected)));
        let empty = search(&[]).chosen("m", char::to_string).unwrap_err();
        assert_eq!(empty, FitError::Unsupported("m: no candidate has a score".into()));
    }

    #[test]
    fn the_side_table_has_a_row_for_each_candidate() {
        let found = search(&[('a', Ok(1.0)), ('b', failed("lost")), ('c', Ok(3.0))]);
        let code = |c: &char| vec![f64::from(*c as u8)];
        let table =
            side_table(Candidates::SEARCH, &["code"], code, Outcome::Score, found.scored(), &'c');
        let columns =
            [("code", vec![97.0, 99.0]), ("score", vec![1.0, 3.0]), ("chosen", vec![0.0, 1.0])];
        assert_eq!(table.columns, columns.map(|(name, numbers)| (name.to_owned(), numbers)));
    }
}
