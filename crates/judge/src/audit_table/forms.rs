//! Rules that compare printed numbers with those of our own run on the standard splits: the kind of
//! their spreads, their units, the form of their log-likelihoods, and whether they are those of a
//! predictor that ignores the features.
//!
//! Numbers of one column share their method, so that they are no independent evidence: those of D
//! datasets count as three at most.

use super::references::{Known, References};
use super::{Checked, Evidence, Form, Number, Quantity, SCORES, Table, Verdict};
use uqbench_run::benchmark::SpreadKind;

/// Datasets of a column that count as independent evidence.
const INDEPENDENT: f64 = 3.0;

/// Fewest splits whose spread says something of its kind.
const FEWEST_SPLITS: u64 = 5;

/// The ratio of likelihoods of two explanations of a column, as its logarithm, from the logarithm of
/// each dataset.
fn pooled(logs: &[f64]) -> f64 {
    logs.iter().sum::<f64>() * (INDEPENDENT / logs.len() as f64).min(1.0)
}

/// Columns whose spreads are of another kind than the stated one, or whose kind is not stated.
pub fn spread_kinds(table: &Table, references: &References, checked: &mut Checked) {
    let kinds = [SpreadKind::Sd, SpreadKind::Se, SpreadKind::SdPresumably, SpreadKind::Unknown];
    for column in SCORES.into_iter().flat_map(|one| table.columns(one)) {
        for stated in kinds {
            let of_kind = column.iter().filter(|number| number.kind == stated);
            let telling: Vec<(&Number, f64)> = of_kind
                .filter_map(|number| Some((*number, error_to_deviation(number, references)?)))
                .collect();
            if telling.is_empty() {
                continue;
            }
            checked.applied += 1;
            let (numbers, ratios): (Vec<&Number>, Vec<f64>) = telling.into_iter().unzip();
            // Above 0 the spreads fit standard errors.
            let log_ratio = pooled(&ratios);
            let fits = if log_ratio > 0.0 { SpreadKind::Se } else { SpreadKind::Sd };
            let verdict = match (stated, Verdict::of_ratio(log_ratio.abs())) {
                _ if fits == stated => None,
                (SpreadKind::SdPresumably, _) if fits == SpreadKind::Sd => None,
                (SpreadKind::Unknown, Some(Verdict::Unlikely(ratio))) => {
                    Some(Verdict::Likelier(ratio))
                }
                (SpreadKind::Unknown, _) => None,
                (_, verdict) => verdict,
            };
            let evidence = Evidence::Kind { stated, fits, datasets: ratios.len() };
            checked.add_column(&numbers, verdict, evidence);
        }
    }
}

/// How much likelier a printed spread is as a standard error than as a standard deviation, as a
/// logarithm.
fn error_to_deviation(number: &Number, references: &References) -> Option<f64> {
    let (known, spread) = (references.get(&number.dataset)?, number.spread?.value);
    let splits = number.count.filter(|splits| *splits >= FEWEST_SPLITS)? as f64;
    let likely = known.log_spread(number.quantity)?;
    let as_deviation = |sd: f64| likely.log_density(sd.ln());
    (spread > 0.0).then(|| as_deviation(spread * splits.sqrt()) - as_deviation(spread))
}

/// Columns of RMSEs that are in units of the target's standard deviation.
pub fn units(table: &Table, references: &References, checked: &mut Checked) {
    for numbers in table.columns(Quantity::Rmse) {
        let ratios: Vec<f64> = numbers
            .iter()
            .filter_map(|number| {
                let known = references.get(&number.dataset)?;
                let log = number.digits.value.ln();
                let standardised = log + known.unconditional[0].ln();
                let density = |log: f64| known.log_rmse.log_density(log);
                log.is_finite().then(|| density(standardised) - density(log))
            })
            .collect();
        if ratios.is_empty() {
            continue;
        }
        checked.applied += 1;
        let evidence = Evidence::Form {
            quantity: Quantity::Rmse,
            fits: Form::Standardised,
            datasets: ratios.len(),
        };
        checked.add_column(&numbers, Verdict::of_ratio(pooled(&ratios)), evidence);
    }
}

/// The forms that a log-likelihood may have in place of the stated one.
const OTHERS: [Form; 5] =
    [Form::Negative, Form::Sum, Form::NegativeSum, Form::Standardised, Form::NegativeStandardised];

/// The log density of a printed number that is stated as a log-likelihood of mean rows in the units
/// of the target, if it has this form.
fn density(form: Form, value: f64, known: &Known) -> f64 {
    let of = |value: f64| known.log_likelihood.log_density(value);
    let (rows, log_sd) = (known.test_rows as f64, known.unconditional[0].ln());
    match form {
        Form::Stated => of(value),
        Form::Negative => of(-value),
        Form::Sum => of(value / rows) - rows.ln(),
        Form::NegativeSum => of(-value / rows) - rows.ln(),
        // A density in units of s is s times that in the units of the target.
        Form::Standardised => of(value - log_sd),
        Form::NegativeStandardised => of(-value - log_sd),
    }
}

/// Columns of log-likelihoods of another form than the stated one.
pub fn log_likelihoods(table: &Table, references: &References, checked: &mut Checked) {
    for (quantity, sign) in
        [(Quantity::LogLikelihood, 1.0), (Quantity::NegativeLogLikelihood, -1.0)]
    {
        for numbers in table.columns(quantity) {
            let known: Vec<(f64, &Known)> = numbers
                .iter()
                .filter_map(|number| {
                    Some((sign * number.digits.value, references.get(&number.dataset)?))
                })
                .collect();
            if known.is_empty() {
                continue;
            }
            checked.applied += 1;
            let of = |form: Form| -> f64 {
                let logs: Vec<f64> = known
                    .iter()
                    .map(|(value, known)| {
                        density(form, *value, known) - density(Form::Stated, *value, known)
                    })
                    .collect();
                pooled(&logs)
            };
            let best =
                OTHERS.map(|form| (form, of(form))).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((fits, log_ratio)) = best else { continue };
            let evidence = Evidence::Form { quantity, fits, datasets: known.len() };
            // Of several forms the best one fits well by chance, too.
            let verdict = Verdict::of_ratio(log_ratio - (OTHERS.len() as f64).ln());
            checked.add_column(&numbers, verdict, evidence);
        }
    }
}

/// Columns of RMSEs that are those of the training target's mean.
pub fn unconditional(table: &Table, references: &References, checked: &mut Checked) {
    for numbers in table.columns(Quantity::Rmse) {
        let ratios: Vec<f64> = numbers
            .iter()
            .filter_map(|number| {
                let known = references.get(&number.dataset)?;
                let splits = number.count.unwrap_or(known.splits).max(1) as f64;
                let [rmse, sd] = known.unconditional;
                // Other splits of the same rows have another mean, twice as far at most.
                let scale = 2.0 * sd / splits.sqrt() + number.digits.unit;
                let z = (number.digits.value - rmse) / scale;
                let normal = -0.5 * (2.0 * std::f64::consts::PI).ln() - scale.ln() - 0.5 * z * z;
                Some(normal - known.log_density(Quantity::Rmse, number.digits.value)?)
            })
            .collect();
        if ratios.is_empty() {
            continue;
        }
        checked.applied += 1;
        let evidence = Evidence::Unconditional { datasets: ratios.len() };
        checked.add_column(&numbers, Verdict::of_ratio(pooled(&ratios)), evidence);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::audit;
    use super::super::{Finding, Rule, Verdict};
    use super::*;

    const SETS: [&str; 4] = ["boston", "concrete", "energy", "yacht"];

    /// A column of ordinary numbers of a metric, each changed.
    fn column(metric: &str, of: impl Fn(&Known) -> (f64, f64)) -> String {
        let references = References::carried();
        let line = |set: &&str| {
            let (value, spread) = of(references.get(set).unwrap());
            format!("{set},{metric},{value:.3},{spread:.3}\n")
        };
        let lines: String = SETS.iter().map(line).collect();
        format!(
            "# count = 20\n# spread_kind = sd\n# method = m\ndataset,metric,value,spread\n{lines}"
        )
    }

    fn ordinary(known: &Known) -> (f64, f64) {
        let spread = known.log_spread(Quantity::LogLikelihood).unwrap().location.exp();
        (known.log_likelihood.location, spread)
    }

    fn forms(text: &str) -> Vec<(Rule, Form)> {
        let of = |finding: &Finding| match finding.evidence {
            Evidence::Form { fits, .. } if matches!(finding.verdict, Verdict::Unlikely(_)) => {
                Some((finding.rule, fits))
            }
            _ => None,
        };
        audit(text).findings().filter_map(of).collect()
    }

    #[test]
    fn each_form_of_a_log_likelihood_is_told_and_the_stated_one_is_not() {
        assert_eq!(forms(&column("ll", ordinary)), []);
        for (form, change) in [
            (Form::Negative, (&|v: f64, _: &Known| -v) as &dyn Fn(f64, &Known) -> f64),
            (Form::Sum, &|v, known| v * known.test_rows as f64),
            (Form::NegativeSum, &|v, known| -v * known.test_rows as f64),
            (Form::Standardised, &|v, known| v + known.unconditional[0].ln()),
            (Form::NegativeStandardised, &|v, known| -v - known.unconditional[0].ln()),
        ] {
            let text = column("ll", |known| {
                let (value, spread) = ordinary(known);
                (change(value, known), spread)
            });
            assert_eq!(forms(&text), [(Rule::LogLikelihoodForm, form)]);
        }
    }

    #[test]
    fn standard_errors_are_told_from_standard_deviations() {
        let errors = column("ll", |known| {
            let (value, spread) = ordinary(known);
            (value, spread / 20_f64.sqrt())
        });
        let kinds = |text: &str| -> Vec<Evidence> {
            let of_rule = |finding: &&Finding| finding.rule == Rule::SpreadKind;
            audit(text).findings().filter(of_rule).map(|finding| finding.evidence.clone()).collect()
        };
        assert_eq!(kinds(&column("ll", ordinary)), []);
        let found = kinds(&errors);
        assert!(
            matches!(found[..], [Evidence::Kind { fits: SpreadKind::Se, datasets: 4, .. }]),
            "{found:?}"
        );
        assert_eq!(kinds(&errors.replace("= sd", "= se")), []);
    }

    #[test]
    fn units_and_the_mean_of_the_target_are_told() {
        let typical = |known: &Known| (known.log_rmse.location.exp(), 0.0);
        assert_eq!(forms(&column("rmse", typical)), []);
        let scaled =
            column("rmse", |known| (known.log_rmse.location.exp() / known.unconditional[0], 0.0));
        assert_eq!(forms(&scaled), [(Rule::Units, Form::Standardised)]);
        let mean = column("rmse", |known| (known.unconditional[0], 0.0));
        let found: Vec<Rule> = audit(&mean).findings().map(|finding| finding.rule).collect();
        assert!(found.contains(&Rule::IgnoresFeatures), "{found:?}");
    }
}
