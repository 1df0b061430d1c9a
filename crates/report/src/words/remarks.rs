//! Write the remarks of judged lines in words.

use super::claims;
use crate::grid::counted;
use uq_core::metrics::percent;
use uq_core::stats::digits::{mean_and_spread, number};
use uqbench_judge::evidence::reach::{Constant, Reach};
use uqbench_judge::judgement::claims::{ClaimResult, Extent, Judged};
use uqbench_judge::judgement::unranked::Unranked;
use uqbench_judge::judgement::verdict::SpreadReading;
use uqbench_judge::judgement::{ClaimLine, Remark};
use uqbench_run::benchmark::SpreadKind;

/// The remark on a printed baseline that ours beats.
pub const WEAK: &str = "printed baseline is weak";

/// All remarks of a line, in their order.
pub fn text(remarks: &[Remark]) -> String {
    remarks.iter().map(sentence).collect::<Vec<_>>().join("; ")
}

/// What our runs show of a claim, what the printed numbers do, and whether a threshold of ours
/// decides.
pub fn of_claim(line: &ClaimLine) -> String {
    let threshold = if line.claim.our_threshold {
        "; the threshold is ours, the paper prints none"
    } else {
        ""
    };
    format!("{}; {}{threshold}", own(line), claims::printed(&line.notes.printed))
}

/// What our runs show of a claim: why they decide nothing, if they do not, and what they show so
/// far.
fn own(ClaimLine { claim, result, notes, .. }: &ClaimLine) -> String {
    let ClaimResult { own, so_far, extent, .. } = result;
    let note = claims::ours(&notes.own);
    let seen = match so_far {
        Judged::Undecided => String::new(),
        judged => format!("; so far it {}", claims::verb(*judged, 1)),
    };
    match extent {
        Extent::NotRun => "not run".into(),
        Extent::NoNumber => format!("no repetition has every number that it needs: {note}"),
        _ if !claim.undecided_because.is_empty() => {
            format!("undecided, because {}: {note}", claim.undecided_because)
        }
        Extent::TooFew(n) => {
            format!("{}, and ten are needed{seen}: {note}", counted(*n, "repetition"))
        }
        Extent::Enough if own != so_far => format!("undecided{seen}: {note}"),
        Extent::Enough => note,
    }
}

fn sentence(remark: &Remark) -> String {
    match remark {
        Remark::Excluded(reason) | Remark::NoNumber(reason) => reason.clone(),
        Remark::NotJudged(reason) => format!("not judged: {reason}"),
        Remark::Inconsistent(reason) => {
            format!("the printed number contradicts another one: {reason}")
        }
        Remark::Readings(readings) => {
            let of = |reading: &SpreadReading| {
                let kind = if reading.kind == SpreadKind::Se {
                    "standard error"
                } else {
                    "standard deviation"
                };
                format!(
                    "as a {kind} {} (h {})",
                    reading.verdict,
                    number(reading.half_width, Some(reading.half_width))
                )
            };
            let all: Vec<String> = readings.iter().map(of).collect();
            format!("the paper does not say what its spread is: {}", all.join(", "))
        }
        Remark::Paired => "paired with the authors' score of each split".into(),
        Remark::Unranked(why) => format!("neither is better: {}", unranked(*why)),
        Remark::Dropped { count, expected, why } => {
            format!("{count} of {expected} repetitions dropped: {why}")
        }
        Remark::FlaggedNone(coverage) => {
            format!(
                "none: coverage of validation rows {}",
                mean_and_spread(Some(coverage.mean), coverage.sd)
            )
        }
        Remark::Weak { gain, half_width, n } => {
            let gain = mean_and_spread(Some(*gain), Some(*half_width));
            format!("{WEAK}: ours is better by {gain} (95 % interval over {n} repetitions)")
        }
        Remark::Reach { reach: found, printed } => reach(found, printed),
        Remark::Chosen(points) => {
            format!("chosen inside the training rows: {}: {points}", points.settings.join(", "))
        }
        Remark::Unconverged(count) => {
            format!(
                "{} of {} fits had not converged when their steps were used up",
                count.unconverged, count.fits
            )
        }
    }
}

/// Why neither of two numbers that differ is better.
pub fn unranked(why: Unranked) -> String {
    match why {
        Unranked::LowCoverage { ours, coverage, level } => {
            let whose = if ours { "our" } else { "the printed" };
            let coverage = coverage
                .map_or("a coverage that is not known".into(), |c| format!("coverage {c:.3}"));
            format!("{whose} narrower {} intervals have {coverage}", percent(level))
        }
        Unranked::Discrete => "a log density of a target of few values has no bound".into(),
    }
}

/// The coverage of a constant interval of the printed width.
pub fn reach(reach: &Reach, printed: &str) -> String {
    let Reach { best, rmse, aim, constant: Constant { covered, covered_at_most, needed } } = reach;
    format!(
        "around the best predictor in this store, {best} (RMSE {}), a constant interval of that \
         width covers {covered:.2} of the test rows, and {covered_at_most:.2} if it is the widest \
         that rounds to {printed}; to cover {} it has to be {needed:.2} of the range wide. This is \
         no proof: varying widths could cover more",
        number(*rmse, None),
        percent(*aim)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_judge::evidence::unconverged::Count;
    use uqbench_judge::judgement::Verdict;

    #[test]
    fn remarks_are_joined_with_semicolons() {
        let remarks = [
            Remark::Dropped { count: 1, expected: 20, why: "diverged".into() },
            Remark::Weak { gain: 0.1, half_width: 0.0094, n: 19 },
            Remark::Unconverged(Count { unconverged: 2, fits: 3 }),
        ];
        assert_eq!(
            text(&remarks),
            "1 of 20 repetitions dropped: diverged; printed baseline is weak: ours is better by \
             0.1000 ± 0.0094 (95 % interval over 19 repetitions); 2 of 3 fits had not converged \
             when their steps were used up"
        );
        assert_eq!(text(&[]), "");
    }

    #[test]
    fn both_readings_of_a_spread_are_named() {
        let reading = |kind, half_width, verdict| SpreadReading { kind, half_width, verdict };
        let sd = reading(SpreadKind::Sd, 0.029, Verdict::Reproduced);
        let se = reading(SpreadKind::Se, 0.11, Verdict::Inconclusive);
        assert_eq!(
            text(&[Remark::Readings(vec![sd, se])]),
            "the paper does not say what its spread is: as a standard deviation reproduced (h \
             0.029), as a standard error inconclusive (h 0.11)"
        );
    }

    #[test]
    fn low_coverages_are_named() {
        let narrow = |ours, coverage| {
            Remark::Unranked(Unranked::LowCoverage { ours, coverage, level: 0.95 })
        };
        assert_eq!(
            text(&[narrow(true, Some(0.8712)), narrow(false, None)]),
            "neither is better: our narrower 95 % intervals have coverage 0.871; neither is \
             better: the printed narrower 95 % intervals have a coverage that is not known"
        );
    }
}
