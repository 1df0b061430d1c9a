//! Write predictions of new rows as CSV.

use crate::predictive::{Predictive, Split};

/// Predictions of new rows as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictions {
    /// CSV with the columns `row` (from 1, in the order of the new rows), `mean`, `lower`, `upper` (ends of the central
    /// interval), `sd`, `aleatoric_sd` and `epistemic_sd`. A cell is empty where its number is undefined.
    pub csv: Vec<u8>,
    /// Columns without a number in any row.
    pub empty: Vec<&'static str>,
}

const NUMBERS: [&str; 6] = ["mean", "lower", "upper", "sd", "aleatoric_sd", "epistemic_sd"];

/// The predictions with their central intervals of probability `level`.
pub fn predictions(predictive: &Predictive, level: f64) -> Predictions {
    let split = predictive.split.clone().unwrap_or_default();
    let Split { aleatoric, epistemic } = split;
    let distribution = predictive.distribution();
    let mut empty = NUMBERS.to_vec();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let _ = writer.write_record(["row"].iter().chain(&NUMBERS)); // writing to a vector cannot fail
    for i in 0..predictive.len() {
        let interval = predictive.interval(i, level);
        let numbers = [
            distribution.mean(i),
            interval.map(|(lower, _)| lower),
            interval.map(|(_, upper)| upper),
            distribution.variance(i).map(f64::sqrt),
            aleatoric.as_ref().map(|variance| variance[i].sqrt()),
            epistemic.as_ref().map(|variance| variance[i].sqrt()),
        ];
        empty.retain(|name| NUMBERS.iter().position(|known| known == name).is_some_and(|j| numbers[j].is_none()));
        let cells = numbers.iter().map(|number| number.map(|number| number.to_string()).unwrap_or_default());
        let _ = writer.write_record([(i + 1).to_string()].into_iter().chain(cells));
    }
    Predictions { csv: writer.into_inner().unwrap_or_default(), empty }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictive::{Form, Gaussian};
    use ndarray::array;

    #[test]
    fn undefined_parts_are_empty_and_named() {
        let gaussian = Gaussian { mean: array![1.0, -2.5], variance: array![4.0, 0.0] };
        let split = Split { aleatoric: None, epistemic: Some(array![1.0, 0.25]) };
        let found = predictions(&Predictive::new(Form::Gaussian(gaussian)).with_split(split), 0.5);
        assert_eq!(found.empty, ["aleatoric_sd"]);
        let text = String::from_utf8(found.csv).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd");
        // 1 ∓ 2 × 0.67449, the normal quartile.
        assert!(lines[1].starts_with("1,1,-0.348979") && lines[1].contains(",2.348979") && lines[1].ends_with(",2,,1"));
        assert_eq!(lines[2], "2,-2.5,-2.5,-2.5,0,,0.5");
    }
}
