//! Check a request, by its reading and its number of features, and the prediction that is returned.

use ndarray::ArrayView2;

use crate::{FitError, Reading};
use uq_core::predictive::Predictive;

/// Refuses every reading but [`Reading::MAIN`].
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn main_only(id: &str, asked: &Reading) -> Result<(), FitError> {
    one_of(id, &[Reading::MAIN], asked)
}

/// Refuses a reading that is not among the `known` ones.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn one_of(id: &str, known: &[Reading], asked: &Reading) -> Result<(), FitError> {
    if known.contains(asked) {
        return Ok(());
    }
    let names: Vec<String> = known.iter().map(|reading| format!("'{reading}'")).collect();
    let has = match names.split_last() {
        None => "no reading".to_owned(),
        Some((only, [])) => format!("the reading {only} only"),
        Some((last, others)) => format!("the readings {} and {last}", others.join(", ")),
    };
    Err(FitError::Unsupported(format!("{id} has {has}, asked for '{asked}'")))
}

/// Refuses a number of feature columns other than `fitted`.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn columns(id: &str, fitted: usize, features: ArrayView2<f64>) -> Result<(), FitError> {
    let found = features.ncols();
    if found == fitted {
        return Ok(());
    }
    Err(FitError::Unsupported(format!(
        "{id} was fitted on {fitted} features, asked to predict from {found}"
    )))
}

/// Returns a prediction that has at least one point and a distribution at each.
///
/// # Errors
/// [`FitError::Diverged`], in the name of the method `id`, for any other prediction.
pub fn valid(id: &str, answer: Predictive) -> Result<Predictive, FitError> {
    answer.validate().map_err(|error| FitError::Diverged(format!("{id}: {error}")))?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;
    use ndarray::Array2;

    #[test]
    fn an_unknown_reading_is_refused_with_the_known_ones() {
        let (game, asked) = (Reading::new("game"), Reading::new("x"));
        assert_eq!(main_only("m", &Reading::MAIN), Ok(()));
        assert_eq!(words(main_only("m", &asked)), "m has the reading 'main' only, asked for 'x'");
        let two = [Reading::MAIN, game.clone()];
        assert_eq!(one_of("m", &two, &game), Ok(()));
        assert_eq!(
            words(one_of("m", &two, &asked)),
            "m has the readings 'main' and 'game', asked for 'x'"
        );
        let three = [Reading::MAIN, game, Reading::new("mode")];
        assert_eq!(
            words(one_of("m", &three, &asked)),
            "m has the readings 'main', 'game' and 'mode', asked for 'x'"
        );
        assert_eq!(words(one_of("m", &[], &asked)), "m has no reading, asked for 'x'");
    }

    #[test]
    fn another_number_of_features_is_refused() {
        let features = Array2::zeros((5, 3));
        assert_eq!(columns("m", 3, features.view()), Ok(()));
        assert_eq!(
            words(columns("m", 2, features.view())),
            "m was fitted on 2 features, asked to predict from 3"
        );
    }
}
