//! Labels that are no row's own: numbers of lines, and labels that contain the test set.

use std::cell::Cell;

use super::strangers::{folds, is_warned, labelled, of_sets, overlap, random_sets, rows, topics};
use super::*;
use uqbench_data::own::{Severity, Topic};

/// Labels that number the lines of the file, written by `write`.
fn lines(write: impl Fn(usize) -> String) -> impl Fn(usize, usize) -> Option<String> {
    let next = Cell::new(0);
    move |_, _| {
        next.set(next.get() + 1);
        Some(write(next.get()))
    }
}

#[test]
fn numbers_of_lines_do_not_hide_that_rows_are_tested_again() {
    let sets = random_sets(150, 15, 20);
    let own = overlap(&of_sets(&sets, labelled));
    let writers: [fn(usize) -> String; 6] = [
        |line| line.to_string(),
        |line| (line + 1000).to_string(),
        |line| format!("{line}.0"),
        |line| format!("row {line}"),
        |line| (9999 - line).to_string(),
        |line| (3 * line).to_string(),
    ];
    for write in writers {
        let predictions = of_sets(&sets, lines(write));
        let found = overlap(&predictions);
        assert_eq!(
            (found.basis, found.tested, found.distinct),
            (own.basis, own.tested, own.distinct),
            "{}",
            write(1)
        );
        assert!(is_warned(&found), "{}", write(1));
        let [note] = &predictions.findings[..] else { panic!("{:?}", predictions.findings) };
        assert_eq!(
            (note.severity, note.topic, &note.columns[..]),
            (Severity::Note, Topic::RowNumber, &["row".to_owned()][..])
        );
    }
}

#[test]
fn labels_that_contain_their_test_set_are_read_without_it() {
    let sets = random_sets(150, 15, 20);
    let own = overlap(&of_sets(&sets, labelled));
    let of_row: Vec<(usize, usize)> = sets
        .iter()
        .enumerate()
        .flat_map(|(split, rows)| rows.iter().map(move |&row| (split, row)))
        .collect();
    let writers: [fn(usize, usize) -> String; 3] = [
        |split, row| format!("{split}_{row}"),
        |split, row| format!("[{split}; {row}]"),
        |split, row| format!("{row}@{split}"),
    ];
    for write in writers {
        let next = Cell::new(0);
        // `of_sets` asks for a label once more, to learn whether there are any.
        let label = |_: usize, _: usize| {
            let (split, row) = of_row[next.get().min(of_row.len() - 1)];
            next.set(next.get() + 1);
            Some(write(split, row))
        };
        assert_eq!(overlap(&of_sets(&sets, label)), own);
    }
}

#[test]
fn a_cross_validation_of_lines_in_order_is_one_without_a_word() {
    let in_order: Vec<Vec<usize>> =
        (0..5).map(|fold| (20 * fold..20 * fold + 20).collect()).collect();
    for sets in [in_order, folds(100, 5, 0)] {
        let predictions = of_sets(&sets, lines(|line| line.to_string()));
        assert_eq!(overlap(&predictions).basis, Basis::CrossValidation);
        assert!(predictions.findings.is_empty(), "{:?}", predictions.findings);
    }
    let nested = of_sets(&folds(100, 5, 0), |_, row| Some(format!("id-{row}")));
    assert_eq!((overlap(&nested).basis, nested.findings.len()), (Basis::CrossValidation, 0));
}

#[test]
fn numbers_of_lines_beside_outcomes_of_few_values_are_told_unless_the_training_rows_are_stated() {
    let text = |train: &str| {
        let mut text =
            format!("split,y,mean,sd,row{}\n", if train.is_empty() { "" } else { ",train_rows" });
        (0..200).for_each(|i| writeln!(text, "{},{},{i},1,{i}{train}", i / 20, i * i % 7).unwrap());
        text
    };
    let asked = read(&text(""));
    assert_eq!(
        (topics(&asked.findings), overlap(&asked).basis),
        (vec![Topic::RowNumber], Basis::CrossValidation)
    );
    assert!(read(&text(",180")).findings.is_empty());
    let one_set = text("").replace("split,", "station,");
    assert!(
        topics(&read(&one_set).findings).iter().all(|topic| *topic != Topic::RowNumber),
        "one test set"
    );
}

#[test]
fn what_is_said_of_copies_is_what_is_counted() {
    let once = rows("y,mean,sd");
    let read = |label: &dyn Fn(usize) -> String| {
        let all = once.iter().chain(&once).enumerate();
        read(&format!(
            "row,y,mean,sd\n{}",
            all.map(|(i, line)| format!("{},{line}\n", label(i))).collect::<String>()
        ))
    };
    // Running numbers of lines, and labels that are different in no order.
    for label in [&(|i: usize| i.to_string()) as &dyn Fn(usize) -> String, &|i| {
        format!("{}", i * 7919 % 10_007)
    }] {
        let predictions = read(label);
        assert_eq!(
            (topics(&predictions.findings), predictions.distinct),
            (vec![Topic::Copies], 60)
        );
    }
}

#[test]
fn numbers_of_lines_do_not_keep_methods_apart() {
    let once = rows("y,mean,sd");
    let of_methods = |is_in_turn: bool| {
        let order = (0..120).map(|i| if is_in_turn { (i % 2, i / 2) } else { (i / 60, i % 60) });
        let lines = order
            .enumerate()
            .map(|(line, (method, row))| format!("{method},{line},{}\n", once[row]));
        read(&format!("method,row,y,mean,sd\n{}", lines.collect::<String>()))
    };
    for is_in_turn in [false, true] {
        let predictions = of_methods(is_in_turn);
        assert_eq!(
            (predictions.methods.len(), predictions.distinct, predictions.findings.len()),
            (2, 60, 0)
        );
    }
}
