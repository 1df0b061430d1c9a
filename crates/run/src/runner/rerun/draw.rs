//! Draw trials at random, by a rule that everybody can check, before any of them runs.
//!
//! **The seed** is the SHA-256 of this text: the SHA-256 of each pack in hexadecimal digits, in
//! ascending order, each followed by a line feed, and then a word that the reviewer chooses.
//! Whoever made the packs could not know the word, so that nobody can choose which trials are
//! drawn.
//!
//! **The ticket** of a trial is the SHA-256 of the seed and the trial's key, both in hexadecimal
//! digits.
//!
//! **The strata** are the pairs of benchmark and method. A trial that several benchmarks share
//! belongs to the first one.
//!
//! **How many** are drawn of each stratum depends on expected costs alone, not on tickets. The
//! strata get one more trial each in turn, the cheapest first by the mean expected processor time
//! of their trials, as long as the sum of the means stays within half of the time. The other half
//! is for slower processors. A stratum whose mean is longer than half of the time gets none. Of
//! each stratum the trials with the lowest tickets are drawn, so that every sample of its size has
//! the same chance.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};

use crate::runner::costs::Costs;
use crate::runner::key::TrialKey;
use crate::runner::plan::Planned;
use uq_core::stats::hypergeometric::Sample;
use uqbench_system::hash::{hexadecimal, sha256};

/// The trials of one method in one benchmark, of which some are drawn.
pub struct Stratum<'a> {
    /// The benchmark.
    pub benchmark: String,
    /// The method's name.
    pub method: String,
    /// The trials, in the order of their tickets.
    pub trials: Vec<Planned<'a>>,
    /// Mean expected processor time of a trial in seconds.
    pub seconds: f64,
    /// How many of them are drawn: the first ones.
    pub drawn: usize,
}

/// Share of the time that drawn trials are expected to take.
const SHARE: f64 = 0.5;

/// The processors' time for trials that run again.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Wall time in seconds.
    pub seconds: f64,
    /// Trials at a time.
    pub jobs: usize,
}

/// The seed of packs of these hashes and a word.
pub fn seed(packs: &[String], word: &str) -> String {
    let mut packs: Vec<&String> = packs.iter().collect();
    packs.sort();
    let text: String =
        packs.into_iter().map(|hash| format!("{hash}\n")).chain([word.to_owned()]).collect();
    sha256(text.as_bytes())
}

/// The ticket of a trial.
pub fn ticket(seed: &str, key: &TrialKey) -> String {
    hexadecimal(&Sha256::new_with_prefix(seed).chain_update(key.as_str()).finalize())
}

/// The strata of these trials, the cheapest first; nothing is drawn yet.
pub fn strata<'a>(trials: Vec<Planned<'a>>, costs: &Costs, seed: &str) -> Vec<Stratum<'a>> {
    let mut strata: Vec<Stratum<'a>> = Vec::new();
    for trial in trials {
        let (benchmark, method) =
            (trial.plan.benchmark.id.as_str(), trial.experiment.template.method_name());
        match strata
            .iter_mut()
            .find(|stratum| (&*stratum.benchmark, &*stratum.method) == (benchmark, method))
        {
            Some(stratum) => stratum.trials.push(trial),
            None => {
                let (benchmark, method) = (benchmark.to_owned(), method.to_owned());
                strata.push(Stratum {
                    benchmark,
                    method,
                    trials: vec![trial],
                    seconds: 0.0,
                    drawn: 0,
                });
            }
        }
    }
    for stratum in &mut strata {
        let all = stratum.trials.iter().map(|trial| costs.of_trial(trial).seconds).sum::<f64>();
        stratum.seconds = all / stratum.trials.len() as f64;
        stratum.trials.sort_by_cached_key(|trial| ticket(seed, &trial.key));
    }
    strata.sort_by(cheapest_first);
    strata
}

fn cheapest_first(a: &Stratum, b: &Stratum) -> Ordering {
    let name = |stratum: &Stratum| (stratum.benchmark.clone(), stratum.method.clone());
    a.seconds.total_cmp(&b.seconds).then_with(|| name(a).cmp(&name(b)))
}

/// Draws as many trials of each stratum as are expected to run in this time; all of them where it
/// is not limited.
pub fn draw(strata: &mut [Stratum], time: Option<Time>) {
    let Some(Time { seconds, jobs }) = time else {
        strata.iter_mut().for_each(|stratum| stratum.drawn = stratum.trials.len());
        return;
    };
    let seconds = SHARE * seconds;
    let mut left = seconds * jobs as f64;
    loop {
        let mut any = false;
        for stratum in strata.iter_mut() {
            let fits = stratum.seconds <= seconds && stratum.seconds <= left;
            if fits && stratum.drawn < stratum.trials.len() {
                stratum.drawn += 1;
                left -= stratum.seconds;
                any = true;
            }
        }
        if !any {
            return;
        }
    }
}

impl<'a> Stratum<'a> {
    /// The drawn trials.
    pub fn drawn(&self) -> &[Planned<'a>] {
        &self.trials[..self.drawn]
    }

    /// The stratum as a population of which a sample was drawn.
    pub fn sample(&self) -> Sample {
        Sample { population: self.trials.len(), drawn: self.drawn }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::benchmark::{self, Profile};
    use crate::runner::plan::{Filter, Plan, plan, trials};

    fn plans() -> Vec<Plan> {
        let all =
            ["dtb-table-1", "dtb-table-2", "jcm-table-2"].map(|id| benchmark::find(id).unwrap());
        plan(&all, Profile::Quick, &Filter::default()).unwrap()
    }

    fn drawn(strata: &[Stratum]) -> Vec<TrialKey> {
        strata
            .iter()
            .flat_map(|stratum| stratum.drawn().iter().map(|trial| trial.key.clone()))
            .collect()
    }

    #[test]
    fn seed_and_ticket_are_as_the_rule_says() {
        // printf 'aa\nbb\nword' | sha256sum, and of that and a key of 64 zeros.
        let seed = seed(&["bb".into(), "aa".into()], "word");
        assert_eq!(seed, "ffdbcda8715506614903535d462ebf31c1429d92623a2bfe4e30cb3b9bd782c2");
        let key = TrialKey::parse(&"0".repeat(64)).unwrap();
        assert_eq!(ticket(&seed, &key), sha256(format!("{seed}{key}").as_bytes()));
    }

    #[test]
    fn every_trial_is_in_one_stratum_and_strata_are_named_by_benchmark_and_method() {
        let plans = plans();
        let (all, costs) = (trials(&plans), Costs::shipped().unwrap());
        let count = all.len();
        let strata = strata(all, costs, "seed");
        assert_eq!(strata.iter().map(|stratum| stratum.trials.len()).sum::<usize>(), count);
        let names: BTreeSet<_> =
            strata.iter().map(|stratum| (&stratum.benchmark, &stratum.method)).collect();
        assert_eq!(names.len(), strata.len());
        assert!(strata.is_sorted_by(|a, b| a.seconds <= b.seconds));
        assert!(
            strata.iter().all(|stratum| stratum.benchmark != "dtb-table-2"),
            "it shares all its trials with Table 1"
        );
    }

    #[test]
    fn more_time_draws_more_of_the_same_and_another_word_others() {
        let plans = plans();
        let costs = Costs::shipped().unwrap();
        let of = |seed: &str, seconds: f64| {
            let mut strata = strata(trials(&plans), costs, seed);
            draw(&mut strata, Some(Time { seconds, jobs: 2 }));
            let spent: f64 =
                strata.iter().map(|stratum| stratum.seconds * stratum.drawn as f64).sum();
            assert!(spent <= 0.5 * 2.0 * seconds, "{spent}");
            drawn(&strata)
        };
        let (few, many) = (of("seed", 2.0), of("seed", 20.0));
        assert!(!few.is_empty() && few.len() < many.len());
        assert!(few.iter().all(|key| many.contains(key)), "the tickets do not depend on the time");
        assert_eq!(few, of("seed", 2.0));
        assert_ne!(few, of("other", 2.0));
        assert_eq!(few.len(), of("other", 2.0).len(), "how many does not depend on the word");
    }

    #[test]
    fn without_a_limit_all_are_drawn_and_without_time_none() {
        let plans = plans();
        let mut strata = strata(trials(&plans), Costs::shipped().unwrap(), "seed");
        draw(&mut strata, Some(Time { seconds: 0.0, jobs: 2 }));
        assert!(drawn(&strata).is_empty());
        draw(&mut strata, None);
        assert_eq!(drawn(&strata).len(), trials(&plans).len());
        assert_eq!(strata[0].sample().drawn, strata[0].trials.len());
    }
}
