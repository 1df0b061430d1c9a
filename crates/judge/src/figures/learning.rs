//! Gather what a sequential protocol recorded step by step, over all repetitions of a column.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::side_table;
use uq_core::stats::Summary;
use uq_methods::side_tables::Learning as Recorded;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::store::Store;

/// Curves over the steps of a sequential protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learning {
    /// Title of the figure.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis, with its unit.
    pub y_label: String,
    /// Curves.
    pub curves: Vec<LearningCurve>,
    /// The second curve less the first, paired over repetitions, where there are two.
    pub difference: Option<LearningCurve>,
}

/// One curve of n steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearningCurve {
    /// Name in the legend.
    pub name: String,
    /// Steps, n, ascending.
    pub x: Vec<f64>,
    /// Means over repetitions, n.
    pub mean: Vec<f64>,
    /// Half widths of the 95 % intervals of the means, n, not negative; no band is drawn without
    /// them.
    pub half_width: Option<Vec<f64>>,
    /// Number of repetitions.
    pub repetitions: usize,
}

impl Gather for keys::Learning {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let records =
            each_panel(&self.series, results, |panel, series| record(panel, series, store))?;
        let (curves, difference) = curves(&records);
        let Self { title, x_label, y_label, .. } = self.clone();
        Ok((!curves.is_empty()).then_some(Figure::Learning(Learning {
            title,
            x_label,
            y_label,
            curves,
            difference,
        })))
    }
}

/// What every repetition of a column recorded.
struct Record {
    name: String,
    /// Steps, the same in all repetitions.
    x: Vec<f64>,
    /// Each repetition's trial and its value at every step.
    values: Vec<(TrialKey, Vec<f64>)>,
}

/// The errors of the column's reading against the number of known rows; `None` where no repetition
/// has it.
fn record(panel: &Panel, series: &Series, store: &Store) -> Result<Option<Record>, EvidenceError> {
    let mut record: Option<Record> = None;
    for result in series.finished() {
        let table = side_table(result, Recorded::NAME, store)?;
        let Some(table) = table.as_ref().and_then(Recorded::from_table) else { continue };
        let Some(y) = table.errors_of(series.column.reading.as_str()) else { continue };
        let fresh =
            || Record { name: panel.title.clone(), x: table.rows.clone(), values: Vec::new() };
        record.get_or_insert_with(fresh).values.push((result.key.clone(), y.to_vec()));
    }
    Ok(record)
}

/// The mean of each record; and where there are two, of the second less the first, over the trials
/// that both have.
fn curves(records: &[Record]) -> (Vec<LearningCurve>, Option<LearningCurve>) {
    let means = records.iter().filter_map(|record| {
        let values: Vec<&[f64]> =
            record.values.iter().map(|(_, values)| values.as_slice()).collect();
        curve(record.name.clone(), &record.x, &values)
    });
    let difference = match records {
        [first, second] => {
            let paired = second.values.iter().filter_map(|(key, values)| {
                let (_, other) = first.values.iter().find(|(other, _)| other == key)?;
                Some(values.iter().zip(other).map(|(a, b)| a - b).collect::<Vec<f64>>())
            });
            let paired: Vec<Vec<f64>> = paired.collect();
            let values: Vec<&[f64]> = paired.iter().map(Vec::as_slice).collect();
            curve(format!("{} less {}", second.name, first.name), &second.x, &values)
        }
        _ => None,
    };
    (means.collect(), difference)
}

/// The means at each step; `None` where a step has no value.
fn curve(name: String, x: &[f64], values: &[&[f64]]) -> Option<LearningCurve> {
    let at = |step: usize| {
        Summary::from_values(
            &values.iter().filter_map(|one| one.get(step).copied()).collect::<Vec<_>>(),
        )
    };
    let summaries: Vec<Summary> = (0..x.len()).map(at).collect::<Option<_>>()?;
    Some(LearningCurve {
        name,
        x: x.to_vec(),
        mean: summaries.iter().map(|s| s.mean).collect(),
        half_width: summaries.iter().map(|s| s.half_width(0.05)).collect(),
        repetitions: values.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(split: u64) -> TrialKey {
        TrialKey::parse(&format!("{split:064x}")).unwrap()
    }

    #[test]
    fn differences_are_paired_by_trial() {
        let record = |name: &str, values: Vec<(TrialKey, Vec<f64>)>| Record {
            name: name.into(),
            x: vec![30.0, 31.0],
            values,
        };
        let first = record("a", vec![(key(0), vec![5.0, 4.0]), (key(1), vec![9.0, 9.0])]);
        let second = record("b", vec![(key(1), vec![9.0, 7.0]), (key(0), vec![5.0, 2.0])]);
        let (means, difference) = curves(&[first, second]);
        let difference = difference.unwrap();
        assert_eq!(
            (means[0].mean.as_slice(), means[1].mean.as_slice()),
            (&[7.0, 6.5][..], &[7.0, 4.5][..])
        );
        assert_eq!(
            (difference.mean.as_slice(), difference.half_width),
            (&[0.0, -2.0][..], Some(vec![0.0, 0.0]))
        );
        assert_eq!((difference.name.as_str(), difference.repetitions), ("b less a", 2));
    }

    #[test]
    fn one_repetition_has_no_interval_and_one_curve_no_difference() {
        let (means, difference) =
            curves(&[Record { name: "a".into(), x: vec![1.0], values: vec![(key(0), vec![2.0])] }]);
        assert_eq!((means[0].half_width.clone(), difference), (None, None));
    }
}
