//! Write every form of predictive distribution as rows, and read it back bit-equal.

use std::collections::BTreeMap;
use std::time::Duration;

use ndarray::{Array1, Array2, Axis};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use uq_core::metrics::RowFacts;
use uq_core::predictive::{
    Atoms, Form, Gaussian, Mixture, Piecewise, Predictive, Quantiles, Samples, Split, StudentT,
};
use uq_methods::Reading;
use uqbench_run::protocols::Observed;
use uqbench_run::runner::layout::{Layout, decode, encode};

/// Any finite number: subnormal ones and both zeros too.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        9 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(f64::MIN_POSITIVE / 2.0), Just(f64::MAX), Just(0.1)],
    ]
}

fn numbers(n: usize) -> impl Strategy<Value = Array1<f64>> {
    vec(number(), n).prop_map(Array1::from)
}

fn matrix(n: usize, k: usize) -> impl Strategy<Value = Array2<f64>> {
    vec(number(), n * k).prop_map(move |values| Array2::from_shape_vec((n, k), values).unwrap())
}

/// Numbers that are not negative, the smallest and the largest ones included.
fn variances(n: usize) -> impl Strategy<Value = Array1<f64>> {
    numbers(n).prop_map(|numbers| numbers.mapv(f64::abs))
}

/// Numbers above 0.
fn scales(n: usize) -> impl Strategy<Value = Array1<f64>> {
    variances(n).prop_map(|numbers| numbers.mapv(|x| x.max(f64::MIN_POSITIVE)))
}

/// Rows of k probabilities that add up to 1.
fn probabilities(n: usize, k: usize) -> impl Strategy<Value = Array2<f64>> {
    vec(1..1000u32, n * k).prop_map(move |counts| {
        let mut rows = Array2::from_shape_fn((n, k), |(i, j)| f64::from(counts[i * k + j]));
        rows.rows_mut().into_iter().for_each(|mut row| row /= row.sum());
        rows
    })
}

/// Rows of k numbers, each greater than the one before.
fn edges(n: usize, k: usize) -> impl Strategy<Value = Array2<f64>> {
    vec(1e-6..10.0f64, n * k).prop_map(move |steps| {
        let mut rows = Array2::from_shape_vec((n, k), steps).unwrap();
        rows.rows_mut()
            .into_iter()
            .for_each(|mut row| row.accumulate_axis_inplace(Axis(0), |sum, step| *step += *sum));
        rows - 20.0
    })
}

/// A form over n points that is small enough to be kept exactly.
fn small_form(n: usize) -> impl Strategy<Value = Form> {
    let k = 1..=20usize;
    let weights = move |k| {
        let both = (any::<bool>(), probabilities(1, k), probabilities(n, k));
        both.prop_map(|(shared, one, all)| if shared { one } else { all })
    };
    prop_oneof![
        (numbers(n), variances(n))
            .prop_map(|(mean, variance)| Form::Gaussian(Gaussian { mean, variance })),
        (numbers(n), scales(n), scales(n)).prop_map(|(location, scale, degrees_of_freedom)| {
            Form::StudentT(StudentT { location, scale, degrees_of_freedom })
        }),
        k.clone().prop_flat_map(move |k| (weights(k), matrix(n, k), matrix(n, k))).prop_map(
            |(weights, means, all)| Form::Mixture(Mixture {
                weights,
                means,
                variances: all.mapv(f64::abs)
            })
        ),
        k.clone()
            .prop_flat_map(move |k| (weights(k), matrix(n, k)))
            .prop_map(|(weights, values)| Form::Atoms(Atoms { values, weights })),
        k.clone().prop_flat_map(move |k| matrix(n, k)).prop_map(|mut values| {
            values
                .rows_mut()
                .into_iter()
                .for_each(|mut row| row.as_slice_mut().unwrap().sort_by(f64::total_cmp));
            let levels = (1..=values.ncols()).map(|i| i as f64 / 21.7).collect();
            Form::Quantiles(Quantiles { levels, values })
        }),
        k.clone()
            .prop_flat_map(move |k| matrix(n, k))
            .prop_map(|values| Form::Samples(Samples { values })),
        k.prop_flat_map(move |k| (edges(n, k + 1), probabilities(n, k + 2), scales(2 * n)))
            .prop_map(move |(edges, masses, scales)| {
                let k = masses.ncols() - 2;
                let tails = Array2::from_shape_fn((n, 4), |(i, j)| match j % 2 {
                    0 => masses[[i, k + j / 2]],
                    _ => scales[2 * i + j / 2],
                });
                Form::Piecewise(Piecewise {
                    edges,
                    masses: Array2::from_shape_fn((n, k), |(i, j)| masses[[i, j]]),
                    tails,
                })
            }),
    ]
}

fn split(n: usize) -> impl Strategy<Value = Option<Split>> {
    let part = move || proptest::option::of(variances(n));
    proptest::option::of(
        (part(), part()).prop_map(|(aleatoric, epistemic)| Split { aleatoric, epistemic }),
    )
}

fn predictive(n: usize) -> impl Strategy<Value = Predictive> {
    (small_form(n), split(n)).prop_map(|(form, split)| Predictive { form, split })
}

fn observed(y: Array1<f64>, x: Option<Array1<f64>>, all: Vec<Predictive>) -> Observed {
    let name = |i: usize| Reading::new(format!("reading-{i}"));
    Observed {
        x,
        y,
        facts: RowFacts::default(),
        readings: all.into_iter().enumerate().map(|(i, p)| (name(i), p)).collect(),
        side_tables: Vec::new(),
        parts: Vec::new(),
        train_rows: 1,
        target_range: None,
        target_resolution: None,
        fit_time: Duration::ZERO,
        fit_cpu: None,
        steps_cpu: None,
        predict_time: Duration::ZERO,
        predict_cpu: None,
        interval_cpu: BTreeMap::new(),
    }
}

/// The layout as a store keeps it, in JSON.
fn through_json(layout: &Layout) -> Layout {
    serde_json::from_str(&serde_json::to_string(layout).unwrap()).unwrap()
}

/// Every digit of a value, including signs of zeros.
fn digits(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

proptest! {
    #[test]
    fn small_forms_are_kept_bit_equal(
        (y, x, region, noise, truth, density, all) in (1..6usize).prop_flat_map(|n| {
            let optional = || proptest::option::of(numbers(n));
            (
                numbers(n),
                optional(),
                optional(),
                optional(),
                optional(),
                optional(),
                vec(predictive(n), 1..4),
            )
        }),
    ) {
        let observed =
            Observed { facts: RowFacts { region, noise, truth, density }, ..observed(y, x, all) };
        let (layout, bytes) = encode(&observed).unwrap();
        let decoded = decode(&through_json(&layout), &bytes).unwrap();
        prop_assert_eq!(digits(&decoded.readings), digits(&observed.readings));
        prop_assert_eq!(digits(&(decoded.y, decoded.x)), digits(&(&observed.y, &observed.x)));
        prop_assert_eq!(digits(&decoded.facts), digits(&observed.facts));
        for (reading, _) in &observed.readings {
            prop_assert!(!layout.is_lossy(reading));
        }
        let (_, again) = encode(&observed).unwrap();
        prop_assert_eq!(bytes, again);
    }
}

/// Numbers in [0, 1) that look random and are the same in every run.
fn grid(n: usize, k: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, k), |(i, j)| ((i * k + j) as f64 * 0.618_033_988_749_895).fract())
}

#[test]
fn large_forms_are_kept_as_a_flagged_summary() {
    for n in [1, 4] {
        let even = |rows: usize, k: usize| Array2::from_elem((rows, k), 1.0 / k as f64);
        let mut quantiles = grid(n, 65);
        for mut row in quantiles.rows_mut() {
            row.as_slice_mut().unwrap().sort_by(f64::total_cmp);
        }
        let levels = (1..=65).map(|i| f64::from(i) / 66.0).collect();
        let large = [
            Form::Samples(Samples { values: grid(n, 65) }),
            Form::Mixture(Mixture {
                weights: even(n, 22),
                means: grid(n, 22),
                variances: grid(n, 22) + 0.1,
            }),
            Form::Atoms(Atoms { values: grid(n, 513), weights: even(1, 513) }),
            Form::Quantiles(Quantiles { levels, values: quantiles }),
        ];
        for form in large {
            let y = Array1::from_elem(n, 0.4);
            let split = Some(Split { aleatoric: Some(Array1::from_elem(n, 0.3)), epistemic: None });
            let observed = Observed {
                target_resolution: Some(0.25),
                ..observed(y, None, vec![Predictive { form, split }])
            };
            let (layout, bytes) = encode(&observed).unwrap();
            let (reading, original) = &observed.readings[0];
            assert!(layout.is_lossy(reading));
            let decoded = decode(&through_json(&layout), &bytes).unwrap();
            let kept = &decoded.readings[0].1;
            assert_eq!(*kept, original.summarised(observed.y.view(), Some(0.25)));
            assert_eq!((kept.form.kind(), &kept.split), (original.form.kind(), &original.split));
            assert_eq!(kept.means(), original.means());
        }
    }
}

#[test]
fn forms_at_the_limit_are_kept_exactly() {
    let weights = Array2::from_elem((1, 512), 1.0 / 512.0);
    let all = vec![
        Predictive::new(Form::Samples(Samples { values: grid(3, 64) })),
        Predictive::new(Form::Atoms(Atoms { values: grid(3, 512), weights })),
    ];
    let observed = observed(Array1::zeros(3), None, all);
    let (layout, bytes) = encode(&observed).unwrap();
    assert_eq!(decode(&through_json(&layout), &bytes).unwrap().readings, observed.readings);
}

#[test]
fn a_layout_without_facts_is_read_as_an_early_trial() {
    let form = Form::Gaussian(Gaussian { mean: Array1::zeros(2), variance: Array1::ones(2) });
    let observed = observed(Array1::from(vec![0.3, 0.4]), None, vec![Predictive::new(form)]);
    let (layout, bytes) = encode(&observed).unwrap();
    // As the program wrote it before regions and noise were stored.
    let stored = concat!(
        r#"{"y":0,"x":null,"readings":[{"reading":"reading-0","lossy":false,"form":{"gaussian":{"mean":1,"variance":2}},"#,
        r#""aleatoric":null,"epistemic":null,"split":false}]}"#
    );
    assert_eq!(serde_json::to_string(&layout).unwrap(), stored);
    let decoded = decode(&serde_json::from_str(stored).unwrap(), &bytes).unwrap();
    assert_eq!((decoded.facts, decoded.y), (RowFacts::default(), observed.y));
}

#[test]
fn a_table_of_another_layout_is_an_error() {
    let one = |k| {
        observed(
            Array1::zeros(3),
            None,
            vec![Predictive::new(Form::Samples(Samples { values: grid(3, k) }))],
        )
    };
    let (large, _) = encode(&one(5)).unwrap();
    let (_, small) = encode(&one(2)).unwrap();
    assert!(decode(&large, &small).is_err());
    assert!(decode(&large, b"no table").is_err());
}
