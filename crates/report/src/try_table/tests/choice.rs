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

#[test]
fn the_lowest_crps_among_methods_with_enough_coverage_is_recommended() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 91, GOOD),
        tried("dtb", 40, GOOD.map(|crps| crps - 0.2)),
    ]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    for part in [
        "Its 90 % intervals cover 91.0 % (95 % interval: 83.6 to 95.8 %) of the test rows: too few \
         rows to tell whether that is near the level.",
        "It has the lowest CRPS, 1.000, and the lowest product of it and the interval score of the \
         methods whose intervals do not cover",
        "Its CRPS is 50.0 % below that of `unconditional-gaussian`",
        "Not `dtb`, though its CRPS is lower: its 90 % intervals cover only 40.0 %",
        "nothing else was tuned",
    ] {
        assert!(found.text().contains(part), "{part} in\n{}", found.text());
    }
}

/// Differences a − 1.02 × 10 by hand: mean −0.15, s² = 0.0125, scale² = (1/5 + 1/4) s², t = −2 with
/// four degrees of freedom, whose distribution function is 0.058 there. A tenth more: t = −2/3,
/// 0.271.
#[test]
fn the_simpler_of_two_is_recommended_where_it_is_as_good_with_enough_probability() {
    let a = [9.9, 10.1, 10.0, 10.2, 10.05];
    let found = recommended(vec![tried("linear-gaussian", 90, a), tried("dtb", 90, [10.0; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    for part in [
        "`dtb` has the lowest product of CRPS and interval score (CRPS 10.00 against 10.05)",
        "most probably (0.94) at most 2 % higher",
    ] {
        assert!(found.text().contains(part), "{part} in {}", found.text());
    }
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
fn three_folds_have_larger_standard_errors_and_the_page_says_that_there_are_three() {
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
    let text = page_in_markdown(&page("y of my.csv", 60, 2, &[], &evaluation));
    for part in [
        "3-fold cross-validation: each row is tested once, by models of the other folds' rows. \
         There are 3 folds in place of 5, so that the budget suffices for more methods",
        "most probably (0.81) at most 2 % higher",
        "repeated on other rows each time, the coverage is 90.0 %",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
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
    let part = "It has the lowest product of CRPS (1.020) and interval score of the methods";
    assert!(found.text().contains(part), "{}", found.text());
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
    let guaranteed = "Guaranteed coverage: at least 80.0 % by a theorem (Someone 2021, Theorem 4), \
                      for rows that are exchangeable with these and a method that is named \
                      beforehand; it promises less than the 90 % of the level.";
    assert!(found.text().contains(guaranteed), "{}", found.text());
    // 10 + 4 × 18 of 100.
    assert!(found.text().contains("the coverage is 82.0 % (95 % interval: 72.1 to 89.6 %)."));
}

#[test]
fn what_a_theorem_guarantees_of_the_level_itself_is_not_called_less() {
    let mut linear = tried("linear-gaussian", 90, GOOD);
    linear.guaranteed = guarantee(0.9);
    let text = in_markdown("y of my.csv", vec![linear.clone()]);
    assert!(
        text.contains(
            "Theorem 4), for rows that are exchangeable with these and a method that is named \
             beforehand. With the choice"
        ),
        "{text}"
    );
    assert!(
        text.contains("- `linear-gaussian`: as it is. Its guarantee: Someone 2021, Theorem 4."),
        "{text}"
    );
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
    let warning = "with the choice of the method repeated on other rows each time, the 90 % \
                   intervals cover only 72.0 % (95 % interval: 61.1 to 81.3 %) of the rows: too \
                   few. Expect this coverage of new rows, and not the 90.0 % of \
                   `linear-gaussian`, which was chosen by the same rows.";
    assert_eq!(warning_of_procedure(&evaluation).as_deref(), Some(warning));
    let text = page_in_markdown(&page(
        "y of my.csv",
        100,
        2,
        &["a column is constant".into()],
        &evaluation,
    ));
    let (headline, rest) = text.split_once("## Methods").unwrap();
    assert!(
        headline.contains(&format!("- Warning: {warning}\n- Warning: a column is constant")),
        "{headline}"
    );
    assert!(rest.contains("the coverage is 72.0 % (95 % interval: 61.1 to 81.3 %)."), "{rest}");
    let promised = promises(&evaluation, "linear-gaussian");
    assert!(promised.contains(&format!("Warning: {warning}")), "{promised:?}");
    assert!(!promises(&evaluation, "dtb").join(" ").contains("procedure"));
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

#[test]
fn nothing_is_said_of_the_features_where_no_method_that_uses_them_was_compared() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("unconditional-quantiles", 90, ANCHOR),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert!(!found.text().contains("carry no information"), "{}", found.text());
    let warning =
        "no method that uses the features has scores here, so that nothing says whether they help";
    assert_eq!(found.warnings, [warning]);
}

#[test]
fn features_without_information_are_reported() {
    let found = recommended(vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 90, ANCHOR.map(|c| c + 0.1)),
    ]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    assert!(
        found.text().contains("the features carry no information that these methods can use"),
        "{}",
        found.text()
    );
}

#[test]
fn what_ignores_the_features_is_not_recommended_where_a_method_that_covers_too_few_rows_beats_it() {
    let found =
        recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("dtb", 30, GOOD)]);
    assert_eq!(found.method, None);
    for part in [
        "`unconditional-gaussian` has the lowest product of CRPS and interval score of the methods \
         whose intervals do not cover too few",
        "`dtb` most probably (1.00) has a lower CRPS than it, but its intervals cover only 30.0 %; \
         `--methods calibrated-dtb` tries it",
    ] {
        assert!(found.text().contains(part), "{part} in {}", found.text());
    }
}

#[test]
fn what_covers_too_few_later_rows_is_offered_at_levels_that_follow_misses_where_it_is_calibrated() {
    let reason = |methods: &[&'static str], division: Division| {
        let methods = methods
            .iter()
            .enumerate()
            .map(|(k, id)| tried(id, 60, GOOD.map(|crps| crps + k as f64)))
            .collect();
        recommend(&Evaluation { division, ..evaluation(methods) }).reasons.remove(1)
    };
    let in_time = |methods: &[&'static str]| reason(methods, Division::Blocks { start: 100 });
    let offer =
        "; `--methods adaptive-tree` tries it at levels that follow the misses in the last rows.";
    assert!(in_time(&["calibrated-tree", "tree"]).ends_with(offer));
    assert!(in_time(&["tree", "calibrated-tree"]).ends_with(offer));
    assert!(in_time(&["tree"]).contains("; `--methods calibrated-tree` tries it calibrated"));
    assert!(in_time(&["adaptive-tree", "tree"]).ends_with("cover only 60.0 %."));
    assert!(in_time(&["calibrated-tree", "adaptive-tree"]).ends_with("cover only 60.0 %."));
    assert!(
        reason(&["calibrated-tree"], Division::Rows).ends_with("cover only 60.0 %."),
        "rows have no times"
    );
}

#[test]
fn nothing_is_recommended_where_all_intervals_cover_too_few_rows() {
    let folds = Err("unsupported: too wide".into());
    let failed = Tried { id: "dtb".into(), settings: "as it is".into(), guaranteed: None, folds };
    let found = recommended(vec![tried("linear-gaussian", 60, GOOD), failed.clone()]);
    assert_eq!(found.method, None);
    assert_eq!(
        found.reasons,
        [
            "The 90 % intervals of every method that has them and a CRPS in every fold cover too \
             few rows.",
            "`linear-gaussian` has the lowest CRPS of those that use the features, but its \
             intervals cover only 60.0 %; `--methods calibrated-linear-gaussian` tries it \
             calibrated by its errors at out-of-fold rows.",
        ]
    );
    assert!(found.text().starts_with("**Recommended: none.**"), "{}", found.text());
    let text = in_markdown("y of my.csv", vec![tried("linear-gaussian", 60, GOOD), failed]);
    assert!(text.contains("- `dtb`: as it is. Failed: unsupported: too wide"), "{text}");
}

/// The numbers of a table with a target of two heaps: 0.2558 × 1.070 is less than 0.202 × 1.519.
#[test]
fn what_ignores_the_features_is_not_recommended_where_an_honest_method_beats_it() {
    let spread = [-0.01, 0.01, 0.0, 0.005, -0.005];
    let reference = with_score("unconditional-quantiles", spread.map(|d| 0.2558 + d), 1.070);
    let linear = with_score("linear-gaussian", spread.map(|d| 0.202 - d), 1.519);
    let found = recommended(vec![reference.clone(), linear.clone()]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    for part in [
        "It has the lowest product of CRPS (0.2020) and interval score of the methods whose \
         intervals do not cover too few rows and that beat `unconditional-quantiles`.",
        "Not `unconditional-quantiles`, though its product of CRPS and interval score is the \
         lowest: it ignores the features, and the CRPS of `linear-gaussian` is most probably \
         (1.00) lower.",
        "Its CRPS is 21.0 % below that of `unconditional-quantiles`",
    ] {
        assert!(found.text().contains(part), "{part} in {}", found.text());
    }
    // A method that covers too few rows changes nothing, however low its CRPS is.
    let found = recommended(vec![reference, linear, tried("dtb", 30, [0.1; 5])]);
    assert_eq!(found.method.as_deref(), Some("linear-gaussian"));
    assert!(found.text().contains("Not `dtb`, though its CRPS is lower"), "{}", found.text());
}

/// Differences from 10.2 by hand as above: t = −2 with four degrees of freedom, so that the CRPS is
/// lower with probability 0.94; a tenth more, 0.73.
#[test]
fn a_lower_crps_beats_what_ignores_the_features_with_a_probability_above_0_8() {
    let crps = [9.9, 10.1, 10.0, 10.2, 10.05];
    let reference = || with_score("unconditional-gaussian", [10.2; 5], 10.0);
    let found = recommended(vec![reference(), with_score("dtb", crps, 20.0)]);
    assert_eq!(found.method.as_deref(), Some("dtb"));
    assert!(
        found.text().contains("the CRPS of `dtb` is most probably (0.94) lower"),
        "{}",
        found.text()
    );
    let found =
        recommended(vec![reference(), with_score("dtb", crps.map(|crps| crps + 0.1), 20.0)]);
    assert_eq!(found.method.as_deref(), Some("unconditional-gaussian"));
    let part = "No method has a lower CRPS than `unconditional-gaussian`, which ignores the \
                features, with a probability above 0.8";
    assert!(found.text().contains(part), "{}", found.text());
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
    let part = "`dtb` has the lowest product of CRPS and interval score (CRPS 1.000 against 1.010) \
                of the methods that beat `unconditional-gaussian`, but `linear-gaussian` is \
                simpler";
    assert!(found.text().contains(part), "{}", found.text());
}

#[test]
fn a_calibrated_method_is_offered_only_where_it_was_not_tried() {
    let found = recommended(vec![tried("dtb", 60, GOOD), tried("calibrated-dtb", 65, ANCHOR)]);
    assert_eq!(
        found.reasons,
        [
            "The 90 % intervals of every method cover too few rows.",
            "`dtb` has the lowest CRPS of those that use the features, but its intervals cover \
             only 60.0 %.",
        ]
    );
}

#[test]
fn an_external_method_cannot_be_calibrated() {
    let found =
        recommended(vec![tried("unconditional-gaussian", 90, ANCHOR), tried("mine", 30, GOOD)]);
    assert!(found.text().ends_with("but its intervals cover only 30.0 %.\n"), "{}", found.text());
}

#[test]
fn without_intervals_nothing_can_be_compared() {
    let mut point = tried("dtb", 90, GOOD);
    point.folds.as_mut().unwrap()[2].covered = None;
    let found = recommended(vec![point]);
    assert_eq!(found.method, None);
    assert_eq!(
        found.reasons,
        ["No method has 90 % intervals and a CRPS in every fold, so nothing can be compared."]
    );
}
