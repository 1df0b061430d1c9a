//! Say where and when trials ran, and how many of them the shipped run has, too.

use crate::words::run_line as words;
use uqbench_judge::evidence::machines::{AlsoShipped, Machines};

/// Programs, platforms, processors, first and last day; empty where nothing is known.
pub fn machine_line(machines: &Machines) -> String {
    let Some((first, last)) = machines.days else { return String::new() };
    words::machines(machines, [&date(first), &date(last)])
}

/// How many trials the shipped run has, too, and how many of these are equal; empty where it has
/// none.
pub fn shipped_line(also_shipped: AlsoShipped) -> String {
    words::shipped(also_shipped)
}

/// Where and when trials ran, and how many of them the shipped run has, too.
pub fn run_line(machines: &Machines, also_shipped: AlsoShipped) -> String {
    let (machine, shipped) = (machine_line(machines), shipped_line(also_shipped));
    if shipped.is_empty() { machine } else { format!("{machine} {shipped}") }
}

/// The civil date of a day since 1970-01-01. Source: H. Hinnant, chrono-compatible low-level date
/// algorithms.
pub fn date(day: u64) -> String {
    let z = day + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
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
        assert_eq!(
            [0, 59, 11_016, 20_778].map(date),
            ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-21"]
        );
    }
}
