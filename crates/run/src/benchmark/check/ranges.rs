//! Check that the numbers of a benchmark are small enough to be stored and run.

use super::super::{Benchmark, Profile, ProfileSpec};
use crate::protocols::MOST_SPLITS;

/// Most draws that a benchmark may request of one fit.
const MOST_SAMPLES: usize = 1_000_000;
/// Most quantile levels that a benchmark may request of one fit.
const MOST_LEVELS: usize = 10_000;
/// Most trials of one profile.
const MOST_TRIALS: u64 = 1_000_000;

impl Benchmark {
    /// Finds a request with too many samples or levels, or with an invalid level.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_ask(&self) -> Result<(), String> {
        let (samples, levels) = (self.ask.samples, self.ask.quantile_levels.len());
        if !(1..=MOST_SAMPLES).contains(&samples) {
            return Err(format!("`ask` wants {samples} samples, expected 1 to {MOST_SAMPLES}"));
        }
        if levels > MOST_LEVELS {
            return Err(format!(
                "`ask` wants {levels} quantile levels, expected at most {MOST_LEVELS}"
            ));
        }
        if let Some(level) =
            self.ask.quantile_levels.iter().find(|level| !(**level > 0.0 && **level < 1.0))
        {
            return Err(format!(
                "`ask` wants the quantile at {level}, expected levels above 0 and below 1"
            ));
        }
        Ok(())
    }

    /// Finds a profile with too many splits or trials.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_trials(&self, profile: Profile, spec: &ProfileSpec) -> Result<(), String> {
        let (name, splits) = (profile.as_str(), spec.splits);
        if splits > MOST_SPLITS {
            return Err(format!(
                "profile `{name}` has {splits} splits, expected at most {MOST_SPLITS}"
            ));
        }
        let seeds = spec.seeds.map_or(1, |seeds| seeds.count);
        let (datasets, methods) = (self.datasets.len(), self.methods.len());
        if [splits, seeds, datasets as u64, methods as u64].into_iter().fold(1, u64::saturating_mul)
            > MOST_TRIALS
        {
            return Err(format!(
                "profile `{name}` has {splits} splits of {datasets} datasets by {methods} methods \
                 with {seeds} seeds, expected at most {MOST_TRIALS} trials"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_is_no_probability_is_refused_before_anything_runs() {
        let text = include_str!("../../../../../benchmarks/papers/dtb/dtb-figure-5.toml");
        for level in ["0", "1.5", "nan"] {
            let changed =
                text.replacen("split = false", &format!("quantile_levels = [0.5, {level}]"), 1);
            let message = Benchmark::parse("test", &changed).unwrap_err().to_string();
            assert!(message.contains("expected levels above 0 and below 1"), "{level}: {message}");
        }
    }
}
