//! Warn of rows that are like their neighbours.

use crate::try_table::order::Alike;
use uq_core::stats::order::Order;

/// The warning of a comparison whose rows were divided at random.
pub fn warning(found: Alike) -> String {
    let alike = match found {
        Alike::Targets(targets, errors) => {
            let too = errors.map(|errors| {
                format!(
                    ", and so are the errors of the recommended method at neighbouring rows \
                     ({:.2})",
                    errors.ratio
                )
            });
            targets_alike("much", targets) + &too.unwrap_or_default()
        }
        Alike::Errors(errors) => {
            alike("the errors of the recommended method at neighbouring rows are alike", errors)
        }
        Alike::TargetsSomewhat(targets) => targets_alike("somewhat", targets),
    };
    format!(
        "{alike}. Rows are divided at random here, so that each has neighbours in the training \
         set. If new rows are later ones or of other groups, expect a lower coverage and larger \
         errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` \
         tests whole groups."
    )
}

/// The finding on a table whose targets are so, before a fit.
pub fn finding(targets: Order) -> String {
    let degree = if targets.is_series() { "much" } else { "somewhat" };
    format!(
        "{}; if new rows will be later ones or of other groups, folds of random rows promise too \
         much: --time COLUMN tests from past to future, --group COLUMN tests whole groups",
        targets_alike(degree, targets)
    )
}

fn targets_alike(degree: &str, targets: Order) -> String {
    alike(&format!("the targets of neighbouring rows are {degree} alike"), targets)
}

/// What is alike, by which ratio, and where that occurs.
fn alike(what: &str, order: Order) -> String {
    format!(
        "{what} (rank von Neumann ratio {:.2}; rows in random order have about 2), as in a series, \
         in groups, or in a sorted file",
        order.ratio
    )
}
