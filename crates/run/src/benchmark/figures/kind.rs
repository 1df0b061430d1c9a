//! Say what every kind of figure tells of itself.

use super::super::Benchmark;
use super::checks::check_columns;
use super::panel::Panel;
use uq_core::metrics::MetricId;

/// What every kind of figure tells of itself.
pub trait FigureKind {
    /// File name, without its ending.
    fn file(&self) -> &str;

    /// Caption.
    fn title(&self) -> &str;

    /// The columns that it shows.
    fn columns(&self) -> &[Panel];

    /// The metrics that it shows.
    fn metrics(&self) -> Vec<MetricId> {
        Vec::new()
    }

    /// Finds the first contradiction to the benchmark that the figure belongs to.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_columns(self.file(), self.columns(), benchmark)
    }
}

/// Implements [`FigureKind::file`], [`FigureKind::title`] and [`FigureKind::columns`] by the fields
/// of these names.
macro_rules! by_fields {
    ($file:ident, $title:ident, $columns:ident) => {
        fn file(&self) -> &str {
            &self.$file
        }

        fn title(&self) -> &str {
            &self.$title
        }

        fn columns(&self) -> &[Panel] {
            &self.$columns
        }
    };
}
pub(super) use by_fields;
