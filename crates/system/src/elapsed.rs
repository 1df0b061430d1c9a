//! Write a time for people.

use std::time::Duration;

/// A time for people: `45 s`, `12 min 3 s`, `2 h 5 min`.
pub fn elapsed(time: Duration) -> String {
    match time.as_secs() {
        s if s < 60 => format!("{s} s"),
        s if s < 3600 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units_at_most() {
        let of = |seconds| elapsed(Duration::from_secs(seconds));
        assert_eq!([of(0), of(59), of(723), of(7500)], ["0 s", "59 s", "12 min 3 s", "2 h 5 min"]);
    }
}
