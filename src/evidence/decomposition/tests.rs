use super::*;
use crate::data::simulated::{REGIONS, Simulated};
use proptest::prelude::{prop_assert, proptest};

/// Inputs and noise of a problem, and replicates of no error that state nothing yet.
fn empty(key: &str, count: usize) -> Replicates {
    let problem = Simulated::get(key).unwrap();
    let design = problem.design().unwrap();
    let noise: Vec<f64> = design.inputs.rows().into_iter().map(|x| problem.law(x).unwrap().1.powi(2)).collect();
    let one = Replicate { error: vec![0.0; noise.len()], ..Replicate::default() };
    Replicates { noise, region: design.region, each: vec![one; count] }
}

/// Errors of ± the noise's standard deviation times `share`, with alternating sign over replicates and a bias besides.
fn oracle(count: usize, share: f64, bias: f64) -> Replicates {
    let mut all = empty("simulated:decomposition-heteroscedastic@2", count);
    let square = share * share + bias * bias;
    for (r, one) in all.each.iter_mut().enumerate() {
        let sign = if r.is_multiple_of(2) { 1.0 } else { -1.0 };
        one.error = all.noise.iter().map(|v| v.sqrt() * (bias + sign * share)).collect();
        one.aleatoric = Some(all.noise.clone());
        one.epistemic = Some(all.noise.iter().map(|v| square * v).collect());
        one.total = Some(all.noise.iter().map(|v| (1.0 + square) * v).collect());
    }
    all
}

fn near(found: Option<Estimate>, expected: f64) {
    assert!((found.unwrap().value - expected).abs() < 1e-9, "{found:?} against {expected}");
}

#[test]
fn an_oracle_has_perfect_scores_in_every_part() {
    for part in PARTS {
        let found = oracle(4, 0.5, 0.0).scores(part).unwrap();
        near(found.level, 0.0);
        near(found.unevenness, 0.0);
        near(found.rank, 1.0);
        near(found.loss, 0.0);
        near(found.skill, 1.0);
        assert!(found.skill.unwrap().standard_error.unwrap() < 1e-9);
    }
}

#[test]
fn a_constant_at_the_truths_mean_has_no_skill() {
    let mut all = oracle(4, 0.5, 0.0);
    let mean = all.noise.iter().sum::<f64>() / all.noise.len() as f64;
    for one in &mut all.each {
        for (stated, factor) in [(&mut one.aleatoric, 1.0), (&mut one.epistemic, 0.25), (&mut one.total, 1.25)] {
            *stated = Some(vec![factor * mean; all.noise.len()]);
        }
    }
    for part in PARTS {
        let found = all.scores(part).unwrap();
        near(found.level, 0.0);
        near(found.skill, 0.0);
        assert_eq!(found.rank, None);
    }
}

#[test]
fn a_part_that_one_replicate_does_not_state_has_no_score() {
    let mut all = oracle(4, 0.5, 0.0);
    all.each[2].aleatoric = None;
    assert_eq!((all.scores(VariancePart::Aleatoric), all.stated(VariancePart::Aleatoric)), (None, None));
    assert!(all.scores(VariancePart::Epistemic).is_some());
}

#[test]
fn constant_noise_has_no_rank_and_no_skill() {
    let mut all = empty("simulated:decomposition-gap@1", 3);
    all.each.iter_mut().for_each(|one| one.aleatoric = Some(vec![0.18; all.noise.len()]));
    let found = all.scores(VariancePart::Aleatoric).unwrap();
    near(found.level, 2f64.ln());
    assert_eq!((found.rank, found.skill), (None, None));
}

#[test]
fn errors_are_divided_into_bias_and_variance() {
    // Errors σ (b ± s), two of each sign: mean square σ² (b² + s²); s² is estimated as 4/3 of s², so ē² − s²/4 · 4/3.
    let all = oracle(4, 0.5, 0.2);
    let mean = all.noise.iter().sum::<f64>() / all.noise.len() as f64;
    let found = all.error_parts();
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    near(found.mean_square, mean * 0.29);
    near(found.variance.unwrap(), mean * 0.25 * 4.0 / 3.0);
    near(found.squared_bias.unwrap(), mean * (0.04 - 0.25 / 3.0));
    near(found.mean_square, found.squared_bias.unwrap() + found.variance.unwrap());
    let single = oracle(1, 0.5, 0.2).error_parts();
    assert_eq!((single.squared_bias, single.variance), (None, None));
}

#[test]
fn regions_are_averaged() {
    let all = empty("simulated:decomposition-step@1", 1);
    let places: Vec<f64> = (0..256).map(f64::from).collect();
    // Sixteen neighbours each: 7.5, 23.5, …
    let expected: Vec<f64> = (0..REGIONS).map(|g| 16.0 * g as f64 + 7.5).collect();
    assert_eq!(all.by_region(&places), expected);
}

proptest! {
    #[test]
    fn scores_do_not_depend_on_the_unit_of_the_target(unit in 0.01f64..100.0, wrong in 0.1f64..10.0) {
        let mut own = oracle(3, 0.3, 0.1);
        for (r, one) in own.each.iter_mut().enumerate() {
            let factor = wrong * (1.0 + r as f64);
            for stated in [&mut one.aleatoric, &mut one.epistemic, &mut one.total] {
                stated.as_mut().unwrap().iter_mut().enumerate().for_each(|(i, v)| *v *= factor + (i % 7) as f64);
            }
        }
        let mut other = own.clone();
        other.noise.iter_mut().for_each(|v| *v *= unit * unit);
        for one in &mut other.each {
            one.error.iter_mut().for_each(|e| *e *= unit);
            for stated in [&mut one.aleatoric, &mut one.epistemic, &mut one.total] {
                stated.as_mut().unwrap().iter_mut().for_each(|v| *v *= unit * unit);
            }
        }
        for part in PARTS {
            let (a, b) = (own.scores(part).unwrap(), other.scores(part).unwrap());
            for (a, b) in [(a.level, b.level), (a.unevenness, b.unevenness), (a.rank, b.rank), (a.skill, b.skill)] {
                let (a, b) = (a.unwrap(), b.unwrap());
                prop_assert!((a.value - b.value).abs() < 1e-8 * (1.0 + a.value.abs()), "{:?} {:?}", a, b);
            }
        }
    }
}
