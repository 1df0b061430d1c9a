//! Gather the scores of several methods over datasets and repetitions.

mod approximated;
mod bring;
mod elsewhere;
mod note;
mod same;

pub use note::FieldNote;

use serde_json::{Value, json};

use crate::evidence::brought::EntrantKind;
use crate::evidence::own_predictions::Approximation;
use crate::evidence::results::{End, Results, Series};
use uq_core::metrics::MetricId;
use uq_methods::anchors::ANCHORS;
use uqbench_data::Manifest;
use uqbench_data::own::{Finding, TableNumbers};
use uqbench_run::protocols::TestRows;
use uqbench_run::runner::key::{TrialKey, TrialSpec, canonical};
use uqbench_run::runner::record::TrialResult;

/// The result of one repetition of one method under a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// A score; a log score may be minus infinity.
    Given(f64),
    /// Predictions for which the metric is not defined.
    Undefined,
    /// No predictions: the method diverged, refused, crashed, or took too much time or memory.
    Failed,
    /// It was not run, or its data or its method are unavailable. It does not count as a failure of
    /// the method.
    Absent,
}

/// A method that takes part: a column of the benchmarks' tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its heading.
    pub heading: String,
    /// Its name in the registry.
    pub id: String,
    /// Headings of other columns that show the same fits.
    aliases: Vec<String>,
    /// Its parameters and its reading; several where a column has other settings on some datasets.
    identities: Vec<String>,
    /// The benchmarks in which it is a column under its own heading.
    benchmarks: Vec<String>,
    /// What it is where its predictions were brought; `None` where this program ran it.
    pub brought: Option<EntrantKind>,
}

impl Entrant {
    fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.heading)
            .chain(&self.aliases)
            .any(|heading| heading.eq_ignore_ascii_case(name))
    }
}

/// The scores on one dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The dataset's key.
    pub key: String,
    /// Its heading.
    pub heading: String,
    /// Protocol, rows, scaling and units of the scores, which are the same for all its scores.
    setting: [Value; 4],
    /// Whether its splits are random. Those of gap and tail are not, and intervals are not valid
    /// for them.
    pub random_splits: bool,
    /// Number of test rows divided by number of training rows.
    pub test_to_train: f64,
    /// Whether the target has a density: a count or a grade has none.
    pub has_density: bool,
    /// The parameters and reading of each entrant here.
    identities: Vec<Option<String>>,
    /// The first finished trial of each entrant here, if it has one.
    pub first_trials: Vec<Option<TrialKey>>,
    /// The numbers of a table of one's own.
    numbers: Option<TableNumbers>,
    /// The heading of an earlier dataset that has the same numbers, in another file.
    pub same_as: Option<String>,
    /// Scores by metric, entrant and repetition.
    scores: Vec<Vec<Vec<Score>>>,
    /// By metric and entrant, what its scores take of a distribution that they do not know whole;
    /// nothing where none is approximated.
    approximations: Vec<Vec<Option<Approximation>>>,
}

/// All scores of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The metrics.
    pub metrics: Vec<MetricId>,
    /// The methods, in the order of the tables.
    pub entrants: Vec<Entrant>,
    /// One block for each dataset.
    pub blocks: Vec<Block>,
    /// What was left out; may be there twice.
    pub notes: Vec<FieldNote>,
    /// Warnings of datasets that have the same numbers.
    pub findings: Vec<Finding>,
}

/// A rounded target with fewer values than this between its ends is discrete.
const FEWEST_VALUES: f64 = 100.0;

impl Field {
    /// Gathers the main columns of all benchmarks. Curves, demonstrations and variants of a
    /// protocol are left out.
    pub fn gather(results: &[Results], metrics: &[MetricId]) -> Self {
        let mut field = Self { metrics: metrics.to_vec(), ..Self::default() };
        for one in
            results.iter().filter(|one| one.plan.benchmark.protocol.kind().compares_methods())
        {
            let columns = one.series();
            let main = columns.iter().filter(|s| s.variant().is_none() && s.column.x.is_none());
            main.for_each(|s| field.add(s, &one.plan.benchmark.id));
        }
        field.mark_same_tables();
        field
    }

    fn add(&mut self, series: &Series, benchmark: &str) {
        let template = &series.repetitions.experiment.template;
        let identity =
            canonical(&json!([template.method, template.parameters, series.column.reading]));
        let column = self.entrant(series, &identity, benchmark);
        let setting = setting(&series.repetitions.experiment.template);
        let same = |block: &Block| block.key == series.dataset.key && block.setting == setting;
        let row = self.blocks.iter().position(same).unwrap_or_else(|| {
            self.blocks.push(Block::new(series, self.metrics.len()));
            self.blocks.len() - 1
        });
        let block = &mut self.blocks[row];
        if let Some(result) = series.first_finished() {
            block.describe(result);
        }
        block.identities.resize(block.identities.len().max(column + 1), None);
        if *block.identities[column].get_or_insert(identity.clone()) != identity {
            self.notes.push(FieldNote::OtherSettings {
                dataset: block.heading.clone(),
                column: series.column.heading.clone(),
                benchmark: benchmark.to_owned(),
            });
            return;
        }
        if let Some(result) = series.first_finished() {
            block.approximate(column, &self.metrics, result, &series.column.reading);
        }
        block.first_trials.resize(block.identities.len(), None);
        let first = &mut block.first_trials[column];
        *first = first.take().or_else(|| series.first_finished().map(|result| result.key.clone()));
        for (metric, of_metric) in self.metrics.iter().zip(&mut block.scores) {
            of_metric.resize(of_metric.len().max(column + 1), Vec::new());
            // Two tables of the same trials agree, but one may have more repetitions.
            let (known, more) = (&mut of_metric[column], scores(series, metric));
            known.resize(known.len().max(more.len()), Score::Absent);
            for (known, more) in
                known.iter_mut().zip(more).filter(|(known, _)| **known == Score::Absent)
            {
                *known = more;
            }
        }
    }

    /// The entrant of this column: the one with the same fits, or that of another row of the same
    /// column of the same table. Columns of other tables that only share a heading are other
    /// methods, and their heading gets the table's name.
    fn entrant(&mut self, series: &Series, identity: &String, benchmark: &str) -> usize {
        let heading = &series.column.heading;
        let by_fits = self.entrants.iter().position(|e| e.identities.contains(identity));
        let by_table = |e: &Entrant| {
            e.benchmarks.iter().any(|known| known == benchmark) && e.is_called(heading)
        };
        let Some(index) = by_fits.or_else(|| self.entrants.iter().position(by_table)) else {
            let taken = self.entrants.iter().any(|other| other.is_called(heading));
            self.entrants.push(Entrant {
                heading: if taken { format!("{heading} ({benchmark})") } else { heading.clone() },
                id: series.method.id.clone(),
                aliases: if taken { vec![heading.clone()] } else { Vec::new() },
                identities: vec![identity.clone()],
                benchmarks: vec![benchmark.to_owned()],
                brought: None,
            });
            return self.entrants.len() - 1;
        };
        let entrant = &mut self.entrants[index];
        for (known, new) in
            [(&mut entrant.identities, identity.as_str()), (&mut entrant.benchmarks, benchmark)]
        {
            if !known.iter().any(|known| known == new) {
                known.push(new.to_owned());
            }
        }
        if !entrant.is_called(heading) {
            entrant.aliases.push(heading.clone());
        }
        index
    }

    /// These entrants only, in this order, and each dataset once: under the protocol in which most
    /// of them have scores. A note reports what is left out.
    #[must_use]
    pub fn only(&self, entrants: &[usize]) -> Self {
        let chosen = |all: &Vec<Vec<Score>>| {
            entrants
                .iter()
                .map(|&entrant| all.get(entrant).cloned().unwrap_or_default())
                .collect::<Vec<_>>()
        };
        let mut field = Self {
            metrics: self.metrics.clone(),
            entrants: entrants.iter().map(|&entrant| self.entrants[entrant].clone()).collect(),
            notes: self.notes.clone(),
            ..Self::default()
        };
        for block in &self.blocks {
            let identities = entrants
                .iter()
                .map(|&entrant| block.identities.get(entrant).cloned().flatten())
                .collect();
            let first_trials =
                entrants.iter().map(|&at| block.first_trials.get(at).cloned().flatten()).collect();
            let scores = block.scores.iter().map(chosen).collect();
            let approximations = block.approximations.iter().map(|all| {
                entrants
                    .iter()
                    .map(|&entrant| all.get(entrant).cloned().flatten())
                    .collect::<Vec<_>>()
            });
            let approximations = approximations.collect();
            let block = Block { scores, identities, first_trials, approximations, ..block.clone() };
            match field.blocks.iter_mut().find(|known| known.key == block.key) {
                _ if block.present() == 0 => {}
                None => field.blocks.push(block),
                Some(known) => {
                    let dataset = block.key.clone();
                    field.notes.push(FieldNote::SeveralProtocols { dataset });
                    if block.present() > known.present() {
                        *known = block;
                    }
                }
            }
        }
        for block in self
            .blocks
            .iter()
            .filter(|block| !field.blocks.iter().any(|known| known.key == block.key))
        {
            field.notes.push(FieldNote::NoTrial { dataset: block.heading.clone() });
        }
        field
    }

    /// Indices of the entrants that have a score or failed somewhere.
    pub fn present(&self) -> Vec<usize> {
        let is_here = |entrant: &usize| self.blocks.iter().any(|block| block.was_run(*entrant));
        (0..self.entrants.len()).filter(is_here).collect()
    }

    /// The entrants that have a score or failed somewhere: first those that did on at least half as
    /// many datasets as any other, then those whose runs have only begun. Ranks count only datasets
    /// that all ranked methods have, so that these would leave none.
    pub fn by_runs(&self) -> (Vec<usize>, Vec<usize>) {
        let runs =
            |entrant: usize| self.blocks.iter().filter(|block| block.was_run(entrant)).count();
        let most = (0..self.entrants.len()).map(runs).max().unwrap_or(0);
        self.present().into_iter().partition(|&entrant| 2 * runs(entrant) >= most)
    }

    /// Index of the entrant with this heading (ignoring case), or with this name in the registry if
    /// there is only one.
    pub fn position(&self, name: &str) -> Option<usize> {
        let exactly = self.entrants.iter().position(|e| e.heading == name);
        let by_heading = exactly
            .or_else(|| self.entrants.iter().position(|e| e.heading.eq_ignore_ascii_case(name)))
            .or_else(|| self.entrants.iter().position(|e| e.is_called(name)));
        let mut by_id =
            self.entrants.iter().enumerate().filter(|(_, e)| e.id == name).map(|(i, _)| i);
        by_heading.or_else(|| by_id.next().filter(|_| by_id.next().is_none()))
    }

    /// Indices of the anchor methods that take part.
    pub fn anchors(&self) -> Vec<usize> {
        let is_anchor = |e: &Entrant| ANCHORS.iter().any(|(id, _)| *id == e.id);
        (0..self.entrants.len()).filter(|&i| is_anchor(&self.entrants[i])).collect()
    }
}

impl Block {
    fn new(series: &Series, metrics: usize) -> Self {
        Self {
            key: series.dataset.key.clone(),
            heading: series.dataset.heading.clone(),
            setting: setting(&series.repetitions.experiment.template),
            random_splits: series.repetitions.experiment.template.protocol.kind().test_rows()
                != TestRows::Chosen,
            test_to_train: 0.0,
            has_density: true,
            identities: Vec::new(),
            first_trials: Vec::new(),
            numbers: series.dataset.own.as_ref().map(|own| own.numbers.clone()),
            same_as: None,
            scores: vec![Vec::new(); metrics],
            approximations: Vec::new(),
        }
    }

    fn describe(&mut self, result: &TrialResult) {
        self.test_to_train = result.test_rows as f64 / result.train_rows.max(1) as f64;
        self.has_density = has_density(result);
    }

    /// Protocol, rows, scaling and units of the scores, as a benchmark file writes them.
    pub fn setting(&self) -> &[Value; 4] {
        &self.setting
    }

    /// Whether it is the same dataset under the same protocol.
    pub fn is_run_as(&self, other: &Self) -> bool {
        (&self.key, &self.setting) == (&other.key, &other.setting)
    }

    /// Whether two entrants' scores of a metric are of one kind: both of the distributions
    /// themselves, or both approximated alike.
    pub fn is_alike(&self, metric: usize, a: usize, b: usize) -> bool {
        let of = |entrant: usize| {
            self.approximations.get(metric).and_then(|all| all.get(entrant)?.as_ref())
        };
        of(a) == of(b)
    }

    /// Whether an entrant's scores of a metric are approximated.
    pub fn is_approximated(&self, metric: usize, entrant: usize) -> bool {
        self.approximations
            .get(metric)
            .is_some_and(|all| all.get(entrant).is_some_and(Option::is_some))
    }

    /// Number of entrants that were run on this dataset.
    fn present(&self) -> usize {
        (0..self.scores.first().map_or(0, Vec::len))
            .filter(|&entrant| self.was_run(entrant))
            .count()
    }

    fn was_run(&self, entrant: usize) -> bool {
        let of_entrant = self.scores.first().and_then(|of_metric| of_metric.get(entrant));
        of_entrant.is_some_and(|scores| scores.iter().any(|score| *score != Score::Absent))
    }

    /// Scores of one metric, by entrant and repetition; an entrant that was never planned here has
    /// none.
    pub fn scores(&self, metric: usize) -> Vec<Vec<Score>> {
        let planned = &self.scores[metric];
        let repetitions = planned.iter().map(Vec::len).max().unwrap_or(0);
        let mut all = planned.clone();
        all.iter_mut().for_each(|of_entrant| of_entrant.resize(repetitions, Score::Absent));
        all
    }
}

fn setting(spec: &TrialSpec) -> [Value; 4] {
    [json!(spec.protocol), json!(spec.rows), json!(spec.scaling), json!(spec.score_units)]
}

/// Whether the target of a trial has a density. It has none where the manifest says so, and in a
/// table of one's own where rounding leaves few values, because a density on these values is
/// unbounded.
fn has_density(result: &TrialResult) -> bool {
    if Manifest::is_discrete(&result.spec.dataset) {
        return false;
    }
    match (result.target_range, result.target_resolution) {
        (Some((low, high)), Some(resolution)) => high - low >= FEWEST_VALUES * resolution,
        _ => true,
    }
}

/// The result of each repetition of a column under a metric.
pub fn scores(series: &Series, metric: &MetricId) -> Vec<Score> {
    let ends = series.repetitions.ends.iter().zip(series.split_values(metric));
    ends.map(|(end, value)| match end {
        _ if end.has_failed() => Score::Failed,
        End::Finished { .. } => value.map_or(Score::Undefined, Score::Given),
        _ => Score::Absent,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entrant_whose_runs_have_only_begun_is_told_apart() {
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let on = |scores: [Option<f64>; 4]| {
            let scores = vec![scores.map(|score| vec![score]).to_vec()];
            Field::of_scores("t", &names, &["rmse".parse().unwrap()], scores, Vec::new(), 0.1)
        };
        let mut field = on([Some(1.0); 4]);
        for _ in 0..2 {
            let mut block = field.blocks[0].clone();
            // A failure is a run, a repetition that is absent is none.
            block.scores[0][1] = vec![Score::Failed];
            block.scores[0][2] = vec![Score::Absent];
            field.blocks.push(block);
        }
        assert_eq!(field.by_runs(), (vec![0, 1, 3], vec![2]), "one of three datasets");
        field.blocks.pop();
        assert_eq!(field.by_runs(), (vec![0, 1, 2, 3], vec![]), "one of two");
    }
}
