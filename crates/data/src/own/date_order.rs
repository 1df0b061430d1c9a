//! Judge over all rows whether dates have the day or the month first: `13/03/2022` tells,
//! `01/03/2022` does not.

mod short_years;

use super::cells::Cells;
use super::date::{DateForm, Moment, is_date_like};
use super::missing::is_missing_number;
use super::number::is_nearly_all;

pub(super) use short_years::{BesideMonth, ShortYear};

/// What the cells of a column say of the order of day and month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DateOrder<'a> {
    /// Cells that are dates with the day first alone.
    day_first: usize,
    /// Cells that are dates with the month first alone.
    month_first: usize,
    /// Cells that are both.
    either: usize,
    /// The first cell of each of the three kinds.
    examples: [Option<&'a str>; 3],
}

/// What follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict<'a> {
    /// No cell has day and month as numbers around which the year does not stand first.
    NoDates,
    /// Every such cell may be read in both orders; the first one.
    Open(&'a str),
    /// Nearly all cells that tell have this order; the first of them.
    Form(DateForm, &'a str),
    /// Some cells have the day first, and others the month: the first of each.
    Both(&'a str, &'a str),
}

impl<'a> DateOrder<'a> {
    /// The order of day and month in these cells.
    pub fn of(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut order = Self::default();
        let is = |text: &str, form| Moment::of(text, form, 0).is_some();
        for text in texts {
            let (count, kind) =
                match (is(text, DateForm::DayMonthYear), is(text, DateForm::MonthDayYear)) {
                    (true, false) => (&mut order.day_first, 0),
                    (false, true) => (&mut order.month_first, 1),
                    (true, true) => (&mut order.either, 2),
                    (false, false) => continue,
                };
            *count += 1;
            order.examples[kind].get_or_insert(text);
        }
        order
    }

    /// What follows. A few cells of the other order among many are typing errors.
    pub fn verdict(self) -> Verdict<'a> {
        let telling = self.day_first + self.month_first;
        match self.examples {
            [Some(day), _, _] if is_nearly_all(self.day_first, telling) => {
                Verdict::Form(DateForm::DayMonthYear, day)
            }
            [_, Some(month), _] if is_nearly_all(self.month_first, telling) => {
                Verdict::Form(DateForm::MonthDayYear, month)
            }
            [Some(day), Some(month), _] => Verdict::Both(day, month),
            [_, _, Some(either)] => Verdict::Open(either),
            _ => Verdict::NoDates,
        }
    }
}

/// The order of day and month that all columns at these places have that tell one; `None` where
/// none tells, or where they differ.
pub(super) fn common_order(cells: &Cells, places: &[usize]) -> Option<DateForm> {
    let of = |place: &usize| {
        let given = || cells.texts(*place).filter(|text| !is_missing_number(text));
        // Most columns of text are not even looked at.
        given().next().filter(|text| is_date_like(text))?;
        if !ShortYear::of(&given().collect::<Vec<_>>()).is_none_or(|year| year == ShortYear::Last) {
            return None;
        }
        match DateOrder::of(given()).verdict() {
            Verdict::Form(form, _) => Some(form),
            Verdict::NoDates | Verdict::Open(_) | Verdict::Both(..) => None,
        }
    };
    let mut forms = places.iter().filter_map(of);
    let first = forms.next()?;
    forms.all(|form| form == first).then_some(first)
}

/// The orders of day and month that columns of dates of a file of new rows tell, each beside the
/// form that the table has there.
#[derive(Clone, Debug, Default)]
pub(super) struct NewOrders(pub Vec<(DateForm, DateForm)>);

impl NewOrders {
    /// The order of a column that does not tell it and has this form in the table: that in which
    /// all others of this form contradict the table, or that of all others for a form without an
    /// order; `None` where they do not agree.
    pub fn of_others(&self, table: DateForm) -> Option<DateForm> {
        let mut others = self
            .0
            .iter()
            .filter(|(form, _)| !table.has_order() || *form == table)
            .map(|(_, told)| *told);
        let first = others.next()?;
        (first != table && others.all(|form| form == first)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_tell_the_order_decide_for_all() {
        let verdict = |texts: &[&'static str]| DateOrder::of(texts.iter().copied()).verdict();
        let (day, month) = (DateForm::DayMonthYear, DateForm::MonthDayYear);
        assert_eq!(verdict(&["01/03/2022", "13/03/2022", "x"]), Verdict::Form(day, "13/03/2022"));
        assert_eq!(
            verdict(&["1.3.2022", "3.13.2022 10:00"]),
            Verdict::Form(month, "3.13.2022 10:00")
        );
        assert_eq!(verdict(&["01-03-2022", "02-03-2022"]), Verdict::Open("01-03-2022"));
        assert_eq!(
            verdict(&["13/03/22", "03/13/22", "03/14/22"]),
            Verdict::Both("13/03/22", "03/13/22")
        );
        assert_eq!(verdict(&["2022-03-13", "13 March 2022", ""]), Verdict::NoDates);
        let typing_error: Vec<&str> =
            ["03/13/2022"; 20].into_iter().chain(["13/03/2022"]).collect();
        assert_eq!(verdict(&typing_error), Verdict::Form(month, "03/13/2022"));
    }

    #[test]
    fn a_column_of_new_rows_follows_others_that_contradict_the_table() {
        let (iso, day, month) =
            (DateForm::YearMonthDay, DateForm::DayMonthYear, DateForm::MonthDayYear);
        let of_others =
            |told: &[(DateForm, DateForm)], form| NewOrders(told.to_vec()).of_others(form);
        assert_eq!(of_others(&[(month, day)], month), Some(day));
        assert_eq!(of_others(&[(month, month)], month), None);
        assert_eq!(of_others(&[(month, day), (month, month)], month), None);
        assert_eq!(of_others(&[(day, month)], month), None, "of another form in the table");
        assert_eq!(of_others(&[(month, day)], iso), Some(day));
    }

    #[test]
    fn columns_share_an_order_where_none_contradicts() {
        let order =
            |text: &str| common_order(&Cells::parse("f", text.as_bytes()).unwrap(), &[0, 1]);
        assert_eq!(order("a,b\n01/03/2022,x\n13/03/2022,x\n"), Some(DateForm::DayMonthYear));
        assert_eq!(
            order("a,b\n01/03/2022,03/13/2022\n02/03/2022,03/14/2022\n"),
            Some(DateForm::MonthDayYear)
        );
        assert_eq!(order("a,b\n13/03/2022,03/13/2022\n14/03/2022,03/14/2022\n"), None);
    }
}
