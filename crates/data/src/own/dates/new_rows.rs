//! Read the dates of a file of new rows, which may have another form than those of the table.

use super::super::date::{DateForm, Moment, mark_of};
use super::super::date_order::{DateOrder, NewOrders, ShortYear, Verdict};
use super::super::error::SHOWN;
use super::super::finding::{Finding, Topic};
use super::Dates;
use uq_core::printable::printable;

impl Dates {
    /// The form of the table, and the order of day and month that these cells of a file of new rows
    /// tell.
    pub fn new_order(&self, given: &[&str]) -> Option<(DateForm, DateForm)> {
        match DateOrder::of(given.iter().copied()).verdict() {
            Verdict::Form(told, _) => Some((self.form, told)),
            Verdict::NoDates | Verdict::Open(_) | Verdict::Both(..) => None,
        }
    }

    /// How the dates of a file of new rows are read, and what a user should know of it; `name` is
    /// their column. Where they tell the order of day and month, all are read in it. Where they do
    /// not, the file's other columns of dates decide, or else the table. Where some have the day
    /// first and others the month, only those of other forms are read.
    pub fn adapt(&self, given: &[&str], name: &str, orders: &NewOrders) -> (Self, Option<Finding>) {
        let (form, finding) =
            match (self.year_first(given), DateOrder::of(given.iter().copied()).verdict()) {
                (Some(adapted), _) => adapted.of_column(self, name, given),
                (None, Verdict::NoDates) => (self.form, None),
                (None, Verdict::Both(day, month)) => {
                    (DateForm::YearMonthDay, Some(of_both(name, day, month)))
                }
                (None, Verdict::Form(told, text)) => (told, self.of_another_form(name, told, text)),
                (None, Verdict::Open(text)) => self.adapt_open(given, name, orders, text),
            };
        (
            Self { form, ..self.clone() },
            finding.map(|finding| finding.about(Topic::DateOrder, [name])),
        )
    }

    /// What new dates are that may have the year first, with two digits; `None` where they have it
    /// last.
    fn year_first(&self, given: &[&str]) -> Option<YearFirst> {
        let has_order = self.form.has_order();
        match (ShortYear::of(given)?, self.form) {
            (ShortYear::First | ShortYear::Open, DateForm::ShortYearFirst) => {
                Some(YearFirst::AsTable)
            }
            (ShortYear::First, _) => Some(YearFirst::Told),
            (ShortYear::Open, _) if !has_order => Some(YearFirst::Open(DateForm::ShortYearFirst)),
            // Dashes stand between all of these.
            (ShortYear::Open, form) if self.mark != Some('-') => Some(YearFirst::Open(form)),
            (ShortYear::Open | ShortYear::Last, _) => None,
        }
    }

    /// Whether some of these dates have another mark between their numbers than the table's have.
    fn has_other_mark(&self, given: &[&str]) -> bool {
        let is_read = |text: &&&str| Moment::of(text, self.form, self.zone).is_some();
        let mut marks = given.iter().filter(is_read).filter_map(|text| mark_of(text));
        self.mark.is_some_and(|mark| marks.any(|found| found != mark))
    }

    /// The finding that new rows have dates of this form, unless the table has it.
    fn of_another_form(&self, name: &str, told: DateForm, text: &str) -> Option<Finding> {
        let table = self.form;
        let found = format!(
            "{} has dates of the form {told}, such as {}, and the table's have the form {table}",
            new(name),
            quoted(text)
        );
        match (told == table, table.has_order() || table == DateForm::ShortYearFirst) {
            (true, _) => None,
            (false, true) => {
                Some(Finding::warning(format!("{found}: the new ones are read in their own")))
            }
            (false, false) => Some(Finding::note(found)),
        }
    }

    /// The form of new dates none of which tells it, and a warning unless the table has it.
    fn adapt_open(
        &self,
        given: &[&str],
        name: &str,
        orders: &NewOrders,
        text: &str,
    ) -> (DateForm, Option<Finding>) {
        let of_table = || if self.form.has_order() { self.form } else { self.likely(given) };
        let others = orders.of_others(self.form);
        let form = others.unwrap_or_else(of_table);
        // Dates with points hardly ever have the month first.
        let is_day_of_points =
            form == DateForm::DayMonthYear && given.iter().all(|text| is_of_points(text));
        let is_odd = (form == DateForm::MonthDayYear
            && given.iter().any(|text| is_of_points(text)))
            || (form == self.form && self.has_other_mark(given) && !is_day_of_points);
        let why = if others.is_some() { ", as other dates of the new rows are" } else { "" };
        let finding = || {
            Finding::warning(format!(
                "{} has no date that tells whether day or month is first: {} is read as \
                 {form}{why}; write them as 2024-12-31 to be sure",
                new(name),
                quoted(text)
            ))
        };
        (form, (form != self.form || is_odd).then(finding))
    }

    /// The order of day and month in which dates are sorted.
    fn likely(&self, given: &[&str]) -> DateForm {
        let days = |form: DateForm| {
            given.iter().filter_map(move |text| Moment::read(text, form, self.zone))
        };
        let is_sorted = |form: &DateForm| days(*form).is_sorted_by_key(Moment::days);
        [DateForm::DayMonthYear, DateForm::MonthDayYear]
            .into_iter()
            .find(is_sorted)
            .unwrap_or(DateForm::DayMonthYear)
    }
}

/// What new dates are that may have the year first, with two digits.
enum YearFirst {
    /// The table's dates have it first, too.
    AsTable,
    /// All of them together tell it.
    Told,
    /// Nothing tells, and they are read in this form.
    Open(DateForm),
}

impl YearFirst {
    /// The form in which the dates of the column of this name are read, and what a user should
    /// know.
    fn of_column(self, dates: &Dates, name: &str, given: &[&str]) -> (DateForm, Option<Finding>) {
        let text = quoted(given.first().unwrap_or(&""));
        match self {
            Self::AsTable => (dates.form, None),
            Self::Told => {
                let form = DateForm::ShortYearFirst;
                (form, dates.of_another_form(name, form, given.first().unwrap_or(&"")))
            }
            Self::Open(form) => {
                let warning = format!(
                    "{} has dates of three numbers of two digits, and nothing tells which is the \
                     year: {text} is read as {form}; write them as 2024-12-31 to be sure",
                    new(name)
                );
                (form, Some(Finding::warning(warning)))
            }
        }
    }
}

/// The warning that nothing is one order of day and month.
fn of_both(name: &str, day: &str, month: &str) -> Finding {
    Finding::warning(format!(
        "{} has dates with the day first, such as {}, and others with the month first, such as {}: \
         none of both kinds is read; write them as 2024-12-31",
        new(name),
        quoted(day),
        quoted(month)
    ))
}

fn new(name: &str) -> String {
    format!("the column \"{}\" of the new rows", printable(name, SHOWN))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, 30))
}

/// Whether points stand between the numbers of a date.
fn is_of_points(text: &str) -> bool {
    text.split(' ').next().is_some_and(|date| date.matches('.').count() == 2)
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity;
    use super::*;

    /// The form in which these new rows are read for a table of a form, and how grave the finding
    /// is.
    fn read(table: DateForm, given: &[&str]) -> (DateForm, Option<Severity>) {
        let dates = Dates { form: table, parts: vec![0], zone: 0, mark: None };
        let (dates, finding) = dates.adapt(given, "when", &NewOrders::default());
        assert!(
            finding
                .iter()
                .all(|finding| finding.topic == Topic::DateOrder && finding.columns == ["when"])
        );
        (dates.form, finding.map(|finding| finding.severity))
    }

    const ISO: DateForm = DateForm::YearMonthDay;
    const DAY: DateForm = DateForm::DayMonthYear;
    const MONTH: DateForm = DateForm::MonthDayYear;

    #[test]
    fn new_rows_that_tell_their_order_are_read_in_it() {
        let warning = Some(Severity::Warning);
        for mark in ["/", ".", "-"] {
            for year in ["2022", "22"] {
                let (day, month) =
                    (format!("13{mark}03{mark}{year}"), format!("03{mark}13{mark}{year}"));
                let open = format!("01{mark}03{mark}{year}");
                if year == "22" && mark == "-" {
                    continue; // Nothing says which number is the year, as another test has it.
                }
                assert_eq!(read(MONTH, &[&open, &day]), (DAY, warning));
                assert_eq!(read(DAY, &[&open, &month]), (MONTH, warning));
                assert_eq!(read(DAY, &[&open, &day]), (DAY, None));
                assert_eq!(read(DAY, &[&open]), (DAY, None));
                assert_eq!(read(ISO, &[&open, &day]), (DAY, Some(Severity::Note)));
                assert_eq!(
                    read(MONTH, &[&day, &month, &open]),
                    (ISO, warning),
                    "none of both orders"
                );
                assert_eq!(read(ISO, &[&open]), (DAY, warning));
            }
        }
        assert_eq!(read(MONTH, &["01/03/2022"]), (MONTH, None));
        assert_eq!(
            read(MONTH, &["01.03.2022"]),
            (MONTH, warning),
            "points stand where the day is first"
        );
        assert_eq!(read(MONTH, &["2022-03-13", "13 March 2022"]), (MONTH, None));
    }

    #[test]
    fn open_dates_with_another_mark_than_the_table_has_are_told() {
        let warning = Some(Severity::Warning);
        let of = |table: DateForm, given: &[&str]| {
            let dates = Dates { form: table, parts: vec![0], zone: 0, mark: Some('/') };
            let (dates, finding) = dates.adapt(given, "when", &NewOrders::default());
            (dates.form, finding.map(|finding| finding.severity))
        };
        for table in [DAY, MONTH] {
            for open in ["01-03-2022", "1-3-22"] {
                assert_eq!(of(table, &[open]), (table, warning), "{open}");
            }
            assert_eq!(of(table, &["01/03/2022"]), (table, None));
            assert_eq!(of(table, &["2022-03-01", "1 March 2022"]), (table, None));
            assert_eq!(of(table, &["22-05-21"]), (table, warning));
        }
        assert_eq!(
            [DAY, MONTH].map(|table| of(table, &["01.03.2022"]).1),
            [None, warning],
            "points have the day first"
        );
        assert_eq!(of(MONTH, &["01-03-2022", "13-03-2022"]), (DAY, warning));
        assert_eq!(
            of(DAY, &["01-03-2022", "13-03-2022"]),
            (DAY, None),
            "they tell the table's order"
        );
    }

    #[test]
    fn new_dates_with_the_year_first_and_two_digits_are_judged_together() {
        let (warning, short) = (Some(Severity::Warning), DateForm::ShortYearFirst);
        let many: Vec<String> =
            (0..12).map(|i| format!("22-{:02}-{:02}", 1 + i, 1 + 2 * i)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(read(DAY, &many), (short, warning));
        assert_eq!(read(short, &many), (short, None));
        assert_eq!(read(short, &["22-05-21"]), (short, None));
        assert_eq!(read(ISO, &["22-05-21"]), (short, warning));
        assert_eq!(read(short, &["21.05.2022"]), (DAY, warning));
        assert_eq!(read(MONTH, &["05-22-21", "01-02-21"]), (MONTH, None));
        assert_eq!(read(DAY, &["05-22-21", "01-02-21"]), (MONTH, warning));
    }
}
