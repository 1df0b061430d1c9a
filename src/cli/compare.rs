//! `uqbench compare`: methods with each other, or two stores.

use std::path::{Path, PathBuf};

use clap::Args;

use super::choices::{Metrics, format, metrics};
use super::describe::{Describe, Described};
use super::lacks::with_lacks;
use super::link::close;
use super::options::{FigureForms, Running, Selection, StorePlace, share, with_damage};
use super::own_file::tell;
use super::part::say_part;
use super::refill::Refill;
use super::wording::Worded;
use super::{CliError, Ending, print_markdown};
use crate::pages::damage_line;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::contents::Contents;
use uqbench_judge::evidence::field::{Field, FieldNote};
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::machines::machines;
use uqbench_judge::evidence::overflow::overflows;
use uqbench_judge::evidence::results::Results;
use uqbench_judge::evidence::versions::several_versions;
use uqbench_report::comparison::decomposed::parts_of_crps;
use uqbench_report::comparison::{Terms, methods, stores};
use uqbench_report::document::Document;
use uqbench_report::export::Format;
use uqbench_report::run_line::machine_line;
use uqbench_report::site::first_page;
use uqbench_report::write::Output;
use uqbench_run::benchmark::{Profile, Stated};
use uqbench_run::runner::derived::has_scores;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::{Store, StoreError};

/// Compare methods over datasets and splits, or the trials of two stores.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uqbench compare \"Uniform, weak\" \"DT, weak\" --profile full\n  \
                  uqbench compare --profile full --metrics crps,rmse --impute worst\n  \
                  uqbench compare old-store uqbench-store"
)]
pub struct Compare {
    /// Methods by their headings in the tables, the reference method first; one is compared with
    /// all, and all with the first where none is named. Or two stores.
    #[arg(value_name = "METHOD|STORE")]
    names: Vec<String>,
    /// Benchmarks whose trials count, by name or as a TOML file; all by default.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
    #[command(flatten)]
    refill: Refill,
    /// Folder for the page and its figures.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/comparison")]
    out: PathBuf,
    #[command(flatten)]
    forms: FigureForms,
    /// Write files of these formats alone.
    #[arg(long, value_name = "FORMAT,…", value_parser = format(), value_delimiter = ',')]
    formats: Vec<&'static Format>,
    /// Open the page in the browser at the end.
    #[arg(long)]
    open: bool,
    /// Scores to compare by [default: crps,rmse,picp(level=0.95),log-likelihood].
    #[arg(long, value_name = "NAME,…", value_parser = metrics)]
    metrics: Option<Metrics>,
    /// Say what the CRPS of each method is made of: miscalibration, discrimination and uncertainty,
    /// beside the miscalibration that calibrated forecasts would have. It reads the predictions.
    #[arg(long)]
    decompose: bool,
    /// Half width of the region of practical equivalence, as a share of the reference method's mean
    /// loss; for log scores and coverages in their own units.
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share)]
    rope: f64,
    /// Score of a failed repetition: `drop` (none), `worst` (the worst on the same split), or the
    /// heading of a method, whose score is taken.
    #[arg(long, value_name = "RULE", default_value = "drop")]
    impute: String,
}

impl Compare {
    /// Reads the store, writes the comparison in every format, and prints its page.
    pub fn run(&self) -> Result<Ending, CliError> {
        let (mut written, ending) = match &self.names[..] {
            [a, b] if is_store(a) && is_store(b) => self.stores(Path::new(a), Path::new(b))?,
            names => match names.iter().find(|name| is_store(name)) {
                Some(name) => {
                    return Err(CliError::Usage(format!(
                        "`{name}` is a store: it is compared with one other store, not with \
                         methods (`--store {name}` compares methods in it)"
                    )));
                }
                None => self.methods(names)?,
            },
        };
        written.extend(first_page(&written, &self.out));
        let output = Output {
            folder: self.out.clone(),
            beside: self.forms.beside(),
            formats: self.formats.clone(),
        };
        output.write(&written)?;
        for page in written.iter().filter(|document| document.name.ends_with(".md")) {
            print_markdown(&String::from_utf8_lossy(&page.bytes))?;
        }
        close(&output, &written, self.open)?;
        Ok(with_lacks(ending, &written))
    }

    fn metrics(&self) -> Vec<MetricId> {
        self.metrics
            .as_ref()
            .map_or_else(|| MetricId::standard().to_vec(), |chosen| chosen.0.clone())
    }

    fn methods(&self, names: &[String]) -> Result<(Vec<Document>, Ending), CliError> {
        let plans = self.selection.plans(&self.benchmarks, &self.store)?;
        let pool = Running::default().pool()?;
        let metrics = self.metrics();
        let parts = if self.decompose { parts_of_crps() } else { Vec::new() };
        let all = [&metrics[..], &parts].concat();
        let is_needed = |store: &Store, result: &TrialResult| Ok(!has_scores(store, result, &all)?);
        if let Some(ended) = self.refill.complete(&plans, &self.store, is_needed)? {
            return Ok((Vec::new(), ended));
        }
        let store = self.store.open_existing()?;
        let collect = |plan| Results::collect(plan, &all, &store, &pool);
        let results = plans.iter().map(collect).collect::<Result<Vec<_>, _>>()?;
        let terms = Terms {
            rope: self.rope,
            imputation: match self.impute.as_str() {
                "drop" => Imputation::Drop,
                "worst" => Imputation::Worst,
                name => Imputation::Method(name.into()),
            },
            origin: format!(
                "Profile {}. {}{}",
                self.selection.profile.as_str(),
                machine_line(&machines(&plans, &store)?),
                damage_line(&store)
            ),
        };
        let mut field = Field::gather(&results, &metrics);
        let several = several_versions(&plans, &store)?;
        field.notes.extend(several.into_iter().map(FieldNote::SeveralVersions));
        for one in &results {
            // Predictions that cannot be read cost this sentence alone: scores are there without
            // them.
            field.notes.extend(match overflows(one, &metrics, &store) {
                Ok(found) => found.into_iter().map(FieldNote::Overflow).collect(),
                Err(error) => vec![FieldNote::Unread(error.worded())],
            });
        }
        tell(&field.findings);
        let decomposed = self.decompose.then(|| Field::gather(&results, &parts));
        let written = methods::render(&field, decomposed.as_ref(), names, &terms)?;
        say_part(&store, &plans)?;
        Ok((written, with_damage(Ending::Done, &[&store])))
    }

    fn stores(&self, a: &Path, b: &Path) -> Result<(Vec<Document>, Ending), CliError> {
        // Plans only supply the headings of experiments; the trials are those of the stores.
        let named = Selection { profile: Profile::Full, ..Selection::default() };
        let old = StorePlace { store: a.to_owned() };
        let plans: Vec<Plan> = named
            .plans(&self.benchmarks, EitherStore(&old, &StorePlace { store: b.to_owned() }))?;
        let (old, new) = (old.open_existing()?, Store::open_existing(b)?);
        let is_one = a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b));
        let [a, b] = [a, b].map(|path| {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        });
        let (a, b) =
            if a == b { (format!("{a} (first)"), format!("{b} (second)")) } else { (a, b) };
        let (pool, metrics) = (Running::default().pool()?, self.metrics());
        let side = |store: &Store, name| -> Result<stores::StoreSide, StoreError> {
            let contents = Contents::read(store, &metrics, &pool)?;
            Ok(stores::StoreSide { name, contents, damage: damage_line(store) })
        };
        let two = stores::TwoStores { old: side(&old, &a)?, new: side(&new, &b)?, is_one };
        let written = stores::render(&two, &plans, &metrics)?;
        Ok((written, with_damage(Ending::Done, &[&old, &new])))
    }
}

/// The first of two stores that has a description.
struct EitherStore<'a>(&'a StorePlace, &'a StorePlace);

impl Describe for EitherStore<'_> {
    fn is_reading(&self) -> bool {
        true
    }

    fn describe(&mut self, stated: Stated) -> Result<Described, String> {
        let Self(mut first, mut second) = *self;
        match first.describe(stated) {
            Ok(Described::Unknown(_)) | Err(_) => second.describe(stated),
            known => known,
        }
    }
}

/// Whether a name is the folder of a store, or a pack.
fn is_store(name: &str) -> bool {
    Store::is_store(Path::new(name))
}
