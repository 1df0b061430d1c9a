use super::*;
use crate::try_table::order::Alike;
use crate::try_table::reason::{Advice, Covered, Offer, Scored, Warning};
use crate::words::try_table::headline::{noiseless, stopped, warning_of_stop};
use crate::words::try_table::order;
use crate::words::try_table::warnings::warning;
use uq_core::stats::order::Order;
use uqbench_run::runner::try_table::{Aborted, Cause, Unfinished};

/// A warning where central intervals are asked for.
fn said(found: Warning) -> String {
    warning(&found, INTERVALS)
}

fn covered(name: &str, covered: usize) -> Covered {
    Covered { name: name.into(), coverage: of_100(covered) }
}

#[test]
fn kinds_of_rows_that_are_covered_too_rarely() {
    let first = || vec![covered("largest third of the predicted means", 70)];
    let kinds = |low, advice| said(Warning::Kinds { low, advice });
    let method = || Advice::Method { method: "dtb".into(), least: 0.9, crps: 1.5 };
    insta::assert_snapshot!(kinds(first(), method()), @"its intervals cover too few rows of some kinds: largest third of the predicted means (70.0 % of 100 rows). `dtb` covers 90.0 % of these, and not too few rows of any other kind; its CRPS is 1.500; `--predict-with` takes its name.");
    let two = vec![covered("colour=red", 70), covered("colour=blue", 60)];
    insta::assert_snapshot!(kinds(two, method()), @"its intervals cover too few rows of some kinds: colour=red (70.0 % of 100 rows); colour=blue (60.0 % of 100 rows). `dtb` covers at least 90.0 % of each, and not too few rows of any other kind; its CRPS is 1.500; `--predict-with` takes its name.");
    insta::assert_snapshot!(kinds(first(), Advice::CalibrateBy("my colour".into())), @r#"its intervals cover too few rows of some kinds: largest third of the predicted means (70.0 % of 100 rows). No other method here that uses the features covers enough of them; `--calibrate-by "my colour"` calibrates the values of that column apart."#);
    insta::assert_snapshot!(kinds(first(), Advice::CalibrateBy("colour".into())), @"its intervals cover too few rows of some kinds: largest third of the predicted means (70.0 % of 100 rows). No other method here that uses the features covers enough of them; `--calibrate-by colour` calibrates the values of that column apart.");
    insta::assert_snapshot!(kinds(first(), Advice::MoreMethods), @"its intervals cover too few rows of some kinds: largest third of the predicted means (70.0 % of 100 rows). No other method here that uses the features covers enough of them; `--methods all` tries more.");
    insta::assert_snapshot!(kinds(first(), Advice::Nothing), @"its intervals cover too few rows of some kinds: largest third of the predicted means (70.0 % of 100 rows). No other method here that uses the features covers enough of them.");
}

#[test]
fn blocks_that_are_covered_too_rarely() {
    let blocks = |name: &str, is_last, offer| {
        said(Warning::Blocks { low: vec![covered(name, 50)], blocks: 5, is_last, offer })
    };
    let offer = Some(Offer::Adaptive("adaptive-tree".into()));
    insta::assert_snapshot!(blocks("d240 to d299", true, offer), @"its intervals cover too few rows of 1 of 5 blocks in time, the last one among them, so that new rows may be covered as rarely: d240 to d299 (50.0 % of 100 rows); `--methods adaptive-tree` tries it at levels that follow the misses in the last rows.");
    insta::assert_snapshot!(blocks("d60 to d119", false, None), @"its intervals cover too few rows of 1 of 5 blocks in time: d60 to d119 (50.0 % of 100 rows).");
}

#[test]
fn intervals_below_zero() {
    let plain = || Warning::BelowZero { share: 0.01, other: None, positive: None };
    insta::assert_snapshot!(said(plain()), @"1.0 % of its intervals reach below zero, but no target does. If the target cannot be negative, put such an end at zero, which covers the same rows.");
    insta::assert_snapshot!(warning(&plain(), LOWER), @"1.0 % of its lower bounds reach below zero, but no target does. If the target cannot be negative, put such an end at zero, which covers the same rows.");
    let with_offers = Warning::BelowZero {
        share: 0.01,
        other: Some(Scored { method: "dtb".into(), crps: 1.5, sd: None }),
        positive: Some("log-normal-ngboost"),
    };
    insta::assert_snapshot!(said(with_offers), @"1.0 % of its intervals reach below zero, but no target does. If the target cannot be negative, put such an end at zero, which covers the same rows, or predict with `dtb`, which has no such end here (CRPS 1.500), or try `--methods log-normal-ngboost`, all of whose predictions are above zero.");
}

#[test]
fn features_that_no_method_uses() {
    insta::assert_snapshot!(said(Warning::FeaturesUntried), @"no method that uses the features has scores here, so that nothing says whether they help");
}

#[test]
fn rows_that_are_like_their_neighbours() {
    let order = |ratio| Order { ratio, p: 1e-9 };
    let both = Alike::Targets(order(0.1), Some(order(0.0001)));
    insta::assert_snapshot!(order::warning(both), @"the targets of neighbouring rows are much alike (rank von Neumann ratio 0.10; rows in random order have about 2), as in a series, in groups, or in a sorted file, and so are the errors of the recommended method at neighbouring rows (0.00). Rows are divided at random here, so that each has neighbours in the training set. If new rows are later ones or of other groups, expect a lower coverage and larger errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` tests whole groups.");
    insta::assert_snapshot!(order::warning(Alike::Targets(order(0.1), None)), @"the targets of neighbouring rows are much alike (rank von Neumann ratio 0.10; rows in random order have about 2), as in a series, in groups, or in a sorted file. Rows are divided at random here, so that each has neighbours in the training set. If new rows are later ones or of other groups, expect a lower coverage and larger errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` tests whole groups.");
    insta::assert_snapshot!(order::warning(Alike::Errors(order(0.0001))), @"the errors of the recommended method at neighbouring rows are alike (rank von Neumann ratio 0.00; rows in random order have about 2), as in a series, in groups, or in a sorted file. Rows are divided at random here, so that each has neighbours in the training set. If new rows are later ones or of other groups, expect a lower coverage and larger errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` tests whole groups.");
    insta::assert_snapshot!(order::warning(Alike::TargetsSomewhat(order(0.63))), @"the targets of neighbouring rows are somewhat alike (rank von Neumann ratio 0.63; rows in random order have about 2), as in a series, in groups, or in a sorted file. Rows are divided at random here, so that each has neighbours in the training set. If new rows are later ones or of other groups, expect a lower coverage and larger errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` tests whole groups.");
    insta::assert_snapshot!(order::finding(order(0.1)), @"the targets of neighbouring rows are much alike (rank von Neumann ratio 0.10; rows in random order have about 2), as in a series, in groups, or in a sorted file; if new rows will be later ones or of other groups, folds of random rows promise too much: --time COLUMN tests from past to future, --group COLUMN tests whole groups");
    insta::assert_snapshot!(order::finding(order(0.63)), @"the targets of neighbouring rows are somewhat alike (rank von Neumann ratio 0.63; rows in random order have about 2), as in a series, in groups, or in a sorted file; if new rows will be later ones or of other groups, folds of random rows promise too much: --time COLUMN tests from past to future, --group COLUMN tests whole groups");
}

#[test]
fn a_comparison_that_was_stopped() {
    let aborted = |cause| {
        let unfinished = |id: &str, finished| Unfinished { id: id.into(), finished, fits: 10 };
        Aborted { cause, unfinished: vec![unfinished("stack", 7), unfinished("ngboost", 0)] }
    };
    insta::assert_snapshot!(stopped(&aborted(Cause::User)), @"**This comparison was stopped by its user before its end.** What follows compares only the methods that had finished every fold. Not finished, and so not compared: `stack` (7 of 10 fits), `ngboost` (0 of 10 fits).");
    insta::assert_snapshot!(stopped(&aborted(Cause::Deadline)), @"**This comparison was stopped at its deadline before its end.** What follows compares only the methods that had finished every fold. Not finished, and so not compared: `stack` (7 of 10 fits), `ngboost` (0 of 10 fits).");
    insta::assert_snapshot!(stopped(&aborted(Cause::Budget)), @"**This comparison was stopped when its budget was spent before its end.** What follows compares only the methods that had finished every fold. Not finished, and so not compared: `stack` (7 of 10 fits), `ngboost` (0 of 10 fits).");
    insta::assert_snapshot!(warning_of_stop(&aborted(Cause::User)), @"this comparison was stopped by its user before its end, and compares only the methods that had finished every fold. Not finished, and so not compared: `stack` (7 of 10 fits), `ngboost` (0 of 10 fits).");
}

#[test]
fn a_target_without_noise() {
    insta::assert_snapshot!(noiseless(&["linear-gaussian".into(), "dtb".into()]), @"the target seems to be computed from the features without noise: at rows that the fits have not seen, the CRPS of `linear-gaussian`, `dtb` is less than a millionth of that of methods without features. So good are scores of a simulator, or where the features are what the target was computed of; nothing else is as good");
}
