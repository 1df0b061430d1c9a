use super::*;
use crate::export::for_terminal;
use crate::section::Place;
use uqbench_data::own::RowPlace;
use uqbench_judge::figures::GroupKind;
use uqbench_run::runner::try_table::{Slab, SlabPlace};

const NEXT: [&str; 2] = [
    "add `--predict new.csv --out predictions.csv --save my.model` to predict new rows",
    "open file:///a/rather/long/path/to/the/tables/of/one/year/uqbench-report/try/site/my.html (all \
     methods and limits); my-rows.csv has the interval of each row",
];

/// The answer on a table of 300 rows with these warnings.
fn answered(warnings: &[String], evaluation: &Evaluation) -> Page {
    let next = NEXT.map(str::to_owned);
    let subject = Subject {
        title: "y of my.csv",
        target: "y",
        rows: 300,
        features: 2,
        warnings,
        notes: &[],
        next: &next,
    };
    answer(&subject, evaluation)
}

/// A method that covers too few of its largest means, with a procedure that covers too few rows,
/// and a table of many faults.
fn all_warnings() -> (Vec<String>, Evaluation) {
    let mut methods = vec![
        of_rows("unconditional-gaussian", 3.0, 20.0, |_| true),
        of_rows("calibrated-quantile-forest-validated", 1.0, 2.0, |row| row < 262),
        of_rows("calibrated-log-normal-ngboost", 1.1, 2.0, |row| row % 10 != 1),
        of_rows("calibrated-boosting-quantiles", 1.2, 2.0, |row| row % 10 != 1),
    ];
    methods.push(Tried { folds: Err("singular ".repeat(40)), ..tried("exact-gp", 90, GOOD) });
    let long = "the column x is a copy of the target but for a factor and an offset ".repeat(4);
    (vec![long; 3], Evaluation { smallest: 0.0, ..evaluation(methods) })
}

#[test]
fn the_answer_is_short_whatever_is_wrong() {
    let (warnings, evaluation) = all_warnings();
    let text = for_terminal(&page_in_markdown(&answered(&warnings, &evaluation)), 100);
    // Two lines of the plan and of a finding stand above it.
    assert!(text.trim_end().lines().count() <= 23, "{}\n{text}", text.lines().count());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("more warnings on the page"), "{text}");
}

#[test]
fn the_best_methods_begin_with_the_recommended_one_and_cover_enough_rows() {
    let methods = vec![
        tried("unconditional-gaussian", 90, ANCHOR),
        tried("linear-gaussian", 75, GOOD.map(|crps| crps / 2.0)),
        tried("tree", 90, GOOD.map(|crps| crps + 0.3)),
        tried("dtb", 90, GOOD),
        tried("ngboost", 90, GOOD.map(|crps| crps + 0.2)),
    ];
    let page = answered(&[], &evaluation(methods));
    let tables: Vec<&Section> = page.blocks.iter().filter_map(Block::section).collect();
    let names: Vec<&str> = tables[0].grid.rows.iter().map(|row| row[0].text.as_str()).collect();
    assert_eq!(names, ["dtb", "ngboost", "tree"]);
    assert_eq!(page.first, page.blocks.len());
    assert!(page.blocks.iter().any(|block| matches!(block, Block::Table(Place::Untitled, _))));
    let text = page_in_markdown(&page);
    assert!(text.contains("**Recommended: `dtb`.** Its 90 % intervals hold 90.0 % ("), "{text}");
    assert!(text.contains("50.0 % below that of `unconditional-gaussian`"), "{text}");
    for next in NEXT {
        assert!(text.contains(&format!("- Next: {next}\n")), "{text}");
    }
}

#[test]
fn why_none_is_recommended_and_what_failed_is_part_of_the_answer() {
    let none = evaluation(vec![tried("linear-gaussian", 60, GOOD)]);
    let text = page_in_markdown(&answered(&[], &none));
    assert!(text.contains("**Recommended: none.** The 90 % intervals of every method"), "{text}");
    assert!(!text.contains("| Method"), "{text}");
    let failed = Tried { folds: Err("no room".into()), ..tried("exact-gp", 90, GOOD) };
    let text = page_in_markdown(&answered(&[], &evaluation(vec![failed])));
    assert!(text.contains("- Warning: `exact-gp` failed: no room\n"), "{text}");
}

#[test]
fn the_picture_shows_rows_by_their_predictions_and_every_kind_of_group() {
    let tried = of_rows("dtb", 1.0, 6.0, |row| row % 10 != 1);
    let mut evaluation = evaluation(vec![tried]);
    evaluation.kinds = vec![RowGroup::new("colour=red", (0..300).step_by(2).collect())];
    let subject = Subject {
        title: "y of my.csv",
        target: "y (m)",
        rows: 300,
        features: 2,
        warnings: &[],
        notes: &["one sheet of three".into()],
        next: &[],
    };
    let drawing = held_out(&evaluation.methods[0], &subject, &evaluation).unwrap();
    assert_eq!((drawing.rows.len(), drawing.of), (150, 300));
    // Of each two rows in order of their means the second one.
    let outcomes: Vec<f64> = drawing.rows.iter().map(|row| row.outcome).collect();
    let odd: Vec<f64> = (0..150).map(|i| f64::from(2 * i + 1)).collect();
    assert_eq!(outcomes, odd);
    assert_eq!(drawing.rows.iter().filter(|row| !row.covered).count(), 30);
    let kinds: Vec<GroupKind> = drawing.groups.iter().map(|group| group.kind).collect();
    assert_eq!(kinds, [[GroupKind::Mean; 3].as_slice(), &[GroupKind::Features]].concat());
    let (page, figures) = illustrated(&subject, &evaluation, None, "my");
    assert_eq!(figures[0].name, "my-held-out.svg");
    assert!(matches!(page.blocks[page.first - 1], Block::Figure { .. }), "{:?}", page.blocks);
    assert!(page_in_markdown(&page).contains("## How the file was read\n\n- one sheet of three\n"));
}

#[test]
fn the_recommended_methods_calibration_is_shown_in_large_and_that_of_all_folded() {
    let mut drawn = tried("dtb", 90, GOOD);
    drawn.folds.iter_mut().flatten().for_each(|fold| fold.pit = Some(vec![(0.7, 0.7); 20]));
    let subject = Subject {
        title: "y of my.csv",
        target: "y",
        rows: 100,
        features: 2,
        warnings: &[],
        notes: &[],
        next: &[],
    };
    let (page, figures) = illustrated(&subject, &evaluation(vec![drawn]), None, "my");
    let names: Vec<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["my-calibration.svg", "my-reliability.svg"], "dtb has no intervals here");
    let folded: Vec<bool> = page
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Figure { folded, .. } => Some(*folded),
            _ => None,
        })
        .collect();
    assert_eq!(folded, [false, true]);
    let text = page_in_markdown(&page);
    assert!(text.contains("Predicts too low: 100.0 % of outcomes lie above the median."), "{text}");
}

#[test]
fn each_tested_row_has_its_interval_under_its_number_and_its_line() {
    let evaluation = evaluation(vec![of_rows("dtb", 1.0, 6.0, |row| row % 10 != 1)]);
    // The table is in the order of a time: the file has its rows the other way round, and its third
    // line below the header has no target.
    let places: Vec<RowPlace> =
        (0..300).map(|i| RowPlace { row: 302 - i, line: 303 - i as u64 }).collect();
    let ids: Vec<String> = (0..300).map(|i| format!("house {i}")).collect();
    let names = RowNames { places: &places, id: Some(("house", &ids)) };
    let rows = tested_rows(&names, &evaluation).unwrap().csv().unwrap();
    let text = String::from_utf8(rows).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "row,line,house,outcome,mean,lower,upper,inside");
    assert_eq!(lines[1], "3,4,house 299,299,299,296,302,true");
    assert_eq!(lines[300], "302,303,house 0,0,0,-3,3,true");
    assert_eq!(lines.iter().filter(|line| line.ends_with(",false")).count(), 30);
    let taken = RowNames { id: Some(("line", &ids)), ..names };
    let rows = tested_rows(&taken, &evaluation).unwrap().csv().unwrap();
    assert!(String::from_utf8(rows).unwrap().starts_with("row,line,id,outcome,"));
    let upper = Bounds { level: 0.9, side: Side::Upper };
    let one = Evaluation { bounds: upper, ..evaluation };
    let rows = tested_rows(&RowNames { id: None, ..names }, &one).unwrap().csv().unwrap();
    assert!(String::from_utf8(rows).unwrap().starts_with("row,line,outcome,mean,upper,inside\n"));
    let none = Evaluation { methods: vec![tried("dtb", 60, GOOD)], ..one };
    assert_eq!(tested_rows(&names, &none), None);
}

#[test]
fn a_slab_is_shown_and_warned_of_where_the_other_rows_confirm_it() {
    let slab = |covered: usize| Slab {
        method: "dtb".into(),
        place: SlabPlace::Feature { name: "x".into(), low: 1.0, high: 2.0 },
        searched: Coverage { covered: 10, rows: 30 },
        tested: Coverage { covered, rows: 40 },
        even: (0.7, 0.8),
    };
    let of = |covered: usize| {
        let methods = vec![tried("dtb", 90, GOOD)];
        let evaluation = Evaluation { slab: Some(slab(covered)), ..evaluation(methods) };
        let warned = recommend(&evaluation).warnings;
        (warned, page_in_markdown(&page("y", 100, 2, &[], &evaluation)))
    };
    let (warned, text) = of(20);
    assert_eq!(warned, [Warning::Slab(slab(20))]);
    assert!(text.contains("## Where dtb covers worst\n\n"), "{text}");
    let (warned, text) = of(35);
    assert_eq!(warned, []);
    assert!(text.contains("cover 87.5 % (95 % interval: 73.2 to 95.8 %) of 40 rows"), "{text}");
}
