//! Compute how many numbers of a table would agree with those of other columns by chance, which is
//! what a reproduction of the table has to exceed.
//!
//! As on the pages of papers, the numbers of a dataset are dealt to its columns: each column gets
//! each number, its own one too, with the same probability. Two numbers agree within the tolerance
//! of their metric and half a unit of the last printed digit.

use super::{Number, Quantity, Table};
use uq_core::metrics::{MetricId, ParseMetricError};

/// How many numbers of a quantity would agree by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreeing {
    /// What the numbers measure.
    pub quantity: Quantity,
    /// How many numbers stand beside three others or more of their dataset.
    pub numbers: usize,
    /// How many of them would agree by chance.
    pub by_chance: f64,
}

/// A dataset with fewer numbers is left out. Each column is also dealt its own number, so that of
/// two columns half the numbers agree whatever they print.
const FEWEST: usize = 4;

/// Every quantity, in the order of a page.
const ALL: [Quantity; 6] = [
    Quantity::Rmse,
    Quantity::LogLikelihood,
    Quantity::NegativeLogLikelihood,
    Quantity::Crps,
    Quantity::Coverage,
    Quantity::Width,
];

/// Each quantity of which a dataset has numbers in four columns or more.
pub fn agreeing(table: &Table) -> Vec<Agreeing> {
    ALL.into_iter().filter_map(|quantity| of_quantity(table, quantity)).collect()
}

fn of_quantity(table: &Table, quantity: Quantity) -> Option<Agreeing> {
    let metric = metric(quantity).ok()?;
    let mut agreeing = Agreeing { quantity, numbers: 0, by_chance: 0.0 };
    for number in table.numbers_of(quantity) {
        let is_beside =
            |other: &&Number| (&other.dataset, &other.level) == (&number.dataset, &number.level);
        let row: Vec<&Number> = table.numbers_of(quantity).filter(is_beside).collect();
        if row.len() < FEWEST {
            continue;
        }
        // No tolerance of these metrics depends on the number of rows.
        let margin = metric.tolerance(number.digits.value, 1.0) + 0.5 * number.digits.unit;
        let agrees = |other: &&&Number| (other.digits.value - number.digits.value).abs() <= margin;
        agreeing.numbers += 1;
        agreeing.by_chance += row.iter().filter(agrees).count() as f64 / row.len() as f64;
    }
    (agreeing.numbers > 0).then_some(agreeing)
}

/// The metric whose tolerance the numbers have.
fn metric(quantity: Quantity) -> Result<MetricId, ParseMetricError> {
    match quantity {
        Quantity::Rmse => "rmse",
        Quantity::LogLikelihood | Quantity::NegativeLogLikelihood => "log-likelihood",
        Quantity::Crps => "crps",
        Quantity::Coverage => "picp(level=0.95)",
        Quantity::Width => "mpiw(level=0.95)",
    }
    .parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dealt_to_the_columns_of_their_dataset() {
        let text = "dataset,method,metric,value\n\
                    boston,a,rmse,1.00\nboston,b,rmse,2.00\nboston,c,rmse,4.00\nboston,d,rmse,8.00\n\
                    yacht,a,rmse,1.00\nyacht,b,rmse,1.05\nyacht,c,rmse,1.02\nyacht,d,rmse,9.00\n\
                    energy,a,rmse,1.00\nenergy,b,rmse,1.00\n\
                    boston,a,coverage,0.95\nboston,b,coverage,0.96\n";
        let found = agreeing(&Table::parse(text).unwrap());
        let [rmse] = &found[..] else { unreachable!("{found:?}") };
        // Boston: each agrees with itself alone, 4 × 1/4. Yacht: three with three, one with itself.
        assert_eq!((rmse.quantity, rmse.numbers), (Quantity::Rmse, 8));
        assert!((rmse.by_chance - (1.0 + 3.0 * 0.75 + 0.25)).abs() < 1e-12, "{rmse:?}");
    }

    #[test]
    fn every_quantity_has_a_tolerance() {
        for quantity in ALL {
            assert!(metric(quantity).unwrap().tolerance(0.9, 1.0) > 0.0, "{quantity:?}");
        }
    }
}
