//! Say which trials of a pack ran again, and whether they gave the same.

pub mod outcomes;

use std::collections::BTreeMap;

use super::grid::Grid;
use super::words::rerun::{
    self as words, Cause, Changed, Differing, Draw, Statement, Unreached, Unverified,
};
pub use outcomes::{ChangedVerdict, Counts, Fate};
use uq_core::stats::hypergeometric::{Sample, most_unseen};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::Planned;
use uqbench_run::runner::record::Machine;
use uqbench_run::runner::rerun::compare::Grade;
use uqbench_run::runner::rerun::draw::{Stratum, ticket};
use uqbench_system::machine::fuses;

/// Confidence of bounds, and the probability with which a sample finds what it is said to find.
const CONFIDENCE: f64 = 0.95;

/// Differences that a page shows of one trial; the table of trials has all.
const SHOWN: usize = 3;

/// Trials of packs that run again.
#[derive(Default)]
pub struct Rerun<'a> {
    /// Names and hashes of the packs.
    pub packs: Vec<(String, String)>,
    /// The reviewer's word.
    pub word: String,
    /// The seed of the draw.
    pub seed: String,
    /// The trials that can run again, with the number of those that were drawn.
    pub strata: Vec<Stratum<'a>>,
    /// Why trials of the packs cannot run again, with their number.
    pub excluded: Vec<(usize, String)>,
    /// What became of the drawn trials that were looked at.
    pub fates: BTreeMap<TrialKey, Fate>,
    /// Of trials that differ the program and the machine of the stored one; `None` where these are
    /// not recorded.
    pub machines: BTreeMap<TrialKey, Option<Machine>>,
    /// Verdicts that change with the trials that differ.
    pub changed: Vec<ChangedVerdict>,
    /// Benchmarks whose verdicts could not be compared, and why.
    pub unknown: Vec<(String, String)>,
}

impl<'a> Rerun<'a> {
    /// The drawn trials with their strata.
    pub fn drawn(&self) -> impl Iterator<Item = (&Stratum<'a>, &Planned<'a>)> {
        self.strata
            .iter()
            .flat_map(|stratum| stratum.drawn().iter().map(move |trial| (stratum, trial)))
    }

    /// Counts of all drawn trials.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.fates.values().for_each(|fate| counts.add(fate));
        counts
    }

    fn counts_of(&self, stratum: &Stratum) -> Counts {
        let mut counts = Counts::default();
        stratum
            .drawn()
            .iter()
            .filter_map(|trial| self.fates.get(&trial.key))
            .for_each(|fate| counts.add(fate));
        counts
    }

    fn trials(&self) -> usize {
        self.strata.iter().map(|stratum| stratum.trials.len()).sum()
    }

    /// What is drawn, before any of it runs.
    pub fn announcement(&self) -> String {
        words::announcement(&self.packs) + &self.draw()
    }

    /// The draw alone.
    pub fn draw(&self) -> String {
        words::draw(&Draw {
            word: &self.word,
            seed: &self.seed,
            excluded: &self.excluded,
            drawn: self.strata.iter().map(|stratum| stratum.drawn).sum(),
            trials: self.trials(),
            reached: self.strata.iter().filter(|stratum| stratum.drawn > 0).count(),
            strata: self.strata.len(),
            seconds: self.strata.iter().map(|stratum| stratum.seconds * stratum.drawn as f64).sum(),
        })
    }

    /// What came out, in sentences.
    pub fn summary(&self) -> String {
        let statements: String = self.statements().iter().map(words::statement).collect();
        format!("{statements}{}{}", self.differing(), self.unverified())
    }

    /// What came out of each stratum.
    pub fn strata(&self) -> String {
        let head = [
            "Benchmark",
            "Method",
            "#Trials",
            "#Drawn",
            "#Equal bytes",
            "#Equal numbers",
            "#Within tolerance",
            "#Different",
            "#Not verified",
            "#At most different (95 %)",
        ];
        let mut grid = Grid::new(&head);
        for stratum in &self.strata {
            let counts @ Counts { grades: [bytes, numbers, within, different], unfinished } =
                self.counts_of(stratum);
            let most = stratum.sample().most_faulty(different + unfinished, CONFIDENCE);
            debug_assert_eq!(counts.ran() + unfinished, stratum.drawn);
            let numbers = [
                stratum.trials.len(),
                stratum.drawn,
                bytes,
                numbers,
                within,
                different,
                unfinished,
                most,
            ];
            let names = [stratum.benchmark.clone(), stratum.method.clone()];
            grid.push(names.into_iter().chain(numbers.map(|number| number.to_string())));
        }
        grid.markdown()
    }

    /// What came out, and what it does not show.
    fn statements(&self) -> Vec<Statement> {
        let counts = self.counts();
        let Counts { grades, unfinished } = counts;
        let trials = self.trials();
        let is_whole = counts.ran() == trials;
        let mut all = vec![Statement::Ran(grades)];
        if unfinished > 0 {
            all.push(Statement::Unfinished(unfinished));
        }
        let drawn = self.strata.iter().map(|stratum| stratum.drawn).sum::<usize>();
        let sample = Sample { population: trials, drawn: drawn - unfinished };
        let power = sample.least_found(CONFIDENCE).filter(|_| !is_whole);
        all.extend(power.map(|least| Statement::Power { least, trials }));
        if is_whole {
            all.push(Statement::Whole);
        } else if counts.different() == 0 {
            all.extend(self.bound());
        }
        let unreached: Vec<&Stratum> =
            self.strata.iter().filter(|stratum| stratum.drawn == 0).collect();
        if !unreached.is_empty() {
            let methods = unreached.iter().map(|stratum| Unreached {
                benchmark: stratum.benchmark.clone(),
                method: stratum.method.clone(),
                seconds: stratum.seconds,
            });
            all.push(Statement::Unreached {
                trials: unreached.iter().map(|stratum| stratum.trials.len()).sum(),
                strata: methods.collect(),
            });
        }
        all.push(Statement::Limit);
        all
    }

    /// How many trials may differ of the strata of which every drawn trial ran, where none of these
    /// did; `None` where there is no such stratum.
    fn bound(&self) -> Option<Statement> {
        // A stratum of which a drawn trial did not finish is taken as one of which nothing was
        // drawn: those that finish are no random sample of it.
        let is_whole =
            |stratum: &&Stratum| stratum.drawn > 0 && self.counts_of(stratum).unfinished == 0;
        let samples: Vec<Sample> =
            self.strata.iter().filter(is_whole).map(Stratum::sample).collect();
        let trials: usize = samples.iter().map(|sample| sample.population).sum();
        let most = most_unseen(&samples, CONFIDENCE);
        (trials > 0).then_some(Statement::Bound { strata: samples.len(), trials, most })
    }

    /// The trials that differ.
    pub fn differing(&self) -> String {
        let differing = |(stratum, trial): (&Stratum, &Planned)| {
            let Some(Fate::Ran(Grade::Different(found))) = self.fates.get(&trial.key) else {
                return None;
            };
            let (shown, hidden) = found.split_at(found.len().min(SHOWN));
            let stored = self.machines.get(&trial.key);
            Some(Differing {
                trial: named(stratum, trial),
                key: trial.key.to_string(),
                shown: shown.to_vec(),
                hidden: hidden.len(),
                cause: stored.map(|stored| cause(stored.as_ref(), &Machine::here(), fuses())),
            })
        };
        let trials: Vec<Differing> = self.drawn().filter_map(differing).collect();
        words::differing(&trials, &self.changed, &self.unknown)
    }

    /// The drawn trials that did not finish.
    fn unverified(&self) -> String {
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (stratum, trial) in self.drawn() {
            if let Some(Fate::Unfinished(why)) = self.fates.get(&trial.key) {
                reasons.entry(why).or_default().push(named(stratum, trial));
            }
        }
        let reasons: Vec<Unverified> = reasons
            .into_iter()
            .map(|(why, mut trials)| {
                let hidden = trials.len().saturating_sub(SHOWN);
                trials.truncate(SHOWN);
                Unverified { why, trials, hidden }
            })
            .collect();
        words::unverified(&reasons)
    }

    /// A line for each drawn trial, in the order of strata and tickets.
    ///
    /// # Errors
    /// The writer's error.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "benchmark",
            "method",
            "trial",
            "dataset",
            "split",
            "seed",
            "ticket",
            "grade",
            "largest_relative_difference",
            "why",
        ])?;
        for (stratum, trial) in self.drawn() {
            let template = &trial.experiment.template;
            let [grade, largest, why] = match self.fates.get(&trial.key) {
                None => ["drawn".into(), String::new(), String::new()],
                Some(Fate::Unfinished(why)) => ["not verified".into(), String::new(), why.clone()],
                Some(Fate::Ran(grade)) => {
                    let found = if let Grade::Different(found) = grade { &found[..] } else { &[] };
                    let largest = match grade {
                        Grade::Within { largest, .. } => Some(*largest),
                        _ => found.iter().filter_map(|one| one.relative).reduce(f64::max),
                    };
                    let words =
                        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                    [
                        grade.word().into(),
                        largest.map_or_else(String::new, |x| x.to_string()),
                        words,
                    ]
                }
            };
            let [split, seed] = [trial.split, template.seed].map(|number| number.to_string());
            let (trial, ticket) = (trial.key.to_string(), ticket(&self.seed, &trial.key));
            writer.write_record([
                &*stratum.benchmark,
                &*stratum.method,
                &trial,
                &template.dataset,
                &split,
                &seed,
                &ticket,
                &grade,
                &largest,
                &why,
            ])?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// A drawn trial with its benchmark.
fn named(stratum: &Stratum, trial: &Planned) -> String {
    words::trial(&trial.name(), &stratum.benchmark)
}

/// What is known of why a trial differs. `fuses` says that this processor rounds a product and a
/// sum together.
fn cause(stored: Option<&Machine>, here: &Machine, fuses: bool) -> Cause {
    let Some(stored) = stored else { return Cause::Unrecorded };
    if !fuses {
        return Cause::RoundsTwice;
    }
    let known = |text: &str| Some(text.to_owned());
    let facts = [
        ("program", known(&stored.program), known(&here.program)),
        ("system", known(&stored.platform), known(&here.platform)),
        ("processor", stored.processor.clone(), here.processor.clone()),
    ];
    let changed: Vec<Changed> = facts
        .into_iter()
        .filter(|(_, stored, here)| stored != here)
        .map(|(what, stored, here)| Changed { what, stored, here })
        .collect();
    if changed.is_empty() { Cause::SameMachine } else { Cause::Changed(changed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stratum_of_which_nothing_is_drawn_is_named() {
        let stratum = Stratum {
            benchmark: "dtb-table-1".into(),
            method: "dtb".into(),
            trials: Vec::new(),
            seconds: 2.5,
            drawn: 0,
        };
        let unreached =
            Unreached { benchmark: "dtb-table-1".into(), method: "dtb".into(), seconds: 2.5 };
        let rerun = Rerun { strata: vec![stratum], ..Rerun::default() };
        assert_eq!(
            rerun.statements(),
            [
                Statement::Ran([0; 4]),
                Statement::Whole,
                Statement::Unreached { trials: 0, strata: vec![unreached] },
                Statement::Limit
            ]
        );
    }

    #[test]
    fn trials_that_ran_are_counted_by_grade_and_a_difference_leaves_no_bound() {
        let key = |digit: &str| TrialKey::parse(&digit.repeat(64)).unwrap();
        let fates = [
            (key("0"), Fate::Ran(Grade::EqualBytes)),
            (key("1"), Fate::Ran(Grade::Different(Vec::new()))),
        ];
        let rerun = Rerun { fates: fates.into(), ..Rerun::default() };
        assert_eq!(rerun.statements(), [Statement::Ran([1, 0, 0, 1]), Statement::Limit]);
    }

    #[test]
    fn the_cause_is_what_differs_from_the_machine_of_the_pack() {
        let machine = |program: &str, processor: Option<&str>| Machine {
            program: program.into(),
            platform: "linux".into(),
            processor: processor.map(str::to_owned),
            host: None,
        };
        let (old, new) = (machine("a 1", Some("P")), machine("a 2", None));
        assert_eq!(cause(None, &new, true), Cause::Unrecorded);
        assert_eq!(cause(Some(&old), &new, false), Cause::RoundsTwice);
        assert_eq!(cause(Some(&old), &old, true), Cause::SameMachine);
        let program =
            Changed { what: "program", stored: Some("a 1".into()), here: Some("a 2".into()) };
        let processor = Changed { what: "processor", stored: Some("P".into()), here: None };
        assert_eq!(cause(Some(&old), &new, true), Cause::Changed(vec![program, processor]));
    }
}
