//! Say what the rules of an audit found in a printed table, and under which premises.

use crate::grid::counted;
use uq_core::stats::digits::compared;
use uqbench_judge::audit_table::{
    Agreeing, Evidence, Form, Nearest, Quantity, Rule, SILENT, UNLIKELY, Verdict,
};
use uqbench_run::benchmark::SpreadKind;

/// What the page says of its verdicts.
pub fn introduction() -> String {
    format!(
        "Nothing was run. Excluded: a theorem excludes the number under the premises of its rule. \
         Excluded, if: a theorem excludes the number if a premise holds that the file does not \
         state. Unlikely: another explanation of the numbers is at least {UNLIKELY:.0} times as \
         likely as the stated one. Likelier: the file states neither, and one is at least \
         {UNLIKELY:.0} times as likely. The same numbers: a column repeats another paper's, which is \
         no fault. Cannot tell: another explanation is {SILENT:.0} to \
         {UNLIKELY:.0} times as likely, and nothing follows. docs/understand/audit-table.md derives \
         each rule."
    )
}

/// The name of a rule.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::CoverageCount => "Coverage is a share of whole rows",
        Rule::CoverageSpread => "Spread of coverages",
        Rule::LogLikelihoodBound => "Log-likelihood against RMSE",
        Rule::CoverageBound => "Coverage against width and RMSE",
        Rule::LastDigits => "Last digits",
        Rule::SpreadKind => "Standard deviation or standard error",
        Rule::Units => "Units of the RMSE",
        Rule::LogLikelihoodForm => "Sign, sum and units of log-likelihoods",
        Rule::EarlierNumbers => "Numbers of earlier tables",
        Rule::EqualColumns => "Equal columns",
        Rule::IgnoresFeatures => "A predictor that ignores the features",
    }
}

/// What a rule needs.
pub fn premises(rule: Rule) -> &'static str {
    match rule {
        Rule::CoverageCount => "every split tests the same number of rows; the mean is over splits",
        Rule::CoverageSpread => {
            "the spread is a standard deviation or a standard error over splits"
        }
        Rule::LogLikelihoodBound => {
            "the predictions of a split are normal with one variance (one_variance = yes); RMSE \
             and log-likelihood are of the same rows, in the same units; the printed RMSE is the \
             mean of those of the splits"
        }
        Rule::CoverageBound => {
            "all intervals of all splits have one width and are centred on the predictions whose \
             RMSE is printed (constant_width = yes), in the same units"
        }
        Rule::LastDigits => "scores are measured, so that their last digits are about uniform",
        Rule::SpreadKind | Rule::Units | Rule::LogLikelihoodForm | Rule::IgnoresFeatures => {
            "the method is like those of our run on the standard splits of this dataset"
        }
        Rule::EarlierNumbers | Rule::EqualColumns => {
            "scores of two methods agree in their last digits by chance alone"
        }
    }
}

/// A verdict with its ratio of likelihoods.
pub fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Excluded => "excluded".into(),
        Verdict::ExcludedIf => "excluded, if the premise holds".into(),
        Verdict::Unlikely(ratio) => format!("unlikely, 1 to {}", odds(ratio)),
        Verdict::Likelier(ratio) => format!("likelier, {} to 1", odds(ratio)),
        Verdict::Same(_) => "the same numbers".into(),
        Verdict::CannotTell(ratio) => format!("cannot tell, 1 to {}", odds(ratio)),
    }
}

/// A ratio of likelihoods, of which no more than its size is known.
fn odds(ratio: f64) -> String {
    if ratio >= 1e6 { "over a million".into() } else { format!("{ratio:.0}") }
}

/// What was found on the first of several datasets.
pub fn first_of(dataset: &str, evidence: &str) -> String {
    format!("on {dataset}, as an example, {evidence}")
}

/// What was found.
pub fn evidence(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Range { printed } => {
            format!("{printed} is no share: a coverage lies between 0 and 1")
        }
        Evidence::Count { printed, rows, below, above } => format!(
            "{printed} of {rows:.0} test rows is no whole number of rows: {below:.0} of them are \
             {}, {above:.0} are {}",
            compared(below / rows),
            compared(above / rows)
        ),
        Evidence::Spread { mean, sd, most } => format!(
            "coverages of mean {mean} have a standard deviation of at most {}, and the spread \
             stands for {} or more",
            compared(*most),
            compared(*sd)
        ),
        Evidence::AboveBound { printed, bound, rmse } => format!(
            "with RMSE {rmse} no such prediction has a mean log-likelihood above {}, and it is {} \
             or more",
            compared(*bound),
            compared(*printed)
        ),
        Evidence::BelowBound { printed, bound, width, rmse } => format!(
            "intervals of width {width} about predictions of RMSE {rmse} cover at least {}, and \
             the coverage is {} or less",
            compared(*bound),
            compared(*printed)
        ),
        Evidence::RoundDigits { round, all } => format!(
            "{round} of {all} numbers end in 0 or 5, as if rounded to halves of the last digit; \
             {:.1} would by chance",
            0.2 * *all as f64
        ),
        Evidence::Kind { stated, fits, datasets } => {
            let stated = match stated {
                SpreadKind::Sd => "they are called standard deviations",
                SpreadKind::Se => "they are called standard errors",
                _ => "the table does not say what they are",
            };
            format!(
                "on {} the spreads have the size of {}; {stated}",
                counted(*datasets, "dataset"),
                kind(*fits)
            )
        }
        Evidence::Form { quantity, fits, datasets } => format!(
            "on {} the {} fits {}",
            counted(*datasets, "dataset"),
            quantity.name(),
            form(*quantity, *fits)
        ),
        Evidence::Equal { other, equal, shared, by_chance } => format!(
            "{equal} of {} are those of {other}; {by_chance:.2} would be equal by chance",
            counted(*shared, "number")
        ),
        Evidence::Unconditional { datasets } => format!(
            "on {} the RMSE is that of the training target's mean, which ignores the features",
            counted(*datasets, "dataset")
        ),
    }
}

fn kind(kind: SpreadKind) -> &'static str {
    if kind == SpreadKind::Se { "standard errors" } else { "standard deviations" }
}

/// A form other than the stated one.
fn form(quantity: Quantity, form: Form) -> &'static str {
    let is_turned = quantity == Quantity::NegativeLogLikelihood;
    match (form, is_turned) {
        (Form::Stated, _) => "what is stated",
        (Form::Negative, false) => "the negative log-likelihood",
        (Form::Negative, true) => "the log-likelihood, of the other sign",
        (Form::Sum, _) => "a sum over the test rows, not a mean",
        (Form::NegativeSum, _) => "a sum over the test rows of the other sign",
        (Form::Standardised, _) => "scores in units of the target's standard deviation",
        (Form::NegativeStandardised, _) => {
            "the other sign, in units of the target's standard deviation"
        }
    }
}

/// Which known protocol is nearest.
pub fn nearest(nearest: &Nearest) -> String {
    let Nearest { benchmark, place, datasets, splits, counted: all, unknown } = nearest;
    let counts = match all {
        0 => "the table states no number of splits".into(),
        all => format!("{} of {all} numbers are over {} splits, too", splits.1, splits.0),
    };
    let unknown = match unknown.is_empty() {
        true => String::new(),
        false => format!(
            " Rules that need a known dataset do not read {}; uqbench list datasets has the names.",
            first_few(unknown)
        ),
    };
    format!(
        "Nearest known protocol by datasets and number of splits: that of {place} ({benchmark}), which has {} of {}; {counts}.{unknown}",
        datasets.0,
        counted(datasets.1, "dataset")
    )
}

/// That nothing was found, by as many of all rules.
pub fn nothing(applied: usize, all: usize) -> String {
    format!(
        "No rule found anything. {applied} of {all} rules could be applied; the table below says which, \
         and what the others need."
    )
}

/// Up to five names.
fn first_few(names: &[String]) -> String {
    let shown = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(5) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

/// How many numbers of a quantity agree with those of other columns.
pub fn by_chance(agreeing: &Agreeing) -> String {
    let Agreeing { quantity, numbers, by_chance } = agreeing;
    format!(
        "If the numbers of each dataset were dealt to its columns at random, {by_chance:.1} of {} \
         ({}) would agree with the number printed there {}. A reproduction has to agree in more.",
        counted(*numbers, "number"),
        quantity.name(),
        tolerance(*quantity)
    )
}

/// Within what two numbers of a quantity agree.
fn tolerance(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Rmse | Quantity::Crps | Quantity::Width => "within 10 %",
        Quantity::LogLikelihood | Quantity::NegativeLogLikelihood => "within 0.10",
        Quantity::Coverage => "within 0.02",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finding_is_a_sentence_with_its_numbers() {
        let texts = [
            Evidence::Count { printed: 0.96032, rows: 1020.0, below: 979.0, above: 980.0 },
            Evidence::Spread { mean: 0.96, sd: 0.23, most: 0.201 },
            Evidence::AboveBound { printed: -1.205, bound: -1.409, rmse: 1.0 },
            Evidence::BelowBound { printed: 0.91, bound: 0.9366, width: 8.0, rmse: 1.0 },
            Evidence::RoundDigits { round: 10, all: 10 },
            Evidence::Kind { stated: SpreadKind::Sd, fits: SpreadKind::Se, datasets: 9 },
            Evidence::Form { quantity: Quantity::LogLikelihood, fits: Form::Negative, datasets: 1 },
            Evidence::Equal { other: "A, b".into(), equal: 3, shared: 4, by_chance: 0.05 },
            Evidence::Unconditional { datasets: 2 },
        ]
        .map(|one| evidence(&one))
        .join("\n");
        insta::assert_snapshot!(texts, @"
        0.96032 of 1020 test rows is no whole number of rows: 979 of them are 0.959804, 980 are 0.960784
        coverages of mean 0.96 have a standard deviation of at most 0.201000, and the spread stands for 0.230000 or more
        with RMSE 1 no such prediction has a mean log-likelihood above -1.409000, and it is -1.205000 or more
        intervals of width 8 about predictions of RMSE 1 cover at least 0.936600, and the coverage is 0.910000 or less
        10 of 10 numbers end in 0 or 5, as if rounded to halves of the last digit; 2.0 would by chance
        on 9 datasets the spreads have the size of standard errors; they are called standard deviations
        on 1 dataset the log-likelihood fits the negative log-likelihood
        3 of 4 numbers are those of A, b; 0.05 would be equal by chance
        on 2 datasets the RMSE is that of the training target's mean, which ignores the features
        ");
        insta::assert_snapshot!(verdict(Verdict::Unlikely(1234.5)), @"unlikely, 1 to 1234");
        insta::assert_snapshot!(verdict(Verdict::CannotTell(12.0)), @"cannot tell, 1 to 12");
        let found = Nearest {
            benchmark: "b".into(),
            place: "B Table 1".into(),
            datasets: (2, 3),
            splits: (20, 8),
            counted: 9,
            unknown: vec!["bostonHousing".into()],
        };
        insta::assert_snapshot!(nearest(&found), @"Nearest known protocol by datasets and number of splits: that of B Table 1 (b), which has 2 of 3 datasets; 8 of 9 numbers are over 20 splits, too. Rules that need a known dataset do not read bostonHousing; uqbench list datasets has the names.");
        let agreeing = Agreeing { quantity: Quantity::Crps, numbers: 72, by_chance: 31.24 };
        insta::assert_snapshot!(by_chance(&agreeing), @"If the numbers of each dataset were dealt to its columns at random, 31.2 of 72 numbers (CRPS) would agree with the number printed there within 10 %. A reproduction has to agree in more.");
        insta::assert_snapshot!(introduction(), @"Nothing was run. Excluded: a theorem excludes the number under the premises of its rule. Excluded, if: a theorem excludes the number if a premise holds that the file does not state. Unlikely: another explanation of the numbers is at least 100 times as likely as the stated one. Likelier: the file states neither, and one is at least 100 times as likely. The same numbers: a column repeats another paper's, which is no fault. Cannot tell: another explanation is 10 to 100 times as likely, and nothing follows. docs/understand/audit-table.md derives each rule.");
    }
}
