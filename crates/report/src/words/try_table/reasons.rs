//! Say why a method is recommended or none is, and what the intervals of a method promise.

use super::bounds::{Words, in_words, percent_of, stated};
use super::division::{holds, limits};
use super::procedure::{overstated, procedure};
use super::warnings::{offered, shares};
use crate::try_table::reason::{Lead, Next, Promise, Reason, Scored, Tested, Theorem, TooFew};
use uq_core::metrics::percent;
use uq_core::predictive::Bounds;
use uq_core::stats::coverage::Kept;
use uq_core::stats::digits::number;

/// The title of the reasons.
pub fn why(method: Option<&str>) -> String {
    method.map_or_else(|| "Why none is recommended".into(), |method| format!("Why {method}"))
}

/// A reason as sentences in Markdown; `bounds` are the intervals that were asked for.
pub fn reason(reason: &Reason, bounds: Bounds) -> String {
    let Words { plural, score, too_high, .. } = Words::of(bounds);
    match reason {
        Reason::AllFailed => "Every method failed, so nothing was compared.".into(),
        Reason::NoneComparable => format!(
            "No method has {} and a CRPS in every fold, so nothing can be compared.",
            stated(bounds)
        ),
        Reason::AllTooFew { is_of_all } => {
            let which = if *is_of_all { "" } else { " that has them and a CRPS in every fold" };
            format!("The {} of every method{which} cover too few rows.", stated(bounds))
        }
        Reason::LowestTooFew(method) => format!(
            "`{}` has the lowest CRPS of those that use the features, but {}.",
            method.method,
            covers_only(method, plural)
        ),
        Reason::ReferenceBeaten { reference } => format!(
            "`{reference}` has the lowest product of CRPS and {score} of the methods whose \
             {plural} do not cover too few rows, but it ignores the features and is beaten."
        ),
        Reason::BeatingTooFew { by, probability } => format!(
            "`{}` most probably{} has a lower CRPS than it, but {}.",
            by.method,
            sure(*probability),
            covers_only(by, plural)
        ),
        Reason::Tested(found) => tested(found, bounds),
        Reason::Promise(guaranteed, estimate) => {
            format!("{} {}", theorem(guaranteed, bounds), procedure(estimate.as_ref()))
        }
        Reason::Lead(found) => lead(found, plural, score),
        Reason::NotReference { reference, chosen, probability } => format!(
            "Not `{reference}`, though its product of CRPS and {score} is the lowest: it ignores \
             the features, and the CRPS of `{chosen}` is most probably{} lower.",
            sure(*probability)
        ),
        Reason::Gain { reference, share, is_below } => format!(
            "Its CRPS is {} {} that of `{reference}`, which ignores the features.",
            percent_of(*share),
            if *is_below { "below" } else { "above" }
        ),
        Reason::NotTooFew { method, coverage } => format!(
            "Not `{method}`, though its CRPS is lower: its {} cover only {} of the test rows.",
            stated(bounds),
            percent_of(coverage.share())
        ),
        Reason::FeaturesSayNothing { reference, chosen, sure } => {
            let chance = chosen.as_ref().map_or_else(String::new, |chosen| {
                format!(", and the lead of `{chosen}` may be chance")
            });
            format!(
                "No method has a lower CRPS than `{reference}`, which ignores the features, with a \
                 probability above {sure}: on these rows the features carry no information that \
                 these methods can use{chance}."
            )
        }
        Reason::KindsTooHigh(high) => format!(
            "Its {plural} cover more rows of some kinds than they state, where {too_high}: {}.",
            shares(high)
        ),
        Reason::Limits(division) => limits(*division),
    }
}

/// A promise as sentences in Markdown.
pub fn promise(promise: &Promise, bounds: Bounds) -> String {
    match promise {
        Promise::Tested(found) => tested(found, bounds),
        Promise::Theorem(found) => theorem(found, bounds),
        Promise::Procedure(estimate) => procedure(estimate.as_ref()),
        Promise::Overstated(found) => format!("Warning: {}", overstated(found, bounds)),
        Promise::Holds(division) => holds(*division).into(),
    }
}

/// That a method's intervals cover too few rows, and what to try in its place.
fn covers_only(method: &TooFew, plural: &str) -> String {
    let TooFew { coverage, offer, .. } = method;
    format!("its {plural} cover only {}{}", percent_of(coverage.share()), offered(offer.as_ref()))
}

fn tested(Tested { coverage, kept }: &Tested, bounds: Bounds) -> String {
    let judged = match kept {
        Kept::Near => "near the level",
        Kept::TooLow => "too few",
        Kept::TooHigh => Words::of(bounds).too_high,
        Kept::Unclear => "too few rows to tell whether that is near the level",
    };
    format!("Its {} cover {} of the test rows: {judged}.", stated(bounds), in_words(*coverage))
}

fn theorem(found: &Theorem, bounds: Bounds) -> String {
    let why_none = match found {
        Theorem::Guarantees { least, theorem, is_below_level } => {
            let less = match is_below_level {
                true => {
                    format!("; it promises less than the {} of the level", percent(bounds.level))
                }
                false => String::new(),
            };
            return format!(
                "Guaranteed coverage: at least {} by a theorem ({theorem}), for rows that are \
                 exchangeable with these and a method that is named beforehand{less}.",
                percent_of(*least)
            );
        }
        Theorem::Dependent => "the theorems are about exchangeable rows",
        Theorem::Unknown => "no theorem is known for this method",
    };
    format!("Its coverage is measured and not guaranteed: {why_none}.")
}

fn lead(lead: &Lead, plural: &str, score: &str) -> String {
    let beat = |join: &str, beaten: &Option<String>| {
        beaten.as_ref().map_or_else(String::new, |reference| format!("{join} beat `{reference}`"))
    };
    match lead {
        Lead::Simpler { chosen, best, beaten, probability, margin } => format!(
            "`{}` has the lowest product of CRPS and {score} (CRPS {} against {}){}, but `{}` is \
             simpler, and its CRPS and {score} are most probably{} at most {} higher.",
            best.method,
            crps(best),
            crps(chosen),
            beat(" of the methods that", beaten),
            chosen.method,
            sure(*probability),
            percent(*margin)
        ),
        Lead::Only(chosen) => format!(
            "It is the only method whose {plural} do not cover too few rows; its CRPS is {}.",
            crps(chosen)
        ),
        Lead::Best { chosen, has_lowest_crps, beaten, next } => {
            let crps = crps(chosen);
            let product = match has_lowest_crps {
                true => format!("CRPS, {crps}, and the lowest product of it and the {score}"),
                false => format!("product of CRPS ({crps}) and {score}"),
            };
            let next = next.as_ref().map_or_else(String::new, |Next { method, behind }| {
                format!(
                    " Next is `{method}`, whose product of CRPS and {score} is {} higher.",
                    percent_of(*behind)
                )
            });
            format!(
                "It has the lowest {product} of the methods whose {plural} do not cover too few \
                 rows{}.{next}",
                beat(" and that", beaten)
            )
        }
    }
}

/// A CRPS with the digits that its spread over folds determines.
fn crps(Scored { crps, sd, .. }: &Scored) -> String {
    number(*crps, *sd)
}

/// A probability in brackets, where it is known.
fn sure(probability: Option<f64>) -> String {
    probability.map_or_else(String::new, |p| format!(" ({p:.2})"))
}
