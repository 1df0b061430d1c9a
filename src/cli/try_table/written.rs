//! Write what a comparison has found, and say where.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::Try;
use crate::cli::lacks::with_lacks;
use crate::cli::link::address;
use crate::cli::own_file::Identifier;
use crate::cli::{CliError, Ending, print_markdown};
use uqbench_data::own::OwnTable;
use uqbench_report::document::Document;
use uqbench_report::export::page_in_markdown;
use uqbench_report::long_table::LongTable;
use uqbench_report::site::single::single;
use uqbench_report::site::{Coverage, as_first_page, present_page};
use uqbench_report::try_table::{
    OWN_TABLES, OWN_TABLES_TITLE, RowNames, Subject, Whole, answer, chosen_settings, figure,
    illustrated, numbers, own_tables, page, seconds, settings_in_words, settings_numbers,
    tested_rows, warning_of_procedure,
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

/// End of the name of the rows with their intervals.
pub(super) const ROWS: &str = "-rows.csv";

/// A comparison, with the table that it is about.
#[derive(Clone)]
pub(super) struct Comparison<'a> {
    pub own: &'a OwnTable,
    /// The column that identifies the rows.
    pub id: Option<&'a Identifier>,
    /// Target and file.
    pub title: String,
    /// What may make scores or predictions wrong.
    pub warnings: Vec<String>,
    /// How the file was read.
    pub notes: Vec<String>,
    pub evaluation: &'a Evaluation,
}

impl Comparison<'_> {
    /// What its page is about.
    fn subject<'s>(&'s self, next: &'s [String]) -> Subject<'s> {
        Subject {
            title: &self.title,
            target: &self.own.table.target_name,
            rows: self.own.table.rows(),
            features: self.own.table.columns(),
            warnings: &self.warnings,
            notes: &self.notes,
            next,
        }
    }

    /// The rows of the table, each with its interval by a fit that has not seen it; `None` where no
    /// method with intervals is recommended.
    fn rows(&self) -> Option<LongTable> {
        let names = RowNames {
            places: &self.own.places,
            id: self.id.map(|id| (id.name.as_str(), id.cells.as_slice())),
        };
        tested_rows(&names, self.evaluation)
    }
}

impl Try {
    /// Writes the figures, the numbers, the settings and the page of the site.
    pub(super) fn write(
        &self,
        comparison: &Comparison,
        whole: Option<Whole>,
    ) -> Result<Ending, CliError> {
        let (stem, evaluation) = (self.own.stem(), comparison.evaluation);
        let next = self.next_on_page(comparison);
        let (page, mut documents) =
            illustrated(&comparison.subject(&next), evaluation, whole, &stem);
        documents.push(single(&[(OWN_TABLES, OWN_TABLES_TITLE)], &stem, &page, &documents));
        let compared = uqbench_report::try_table::comparison(evaluation, &comparison.warnings)
            .map_err(|error| CliError::Other(error.to_string()))?;
        documents.push(Document::new(format!("{stem}{COMPARISON}"), compared));
        documents.push(Document::new(format!("{stem}-comparison.csv"), numbers(evaluation).csv()));
        let settings = settings_numbers(evaluation, whole);
        documents.push(Document::new(format!("{stem}-settings.json"), settings.json()));
        documents.push(Document::new(format!("{stem}-settings.csv"), settings.csv()));
        if let Some(rows) = comparison.rows() {
            let rows = rows.csv().map_err(CliError::Other)?;
            documents.push(Document::new(format!("{stem}{ROWS}"), rows));
        }
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

    /// Prints the answer and what to run next, or the whole page; on standard error what differs
    /// between runs.
    pub(super) fn print(&self, comparison: &Comparison) -> Result<(), CliError> {
        let evaluation = comparison.evaluation;
        if !self.verbose {
            let next = self.next(comparison);
            return print_markdown(&page_in_markdown(&answer(
                &comparison.subject(&next),
                evaluation,
            )));
        }
        self.tell_written(evaluation);
        if let Some(warning) = warning_of_procedure(evaluation) {
            say(format!("warning: {warning}"));
        }
        let next = self.next_on_page(comparison);
        let mut page = page(&comparison.subject(&next), evaluation);
        page.blocks.extend(chosen_settings(evaluation, None));
        print_markdown(&page_in_markdown(&page))
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
    fn tell_written(&self, evaluation: &Evaluation) {
        let stem = self.own.stem();
        if let Some(seconds) = seconds(evaluation) {
            say(format!("seconds a fold: {seconds}"));
        }
        if figure("", evaluation).is_some() {
            let path = self.figures.join(format!("{stem}-reliability.png"));
            say(format!("wrote {} and .svg: how calibrated each method is", path.display()));
        }
        say(format!(
            "wrote {}: table, recommendation and figure on one page; {stem}-plan.json repeats it",
            self.link()
        ));
    }

    /// The address of the page.
    pub(super) fn link(&self) -> String {
        address(&self.figures.join("site").join(format!("{}.html", self.own.stem())))
    }

    /// Writes what the fit of all rows has chosen beside what the folds have.
    pub(super) fn tell_chosen(
        &self,
        comparison: &Comparison,
        (chosen, fit): (&Candidate, &WholeFit),
    ) -> Result<(), CliError> {
        let settings = settings_of(fit);
        if settings.is_empty() {
            return Ok(());
        }
        if self.verbose {
            let settings = settings_in_words(&settings);
            say(format!("`{}` has chosen on all rows: {settings}", chosen.id));
        }
        // what it lacks was told with the first page
        self.write(comparison, Some(Whole { id: &chosen.id, settings: &settings })).map(|_| ())
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
