//! Test the diagram of mean ranks: which methods it joins, that names do not overlap, and what it
//! refuses.

use super::super::ranks::groups;
use super::super::scene::Font;
use super::super::style::{LABEL, MARGIN};
use super::super::{FigureError, Render};
use super::{count, decode, svg, texts};
use crate::words::figures::NO_BAR;
use uq_core::stats::ranks::critical_difference;
use uqbench_judge::figures::Ranks;

/// The figure of Demšar (2006), table 6, at level 0.1.
pub(super) fn demsar() -> Ranks {
    let ranks = [("C4.5", 44.0), ("C4.5+m", 28.0), ("C4.5+cf", 40.5), ("C4.5+m+cf", 27.5)];
    Ranks {
        title: "C4.5 with tuned parameters".into(),
        methods: ranks.map(|(name, sum)| (name.to_string(), sum / 14.0)).to_vec(),
        critical_difference: critical_difference(4, 14, 0.1),
        rejects: true,
        blocks: 14,
        note: "Nemenyi test, level 0.1.".into(),
    }
}

/// Twenty methods with long names, some of equal rank.
fn crowded() -> Ranks {
    let rank = |i: u32| 4.0 + 13.0 * (f64::from(i / 2 * 2) / 19.0).powf(1.4);
    let name = |i: u32| format!("conformalised ensemble of {i} quantile forests");
    Ranks {
        title: "Twenty methods".into(),
        methods: (0..20).rev().map(|i| (name(i), rank(i))).collect(),
        critical_difference: critical_difference(20, 40, 0.05),
        rejects: true,
        blocks: 40,
        note: String::new(),
    }
}

pub(super) fn short() -> Ranks {
    let methods = ["deep ensemble", "linear", "quantile forest"].iter().zip([1.5, 3.0, 1.5]);
    Ranks {
        title: "Three methods on two datasets".into(),
        methods: methods.map(|(name, rank)| (name.to_string(), rank)).collect(),
        critical_difference: critical_difference(3, 2, 0.05),
        rejects: true,
        blocks: 2,
        note: String::new(),
    }
}

#[test]
fn no_method_is_told_apart_where_the_test_over_all_does_not_reject() {
    let apart = Ranks { critical_difference: 0.0, ..demsar() };
    let together = Ranks { rejects: false, ..apart.clone() };
    assert!(groups(&apart).is_empty());
    let mut joined = groups(&together);
    joined.iter_mut().for_each(|group| group.sort_unstable());
    assert_eq!(joined, [[0, 1, 2, 3]]);
}

/// x, y and anchor of every text of the SVG, in logical pixels, with the text.
fn placed(svg: &str) -> Vec<(f64, f64, String, String)> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_string()
    };
    let elements = svg.split("<text").skip(1);
    elements
        .map(|element| {
            let (tag, rest) = element.split_once(">\n").unwrap();
            let text = rest.split_once("\n</text>").unwrap().0.to_string();
            let number = |name| attribute(tag, name).parse::<f64>().unwrap() / 4.0;
            (number("x"), number("y"), attribute(tag, "text-anchor"), text)
        })
        .collect()
}

#[test]
fn the_published_diagram_joins_the_published_groups() {
    let svg = svg(&demsar());
    for text in [
        "C4.5",
        "C4.5+m",
        "C4.5+cf",
        "C4.5+m+cf",
        "3.14",
        "2.00",
        "2.89",
        "1.96",
        "1",
        "2",
        "3",
        "4",
    ] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    for text in [
        "Mean rank over 14 datasets (1 is best)",
        "critical difference CD = 1.12",
        "← better",
        "worse →",
        "Nemenyi test, level 0.1.",
    ] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    // Two bars; the bracket's label stands on a white box.
    assert_eq!(count(&svg, "<polygon"), 2 + 1);
    assert_eq!(count(&svg, "<circle"), 4);
}

#[test]
fn a_difference_longer_than_the_axis_ends_in_an_arrow() {
    let svg = svg(&short());
    assert_eq!(texts(&svg, "critical difference CD = 2.34, longer than the axis"), 1);
    // One bar, the arrow's head and the white box.
    assert_eq!(count(&svg, "<polygon"), 3);
    let mut apart = short();
    apart.critical_difference = 0.0;
    let text = apart.render().unwrap().svg;
    assert_eq!((texts(&text, NO_BAR), count(&text, "<polygon")), (1, 0));
}

#[test]
fn twenty_names_are_complete_and_do_not_overlap() {
    let figure = crowded();
    let rendered = figure.render().unwrap();
    let png = rendered.png().unwrap();
    let (width, _, rgb) = decode(&png);
    assert_eq!(png, figure.render().unwrap().png().unwrap());
    assert!(rgb.chunks_exact(3).any(|p| p[0] < 60 && p[1] < 60 && p[2] < 60), "no ink");
    let width = f64::from(width) / 2.0;
    let font = Font::plain(LABEL);
    let mut columns = [Vec::new(), Vec::new()];
    for (x, y, anchor, text) in placed(&rendered.svg) {
        if text.starts_with("conformalised") {
            let left = anchor == "end";
            let (low, high) =
                if left { (x - font.width(&text), x) } else { (x, x + font.width(&text)) };
            assert!(
                low >= MARGIN - 0.5 && high <= width - MARGIN + 0.5,
                "{text}: {low} to {high} of {width}"
            );
            columns[usize::from(!left)].push(y);
        }
    }
    for mut column in columns {
        assert_eq!(column.len(), 10);
        column.sort_by(f64::total_cmp);
        assert!(column.windows(2).all(|pair| pair[1] - pair[0] >= font.line()), "{column:?}");
    }
}

#[test]
fn impossible_ranks_are_refused() {
    let refused = |change: &dyn Fn(&mut Ranks)| {
        let mut figure = demsar();
        change(&mut figure);
        figure.render().unwrap_err()
    };
    assert!(matches!(refused(&|f| f.methods.truncate(1)), FigureError::Empty { .. }));
    assert!(matches!(refused(&|f| f.blocks = 0), FigureError::Empty { .. }));
    assert!(matches!(refused(&|f| f.critical_difference = -1.0), FigureError::Value { .. }));
    assert!(matches!(
        refused(&|f| f.critical_difference = f64::INFINITY),
        FigureError::Value { .. }
    ));
    assert_eq!(
        refused(&|f| f.methods[2].1 = 4.5).to_string(),
        "the mean ranks: number 3 is 4.5, expected a number from 1 to the number of methods"
    );
    assert!(matches!(refused(&|f| f.methods[0].1 = f64::NAN), FigureError::Value { .. }));
}
