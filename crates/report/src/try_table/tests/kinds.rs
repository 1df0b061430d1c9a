use super::*;

/// Every interval is equally wide, so that there are no kinds by width. 30 of 300 rows are not
/// covered, all of the largest means.
#[test]
fn kinds_of_rows_that_are_covered_too_rarely_are_named_with_a_method_that_mends_it() {
    let uneven = of_rows("linear-gaussian", 1.0, 2.0, |row| row < 270);
    let even = of_rows("dtb", 1.5, 3.0, |row| row % 10 != 1);
    // It has no thirds of its own, but covers the rows of every third of the recommended method, by
    // its width alone.
    let reference = of_rows("unconditional-gaussian", 1.4, 20.0, |_| true);
    let mut evaluation = evaluation(vec![reference, uneven, even]);
    evaluation.kinds = vec![
        RowGroup::new("colour=red", (0..300).step_by(2).collect()),
        RowGroup::new("colour=blue", (0..19).collect()),
    ];
    let third = |name: &str, covered| Covered {
        name: format!("{name} third of the predicted means"),
        coverage: Coverage { covered, rows: 100 },
    };
    let found = recommend(&evaluation);
    let advice = Advice::Method { method: "dtb".into(), least: 0.9, crps: 1.5 };
    assert_eq!(found.warnings, [Warning::Kinds { low: vec![third("largest", 70)], advice }]);
    let [.., Reason::KindsTooHigh(high), Reason::Limits(_)] = &found.reasons[..] else {
        panic!("{:?}", found.reasons)
    };
    assert_eq!(*high, [third("smallest", 100), third("middle", 100)]);
    let page = page("y of my.csv", 300, 2, &["column x is [y](copied).".into()], &evaluation);
    let text = page_in_markdown(&page);
    for part in [
        "| largest third of the predicted means  |  100 |    0.700 |",
        "| colour=red ",
        "- Warning: column x is ",
        "too low",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("colour=blue") && !text.contains("interval widths"), "{text}");
}

/// 17 of 20 rows, and 252 of 280, are within chance of levels in the band and of others.
#[test]
fn a_kind_is_judged_by_the_rule_of_the_page() {
    let mut evaluation =
        evaluation(vec![of_rows("linear-gaussian", 1.0, 2.0, |row| row % 10 != 3 && row != 0)]);
    evaluation.kinds =
        vec![RowGroup::new("few", (0..20).collect()), RowGroup::new("others", (20..300).collect())];
    let text = page_in_markdown(&page("y of my.csv", 300, 2, &[], &evaluation));
    let row = |name: &str| {
        text.lines().find(|line| line.starts_with(&format!("| {name} "))).unwrap().to_owned()
    };
    assert!(row("few").contains("0.850") && row("few").contains("unclear (20 rows)"), "{text}");
    assert!(
        row("others").contains("0.900") && row("others").contains("unclear (280 rows)"),
        "{text}"
    );
}

#[test]
fn a_method_that_covers_too_few_of_another_kind_is_not_offered() {
    let uneven = of_rows("linear-gaussian", 1.0, 2.0, |row| row < 270);
    // It mends the largest third and loses as many rows of the smallest.
    let other = of_rows("dtb", 1.5, 3.0, |row| row >= 30);
    let warnings = recommend(&evaluation(vec![uneven, other])).warnings;
    assert!(
        matches!(warnings[..], [Warning::Kinds { advice: Advice::MoreMethods, .. }]),
        "{warnings:?}"
    );
}

#[test]
fn where_no_method_covers_a_level_its_column_is_offered_to_calibrate_by_once() {
    // Every tenth row is not covered, so that no third is covered too rarely, and all of these are
    // of one level.
    let mut evaluation =
        evaluation(vec![of_rows("linear-gaussian", 1.0, 2.0, |row| row % 10 != 3)]);
    let level = |of: usize| RowGroup {
        category: Some("my colour".into()),
        ..RowGroup::new(format!("my colour={of}"), (of..300).step_by(10).collect())
    };
    evaluation.kinds = (0..10).map(level).collect();
    let expected = |advice| {
        let coverage = Coverage { covered: 0, rows: 30 };
        [Warning::Kinds { low: vec![Covered { name: "my colour=3".into(), coverage }], advice }]
    };
    let by_colour = Advice::CalibrateBy("my colour".into());
    assert_eq!(recommend(&evaluation).warnings, expected(by_colour));
    evaluation.calibrated_by = Some("my colour".into());
    assert_eq!(recommend(&evaluation).warnings, expected(Advice::MoreMethods));
}

/// Blocks of 60 rows, of which the last one has 30 covered, or the second.
#[test]
fn blocks_in_time_that_are_covered_too_rarely_are_named() {
    let of = |id: &'static str, block: usize| {
        let mut method = of_rows(id, 1.0, 2.0, |row| row % 10 != 3);
        for (k, fold) in method.folds.iter_mut().flatten().enumerate() {
            fold.rows.iter_mut().enumerate().for_each(|(i, row)| row.row = 60 * k + i);
            fold.covered = Some(if k == block { 30 } else { 54 });
        }
        let stated = RowLabels {
            name: "day".into(),
            cells: (0..300).map(|row| format!("d{row}")).collect(),
        };
        Evaluation {
            division: Division::Blocks { start: 0 },
            stated: Some(stated),
            ..evaluation(vec![method])
        }
    };
    let block = |name: &str| {
        vec![Covered { name: name.into(), coverage: Coverage { covered: 30, rows: 60 } }]
    };
    let last = Warning::Blocks {
        low: block("d240 to d299"),
        blocks: 5,
        is_last: true,
        offer: Some(Offer::Adaptive("adaptive-tree".into())),
    };
    assert_eq!(warning_of_blocks_of(&of("calibrated-tree", 4)), Some(last));
    let second =
        Warning::Blocks { low: block("d60 to d119"), blocks: 5, is_last: false, offer: None };
    assert_eq!(warning_of_blocks_of(&of("adaptive-tree", 1)), Some(second));
    assert_eq!(warning_of_blocks_of(&of("tree", 9)), None);
}

/// The warning of blocks of the only method.
fn warning_of_blocks_of(evaluation: &Evaluation) -> Option<Warning> {
    let all = crate::try_table::summary::summed(evaluation);
    let rated = crate::try_table::choice::Rated::all(&all);
    crate::try_table::warnings::warning_of_blocks(&rated[0], evaluation)
}

/// The share of intervals below zero, another method, and one of positive predictions.
fn below_zero(evaluation: &Evaluation) -> Option<(f64, Option<String>, Option<&'static str>)> {
    recommend(evaluation).warnings.into_iter().find_map(|warning| match warning {
        Warning::BelowZero { share, other, positive } => {
            Some((share, other.map(|other| other.method), positive))
        }
        _ => None,
    })
}

#[test]
fn intervals_below_zero_are_warned_of_where_no_target_is() {
    let mut evaluation = evaluation(vec![of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0)]);
    assert_eq!(below_zero(&evaluation), None);
    evaluation.smallest = 0.0;
    // Rows 0, 1 and 2 of 300.
    assert_eq!(below_zero(&evaluation), Some((0.01, None, None)));
    evaluation.smallest = 0.5;
    let log_normal = Some("log-normal-ngboost");
    assert_eq!(below_zero(&evaluation), Some((0.01, None, log_normal)));
    let mut positive = of_rows("dtb", 1.5, 6.0, |row| row % 10 > 0);
    positive
        .folds
        .iter_mut()
        .flatten()
        .flat_map(|fold| &mut fold.rows)
        .for_each(|row| row.lower = row.lower.max(0.1));
    evaluation.methods.push(positive);
    assert_eq!(below_zero(&evaluation), Some((0.01, Some("dtb".into()), log_normal)));
    evaluation.methods.push(of_rows("log-normal-ngboost", 1.6, 6.0, |_| false));
    let tried = below_zero(&evaluation);
    assert_eq!(tried, Some((0.01, Some("dtb".into()), None)), "it was tried");
}

/// Names and numbers of rows of the kinds of a method whose means are these of the row.
fn thirds_of(mean: impl Fn(usize) -> f64) -> Vec<(String, usize)> {
    let mut tried = of_rows("linear-gaussian", 1.0, 2.0, |row| row % 10 > 0);
    tried
        .folds
        .iter_mut()
        .flatten()
        .flat_map(|fold| &mut fold.rows)
        .for_each(|row| row.mean = Some(mean(row.row)));
    let evaluation = evaluation(vec![tried]);
    let kinds = crate::try_table::kinds::kinds(&evaluation.methods[0], &evaluation);
    kinds.into_iter().map(|kind| (kind.name, kind.coverage.rows)).collect()
}

#[test]
fn equal_means_stay_in_one_third_and_no_third_is_lost_for_them() {
    let named = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
        all.iter().map(|(name, rows)| (format!("{name} of the predicted means"), *rows)).collect()
    };
    let all = [("smallest third", 100), ("middle third", 100), ("largest third", 100)];
    assert_eq!(thirds_of(|row| row as f64), named(&all));
    // The rows 0 to 150 are tied, and the first cut moves to the end of them.
    let low = [("smallest third", 151), ("middle third", 49), ("largest third", 100)];
    assert_eq!(thirds_of(|row| row.max(150) as f64), named(&low));
    // The rows from 150 on are tied, so that the second cut has nothing behind it.
    let high = [("smaller part", 100), ("larger part", 200)];
    assert_eq!(thirds_of(|row| row.min(150) as f64), named(&high));
    // A part of fewer than 20 rows is not judged.
    assert_eq!(
        thirds_of(|row| row.max(190) as f64),
        named(&[("smallest third", 191), ("largest third", 100)])
    );
    assert!(thirds_of(|_| 1.0).is_empty());
}

#[test]
fn all_numbers_are_listed_by_fold() {
    let grid = numbers(&evaluation(vec![tried("dtb", 91, GOOD)]));
    assert_eq!(grid.rows.len(), 5 * 6);
    assert_eq!(grid.rows[0], ["dtb", "1", "1", "80", "20", "picp(level=0.9)", "0.95"]);
    assert_eq!(grid.rows[29], ["dtb", "1", "5", "80", "20", "log-likelihood", "-0.95"]);
}
