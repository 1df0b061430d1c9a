//! Use the recommended method, or the one that is named: predict the new rows with its fit of all
//! rows, and keep that in a file.

use std::path::Path;

use super::Try;
use super::written::Comparison;
use crate::cli::CliError;
use crate::cli::new_rows::{New, write, write_predictions};
use crate::cli::wording::Worded;
use uq_core::names::counted;
use uqbench_data::own::{Dependent, Ranges};
use uqbench_report::try_table::promises;
use uqbench_run::candidates::Candidate;
use uqbench_run::protocols::WholeFit;
use uqbench_run::registry::own_build;
use uqbench_run::runner::model::{About, Content, FittedModel, Model, Reference, SavedMethod};
use uqbench_run::runner::try_table::Problem;
use uqbench_system::notice::say;
use uqbench_system::program::Program;

impl Try {
    /// The method that predicts.
    pub(super) fn chosen<'a>(
        &self,
        recommended: Option<&str>,
        all: &'a [Candidate],
    ) -> Result<&'a Candidate, CliError> {
        let name = self.predict_with.as_deref().or(recommended);
        let found = name.and_then(|name| all.iter().find(|candidate| candidate.id == name));
        found.ok_or_else(|| {
            let message =
                "no method is recommended, so nothing was predicted or saved; `--predict-with \
                 NAME` chooses a method";
            CliError::Other(message.into())
        })
    }

    /// Writes the predictions of the new rows.
    pub(super) fn answer(
        &self,
        problem: Problem,
        (chosen, fit): (&Candidate, &WholeFit),
        new: &New,
    ) -> Result<(), CliError> {
        let Some(out) = &self.out else { return Ok(()) };
        if new.answered() == 0 {
            write_predictions(out, &new.unanswered(&self.asked.asked(problem.bounds)))?;
            return new.refuse_unanswered();
        }
        write_predictions(
            out,
            &new.answer(fit, &self.asked.asked(problem.bounds), problem.seed, chosen, None)?,
        )?;
        say(format!(
            "wrote {}: {} predicted by `{}`, fitted on all {} rows",
            out.display(),
            counted(new.answered(), "row"),
            chosen.id,
            problem.table.rows()
        ));
        Ok(())
    }

    /// Writes the model of a method: its fit, or, of an external one, the rows that a later fit
    /// needs.
    pub(super) fn save(
        &self,
        path: &Path,
        comparison: &Comparison,
        (chosen, fit): (&Candidate, &WholeFit),
        seed: u64,
    ) -> Result<(), CliError> {
        let Comparison { own, id, evaluation, .. } = comparison;
        let other =
            |why: String| CliError::Other(format!("`{}` cannot be saved: {why}", chosen.id));
        let content = if chosen.is_external() {
            Content::Rows(own.table.clone())
        } else {
            let fit = fit.kept().map_err(|error| other(error.to_string()))?;
            Content::Fit(FittedModel {
                rows: own.table.rows(),
                ranges: Ranges::of(own.table.features.view()),
                fit,
            })
        };
        let tried = evaluation.methods.iter().find(|tried| tried.id == chosen.id);
        let about = About {
            program: Program::this().to_string(),
            build: own_build(chosen.method.id(), &chosen.method.parameters()),
            title: self.own.title(),
            method: SavedMethod::of(chosen),
            bounds: evaluation.bounds,
            seed,
            id: id.map(|id| id.name.clone()),
            encoding: own.encoding.clone(),
            dependent: own.dependent.as_ref().map(Dependent::for_new_rows),
            never_negative: evaluation.smallest >= 0.0,
            promises: promises(evaluation, &chosen.id)
                .into_iter()
                .chain(own.readings().map(Worded::worded))
                .collect(),
            reference: Some(Reference::new(&own.table, evaluation, tried, seed)),
            recalibrated: None,
        };
        let bytes =
            Model { about, content }.to_bytes().map_err(|error| other(error.to_string()))?;
        write(path, &bytes)?;
        let (file, size, rows) = (path.display(), bytes.len().div_ceil(1000), own.table.rows());
        say(match chosen.is_external() {
            true => format!(
                "wrote {file}: `{}` and the {rows} rows as numbers, {size} kB; `uqbench predict` \
                 fits it anew",
                chosen.id
            ),
            false => format!(
                "wrote {file}: `{}`, fitted on {rows} rows, {size} kB; `uqbench predict` needs no \
                 table",
                chosen.id
            ),
        });
        Ok(())
    }
}
