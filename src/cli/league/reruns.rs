//! Read the reruns of a board, and score them anew: the scores of a pack are believed only where
//! they are those of the predictions beside them.

use std::path::Path;

use rayon::ThreadPool;

use super::entries::{LeftOut, list};
use crate::cli::CliError;
use crate::cli::wording::Worded;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::results::{End, Results};
use uqbench_judge::judgement::league::judge_rerun;
use uqbench_report::league::Rerun;
use uqbench_run::benchmark::{Benchmark, Profile, Stated};
use uqbench_run::external::{ExternalParameters, ID, Place};
use uqbench_run::league::Code;
use uqbench_run::league::entry::Tier;
use uqbench_run::league::rerun::{Record, StoredRerun, TRIALS};
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::plan::{Filter, Plan, plan, planned_methods};
use uqbench_run::runner::record::ROWS;
use uqbench_run::runner::store::Store;
use uqbench_system::{Disk, Patient};

/// What a folder has of a board.
#[derive(Debug, Default)]
pub struct Reruns {
    /// The reruns, by the names of their folders.
    pub read: Vec<Rerun>,
    /// Those that are left out.
    pub left_out: Vec<LeftOut>,
}

/// Reads all reruns of a board from the folder `dir`, in which each board has a folder of its own.
///
/// # Errors
/// [`CliError`] where the folder cannot be listed.
pub fn read_reruns(dir: &Path, board: &Benchmark, pool: &ThreadPool) -> Result<Reruns, CliError> {
    let disk = Patient::machine();
    let mut reruns = Reruns::default();
    for folder in list(&disk, &dir.join(&board.id), Tier::Rerun)? {
        match read(&disk, &folder, board, pool) {
            Ok(rerun) => reruns.read.push(rerun),
            Err(why) => reruns.left_out.push(LeftOut::new(&folder, why)),
        }
    }
    Ok(reruns)
}

fn read(
    disk: &dyn Disk,
    folder: &Path,
    board: &Benchmark,
    pool: &ThreadPool,
) -> Result<Rerun, String> {
    let StoredRerun { code, record, trials } = StoredRerun::open(disk, folder)?;
    if record.board != board.id {
        return Err(format!("it is of the board {}, expected {}", record.board, board.id));
    }
    let pack = Store::from_pack(&trials, &folder.join(TRIALS)).map_err(|error| error.worded())?;
    let files = &record.files_of_code;
    let plan = plan_rerun(
        board,
        (&code, &Place::default()),
        &Chosen {
            seed: record.seed,
            datasets: record.datasets.clone(),
            splits: record.splits,
            yardsticks: record.yardsticks.clone(),
        },
        |stated| match pack.external(stated.given, Some(files.clone())) {
            Ok(Some(parameters)) => Ok(parameters),
            Ok(None) => Err("it has no trial of the code".into()),
            Err(error) => Err(error.worded()),
        },
    );
    let plan = plan.map_err(|error| error.to_string())?;
    let field = gather(&plan, &pack, pool)?;
    let shown = judge_rerun(&field, &plan.benchmark, &code.heading());
    let Record { seed, repeated, date, by, .. } = record;
    Ok(Rerun {
        shown: shown.map_err(|error| error.worded())?,
        seed,
        is_repeated: repeated,
        date,
        by,
    })
}

/// What of a board runs, and by which seed.
pub struct Chosen {
    /// The seed of splits and methods.
    pub seed: u64,
    /// Keys of the datasets; all where there is none.
    pub datasets: Vec<String>,
    /// Splits of each dataset, where it has as many.
    pub splits: u64,
    /// Names of the methods that run beside the code.
    pub yardsticks: Vec<String>,
}

/// The trials of code whose files are in this place. `describe` returns what it says of itself.
///
/// # Errors
/// [`CliError`] for a board whose splits no seed changes, for names that it does not have, and
/// where `describe` fails.
pub fn plan_rerun(
    board: &Benchmark,
    (code, place): (&Code, &Place),
    chosen: &Chosen,
    mut describe: impl FnMut(Stated) -> Result<ExternalParameters, String>,
) -> Result<Plan, CliError> {
    let mut benchmark = board.redivided(chosen.seed)?;
    benchmark.add_code(code, place);
    benchmark.check_added_columns()?;
    let mut methods = vec![ID.to_owned()];
    methods.extend(board.references());
    methods.extend(chosen.yardsticks.iter().cloned());
    let (datasets, splits) = (chosen.datasets.clone(), Some(chosen.splits));
    let filter = Filter { datasets, methods, splits };
    let planned = planned_methods(&benchmark, Profile::Full, &filter);
    benchmark.describe_external(&planned, &mut describe)?;
    let plans = plan(std::slice::from_ref(&benchmark), Profile::Full, &filter)?;
    plans
        .into_iter()
        .next()
        .filter(|plan| !plan.experiments.is_empty())
        .ok_or_else(|| CliError::Usage(format!("{} has no trial of this choice", board.id)))
}

/// The scores of all trials of a pack, made from its predictions.
///
/// # Errors
/// The first trial that it does not have whole, in words.
pub fn gather(plan: &Plan, pack: &Store, pool: &ThreadPool) -> Result<Field, String> {
    let metrics: Vec<MetricId> = plan.benchmark.metrics.iter().map(|row| row.id).collect();
    let results = Results::collect(plan, &metrics, pack, pool).map_err(|error| error.worded())?;
    for repetitions in &results.experiments {
        let template = &repetitions.experiment.template;
        for (split, end) in repetitions.ends.iter().enumerate() {
            let lacks = |what: &str| {
                let method = template.method_name();
                Err(format!("`{method}` on {}, split {split}: {what}", template.dataset))
            };
            match end {
                End::Finished { result, .. } if result.outcome == Outcome::Ok => {
                    let has_rows = pack.has(&result.key, ROWS);
                    if !has_rows.map_err(|error| error.worded())? {
                        return lacks("its predictions are not there");
                    }
                    let false_score = pack.contradiction(result);
                    if let Some(what) = false_score.map_err(|error| error.worded())? {
                        return lacks(&what);
                    }
                }
                end if end.has_failed() => {}
                End::Failed(attempt) => return lacks(&attempt.failure.message()),
                end => return lacks(end.word()),
            }
        }
    }
    Ok(Field::gather(std::slice::from_ref(&results), &metrics))
}
