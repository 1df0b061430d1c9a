//! Say where and when trials ran, and how many of them the shipped run has, too.

use std::collections::BTreeSet;

use uqbench_run::benchmark::Profile;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::Provenance;
use uqbench_run::runner::shipped::Shipped;
use uqbench_run::runner::store::{Store, StoreError};

/// Where and when the plans' trials ran: programs, platforms, processors, first and last day.
///
/// # Errors
/// [`StoreError::Read`].
pub fn machine_line(plans: &[Plan], store: &Store) -> Result<String, StoreError> {
    let experiments = plans.iter().flat_map(Plan::all_experiments).filter(|e| e.splits > 0);
    let keys = experiments.flat_map(|e| [e.key(0), e.key(e.splits - 1)]);
    let read = |key| Ok(store.readable(&key, store.provenance(&key))?.ok().flatten());
    let found = keys.filter_map(|key| read(key).transpose()).collect::<Result<Vec<_>, StoreError>>()?;
    let distinct =
        |words: Vec<String>| words.into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ");
    let days = || found.iter().map(|p| p.started / 86_400);
    let (Some(first), Some(last)) = (days().min(), days().max()) else { return Ok(String::new()) };
    let days = if first == last { date(first) } else { format!("{} to {}", date(first), date(last)) };
    Ok(format!(
        "Trials by {} on {}; {}; {days}.",
        distinct(found.iter().map(|p: &Provenance| p.machine.program.clone()).collect()),
        distinct(found.iter().map(|p| p.machine.platform.clone()).collect()),
        distinct(found.iter().filter_map(|p: &Provenance| p.machine.processor.clone()).collect()),
    ))
}

/// How many trials of plans of a smaller profile the shipped run has, too, and how many of these are equal; empty where it has none.
///
/// # Errors
/// [`StoreError::Read`].
pub fn shipped_line(plans: &[Plan], store: &Store) -> Result<String, StoreError> {
    if plans.iter().any(|plan| plan.profile == Profile::Full) {
        return Ok(String::new());
    }
    let beside = Shipped::read().beside(plans, store, |_| Ok(true))?;
    Ok(match beside.count() {
        0 => String::new(),
        count => format!(
            "{} also in the shipped run: {} equal, {} differ.",
            if count == 1 { "1 of its trials is".into() } else { format!("{count} of its trials are") },
            beside.equal,
            beside.differing.len()
        ),
    })
}

/// Where and when the plans' trials ran, and how many of them the shipped run has, too.
///
/// # Errors
/// [`StoreError::Read`].
pub fn run_line(plans: &[Plan], store: &Store) -> Result<String, StoreError> {
    let (machine, shipped) = (machine_line(plans, store)?, shipped_line(plans, store)?);
    Ok(if shipped.is_empty() { machine } else { format!("{machine} {shipped}") })
}

/// The civil date of a day since 1970-01-01. Source: H. Hinnant, chrono-compatible low-level date algorithms.
pub fn date(day: u64) -> String {
    let z = day + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!([0, 59, 11_016, 20_778].map(date), ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-21"]);
    }
}
