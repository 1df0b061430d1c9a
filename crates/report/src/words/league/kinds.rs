//! Say which methods are best on which kind of dataset.

use super::{heading as heading_of, plural};
use crate::grid::{counted, listed};
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_judge::judgement::league::{Kind, MANY_ROWS, PREDICTABLE};

/// The heading of a kind.
pub fn heading(kind: Kind) -> &'static str {
    match kind {
        Kind::FewRows => "Few rows",
        Kind::ManyRows => "Many rows",
        Kind::Numbers => "Numbers alone",
        Kind::Text => "Text or dates",
        Kind::Predictable => "Predictable",
        Kind::Noisy => "Noisy",
    }
}

/// The datasets of a kind, in a clause.
pub fn members(kind: Kind, datasets: &[&str]) -> String {
    format!("{}: {}", heading(kind), listed(datasets))
}

/// The title of the table.
pub fn title(kind: EntrantKind) -> String {
    format!("{}: skill by kind of dataset", heading_of(kind))
}

/// The note below the table.
pub fn note(members: &[String]) -> String {
    format!(
        "Skill: 1 less the geometric mean of loss ratios over the datasets of a kind. Many rows: \
         {MANY_ROWS} or more. Text or dates: a feature of them, beside numbers or not. Predictable: \
         at least half of the models have a skill of {:.0} % or more. No difference is tested. {}.",
        100.0 * PREDICTABLE,
        members.join("; "),
    )
}

/// The best entrant on the datasets of a kind, in a clause.
pub fn on(kind: Kind, name: &str, datasets: usize) -> String {
    let count = counted(datasets, "dataset");
    match kind {
        Kind::FewRows => format!("{name} on {count} of fewer than {MANY_ROWS} rows"),
        Kind::ManyRows => format!("{name} on {count} of more"),
        Kind::Numbers => format!("{name} on {count} of numbers alone"),
        Kind::Text => format!("{name} on {count} with text or dates"),
        Kind::Predictable => format!("{name} on {count} that half of the models predict well"),
        Kind::Noisy => format!("{name} on {count} that they do not"),
    }
}

/// The best entrants by kind.
pub fn best(kind: EntrantKind, clauses: &[String]) -> String {
    let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
    format!(
        "The {} with the most skill by kind of dataset, untested: {}.",
        plural(kind),
        listed(&clauses)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_in_words() {
        let clauses = [on(Kind::FewRows, "Laplace", 5), on(Kind::ManyRows, "NGBoost", 1)];
        insta::assert_snapshot!(best(EntrantKind::Model, &clauses), @"The models with the most skill by kind of dataset, untested: Laplace on 5 datasets of fewer than 2500 rows and NGBoost on 1 dataset of more.");
        insta::assert_snapshot!(note(&[members(Kind::Noisy, &["Protein", "Red wine"])]), @"Skill: 1 less the geometric mean of loss ratios over the datasets of a kind. Many rows: 2500 or more. Text or dates: a feature of them, beside numbers or not. Predictable: at least half of the models have a skill of 50 % or more. No difference is tested. Noisy: Protein and Red wine.");
    }
}
