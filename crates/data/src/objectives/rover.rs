//! Reward a rover for a path through boxes from near one corner of the unit square to near the
//! other.
//!
//! 30 points of [−0.1, 1.1]² make the path: the cubic in normalised chord length with the least sum
//! of squared distances from the points. That is what the original program's smoothing spline is:
//! its default smoothing allows a sum of 30 − √60 = 22.25, and no points of that square are further
//! than 21.6 in all from their best cubic, so that it never adds a knot.
//!
//! ```text
//! reward = 5 − Σ_i |P_{i+1} − P_i| (c(P_i) + c(P_{i+1}))/2 − 10 |P_1 − start|₁ − 10 |P_1000 − goal|₁
//! c(P) = 0.05, and 20 more in a box of side 0.05 about one of the centres or outside of the unit square
//! ```
//!
//! at 1000 points of equal distance in the parameter of the path. Every cost is positive, so that 5
//! is an upper bound.
//!
//! Reference: Z. Wang, C. Gehring, P. Kohli, S. Jegelka: *Batched large-scale Bayesian optimization
//! in high-dimensional spaces*, AISTATS 2018, and its program `rover_function.py`, whose numbers
//! these are.

use faer::Par;
use ndarray::{Array1, Array2};

use super::between;
use uq_math::least_squares::minimum_norm;

/// Points that make a path.
pub const POINTS: usize = 30;

/// Places where a path's cost is taken.
const PLACES: usize = 1000;

const START: [f64; 2] = [0.05, 0.05];
const GOAL: [f64; 2] = [0.95, 0.95];

/// Cost of a unit of length, what a box adds to it, and cost of a unit of distance from start and
/// goal.
const LENGTH: f64 = 0.05;
const OBSTACLE: f64 = 20.0;
const MISS: f64 = 10.0;

/// Half the side of a box.
const HALF: f64 = 0.025;

type Point = [f64; 2];

/// Centres of the boxes.
#[rustfmt::skip]
const CENTRES: [Point; 113] = [
    [0.431_437_55, 0.208_761_47], [0.384_853_67, 0.391_835_79], [0.029_859_61, 0.223_283_03],
    [0.780_370_7, 0.344_700_3], [0.936_856_57, 0.562_972_85], [0.041_942_52, 0.235_983_62],
    [0.280_495_82, 0.409_844_75], [0.675_605_3, 0.709_394_81], [0.019_264_93, 0.869_723_35],
    [0.599_343_7, 0.633_479_32], [0.578_076_19, 0.401_807_92], [0.568_242_87, 0.754_868_51],
    [0.354_035_02, 0.385_910_56], [0.724_920_26, 0.599_693_13], [0.276_187_46, 0.643_227_57],
    [0.540_295_66, 0.254_929_43], [0.309_035_26, 0.601_668_42], [0.291_343_2, 0.296_368_79],
    [0.785_120_72, 0.623_402_45], [0.295_921_16, 0.084_005_95], [0.875_483_94, 0.048_776_22],
    [0.217_147_91, 0.960_734_6], [0.926_240_74, 0.534_416_87], [0.536_392_53, 0.451_279_28],
    [0.998_920_31, 0.795_378_37], [0.846_216_31, 0.418_919_86], [0.394_328_19, 0.067_686_17],
    [0.923_656_93, 0.722_175_12], [0.955_209_14, 0.739_565_75], [0.820_383, 0.538_801_39],
    [0.223_780_49, 0.997_197_4], [0.340_232_33, 0.910_147_06], [0.649_606_36, 0.356_611_33],
    [0.299_764_64, 0.335_789_31], [0.432_022_38, 0.115_632_27], [0.667_649_47, 0.520_869_62],
    [0.454_310_78, 0.945_827_45], [0.128_199_15, 0.335_553_44], [0.192_872_32, 0.811_207_5],
    [0.612_147_91, 0.719_406_26], [0.452_254_2, 0.473_521_86], [0.956_233_45, 0.741_741_86],
    [0.173_402_93, 0.891_368_53], [0.046_002_55, 0.530_407_24], [0.424_934_68, 0.410_066_49],
    [0.376_314_85, 0.880_338_53], [0.669_519_47, 0.299_057_39], [0.415_151_6, 0.773_087_12],
    [0.557_629_91, 0.264_001_56], [0.628_060_9, 0.532_019_74], [0.927_274_47, 0.610_549_75],
    [0.932_065_87, 0.421_075_49], [0.638_855_74, 0.375_406_13], [0.153_034_25, 0.573_777_97],
    [0.820_847_1, 0.165_666_31], [0.148_890_43, 0.351_573_46], [0.717_246_22, 0.571_107_25],
    [0.328_663_27, 0.892_957_8], [0.744_358_71, 0.474_644_21], [0.925_202_6, 0.210_343_29],
    [0.570_393_06, 0.543_560_78], [0.566_115_51, 0.025_313_17], [0.848_300_56, 0.011_805_42],
    [0.512_820_28, 0.739_165_24], [0.587_954_81, 0.465_273_71], [0.832_590_48, 0.985_981_88],
    [0.002_424_88, 0.837_346_91], [0.725_057_89, 0.048_469_31], [0.073_129_71, 0.301_479_79],
    [0.552_503_44, 0.238_912_55], [0.511_613_15, 0.464_664_42], [0.802_125, 0.934_404_95],
    [0.915_782_5, 0.324_416_02], [0.449_276_65, 0.533_800_74], [0.677_083_72, 0.675_272_31],
    [0.818_689_24, 0.883_561_94], [0.482_288_14, 0.886_684_97], [0.398_054_33, 0.993_411_96],
    [0.866_717_52, 0.790_169_75], [0.011_154_17, 0.692_491_3], [0.342_721_99, 0.895_437_56],
    [0.407_216_75, 0.861_644_95], [0.263_176_79, 0.373_341_93], [0.744_467_87, 0.847_826_43],
    [0.555_601_43, 0.464_051_04], [0.735_679_77, 0.127_762_33], [0.280_803_22, 0.260_367_48],
    [0.175_074_19, 0.955_406_73], [0.542_337_83, 0.119_680_8], [0.766_709_67, 0.883_962_85],
    [0.612_975_39, 0.790_577_76], [0.934_402_9, 0.862_527_64], [0.487_468_39, 0.749_427_84],
    [0.186_576_35, 0.581_273_21], [0.103_778_02, 0.714_639_78], [0.777_177_1, 0.014_635_05],
    [0.763_504_2, 0.454_983_58], [0.833_458_61, 0.347_493_63], [0.382_738_09, 0.518_905_58],
    [0.338_875_74, 0.828_425_07], [0.020_736_85, 0.417_767_37], [0.687_545_47, 0.964_309_79],
    [0.470_421_5, 0.927_173_61], [0.726_662_34, 0.632_413_06], [0.484_944_01, 0.720_032_68],
    [0.526_012_15, 0.816_412_53], [0.714_267_32, 0.470_772_12], [0.002_589_06, 0.303_775_01],
    [0.354_952_69, 0.985_851_55], [0.655_075_44, 0.034_589_09], [0.105_505_88, 0.620_329_37],
    [0.602_591_45, 0.871_108_46], [0.049_591_59, 0.535_785],
];

/// The reward of a path through these points of the unit cube (60); NaN where all of them are
/// equal.
pub fn reward(z: &[f64]) -> f64 {
    let points: Vec<Point> =
        z.chunks_exact(2).map(|p| [between(-0.1, 1.1, p[0]), between(-0.1, 1.1, p[1])]).collect();
    path(&points).map_or(f64::NAN, |path| 5.0 - cost(&path))
}

/// Legendre polynomials of degree 0 to 3 on [0, 1], which keep the least squares well conditioned.
fn basis(u: f64) -> [f64; 4] {
    let x = 2.0 * u - 1.0;
    [1.0, x, 0.5 * (3.0 * x * x - 1.0), 0.5 * (5.0 * x * x - 3.0) * x]
}

/// The cubic through these points at equally distant parameters; `None` where no chord has a
/// length.
fn path(points: &[Point]) -> Option<Vec<Point>> {
    let mut chords = vec![0.0];
    for pair in points.windows(2) {
        chords.push(chords[chords.len() - 1] + distance(pair[0], pair[1]));
    }
    let length = *chords.last()?;
    let design = Array2::from_shape_fn((points.len(), 4), |(i, j)| basis(chords[i] / length)[j]);
    let fit = |axis: usize| {
        let outcome: Array1<f64> = points.iter().map(|point| point[axis]).collect();
        minimum_norm(design.view(), outcome.view(), Par::Seq).ok()
    };
    let (x, y) = (fit(0)?, fit(1)?);
    let at = |i: usize| {
        let basis = Array1::from(basis(i as f64 / (PLACES - 1) as f64).to_vec());
        [basis.dot(&x), basis.dot(&y)]
    };
    Some((0..PLACES).map(at).collect())
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The cost of a path by the trapezoidal rule.
fn cost(path: &[Point]) -> f64 {
    let costs: Vec<f64> =
        path.iter().map(|point| LENGTH + if is_blocked(*point) { OBSTACLE } else { 0.0 }).collect();
    let along = path.windows(2).zip(costs.windows(2));
    let along: f64 = along
        .map(|(points, costs)| distance(points[0], points[1]) * 0.5 * (costs[0] + costs[1]))
        .sum();
    let miss = |from: Point, to: Point| MISS * ((from[0] - to[0]).abs() + (from[1] - to[1]).abs());
    along + miss(path[0], START) + miss(path[path.len() - 1], GOAL)
}

/// Whether a place is in a box, or outside of the unit square. A box has its lower edges.
fn is_blocked([x, y]: Point) -> bool {
    let is_inside = |[cx, cy]: Point, half: f64| {
        (cx - half..cx + half).contains(&x) && (cy - half..cy + half).contains(&y)
    };
    !is_inside([0.5, 0.5], 0.5) || CENTRES.iter().any(|centre| is_inside(*centre, HALF))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The coordinates of points as a point of the unit cube.
    fn cube(points: &[Point]) -> Vec<f64> {
        points.iter().flatten().map(|x| (x + 0.1) / 1.2).collect()
    }

    /// `POINTS` points along a line.
    fn line(from: Point, to: Point) -> Vec<Point> {
        let at = |i: usize, axis: usize| {
            from[axis] + (to[axis] - from[axis]) * i as f64 / (POINTS - 1) as f64
        };
        (0..POINTS).map(|i| [at(i, 0), at(i, 1)]).collect()
    }

    /// Length of the part of the diagonal from `START` to `GOAL` that lies in boxes, from the union
    /// of its intervals.
    fn blocked_diagonal() -> f64 {
        let mut cuts: Vec<(f64, f64)> = CENTRES
            .iter()
            .map(|[x, y]| (x.max(*y) - HALF, x.min(*y) + HALF))
            .filter(|(a, b)| a < b)
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut end, mut sum) = (START[0], 0.0);
        for (a, b) in cuts {
            sum += (b.min(GOAL[0]) - a.max(end)).max(0.0);
            end = end.max(b);
        }
        sum * 2_f64.sqrt()
    }

    #[test]
    fn the_diagonal_costs_its_length_and_the_boxes_on_it() {
        let length = 0.9 * 2_f64.sqrt();
        let expected = 5.0 - LENGTH * length - OBSTACLE * blocked_diagonal();
        // Each end of an interval is known to one place of a thousand.
        let tolerance = OBSTACLE * length / PLACES as f64 * 12.0;
        let found = reward(&cube(&line(START, GOAL)));
        assert!(
            (found - expected).abs() < tolerance && blocked_diagonal() > 0.05,
            "{found} {expected}"
        );
    }

    #[test]
    fn a_line_outside_of_the_square_costs_its_length_and_the_way_to_its_ends() {
        let (from, to) = ([-0.1, -0.05], [1.1, -0.05]);
        let miss = 10.0 * ((0.15 + 0.1) + (0.15 + 1.0));
        let expected = 5.0 - 1.2 * (LENGTH + OBSTACLE) - miss;
        assert!((reward(&cube(&line(from, to))) - expected).abs() < 1e-9);
    }

    #[test]
    fn points_on_a_cubic_give_the_cubic_and_equal_points_none() {
        // Points that zigzag about a line by the same amount keep near it.
        let zigzag: Vec<Point> = line([0.0, 0.5], [1.0, 0.5]);
        let zigzag: Vec<Point> = zigzag
            .iter()
            .enumerate()
            .map(|(i, [x, y])| [*x, y + if i % 2 == 0 { 0.01 } else { -0.01 }])
            .collect();
        let found = path(&zigzag).unwrap();
        assert!(found.iter().all(|[_, y]| (y - 0.5).abs() < 0.005), "{found:?}");
        assert!(reward(&[0.3; 60]).is_nan());
    }

    #[test]
    fn every_centre_is_blocked_and_the_corners_that_matter_are_free() {
        assert!(CENTRES.iter().all(|centre| is_blocked(*centre)));
        assert!(
            !is_blocked(START)
                && !is_blocked(GOAL)
                && is_blocked([1.0, 0.5])
                && is_blocked([0.5, -0.01])
        );
    }
}
