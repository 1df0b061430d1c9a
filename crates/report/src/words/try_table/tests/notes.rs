use super::*;
use crate::try_table::fate::Fate;
use crate::try_table::log_score::Impossible;
use crate::words::try_table::{bounds, division, kinds, notes};
use uq_core::metrics::{DiscretisedLogScore, LogLikelihood, MetricId};
use uqbench_run::runner::try_table::LeftOut;

#[test]
fn how_rows_were_divided() {
    let table = |division| division::table(1, 2, &divided(division));
    insta::assert_snapshot!(table(Division::Rows), @"1 row, 2 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows.");
    insta::assert_snapshot!(table(Division::Grouped { twins: 1 }), @"1 row, 2 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows; 1 row equals an earlier one in every feature, and such rows stay in one fold.");
    insta::assert_snapshot!(table(Division::Grouped { twins: 3 }), @"1 row, 2 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows; 3 rows equal an earlier one in every feature, and such rows stay in one fold.");
    insta::assert_snapshot!(table(Division::Repeated { distinct: 1 }), @"1 row, 2 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows; no feature varies, so that the features say nothing of the target.");
    insta::assert_snapshot!(table(Division::Repeated { distinct: 9 }), @"1 row, 2 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows; only 9 rows differ in their features, so equal ones are taken for repeated measurements and divided like any others.");
    insta::assert_snapshot!(table(Division::Groups { groups: 12 }), @r#"1 row, 2 features. 5-fold cross-validation by the 12 groups of the column "day\|hour": each row is tested twice, by models that have seen no row of its group. What is stated here is for rows of new groups; folds of random rows would promise more."#);
    insta::assert_snapshot!(table(Division::Blocks { start: 200 }), @r#"1 row, 2 features. From past to future, in the order of the column "day\|hour": the rows after the first 200 are 5 blocks in time, and each is tested once, by models of all rows before it (rolling origin). What is stated here is for later rows; folds of random rows would promise more."#);
}

#[test]
fn what_the_columns_mean() {
    let rows = divided(Division::Rows);
    insta::assert_snapshot!(notes::methods(&rows, &[]), @"Coverage: the share of the test rows inside their central 90 % interval. It is near the level where its whole 95 % interval (Clopper & Pearson; each row counts once) lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Guaranteed: the least coverage by a theorem, for exchangeable rows. Interval score: the width, and 20 times the distance of a target outside. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. No log score: the target is discrete, where a density has no bound.");
    let log_score = Some(MetricId::LogLikelihood(LogLikelihood));
    let infinite = [Impossible { method: "quantile-forest".into(), rows: 3, tested: 100 }];
    let groups = Evaluation { log_score, ..divided(Division::Groups { groups: 12 }) };
    insta::assert_snapshot!(notes::methods(&groups, &infinite), @"Coverage: the share of the test rows inside their central 90 % interval. It is near the level where its whole 95 % interval (Clopper & Pearson; each row counts once) lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Rows of a group are alike, so that these intervals are rather too short. Guaranteed: the least coverage by a theorem, for exchangeable rows. Interval score: the width, and 20 times the distance of a target outside. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. Log-likelihood in nat, higher is better. A log score is -inf where an outcome has the predictive density or probability 0, as one beyond all training targets has in a forest: quantile-forest at 3 of 100 tested rows. One such row decides the mean log score, and no other score.");
    let log_score = Some(MetricId::DiscretisedLogScore(DiscretisedLogScore));
    let blocks = Evaluation { log_score, bounds: UPPER, ..divided(Division::Blocks { start: 9 }) };
    insta::assert_snapshot!(notes::methods(&blocks, &[]), @"Coverage: the share of the test rows at or below their 90 % upper bound, the predicted quantile 0.9. It is near the level where its whole 95 % interval (Clopper & Pearson; each row counts once) lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Rows that are near in time are alike, so that these intervals are rather too short. Guaranteed: the least coverage by a theorem, for exchangeable rows. Mean distance: of the bound from the predicted mean. Pinball loss: 0.9 times the distance of a target above its bound, or 0.1000 times that of one below it (Koenker & Bassett 1978); the interval score is made of the losses of both ends. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. The target is rounded or a count, so its log score is that of the rounded value (in nat, at most 0): a density has no bound there.");
    insta::assert_snapshot!(bounds::defined(LOWER).join(" "), @"at or above their 90 % lower bound, the predicted quantile 0.1 Mean distance: of the bound from the predicted mean. Pinball loss: 0.1 times the distance of a target above its bound, or 0.9000 times that of one below it (Koenker & Bassett 1978); the interval score is made of the losses of both ends.");
}

#[test]
fn what_further_tables_show() {
    insta::assert_snapshot!(kinds::title("dtb"), @"Coverage of dtb by kind of row");
    insta::assert_snapshot!(kinds::note(INTERVALS, 0), @"Each kind has at least 20 rows, and each row counts once. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of kinds (Holm). Regions are made of the features by median cuts, at most eight. Rows of equal means or widths stay together, so that thirds may differ in size.");
    insta::assert_snapshot!(kinds::note(INTERVALS, 7), @"Each kind has at least 20 rows, and each row counts once. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of kinds (Holm). Regions are made of the features by median cuts, at most eight. Rows of equal means or widths stay together, so that thirds may differ in size. 7 kinds nearer to 90 % are left out.");
    insta::assert_snapshot!(division::title_of_blocks("dtb"), @"Coverage of dtb by block in time");
    insta::assert_snapshot!(division::note_of_blocks(INTERVALS), @"Each block is tested by a model of all rows before it. Near the level where the whole 95 % interval lies within 2 points of 90 %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Intervals are exact (Clopper & Pearson) and count rows as independent. Those of coverages that are not near the level are widened for the number of blocks (Holm). Where coverage falls from block to block, expect less still after the last one.");
    insta::assert_snapshot!(notes::chosen_settings(true), @"Each fit chooses inside its own training rows, and test rows take no part. Values are in the order of the folds, with a semicolon between two divisions of the rows. A setting that is no number has its place in the list of values, from 0; a weight is that of a method in a stack.");
    insta::assert_snapshot!(notes::chosen_settings(false), @"Each fit chooses inside its own training rows, and test rows take no part. Values are in the order of the folds, with a semicolon between two divisions of the rows. A setting that is no number has its place in the list of values, from 0; a weight is that of a method in a stack. --predict and --save fit all rows, and add what that fit chooses.");
}

#[test]
fn what_became_of_a_method() {
    insta::assert_snapshot!(notes::fate(&Fate::Failed("too wide")).trim_start(), @"Failed: too wide");
    insta::assert_snapshot!(notes::fate(&Fate::Points).trim_start(), @"It predicts points: its intervals have no width.");
    insta::assert_snapshot!(notes::fate(&Fate::Guaranteed("Theorem 4")).trim_start(), @"Its guarantee: Theorem 4.");
    assert_eq!(notes::fate(&Fate::Shown), "");
}

#[test]
fn what_is_left_out() {
    let left_out = |method: &str, seconds| LeftOut { method: method.into(), seconds };
    let methods = [left_out("stack", 600.0), left_out("log-normal-ngboost", 0.4)];
    insta::assert_snapshot!(notes::left_out(&methods), @"Not tried, because with it more than the budget is expected, in processor time of all its fits: `stack` (10 min), `log-normal-ngboost` (a second or less). `--budget` sets a larger one, and `--methods` names methods.");
    insta::assert_snapshot!(notes::undrawn(&["tree".into(), "dtb".into()]), @"Left out, because it failed or has no distribution function: tree; dtb.");
}

#[test]
fn the_list_of_comparisons() {
    insta::assert_snapshot!(notes::compared(1), @"1 table compared in this folder.");
    insta::assert_snapshot!(notes::compared(3), @"3 tables compared in this folder.");
    insta::assert_snapshot!(notes::unreadable("gone", "EOF"), @"gone-comparison.json cannot be read: EOF. `uqbench try` writes it anew.");
    insta::assert_snapshot!(notes::OWN_TABLES, @"Coverage: that of the whole procedure, choice included: each fold is predicted by the method that the other folds recommend. CRPS: of the recommended method, in the unit of its own table, so that the CRPS of two tables cannot be compared. What is warned of stands on the page of the table.");
}
