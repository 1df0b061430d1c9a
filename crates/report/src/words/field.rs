//! Say what a comparison of methods leaves out.

use super::rows::overflow;
use super::versions::several;
use uqbench_judge::evidence::field::FieldNote;

/// What a comparison leaves out, each once, in the order of the alphabet.
pub fn left_out(notes: &[FieldNote]) -> Vec<String> {
    let mut all: Vec<String> = notes.iter().map(sentence).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// That a method is not ranked, because its runs have only begun.
pub fn only_begun(method: &str) -> String {
    format!("{method} has run on fewer than half of the datasets so far, and is not ranked.")
}

fn sentence(note: &FieldNote) -> String {
    match note {
        FieldNote::OtherSettings { dataset, column, benchmark } => format!(
            "{dataset}: {column} of {benchmark} has other settings than the column of this name \
             that is compared here."
        ),
        FieldNote::SeveralProtocols { dataset } => format!(
            "{dataset} is run under several protocols: here under the one in which most of these \
             methods have scores, for a dataset is one observation."
        ),
        FieldNote::NoTrial { dataset } => {
            format!("{dataset}: none of these methods has a finished trial.")
        }
        FieldNote::SameTables(finding) => format!("{finding}."),
        FieldNote::SeveralVersions(versions) => several(versions),
        FieldNote::Overflow(found) => overflow(found),
        FieldNote::Unread(why) => why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_data::own::Finding;
    use uqbench_judge::evidence::overflow::Overflow;

    #[test]
    fn what_is_left_out_is_named() {
        let settings = FieldNote::OtherSettings {
            dataset: "Yacht".into(),
            column: "Deep ensemble".into(),
            benchmark: "jcm-table-4".into(),
        };
        insta::assert_snapshot!(sentence(&settings), @"Yacht: Deep ensemble of jcm-table-4 has other settings than the column of this name that is compared here.");
        let protocols = FieldNote::SeveralProtocols { dataset: "yacht".into() };
        insta::assert_snapshot!(sentence(&protocols), @"yacht is run under several protocols: here under the one in which most of these methods have scores, for a dataset is one observation.");
        insta::assert_snapshot!(sentence(&FieldNote::NoTrial { dataset: "Wine".into() }), @"Wine: none of these methods has a finished trial.");
        insta::assert_snapshot!(only_begun("Deep ensemble"), @"Deep ensemble has run on fewer than half of the datasets so far, and is not ranked.");
        let same = FieldNote::SameTables(Finding::note("a.csv and b.csv are one table"));
        insta::assert_snapshot!(sentence(&same), @"note: a.csv and b.csv are one table.");
        let large = Overflow {
            column: "Mine".into(),
            dataset: "Wine".into(),
            rows: 2,
            tested: 100,
            metrics: vec!["rmse".parse().unwrap()],
        };
        insta::assert_snapshot!(sentence(&FieldNote::Overflow(large)), @"Mine on Wine: predictions at 2 of 100 tested rows are larger than 1e150 in size, so that sums of their squares overflow. Scores that need them are not defined (–): RMSE.");
    }

    #[test]
    fn what_is_left_out_is_said_once() {
        let note = |dataset: &str| FieldNote::NoTrial { dataset: dataset.into() };
        let found = left_out(&[note("Wine"), note("Boston"), note("Wine")]);
        assert_eq!(found, [note("Boston"), note("Wine")].map(|note| sentence(&note)));
    }
}
