//! Turn stored trials into the data of figures: one file for each kind of figure.

mod bars;
mod boxes;
mod calibration;
mod contrast;
mod curve_band;
mod gather;
mod histogram;
mod hyper_functions;
mod learning;
mod learning_panels;
mod mixture;
mod pooled;
mod quantile_reliability;
mod realisations;
mod skill;
mod sweep;
mod tables;
mod test_band;
mod tubes;
mod variances;

use rayon::prelude::*;

use super::document::Document;
use gather::Gather;
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::Figure;
use uqbench_run::runner::store::Store;

pub use gather::DrawingError;

/// A drawn figure.
pub struct Drawn {
    /// Its file name, without ending.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its SVG.
    pub document: Document,
}

/// The figures of one benchmark, each drawn or with what keeps it from being drawn. A figure without any finished trial is left out.
pub fn render(results: &Results, store: &Store) -> Vec<Result<Drawn, DrawingError>> {
    let one = |figure: &Figure| -> Result<Option<Drawn>, DrawingError> {
        let Some(drawing) = of_kind(figure).gather(results, store)? else { return Ok(None) };
        let (file, title) = (figure.kind().file().to_owned(), figure.kind().title().to_owned());
        let document = Document::figure(&file, drawing.as_ref())
            .map_err(|source| DrawingError::Figure { file: file.clone(), source })?;
        Ok(Some(Drawn { file, title, document }))
    };
    let all: Vec<Result<Option<Drawn>, DrawingError>> = results.plan.benchmark.figures.par_iter().map(one).collect();
    all.into_iter().filter_map(Result::transpose).collect()
}

/// How a figure is gathered, one line for each kind.
fn of_kind(figure: &Figure) -> &dyn Gather {
    match figure {
        Figure::TestBand(kind) => kind,
        Figure::CurveBand(kind) => kind,
        Figure::Sweep(kind) => kind,
        Figure::Histogram(kind) => kind,
        Figure::Calibration(kind) => kind,
        Figure::QuantileReliability(kind) => kind,
        Figure::Mixture(kind) => kind,
        Figure::HyperFunctions(kind) => kind,
        Figure::Tubes(kind) => kind,
        Figure::Realisations(kind) => kind,
        Figure::Learning(kind) => kind,
        Figure::LearningPanels(kind) => kind,
        Figure::Contrast(kind) => kind,
        Figure::Bars(kind) => kind,
        Figure::Boxes(kind) => kind,
        Figure::Variances(kind) => kind,
        Figure::Skill(kind) => kind,
    }
}
