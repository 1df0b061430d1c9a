use std::path::Path;

use ndarray::Array1;
use polars_arrow::array::PrimitiveArray;

use super::compare::{Basis, Grade, Side, compare};
use crate::benchmark::{self, Profile};
use crate::runner::derived::keep_scores;
use crate::runner::key::TrialSpec;
use crate::runner::layout;
use crate::runner::plan::{Filter, plan};
use crate::runner::record::{FileStamp, ROWS, TrialRecord};
use crate::runner::store::{Found, Store};
use crate::runner::trial::{self, Data};
use uq_core::CancelToken;
use uqbench_data::columns::{Columns, Compression};
use uqbench_data::{Library, SourceOptions};

/// A trial of a small benchmark on a bundled dataset.
fn spec() -> TrialSpec {
    let plans =
        plan(&[benchmark::find("dtb-table-1").unwrap()], Profile::Smoke, &Filter::default())
            .unwrap();
    plans[0].experiments[0].spec(0)
}

fn record() -> TrialRecord {
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let data = Data { library: &library, own: None };
    trial::run(&spec(), data, None, &CancelToken::default(), None, None).unwrap()
}

fn store(folder: &Path, name: &str, record: &TrialRecord) -> Store {
    let store = Store::open(folder.join(name)).unwrap();
    store.keep(record).unwrap();
    let metrics = ["rmse", "mae"].map(|name| name.parse().unwrap());
    keep_scores(&store, record, &metrics).unwrap();
    store
}

/// The grade of a trial beside one that ran here.
fn grade(stored: &TrialRecord, here: &TrialRecord) -> Grade {
    let folder = tempfile::tempdir().unwrap();
    let [before, now] = [("before", stored), ("now", here)]
        .map(|(name, record)| store(folder.path(), name, record));
    let find = |store: &Store| match store.find(&here.result.key).unwrap() {
        Found::Finished(result) => result,
        other => panic!("{other:?}"),
    };
    let (a, b) = (find(&before), find(&now));
    compare(Side { store: &before, result: &a }, Side { store: &now, result: &b }).unwrap()
}

/// The same trial with other bytes for its predictions.
fn with_rows(record: &TrialRecord, rows: Vec<u8>) -> TrialRecord {
    let mut other = record.clone();
    other.result.files.insert(ROWS.into(), FileStamp::of(&rows));
    other.files.insert(ROWS.into(), rows);
    other
}

#[test]
fn a_trial_that_runs_twice_has_equal_bytes_and_records_the_hash_of_its_numbers() {
    let (one, two) = (record(), record());
    assert_eq!(grade(&one, &two), Grade::EqualBytes);
    assert_eq!(one.provenance.numbers_sha256, two.provenance.numbers_sha256);
    assert!(one.provenance.numbers_sha256.is_some());
}

#[test]
fn other_bytes_of_the_same_numbers_are_equal_numbers_and_one_other_bit_is_not() {
    let record = record();
    let columns = layout::columns(&record.files[ROWS]).unwrap();
    let written = |columns: &[Array1<f64>]| {
        let mut file = Columns::default();
        for (place, values) in columns.iter().enumerate() {
            let values = PrimitiveArray::from_vec(values.to_vec());
            file.add(&format!("c{place}"), values.boxed());
        }
        file.to_parquet_by(Compression::Uncompressed).unwrap()
    };
    let other = with_rows(&record, written(&columns));
    assert_ne!(other.result.files, record.result.files);
    assert_eq!(grade(&other, &record), Grade::EqualNumbers(Basis::Numbers));
    // A stored trial of an older program has no hash: it is computed from its predictions.
    let mut older = other.clone();
    older.provenance.numbers_sha256 = None;
    assert_eq!(grade(&older, &record), Grade::EqualNumbers(Basis::Numbers));

    let mut changed = columns;
    changed[1][0] = f64::from_bits(changed[1][0].to_bits() + 1);
    let mut one_bit = with_rows(&record, written(&changed));
    one_bit.provenance.numbers_sha256 = None;
    assert!(matches!(grade(&one_bit, &record), Grade::Different(_)));
}

#[test]
fn how_a_trial_ended_and_its_counts_are_compared() {
    let record = record();
    let mut other = record.clone();
    other.result.target_range =
        other.result.target_range.map(|(low, high)| (low, f64::from_bits(high.to_bits() + 1)));
    let Grade::Different(found) = grade(&other, &record) else { panic!("the range is another") };
    assert_eq!(found.len(), 1);
    assert!(
        found[0].what.contains("largest target")
            && found[0].relative.is_some_and(|x| x > 0.0 && x < 1e-15)
    );
}
