//! Write what a comparison has found, and say where.

use super::Try;
use crate::cli::CliError;
use crate::methods::candidates::Candidate;
use crate::plot::Render;
use crate::protocols::WholeFit;
use crate::report::document::Document;
use crate::report::section::{Block, Page};
use crate::report::site::single::single;
use crate::report::try_table::{
    Whole, chosen_settings, comparison, figure, numbers, seconds, settings_in_words, settings_numbers,
};
use crate::report::write::{Output, WriteError};
use crate::runner::try_table::{Evaluation, settings_of};
use crate::system::notice::say;

impl Try {
    /// Writes the figure, the numbers, the settings and the page of the site.
    pub(super) fn write(
        &self,
        title: &str,
        page: Page,
        warnings: &[String],
        evaluation: &Evaluation,
        whole: Option<Whole>,
    ) -> Result<(), CliError> {
        let stem = self.own.stem();
        let mut page = with_settings(page, evaluation, whole);
        let mut documents = Vec::new();
        if let Some(drawing) = figure(title, evaluation) {
            let file = format!("{stem}-reliability");
            let drawn = Document::figure(&file, &drawing).map_err(|error| CliError::Other(error.to_string()))?;
            documents.push(drawn);
            page.blocks.push(Block::Figure { file, title: drawing.title().to_owned() });
        }
        documents.push(single(&[], &stem, &page, &documents));
        let compared = comparison(evaluation, warnings).map_err(|error| CliError::Other(error.to_string()))?;
        documents.push(Document::new(format!("{stem}-comparison.json"), compared));
        documents.push(Document::new(format!("{stem}-comparison.csv"), numbers(evaluation).csv()));
        let settings = settings_numbers(evaluation, whole);
        documents.push(Document::new(format!("{stem}-settings.json"), settings.json()));
        documents.push(Document::new(format!("{stem}-settings.csv"), settings.csv()));
        self.keep(&documents)
    }

    /// Prints the seconds, which differ between runs, and the paths of what was written.
    pub(super) fn tell_written(&self, evaluation: &Evaluation) {
        let stem = self.own.stem();
        if let Some(seconds) = seconds(evaluation) {
            say(format!("seconds a fold: {seconds}"));
        }
        if figure("", evaluation).is_some() {
            let path = self.figures.join(format!("{stem}-reliability.png"));
            say(format!("wrote {} and .svg: how calibrated each method is", path.display()));
        }
        let link = self.figures.join("site").join(format!("{stem}.html"));
        say(format!(
            "wrote {}: table, recommendation and figure on one page; {stem}-plan.json repeats it",
            link.display()
        ));
    }

    /// Says what the fit of all rows has chosen, and writes it beside what the folds have.
    pub(super) fn tell_chosen(
        &self,
        title: &str,
        page: Page,
        warnings: &[String],
        evaluation: &Evaluation,
        (chosen, fit): (&Candidate, &WholeFit),
    ) -> Result<(), CliError> {
        let settings = settings_of(fit);
        if settings.is_empty() {
            return Ok(());
        }
        say(format!("`{}` has chosen on all rows: {}", chosen.id, settings_in_words(&settings)));
        self.write(title, page, warnings, evaluation, Some(Whole { id: &chosen.id, settings: &settings }))
    }

    /// Writes files into the folder of figures.
    pub(super) fn keep(&self, documents: &[Document]) -> Result<(), CliError> {
        let output = Output { folder: self.figures.clone(), png: true, ..Output::default() };
        output.write(documents).map_err(|WriteError { path, source }| {
            let file = path.display();
            CliError::Other(format!("{file} cannot be written: {source}; --figures DIR chooses another folder"))
        })
    }
}

/// A page with the settings that were chosen.
pub(super) fn with_settings(mut page: Page, evaluation: &Evaluation, whole: Option<Whole>) -> Page {
    page.blocks.extend(chosen_settings(evaluation, whole));
    page
}
