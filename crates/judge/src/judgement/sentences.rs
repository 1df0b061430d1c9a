//! Judge a sentence of a paper by its readings.
//!
//! A claim is a reading of a sentence, and several claims may read one. The sentence holds where
//! all of its readings hold, and fails where all fail. Otherwise it is undecided: its readings
//! disagree, or some are open. What no paper states is no sentence.

use std::collections::BTreeMap;

use super::claims::Judged;

/// The judgement on a sentence whose readings are judged so; undecided where there is none.
pub fn of_readings(readings: &[Judged]) -> Judged {
    match readings {
        [first, others @ ..] if others.iter().all(|other| other == first) => *first,
        _ => Judged::Undecided,
    }
}

/// The readings of sentences, by the names of the sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences(BTreeMap<String, Vec<Judged>>);

impl Sentences {
    /// Adds a reading of the sentence with this name; of none, nothing.
    pub fn add(&mut self, sentence: Option<&str>, reading: Judged) {
        if let Some(name) = sentence {
            self.0.entry(name.to_owned()).or_default().push(reading);
        }
    }

    /// The judgement on each sentence, in the order of their names.
    pub fn judged(&self) -> impl Iterator<Item = Judged> + '_ {
        self.0.values().map(|readings| of_readings(readings))
    }

    /// The judgement on each reading.
    pub fn readings(&self) -> impl Iterator<Item = Judged> + '_ {
        self.0.values().flatten().copied()
    }

    /// The judgement on the sentence with this name; `None` where there is none.
    pub fn of(&self, name: &str) -> Option<Judged> {
        self.0.get(name).map(|readings| of_readings(readings))
    }
}

impl<'s> FromIterator<(Option<&'s str>, Judged)> for Sentences {
    fn from_iter<I: IntoIterator<Item = (Option<&'s str>, Judged)>>(all: I) -> Self {
        let mut found = Self::default();
        all.into_iter().for_each(|(sentence, reading)| found.add(sentence, reading));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Judged::{Fails, Holds, Undecided};

    #[test]
    fn a_sentence_fails_where_all_its_readings_fail() {
        for (readings, expected) in [
            (vec![Fails, Fails], Fails),
            (vec![Fails, Holds], Undecided),
            (vec![Fails, Undecided], Undecided),
            (vec![Holds, Undecided], Undecided),
            (vec![Holds, Holds], Holds),
            (vec![Fails], Fails),
            (vec![], Undecided),
        ] {
            assert_eq!(of_readings(&readings), expected, "{readings:?}");
        }
    }

    #[test]
    fn readings_are_counted_beside_sentences_and_what_no_paper_states_for_none() {
        let read = [(Some("a"), Fails), (Some("a"), Holds), (Some("b"), Fails), (None, Holds)];
        let all: Sentences = read.into_iter().collect();
        assert_eq!(all.judged().collect::<Vec<_>>(), [Undecided, Fails]);
        assert_eq!((all.readings().count(), all.of("b"), all.of("c")), (3, Some(Fails), None));
    }
}
