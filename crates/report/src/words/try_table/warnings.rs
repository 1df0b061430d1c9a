//! Warn of what the recommended method covers too rarely, and of impossible values, and say what to
//! try.

use super::bounds::{Words, percent_of};
use super::slab;
use crate::export::escape;
use crate::try_table::reason::{Advice, Covered, Offer, Scored, Warning};
use uq_core::predictive::Bounds;
use uq_core::printable::printable;
use uq_core::stats::digits::number;
use uqbench_run::candidates::ALL;

/// Longest name of a kind of rows in a sentence, in characters.
const SHOWN: usize = 120;

/// A warning as a sentence in Markdown; `bounds` are the intervals that were asked for.
pub fn warning(warning: &Warning, bounds: Bounds) -> String {
    let plural = Words::of(bounds).plural;
    match warning {
        Warning::FeaturesUntried => {
            "no method that uses the features has scores here, so that nothing says whether they \
             help"
                .into()
        }
        Warning::Kinds { low, advice } => format!(
            "its {plural} cover too few rows of some kinds: {}. {}.",
            shares(low),
            mending(advice, low.len())
        ),
        Warning::Slab(found) => slab::warning(found, bounds) + ".",
        Warning::Blocks { low, blocks, is_last, offer } => {
            let last = if *is_last {
                ", the last one among them, so that new rows may be covered as rarely"
            } else {
                ""
            };
            format!(
                "its {plural} cover too few rows of {} of {blocks} blocks in time{last}: {}{}.",
                low.len(),
                shares(low),
                offered(offer.as_ref())
            )
        }
        Warning::BelowZero { share, other, positive } => {
            let other = other.as_ref().map(|Scored { method, crps, sd }| {
                format!(
                    ", or predict with `{method}`, which has no such end here (CRPS {})",
                    number(*crps, *sd)
                )
            });
            let positive = positive.map(|method| {
                format!(", or try `--methods {method}`, all of whose predictions are above zero")
            });
            format!(
                "{} of its {plural} reach below zero, but no target does. If the target cannot be \
                 negative, put such an end at zero, which covers the same rows{}{}.",
                percent_of(*share),
                other.unwrap_or_default(),
                positive.unwrap_or_default()
            )
        }
    }
}

/// What may help where too few rows of so many kinds are covered.
fn mending(advice: &Advice, kinds: usize) -> String {
    let offer = match advice {
        Advice::Method { method, least, crps } => {
            return format!(
                "`{method}` covers {}{} of {}, and not too few rows of any other kind; its CRPS is \
                 {}; `--predict-with` takes its name",
                if kinds == 1 { "" } else { "at least " },
                percent_of(*least),
                if kinds == 1 { "these" } else { "each" },
                number(*crps, None)
            );
        }
        Advice::CalibrateBy(column) => {
            let column = in_shell(&escape(&printable(column, SHOWN)));
            format!("; `--calibrate-by {column}` calibrates the values of that column apart")
        }
        Advice::MoreMethods => format!("; `--methods {ALL}` tries more"),
        Advice::Nothing => String::new(),
    };
    format!("No other method here that uses the features covers enough of them{offer}")
}

/// A name as one word of a command.
pub(super) fn in_shell(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}

/// Each kind of rows with the share of them that is covered.
pub fn shares(all: &[Covered]) -> String {
    let each = |Covered { name, coverage }: &Covered| {
        format!(
            "{} ({} of {} rows)",
            escape(&printable(name, SHOWN)),
            percent_of(coverage.share()),
            coverage.rows
        )
    };
    all.iter().map(each).collect::<Vec<_>>().join("; ")
}

/// How to try what is offered; empty where nothing is.
pub fn offered(offer: Option<&Offer>) -> String {
    let Some(offer) = offer else { return String::new() };
    let (method, does) = match offer {
        Offer::Calibrated(method) => {
            (method, "tries it calibrated by its errors at out-of-fold rows")
        }
        Offer::Adaptive(method) => {
            (method, "tries it at levels that follow the misses in the last rows")
        }
    };
    format!("; `--methods {method}` {does}")
}
