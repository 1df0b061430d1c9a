//! Files of strangers: infinite and missing ends, several forms at once, test sets that are no
//! cross-validation, rows that are there twice.

use std::collections::BTreeSet;

use rand::RngExt;

use super::*;
use uq_core::math::random::{Streams, permutation};
use uqbench_data::own::{Finding, Topic};

pub(super) fn topics(findings: &[Finding]) -> Vec<Topic> {
    findings.iter().map(|finding| finding.topic).collect()
}

pub(super) fn overlap(predictions: &OwnPredictions) -> Overlap {
    Evaluation::of(predictions, 0.8, None).overlap
}

/// Whether a file is warned of for its test sets.
pub(super) fn is_warned(overlap: &Overlap) -> bool {
    overlap
        .finding("p.csv")
        .is_some_and(|finding| finding.topic == Topic::Overlap && finding.columns == ["split"])
}

#[test]
fn infinite_ends_cover_and_make_infinite_only_what_grows_with_them() {
    let found = |rows: &str| {
        let predictions = read(&format!("y,lower,upper\n{rows}"));
        let evaluation = Evaluation::of(&predictions, 0.8, None);
        let score = |metric: &str| scored(&evaluation, metric).score.unwrap();
        ["picp", "mpiw", "interval-score"]
            .map(|name| score(&format!("{name}(level=0.8)")))
            .map(|score: f64| (score * 1e12).round() / 1e12)
            .into_iter()
            .chain(["pinball(level=0.1)", "pinball(level=0.9)"].map(score))
            .collect::<Vec<f64>>()
    };
    let inf = f64::INFINITY;
    // The outcomes are 5, 5 and 9; the third one is 1 above its upper end.
    let ends = found("5,0,10\n5,0,10\n9,0,8\n");
    assert_eq!(
        ends[..3],
        [2.0 / 3.0, 28.0 / 3.0, 28.0 / 3.0 + 10.0 / 3.0]
            .map(|score: f64| (score * 1e12).round() / 1e12)
    );
    for both in ["5,-inf,inf", "5,-Infinity,+Infinity", "5,-INF,Inf"] {
        let all = found(&format!("{both}\n5,0,10\n9,0,8\n"));
        assert_eq!((all[0], &all[1..]), (ends[0], &[inf; 4][..]), "{both}");
    }
    let upper = found("5,0,inf\n5,0,10\n9,0,8\n");
    assert_eq!(upper, [ends[0], inf, inf, ends[3], inf], "the loss of the lower ends stays");
    let lower = found("5,-inf,10\n5,0,10\n9,0,8\n");
    assert_eq!(lower, [ends[0], inf, inf, inf, ends[4]]);
    let above = found("5,6,inf\n5,0,10\n9,0,8\n");
    assert!((above[0] - 1.0 / 3.0).abs() < 1e-9, "5 is below its only end: {above:?}");
}

#[test]
fn nobody_is_told_to_delete_a_row_with_an_infinite_prediction() {
    for text in [
        "y,q0.05,q0.5,q0.95\n1,-inf,1,2\n",
        "y,q0.05,q0.5,q0.95\n1,0,1,Infinity\n",
        "y,mean,sd\n1,inf,1\n",
        "y,mean,sd\n1,0,inf\n",
    ] {
        let told = file("p", text, None, Some(0.8)).unwrap_err().to_string();
        assert!(
            told.contains("line 2")
                && told.contains("`lower` and `upper`")
                && !told.contains("delete"),
            "{told}"
        );
    }
    let told = file("p", "y,mean,sd\ninf,1,1\n", None, Some(0.8)).unwrap_err().to_string();
    assert!(told.contains("column \"y\"") && !told.contains("`lower`"), "{told}");
}

#[test]
fn rows_without_an_end_are_left_out_of_every_method_and_told() {
    let text = "method,y,lower,upper\na,1,0,2\na,2,,3\na,5,3,6\nb,1,0,2\nb,2,0,3\nb,5,3,\nb,7,0,9\na,7,0,1\n";
    let predictions = read(text);
    assert_eq!(predictions.y.to_vec(), [1.0, 7.0]);
    assert_eq!(topics(&predictions.findings), [Topic::LeftOut]);
    assert_eq!(predictions.findings[0].columns, ["lower", "upper"]);
    let evaluation = Evaluation::of(&predictions, 0.8, None);
    close(scored(&evaluation, "picp(level=0.8)").score, 0.5);
    assert!(
        OwnPredictions::new(&[file("p", "y,lower,upper\n1,,2\n", None, Some(0.8)).unwrap()])
            .is_err(),
        "no row is left"
    );
    assert!(file("p", "y,lower,upper\n,0,2\n", None, Some(0.8)).is_err(), "an outcome is needed");
}

#[test]
fn intervals_are_scored_where_they_stand_and_a_note_says_so() {
    let form = |text: &str, asked| {
        let file = file("p", text, asked, Some(0.8)).unwrap();
        (
            file.form,
            file.findings
                .iter()
                .map(|finding| (finding.topic, finding.columns.clone()))
                .collect::<Vec<_>>(),
        )
    };
    let (chosen, found) =
        form("sd,upper,y,lower,mean,aleatoric_sd,epistemic_sd\n1,2,1,0,1,1,0\n", None);
    assert_eq!(chosen, OwnForm::Interval);
    assert_eq!(found[0], (Topic::Form, vec!["lower".into(), "upper".into()]));
    assert_eq!(
        found[1],
        (Topic::Unused, vec!["sd".into(), "aleatoric_sd".into(), "epistemic_sd".into()])
    );
    assert_eq!(
        form("q0.1,q0.5,q0.9,lower,upper,y,mean,sd\n0,1,2,0,2,1,1,1\n", None).0,
        OwnForm::Interval
    );
    assert_eq!(form("s1,s2,lower,upper,y\n0,1,0,2,1\n", None).0, OwnForm::Interval);
    let (asked, found) = form("y,mean,sd,lower,upper\n1,1,1,0,2\n", Some(OwnForm::Gaussian));
    assert_eq!(
        (asked, &found[..]),
        (OwnForm::Gaussian, &[(Topic::Unused, vec!["lower".to_owned(), "upper".into()])][..])
    );
    assert_eq!(
        form("y,lower,upper\n1,0,2\n", None),
        (OwnForm::Interval, Vec::new()),
        "no choice, no note"
    );
    assert_eq!(
        form("y,mean,sd,upper\n1,1,1,2\n", None).0,
        OwnForm::Gaussian,
        "one bound is no interval"
    );
}

#[test]
fn quantiles_of_the_levels_0_and_1_are_the_ends_of_the_distribution() {
    // ∫ (F(x) − 1{y ≤ x})² dx, by hand: of the uniform distribution on (0, 1) at y it is y³/3 + (1
    // − y)³/3.
    let found = |head: &str, rows: &str| {
        let evaluation = Evaluation::of(&read(&format!("{head}\n{rows}")), 0.8, None);
        scored(&evaluation, "crps").score.unwrap()
    };
    let expected = |y: f64| (y.powi(3) + (1.0 - y).powi(3)) / 3.0;
    for head in ["y,q0,q0.5,q1", "y,q0.0,q0.5,q1.0"] {
        let score = found(head, "0.25,0,0.5,1\n0.9,0,0.5,1\n");
        assert!((score - (expected(0.25) + expected(0.9)) / 2.0).abs() < 1e-12, "{score}");
    }
    let normal = file("p", "y,mean,sd,q1\n1,0,1,5\n", None, None).unwrap();
    assert_eq!(normal.form, OwnForm::Gaussian, "q1 alone is no quantile");
    assert_eq!(default_level(&read("y,q0,q0.1,q0.9,q1\n1,0,1,2,3\n")), 0.8);
}

#[test]
fn student_t_and_mixtures_have_their_own_columns() {
    let score = |text: &str, metric: &str| {
        scored(&Evaluation::of(&read(text), 0.8, None), metric).score.unwrap()
    };
    // The density of t with 3 degrees of freedom at 0 is 2/(π√3), of scale 2 half of it; two equal
    // components are one.
    let t = score("y,location,scale,df\n1.5,1.5,2,3\n0.25,0.25,2,3\n", "log-likelihood");
    assert!((t - (1.0 / (PI * 3.0_f64.sqrt())).ln()).abs() < 1e-12, "{t}");
    let normal = score("y,mean,sd\n1.5,1,2\n0.25,1,2\n", "crps");
    let mixed = score(
        "y,weight1,mean1,sd1,weight2,mean2,sd2\n1.5,0.3,1,2,0.7,1,2\n0.25,0.3,1,2,0.7,1,2\n",
        "crps",
    );
    assert!((normal - mixed).abs() < 1e-12);
    for text in [
        "y,location,scale,df\n1,0,0,3\n",
        "y,location,scale,df\n1,0,1,-3\n",
        "y,weight1,mean1,sd1\n1,0.5,0,1\n",
    ] {
        assert!(file("p", text, None, None).is_err(), "{text}");
    }
}

#[test]
fn ends_of_intervals_have_the_levels_that_were_asked_for() {
    for (level, ends) in [
        (0.7, ["0.15", "0.85"]),
        (0.8, ["0.1", "0.9"]),
        (0.9, ["0.05", "0.95"]),
        (0.95, ["0.025", "0.975"]),
        (0.99, ["0.005", "0.995"]),
    ] {
        let texts = [
            "y,mean,sd\n1.5,0,1\n2.25,0,1\n".to_owned(),
            "y,lower,upper\n1.5,0,2\n2.25,0,1\n".to_owned(),
        ];
        for text in texts {
            let evaluation = Evaluation::of(
                &OwnPredictions::new(&[file("p", &text, None, Some(level)).unwrap()]).unwrap(),
                level,
                None,
            );
            let names: Vec<String> = evaluation.metrics.iter().map(ToString::to_string).collect();
            for end in ends {
                assert!(names.contains(&format!("pinball(level={end})")), "{level}: {names:?}");
            }
        }
    }
}

#[test]
fn no_form_has_scores_of_an_optimisation_or_of_a_mean_variance() {
    for text in [
        "y,mean,sd\n1.5,0,1\n",
        "y,q0.1,q0.9\n1.5,0,1\n",
        "y,s1,s2\n1.5,0,1\n",
        "y,lower,upper,mean\n1.5,0,1,1\n",
    ] {
        let evaluation = Evaluation::of(&read(text), 0.8, None);
        for name in ["best-value", "simple-regret", "mean-variance"] {
            let all = evaluation.metrics.iter().chain(&evaluation.undefined);
            assert!(all.clone().all(|metric| metric.name() != name), "{name} of {text}");
        }
    }
}

#[test]
fn shares_of_rows_have_exact_intervals() {
    let mut text = "y,mean,sd\n".to_owned();
    (0..60).for_each(|i| {
        writeln!(text, "{},0,1", if i < 4 { 9.0 + f64::from(i) } else { 0.01 * f64::from(i) })
            .unwrap()
    });
    let evaluation = Evaluation::of(&read(&text), 0.9, None);
    let found = scored(&evaluation, "picp(level=0.9)");
    let (low, high) = found.interval().unwrap();
    // 56 of 60: R's binom.test prints 0.8380 to 0.9815.
    assert!((low - 0.8380).abs() < 1e-4 && (high - 0.9815).abs() < 1e-4, "{low} to {high}");
    assert_eq!(
        (found.half_width, scored(&evaluation, "sigma-coverage(k=1)").half_width),
        (None, None)
    );
    let crps = scored(&evaluation, "crps");
    close(crps.interval().map(|ends| ends.1), crps.score.unwrap() + crps.half_width.unwrap());
}

/// A file of test sets of these rows of a table with outcomes √row, and labels where they are
/// wanted.
pub(super) fn of_sets(
    sets: &[Vec<usize>],
    label: impl Fn(usize, usize) -> Option<String>,
) -> OwnPredictions {
    let mut text = "split,y,mean,sd,row\n".to_owned();
    for (split, rows) in sets.iter().enumerate() {
        for (place, &row) in rows.iter().enumerate() {
            let y = (row as f64 + 2.0).sqrt() * (row as f64 * 0.37).sin();
            writeln!(text, "{split},{y},{split},1,{}", label(place, row).unwrap_or_default())
                .unwrap();
        }
    }
    if label(0, 0).is_none() {
        text = text
            .replace(",row\n", "\n")
            .lines()
            .map(|line| format!("{}\n", line.trim_end_matches(',')))
            .collect();
    }
    read(&text)
}

pub(super) fn labelled(_: usize, row: usize) -> Option<String> {
    Some(row.to_string())
}

fn unlabelled(_: usize, _: usize) -> Option<String> {
    None
}

pub(super) fn random_sets(rows: usize, tested: usize, sets: usize) -> Vec<Vec<usize>> {
    let mut stream = Streams::new(3, "random sets").stream("splits", 0);
    (0..sets).map(|_| permutation(rows, &mut stream)[..tested].to_vec()).collect()
}

pub(super) fn folds(rows: usize, folds: usize, seed: u64) -> Vec<Vec<usize>> {
    let order = permutation(rows, &mut Streams::new(seed, "folds").stream("order", 0));
    (0..folds).map(|fold| order.iter().copied().skip(fold).step_by(folds).collect()).collect()
}

#[test]
fn a_cross_validation_keeps_its_ratio() {
    for label in [labelled, unlabelled] {
        let found = overlap(&of_sets(&folds(103, 5, 0), label));
        assert_eq!((found.test_to_train, found.basis), (0.25, Basis::CrossValidation));
        assert!(!is_warned(&found));
    }
    let in_set = overlap(&of_sets(&folds(100, 5, 0), |place, _| Some(place.to_string())));
    assert_eq!(
        in_set.basis,
        Basis::CrossValidation,
        "a label that counts within each test set is no row's"
    );
    // Sorted and dealt out: rows of one rounded outcome are in different folds.
    let mut text = "split,y,mean,sd\n".to_owned();
    (0..600).for_each(|i| writeln!(text, "{},{},{i},1", i % 10, f64::from(i / 2) / 10.0).unwrap());
    assert_eq!(overlap(&read(&text)).basis, Basis::CrossValidation);
    let mut text = "split,y,mean,sd\n".to_owned();
    (0..600).for_each(|i| writeln!(text, "{},{},0,1", i % 10, i * i % 7).unwrap());
    assert_eq!(overlap(&read(&text)).basis, Basis::CrossValidation, "counts");
}

#[test]
fn a_repeated_cross_validation_has_the_ratio_of_one() {
    let sets = [folds(100, 5, 0), folds(100, 5, 1), folds(100, 5, 2)].concat();
    for label in [labelled, unlabelled] {
        let found = overlap(&of_sets(&sets, label));
        assert_eq!((found.test_to_train, found.basis, found.distinct), (0.25, Basis::Rest, 100));
        assert!(!is_warned(&found));
    }
}

#[test]
fn random_splits_have_the_ratio_of_what_they_leave_or_ask_for_it() {
    for label in [labelled, unlabelled] {
        // All of 150 rows are tested: 30 for 120.
        let whole = overlap(&of_sets(&random_sets(150, 30, 60), label));
        assert_eq!((whole.test_to_train, whole.basis), (0.25, Basis::Rest));
        assert!(!is_warned(&whole));
        let some = overlap(&of_sets(&random_sets(150, 15, 20), label));
        assert_eq!((some.basis, some.tested), (Basis::AtLeastRest, 300));
        assert!(is_warned(&some) && some.distinct < 150);
        // The true ratio is 15 for 135; with fewer rows known it is larger, so that intervals are
        // wider.
        assert!(
            some.test_to_train > 15.0 / 135.0 && some.test_to_train < 15.0 / 105.0,
            "{}",
            some.test_to_train
        );
    }
    let stated =
        Evaluation::of(&of_sets(&random_sets(150, 15, 20), labelled), 0.8, Some(135)).overlap;
    assert_eq!(
        (stated.test_to_train, stated.basis, is_warned(&stated)),
        (15.0 / 135.0, Basis::Stated, false)
    );
}

#[test]
fn bootstraps_and_one_test_set_of_several_fits_are_no_cross_validation() {
    let mut stream = Streams::new(5, "bootstraps").stream("draws", 0);
    let out_of_bag = |_| {
        let drawn: BTreeSet<usize> = (0..120).map(|_| stream.random_range(0..120)).collect();
        (0..120).filter(|row| !drawn.contains(row)).collect::<Vec<usize>>()
    };
    let sets: Vec<Vec<usize>> = (0..40).map(out_of_bag).collect();
    let found = overlap(&of_sets(&sets, labelled));
    // 0.368 of the rows are not drawn.
    assert!(
        found.basis == Basis::Rest && (found.test_to_train - 0.368 / 0.632).abs() < 0.03,
        "{}",
        found.test_to_train
    );
    let same = vec![(0..30).collect::<Vec<usize>>(); 5];
    for label in [labelled, unlabelled] {
        let found = overlap(&of_sets(&same, label));
        assert_eq!((found.basis, is_warned(&found)), (Basis::Unknown, true));
    }
}

#[test]
fn the_file_may_state_the_training_rows() {
    let mut text = "split,y,mean,sd,train_rows\n".to_owned();
    (0..60).for_each(|i| writeln!(text, "{},{},0,1,135", i / 15, f64::from(i).sqrt()).unwrap());
    let predictions = read(&text);
    let found = overlap(&predictions);
    assert_eq!((found.test_to_train, found.basis), (15.0 / 135.0, Basis::Stated));
    assert_eq!(
        Evaluation::of(&predictions, 0.8, Some(45)).overlap.test_to_train,
        15.0 / 45.0,
        "an option goes first"
    );
}

/// 60 rows in each form, with some digits.
pub(super) fn rows(head: &str) -> Vec<String> {
    let columns = head.split(',').filter(|name| !["y", "split", "method"].contains(name)).count();
    let row = |i: u32| {
        let at = |k: usize| f64::from(i * 37 % 60).sqrt() + (k + 1) as f64;
        (0..columns).fold(format!("{}", f64::from(i * 53 % 61).sqrt()), |text, k| {
            format!("{text},{}", at(k))
        })
    };
    (0..60).map(row).collect()
}

#[test]
fn a_file_that_was_appended_to_is_told_and_its_intervals_are_of_the_distinct_rows() {
    for head in ["y,mean,sd", "y,q0.1,q0.5,q0.9", "y,s1,s2,s3", "y,lower,upper"] {
        let once = rows(head);
        let evaluated = |lines: &[String]| {
            let predictions = read(&format!("{head}\n{}\n", lines.join("\n")));
            let evaluation = Evaluation::of(&predictions, 0.8, None);
            (topics(&predictions.findings), predictions.distinct, evaluation)
        };
        let (told, distinct, alone) = evaluated(&once);
        assert_eq!((told, distinct), (Vec::new(), 60), "{head}");
        let interleaved: Vec<String> =
            once.iter().flat_map(|line| [line.clone(), line.clone(), line.clone()]).collect();
        for copies in [
            [once.clone(), once.clone()].concat(),
            interleaved,
            [once.clone(), once.clone(), once[..30].to_vec()].concat(),
        ] {
            let (told, distinct, found) = evaluated(&copies);
            let is_whole = copies.len() % 60 == 0;
            assert!(told == [Topic::Copies] && distinct == 60 || !is_whole, "{head}: {told:?}");
            if is_whole {
                let ends = |evaluation: &Evaluation, name: &str| {
                    scored(evaluation, name).interval().unwrap()
                };
                for name in ["picp(level=0.8)", "interval-score(level=0.8)"] {
                    let ((a, b), (c, d)) = (ends(&alone, name), ends(&found, name));
                    assert!(
                        (a - c).abs() < 1e-9 && (b - d).abs() < 1e-9,
                        "{head}, {name}: {a} to {b} against {c} to {d}"
                    );
                }
            }
        }
    }
}

#[test]
fn copies_are_told_of_several_methods_and_of_test_sets() {
    let once = rows("y,mean,sd");
    let of_methods = |times: usize| {
        let lines = ["a", "b"]
            .map(|method| once.iter().map(|line| format!("{method},{line}\n")).collect::<String>());
        read(&format!("method,y,mean,sd\n{}", lines.concat().repeat(times)))
    };
    assert!(of_methods(1).findings.is_empty());
    assert_eq!(topics(&of_methods(2).findings), [Topic::Copies]);
    let of_sets = |times: usize, copy: &dyn Fn(usize, usize) -> String| {
        let all = (0..times).flat_map(|time| {
            once.iter().enumerate().map(move |(i, line)| format!("{},{line}\n", copy(time, i)))
        });
        read(&format!("split,y,mean,sd\n{}", all.collect::<String>()))
    };
    let within = of_sets(2, &|_, i| (i % 3).to_string());
    assert_eq!((topics(&within.findings), within.distinct), (vec![Topic::Copies], 60));
    assert_eq!(overlap(&within).basis, Basis::CrossValidation);
    let as_sets = of_sets(2, &|time, _| time.to_string());
    assert_eq!(
        (topics(&as_sets.findings), overlap(&as_sets).basis),
        (vec![Topic::Copies], Basis::Unknown)
    );
    assert!(of_sets(1, &|_, i| (i % 3).to_string()).findings.is_empty());
}

#[test]
fn rows_that_are_equal_by_nature_are_no_copies() {
    let mut stream = Streams::new(9, "counts").stream("rows", 0);
    for categories in [3_u32, 8] {
        let mut text = "y,mean,sd\n".to_owned();
        for _ in 0..400 {
            let category = stream.random_range(0..categories);
            let y = (0..4).filter(|_| stream.random_range(0..10) < category + 1).count();
            writeln!(text, "{y},{category},1").unwrap();
        }
        assert!(read(&text).findings.is_empty(), "{categories}");
    }
}
