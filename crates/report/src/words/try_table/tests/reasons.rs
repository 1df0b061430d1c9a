use super::*;
use crate::try_table::estimate::{About, ChosenBy, Estimate, Overstated};
use crate::try_table::reason::{
    Covered, Lead, Next, Offer, Promise, Reason, Scored, Tested, Theorem, TooFew,
};
use crate::words::try_table::reasons::{promise, reason, why};
use uq_core::stats::coverage::Kept;

fn scored(method: &str, crps: f64) -> Scored {
    Scored { method: method.into(), crps, sd: Some(0.05) }
}

fn too_few(offer: Option<Offer>) -> TooFew {
    TooFew { method: "dtb".into(), coverage: of_100(60), offer }
}

fn estimate(about: About) -> Estimate {
    Estimate {
        coverage: of_100(72),
        interval: Some((0.611, 0.813)),
        kept: Kept::TooLow,
        about,
        chosen_by: ChosenBy::OtherFolds,
    }
}

/// A reason where central intervals are asked for.
fn said(found: Reason) -> String {
    reason(&found, INTERVALS)
}

#[test]
fn the_title_of_the_reasons() {
    insta::assert_snapshot!(why(Some("dtb")), @"Why dtb");
    insta::assert_snapshot!(why(None), @"Why none is recommended");
}

#[test]
fn why_none_is_recommended() {
    insta::assert_snapshot!(said(Reason::AllFailed), @"Every method failed, so nothing was compared.");
    insta::assert_snapshot!(said(Reason::NoneComparable), @"No method has 90 % intervals and a CRPS in every fold, so nothing can be compared.");
    insta::assert_snapshot!(said(Reason::AllTooFew { is_of_all: true }), @"The 90 % intervals of every method cover too few rows.");
    insta::assert_snapshot!(said(Reason::AllTooFew { is_of_all: false }), @"The 90 % intervals of every method that has them and a CRPS in every fold cover too few rows.");
    let calibrated = too_few(Some(Offer::Calibrated("calibrated-dtb".into())));
    insta::assert_snapshot!(said(Reason::LowestTooFew(calibrated)), @"`dtb` has the lowest CRPS of those that use the features, but its intervals cover only 60.0 %; `--methods calibrated-dtb` tries it calibrated by its errors at out-of-fold rows.");
    let adaptive = too_few(Some(Offer::Adaptive("adaptive-dtb".into())));
    insta::assert_snapshot!(said(Reason::LowestTooFew(adaptive)), @"`dtb` has the lowest CRPS of those that use the features, but its intervals cover only 60.0 %; `--methods adaptive-dtb` tries it at levels that follow the misses in the last rows.");
    let beaten = Reason::ReferenceBeaten { reference: "unconditional-gaussian".into() };
    insta::assert_snapshot!(said(beaten), @"`unconditional-gaussian` has the lowest product of CRPS and interval score of the methods whose intervals do not cover too few rows, but it ignores the features and is beaten.");
    let beating = Reason::BeatingTooFew { by: too_few(None), probability: Some(0.996) };
    insta::assert_snapshot!(said(beating), @"`dtb` most probably (1.00) has a lower CRPS than it, but its intervals cover only 60.0 %.");
}

#[test]
fn how_many_rows_are_covered() {
    let tested = |covered, kept| Reason::Tested(Tested { coverage: of_100(covered), kept });
    insta::assert_snapshot!(said(tested(90, Kept::Near)), @"Its 90 % intervals cover 90.0 % (95 % interval: 82.4 to 95.1 %) of the test rows: near the level.");
    insta::assert_snapshot!(said(tested(75, Kept::TooLow)), @"Its 90 % intervals cover 75.0 % (95 % interval: 65.3 to 83.1 %) of the test rows: too few.");
    insta::assert_snapshot!(said(tested(100, Kept::TooHigh)), @"Its 90 % intervals cover 100.0 % (95 % interval: 96.4 to 100.0 %) of the test rows: they are wider than necessary.");
    insta::assert_snapshot!(said(tested(91, Kept::Unclear)), @"Its 90 % intervals cover 91.0 % (95 % interval: 83.6 to 95.8 %) of the test rows: too few rows to tell whether that is near the level.");
    insta::assert_snapshot!(reason(&tested(100, Kept::TooHigh), UPPER), @"Its 90 % upper bounds cover 100.0 % (95 % interval: 96.4 to 100.0 %) of the test rows: they are higher than necessary.");
    insta::assert_snapshot!(reason(&tested(100, Kept::TooHigh), LOWER), @"Its 90 % lower bounds cover 100.0 % (95 % interval: 96.4 to 100.0 %) of the test rows: they are lower than necessary.");
}

#[test]
fn what_is_guaranteed_and_what_is_estimated() {
    let guarantees = |least, is_below_level| Theorem::Guarantees {
        least,
        theorem: "Someone 2021, Theorem 4".into(),
        is_below_level,
    };
    let this_model = Some(estimate(About::ThisModel));
    insta::assert_snapshot!(said(Reason::Promise(guarantees(0.9, false), this_model)), @"Guaranteed coverage: at least 90.0 % by a theorem (Someone 2021, Theorem 4), for rows that are exchangeable with these and a method that is named beforehand. With the choice of the method repeated on other rows each time, the coverage is 72.0 % (95 % interval: 61.1 to 81.3 %).");
    let training_sets = Some(estimate(About::TrainingSets));
    insta::assert_snapshot!(said(Reason::Promise(guarantees(0.8, true), training_sets)), @"Guaranteed coverage: at least 80.0 % by a theorem (Someone 2021, Theorem 4), for rows that are exchangeable with these and a method that is named beforehand; it promises less than the 90 % of the level. With the choice of the method repeated on other rows each time, the coverage is 72.0 % (95 % interval: 61.1 to 81.3 %). This is an average over training sets, not this model, which may cover more or less: no interval is known for it here.");
    insta::assert_snapshot!(said(Reason::Promise(Theorem::Dependent, None)), @"Its coverage is measured and not guaranteed: the theorems are about exchangeable rows. With the choice of the method repeated on other rows each time, the coverage is not known: for some fold the other rows recommend no method.");
    insta::assert_snapshot!(said(Reason::Promise(Theorem::Unknown, this_model)), @"Its coverage is measured and not guaranteed: no theorem is known for this method. With the choice of the method repeated on other rows each time, the coverage is 72.0 % (95 % interval: 61.1 to 81.3 %).");
}

#[test]
fn why_a_method_is_the_first() {
    let simpler = |beaten: Option<&str>| {
        Reason::Lead(Lead::Simpler {
            chosen: scored("linear-gaussian", 10.05),
            best: scored("dtb", 10.0),
            beaten: beaten.map(Into::into),
            probability: Some(0.942),
            margin: 0.02,
        })
    };
    insta::assert_snapshot!(said(simpler(None)), @"`dtb` has the lowest product of CRPS and interval score (CRPS 10.000 against 10.050), but `linear-gaussian` is simpler, and its CRPS and interval score are most probably (0.94) at most 2 % higher.");
    insta::assert_snapshot!(said(simpler(Some("unconditional-gaussian"))), @"`dtb` has the lowest product of CRPS and interval score (CRPS 10.000 against 10.050) of the methods that beat `unconditional-gaussian`, but `linear-gaussian` is simpler, and its CRPS and interval score are most probably (0.94) at most 2 % higher.");
    insta::assert_snapshot!(reason(&simpler(None), UPPER), @"`dtb` has the lowest product of CRPS and pinball loss (CRPS 10.000 against 10.050), but `linear-gaussian` is simpler, and its CRPS and pinball loss are most probably (0.94) at most 2 % higher.");
    insta::assert_snapshot!(said(Reason::Lead(Lead::Only(scored("dtb", 1.0)))), @"It is the only method whose intervals do not cover too few rows; its CRPS is 1.000.");
    let best = |has_lowest_crps, beaten: Option<&str>, next| {
        Reason::Lead(Lead::Best {
            chosen: scored("dtb", 1.0),
            has_lowest_crps,
            beaten: beaten.map(Into::into),
            next,
        })
    };
    let next = Some(Next { method: "tree".into(), behind: 0.125 });
    insta::assert_snapshot!(said(best(true, None, next)), @"It has the lowest CRPS, 1.000, and the lowest product of it and the interval score of the methods whose intervals do not cover too few rows. Next is `tree`, whose product of CRPS and interval score is 12.5 % higher.");
    insta::assert_snapshot!(said(best(false, None, None)), @"It has the lowest product of CRPS (1.000) and interval score of the methods whose intervals do not cover too few rows.");
    insta::assert_snapshot!(said(best(false, Some("unconditional-gaussian"), None)), @"It has the lowest product of CRPS (1.000) and interval score of the methods whose intervals do not cover too few rows and that beat `unconditional-gaussian`.");
}

#[test]
fn what_the_features_contribute() {
    let reference = || "unconditional-gaussian".to_owned();
    let beaten = Reason::NotReference {
        reference: reference(),
        chosen: "dtb".into(),
        probability: Some(0.942),
    };
    insta::assert_snapshot!(said(beaten), @"Not `unconditional-gaussian`, though its product of CRPS and interval score is the lowest: it ignores the features, and the CRPS of `dtb` is most probably (0.94) lower.");
    let gain = |is_below| Reason::Gain { reference: reference(), share: 0.25, is_below };
    insta::assert_snapshot!(said(gain(true)), @"Its CRPS is 25.0 % below that of `unconditional-gaussian`, which ignores the features.");
    insta::assert_snapshot!(said(gain(false)), @"Its CRPS is 25.0 % above that of `unconditional-gaussian`, which ignores the features.");
    let nothing = |chosen: Option<&str>| Reason::FeaturesSayNothing {
        reference: reference(),
        chosen: chosen.map(Into::into),
        sure: 0.8,
    };
    insta::assert_snapshot!(said(nothing(None)), @"No method has a lower CRPS than `unconditional-gaussian`, which ignores the features, with a probability above 0.8: on these rows the features carry no information that these methods can use.");
    insta::assert_snapshot!(said(nothing(Some("dtb"))), @"No method has a lower CRPS than `unconditional-gaussian`, which ignores the features, with a probability above 0.8: on these rows the features carry no information that these methods can use, and the lead of `dtb` may be chance.");
}

#[test]
fn what_stands_against_it() {
    let against = Reason::NotTooFew { method: "tree".into(), coverage: of_100(75) };
    insta::assert_snapshot!(said(against), @"Not `tree`, though its CRPS is lower: its 90 % intervals cover only 75.0 % of the test rows.");
    let kind = |name: &str, covered| Covered { name: name.into(), coverage: of_100(covered) };
    let high = vec![kind("smallest third of the predicted means", 100), kind("a|b=c", 99)];
    insta::assert_snapshot!(said(Reason::KindsTooHigh(high)), @r"Its intervals cover more rows of some kinds than they state, where they are wider than necessary: smallest third of the predicted means (100.0 % of 100 rows); a\|b=c (99.0 % of 100 rows).");
}

#[test]
fn for_which_rows_the_coverage_holds() {
    insta::assert_snapshot!(said(Reason::Limits(Division::Rows)), @"Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.");
    insta::assert_snapshot!(said(Reason::Limits(Division::Repeated { distinct: 9 })), @"Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over new rows of the same kind with features seen before. It is not for later times, other places or feature values out of range, and not for each group of rows.");
    insta::assert_snapshot!(said(Reason::Limits(Division::Groups { groups: 12 })), @"Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over rows of new groups like these, not for each group and not for each kind of row.");
    insta::assert_snapshot!(said(Reason::Limits(Division::Blocks { start: 200 })), @"Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over later rows. It holds only while the future changes no faster than these rows did from block to block, and not for each kind of row.");
}

#[test]
fn what_is_promised_of_a_saved_model() {
    let overstated = Overstated {
        estimate: estimate(About::ThisModel),
        method: "linear-gaussian".into(),
        coverage: of_100(90),
    };
    insta::assert_snapshot!(promise(&Promise::Overstated(overstated), INTERVALS), @"Warning: with the choice of the method repeated on other rows each time, the 90 % intervals cover only 72.0 % (95 % interval: 61.1 to 81.3 %) of the rows: too few. Expect this coverage of new rows, and not the 90.0 % of `linear-gaussian`, which was chosen by the same rows.");
    insta::assert_snapshot!(promise(&Promise::Procedure(None), INTERVALS), @"With the choice of the method repeated on other rows each time, the coverage is not known: for some fold the other rows recommend no method.");
    insta::assert_snapshot!(promise(&Promise::Theorem(Theorem::Unknown), INTERVALS), @"Its coverage is measured and not guaranteed: no theorem is known for this method.");
    insta::assert_snapshot!(promise(&Promise::Holds(Division::Rows), INTERVALS), @"The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.");
    let tested = Promise::Tested(Tested { coverage: of_100(91), kept: Kept::Unclear });
    insta::assert_snapshot!(promise(&tested, LOWER), @"Its 90 % lower bounds cover 91.0 % (95 % interval: 83.6 to 95.8 %) of the test rows: too few rows to tell whether that is near the level.");
}
