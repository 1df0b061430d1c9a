//! Say what the whole procedure covers, choice included.

use super::bounds::{percent_of, stated, with_interval};
use crate::try_table::estimate::{About, Estimate, Overstated};
use uq_core::predictive::Bounds;

/// What is estimated, in sentences; there is no estimate where some fold chooses no method.
pub fn procedure(estimate: Option<&Estimate>) -> String {
    let Some(Estimate { coverage, interval, about, .. }) = estimate else {
        return "With the choice of the method repeated on other rows each time, the coverage is \
                not known: for some fold the other rows recommend no method."
            .into();
    };
    let about = match about {
        About::ThisModel => "",
        About::TrainingSets => {
            " This is an average over training sets, not this model, which may cover more or less: \
             no interval is known for it here."
        }
    };
    format!(
        "With the choice of the method repeated on other rows each time, the coverage is \
         {}.{about}",
        with_interval(*coverage, *interval)
    )
}

/// The warning that it covers too few rows.
pub fn overstated(found: &Overstated, bounds: Bounds) -> String {
    let Overstated { estimate, method, coverage } = found;
    format!(
        "with the choice of the method repeated on other rows each time, the {} cover only {} of \
         the rows: too few. Expect this coverage of new rows, and not the {} of `{method}`, which \
         was chosen by the same rows.",
        stated(bounds),
        with_interval(estimate.coverage, estimate.interval),
        percent_of(coverage.share())
    )
}
