//! One example of each note in words.

use super::*;

const MEAN: Estimate = Estimate { mean: 0.875, half_width: Some(0.125) };

/// Of one repetition.
const ONCE: Estimate = Estimate { mean: 0.875, half_width: None };

/// Comparisons that are significant, some of which count for neither side.
const COUNTS: Counts = Counts {
    order: Order::Better,
    total: 9,
    ran: 4,
    in_the_mean: 3,
    significant: Some((2, 1)),
    uncounted: Uncounted { short: 2, unrun: 1, empty: 2 },
    clearest: Some((-0.5, 0.125)),
    needed: 5,
    idle: 2,
};

/// Comparisons of one repetition.
const MEANS: Counts = Counts {
    order: Order::Lower,
    significant: None,
    uncounted: Uncounted { short: 0, unrun: 0, empty: 0 },
    clearest: None,
    idle: 0,
    ..COUNTS
};

fn names<T, const N: usize>(all: [(&str, T); N]) -> Vec<(String, T)> {
    all.map(|(name, value)| (name.to_owned(), value)).into()
}

fn ranks() -> Ranks {
    Ranks { at_most: 2, within: 1, needed: 2, all: names([("Yacht", 2), ("Wine", 4)]) }
}

#[test]
fn judgements_are_counted_with_their_verbs() {
    let [holds, fails, open] = Judged::ALL;
    insta::assert_snapshot!(judgements([fails, open, fails].into_iter()), @"2 fail, 1 is undecided");
    insta::assert_snapshot!(judgements([open, holds, open, fails].into_iter()), @"1 holds, 1 fails, 2 are undecided");
    insta::assert_snapshot!(judgements([holds, holds].into_iter()), @"2 hold");
    assert_eq!(judgements([].into_iter()), "");
    let counts = Conclusions { hold: 2, fail: 1, depend: 1, open: 0 };
    insta::assert_snapshot!(conclusions(&counts), @"2 hold, 1 fails, 1 depends on the reading");
    insta::assert_snapshot!(conclusions(&Conclusions { depend: 3, open: 4, ..counts }), @"2 hold, 1 fails, 3 depend on the reading, 4 are undecided");
    assert_eq!(conclusions(&Conclusions::default()), "");
}

#[test]
fn bounds_are_stated_with_the_mean() {
    let metric = "rmse".parse().unwrap();
    let note = |main, variants| Note::AtLeast { metric, bound: 0.75, main, variants };
    insta::assert_snapshot!(ours(&note(Some(MEAN), Vec::new())), @"rmse 0.875 ± 0.125 (95 % interval), expected at least 0.75");
    insta::assert_snapshot!(ours(&note(Some(ONCE), Vec::new())), @"rmse 0.875, expected at least 0.75");
    insta::assert_snapshot!(ours(&note(None, names([("rough", Some(MEAN))]))), @"no number; rough, which the words allow as well: rmse 0.875 ± 0.125 (95 % interval), expected at least 0.75");
    insta::assert_snapshot!(ours(&Note::Exponent { exponent: MEAN, bound: 1.5 }), @"exponent 0.875 ± 0.125 (95 % interval), expected at most 1.5");
    insta::assert_snapshot!(ours(&Note::Exponent { exponent: ONCE, bound: 1.5 }), @"exponent 0.875, expected at most 1.5");
    let recovered = Note::Recovered {
        correlations: vec![("lengthscale".into(), 0.875, 0.125), ("noise".into(), 0.5, 0.25)],
        bound: 0.75,
    };
    insta::assert_snapshot!(ours(&recovered), @"correlation of logarithms (95 %): lengthscale 0.88 ± 0.12, noise 0.50 ± 0.25; expected at least 0.75");
    let within = Note::Within {
        means: vec![(1.0, 0.875, 0.125), (2.5, 0.5, 0.25)],
        interval: (0.25, f64::INFINITY),
        inside: 1,
        outside: 0,
    };
    insta::assert_snapshot!(ours(&within), @"means by x (95 % together): 1: 0.875 ± 0.125, 2.5: 0.500 ± 0.250; 1 of 2 within [0.25, inf], 0 outside");
}

#[test]
fn what_has_no_number_says_why() {
    insta::assert_snapshot!(ours(&Note::NoEnd { low: 10.0, high: 1000.0 }), @"no point at 10 or at 1000");
    insta::assert_snapshot!(ours(&Note::NotPositive), @"no repetition has a positive number at every point");
    insta::assert_snapshot!(ours(&Note::FewRepetitions), @"an interval needs two repetitions with a number at every point");
    insta::assert_snapshot!(ours(&Note::NoArea), @"not every curve has an area");
    let place = Place { dataset: "Yacht".into(), before: None };
    insta::assert_snapshot!(ours(&Note::NoInterval(place)), @"Yacht: an interval needs two repetitions with a number");
    insta::assert_snapshot!(ours(&Note::NoChoice), @"no choice is stored");
    insta::assert_snapshot!(ours(&Note::Scoreless { without: 1, all: 6 }), @"1 of 6 scores without a number");
    insta::assert_snapshot!(ours(&Note::NoColumn), @"no column");
    insta::assert_snapshot!(ours(&Note::NoHyperFunctions), @"an interval needs two repetitions with hyper-functions");
    insta::assert_snapshot!(printed(&PrintedNote::Unprinted), @"the paper prints no numbers for it");
}

#[test]
fn comparisons_are_counted_on_each_side() {
    insta::assert_snapshot!(ours(&Note::Counted(COUNTS)), @"significantly better in 2 of 9 comparisons and significantly worse in 1 (paired, Holm 5 %), better in the mean in 3, in 2 the narrower intervals cover too little, 1 not run, 2 without a common repetition, the clearest by 0.50 ± 0.12 better; the claim needs 5; 2 comparisons have fewer than ten repetitions, which cannot change it");
    let one = Counts { order: Order::Lower, clearest: Some((0.5, 0.125)), idle: 1, ..COUNTS };
    insta::assert_snapshot!(ours(&Note::Counted(one)), @"significantly lower in 2 of 9 comparisons and significantly higher in 1 (paired, Holm 5 %), lower in the mean in 3, in 2 the narrower intervals cover too little, 1 not run, 2 without a common repetition, the clearest by 0.50 ± 0.12 higher; the claim needs 5; one comparison has fewer than ten repetitions, which cannot change it");
    insta::assert_snapshot!(ours(&Note::Counted(MEANS)), @"lower in the mean on 3 of 4; the claim needs 5");
    insta::assert_snapshot!(ours(&Note::Counted(Counts { ran: 0, ..MEANS })), @"none of 9 comparisons has a number; the claim needs 5");
    let note = |ran, significant| Note::NonInferior {
        margin: 0.1,
        total: 4,
        ran,
        within_in_the_mean: 2,
        significant,
        uncounted: Uncounted { short: 0, unrun: 1, empty: 0 },
    };
    insta::assert_snapshot!(ours(&note(3, Some((2, 1)))), @"at most 10 % worse in 2 of 4 comparisons (95 % each), significantly worse by more in 1 (paired, Holm 5 %), 1 not run");
    insta::assert_snapshot!(ours(&note(3, None)), @"at most 10 % worse in the mean in 2 of 3, 1 not run");
    insta::assert_snapshot!(ours(&note(0, None)), @"none of 4 comparisons has a number, 1 not run");
    let note = |significant| Note::Increasing { steps: 4, up_in_the_mean: 3, significant };
    insta::assert_snapshot!(ours(&note(Some((2, 1)))), @"significantly up in 2 of 4 steps and significantly down in 1 (paired, Holm 5 %), up in the mean in 3");
    insta::assert_snapshot!(ours(&note(None)), @"up in the mean in 3 of 4 steps");
}

#[test]
fn printed_comparisons_are_counted() {
    let counts =
        PrintedCounts { order: Order::Better, below: 2, ties: 1, short: 1, total: 6, needed: 4 };
    insta::assert_snapshot!(printed(&PrintedNote::Counted(counts)), @"by the printed numbers better in 2 of 6 comparisons, equal in 1, in 1 the narrower intervals cover too little; the claim needs 4");
    let plain = PrintedCounts { order: Order::Lower, ties: 0, short: 0, ..counts };
    insta::assert_snapshot!(printed(&PrintedNote::Counted(plain)), @"by the printed numbers lower in 2 of 6 comparisons; the claim needs 4");
    insta::assert_snapshot!(printed(&PrintedNote::Ranked(ranks())), @"by the printed numbers rank at most 2 in 1 of 2 cells, the claim needs 2 (Yacht 2, Wine 4)");
    let margin = PrintedNote::NonInferior { margin: 0.1, within: 17, total: 22, short: 5 };
    insta::assert_snapshot!(printed(&margin), @"by the printed numbers at most 10 % worse in 17 of 22, in 5 the narrower intervals cover too little");
}

#[test]
fn ranks_and_learning_curves_are_stated_with_their_bootstrap() {
    let share = Some(0.975);
    insta::assert_snapshot!(ours(&Note::Ranked { ranks: ranks(), share }), @"rank at most 2 in 1 of 2 cells, the claim needs 2 (Yacht 2, Wine 4); enough cells in 98 % of bootstrap samples over repetitions");
    insta::assert_snapshot!(ours(&Note::Ranked { ranks: ranks(), share: None }), @"rank at most 2 in 1 of 2 cells, the claim needs 2 (Yacht 2, Wine 4)");
    insta::assert_snapshot!(ours(&Note::LearningRanked { ranks: ranks(), share }), @"rank at most 2 on 1 of 2 datasets, the claim needs 2 (Yacht 2, Wine 4); enough in 98 % of corrected bootstrap samples over repetitions");
    let undominated = Note::LearningUndominated { best: 3, datasets: 5, share };
    insta::assert_snapshot!(ours(&undominated), @"the curve that is best most often is best on 3 of 5 datasets; none is best on all in 98 % of corrected bootstrap samples over repetitions");
    let gains = |ran, significant| {
        ours(&Note::LearningGain(Gains { all: 4, ran, above_in_the_mean: 2, significant }))
    };
    insta::assert_snapshot!(gains(4, Some((2, 1))), @"significantly above 0 in 2 of 4 differences and below in 1 (corrected resampled t-test, Holm 5 %), above in the mean in 2; the claim needs all");
    insta::assert_snapshot!(gains(3, None), @"above 0 in the mean in 2 of 3, 1 without a number; the claim needs all");
    insta::assert_snapshot!(gains(0, None), @"none of 4 differences has a number");
    let (interval, within) = ((20.0, 50.0), (10.0, 40.0));
    let minimum = Note::Minimum { at: 25.0, interval, share: 0.9, within };
    insta::assert_snapshot!(ours(&minimum), @"minimum of the mean at 25; bootstrap over repetitions: 95 % within [20, 50], 90 % within [10, 40]");
}

#[test]
fn points_and_datasets_are_held_against_each_other() {
    let extremes = |end| {
        let (share, interval) = (0.625, (0.5, 0.75));
        ours(&Note::Extreme(Extremes {
            end,
            least: Superiority { dataset: "Wine".into(), share, interval },
            total: 4,
            inside: 3,
            outside: 0,
            ranges: vec![("Wine".into(), 0.625, 0.75), ("Yacht".into(), 0.875, 1.0)],
        }))
    };
    insta::assert_snapshot!(extremes(End::Highest), @"at one point higher than Wine in only 62 % of the pairs of repetitions (50 to 75 %); of 4 comparisons 3 significantly higher, 0 significantly lower (Mann and Whitney, 95 % together); over the points than Wine in 62 to 75 %, than Yacht in 88 to 100 %");
    insta::assert_snapshot!(extremes(End::Lowest), @"at one point lower than Wine in only 62 % of the pairs of repetitions (50 to 75 %); of 4 comparisons 3 significantly lower, 0 significantly higher (Mann and Whitney, 95 % together); over the points than Wine in 62 to 75 %, than Yacht in 88 to 100 %");
    let flat = Note::Flat {
        largest: 1.5,
        between: (10.0, 50.0),
        factor: 1.1,
        pairs: 3,
        inside: 1,
        outside: 2,
    };
    insta::assert_snapshot!(ours(&flat), @"largest change by a factor 1.500 from 10 to 50; of 3 pairs 1 within a factor 1.1 either way (95 % together, paired), 2 beyond");
    let beaten = Rivals {
        dataset: "Yacht".into(),
        recommended: 8.0,
        all: 4,
        empty: 1,
        tested: 3,
        better_in_the_mean: 2,
        better: vec![5.0, 9.5],
        equal: 1,
        tolerance: 0.05,
        best: Some((5.0, Estimate { mean: 1.0, half_width: Some(0.125) })),
    };
    let open = Rivals {
        dataset: "Wine".into(),
        empty: 0,
        better: Vec::new(),
        best: Some((9.5, Estimate { mean: -0.5, half_width: None })),
        ..beaten.clone()
    };
    let once = Rivals { dataset: "Power".into(), tested: 0, best: None, ..beaten.clone() };
    let alone = Rivals { dataset: "Kin8nm".into(), all: 0, empty: 0, tested: 0, ..once.clone() };
    let unbeaten = |datasets| ours(&Note::Unbeaten { datasets, comparisons: 12 });
    insta::assert_snapshot!(unbeaten(vec![beaten]), @"Yacht: 5, 9.5 significantly better than 8, 1 of 4 without numbers to compare, 1 of 4 shown to be better by less than 0.050; it loses 1.00 ± 0.12 against the best mean, at 5 (paired, Holm 5 % over 12 comparisons; 95 % each)");
    insta::assert_snapshot!(unbeaten(vec![open]), @"Wine: none of 4 significantly better than 8, 1 of 4 shown to be better by less than 0.050; it has the best mean (paired, Holm 5 % over 12 comparisons; 95 % each)");
    insta::assert_snapshot!(unbeaten(vec![once, alone]), @"Power: 2 of 3 better than 8 in the mean, 1 of 4 without numbers to compare; Kin8nm: no point but 8 (paired, Holm 5 % over 12 comparisons; 95 % each)");
}

#[test]
fn quantities_of_trials_are_held_against_bounds() {
    let number = |dataset: &str, before: Option<&str>, centre, half_width| {
        let place = Place { dataset: dataset.into(), before: before.map(str::to_owned) };
        Measurement { place, centre, half_width }
    };
    let note = |statistic, numbers, at_least, at_most| {
        ours(&Note::Measured { statistic, numbers, at_least, at_most })
    };
    let means = vec![number("a", None, 1.0, Some(0.0217)), number("b", None, 2e-4, Some(1e-5))];
    insta::assert_snapshot!(note(Statistic::Mean, means, None, Some(1e-8)), @"mean (95 %), a: 1.000 ± 0.022, b: 2.0e-4 ± 1.0e-5; expected at most 1e-8");
    let ratio = vec![number("b", Some("a"), 0.5, None)];
    insta::assert_snapshot!(note(Statistic::Ratio, ratio, Some(0.499), Some(0.501)), @"mean ratio (95 %), b to a: 0.500 in every repetition; expected at least 0.499 and at most 0.501");
    let spread = vec![number("a", None, 0.5, None)];
    insta::assert_snapshot!(note(Statistic::Spread, spread, Some(0.25), None), @"largest less smallest, a: 0.500; expected at least 0.25");
}

#[test]
fn optimisations_are_stated_by_readings() {
    let readings = vec![
        ("at the end".to_owned(), Judged::Holds, COUNTS),
        ("halfway".to_owned(), Judged::Undecided, MEANS),
    ];
    let five = names([("Branin", 0.4), ("Hartmann", 0.625)]);
    insta::assert_snapshot!(ours(&Note::Optimised { readings: readings.clone(), five }), @"at the end: holds (significantly better in 2 of 9 comparisons and significantly worse in 1 (paired, Holm 5 %), better in the mean in 3, in 2 the narrower intervals cover too little, 1 not run, 2 without a common repetition, the clearest by 0.50 ± 0.12 better; the claim needs 5; 2 comparisons have fewer than ten repetitions, which cannot change it); halfway: undecided (lower in the mean on 3 of 4; the claim needs 5); the mean of five trials would be best of all at at the end in Branin 40 %, Hartmann 62 % of subsets");
    insta::assert_snapshot!(ours(&Note::Optimised { readings, five: Vec::new() }), @"at the end: holds (significantly better in 2 of 9 comparisons and significantly worse in 1 (paired, Holm 5 %), better in the mean in 3, in 2 the narrower intervals cover too little, 1 not run, 2 without a common repetition, the clearest by 0.50 ± 0.12 better; the claim needs 5; 2 comparisons have fewer than ten repetitions, which cannot change it); halfway: undecided (lower in the mean on 3 of 4; the claim needs 5)");
    let shares = names([("Branin", 0.875), ("Hartmann", 0.5)]);
    insta::assert_snapshot!(ours(&Note::SameChoice { shares, at_least: 0.9 }), @"the same candidate in Branin 88 %, Hartmann 50 % of the choices; the claim needs 90 % on each");
}
