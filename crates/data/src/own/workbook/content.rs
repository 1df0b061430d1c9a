//! Write a cell of a workbook as the text that a CSV file of the same sheet has.

use calamine::{Data, ExcelDateTime};

/// What is in a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// A text, or true or false.
    Text(String),
    /// A number, written so that it reads back equal; a whole one without decimals.
    Number(String),
    /// A day, as 2024-12-31.
    Day(String),
    /// A day with the time of the day.
    Moment(String),
    /// The error of a formula, such as `#DIV/0!`.
    Failed(String),
}

impl Content {
    /// `None` for an empty cell and for one of blanks.
    pub fn of(data: &Data) -> Option<Self> {
        let content = match data {
            Data::Empty => return None,
            Data::Int(number) => Self::Number(number.to_string()),
            Data::Float(number) => Self::Number(number.to_string()),
            Data::String(text) => of_text(text.trim()),
            Data::Bool(is_true) => Self::Text(if *is_true { "TRUE" } else { "FALSE" }.into()),
            Data::DateTime(time) => of_time(time),
            Data::DateTimeIso(text) => of_iso(text.trim()),
            Data::DurationIso(text) => Self::Text(clock_of_iso(text.trim())),
            Data::Error(error) => Self::Failed(error.to_string()),
        };
        (!content.text().is_empty()).then_some(content)
    }

    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text)
            | Self::Number(text)
            | Self::Day(text)
            | Self::Moment(text)
            | Self::Failed(text) => text,
        }
    }
}

/// LibreOffice writes `Err:502` where a formula has failed.
fn of_text(text: &str) -> Content {
    let is_failure = text
        .strip_prefix("Err:")
        .is_some_and(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit()));
    if is_failure { Content::Failed("#VALUE!".into()) } else { Content::Text(text.into()) }
}

fn of_time(time: &ExcelDateTime) -> Content {
    let days = time.as_f64();
    if time.is_duration() || (0.0..1.0).contains(&days) {
        return Content::Text(clock(days));
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second, milli) == (0, 0, 0, 0) {
        return Content::Day(date);
    }
    Content::Moment(format!(
        "{date} {hour:02}:{minute:02}:{second:02}{}",
        of_thousandths(milli.into())
    ))
}

/// A part of a day, or several days, as hours, minutes and seconds.
fn clock(days: f64) -> String {
    let sign = if days < 0.0 { "-" } else { "" };
    let all = (days.abs() * 86_400_000.0).round() as u64;
    let (seconds, milli) = (all / 1000, all % 1000);
    let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{}", of_thousandths(milli))
}

fn of_thousandths(milli: u64) -> String {
    if milli == 0 { String::new() } else { format!(".{milli:03}") }
}

/// A date as OpenDocument has it, with or without a time.
fn of_iso(text: &str) -> Content {
    match text.split_once('T') {
        None => Content::Day(text.into()),
        Some((day, clock)) if clock.chars().all(|c| "0:.".contains(c)) => Content::Day(day.into()),
        Some((day, clock)) => Content::Moment(format!("{day} {clock}")),
    }
}

/// A time such as `PT12H30M05S` as `12:30:05`; another text as it is.
fn clock_of_iso(text: &str) -> String {
    let parts = || {
        let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
        let (minutes, rest) = rest.split_once('M')?;
        let seconds = rest.strip_suffix('S')?.replace(',', ".");
        let (whole, decimals) = seconds.split_once('.').unwrap_or((&seconds, ""));
        let decimals = decimals.trim_end_matches('0');
        let end = if decimals.is_empty() { String::new() } else { format!(".{decimals}") };
        Some(format!("{hours:0>2}:{minutes:0>2}:{whole:0>2}{end}"))
    };
    parts().unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType;

    #[test]
    fn cells_are_written_as_in_a_csv_file() {
        let time = |days: f64, kind| Data::DateTime(ExcelDateTime::new(days, kind, false));
        let (moment, span) = (ExcelDateTimeType::DateTime, ExcelDateTimeType::TimeDelta);
        let text = |text: &str| Content::Text(text.into());
        let number = |text: &str| Content::Number(text.into());
        for (data, expected) in [
            (Data::Float(3.0), number("3")),
            (Data::Float(0.125), number("0.125")),
            (Data::Int(-7), number("-7")),
            (Data::String(" 007 ".into()), text("007")),
            (Data::Bool(true), text("TRUE")),
            (time(45322.0, moment), Content::Day("2024-01-31".into())),
            (time(45322.75, moment), Content::Moment("2024-01-31 18:00:00".into())),
            (time(0.5, moment), text("12:00:00")),
            (time(1.25, span), text("30:00:00")),
            (Data::DateTimeIso("2024-01-31".into()), Content::Day("2024-01-31".into())),
            (Data::DateTimeIso("2024-01-31T00:00:00".into()), Content::Day("2024-01-31".into())),
            (
                Data::DateTimeIso("2024-01-31T17:30:00".into()),
                Content::Moment("2024-01-31 17:30:00".into()),
            ),
            (Data::DurationIso("PT12H30M5S".into()), text("12:30:05")),
            (Data::Error(calamine::CellErrorType::NA), Content::Failed("#N/A".into())),
            (Data::String("Err:502".into()), Content::Failed("#VALUE!".into())),
        ] {
            assert_eq!(Content::of(&data), Some(expected), "{data:?}");
        }
        assert_eq!(
            (Content::of(&Data::Empty), Content::of(&Data::String("  ".into()))),
            (None, None)
        );
    }
}
