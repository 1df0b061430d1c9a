//! Numbers that are equal to those of an earlier table, or of another column of the same one, and
//! how many would be equal by chance.
//!
//! A number whose last digit is worth u equals another one by chance with the probability u f, f being
//! the density of such scores there. Copied columns agree in nine of ten numbers.

use super::references::References;
use super::{Checked, Digits, Evidence, Number, Quantity, SCORES, Table, Verdict};
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
    fn compare(own: &[&Number], other: &[&Number], references: &References) -> Self {
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

    /// Whether the two columns agree more than by chance. `pairs` pairs of columns were compared, and
    /// the best of many agrees well by chance, too: their number divides the ratio.
    fn verdict(&self, pairs: usize) -> Option<Verdict> {
        Verdict::of_ratio(self.log_ratio - (pairs.max(1) as f64).ln())
    }

    fn evidence(&self, other: &str) -> Evidence {
        let Self { shared, equal, by_chance, .. } = *self;
        Evidence::Equal { other: other.into(), equal, shared, by_chance }
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

/// Columns whose numbers are those of a table of another paper that the program has.
pub fn earlier(table: &Table, references: &References, checked: &mut Checked) {
    let others = columns_of_other_papers(table);
    let fitting = |quantity: Quantity| {
        let is_fitting = move |other: &&Other| {
            other.numbers.first().is_some_and(|number| is_alike(number.quantity, quantity))
        };
        others.iter().filter(is_fitting)
    };
    let columns = || SCORES.into_iter().flat_map(|quantity| table.columns(quantity));
    let pairs: usize = columns().map(|numbers| fitting(numbers[0].quantity).count()).sum();
    for numbers in columns() {
        checked.applied += 1;
        let compared = fitting(numbers[0].quantity).map(|other| {
            let twins: Vec<&Number> = other.numbers.iter().collect();
            (&other.name, Agreement::compare(&numbers, &twins, references))
        });
        let best = compared.max_by(|a, b| a.1.log_ratio.total_cmp(&b.1.log_ratio));
        let Some((name, agreement)) = best else { continue };
        let verdict = agreement.verdict(pairs).map(|verdict| match verdict {
            Verdict::Unlikely(ratio) => Verdict::Same(ratio),
            other => other,
        });
        checked.add_column(&numbers, verdict, agreement.evidence(name));
    }
}

/// The columns of all tables of the program but those of the table's own paper.
fn columns_of_other_papers(table: &Table) -> Vec<Other> {
    let mut others = Vec::new();
    for benchmark in shipped().unwrap_or_default() {
        let Ok(printed) = Table::of_benchmark(benchmark) else { continue };
        if printed.paper == table.paper {
            continue;
        }
        let place = format!("{} {}", short_name(&benchmark.paper), benchmark.artefact);
        for numbers in SCORES.into_iter().flat_map(|quantity| printed.columns(quantity)) {
            let name = format!("{place}, {}", numbers[0].column());
            others.push(Other { name, numbers: numbers.into_iter().cloned().collect() });
        }
    }
    others
}

/// Columns of one table whose numbers are equal.
pub fn within(table: &Table, references: &References, checked: &mut Checked) {
    let of_quantity = SCORES.map(|quantity| table.columns(quantity));
    let pairs = |columns: &Vec<Vec<&Number>>| columns.len() * columns.len().saturating_sub(1) / 2;
    let pairs: usize = of_quantity.iter().map(pairs).sum();
    for columns in &of_quantity {
        for (at, numbers) in columns.iter().enumerate() {
            for twins in &columns[..at] {
                checked.applied += 1;
                let agreement = Agreement::compare(numbers, twins, references);
                let evidence = agreement.evidence(&twins[0].column());
                checked.add_column(numbers, agreement.verdict(pairs), evidence);
            }
        }
    }
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
            let found = found.inspect(|found| assert!(matches!(found.verdict, Verdict::Same(_))));
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
