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
    let page = page("y of my.csv", 300, 2, &["column x is [y](copied).".into()], &evaluation);
    let text = page_in_markdown(&page);
    for part in [
        "Warning: its intervals cover too few rows of some kinds: largest third of the predicted \
         means (70.0 % of 100 rows). `dtb` covers 90.0 % of these, and not too few rows of any \
         other kind; its CRPS is 1.500; `--predict-with` takes its name.",
        "| largest third of the predicted means  |  100 |    0.700 |",
        "| colour=red ",
        "- Warning: column x is ",
        "- Its intervals cover more rows of some kinds than they state, where they are wider than \
         necessary: smallest third of the predicted means (100.0 % of 100 rows); middle third of \
         the predicted means (100.0 % of 100 rows).\n- Limits",
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
    let part = "No other method here that uses the features covers enough of them; `--methods all` \
                tries more.";
    assert!(warnings.len() == 1 && warnings[0].ends_with(part), "{warnings:?}");
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
    let warned = |evaluation: &Evaluation| recommend(evaluation).warnings.join(" ");
    let expected = "its intervals cover too few rows of some kinds: my colour=3 (0.0 % of 30 \
                    rows). No other method here that uses the features covers enough of them; \
                    `--calibrate-by \"my colour\"` calibrates the values of that column apart.";
    assert_eq!(warned(&evaluation), expected);
    evaluation.calibrated_by = Some("my colour".into());
    assert!(
        warned(&evaluation).ends_with("enough of them; `--methods all` tries more."),
        "{}",
        warned(&evaluation)
    );
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
    let warned = |evaluation: &Evaluation| warning_of_blocks_of(evaluation).unwrap_or_default();
    assert_eq!(
        warned(&of("calibrated-tree", 4)),
        "its intervals cover too few rows of 1 of 5 blocks in time, the last one among them, so \
         that new rows may be covered as rarely: d240 to d299 (50.0 % of 60 rows); `--methods \
         adaptive-tree` tries it at levels that follow the misses in the last rows."
    );
    assert_eq!(
        warned(&of("adaptive-tree", 1)),
        "its intervals cover too few rows of 1 of 5 blocks in time: d60 to d119 (50.0 % of 60 \
         rows)."
    );
    assert_eq!(warned(&of("tree", 9)), "");
}

/// The warning of blocks of the only method.
fn warning_of_blocks_of(evaluation: &Evaluation) -> Option<String> {
    let all = crate::try_table::summary::summed(evaluation);
    let rated = crate::try_table::choice::Rated::all(&all);
    crate::try_table::warnings::warning_of_blocks(&rated[0], evaluation)
}

#[test]
fn intervals_below_zero_are_warned_of_where_no_target_is() {
    let mut evaluation = evaluation(vec![of_rows("linear-gaussian", 1.0, 6.0, |row| row % 10 > 0)]);
    assert!(!recommend(&evaluation).text().contains("reach below zero"));
    evaluation.smallest = 0.0;
    // Rows 0, 1 and 2 of 300.
    let warned = |evaluation: &Evaluation| recommend(evaluation).warnings.join(" ");
    let text = warned(&evaluation);
    assert!(text.contains("1.0 % of its intervals reach below zero"), "{text}");
    assert!(text.ends_with("put such an end at zero, which covers the same rows."), "{text}");
    evaluation.smallest = 0.5;
    let offer = "same rows, or try `--methods log-normal-ngboost`, all of whose predictions are \
                 above zero.";
    assert!(warned(&evaluation).ends_with(offer), "{}", warned(&evaluation));
    let mut positive = of_rows("dtb", 1.5, 6.0, |row| row % 10 > 0);
    positive
        .folds
        .iter_mut()
        .flatten()
        .flat_map(|fold| &mut fold.rows)
        .for_each(|row| row.lower = row.lower.max(0.1));
    evaluation.methods.push(positive);
    assert!(
        warned(&evaluation)
            .contains("or predict with `dtb`, which has no such end here (CRPS 1.500)")
    );
    evaluation.methods.push(of_rows("log-normal-ngboost", 1.6, 6.0, |_| false));
    assert!(!warned(&evaluation).contains("--methods log-normal-ngboost"), "it was tried");
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
