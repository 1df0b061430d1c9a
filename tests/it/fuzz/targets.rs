//! The readers that are fuzzed, each with a corpus of real inputs.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use ndarray::Array2;
use uq_core::metrics::{Crps, MetricId, Rmse, ScoreContext};
use uqbench_data::own::{Cells, FileFormat, OwnTable, Ranges, suspicions};
use uqbench_data::{Description, Manifest};
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::external::contract::{CONTRACT, read_description, read_response};
use uqbench_run::runner::derived;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::layout::decode;
use uqbench_run::runner::model::{Content, Model};
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::record::{
    FileStamp, TrialRecord, TrialResult, open_seal, read_answer, seal, unseal,
};
use uqbench_run::runner::store::{Found, Store};
use uqbench_run::runner::try_table::{Question, predict, restore};
use uqbench_system::hash::sha256;

use super::{fuzz, mutate};
use crate::command::{Dir, files};
use crate::mocks;

fn texts(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    files(&root)
        .into_iter()
        .filter(|(path, _)| path.ends_with(ending))
        .map(|(_, bytes)| bytes)
        .collect()
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn benchmark_files() {
    let mut corpus = texts("benchmarks", ".toml");
    corpus.retain(|text| String::from_utf8_lossy(text).contains("[profiles"));
    corpus.push(mocks::benchmark(&mocks::answering(3, 0), 2).into_bytes());
    corpus.push(
        mocks::benchmark(&mocks::answering(1, 0), 2)
            .replace("{ holdout = { test = { fraction = 0.2 } } }", "{ k-fold = { folds = 5 } }")
            .into_bytes(),
    );
    assert!(corpus.len() > 10);
    fuzz("benchmark files", &corpus, mutate::text, |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(benchmark) = Benchmark::parse("fuzz", text) else { return };
        for profile in [Profile::Smoke, Profile::Full] {
            if let Ok(plans) = plan(std::slice::from_ref(&benchmark), profile, &Filter::default()) {
                assert!(trials(&plans).len() <= 3_000_000);
            }
        }
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn responses_of_external_methods() {
    let corpus = [
        r#"{"contract": 1, "name": "mine", "versions": {"python": "3.11"}, "deterministic": true, "arrays": "csv"}"#,
        r#"{"contract": 1, "form": "gaussian", "mean": [1, 2.5], "variance": "v.npy", "aleatoric": [1, null]}"#,
        r#"{"contract": 1, "form": "mixture", "weights": [0.5, 0.5], "means": [[1, 2]], "variances": [[1, 2]]}"#,
        r#"{"contract": 1, "form": "quantiles", "levels": [0.1, 0.9], "values": [[1, 2]], "tables": {"t": {"a": [1]}}}"#,
        r#"{"contract": 1, "form": "piecewise", "edges": [0, 1, 2], "masses": [[0.5, 0.4]], "tails": [0, 0, 0.1, 2]}"#,
        r#"{"contract": 1, "error": "diverged", "message": "no"}"#,
    ];
    let corpus = corpus.map(|text| text.as_bytes().to_vec());
    fuzz("responses of external methods", &corpus, mutate::text, |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        if let Ok(description) = read_description(text) {
            assert_eq!(description.contract, CONTRACT);
        }
        let _ = read_response(text);
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn manifests() {
    let whole =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data-manifest.toml"))
            .unwrap();
    // One dataset at a time, because most changes of the whole are refused for the first reason.
    let mut corpus: Vec<Vec<u8>> = whole
        .split("[[dataset]]")
        .skip(1)
        .map(|one| format!("[[dataset]]{one}").into_bytes())
        .collect();
    corpus.push(whole.into_bytes());
    fuzz("manifests", &corpus, mutate::text, |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        if let Ok(manifest) = Manifest::parse(text) {
            manifest
                .datasets()
                .iter()
                .chain(manifest.variants())
                .for_each(|dataset| drop(dataset.definition()));
        }
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn own_tables() {
    let dir = Dir::new();
    let mut corpus = Vec::new();
    for key in ["yacht", "motorcycle-94"] {
        dir.run(&format!("data export {key} {key}.csv")).code(0);
        let text = fs::read_to_string(dir.path(&format!("{key}.csv"))).unwrap();
        let lines: Vec<&str> = text.lines().take(60).collect();
        let (features, _) = lines[0].rsplit_once(',').unwrap();
        corpus.push(format!("{features},y\n{}\n", lines[1..].join("\n")).into_bytes());
    }
    let rows: String = (0..40)
        .map(|i| format!("{i};\"a b\";{};{}\n", ["red", "blue", ""][i % 2], i * i % 7))
        .collect();
    corpus.push(format!("n;text;colour;y\n{rows}").into_bytes());
    corpus.extend(ordinary());
    fuzz("own tables", &corpus, mutate::text, |bytes| {
        // Of new rows those that are ragged stay.
        let Ok(new) = Cells::parse_new("fuzz.csv", bytes, &FileFormat::default()) else { return };
        let Ok(cells) = Cells::parse("fuzz.csv", bytes) else { return };
        for drop in [&[][..], &["text".to_owned()]] {
            let Ok(own) = OwnTable::new(&cells, "y", drop) else { continue };
            let found = own.encoding.new_features(&new).unwrap();
            assert!(found.reasons.len() == new.rows() && found.notes.len() == new.rows());
            // Rows without a target take no part, and may have other cells.
            if own.table.rows() == cells.rows() {
                let bits = |features: &Array2<f64>| {
                    features.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
                };
                assert_eq!(bits(&found.features), bits(&own.table.features));
                let ranges = Ranges::of(own.table.features.view());
                assert_eq!(
                    ranges.beyond(&own.table.feature_names, &found.features),
                    None,
                    "rows lie in their own range"
                );
                assert!(
                    found.findings.is_empty() && found.notes.iter().all(Option::is_none),
                    "nothing is filled in"
                );
            }
            let _ = (Description::of(&own.table), own.encoding.unused(&cells), suspicions(&own));
        }
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn own_parquet() {
    let corpus = texts("tests/data", ".parquet");
    assert!(corpus.len() > 3);
    fuzz("own tables in Parquet", &corpus, mutate::text, |bytes| {
        let Ok(cells) = Cells::of_parquet("fuzz.parquet", bytes) else { return };
        for place in 0..cells.names().len() {
            let _ = (cells.numbers(&[place]), cells.labels(place));
        }
    });
}

/// Files as other programs write them.
fn ordinary() -> Vec<Vec<u8>> {
    let file = |header: &str, row: &dyn Fn(usize) -> String| {
        format!("{header}\n{}", (0..40).map(row).collect::<String>())
    };
    let month = |i: usize| ["Jan", "February", "Dec"][i % 3];
    let all = [
        file("sep=;\nd;n;y", &|i| {
            format!("{:02}/{:02}/20;(1,{:03}.5);{}\n", 1 + i % 12, 1 + i % 28, i, i * i % 7)
        }),
        file("Export of May\nd,n,y", &|i| {
            format!(
                "{} {} 2020,{},{}\n",
                1 + i % 28,
                month(i),
                ["-", "#DIV/0!", "3"][i % 3],
                i * i % 7
            )
        }),
        file("% a comment\na b y", &|i| {
            format!("\"r{i}\" 1{i} 2000-{:02} {}\n", 1 + i % 12, i * i % 7)
        }),
        file("t;c;y", &|i| {
            format!(
                "01/02/2020 {:02}:00 PM;{};{};\n",
                1 + i % 12,
                ["+", "-", "None"][i % 3],
                i * i % 7
            )
        }),
        file("id,day,y", &|i| {
            format!(
                "123456789012345678{i:02},202401{:02},{}\n",
                1 + i % 28,
                ["-999", "9999", "1", "2", "5"][i % 5]
            )
        }),
    ];
    all.map(String::into_bytes).into()
}

/// Finished trials of several forms, with their files.
static RECORDS: LazyLock<Vec<TrialRecord>> = LazyLock::new(|| {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store-v1/trials");
    let all = files(&store);
    let results = all.iter().filter(|(path, _)| path.ends_with("result.json"));
    let mut records: Vec<TrialRecord> = Vec::new();
    for (path, bytes) in results {
        let result: TrialResult = unseal(bytes).unwrap();
        let folder = Path::new(path).parent().unwrap();
        let own = |name: &String| {
            (name.clone(), all[&folder.join(name).to_string_lossy().into_owned()].clone())
        };
        let files = result.files.keys().map(own).collect();
        records.push(TrialRecord { result, files, provenance: Default::default() });
    }
    records
});

/// Everything that a report does with a record: read, decode, and score by every metric.
fn use_record(result: &TrialResult, rows: &[u8]) {
    let Ok(decoded) = decode(&result.layout, rows).and_then(|rows| rows.checked(result.test_rows))
    else {
        return;
    };
    let context = ScoreContext {
        target_range: result.target_range,
        target_resolution: result.target_resolution,
        x: decoded.x.clone(),
        facts: decoded.facts.clone(),
        ..ScoreContext::default()
    };
    for (_, predictive) in &decoded.readings {
        for metric in MetricId::all() {
            let _ = metric.score(predictive, decoded.y.view(), &context);
        }
        let _ =
            (predictive.transforms(decoded.y.view()), predictive.means(), predictive.variances());
    }
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn records() {
    let corpus: Vec<Vec<u8>> =
        RECORDS.iter().map(|record| serde_json::to_vec(&record.result).unwrap()).collect();
    fuzz("records", &corpus, mutate::json, |bytes| {
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        let sealed = seal(&value).unwrap();
        let Ok(result) = unseal::<TrialResult>(sealed.as_bytes()) else { return };
        RECORDS
            .iter()
            .filter_map(|record| record.files.get("rows.parquet"))
            .for_each(|rows| use_record(&result, rows));
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn messages_of_workers() {
    let mut corpus = Vec::new();
    for record in RECORDS.iter() {
        let mut bytes = Vec::new();
        uqbench_run::runner::record::write_answer(&Ok(record.clone()), &mut bytes).unwrap();
        corpus.push(bytes);
    }
    fuzz("messages of workers", &corpus, mutate::text, |bytes| {
        let mut from = std::io::Cursor::new(bytes);
        while let Ok(Some(end)) = read_answer(&mut from) {
            if let Ok(record) = end {
                assert!(
                    record
                        .files
                        .iter()
                        .all(|(name, bytes)| record.result.files[name] == FileStamp::of(bytes))
                );
            }
        }
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn cached_scores() {
    let dir = Dir::new();
    let store = Store::open(dir.path("store")).unwrap();
    let record = RECORDS.iter().find(|record| !record.files.is_empty()).unwrap();
    store.keep(record).unwrap();
    let metrics = [MetricId::Rmse(Rmse), MetricId::Crps(Crps)];
    let expected = derived::scores(&store, &record.result, &metrics).unwrap();
    let sealed = store.derived(&record.result.key).unwrap().unwrap();
    let corpus = vec![open_seal(&sealed).unwrap().to_vec()];
    let reading = record.result.layout.readings().next().unwrap().clone();
    fuzz("cached scores", &corpus, mutate::json, |bytes| {
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        store.keep_derived(&record.result.key, seal(&value).unwrap().as_bytes()).unwrap();
        // A forged number under its own trial cannot be detected; everything else is computed again
        // or read unchanged.
        if let Ok(found) = derived::scores(&store, &record.result, &metrics) {
            assert!(
                metrics.iter().all(|metric| found.get(&reading, metric).is_some()),
                "{found:?} {expected:?}"
            );
        }
        assert!(TrialKey::parse(&sha256(bytes)).is_some());
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn packs() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 1));
    dir.run("run mocks.toml").code(0);
    dir.run("store pack store mocks.pack mocks.toml").code(0);
    let pack = fs::read(dir.path("mocks.pack")).unwrap();
    let lines: Vec<&[u8]> = pack.splitn(3, |byte| *byte == b'\n').collect();
    let content = zstd::decode_all(lines[2]).unwrap();
    // The seal is made anew, so that the content is read.
    let sealed = |content: &[u8]| {
        let content = zstd::encode_all(content, 1).unwrap();
        [lines[0], b"\n", sha256(&content).as_bytes(), b"\n", &content].concat()
    };
    fuzz("packs", &[content], mutate::text, |bytes| {
        let Ok(store) = Store::from_pack(&sealed(bytes), Path::new("mocks.pack")) else { return };
        for key in store.keys().unwrap() {
            if let Ok(Found::Finished(result)) = store.find(&key) {
                let _ = (
                    store.side_tables(&result, |_| true),
                    derived::scores(&store, &result, &[MetricId::Rmse(Rmse)]),
                );
            }
        }
    });
}

#[test]
#[ignore = "runs as long as requested: just fuzz MINUTES"]
fn models() {
    let dir = Dir::new();
    let line = |i: usize| {
        format!(
            "{},{},2024-01-{:02},{}",
            i * i % 23,
            ["red", "", "blue"][i % 3],
            1 + i % 28,
            i * 7 % 40
        )
    };
    let rows: Vec<String> = (0..40).map(line).collect();
    dir.write("my.csv", &format!("x,colour,day,y\n{}\n", rows.join("\n")));
    let new = Cells::parse("new.csv", b"x,colour,day,y\n3,red,2024-02-01,\n4,green,,7\n").unwrap();
    let mut corpus = Vec::new();
    for options in ["", "--group x", "--time day --side upper"] {
        // A missing cell is no group.
        let text = fs::read_to_string(dir.path("my.csv")).unwrap().replace(",,", ",grey,");
        dir.write("whole.csv", &text);
        let file = if options.is_empty() { "my.csv" } else { "whole.csv" };
        dir.run(&format!(
            "try {file} --target y {options} --methods calibrated-linear-gaussian --predict-with \
             calibrated-linear-gaussian --save {file}.model"
        ));
        if let Ok(model) = fs::read(dir.path(&format!("{file}.model"))) {
            corpus.push(model);
        }
    }
    assert_eq!(corpus.len(), 3);
    // The seal is made anew, so that the content is read.
    let content = |model: &Vec<u8>| {
        zstd::decode_all(model.splitn(3, |byte| *byte == b'\n').nth(2).unwrap()).unwrap()
    };
    let contents: Vec<Vec<u8>> = corpus.iter().map(content).collect();
    let sealed = |content: &[u8]| {
        let content = zstd::encode_all(content, 1).unwrap();
        [b"uqbench-model 2\n", sha256(&content).as_bytes(), b"\n", &content].concat()
    };
    fuzz("models", &contents, mutate::text, |bytes| {
        let Ok(model) = Model::parse(&sealed(bytes)) else { return };
        let about = &model.about;
        let found = about.encoding.new_features(&new);
        if let Ok(found) = &found {
            assert_eq!(found.features.ncols(), model.content.columns());
            let names = about.encoding.feature_names();
            let _ = (
                model.content.ranges().beyond(&names, &found.features),
                about.encoding.unused(&new),
            );
        }
        about.dependent.iter().for_each(|dependent| drop(dependent.of_new(&new)));
        // A method is built and its fit restored, but nothing is fitted: that may take as long as
        // its parameters say.
        let (candidate, _) = (model.candidate(), about.method.command());
        if let (Ok(candidate), Ok(found), Content::Fit(kept)) = (candidate, found, &model.content)
            && let Ok(fit) = restore(&kept.fit, &candidate)
        {
            let question =
                Question { bounds: about.bounds, rows: model.content.rows(), seed: about.seed };
            let _ = predict(&fit, question, &candidate, &found.features);
        }
        assert!(Model::parse(&model.to_bytes().unwrap()).is_ok());
    });
}
