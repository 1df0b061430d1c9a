//! Turn benchmarks into a list of trials, which is fixed before any trial runs.

mod error;

use std::collections::{BTreeMap, HashSet};

use super::definition::definition;
use super::key::{KeyPrefix, SCHEMA, TrialKey, TrialSpec};
use super::shared::SharedValue;
use crate::benchmark::{Benchmark, Column, DatasetRow, MethodRow, Profile, ProfileSpec, Seeds};
use crate::protocols::Protocol;
use crate::registry;
pub use error::{PlanAdvice, PlanError};
use uq_core::metrics::MetricId;
use uq_core::names::nearest_name;
use uq_methods::anchors::ANCHORS;
use uq_methods::registry::RegistryError;
use uq_methods::{Facts, Reading};
use uqbench_data::{objectives, simulated};

/// The part of a benchmark that the user chose.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Datasets by key, or by the key without its variant; empty means the profile's.
    pub datasets: Vec<String>,
    /// Methods by registry name; empty means all.
    pub methods: Vec<String>,
    /// Number of splits; absent means the profile's.
    pub splits: Option<u64>,
}

/// All repetitions of one method on one dataset.
#[derive(Clone)]
pub struct Experiment {
    /// Index into the benchmark's datasets.
    pub dataset: usize,
    /// The method row; the rows of anchors are made here.
    pub method: MethodRow,
    /// The specification of its first repetition.
    pub template: TrialSpec,
    prefix: KeyPrefix,
    /// Number of repetitions.
    pub splits: u64,
    /// Whether another seed would give the same numbers, because the method draws no random
    /// numbers.
    pub deterministic: bool,
    /// Whether the method chooses its settings by coverage inside the training rows itself.
    pub chooses_by_coverage: bool,
}

/// The experiments of one benchmark.
#[derive(Clone)]
pub struct Plan {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// The profile, which sets the number of trials.
    pub profile: Profile,
    /// What the user chose of it, or beyond it.
    pub filter: Filter,
    /// In the order of the table: by dataset, then by method.
    pub experiments: Vec<Experiment>,
    /// Which of them are repeated with other seeds, if any: those of [`Plan::reseeded`].
    pub seeds: Option<Seeds>,
    /// The first repetitions of main methods on main datasets with seeds 1, 2, …. Only the table of
    /// variances uses them; other tables, claims and figures do not.
    pub reseeded: Vec<Experiment>,
    /// The same experiments inside their training rows, where the benchmark has a `[validation]`.
    /// Only the validation flag uses them. Those of methods that choose by coverage themselves have
    /// no splits.
    pub validation: Vec<Experiment>,
}

/// A column of a plan: a reading of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId {
    /// Index into the plan's experiments.
    pub experiment: usize,
    /// Index into the columns of its method.
    pub column: usize,
}

impl Plan {
    /// Dataset, method and column of a column of this plan.
    pub fn column(&self, id: ColumnId) -> (&DatasetRow, &MethodRow, &Column) {
        let Experiment { dataset, method, .. } = &self.experiments[id.experiment];
        (&self.benchmark.datasets[*dataset], method, &method.columns[id.column])
    }

    /// All experiments: those of the table, then those with other seeds, then those of the
    /// validation.
    pub fn all_experiments(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.iter().chain(&self.reseeded).chain(&self.validation)
    }

    /// The number of splits that the protocol has on the chosen datasets, where the command line
    /// asks for more of them.
    pub fn most_splits(&self) -> Option<u64> {
        let of = |experiment: &Experiment| {
            most_splits(&experiment.template.protocol, &experiment.template.dataset)
        };
        let most = self.experiments.iter().map(of).max()?;
        self.filter.splits.filter(|asked| *asked > most).map(|_| most)
    }

    /// Whether it scores time or memory, so that each of its trials needs a new process.
    pub fn scores_costs(&self) -> bool {
        self.benchmark.all_metrics().iter().any(|metric| metric.is_cost())
    }

    /// The metrics by which trials are scored as they finish: those of the benchmark, and where
    /// methods can be compared (no curve, no demonstration) those of the comparison.
    pub fn first_metrics(&self) -> Vec<MetricId> {
        let mut all = self.benchmark.all_metrics();
        let curve = self
            .benchmark
            .methods
            .iter()
            .flat_map(|method| &method.columns)
            .any(|column| column.x.is_some());
        if self.benchmark.protocol.kind().compares_methods() && !curve {
            all.extend(
                MetricId::standard()
                    .into_iter()
                    .filter(|metric| !self.benchmark.all_metrics().contains(metric)),
            );
        }
        all
    }
}

/// Plans all benchmarks for one profile.
///
/// # Errors
/// [`PlanError`] naming the benchmark, or the name that matches nothing.
pub fn plan(
    benchmarks: &[Benchmark],
    profile: Profile,
    filter: &Filter,
) -> Result<Vec<Plan>, PlanError> {
    let datasets: Vec<&str> =
        benchmarks.iter().flat_map(|b| b.datasets.iter().map(|d| d.key.as_str())).collect();
    let is_named =
        |name: &&String| datasets.iter().any(|key| *key == **name || is_short(name, key));
    if let Some(name) = filter.datasets.iter().find(|name| !is_named(name)) {
        let advice = PlanAdvice::Nearest(nearest_name(name, datasets.iter().copied()));
        return Err(PlanError::Unknown { kind: "dataset", name: name.clone(), advice });
    }
    let methods = benchmarks.iter().flat_map(|b| b.methods.iter().map(|m| m.id.as_str()));
    let methods: Vec<&str> = methods.chain(ANCHORS.map(|a| a.0)).collect();
    if let Some(name) = filter.methods.iter().find(|name| !methods.contains(&name.as_str())) {
        return Err(PlanError::Unknown {
            kind: "method",
            name: name.clone(),
            advice: advice_on_method(name),
        });
    }
    benchmarks.iter().map(|benchmark| plan_one(benchmark, profile, filter)).collect()
}

/// Whether a name chooses a dataset of a benchmark: by its key, or, where no dataset has the name
/// for its key, by the key without what tells variants apart.
fn chooses(name: &str, benchmark: &Benchmark, key: &str) -> bool {
    name == key || is_short(name, key) && benchmark.datasets.iter().all(|row| row.key != name)
}

/// Whether a name is a dataset's key without its variant: `power` of `power:sheet5`,
/// `decomposition-gap` of `simulated:decomposition-gap@2`.
fn is_short(name: &str, key: &str) -> bool {
    let family = key.split('@').next().unwrap_or(key);
    let formula =
        [simulated::PREFIX, objectives::PREFIX].iter().find_map(|p| family.strip_prefix(p));
    match formula {
        Some(formula) => name == family || name == formula,
        None => family.split(':').next() == Some(name),
    }
}

/// What to do about a method that no benchmark has.
fn advice_on_method(name: &str) -> PlanAdvice {
    match registry::entry(name) {
        Ok(_) => PlanAdvice::OfNoBenchmark,
        Err(RegistryError::Unknown { advice, .. }) => PlanAdvice::NoMethod(advice),
        Err(RegistryError::Parameters { message, .. }) => PlanAdvice::Wrong(message),
        Err(error) => PlanAdvice::Wrong(error.to_string()),
    }
}

/// Whether each method row of a benchmark has trials under a profile and a choice.
pub fn planned_methods(benchmark: &Benchmark, profile: Profile, filter: &Filter) -> Vec<bool> {
    let spec = benchmark.profile(profile);
    let is_planned = |row: &MethodRow| {
        spec.is_none_or(|spec| spec.runs(&row.id)) && is_wanted(row, spec, filter)
    };
    benchmark.methods.iter().map(is_planned).collect()
}

/// Whether a method row is among those that a profile and a choice want.
fn is_wanted(row: &MethodRow, spec: Option<&ProfileSpec>, filter: &Filter) -> bool {
    let variants = spec.is_none_or(|spec| spec.variants);
    (variants || row.variant.is_none())
        && (filter.methods.is_empty() || filter.methods.contains(&row.id))
}

fn plan_one(benchmark: &Benchmark, profile: Profile, filter: &Filter) -> Result<Plan, PlanError> {
    let name = || benchmark.id.clone();
    let spec = benchmark.profile(profile);
    let splits = filter.splits.or(spec.map(|s| s.splits)).unwrap_or(0);
    let variants = spec.is_none_or(|s| s.variants);
    // One split gives no variance over splits to compare with.
    let fewer = |seeds: Seeds| Seeds { splits: seeds.splits.min(splits), ..seeds };
    let seeds = spec.and_then(|s| s.seeds).map(fewer).filter(|seeds| seeds.splits >= 2);
    let wants_dataset = |row: &DatasetRow| {
        if filter.datasets.is_empty() {
            let listed =
                spec.and_then(|s| s.datasets.as_ref()).is_none_or(|keys| keys.contains(&row.key));
            listed && (variants || row.variant.is_none())
        } else {
            filter.datasets.iter().any(|name| chooses(name, benchmark, &row.key))
        }
    };
    let mut rows = benchmark.methods.clone();
    rows.retain(|row| spec.is_none_or(|spec| spec.runs(&row.id)));
    if benchmark.anchors {
        rows.extend(ANCHORS.iter().map(|(id, heading)| anchor_row(id, heading)));
    }
    let mut built = Vec::new();
    for mut row in rows.into_iter().filter(|row| is_wanted(row, spec, filter)) {
        row.parameters =
            spec.map_or(row.parameters.clone(), |spec| spec.parameters(&row.id, &row.parameters));
        let method = registry::build(&row.id, &row.parameters)
            .map_err(|source| PlanError::Method { benchmark: name(), source })?;
        let protocol = row.protocol(&benchmark.protocol);
        check_readings(benchmark, &row, &protocol.kind().readings(method.readings()))?;
        built.push((row, protocol, method));
    }
    let (mut experiments, mut reseeded, mut validation) = (Vec::new(), Vec::new(), Vec::new());
    for (index, dataset) in
        benchmark.datasets.iter().enumerate().filter(|(_, row)| wants_dataset(row))
    {
        let splits = splits.min(most_splits(&benchmark.protocol, &dataset.key));
        let definition = definition(dataset)
            .map_err(|source| PlanError::Data { benchmark: name(), source: Box::new(source) })?;
        let definition = SharedValue::from(definition);
        for (row, protocol, method) in &built {
            // A variant of the method runs on the paper's own data only, to limit the number of
            // rows.
            if row.variant.is_some() && dataset.variant.is_some() || !row.runs_on(&dataset.key) {
                continue;
            }
            let splits = row.splits.map_or(splits, |most| splits.min(most.get()));
            let template = TrialSpec {
                ask: benchmark.ask.clone(),
                dataset: dataset.key.clone(),
                definition: definition.clone(),
                method: method.id().into(),
                method_version: method.version(),
                parameters: method.parameters().into(),
                protocol: protocol.clone(),
                protocol_version: Protocol::VERSION,
                root_seed: benchmark.root_seed,
                rows: benchmark.rows,
                scaling: dataset.scaling,
                schema: SCHEMA,
                score_units: benchmark.score_units,
                seed: 0,
                split: 0,
            };
            let Facts { deterministic, chooses_by_coverage, .. } = method.facts();
            let experiment = |template: TrialSpec, splits: u64| {
                let (method, prefix) = (row.clone(), KeyPrefix::new(&template));
                Experiment {
                    dataset: index,
                    method,
                    template,
                    prefix,
                    splits,
                    deterministic,
                    chooses_by_coverage,
                }
            };
            experiments.push(experiment(template.clone(), splits));
            validation.extend(benchmark.validation.map(|inside| {
                let protocol = inside.protocol(&template.protocol);
                let splits = if chooses_by_coverage { 0 } else { splits };
                experiment(TrialSpec { protocol, ..template.clone() }, splits)
            }));
            if let Some(Seeds { count, splits: first }) =
                seeds.filter(|_| takes_seeds(dataset, row) && !deterministic)
            {
                let splits = first.min(splits);
                reseeded.extend(
                    (1..count)
                        .map(|seed| experiment(TrialSpec { seed, ..template.clone() }, splits)),
                );
            }
        }
    }
    let (benchmark, filter) = (benchmark.clone(), filter.clone());
    Ok(Plan { benchmark, profile, filter, experiments, seeds, reseeded, validation })
}

/// Number of splits of a dataset that differ; the largest number where it is unlimited.
fn most_splits(protocol: &Protocol, dataset: &str) -> u64 {
    let kind = protocol.kind();
    kind.repetitions_of(dataset).or(kind.repetitions()).unwrap_or(u64::MAX)
}

/// Whether a profile's seeds apply to this method on this dataset. They do not apply to variants,
/// points of a curve and rows with one seed.
pub fn takes_seeds(dataset: &DatasetRow, method: &MethodRow) -> bool {
    let main = dataset.variant.is_none() && method.variant.is_none();
    main && !method.one_seed && method.columns.iter().all(|column| column.x.is_none())
}

fn anchor_row(id: &str, heading: &str) -> MethodRow {
    let column = Column {
        reading: Reading::MAIN,
        heading: heading.into(),
        labels: BTreeMap::from([("method".to_owned(), id.to_owned())]),
        x: None,
    };
    MethodRow {
        id: id.into(),
        parameters: serde_json::Value::Null,
        columns: vec![column],
        variant: None,
        vary: None,
        acquire: None,
        refit: false,
        datasets: None,
        one_seed: false,
        splits: None,
        place: None,
    }
}

fn check_readings(
    benchmark: &Benchmark,
    row: &MethodRow,
    offered: &[Reading],
) -> Result<(), PlanError> {
    match row.columns.iter().find(|column| !offered.contains(&column.reading)) {
        Some(column) => Err(PlanError::Reading {
            benchmark: benchmark.id.clone(),
            method: row.id.clone(),
            reading: column.reading.clone(),
            known: offered.iter().map(|r| format!("`{r}`")).collect::<Vec<_>>().join(", "),
        }),
        None => Ok(()),
    }
}

impl Experiment {
    /// The key of one repetition.
    pub fn key(&self, split: u64) -> TrialKey {
        match self.template.protocol.outer() {
            // Each split names its own rows.
            Protocol::Given(_) => self.spec(split).key(),
            _ => self.prefix.key(split),
        }
    }

    /// The specification of one repetition.
    pub fn spec(&self, split: u64) -> TrialSpec {
        self.template.of_split(split)
    }
}

/// One trial of a plan.
#[derive(Clone)]
pub struct Planned<'a> {
    /// The first plan that has it.
    pub plan: &'a Plan,
    /// Its experiment.
    pub experiment: &'a Experiment,
    /// Which repetition.
    pub split: u64,
    /// Its name.
    pub key: TrialKey,
}

impl Planned<'_> {
    /// The benchmark's row of its dataset.
    pub fn dataset(&self) -> &DatasetRow {
        &self.plan.benchmark.datasets[self.experiment.dataset]
    }

    /// A name for messages: method, dataset, split, and the seed unless it is 0.
    pub fn name(&self) -> String {
        let TrialSpec { dataset, seed, .. } = &self.experiment.template;
        let method = self.experiment.template.method_name();
        let seed = if *seed == 0 { String::new() } else { format!(", seed {seed}") };
        format!("`{method}` on {dataset}, split {}{seed}", self.split)
    }
}

/// The distinct trials of several plans, in order, including those with other seeds and those of
/// the validation. A trial that two benchmarks share occurs once.
pub fn trials<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Vec<Planned<'a>> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let of_plan = |plan: &'a Plan| plan.all_experiments().map(move |experiment| (plan, experiment));
    for (plan, experiment) in plans.into_iter().flat_map(of_plan) {
        for split in 0..experiment.splits {
            let key = experiment.key(split);
            if seen.insert(key.clone()) {
                all.push(Planned { plan, experiment, split, key });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
