//! Compare methods across datasets: mean ranks on complete blocks, Friedman, Nemenyi, signed-rank pairs.
//!
//! A dataset is one observation. Source: Demšar (2006), Statistical comparisons of classifiers over multiple data sets,
//! JMLR 7, 1-30.

use super::datasets::marks;
use super::losses::Losses;
use crate::metrics::Direction;
use crate::plot::Ranks;
use crate::report::grid::{Grid, counted};
use crate::report::section::Section;
use crate::stats::digits::p_value;
use crate::stats::holm_adjusted;
use crate::stats::paired::ALPHA;
use crate::stats::power;
use crate::stats::ranks::{critical_difference, friedman};
use crate::stats::signed_rank::signed_rank;

/// What the datasets say together under one metric.
#[derive(Default)]
pub struct Across {
    /// Mean ranks, and signed-rank pairs.
    pub sections: Vec<Section>,
    /// The critical-difference diagram.
    pub diagram: Option<Ranks>,
    /// What was left out, and what the design cannot show.
    pub remarks: Vec<String>,
}

/// Ranks the entrants over the datasets on which all of them have a score.
pub fn across(losses: &Losses) -> Across {
    let mut found = Across::default();
    let label = losses.metric.label();
    let entrants = losses.defined();
    let heading = |entrant: usize| losses.field.entrants[entrant].heading.clone();
    let undefined = (0..losses.field.entrants.len()).filter(|entrant| !entrants.contains(entrant)).map(heading);
    let undefined: Vec<String> = undefined.collect();
    if !undefined.is_empty() {
        found.remarks.push(format!(
            "{label} is not defined or not given for: {}. They are not ranked by it.",
            undefined.join("; ")
        ));
    }
    if !losses.without_density.is_empty() {
        let names: Vec<&str> = losses.without_density.iter().map(|block| block.heading.as_str()).collect();
        found.remarks.push(format!(
            "The target of {} is discrete and has no density: not ranked by {label}. The discretised log score can rank it.",
            names.join("; ")
        ));
    }
    let (mut blocks, mut complete, mut incomplete) = (Vec::new(), Vec::new(), Vec::new());
    for (block, scores) in &losses.blocks {
        match losses.common_means(scores, &entrants) {
            Some(means) => {
                blocks.push(means);
                complete.push(block.heading.as_str());
            }
            None => incomplete.push(block.heading.as_str()),
        }
    }
    if !incomplete.is_empty() {
        found
            .remarks
            .push(format!("Not every method has a score on {}: left out of the ranks.", incomplete.join("; ")));
    }
    let (k, n) = (entrants.len(), blocks.len());
    let names: Vec<String> = entrants.iter().map(|&entrant| heading(entrant)).collect();
    let Some(test) = friedman(&blocks, Direction::Lower) else {
        if k > 1 {
            found
                .remarks
                .push(format!("{label}: {} with a score of every method; ranks need two.", counted(n, "dataset")));
        }
        return found;
    };
    found.sections.push(pairs(&label, &names, &blocks, &marks(losses), &mut found.remarks));
    // Ranks of two methods say less than their signed ranks.
    if k == 2 {
        return found;
    }
    let cd = critical_difference(k, n, ALPHA);
    found.remarks.extend(power::of_ranks(k, n, ALPHA));
    let mut grid = Grid::new(&["Method", "#Mean rank"]);
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|&a, &b| test.mean_ranks[a].total_cmp(&test.mean_ranks[b]));
    grid.rows.extend(order.iter().map(|&i| vec![names[i].clone(), format!("{:.3}", test.mean_ranks[i])]));
    let f = test.f.map_or("not finite (all datasets agree)".into(), |f| format!("{f:.2} (p {})", p_relation(test.p_f)));
    let note = format!(
        "Rank 1 is best; ties share their mean rank; N = {n} datasets ({}), k = {k} methods. Friedman's χ², corrected for \
         ties: {:.2} (p {}); Iman and Davenport's F: {f}. Nemenyi's critical difference at 5 %: {cd:.3}.{}",
        complete.join("; "),
        test.chi_squared,
        p_relation(test.p_chi_squared),
        marks(losses)
    );
    found.sections.insert(0, Section { title: format!("{label}: mean ranks"), grid, note });
    found.diagram = Some(Ranks {
        title: format!("{label}: mean ranks over {n} datasets"),
        methods: names.iter().cloned().zip(test.mean_ranks.iter().copied()).collect(),
        critical_difference: cd,
        blocks: n,
        note: String::new(),
    });
    found
}

/// Signed-rank tests of all pairs, Holm-corrected.
fn pairs(label: &str, names: &[String], blocks: &[Vec<f64>], marks: &str, remarks: &mut Vec<String>) -> Section {
    let mut tests = Vec::new();
    for a in 0..names.len() {
        for b in a + 1..names.len() {
            let gains: Vec<f64> = blocks.iter().map(|means| ranked_gain(means[b] - means[a])).collect();
            tests.push((a, b, gains.clone(), signed_rank(&gains)));
        }
    }
    remarks.extend(power::of_pairs(tests.len(), blocks.len(), ALPHA));
    let p: Vec<f64> = tests.iter().filter_map(|(.., test)| test.as_ref().map(|test| test.p)).collect();
    let mut adjusted = holm_adjusted(&p).into_iter();
    let mut grid = Grid::new(&["Method", "Against", "#Better on", "#Worse on", "#W+", "#W−", "#p", "#p (Holm)"]);
    for (a, b, gains, test) in &tests {
        let count = |sign: f64| gains.iter().filter(|gain| **gain * sign > 0.0).count().to_string();
        let statistic = |of: Option<f64>| of.map_or("–".into(), |w| format!("{:.1}", w.abs()));
        grid.rows.push(vec![
            names[*a].clone(),
            names[*b].clone(),
            count(1.0),
            count(-1.0),
            statistic(test.as_ref().map(|test| test.w_plus)),
            statistic(test.as_ref().map(|test| test.w_minus)),
            test.as_ref().map_or("–".into(), |test| p_value(test.p)),
            test.as_ref().and_then(|_| adjusted.next()).map_or("–".into(), p_value),
        ]);
    }
    let (pairs, datasets) = (counted(p.len(), "pair"), counted(blocks.len(), "dataset"));
    let note = format!("Two-sided, Holm-corrected over {pairs}, on {datasets}.{marks}");
    Section { title: format!("{label}: signed-rank pairs"), grid, note }
}

/// A gain that has a rank: an infinite one is the largest, and two infinite losses are equal.
fn ranked_gain(gain: f64) -> f64 {
    if gain.is_nan() { 0.0 } else { gain.clamp(f64::MIN, f64::MAX) }
}

/// `= 0.012`, or `< 0.001`.
fn p_relation(p: f64) -> String {
    let text = p_value(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}
