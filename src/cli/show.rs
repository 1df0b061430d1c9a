//! `uqbench show`: the page of one stored trial, or of one whose last attempt did not finish.

use std::path::PathBuf;

use clap::Args;

use super::lacks::with_lacks;
use super::link::{address, open_page};
use super::options::{MOST_SPLITS, Selection, StorePlace, with_damage};
use super::wording::Worded;
use super::{CliError, Ending, print_markdown};
use uq_core::metrics::MetricId;
use uqbench_judge::report::TrialReport;
use uqbench_report::document::Document;
use uqbench_report::export::page_in_markdown;
use uqbench_report::section::Page;
use uqbench_report::site::single::single;
use uqbench_report::trial::{Place, page, place};
use uqbench_report::write::Output;
use uqbench_run::benchmark::Profile;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, PlanError, trials};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::{Found, Store};
use uqbench_system::notice::say;

/// Show one stored trial, and the command that runs it again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uqbench show 0f3a9c --open\n  uqbench show 0f3a9c mine.toml\n\n\
                  The pages of a report name the first trial behind each number."
)]
pub struct Show {
    /// Key of the trial, or its first digits.
    key: String,
    /// Benchmarks that may plan it, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    /// An external method that was added to them, by its command: --with "python3 mine.py". It may
    /// be repeated.
    #[arg(long, value_name = "COMMAND")]
    with: Vec<String>,
    #[command(flatten)]
    store: StorePlace,
    /// Folder for the page and its figures.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/trials")]
    out: PathBuf,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

impl Show {
    /// Writes the page, and prints it as Markdown.
    pub fn run(&self) -> Result<Ending, CliError> {
        let store = self.store.open_existing()?;
        let mut keys = store.keys()?;
        keys.retain(|key| self.is_meant(key));
        let (key, page, figures) = match keys.as_slice() {
            [] => self.unfinished(&store)?,
            [key] => self.finished(&store, key)?,
            several => return Err(self.not_one(several.len(), &store)),
        };
        let of_site = single(&[], &format!("trial-{}", key.short()), &page, &figures);
        let path = self.out.join(&of_site.name);
        let output = Output { folder: self.out.clone(), ..Output::default() };
        output.write(&figures)?;
        let pages = [of_site];
        output.write(&pages)?;
        print_markdown(&page_in_markdown(&page))?;
        say(format!("wrote {}", address(&path)));
        if self.open {
            open_page(&path)?;
        }
        Ok(with_lacks(with_damage(Ending::Done, &[&store]), &pages))
    }

    /// The page of a stored trial.
    fn finished(
        &self,
        store: &Store,
        key: &TrialKey,
    ) -> Result<(TrialKey, Page, Vec<Document>), CliError> {
        let result = match store.find(key)? {
            Found::Finished(result) => result,
            Found::Damaged(damage) => {
                return Err(CliError::Other(format!(
                    "trial {key} is damaged ({damage}); `uqbench store check` reports details"
                )));
            }
            Found::Absent => return Err(self.absent(store)),
        };
        let plans = self.plans(store, &result)?;
        let place = place(&plans, key);
        let standard = || MetricId::standard().to_vec();
        let metrics = place.as_ref().map_or_else(standard, |place| place.plan.first_metrics());
        let report = TrialReport::collect(store, &result, &metrics);
        let report = report.map_err(|error| CliError::Other(error.worded()))?;
        let (mut page, figures) = page(&report, place.as_ref());
        page.name_metrics(metrics);
        Ok((key.clone(), page, figures))
    }

    /// The page of a trial of which the store has an attempt that did not finish; its plan says
    /// what it is.
    fn unfinished(&self, store: &Store) -> Result<(TrialKey, Page, Vec<Document>), CliError> {
        let plans = self.whole_plans(store)?;
        let planned = trials(&plans);
        let mut attempts = Vec::new();
        for trial in planned.iter().filter(|trial| self.is_meant(&trial.key)) {
            attempts.extend(store.last_attempt(&trial.key)?.map(|attempt| (trial, attempt)));
        }
        let [(trial, attempt)] = attempts.as_slice() else {
            return Err(self.not_one(attempts.len(), store));
        };
        let place = Place::new(trial.plan, trial.experiment, trial.split);
        let report =
            TrialReport::failed(trial.key.clone(), trial.experiment.spec(trial.split), attempt);
        let (page, figures) = page(&report, Some(&place));
        Ok((trial.key.clone(), page, figures))
    }

    /// Whether a key starts with the given digits.
    fn is_meant(&self, key: &TrialKey) -> bool {
        key.as_str().starts_with(&self.key.to_ascii_lowercase())
    }

    /// No trial or several have a key that starts with the given digits.
    fn not_one(&self, count: usize, store: &Store) -> CliError {
        if count == 0 {
            return self.absent(store);
        }
        let store = store.root().display();
        CliError::Usage(format!(
            "{count} trials of {store} start with `{}`: give more digits",
            self.key
        ))
    }

    fn absent(&self, store: &Store) -> CliError {
        let store = store.root().display();
        CliError::Usage(format!(
            "no finished trial of {store} has a key that starts with `{}`; the pages of a report \
             name keys",
            self.key
        ))
    }

    /// The plans of every profile, the full one first; then those of the trial's dataset with as
    /// many splits as it needs, because a run may choose what no profile has.
    fn plans(&self, store: &Store, result: &TrialResult) -> Result<Vec<Plan>, CliError> {
        let mut all = self.whole_plans(store)?;
        for whole in self.profiles() {
            let splits = result.spec.split.saturating_add(1).min(MOST_SPLITS);
            let datasets = vec![result.spec.dataset.clone()];
            match (Selection { datasets, splits: Some(splits), ..whole })
                .plans(&self.benchmarks, store)
            {
                // No benchmark has the dataset.
                Err(CliError::Plan(PlanError::Unknown { .. })) => {}
                plans => all.extend(plans?),
            }
        }
        Ok(all)
    }

    /// The plans of every profile, the full one first.
    fn whole_plans(&self, store: &Store) -> Result<Vec<Plan>, CliError> {
        let mut all = Vec::new();
        for whole in self.profiles() {
            all.extend(whole.plans(&self.benchmarks, store)?);
        }
        Ok(all)
    }

    /// What every profile chooses.
    fn profiles(&self) -> [Selection; 3] {
        let with = |profile| Selection {
            profile,
            with: self.with.clone(),
            is_search: true,
            ..Selection::default()
        };
        [Profile::Full, Profile::Quick, Profile::Smoke].map(with)
    }
}
