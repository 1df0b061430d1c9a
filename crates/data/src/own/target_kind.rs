//! Find targets for which an interval of numbers is not the question: of two values, and zero in
//! many rows.

use std::collections::HashMap;

use super::finding::{Finding, Topic};
use super::group::RowGroup;
use super::table::OwnTable;
use crate::CensoredEnd;
use uq_core::Table;
use uq_core::math::ordered_bits::ordered_bits;
use uq_core::names::counted;
use uq_core::printable::printable;

/// Fewest rows at zero, and their smallest share, from which on a target is called zero-inflated.
const FEWEST: usize = 10;
const SHARE: f64 = 0.01;
/// The factor by which zero has to be more frequent than the next value: counts have few zeros more
/// than ones.
const FACTOR: usize = 5;

/// What is to be known of the kind of a table's target.
pub fn target_findings(own: &OwnTable) -> Vec<Finding> {
    let table = &own.table;
    let name = printable(&table.target_name, 60);
    let two = two_values(table).map(|[a, b]| {
        Finding::warning(format!(
            "the target \"{name}\" has two values, {a} and {b}: to tell them apart is \
             classification, which predicts a probability. Intervals of numbers say little of it"
        ))
        .about(Topic::TwoValued, [&table.target_name])
    });
    let zeros = Zeros::of(table).map(|Zeros { zeros, others, .. }| {
        Finding::note(format!(
            "the target \"{name}\" is zero-inflated: exactly 0 in {} of {}, and of one sign in the \
             others. `try` tells the coverage of both parts",
            zeros.len(),
            counted(zeros.len() + others.len(), "row")
        ))
        .about(Topic::ZeroInflated, [&table.target_name])
    });
    two.into_iter().chain(zeros).collect()
}

/// The warnings on ends of the target that have too many rows. The zeros of a zero-inflated target
/// are no limit.
pub fn censored_findings(table: &Table, ends: &[CensoredEnd]) -> Vec<Finding> {
    let has_zeros = Zeros::of(table).is_some();
    let told = ends.iter().filter(|end| !(has_zeros && end.value == 0.0));
    told.map(|end| Finding::warning(end.to_string()).about(Topic::Censored, [&table.target_name]))
        .collect()
}

/// The rows of a zero-inflated target that are zero, and the others; none of another target.
pub fn zero_groups(table: &Table) -> Vec<RowGroup> {
    let Some(Zeros { zeros, others, sign }) = Zeros::of(table) else { return Vec::new() };
    let name = printable(&table.target_name, 60);
    vec![
        RowGroup::new(format!("{name} = 0"), zeros),
        RowGroup::new(format!("{name} {sign} 0"), others),
    ]
}

/// The two values of a target that has no others, in order.
fn two_values(table: &Table) -> Option<[f64; 2]> {
    let [low, high] = table.target_range().map(|(low, high)| [low, high])?;
    (low < high && table.target.iter().all(|y| *y == low || *y == high)).then_some([low, high])
}

/// The rows of a zero-inflated target.
struct Zeros {
    zeros: Vec<usize>,
    others: Vec<usize>,
    /// `>` or `<`, as all others are to zero.
    sign: char,
}

impl Zeros {
    /// `None` where zero is rare, or beside values of both signs, or hardly more frequent than
    /// another value.
    fn of(table: &Table) -> Option<Self> {
        let (zeros, others): (Vec<usize>, Vec<usize>) =
            (0..table.rows()).partition(|row| table.target[*row] == 0.0);
        let is_frequent =
            zeros.len() >= FEWEST && zeros.len() as f64 >= SHARE * table.rows() as f64;
        if !is_frequent || two_values(table).is_some() {
            return None;
        }
        let mut counts: HashMap<u64, usize> = HashMap::new();
        others
            .iter()
            .for_each(|row| *counts.entry(ordered_bits(table.target[*row])).or_default() += 1);
        let next = counts.into_values().max()?;
        let all = |is: fn(f64) -> bool| others.iter().all(|row| is(table.target[*row]));
        let sign = if all(|y| y > 0.0) { '>' } else { '<' };
        (zeros.len() >= FACTOR * next && (sign == '>' || all(|y| y < 0.0))).then_some(Self {
            zeros,
            others,
            sign,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Description;
    use crate::own::{Cells, Severity};
    use ndarray::{Array1, Array2};

    fn table(target: impl Fn(usize) -> f64) -> Table {
        Table::unnamed(
            Array2::from_shape_fn((100, 1), |(i, _)| i as f64),
            Array1::from_shape_fn(100, target),
        )
    }

    #[test]
    fn zeros_beside_numbers_of_one_sign_are_found() {
        for sign in [1.0, -1.0] {
            let groups = zero_groups(&table(|i| {
                if i % 3 == 0 { 0.0 } else { sign * (1.0 + (i as f64).sqrt()) }
            }));
            assert_eq!(groups.iter().map(|group| group.rows.len()).collect::<Vec<_>>(), [34, 66]);
            assert_eq!(groups[0].rows[..3], [0, 3, 6]);
        }
    }

    #[test]
    fn other_targets_are_not_zero_inflated() {
        type Target = fn(usize) -> f64;
        let others: [(&str, Target); 6] = [
            ("no zero", |i| i as f64 + 0.5),
            ("few zeros", |i| if i < 9 { 0.0 } else { i as f64 }),
            ("both signs", |i| if i < 40 { 0.0 } else { (i as f64 - 70.3) * 1.7 }),
            ("counts", |i| [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 0.0, 1.0, 0.0][i % 10]),
            ("two values", |i| f64::from(u8::from(i % 4 == 0))),
            ("all zero", |_| 0.0),
        ];
        for (what, target) in others {
            assert!(zero_groups(&table(target)).is_empty(), "{what}");
        }
    }

    #[test]
    fn findings_name_the_target() {
        let found = |target: fn(usize) -> f64| {
            let lines: String =
                (0..100).map(|i| format!("{},{}\n", i * i % 37, target(i))).collect();
            let cells = Cells::parse("my.csv", format!("x,rain\n{lines}").as_bytes()).unwrap();
            let findings = target_findings(&OwnTable::new(&cells, "rain", &[]).unwrap());
            findings
                .into_iter()
                .map(|finding| (finding.severity, finding.topic, finding.columns))
                .collect::<Vec<_>>()
        };
        let rain = vec!["rain".to_owned()];
        assert_eq!(
            found(|i| f64::from(u8::from(i % 4 == 0))),
            [(Severity::Warning, Topic::TwoValued, rain.clone())]
        );
        let zeros = found(|i| if i % 3 == 0 { 0.0 } else { (i as f64).sqrt() });
        assert_eq!(zeros, [(Severity::Note, Topic::ZeroInflated, rain)]);
        assert_eq!(found(|i| i as f64 + 0.5), []);
    }

    #[test]
    fn a_pile_at_zero_is_no_limit_and_one_elsewhere_is() {
        let found =
            |target: fn(usize) -> f64| {
                let table = table(target);
                let ends = Description::of(&table).censored;
                let told = censored_findings(&table, &ends);
                assert!(told.iter().all(|finding| finding.topic == Topic::Censored
                    && finding.severity == Severity::Warning));
                (ends.len(), told.len(), zero_groups(&table).len())
            };
        assert_eq!(found(|i| if i % 3 == 0 { 0.0 } else { 3.0 + (i as f64).sqrt() }), (1, 0, 2));
        assert_eq!(
            found(|i| if i % 3 == 0 { 0.0 } else { -3.0 - (i as f64).sqrt() }),
            (1, 0, 2),
            "the largest value"
        );
        assert_eq!(found(|i| if i % 3 == 0 { 0.5 } else { 3.0 + (i as f64).sqrt() }), (1, 1, 0));
        assert_eq!(
            found(|i| if i % 3 == 0 { 0.0 } else { (3.0 + (i as f64).sqrt()).min(12.5) }),
            (2, 1, 2),
            "at 12.5"
        );
        assert_eq!(found(|i| 3.0 + (i as f64).sqrt()), (0, 0, 0));
    }

    #[test]
    fn two_values_are_two() {
        assert_eq!(two_values(&table(|i| f64::from(u8::from(i % 4 == 0)))), Some([0.0, 1.0]));
        assert_eq!(two_values(&table(|i| [1.5, 2.0][i % 2])), Some([1.5, 2.0]));
        assert_eq!(
            (two_values(&table(|i| (i % 3) as f64)), two_values(&table(|_| 1.0))),
            (None, None)
        );
    }
}
