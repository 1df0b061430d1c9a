use super::*;
use proptest::prelude::{prop_assert, proptest};
use uqbench_data::simulated::{REGIONS, Simulated};

/// Errors and stated variances of replicates before they are reduced.
#[derive(Clone)]
struct Whole {
    noise: Vec<f64>,
    region: Vec<usize>,
    each: Vec<(Vec<f64>, Stated)>,
}

impl Whole {
    fn kept(&self) -> Replicates {
        let keep = |(error, stated): &(Vec<f64>, Stated)| {
            Replicate::new(error, stated, &self.region, true)
        };
        let each = self.each.iter().map(keep).collect();
        Replicates { noise: self.noise.clone(), region: self.region.clone(), each }
    }
}

/// Inputs and noise of a problem, and replicates of no error that state nothing yet.
fn empty(key: &str, count: usize) -> Whole {
    let problem = Simulated::get(key).unwrap();
    let design = problem.design().unwrap();
    let noise: Vec<f64> =
        design.inputs.rows().into_iter().map(|x| problem.law(x).unwrap().1.powi(2)).collect();
    let one = (vec![0.0; noise.len()], Stated::default());
    Whole { noise, region: design.region, each: vec![one; count] }
}

/// Errors of ± the noise's standard deviation times `share`, with alternating sign over replicates
/// and a bias besides.
fn oracle(count: usize, share: f64, bias: f64) -> Whole {
    let mut all = empty("simulated:decomposition-heteroscedastic@2", count);
    let square = share * share + bias * bias;
    for (r, (error, stated)) in all.each.iter_mut().enumerate() {
        let sign = if r.is_multiple_of(2) { 1.0 } else { -1.0 };
        *error = all.noise.iter().map(|v| v.sqrt() * (bias + sign * share)).collect();
        stated.aleatoric = Some(all.noise.clone());
        stated.epistemic = Some(all.noise.iter().map(|v| square * v).collect());
        stated.total = Some(all.noise.iter().map(|v| (1.0 + square) * v).collect());
    }
    all
}

fn near(found: Option<Estimate>, expected: f64) {
    assert!((found.unwrap().value - expected).abs() < 1e-4, "{found:?} against {expected}");
}

#[test]
fn an_oracle_has_perfect_scores_in_every_part() {
    for part in PARTS {
        let found = oracle(4, 0.5, 0.0).kept().scores(part).unwrap();
        near(found.level, 0.0);
        near(found.unevenness, 0.0);
        near(found.rank, 1.0);
        near(found.loss, 0.0);
        near(found.skill, 1.0);
        assert!(found.skill.unwrap().standard_error.unwrap() < 1e-5);
    }
}

#[test]
fn a_constant_at_the_truths_mean_has_no_skill() {
    let mut all = oracle(4, 0.5, 0.0);
    let mean = all.noise.iter().sum::<f64>() / all.noise.len() as f64;
    for (_, one) in &mut all.each {
        for (stated, factor) in
            [(&mut one.aleatoric, 1.0), (&mut one.epistemic, 0.25), (&mut one.total, 1.25)]
        {
            *stated = Some(vec![factor * mean; all.noise.len()]);
        }
    }
    for part in PARTS {
        let found = all.kept().scores(part).unwrap();
        near(found.level, 0.0);
        near(found.skill, 0.0);
        assert_eq!(found.rank, None);
    }
}

#[test]
fn a_part_that_one_replicate_does_not_state_has_no_score() {
    let mut all = oracle(4, 0.5, 0.0);
    all.each[2].1.aleatoric = None;
    let all = all.kept();
    assert_eq!(
        (all.scores(VariancePart::Aleatoric), all.stated(VariancePart::Aleatoric)),
        (None, None)
    );
    assert!(all.scores(VariancePart::Epistemic).is_some());
}

#[test]
fn constant_noise_has_no_rank_and_no_skill() {
    let mut all = empty("simulated:decomposition-gap@1", 3);
    all.each
        .iter_mut()
        .for_each(|(_, stated)| stated.aleatoric = Some(vec![0.18; all.noise.len()]));
    let found = all.kept().scores(VariancePart::Aleatoric).unwrap();
    near(found.level, 2f64.ln());
    assert_eq!((found.rank, found.skill), (None, None));
}

#[test]
fn errors_are_divided_into_bias_and_variance() {
    // Errors σ (b ± s), two of each sign: mean square σ² (b² + s²); s² is estimated as 4/3 of s²,
    // so ē² − s²/4 · 4/3.
    let all = oracle(4, 0.5, 0.2);
    let mean = all.noise.iter().sum::<f64>() / all.noise.len() as f64;
    let found = all.kept().error_parts();
    // An error is kept to a hundredth of its root mean square, and a mean to seven digits.
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-4 * mean, "{found} {expected}")
    };
    near(found.mean_square, mean * 0.29);
    near(found.variance.unwrap(), mean * 0.25 * 4.0 / 3.0);
    near(found.squared_bias.unwrap(), mean * (0.04 - 0.25 / 3.0));
    assert!(
        (found.mean_square - found.squared_bias.unwrap() - found.variance.unwrap()).abs() < 1e-15
    );
    let single = oracle(1, 0.5, 0.2).kept().error_parts();
    assert_eq!((single.squared_bias, single.variance), (None, None));
}

#[test]
fn regions_are_averaged() {
    let mut all = empty("simulated:decomposition-step@1", 1);
    all.each[0].1.aleatoric = Some((0..256).map(f64::from).collect());
    // Sixteen neighbours each: 7.5, 23.5, …
    let expected: Vec<f64> = (0..REGIONS).map(|g| 16.0 * g as f64 + 7.5).collect();
    assert_eq!(all.kept().stated(VariancePart::Aleatoric).unwrap(), expected);
}

#[test]
fn what_is_kept_survives_json_and_is_near_the_whole() {
    let all = oracle(4, 0.5, 0.2);
    let kept = all.kept();
    let text = serde_json::to_string(&kept.each).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Replicate>>(&text).unwrap(), kept.each);
    assert!(kept.each[0].describes(256) && !kept.each[0].describes(255));
    let one = serde_json::to_string(&kept.each[0]).unwrap();
    let longer = one.replacen("\"squared_error\":[", "\"squared_error\":[0.5,", 1);
    let longer: Replicate = serde_json::from_str(&longer).unwrap();
    assert!(!longer.describes(256), "one region too many");
    for ((error, stated), one) in all.each.iter().zip(&kept.each) {
        let rms = (error.iter().map(|e| e * e).sum::<f64>() / error.len() as f64).sqrt();
        assert!(error.iter().zip(one.error()).all(|(e, kept)| (e - kept).abs() < 0.00501 * rms));
        let drawn = kept.drawn(VariancePart::Aleatoric).unwrap();
        let aleatoric = stated.aleatoric.as_ref().unwrap();
        assert!(aleatoric.iter().zip(drawn).all(|(v, kept)| (v - kept).abs() < 0.00501 * v));
    }
}

proptest! {
    #[test]
    fn scores_do_not_depend_on_the_unit_of_the_target(
        unit in 0.01f64..100.0,
        wrong in 0.1f64..10.0,
    ) {
        let mut own = oracle(3, 0.3, 0.1);
        for (r, (_, one)) in own.each.iter_mut().enumerate() {
            let factor = wrong * (1.0 + r as f64);
            for stated in [&mut one.aleatoric, &mut one.epistemic, &mut one.total] {
                stated
                    .as_mut()
                    .unwrap()
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, v)| *v *= factor + (i % 7) as f64);
            }
        }
        let mut other = own.clone();
        other.noise.iter_mut().for_each(|v| *v *= unit * unit);
        for (error, one) in &mut other.each {
            error.iter_mut().for_each(|e| *e *= unit);
            for stated in [&mut one.aleatoric, &mut one.epistemic, &mut one.total] {
                stated.as_mut().unwrap().iter_mut().for_each(|v| *v *= unit * unit);
            }
        }
        for part in PARTS {
            let (a, b) = (own.kept().scores(part).unwrap(), other.kept().scores(part).unwrap());
            for (a, b) in [
                (a.level, b.level),
                (a.unevenness, b.unevenness),
                (a.rank, b.rank),
                (a.skill, b.skill),
            ] {
                let (a, b) = (a.unwrap(), b.unwrap());
                prop_assert!(
                    (a.value - b.value).abs() < 1e-3 * (1.0 + a.value.abs()),
                    "{:?} {:?}",
                    a,
                    b
                );
            }
        }
    }
}
