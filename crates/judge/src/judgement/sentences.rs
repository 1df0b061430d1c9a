//! Judge a sentence of a paper by its readings.
//!
//! A claim is a part of a reading of a sentence. Claims without the name of another reading are
//! the parts of its primary reading; claims with the same name are the parts of that reading. A
//! reading holds where all of its parts hold, and fails where one fails. The sentence is judged as
//! its primary reading is, unless another reading is decided the other way: then it depends on the
//! reading. What no paper states is no sentence.

use std::collections::BTreeMap;

use super::claims::Judged;
use uqbench_run::benchmark::Claim;

/// The judgement on a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// It holds by its primary reading, and no other reading fails.
    Holds,
    /// It fails by its primary reading, and no other reading holds.
    Fails,
    /// Its primary reading and another one are decided, and disagree.
    DependsOnReading,
    /// Its primary reading is not decided.
    Undecided,
}

/// How many sentences have each judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conclusions {
    /// Sentences that hold.
    pub hold: usize,
    /// Sentences that fail.
    pub fail: usize,
    /// Sentences of which two readings disagree.
    pub depend: usize,
    /// Sentences that are not decided.
    pub open: usize,
}

impl Conclusions {
    /// How many there are.
    pub fn all(&self) -> usize {
        self.hold + self.fail + self.depend + self.open
    }
}

impl FromIterator<Conclusion> for Conclusions {
    fn from_iter<I: IntoIterator<Item = Conclusion>>(all: I) -> Self {
        all.into_iter().fold(Self::default(), |mut counts, conclusion| {
            match conclusion {
                Conclusion::Holds => counts.hold += 1,
                Conclusion::Fails => counts.fail += 1,
                Conclusion::DependsOnReading => counts.depend += 1,
                Conclusion::Undecided => counts.open += 1,
            }
            counts
        })
    }
}

impl std::ops::Add for Conclusions {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            hold: self.hold + other.hold,
            fail: self.fail + other.fail,
            depend: self.depend + other.depend,
            open: self.open + other.open,
        }
    }
}

/// The judgements on the parts of each reading of a sentence, by the name of the reading; those of
/// the primary one have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Readings(BTreeMap<Option<String>, Vec<Judged>>);

impl Readings {
    fn concluded(&self) -> Conclusion {
        let of_reading = |name: &Option<String>| self.0.get(name).map(|parts| of_parts(parts));
        let disagrees = |primary: Judged| {
            let others = self.0.keys().filter(|name| name.is_some()).filter_map(of_reading);
            others.into_iter().any(|other| other != Judged::Undecided && other != primary)
        };
        match of_reading(&None) {
            None | Some(Judged::Undecided) => Conclusion::Undecided,
            Some(primary) if disagrees(primary) => Conclusion::DependsOnReading,
            Some(Judged::Holds) => Conclusion::Holds,
            Some(Judged::Fails) => Conclusion::Fails,
        }
    }
}

/// The judgement on a reading whose parts are judged so.
fn of_parts(parts: &[Judged]) -> Judged {
    if parts.contains(&Judged::Fails) {
        Judged::Fails
    } else if parts.contains(&Judged::Undecided) {
        Judged::Undecided
    } else {
        Judged::Holds
    }
}

/// Sentences with the judgements on their readings, by the names of the sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences(BTreeMap<String, Readings>);

impl Sentences {
    /// Adds the judgement on a claim; nothing of one that no paper states.
    pub fn add(&mut self, claim: &Claim, judged: Judged) {
        if let Some(name) = claim.sentence() {
            let readings = self.0.entry(name.to_owned()).or_default();
            readings.0.entry(claim.other_reading.clone()).or_default().push(judged);
        }
    }

    /// How many have each judgement.
    pub fn concluded(&self) -> Conclusions {
        self.0.values().map(Readings::concluded).collect()
    }

    /// The judgement on the sentence with this name; `None` where there is none.
    pub fn conclusion(&self, name: &str) -> Option<Conclusion> {
        self.0.get(name).map(Readings::concluded)
    }
}

impl<'c> FromIterator<(&'c Claim, Judged)> for Sentences {
    fn from_iter<I: IntoIterator<Item = (&'c Claim, Judged)>>(all: I) -> Self {
        let mut found = Self::default();
        all.into_iter().for_each(|(claim, judged)| found.add(claim, judged));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Judged::{Fails, Holds, Undecided};
    use uqbench_run::benchmark::shipped;

    /// A claim of ours, as a reading of `sentence`; of none, as one that no paper states.
    fn claim(sentence: Option<&str>, other: Option<&str>) -> Claim {
        let mut claim =
            shipped().unwrap().iter().find_map(|one| one.claims.first()).unwrap().clone();
        claim.sentence = sentence.map(str::to_owned);
        claim.stated_by_paper = sentence.is_some();
        claim.other_reading = other.map(str::to_owned);
        claim
    }

    #[test]
    fn a_sentence_is_judged_by_its_primary_reading_unless_another_is_decided_otherwise() {
        for (primary, others, expected) in [
            (vec![Fails], vec![Fails], Conclusion::Fails),
            (vec![Fails], vec![Holds], Conclusion::DependsOnReading),
            (vec![Holds], vec![Fails], Conclusion::DependsOnReading),
            (vec![Fails], vec![Undecided], Conclusion::Fails),
            (vec![Holds], vec![Undecided], Conclusion::Holds),
            (vec![Undecided], vec![Holds], Conclusion::Undecided),
            (vec![Holds, Holds], vec![], Conclusion::Holds),
            (vec![Holds, Fails], vec![], Conclusion::Fails),
            (vec![Holds, Undecided], vec![], Conclusion::Undecided),
            (vec![Undecided, Fails], vec![Holds], Conclusion::DependsOnReading),
            (vec![Holds], vec![Holds, Fails], Conclusion::DependsOnReading),
            (vec![Holds], vec![Holds, Undecided], Conclusion::Holds),
            (vec![], vec![Holds], Conclusion::Undecided),
        ] {
            let mut all = Sentences::default();
            primary.iter().for_each(|judged| all.add(&claim(Some("a"), None), *judged));
            others.iter().for_each(|judged| all.add(&claim(Some("a"), Some("b")), *judged));
            assert_eq!(all.conclusion("a"), Some(expected), "{primary:?} {others:?}");
        }
    }

    #[test]
    fn what_no_paper_states_counts_for_none() {
        let [a, b, ours] = [Some("a"), Some("b"), None].map(|name| claim(name, None));
        let all: Sentences = [(&a, Fails), (&b, Holds), (&ours, Holds)].into_iter().collect();
        assert_eq!(all.concluded(), Conclusions { hold: 1, fail: 1, ..Conclusions::default() });
        assert_eq!(all.conclusion("c"), None);
    }

    #[test]
    fn counts_are_added() {
        let counts = Conclusions { hold: 2, fail: 1, depend: 1, open: 0 };
        assert_eq!(counts + counts, Conclusions { hold: 4, fail: 2, depend: 2, open: 0 });
        assert_eq!((counts + counts).all(), 8);
    }
}
