//! Read the times of rows that were predicted, and put them in periods of the calendar.

use super::cells::Cells;
use super::date::{DateForm, Moment, is_date_like, written_day, written_month};
use super::dependent::times;
use super::error::OwnError;
use super::notation::Notation;
use super::words::Setting;

/// Forms of dates that have one meaning each, so that a single date is read without others.
const PLAIN: [DateForm; 5] = [
    DateForm::YearMonthDay,
    DateForm::MonthName,
    DateForm::YearMonth,
    DateForm::Week,
    DateForm::Quarter,
];

/// A period of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarPeriod {
    /// A day.
    Day,
    /// A week from Monday on.
    Week,
    /// A month.
    Month,
}

/// The times of rows, n.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Days since 1970-01-01 of dates, or the column's numbers.
    pub numbers: Vec<f64>,
    /// Whether they are dates.
    pub are_dates: bool,
}

impl Times {
    /// The period in which a row lies, by its first day: `2024-05-13`, or `2024-05` of a month.
    /// `None` where times are no dates.
    pub fn period(&self, row: usize, period: CalendarPeriod) -> Option<String> {
        let day = self.numbers.get(row).filter(|_| self.are_dates)?.floor() as i64;
        Some(match period {
            CalendarPeriod::Day => written_day(day),
            // 1970-01-01 was a Thursday.
            CalendarPeriod::Week => written_day(day - (day + 3).rem_euclid(7)),
            CalendarPeriod::Month => written_month(day),
        })
    }
}

/// The date of a text beside which no other one tells its form; `None` where it may be two dates.
fn alone(text: &str) -> Option<Moment> {
    let plain = PLAIN.iter().find_map(|form| Moment::of(text, *form, 0));
    let [day_first, month_first] =
        [DateForm::DayMonthYear, DateForm::MonthDayYear].map(|form| Moment::of(text, form, 0));
    // Points stand between day, month and year alone.
    let of_order = match text.contains('.') {
        true => day_first,
        false => match (day_first, month_first) {
            (Some(a), Some(b)) if a.days() != b.days() => None,
            (a, b) => a.or(b),
        },
    };
    plain.or(of_order)
}

impl Cells {
    /// The times in a column: numbers, or dates in whatever form `try` reads.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`]; [`OwnError::Missing`] for a missing cell; [`OwnError::Cell`] for
    /// what is no time.
    pub fn times(&self, column: &str) -> Result<Times, OwnError> {
        let place = self.place(Setting::Time, column)?;
        self.refuse_foreign(&[place])?;
        let first = self.text(0, place).to_owned();
        // Where all rows have one time, no other row tells its form.
        if self.texts(place).all(|text| text == first) {
            if let Some(moment) = alone(&first) {
                return Ok(Times { numbers: vec![moment.days(); self.rows()], are_dates: true });
            }
            if let Ok(number) = self.number(0, place) {
                return Ok(Times { numbers: vec![number; self.rows()], are_dates: false });
            }
            if is_date_like(&first) {
                return Err(self.wrong_text(
                    0,
                    place,
                    "a date with one meaning, such as 2024-12-31, where all rows have the same",
                ));
            }
        }
        let notation = Notation::of(self, &[place]);
        let (column, numbers) = times(self, place, notation, &mut Vec::new())?;
        Ok(Times { numbers, are_dates: column.is_date() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cells: &[&str]) -> Result<Times, OwnError> {
        let lines: String = cells.iter().map(|cell| format!("{cell},1\n")).collect();
        Cells::parse("t.csv", format!("day,y\n{lines}").as_bytes()).unwrap().times("day")
    }

    #[test]
    fn dates_lie_in_days_weeks_and_months() {
        let times = read(&["2024-05-12", "2024-05-13 07:30", "2024-06-30", "1969-12-31"]).unwrap();
        assert!(times.are_dates);
        let periods = |period: CalendarPeriod| -> Vec<String> {
            (0..4).map(|row| times.period(row, period).unwrap()).collect()
        };
        assert_eq!(
            periods(CalendarPeriod::Day),
            ["2024-05-12", "2024-05-13", "2024-06-30", "1969-12-31"]
        );
        assert_eq!(
            periods(CalendarPeriod::Week),
            ["2024-05-06", "2024-05-13", "2024-06-24", "1969-12-29"]
        );
        assert_eq!(periods(CalendarPeriod::Month), ["2024-05", "2024-05", "2024-06", "1969-12"]);
        assert!(times.numbers[0] < times.numbers[1] && times.numbers[1].fract() > 0.3);
    }

    #[test]
    fn one_time_in_all_rows_is_a_time() {
        let same = read(&["2024-05-12"; 3]).unwrap();
        assert_eq!(same.period(2, CalendarPeriod::Week).as_deref(), Some("2024-05-06"));
        for one in ["12.05.2024", "13/05/2024", "05/13/2024", "05/05/2024"] {
            let week = read(&[one; 2]).unwrap().period(1, CalendarPeriod::Week).unwrap();
            assert!(["2024-05-06", "2024-05-13", "2024-04-29"].contains(&week.as_str()), "{one}");
        }
        let two = read(&["03/04/2024"; 2]).unwrap_err().to_string();
        assert!(two.contains("a date with one meaning"), "{two}");
        let numbers = read(&["7"; 3]).unwrap();
        assert_eq!(numbers, Times { numbers: vec![7.0; 3], are_dates: false });
        assert_eq!(numbers.period(0, CalendarPeriod::Day), None);
        let hours = read(&["3", "1", "2"]).unwrap();
        assert_eq!(hours, Times { numbers: vec![3.0, 1.0, 2.0], are_dates: false });
    }

    #[test]
    fn what_is_no_time_is_refused_with_its_line() {
        let error = |cells: &[&str]| read(cells).unwrap_err().to_string();
        assert!(error(&["2024-05-12", "", "2024-05-13"]).contains("line 3, column \"day\""));
        let soon = error(&["2024-05-12", "soon", "2024-05-13"]);
        assert!(soon.contains("line 3") && soon.contains("expected a date"), "{soon}");
        assert!(error(&["soon", "soon"]).contains("expected a date"));
        let cells = Cells::parse("t.csv", b"day,y\n1,2\n").unwrap();
        assert!(cells.times("date").unwrap_err().to_string().contains("no column \"date\""));
    }
}
