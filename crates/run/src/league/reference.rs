//! Score the predictor that ignores the features on the splits of a board.

use super::{Board, LeagueError};
use crate::protocols::{Outcomes, Repetition, Setting, Source, run};
use crate::registry;
use uq_core::metrics::MetricId;
use uq_methods::{Context, FitError};
use uqbench_data::Library;

impl Board {
    /// The scores of the reference by dataset and split; `None` where they are undefined.
    ///
    /// # Errors
    /// As [`Board::truths`]; [`LeagueError::Unfit`] where it cannot be fitted.
    pub fn reference_scores(
        &self,
        library: &Library,
        metric: &MetricId,
    ) -> Result<Vec<Vec<Option<f64>>>, LeagueError> {
        let tables = self.load(library)?;
        let unfit = |why: String| LeagueError::Unfit { board: self.id.clone(), why };
        self.of_each_split(&tables, |dataset, split, rows| {
            let spec = dataset.reference(split);
            let failed = |error: FitError| unfit(format!("{}: {error}", dataset.key));
            let method = registry::build(&spec.method, &spec.parameters)
                .map_err(|error| unfit(error.to_string()))?;
            let setting = Setting {
                protocol: &spec.protocol,
                repetition: Repetition {
                    dataset: &spec.dataset,
                    rows: spec.rows,
                    split,
                    streams: spec.data_streams(),
                },
                scaling: spec.scaling,
                score_units: spec.score_units,
                request: &spec.ask,
            };
            let table = self.datasets.iter().zip(&tables).find(|(one, _)| one.key == dataset.key);
            let Some((_, table)) = table else { return Ok(None) };
            let context = Context::new(spec.method_streams());
            let source = Source::Table(table);
            let observed = run(&setting, source, method.as_ref(), &context).map_err(failed)?;
            let outcomes = Outcomes::of(rows, source);
            let predictive = observed.readings.first().map(|(_, predictive)| predictive);
            Ok(predictive.and_then(|predictive| {
                metric.score(predictive, outcomes.y.view(), &outcomes.context)
            }))
        })
    }
}
