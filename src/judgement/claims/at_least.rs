//! Judge that a score is large enough.

use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::benchmark::claims::AtLeast;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use crate::stats::paired::ALPHA;

impl JudgeClaim for AtLeast {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        results.series().into_iter().filter(|s| s.is_column(&self.labels, self.dataset.as_deref())).collect()
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let columns = self.columns(&evidence.results);
        let Some(summary) = columns.first().and_then(|s| s.summary(&self.metric)) else {
            return Ok((Judged::Undecided, "not run".into(), 0));
        };
        let (mean, bound) = (summary.mean, self.bound);
        let Some(h) = summary.half_width(ALPHA) else {
            let note = format!("{mean:.3} in the only repetition, bound {bound}");
            return Ok((Judged::Undecided, note, summary.n));
        };
        let judged = match mean {
            m if m - h >= bound => Judged::Holds,
            m if m + h < bound => Judged::Fails,
            _ => Judged::Undecided,
        };
        Ok((judged, format!("{mean:.3} ± {h:.3} (95 %), bound {bound}"), summary.n))
    }
}
