//! Check that names are short enough for tables, and for the files that are named after them.

use super::Benchmark;
use crate::benchmark::error::BenchmarkError;
use crate::benchmark::mistakes::{Mistakes, Part};
use crate::benchmark::report_files::LONGEST_NAME;

impl Benchmark {
    /// Notes names of datasets, columns and metrics that are too long.
    pub(super) fn check_lengths(&self, to: &mut Mistakes) {
        let note =
            |part: Part, name: &str, to: &mut Mistakes| to.note_failure(part, check_length(name));
        for (i, row) in self.datasets.iter().enumerate() {
            note(to.entry("datasets", i).then("key"), &row.key, to);
            note(to.entry("datasets", i).then("heading"), &row.heading, to);
            note(
                to.entry("datasets", i).then("variant"),
                row.variant.as_deref().unwrap_or_default(),
                to,
            );
        }
        for (i, row) in self.methods.iter().enumerate() {
            for column in &row.columns {
                note(to.entry("methods", i).then("columns"), &column.heading, to);
            }
            note(
                to.entry("methods", i).then("variant"),
                row.variant.as_deref().unwrap_or_default(),
                to,
            );
        }
        for (i, column) in self.printed_columns.iter().enumerate() {
            note(to.entry("printed_columns", i), &column.heading, to);
        }
        for (i, metric) in self.metrics.iter().enumerate() {
            note(to.entry("metrics", i).then("heading"), &metric.heading, to);
        }
    }

    /// Checks the names of the columns, which a command line may add to.
    ///
    /// # Errors
    /// [`BenchmarkError::Meaning`] with the first name that is too long.
    pub(super) fn check_column_lengths(&self) -> Result<(), BenchmarkError> {
        let mut columns = self.methods.iter().flat_map(|row| &row.columns);
        let wrong = |message| BenchmarkError::Meaning { name: self.id.clone(), message };
        columns.try_for_each(|column| check_length(&column.heading)).map_err(wrong)
    }
}

fn check_length(name: &str) -> Result<(), String> {
    match name.len() > LONGEST_NAME {
        false => Ok(()),
        true => {
            let start: String = name.chars().take(20).collect();
            Err(format!(
                "the name `{start}…` has {} bytes, expected at most {LONGEST_NAME}",
                name.len()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::report_files::{LONGEST_ID, LONGEST_NAME};
    use crate::benchmark::{Benchmark, BenchmarkError, Mistake};

    fn mistakes(text: &str) -> Vec<Mistake> {
        match Benchmark::parse("test", text) {
            Ok(_) => Vec::new(),
            Err(BenchmarkError::Mistakes { mistakes, .. }) => mistakes,
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn names_that_are_too_long_are_told_with_their_line_and_the_limit() {
        let text = |id: usize, [dataset, column, metric]: [usize; 3]| {
            let of = |length: usize| "n".repeat(length);
            format!(
                "id = \"{}\"\ntitle = \"A\"\nprotocol = {{ k-fold = {{ folds = 5 }} \
                 }}\n[[datasets]]\nkey = \"yacht\"\nheading = \"{}\"\n\
                 [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"{}\" }}]\n[[metrics]]\nid = \
                 \"crps\"\nheading = \"{}\"\n",
                of(id),
                of(dataset),
                of(column),
                of(metric)
            )
        };
        assert_eq!(mistakes(&text(LONGEST_ID, [LONGEST_NAME; 3])), []);
        for (id, names, line, limit) in [
            (LONGEST_ID + 1, [5; 3], 1, LONGEST_ID),
            (230, [5; 3], 1, LONGEST_ID),
            (5, [LONGEST_NAME + 1, 5, 5], 6, LONGEST_NAME),
            (5, [5, 260, 5], 9, LONGEST_NAME),
            (5, [5, 5, 70_000], 12, LONGEST_NAME),
        ] {
            let found = mistakes(&text(id, names));
            assert_eq!(
                found.iter().map(|one| one.line).collect::<Vec<_>>(),
                [Some(line)],
                "{found:?}"
            );
            assert!(
                found[0].message.contains(&limit.to_string()) && found[0].message.len() < 400,
                "{found:?}"
            );
        }
    }
}
