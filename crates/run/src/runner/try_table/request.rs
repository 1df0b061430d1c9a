//! Say which quantiles are asked of a fit, and which random numbers, host and deadline it has.

use std::time::{Duration, Instant};

use super::stop::Stop;
use crate::candidates::Candidate;
use uq_core::math::random::Streams;
use uq_core::predictive::Bounds;
use uq_methods::{Context, Method, Request};

/// The ends of the interval, and the usual levels beside them, because some methods predict no
/// other quantiles than those that they are asked for, and the CRPS needs more than two. A usual
/// level that the errors of so few training rows cannot tell is left out: the method would refuse
/// it, although nobody has asked for it.
pub(super) fn request(bounds: Bounds, train_rows: usize, method: &dyn Method) -> Request {
    let (lower, upper) = bounds.levels();
    let errors = method.calibrating_rows(train_rows);
    let mut request = Request::default();
    let differs = |known: f64| (known - lower).abs() > 1e-9 && (known - upper).abs() > 1e-9;
    request.quantile_levels.retain(|&known| differs(known) && is_told(known, errors));
    request.quantile_levels.extend([lower, upper]);
    request.quantile_levels.sort_by(f64::total_cmp);
    request
}

/// Whether one of `errors` errors lies beyond their quantile of this level.
fn is_told(level: f64, errors: usize) -> bool {
    level.min(1.0 - level) * (errors + 1) as f64 >= 1.0 - 1e-9
}

/// The streams and the host of a candidate, and when it stops; an external method has a deadline of
/// its own, too.
pub(super) fn context(candidate: &Candidate, streams: Streams, stop: &Stop) -> Context {
    let seconds = candidate.host.as_ref().and_then(|host| host.bounds.seconds);
    let own = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    stop.applied(Context::new(streams), own).hosted(candidate.host.clone())
}

/// The random streams of a method, which depend on its name.
pub(super) fn streams(seed: u64, candidate: &Candidate) -> Streams {
    Streams::new(seed, &format!("try/{}", candidate.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidates;
    use uq_core::predictive::Side;

    fn levels(level: f64, side: Side, rows: usize) -> Vec<f64> {
        levels_of("linear-gaussian", level, side, rows)
    }

    fn levels_of(name: &str, level: f64, side: Side, rows: usize) -> Vec<f64> {
        let all = candidates(&[name.to_owned()]).unwrap();
        let method = &all.iter().find(|candidate| candidate.id == name).unwrap().method;
        request(Bounds { level, side }, rows, method.as_ref()).quantile_levels
    }

    #[test]
    fn the_interval_is_asked_for_once() {
        assert_eq!(levels(0.95, Side::Both, 400).len(), Request::default().quantile_levels.len());
        assert!(levels(0.93, Side::Both, 400).iter().any(|level| (level - 0.035).abs() < 1e-12));
        for side in [Side::Lower, Side::Upper] {
            let usual = Request::default().quantile_levels;
            assert_eq!(levels(0.9, side, 400), usual, "a bound is an end of another interval");
            assert!(
                [0.07, 0.93].iter().all(|level| levels(0.93, side, 400).contains(level)),
                "{side}"
            );
        }
    }

    /// The quantile 0.025 of n errors is one of them from n = 39 on.
    #[test]
    fn few_rows_are_asked_for_what_they_can_tell_and_for_the_interval() {
        assert_eq!(levels(0.9, Side::Both, 78).len(), Request::default().quantile_levels.len());
        let inner = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];
        assert_eq!(levels(0.9, Side::Both, 77).len(), inner.len());
        for (level, expected) in levels(0.9, Side::Both, 24).iter().zip(inner) {
            assert!((level - expected).abs() < 1e-9, "{level} {expected}");
        }
        assert_eq!(
            levels(0.5, Side::Both, 16).len(),
            3,
            "0.1 takes nine errors, and half of the rows are eight"
        );
        let wide = levels(0.99, Side::Both, 24);
        assert!((wide[0] - 0.005).abs() < 1e-12 && (wide[1] - 0.1).abs() < 1e-12, "{wide:?}");
    }

    /// A quarter of 120 rows are 30 errors, which tell a level of 0.05 and none of 0.025; half of
    /// them are 60.
    #[test]
    fn a_method_is_asked_for_what_the_rows_that_calibrate_it_can_tell() {
        let of = |name: &str, rows: usize| levels_of(name, 0.9, Side::Both, rows).len();
        assert_eq!((of("conformal-distribution", 120), of("split-conformal", 120)), (7, 9));
        assert_eq!(of("conformal-distribution", 156), 9, "39 errors");
    }
}
