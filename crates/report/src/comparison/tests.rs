//! Test the one rule of comparisons: significance, equivalence, ties, and what tables, headlines
//! and marks say of them.

use super::across::across;
use super::methods::gains_figure;
use super::summary::Others;
use uq_core::stats::paired::ALPHA;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::figures::Measured;
use uqbench_judge::judgement::duels::{Decision, Duel, REGION, duels};
use uqbench_judge::judgement::ranking::ranking;

/// The scores of a reference and of another method under a metric, on several datasets.
fn field(metric: &str, datasets: &[[Vec<f64>; 2]]) -> Field {
    let names = ["Old".to_owned(), "New".to_owned()];
    let mut all = Field::default();
    for (at, scores) in datasets.iter().enumerate() {
        let given =
            scores.iter().map(|scores| scores.iter().copied().map(Some).collect()).collect();
        let one = Field::of_scores(
            &format!("D{at}"),
            &names,
            &[metric.parse().unwrap()],
            vec![given],
            vec![vec![None; 2]],
            0.25,
        );
        all.blocks.extend(one.blocks.clone());
        (all.metrics, all.entrants) = (one.metrics, one.entrants);
    }
    all
}

/// Scores around a base, and those of a method that differs by `shift` and a part of `noise`.
fn pair(base: f64, shift: f64, noise: f64) -> [Vec<f64>; 2] {
    let old: Vec<f64> = (0..5).map(|i| base * (1.0 + 0.1 * f64::from(i))).collect();
    let new = old
        .iter()
        .enumerate()
        .map(|(i, score)| score + shift + noise * [0.3, -1.0, 0.9, 0.4, -0.6][i])
        .collect();
    [old, new]
}

fn decisions(field: &Field, rope: f64) -> Vec<Option<Decision>> {
    let losses = Losses::new(field, field, 0, &Imputation::Drop);
    duels(&losses, rope).iter().map(Duel::decision).collect()
}

#[test]
fn a_difference_is_called_by_its_corrected_interval_and_its_size_together() {
    let of = |shift: f64, noise: f64| {
        decisions(&field("crps", &[pair(1.0, shift, noise)]), REGION)[0].unwrap()
    };
    assert_eq!(of(-0.2, 0.01), Decision::Better);
    assert_eq!(of(0.2, 0.01), Decision::Worse);
    assert_eq!(of(0.0001, 0.0001), Decision::Equivalent);
    assert_eq!(of(0.001, 0.0001), Decision::EquivalentWorse);
    assert_eq!(of(-0.001, 0.0001), Decision::EquivalentBetter);
    assert_eq!(of(0.05, 0.1), Decision::Undecided);
    // Log scores are better the higher they are.
    let log = |shift: f64| {
        decisions(&field("log-likelihood", &[pair(1.0, shift, 0.01)]), REGION)[0].unwrap()
    };
    assert_eq!([log(0.2), log(-0.2)], [Decision::Better, Decision::Worse]);
}

#[test]
fn a_corrected_p_of_five_per_cent_or_more_is_never_plainly_better_or_worse() {
    // One comparison would be significant on its own; among twelve it is not.
    let alone = [pair(1.0, 0.1, 0.06)];
    assert_eq!(decisions(&field("rmse", &alone), REGION), [Some(Decision::Worse)]);
    let mut many = alone.to_vec();
    many.extend((0..11).map(|_| pair(1.0, 0.0, 0.1)));
    let field = field("rmse", &many);
    let losses = Losses::new(&field, &field, 0, &Imputation::Drop);
    let all = duels(&losses, REGION);
    assert!(
        all[0].p >= ALPHA && all[0].gain.as_ref().unwrap().probabilities(all[0].region)[0] > 0.95
    );
    for duel in &all {
        let plain = matches!(duel.decision(), Some(Decision::Better | Decision::Worse));
        assert_eq!(plain, duel.p < ALPHA, "{}", duel.p);
    }
    let figure = gains_figure(&losses, &all).unwrap();
    assert!(figure.panels[0].rows.iter().all(|row| !row.marked), "the figure follows the rule");
}

#[test]
fn differences_of_rounding_are_equivalent_and_ties_in_every_test() {
    for (metric, base) in
        [("crps", 0.4), ("rmse", 4000.0), ("log-likelihood", -1.3), ("picp(level=0.95)", 0.5)]
    {
        let datasets: Vec<_> =
            (0..6).map(|_| pair(base, 3e-15 * base.abs(), 1e-15 * base.abs())).collect();
        let field = field(metric, &datasets);
        for rope in [0.0, REGION] {
            assert_eq!(decisions(&field, rope), [Some(Decision::Equivalent); 6], "{metric}");
        }
        let losses = Losses::new(&field, &field, 0, &Imputation::Drop);
        assert!(duels(&losses, REGION).iter().all(|duel| duel.p == 1.0 && duel.mean == 0.0));
        let tests = ranking(&losses).tests.unwrap();
        assert_eq!(tests.friedman.mean_ranks, [1.5, 1.5], "{metric}");
        let pair = &tests.pairs[0];
        assert_eq!((pair.better, pair.worse, pair.adjusted), (0, 0, Some(1.0)), "{metric}");
    }
}

#[test]
fn a_difference_of_a_millionth_is_no_rounding_and_stays_in_the_ranks() {
    let datasets: Vec<_> = (0..6).map(|_| pair(0.4, 4e-7, 1e-8)).collect();
    let field = field("crps", &datasets);
    assert_eq!(decisions(&field, REGION), [Some(Decision::EquivalentWorse); 6]);
    let losses = Losses::new(&field, &field, 0, &Imputation::Drop);
    let pair = ranking(&losses).tests.unwrap().pairs.remove(0);
    assert_eq!((pair.better, pair.test.unwrap().p), (6, 2.0 / 64.0));
}

#[test]
fn the_figure_has_the_direction_of_the_table() {
    for (metric, shift) in [("crps", -0.2), ("log-likelihood", 0.2)] {
        let field = field(metric, &[pair(1.0, shift, 0.01)]);
        let losses = Losses::new(&field, &field, 0, &Imputation::Drop);
        let all = duels(&losses, REGION);
        let figure = gains_figure(&losses, &all).unwrap();
        assert_eq!(figure.measured, Measured::Gains);
        assert!(
            all[0].mean > 0.0 && figure.panels[0].rows[0].difference.unwrap().estimate > 0.0,
            "{metric}"
        );
    }
}

#[test]
fn no_method_is_told_apart_where_the_test_over_all_does_not_reject() {
    // Ranks by construction: Friedman's p is 0.086, Iman and Davenport's 0.064 (scipy), the largest
    // difference of mean ranks 2.8 and the critical one 2.73.
    let ranks =
        [[1, 3, 4, 2, 5], [2, 1, 3, 5, 4], [2, 3, 4, 1, 5], [1, 4, 2, 5, 3], [1, 5, 3, 2, 4]];
    let names: Vec<String> = (1..=5).map(|i| format!("M{i}")).collect();
    let mut all = Field::default();
    for (at, of_dataset) in ranks.iter().enumerate() {
        let scores = of_dataset.iter().map(|&rank| vec![Some(f64::from(rank)); 3]).collect();
        let one = Field::of_scores(
            &format!("D{at}"),
            &names,
            &["rmse".parse().unwrap()],
            vec![scores],
            vec![vec![None; 5]],
            0.5,
        );
        all.blocks.extend(one.blocks.clone());
        (all.metrics, all.entrants) = (one.metrics, one.entrants);
    }
    let losses = Losses::new(&all, &all, 0, &Imputation::Drop);
    let tests = ranking(&losses).tests.unwrap();
    assert_eq!(tests.friedman.mean_ranks, [1.4, 3.2, 3.2, 3.0, 4.2]);
    assert!(
        (tests.friedman.p_chi_squared - 0.086).abs() < 5e-4
            && (tests.friedman.p_f - 0.064).abs() < 5e-4
    );
    assert!(
        4.2 - 1.4 > tests.critical_difference && !tests.rejects() && !tests.separates(4.2, 1.4)
    );
    let across = across(&losses);
    assert!(!across.diagram.unwrap().rejects);
    let others = across.leader.unwrap().others;
    assert!(matches!(others, Others::NotRejected { p } if p == tests.friedman.p_f), "{others:?}");
    // With the same order on every dataset it rejects.
    let mut clear = all.clone();
    clear.blocks = vec![all.blocks[0].clone(); 5];
    let losses = Losses::new(&clear, &clear, 0, &Imputation::Drop);
    let tests = ranking(&losses).tests.unwrap();
    assert!(tests.rejects() && tests.separates(1.0, 5.0));
}
