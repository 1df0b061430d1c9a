//! Draw calibration by the probability integral transform.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// Calibration over all finished repetitions: histogram of the probability integral transform, and
/// reliability curve.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Which columns, by their labels, one panel each; anchors carry their id as label `method`.
    pub panels: Vec<Panel>,
}

impl FigureKind for Calibration {
    by_fields!(file, title, panels);
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_calibration_figure_shows_columns_and_anchors() {
        let figure = |panels: &str| {
            let figure = format!(
                "[[figures]]\nkind = \"calibration\"\nfile = \"c\"\ntitle = \"C\"\npanels = \
                 [{panels}]\n"
            );
            let text = include_str!("../../../../../benchmarks/papers/dtb/dtb-table-1.toml")
                .replacen("[[figures]]", &(figure + "[[figures]]"), 1);
            Benchmark::parse("test", &text).map_err(|error| error.to_string())
        };
        let parsed = figure(
            "{ title = \"a\", dataset = \"bike\", labels = { method = \"dt\", trees = \"weak\" } },
             { title = \"b\", labels = { method = \"linear-gaussian\" } }",
        );
        let parsed = parsed.unwrap();
        assert_eq!(
            (parsed.figures[0].kind().file(), parsed.figures[0].kind().columns().len()),
            ("c", 2)
        );
        assert!(parsed.figures[0].kind().metrics().is_empty());
        for (panels, expected) in [
            ("", "figure `c` shows no column"),
            ("{ title = \"a\", labels = { method = \"linear\" } }", "no column has the labels"),
            ("{ title = \"a\", dataset = \"yacht\" }", "`yacht` is not a dataset of it"),
            ("{ name = \"a\" }", "name"),
        ] {
            let message = figure(panels).unwrap_err();
            assert!(message.contains(expected), "{panels}: {message}");
        }
        // A benchmark without anchors has no such column.
        let text = include_str!("../../../../../benchmarks/papers/dtb/dtb-figure-5.toml");
        let (from, to) =
            ("labels = { method = \"dt\" } },\n", "labels = { method = \"linear-gaussian\" } },\n");
        assert!(text.contains(from), "{from}");
        let message =
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(message.contains("no column has the labels"), "{message}");
    }
}
