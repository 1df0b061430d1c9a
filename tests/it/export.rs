//! Export the long table of trials, and read it back.

use std::fs;

use polars_arrow::array::{Array, PrimitiveArray};
use polars_arrow::io::ipc::read::{FileReader, read_file_metadata};
use uqbench_data::columns::ParquetFile;

use super::command::Dir;
use super::mocks;

#[test]
fn every_trial_has_a_row_for_each_reading_and_metric_in_both_formats() {
    let dir = Dir::new();
    let all = [mocks::answering(1, 0), vec![mocks::one("diverge")]].concat();
    dir.write("mocks.toml", &mocks::benchmark(&all, 2));
    dir.run("run mocks.toml");
    let ended = dir.run("export store trials.parquet mocks.toml").code(0);
    let rows: usize =
        ended.last().rsplit(": ").next().unwrap().strip_suffix(" rows").unwrap().parse().unwrap();
    let bytes = fs::read(dir.path("trials.parquet")).unwrap();
    let parquet = ParquetFile::open(&bytes).unwrap();
    assert_eq!(parquet.facts().num_rows, rows);
    // Two splits by the benchmark's metrics and those of every comparison, and a row for each trial
    // that diverged.
    let metrics = 4;
    assert_eq!(rows, 2 * metrics + 2);
    let place = parquet.schema().index_of("score").unwrap();
    let scores = parquet.read(place, 0..rows).unwrap().remove(0);
    let scores = scores.as_any().downcast_ref::<PrimitiveArray<f64>>().unwrap();
    // Atoms have no density, and what diverged has no score.
    assert_eq!(scores.null_count(), 4);
    assert!(scores.iter().flatten().all(|score| score.is_finite()));

    dir.run("export store trials.arrow mocks.toml").code(0);
    let mut file = fs::File::open(dir.path("trials.arrow")).unwrap();
    let facts = read_file_metadata(&mut file).unwrap();
    assert_eq!(
        facts.schema.iter_names().collect::<Vec<_>>(),
        parquet.schema().iter_names().collect::<Vec<_>>()
    );
    let batches: Vec<_> = FileReader::new(file, facts, None, None).map(Result::unwrap).collect();
    assert_eq!(batches.len(), 1);
    for (place, column) in batches[0].columns().iter().enumerate() {
        assert_eq!(parquet.read(place, 0..rows).unwrap(), std::slice::from_ref(column));
    }

    dir.run("export store trials.csv mocks.toml").code(0);
    let text = fs::read_to_string(dir.path("trials.csv")).unwrap();
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("trial,benchmark,dataset,method,parameters,variant,split,seed,")
    );
    assert_eq!(lines.clone().count(), rows);
    let diverged: Vec<&str> = lines.filter(|line| line.contains(",diverged,")).collect();
    assert_eq!(diverged.len(), 2);
    // The same numbers, whatever the format.
    let sum = |text: &str| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let place = reader.headers().unwrap().iter().position(|name| name == "score").unwrap();
        reader.records().filter_map(|row| row.unwrap()[place].parse::<f64>().ok()).sum::<f64>()
    };
    assert_eq!(sum(&text), scores.iter().flatten().sum::<f64>());
    dir.run("export store trials.xlsx mocks.toml")
        .code(2)
        .says("must end in .parquet, .arrow or .csv");
}
