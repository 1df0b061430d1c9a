//! Compare with the Python package quantile-forest 1.4.2 over scikit-learn 1.7.2, run outside this
//! crate: `RandomForestQuantileRegressor(n_estimators=12, max_samples_leaf=None, max_depth=2,
//! random_state=4)`, and the bootstrap samples that its trees were grown on. Data and seed were
//! chosen so that no split ties with another: scikit-learn's trees stay the same when it draws the
//! order of features anew.

use super::super::grown::Weights;
use super::*;

const FEATURES: [[f64; 2]; 24] = [
    [0.655, 0.305],
    [0.107, 0.517],
    [0.602, 0.37],
    [0.374, 0.826],
    [0.298, 0.644],
    [0.988, 0.801],
    [0.539, 0.625],
    [0.704, 0.716],
    [0.329, 0.445],
    [0.74, 0.173],
    [0.783, 0.041],
    [0.246, 0.556],
    [0.397, 0.183],
    [0.717, 0.305],
    [0.835, 0.39],
    [0.126, 0.608],
    [0.7, 0.904],
    [0.832, 0.618],
    [0.375, 0.11],
    [0.37, 0.15],
    [0.072, 0.086],
    [0.898, 0.549],
    [0.376, 0.1],
    [0.308, 0.377],
];

const TARGET: [f64; 24] = [
    3.29, 0.846, 2.751, 2.277, 2.0, 5.145, 2.731, 4.214, 1.889, 3.005, 3.721, 1.523, 2.007, 3.852,
    4.222, 1.053, 3.974, 3.727, 1.834, 1.961, 0.349, 4.43, 1.775, 1.436,
];

/// How often each tree drew each row.
const BAGS: [&str; 12] = [
    "013024032112010010100011",
    "004130002130201001110202",
    "422201101110000122000301",
    "130021101030104002230000",
    "011311032101001220101021",
    "213012100001110112310201",
    "200211111110011313100021",
    "402010022111031201210000",
    "100021111001221221311010",
    "511010111011001304002100",
    "013201012200111101301111",
    "002110300010043401110011",
];

const ASKED: [[f64; 2]; 4] = [[0.1, 0.2], [0.35, 0.8], [0.62, 0.5], [0.9, 0.1]];

const LEVELS: [f64; 9] = [0.025, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.975];

/// `predict(ASKED, quantiles, weighted_leaves=True)`.
const QUANTILES: [[f64; 9]; 4] = [
    [0.349, 0.846, 0.846, 1.053, 1.053, 1.053, 1.436, 1.889, 2.0020708333333332],
    [1.4264249999999996, 1.523, 1.834, 1.889, 1.889, 1.961, 2.0, 2.277, 2.7373888888888884],
    [1.7797527777777777, 2.1465, 2.751, 2.751, 2.751, 3.29, 3.29, 3.8041707459207457, 4.214],
    [3.005, 3.005, 3.727, 3.852, 4.214, 4.222, 4.43, 5.145, 5.145],
];

/// `predict(ASKED, "mean", weighted_leaves=True)`, which scikit-learn's random forest predicts too.
const MEANS: [f64; 4] =
    [1.1331361111111111, 1.9146660714285717, 3.0003159694472195, 4.0538216750841745];

/// The same by default, `weighted_leaves=False`.
const POOLED_QUANTILES: [[f64; 9]; 4] = [
    [0.349, 0.846, 1.053, 1.053, 1.053, 1.436, 1.834, 2.0, 2.007],
    [1.2923749999999998, 1.523, 1.834, 1.834, 1.889, 1.961, 2.0, 2.277, 2.751],
    [1.775, 1.889, 2.731, 2.751, 2.751, 3.29, 3.721, 3.852, 4.214],
    [3.005, 3.29, 3.727, 3.852, 3.974, 4.222, 4.222, 5.145, 5.145],
];

/// Members of the leaves of all trees, copies counted: W.
const MEMBERS: [f64; 4] = [65.0, 106.0, 92.0, 68.0];

/// `predict(ASKED, "mean")`.
const POOLED_MEANS: [f64; 4] =
    [1.3248923076923076, 1.9149622641509434, 2.9824891304347827, 4.056249999999999];

/// `predict(FEATURES, "mean", weighted_leaves=True, oob_score=True)`.
const OUT_OF_BAG_MEANS: [f64; 24] = [
    3.594045714286,
    1.1744,
    3.74791540404,
    1.820471031746,
    0.983125,
    4.023857638889,
    2.558826666667,
    3.478191623932,
    1.75665,
    3.813277777778,
    3.385364583333,
    1.626425,
    1.90362755102,
    3.603436465201,
    3.62531990232,
    1.470722222222,
    3.742121759259,
    4.082214285714,
    1.975833333333,
    1.958916666667,
    1.281152083333,
    4.174519980416,
    1.890679365079,
    1.904631547619,
];

fn train() -> Table {
    Table::unnamed(aview2(&FEATURES).to_owned(), Array1::from_iter(TARGET))
}

/// The forest on the package's bootstrap samples.
fn forest(weighted_leaves: bool) -> Forest {
    let given = QuantileForestParameters {
        max_depth: Some(2),
        features: ForestFeatures::All,
        weighted_leaves,
        ..parameters(12, 1)
    };
    let ground = Ground::new(ID, &train()).unwrap();
    let bag = |digits: &&str| {
        digits.chars().map(|digit| digit.to_digit(10).unwrap()).collect::<Vec<u32>>()
    };
    let trees =
        BAGS.iter().map(|digits| ground.tree(&bag(digits), &given, &mut Rng::seed_from_u64(0)));
    Forest::of_trees(&ground, trees.collect())
}

/// The distance of a level from the nearest step of F.
fn to_step(weights: &Weights, level: f64) -> f64 {
    let mut sum = 0.0;
    let distance = |&(_, weight): &(u32, f64)| {
        sum += weight;
        (sum - level).abs()
    };
    weights.atoms.iter().map(distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn weights_and_quantiles_are_the_packages() {
    for (weighted, means, quantiles) in
        [(true, MEANS, QUANTILES), (false, POOLED_MEANS, POOLED_QUANTILES)]
    {
        let forest = forest(weighted);
        let (mut ties, mut equal) = (0, 0);
        for (i, weights) in forest.weights(aview2(&ASKED), &context()).unwrap().iter().enumerate() {
            assert!((weights.mean(&forest) - means[i]).abs() < 1e-12, "{weighted}: mean {i}");
            for (level, expected) in LEVELS.into_iter().zip(quantiles[i]) {
                let found = weights.quantile(&forest, level);
                if (found - expected).abs() < 1e-12 {
                    equal += 1;
                } else {
                    ties += 1;
                    assert!(
                        to_step(weights, level) <= 1.0 / MEMBERS[i],
                        "{found} against {expected} at {level}"
                    );
                }
            }
        }
        assert!(equal >= 25 && ties + equal == 36, "{equal} equal, {ties} beside a step");
    }
}

#[test]
fn out_of_bag_means_are_the_packages() {
    let forest = forest(true);
    let mut rows = Vec::new();
    let told = forest.weigh_out_of_bag(train().features.view(), &context(), |row, weights| {
        assert!((weights.mean(&forest) - OUT_OF_BAG_MEANS[row]).abs() < 1e-11, "row {row}");
        rows.push(row);
    });
    told.unwrap();
    assert_eq!(rows, (0..24).collect::<Vec<_>>());
    let short =
        forest.weigh_out_of_bag(aview2(&ASKED), &context(), |_, _| ()).unwrap_err().to_string();
    assert!(short.contains("needs the 24 rows that the forest was grown on, found 4"), "{short}");
}
