//! Audit a printed table: what its numbers say of themselves and of each other, without a run.
//!
//! A rule that rests on a theorem excludes numbers, under premises that it states. Every other rule
//! compares two explanations of the numbers and gives the ratio of their likelihoods. `docs/
//! understand/audit-table.md` derives each rule; thresholds and models were fixed before the rules
//! met the tables on which their false alarms are counted.

mod bounds;
mod chance;
mod counts;
mod digits;
mod forms;
mod protocol;
mod read;
mod references;
mod repeats;

use std::collections::BTreeMap;

use uqbench_run::benchmark::SpreadKind;

pub use chance::Agreeing;
pub use protocol::Nearest;
pub use read::{Premises, ReadError};
pub use references::References;

/// Ratio of likelihoods from which an explanation is called unlikely.
pub const UNLIKELY: f64 = 100.0;

/// Ratio of likelihoods below which nothing is said.
pub const SILENT: f64 = 10.0;

/// What is scored on a column by numbers with units, the likelihoods of which are known.
const SCORES: [Quantity; 4] =
    [Quantity::Rmse, Quantity::LogLikelihood, Quantity::NegativeLogLikelihood, Quantity::Crps];

/// What a printed number measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Root mean squared error of the point predictions.
    Rmse,
    /// Mean log predictive density of a test row; higher is better.
    LogLikelihood,
    /// Its negative.
    NegativeLogLikelihood,
    /// Continuous ranked probability score.
    Crps,
    /// Share of the test rows in an interval.
    Coverage,
    /// Mean width of an interval, in the units of the target.
    Width,
}

impl Quantity {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rmse => "RMSE",
            Self::LogLikelihood => "log-likelihood",
            Self::NegativeLogLikelihood => "negative log-likelihood",
            Self::Crps => "CRPS",
            Self::Coverage => "coverage",
            Self::Width => "width",
        }
    }
}

/// A printed digit string as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits {
    /// The number.
    pub value: f64,
    /// One unit of its last digit.
    pub unit: f64,
}

impl Digits {
    /// The least number that is printed so, rounded or cut.
    pub fn least(self) -> f64 {
        let is_negative = self.value.is_sign_negative();
        self.value - if is_negative { self.unit } else { 0.5 * self.unit }
    }

    /// The largest number that is printed so, rounded or cut.
    pub fn largest(self) -> f64 {
        let is_negative = self.value.is_sign_negative();
        self.value + if is_negative { 0.5 * self.unit } else { self.unit }
    }
}

/// A printed number, with what is known of how it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its line in its file.
    pub line: usize,
    /// The key of its dataset.
    pub dataset: String,
    /// The labels of its column.
    pub labels: BTreeMap<String, String>,
    /// The level of its interval, as it is written; empty for what has none.
    pub level: String,
    /// What it measures.
    pub quantity: Quantity,
    /// Its digits.
    pub digits: Digits,
    /// Its printed spread.
    pub spread: Option<Digits>,
    /// The stated kind of the spread.
    pub kind: SpreadKind,
    /// Number of splits.
    pub count: Option<u64>,
    /// Test rows of each split.
    pub test_rows: Option<usize>,
    /// The scores of the splits, where they are printed. Zeros at their ends are not known.
    pub splits: Vec<Digits>,
    /// What is stated of its predictions.
    pub premises: Premises,
}

/// A printed table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its numbers, in the order of the file.
    pub numbers: Vec<Number>,
    /// The key of its paper, where the program knows it.
    pub paper: Option<String>,
    /// How many numbers measure something that no rule reads.
    pub unread: usize,
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A mean coverage times its test rows is a whole number.
    CoverageCount,
    /// The variance of coverages of mean c is at most c (1 − c).
    CoverageSpread,
    /// A normal log-likelihood of one variance a split is bounded by the RMSE.
    LogLikelihoodBound,
    /// Chebyshev: a wide interval about good predictions covers.
    CoverageBound,
    /// Last digits.
    LastDigits,
    /// Standard deviation or standard error.
    SpreadKind,
    /// Units of the RMSE.
    Units,
    /// Sum or mean, sign and units of a log-likelihood.
    LogLikelihoodForm,
    /// Numbers of an earlier table.
    EarlierNumbers,
    /// Equal columns of the table itself.
    EqualColumns,
    /// The numbers of a predictor that ignores the features.
    IgnoresFeatures,
}

impl Rule {
    /// All rules, in the order of a page.
    pub const ALL: [Self; 11] = [
        Self::CoverageCount,
        Self::CoverageSpread,
        Self::LogLikelihoodBound,
        Self::CoverageBound,
        Self::LastDigits,
        Self::SpreadKind,
        Self::Units,
        Self::LogLikelihoodForm,
        Self::EarlierNumbers,
        Self::EqualColumns,
        Self::IgnoresFeatures,
    ];
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// A theorem excludes the numbers, under premises that the table's reader has stated or that
    /// every such table meets.
    Excluded,
    /// A theorem excludes the numbers if its premise holds, which is not stated.
    ExcludedIf,
    /// The stated reading of the numbers is less likely than another one, by this factor.
    Unlikely(f64),
    /// One reading is likelier than the other by this factor, and the table states neither.
    Likelier(f64),
    /// The numbers are those of another paper's table, which this makes likelier by the factor than
    /// that they agree by chance. A table may repeat earlier numbers: nothing is wrong with it.
    Same(f64),
    /// The other reading is somewhat more likely, by this factor: nothing follows.
    CannotTell(f64),
}

impl Verdict {
    /// The verdict on a ratio of likelihoods, given as its logarithm; `None` where there is nothing
    /// to say.
    fn of_ratio(log_ratio: f64) -> Option<Self> {
        let ratio = log_ratio.min(700.0).exp();
        match ratio {
            _ if ratio >= UNLIKELY => Some(Self::Unlikely(ratio)),
            _ if ratio >= SILENT => Some(Self::CannotTell(ratio)),
            _ => None,
        }
    }
}

/// What was found, for its words.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A coverage is above 1, or below 0.
    Range {
        /// The printed coverage.
        printed: f64,
    },
    /// A mean coverage is no share of whole rows.
    Count {
        /// The printed coverage.
        printed: f64,
        /// The rows that it is over.
        rows: f64,
        /// The whole number of covered rows below it.
        below: f64,
        /// The one above.
        above: f64,
    },
    /// Coverages have more variance than numbers in [0, 1] of their mean can have.
    Spread {
        /// The mean coverage.
        mean: f64,
        /// The least standard deviation that the printed spread stands for.
        sd: f64,
        /// The largest one that is possible.
        most: f64,
    },
    /// A log-likelihood exceeds its bound.
    AboveBound {
        /// The least log-likelihood that is printed so.
        printed: f64,
        /// The bound.
        bound: f64,
        /// The printed RMSE.
        rmse: f64,
    },
    /// A coverage is below its bound.
    BelowBound {
        /// The largest coverage that is printed so.
        printed: f64,
        /// The bound.
        bound: f64,
        /// The printed width.
        width: f64,
        /// The printed RMSE.
        rmse: f64,
    },
    /// Many last digits are 0 or 5.
    RoundDigits {
        /// How many.
        round: usize,
        /// Of how many.
        all: usize,
    },
    /// The spreads fit another kind.
    Kind {
        /// The stated kind.
        stated: SpreadKind,
        /// The one that fits.
        fits: SpreadKind,
        /// Number of datasets that say so.
        datasets: usize,
    },
    /// The numbers fit another form.
    Form {
        /// What they are stated to measure.
        quantity: Quantity,
        /// The form that fits.
        fits: Form,
        /// Number of datasets that say so.
        datasets: usize,
    },
    /// Numbers are those of another column.
    Equal {
        /// The other column.
        other: String,
        /// How many numbers are equal.
        equal: usize,
        /// Of how many that both columns have.
        shared: usize,
        /// How many would be equal by chance.
        by_chance: f64,
    },
    /// The RMSEs are those of the training target's mean.
    Unconditional {
        /// Number of datasets that say so.
        datasets: usize,
    },
}

/// A form in which scores may be printed, other than the stated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As stated.
    Stated,
    /// With the other sign.
    Negative,
    /// Summed over the test rows.
    Sum,
    /// Summed over the test rows, with the other sign.
    NegativeSum,
    /// In units of the target's standard deviation.
    Standardised,
    /// In these units, with the other sign.
    NegativeStandardised,
}

/// A finding about some numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What it says.
    pub verdict: Verdict,
    /// The lines of the numbers.
    pub lines: Vec<usize>,
    /// The dataset, where it is about one.
    pub dataset: Option<String>,
    /// The column.
    pub column: String,
    /// What was found.
    pub evidence: Evidence,
}

/// What a rule looked at and found.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The rule.
    pub rule: Rule,
    /// How many numbers, or columns, it could be applied to.
    pub applied: usize,
    /// What it found.
    pub findings: Vec<Finding>,
}

/// All rules on a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Each rule, in the order of [`Rule::ALL`].
    pub rules: Vec<Checked>,
    /// The nearest known protocol.
    pub nearest: Option<Nearest>,
    /// How many numbers would agree with those of other columns, of each quantity that has several
    /// columns.
    pub by_chance: Vec<Agreeing>,
}

impl Audit {
    /// Applies every rule to a table.
    pub fn new(table: &Table, references: &References) -> Self {
        let rules = Rule::ALL.map(|rule| {
            let mut checked = Checked { rule, applied: 0, findings: Vec::new() };
            match rule {
                Rule::CoverageCount => counts::whole_numbers(table, &mut checked),
                Rule::CoverageSpread => counts::variances(table, &mut checked),
                Rule::LogLikelihoodBound => bounds::log_likelihoods(table, &mut checked),
                Rule::CoverageBound => bounds::coverages(table, &mut checked),
                Rule::LastDigits => digits::last_digits(table, &mut checked),
                Rule::SpreadKind => forms::spread_kinds(table, references, &mut checked),
                Rule::Units => forms::units(table, references, &mut checked),
                Rule::LogLikelihoodForm => forms::log_likelihoods(table, references, &mut checked),
                Rule::EarlierNumbers => repeats::earlier(table, references, &mut checked),
                Rule::EqualColumns => repeats::within(table, references, &mut checked),
                Rule::IgnoresFeatures => forms::unconditional(table, references, &mut checked),
            }
            checked
        });
        let by_chance = chance::agreeing(table);
        Self { rules: rules.into(), nearest: protocol::nearest(table), by_chance }
    }

    /// Everything that was found, in the order of the rules.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.rules.iter().flat_map(|checked| &checked.findings)
    }

    /// Whether a theorem excludes a number.
    pub fn excludes(&self) -> bool {
        self.findings().any(|finding| finding.verdict == Verdict::Excluded)
    }
}

impl Checked {
    /// Adds what was found about a column.
    fn add_column(&mut self, numbers: &[&Number], verdict: Option<Verdict>, evidence: Evidence) {
        let (Some(verdict), Some(first)) = (verdict, numbers.first()) else { return };
        self.findings.push(Finding {
            rule: self.rule,
            verdict,
            lines: numbers.iter().map(|number| number.line).collect(),
            dataset: None,
            column: first.column(),
            evidence,
        });
    }
}

impl Number {
    /// The heading of its column.
    pub fn column(&self) -> String {
        self.labels.values().cloned().collect::<Vec<_>>().join(", ")
    }

    /// A finding about this number.
    fn finding(&self, rule: Rule, verdict: Verdict, evidence: Evidence) -> Finding {
        Finding {
            rule,
            verdict,
            lines: vec![self.line],
            dataset: Some(self.dataset.clone()),
            column: self.column(),
            evidence,
        }
    }

    /// The standard deviations over splits that the printed spread may stand for: the least and the
    /// largest, by every kind that it may be of; `None` without a spread or a count.
    fn sd_range(&self) -> Option<(f64, f64)> {
        let (spread, splits) = (self.spread?, self.count? as f64);
        let factors: &[f64] = match self.kind {
            SpreadKind::Sd => &[1.0],
            SpreadKind::Se => &[splits.sqrt()],
            _ => &[1.0, splits.sqrt()],
        };
        let least = factors.iter().map(|factor| spread.least().max(0.0) * factor);
        let least = least.fold(f64::INFINITY, f64::min);
        let most = factors.iter().map(|factor| spread.largest() * factor).fold(0.0, f64::max);
        Some((least, most))
    }
}

impl Table {
    /// The numbers of a quantity.
    fn numbers_of(&self, quantity: Quantity) -> impl Iterator<Item = &Number> {
        self.numbers.iter().filter(move |number| number.quantity == quantity)
    }

    /// The number of another quantity in the same dataset and column, of as many splits and, where
    /// it has one, of the same level.
    fn beside(&self, number: &Number, quantity: Quantity) -> Option<&Number> {
        let is_beside = |other: &&Number| {
            (&other.dataset, &other.labels, other.count)
                == (&number.dataset, &number.labels, number.count)
                && (other.level.is_empty() || other.level == number.level)
        };
        self.numbers_of(quantity).find(is_beside)
    }

    /// The numbers of each column of a quantity, in the order of the file; none is empty.
    fn columns(&self, quantity: Quantity) -> Vec<Vec<&Number>> {
        let mut columns: Vec<Vec<&Number>> = Vec::new();
        for number in self.numbers_of(quantity) {
            match columns.iter_mut().find(|column| column[0].labels == number.labels) {
                Some(column) => column.push(number),
                None => columns.push(vec![number]),
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests;
