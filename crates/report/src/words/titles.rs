//! Name the tables of a report.

use super::notes::part_words;
use uq_core::metrics::VariancePart;
use uqbench_judge::report::{About, PartScore};

/// The title of a table.
pub(super) fn title(about: &About) -> String {
    match about {
        About::Scores { metric, .. } => metric.clone(),
        About::CommonSplits { metric } => format!("{}: on common splits", metric.label()),
        About::Curves { metric, dataset, of_variants, .. } => {
            let dataset =
                dataset.as_ref().map(|dataset| format!(", {dataset}")).unwrap_or_default();
            format!("{metric}{dataset}{}", if *of_variants { ", variants" } else { "" })
        }
        About::Variants { metric } => format!("{metric}: variants"),
        About::Validation { validation, .. } => {
            format!(
                "Coverage of {} intervals on validation rows",
                uq_core::metrics::percent(validation.level)
            )
        }
        About::Settings => "Settings chosen inside the training rows".into(),
        About::Crossings => "Quantiles in the wrong order before sorting".into(),
        About::LearnedNoise => "Learned noise of Gaussian processes".into(),
        About::Training => "Training of deep Gaussian processes".into(),
        About::Quiet => "How quiet the machine was".into(),
        About::Variance { .. } => "Variance over splits and over seeds".into(),
        About::Incomplete => "Repetitions without predictions".into(),
        About::Parts => "Are the parts of the variance true?".into(),
        About::Part { part, score } => format!("{}: {}", named(*part), part_words(*score).title),
        About::ErrorParts => "Error of the mean, and the share of the bias".into(),
        About::Gains { metric } => {
            format!("Gain over random rows, and the gain that could be found: {metric}")
        }
        About::Area { metric } => format!("Area of the learning curve: {metric}"),
        About::Batches => "Spread of the batches".into(),
        About::Areas { metric } => format!("Areas of the learning curves: {metric}"),
        About::Optimised { of_variants: false, .. } => "What was found".into(),
        About::Optimised { of_variants: true, .. } => "What was found by variants".into(),
    }
}

/// The title of the table of a part's levels.
pub fn level_title(part: VariancePart) -> String {
    title(&About::Part { part, score: PartScore::Level })
}

fn named(part: VariancePart) -> &'static str {
    match part {
        VariancePart::Aleatoric => "Aleatoric variance",
        VariancePart::Epistemic => "Epistemic variance",
        VariancePart::Total => "Predictive variance",
    }
}
