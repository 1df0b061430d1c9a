//! State formulas: a constant and a weighted sum of products, ratios and the like of columns.

use crate::own::error::SHOWN;
use uq_core::printable::printable;

/// Digits of a weight in words.
const DIGITS: i32 = 6;

/// A column of the table as a factor of a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factor {
    /// Its place in the list of columns.
    pub column: usize,
    /// What stands for the column's value x.
    pub part: Part,
}

/// The part of a value that is a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// x.
    Whole,
    /// 1 − x ÷ the number, what is left of a discount.
    Less(f64),
    /// 1 + x ÷ the number, what a rate adds.
    More(f64),
}

impl Factor {
    /// The column itself.
    pub fn whole(column: usize) -> Self {
        Self { column, part: Part::Whole }
    }

    /// The factor's value for the column's value.
    pub fn of(self, x: f64) -> f64 {
        match self.part {
            Part::Whole => x,
            Part::Less(unit) => 1.0 - x / unit,
            Part::More(unit) => 1.0 + x / unit,
        }
    }

    fn words(self, names: &[&str]) -> String {
        let name = quoted(names, self.column);
        let share = |unit: f64| if unit == 1.0 { name.clone() } else { format!("{name}/{unit}") };
        match self.part {
            Part::Whole => name,
            Part::Less(unit) => format!("(1 − {})", share(unit)),
            Part::More(unit) => format!("(1 + {})", share(unit)),
        }
    }
}

/// A function of columns whose weighted sum may be the target.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Basis {
    /// The product of factors to powers.
    Product(Vec<(Factor, f64)>),
    /// A function of two columns.
    Pair(Pair, [usize; 2]),
}

/// A function of two columns a and b that is no product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// a ÷ (a + b).
    Share,
    /// (a − b) ÷ (a + b).
    Contrast,
    /// The larger one.
    Larger,
    /// The smaller one.
    Smaller,
    /// √(a² + b²).
    Length,
}

impl Pair {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Share, Self::Contrast, Self::Larger, Self::Smaller, Self::Length];

    /// Its value.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Share => a / (a + b),
            Self::Contrast => (a - b) / (a + b),
            Self::Larger => a.max(b),
            Self::Smaller => a.min(b),
            Self::Length => a.hypot(b),
        }
    }
}

impl Basis {
    /// One column.
    pub fn column(column: usize) -> Self {
        Self::Product(vec![(Factor::whole(column), 1.0)])
    }

    /// The columns that it is made of.
    pub fn columns(&self) -> Vec<usize> {
        match self {
            Self::Product(factors) => factors.iter().map(|(factor, _)| factor.column).collect(),
            Self::Pair(_, columns) => columns.to_vec(),
        }
    }

    /// Its value, where `at` gives the value of a column.
    pub fn value(&self, at: impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::Product(factors) => factors
                .iter()
                .map(|(factor, power)| raised(factor.of(at(factor.column)), *power))
                .product(),
            Self::Pair(pair, [a, b]) => {
                let (a, b) = (at(*a), at(*b));
                // The larger of a number and a missing one would be the number.
                if a.is_nan() || b.is_nan() { f64::NAN } else { pair.of(a, b) }
            }
        }
    }

    fn words(&self, names: &[&str]) -> String {
        match self {
            Self::Product(factors) => of_product(factors, names),
            Self::Pair(pair, [a, b]) => {
                let (a, b) = (quoted(names, *a), quoted(names, *b));
                match pair {
                    Pair::Share => format!("{a} / ({a} + {b})"),
                    Pair::Contrast => format!("({a} − {b}) / ({a} + {b})"),
                    Pair::Larger => format!("the larger of {a} and {b}"),
                    Pair::Smaller => format!("the smaller of {a} and {b}"),
                    Pair::Length => format!("√({a}² + {b}²)"),
                }
            }
        }
    }
}

/// A number to a power; whole powers keep the sign.
fn raised(x: f64, power: f64) -> f64 {
    if power == power.round() && power.abs() < 9.0 { x.powi(power as i32) } else { x.powf(power) }
}

/// A product in words: first what multiplies, then what divides.
fn of_product(factors: &[(Factor, f64)], names: &[&str]) -> String {
    let power = |size: f64| match size {
        1.0 => String::new(),
        2.0 => "²".into(),
        3.0 => "³".into(),
        other => format!("^{}", rounded(other, 4)),
    };
    let (above, below): (Vec<_>, Vec<_>) = factors.iter().partition(|(_, power)| *power > 0.0);
    let words = |part: &[&(Factor, f64)], between: &str| {
        let each = part.iter().map(|(factor, size)| factor.words(names) + &power(size.abs()));
        each.collect::<Vec<_>>().join(between)
    };
    let first = if above.is_empty() { "1".into() } else { words(&above, " × ") };
    if below.is_empty() { first } else { format!("{first} / {}", words(&below, " / ")) }
}

fn quoted(names: &[&str], column: usize) -> String {
    format!("\"{}\"", printable(names.get(column).copied().unwrap_or_default(), SHOWN))
}

/// A formula for the target.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula {
    /// What is added.
    pub constant: f64,
    /// Functions with their weights.
    pub terms: Vec<(f64, Basis)>,
}

impl Formula {
    /// Its value, where `at` gives the value of a column.
    pub fn value(&self, at: impl Fn(usize) -> f64) -> f64 {
        self.constant
            + self.terms.iter().map(|(weight, basis)| weight * basis.value(&at)).sum::<f64>()
    }

    /// The columns of it, each once, in the order of the table.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns: Vec<usize> =
            self.terms.iter().flat_map(|(_, basis)| basis.columns()).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Whether it adds and subtracts columns as they are.
    pub fn is_plain_sum(&self) -> bool {
        let is_column = |basis: &Basis| match basis {
            Basis::Product(factors) => {
                matches!(factors[..], [(Factor { part: Part::Whole, .. }, 1.0)])
            }
            Basis::Pair(..) => false,
        };
        let is_plain = |(weight, basis): &(f64, Basis)| weight.abs() == 1.0 && is_column(basis);
        self.constant == 0.0 && self.terms.iter().all(is_plain)
    }

    /// The formula in words.
    pub fn words(&self, names: &[&str]) -> String {
        let mut words = String::new();
        let weighted = |weight: f64, basis: &Basis| match weight {
            1.0 => basis.words(names),
            _ => format!("{} × {}", rounded(weight, DIGITS), basis.words(names)),
        };
        let terms =
            self.terms.iter().map(|(weight, basis)| (*weight, weighted(weight.abs(), basis)));
        let constant = (self.constant != 0.0)
            .then(|| (self.constant, rounded(self.constant.abs(), DIGITS).to_string()));
        // What is subtracted follows what it is subtracted from.
        let mut all: Vec<(f64, String)> = terms.chain(constant).collect();
        all.sort_by_key(|(sign, _)| *sign < 0.0);
        for (i, (sign, term)) in all.iter().enumerate() {
            words += match (i, *sign < 0.0) {
                (0, false) => "",
                (0, true) => "−",
                (_, false) => " + ",
                (_, true) => " − ",
            };
            words += term;
        }
        words
    }
}

/// A number rounded to `digits` significant digits.
pub(super) fn rounded(x: f64, digits: i32) -> f64 {
    let places = usize::try_from(digits - 1).unwrap_or_default();
    format!("{x:.places$e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_computed_and_told_by_the_names_of_columns() {
        let names = ["mass", "height", "rate"];
        let x = [80.0, 2.0, 20.0];
        let of =
            |formula: Formula| (formula.value(|j| x[j]), formula.words(&names), formula.columns());
        let body = Basis::Product(vec![(Factor::whole(0), 1.0), (Factor::whole(1), -2.0)]);
        let index = Formula { constant: 0.0, terms: vec![(1.0, body)] };
        assert_eq!(of(index), (20.0, "\"mass\" / \"height\"²".into(), vec![0, 1]));
        let left = Basis::Product(vec![
            (Factor::whole(0), 1.0),
            (Factor { column: 2, part: Part::Less(100.0) }, 1.0),
        ]);
        let sum = Formula { constant: -1.0, terms: vec![(-0.5, Basis::column(1)), (2.0, left)] };
        assert_eq!(
            of(sum),
            (
                126.0,
                "2 × \"mass\" × (1 − \"rate\"/100) − 0.5 × \"height\" − 1".into(),
                vec![0, 1, 2]
            )
        );
        let larger =
            Formula { constant: 0.0, terms: vec![(1.0, Basis::Pair(Pair::Larger, [1, 2]))] };
        assert_eq!(larger.value(|j| x[j]), 20.0);
        assert!(
            larger.value(|j| if j == 1 { f64::NAN } else { 1.0 }).is_nan(),
            "a missing number has no larger one"
        );
    }
}
