//! Say who is first in a table of a board, how sure that is, and where a method of the user's stands.

use super::{names, percent, plural};
use crate::grid::counted;
use uq_core::stats::rank_sets::RankSet;
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_judge::judgement::league::FEWEST_SOURCES;

/// The first entrant of a table.
pub struct First<'a> {
    /// What it is.
    pub kind: EntrantKind,
    /// Its heading.
    pub name: &'a str,
    /// Its skill.
    pub skill: f64,
    /// The interval of that.
    pub interval: Option<(f64, f64)>,
    /// The label of the loss.
    pub loss: &'a str,
    /// Number of datasets.
    pub datasets: usize,
}

/// Who is first.
pub fn first(First { kind, name, skill, interval, loss, datasets }: &First) -> String {
    let interval = interval.map_or_else(String::new, |(low, high)| {
        format!(", 95 % interval {} to {}", percent(low), percent(high))
    });
    let side = if *skill < 0.0 { "above" } else { "below" };
    format!(
        "Of the {} {name} is first: its {loss} is {} {side} that of a predictor that ignores the \
         features (geometric mean over {}{interval}).",
        plural(*kind),
        percent(skill.abs()),
        counted(*datasets, "dataset")
    )
}

/// Where a method of the user's stands.
pub struct OwnPlace<'a> {
    /// Its heading.
    pub name: &'a str,
    /// What it is.
    pub kind: EntrantKind,
    /// Its rank.
    pub rank: usize,
    /// Number of ranked entrants of this kind.
    pub entrants: usize,
    /// Its skill.
    pub skill: f64,
    /// The ranks that it may have on these datasets; `None` where that is not known.
    pub these: Option<RankSet>,
    /// Those on other datasets.
    pub elsewhere: RankSet,
    /// The entrant one rank better.
    pub before: Option<String>,
    /// The entrant one rank worse.
    pub after: Option<String>,
    /// Its best rank on one dataset, and the dataset.
    pub best: Option<(usize, String)>,
    /// Its worst rank on one dataset, and the dataset.
    pub worst: Option<(usize, String)>,
}

/// Where a method of the user's stands.
pub fn own_place(place: &OwnPlace) -> String {
    let OwnPlace { name, kind, rank, entrants, skill, these, elsewhere, .. } = place;
    let range = |set: &RankSet| match set.best == set.worst {
        true => set.best.to_string(),
        false => format!("{} to {}", set.best, set.worst),
    };
    let these = these.as_ref().map_or_else(String::new, |set| {
        format!("{} with other splits of these datasets, and ", range(set))
    });
    let beside = match (&place.before, &place.after) {
        (Some(before), Some(after)) => format!(" It stands between {before} and {after}."),
        (None, Some(after)) => format!(" {after} follows."),
        (Some(before), None) => format!(" It stands behind {before}."),
        (None, None) => String::new(),
    };
    let on = |place: &Option<(usize, String)>, word: &str| {
        place.as_ref().map(|(rank, dataset)| format!("{word} is {rank}, on {dataset}"))
    };
    let single = [on(&place.best, "best"), on(&place.worst, "worst")];
    let single: Vec<String> = single.into_iter().flatten().collect();
    let single = match single.is_empty() {
        true => String::new(),
        false => format!(" Of its ranks on single datasets the {}.", single.join("; the ")),
    };
    format!(
        "{name} has rank {rank} of {entrants} {}, with a skill of {}. Its rank may be {these}{} on \
         others.{beside}{single}",
        plural(*kind),
        percent(*skill),
        range(elsewhere),
    )
}

/// How sure the first rank of a table is.
pub struct FirstRank<'a> {
    /// What the table has.
    pub kind: EntrantKind,
    /// Number of other entrants.
    pub others: usize,
    /// The worst rank that it may have on these datasets, and who is not told apart from it there;
    /// `None` where that is not known.
    pub these: Option<(usize, Vec<&'a str>)>,
    /// The same on other datasets.
    pub elsewhere: (usize, Vec<&'a str>),
}

/// How sure the first rank of a table is: on these datasets, and on others.
pub fn sure(FirstRank { kind, others, these, elsewhere }: &FirstRank) -> String {
    let of = plural(*kind);
    if *others == 0 {
        return format!("It is the only one of the {of}.");
    }
    let on = |place: &str, worst: usize, near: &[&str]| match near {
        [] => format!("{place} all other {of} are shown to be behind it."),
        near if near.len() == *others => {
            format!("{place} none of the other {of} is shown to be behind it.")
        }
        [one] => format!("{place} its rank may be 1 to {worst}: {one} is not told apart from it."),
        near => format!(
            "{place} its rank may be 1 to {worst}: {} are not told apart from it.",
            names(near)
        ),
    };
    let these = these.as_ref().map(|(worst, near)| on(THESE, *worst, near));
    let (worst, near) = elsewhere;
    these.into_iter().chain([on(OTHERS, *worst, near)]).collect::<Vec<_>>().join(" ")
}

/// What stands before a statement on these datasets.
const THESE: &str = "With other splits of these datasets,";

/// What stands before a statement on other datasets.
const OTHERS: &str = "On other datasets of this kind";

/// Why no interval of a skill is stated.
pub fn no_interval(sources: usize) -> String {
    format!(
        "No interval of a skill is stated: the datasets have {}, which say too little of any other \
         dataset; it takes {FEWEST_SOURCES}.",
        counted(sources, "source")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_is_named_with_how_sure_that_is() {
        let one = |skill, interval| {
            first(&First {
                kind: EntrantKind::Model,
                name: "NGBoost",
                skill,
                interval,
                loss: "CRPS",
                datasets: 12,
            })
        };
        insta::assert_snapshot!(one(0.5831, Some((0.5, 0.65))), @"Of the models NGBoost is first: its CRPS is 58.3 % below that of a predictor that ignores the features (geometric mean over 12 datasets, 95 % interval 50.0 % to 65.0 %).");
        insta::assert_snapshot!(one(-0.02, None), @"Of the models NGBoost is first: its CRPS is 2.0 % above that of a predictor that ignores the features (geometric mean over 12 datasets).");
        let rank = |others, these, elsewhere| {
            sure(&FirstRank { kind: EntrantKind::Model, others, these, elsewhere })
        };
        insta::assert_snapshot!(rank(5, Some((1, vec![])), (3, vec!["B", "C"])), @"With other splits of these datasets, all other models are shown to be behind it. On other datasets of this kind its rank may be 1 to 3: B and C are not told apart from it.");
        insta::assert_snapshot!(rank(2, Some((2, vec!["B"])), (3, vec!["B", "C"])), @"With other splits of these datasets, its rank may be 1 to 2: B is not told apart from it. On other datasets of this kind none of the other models is shown to be behind it.");
        let many = vec!["B", "C", "D", "E", "F", "G", "H", "I"];
        insta::assert_snapshot!(rank(12, None, (9, many)), @"On other datasets of this kind its rank may be 1 to 9: B, C, D, E, F, G and 2 others are not told apart from it.");
        insta::assert_snapshot!(rank(0, None, (1, vec![])), @"It is the only one of the models.");
        insta::assert_snapshot!(no_interval(9), @"No interval of a skill is stated: the datasets have 9 sources, which say too little of any other dataset; it takes 10.");
    }

    #[test]
    fn a_method_of_the_users_has_its_place() {
        let set = |best, worst| RankSet { best, worst };
        let place = |rank, these, before: Option<&str>, after: Option<&str>| {
            own_place(&OwnPlace {
                name: "mine",
                kind: EntrantKind::Model,
                rank,
                entrants: 24,
                skill: 0.614,
                these,
                elsewhere: set(1, 21),
                before: before.map(str::to_owned),
                after: after.map(str::to_owned),
                best: Some((2, "Protein".into())),
                worst: Some((19, "Concrete".into())),
            })
        };
        insta::assert_snapshot!(place(18, Some(set(17, 18)), Some("A"), Some("B")), @"mine has rank 18 of 24 models, with a skill of 61.4 %. Its rank may be 17 to 18 with other splits of these datasets, and 1 to 21 on others. It stands between A and B. Of its ranks on single datasets the best is 2, on Protein; the worst is 19, on Concrete.");
        insta::assert_snapshot!(place(1, None, None, Some("B")), @"mine has rank 1 of 24 models, with a skill of 61.4 %. Its rank may be 1 to 21 on others. B follows. Of its ranks on single datasets the best is 2, on Protein; the worst is 19, on Concrete.");
    }
}
