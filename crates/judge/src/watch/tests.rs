//! What is said of rows whose law is known.

use super::*;
use uq_core::math::random::{Rng, Streams, standard_normal};
use uq_core::predictive::Side;
use uqbench_data::own::{CalendarPeriod, Cells};

const TERMS: Terms = Terms {
    bounds: Bounds { level: 0.9, side: Side::Both },
    tolerance: 0.05,
    alpha: 0.05,
    dependent: false,
};

/// The mean and the standard deviation of a row's error.
type Law = fn(usize) -> (f64, f64);

/// Rows of which the interval is that of N(0, 1) times a width, and the outcome that of N(shift, sd²)
/// times it; 50 in each period.
fn rows(rng: &mut Rng, count: usize, law: impl Fn(usize) -> (f64, f64)) -> Vec<ObservedRow> {
    let mut row = |place: usize| {
        let (shift, sd) = law(place);
        let width = 0.5 + standard_normal(rng).abs();
        let outcome = width * (shift + sd * standard_normal(rng));
        let interval = IntervalOutcome { lower: -1.645 * width, upper: 1.645 * width, outcome };
        ObservedRow { id: place.to_string(), period: (place / 50).to_string(), day: None, interval }
    };
    (0..count).map(&mut row).collect()
}

/// The scores of 500 held-out rows of the same model.
fn calibration(rng: &mut Rng) -> Vec<f64> {
    rows(rng, 500, |_| (0.0, 1.0)).iter().map(|row| row.interval.score(Side::Both)).collect()
}

fn watched(seed: u64, count: usize, law: impl Fn(usize) -> (f64, f64)) -> Watch {
    let mut rng = Streams::new(seed, "watch").stream("rows", 0);
    let calibration = calibration(&mut rng);
    watch(&rows(&mut rng, count, law), TERMS, &calibration, None, seed)
}

/// Of 60 simulations: how many raise each alarm, and how many advise what.
fn simulate(law: impl Fn(usize) -> (f64, f64)) -> (usize, usize, Vec<Advice>) {
    let all: Vec<Watch> = (0..60).map(|seed| watched(seed, 1000, &law)).collect();
    let misses = all.iter().filter(|watch| watch.misses.alarm.is_some()).count();
    let growth = |watch: &&Watch| watch.growth.as_ref().unwrap().alarm.is_some();
    (misses, all.iter().filter(growth).count(), all.iter().map(|watch| watch.advice).collect())
}

fn count(advices: &[Advice], is: impl Fn(&Advice) -> bool) -> usize {
    advices.iter().filter(|advice| is(advice)).count()
}

#[test]
fn without_drift_the_model_is_kept() {
    let (misses, growth, advices) = simulate(|_| (0.0, 1.0));
    // At most 5 % of each in expectation: 8 or more of 60 occur in 1.4 %.
    assert!(misses <= 2 && growth <= 7, "{misses}, {growth}");
    assert!(count(&advices, |advice| *advice == Advice::Keep) >= 52, "{advices:?}");
}

#[test]
fn a_jump_a_slow_drift_and_a_growing_variance_are_found_and_recalibrated() {
    let laws: [Law; 3] = [
        |row| if row < 500 { (0.0, 1.0) } else { (1.5, 1.0) },
        |row| (2.0 * row as f64 / 1000.0, 1.0),
        |row| (0.0, 1.0 + row as f64 / 1000.0),
    ];
    for law in laws {
        let (misses, growth, advices) = simulate(law);
        assert!(misses.max(growth) >= 59, "{misses}, {growth}");
        // One interval for all rows is worse: widths differ between rows.
        let recalibrates = count(&advices, |advice| matches!(advice, Advice::Recalibrate { .. }));
        assert!(recalibrates >= 55, "{advices:?}");
    }
    // The newest rows are those after the jump.
    let Advice::Recalibrate { newest, gain: Some(gain) } = watched(1, 1000, laws[0]).advice else {
        panic!("recalibrated")
    };
    assert!(newest.abs_diff(500) < 60 && gain.moved < gain.before, "{newest}, {gain:?}");
    let jump = watched(1, 1000, laws[0]);
    let since: usize = jump.since.unwrap().parse().unwrap();
    assert!((9..=10).contains(&since), "50 rows a period: {since}");
    assert!((1.5..4.0).contains(&jump.offset.unwrap()), "{:?}", jump.offset);
}

#[test]
fn intervals_that_say_nothing_any_more_are_to_be_fitted_anew() {
    // Outcomes that have nothing to do with the widths and places of intervals.
    let unrelated = |seed: u64| {
        let mut rng = Streams::new(seed, "watch").stream("rows", 0);
        let calibration = calibration(&mut rng);
        let mut all = rows(&mut rng, 800, |_| (0.0, 1.0));
        for row in &mut all[300..] {
            let place = 5.0 * standard_normal(&mut rng);
            row.interval.lower += place;
            row.interval.upper += place;
            row.interval.outcome = 3.0 * standard_normal(&mut rng);
        }
        watch(&all, TERMS, &calibration, None, seed).advice
    };
    let advices: Vec<Advice> = (0..20).map(unrelated).collect();
    let anew = count(&advices, |advice| matches!(advice, Advice::FitAnew { .. }));
    assert!(anew >= 19, "{advices:?}");
}

#[test]
fn intervals_that_are_too_wide_are_told() {
    let (misses, growth, advices) = simulate(|_| (0.0, 0.4));
    assert_eq!((misses, growth), (0, 0));
    assert!(count(&advices, |advice| *advice == Advice::Narrow) == 60, "{advices:?}");
}

/// Errors of a period are 0.95 of the last row's and a new one: each row is missed with 10 %.
#[test]
fn rows_that_depend_on_each_other_raise_no_alarm_by_period() {
    let correlated = |seed: u64, dependent: bool| {
        let mut rng = Streams::new(seed, "watch").stream("rows", 0);
        let calibration = calibration(&mut rng);
        let mut all = rows(&mut rng, 4000, |_| (0.0, 1.0));
        let mut error = 0.0;
        for (place, row) in all.iter_mut().enumerate() {
            let new = standard_normal(&mut rng);
            error = match place % 50 {
                0 => new,
                _ => 0.95 * error + (1.0_f64 - 0.95 * 0.95).sqrt() * new,
            };
            row.interval.outcome = row.interval.upper / 1.645 * error;
        }
        watch(&all, Terms { dependent, ..TERMS }, &calibration, None, seed)
    };
    let alarms = |dependent: bool| {
        (0..60).filter(|seed| correlated(*seed, dependent).misses.alarm.is_some()).count()
    };
    assert!(alarms(true) <= 7 && alarms(false) > 20, "{}, {}", alarms(true), alarms(false));
    let watch = correlated(1, true);
    assert_eq!((watch.growth.as_ref(), watch.interval), (None, None));
    assert_eq!(watch.misses.by_period.len(), 80);
}

#[test]
fn too_few_rows_since_the_change_are_to_be_waited_for() {
    let watch = watched(3, 212, |row| if row < 200 { (0.0, 1.0) } else { (30.0, 1.0) });
    assert!(matches!(watch.advice, Advice::Wait { newest: 12..=14, expected: 19 }), "{watch:?}");
    assert!(watch.is_alarmed());
}

#[test]
fn periods_have_their_own_numbers_and_those_so_far() {
    let watch = watched(2, 120, |_| (0.0, 1.0));
    let labels: Vec<&str> = watch.periods.iter().map(|period| period.label.as_str()).collect();
    assert_eq!(labels, ["0", "1", "2"]);
    let rows: Vec<usize> = watch.periods.iter().map(|period| period.coverage.rows).collect();
    assert_eq!(rows, [50, 50, 20]);
    let last = &watch.periods[2];
    assert_eq!((last.so_far, last.interval_so_far), (watch.coverage, watch.interval));
    let covered: usize = watch.periods.iter().map(|period| period.coverage.covered).sum();
    assert_eq!(covered, watch.coverage.covered);
    let mean =
        watch.periods.iter().map(|of| of.loss * of.coverage.rows as f64).sum::<f64>() / 120.0;
    assert!((mean - watch.loss).abs() < 1e-9, "{mean}, {}", watch.loss);
}

fn read(texts: &[&str], columns: Columns, bounds: Bounds) -> Result<Observed, String> {
    let mut observed = Observed::default();
    for text in texts {
        let cells = Cells::parse("p.csv", text.as_bytes()).unwrap();
        observed.read(&cells, columns, bounds).map_err(|error| error.to_string())?;
    }
    Ok(observed)
}

const COLUMNS: Columns =
    Columns { outcome: "y", id: Some("id"), time: Some("day"), recalibration: None };

#[test]
fn files_are_put_in_the_order_of_time_and_rows_that_were_seen_are_left_out() {
    // What is not known yet has no time.
    let first = "id,day,mean,lower,upper,y\na,2024-05-14,1,0,2,1\nb,,1,0,2,\n";
    let second = "id,day,mean,lower,upper,y\nc,2024-05-06,1,0,2,3\nd,2024-05-20,,,,3\n\
                  e,2024-05-13,1,0,inf,3\n";
    let observed = read(&[first, second], COLUMNS, TERMS.bounds).unwrap();
    let notes: Vec<String> =
        observed.findings.iter().map(|finding| finding.text.to_string()).collect();
    assert_eq!(
        notes,
        [
            "p.csv: 1 row has no outcome yet and is left out",
            "p.csv: 1 row has no interval and is left out",
        ]
    );
    let all = observed.clone().rows(Every::Calendar(CalendarPeriod::Week), |_, _| false).unwrap();
    let named: Vec<(&str, &str)> =
        all.iter().map(|row| (row.id.as_str(), row.period.as_str())).collect();
    assert_eq!(named, [("c", "2024-05-06"), ("e", "2024-05-13"), ("a", "2024-05-13")]);
    let seen = fingerprint("e", 3.0);
    let rest = observed.rows(Every::Rows(2), |id, y| fingerprint(id, y) == seen).unwrap();
    let named: Vec<(&str, &str)> =
        rest.iter().map(|row| (row.id.as_str(), row.period.as_str())).collect();
    assert_eq!(named, [("c", "rows 1 to 2"), ("a", "rows 1 to 2")]);
}

#[test]
fn predictions_of_another_state_of_the_model_are_left_out() {
    let text = "id,day,lower,upper,recalibration,y\na,1,0,2,3f2a,1\nb,2,0,2,,1\nc,3,0,2,0011,1\n";
    for (recalibration, id) in [(None, "b"), (Some("3f2a"), "a"), (Some("0011"), "c")] {
        let columns = Columns { recalibration, ..COLUMNS };
        let observed = read(&[text], columns, TERMS.bounds).unwrap();
        let told = observed.findings[0].text.to_string();
        assert!(told.contains("2 predictions that ") && told.contains("left out"), "{told}");
        assert!(!observed.mixes_times() && observed.days().is_none());
        let rows = observed.rows(Every::Rows(9), |_, _| false).unwrap();
        assert!(rows.len() == 1 && rows[0].id == id, "{rows:?}");
    }
    let dates = "id,day,lower,upper,y\na,2024-05-02,0,2,1\nb,2024-05-01,0,2,1\n";
    let mut observed = read(&[dates], COLUMNS, TERMS.bounds).unwrap();
    assert_eq!(observed.days().unwrap(), ["2024-05-01", "2024-05-02"]);
    let numbers = Cells::parse("n.csv", b"id,day,lower,upper,y\nc,7,0,2,1\n").unwrap();
    observed.read(&numbers, COLUMNS, TERMS.bounds).unwrap();
    assert!(observed.mixes_times() && !observed.has_dates());
}

#[test]
fn what_is_no_prediction_with_an_outcome_is_refused_with_its_place() {
    let head = "id,day,lower,upper,y\n";
    let refused =
        |text: &str| read(&[&format!("{head}{text}")], COLUMNS, TERMS.bounds).unwrap_err();
    let twice = refused("a,2024-05-13,0,1,1\na,2024-05-14,0,1,2\n");
    assert!(twice.contains("line 3") && twice.contains("after p.csv, line 2"), "{twice}");
    assert!(refused("a,2024-05-13,2,1,1\n").contains("below `lower`, which is 2"));
    assert!(refused("a,2024-05-13,0,1,inf\n").contains("found inf"));
    assert!(refused("a,2024-05-13,0,1,x\n").contains("line 2, column \"y\""));
    assert!(refused("a,soon,0,1,2\n").contains("column \"day\""));
    let upper = Bounds { level: 0.9, side: Side::Upper };
    let one = read(&["id,day,upper,y\na,1,2,1\nb,2,2,3\n"], COLUMNS, upper).unwrap();
    assert!(!one.has_dates());
    let rows = one.rows(Every::Rows(10), |_, _| false).unwrap();
    assert_eq!(rows[0].interval.lower, f64::NEG_INFINITY);
    let without = read(&["id,day,upper,y\na,1,2,1\n"], COLUMNS, TERMS.bounds).unwrap_err();
    assert!(
        without.contains("column \"lower\"") && without.contains("no such column"),
        "{without}"
    );
}

#[test]
fn features_that_have_moved_are_named_with_the_largest_change_first() {
    use ndarray::Array2;
    use uq_core::stats::drift::Histogram;
    let names = ["a", "b", "c"].map(String::from);
    let found = |seed: u64, moves: [f64; 3]| -> Vec<String> {
        let mut rng = Streams::new(seed, "features").stream("rows", 0);
        let mut normal = |rows: usize, moves: [f64; 3]| {
            Array2::from_shape_fn((rows, 3), |(_, column)| {
                moves[column] + standard_normal(&mut rng)
            })
        };
        let before = normal(500, [0.0; 3]);
        let histograms: Vec<Histogram> =
            before.columns().into_iter().map(|column| Histogram::new(column.to_vec())).collect();
        let drifts = compare_features(&histograms, &names, normal(200, moves).view(), 0.05);
        drifts.into_iter().map(|drift| drift.name).collect()
    };
    assert_eq!(found(1, [0.0, 0.6, 2.0])[..2], ["c", "b"]);
    let without = (0..100).filter(|seed| !found(*seed, [0.0; 3]).is_empty()).count();
    // At most 5 in expectation: 12 or more occur in 0.4 %.
    assert!(without < 12, "{without}");
}

/// The table of docs/do/watch.md: `cargo test --release -p uqbench-judge simulated -- --ignored
/// --nocapture`.
#[test]
#[ignore = "prints a table"]
fn print_what_was_simulated() {
    const RUNS: u64 = 500;
    let laws: [(&str, Law); 6] = [
        ("none", |_| (0.0, 1.0)),
        ("jump of the mean by one sd at row 500", |row| (if row < 500 { 0.0 } else { 1.0 }, 1.0)),
        ("slow drift of the mean to one sd", |row| (row as f64 / 1000.0, 1.0)),
        ("errors grow to twice their size", |row| (0.0, 1.0 + row as f64 / 1000.0)),
        ("errors twice as large from row 500", |row| (0.0, if row < 500 { 1.0 } else { 2.0 })),
        ("errors half as large", |_| (0.0, 0.5)),
    ];
    let median = |mut rows: Vec<usize>| {
        rows.sort_unstable();
        rows.get(rows.len() / 2).map_or_else(|| "–".into(), ToString::to_string)
    };
    for (name, law) in laws {
        let all: Vec<Watch> = (0..RUNS)
            .map(|seed| {
                let mut rng = Streams::new(seed, "table").stream("rows", 0);
                let calibration = calibration(&mut rng);
                let mut all = rows(&mut rng, 1000, law);
                // A period for each row.
                for (place, row) in all.iter_mut().enumerate() {
                    row.period = place.to_string();
                }
                watch(&all, TERMS, &calibration, None, seed)
            })
            .collect();
        let alarms = |of: &dyn Fn(&Watch) -> Option<usize>| {
            let rows: Vec<usize> = all.iter().filter_map(of).collect();
            format!("{} | {}", rows.len(), median(rows))
        };
        let misses = alarms(&|watch| watch.misses.alarm);
        let growth = alarms(&|watch| watch.growth.as_ref().and_then(|growth| growth.alarm));
        let advices = ["Keep", "Narrow", "Recalibrate", "FitAnew", "Wait"].map(|name| {
            all.iter().filter(|watch| format!("{:?}", watch.advice).starts_with(name)).count()
        });
        println!("| {name} | {misses} | {growth} | {advices:?} |");
    }
}
