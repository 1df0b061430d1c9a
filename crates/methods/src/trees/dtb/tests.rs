use super::*;
use crate::polynomial::{Polynomial, PolynomialParameters};
use crate::trees::{Cart, CartParameters, solve};
use ndarray::array;
use rand::RngExt;
use sha2::{Digest, Sha256};
use uq_core::Dependence;
use uq_core::math::random::Streams;

fn context() -> Context {
    Context::new(Streams::new(1, "dtb"))
}

fn trees(count: usize) -> LearnerGroup {
    let parameters = CartParameters { max_depth: Some(4), ..CartParameters::default() };
    LearnerGroup { method: Box::new(Cart::new(parameters).unwrap()), count }
}

fn polynomials(count: usize) -> LearnerGroup {
    LearnerGroup {
        method: Box::new(Polynomial::new(PolynomialParameters { degree: 3 }).unwrap()),
        count,
    }
}

fn table(rows: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 2), || rng.random::<f64>());
    // Products only: a sine would differ between platforms' mathematical libraries.
    let target = features
        .rows()
        .into_iter()
        .map(|x| 4.0 * x[0] * (1.0 - x[0]) + x[1] + 0.1 * rng.random::<f64>());
    let target: Array1<f64> = target.collect();
    Table::unnamed(features, target)
}

/// A method that always predicts the same number, so that losses can be computed by hand.
struct Constant(f64);

impl Method for Constant {
    fn id(&self) -> &'static str {
        "constant"
    }
    fn version(&self) -> u32 {
        1
    }
    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "value": self.0 })
    }
    fn fit(&self, _train: &Table, _context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        Ok(Box::new(Self(self.0)))
    }
}

impl Fitted for Constant {
    fn predict(
        &self,
        _reading: &Reading,
        features: ArrayView2<f64>,
        _request: &Request,
        _context: &Context,
    ) -> Result<Predictive, FitError> {
        Ok(crate::point::one_atom(Array1::from_elem(features.nrows(), self.0)))
    }
}

fn constants(values: &[f64]) -> Vec<LearnerGroup> {
    values
        .iter()
        .map(|&value| LearnerGroup { method: Box::new(Constant(value)), count: 1 })
        .collect()
}

fn column(fitted: &dyn Fitted, side_table: &str, column: &str) -> Vec<f64> {
    let side_tables = fitted.side_tables();
    side_tables.iter().find(|a| a.name == side_table).unwrap().column(column).unwrap().to_vec()
}

fn atoms(fitted: &dyn Fitted, reading: &str, features: ArrayView2<f64>) -> (Atoms, Array1<f64>) {
    let predictive = fitted
        .predict(&Reading::new(reading.to_string()), features, &Request::default(), &context())
        .unwrap();
    let split = predictive.split.unwrap();
    assert_eq!(split.aleatoric, None);
    let Form::Atoms(atoms) = predictive.form else { panic!("DTB answers with atoms") };
    (atoms, split.epistemic.unwrap())
}

#[test]
fn two_constant_models_have_the_hand_computed_weights() {
    // Targets 0 and 1 in two bins, models 0.25 and 1: L = [[1/16, 9/16], [1, 0]], so p = (2/3,
    // 1/3), v = 3/8.
    let train = Table::unnamed(array![[0.0], [0.0]], array![1.0, 0.0]);
    let parameters =
        DtbParameters { uq_set: UqSet::Shared, bins: 2, games: 3, ..DtbParameters::default() };
    let fitted =
        Dtb::new(parameters, constants(&[0.25, 1.0])).unwrap().fit(&train, &context()).unwrap();
    let (atoms, variance) = atoms(&*fitted, "game", array![[5.0]].view());
    assert_eq!(atoms.values, array![[0.25, 1.0]]);
    assert!(
        (&atoms.weights - &array![[2.0 / 3.0, 1.0 / 3.0]]).iter().all(|d| d.abs() < 1e-12),
        "{}",
        atoms.weights
    );
    // ρ = 1/2, σ² = (1/4)² 2/3 + (1/2)² 1/3 = 1/8.
    assert!((variance[0] - 0.125).abs() < 1e-12);
    assert!(column(&*fitted, "values@game", "value").iter().all(|v| (v - 0.375).abs() < 1e-12));
    assert_eq!(column(&*fitted, "values@game", "game"), [0.0, 1.0, 2.0]);
}

#[test]
fn all_of_every_bin_is_the_deterministic_game() {
    let train = table(90);
    let parameters = DtbParameters {
        uq_set: UqSet::Shared,
        bins: 10,
        games: 4,
        ratio: 1.0,
        ..DtbParameters::default()
    };
    let fitted = Dtb::new(parameters, vec![trees(5)]).unwrap().fit(&train, &context()).unwrap();
    let (atoms, _) = atoms(&*fitted, "game", train.features.view());
    let mut order: Vec<usize> = (0..90).collect();
    order.sort_by(|&a, &b| train.target[a].total_cmp(&train.target[b]));
    let losses = Array2::from_shape_fn((5, 10), |(i, j)| {
        order[9 * j..9 * (j + 1)]
            .iter()
            .map(|&u| (train.target[u] - atoms.values[(u, i)]).powi(2))
            .sum::<f64>()
            / 9.0
    });
    let expected = solve(losses.view()).unwrap();
    let weights = column(&*fitted, "weights@game", "weight");
    assert!(
        weights.iter().zip(&expected.row_strategy).all(|(a, b)| (a - b).abs() < 1e-9),
        "{weights:?}"
    );
    let values = column(&*fitted, "values@game", "value");
    assert!(
        values.iter().all(|v| (v - expected.value).abs() < 1e-9 * expected.value),
        "{values:?}"
    );
    assert!(column(&*fitted, "values@game", "gap").iter().all(|gap| *gap < 1e-9));
}

#[test]
fn one_model_is_that_model() {
    let train = table(60);
    let fitted = Dtb::new(DtbParameters::default(), vec![trees(1)])
        .unwrap()
        .fit(&train, &context())
        .unwrap();
    let (game, variance) = atoms(&*fitted, "game", train.features.view());
    let (uniform, _) = atoms(&*fitted, "uniform", train.features.view());
    assert_eq!(game, uniform);
    assert_eq!(game.weights, array![[1.0]]);
    assert!(variance.iter().all(|&v| v == 0.0));
}

#[test]
fn separate_sets_share_no_row_and_have_the_requested_sizes() {
    let dtb = |parameters| Dtb::new(parameters, vec![trees(1)]).unwrap();
    let example_1 = dtb(DtbParameters { uq_rows: Some(6777), ..DtbParameters::default() });
    let (t, u) = example_1.separate(&table(20_536), &context()).unwrap();
    assert_eq!((t.len(), u.len()), (13_759, 6_777));
    let mut all = [t, u].concat();
    all.sort_unstable();
    assert_eq!(all, (0..20_536).collect::<Vec<_>>());
    let default = dtb(DtbParameters::default());
    let sizes = |rows| default.separate(&table(rows), &context()).map(|(t, u)| (t.len(), u.len()));
    assert_eq!((sizes(16_512), sizes(3), sizes(2)), (Ok((13_210, 3_302)), Ok((2, 1)), Ok((1, 1))));
    assert!(
        matches!(sizes(1), Err(FitError::Unsupported(m)) if m.contains("at least 2 training rows, found 1"))
    );
    let too_many = dtb(DtbParameters { uq_rows: Some(5), ..DtbParameters::default() })
        .separate(&table(5), &context());
    assert!(matches!(too_many, Err(FitError::Unsupported(m)) if m.contains("at most 4")));
    let shared = dtb(DtbParameters { uq_set: UqSet::Shared, ..DtbParameters::default() });
    assert_eq!(shared.separate(&table(4), &context()), Ok((vec![0, 1, 2, 3], vec![0, 1, 2, 3])));
    let series = Table { dependence: Dependence::Periods(vec![0, 1, 2, 3, 3]), ..table(5) };
    assert_eq!(
        default.separate(&series, &context()),
        Ok((vec![0, 1, 2], vec![3, 4])),
        "the last period"
    );
}

#[test]
fn a_sweep_plays_on_the_same_models() {
    let train = table(300);
    let point = |ratio, games| SweepPoint { ratio, games };
    let parameters = DtbParameters {
        bins: 20,
        games: 10,
        ratio: 0.5,
        sweep: vec![point(0.5, 10), point(0.05, 100)],
        ..DtbParameters::default()
    };
    let dtb = Dtb::new(parameters, vec![trees(3), polynomials(2)]).unwrap();
    let names: Vec<String> = dtb.readings().iter().map(Reading::to_string).collect();
    assert_eq!(names, ["game", "uniform", "game@0.5x10", "game@0.05x100"]);
    let fitted = dtb.fit(&train, &context()).unwrap();
    let at = train.features.view();
    let [game, uniform, same, other] =
        ["game", "uniform", "game@0.5x10", "game@0.05x100"].map(|r| atoms(&*fitted, r, at));
    assert_eq!(game, same, "the same ratio and number of games give the same weights");
    assert_eq!(game.0.values, other.0.values);
    assert_ne!(game.0.weights, other.0.weights);
    assert_eq!(uniform.0.weights, Array2::from_elem((1, 5), 0.2));
    assert_eq!(column(&*fitted, "weights@game", "learner"), [0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(column(&*fitted, "values@game@0.05x100", "value").len(), 100);
    let missing = fitted
        .predict(&Reading::MAIN, at, &Request::default(), &context())
        .unwrap_err()
        .to_string();
    let known =
        "the readings 'game', 'uniform', 'game@0.5x10' and 'game@0.05x100', asked for 'main'";
    assert!(missing.contains(known), "{missing}");
}

#[test]
fn learners_of_different_methods_play_in_one_game() {
    // Section 2.3 allows any models. Steps suit a tree and curves a polynomial: here is only a
    // curve, with few rows for each model.
    let train = table(60);
    let parameters =
        DtbParameters { uq_set: UqSet::Shared, bins: 6, games: 20, ..DtbParameters::default() };
    let dtb = |learners| Dtb::new(parameters.clone(), learners).unwrap();
    let [mixed, alone] = [vec![trees(3), polynomials(3)], vec![trees(3)]]
        .map(|learners| dtb(learners).fit(&train, &context()).unwrap());
    let (found, variance) = atoms(&*mixed, "game", train.features.view());
    assert_eq!(found.values.dim(), (60, 6));
    assert_eq!(column(&*mixed, "weights@game", "learner"), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    // The first group is fitted as it would be without the second.
    let (trees_alone, _) = atoms(&*alone, "game", train.features.view());
    assert!(
        found.values.columns().into_iter().zip(trees_alone.values.columns()).all(|(a, b)| a == b)
    );
    // A player with more rows to choose from never loses more.
    let (more, fewer) =
        (column(&*mixed, "values@game", "value"), column(&*alone, "values@game", "value"));
    assert!(
        more.iter().zip(&fewer).all(|(more, fewer)| *more <= fewer * (1.0 + 1e-9)),
        "{more:?} {fewer:?}"
    );
    let polynomials: f64 = found.weights.iter().skip(3).sum();
    assert!(polynomials > 0.5 && variance.iter().all(|v| *v >= 0.0), "{polynomials}");
}

#[test]
fn few_rows_constant_targets_and_single_learners_are_fitted() {
    let small = table(12);
    let constant = Table::unnamed(small.features.clone(), Array1::from_elem(12, 0.7));
    for (train, uq_set) in
        [(&small, UqSet::Separate), (&small, UqSet::Shared), (&constant, UqSet::Separate)]
    {
        let parameters =
            DtbParameters { uq_set, subset_fraction: 0.005, ..DtbParameters::default() };
        let fitted = Dtb::new(parameters, vec![trees(2), polynomials(2)])
            .unwrap()
            .fit(train, &context())
            .unwrap();
        let weights = column(&*fitted, "weights@game", "weight");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(weights.iter().all(|&w| w >= 0.0));
    }
}

#[test]
fn a_model_whose_prediction_is_not_finite_is_named() {
    let train = table(20);
    let error = Dtb::new(DtbParameters::default(), constants(&[0.0, f64::NAN]))
        .unwrap()
        .fit(&train, &context())
        .err();
    assert_eq!(
        error,
        Some(FitError::Diverged("model 1 (from 0) of the ensemble predicts no finite mean".into()))
    );
}

#[test]
fn parameters_are_checked_and_listed() {
    let error = |parameters| Dtb::new(parameters, vec![trees(1)]).err().unwrap().to_string();
    let default = DtbParameters::default;
    let message = error(DtbParameters { ratio: 0.0, ..default() });
    assert_eq!(message, "parameter `ratio` is 0, expected a number above 0, at most 1");
    let message = error(DtbParameters { uq_set: UqSet::Shared, uq_rows: Some(3), ..default() });
    assert_eq!(message, "parameter `uq_rows` is 3, expected null, because `uq_set` is \"shared\"");
    let twice = vec![SweepPoint { ratio: 0.1, games: 5 }; 2];
    let message = error(DtbParameters { sweep: twice, ..default() });
    assert_eq!(
        message,
        "parameter `sweep[1]` is game@0.1x5, expected each pair of ratio and games once"
    );
    assert!(
        error(DtbParameters { subset_fraction: f64::NAN, ..default() })
            .contains("`subset_fraction` is NaN")
    );
    let message = Dtb::new(default(), vec![]).err().unwrap().to_string();
    assert_eq!(message, "parameter `learners` is [], expected at least one group of learners");
    let told = Dtb::new(default(), vec![polynomials(2)]).unwrap().parameters();
    let learner = serde_json::json!({"id": "polynomial", "version": 1, "parameters": {"degree": 3}, "count": 2});
    assert_eq!(told["learners"], serde_json::json!([learner]));
    assert_eq!((&told["uq_set"], &told["uq_rows"]), (&"separate".into(), &serde_json::Value::Null));
}

#[test]
fn a_cancelled_fit_stops() {
    let cancel = crate::CancelToken::default();
    cancel.cancel();
    let stopped = context().stopping(cancel, None);
    let error =
        Dtb::new(DtbParameters::default(), vec![trees(1)]).unwrap().fit(&table(30), &stopped).err();
    assert_eq!(error, Some(FitError::Cancelled));
}

/// A fit whose bytes change must raise [`Method::version`].
#[test]
fn the_version_stands_for_these_bytes() {
    let train = table(50);
    let dtb =
        Dtb::new(DtbParameters { bins: 5, games: 7, ..DtbParameters::default() }, vec![trees(4)])
            .unwrap();
    let fitted = dtb.fit(&train, &context()).unwrap();
    let (atoms, variance) = atoms(&*fitted, "game", train.features.view());
    let mut hash = Sha256::new();
    for value in atoms.values.iter().chain(&atoms.weights).chain(&variance) {
        // Weights come out of a linear programme: bytes may differ between processors beyond these
        // digits.
        hash.update(format!("{value:.9e}"));
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (dtb.version(), digest.as_str()),
        (1, "a1581ddd846b8eeb92cf30c02de43479a33b64044e5a91e99ac449c18feb9190")
    );
}
