use super::*;
use crate::try_table::estimate::{About, ChosenBy, Estimate, Overstated};
use crate::try_table::order::Alike;
use crate::try_table::reason::{Advice, Covered, Fault, Half, Reason, Tested, Theorem, Warning};
use crate::words::try_table::answer::{
    Promise, alike, failed, next, none, of_table, overstated, recommended, warned, warning,
};
use crate::words::try_table::calibration::shown;
use uq_core::stats::coverage::{Judged, Kept};
use uq_core::stats::order::Order;

fn estimate(covered: usize) -> Estimate {
    Estimate {
        coverage: of_100(covered),
        interval: Some((0.611, 0.813)),
        kept: Kept::TooLow,
        about: About::ThisModel,
        chosen_by: ChosenBy::OtherFolds,
    }
}

#[test]
fn what_intervals_promise_and_have_kept() {
    let gain = Reason::Gain { reference: "mean".into(), share: 0.5, is_below: true };
    let promise = |covered: usize, kept: Kept, theorem: Theorem, chosen: usize| Promise {
        method: "dtb",
        tested: Some(Tested { coverage: of_100(covered), kept }),
        theorem,
        procedure: Some(estimate(chosen)),
        features: Some(&gain),
    };
    let unclear = promise(90, Kept::Unclear, Theorem::Unknown, 90);
    insta::assert_snapshot!(recommended(&unclear, INTERVALS), @"**Recommended: `dtb`.** Its 90 % intervals hold 90.0 % (95 % interval: 82.4 to 95.1 %) of 100 outcomes that its fits had not seen: too few rows to tell whether that is near 90 %. No theorem guarantees that. Its CRPS is 50.0 % below that of `mean`, which ignores the features.");
    let theorem =
        Theorem::Guarantees { least: 0.9, theorem: "Vovk 2005".into(), is_below_level: false };
    let wide = promise(99, Kept::TooHigh, theorem, 72);
    insta::assert_snapshot!(recommended(&wide, UPPER), @"**Recommended: `dtb`.** Its 90 % upper bounds hold 99.0 % (95 % interval: 94.6 to 100.0 %) of 100 outcomes that its fits had not seen: more than 90 %, so that they are higher than necessary. A theorem guarantees 90.0 % or more for rows like these. Where scores at other rows choose the method, the upper bounds hold 72.0 % (95 % interval: 61.1 to 81.3 %). Its CRPS is 50.0 % below that of `mean`, which ignores the features.");
    insta::assert_snapshot!(none(&["Why.".into(), "And why.".into()]), @"**Recommended: none.** Why. And why.");
}

#[test]
fn what_to_act_on() {
    let found = Overstated { estimate: estimate(72), method: "dtb".into(), coverage: of_100(90) };
    insta::assert_snapshot!(overstated(&found, INTERVALS), @"expect new intervals to hold 72.0 % of outcomes, not 90.0 %: the same rows have chosen the method");
    let order = Order { ratio: 0.4, p: 1e-9 };
    insta::assert_snapshot!(alike(Alike::Errors(order)), @"neighbouring rows have similar errors: if new rows are later ones, add `--time COLUMN`; if they are of new groups, `--group COLUMN`");
    let low = |name: &str, covered| Covered { name: name.into(), coverage: of_100(covered) };
    let kinds = |advice| Warning::Kinds { low: vec![low("a", 70), low("b|c", 60)], advice };
    let said = |found: Warning| warning(&found, INTERVALS);
    let method = Advice::Method { method: "tree".into(), least: 0.9, crps: 1.5 };
    insta::assert_snapshot!(said(kinds(method)), @r#"its intervals cover too few rows of 2 kinds; the worst is "b\|c", 60.0 % of 100 rows; `--predict-with tree` covers enough"#);
    insta::assert_snapshot!(said(kinds(Advice::CalibrateBy("a b".into()))), @r#"its intervals cover too few rows of 2 kinds; the worst is "b\|c", 60.0 % of 100 rows; try `--calibrate-by "a b"`"#);
    insta::assert_snapshot!(said(kinds(Advice::MoreMethods)), @r#"its intervals cover too few rows of 2 kinds; the worst is "b\|c", 60.0 % of 100 rows; `--methods all` tries more methods"#);
    let blocks =
        Warning::Blocks { low: vec![low("May", 50)], blocks: 5, is_last: true, offer: None };
    insta::assert_snapshot!(said(blocks), @r#"its intervals cover too few rows of 1 of 5 blocks in time, the last one among them; the worst is "May", 50.0 % of 100 rows"#);
    let below = Warning::BelowZero { share: 0.25, other: None, positive: None };
    insta::assert_snapshot!(said(below), @"25.0 % of its intervals reach below zero, where no target is: put such an end at zero");
    insta::assert_snapshot!(said(Warning::FeaturesUntried), @"no method that uses the features has scores");
    insta::assert_snapshot!(failed("dtb", "no | room"), @r"`dtb` failed: no \| room");
    insta::assert_snapshot!(warned(&["a".into(), "b".into(), "c".into()], 2), @"
    - Warning: a
    - Warning: b
    - 1 more warning on the page
    ");
    insta::assert_snapshot!(next(&["run it".into()]), @"- Next: run it");
    assert!(of_table(&"long ".repeat(100)).chars().count() < 200);
}

#[test]
fn what_calibration_shows() {
    let half = |covered: usize, kept: Kept| Half {
        coverage: of_100(covered),
        judged: Judged { kept, interval: None },
    };
    let of = |above, inside| shown(&Fault { above, inside });
    let near = || half(50, Kept::Near);
    insta::assert_snapshot!(of(half(61, Kept::TooHigh), near()), @"Predicts too low: 61.0 % of outcomes lie above the median.");
    insta::assert_snapshot!(of(half(30, Kept::TooLow), half(35, Kept::TooLow)), @"Predicts too high: 30.0 % of outcomes lie above the median. Its distributions are too narrow: 35.0 % of outcomes lie in the central half.");
    insta::assert_snapshot!(of(near(), half(70, Kept::TooHigh)), @"Its distributions are too wide: 70.0 % of outcomes lie in the central half.");
    insta::assert_snapshot!(of(near(), near()), @"No fault is seen: 50.0 % of outcomes lie above the median, and 50.0 % in the central half of their distributions.");
    insta::assert_snapshot!(of(half(48, Kept::Unclear), near()), @"No fault is seen: 48.0 % of outcomes lie above the median, and 50.0 % in the central half of their distributions. These rows are too few to see a small fault.");
}
