//! Compare a board with the boards that divide the same datasets at random: as they are, and
//! without their trend.

use rayon::ThreadPool;

use super::stored::Stored;
use crate::cli::CliError;
use crate::cli::options::{Selection, StorePlace};
use crate::cli::wording::Worded;
use uqbench_judge::judgement::league::{Board, NoBoard, judge, lost_skill};
use uqbench_report::league::Twin;
use uqbench_run::benchmark::{Benchmark, League};
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::Store;

/// Plans of the boards that a board is compared with.
#[derive(Default)]
pub struct OtherBoards {
    /// Its datasets, divided at random.
    twin: Option<Plan>,
    /// Its datasets without their trend, divided as on the board and at random.
    detrended: Option<Detrended>,
}

struct Detrended {
    board: Plan,
    twin: Plan,
}

impl OtherBoards {
    /// The boards that the file of a board names, with the trials of this selection.
    ///
    /// # Errors
    /// [`CliError`] for a name that is no board, and for a board without a trend whose file names
    /// no random division.
    pub fn find(
        board: &Benchmark,
        selection: &Selection,
        place: &StorePlace,
    ) -> Result<Self, CliError> {
        let plan = |of: &Benchmark, name: fn(&League) -> &Option<String>| {
            let Some(name) = of.league.as_ref().and_then(|league| name(league).clone()) else {
                return Ok(None);
            };
            let plans = selection.plans(&[found_from(of, name)], place)?;
            Ok::<_, CliError>(plans.into_iter().next())
        };
        let of_detrended = |board: Plan| {
            let twin = plan(&board.benchmark, |league| &league.random_twin)?;
            let id = &board.benchmark.id;
            let none = || CliError::Usage(format!("league of {id}: expected a key `random_twin`"));
            Ok::<_, CliError>(Detrended { twin: twin.ok_or_else(none)?, board })
        };
        Ok(Self {
            twin: plan(board, |league| &league.random_twin)?,
            detrended: plan(board, |league| &league.detrended)?.map(of_detrended).transpose()?,
        })
    }

    /// What a random division of the datasets of `board` hides.
    ///
    /// # Errors
    /// [`CliError`] for a store that cannot be read.
    pub fn compare(
        &self,
        board: &Board,
        store: &Store,
        pool: &ThreadPool,
    ) -> Result<Option<Twin>, CliError> {
        self.twin.as_ref().map(|twin| compare(board, twin, store, pool)).transpose()
    }

    /// The same of its datasets without their trend.
    ///
    /// # Errors
    /// [`CliError`] for a store that cannot be read.
    pub fn compare_detrended(
        &self,
        store: &Store,
        pool: &ThreadPool,
    ) -> Result<Option<Twin>, CliError> {
        let Some(Detrended { board: plan, twin }) = &self.detrended else { return Ok(None) };
        let Stored { field, efforts } = Stored::read(plan, std::slice::from_ref(store), pool)?;
        match judge(&field, &plan.benchmark, &[], &efforts) {
            Ok(board) => compare(&board, twin, store, pool).map(Some),
            Err(NoBoard::NoTrial { board }) => Ok(Some(Twin::NoTrial { benchmark: board })),
            Err(why) => Err(CliError::Usage(why.worded())),
        }
    }
}

/// A board by its name; one in a file by its path, which the file that names it states from its own
/// folder.
fn found_from(of: &Benchmark, name: String) -> String {
    match of.folder.as_ref().filter(|_| name.ends_with(".toml")) {
        Some(folder) => folder.join(&name).to_string_lossy().into_owned(),
        None => name,
    }
}

/// Compares a board with the one of the plan `twin`, whose datasets are divided at random.
fn compare(board: &Board, twin: &Plan, store: &Store, pool: &ThreadPool) -> Result<Twin, CliError> {
    let Stored { field, efforts } = Stored::read(twin, std::slice::from_ref(store), pool)?;
    let judged = match judge(&field, &twin.benchmark, &[], &efforts) {
        Err(NoBoard::NoTrial { .. }) => None,
        judged => Some(judged.map_err(|why| CliError::Usage(why.worded()))?),
    };
    let division = judged.and_then(|random| lost_skill(board, &random));
    let no_trial = || Twin::NoTrial { benchmark: twin.benchmark.id.clone() };
    Ok(division.map_or_else(no_trial, Twin::Compared))
}
