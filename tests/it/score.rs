//! Score predictions that one already has: those of a stored run have the scores of their trials.

use std::collections::BTreeMap;
use std::fs;

use super::command::{Dir, files};
use super::mocks;
use super::wording::line;

/// A CSV file as rows by column.
fn table(dir: &Dir, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(dir.path(name)).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row =
        |row: csv::StringRecord| head.iter().cloned().zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn exported() -> Dir {
    let dir = Dir::new();
    let methods = "[[methods]]\nid = \"linear-gaussian\"\ncolumns = [{ heading = \"Linear\", \
                   labels = { m = \"l\" } }]\n\
                   [[methods]]\nid = \"unconditional-gaussian\"\ncolumns = [{ heading = \
                   \"Constant\", labels = { m = \"c\" } }]\n";
    let head = mocks::benchmark(&[], 3);
    let head = &head[..head.find("[profiles").unwrap()];
    dir.write("own.toml", &mocks::in_every_profile(format!("{head}{methods}"), 3));
    dir.run("run own.toml").code(0);
    dir.run("export store predictions.csv own.toml --predictions").code(0);
    dir
}

#[test]
fn exported_predictions_have_the_scores_of_their_trials() {
    let dir = exported();
    dir.run("export store scores.csv own.toml").code(0);
    let ended = dir.run("score predictions.csv --form gaussian --level 0.95 --png").code(0);
    let title = ended.out.lines().next().unwrap();
    assert!(title.starts_with("# ") && title.contains("predictions.csv"), "{title}");
    let drawn = files(&dir.path("uqbench-report/score"));
    for name in ["score-reliability.png", "score-calibration.svg", "score-crps-gains.svg"] {
        assert!(drawn.contains_key(name), "{name} in {:?}", drawn.keys());
    }
    let names =
        BTreeMap::from([("Linear", "linear-gaussian"), ("Constant", "unconditional-gaussian")]);
    let stored = table(&dir, "scores.csv");
    let mut compared = 0;
    for row in
        table(&dir, "uqbench-report/score/score.csv").iter().filter(|row| !row["split"].is_empty())
    {
        let id = names[row["method"].as_str()];
        let is_same = |other: &&BTreeMap<String, String>| {
            other["method"] == id
                && other["split"] == row["split"]
                && other["metric"] == row["metric"]
        };
        let Some(trial) = stored.iter().find(is_same) else { continue };
        let [found, expected] = [row, trial].map(|row| row["score"].parse::<f64>().unwrap());
        // The exported standard deviation is the root of the stored variance, which rounds.
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{row:?}: {expected}");
        compared += 1;
    }
    // Two methods, three splits, four standard metrics.
    assert_eq!(compared, 24);
}

/// The cells of a method's row in the table of a page that begins so, but for the name of the
/// dataset.
fn cells_of(page: &str, section: &str, method: &str) -> Vec<String> {
    let section = page
        .split("\n## ")
        .find(|part| part.starts_with(section))
        .unwrap_or_else(|| panic!("{section} in\n{page}"));
    let cells = |line: &str| {
        line.split('|').skip(2).map(|cell| cell.trim().to_owned()).collect::<Vec<String>>()
    };
    section
        .lines()
        .map(cells)
        .find(|cells| cells.first().is_some_and(|cell| cell == method))
        .unwrap()
}

#[test]
fn scored_exports_are_compared_as_the_stored_trials_are() {
    let dir = exported();
    let compared = dir
        .run("compare Linear Constant --benchmarks own.toml --metrics crps,rmse --out compared")
        .code(0)
        .out;
    let scored = dir.run("score predictions.csv --form gaussian --level 0.95").code(0);
    assert!(!scored.err.contains("warning: "), "{}", scored.err);
    for section in ["CRPS against Linear", "RMSE against Linear"] {
        let [expected, found] =
            [&compared, &scored.out].map(|page| cells_of(page, section, "Constant"));
        assert_eq!(found, expected, "{section}");
    }
}

#[test]
fn what_is_odd_about_a_file_is_told_and_ends_well() {
    let dir = Dir::new();
    let rows: Vec<String> = (0..40).map(|i| format!("{},{i},1\n", f64::from(i).sqrt())).collect();
    let file = |name: &str, head: &str, rows: &str| dir.write(name, &format!("{head}\n{rows}"));
    file("once.csv", "y,mean,sd", &rows.concat());
    file("twice.csv", "y,mean,sd", &rows.concat().repeat(2));
    assert!(!dir.run("score once.csv").code(0).err.contains("warning: "));
    assert!(dir.run("score twice.csv").code(0).err.contains("warning: twice.csv"));
    file(
        "ends.csv",
        "y,lower,upper,mean,sd",
        "1.5,-inf,inf,0,1\n2.25,0,Infinity,0,1\n3.125,,4,0,1\n0.5,0,1,0,1\n",
    );
    let ended = dir.run("score ends.csv --level 0.9").code(0);
    assert!(
        ended.err.contains("warning: ends.csv") && ended.err.contains("note: ends.csv"),
        "{}",
        ended.err
    );
    let found = table(&dir, "uqbench-report/score/score.csv");
    let of = |metric: &str| {
        found
            .iter()
            .find(|row| row["metric"] == metric)
            .map(|row| (row["rows"].as_str(), row["score"].as_str()))
    };
    assert_eq!(of("picp(level=0.9)"), Some(("3", "1")));
    assert_eq!(of("mpiw(level=0.9)"), Some(("3", "inf")));
    assert_eq!((of("pinball(level=0.95)"), of("crps")), (Some(("3", "inf")), None));
    let page = fs::read_to_string(dir.path("uqbench-report/score/score.md")).unwrap();
    assert!(!page.contains("\\`"), "{page}");
    for name in ["score.md", "score.csv", "score.json", "score.tex"] {
        let text = fs::read_to_string(dir.path(&format!("uqbench-report/score/{name}"))).unwrap();
        for word in ["best-value", "simple-regret", "Simple regret", "Best value", "Variance, mean"]
        {
            assert!(!text.contains(word), "{word} in {name}");
        }
    }
}

#[test]
fn infinite_ends_beside_decimal_commas_are_read_as_those_beside_points() {
    let dir = Dir::new();
    let rows = "1.5,0.5,2.5\n2.5,-inf,3.5\n3.5,2.0,inf\n2.1,,3.3\n9.25,1.25,8\n";
    dir.write("points.csv", &format!("y,lower,upper\n{rows}"));
    dir.write(
        "commas.csv",
        &format!("y;lower;upper\n{}", rows.replace(',', ";").replace('.', ",")),
    );
    let scores = |name: &str| {
        dir.run(&format!("score {name} --level 0.9 --out {name}.out")).code(0);
        fs::read_to_string(dir.path(&format!("{name}.out/score.csv"))).unwrap()
    };
    // Their methods have the names of the files.
    assert_eq!(scores("points.csv"), scores("commas.csv").replace("commas", "points"));
}

#[test]
fn parquet_and_csv_have_the_same_scores() {
    let dir = exported();
    dir.run("export store predictions.parquet own.toml --predictions").code(0);
    let numbers = |file: &str| {
        dir.run(&format!("score {file} --form quantiles --out {file}-out")).code(0);
        fs::read_to_string(dir.path(&format!("{file}-out/score.csv"))).unwrap()
    };
    assert_eq!(numbers("predictions.csv"), numbers("predictions.parquet"));
}

#[test]
fn wrong_files_end_with_an_error() {
    let dir = Dir::new();
    dir.write("a.csv", "y,mean,sd\n1,0,1\n2,0,-1\n");
    dir.run("score a.csv").code(1).says(
        "error: a.csv, line 3, column \"sd\": found -1, expected a standard deviation above 0",
    );
    dir.run("score a.csv --y price").code(2).says("error: --y: a.csv has no column \"price\"");
    let rows: String = (0..20).map(|i| format!("{i},{i}.5,1\n")).collect();
    dir.write("noted.csv", &format!("# by hand\ny,mean,sd\n{rows}"));
    let noted = dir.run("score noted.csv").code(0);
    insta::assert_snapshot!(line(&noted.err, &["note: noted.csv", " 1 "]), @"note: noted.csv: 1 comment line that begins with # or % left out");
    dir.run("score absent.csv").code(1).says("error: absent.csv: cannot be read");
    dir.write("b.csv", "y,lower,upper\n1,0,1\n");
    dir.run("score b.csv").code(1).says("--level 0.9 for 90 %");
    dir.run("score b.csv --level 90").code(2).says("expected a number between 0 and 1");
    dir.run("score").code(2);
    dir.write("c.parquet", "PAR1 and no more");
    dir.run("score c.parquet").code(1).says("a Parquet file that cannot be read");
}

/// The score of each method and metric over all rows.
fn whole(dir: &Dir, folder: &str) -> BTreeMap<(String, String), String> {
    let rows = table(dir, &format!("{folder}/score.csv")).into_iter();
    let all =
        rows.filter(|row| row["split"].is_empty() && row.get("group").is_none_or(String::is_empty));
    all.map(|row| ((row["method"].clone(), row["metric"].clone()), row["score"].clone())).collect()
}

#[test]
fn files_of_other_countries_have_the_scores_of_plain_ones() {
    let dir = Dir::new();
    let number = |i: u32, k: u32| f64::from(i * k % 97) * 0.125 + 1000.0 * f64::from(i % 2);
    let lines = |separator: &str, comma: bool| -> String {
        let shown = |x: f64| if comma { x.to_string().replace('.', ",") } else { x.to_string() };
        let cells = |i: u32| {
            [number(i, 7), number(i, 7) - 3.5, number(i, 7) + f64::from(i % 5) * 0.3 - 0.25]
                .map(shown)
        };
        (0..60).map(|i| cells(i).join(separator) + "\n").collect()
    };
    dir.write("plain.csv", &format!("y,q0.05,q0.95\n{}", lines(",", false)));
    dir.write("semicolon.csv", &format!("y;q0,05;q0,95\n{}", lines(";", true)));
    dir.write("tab.csv", &format!("y\tq0,05\tq0,95\n{}", lines("\t", true)));
    let quoted = lines(";", true)
        .lines()
        .map(|line| format!("\"{}\"\n", line.replace(';', "\",\"")))
        .collect::<String>();
    dir.write("quoted.csv", &format!("y,\"q0,05\",\"q0,95\"\n{quoted}"));
    let scores = |name: &str| {
        dir.run(&format!("score {name}.csv --out {name}")).code(0);
        whole(&dir, name)
            .into_iter()
            .map(|((_, metric), score)| (metric, score))
            .collect::<BTreeMap<_, _>>()
    };
    let plain = scores("plain");
    assert!(plain.len() > 5);
    for name in ["semicolon", "tab", "quoted"] {
        assert_eq!(scores(name), plain, "{name}");
    }
}

#[test]
fn labels_that_mean_the_same_pair() {
    let dir = Dir::new();
    let write = |name: &str, splits: [&str; 2], outcome: fn(f64) -> String| {
        let line = |i: usize| {
            format!("{},{i},{},{}.5,1\n", splits[i % 2], outcome(f64::from(i as u32) / 3.0), i)
        };
        dir.write(name, &format!("split,row,y,mean,sd\n{}", (0..12).map(line).collect::<String>()));
    };
    write("a.csv", ["0", "1"], |y| y.to_string());
    type Row = fn(f64) -> String;
    let alike: [(&str, [&str; 2], Row); 5] = [
        ("b.csv", ["0.0", "1.0"], |y| y.to_string()),
        ("c.csv", ["00", "01"], |y| y.to_string()),
        ("d.csv", [" 0 ", " 1"], |y| y.to_string()),
        ("e.csv", ["0", "1"], |y| (y as f32).to_string()),
        ("f.csv", ["0", "1"], |y| f64::from(y as f32).to_string()),
    ];
    for (name, splits, outcome) in alike {
        write(name, splits, outcome);
        dir.run(&format!("score a.csv {name} --train-rows 6 --out o")).code(0);
    }
    write("wrong.csv", ["0", "1"], |y| (y + 0.01).to_string());
    dir.run("score a.csv wrong.csv --out o").code(1);
    write("other.csv", ["a", "1.0"], |y| y.to_string());
    write("other-a.csv", ["a", "1"], |y| y.to_string());
    let told = dir.run("score other-a.csv other.csv --out o").code(1);
    assert!(told.err.contains("\"1\"") && told.err.contains("\"1.0\""), "{}", told.err);
}

/// Predictions of houses that were sold later, as `try --predict --id` writes them, and the prices
/// in a file of their own.
#[test]
fn outcomes_of_another_file_are_joined_by_an_identifier() {
    let dir = Dir::new();
    dir.write(
        "pred.csv",
        "row,house,mean,lower,upper,sd,aleatoric_sd,epistemic_sd\n1,7,5,4,6,0.6,,\n2,8,3,2,4,0.6,,\n\
         3,9,8,7,9,0.6,,\n",
    );
    dir.write("sold.csv", "house;street;price\n09;A;8,5\n7;B;6,5\n12;C;1,0\n8;D;\n");
    let words = "score pred.csv --truth sold.csv --id house --y price --level 0.9";
    let ended = dir.run(words).code(0);
    for part in [
        "1 prediction has no outcome in sold.csv and is left out: \"8\"",
        "1 outcome in sold.csv has no prediction",
    ] {
        assert!(ended.err.contains(part), "{part} in\n{}", ended.err);
    }
    // One of two outcomes lies inside.
    assert!(ended.out.contains("| 0.5"), "{}", ended.out);
    for (truth, code, part) in [
        ("house,price\n1,2\n", 1, "identifiers that both files have"),
        ("house,price\n7,2\n7,3\n", 1, "a second outcome of \"7\""),
        ("haus,price\n7,2\n", 2, "did you mean"),
    ] {
        dir.write("sold.csv", truth);
        dir.run(words).code(code).says(part);
    }
    dir.run("score pred.csv --truth sold.csv").code(2).says("--id");
}
