//! Numbers that are equal to those of an earlier table, or of another column of the same one, and
//! how many would be equal by chance.
//!
//! A number whose last digit is worth u equals another one by chance with the probability u f, f being
//! the density of such scores there. Copied columns agree in nine of ten numbers.

use super::references::References;
use super::{Checked, Digits, Evidence, Finding, Number, Quantity, Table, Verdict};
use uqbench_run::benchmark::papers::short_name;
use uqbench_run::benchmark::shipped;

/// Share of the numbers of a copied column that are equal.
const COPIED: f64 = 0.9;

/// A column to compare with.
struct Other {
    name: String,
    numbers: Vec<Number>,
}

/// How two columns of one quantity agree.
#[derive(Clone, Copy, Debug, Default)]
struct Agreement {
    shared: usize,
    equal: usize,
    by_chance: f64,
    log_ratio: f64,
}

impl Agreement {
    fn of(own: &[&Number], other: &[&Number], references: &References) -> Self {
        let mut agreement = Self::default();
        for number in own {
            let Some(twin) = other.iter().find(|twin| twin.dataset == number.dataset) else {
                continue;
            };
            let digits = in_sign_of(twin, number.quantity);
            if (digits.unit / number.digits.unit - 1.0).abs() > 1e-6 {
                continue;
            }
            let known = references.get(&number.dataset);
            let density = known.and_then(|k| k.log_density(number.quantity, digits.value));
            let Some(density) = density else { continue };
            let chance = (density.exp() * digits.unit).clamp(1e-6, 0.5);
            let is_equal = (digits.value - number.digits.value).abs() < 0.5 * digits.unit;
            agreement.shared += 1;
            agreement.equal += usize::from(is_equal);
            agreement.by_chance += chance;
            agreement.log_ratio += match is_equal {
                true => (COPIED / chance).ln(),
                false => ((1.0 - COPIED) / (1.0 - chance)).ln(),
            };
        }
        agreement
    }
}

/// The digits of a number, with the sign that a quantity has.
fn in_sign_of(number: &Number, quantity: Quantity) -> Digits {
    let is_turned = number.quantity != quantity;
    let Digits { value, unit } = number.digits;
    Digits { value: if is_turned { -value } else { value }, unit }
}

/// Whether two quantities differ at most in the sign.
fn is_alike(one: Quantity, other: Quantity) -> bool {
    let unsigned = |quantity| match quantity {
        Quantity::NegativeLogLikelihood => Quantity::LogLikelihood,
        other => other,
    };
    unsigned(one) == unsigned(other)
}

const QUANTITIES: [Quantity; 4] =
    [Quantity::Rmse, Quantity::LogLikelihood, Quantity::NegativeLogLikelihood, Quantity::Crps];

/// Columns whose numbers are those of a table that the program has.
pub fn earlier(table: &Table, references: &References, checked: &mut Checked) {
    let mut others: Vec<Other> = Vec::new();
    for benchmark in shipped().unwrap_or_default() {
        let Ok(printed) = Table::of_benchmark(benchmark) else { continue };
        // A table is no earlier print of itself.
        if printed.numbers == table.numbers {
            continue;
        }
        let place = format!("{} {}", short_name(&benchmark.paper), benchmark.artefact);
        for quantity in QUANTITIES {
            for (column, numbers) in printed.columns(quantity) {
                let numbers = numbers.into_iter().cloned().collect();
                others.push(Other { name: format!("{place}, {column}"), numbers });
            }
        }
    }
    for quantity in QUANTITIES {
        let columns = table.columns(quantity);
        let fitting: Vec<&Other> = others
            .iter()
            .filter(|other| other.numbers.first().is_some_and(|n| is_alike(n.quantity, quantity)))
            .collect();
        let pairs = (columns.len() * fitting.len()) as f64;
        for (column, numbers) in columns {
            checked.applied += 1;
            let compared = fitting.iter().map(|other| {
                let twins: Vec<&Number> = other.numbers.iter().collect();
                (&other.name, Agreement::of(&numbers, &twins, references))
            });
            let best = compared.max_by(|a, b| a.1.log_ratio.total_cmp(&b.1.log_ratio));
            let Some((name, agreement)) = best else { continue };
            checked.findings.extend(finding(checked, column, &numbers, name, agreement, pairs));
        }
    }
}

/// Columns of one table whose numbers are equal.
pub fn within(table: &Table, references: &References, checked: &mut Checked) {
    for quantity in QUANTITIES {
        let columns = table.columns(quantity);
        let pairs = (columns.len() * columns.len().saturating_sub(1) / 2) as f64;
        for (at, (column, numbers)) in columns.iter().enumerate() {
            for (other, twins) in &columns[..at] {
                checked.applied += 1;
                let agreement = Agreement::of(numbers, twins, references);
                checked.findings.extend(finding(checked, column, numbers, other, agreement, pairs));
            }
        }
    }
}

/// The finding on a column that agrees with another one more than by chance. Of many pairs the best
/// one agrees well by chance, too, so that their number divides the ratio.
fn finding(
    checked: &Checked,
    column: &str,
    numbers: &[&Number],
    other: &str,
    agreement: Agreement,
    pairs: f64,
) -> Option<Finding> {
    let Agreement { shared, equal, by_chance, log_ratio } = agreement;
    Some(Finding {
        rule: checked.rule,
        verdict: Verdict::of_ratio(log_ratio - pairs.max(1.0).ln())?,
        lines: numbers.iter().map(|number| number.line).collect(),
        dataset: None,
        column: column.into(),
        evidence: Evidence::Equal { other: other.into(), equal, shared, by_chance },
    })
}

#[cfg(test)]
mod tests {
    use super::super::Rule;
    use super::super::tests::audit;
    use super::*;

    #[test]
    fn copied_numbers_are_found_and_similar_ones_are_not() {
        // MC-Dropout's log-likelihoods of 2018, as Baselines prints them.
        let benchmark = uqbench_run::benchmark::find("baselines-standard").unwrap();
        let is_of = |cell: &&uqbench_run::benchmark::Cell| {
            cell.metric == "log_likelihood" && cell.labels["source"] == "2018"
        };
        let lines = |change: &dyn Fn(f64) -> f64| -> String {
            let line = |cell: &uqbench_run::benchmark::Cell| {
                format!("{},ll,{:.2}\n", cell.dataset, change(cell.number().unwrap()))
            };
            let lines: String = benchmark.printed.cells.iter().filter(is_of).map(line).collect();
            format!("# method = mine\n# count = 20\ndataset,metric,value\n{lines}")
        };
        let equal = |text: &str| -> Vec<Evidence> {
            let audit = audit(text);
            let found = audit.findings().filter(|found| found.rule == Rule::EarlierNumbers);
            found.map(|found| found.evidence.clone()).collect()
        };
        let copied = equal(&lines(&|value| value));
        let [Evidence::Equal { other, equal: count, shared, by_chance }] = &copied[..] else {
            unreachable!("{copied:?}")
        };
        assert!(other.contains("2018") && count == shared && *count > 7, "{copied:?}");
        assert!(*by_chance < 1.0, "{copied:?}");
        assert_eq!(equal(&lines(&|value| value + 0.03)), []);
    }
}
