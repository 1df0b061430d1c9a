use std::collections::BTreeMap;

use super::*;
use uqbench_judge::evidence::brought::Brought;
use uqbench_judge::evidence::efforts::Effort;
use uqbench_judge::evidence::field::{Field, Score};
use uqbench_judge::judgement::league::judge;
use uqbench_run::benchmark::{Benchmark, Profile, find};
use uqbench_run::runner::plan::{Filter, plan};

const NAMES: [&str; 5] = ["Ridge", "CART", "NGBoost", "Stack of three", "Unconditional quantiles"];

const SPLITS: usize = 3;

/// The board `standard` with losses of 1, 1.2, 1.8, 0.9 and 2, and a split on which NGBoost failed.
fn field(board: &Benchmark) -> Field {
    let metrics: Vec<_> = board.metrics.iter().map(|row| row.id).collect();
    let names = NAMES.map(str::to_owned);
    let mut field = Field::default();
    for (at, dataset) in board.datasets.iter().enumerate() {
        let noise = |entrant: usize, split: usize| {
            1.0 + 0.01 * (((entrant * 31 + at * 17 + split * 7) % 11) as f64 - 5.0)
        };
        let of = |entrant: usize| -> Vec<Option<f64>> {
            let loss = |split| [1.0, 1.2, 1.8, 0.9, 2.0][entrant] * noise(entrant, split);
            let fails = |split| entrant == 2 && at == 0 && split == 0;
            (0..SPLITS).map(|split| (!fails(split)).then(|| loss(split))).collect()
        };
        let mut all = vec![vec![vec![None; SPLITS]; NAMES.len()]; metrics.len()];
        all[0] = (0..NAMES.len()).map(of).collect();
        let one = Field::of_scores(&dataset.key, &names, &metrics, all, Vec::new(), 0.1);
        field.blocks.extend(one.blocks);
        (field.metrics, field.entrants) = (one.metrics, one.entrants);
    }
    field
}

fn entry(board: &Benchmark) -> Brought {
    let mut of_dataset = vec![vec![Score::Undefined; SPLITS]; board.metrics.len()];
    of_dataset[0] = vec![Score::Given(0.5); SPLITS];
    let scores: BTreeMap<String, _> =
        board.datasets.iter().map(|row| (row.key.clone(), of_dataset.clone())).collect();
    Brought {
        approximations: Vec::new(),
        heading: "mine <b> 1".into(),
        key: "0123456789abcdef".into(),
        kind: EntrantKind::Model,
        stated_seconds: Some(12.0),
        scores,
    }
}

fn rendered() -> Vec<Document> {
    let board = find("league-standard").unwrap();
    let plan =
        plan(std::slice::from_ref(&board), Profile::Smoke, &Filter::default()).unwrap().remove(0);
    let brought = [entry(&board)];
    let mut field = field(&board);
    field.bring(&brought);
    let efforts = [Effort {
        column: "NGBoost".into(),
        dataset: "boston".into(),
        finished: 2,
        planned: 3,
        failures: vec![("timed out".into(), 1)],
        reason: Some("timed out".into()),
        ..Effort::default()
    }];
    let judged = judge(&field, &board, &brought, &efforts).unwrap();
    let subject = Subject {
        origin: "Profile smoke.".into(),
        damaged: vec!["x: why".into()],
        ..Subject::default()
    };
    render(&judged, &plan, &subject).unwrap()
}

fn text(all: &[Document], name: &str) -> String {
    let found = all.iter().find(|document| document.name == name);
    let names: Vec<&str> = all.iter().map(|document| document.name.as_str()).collect();
    String::from_utf8(found.unwrap_or_else(|| panic!("{name}: {names:?}")).bytes.clone()).unwrap()
}

#[test]
fn the_first_screen_has_at_most_ten_sentences_and_the_tables_follow() {
    let all = rendered();
    let page = text(&all, "league-standard-board.md");
    let (first, _) = page.split_once("![").unwrap();
    insta::assert_snapshot!(first, @"
        # League, board standard: nine datasets on the field's splits

        Board standard: 4 models and 1 system on 9 datasets; all 3 trials have ended.

        Of the models Ridge is first: its CRPS is 50.1 % below that of a predictor that ignores the features (geometric mean over 9 datasets).

        With other splits of these datasets, all other models are shown to be behind it. On other datasets of this kind all other models are shown to be behind it.

        Of the systems Stack of three is first: its CRPS is 55.0 % below that of a predictor that ignores the features (geometric mean over 9 datasets).

        It is the only one of the systems.

        The models with the most skill by kind of dataset, untested: Ridge on 5 datasets of fewer than 2500 rows and Ridge on 4 datasets of more.

        No interval of a skill is stated: the datasets have 9 sources, which say too little of any other dataset; it takes 10.

        1 split of 1 entrant failed and has the loss of the predictor that ignores the features; no rank hangs on that.

        1 entry is claimed: somebody brought the predictions, and their scores were computed here. It has no rank.

        An entry is left out: x: why.
        ");
    assert!(first.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count() <= 10);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).take(7).collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    | Method                  |    Rank | Here | Elsewhere |  Skill | Log score | Interval score | Coverage | Worst coverage | Seconds | Memory (MiB) | Failed splits |
    | ----------------------- | ------: | ---: | --------: | -----: | --------: | -------------: | -------: | -------------: | ------: | -----------: | ------------: |
    | mine \<b> 1             | claimed |    – |         – | 75.0 % |         – |              – |        – |              – |       – |            – |             0 |
    | Ridge                   |       1 |    1 |         1 | 50.1 % |         – |              – |        – |              – |       – |            – |             0 |
    | CART                    |       2 |    2 |         2 | 40.1 % |         – |              – |        – |              – |       – |            – |             0 |
    | NGBoost                 |       3 |    3 |         3 |  9.8 % |         – |              – |        – |              – |       – |            – |       1 of 27 |
    | Unconditional quantiles |       4 |    4 |         4 |  0.0 % |         – |              – |        – |              – |       – |            – |             0 |
    "#);
}

#[test]
fn every_format_is_there_and_names_stay_text() {
    let all = rendered();
    for ending in ["md", "csv", "json", "bib"] {
        assert!(!text(&all, &format!("league-standard-board.{ending}")).is_empty());
    }
    assert!(all.iter().any(|document| document.name.ends_with(".tex")));
    assert!(all.iter().any(|document| document.name == "league-standard-board-ranks.svg"));
    let site = text(&all, "site/league-standard-board.html");
    assert!(site.contains("mine &lt;b&gt; 1") && !site.contains("mine <b>"));
    let parquet = all.iter().find(|one| one.name == "league-standard-board-scores.parquet");
    assert!(parquet.unwrap().bytes.starts_with(b"PAR1"));
    let scores = text(&all, "league-standard-board-scores.csv");
    insta::assert_snapshot!(scores.lines().take(3).collect::<Vec<_>>().join("\n"), @"
        method,claimed,dataset,metric,split,score,outcome
        Ridge,false,boston,crps,0,0.95,scored
        Ridge,false,boston,crps,1,1.02,scored
        ");
    // Datasets, metrics, entrants and splits.
    assert_eq!(scores.lines().count(), 1 + 9 * 8 * 6 * 3);
    assert!(scores.lines().any(|line| line.starts_with("NGBoost,false,boston,crps,0,,failed")
        || line.starts_with("NGBoost,false,boston,crps,0,,undefined")));
}

#[test]
fn an_entrant_is_a_row_with_its_numbers() {
    let all = rendered();
    let mut reader = csv::Reader::from_reader(
        all.iter().find(|one| one.name == "league-standard-board.csv").unwrap().bytes.as_slice(),
    );
    let rows: Vec<BTreeMap<String, String>> =
        reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 6);
    let of = |name: &str| rows.iter().find(|row| row["method"] == name).unwrap();
    let mine = of("mine <b> 1");
    assert_eq!((mine["claimed"].as_str(), mine["rank"].as_str()), ("true", ""));
    assert_eq!(mine["stated_seconds"], "12");
    let ridge = of("Ridge");
    assert_eq!((ridge["rank"].as_str(), ridge["kind"].as_str()), ("1", "model"));
    let skill: f64 = ridge["skill"].parse().unwrap();
    assert!((skill - 0.5).abs() < 0.01 && ridge.contains_key("skill boston"));
    assert_eq!(
        (of("NGBoost")["failed_splits"].as_str(), of("NGBoost")["splits"].as_str()),
        ("1", "27")
    );
    let json: serde_json::Value =
        serde_json::from_str(&text(&all, "league-standard-board.json")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 6);
}
