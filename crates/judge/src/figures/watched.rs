//! Hold the coverage of predictions by period, and the evidence that they are no longer what they
//! were.

/// Coverage by period, and evidence after each.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// Title of the figure.
    pub title: String,
    /// Probability of the intervals.
    pub level: f64,
    /// The smallest probability that is tolerated.
    pub least: f64,
    /// The evidence that raises an alarm.
    pub alarm: f64,
    /// The periods, in the order of time.
    pub periods: Vec<WatchedPeriod>,
    /// The name of each evidence, and what it is after each period.
    pub evidence: Vec<(String, Vec<f64>)>,
}

/// A period.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedPeriod {
    /// Its name.
    pub label: String,
    /// Number of its rows.
    pub rows: usize,
    /// The share of them that is covered.
    pub share: f64,
    /// The interval of the probability of being covered in it.
    pub interval: Option<(f64, f64)>,
    /// The share of all rows up to its end that is covered.
    pub so_far: f64,
    /// The interval of the probability of being covered, from all rows up to its end.
    pub interval_so_far: Option<(f64, f64)>,
}
