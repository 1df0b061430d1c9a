//! Write a cell: its text, with the marks of its number, and where it leads.

use crate::grid::{Cell, FirstTrial, Lead};
use crate::words::dropped::part_of;
use crate::words::looks::look_of;
use crate::words::signs::{DROPPED, IMPUTED, NO_COVERAGE, SIGNIFICANT, UNSETTLED};
use uq_core::stats::digits::{NONE, abscissa, mean_and_spread, number, p_value};
use uqbench_judge::judgement::{Scorecard, Verdict};
use uqbench_judge::report::{self, Form, Gain, Imputed, Number, Score};

/// From here on an estimate is written with a power of ten.
const HUGE: f64 = 1e5;

/// A cell as it is shown. `card` has the verdicts on printed numbers.
pub(super) fn cell(cell: &report::Cell, card: &Scorecard) -> Cell {
    match cell {
        report::Cell::Text { text } => text.as_str().into(),
        report::Cell::Empty { .. } => NONE.into(),
        report::Cell::Printed { value, line } => Cell::leading(
            format!("{NONE} ({value})"),
            line.map(|line| Lead::Printed { line, look: None }),
        ),
        report::Cell::Number(one) => Cell::leading(written(one), lead(one.first_trial.as_ref())),
        report::Cell::Gain(gain) => Cell::leading(gained(gain), lead(gain.first_trial.as_ref())),
        report::Cell::Imputed(Imputed { summary, imputed }) => {
            let mean = mean_and_spread(summary.map(|one| one.mean), summary.and_then(|one| one.sd));
            let mark =
                if *imputed > 0 { format!(" {}{imputed}", IMPUTED.sign) } else { String::new() };
            (mean + &mark).into()
        }
        report::Cell::Score(score) => {
            // A printed number's row of verdicts leads to its trial.
            let lead = match score.line {
                Some(line) => Some(Lead::Printed { line, look: look(card, line) }),
                None => lead(score.first_trial.as_ref()),
            };
            Cell { against_best: score.against_best, ..Cell::leading(scored(score), lead) }
        }
    }
}

/// The look of a verdict, unless it decides nothing.
fn look(card: &Scorecard, line: usize) -> Option<&'static crate::words::looks::Look> {
    let verdict = &card.numbers.get(line)?.verdict;
    (!matches!(verdict, Verdict::TooFew | Verdict::NotRun(_))).then(|| look_of(verdict))
}

/// A first trial as the site leads to it.
fn lead(first: Option<&report::FirstTrial>) -> Option<Lead> {
    first.map(|first| {
        Lead::Trial(FirstTrial { key: first.key.short().to_owned(), of: Some(first.of) })
    })
}

fn written(Number { value, spread, form, .. }: &Number) -> String {
    match form {
        Form::Spread => mean_and_spread(Some(*value), *spread),
        Form::Digits(width) => number(*value, *width),
        Form::Decimals(digits) => format!("{value:.*}", usize::from(*digits)),
        Form::Hundredths(digits) => format!("{:.*}", usize::from(*digits), 100.0 * value),
        Form::Percent => format!("{:.0} %", 100.0 * value),
        Form::Exact => abscissa(*value),
        Form::PValue => p_value(*value),
        Form::Estimate => estimated(*value, *spread),
        Form::Factor if value.is_finite() => number(*value, Some(0.1)),
        Form::Factor => "∞".into(),
        Form::Of(total) => format!("{value} of {total}"),
        Form::WithShare(share) => {
            number(*value, None)
                + &share.map(|share| format!(" ({:.0} %)", 100.0 * share)).unwrap_or_default()
        }
    }
}

/// An estimate with its standard error.
fn estimated(value: f64, error: Option<f64>) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if value.abs() >= HUGE {
        return format!("{value:.0e}")
            + &error.map(|error| format!(" ± {error:.0e}")).unwrap_or_default();
    }
    mean_and_spread(Some(value), error)
}

/// A gain, with the smallest one that could be found in brackets.
fn gained(Gain { mean, error, detectable, .. }: &Gain) -> String {
    let detectable =
        detectable.map_or(NONE.into(), |detectable| number(detectable, Some(detectable)));
    format!("{} ({detectable})", mean_and_spread(*mean, *error))
}

/// A mean with its marks, and the printed number in brackets.
fn scored(score: &Score) -> String {
    let summary = score.summary;
    let mut text = mean_and_spread(summary.map(|one| one.mean), summary.and_then(|one| one.sd));
    text += &part_of(summary.map_or(0, |one| one.n), score.most);
    if let Some(median) = score.median {
        text += &format!(", median {}", number(median, summary.and_then(|one| one.sd)));
    }
    let marks = [
        (score.significant, SIGNIFICANT.sign),
        (is_part(score), DROPPED.sign),
        (is_unsettled(score), UNSETTLED.sign),
        (score.misses_coverage, NO_COVERAGE.sign),
    ];
    marks.into_iter().filter(|(is_marked, _)| *is_marked).for_each(|(_, sign)| text += sign);
    text + &score.printed.as_ref().map(|printed| format!(" ({printed})")).unwrap_or_default()
}

/// Whether a mean leaves repetitions out.
pub(super) fn is_part(score: &Score) -> bool {
    score.summary.is_some_and(|summary| summary.n > 0 && summary.n < score.expected)
}

/// Whether a mean is over fits of which some had not converged.
pub(super) fn is_unsettled(score: &Score) -> bool {
    score.unconverged.is_some_and(|count| count.unconverged > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(value: f64, spread: Option<f64>, form: Form) -> String {
        written(&Number { value, spread, form, first_trial: None })
    }

    #[test]
    fn numbers_are_written_by_their_form() {
        assert_eq!(one(14_500.0, Some(7778.17), Form::Spread), "14500 ± 7778");
        assert_eq!(one(0.001, None, Form::Spread), "0.001000");
        assert_eq!(one(20_000.0, None, Form::Exact), "20000");
        assert_eq!(one(0.0005, None, Form::Exact), "5e-4");
        assert_eq!(one(0.375, None, Form::Hundredths(2)), "37.50");
        assert_eq!(
            [one(2.0, None, Form::Of(5)), one(f64::INFINITY, None, Form::Factor)],
            ["2 of 5", "∞"]
        );
        assert_eq!(one(f64::NEG_INFINITY, None, Form::Estimate), "−∞");
        assert_eq!(one(2e6, Some(1e5), Form::Estimate), "2e6 ± 1e5");
        assert_eq!(one(0.5, None, Form::WithShare(Some(0.25))), "0.5000 (25 %)");
        assert_eq!(gained(&Gain::default()), "– (–)");
    }
}
