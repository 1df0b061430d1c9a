//! Hold what decides a claim, as numbers and names; the report puts it into words.

use super::outcome::Judged;
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::{End, Statistic};

/// Writes a note in words. JSON and findings state them; they belong to the report.
pub type Wording = fn(&Note) -> String;

/// What decides a claim on our runs and on the printed numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Notes {
    /// On our runs.
    pub own: Note,
    /// On the paper's printed numbers.
    pub printed: PrintedNote,
}

/// What our runs show of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A mean is held against a lower bound.
    AtLeast {
        /// The metric.
        metric: MetricId,
        /// The bound.
        bound: f64,
        /// The mean in the main reading; `None` where it has no number.
        main: Option<Estimate>,
        /// The means of the variants that the words of the paper allow as well, by their names.
        variants: Vec<(String, Option<Estimate>)>,
    },
    /// Comparisons of two sides are counted.
    Counted(Counts),
    /// A curve has no point at one of the ends of its range.
    NoEnd {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// No repetition has a positive number at every point.
    NotPositive,
    /// An exponent is held against an upper bound.
    Exponent {
        /// The exponent.
        exponent: Estimate,
        /// The bound.
        bound: f64,
    },
    /// Fewer than two repetitions have a number at every point.
    FewRepetitions,
    /// One dataset is compared with each other one.
    Extreme(Extremes),
    /// The changes along a curve are held against a factor.
    Flat {
        /// The largest change, as a factor.
        largest: f64,
        /// The points between which it is.
        between: (f64, f64),
        /// The factor of the claim.
        factor: f64,
        /// Number of pairs of points.
        pairs: usize,
        /// Pairs that change by less than the factor for sure.
        inside: usize,
        /// Pairs that change by more for sure.
        outside: usize,
    },
    /// The steps of a curve are counted.
    Increasing {
        /// Number of steps.
        steps: usize,
        /// Steps that lead up in the mean.
        up_in_the_mean: usize,
        /// Steps that lead up and down significantly; `None` for fewer than two repetitions.
        significant: Option<(usize, usize)>,
    },
    /// Not every learning curve has an area.
    NoArea,
    /// A learning curve is ranked among others on each dataset.
    LearningRanked {
        /// Its ranks.
        ranks: Ranks,
        /// Share of bootstrap samples in which enough ranks are low enough; `None` for one
        /// repetition.
        share: Option<f64>,
    },
    /// The learning curve that is best on most datasets.
    LearningUndominated {
        /// Number of datasets on which it is best.
        best: usize,
        /// Number of all datasets.
        datasets: usize,
        /// Share of bootstrap samples in which no curve is best on all; `None` for one repetition.
        share: Option<f64>,
    },
    /// The gains of a learning curve are counted.
    LearningGain(Gains),
    /// A place has fewer than two repetitions with a number.
    NoInterval(Place),
    /// A quantity of each trial is held against bounds.
    Measured {
        /// What is held against them.
        statistic: Statistic,
        /// The numbers, place by place.
        numbers: Vec<Measurement>,
        /// Lower bound.
        at_least: Option<f64>,
        /// Upper bound.
        at_most: Option<f64>,
    },
    /// Where a curve has its minimum.
    Minimum {
        /// Minimum of the mean.
        at: f64,
        /// Ends of 95 % of the minima of bootstrap samples.
        interval: (f64, f64),
        /// Share of these minima that lie within the bounds of the claim.
        share: f64,
        /// These bounds.
        within: (f64, f64),
    },
    /// Comparisons are held against a margin.
    NonInferior {
        /// The margin, a share.
        margin: f64,
        /// Number of all comparisons.
        total: usize,
        /// Those that have a number.
        ran: usize,
        /// Those whose mean stays within the margin.
        within_in_the_mean: usize,
        /// Those that stay within it for sure, and those that are significantly beyond it; `None`
        /// for fewer than two repetitions.
        significant: Option<(usize, usize)>,
        /// Those that count for neither side.
        uncounted: Uncounted,
    },
    /// The best values at the end of an optimisation, by readings.
    Optimised {
        /// The readings with their names: how each is judged, and its comparisons.
        readings: Vec<(String, Judged, Counts)>,
        /// Datasets with the share of subsets of five trials in which the first reading would win.
        five: Vec<(String, f64)>,
    },
    /// No choice of a candidate is stored.
    NoChoice,
    /// How often two criteria choose the same candidate.
    SameChoice {
        /// Datasets with the mean share of the choices.
        shares: Vec<(String, f64)>,
        /// The share that the claim needs.
        at_least: f64,
    },
    /// Scores have no number.
    Scoreless {
        /// Number of such scores.
        without: usize,
        /// Number of all scores.
        all: usize,
    },
    /// A column is ranked among others in each cell.
    Ranked {
        /// Its ranks.
        ranks: Ranks,
        /// Share of bootstrap samples in which enough ranks are low enough; `None` for one
        /// repetition.
        share: Option<f64>,
    },
    /// The claim has no column.
    NoColumn,
    /// Fewer than two repetitions have hyper-functions.
    NoHyperFunctions,
    /// Correlations of learned hyper-functions with the true ones are held against a bound.
    Recovered {
        /// The functions with their correlations, each with the half width of its 95 % interval.
        correlations: Vec<(String, f64, f64)>,
        /// The bound.
        bound: f64,
    },
    /// Recommended points are held against all others, dataset by dataset.
    Unbeaten {
        /// What each dataset shows.
        datasets: Vec<Rivals>,
        /// Number of comparisons on all datasets.
        comparisons: usize,
    },
    /// The means of a curve are held against an interval.
    Within {
        /// Points with their means, each with the half width of its interval; all intervals are
        /// 95 % ones together.
        means: Vec<(f64, f64, f64)>,
        /// The interval.
        interval: (f64, f64),
        /// Means that lie within it for sure.
        inside: usize,
        /// Means that lie outside of it for sure.
        outside: usize,
    },
}

/// What the printed numbers show of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintedNote {
    /// The paper prints no numbers for it.
    Unprinted,
    /// Comparisons of two sides are counted.
    Counted(PrintedCounts),
    /// A column is ranked among others in each cell.
    Ranked(Ranks),
    /// Comparisons are held against a margin.
    NonInferior {
        /// The margin, a share.
        margin: f64,
        /// Comparisons that stay within it.
        within: usize,
        /// Number of all comparisons.
        total: usize,
        /// Those in which the narrower intervals cover too little.
        short: usize,
    },
}

/// A mean over repetitions with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half width of its interval; `None` for one repetition.
    pub half_width: Option<f64>,
}

impl From<Summary> for Estimate {
    /// The mean with its 95 % interval.
    fn from(summary: Summary) -> Self {
        Self { mean: summary.mean, half_width: summary.half_width(ALPHA) }
    }
}

/// What a claim says of the side under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Its number is lower.
    Lower,
    /// Its loss is lower: it is better.
    Better,
}

/// Comparisons of our runs that do not count as all others do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uncounted {
    /// Those in which the narrower intervals cover too little.
    pub short: usize,
    /// Those of which a side has not run.
    pub unrun: usize,
    /// Those without a repetition that both sides have.
    pub empty: usize,
}

/// Comparisons of two sides on our runs, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// What the claim says of the side under test.
    pub order: Order,
    /// Number of all comparisons.
    pub total: usize,
    /// Those that may decide.
    pub ran: usize,
    /// Those in which the side under test is as claimed in the mean.
    pub in_the_mean: usize,
    /// Those in which it is significantly as claimed, and those in which it is significantly the
    /// opposite; `None` for fewer than two repetitions.
    pub significant: Option<(usize, usize)>,
    /// Those that count for neither side.
    pub uncounted: Uncounted,
    /// The difference that is largest in units of its standard error, and the half width of its
    /// interval; a negative one is as claimed.
    pub clearest: Option<(f64, f64)>,
    /// Number that the claim needs.
    pub needed: usize,
    /// Those of fewer than ten repetitions, where the others decide whatever these show; else 0.
    pub idle: usize,
}

/// Comparisons of printed numbers, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedCounts {
    /// What the claim says of the side under test.
    pub order: Order,
    /// Comparisons in which it is so.
    pub below: usize,
    /// Comparisons of equal numbers.
    pub ties: usize,
    /// Those in which the narrower intervals cover too little.
    pub short: usize,
    /// Number of all comparisons.
    pub total: usize,
    /// Number that the claim needs.
    pub needed: usize,
}

/// The ranks of what is under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The highest rank that the claim allows.
    pub at_most: usize,
    /// How many ranks are no higher.
    pub within: usize,
    /// Number that the claim needs.
    pub needed: usize,
    /// Each rank with the name of its cell or dataset.
    pub all: Vec<(String, usize)>,
}

/// One dataset against each other one, at all points of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The end that the claim states.
    pub end: End,
    /// The comparison that speaks most against the claim.
    pub least: Superiority,
    /// Number of comparisons.
    pub total: usize,
    /// Those that are significantly as claimed.
    pub inside: usize,
    /// Those that are significantly the opposite.
    pub outside: usize,
    /// The other datasets, each with the smallest and the largest share over the points.
    pub ranges: Vec<(String, f64, f64)>,
}

/// In which share of the pairs of repetitions a dataset is beyond another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Superiority {
    /// The other dataset.
    pub dataset: String,
    /// The share.
    pub share: f64,
    /// The ends of its interval.
    pub interval: (f64, f64),
}

/// Gains of a learning curve, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gains {
    /// Number of all differences.
    pub all: usize,
    /// Those that have a number.
    pub ran: usize,
    /// Those above zero in the mean.
    pub above_in_the_mean: usize,
    /// Those significantly above and below zero; `None` for fewer than two repetitions.
    pub significant: Option<(usize, usize)>,
}

/// Where a quantity is measured: on a dataset, or as the ratio of one dataset to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The dataset.
    pub dataset: String,
    /// The dataset by which a ratio divides.
    pub before: Option<String>,
}

/// A number that is held against bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Where it is measured.
    pub place: Place,
    /// The number.
    pub centre: f64,
    /// Half width of its interval; `None` where all repetitions have the same number but for
    /// rounding, and for a spread.
    pub half_width: Option<f64>,
}

/// What the other points of one curve show of a recommended one.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivals {
    /// The dataset.
    pub dataset: String,
    /// The recommended point.
    pub recommended: f64,
    /// Number of other points.
    pub all: usize,
    /// Those without numbers to compare.
    pub empty: usize,
    /// Those of which two repetitions or more are compared.
    pub tested: usize,
    /// Those that are better in the mean.
    pub better_in_the_mean: usize,
    /// Those that are significantly better.
    pub better: Vec<f64>,
    /// Those that are shown to be better by less than the tolerance.
    pub equal: usize,
    /// How much better a point may be and count as equal.
    pub tolerance: f64,
    /// The point with the best mean of those tested, and what the recommended one loses against
    /// it: less than nothing where the recommended one is better.
    pub best: Option<(f64, Estimate)>,
}
