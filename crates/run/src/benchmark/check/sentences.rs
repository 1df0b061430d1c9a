//! Check which claims are readings of which sentence.

use std::collections::BTreeSet;

use crate::benchmark::mistakes::Mistakes;
use crate::benchmark::{Benchmark, Claim};

/// How the words of a claim begin that no paper states.
const OURS: &str = "not in the paper";

impl Benchmark {
    /// Notes claims whose words and sentences do not fit: readings of one sentence have its words,
    /// and other sentences have others.
    pub(super) fn check_sentences(&self, to: &mut Mistakes) {
        let mut ids = BTreeSet::new();
        for (i, claim) in self.claims.iter().enumerate() {
            let mut note = |message: String| {
                to.note(to.entry("claims", i), format!("claim `{}`: {message}", claim.id))
            };
            if !ids.insert(claim.id.as_str()) {
                note("another claim has this id".into());
            }
            if claim.sentence.as_deref().is_some_and(|name| name.trim().is_empty()) {
                note("`sentence` is empty, expected a name".into());
            }
            if claim.other_reading.as_deref().is_some_and(|name| name.trim().is_empty()) {
                note("`other_reading` is empty, expected the name of a reading".into());
            }
            if claim.other_reading.is_some() && claim.reading.is_empty() {
                note("`other_reading` without `reading`, expected how the words are read".into());
            }
            if claim.stated_by_paper && claim.text.starts_with(OURS) {
                note(format!("its words begin with “{OURS}”, expected `stated_by_paper = false`"));
            }
            if let Some(message) =
                self.claims.iter().take(i).find_map(|other| contradiction(claim, other))
            {
                note(message);
            }
        }
    }
}

/// Why two claims cannot be readings of one sentence, or of two.
fn contradiction(claim: &Claim, other: &Claim) -> Option<String> {
    let (sentence, words) = (claim.sentence() == other.sentence(), claim.text == other.text);
    match (sentence, words) {
        (true, false) if claim.sentence.is_some() => {
            let name = claim.sentence.as_deref().unwrap_or_default();
            Some(format!(
                "it has the sentence `{name}` and not the words of claim `{}`, which has it, too",
                other.id
            ))
        }
        (false, true) => {
            Some(format!("it has the words of claim `{}`, expected its `sentence`, too", other.id))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::shipped;

    fn parsed(from: &str, to: &str) -> Result<Benchmark, String> {
        let text = include_str!("../../../../../benchmarks/papers/wiener/wiener-figure-2.toml");
        assert!(text.contains(from), "{from}");
        Benchmark::parse("test", &text.replacen(from, to, 1)).map_err(|error| error.to_string())
    }

    #[test]
    fn readings_of_one_sentence_have_its_words_and_its_name() {
        let key = "sentence = \"means-coincide\"\n";
        assert!(parsed(key, key).is_ok());
        assert!(parsed(key, "").unwrap_err().contains("`mean-equals-the-process`"));
        assert!(
            parsed(key, "sentence = \"other\"\n")
                .unwrap_err()
                .contains("`mean-equals-the-process`")
        );
        assert!(parsed(key, "sentence = \" \"\n").unwrap_err().contains("`sentence`"));
        let words = "text = \"the mean prediction of standard GPs";
        assert!(
            parsed(words, "text = \"the mean of standard GPs")
                .unwrap_err()
                .contains("`means-coincide`")
        );
        assert!(
            parsed("stated_by_paper = false\n", "")
                .unwrap_err()
                .contains("`stated_by_paper = false`")
        );
        let other = "other_reading = \"y − m_0\"";
        assert!(
            parsed(other, "other_reading = \"\"").unwrap_err().contains("`other_reading` is empty")
        );
        let reading = "reading = \"the process is conditioned on y − m_0\"";
        assert!(parsed(reading, "").unwrap_err().contains("`other_reading` without `reading`"));
        assert!(parsed("id = \"two-routes\"", "id = \"skewed\"").unwrap_err().contains("`skewed`"));
    }

    #[test]
    fn the_claims_of_a_paper_are_readings_of_its_sentences() {
        let all = shipped().unwrap();
        let mut claims: Vec<(&str, &Claim)> = Vec::new();
        for benchmark in all.iter() {
            claims.extend(benchmark.claims.iter().map(|claim| (benchmark.paper.as_str(), claim)));
        }
        for (at, (paper, claim)) in claims.iter().enumerate() {
            let others = claims[..at].iter().filter(|(other, _)| other == paper);
            for (_, other) in others {
                assert_eq!(
                    contradiction(claim, other),
                    None,
                    "{paper}: {} and {}",
                    claim.id,
                    other.id
                );
            }
        }
        let mut sentences: Vec<(&str, &str)> =
            claims.iter().filter_map(|(paper, claim)| Some((*paper, claim.sentence()?))).collect();
        assert_eq!(
            (claims.len(), sentences.len()),
            (116, 110),
            "six claims are stated by no paper"
        );
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), 66);
        for (paper, name) in sentences {
            let mut read =
                claims.iter().filter(|(of, one)| (*of, one.sentence()) == (paper, Some(name)));
            assert!(
                read.any(|(_, claim)| claim.other_reading.is_none()),
                "{paper}: no claim is the primary reading of “{name}”"
            );
        }
    }
}
