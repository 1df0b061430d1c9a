//! Mark the means of one table that need a remark, and write its footnotes.

use std::collections::BTreeSet;

use super::dropped::Dropped;
use super::signs::UNSETTLED;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::Series;
use uqbench_judge::evidence::unconverged::{Count, Unconverged};

/// The marks of one table.
pub struct Marks<'a> {
    dropped: Dropped,
    unconverged: &'a Unconverged,
    counts: BTreeSet<Count>,
}

impl<'a> Marks<'a> {
    /// Of a table without marks so far.
    pub fn new(unconverged: &'a Unconverged) -> Self {
        Self { dropped: Dropped::default(), unconverged, counts: BTreeSet::new() }
    }

    /// The marks of a column's mean; empty where it needs no remark, or where there is none.
    pub fn mark(&mut self, series: &Series, metric: &MetricId) -> String {
        let count = self.unconverged.count(series).filter(|_| series.summary(metric).is_some());
        self.dropped.mark(series, metric).to_owned() + self.mark_count(count)
    }

    fn mark_count(&mut self, count: Option<Count>) -> &'static str {
        let Some(count) = count.filter(|count| count.unconverged > 0) else { return "" };
        self.counts.insert(count);
        UNSETTLED.sign
    }

    /// What the marks mean, to be put at the end of a sentence; empty where nothing is marked.
    pub fn note(&self) -> String {
        let mut note = self.dropped.note();
        if !self.counts.is_empty() {
            let counts = counts(&self.counts);
            let sign = UNSETTLED.sign;
            note += &format!("; {sign} {counts} fits had not converged when their steps were used up");
        }
        note
    }
}

/// One or two counts as they are, more by the least and the most of them.
fn counts(of: &BTreeSet<Count>) -> String {
    let fits: BTreeSet<usize> = of.iter().map(|count| count.fits).collect();
    let range = of.first().zip(of.last()).zip(fits.first());
    match range {
        Some(((least, most), fits_of_all)) if of.len() > 2 && fits.len() == 1 => {
            format!("{} to {} of {fits_of_all}", least.unconverged, most.unconverged)
        }
        _ if of.len() > 2 => "some (the CSV table counts them) of the".into(),
        _ => of.iter().map(|count| format!("{} of {}", count.unconverged, count.fits)).collect::<Vec<_>>().join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_means_with_unconverged_fits_are_marked_and_explained() {
        let unconverged = Unconverged::default();
        let mut marks = Marks::new(&unconverged);
        assert_eq!(marks.mark_count(Some(Count { unconverged: 0, fits: 10 })), "");
        assert_eq!((marks.mark_count(None), marks.note().as_str()), ("", ""));
        for unconverged in [3, 1, 3] {
            assert_eq!(marks.mark_count(Some(Count { unconverged, fits: 10 })), "§");
        }
        assert_eq!(marks.note(), "; § 1 of 10 or 3 of 10 fits had not converged when their steps were used up");
        marks.mark_count(Some(Count { unconverged: 10, fits: 10 }));
        assert_eq!(marks.note(), "; § 1 to 10 of 10 fits had not converged when their steps were used up");
        marks.mark_count(Some(Count { unconverged: 2, fits: 5 }));
        let some = "; § some (the CSV table counts them) of the fits had not converged when their steps were used up";
        assert_eq!(marks.note(), some);
    }
}
