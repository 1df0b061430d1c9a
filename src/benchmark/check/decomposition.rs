//! Check that the truth of a split is known where a benchmark asks for it.

use super::{Benchmark, Figure};
use crate::data::simulated::Simulated;
use crate::protocols::{Protocol, ScoreUnits};

/// Finds a dataset without truth, and a figure of datasets that are not there.
pub(super) fn check(benchmark: &Benchmark) -> Result<(), String> {
    let design = |key: &str| Simulated::get(key).and_then(Simulated::design);
    if benchmark.decomposition {
        if benchmark.protocol != Protocol::Demonstration || benchmark.score_units != ScoreUnits::Target {
            return Err("a decomposition wants the protocol `demonstration` and scores in the target's units".into());
        }
        if !benchmark.ask.split {
            return Err("a decomposition asks for no split".into());
        }
        if let Some(row) = benchmark.datasets.iter().find(|row| design(&row.key).is_none()) {
            return Err(format!("decomposition: the test inputs of `{}` are not the same in all repetitions", row.key));
        }
    }
    for figure in &benchmark.figures {
        let keys: Vec<&String> = match figure {
            Figure::Variances { datasets, .. } => datasets.iter().map(|panel| &panel.dataset).collect(),
            Figure::Skill { groups, .. } => groups.iter().flat_map(|group| &group.datasets).collect(),
            _ => continue,
        };
        let what = format!("figure `{}`", figure.file());
        if !benchmark.decomposition || keys.is_empty() {
            return Err(format!("{what} needs `decomposition = true` and at least one dataset"));
        }
        if let Some(key) = keys.iter().find(|key| !benchmark.datasets.iter().any(|row| row.key == ***key)) {
            return Err(format!("{what}: `{key}` is not a dataset of it"));
        }
        if let Figure::Skill { groups, lanes, .. } = figure
            && let Some(group) = groups.iter().find(|group| group.datasets.len() > lanes.len())
        {
            let (found, most) = (group.datasets.len(), lanes.len());
            return Err(format!("{what}: `{}` has {found} datasets, expected {most} at most, one a lane", group.title));
        }
        let one_feature = |key: &&&String| design(key).is_some_and(|design| design.inputs.ncols() == 1);
        if matches!(figure, Figure::Variances { .. })
            && let Some(key) = keys.iter().find(|key| !one_feature(key))
        {
            return Err(format!("{what}: `{key}` has more than one feature"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_decomposition_wants_a_known_truth_at_inputs_that_never_change() {
        let text = include_str!("../../../benchmarks/decomposition.toml");
        Benchmark::parse("test", text).unwrap();
        for (from, to, expected) in [
            ("decomposition = true", "decomposition = false", "needs `decomposition = true`"),
            ("decomposition = true", "decomposition = true\nscore_units = \"scaled\"", "in the target's units"),
            ("decomposition = true", "decomposition = true\nask = { split = false }", "asks for no split"),
            ("protocol = \"demonstration\"", "protocol = \"whole-data\"", "wants the protocol `demonstration`"),
            ("key = \"simulated:decomposition-step@8\"", "key = \"simulated:jcm-even\"", "are not the same"),
            ("lanes = [\"1\", ", "lanes = [", "expected 3 at most"),
            ("dataset = \"simulated:decomposition-gap@1\"", "dataset = \"yacht\"", "`yacht` is not a dataset"),
            (
                "dataset = \"simulated:decomposition-gap@1\"",
                "dataset = \"simulated:decomposition-gap@2\"",
                "has more than one feature",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let message = Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
