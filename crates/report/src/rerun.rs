//! Say which trials of a pack ran again, and whether they gave the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::grid::{Grid, counted};
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

/// What became of a drawn trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It ran.
    Ran(Grade),
    /// It did not finish, for this reason, and is not verified.
    Unfinished(String),
}

/// A verdict that is another one with the trials as they ran here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedVerdict {
    /// The benchmark.
    pub benchmark: String,
    /// The printed number or claim.
    pub what: String,
    /// The verdict by the pack.
    pub stored: String,
    /// The verdict with the trials that ran here.
    pub here: String,
}

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

/// Counts of drawn trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of each grade: equal bytes, equal numbers or scores, within the tolerance, different.
    pub grades: [usize; 4],
    /// Not finished.
    pub unfinished: usize,
}

impl Counts {
    fn add(&mut self, fate: &Fate) {
        match fate {
            Fate::Unfinished(_) => self.unfinished += 1,
            Fate::Ran(grade) => {
                let place = match grade {
                    Grade::EqualBytes => 0,
                    Grade::EqualNumbers(_) => 1,
                    Grade::Within { .. } => 2,
                    Grade::Different(_) => 3,
                };
                self.grades[place] += 1;
            }
        }
    }

    /// Trials that ran again.
    pub fn ran(&self) -> usize {
        self.grades.iter().sum()
    }

    /// Trials that differ.
    pub fn different(&self) -> usize {
        self.grades[3]
    }
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
        let mut text = String::from("# Trials that run again\n\n");
        for (name, hash) in &self.packs {
            // writing to a string cannot fail
            let _ = writeln!(text, "- Pack {name}: SHA-256 {hash}");
        }
        text + &self.draw()
    }

    /// The draw alone.
    pub fn draw(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "- The reviewer's word: “{}”. Seed of the draw: {}",
            self.word, self.seed
        );
        for (count, why) in &self.excluded {
            let _ = writeln!(text, "- Cannot run again: {}: {why}", counted(*count, "trial"));
        }
        let drawn: usize = self.strata.iter().map(|stratum| stratum.drawn).sum();
        let seconds: f64 =
            self.strata.iter().map(|stratum| stratum.seconds * stratum.drawn as f64).sum();
        let reached = self.strata.iter().filter(|stratum| stratum.drawn > 0).count();
        let _ = writeln!(
            text,
            "- Drawn: {drawn} of {}, in {reached} of {} strata (benchmark and method), expected to \
             take {:.0} s of processor time",
            counted(self.trials(), "trial"),
            self.strata.len(),
            seconds.ceil()
        );
        text
    }

    /// What came out, in sentences.
    pub fn summary(&self) -> String {
        format!("{}{}{}", self.sentences(), self.differing(), self.unverified())
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

    /// The findings, a line each.
    fn sentences(&self) -> String {
        let counts = self.counts();
        let Counts { grades: [bytes, numbers, within, different], unfinished } = counts;
        let mut lines = vec![format!(
            "{} ran again: {bytes} with equal bytes, {numbers} with equal numbers in other bytes, \
             {within} within their tolerance, {different} different.",
            counted(counts.ran(), "trial")
        )];
        if unfinished > 0 {
            lines.push(format!(
                "{} drawn and did not finish: not verified. The bounds of their strata count them \
                 as different.",
                if unfinished == 1 {
                    "1 trial was".into()
                } else {
                    format!("{unfinished} trials were")
                }
            ));
        }
        let (trials, whole) =
            (self.trials(), self.strata.iter().map(|stratum| stratum.drawn).sum::<usize>());
        let sample = Sample { population: trials, drawn: whole - unfinished };
        if let Some(least) = sample.least_found(CONFIDENCE) {
            lines.push(format!(
                "Power: if {least} of the {trials} trials ({:.2} %), chosen at random, were wrong, \
                 a simple random sample of as many trials would include one of them with a \
                 probability of 95 %.",
                100.0 * least as f64 / trials as f64
            ));
        }
        if counts.ran() == trials {
            lines.retain(|line| !line.starts_with("Power"));
            lines.push("Every trial that can run again ran again.".into());
        } else if different == 0 {
            // A stratum of which a drawn trial did not finish is taken as one of which nothing was
            // drawn: those that finish are no random sample of it.
            let is_whole =
                |stratum: &&Stratum| stratum.drawn > 0 && self.counts_of(stratum).unfinished == 0;
            let samples: Vec<Sample> =
                self.strata.iter().filter(is_whole).map(Stratum::sample).collect();
            let reached: usize = samples.iter().map(|sample| sample.population).sum();
            let most = most_unseen(&samples, CONFIDENCE);
            if reached > 0 {
                lines.push(format!(
                    "Bound over the {} of which every drawn trial ran: with 95 % confidence at \
                     most {most} of their {reached} trials differ, wherever these are.",
                    count_of(samples.len(), "stratum", "strata")
                ));
            }
        }
        let unreached: Vec<&Stratum> =
            self.strata.iter().filter(|stratum| stratum.drawn == 0).collect();
        if !unreached.is_empty() {
            let all: usize = unreached.iter().map(|stratum| stratum.trials.len()).sum();
            let names: Vec<String> = unreached
                .iter()
                .map(|s| format!("{} in {} ({:.0} s a trial)", s.method, s.benchmark, s.seconds))
                .collect();
            lines.push(format!(
                "Nothing is known of {} with {}, which the time does not reach: {}.",
                count_of(unreached.len(), "stratum", "strata"),
                counted(all, "trial"),
                names.join("; ")
            ));
        }
        lines.push("This shows that numbers repeat, not that they are right.".into());
        lines.into_iter().map(|line| format!("- {line}\n")).collect()
    }

    /// The trials that differ.
    pub fn differing(&self) -> String {
        let mut text = String::new();
        for (stratum, trial) in self.drawn() {
            let Some(Fate::Ran(Grade::Different(found))) = self.fates.get(&trial.key) else {
                continue;
            };
            if text.is_empty() {
                text.push_str("\n## Trials that differ\n\n");
            }
            let (shown, rest) = found.split_at(found.len().min(SHOWN));
            let mut words: Vec<String> = shown.iter().map(ToString::to_string).collect();
            if !rest.is_empty() {
                words.push(format!("{} more", rest.len()));
            }
            let _ = writeln!(
                text,
                "- {} of {}, `{}`: {}.",
                trial.name(),
                stratum.benchmark,
                trial.key,
                words.join("; ")
            );
            if let Some(stored) = self.machines.get(&trial.key) {
                let _ = writeln!(text, "  {}", cause(stored.as_ref(), &Machine::here()));
            }
        }
        if !text.is_empty() {
            let verdict = |of: &ChangedVerdict| {
                format!(
                    "- {}: {}: {} by the pack, {} with the trials as they ran here.\n",
                    of.benchmark, of.what, of.stored, of.here
                )
            };
            let changed: String = self.changed.iter().map(verdict).collect();
            text += &match (changed.is_empty(), self.unknown.is_empty()) {
                (false, _) => format!("\nVerdicts that change:\n\n{changed}"),
                (true, true) => {
                    "\nWith the trials as they ran here no verdict changes.\n".to_owned()
                }
                (true, false) => String::new(),
            };
            for (benchmark, why) in &self.unknown {
                let _ =
                    writeln!(text, "\nWhether verdicts of {benchmark} change is not known: {why}.");
            }
        }
        text
    }

    /// The drawn trials that did not finish.
    fn unverified(&self) -> String {
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (stratum, trial) in self.drawn() {
            if let Some(Fate::Unfinished(why)) = self.fates.get(&trial.key) {
                reasons.entry(why).or_default().push(format!(
                    "{} of {}",
                    trial.name(),
                    stratum.benchmark
                ));
            }
        }
        if reasons.is_empty() {
            return String::new();
        }
        let line = |(why, names): (&str, Vec<String>)| {
            let (shown, rest) = names.split_at(names.len().min(SHOWN));
            let more =
                if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            format!("- {why}: {}{more}.\n", shown.join("; "))
        };
        format!(
            "\n## Drawn and not verified\n\n{}",
            reasons.into_iter().map(line).collect::<String>()
        )
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

/// A number of things.
fn count_of(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// What is known of why a trial differs.
fn cause(stored: Option<&Machine>, here: &Machine) -> String {
    let Some(stored) = stored else {
        return "The pack does not say where it ran.".into();
    };
    let processor =
        |machine: &Machine| machine.processor.clone().unwrap_or_else(|| "an unknown one".into());
    let facts = [
        ("program", stored.program.clone(), here.program.clone()),
        ("system", stored.platform.clone(), here.platform.clone()),
        ("processor", processor(stored), processor(here)),
    ];
    let others: Vec<String> = facts
        .into_iter()
        .filter(|(_, before, now)| before != now)
        .map(|(what, before, now)| format!("the {what} ({before} in the pack, {now} here)"))
        .collect();
    if !fuses() {
        return "This processor has no fused multiply-add, so that products of matrices round twice \
                and have other last digits.".into();
    }
    if others.is_empty() {
        return "Program, system and processor are those of the pack: the code has changed without \
                a new version, or the pack states what its program did not compute."
            .into();
    }
    format!(
        "The data are those of the pack. Other are {}; the code may have changed, too.",
        others.join(", ")
    )
}
