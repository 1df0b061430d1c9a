//! The predictions of new rows as a table.

use crate::long_table::{LongTable, Values};
use uq_core::predictive::{Bounds, Predictive, Side, Split};
use uqbench_judge::watch::RECALIBRATION;

/// The rows of a file with new rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRows {
    /// Name and cells of the column that identifies the rows.
    pub id: Option<(String, Vec<String>)>,
    /// For each row, why it has no prediction; `None` where it has one.
    pub reasons: Vec<Option<String>>,
    /// For each row, what was filled in for a cell that no row is like that the method was fitted
    /// on.
    pub notes: Vec<Option<String>>,
}

/// What is asked of each prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The interval.
    pub bounds: Bounds,
    /// Levels of further quantiles, in (0, 1).
    pub quantiles: Vec<f64>,
    /// The name of the recalibration of the model, if it is recalibrated.
    pub recalibration: Option<String>,
}

/// Predictions of new rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// The columns `row` (from 1, in the order of the new rows), the identifier where there is one,
    /// `mean`, `lower`, `upper` (ends of the interval; one of them where it has one end), a
    /// quantile for each level that is asked for, such as `q0.05`, `sd`, `aleatoric_sd` and
    /// `epistemic_sd`, `recalibration` of a recalibrated model, `reason` where some row has no prediction, and `note` where something was
    /// filled in for some row. A cell is empty where its number is undefined.
    pub table: LongTable,
    /// Columns without a number in any row.
    pub empty: Vec<String>,
}

const ROW: &str = "row";
const NUMBERS: [&str; 6] = ["mean", "lower", "upper", "sd", "aleatoric_sd", "epistemic_sd"];
const REASON: &str = "reason";
const NOTE: &str = "note";

/// Whether predictions may have a column of this name, so that the column that identifies the rows
/// cannot have it.
pub fn is_heading(name: &str) -> bool {
    let is_quantile = name.strip_prefix('q').is_some_and(|level| level.parse::<f64>().is_ok());
    [ROW, RECALIBRATION, REASON, NOTE].contains(&name) || NUMBERS.contains(&name) || is_quantile
}

/// The predictions with what is asked. `predictive` has one distribution for each row without a
/// reason, in order.
pub fn predictions(predictive: &Predictive, asked: &Asked, rows: &NewRows) -> Predictions {
    let Split { aleatoric, epistemic } = predictive.split.clone().unwrap_or_default();
    let (distribution, bounds) = (predictive.distribution(), asked.bounds);
    let mut answered = 0..predictive.len();
    let places: Vec<Option<usize>> = rows
        .reasons
        .iter()
        .map(|reason| reason.is_none().then(|| answered.next()).flatten())
        .collect();
    let each = |number: &dyn Fn(usize) -> Option<f64>| -> Vec<Option<f64>> {
        places.iter().map(|place| place.and_then(number)).collect()
    };
    let of_part = |part: &Option<ndarray::Array1<f64>>| {
        each(&|i| part.as_ref().map(|variance| variance[i].sqrt()))
    };
    let mut numbers = vec![("mean".to_owned(), each(&|i| distribution.mean(i)))];
    if bounds.side != Side::Upper {
        numbers.push((
            "lower".into(),
            each(&|i| bounds.interval(predictive, i).map(|(lower, _)| lower)),
        ));
    }
    if bounds.side != Side::Lower {
        numbers.push((
            "upper".into(),
            each(&|i| bounds.interval(predictive, i).map(|(_, upper)| upper)),
        ));
    }
    for &level in &asked.quantiles {
        numbers.push((format!("q{level}"), each(&|i| distribution.quantile(i, level))));
    }
    numbers.extend([
        ("sd".into(), each(&|i| distribution.variance(i).map(f64::sqrt))),
        ("aleatoric_sd".into(), of_part(&aleatoric)),
        ("epistemic_sd".into(), of_part(&epistemic)),
    ]);
    let empty = numbers.iter().filter(|(_, cells)| cells.iter().all(Option::is_none));
    let empty = empty.map(|(name, _)| name.clone()).collect();
    let count = (1..=rows.reasons.len() as u64).map(Some).collect();
    let mut columns = vec![(ROW.to_owned(), Values::Whole(count))];
    if let Some((name, ids)) = &rows.id {
        columns.push((name.clone(), Values::Text(ids.iter().cloned().map(Some).collect())));
    }
    columns.extend(numbers.into_iter().map(|(name, cells)| (name, Values::Number(cells))));
    if let Some(name) = &asked.recalibration {
        let names = vec![Some(name.clone()); rows.reasons.len()];
        columns.push((RECALIBRATION.into(), Values::Text(names)));
    }
    if rows.reasons.iter().any(Option::is_some) {
        columns.push((REASON.into(), Values::Text(rows.reasons.clone())));
    }
    if rows.notes.iter().any(Option::is_some) {
        columns.push((NOTE.into(), Values::Text(rows.notes.clone())));
    }
    Predictions { table: LongTable::of_columns(rows.reasons.len(), columns), empty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use uq_core::predictive::{Form, Gaussian};

    fn half() -> Asked {
        asked(0.5, Side::Both)
    }

    fn asked(level: f64, side: Side) -> Asked {
        Asked { bounds: Bounds { level, side }, quantiles: Vec::new(), recalibration: None }
    }

    fn answered(rows: usize) -> NewRows {
        NewRows { id: None, reasons: vec![None; rows], notes: vec![None; rows] }
    }

    #[test]
    fn rows_of_which_none_has_a_prediction_have_their_reasons() {
        let none = Gaussian { mean: array![], variance: array![] };
        let rows = NewRows { id: None, reasons: vec![Some("no x".into())], notes: vec![None] };
        let found = predictions(&Predictive::new(Form::Gaussian(none)), &half(), &rows);
        assert_eq!(
            text(&found),
            "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason\n1,,,,,,,no x\n"
        );
    }

    fn text(found: &Predictions) -> String {
        String::from_utf8(found.table.csv().unwrap()).unwrap()
    }

    #[test]
    fn one_bound_has_one_column() {
        let gaussian = Gaussian { mean: array![1.0], variance: array![4.0] };
        let predictive = Predictive::new(Form::Gaussian(gaussian));
        for (side, head, row) in [
            (Side::Upper, "row,mean,upper,sd,aleatoric_sd,epistemic_sd", "1,1,2.348979"),
            (Side::Lower, "row,mean,lower,sd,aleatoric_sd,epistemic_sd", "1,1,-0.348979"),
        ] {
            // 0.67449 is the normal quantile of 0.75.
            let found = predictions(&predictive, &asked(0.75, side), &answered(1));
            let text = text(&found);
            let lines: Vec<&str> = text.lines().collect();
            assert!(
                lines[0] == head && lines[1].starts_with(row) && lines[1].ends_with(",2,,"),
                "{text}"
            );
            assert_eq!(found.empty, ["aleatoric_sd", "epistemic_sd"]);
        }
    }

    #[test]
    fn undefined_parts_are_empty_and_named() {
        let gaussian = Gaussian { mean: array![1.0, -2.5], variance: array![4.0, 0.0] };
        let split = Split { aleatoric: None, epistemic: Some(array![1.0, 0.25]) };
        let predictive = Predictive::new(Form::Gaussian(gaussian)).with_split(split);
        let found = predictions(&predictive, &half(), &answered(2));
        assert_eq!(found.empty, ["aleatoric_sd"]);
        let text = text(&found);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd");
        // 1 ∓ 2 × 0.67449, the normal quartile.
        assert!(
            lines[1].starts_with("1,1,-0.348979")
                && lines[1].contains(",2.348979")
                && lines[1].ends_with(",2,,1")
        );
        assert_eq!(lines[2], "2,-2.5,-2.5,-2.5,0,,0.5");
    }

    #[test]
    fn a_row_without_a_prediction_is_blank_with_its_reason() {
        let gaussian = Gaussian { mean: array![1.0, 3.0], variance: array![0.0, 0.0] };
        let ids = ["a", "b, c", "d"].map(String::from).to_vec();
        let reasons = vec![None, Some("line 3: no colour".into()), None];
        let notes = vec![None, None, Some("no size".into())];
        let rows = NewRows { id: Some(("house".into(), ids)), reasons, notes };
        let found = predictions(&Predictive::new(Form::Gaussian(gaussian)), &half(), &rows);
        let text = text(&found);
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "row,house,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason,note",
                "1,a,1,1,1,0,,,,",
                "2,\"b, c\",,,,,,,line 3: no colour,",
                "3,d,3,3,3,0,,,,no size",
            ]
        );
        for heading in text.lines().next().unwrap().split(',') {
            assert_eq!(is_heading(heading), heading != "house", "{heading}");
        }
    }

    #[test]
    fn quantiles_that_are_asked_for_are_columns() {
        let gaussian = Gaussian { mean: array![1.0], variance: array![4.0] };
        let predictive = Predictive::new(Form::Gaussian(gaussian));
        let asked = Asked { quantiles: vec![0.25, 0.5], ..half() };
        let found = predictions(&predictive, &asked, &answered(1));
        let text = text(&found);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines[0][4..6], ["q0.25", "q0.5"]);
        // The quartile is the lower end of the central half, the median the mean.
        assert_eq!((lines[1][4], lines[1][5]), (lines[1][2], "1"));
        assert!(is_heading("q0.25") && !is_heading("quality") && !is_heading("q"));
    }
}
