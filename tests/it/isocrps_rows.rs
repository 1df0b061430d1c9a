//! Score predictions that other authors made: the single Gaussian and the Laplace approximation of the
//! paper on decompositions of the CRPS, whose scores of each split they published; and fit EasyUQ to
//! their network's predictions. Their files have
//! no licence and are not here: without them nothing is tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use uq_core::stats::isotonic::IsotonicDistributions;

use super::command::Dir;

/// The folders of the sets, and their keys in the printed table.
const SETS: [(&str, &str); 4] = [
    ("bostonHousing", "boston"),
    ("concrete", "concrete"),
    ("energy", "energy"),
    ("yacht", "yacht"),
];
const SPLITS: usize = 20;

/// Unpacks the authors' rows; `None` where they are absent.
fn unpack(dir: &Dir) -> Option<PathBuf> {
    let mirror = PathBuf::from(std::env::var_os("UQBENCH_MIRROR")?);
    let archive = mirror.parent()?.join("original/papers/isocrpsdeco-2023/row-predictions.tar.xz");
    let rows = dir.path("rows");
    fs::create_dir(&rows).ok()?;
    let mut tar = Command::new("tar");
    tar.arg("xJf").arg(archive.is_file().then_some(archive)?).arg("-C").arg(&rows);
    tar.status().ok()?.success().then_some(rows.join("ML_example/deco_data"))
}

/// The numbers of a file.
fn numbers(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// The numbers of each split that the paper's folder has, by set, method and metric.
fn printed() -> BTreeMap<(String, String, String), Vec<f64>> {
    let mut all = BTreeMap::new();
    for file in ["easyuq-ten-times.csv", "easyuq-ten-times-parts.csv"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/papers/easyuq/printed");
        let path = Path::new(folder).join(file);
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let splits = cells[5].split(' ').map(|number| number.parse().unwrap()).collect();
            all.insert((cells[0].into(), cells[1].into(), cells[2].into()), splits);
        }
    }
    all
}

/// Scores a method's rows of one set by the program: by metric, the score of each split.
fn score(dir: &Dir, rows: &str, options: &str) -> BTreeMap<String, Vec<f64>> {
    dir.write("rows.csv", rows);
    dir.run(&format!("score rows.csv --train-rows 400 {options}")).code(0);
    let text = fs::read_to_string(dir.path("uqbench-report/score/score.csv")).unwrap();
    let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for row in reader.records().map(Result::unwrap).filter(|row| !row[1].is_empty()) {
        let scores = found.entry(row[3].to_owned()).or_insert_with(|| vec![0.0; SPLITS]);
        scores[row[1].parse::<usize>().unwrap()] = row[5].parse().unwrap();
    }
    found
}

fn file(folder: &Path, method: &str, set: &str, what: &str, split: usize) -> PathBuf {
    let name = format!("{what}_10_xepochs_1_hidden_layers_{split}_split.txt");
    folder.join(method).join("UCI_datasets").join(set).join("deco").join(name)
}

#[test]
fn their_rows_of_the_single_gaussian_have_their_scores_and_decompositions() {
    let dir = Dir::new();
    let Some(folder) = unpack(&dir) else {
        println!("not tested: the authors' row predictions are not here");
        return;
    };
    let printed = printed();
    for (set, key) in SETS {
        let method = "single_gaussian";
        // One standard deviation for each split.
        let sigma = numbers(&file(&folder, method, set, "sigma_test", SPLITS - 1));
        let mut rows = "split,y,mean,sd\n".to_owned();
        for (split, sigma) in sigma.iter().enumerate() {
            let read = |what: &str| numbers(&file(&folder, method, set, what, split));
            for (mean, y) in read("fct_test").iter().zip(read("y_test")) {
                rows += &format!("{split},{y},{mean},{sigma}\n");
            }
        }
        let found = score(&dir, &rows, "--decompose");
        // They round the recalibrated distribution function, and solve a quadratic programme to a tolerance.
        for (metric, name, tolerance) in [
            ("crps", "crps", 1e-12),
            ("crps-part(part=miscalibration)", "miscalibration", 2e-4),
            ("crps-part(part=discrimination)", "discrimination", 2e-4),
            ("crps-part(part=uncertainty)", "uncertainty", 1e-12),
        ] {
            let expected = &printed[&(key.into(), "single Gaussian".into(), name.into())];
            for (split, (found, expected)) in found[metric].iter().zip(expected).enumerate() {
                let error = (found - expected).abs();
                assert!(error < tolerance, "{set} {split} {name}: {found} by {expected}");
            }
        }
        assert!(found["crps-part(part=comparable)"].iter().all(|share| *share == 1.0));
    }
}

#[test]
fn their_integral_of_the_laplace_approximation_leaves_out_up_to_a_thousandth() {
    let dir = Dir::new();
    let Some(folder) = unpack(&dir) else {
        println!("not tested: the authors' row predictions are not here");
        return;
    };
    let printed = printed();
    // A file of Yacht lacks a number.
    for (set, key) in &SETS[..3] {
        let mut rows = "split,y,mean,sd\n".to_owned();
        for split in 0..SPLITS {
            let read = |what: &str| numbers(&file(&folder, "laplace", set, what, split));
            let (mean, sd, y) = (read("fct_test_norm"), read("fct_test_sg"), read("y_test"));
            for ((mean, sd), y) in mean.iter().zip(&sd).zip(&y) {
                rows += &format!("{split},{y},{mean},{sd}\n");
            }
        }
        let found = score(&dir, &rows, "");
        let expected = &printed[&((*key).into(), "Laplace".into(), "crps".into())];
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let excess = mean(&found["crps"]) / mean(expected) - 1.0;
        assert!((2e-4..1.2e-3).contains(&excess), "{set}: {excess}");
    }
}

/// The CRPS of weighted points: Σ w |y − Y| − ½ ΣΣ w w' |Y − Y'|, by the definition.
fn crps_of_points(points: &[(f64, f64)], y: f64) -> f64 {
    let distance =
        |to: f64| points.iter().map(|(at, weight)| weight * (at - to).abs()).sum::<f64>();
    let within: f64 = points.iter().map(|(at, weight)| weight * distance(*at)).sum();
    distance(y) - 0.5 * within
}

/// Their program rounds the distribution function to three decimals, which ours does not.
#[test]
fn their_networks_predictions_have_their_easyuq() {
    let dir = Dir::new();
    let Some(folder) = unpack(&dir) else {
        println!("not tested: the authors' row predictions are not here");
        return;
    };
    let printed = printed();
    let mut largest: f64 = 0.0;
    for (set, key) in SETS {
        let expected = &printed[&(key.into(), "EasyUQ".into(), "crps".into())];
        for (split, expected) in expected.iter().enumerate() {
            let read = |what: &str| numbers(&file(&folder, "easyuq", set, what, split));
            let fitted = IsotonicDistributions::new(&read("fct_train"), &read("y_train")).unwrap();
            let points = fitted.at(&read("fct_test"));
            let y = read("y_test");
            let total: f64 =
                points.iter().zip(&y).map(|(points, y)| crps_of_points(points, *y)).sum();
            let found = total / y.len() as f64;
            largest = largest.max((found / expected - 1.0).abs());
        }
    }
    println!("largest relative difference of 80 splits: {largest:e}");
    assert!(largest < 5e-4, "{largest}");
}
