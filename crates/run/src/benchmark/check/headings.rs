//! Check that no two rows or columns of the tables have one heading: one of them would disappear
//! wherever a name selects it.

use std::collections::HashMap;

use super::Benchmark;
use crate::benchmark::error::BenchmarkError;
use crate::benchmark::mistakes::{Mistakes, Part};
use crate::benchmark::{Column, MethodRow};
use uq_methods::anchors::ANCHORS;

/// Two columns of one name that stand in the table of one dataset, by their places among the
/// methods.
struct Twice<'a> {
    column: &'a Column,
    /// Place of its row.
    row: usize,
    /// Place of the row of the column before it; `None` for an anchor.
    before: Option<usize>,
}

impl Benchmark {
    /// Notes datasets, columns and metrics of one heading. Headings that differ by blanks alone
    /// look alike in a table.
    pub(super) fn check_headings(&self, to: &mut Mistakes) {
        let datasets = self.datasets.iter().map(|row| name(&row.heading, row.variant.as_deref()));
        note_twice("datasets", datasets.collect(), to);
        note_twice(
            "metrics",
            self.metrics.iter().map(|row| name(&row.heading, None)).collect(),
            to,
        );
        for Twice { column, row, before } in self.columns_twice() {
            let part = to.entry("methods", row).then("columns");
            match before {
                Some(before) => {
                    let other = to.entry("methods", before).then("columns");
                    to.note_contradiction(part, other, two("columns", &column.heading));
                }
                None => {
                    to.note_contradiction(part, Part::key("anchors"), of_anchor(&column.heading))
                }
            }
        }
    }

    /// Checks the columns of methods that a command line adds.
    ///
    /// # Errors
    /// [`BenchmarkError::Meaning`] with the first heading that is there twice.
    pub fn check_added_columns(&self) -> Result<(), BenchmarkError> {
        self.check_column_lengths()?;
        match self.columns_twice().first() {
            Some(Twice { column, before, .. }) => Err(BenchmarkError::Meaning {
                name: self.id.clone(),
                message: match before {
                    Some(_) => two("columns", &column.heading),
                    None => of_anchor(&column.heading),
                },
            }),
            None => Ok(()),
        }
    }

    /// The columns whose name an earlier column has, or an anchor. A command line names methods in
    /// any case, so that case tells no two apart.
    fn columns_twice(&self) -> Vec<Twice<'_>> {
        let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
        let mut found = Vec::new();
        for (row, method) in self.methods.iter().enumerate() {
            for column in &method.columns {
                let name = name(&column.heading, method.variant.as_deref()).to_lowercase();
                let is_anchor = self.anchors
                    && ANCHORS.iter().any(|(_, heading)| heading.to_lowercase() == name);
                let places = seen.entry(name).or_default();
                let before = places
                    .iter()
                    .copied()
                    .find(|other| self.share_a_dataset(method, &self.methods[*other]));
                if before.is_some() || is_anchor {
                    found.push(Twice { column, row, before });
                }
                places.push(row);
            }
        }
        found
    }

    fn share_a_dataset(&self, a: &MethodRow, b: &MethodRow) -> bool {
        self.datasets.iter().any(|row| a.runs_on(&row.key) && b.runs_on(&row.key))
    }
}

/// What a table shows of a heading: runs of blanks are one blank. A variant follows in brackets.
fn name(heading: &str, variant: Option<&str>) -> String {
    let words: Vec<&str> = heading.split_whitespace().collect();
    variant.map_or_else(|| words.join(" "), |variant| format!("{} ({variant})", words.join(" ")))
}

fn two(what: &str, heading: &str) -> String {
    format!(
        "two {what} have the heading `{heading}` (upper and lower case count as the same in names \
         of columns), so that one of them would disappear; give this one another heading than the \
         one before it"
    )
}

fn of_anchor(heading: &str) -> String {
    format!(
        "an anchor method has the heading `{heading}`, too; give this column another heading, or \
         leave `anchors` out"
    )
}

/// Notes each entry of a list whose name an earlier one has.
fn note_twice(list: &'static str, names: Vec<String>, to: &mut Mistakes) {
    for (place, name) in names.iter().enumerate() {
        if let Some(before) =
            names[..place].iter().position(|other| other == name && !name.is_empty())
        {
            let (part, other) =
                (to.entry(list, place).then("heading"), to.entry(list, before).then("heading"));
            to.note_contradiction(part, other, two(list, name));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::{Benchmark, BenchmarkError, Mistake, shipped};

    const HEAD: &str = "id = \"a\"\ntitle = \"A\"\nprotocol = { k-fold = { folds = 5 } }\n";
    const DATASET: &str = "[[datasets]]\nkey = \"yacht\"\nheading = \"Yacht\"\n";
    const METRIC: &str = "[[metrics]]\nid = \"crps\"\nheading = \"CRPS\"\n";

    fn tree(heading: &str, more: &str) -> String {
        format!("[[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"{heading}\" }}]\n{more}")
    }

    fn mistakes(text: &str) -> Vec<Mistake> {
        match Benchmark::parse("test", text) {
            Ok(_) => Vec::new(),
            Err(BenchmarkError::Mistakes { mistakes, .. }) => mistakes,
            Err(other) => panic!("{other}"),
        }
    }

    /// The lines of the only mistake.
    fn lines(text: &str) -> (usize, Option<usize>) {
        let found = mistakes(text);
        assert_eq!(found.len(), 1, "{text}\n{found:?}");
        let line_of = |wanted: usize| text.lines().nth(wanted - 1).unwrap();
        let (line, other) = (found[0].line.unwrap(), found[0].other_line);
        assert!(
            ["columns", "heading", "anchors"].iter().any(|key| line_of(line).starts_with(key)),
            "{}",
            line_of(line)
        );
        (line, other)
    }

    #[test]
    fn two_columns_of_one_heading_are_told_with_both_lines() {
        let whole = |methods: &str| format!("{HEAD}{DATASET}{METRIC}{methods}");
        assert_eq!(
            lines(&whole(&(tree("Tree", "") + &tree("Tree", "parameters = { max_depth = 3 }\n")))),
            (15, Some(12))
        );
        for other in [" Tree", "Tree  ", "Tree\\u00a0"] {
            assert_eq!(
                lines(&whole(&(tree("Tree", "") + &tree(other, "")))),
                (15, Some(12)),
                "{other:?}"
            );
        }
        assert_eq!(lines(&whole(&(tree("A  tree", "") + &tree("A tree", "")))), (15, Some(12)));
        for [a, b] in [
            ["Tree", "tree"],
            ["TREE", "Tree"],
            ["Größe", "GRÖSSE-1"],
            ["Bäume", "BÄUME"],
            ["rf ", "RF"],
        ] {
            let expected = if b.ends_with('1') { 0 } else { 1 };
            assert_eq!(mistakes(&whole(&(tree(a, "") + &tree(b, "")))).len(), expected, "{a} {b}");
        }
        // A varied parameter makes the headings "Tree 3" and "Tree 5".
        let varied = "vary = { parameter = \"max_depth\", values = [3, 5] }\n";
        assert_eq!(lines(&whole(&(tree("Tree 3", "") + &tree("Tree", varied)))), (15, Some(12)));
        let twice = "vary = { parameter = \"max_depth\", values = [3, 3] }\n";
        assert_eq!(lines(&whole(&tree("Tree", twice))), (12, None));
        // So do two readings of one fit.
        let both =
            "[[methods]]\nid = \"tree\"\ncolumns = [{ heading = \"T\" }, { heading = \"T\" }]\n";
        assert_eq!(lines(&whole(both)), (12, None));
    }

    #[test]
    fn datasets_metrics_and_anchors_of_one_heading_are_told() {
        let datasets = format!("{DATASET}[[datasets]]\nkey = \"boston\"\nheading = \"Yacht \"\n");
        assert_eq!(lines(&format!("{HEAD}{datasets}{METRIC}{}", tree("Tree", ""))), (9, Some(6)));
        let metrics = format!("{METRIC}[[metrics]]\nid = \"rmse\"\nheading = \"CRPS\"\n");
        assert_eq!(lines(&format!("{HEAD}{DATASET}{metrics}{}", tree("Tree", ""))), (12, Some(9)));
        let anchored =
            format!("{HEAD}anchors = true\n{DATASET}{METRIC}{}", tree("Linear  Gaussian", ""));
        assert_eq!(lines(&anchored), (13, Some(4)));
    }

    #[test]
    fn headings_that_differ_or_never_meet_are_accepted() {
        let two = format!("{DATASET}[[datasets]]\nkey = \"boston\"\nheading = \"Boston\"\n");
        for methods in [
            tree("GP 1 1", "") + &tree("GP 11", ""),
            tree("Tree", "") + &tree("Tree", "variant = \"deeper\"\n"),
            tree("Tree", "datasets = [\"yacht\"]\n") + &tree("Tree", "datasets = [\"boston\"]\n"),
            tree("Linear Gaussian", ""),
        ] {
            assert_eq!(mistakes(&format!("{HEAD}{two}{METRIC}{methods}")), [], "{methods}");
        }
        assert!(!shipped().unwrap().is_empty());
    }
}
