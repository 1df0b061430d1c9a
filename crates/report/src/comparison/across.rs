//! Write what the datasets say together: mean ranks with a critical difference, and signed-rank
//! pairs.

use super::failures::marks;
use super::first_trial;
use super::summary::{Leader, leader};
use crate::grid::Grid;
use crate::section::Section;
use crate::words::comparison::across::{self as words, FewerSplits, MeanRanks};
use crate::words::signs::APPROXIMATED;
use uq_core::stats::digits::{NONE, p_value};
use uq_core::stats::paired::ALPHA;
use uq_core::stats::power;
use uqbench_judge::evidence::field::Block;
use uqbench_judge::evidence::imputation::Imputed;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::figures::Ranks;
use uqbench_judge::judgement::ranking::{PairTest, RankTests, Ranking, ranking};

/// The comparison over all datasets under one metric.
#[derive(Default)]
pub struct Across {
    /// Mean ranks, of more than two methods.
    pub ranks: Option<Section>,
    /// Signed-rank pairs.
    pub pairs: Option<Section>,
    /// The critical-difference diagram.
    pub diagram: Option<Ranks>,
    /// What was left out, and what the design cannot show.
    pub remarks: Vec<String>,
    /// The method with the best mean rank.
    pub leader: Option<Leader>,
}

/// The ranks of the entrants over the datasets on which all of them have a score.
pub fn across(losses: &Losses) -> Across {
    let ranking = ranking(losses);
    let mut found = Across { remarks: left_out(losses, &ranking), ..Across::default() };
    let label = losses.metric.label();
    let (k, n) = (ranking.entrants.len(), ranking.complete.len());
    let Some(tests) = &ranking.tests else {
        if k > 1 {
            found.remarks.push(words::too_few(&label, n));
        }
        return found;
    };
    let names: Vec<String> =
        ranking.entrants.iter().map(|&entrant| marked(losses, entrant)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    found.remarks.extend(approximated(losses, &ranking));
    found.remarks.extend(power::of_pairs(tests.pairs.len(), n, ALPHA));
    // For two methods, signed ranks carry more information than ranks.
    if k > 2 {
        found.remarks.extend(power::of_ranks(k, n, ALPHA));
        found.leader = leader(&label, tests, &names, n);
        found.ranks = Some(mean_ranks(losses, &ranking, tests, &names));
        found.diagram = Some(Ranks::of(&label, &names, tests, n));
    }
    found.pairs = Some(pairs(losses, &ranking, &tests.pairs, &names));
    found
}

/// An entrant's heading, marked where its scores are approximated and others are not.
fn marked(losses: &Losses, entrant: usize) -> String {
    let mark = if losses.is_approximated(entrant) { APPROXIMATED.sign } else { "" };
    format!("{}{mark}", losses.field.entrants[entrant].heading)
}

/// That ranks and tests rest on scores which are approximated for some methods alone.
fn approximated(losses: &Losses, ranking: &Ranking) -> Option<String> {
    let is_any = ranking.entrants.iter().any(|&entrant| losses.is_approximated(entrant));
    is_any.then(|| words::approximated(&losses.metric.label()))
}

/// Methods and datasets that are not ranked, and why.
fn left_out(losses: &Losses, ranking: &Ranking) -> Vec<String> {
    let label = losses.metric.label();
    let mut remarks = Vec::new();
    if !ranking.undefined.is_empty() {
        let names: Vec<&str> = ranking
            .undefined
            .iter()
            .map(|&entrant| losses.field.entrants[entrant].heading.as_str())
            .collect();
        remarks.push(words::undefined(&label, &names));
    }
    if !losses.without_density.is_empty() {
        let names: Vec<&str> =
            losses.without_density.iter().map(|block| block.heading.as_str()).collect();
        remarks.push(words::without_density(&label, &names));
    }
    if !ranking.same.is_empty() {
        remarks.push(words::same(&label, &ranking.same));
    }
    if !ranking.incomplete.is_empty() {
        remarks.push(words::incomplete(&ranking.incomplete));
    }
    remarks
}

fn mean_ranks(losses: &Losses, ranking: &Ranking, tests: &RankTests, names: &[&str]) -> Section {
    let (test, k) = (&tests.friedman, names.len());
    let ranked = losses
        .blocks
        .iter()
        .filter(|(block, _)| ranking.complete.iter().any(|name| *name == block.heading));
    let (blocks, ranked): (Vec<&Block>, Vec<&Imputed>) =
        ranked.map(|(block, scores)| (*block, scores)).unzip();
    // Datasets on which a method ranks by scores that stand in for its own.
    let imputed: Vec<usize> = ranking
        .entrants
        .iter()
        .map(|&at| ranked.iter().filter(|scores| scores.imputed[at] > 0).count())
        .collect();
    let all_imputed: usize = imputed.iter().sum();
    let heads = ["Method", "#Mean rank", "#Datasets with imputed scores"];
    let heads = if all_imputed > 0 { &heads[..] } else { &heads[..2] };
    let mut grid = Grid::new(heads);
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|&a, &b| test.mean_ranks[a].total_cmp(&test.mean_ranks[b]));
    for i in order {
        let cells =
            [names[i].to_owned(), format!("{:.3}", test.mean_ranks[i]), imputed[i].to_string()];
        let first = blocks.iter().find_map(|block| first_trial(block, ranking.entrants[i]));
        grid.push_of_trials(cells.into_iter().take(heads.len()).collect(), first);
    }
    let note = words::mean_ranks(&MeanRanks {
        datasets: &ranking.complete,
        methods: k,
        tests,
        imputed: all_imputed,
        fewer: fewer_splits(losses, ranking, &ranked),
        marks: marks(losses),
    });
    Section { title: format!("{}: mean ranks", losses.metric.label()), grid, note }
}

/// The datasets on which some ranked methods lack splits that others have: they rank by the splits
/// that all have. `None` where there is no such dataset.
fn fewer_splits(losses: &Losses, ranking: &Ranking, ranked: &[&Imputed]) -> Option<FewerSplits> {
    let counts = ranked.iter().map(|scores| {
        let most =
            ranking.entrants.iter().map(|&at| scores.scores[at].iter().flatten().count()).max();
        (losses.common(scores, &ranking.entrants).len(), most.unwrap_or(0))
    });
    let fewer: Vec<(usize, usize)> = counts.filter(|(common, most)| common < most).collect();
    let least = fewer.iter().map(|(common, _)| *common).min()?;
    let most = fewer.iter().map(|(_, most)| *most).max()?;
    Some(FewerSplits { datasets: fewer.len(), least, most })
}

/// Signed-rank tests of all pairs on the datasets of the ranking.
fn pairs(losses: &Losses, ranking: &Ranking, tests: &[PairTest], names: &[&str]) -> Section {
    let blocks = || {
        losses
            .blocks
            .iter()
            .filter(|(block, _)| ranking.complete.iter().any(|name| *name == block.heading))
    };
    let mut grid = Grid::new(&[
        "Method",
        "Against",
        "#Better on",
        "#Worse on",
        "#W+",
        "#W−",
        "#p",
        "#p (Holm)",
    ]);
    for PairTest { a, b, better, worse, test, adjusted } in tests {
        let statistic = |of: Option<f64>| of.map_or(NONE.into(), |w| format!("{:.1}", w.abs()));
        let row = vec![
            names[*a].to_owned(),
            names[*b].to_owned(),
            better.to_string(),
            worse.to_string(),
            statistic(test.as_ref().map(|test| test.w_plus)),
            statistic(test.as_ref().map(|test| test.w_minus)),
            test.as_ref().map_or(NONE.into(), |test| p_value(test.p)),
            adjusted.map_or(NONE.into(), p_value),
        ];
        grid.push_of_trials(
            row,
            blocks().find_map(|(block, _)| first_trial(block, ranking.entrants[*a])),
        );
    }
    let tested = tests.iter().filter(|pair| pair.test.is_some()).count();
    let note = words::pairs(tested, ranking.complete.len(), &marks(losses));
    Section { title: format!("{}: signed-rank pairs", losses.metric.label()), grid, note }
}
