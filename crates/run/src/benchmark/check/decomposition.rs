//! Check that the true aleatoric and epistemic variances are known where a benchmark needs them.

use super::Benchmark;
use crate::protocols::{Protocol, ScoreUnits};
use uqbench_data::simulated::Simulated;

/// Finds a dataset without truth.
pub(super) fn check(benchmark: &Benchmark) -> Result<(), String> {
    let design = |key: &str| Simulated::get(key).and_then(Simulated::design);
    if benchmark.decomposition {
        if benchmark.protocol != Protocol::Demonstration
            || benchmark.score_units != ScoreUnits::Target
        {
            return Err("a decomposition wants the protocol `demonstration` and scores in the \
                        target's units"
                .into());
        }
        if !benchmark.ask.split {
            return Err("a decomposition asks for no split".into());
        }
        if let Some(row) = benchmark.datasets.iter().find(|row| design(&row.key).is_none()) {
            return Err(format!(
                "decomposition: the test inputs of `{}` are not the same in all repetitions",
                row.key
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_decomposition_wants_a_known_truth_at_inputs_that_never_change() {
        let text = include_str!("../../../../../benchmarks/papers/uqbench/decomposition.toml");
        Benchmark::parse("test", text).unwrap();
        for (from, to, expected) in [
            (
                "decomposition = true",
                "decomposition = true\nscore_units = \"scaled\"",
                "in the target's units",
            ),
            (
                "decomposition = true",
                "decomposition = true\nask = { split = false }",
                "asks for no split",
            ),
            (
                "protocol = \"demonstration\"",
                "protocol = \"whole-data\"",
                "wants the protocol `demonstration`",
            ),
            (
                "key = \"simulated:decomposition-step@8\"",
                "key = \"simulated:jcm-even\"",
                "are not the same",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
