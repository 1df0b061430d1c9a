//! Judge a printed number by our own repetitions.
//!
//! For one printed cell let v be the printed value, u one unit of its last printed digit, and m, s,
//! n our mean, standard deviation and count over repetitions; s_p is the printed standard
//! deviation, √n_p times a printed standard error, or s where the paper prints none; n_p is the
//! paper's count, or n. The half width of the interval of the difference is h = t(0.975, n − 1) ·
//! √(s_p²/n_p + s²/n) + u/2, and δ is the metric's tolerance. A spread that is presumably a
//! standard deviation is read as both kinds: where the two verdicts differ, the number is
//! inconclusive.
//!
//! Where the authors published their score of each split, and these are our splits, h is that of
//! the paired differences: with their standard deviation s_d it is t(0.975, n − 1) · s_d/√n + u/2.

use serde::{Deserialize, Serialize};
use uq_core::metrics::{Direction, MetricId};
use uq_core::stats::{Summary, t_quantile};
use uqbench_run::benchmark::{Cell, Exclusion, Profile, SpreadKind};

/// The verdict on a printed number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Our mean agrees, and the run was precise enough to confirm.
    Reproduced,
    /// Our mean agrees and lies within the tolerance, but the run is too noisy to confirm it.
    Compatible,
    /// The interval of the difference contains 0 only because it is wide: the run neither confirms
    /// nor denies.
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
    /// The benchmark file says why agreement with the printed number would say nothing.
    NotJudged,
    /// The paper prints `none` instead of a number.
    Flag {
        /// Whether our validation flags the column too.
        same: bool,
    },
    /// The paper prints a number, and we have none: no setting of our search has the required
    /// coverage.
    NoneHere,
    /// The paper prints another word instead of a number: nothing to judge.
    Word(String),
    /// Fewer than ten repetitions, or not the full profile.
    TooFew,
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
            Self::NotJudged => f.write_str("not judged"),
            Self::Flag { same: true } => f.write_str("none in both"),
            Self::Flag { same: false } => f.write_str("none in the paper alone"),
            Self::NoneHere => f.write_str("none here alone"),
            Self::Word(word) => write!(f, "printed as “{word}”"),
            Self::TooFew => f.write_str("too few repetitions"),
            Self::NotRun(outcome) => write!(f, "not run ({outcome})"),
        }
    }
}

/// The verdicts without words of their own.
const PLAIN: [Verdict; 14] = [
    Verdict::Reproduced,
    Verdict::Compatible,
    Verdict::Inconclusive,
    Verdict::Close,
    Verdict::DiffersBetter,
    Verdict::DiffersWorse,
    Verdict::Differs,
    Verdict::Excluded(Exclusion::Impossible),
    Verdict::Excluded(Exclusion::Implausible),
    Verdict::NotJudged,
    Verdict::Flag { same: true },
    Verdict::Flag { same: false },
    Verdict::NoneHere,
    Verdict::TooFew,
];

impl Verdict {
    /// The verdict with these words, as a scorecard has them; `None` where no verdict has them.
    pub fn parse(words: &str) -> Option<Self> {
        let inside = |before: &str, behind: &str| {
            words.strip_prefix(before)?.strip_suffix(behind).map(str::to_owned)
        };
        let plain = PLAIN.into_iter().find(|verdict| verdict.to_string() == words);
        plain
            .or_else(|| inside("printed as “", "”").map(Self::Word))
            .or_else(|| inside("not run (", ")").map(Self::NotRun))
    }

    /// Whether it compares a number of ours with a printed one.
    pub fn is_judged(&self) -> bool {
        match self {
            Self::Reproduced
            | Self::Close
            | Self::Compatible
            | Self::Inconclusive
            | Self::Excluded(_) => true,
            Self::DiffersBetter | Self::DiffersWorse | Self::Differs => true,
            Self::NotJudged | Self::Flag { .. } | Self::NoneHere | Self::Word(_) => false,
            Self::TooFew | Self::NotRun(_) => false,
        }
    }

    /// Whether our number agrees with the printed one.
    pub fn agrees(&self) -> bool {
        matches!(self, Self::Reproduced | Self::Close)
    }

    /// Whether our number differs from the printed one, or no predictor comes near that.
    pub fn differs(&self) -> bool {
        matches!(self, Self::DiffersBetter | Self::DiffersWorse | Self::Differs | Self::Excluded(_))
    }
}

/// Our repetitions beside a printed number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ours {
    /// Mean, spread and number of our scores.
    pub scores: Summary,
    /// Of our score less the authors' on the same split; `None` where theirs are not known, or not
    /// of the splits that we have.
    pub differences: Option<Summary>,
}

impl Ours {
    /// Repetitions that are not paired.
    pub fn unpaired(scores: Summary) -> Self {
        Self { scores, differences: None }
    }
}

/// The two widths that a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Half width h of the interval of the difference, the widest one where the spread has several
    /// readings; absent for one repetition.
    pub half_width: Option<f64>,
    /// Tolerance δ.
    pub tolerance: f64,
}

/// The verdict by one reading of the printed spread.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadReading {
    /// As what the spread is read.
    pub kind: SpreadKind,
    /// Half width h of the interval of the difference.
    pub half_width: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// Fewest repetitions that are judged.
pub const FEWEST: usize = 10;

/// Judges a printed number v by our repetitions, whose test sets have `rows` rows in the mean.
pub fn judge(
    cell: &Cell,
    v: f64,
    own: &Ours,
    metric: &MetricId,
    rows: f64,
    profile: Profile,
) -> (Verdict, Judgement) {
    let readings = readings(cell, v, own, metric, rows);
    let half_width = readings.iter().map(|reading| reading.half_width).reduce(f64::max);
    let verdict = match readings.as_slice() {
        _ if own.scores.n < FEWEST || profile != Profile::Full => Verdict::TooFew,
        [] => Verdict::TooFew,
        [first, others @ ..] if others.iter().all(|other| other.verdict == first.verdict) => {
            first.verdict.clone()
        }
        _ => Verdict::Inconclusive,
    };
    (verdict, Judgement { half_width, tolerance: metric.tolerance(v, rows) })
}

/// The verdict on a printed number v by each reading of its spread, and one where our scores are
/// paired with the authors'; none for one repetition of ours.
pub fn readings(
    cell: &Cell,
    v: f64,
    own: &Ours,
    metric: &MetricId,
    rows: f64,
) -> Vec<SpreadReading> {
    let delta = metric.tolerance(v, rows);
    let of_kind = |kind: &SpreadKind| {
        let half_width = half_width(cell, *kind, own)?;
        let verdict =
            compare(v, cell.last_digit(), own.scores.mean, half_width, delta, metric.direction());
        Some(SpreadReading { kind: *kind, half_width, verdict })
    };
    let kinds = cell.spread_kind.readings();
    // The printed spread says nothing that the authors' scores do not say.
    let kinds = if own.differences.is_some() { &kinds[..1] } else { kinds };
    kinds.iter().filter_map(of_kind).collect()
}

/// Judges a printed `none`, or a printed number where we have none, by our flag, which rests on n
/// repetitions.
pub fn judge_flag(printed_none: bool, none: bool, n: usize, profile: Profile) -> Verdict {
    match printed_none {
        _ if n < FEWEST || profile != Profile::Full => Verdict::TooFew,
        true => Verdict::Flag { same: none },
        false => Verdict::NoneHere,
    }
}

/// h = t(0.975, n − 1) · √(s_p²/n_p + s²/n) + u/2, the printed spread being read as `kind`; of
/// paired scores h = t(0.975, n − 1) · s_d/√n + u/2.
fn half_width(cell: &Cell, kind: SpreadKind, ours: &Ours) -> Option<f64> {
    if let Some(differences) = &ours.differences {
        let error = differences.standard_error()?;
        return Some(t_quantile(0.975, differences.n - 1)? * error + cell.last_digit() / 2.0);
    }
    let own = ours.scores;
    let printed = cell.standard_error(kind, own.sd?, cell.repetitions(own.n));
    let error = (printed.powi(2) + own.standard_error()?.powi(2)).sqrt();
    Some(t_quantile(0.975, own.n - 1)? * error + cell.last_digit() / 2.0)
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

/// Whether a verdict counts as agreement. `compatible` and `inconclusive` do not, because the run
/// is too noisy.
pub fn passes(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Reproduced | Verdict::Close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn cell(value: &str, spread: Option<&str>, spread_kind: SpreadKind) -> Cell {
        Cell {
            file: None,
            line: 1,
            dataset: "d".into(),
            metric: "m".into(),
            labels: BTreeMap::new(),
            stated: Default::default(),
            value: value.into(),
            spread: spread.map(Into::into),
            spread_kind,
            count: Some(20),
            splits: Vec::new(),
        }
    }

    #[test]
    fn scores_of_the_same_splits_are_paired() {
        // A spread of unsaid kind, and splits that differ much more than the two programs do.
        let cell = cell("0.50", Some("0.20"), SpreadKind::SdPresumably);
        let scores = Summary { mean: 0.52, sd: Some(0.2), n: 20 };
        let judged = |differences| {
            let own = Ours { scores, differences };
            judge(&cell, 0.5, &own, &"mse".parse().unwrap(), 50.0, Profile::Full)
        };
        let (verdict, judgement) = judged(Some(Summary { mean: 0.02, sd: Some(0.04), n: 20 }));
        // h = 2.093 · 0.04/√20 + 0.005 = 0.0237, below δ = 0.05.
        let h = t_quantile(0.975, 19).unwrap() * 0.04 / 20_f64.sqrt() + 0.005;
        assert!((judgement.half_width.unwrap() - h).abs() < 1e-15);
        assert_eq!(verdict, Verdict::Reproduced);
        let (verdict, _) = judged(Some(Summary { mean: 0.02, sd: Some(0.01), n: 20 }));
        assert_eq!(verdict, Verdict::Close, "0.02 lies outside h = 0.0097");
        assert_eq!(judged(None).0, Verdict::Inconclusive, "unpaired, h = 0.14 and more");
    }

    fn verdict(value: &str, mean: f64, sd: f64) -> Verdict {
        let own = Ours::unpaired(Summary { mean, sd: Some(sd), n: 20 });
        let cell = cell(value, None, SpreadKind::None);
        judge(&cell, cell.number().unwrap(), &own, &"mse".parse().unwrap(), 50.0, Profile::Full).0
    }

    #[test]
    fn every_verdict_is_reached() {
        // t(0.975, 19) = 2.093; sd 0.01: h = 2.093 · 0.01 · √(2/20) + 0.005 = 0.0116 against δ =
        // 0.05.
        assert_eq!(verdict("0.50", 0.511, 0.01), Verdict::Reproduced);
        assert_eq!(verdict("0.50", 0.51, 0.1), Verdict::Compatible, "δ < h = 0.071 < 2δ");
        assert_eq!(verdict("0.50", 0.51, 0.15), Verdict::Inconclusive, "h = 0.104 > 2δ");
        assert_eq!(
            verdict("0.50", 0.56, 0.1),
            Verdict::Inconclusive,
            "|m − v| is above δ + u/2 = 0.055"
        );
        assert_eq!(verdict("0.50", 0.53, 0.01), Verdict::Close);
        assert_eq!(verdict("0.50", 0.40, 0.01), Verdict::DiffersBetter);
        assert_eq!(verdict("0.50", 0.60, 0.01), Verdict::DiffersWorse);
    }

    #[test]
    fn printed_spreads_enter_by_their_kind() {
        let own = Ours::unpaired(Summary { mean: 0.5, sd: Some(0.1), n: 20 });
        let h = |spread, kind| half_width(&cell("0.50", spread, kind), kind, &own).unwrap();
        let t = t_quantile(0.975, 19).unwrap();
        let expected = |s_p: f64| t * (s_p * s_p / 20.0 + 0.01 / 20.0).sqrt() + 0.005;
        assert!((h(Some("0.2"), SpreadKind::Sd) - expected(0.2)).abs() < 1e-15);
        assert!((h(Some("0.2"), SpreadKind::Se) - expected(0.2 * 20_f64.sqrt())).abs() < 1e-15);
        assert!((h(Some("0.2"), SpreadKind::Unknown) - expected(0.1)).abs() < 1e-15);
        assert!((h(None, SpreadKind::None) - expected(0.1)).abs() < 1e-15);
    }

    #[test]
    fn a_spread_of_unsaid_kind_decides_only_where_both_readings_agree() {
        let judged = |mean: f64| {
            let (own, cell) = (
                Ours::unpaired(Summary { mean, sd: Some(0.01), n: 20 }),
                cell("0.50", Some("0.05"), SpreadKind::SdPresumably),
            );
            let found = readings(&cell, 0.5, &own, &"mse".parse().unwrap(), 50.0);
            let [sd, se] = found.as_slice() else { panic!("two readings") };
            assert_eq!((sd.kind, se.kind), (SpreadKind::Sd, SpreadKind::Se));
            let (verdict, judgement) =
                judge(&cell, 0.5, &own, &"mse".parse().unwrap(), 50.0, Profile::Full);
            assert_eq!(judgement.half_width, Some(se.half_width), "the wider one");
            (sd.verdict.clone(), se.verdict.clone(), verdict)
        };
        // δ = 0.05. As a standard deviation h = 2.093 √(0.05² + 0.01²)/√20 + 0.005 = 0.029; as a
        // standard error 0.110.
        assert_eq!(
            judged(0.51),
            (Verdict::Reproduced, Verdict::Inconclusive, Verdict::Inconclusive)
        );
        assert_eq!(
            judged(0.60),
            (Verdict::DiffersWorse, Verdict::Inconclusive, Verdict::Inconclusive)
        );
        assert_eq!(
            judged(0.70),
            (Verdict::DiffersWorse, Verdict::DiffersWorse, Verdict::DiffersWorse)
        );
    }

    #[test]
    fn few_repetitions_or_a_small_profile_are_not_judged() {
        let own = |n| Ours::unpaired(Summary { mean: 0.5, sd: (n > 1).then_some(0.1), n });
        let judged = |n, profile| {
            judge(
                &cell("0.50", None, SpreadKind::None),
                0.5,
                &own(n),
                &"mse".parse().unwrap(),
                50.0,
                profile,
            )
            .0
        };
        assert_eq!(judged(9, Profile::Full), Verdict::TooFew);
        assert_eq!(judged(1, Profile::Full), Verdict::TooFew);
        assert_eq!(judged(20, Profile::Quick), Verdict::TooFew);
    }

    #[test]
    fn a_printed_none_is_judged_by_the_flag() {
        assert_eq!(judge_flag(true, true, 10, Profile::Full), Verdict::Flag { same: true });
        assert_eq!(judge_flag(true, false, 10, Profile::Full), Verdict::Flag { same: false });
        assert_eq!(judge_flag(false, true, 10, Profile::Full), Verdict::NoneHere);
        assert_eq!(judge_flag(true, true, 9, Profile::Full), Verdict::TooFew);
        assert_eq!(judge_flag(false, true, 10, Profile::Quick), Verdict::TooFew);
        assert!(!passes(&Verdict::Flag { same: true }), "no number is judged");
    }
}
