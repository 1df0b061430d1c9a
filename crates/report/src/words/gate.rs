//! Say how to read the tables of what a run changed.

/// The note below the columns that changed.
pub const CHANGED: &str = "Gain: the loss before less the loss now over the repetitions that both \
    have; negative is worse. p: of the paired test, before Holm's correction over all columns that \
    differ by more than rounding.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_explained() {
        insta::assert_snapshot!(CHANGED, @"Gain: the loss before less the loss now over the repetitions that both have; negative is worse. p: of the paired test, before Holm's correction over all columns that differ by more than rounding.");
    }
}
