use super::*;

fn recommended(methods: Vec<Tried>) -> Recommendation {
    recommend(&evaluation(methods))
}

/// A method that covers 90 of 100 rows, with this interval score in every fold.
fn with_score(id: &'static str, crps: [f64; 5], score: f64) -> Tried {
    let mut tried = tried(id, 90, crps);
    tried.folds.iter_mut().flatten().for_each(|fold| fold.interval_score = Some(score));
    tried
}

/// Covered rows of 100.
fn of_100(covered: usize) -> Coverage {
    Coverage { covered, rows: 100 }
}

/// Why the recommended method is the first.
fn lead(found: &Recommendation) -> &Lead {
    let lead = found.reasons.iter().find_map(|reason| match reason {
        Reason::Lead(lead) => Some(lead),
        _ => None,
    });
    lead.unwrap()
}

/// Whether a probability is this one when it is rounded to two digits.
fn rounds_to(probability: &Option<f64>, expected: f64) -> bool {
    probability.is_some_and(|p| (p - expected).abs() < 0.005)
}

#[test]
fn the_lowest_crps_among_methods_with_enough_coverage_is_recommended() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 91, GOOD),
        tried("dtb", 40, GOOD.map(|crps| crps - 0.2)),
    ]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let [
        Reason::Tested(tested),
        Reason::Promise(Theorem::Unknown, Some(_)),
        Reason::Lead(Lead::Best { chosen, has_lowest_crps: true, beaten: None, next: None }),
        Reason::Gain { reference, share, is_below: true },
        Reason::NotTooFew { method, coverage },
        Reason::Limits(Division::Rows),
    ] = &found.reasons[..]
    else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!(*tested, Tested { coverage: of_100(91), kept: Kept::Unclear });
    assert_eq!(chosen.method, "linear-gaussian");
    assert!(is_near(chosen.crps, 1.0), "{chosen:?}");
    assert_eq!(reference, "unconditional-gaussian");
    assert!(is_near(*share, 0.5), "{share}");
    assert_eq!((method.as_str(), *coverage), ("dtb", of_100(40)));
}

/// Differences a − 1.02 × 10 by hand: mean −0.15, s² = 0.0125, scale² = (1/5 + 1/4) s², t = −2 with
/// four degrees of freedom, whose distribution function is 0.058 there. A tenth more: t = −2/3,
/// 0.271.
#[test]
fn the_simpler_of_two_is_recommended_where_it_is_as_good_with_enough_probability() {
    let a = [9.9, 10.1, 10.0, 10.2, 10.05];
    let found = recommended(vec![tried("linear-gaussian", 90, a), tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let Lead::Simpler { chosen, best, beaten: None, probability, margin } = lead(&found) else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!((chosen.method.as_str(), best.method.as_str()), ("linear-gaussian", "dtb"));
    assert!(is_near(chosen.crps, 10.05) && is_near(best.crps, 10.0), "{chosen:?} {best:?}");
    assert!(rounds_to(probability, 0.94) && is_near(*margin, 0.02), "{probability:?} {margin}");
    let found = recommended(vec![
        tried("linear-gaussian", 90, a.map(|crps| crps + 0.1)),
        tried("dtb", 90, [10.0; 5]),
    ]);
    assert_eq!(found.method.as_deref(), Some("dtb"), "0.73 is too little");
    // The interval score decides, too.
    let mut wide = tried("linear-gaussian", 90, a);
    wide.folds.iter_mut().flatten().for_each(|fold| fold.interval_score = Some(55.0));
    let found = recommended(vec![wide, tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
}

/// Three folds of 20 test rows and 40 others. Differences a − 1.02 × 10 by hand: mean −0.2, s² =
/// 0.01, scale² = (1/3 + 1/2) s², t = −2.19 with two degrees of freedom, whose distribution
/// function is 1/2 + t/(2 √(2 + t²)) = 0.080.
#[test]
fn fewer_folds_have_larger_standard_errors() {
    let of_three = |mut tried: Tried| {
        let folds = tried.folds.as_mut().unwrap();
        folds.truncate(3);
        folds.iter_mut().for_each(|fold| fold.train_rows = 40);
        tried
    };
    // Less 1.02 × 10 it is −0.2, 0 and −0.1: t = −0.1/√(0.01 (1/3 + 20/40)) = −1.095 with two
    // degrees of freedom.
    let a = [10.0, 10.2, 10.1, 0.0, 0.0];
    let methods =
        vec![of_three(tried("linear-gaussian", 90, a)), of_three(tried("dtb", 90, [10.0; 5]))];
    let evaluation =
        Evaluation { folding: Folding { folds: 3, repeats: 1 }, ..evaluation(methods) };
    let found = recommend(&evaluation);
    let Lead::Simpler { probability, .. } = lead(&found) else { panic!("{:?}", found.reasons) };
    assert!(rounds_to(probability, 0.81), "{probability:?}");
    let Reason::Promise(_, Some(estimate)) = &found.reasons[1] else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!(estimate.coverage, Coverage { covered: 54, rows: 60 });
}

/// 1.02 × 4 is less than 1.00 × 6, and the first method is not at most 2 % worse by the second's
/// CRPS alone.
#[test]
fn a_lower_interval_score_outweighs_a_little_crps() {
    let found = recommended(vec![
        with_score("linear-gaussian", [1.0; 5], 6.0),
        with_score("dtb", [1.02; 5], 4.0),
    ]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
    let Lead::Best { chosen, has_lowest_crps: false, beaten: None, .. } = lead(&found) else {
        panic!("{:?}", found.reasons)
    };
    assert!(is_near(chosen.crps, 1.02), "{chosen:?}");
}

#[test]
fn what_ignores_the_features_is_not_recommended_where_another_product_is_lower() {
    let lower = ANCHOR.map(|crps| crps - 0.001);
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 90, lower),
    ]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
}

/// Each fold is predicted by the method that the four others recommend: without fold 0 that is
/// `dtb`, which covers 10 of its 20 rows, without another one it is `linear-gaussian`, which covers
/// 18 of 20.
#[test]
fn the_estimate_is_of_rows_that_have_chosen_nothing() {
    let mut other = tried("dtb", 90, [9.0, 0.9, 0.9, 0.9, 0.9]);
    other.folds.as_mut().unwrap()[0].covered = Some(10);
    other.folds.as_mut().unwrap()[1].covered = Some(20);
    let mut linear = tried("linear-gaussian", 90, [1.0; 5]);
    linear.guaranteed = guarantee(0.8);
    let found = recommended(vec![linear, other]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let Reason::Promise(promised, Some(estimate)) = &found.reasons[1] else {
        panic!("{:?}", found.reasons)
    };
    let expected = Theorem::Guarantees {
        least: 0.8,
        theorem: "Someone 2021, Theorem 4".into(),
        is_below_level: true,
    };
    assert_eq!(*promised, expected);
    // 10 + 4 × 18 of 100.
    assert_eq!(estimate.coverage, of_100(82));
    assert_eq!(estimate.interval, of_100(82).interval_of_fewer(1.2));
}

#[test]
fn what_a_theorem_guarantees_of_the_level_itself_is_not_called_less() {
    let mut linear = tried("linear-gaussian", 90, GOOD);
    linear.guaranteed = guarantee(0.9);
    let found = recommended(vec![linear.clone()]);
    assert!(
        matches!(
            found.reasons[1],
            Reason::Promise(Theorem::Guarantees { is_below_level: false, .. }, _)
        ),
        "{:?}",
        found.reasons
    );
    let text = in_markdown("y of my.csv", vec![linear]);
    let fate = text.lines().find(|line| line.starts_with("- `linear-gaussian`: as it is."));
    assert!(fate.unwrap().contains("Someone 2021, Theorem 4"), "{text}");
}

/// A recommended method that covers 90 of 100 rows. The other one is chosen for the rows of the
/// first fold alone, and covers none of them.
pub(super) fn overstated() -> Vec<Tried> {
    let mut other = tried("dtb", 80, [9.0, 0.9, 0.9, 0.9, 0.9]);
    for (k, fold) in other.folds.iter_mut().flatten().enumerate() {
        fold.covered = Some(if k == 0 { 0 } else { 20 });
    }
    vec![tried("linear-gaussian", 90, [1.0; 5]), other]
}

/// 0 + 4 × 18 of 100.
#[test]
fn a_procedure_that_covers_too_few_rows_is_warned_of_before_the_table_and_in_what_is_promised() {
    let evaluation = evaluation(overstated());
    let found = crate::try_table::procedure::overstated(&evaluation).unwrap();
    assert_eq!((found.method.as_str(), found.coverage), ("linear-gaussian", of_100(90)));
    assert_eq!((found.estimate.coverage, found.estimate.kept), (of_100(72), Kept::TooLow));
    assert_eq!(found.estimate.interval, of_100(72).interval_of_fewer(1.2));
    let warning = warning_of_procedure(&evaluation).unwrap();
    let text = page_in_markdown(&page(
        "y of my.csv",
        100,
        2,
        &["a column is constant".into()],
        &evaluation,
    ));
    let (headline, _) = text.split_once("## Methods").unwrap();
    assert!(
        headline.contains(&format!("- Warning: {warning}\n- Warning: a column is constant")),
        "{headline}"
    );
    let promised = promised(&evaluation, "linear-gaussian");
    let procedure = Promise::Procedure(Some(found.estimate));
    assert!(promised.contains(&procedure), "{promised:?}");
    assert!(promised.contains(&Promise::Overstated(found)), "{promised:?}");
    assert!(is_of_no_procedure(&evaluation, "dtb"));
    // The rule is that of the methods: 3 + 4 × 20 of 100 are below the band, and too few to tell.
    let mut methods = overstated();
    methods[0].folds.iter_mut().flatten().for_each(|fold| fold.covered = Some(20));
    methods[1].folds.as_mut().unwrap()[0].covered = Some(3);
    assert_eq!(warning_of_procedure(&super::evaluation(methods)), None);
}

#[test]
fn a_simpler_method_that_ignores_the_features_is_not_recommended_where_something_beats_it() {
    let more = |by: [f64; 5]| std::array::from_fn(|k| ANCHOR[k] + by[k]);
    let gaussian = tried("unconditional-gaussian", 90, more([0.020, 0.021, 0.019, 0.020, 0.020]));
    let quantiles = tried("unconditional-quantiles", 90, ANCHOR);
    let linear = tried("linear-gaussian", 90, more([0.004, 0.006, 0.005, 0.004, 0.006]));
    let named =
        |methods: &[&Tried]| recommended(methods.iter().map(|one| (*one).clone()).collect()).method;
    // It is within 2 % of the best one, which nothing beats, but the linear model beats it.
    assert_eq!(named(&[&gaussian, &quantiles]).as_deref(), Some("unconditional-gaussian"));
    assert_eq!(
        named(&[&gaussian, &quantiles, &linear]).as_deref(),
        Some("unconditional-quantiles")
    );
}

/// The reason that says that the features carry no information.
fn of_features(found: &Recommendation) -> Option<&Reason> {
    found.reasons.iter().find(|reason| matches!(reason, Reason::FeaturesSayNothing { .. }))
}

#[test]
fn nothing_is_said_of_the_features_where_no_method_that_uses_them_was_compared() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("unconditional-quantiles", 90, ANCHOR),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert_eq!(of_features(&found), None);
    assert_eq!(found.warnings, [Warning::FeaturesUntried]);
}

#[test]
fn features_without_information_are_reported() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 90, ANCHOR.map(|c| c + 0.1)),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    let expected = Reason::FeaturesSayNothing {
        reference: "unconditional-gaussian".into(),
        chosen: None,
        sure: 0.8,
    };
    assert_eq!(of_features(&found), Some(&expected));
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn what_ignores_the_features_is_not_recommended_where_a_method_that_covers_too_few_rows_beats_it() {
    let found =
        recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("dtb", 30, GOOD)]);
    assert_eq!(found.method, None);
    let [Reason::ReferenceBeaten { reference }, Reason::BeatingTooFew { by, probability }] =
        &found.reasons[..]
    else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!(reference, "unconditional-gaussian");
    assert!(rounds_to(probability, 1.0), "{probability:?}");
    let offer = Some(Offer::Calibrated("calibrated-dtb".into()));
    assert_eq!(*by, TooFew { method: "dtb".into(), coverage: of_100(30), offer });
}

#[test]
fn what_covers_too_few_later_rows_is_offered_at_levels_that_follow_misses_where_it_is_calibrated() {
    let offer = |methods: &[&'static str], division: Division| {
        let methods = methods
            .iter()
            .enumerate()
            .map(|(k, id)| tried(id, 60, GOOD.map(|crps| crps + k as f64)))
            .collect();
        match recommend(&Evaluation { division, ..evaluation(methods) }).reasons.remove(1) {
            Reason::LowestTooFew(TooFew { coverage, offer, .. }) => {
                assert_eq!(coverage, of_100(60));
                offer
            }
            other => panic!("{other:?}"),
        }
    };
    let in_time = |methods: &[&'static str]| offer(methods, Division::Blocks { start: 100 });
    let adaptive = Some(Offer::Adaptive("adaptive-tree".into()));
    assert_eq!(in_time(&["calibrated-tree", "tree"]), adaptive);
    assert_eq!(in_time(&["tree", "calibrated-tree"]), adaptive);
    assert_eq!(in_time(&["tree"]), Some(Offer::Calibrated("calibrated-tree".into())));
    assert_eq!(in_time(&["adaptive-tree", "tree"]), None);
    assert_eq!(in_time(&["calibrated-tree", "adaptive-tree"]), None);
    assert_eq!(offer(&["calibrated-tree"], Division::Rows), None, "rows have no times");
}

#[test]
fn nothing_is_recommended_where_all_intervals_cover_too_few_rows() {
    let folds = Err("unsupported: too wide".into());
    let failed = Tried { id: "dtb".into(), settings: "as it is".into(), guaranteed: None, folds };
    let found = recommended(vec![tried("linear-gaussian", 60, GOOD), failed.clone()]);
    assert_eq!(found.method, None);
    let lowest = TooFew {
        method: "linear-gaussian".into(),
        coverage: of_100(60),
        offer: Some(Offer::Calibrated("calibrated-linear-gaussian".into())),
    };
    assert_eq!(
        found.reasons,
        [Reason::AllTooFew { is_of_all: false }, Reason::LowestTooFew(lowest)]
    );
    assert!(found.text().starts_with("## Why none is recommended\n"), "{}", found.text());
    let text = in_markdown("y of my.csv", vec![tried("linear-gaussian", 60, GOOD), failed]);
    let fate = text.lines().find(|line| line.starts_with("- `dtb`: as it is."));
    assert!(fate.unwrap().contains("unsupported: too wide"), "{text}");
}

#[test]
fn where_every_method_failed_nothing_else_is_said() {
    let folds = Err("too wide".into());
    let failed = Tried { id: "dtb".into(), settings: "as it is".into(), guaranteed: None, folds };
    let found = recommended(vec![failed]);
    assert_eq!((found.method, found.reasons), (None, vec![Reason::AllFailed]));
}

/// The numbers of a table with a target of two heaps: 0.2558 × 1.070 is less than 0.202 × 1.519.
#[test]
fn what_ignores_the_features_is_not_recommended_where_an_honest_method_beats_it() {
    let spread = [-0.01, 0.01, 0.0, 0.005, -0.005];
    let reference = with_score("unconditional-quantiles", spread.map(|d| 0.2558 + d), 1.070);
    let linear = with_score("linear-gaussian", spread.map(|d| 0.202 - d), 1.519);
    let found = recommended(vec![reference.clone(), linear.clone()]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let [
        Reason::Tested(_),
        Reason::Promise(..),
        Reason::Lead(Lead::Best { chosen, has_lowest_crps: false, beaten, next: None }),
        Reason::NotReference { reference: skipped, chosen: beating, probability },
        Reason::Gain { reference: ignoring, share, is_below: true },
        Reason::Limits(_),
    ] = &found.reasons[..]
    else {
        panic!("{:?}", found.reasons)
    };
    assert!(is_near(chosen.crps, 0.202), "{chosen:?}");
    let name = "unconditional-quantiles";
    assert_eq!((beaten.as_deref(), skipped.as_str(), ignoring.as_str()), (Some(name), name, name));
    assert_eq!(beating, "linear-gaussian");
    assert!(rounds_to(probability, 1.0), "{probability:?}");
    assert!(is_near(*share, 1.0 - 0.202 / 0.2558), "{share}");
    // A method that covers too few rows changes nothing, however low its CRPS is.
    let found = recommended(vec![reference, linear, tried("dtb", 30, [0.1; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let against = Reason::NotTooFew { method: "dtb".into(), coverage: of_100(30) };
    assert!(found.reasons.contains(&against), "{:?}", found.reasons);
}

/// Differences from 10.2 by hand as above: t = −2 with four degrees of freedom, so that the CRPS is
/// lower with probability 0.94; a tenth more, 0.73.
#[test]
fn a_lower_crps_beats_what_ignores_the_features_with_a_probability_above_0_8() {
    let crps = [9.9, 10.1, 10.0, 10.2, 10.05];
    let reference = || with_score("unconditional-gaussian", [10.2; 5], 10.0);
    let found = recommended(vec![reference(), with_score("dtb", crps, 20.0)]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
    let of_reference = found.reasons.iter().find_map(|reason| match reason {
        Reason::NotReference { chosen, probability, .. } => Some((chosen, probability)),
        _ => None,
    });
    assert!(
        of_reference.is_some_and(|(chosen, p)| chosen == "dtb" && rounds_to(p, 0.94)),
        "{of_reference:?}"
    );
    let found =
        recommended(vec![reference(), with_score("dtb", crps.map(|crps| crps + 0.1), 20.0)]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    let expected = Reason::FeaturesSayNothing {
        reference: "unconditional-gaussian".into(),
        chosen: None,
        sure: 0.8,
    };
    assert_eq!(of_features(&found), Some(&expected));
}

#[test]
fn the_choice_is_among_those_that_beat_what_ignores_the_features() {
    let methods = |simple: f64| {
        vec![
            with_score("unconditional-gaussian", [2.0; 5], 1.0),
            with_score("linear-gaussian", [simple; 5], 3.0),
            // Its product is lower than that of the two others, but its CRPS is that of the
            // reference.
            with_score("tree", [2.0; 5], 1.2),
            with_score("dtb", [1.0; 5], 3.0),
        ]
    };
    let found = recommended(methods(1.1));
    assert_eq!(found.method.as_deref(), Some("dtb"), "10 % more is not as good");
    let found = recommended(methods(1.01));
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    let Lead::Simpler { chosen, best, beaten, .. } = lead(&found) else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!((chosen.method.as_str(), best.method.as_str()), ("linear-gaussian", "dtb"));
    assert!(is_near(chosen.crps, 1.01) && is_near(best.crps, 1.0), "{chosen:?} {best:?}");
    assert_eq!(beaten.as_deref(), Some("unconditional-gaussian"));
}

#[test]
fn a_calibrated_method_is_offered_only_where_it_was_not_tried() {
    let found = recommended(vec![tried("dtb", 60, GOOD), tried("calibrated-dtb", 65, ANCHOR)]);
    let lowest = TooFew { method: "dtb".into(), coverage: of_100(60), offer: None };
    assert_eq!(
        found.reasons,
        [Reason::AllTooFew { is_of_all: true }, Reason::LowestTooFew(lowest)]
    );
}

#[test]
fn an_external_method_cannot_be_calibrated() {
    let found =
        recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("mine", 30, GOOD)]);
    let Some(Reason::BeatingTooFew { by, .. }) = found.reasons.last() else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!(*by, TooFew { method: "mine".into(), coverage: of_100(30), offer: None });
}

#[test]
fn without_intervals_nothing_can_be_compared() {
    let mut point = tried("dtb", 90, GOOD);
    point.folds.as_mut().unwrap()[2].covered = None;
    let found = recommended(vec![point]);
    assert_eq!((found.method, found.reasons), (None, vec![Reason::NoneComparable]));
}
