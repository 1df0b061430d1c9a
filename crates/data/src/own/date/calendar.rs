//! Count days of the Gregorian calendar from 1970-01-01.

/// A whole number of at most `most` digits.
pub(super) fn number(text: &str, most: usize) -> Option<i64> {
    let is_number =
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<i64>().ok().filter(|_| is_number)
}

/// A year of four digits, or of two: 1969 to 2068, as POSIX has it.
pub(super) fn year_of(text: &str) -> Option<i64> {
    match (text.len(), number(text, 4)?) {
        (4, year) => Some(year),
        (2, year) => Some(if year < 69 { 2000 + year } else { 1900 + year }),
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days of a month.
pub(super) fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first day of a year in the Gregorian calendar.
pub(super) fn days_before(year: i64) -> i64 {
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    (year - 1970) * 365 + leaps(year - 1) - leaps(1969)
}

/// The year of a day that is given in days from 1970-01-01.
fn year_with(day: i64) -> i64 {
    let mut year = 1970 + day.div_euclid(366);
    while days_before(year) > day {
        year -= 1;
    }
    while days_before(year + 1) <= day {
        year += 1;
    }
    year
}

/// Days from the first of January of its year, from 1, of a day that is given in days from
/// 1970-01-01.
pub(super) fn day_of_year(day: i64) -> i64 {
    day - days_before(year_with(day)) + 1
}

/// Year, month and day of the month of a day that is given in days from 1970-01-01.
fn civil(day: i64) -> [i64; 3] {
    let (year, mut month, mut rest) = (year_with(day), 1, day_of_year(day));
    while rest > days_of(year, month) {
        rest -= days_of(year, month);
        month += 1;
    }
    [year, month, rest]
}

/// A day as ISO 8601 writes it, such as `2024-05-13`.
pub(in crate::own) fn written_day(day: i64) -> String {
    let [year, month, day] = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The month of a day, such as `2024-05`.
pub(in crate::own) fn written_month(day: i64) -> String {
    let [year, month, _] = civil(day);
    format!("{year:04}-{month:02}")
}
