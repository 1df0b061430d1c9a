//! Judge a printed number by our own repetitions.
//!
//! For one printed cell let v be the printed value, u one unit of its last printed digit, and m, s, n our mean, standard
//! deviation and count over repetitions; s_p is the printed standard deviation, √n_p times a printed standard error, or
//! s where the paper prints none; n_p is the paper's count, or n. The half width of the interval of the difference is
//! h = t(0.975, n − 1) · √(s_p²/n_p + s²/n) + u/2, and δ is the metric's tolerance.

use super::remark::Remark;
use crate::benchmark::{Cell, Exclusion, Profile, SpreadKind};
use crate::metrics::{Direction, MetricId};
use crate::stats::{Summary, t_quantile};

/// The verdict on a printed number.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Our mean agrees, and the run was precise enough to confirm.
    Reproduced,
    /// Our mean agrees and lies within the tolerance, but the run is too noisy to confirm it.
    Compatible,
    /// The interval of the difference contains 0 only because it is wide: the run neither confirms nor denies.
    Inconclusive,
    /// Our mean does not agree, but lies within the tolerance.
    Close,
    /// Our mean is better.
    DiffersBetter,
    /// Our mean is worse.
    DiffersWorse,
    /// Our mean differs, and the metric alone does not tell which of the two numbers is better.
    Differs,
    /// The printed number is excluded by a theorem, or by the residuals that it would need.
    Excluded(Exclusion),
    /// The paper prints `none` instead of a number.
    Flag {
        /// Whether our validation flags the column too.
        same: bool,
    },
    /// The paper prints a number, and we have none: no setting of our search has the required coverage.
    NoneHere,
    /// The paper prints another word instead of a number: nothing to judge.
    Word(String),
    /// Fewer than ten repetitions, or not the full profile.
    Preview,
    /// There is no score, for the reason of this outcome.
    NotRun(String),
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Reproduced => f.write_str("reproduced"),
            Self::Compatible => f.write_str("compatible"),
            Self::Inconclusive => f.write_str("inconclusive"),
            Self::Close => f.write_str("close"),
            Self::DiffersBetter => f.write_str("differs (better)"),
            Self::DiffersWorse => f.write_str("differs (worse)"),
            Self::Differs => f.write_str("differs"),
            Self::Excluded(Exclusion::Impossible) => f.write_str("impossible"),
            Self::Excluded(Exclusion::Implausible) => f.write_str("implausible"),
            Self::Flag { same: true } => f.write_str("none here too"),
            Self::Flag { same: false } => f.write_str("not none here"),
            Self::NoneHere => f.write_str("none here"),
            Self::Word(word) => write!(f, "printed as “{word}”"),
            Self::Preview => f.write_str("preview"),
            Self::NotRun(outcome) => write!(f, "not run ({outcome})"),
        }
    }
}

/// The two widths that a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Half width h of the interval of the difference; absent for one repetition.
    pub half_width: Option<f64>,
    /// Tolerance δ.
    pub tolerance: f64,
}

/// Fewest repetitions that are judged.
const FEWEST: usize = 10;

/// Judges a printed number v by our repetitions, whose test sets have `rows` rows in the mean.
pub fn judge(
    cell: &Cell,
    v: f64,
    own: &Summary,
    metric: &MetricId,
    rows: f64,
    profile: Profile,
) -> (Verdict, Judgement) {
    let delta = metric.tolerance(v, rows);
    let h = half_width(cell, own);
    let verdict = match h {
        _ if own.n < FEWEST || profile != Profile::Full => Verdict::Preview,
        Some(h) => compare(v, cell.last_digit(), own.mean, h, delta, metric.direction()),
        None => Verdict::Preview,
    };
    (verdict, Judgement { half_width: h, tolerance: delta })
}

/// Judges a printed `none`, or a printed number where we have none, by our flag, which rests on n repetitions.
pub fn judge_flag(printed_none: bool, none: bool, n: usize, profile: Profile) -> Verdict {
    match printed_none {
        _ if n < FEWEST || profile != Profile::Full => Verdict::Preview,
        true => Verdict::Flag { same: none },
        false => Verdict::NoneHere,
    }
}

/// h = t(0.975, n − 1) · √(s_p²/n_p + s²/n) + u/2.
fn half_width(cell: &Cell, own: &Summary) -> Option<f64> {
    let (s, n) = (own.sd?, own.n as f64);
    let n_p = cell.count.map_or(n, |count| count as f64);
    let s_p = match (cell.spread_kind, cell.spread_number()) {
        (SpreadKind::Sd, Some(sd)) => sd,
        (SpreadKind::Se, Some(se)) => n_p.sqrt() * se,
        _ => s,
    };
    Some(t_quantile(0.975, own.n - 1)? * (s_p * s_p / n_p + s * s / n).sqrt() + cell.last_digit() / 2.0)
}

fn compare(v: f64, u: f64, m: f64, h: f64, delta: f64, direction: Direction) -> Verdict {
    let distance = (m - v).abs();
    let within = distance <= delta + u / 2.0;
    match distance <= h {
        true if h <= delta.max(u) => Verdict::Reproduced,
        true if within && h <= 2.0 * delta => Verdict::Compatible,
        true => Verdict::Inconclusive,
        false if within => Verdict::Close,
        false if direction.prefers(m, v) => Verdict::DiffersBetter,
        false => Verdict::DiffersWorse,
    }
}

/// Whether a verdict counts as agreement. `compatible` and `inconclusive` do not, because the run is too noisy.
pub fn passes(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Reproduced | Verdict::Close)
}

/// The remark that a printed baseline is weak: the verdict is that ours is better, and the loss of v exceeds that of m by
/// more than δ + u/2. `None` for every other verdict.
pub fn weak_baseline(
    cell: &Cell,
    v: f64,
    own: &Summary,
    metric: &MetricId,
    verdict: &Verdict,
    tolerance: f64,
) -> Option<Remark> {
    let gain = metric.direction().loss(v) - metric.direction().loss(own.mean);
    // The loss of a coverage is its distance from the level, which may differ by less than the coverages do.
    let weak = *verdict == Verdict::DiffersBetter && gain > tolerance + cell.last_digit() / 2.0;
    weak.then_some(Remark::Weak { gain, half_width: own.half_width(0.05)?, n: own.n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn cell(value: &str, spread: Option<&str>, spread_kind: SpreadKind) -> Cell {
        Cell {
            dataset: "d".into(),
            metric: "m".into(),
            labels: BTreeMap::new(),
            value: value.into(),
            spread: spread.map(Into::into),
            spread_kind,
            count: Some(20),
        }
    }

    fn verdict(value: &str, mean: f64, sd: f64) -> Verdict {
        let own = Summary { mean, sd: Some(sd), n: 20 };
        let cell = cell(value, None, SpreadKind::None);
        judge(&cell, cell.number().unwrap(), &own, &"mse".parse().unwrap(), 50.0, Profile::Full).0
    }

    #[test]
    fn every_verdict_is_reached() {
        // t(0.975, 19) = 2.093; sd 0.01: h = 2.093 · 0.01 · √(2/20) + 0.005 = 0.0116 against δ = 0.05.
        assert_eq!(verdict("0.50", 0.511, 0.01), Verdict::Reproduced);
        assert_eq!(verdict("0.50", 0.51, 0.1), Verdict::Compatible, "δ < h = 0.071 < 2δ");
        assert_eq!(verdict("0.50", 0.51, 0.15), Verdict::Inconclusive, "h = 0.104 > 2δ");
        assert_eq!(verdict("0.50", 0.56, 0.1), Verdict::Inconclusive, "|m − v| is above δ + u/2 = 0.055");
        assert_eq!(verdict("0.50", 0.53, 0.01), Verdict::Close);
        assert_eq!(verdict("0.50", 0.40, 0.01), Verdict::DiffersBetter);
        assert_eq!(verdict("0.50", 0.60, 0.01), Verdict::DiffersWorse);
    }

    #[test]
    fn printed_spreads_enter_by_their_kind() {
        let own = Summary { mean: 0.5, sd: Some(0.1), n: 20 };
        let h = |spread, kind| half_width(&cell("0.50", spread, kind), &own).unwrap();
        let t = t_quantile(0.975, 19).unwrap();
        let expected = |s_p: f64| t * (s_p * s_p / 20.0 + 0.01 / 20.0).sqrt() + 0.005;
        assert!((h(Some("0.2"), SpreadKind::Sd) - expected(0.2)).abs() < 1e-15);
        assert!((h(Some("0.2"), SpreadKind::Se) - expected(0.2 * 20_f64.sqrt())).abs() < 1e-15);
        assert!((h(Some("0.2"), SpreadKind::Unknown) - expected(0.1)).abs() < 1e-15);
        assert!((h(None, SpreadKind::None) - expected(0.1)).abs() < 1e-15);
    }

    #[test]
    fn a_baseline_is_weak_where_ours_is_better_by_tolerance_and_interval() {
        let weak = |value: &str, mean: f64, sd: f64, metric: &str| {
            let (cell, metric) = (cell(value, None, SpreadKind::None), metric.parse().unwrap());
            let (v, own) = (cell.number().unwrap(), Summary { mean, sd: Some(sd), n: 20 });
            let (verdict, judgement) = judge(&cell, v, &own, &metric, 50.0, Profile::Full);
            weak_baseline(&cell, v, &own, &metric, &verdict, judgement.tolerance)
        };
        // t(0.975, 19) = 2.093: half width 0.0094 for an sd of 0.02.
        let Some(Remark::Weak { gain, half_width, n }) = weak("0.50", 0.40, 0.02, "mse") else { panic!("a remark") };
        assert_eq!(((1e4 * gain).round(), (1e4 * half_width).round(), n), (1000.0, 94.0, 20));
        assert_eq!(weak("0.50", 0.60, 0.02, "mse"), None, "ours is worse");
        assert_eq!(weak("0.50", 0.446, 0.001, "mse"), None, "within δ + u/2 = 0.055");
        // For an sd of 0.2 the interval of our mean, 0.094 to either side, does not contain 0.50, but that of the
        // difference, h = 0.137, contains 0: the verdict is inconclusive.
        assert_eq!(weak("0.50", 0.39, 0.2, "mse"), None);
        assert!(weak("-2.50", -2.30, 0.1, "log-likelihood").is_some());
        assert_eq!(weak("-2.50", -2.70, 0.1, "log-likelihood"), None, "a higher one is better");
        assert!(weak("0.86", 0.95, 0.01, "picp(level=0.95)").is_some(), "nearer to its level");
        assert_eq!(weak("0.95", 0.99, 0.01, "picp(level=0.95)"), None, "farther from its level");
        assert_eq!(weak("0.90", 0.98, 0.01, "picp(level=0.95)"), None, "nearer to its level by 0.02 alone");
    }

    #[test]
    fn no_baseline_is_weak_unless_the_verdict_says_that_ours_is_better() {
        let (cell, metric) = (cell("0.50", None, SpreadKind::None), "mse".parse().unwrap());
        let weak = |n, verdict: Option<Verdict>, profile| {
            let own = Summary { mean: 0.3, sd: Some(0.01), n };
            let (judged, judgement) = judge(&cell, 0.5, &own, &metric, 50.0, profile);
            weak_baseline(&cell, 0.5, &own, &metric, &verdict.unwrap_or(judged), judgement.tolerance).is_some()
        };
        assert!(weak(10, None, Profile::Full));
        assert!(!weak(9, None, Profile::Full));
        assert!(!weak(10, None, Profile::Quick));
        let others = [Verdict::Differs, Verdict::Inconclusive, Verdict::Excluded(Exclusion::Implausible)];
        assert!(others.into_iter().all(|verdict| !weak(10, Some(verdict), Profile::Full)));
    }

    #[test]
    fn few_repetitions_or_a_small_profile_are_a_preview() {
        let own = |n| Summary { mean: 0.5, sd: (n > 1).then_some(0.1), n };
        let judged = |n, profile| {
            judge(&cell("0.50", None, SpreadKind::None), 0.5, &own(n), &"mse".parse().unwrap(), 50.0, profile).0
        };
        assert_eq!(judged(9, Profile::Full), Verdict::Preview);
        assert_eq!(judged(1, Profile::Full), Verdict::Preview);
        assert_eq!(judged(20, Profile::Quick), Verdict::Preview);
    }

    #[test]
    fn a_printed_none_is_judged_by_the_flag() {
        assert_eq!(judge_flag(true, true, 10, Profile::Full), Verdict::Flag { same: true });
        assert_eq!(judge_flag(true, false, 10, Profile::Full), Verdict::Flag { same: false });
        assert_eq!(judge_flag(false, true, 10, Profile::Full), Verdict::NoneHere);
        assert_eq!(judge_flag(true, true, 9, Profile::Full), Verdict::Preview);
        assert_eq!(judge_flag(false, true, 10, Profile::Quick), Verdict::Preview);
        assert!(!passes(&Verdict::Flag { same: true }), "no number is judged");
    }
}
