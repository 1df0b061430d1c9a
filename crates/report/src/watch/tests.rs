//! What a page says of predictions whose outcomes are known.

use super::*;
use uq_core::math::random::{Rng, Streams, standard_normal};
use uq_core::predictive::{Bounds, IntervalOutcome, Side};
use uq_core::stats::drift::Histogram;
use uqbench_data::own::CalendarPeriod;
use uqbench_judge::watch::{ObservedRow, Terms, compare_features, watch};

const TERMS: Terms = Terms {
    bounds: Bounds { level: 0.9, side: Side::Both },
    tolerance: 0.05,
    alpha: 0.05,
    dependent: false,
};

fn subject() -> Subject<'static> {
    Subject {
        method: "calibrated-tree",
        title: "price of houses.csv",
        target: "price",
        every: Every::Calendar(CalendarPeriod::Month),
        is_recalibrated: false,
        remarks: &[],
        next: &[],
    }
}

fn rows(rng: &mut Rng, count: usize, law: impl Fn(usize) -> (f64, f64)) -> Vec<ObservedRow> {
    let mut row = |place: usize| {
        let (shift, sd) = law(place);
        let width = 1.0 + standard_normal(rng).abs();
        let outcome = width * (shift + sd * standard_normal(rng));
        let interval = IntervalOutcome { lower: -1.645 * width, upper: 1.645 * width, outcome };
        let period = format!("2024-{:02}", 1 + place / 40);
        ObservedRow { id: place.to_string(), period, day: None, interval }
    };
    (0..count).map(&mut row).collect()
}

fn watched(count: usize, terms: Terms, law: impl Fn(usize) -> (f64, f64)) -> Watch {
    let mut rng = Streams::new(1, "page").stream("rows", 0);
    let calibration = rows(&mut rng, 300, |_| (0.0, 1.0));
    let calibration: Vec<f64> =
        calibration.iter().map(|row| row.interval.score(Side::Both)).collect();
    watch(&rows(&mut rng, count, law), terms, &calibration, None, 1)
}

fn text(page: &Page) -> String {
    crate::export::page_in_markdown(page)
}

#[test]
fn the_answer_comes_first_and_says_what_is_known() {
    let kept = watched(200, TERMS, |_| (0.0, 1.0));
    let page = text(&brief(&subject(), &kept));
    assert!(page.starts_with("# Predictions of calibrated-tree for price of houses.csv"), "{page}");
    for part in [
        "**No alarm: keep the model.**",
        "of 200 outcomes are inside their 90 % intervals (95 % interval that holds whenever one looks:",
        "Coverage: no alarm. The evidence that more than 15.0 % of outcomes are missed",
        "20 raises the alarm",
        "those of 300 held-out rows of the comparison",
        "Features: not compared",
        "| 2024-05 ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn an_alarm_names_its_period_and_what_to_do() {
    let jump = watched(400, TERMS, |row| if row < 200 { (0.0, 1.0) } else { (2.5, 1.0) });
    let page = text(&brief(&subject(), &jump));
    for part in [
        "**Recalibrate the model.**",
        "Coverage: **alarm** in 2024-0",
        "Errors: **alarm** in 2024-0",
        "Errors have probably changed from 2024-0",
        " above the middle of its interval.",
        "Moved by the older half of these rows, the intervals of the newer",
        "## By month, 4 earlier left out",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let dependent = watched(400, Terms { dependent: true, ..TERMS }, |_| (0.0, 1.0));
    let page = text(&brief(&subject(), &dependent));
    assert!(page.contains("because rows of one period depend on each other"), "{page}");
    let wide = text(&brief(&subject(), &watched(400, TERMS, |_| (0.0, 0.3))));
    assert!(wide.contains("recalibrate it to narrow its intervals"), "{wide}");
    let few = watched(212, TERMS, |row| if row < 200 { (0.0, 1.0) } else { (30.0, 1.0) });
    assert!(
        text(&brief(&subject(), &few)).contains("19 rows since then are needed, and there are 12")
    );
}

#[test]
fn every_file_is_there_and_the_numbers_are_those_of_the_page() {
    let jump = watched(400, TERMS, |row| if row < 200 { (0.0, 1.0) } else { (2.5, 1.0) });
    let documents = render(&subject(), &jump).unwrap();
    let names: Vec<&str> = documents.iter().map(|document| document.name.as_str()).collect();
    for name in ["watch.md", "watch.csv", "watch.json", "watch-coverage.svg", "site/watch.html"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let bytes = |name: &str| {
        let document = documents.iter().find(|document| document.name == name).unwrap();
        String::from_utf8(document.bytes.clone()).unwrap()
    };
    let json: serde_json::Value = serde_json::from_str(&bytes("watch.json")).unwrap();
    assert_eq!(json["advice"], "recalibrate");
    assert_eq!(json["rows"], 400);
    assert!(json["since"].as_str().unwrap().starts_with("2024-0"), "{json}");
    assert!(json["offset"].as_f64().unwrap() > 1.0, "{json}");
    assert!(json["misses"]["alarm"].as_str().unwrap().starts_with("2024-"), "{json}");
    assert_eq!(bytes("watch.csv").lines().count(), 11);
    let figure = bytes("watch-coverage.svg");
    for word in ["Coverage", "Evidence", "alarm", "stated", "tolerated", "2024-01", "2024-10"] {
        assert!(figure.contains(word), "{word}");
    }
}

#[test]
fn features_are_named_with_the_range_that_has_changed() {
    let before = Histogram::new((0..200).map(f64::from));
    let now = ndarray::Array2::from_shape_fn((100, 1), |(row, _)| 150.0 + row as f64 / 2.0);
    let drifts = compare_features(&[before], &["lot|size".into()], now.view(), 0.05);
    let mut watch = watched(200, TERMS, |_| (0.0, 1.0));
    watch.drifts = Some(drifts);
    let documents = render(&subject(), &watch).unwrap();
    let page = documents.iter().find(|document| document.name == "watch.md").unwrap();
    let page = String::from_utf8(page.bytes.clone()).unwrap();
    assert!(page.contains("1 feature has changed: \"lot\\|size\" above"), "{page}");
    assert!(page.contains("## Features that have changed"), "{page}");
    watch.drifts = Some(Vec::new());
    assert!(text(&brief(&subject(), &watch)).contains("no change was found"));
}
