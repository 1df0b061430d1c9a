//! Word the first part of a comparison's page, which a terminal shows alone: short, and with what
//! to do.

use super::bounds::{Words, percent_of, stated, with_interval};
use super::reasons::reason;
use super::slab;
use crate::export::escape;
use crate::try_table::estimate::{Estimate, Overstated};
use crate::try_table::order::Alike;
use crate::try_table::reason::{Advice, Covered, Reason, Tested, Theorem, Warning};
use uq_core::metrics::percent;
use uq_core::names::counted;
use uq_core::predictive::Bounds;
use uq_core::printable::printable;
use uq_core::stats::coverage::Kept;

/// The title of its table.
pub const BEST: &str = "Best methods";

/// Longest warning on the table itself, in characters.
const LONGEST: usize = 180;

/// Longest name of a kind of rows, in characters.
const SHOWN: usize = 60;

/// What is known of the intervals of the recommended method.
pub struct Promise<'a> {
    pub method: &'a str,
    /// What they cover of the test rows.
    pub tested: Option<Tested>,
    pub theorem: Theorem,
    /// What they cover where the choice of the method is repeated, if that is known.
    pub procedure: Option<Estimate>,
    /// What the features contribute, if that is known.
    pub features: Option<&'a Reason>,
}

/// Which method is recommended, and what its intervals promise and have kept.
pub fn recommended(promise: &Promise, bounds: Bounds) -> String {
    let Promise { method, tested, theorem, procedure, features } = promise;
    let kept = tested.as_ref().map_or_else(String::new, |found| kept(found, bounds));
    let theorem = match theorem {
        Theorem::Guarantees { least, .. } => {
            format!(" A theorem guarantees {} or more for rows like these.", percent_of(*least))
        }
        Theorem::Dependent | Theorem::Unknown => " No theorem guarantees that.".into(),
    };
    let own = tested.map(|found| found.coverage);
    let procedure = procedure.as_ref().filter(|found| Some(found.coverage) != own);
    let procedure = procedure.map_or_else(String::new, |found| {
        format!(
            " Where scores at other rows choose the method, the {} hold {}.",
            Words::of(bounds).plural,
            with_interval(found.coverage, found.interval)
        )
    });
    let features = features.map_or_else(String::new, |found| format!(" {}", reason(found, bounds)));
    format!("**Recommended: `{method}`.** {kept}{theorem}{procedure}{features}")
}

/// What intervals have kept at test rows.
fn kept(Tested { coverage, kept }: &Tested, bounds: Bounds) -> String {
    let level = percent(bounds.level);
    let judged = match kept {
        Kept::Near => format!("near {level}"),
        Kept::TooLow => format!("less than {level}"),
        Kept::TooHigh => format!("more than {level}, so that {}", Words::of(bounds).too_high),
        Kept::Unclear => format!("too few rows to tell whether that is near {level}"),
    };
    format!(
        "Its {} hold {} of {} outcomes that its fits had not seen: {judged}.",
        stated(bounds),
        with_interval(*coverage, coverage.interval()),
        coverage.rows
    )
}

/// That no method is recommended, and why.
pub fn none(reasons: &[String]) -> String {
    format!("**Recommended: none.** {}", reasons.join(" "))
}

/// The first `most` warnings as a list, and how many more the page has.
pub fn warned(warnings: &[String], most: usize) -> String {
    let entry = |warning: &String| format!("- Warning: {warning}\n");
    let list: String = warnings.iter().take(most).map(entry).collect();
    match warnings.len().saturating_sub(most) {
        0 => list,
        more => format!("{list}- {} on the page\n", counted(more, "more warning")),
    }
}

/// What to run next.
pub fn next(all: &[String]) -> String {
    all.iter().map(|step| format!("- Next: {step}\n")).collect()
}

/// That the whole procedure covers too few rows.
pub fn overstated(Overstated { estimate, coverage, .. }: &Overstated, bounds: Bounds) -> String {
    format!(
        "expect new {} to hold {} of outcomes, not {}: the same rows have chosen the method",
        Words::of(bounds).plural,
        percent_of(estimate.coverage.share()),
        percent_of(coverage.share())
    )
}

/// What was found on the table, in its first words where there are many.
pub fn of_table(warning: &str) -> String {
    escape(&printable(warning, LONGEST))
}

/// That a method failed.
pub fn failed(method: &str, why: &str) -> String {
    format!("`{method}` failed: {}", escape(&printable(why, LONGEST)))
}

/// That rows are like their neighbours.
pub fn alike(found: Alike) -> String {
    let what = match found {
        Alike::Targets(..) | Alike::TargetsSomewhat(_) => "targets",
        Alike::Errors(_) => "errors",
    };
    format!(
        "neighbouring rows have similar {what}: if new rows are later ones, add `--time COLUMN`; if \
         they are of new groups, `--group COLUMN`"
    )
}

/// A warning on the recommended method.
pub fn warning(warning: &Warning, bounds: Bounds) -> String {
    let plural = Words::of(bounds).plural;
    match warning {
        Warning::FeaturesUntried => "no method that uses the features has scores".into(),
        Warning::Kinds { low, advice } => {
            format!("{} {}{}", rarely(low, plural), worst(low), mended(advice))
        }
        Warning::Slab(found) => slab::warning(found, bounds),
        Warning::Blocks { low, blocks, is_last, .. } => {
            let last = if *is_last { ", the last one among them" } else { "" };
            format!(
                "its {plural} cover too few rows of {} of {blocks} blocks in time{last}; {}",
                low.len(),
                worst(low)
            )
        }
        Warning::BelowZero { share, .. } => format!(
            "{} of its {plural} reach below zero, where no target is: put such an end at zero",
            percent_of(*share)
        ),
    }
}

fn rarely(low: &[Covered], plural: &str) -> String {
    format!("its {plural} cover too few rows of {};", counted(low.len(), "kind"))
}

/// The kind that is covered most rarely.
fn worst(low: &[Covered]) -> String {
    let lowest = low.iter().min_by(|a, b| a.coverage.share().total_cmp(&b.coverage.share()));
    lowest.map_or_else(String::new, |Covered { name, coverage }| {
        format!(
            "the worst is \"{}\", {} of {} rows",
            escape(&printable(name, SHOWN)),
            percent_of(coverage.share()),
            coverage.rows
        )
    })
}

/// What mends that.
fn mended(advice: &Advice) -> String {
    match advice {
        Advice::Method { method, .. } => format!("; `--predict-with {method}` covers enough"),
        Advice::CalibrateBy(column) => {
            format!(
                "; try `--calibrate-by {}`",
                super::warnings::in_shell(&escape(&printable(column, SHOWN)))
            )
        }
        Advice::MoreMethods => "; `--methods all` tries more methods".into(),
        Advice::Nothing => String::new(),
    }
}
