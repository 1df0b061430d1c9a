//! Judge every printed number and every claim of one benchmark, once.

use super::claims::Wording;
use super::scorecard::{ClaimLine, Scorecard};
use super::shipped::Shares;
use super::{claims, numbers, own_papers};
use crate::evidence::{Evidence, EvidenceError};

/// Judges every printed number and every claim of one benchmark. `wording` writes what decides a
/// claim.
///
/// # Errors
/// [`EvidenceError`] where a claim needs stored trials that cannot be read.
pub fn judge<'a>(
    evidence: &Evidence<'a>,
    wording: Wording,
) -> Result<Scorecard<'a>, EvidenceError> {
    let plan = evidence.results.plan;
    let mut card = Scorecard {
        plan,
        numbers: Vec::new(),
        claims: Vec::new(),
        wording,
        passed: 0,
        judged: 0,
        by_chance: 0.0,
        originals: own_papers::judge(evidence),
        shares: Shares::collect(evidence)?,
    };
    numbers::judge(evidence, &mut card);
    for claim in &plan.benchmark.claims {
        let (result, notes) = claims::judge(claim, evidence)?;
        let columns = claims::kind(&claim.statement).columns(&evidence.results);
        let first_trial = columns
            .iter()
            .find_map(|series| series.first_finished())
            .map(|result| result.key.clone());
        card.claims.push(ClaimLine { claim, result, notes, first_trial });
    }
    Ok(card)
}
