//! Bring predictions of two splits of Yacht, good and bad ones.

use std::sync::LazyLock;

use super::*;
use proptest::prelude::{any, proptest};
use uq_core::metrics::MetricId;
use uqbench_data::{Library, SourceOptions};
use uqbench_run::benchmark::find;
use uqbench_run::league::{Board, Card, Truth, blank_card};
use uqbench_run::protocols::{Setting, Source, run};
use uqbench_run::registry;

/// Two splits of Yacht and what their predictions are scored against.
static YACHT: LazyLock<(Board, Vec<Vec<Truth>>)> = LazyLock::new(|| {
    let board = Board::new(&find("league-standard").unwrap()).unwrap();
    let board = board.only(&["yacht".into()], Some(2)).unwrap();
    let truths = board.truths(&library()).unwrap();
    (board, truths)
});

fn library() -> Library {
    Library::new(SourceOptions { offline: true, ..SourceOptions::default() })
}

fn card(more: &str) -> Card {
    let text = blank_card("league-standard", false)
        .replace("name = \"\"", "name = \"mine\"")
        .replace("authors = [\"\"]", "authors = [\"A\"]")
        .replace("licence = \"\"", "licence = \"CC0-1.0\"")
        .replace("hardware = \"\"", "hardware = \"a processor\"")
        .replace("description = \"\"", "description = \"a\"");
    Card::parse(&format!("{text}{more}")).unwrap()
}

/// The outcomes of both splits with their numbers.
fn outcomes() -> impl Iterator<Item = (usize, usize, f64)> {
    let splits = YACHT.1[0].iter().enumerate();
    splits.flat_map(|(split, truth)| {
        truth.outcomes.y.iter().enumerate().map(move |(row, y)| (split, row, *y))
    })
}

/// A file with these columns, whose cells are made of the number of the row and the outcome.
fn file(columns: &str, cells: impl Fn(usize, f64) -> String) -> String {
    let rows = outcomes().map(|(split, row, y)| format!("yacht,{split},{row},{}\n", cells(row, y)));
    format!("dataset,split,row,{columns}\n{}", rows.collect::<String>())
}

/// Means that are wrong by a little, and a standard deviation.
fn honest() -> String {
    file("mean,sd", |row, y| format!("{},1.5", 0.9 * y + 1.0 + (row as f64).sin()))
}

fn submitted(text: &str, card: &Card) -> Result<Submission, String> {
    let (board, truths) = &*YACHT;
    let submission = read_submission("p.csv", text.as_bytes(), card, board, truths);
    let submission = submission.map_err(|refusals| refusals.to_string())?;
    let refusals = submission.check(board, truths);
    if refusals.is_empty() { Ok(submission) } else { Err(Refusals(refusals).to_string()) }
}

#[track_caller]
fn refused(text: &str, more: &str, expected: &[&str]) {
    let message = submitted(text, &card(more)).map(|_| ()).unwrap_err();
    for expected in expected {
        assert!(message.contains(expected), "{expected} in\n{message}");
    }
}

fn metrics() -> Vec<MetricId> {
    find("league-standard").unwrap().metrics.iter().map(|row| row.id).collect()
}

#[test]
fn predictions_of_a_trial_have_the_scores_of_the_trial() {
    let (board, truths) = &*YACHT;
    let tables = board.load(&library()).unwrap();
    let method = registry::build("gmm-regression", &serde_json::Value::Null).unwrap();
    let (mut text, mut expected) = (String::new(), Vec::new());
    for split in 0..2 {
        let spec = board.datasets[0].reference(split);
        let context = uq_methods::Context::new(spec.method_streams());
        let setting = Setting {
            protocol: &spec.protocol,
            repetition: uqbench_run::protocols::Repetition {
                dataset: &spec.dataset,
                rows: spec.rows,
                split,
                streams: spec.data_streams(),
            },
            scaling: spec.scaling,
            score_units: spec.score_units,
            request: &spec.ask,
        };
        let observed = run(&setting, Source::Table(&tables[0]), method.as_ref(), &context).unwrap();
        let truth = &truths[0][split as usize];
        assert_eq!(truth.outcomes.y, observed.y);
        assert_eq!(truth.outcomes.context.facts, observed.facts);
        let predictive = &observed.readings[0].1;
        let uq_core::predictive::Form::Mixture(mixture) = &predictive.form else { panic!() };
        let components = mixture.means.ncols();
        if split == 0 {
            let names: Vec<String> =
                (1..=components).map(|k| format!("weight{k},mean{k},sd{k}")).collect();
            text += &format!("dataset,split,row,{}\n", names.join(","));
        }
        for row in 0..observed.y.len() {
            let weights = mixture.weights.row(row.min(mixture.weights.nrows() - 1));
            let parts: Vec<String> = (0..components)
                .map(|k| {
                    let sd = mixture.variances[[row, k]].sqrt();
                    format!("{},{},{sd}", weights[k], mixture.means[[row, k]])
                })
                .collect();
            text += &format!("yacht,{split},{row},{}\n", parts.join(","));
        }
        let context = &truth.outcomes.context;
        expected.push(
            metrics()
                .iter()
                .map(|metric| metric.score(predictive, observed.y.view(), context))
                .collect::<Vec<_>>(),
        );
    }
    let card = card("");
    let submission = submitted(&text, &card).unwrap();
    let found = submission.scores(&card, board, truths, &metrics());
    for (found, expected) in found.iter().zip(&expected) {
        for (score, expected) in found.scores.iter().zip(expected) {
            let Score::Given(score) = score else { panic!("{score:?}") };
            // The root of a stored variance, and its square, round.
            let expected = expected.unwrap();
            assert!(
                (score - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                "{score} {expected}"
            );
        }
    }
    let brought = Brought::new(&card, "key", board, &found);
    assert_eq!((brought.heading.as_str(), brought.scores["yacht"].len()), ("mine 1", 8));
    assert!(brought.scores["yacht"].iter().all(|splits| splits.len() == 2));
}

#[test]
fn every_form_is_read_and_the_order_of_rows_and_the_format_do_not_matter() {
    let quantiles = file("q0.95,q0.5,q0.050", |row, y| {
        let centre = y + (row as f64).sin();
        format!("{},{centre},{}", centre + 2.0, centre - 2.0)
    });
    let submission = submitted(&quantiles, &card("")).unwrap();
    let names: Vec<&str> =
        submission.predictions.columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["q0.05", "q0.5", "q0.95"]);
    assert!(submission.notes[0].starts_with("3 quantiles a row"), "{:?}", submission.notes);
    let mut lines: Vec<&str> = quantiles.lines().collect();
    lines[1..].reverse();
    let backward = submitted(&lines.join("\n"), &card("")).unwrap();
    assert_eq!(backward.predictions.sha256(), submission.predictions.sha256());
    let parquet = submission.predictions.to_parquet().unwrap();
    let (board, truths) = &*YACHT;
    let again = read_submission("p", &parquet, &card(""), board, truths).unwrap();
    assert_eq!(again.predictions, submission.predictions);

    let draws = file("s1,s2,mean,aleatoric,epistemic,extra", |row, y| {
        format!("{},{},{},1,0,7", y + 1.0, y - 2.0 + (row as f64).sin(), y - 0.4)
    });
    let submission = submitted(&draws, &card("")).unwrap();
    assert_eq!(submission.form.to_string(), "samples");
    assert!(submission.point.is_some() && submission.predictive.split.is_some());
    assert_eq!(submission.notes, ["columns that are not used: \"extra\""]);
    let t = file("location,scale,df", |row, y| format!("{},1,4", y + (row as f64).cos()));
    assert_eq!(submitted(&t, &card("")).unwrap().form.to_string(), "student-t");
}

#[test]
fn an_interval_needs_its_level_and_has_the_scores_of_an_interval_alone() {
    let text = file("lower,upper", |_, y| format!("{},{}", y - 2.0, y + 3.0));
    refused(&text, "", &["intervals, `lower` and `upper`", "`level = 0.9`"]);
    let card = card("level = 0.9");
    let submission = submitted(&text, &card).unwrap();
    let (board, truths) = &*YACHT;
    let found = submission.scores(&card, board, truths, &metrics());
    let of = |name: &str| {
        let place = metrics().iter().position(|metric| metric.to_string() == name).unwrap();
        found[1].scores[place]
    };
    assert_eq!([of("crps"), of("rmse"), of("log-likelihood")], [Score::Undefined; 3]);
    assert_eq!(of("picp(level=0.9)"), Score::Given(1.0));
    assert!(matches!(of("mpiw(level=0.9)"), Score::Given(width) if (width - 5.0).abs() < 1e-9));
}

#[test]
fn outcomes_in_place_of_predictions_are_a_leak() {
    let leak = file("mean,sd", |_, y| format!("{y},0.001"));
    refused(&leak, "", &["the mean is exactly the outcome in ", "which noise was added cannot be"]);
    let single = file("mean,sd", |_, y| format!("{},1", y as f32));
    refused(&single, "", &["the mean is exactly the outcome"]);
    let some = file("s1,s2,s3", |row, y| {
        let honest = y + 5.0 + (row as f64).sin();
        format!("{honest},{},{}", honest - 4.0, if row % 3 == 0 { y } else { honest + 1.0 })
    });
    refused(&some, "", &["the column `s3` is exactly the outcome"]);
    // Who predicts outcomes of training rows hits some of those of test rows.
    let known = |row: usize, split: usize| !YACHT.1[0][split].is_new[row];
    let rows = outcomes().map(|(split, row, y)| {
        let mean = if known(row, split) { y } else { y + 0.3 };
        format!("yacht,{split},{row},{mean},1\n")
    });
    let text = format!("dataset,split,row,mean,sd\n{}", rows.collect::<String>());
    assert!(submitted(&text, &card("")).is_ok());
}

#[test]
fn other_units_are_told() {
    let standardised = file("mean,sd", |row, y| {
        let (mean, sd) = YACHT.1[0][0].training;
        format!("{},0.1", (y + (row as f64).sin() - mean) / sd)
    });
    refused(&standardised, "", &["not in the target's units", "of a standardised target"]);
    let hundredth = file("mean,sd", |row, y| format!("{},1", 100.0 * (y + (row as f64).sin())));
    let message = submitted(&hundredth, &card("")).map(|_| ()).unwrap_err();
    assert!(message.contains("not in the target's units") && !message.contains("standardised"));
    let shifted = file("mean,sd", |row, y| format!("{},1", y + 50.0 + (row as f64).sin()));
    refused(&shifted, "", &["standard deviations from the mean outcome"]);
    // Bad is not wrong, but nobody predicts what lies far from all outcomes.
    let constant = |value: f64| file("mean,sd", |_, _| format!("{value},1"));
    assert!(submitted(&constant(-10.0), &card("")).is_ok());
    refused(&constant(-900.0), "", &["centres is -900.0000, more than two standard deviations"]);
    let noisy =
        file("mean,sd", |row, y| format!("{},1", 60.0 + 0.1 * y + 9.0 * (row as f64).sin()));
    refused(&noisy, "", &["expected predictions in the unit of `y_train`"]);
}

#[test]
fn rows_that_are_missing_unknown_or_there_twice_are_named() {
    let honest = honest();
    let without = |from: usize, count: usize| {
        let lines = honest.lines().enumerate();
        lines
            .filter(|(line, _)| !(from..from + count).contains(line))
            .map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    refused(&without(3, 2), "", &["split 0: 2 of 31 rows are missing (2, 3)"]);
    let half = without(1, 31);
    refused(&half, "", &["no row of 1 split (0)", "`part = true`"]);
    assert!(submitted(&half, &card("part = true")).is_ok());
    let failed = "[[failed]]\ndataset = \"yacht\"\nsplit = 0\nwhy = \"memory\"\n";
    let submission = submitted(&half, &card(failed)).unwrap();
    let (board, truths) = &*YACHT;
    let scores = submission.scores(&card(failed), board, truths, &metrics());
    assert_eq!(scores.len(), 2);
    assert_eq!(scores[0].scores, vec![Score::Failed; 8]);
    refused(&honest, failed, &["the card says that it failed, but the file has predictions"]);
    let line = honest.lines().nth(5).unwrap();
    refused(&format!("{honest}{line}\n{line}\n"), "", &["row 4 (and 1 more): found several"]);
    refused(
        &(honest.clone() + "yatch,0,0,1,1\n"),
        "",
        &["dataset `yatch`", "did you mean `yacht`"],
    );
    refused(&(honest.clone() + "yacht,2,0,1,1\n"), "", &["split 2: expected one of 0 to 1"]);
    refused(&(honest.clone() + "yacht,0.5,0,1,1\n"), "", &["split 0.5: expected one of 0 to 1"]);
    refused(&(honest.clone() + "yacht,0,31,1,1\n"), "", &["row 31: expected rows 0 to 30"]);
    refused(&honest.replace(",row,", ",line,"), "", &["no column \"row\""]);
}

#[test]
fn the_card_has_to_fit_the_board() {
    let (board, truths) = &*YACHT;
    let failed = "[[failed]]\ndataset = \"yacht\"\nsplit = 7\nwhy = \"x\"\n\
                  [[failed]]\ndataset = \"boat\"\nsplit = 0\nwhy = \"x\"\n";
    let other = Card { board: "league-modern".into(), ..card(failed) };
    let text = honest();
    let found = read_submission("p", text.as_bytes(), &other, board, truths);
    let message = found.map(|_| ()).unwrap_err().to_string();
    for expected in [
        "3 reasons",
        "found `league-modern`, expected `league-standard`",
        "`yacht`, split 7: expected one of 0 to 1",
        "`boat`, split 0: the board has no such dataset",
    ] {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn numbers_that_are_no_predictions_are_named_by_their_row() {
    let place = "dataset `yacht`, split 1, row 4, column ";
    let with = |columns: &str, good: &str, bad: &str| {
        let rows = outcomes().map(|(split, row, _)| {
            format!("yacht,{split},{row},{}\n", if (split, row) == (1, 4) { bad } else { good })
        });
        format!("dataset,split,row,{columns}\n{}", rows.collect::<String>())
    };
    for (columns, good, bad, expected) in [
        ("mean,sd", "1,1", "1,0", "\"sd\": found 0, expected a standard deviation above 0"),
        ("mean,sd", "1,1", "inf,1", "\"mean\": found inf, expected a finite number"),
        ("mean,sd", "1,1", ",1", "\"mean\": found no number"),
        ("mean,sd", "1,1", "1e200,1", "\"mean\": found 1e200"),
        ("q0.1,q0.9", "1,2", "2,1", "\"q0.9\": found 1, below 2 in the column \"q0.1\""),
        ("lower,upper", "1,2", "2,1", "\"upper\": found 1, below 2"),
        ("weight1,mean1,sd1", "1,0,1", "0.5,0,1", "weights of this row that sum to 0.5"),
        ("mean,sd,epistemic", "1,1,1", "1,1,-1", "\"epistemic\": found -1, expected a variance"),
    ] {
        refused(&with(columns, good, bad), "level = 0.9", &[place, expected]);
    }
    refused(&file("x", |_, _| "1".into()), "", &["the columns `dataset`, `split`, `row`, `x`"]);
    let both = file("mean,sd,s1,s2", |_, _| "1,1,1,1".into());
    refused(&both, "", &["the columns of several forms: gaussian, samples"]);
    refused("dataset,split,row,mean,sd\nyacht,0,0,a,1\n", "part = true", &["rows are missing"]);
}

proptest! {
    #[test]
    fn a_damaged_file_is_refused_or_read_and_never_a_panic(
        at in any::<proptest::sample::Index>(),
        flip in 1..=255_u8,
        keep in any::<proptest::sample::Index>(),
    ) {
        let (board, truths) = &*YACHT;
        let card = card("part = true");
        for mut bytes in [PARQUET.clone(), honest().into_bytes()] {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            for bytes in [&bytes[..], &bytes[..keep.index(bytes.len())]] {
                if let Ok(submission) = read_submission("p", bytes, &card, board, truths) {
                    let _ = (submission.check(board, truths), submission.predictions.sha256());
                }
            }
        }
    }
}

static PARQUET: LazyLock<Vec<u8>> =
    LazyLock::new(|| submitted(&honest(), &card("")).unwrap().predictions.to_parquet().unwrap());
