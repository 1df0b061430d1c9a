//! Say first what a user of a table needs: which method, what its intervals promise and have kept,
//! the best methods, what to act on, and what to run next.

use super::Subject;
use super::choice::{Choice, Rated, choice};
use super::headline;
use super::order::alike;
use super::procedure::{estimate, overstated};
use super::reason::Reason;
use super::recommend::{Recommendation, recommend, tested, theorem};
use super::summary::{Summed, summed};
use crate::grid::Grid;
use crate::section::{Block, Page, Place, Section};
use crate::words::try_table::answer as words;
use crate::words::try_table::bounds::Words;
use uq_core::stats::coverage::Coverage;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_run::runner::try_table::{Evaluation, Tried};

/// Most methods in its table.
const MOST_METHODS: usize = 3;

/// Most warnings; the page has the others below.
const MOST_WARNINGS: usize = 2;

/// The first part of a comparison's page.
pub fn answer(subject: &Subject, evaluation: &Evaluation) -> Page {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let recommendation = recommend(evaluation);
    let mut page = Page::new(subject.title);
    super::name_metrics(&mut page, evaluation);
    page.blocks.extend(headline::stopped(evaluation));
    page.blocks.push(Block::Markdown(recommended(&rated, &recommendation, evaluation)));
    let best = best(&rated);
    if !best.is_empty() {
        let section = Section {
            title: words::BEST.into(),
            grid: grid(&best, evaluation),
            ..Section::default()
        };
        page.blocks.push(Block::Table(Place::Untitled, section));
    }
    let warnings = warnings(subject, &recommendation, evaluation);
    if !warnings.is_empty() {
        page.blocks.push(Block::Markdown(words::warned(&warnings, MOST_WARNINGS)));
    }
    if !subject.next.is_empty() {
        page.blocks.push(Block::Markdown(words::next(subject.next)));
    }
    page.first = page.blocks.len();
    page
}

/// The recommended method of an evaluation.
pub(super) fn recommended_method<'e>(
    recommendation: &Recommendation,
    evaluation: &'e Evaluation,
) -> Option<&'e Tried> {
    let id = recommendation.method.as_deref()?;
    evaluation.methods.iter().find(|tried| tried.id == id)
}

/// Which method is recommended and what its intervals have kept, or why none is.
fn recommended(
    rated: &[Rated],
    recommendation: &Recommendation,
    evaluation: &Evaluation,
) -> String {
    let Ok(Choice { chosen, .. }) = choice(rated) else {
        return words::none(&recommendation.reasons_in_words());
    };
    let promise = words::Promise {
        method: chosen.id(),
        tested: tested(&chosen),
        theorem: theorem(&chosen, evaluation),
        procedure: estimate(evaluation),
        features: of_features(&recommendation.reasons),
    };
    words::recommended(&promise, evaluation.bounds)
}

/// What the features contribute, where that is known.
fn of_features(reasons: &[Reason]) -> Option<&Reason> {
    let nothing = |reason: &&Reason| matches!(reason, Reason::FeaturesSayNothing { .. });
    let gain = |reason: &&Reason| matches!(reason, Reason::Gain { .. });
    reasons.iter().find(nothing).or_else(|| reasons.iter().find(gain))
}

/// The recommended method, and after it the next ones of those whose intervals do not cover too few
/// rows; none where none is recommended.
fn best<'a>(rated: &[Rated<'a>]) -> Vec<Rated<'a>> {
    let Ok(found) = choice(rated) else { return Vec::new() };
    let chosen = found.chosen.id();
    let mut others: Vec<Rated> = rated
        .iter()
        .copied()
        .filter(|method| method.is_honest() && method.id() != chosen)
        .collect();
    others.sort_by(|a, b| a.loss().total_cmp(&b.loss()));
    std::iter::once(found.chosen).chain(others).take(MOST_METHODS).collect()
}

fn grid(best: &[Rated], evaluation: &Evaluation) -> Grid {
    let Words { width_column, score_column, .. } = Words::of(evaluation.bounds);
    let mut grid = Grid::new(&["Method", "#Coverage", width_column, score_column, "#CRPS"]);
    let share = |coverage: Coverage| format!("{:.3}", coverage.share());
    for Rated { summed, .. } in best {
        let Summed { tried, coverage, width, interval_score, .. } = summed;
        grid.push(vec![
            tried.id.to_string(),
            coverage.map_or_else(|| NONE.into(), |(coverage, _)| share(coverage)),
            mean_and_spread(*width, None),
            mean_and_spread(*interval_score, None),
            mean_and_spread(summed.crps(), summed.crps.and_then(|crps| crps.sd)),
        ]);
    }
    grid
}

/// What to act on, the gravest first: what the coverage of the procedure promises, what was found
/// on the table and on the order of its rows, and what the comparison says of the recommended
/// method.
fn warnings(
    subject: &Subject,
    recommendation: &Recommendation,
    evaluation: &Evaluation,
) -> Vec<String> {
    let bounds = evaluation.bounds;
    let of_procedure = overstated(evaluation).map(|found| words::overstated(&found, bounds));
    let of_table = subject.warnings.iter().map(|warning| words::of_table(warning));
    let of_method = recommendation.warnings.iter().map(|found| words::warning(found, bounds));
    let chosen = recommended_method(recommendation, evaluation);
    let of_order = alike(chosen, evaluation).map(words::alike);
    let failed = evaluation.methods.iter().filter_map(|tried| {
        let why = tried.folds.as_ref().err()?;
        Some(words::failed(&tried.id, why))
    });
    let of_table = of_procedure.into_iter().chain(of_table);
    of_table.chain(of_order).chain(of_method).chain(failed).collect()
}
