//! Count which settings the searches inside the training rows chose.

use std::fmt;

use super::diagnostics::FitDiagnostics;
use uq_core::stats::digits::abscissa;
use uq_methods::side_tables::Candidates;

/// Names of the side tables of searches.
pub const SEARCHES: [&str; 2] = [Candidates::SEARCH, Candidates::CHOICE];

/// The choices of the searches of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Index of the experiment in the plan.
    pub experiment: usize,
    /// The chosen points.
    pub points: Points,
}

/// Settings, and how often each of their points was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Names of the settings.
    pub settings: Vec<String>,
    /// Values in the order of the settings; the most frequent point first, equally frequent ones by
    /// their values.
    pub counts: Vec<(Vec<f64>, usize)>,
}

impl fmt::Display for Points {
    /// Every point with how often it was chosen: `0.01, 3 (7); 0.1, 3 (2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = |values: &[f64]| {
            values.iter().map(|value| abscissa(*value)).collect::<Vec<_>>().join(", ")
        };
        let counted =
            self.counts.iter().map(|(values, count)| format!("{} ({count})", point(values)));
        f.write_str(&counted.collect::<Vec<_>>().join("; "))
    }
}

impl Points {
    /// Counts over the repetitions; a search without a chosen row is left out, and one among a
    /// single candidate is none.
    fn of(searches: impl IntoIterator<Item = Candidates>) -> Self {
        let mut points = Self::default();
        for search in searches {
            if search.chosen.len() < 2 {
                continue;
            }
            let Some((names, point)) = search.chosen_settings() else { continue };
            points.settings = names;
            match points.counts.iter_mut().find(|(known, _)| *known == point) {
                Some((_, count)) => *count += 1,
                None => points.counts.push((point, 1)),
            }
        }
        let by_value = |a: &[f64], b: &[f64]| {
            let unequal = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            unequal.unwrap_or(std::cmp::Ordering::Equal)
        };
        points.counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| by_value(&a.0, &b.0)));
        points
    }

    /// Number of searches.
    pub fn total(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// The choices of a benchmark's searches, in the order of its experiments.
pub fn choices(diagnostics: &[FitDiagnostics]) -> Vec<Choice> {
    let of = |fits: &FitDiagnostics| {
        SEARCHES.map(|name| {
            let searches = fits.named(name).into_iter().filter_map(Candidates::from_table);
            Choice { experiment: fits.experiment, points: Points::of(searches) }
        })
    };
    diagnostics.iter().flat_map(of).filter(|choice| choice.points.total() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(rates: &[f64], chosen: usize) -> Candidates {
        let columns = [
            ("rate", rates.to_vec()),
            ("depth", vec![3.0; rates.len()]),
            ("score", vec![-1.5; rates.len()]),
        ];
        let columns = columns.map(|(name, values)| (name.to_owned(), values)).into();
        Candidates { columns, chosen: (0..rates.len()).map(|i| i == chosen).collect() }
    }

    #[test]
    fn points_are_counted_the_most_frequent_one_first() {
        let rates = [1e-4, 0.01, 0.5];
        let searches = [2, 1, 0, 1].map(|chosen| search(&rates, chosen));
        let points = Points::of(searches);
        assert_eq!(points.settings, ["rate", "depth"], "no outcome is a setting");
        assert_eq!(
            points.counts,
            [(vec![0.01, 3.0], 2), (vec![1e-4, 3.0], 1), (vec![0.5, 3.0], 1)]
        );
        assert_eq!(points.total(), 4);
    }

    #[test]
    fn a_search_without_a_choice_is_not_counted() {
        // The chosen point's score may be infinite, and its row is then left out.
        let points = Points::of([search(&[0.1, 0.2], 7), search(&[0.1, 0.2], 0)]);
        assert_eq!((points.counts.clone(), points.total()), (vec![(vec![0.1, 3.0], 1)], 1));
        assert_eq!(Points::of([]), Points::default());
        assert_eq!(Points::of([search(&[0.1], 0)]), Points::default(), "nothing was chosen");
    }
}
