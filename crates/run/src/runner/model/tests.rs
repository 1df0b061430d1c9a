use super::*;
use crate::candidates::{ADAPTIVE, ALL, CALIBRATED, PANEL, candidates};
use crate::registry::methods;
use crate::runner::try_table::{Question, Stop, fit, predict, restore};
use ndarray::Array2;
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::{Recalibration, Side};
use uq_core::stats::drift::Histogram;
use uqbench_data::own::{By, Cells, DependenceColumn, OwnTable, Ranges};

/// 40 rows with a category, a date, and a number that is sometimes missing.
fn own(by: Option<DependenceColumn>) -> OwnTable {
    let line = |i: usize| {
        let x = if i % 9 == 4 { String::new() } else { format!("{}.5", i * i % 23) };
        format!(
            "shop {},{x},{},2024-03-{:02},{}\n",
            i % 7,
            ["red", "blue"][i % 2],
            1 + i % 28,
            i * 7 % 40
        )
    };
    let text = "shop,x,colour,day,y\n".to_owned() + &(0..40).map(line).collect::<String>();
    let cells = Cells::parse("my.csv", text.as_bytes()).unwrap();
    let drop = if by.is_none() { vec!["shop".to_owned()] } else { Vec::new() };
    OwnTable::dependent(&cells, "y", &drop, by.as_ref()).unwrap()
}

fn candidate(name: &str) -> Candidate {
    let mut all = candidates(&[name.into()]).unwrap();
    all.swap_remove(all.iter().position(|candidate| candidate.id == name).unwrap())
}

fn about(own: &OwnTable, candidate: &Candidate) -> About {
    About {
        build: None,
        program: "uqbench 0.0.9".into(),
        title: "y of my.csv".into(),
        method: SavedMethod::of(candidate),
        bounds: Bounds { level: 0.9, side: Side::Upper },
        seed: 3,
        id: Some("house".into()),
        encoding: own.encoding.clone(),
        dependent: own.dependent.as_ref().map(Dependent::for_new_rows),
        never_negative: true,
        promises: vec!["Its 90 % intervals cover 91.0 %.".into()],
        reference: Some(Reference {
            scores: vec![-0.5, -0.25, 0.125],
            features: own
                .table
                .features
                .columns()
                .into_iter()
                .map(|column| Histogram::new(column.to_vec()))
                .collect(),
        }),
        recalibrated: Some(Recalibrated {
            by: Recalibration { lower: 0.25, upper: -0.125 },
            seen: vec![3, 7],
        }),
    }
}

/// What is asked of the fit of this model.
fn question(model: &Model) -> Question {
    Question { bounds: model.about.bounds, rows: model.content.rows(), seed: model.about.seed }
}

/// The model of a method's fit.
fn model(own: &OwnTable, name: &str) -> Model {
    let candidate = candidate(name);
    let kept = fit(&own.table, 3, &candidate, &Stop::never()).unwrap().kept().unwrap();
    let ranges = Ranges::of(own.table.features.view());
    let content = Content::Fit(FittedModel { rows: own.table.rows(), ranges, fit: kept });
    Model { about: about(own, &candidate), content }
}

/// The model of an external method: its rows. The method here stands for it.
fn of_rows(own: &OwnTable) -> Model {
    Model {
        about: about(own, &candidate("linear-gaussian")),
        content: Content::Rows(own.table.clone()),
    }
}

/// NaN is no number that equals itself.
fn bits(table: &Table) -> Vec<u64> {
    table.features.iter().chain(&table.target).map(|x| x.to_bits()).collect()
}

/// The file of this content, sealed anew.
fn resealed(head: &Value, rest: &[u8]) -> Vec<u8> {
    let content = [format!("{head}\n").as_bytes(), rest].concat();
    FILE.seal(&zstd::encode_all(&content[..], 1).unwrap())
}

/// The first line of a model's content as JSON, and the rest.
fn taken_apart(model: &Model) -> (Value, Vec<u8>) {
    let content = zstd::decode_all(FILE.open(&model.to_bytes().unwrap()).ok().unwrap()).unwrap();
    let end = content.iter().position(|byte| *byte == b'\n').unwrap();
    (serde_json::from_slice(&content[..end]).unwrap(), content[end + 1..].to_vec())
}

fn table(model: &Model) -> &Table {
    match &model.content {
        Content::Rows(table) => table,
        Content::Fit(_) => panic!("rows"),
    }
}

fn kept(model: &Model) -> &FittedModel {
    match &model.content {
        Content::Fit(fitted) => fitted,
        Content::Rows(_) => panic!("a fit"),
    }
}

#[test]
fn a_model_reads_back_as_it_was_written() {
    let column =
        |by, column: &str| Some(DependenceColumn { by, column: column.into(), keep: false });
    for by in [None, column(By::Group, "shop"), column(By::Time, "day")] {
        let own = own(by);
        let saved = model(&own, "calibrated-linear-gaussian");
        assert_eq!(Model::parse(&saved.to_bytes().unwrap()).unwrap(), saved);
        let saved = of_rows(&own);
        let read = Model::parse(&saved.to_bytes().unwrap()).unwrap();
        assert_eq!(read.about, saved.about);
        assert_eq!(bits(table(&read)), bits(&own.table));
        let without_numbers =
            |table: &Table| Table { features: Array2::zeros((0, 0)), ..table.clone() };
        assert_eq!(without_numbers(table(&read)), without_numbers(&own.table));
        for model in [read, saved] {
            assert_eq!(
                (model.content.rows(), model.content.columns()),
                (own.table.rows(), own.table.columns())
            );
            assert_eq!(model.content.ranges(), Ranges::of(own.table.features.view()));
        }
    }
    // A group's name is kept once, and of times the last one.
    let groups = own(column(By::Group, "shop")).dependent.unwrap().for_new_rows();
    assert_eq!(groups.labels.cells.len(), 7);
    assert_eq!(
        own(column(By::Time, "day")).dependent.unwrap().for_new_rows().labels.cells,
        ["2024-03-28"]
    );
}

/// What was read has the numbers of a fit of the table itself.
#[test]
fn a_model_predicts_as_the_comparison_would_have() {
    let own = own(None);
    for name in [
        "calibrated-tree",
        "linear-gaussian",
        "calibrated-boosting-quantiles",
        "exact-gp",
        "mc-dropout",
    ] {
        let saved = model(&own, name);
        let read = Model::parse(&saved.to_bytes().unwrap()).unwrap();
        let direct = candidate(name);
        let whole = fit(&own.table, 3, &direct, &Stop::never()).unwrap();
        let expected = predict(&whole, question(&saved), &direct, &own.table.features);
        let again = read.candidate().unwrap();
        let restored = restore(&kept(&read).fit, &again).unwrap();
        let found = predict(&restored, question(&read), &again, &own.table.features);
        assert_eq!(found.unwrap(), expected.unwrap(), "{name}");
        // Another method's fit is refused.
        let other = candidate("unconditional-gaussian");
        assert!(
            restore(&kept(&read).fit, &other)
                .err()
                .unwrap()
                .contains("expected one of `unconditional-gaussian`")
        );
    }
}

/// A file of a linear or boosted model has none of the numbers of its rows, but its ranges.
#[test]
fn a_fit_holds_no_row_that_the_method_does_not_consist_of() {
    let own = own(None);
    let held = |model: &Model, number: f64| {
        let rest = taken_apart(model).1;
        rest.windows(8).any(|eight| eight == number.to_le_bytes())
    };
    // It is inside the range, and too odd to be anything else.
    let odd = own.table.features.column(0).iter().copied().find(|x| *x == 12.5).unwrap();
    for name in [
        "linear-gaussian",
        "calibrated-boosting-quantiles",
        "calibrated-linear-gaussian",
        "calibrated-ngboost",
    ] {
        assert!(!held(&model(&own, name), odd), "{name}");
    }
    assert!(held(&of_rows(&own), odd));
}

#[test]
fn every_method_is_built_again_from_what_is_saved_of_it() {
    let own = own(None);
    let tried =
        methods().iter().filter(|entry| entry.tried.is_some()).map(|entry| entry.id.to_owned());
    let around = |id: String| [format!("{CALIBRATED}{id}"), format!("{ADAPTIVE}{id}"), id];
    let all: Vec<String> = tried.flat_map(around).collect();
    assert!(PANEL.iter().all(|(name, _)| all.iter().any(|known| known == name)), "{all:?} {ALL}");
    for name in all {
        let method = candidate(&name);
        let saved = Model { about: about(&own, &method), ..of_rows(&own) };
        let built = saved.candidate().unwrap();
        assert_eq!(SavedMethod::of(&built), saved.about.method, "{name}");
        assert!(built.cost.is_some() && saved.about.method.command().is_none(), "{name}");
    }
}

#[test]
fn another_version_of_the_method_or_of_a_part_is_refused() {
    let own = own(None);
    let mut other = model(&own, "calibrated-tree");
    other.about.method.version += 1;
    let why = other.candidate().err().unwrap().to_string();
    assert!(
        why.contains("saved by uqbench 0.0.9 with version 3 of `stack`")
            && why.contains("has version 2"),
        "{why}"
    );
    assert!(why.ends_with("use uqbench 0.0.9"), "{why}");
    let mut other = model(&own, "calibrated-tree");
    other.about.method.parameters["methods"][0]["version"] = 99.into();
    let why = other.candidate().err().unwrap().to_string();
    assert!(
        why.contains("member `tree` has version 1, expected 99") && why.contains("uqbench 0.0.9"),
        "{why}"
    );
    other.about.method.method = "gone".into();
    assert!(other.candidate().err().unwrap().to_string().contains("there is no method `gone`"));
}

#[test]
fn a_file_that_is_none_is_refused_wherever_it_is_cut_or_changed() {
    let file = model(&own(None), "linear-gaussian").to_bytes().unwrap();
    let refusal = |file: &[u8]| Model::parse(file).unwrap_err().to_string();
    for other in [
        &b""[..],
        b"x,y\n1,2\n",
        b"uqbench-pack 2\nabc\n",
        b"uqbench-model\n",
        b"uqbench-model 0\n",
        b"\xff\n",
    ] {
        assert!(refusal(other).contains("this is no model file"), "{other:?}");
    }
    assert!(refusal(b"uqbench-model 4\nabc\n").contains("has format 4, and uqbench"));
    assert!(refusal(b"uqbench-model 3\n").contains("damaged: it is cut"));
    // A file of format 2 has neither a reference nor a recalibration.
    let older =
        About { reference: None, recalibrated: None, ..about(&own(None), &candidate("tree")) };
    let older = Model { about: older, ..of_rows(&own(None)) }.to_bytes().unwrap();
    let text = [&b"uqbench-model 2"[..], &older[older.iter().position(|b| *b == b'\n').unwrap()..]];
    assert_eq!(Model::parse(&text.concat()).unwrap().about.reference, None);
    assert!(refusal(b"uqbench-model 1\nabc\n").contains("is no longer read"));
    let mut random = Streams::new(1, "model").stream("places", 0);
    for _ in 0..200 {
        let place = random.random_range(0..file.len());
        assert!(Model::parse(&file[..place]).is_err(), "cut at {place}");
        let mut changed = file.clone();
        changed[place] ^= 1 << random.random_range(0..8);
        // A bit may turn a blank of the first line into another one.
        assert!(place < 18 || Model::parse(&changed).is_err(), "changed at {place}");
    }
}

#[test]
fn a_content_that_no_table_has_is_refused_although_the_seal_is_right() {
    let (head, numbers) = taken_apart(&of_rows(&own(None)));
    assert!(Model::parse(&resealed(&head, &numbers)).is_ok());
    let one = head["about"]["reference"]["features"][0].clone();
    let changed = |pointer: &str, value: Value| {
        let mut head = head.clone();
        *head.pointer_mut(pointer).unwrap() = value;
        Model::parse(&resealed(&head, &numbers)).map(|_| ()).unwrap_err().to_string()
    };
    for (pointer, value, part) in [
        ("/content/rows/rows", 41.into(), "bytes of numbers"),
        ("/content/rows/rows", u64::MAX.into(), "bytes of numbers"),
        ("/content/rows/rows", 0.into(), "rows of"),
        ("/content/rows/columns", 3.into(), "3 features, its columns have"),
        ("/content/rows/resolution", (-1.0).into(), "that no table has"),
        ("/content/rows/dependence", serde_json::json!({ "groups": [1, 2] }), "that no table has"),
        ("/content", "fit".into(), "its content"),
        ("/content", "table".into(), "unknown variant"),
        ("/about/bounds/level", 1.5.into(), "not between 0 and 1"),
        ("/about/bounds/level", 0.4.into(), "expected more than 0.5"),
        ("/about/encoding/columns", serde_json::json!([]), "its columns have 0"),
        (
            "/about/encoding/columns/1/kind",
            serde_json::json!({ "levels": { "levels": [], "others": false, "frequent": 0 } }),
            "no features",
        ),
        (
            "/about/encoding/columns/2/kind",
            serde_json::json!({ "date": ["year-month-day", [9]] }),
            "no features",
        ),
        ("/about/seed", "one".into(), "invalid type"),
        ("/about/reference/scores", serde_json::json!([2.0, 1.0]), "that no comparison has"),
        ("/about/reference/features", serde_json::json!([one]), "distributions of 1 features"),
        ("/about/reference/features/0/counts", serde_json::json!([]), "that no column has"),
        ("/about/recalibrated/by/lower", "far".into(), "invalid type"),
        ("/about/recalibrated/seen", serde_json::json!([7, 3]), "without width"),
    ] {
        let why = changed(pointer, value);
        assert!(why.contains("damaged") && why.contains(part), "{pointer}: {why}");
    }
    let moved = |lower| Recalibrated { by: Recalibration { lower, upper: 0.5 }, seen: vec![1] };
    assert!(moved(-1.25).check(Side::Both).is_ok() && moved(-1.5).check(Side::Both).is_err());
    assert!(moved(f64::NAN).check(Side::Upper).is_err());
    let mut infinite = numbers.clone();
    infinite[..8].copy_from_slice(&f64::INFINITY.to_le_bytes());
    for numbers in [&numbers[8..], &infinite[..], &[&numbers[..], &[0]].concat()[..]] {
        assert!(Model::parse(&resealed(&head, numbers)).is_err());
    }
    assert!(Model::parse(&FILE.seal(b"not compressed")).is_err());
}

/// Bytes of a fit that someone has changed and sealed anew: an error, or another model whose
/// prediction ends.
#[test]
fn a_changed_fit_is_refused_or_another_model_although_the_seal_is_right() {
    let own = own(None);
    let mut random = Streams::new(2, "model").stream("places", 0);
    for name in ["linear-gaussian", "calibrated-tree", "calibrated-boosting-quantiles", "dtb"] {
        let (head, fit) = taken_apart(&model(&own, name));
        for length in [0, 1, fit.len() / 2, fit.len() - 1] {
            // A cut inside of the method's own state is seen by its length.
            assert!(Model::parse(&resealed(&head, &fit[..length])).is_err(), "{name}, {length}");
        }
        assert!(Model::parse(&resealed(&head, &[&fit[..], &[0]].concat())).is_err(), "{name}");
        for _ in 0..100 {
            let mut changed = fit.clone();
            let place = random.random_range(0..fit.len());
            changed[place] ^= 1 << random.random_range(0..8);
            let Ok(read) = Model::parse(&resealed(&head, &changed)) else { continue };
            let candidate = read.candidate().unwrap();
            let Ok(restored) = restore(&kept(&read).fit, &candidate) else { continue };
            let _ = predict(&restored, question(&read), &candidate, &own.table.features);
        }
    }
    // The features of another table.
    let (mut head, fit) = taken_apart(&model(&own, "linear-gaussian"));
    head["about"]["encoding"]["columns"].as_array_mut().unwrap().pop();
    let why = Model::parse(&resealed(&head, &fit)).unwrap_err().to_string();
    assert!(why.contains("a fit of") && why.contains("its columns have"), "{why}");
}
