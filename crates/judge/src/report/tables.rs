//! List the tables of a benchmark in the order of its page.

use super::lacks::Lacks;
use super::scores::is_main_column;
use super::table::Table;
use super::{checks, common_splits, curves, decomposed, fits, learned, optimised, scores};
use crate::evidence::decomposition::Column;
use crate::evidence::{Evidence, EvidenceError};
use crate::judgement::Scorecard;

/// Every table: what a reader needs first, those by metric, then what explains them. A table that
/// cannot be read costs itself alone, and is named in `lacks`. `columns` are those whose parts of
/// the variance are compared with the truth.
///
/// # Errors
/// [`EvidenceError`] where the store cannot be read.
pub fn tables(
    evidence: &Evidence,
    card: &Scorecard,
    columns: &[Column],
    lacks: &mut Lacks,
) -> Result<Vec<Table>, EvidenceError> {
    let results = &evidence.results;
    let mut all = lacks.or_none(learned::overview(evidence))?;
    let series = results.series();
    let has_curves = series.iter().any(|s| s.column.x.is_some());
    let has_columns = series.iter().any(is_main_column);
    for metric in &results.plan.benchmark.metrics {
        if has_curves {
            all.extend(curves::curves(evidence, metric));
        }
        if has_columns || !has_curves {
            all.push(scores::scores(evidence, card, metric));
            all.extend(common_splits::common_splits(results, &metric.id));
        }
    }
    all.extend(scores::of_variants(evidence));
    all.extend(checks::validation(results));
    all.extend(decomposed::decomposed(results, columns));
    all.extend(lacks.or_none(learned::areas(evidence))?);
    all.extend(lacks.or_none(optimised::optimised(evidence))?);
    all.extend(fits::fits(evidence));
    all.extend(checks::variance(results));
    all.extend(checks::incomplete(results));
    Ok(all)
}
