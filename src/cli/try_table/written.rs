//! Write what a comparison has found, and say where.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::Try;
use crate::cli::lacks::with_lacks;
use crate::cli::link::address;
use crate::cli::{CliError, Ending};
use uqbench_report::document::Document;
use uqbench_report::section::Page;
use uqbench_report::site::single::single;
use uqbench_report::site::{Coverage, as_first_page, present_page};
use uqbench_report::try_table::{
    OWN_TABLES, OWN_TABLES_TITLE, Whole, chosen_settings, comparison, figure, numbers, own_tables,
    seconds, settings_in_words, settings_numbers,
};
use uqbench_report::write::{Beside, Output, WriteError};
use uqbench_run::candidates::Candidate;
use uqbench_run::protocols::WholeFit;
use uqbench_run::runner::try_table::{Evaluation, settings_of};
use uqbench_system::disk::LARGEST;
use uqbench_system::files::LONGEST_NAME;
use uqbench_system::named_file::read_regular_text;
use uqbench_system::notice::say;

/// Most bytes that are added to the table's name for the names of files.
const ADDED: usize = COMPARISON.len();

/// End of the name of a comparison for other programs.
const COMPARISON: &str = "-comparison.json";

impl Try {
    /// Writes the figure, the numbers, the settings and the page of the site.
    pub(super) fn write(
        &self,
        title: &str,
        page: Page,
        warnings: &[String],
        evaluation: &Evaluation,
        whole: Option<Whole>,
    ) -> Result<Ending, CliError> {
        let stem = self.own.stem();
        let mut page = with_settings(page, evaluation, whole);
        let mut documents = Vec::new();
        if let Some(drawing) = figure(title, evaluation) {
            let file = format!("{stem}-reliability");
            page.draw(&mut documents, file, &drawing);
        }
        documents.push(single(&[(OWN_TABLES, OWN_TABLES_TITLE)], &stem, &page, &documents));
        let compared =
            comparison(evaluation, warnings).map_err(|error| CliError::Other(error.to_string()))?;
        documents.push(Document::new(format!("{stem}{COMPARISON}"), compared));
        documents.push(Document::new(format!("{stem}-comparison.csv"), numbers(evaluation).csv()));
        let settings = settings_numbers(evaluation, whole);
        documents.push(Document::new(format!("{stem}-settings.json"), settings.json()));
        documents.push(Document::new(format!("{stem}-settings.csv"), settings.csv()));
        self.keep(&documents)?;
        // A table of this name has its own page there.
        if stem == OWN_TABLES {
            return Ok(with_lacks(Ending::Done, &documents));
        }
        let list = own_tables(&self.comparisons()?);
        let present = present_page(&self.figures, Coverage::Chosen);
        let first = as_first_page(&list, present.as_deref());
        self.keep(&std::iter::once(list).chain(first).collect::<Vec<_>>())?;
        Ok(with_lacks(Ending::Done, &documents))
    }

    /// Refuses a table whose name is too long for the files that are named after it.
    pub(super) fn check_stem(&self) -> Result<(), CliError> {
        let (bytes, most) = (self.own.stem().len(), LONGEST_NAME - ADDED);
        match bytes > most {
            false => Ok(()),
            true => Err(CliError::Usage(format!(
                "the table's name has {bytes} bytes without its ending, and the names of the files \
                 about it are longer than it: rename it to at most {most} bytes"
            ))),
        }
    }

    /// The comparisons in the folder of figures, by the names of their tables.
    fn comparisons(&self) -> Result<Vec<(String, String)>, CliError> {
        let failed = |path: &Path, error| {
            CliError::Other(format!("{} cannot be read: {error}", path.display()))
        };
        let folder = &self.figures;
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
            let path = entry.map_err(|error| failed(folder, error))?.path();
            let name = path.file_name().map(OsStr::to_string_lossy);
            if let Some(stem) =
                name.and_then(|name| Some(name.strip_suffix(COMPARISON)?.to_owned()))
            {
                all.insert(
                    stem,
                    read_regular_text(&path, LARGEST).map_err(|error| failed(&path, error))?,
                );
            }
        }
        Ok(all.into_iter().collect())
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
            address(&link)
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
        let whole = Some(Whole { id: &chosen.id, settings: &settings });
        // what it lacks was told with the first page
        self.write(title, page, warnings, evaluation, whole).map(|_| ())
    }

    /// Writes files into the folder of figures.
    pub(super) fn keep(&self, documents: &[Document]) -> Result<(), CliError> {
        let output = Output {
            folder: self.figures.clone(),
            beside: Beside { png: true, pdf: false },
            ..Output::default()
        };
        output.write(documents).map_err(|WriteError { path, source }| {
            let file = path.display();
            CliError::Other(format!(
                "{file} cannot be written: {source}; --figures DIR chooses another folder"
            ))
        })
    }
}

/// A page with the settings that were chosen.
pub(super) fn with_settings(mut page: Page, evaluation: &Evaluation, whole: Option<Whole>) -> Page {
    page.blocks.extend(chosen_settings(evaluation, whole));
    page
}
