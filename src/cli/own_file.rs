//! Read a user's table as a command asks for it, and say what was found on the way.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::CliError;
use super::cells::CellArgs;
use super::format_args::FormatArgs;
use super::wording::{Worded, option};
use uq_core::Table;
use uq_core::names::counted;
use uq_core::printable::printable;
use uqbench_data::Description;
use uqbench_data::own::{
    By, Cells, DependenceColumn, Finding, OwnDataset, OwnTable, Setting, Words, censored_findings,
    is_standard_input, stem, suspicions, target_findings, trend,
};
use uqbench_data::splits::copies;
use uqbench_run::runner::try_table::Division;
use uqbench_system::notice::say;

/// A table of one's own.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("dependence").args(["group", "time"]).multiple(true)))]
pub struct OwnFile {
    /// Table with a header: text between commas, semicolons, tabs or vertical bars, Parquet, or a
    /// workbook (.xlsx, .xls, .xlsb, .ods), also compressed by gzip; - is standard input. Columns
    /// of text are one-hot encoded; missing numbers are filled in by each fit.
    #[arg(value_name = "FILE")]
    pub table: PathBuf,
    /// Column to predict.
    #[arg(long, value_name = "COLUMN")]
    target: String,
    /// Columns to leave out, such as row numbers and names.
    #[arg(long, value_name = "COLUMN,…")]
    drop: Vec<String>,
    /// Column that identifies the rows: it is no feature, and predictions of new rows repeat it.
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Column that says which rows belong together, such as a patient or a shop: all of a group's
    /// rows are tested by models that have seen none of them, as if new rows were of new groups. It
    /// is no feature.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Column of dates or numbers that orders the rows: later rows are tested by models of earlier
    /// ones. It is no feature, but for what recurs of a date.
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Keep the column of --group or --time as a feature.
    #[arg(long, requires = "dependence")]
    keep: bool,
    #[command(flatten)]
    cells: CellArgs,
}

/// A table as it was read.
pub struct Examined {
    pub own: OwnTable,
    /// How its rows are divided.
    pub division: Division,
    /// The column that identifies the rows.
    pub id: Option<Identifier>,
    pub findings: Vec<Finding>,
}

/// The column that identifies the rows.
pub struct Identifier {
    pub name: String,
    /// Its cells, in the order of the table's rows.
    pub cells: Vec<String>,
}

impl OwnFile {
    /// A file whose rows are not said to depend on each other.
    pub fn plain(
        table: PathBuf,
        target: String,
        drop: Vec<String>,
        format: FormatArgs,
        cells: CellArgs,
    ) -> Self {
        Self { table, target, drop, id: None, format, group: None, time: None, keep: false, cells }
    }

    /// The file of a dataset of a benchmark.
    pub fn of_dataset(own: &OwnDataset) -> Self {
        let cells = CellArgs::from(own.rules.clone());
        Self::plain(
            own.path.clone(),
            own.target.clone(),
            own.drop.clone(),
            own.format.clone().into(),
            cells,
        )
    }

    /// The column that says which rows depend on each other, if one is named.
    ///
    /// # Errors
    /// [`CliError::Usage`] where both kinds are, because new rows are of one of them.
    pub fn dependence(&self) -> Result<Option<DependenceColumn>, CliError> {
        let (by, column) = match (&self.group, &self.time) {
            (None, None) => return Ok(None),
            (Some(group), None) => (By::Group, group),
            (None, Some(time)) => (By::Time, time),
            (Some(group), Some(time)) => {
                return Err(CliError::Usage(format!(
                    "--group and --time exclude each other, because the rows are divided as new \
                     ones will come: `--time {time}` alone if they are later rows of known groups \
                     (\"{group}\" may be a feature then), `--group {group}` alone if they are of \
                     new groups"
                )));
            }
        };
        Ok(Some(DependenceColumn { by, column: column.clone(), keep: self.keep }))
    }

    /// The table, and all findings on it.
    pub fn examined(&self, by: Option<&DependenceColumn>) -> Result<Examined, CliError> {
        self.examined_cells(&self.read_cells()?, by)
    }

    /// The file's cells.
    pub fn read_cells(&self) -> Result<Cells, CliError> {
        Ok(Cells::read_as(&self.table, &self.format.format())?)
    }

    /// The same of a file that has been read.
    pub fn examined_cells(
        &self,
        cells: &Cells,
        by: Option<&DependenceColumn>,
    ) -> Result<Examined, CliError> {
        let division = |table: &Table| {
            Division::of(table).map_err(|why| {
                let stated =
                    by.map(|by| (option(by.by.setting()), by.column.as_str())).unwrap_or_default();
                CliError::Other(format!("{}: {}: {}", stated.0, stated.1, why.worded()))
            })
        };
        self.examined_in(cells, by, division)
    }

    /// Makes the table of a file that has been read, whose rows `divide` divides, and lists all
    /// findings on it.
    pub fn examined_in(
        &self,
        cells: &Cells,
        by: Option<&DependenceColumn>,
        divide: impl FnOnce(&Table) -> Result<Division, CliError>,
    ) -> Result<Examined, CliError> {
        let id = self.id_of(cells)?;
        let name = id.map(|place| cells.names()[place].clone());
        let dropped: Vec<String> = self.dropped(cells).chain(name.clone()).collect();
        let own = OwnTable::with_rules(cells, &self.target, &dropped, by, &self.cells.rules())?;
        let division = divide(&own.table)?;
        let description = Description::of(&own.table);
        let mut findings = own.findings.clone();
        findings.extend(description.notes.iter().map(Finding::note));
        findings.extend(twins(division, &description, &own.table));
        findings.extend(censored_findings(&own.table, &description.censored));
        findings.extend(description.warnings.iter().map(Finding::warning));
        findings.extend(suspicions(&own));
        findings.extend(target_findings(&own));
        findings.extend(trend(&own));
        if by.is_none() {
            findings.extend(own.encoding.dates().map(|name| {
                let name = printable(name, 60);
                let later = Words::from("if new rows will be later than these, ") + Setting::Time;
                Finding::note(later + format!(" \"{name}\" tests past to future"))
            }));
        }
        let id = id.zip(name).map(|(place, name)| {
            let texts: Vec<&str> = cells.texts(place).collect();
            let cells = own.places.iter().map(|at| texts[at.row - 1].to_owned()).collect();
            Identifier { name, cells }
        });
        Ok(Examined { own, division, id, findings })
    }

    /// The columns of `--drop`: each of its values as a whole if a column has that name, otherwise
    /// its parts between commas.
    fn dropped(&self, cells: &Cells) -> impl Iterator<Item = String> {
        self.drop.iter().flat_map(|value| match cells.find(value) {
            Some(_) => vec![value.clone()],
            None => value.split(',').map(|name| name.trim().to_owned()).collect(),
        })
    }

    /// The place of the column that identifies the rows.
    fn id_of(&self, cells: &Cells) -> Result<Option<usize>, CliError> {
        let Some(id) = &self.id else { return Ok(None) };
        let place = cells.place(Setting::Id, id)?;
        if cells.place(Setting::Target, &self.target)? == place {
            let name = printable(&cells.names()[place], 60);
            return Err(CliError::Usage(format!(
                "--id: \"{name}\" is the target, which cannot identify the rows"
            )));
        }
        Ok(Some(place))
    }

    /// The file's name without its folder.
    pub fn name(&self) -> String {
        if is_standard_input(&self.table) {
            return "standard input".into();
        }
        self.table.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Target and file, as a heading.
    pub fn title(&self) -> String {
        format!("{} of {}", printable(&self.target, 60), printable(&self.name(), 100))
    }

    /// The beginning of the names of files that are written about the table.
    pub fn stem(&self) -> String {
        stem(&self.table)
    }
}

/// Writes findings to standard error, in the words of the command line.
pub fn tell(findings: &[Finding]) {
    findings.iter().for_each(|finding| say(printable(&finding.worded(), 600)));
}

/// Longest warning in one line, in characters.
const LINE: usize = 160;

/// Writes the first warning in a line to standard error, or the first note where there is no
/// warning, and how many findings there are beside it.
pub fn tell_briefly(findings: &[Finding]) {
    let first = findings.iter().rev().max_by_key(|finding| finding.severity);
    let Some(first) = first else { return };
    let more = match findings.len() - 1 {
        0 => String::new(),
        more => format!(" (and {}: on the page, or with --verbose)", counted(more, "more finding")),
    };
    say(printable(&first.worded(), LINE) + &more);
}

/// From this share of rows on that equal an earlier one, target included, they are warned of.
const MANY: f64 = 0.25;

/// What rows that are equal mean for the folds.
fn twins(division: Division, description: &Description, table: &Table) -> Vec<Finding> {
    let (twins, rows) = (description.repeated_rows, table.rows());
    let are_many = twins as f64 >= MANY * rows as f64;
    let exact = description.twins().map(|told| match division {
        Division::Repeated { .. } => Finding::warning(format!(
            "{told}: a random split puts the \
                                                               same row on both sides"
        )),
        // A table that holds every row as often has a warning of its own.
        Division::Grouped { .. } if are_many && copies(table) == 1 => Finding::warning(format!(
            "{twins} of {rows} rows equal an earlier one, target included: they are taken for \
             copies, which stay on one side of every split. Intervals about coverage count copies \
             as rows of their own, and are too short"
        )),
        _ => Finding::note(told),
    });
    let kept = matches!(division, Division::Grouped { .. })
        .then(|| Finding::note("rows of equal features are kept on one side of every split"));
    exact.into_iter().chain(kept).collect()
}
