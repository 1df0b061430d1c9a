//! Read a time of day, and the zone of its clock.

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;

/// A time of day without its zone, and the minutes by which that is ahead of UTC: 0 of `17:30Z`,
/// 120 of `17:30+02:00`, `17:30 +0200` and `17:30+02`.
pub(super) fn zoned(time: &str) -> (&str, Option<i64>) {
    if let Some(time) = time.strip_suffix('Z') {
        return (time.trim_end(), Some(0));
    }
    let found = time.rfind(['+', '-']).and_then(|at| {
        let (hour, minute) = match time[at + 1..].split_once(':') {
            Some(parts) => parts,
            None => time[at + 1..].split_at_checked(2)?,
        };
        let minute = if minute.is_empty() { "00" } else { minute };
        let two = |text: &str| {
            let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| is_number)
        };
        let (hour, minute) = (two(hour)?, two(minute)?);
        let minutes = (hour <= 14 && minute < 60).then_some(60 * hour + minute)?;
        Some((time[..at].trim_end(), if time[at..].starts_with('-') { -minutes } else { minutes }))
    });
    found.map_or((time, None), |(time, minutes)| (time, Some(minutes)))
}

/// Minutes ahead of UTC as ISO 8601 writes them, such as `+02:00`.
pub(super) fn zone_text(minutes: i64) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Seconds from midnight of a text such as `17:30`, `17:30:05`, `05:30 PM` or `17:30:05.25`.
pub(super) fn seconds_of(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    for (half, hours) in [("am", 0.0), ("pm", 12.0)] {
        if let Some(clock) = lower.strip_suffix(half) {
            let seconds = seconds_of_day(clock.trim_end())?;
            let is_on_clock = (3600.0..13.0 * 3600.0).contains(&seconds);
            return is_on_clock.then_some(seconds % (12.0 * 3600.0) + hours * 3600.0);
        }
    }
    seconds_of_day(text)
}

/// Seconds from midnight of a text of a day of 24 hours, whose end is `24:00`.
fn seconds_of_day(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let ([hour, minute], second) = match parts[..] {
        [hour, minute] => ([hour, minute], "0"),
        [hour, minute, second] => ([hour, minute], second),
        _ => return None,
    };
    let number = |text: &str, end: f64| {
        let is_number =
            text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['e', 'E']);
        text.parse::<f64>().ok().filter(|number| is_number && *number < end)
    };
    let whole = |text: &str, end: f64| number(text, end).filter(|number| number.fract() == 0.0);
    let seconds = whole(hour, 25.0)? * 3600.0 + whole(minute, 60.0)? * 60.0 + number(second, 60.0)?;
    (seconds <= DAY).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_minutes_ahead_of_utc() {
        for (text, time, minutes) in [
            ("17:30Z", "17:30", Some(0)),
            ("17:30:05.25+02:00", "17:30:05.25", Some(120)),
            ("17:30 +0200", "17:30", Some(120)),
            ("17:30-02", "17:30", Some(-120)),
            ("17:30-05:45", "17:30", Some(-345)),
            ("17:30", "17:30", None),
            ("17:30+15:00", "17:30+15:00", None),
            ("17:30+2", "17:30+2", None),
            ("17:30+02:0x", "17:30+02:0x", None),
            ("5 PM", "5 PM", None),
        ] {
            assert_eq!(zoned(text), (time, minutes), "{text}");
        }
        assert_eq!([-345, 0, 120].map(zone_text), ["-05:45", "+00:00", "+02:00"]);
    }

    #[test]
    fn a_time_of_day_is_seconds_from_midnight() {
        for (text, seconds) in [
            ("17:30", 63_000.0),
            ("17:30:05.25", 63_005.25),
            ("05:30 PM", 63_000.0),
            ("12:00 am", 0.0),
            ("24:00:00", DAY),
        ] {
            assert_eq!(seconds_of(text), Some(seconds), "{text}");
        }
        for text in [
            "24:01",
            "24:00:00.5",
            "24:00 AM",
            "25:00",
            "17",
            "17:60",
            "13:00 PM",
            "17:30+02:00",
            "",
        ] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }
}
