//! Let an acquisition function choose the rows that are added to a fit, with fixed hyperparameters.
//!
//! A simulated problem's training rows are a pool. Some of them, drawn at random, are fitted. Then
//! the row of the pool with the largest variance is added, one row at a time: the variance of y, or
//! of f alone. Both acquisition functions start from the same fit. Each is a reading of the trial:
//! the prediction at the test rows after the last addition.
//!
//! Reference: Patel, Batra & Murphy (2022), Section 2.3 and Figure 2.

use ndarray::Array1;

use serde::{Deserialize, Serialize};

use super::answers::{Fit, Observation};
use super::kind::{ProtocolKind, TestRows, Usage, wrong_source};
use super::limits::MOST_SPLITS;
use super::repetition::{Repetition, Rows, Source};
use super::sequential::{Acquisition, Campaign, Ground, Pool, Step};
use uq_core::Table;
use uq_core::math::random::{Streams, draw_without_replacement};
use uq_core::predictive::Predictive;
use uq_core::scaling::Scaler;
use uq_methods::side_tables::{Learning, Points};
use uq_methods::{Context, FitError, Fitted, Reading, Request, SideTable};

/// A simulated problem's training rows are a pool. Some are known at the start, and each
/// acquisition function adds others with fixed hyperparameters. Each acquisition function is a
/// reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActiveLearning {
    /// Rows that are known at the start, drawn at random.
    pub start: usize,
    /// Rows that are added, one by one.
    pub added: usize,
}

impl ProtocolKind for ActiveLearning {
    fn test_rows(&self) -> TestRows {
        TestRows::New
    }

    fn compares_methods(&self) -> bool {
        false
    }

    fn readings(&self, _: Vec<Reading>) -> Vec<Reading> {
        ACQUISITIONS.map(|acquisition| Reading::new(acquisition.to_string())).into()
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        let (start, added, range) = (self.start, self.added, 1..=MOST_SPLITS as usize);
        if !range.contains(&start) || !range.contains(&added) {
            return Err(format!(
                "active learning starts with {start} rows and adds {added}, expected 1 to \
                 {MOST_SPLITS} of both"
            ));
        }
        Ok(())
    }

    /// The training rows are those known at the start, and all rows are the pool.
    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let Source::Simulated(problem) = source else { return Err(wrong_source()) };
        let drawn = repetition.draw(problem);
        let known =
            first_rows(drawn.train.rows(), self.start, &repetition.streams, repetition.split);
        let (noise, truth) = (drawn.noise, drawn.truth);
        Ok(Rows {
            train: drawn.train.select(&known),
            all: drawn.train,
            test: drawn.test,
            noise,
            truth,
        })
    }

    fn observe(&self, fit: &Fit) -> Result<Observation, FitError> {
        let Fit { rows, repetition, scaler, .. } = *fit;
        let start = first_rows(rows.all.rows(), self.start, &repetition.streams, repetition.split);
        let (pool, test, truth) = (&rows.all, &rows.test, rows.truth.as_ref());
        let experiment = Experiment { pool, start: &start, added: self.added, test, truth, scaler };
        let (readings, side_tables) = learn(fit.fitted, &experiment, fit.request, fit.context)?;
        Ok(Observation { readings, side_tables, ..Observation::default() })
    }
}

/// The acquisition functions, in the order of the trial's readings.
const ACQUISITIONS: [Acquisition; 2] = [Acquisition::Total, Acquisition::Epistemic];

/// Rows of the pool that are known at the start: `start` of them, or all where the pool is smaller,
/// in the pool's order.
fn first_rows(pool: usize, start: usize, streams: &Streams, split: u64) -> Vec<usize> {
    let mut rows = draw_without_replacement(pool, start, &mut streams.stream("start", split));
    rows.sort_unstable();
    rows
}

/// The pool and the test rows of one trial; tables in the data's units.
struct Experiment<'a> {
    /// All rows that may be chosen.
    pool: &'a Table,
    /// Rows that are known at the start.
    start: &'a [usize],
    /// Number of rows that are added.
    added: usize,
    /// Rows at which errors are measured.
    test: &'a Table,
    /// Noise-free truth at the test rows.
    truth: Option<&'a Array1<f64>>,
    /// Converts between the data's units and the fit's units.
    scaler: &'a Scaler,
}

/// The final prediction of each acquisition function, and the side tables of the steps.
type Learned = (Vec<(Reading, Predictive)>, Vec<SideTable>);

/// Adds rows of the pool by each acquisition function. Returns the predictions at the test rows
/// after that, in the fit's units, and the side tables: [`Points`] that each function added, and
/// [`Learning`].
///
/// # Errors
/// As [`Fitted::refit`] and [`Fitted::predict`]; [`FitError::Unsupported`] without a truth or a
/// split.
fn learn(
    fitted: &dyn Fitted,
    experiment: &Experiment,
    request: &Request,
    context: &Context,
) -> Result<Learned, FitError> {
    let Experiment { pool, start, added, test, truth, scaler } = *experiment;
    let Some(truth) = truth else {
        return Err(FitError::Unsupported(
            "active learning needs a problem whose truth is known".into(),
        ));
    };
    if pool.rows() < start.len() + added {
        return Err(FitError::Unsupported(format!(
            "the pool has fewer than {} rows",
            start.len() + added
        )));
    }
    let (scaled_pool, (shift, scale)) = (scaler.apply(pool), scaler.target_back());
    let open: Vec<usize> = (0..pool.rows()).filter(|row| !start.contains(row)).collect();
    let ground = Pool {
        rows: pool,
        start,
        open: &open,
        batch: 1,
        fit: &|known, step| {
            let refitted =
                fitted.refit(&scaled_pool.select(known), &context.child("refit", step - 1))?;
            Ok((refitted, scaler.clone()))
        },
        keep: &|predictive, _| Ok(predictive),
        campaign: Campaign {
            test,
            steps: added,
            first: (fitted, scaler),
            reading: &Reading::MAIN,
            request,
            streams: Streams::new(0, "no row is drawn at random"),
            context,
            journal: None,
        },
    };
    let (mut readings, mut tables) = (Vec::new(), Vec::new());
    let rows = (0..=added).map(|step| (start.len() + step) as f64).collect();
    let mut learning = Learning { rows, errors: Vec::new() };
    for acquisition in ACQUISITIONS {
        let mut steps = ground.follow(acquisition)?;
        let error = |step: &Step| {
            let mean = step.at_test.means();
            let mean =
                mean.ok_or_else(|| FitError::Unsupported("active learning needs a mean".into()))?;
            let squares =
                mean.iter().zip(truth).map(|(mean, truth)| (shift + scale * mean - truth).powi(2));
            Ok((squares.sum::<f64>() / truth.len() as f64).sqrt())
        };
        learning.errors.push((
            acquisition.to_string(),
            steps.iter().map(error).collect::<Result<_, FitError>>()?,
        ));
        let chosen: Vec<usize> =
            steps.iter().flat_map(|step| step.next.rows.iter().copied()).collect();
        let new = pool.select(&chosen);
        let points = Points { x: new.features.column(0).to_vec(), y: new.target.to_vec() };
        tables.push(points.to_table(Points::acquired(&acquisition.to_string())));
        readings
            .extend(steps.pop().map(|last| (Reading::new(acquisition.to_string()), last.at_test)));
    }
    tables.push(learning.to_table());
    Ok((readings, tables))
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, ArrayView2, array};

    use super::*;
    use uq_core::predictive::{Form, Gaussian, Split};
    use uq_core::scaling::Scaling;

    /// Predicts the mean of its targets everywhere; var y grows with x, var f falls with it.
    struct Stub(f64);

    impl Fitted for Stub {
        fn predict(
            &self,
            _: &Reading,
            features: ArrayView2<f64>,
            _: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            let x = features.column(0);
            let epistemic = x.mapv(|x| 1.0 / (2.0 + x));
            let variance = x.mapv(|x| 2.0 + x);
            let mean = Array1::from_elem(x.len(), self.0);
            let mut predictive =
                Predictive::new(Form::Gaussian(Gaussian { mean, variance: variance.clone() }));
            predictive.split =
                Some(Split { aleatoric: Some(&variance - &epistemic), epistemic: Some(epistemic) });
            Ok(predictive)
        }

        fn refit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
            Ok(Box::new(Self(train.target.sum() / train.rows() as f64)))
        }
    }

    #[test]
    fn each_function_adds_the_rows_of_its_largest_variance_and_records_the_error() {
        let x = [0.0, 1.0, 2.0, 3.0, 4.0];
        let pool = Table::unnamed(
            Array2::from_shape_fn((5, 1), |(i, _)| x[i]),
            array![1.0, 2.0, 3.0, 4.0, 5.0],
        );
        let (test, truth) = (pool.select(&[0, 4]), array![0.0, 0.0]);
        let scaler = Scaler::new(Scaling::None, &pool, &pool);
        let experiment = Experiment {
            pool: &pool,
            start: &[2],
            added: 2,
            test: &test,
            truth: Some(&truth),
            scaler: &scaler,
        };
        let context = Context::new(Streams::new(1, "stub"));
        let (readings, tables) =
            learn(&Stub(3.0), &experiment, &Request::default(), &context).unwrap();
        let column = |table: &str, name: &str| -> Vec<f64> {
            tables.iter().find(|t| t.name == table).unwrap().column(name).unwrap().to_vec()
        };
        assert_eq!(
            (column("acquired@total", "x"), column("acquired@epistemic", "x")),
            (vec![4.0, 3.0], vec![0.0, 1.0])
        );
        assert_eq!(column("learning", "rows"), [1.0, 2.0, 3.0]);
        // The root mean squared error is the mean of the known targets, because the truth is 0: 3,
        // (3 + 5)/2, (3 + 5 + 4)/3.
        let errors = [column("learning", "total"), column("learning", "epistemic")];
        assert_eq!(errors, [[3.0, 4.0, 4.0], [3.0, 2.0, 2.0]]);
        assert_eq!(
            readings.iter().map(|(r, _)| r.as_str().to_owned()).collect::<Vec<_>>(),
            ["total", "epistemic"]
        );
        assert_eq!(readings[1].1.means().unwrap(), array![2.0, 2.0], "the final predictions");
    }

    #[test]
    fn active_learning_that_is_impossible_is_refused() {
        let pool = Table::unnamed(array![[0.0], [1.0]], array![1.0, 2.0]);
        let (scaler, truth) = (Scaler::new(Scaling::None, &pool, &pool), array![0.0, 0.0]);
        let message = |added, truth| {
            let experiment =
                Experiment { pool: &pool, start: &[0], added, test: &pool, truth, scaler: &scaler };
            let context = Context::new(Streams::new(1, "stub"));
            learn(&Stub(1.0), &experiment, &Request::default(), &context)
                .err()
                .map(|error| error.to_string())
                .unwrap()
        };
        assert!(message(1, None).contains("whose truth is known"));
        assert!(message(2, Some(&truth)).contains("fewer than 3 rows"));
    }

    #[test]
    fn the_first_rows_are_distinct_and_drawn_anew_by_each_repetition() {
        let rows = |split| first_rows(200, 30, &Streams::new(1, "data"), split);
        assert!(rows(0).len() == 30 && rows(0).windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(rows(0), rows(0));
        assert_ne!(rows(0), rows(1));
    }
}
