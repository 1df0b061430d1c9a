//! Recommend a method and give the reasons, the warnings and the limits in words.

use uq_core::metrics::percent;
use uq_core::predictive::Bounds;
use uq_core::stats::coverage::Kept;
use uq_methods::Guarantee;
use uqbench_run::candidates::CALIBRATED;
use uqbench_run::runner::try_table::{Evaluation, Tried};

use super::choice::{Choice, MARGIN, NoChoice, Rated, SURE, choice, crps};
use super::division::{caveat, holds};
use super::procedure::{in_all, warning_of_procedure};
use super::summary::summed;
use super::warnings::{
    note_of_kinds, offer, offer_of_adaptive, warning_of_blocks, warning_of_kinds, warning_of_values,
};
use super::words::{Words, in_words, percent_of, stated};

/// What to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The recommended method, if there is one.
    pub method: Option<String>,
    /// Why this method, or why none, and the limits; sentences in Markdown.
    pub reasons: Vec<String>,
    /// What to beware of; sentences in Markdown.
    pub warnings: Vec<String>,
}

impl Recommendation {
    fn none(reasons: Vec<String>) -> Self {
        Self { method: None, reasons, warnings: Vec::new() }
    }

    /// All of it in Markdown.
    pub fn text(&self) -> String {
        let name =
            self.method.as_ref().map_or_else(|| "none".into(), |method| format!("`{method}`"));
        let warnings = self.warnings.iter().map(|warning| format!("- Warning: {warning}\n"));
        let list: String =
            self.reasons.iter().map(|reason| format!("- {reason}\n")).chain(warnings).collect();
        format!("**Recommended: {name}.**\n\n{list}")
    }
}

/// The recommendation of an evaluation.
pub fn recommend(evaluation: &Evaluation) -> Recommendation {
    let all = summed(evaluation);
    if all.iter().all(|method| method.tried.folds.is_err()) {
        return Recommendation::none(vec![
            "Every method failed, so nothing was compared: see above why.".into(),
        ]);
    }
    let rated = Rated::all(&all);
    let found = match choice(&rated) {
        Ok(found) => found,
        Err(why) => return Recommendation::none(reasons_of_none(why, &rated, evaluation)),
    };
    let chosen = &found.chosen;
    let mut reasons = vec![reason_of_coverage(chosen, evaluation), promise(chosen, evaluation)];
    reasons.extend(reasons_of_crps(&found, &rated, evaluation.bounds));
    reasons.extend(reasons_against(chosen, &rated, &stated(evaluation.bounds)));
    reasons.extend(reason_of_features(&rated, chosen));
    reasons.extend(note_of_kinds(chosen, evaluation));
    reasons.push(caveat(evaluation));
    let warnings = [
        warning_of_features(&rated),
        warning_of_kinds(chosen, &rated, evaluation),
        warning_of_blocks(chosen, evaluation),
        warning_of_values(chosen, &rated, evaluation),
    ];
    Recommendation {
        method: Some(chosen.id().to_owned()),
        reasons,
        warnings: warnings.into_iter().flatten().collect(),
    }
}

/// That nothing is known of the features.
fn warning_of_features(rated: &[Rated]) -> Option<String> {
    let warning =
        "no method that uses the features has scores here, so that nothing says whether they help";
    lowest_of_features(rated).is_none().then(|| warning.into())
}

/// The method with the lowest CRPS of those that use the features and have scores; `None` where
/// there is none.
pub(super) fn best_of_features(evaluation: &Evaluation) -> Option<&Tried> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let best = lowest_of_features(&rated)?.id();
    evaluation.methods.iter().find(|tried| tried.id == best)
}

fn lowest_of_features<'r, 'a>(rated: &'r [Rated<'a>]) -> Option<&'r Rated<'a>> {
    rated
        .iter()
        .filter(|method| !method.ignores_features())
        .min_by(|a, b| a.crps.total_cmp(&b.crps))
}

/// Why there is no method, and what may help.
fn reasons_of_none(why: NoChoice, rated: &[Rated], evaluation: &Evaluation) -> Vec<String> {
    let (level, Words { plural, score, .. }) =
        (stated(evaluation.bounds), Words::of(evaluation.bounds));
    match why {
        NoChoice::Undefined => {
            vec![format!(
                "No method has {level} and a CRPS in every fold, so nothing can be compared."
            )]
        }
        NoChoice::TooFew => {
            let of = if rated.len() == evaluation.methods.len() {
                ""
            } else {
                " that has them and a CRPS in every fold"
            };
            let advice = lowest_of_features(rated).map(|best| {
                let but = but_covers_only(best, evaluation);
                format!(
                    "`{}` has the lowest CRPS of those that use the features, but {but}.",
                    best.id()
                )
            });
            [format!("The {level} of every method{of} cover too few rows.")]
                .into_iter()
                .chain(advice)
                .collect()
        }
        NoChoice::Beaten { reference, by } => vec![
            format!(
                "`{}` has the lowest product of CRPS and {score} of the methods whose {plural} do \
                 not cover too few rows, but it ignores the features and is beaten.",
                reference.id()
            ),
            format!(
                "`{}` most probably{} has a lower CRPS than it, but {}.",
                by.id(),
                sure(by.lower_crps(&reference)),
                but_covers_only(&by, evaluation)
            ),
        ],
    }
}

/// That a method's intervals cover too few rows, and how to try it calibrated where it has not
/// been.
fn but_covers_only(method: &Rated, evaluation: &Evaluation) -> String {
    let share = method
        .summed
        .coverage
        .map_or_else(String::new, |(coverage, _)| percent_of(coverage.share()));
    let id = method.id();
    let calibrated = (!id.starts_with(CALIBRATED)).then(|| format!("{CALIBRATED}{id}"));
    let calibrated = calibrated.and_then(|name| {
        offer(&name, "tries it calibrated by its errors at out-of-fold rows", evaluation)
    });
    let advice = calibrated.or_else(|| offer_of_adaptive(id, evaluation)).unwrap_or_default();
    format!("its {} cover only {share}{advice}", Words::of(evaluation.bounds).plural)
}

fn reason_of_coverage(chosen: &Rated, evaluation: &Evaluation) -> String {
    let Some((coverage, kept)) = chosen.summed.coverage else { return String::new() };
    let judged = match kept {
        Kept::Near => "near the level",
        Kept::TooLow => "too few",
        Kept::TooHigh => Words::of(evaluation.bounds).too_high,
        Kept::Unclear => "too few rows to tell whether that is near the level",
    };
    format!(
        "Its {} cover {} of the test rows: {judged}.",
        stated(evaluation.bounds),
        in_words(coverage)
    )
}

/// What a comparison says of a method's intervals, in sentences: their coverage, what is
/// guaranteed, what is estimated of the whole procedure where it recommends the method, and where
/// it holds.
pub fn promises(evaluation: &Evaluation, id: &str) -> Vec<String> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let Some(method) = rated.iter().find(|method| method.id() == id) else { return Vec::new() };
    let is_recommended = choice(&rated).is_ok_and(|found| found.chosen.id() == id);
    let sentences = [
        Some(reason_of_coverage(method, evaluation)),
        Some(guaranteed(method, evaluation)),
        is_recommended.then(|| in_all(evaluation)),
        is_recommended
            .then(|| warning_of_procedure(evaluation))
            .flatten()
            .map(|warning| format!("Warning: {warning}")),
        Some(holds(evaluation).into()),
    ];
    sentences.into_iter().flatten().collect()
}

/// What is guaranteed, and what is estimated.
fn promise(chosen: &Rated, evaluation: &Evaluation) -> String {
    format!("{} {}", guaranteed(chosen, evaluation), in_all(evaluation))
}

/// What a theorem says.
fn guaranteed(chosen: &Rated, evaluation: &Evaluation) -> String {
    let level = evaluation.bounds.level;
    let why_none = match &chosen.summed.tried.guaranteed {
        Some(Guarantee { least, theorem }) => {
            let less = match *least < level - 1e-9 {
                true => format!("; it promises less than the {} of the level", percent(level)),
                false => String::new(),
            };
            return format!(
                "Guaranteed coverage: at least {} by a theorem ({theorem}), for rows that are \
                 exchangeable with these and a method that is named beforehand{less}.",
                percent_of(*least)
            );
        }
        None if evaluation.division.is_stated() => "the theorems are about exchangeable rows",
        None => "no theorem is known for this method",
    };
    format!("Its coverage is measured and not guaranteed: {why_none}.")
}

/// A probability in brackets, where it is known.
fn sure(probability: Option<f64>) -> String {
    probability.map_or_else(String::new, |p| format!(" ({p:.2})"))
}

/// Why this method of those whose intervals do not cover too few rows, and what the features
/// contribute.
fn reasons_of_crps(found: &Choice, rated: &[Rated], bounds: Bounds) -> Vec<String> {
    let chosen = &found.chosen;
    let anchor =
        lowest_anchor(rated).filter(|anchor| !chosen.ignores_features() && anchor.crps > 0.0);
    let gain = anchor.map(|anchor| {
        let gain = percent_of((1.0 - chosen.crps / anchor.crps).abs());
        let side = if chosen.crps <= anchor.crps { "below" } else { "above" };
        format!("Its CRPS is {gain} {side} that of `{}`, which ignores the features.", anchor.id())
    });
    [Some(reason_of_choice(found, rated, bounds)), reason_of_beaten(found, bounds), gain]
        .into_iter()
        .flatten()
        .collect()
}

fn reason_of_choice(found: &Choice, rated: &[Rated], bounds: Bounds) -> String {
    let Words { plural, score, .. } = Words::of(bounds);
    let Choice { chosen, best, beaten } = found;
    let beat = |join: &str| {
        beaten.map_or_else(String::new, |reference| format!("{join} beat `{}`", reference.id()))
    };
    if chosen.id() != best.id() {
        return format!(
            "`{}` has the lowest product of CRPS and {score} (CRPS {} against {}){}, but `{}` is \
             simpler, and its CRPS and {score} are most probably{} at most {} higher.",
            best.id(),
            crps(best),
            crps(chosen),
            beat(" of the methods that"),
            chosen.id(),
            sure(chosen.is_as_good(best)),
            percent(MARGIN)
        );
    }
    let honest: Vec<&Rated> = rated.iter().filter(|method| method.is_honest()).collect();
    if honest.len() == 1 {
        return format!(
            "It is the only method whose {plural} do not cover too few rows; its CRPS is {}.",
            crps(chosen)
        );
    }
    let product = match beaten.is_some() || honest.iter().any(|other| other.crps < chosen.crps) {
        false => format!("CRPS, {}, and the lowest product of it and the {score}", crps(chosen)),
        true => format!("product of CRPS ({}) and {score}", crps(chosen)),
    };
    let beat = beat(" and that");
    format!(
        "It has the lowest {product} of the methods whose {plural} do not cover too few rows{beat}.{}",
        runner_up(chosen, &honest, score)
    )
}

/// The next method, and how far it is behind.
fn runner_up(chosen: &Rated, honest: &[&Rated], score: &str) -> String {
    let others = honest.iter().filter(|other| {
        other.id() != chosen.id() && !other.ignores_features() && other.loss() >= chosen.loss()
    });
    let next = others.min_by(|a, b| a.loss().total_cmp(&b.loss()));
    next.filter(|_| chosen.loss() > 0.0).map_or_else(String::new, |next| {
        let behind = (next.loss() / chosen.loss()).powi(2) - 1.0;
        format!(
            " Next is `{}`, whose product of CRPS and {score} is {} higher.",
            next.id(),
            percent_of(behind)
        )
    })
}

/// That a method which ignores the features would be the best one, were it not beaten.
fn reason_of_beaten(found: &Choice, bounds: Bounds) -> Option<String> {
    let reference = found.beaten?;
    Some(format!(
        "Not `{}`, though its product of CRPS and {} is the lowest: it ignores the features, and \
         the CRPS of `{}` is most probably{} lower.",
        reference.id(),
        Words::of(bounds).score,
        found.chosen.id(),
        sure(found.chosen.lower_crps(&reference))
    ))
}

fn lowest_anchor<'a>(rated: &[Rated<'a>]) -> Option<Rated<'a>> {
    let anchors = rated.iter().copied().filter(Rated::ignores_features);
    anchors.min_by(|a, b| a.crps.total_cmp(&b.crps))
}

/// Why methods of lower CRPS are not recommended: their intervals cover too few rows.
fn reasons_against(chosen: &Rated, rated: &[Rated], level: &str) -> Vec<String> {
    let against = rated.iter().filter(|method| !method.is_honest() && method.crps < chosen.crps);
    let reason = |method: &Rated| {
        let (coverage, _) = method.summed.coverage?;
        let share = percent_of(coverage.share());
        let name = method.id();
        Some(format!(
            "Not `{name}`, though its CRPS is lower: its {level} cover only {share} of the test \
             rows."
        ))
    };
    against.filter_map(reason).collect()
}

/// That the features tell nothing, where no method can use them.
fn reason_of_features(rated: &[Rated], chosen: &Rated) -> Option<String> {
    let anchor = lowest_anchor(rated).filter(|_| lowest_of_features(rated).is_some())?;
    (!rated.iter().any(|method| method.beats(&anchor))).then(|| {
        let lead = if chosen.ignores_features() {
            String::new()
        } else {
            format!(", and the lead of `{}` may be chance", chosen.id())
        };
        format!(
            "No method has a lower CRPS than `{}`, which ignores the features, with a probability \
             above {SURE}: on these rows the features carry no information that these methods can \
             use{lead}.",
            anchor.id()
        )
    })
}
