//! Read a text as a time of day or a duration, in hours.

use super::super::clock::seconds_of;

/// Words behind a time of day.
const CLOCK_WORDS: [&str; 3] = ["uhr", "o'clock", "o\u{2019}clock"];
/// Words for hours.
const HOUR_WORDS: [&str; 5] = ["hours", "hour", "hrs", "hr", "h"];

/// A cell, read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Span {
    /// Two numbers around a colon, by their hours if these are hours and minutes.
    Pair(f64),
    /// Three numbers between colons, or more that is certain.
    Hours(f64),
    /// Numbers with the units behind them.
    Words(Vec<char>, f64),
    /// Digits, a point, two digits below 60 and a word for hours, such as `07.30 h`: hours with
    /// decimals, or by the clock.
    Point(PointHours),
}

/// What digits with a point and a word for hours may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointHours {
    /// As a number with decimals: 7.3.
    pub decimal: f64,
    /// By the clock: 7.5.
    pub clock: f64,
    /// The digits behind the point as minutes.
    pub minutes: u32,
    /// Whether there is a zero before the first digit.
    pub is_padded: bool,
}

impl Span {
    /// The span in a text such as `7:30`, `05:30 PM`, `2.15 p.m.`, `14.30 Uhr`, `-1:02:03.5`,
    /// `2 days 01:02:03`, `PT1H30M`, `7h30` or `1h 30min`.
    pub fn of(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
            return match Self::of(rest.trim_start())
                .filter(|_| !rest.starts_with(['-', '\u{2212}']))?
            {
                Self::Pair(hours) => Some(Self::Pair(-hours)),
                Self::Hours(hours) => Some(Self::Hours(-hours)),
                Self::Words(units, hours) => Some(Self::Words(units, -hours)),
                Self::Point(_) => None,
            };
        }
        if let Some(found) = of_half_day(text).or_else(|| of_clock_word(text)) {
            return Some(Self::Hours(found));
        }
        if let Some(rest) = text.strip_prefix('P') {
            return of_iso(rest).map(Self::Hours);
        }
        if let Some(number) = without_word(text, &HOUR_WORDS) {
            let found = if number.contains(':') {
                of_clock(number)
            } else {
                PointHours::of(number).map(Self::Point)
            };
            return found.or_else(|| of_words(text));
        }
        let Some((days, clock)) = text.rsplit_once(' ').filter(|(_, clock)| clock.contains(':'))
        else {
            return of_clock(text).or_else(|| of_words(text));
        };
        let days = days
            .trim_end_matches(',')
            .strip_suffix("days")
            .or(days.trim_end_matches(',').strip_suffix("day"))?;
        match of_clock(clock)? {
            Self::Hours(hours) => Some(Self::Hours(24.0 * digits(days.trim_end())? + hours)),
            Self::Pair(_) | Self::Words(..) | Self::Point(_) => None,
        }
    }

    /// The units behind its numbers.
    pub fn units(&self) -> &[char] {
        match self {
            Self::Words(units, _) => units,
            Self::Point(_) => &['h'],
            Self::Pair(_) | Self::Hours(_) => &[],
        }
    }
}

impl PointHours {
    /// The hours and minutes of digits such as `07.30`; `None` where the digits behind the point
    /// are not two or no minutes.
    fn of(number: &str) -> Option<Self> {
        let (hours, minutes) = number.split_once('.')?;
        let (hour, minute) =
            (whole(hours)?, whole(minutes).filter(|minute| minutes.len() == 2 && *minute < 60.0)?);
        let is_padded = hours.len() == 2 && hours.starts_with('0');
        Some(Self {
            decimal: digits(number)?,
            clock: hour + minute / 60.0,
            minutes: minute as u32,
            is_padded,
        })
    }
}

/// What stands before a word, which letters in either case are.
fn without_word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let before = |word: &&str| {
        let (rest, last) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
        (last.eq_ignore_ascii_case(word) && !rest.ends_with(char::is_alphabetic))
            .then(|| rest.trim_end())
    };
    words.iter().find_map(before)
}

/// The hours of a time with `am` or `pm`, such as `2 PM`, `2.15 p.m.` or `2:15 PM`.
fn of_half_day(text: &str) -> Option<f64> {
    let halves = [("am", ["a.m.", "a.m", "am"]), ("pm", ["p.m.", "p.m", "pm"])];
    let (half, clock) =
        halves.iter().find_map(|(half, words)| Some((half, without_word(text, words)?)))?;
    let clock = if clock.contains(':') { clock.to_owned() } else { with_colon(clock)? };
    seconds_of(&format!("{clock} {half}")).map(|seconds| seconds / 3600.0)
}

/// The hours of a time of day with a word for it, such as `14.30 Uhr`.
fn of_clock_word(text: &str) -> Option<f64> {
    let clock = without_word(text, &CLOCK_WORDS)?;
    let clock = if clock.contains(':') { clock.to_owned() } else { with_colon(clock)? };
    seconds_of(&clock).map(|seconds| seconds / 3600.0)
}

/// `14.30` and `14` as `14:30` and `14:00`.
fn with_colon(clock: &str) -> Option<String> {
    let (hour, minute) = clock.split_once('.').unwrap_or((clock, "00"));
    let is_clock =
        hour.len() <= 2 && minute.len() == 2 && whole(hour).is_some() && whole(minute).is_some();
    is_clock.then(|| format!("{hour}:{minute}"))
}

/// A number of digits alone.
fn whole(text: &str) -> Option<f64> {
    digits(text).filter(|_| !text.contains('.'))
}

/// A number of digits alone, perhaps with decimals.
fn digits(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse::<f64>().ok().filter(|_| is_number)
}

/// Two or three numbers between colons: all but the first have two digits below 60, and the last
/// may have decimals.
fn of_clock(text: &str) -> Option<Span> {
    let whole = |text: &str| whole(text).filter(|_| text.len() <= 6);
    let sixty = |text: &str| {
        let is_two = text.split('.').next().is_some_and(|whole| whole.len() == 2);
        digits(text).filter(|number| is_two && *number < 60.0)
    };
    match text.split(':').collect::<Vec<_>>()[..] {
        [first, second] if second.len() == 2 => {
            Some(Span::Pair(whole(first)? + sixty(second)? / 60.0))
        }
        [hours, minutes, seconds] if minutes.len() == 2 => {
            Some(Span::Hours(whole(hours)? + sixty(minutes)? / 60.0 + sixty(seconds)? / 3600.0))
        }
        _ => None,
    }
}

/// The hours of a duration of ISO 8601 behind its `P`, such as `T1H30M` or `1DT2H`; months and
/// years have no fixed length.
fn of_iso(text: &str) -> Option<f64> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let days = parts(date)?.into_iter().map(|(number, unit)| match unit.as_str() {
        "D" => Some(24.0 * number),
        "W" => Some(168.0 * number),
        _ => None,
    });
    let hours = parts(time)?.into_iter().map(|(number, unit)| match unit.as_str() {
        "H" => Some(number),
        "M" => Some(number / 60.0),
        "S" => Some(number / 3600.0),
        _ => None,
    });
    let all: Vec<f64> = days.chain(hours).collect::<Option<_>>()?;
    (!all.is_empty()).then(|| all.iter().sum())
}

/// The hours of numbers with units, the largest unit first, such as `1h 30min`, `2 d 5 h` or
/// `7h30`, whose last number is minutes.
fn of_words(text: &str) -> Option<Span> {
    let last = text
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or("", |at| text[at..].trim_start_matches(|c: char| !c.is_ascii_digit()));
    let has_minutes = last.len() == 2 && whole(last).is_some_and(|minutes| minutes < 60.0);
    let with_unit = format!("{text} min");
    let text = if has_minutes { &with_unit } else { text };
    let (mut units, mut hours) = (Vec::new(), 0.0);
    for (number, unit) in parts(text)? {
        let (unit, factor) = match unit.to_lowercase().as_str() {
            "d" | "day" | "days" => ('d', 24.0),
            "h" | "hr" | "hrs" | "hour" | "hours" | "std" => ('h', 1.0),
            "min" | "mins" | "minute" | "minutes" => ('m', 1.0 / 60.0),
            // Alone it may be metres.
            "m" if units.last() == Some(&'h') => ('m', 1.0 / 60.0),
            "s" | "sec" | "secs" | "second" | "seconds" => ('s', 1.0 / 3600.0),
            _ => return None,
        };
        if units.contains(&unit) {
            return None;
        }
        units.push(unit);
        hours += number * factor;
    }
    let is_right = !units.is_empty() && (!has_minutes || units.ends_with(&['h', 'm']));
    is_right.then_some(Span::Words(units, hours))
}

/// Numbers, each with the letters behind it.
fn parts(text: &str) -> Option<Vec<(f64, String)>> {
    let (mut rest, mut parts) = (text.trim(), Vec::new());
    while !rest.is_empty() {
        let number = rest.find(|c: char| c.is_alphabetic() || c == ' ')?;
        let behind = rest[number..].trim_start();
        let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        parts.push((digits(&rest[..number])?, behind[..end].to_owned()));
        rest = behind[end..].trim_start_matches(['.', ',', ' ']);
    }
    Some(parts)
}
