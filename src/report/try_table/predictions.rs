//! Write predictions of new rows as CSV.

use crate::predictive::{Bounds, Predictive, Side, Split};

/// The rows of a file with new rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRows {
    /// Name and cells of the column that identifies the rows.
    pub id: Option<(String, Vec<String>)>,
    /// For each row, why it has no prediction; `None` where it has one.
    pub reasons: Vec<Option<String>>,
}

/// Predictions of new rows as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictions {
    /// CSV with the columns `row` (from 1, in the order of the new rows), the identifier where there is one, `mean`,
    /// `lower`, `upper` (ends of the interval; one of them where it has one end), `sd`, `aleatoric_sd` and `epistemic_sd`, and `reason` where
    /// some row has no prediction. A cell is empty where its number is undefined.
    pub csv: Vec<u8>,
    /// Columns without a number in any row.
    pub empty: Vec<&'static str>,
}

const ROW: &str = "row";
const NUMBERS: [&str; 6] = ["mean", "lower", "upper", "sd", "aleatoric_sd", "epistemic_sd"];
const REASON: &str = "reason";

/// Whether predictions have a column of this name, so that the column that identifies the rows cannot have it.
pub fn is_heading(name: &str) -> bool {
    [ROW, REASON].contains(&name) || NUMBERS.contains(&name)
}

/// The numbers that predictions with these intervals have.
fn headings(bounds: Bounds) -> Vec<&'static str> {
    let absent = match bounds.side {
        Side::Both => None,
        Side::Lower => Some("upper"),
        Side::Upper => Some("lower"),
    };
    NUMBERS.into_iter().filter(|name| Some(*name) != absent).collect()
}

/// The predictions with their intervals. `predictive` has one distribution for each row without a reason, in order.
pub fn predictions(predictive: &Predictive, bounds: Bounds, rows: &NewRows) -> Predictions {
    let Split { aleatoric, epistemic } = predictive.split.clone().unwrap_or_default();
    let distribution = predictive.distribution();
    let has_reasons = rows.reasons.iter().any(Option::is_some);
    let (name, ids) = rows.id.as_ref().map(|(name, ids)| (name.as_str(), ids)).unzip();
    let reason = has_reasons.then_some(REASON);
    let headings = headings(bounds);
    let number = |heading: &str, i: usize| match heading {
        "mean" => distribution.mean(i),
        "lower" => bounds.of(predictive, i).map(|(lower, _)| lower),
        "upper" => bounds.of(predictive, i).map(|(_, upper)| upper),
        "sd" => distribution.variance(i).map(f64::sqrt),
        "aleatoric_sd" => aleatoric.as_ref().map(|variance| variance[i].sqrt()),
        _ => epistemic.as_ref().map(|variance| variance[i].sqrt()),
    };
    let mut empty = headings.clone();
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to a vector cannot fail.
    let _ = writer.write_record([ROW].into_iter().chain(name).chain(headings.iter().copied()).chain(reason));
    let mut answered = 0..predictive.len();
    for (row, reason) in rows.reasons.iter().enumerate() {
        let place = reason.is_none().then(|| answered.next()).flatten();
        let numbers: Vec<Option<f64>> = headings.iter().map(|heading| number(heading, place?)).collect();
        empty.retain(|name| headings.iter().position(|known| known == name).is_some_and(|j| numbers[j].is_none()));
        let cells = numbers.iter().map(|number| number.map(|number| number.to_string()).unwrap_or_default());
        let id = ids.and_then(|ids| ids.get(row)).cloned();
        let told = has_reasons.then(|| reason.clone().unwrap_or_default());
        let _ = writer.write_record([(row + 1).to_string()].into_iter().chain(id).chain(cells).chain(told));
    }
    Predictions { csv: writer.into_inner().unwrap_or_default(), empty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictive::{Form, Gaussian};
    use ndarray::array;

    const HALF: Bounds = Bounds { level: 0.5, side: Side::Both };

    #[test]
    fn one_bound_has_one_column() {
        let gaussian = Gaussian { mean: array![1.0], variance: array![4.0] };
        let predictive = Predictive::new(Form::Gaussian(gaussian));
        for (side, head, row) in [
            (Side::Upper, "row,mean,upper,sd,aleatoric_sd,epistemic_sd", "1,1,2.348979"),
            (Side::Lower, "row,mean,lower,sd,aleatoric_sd,epistemic_sd", "1,1,-0.348979"),
        ] {
            // 0.67449 is the normal quantile of 0.75.
            let found =
                predictions(&predictive, Bounds { level: 0.75, side }, &NewRows { id: None, reasons: vec![None] });
            let text = String::from_utf8(found.csv).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0] == head && lines[1].starts_with(row) && lines[1].ends_with(",2,,"), "{text}");
            assert_eq!(found.empty, ["aleatoric_sd", "epistemic_sd"]);
        }
    }

    #[test]
    fn undefined_parts_are_empty_and_named() {
        let gaussian = Gaussian { mean: array![1.0, -2.5], variance: array![4.0, 0.0] };
        let split = Split { aleatoric: None, epistemic: Some(array![1.0, 0.25]) };
        let predictive = Predictive::new(Form::Gaussian(gaussian)).with_split(split);
        let found = predictions(&predictive, HALF, &NewRows { id: None, reasons: vec![None, None] });
        assert_eq!(found.empty, ["aleatoric_sd"]);
        let text = String::from_utf8(found.csv).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd");
        // 1 ∓ 2 × 0.67449, the normal quartile.
        assert!(lines[1].starts_with("1,1,-0.348979") && lines[1].contains(",2.348979") && lines[1].ends_with(",2,,1"));
        assert_eq!(lines[2], "2,-2.5,-2.5,-2.5,0,,0.5");
    }

    #[test]
    fn a_row_without_a_prediction_is_blank_with_its_reason() {
        let gaussian = Gaussian { mean: array![1.0, 3.0], variance: array![0.0, 0.0] };
        let ids = ["a", "b, c", "d"].map(String::from).to_vec();
        let reasons = vec![None, Some("line 3: no colour".into()), None];
        let rows = NewRows { id: Some(("house".into(), ids)), reasons };
        let found = predictions(&Predictive::new(Form::Gaussian(gaussian)), HALF, &rows);
        let text = String::from_utf8(found.csv).unwrap();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "row,house,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason",
                "1,a,1,1,1,0,,,",
                "2,\"b, c\",,,,,,,line 3: no colour",
                "3,d,3,3,3,0,,,",
            ]
        );
        for heading in text.lines().next().unwrap().split(',') {
            assert_eq!(is_heading(heading), heading != "house", "{heading}");
        }
    }
}
