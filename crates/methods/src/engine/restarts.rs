//! Train again with smaller steps where a number is not finite.

use crate::FitError;

/// What a restart multiplies the step size by.
pub const SMALLER_STEP: f64 = 0.1;

/// Which number was not finite and when, such as `the bound is not finite in step 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFinite(pub String);

/// Trains once more with a tenth of the step size after each attempt with a number that is not
/// finite, at most `restarts` times.
///
/// `attempt` gets the factor of its step size: 1, 1/10, 1/100, … `parameter` is the name of the
/// step size. Returns the result of the first attempt with finite numbers, and the number of
/// restarts before it.
///
/// # Errors
/// [`FitError::Diverged`], with the reason of the last attempt, where every attempt fails; other
/// errors of `attempt` at once.
pub fn with_smaller_steps<T>(
    restarts: usize,
    parameter: &str,
    mut attempt: impl FnMut(f64) -> Result<Result<T, NotFinite>, FitError>,
) -> Result<(T, usize), FitError> {
    let mut lost = String::new();
    for restart in 0..=restarts {
        match attempt(SMALLER_STEP.powi(restart as i32))? {
            Ok(found) => return Ok((found, restart)),
            Err(NotFinite(what)) => lost = what,
        }
    }
    Err(FitError::Diverged(format!(
        "{lost}, even after {restarts} restarts with a tenth of the step size each; look for \
         extreme values in the table, or lower `{parameter}`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_shrink_until_numbers_stay_finite() {
        let mut factors = Vec::new();
        let found = with_smaller_steps(3, "rate", |factor| {
            factors.push(factor);
            Ok(if factors.len() < 3 { Err(NotFinite("the loss".into())) } else { Ok("found") })
        });
        assert_eq!(found, Ok(("found", 2)));
        assert_eq!(factors, [1.0, 0.1, SMALLER_STEP.powi(2)]);
    }

    #[test]
    fn the_last_reason_is_reported_and_a_stop_is_returned() {
        let mut attempts = 0;
        let found = with_smaller_steps::<()>(1, "rate", |_| {
            attempts += 1;
            Ok(Err(NotFinite(format!("the loss is not finite in epoch {attempts}"))))
        });
        let expected = "the loss is not finite in epoch 2, even after 1 restarts with a tenth of \
                        the step size each; look for extreme values in the table, or lower `rate`";
        assert_eq!(found, Err(FitError::Diverged(expected.into())));
        assert_eq!(
            with_smaller_steps::<()>(3, "rate", |_| Err(FitError::TimedOut)),
            Err(FitError::TimedOut)
        );
    }
}
