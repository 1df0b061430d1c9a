//! Find where an increasing function crosses zero, by Newton steps that fall back on bisection.

/// Steps after which the bracket is as narrow as floating-point numbers allow in every practical
/// case.
const MAX_STEPS: usize = 200;

/// The point in `[low, high]` at which the increasing function `f` crosses zero.
///
/// `f` returns its value and its slope. A Newton step is taken when it stays inside the bracket and
/// shrinks at least by half from one step to the next; otherwise the bracket is halved (Press et
/// al., *Numerical Recipes*, `rtsafe`). Where `f` jumps over zero, the result lies on the upper
/// side of the jump.
#[inline(always)] // so that `f` is compiled for the caller's vector instructions
pub fn increasing_root(
    mut low: f64,
    mut high: f64,
    start: f64,
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = start.clamp(low, high);
    let mut previous_step = high - low;
    for _ in 0..MAX_STEPS {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let inside = newton > low && newton < high;
        let next = if inside && (newton - x).abs() <= 0.5 * previous_step {
            newton
        } else {
            low + 0.5 * (high - low)
        };
        previous_step = (next - x).abs();
        if next <= low || next >= high {
            return high;
        }
        // A Newton step below rounding ends the search; a bisection goes on until nothing lies
        // between its ends.
        if slope > 0.0 && previous_step <= f64::EPSILON * x.abs() {
            return next;
        }
        x = next;
    }
    high
}

#[cfg(test)]
mod tests {
    use super::increasing_root;

    #[test]
    fn crosses_where_the_closed_form_does() {
        let cube_root = increasing_root(0.0, 10.0, 9.0, |x| (x * x * x - 2.0, 3.0 * x * x));
        assert!((cube_root - 2.0_f64.cbrt()).abs() < 1e-15);
        // A slope of zero at the start sends Newton to infinity; bisection takes over.
        let odd = increasing_root(-3.0, 5.0, 0.0, |x| (x.powi(3) - 1e-9, 3.0 * x * x));
        assert!((odd - 1e-3).abs() < 1e-15);
    }

    #[test]
    fn a_jump_is_found_on_its_upper_side() {
        let step = |x: f64| if x >= 0.7 { (1.0, 0.0) } else { (-1.0, 0.0) };
        assert_eq!(increasing_root(-1.0, 2.0, 0.0, step), 0.7);
    }
}
