//! Check that the findings of the first screen follow the stored scores.

use std::fs;

use scraper::Html;
use serde_json::{Value, json};
use uqbench_judge::judgement::findings::{Finding, News};
use uqbench_report::words::findings::sentence;
use uqbench_run::runner::record::{open_seal, sealed};

use super::command::{Dir, files};
use super::mocks;
use super::pages::{check_all, pages, select};
use super::wording::{counts, element, elements};

/// What Table 1 prints for the two columns of [`judged`].
const PRINTED: [f64; 2] = [0.59, 0.54];

/// A benchmark of two mocks on the printed numbers of another one, with as many repetitions as are
/// judged.
fn judged() -> String {
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 12);
    let number = |method: &str, value: f64| {
        format!(
            "  {{ dataset = \"california\", metric = \"overall_mse\", value = \"{value}\", count = \
             20, method = \"{method}\", trees = \"weak\", uq_set = \"separate\" }},\n"
        )
    };
    let printed = number("dt", PRINTED[0]) + &number("uniform", PRINTED[1]);
    let keys = format!("paper = \"dtb\"\npublished = [\n{printed}]");
    text = text.replace("paper = \"none\"", &keys);
    text = text.replace("heading = \"Data\"", "printed = \"california\", heading = \"Data\"");
    for (tag, method) in ["dt", "uniform"].iter().enumerate() {
        let labels = format!(
            "labels = {{ method = \"{method}\", trees = \"weak\", uq_set = \"separate\" }}"
        );
        text = text.replace(&format!("labels = {{ mock = \"answer {tag}\" }}"), &labels);
    }
    text = text.replace(
        "metrics = [",
        "metrics = [{ id = \"mse\", published = \"overall_mse\", heading = \"Overall loss\" }, ",
    );
    text + "[contrast]\nlabel = \"method\"\ntest = \"dt\"\nreference = \"uniform\"\n\
        [[claims]]\nid = \"lower\"\ntext = \"the loss is lower\"\n\
        statement = { kind = \"lower\", terms = [{ metric = \"mse\" }], quantifier = \"all\" }\n"
}

/// A stored score.
pub struct Stored<'s> {
    pub tag: u64,
    pub split: u64,
    pub metric: &'s str,
}

/// Sets all stored scores of each trial of a mock.
pub fn alter(dir: &Dir, of: impl Fn(&Stored) -> f64) {
    for (name, bytes) in files(&dir.path("store/trials")) {
        let Some(folder) = name.strip_suffix("/result.json") else { continue };
        let result: Value = serde_json::from_slice(open_seal(&bytes).unwrap()).unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        let (tag, split) =
            (number(&result["spec"]["parameters"]["tag"]), number(&result["spec"]["split"]));
        let path = dir.path("store/scores").join(format!("{folder}.json"));
        // A trial without predictions has no scores.
        let Ok(bytes) = fs::read(&path) else { continue };
        let mut cached: Value = serde_json::from_slice(open_seal(&bytes).unwrap()).unwrap();
        let scores = cached["scores"].as_object_mut().unwrap().values_mut();
        for of_reading in scores.filter_map(Value::as_object_mut) {
            assert!(!of_reading.is_empty());
            of_reading
                .iter_mut()
                .for_each(|(metric, score)| *score = json!(of(&Stored { tag, split, metric })));
        }
        fs::write(&path, sealed(&serde_json::to_vec(&cached).unwrap())).unwrap();
    }
}

/// The findings of the benchmark's report that the index shows.
fn shown(dir: &Dir) -> Vec<Finding> {
    let report = fs::read_to_string(dir.path("out/mocks-report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let mut all: Vec<Finding> = serde_json::from_value(report["findings"].clone()).unwrap();
    let lines = elements(&pages(&dir.path("out"))["index.html"], "section.findings li");
    all.retain(|finding| lines.iter().any(|line| line.contains(&sentence(finding).what)));
    assert_eq!(all.len(), lines.len(), "{lines:?}");
    all
}

#[test]
fn findings_follow_the_stored_scores() {
    let dir = Dir::new();
    dir.write("mocks.toml", &judged());
    dir.run("run mocks.toml --profile full").code(0);
    let noise = |split: u64| 0.001 * (split % 3) as f64;
    let read = |of: &dyn Fn(u64, u64) -> f64| {
        alter(&dir, |stored| of(stored.tag, stored.split));
        dir.run("report mocks.toml --profile full").code(0);
        let pages = pages(&dir.path("out"));
        (pages["index.html"].clone(), pages["mocks.html"].clone())
    };
    // How many numbers are reproduced or close, and of how many; claims that hold, that fail and
    // that are open.
    let in_short = |index: &str| {
        let [numbers, claims] = [2, 3].map(|place| {
            counts(&element(index, &format!("table.short td:nth-child({place})"), &[]))
        });
        (numbers[..2].to_vec(), claims)
    };
    // Whether the first column is better than the second one, and the claims, as the index has
    // them.
    let news = || {
        let (mut pairs, mut claims) = (Vec::new(), Vec::new());
        for finding in shown(&dir) {
            match &finding {
                Finding::Contrasted(found) => {
                    assert_eq!([&*found.test, &*found.reference], ["answer 0", "answer 1"]);
                    pairs.push(finding.news());
                }
                Finding::Claimed(found) => claims.push((found.id.clone(), found.holds)),
                _ => {}
            }
        }
        (pairs, claims)
    };
    let (index, page) = read(&|tag, split| {
        if tag == 0 { PRINTED[0] + noise(split) } else { PRINTED[1] + noise(2 * split) }
    });
    let claim = |page: &str| {
        let page = Html::parse_document(page);
        select(&page, "#claim-lower td .chip")[0].text().collect::<String>()
    };
    let chips = |page: &str, verdict: &str| {
        let page = Html::parse_document(page);
        select(&page, &format!("tr[data-verdict={verdict}]")).len()
    };
    assert_eq!(in_short(&index), (vec![2, 2], vec![0, 1, 0]), "both numbers are reproduced");
    let (pairs, claims) = news();
    assert!(pairs.contains(&News::Bad) && !pairs.contains(&News::Good), "{pairs:?}");
    assert_eq!(claims, [("lower".to_owned(), false)]);
    insta::assert_snapshot!(element(&index, "table.short tbody tr", &[]), @"DTB mostly : 2 of 2 ; 0 differ, 0 unclear ✓ 0 hold ✕ 1 fails ? 0 are undecided");
    insta::assert_snapshot!(elements(&index, "section.findings li").join("\n"), @"
    ▼ against the paper's own method, or our version of a method: DTB, Table 0 On Data the overall loss of answer 0 is 9.2 % higher than that of answer 1. The difference is 0.05000 ± 0.00054 (simultaneous 95 % interval, 12 repetitions). It is the only comparison with a reference here.
    ▼ against the paper's own method, or our version of a method: DTB, Table 0 The claim “the loss is lower” fails on our runs. significantly lower in 0 of 1 comparisons and significantly higher in 1 (paired, Holm 5 %), lower in the mean in 0, the clearest by 0.05000 ± 0.00054 higher; the claim needs 1 (n = 12 repetitions).
    ");
    assert_eq!((chips(&page, "reproduced"), chips(&page, "better")), (2, 0));
    // The first trial of the second column has the lowest score, and so a page; that of the first
    // column has none.
    let whole = Html::parse_document(&page);
    assert_eq!(
        [select(&whole, "td.why a[href^='trial-']").len(), select(&whole, "td.why code").len()],
        [1, 1]
    );
    assert_eq!(claim(&page).trim(), "✕ fails");
    // The first column becomes far better than printed.
    let (index, page) = read(&|tag, split| {
        if tag == 0 { 0.1 + noise(split) } else { PRINTED[1] + noise(2 * split) }
    });
    assert_eq!(in_short(&index), (vec![1, 2], vec![1, 0, 0]));
    let (pairs, claims) = news();
    assert!(pairs.contains(&News::Good) && !pairs.contains(&News::Bad), "{pairs:?}");
    assert!(claims.iter().all(|(_, holds)| *holds), "{claims:?}");
    assert_eq!((chips(&page, "reproduced"), chips(&page, "better")), (1, 1));
    assert_eq!(claim(&page).trim(), "✓ holds");
    // Without a difference no column wins.
    read(&|_, split| PRINTED[1] + noise(split));
    let (pairs, claims) = news();
    assert!(pairs.iter().all(|news| *news == News::Neutral), "{pairs:?}");
    assert!(claims.iter().all(|(_, holds)| !holds), "{claims:?}");
}

#[test]
fn rankings_defeats_and_coverages_follow_the_stored_scores() {
    let dir = Dir::new();
    let one = "datasets = [{ key = \"motorcycle-94\", heading = \"Data\" }]";
    let three = "own = { mock = [\"answer 0\"] }\ndatasets = [{ key = \"motorcycle-94\", heading = \
        \"First\" }, { key = \"yacht\", heading = \"Second\" }, { key = \"boston\", heading = \
        \"Third\" }]";
    let text = mocks::benchmark(&mocks::answering(3, 0), 12);
    let text = text.replace(one, three).replace("id = \"crps\"", "id = \"picp(level=0.95)\"");
    dir.write("mocks.toml", &text);
    dir.run("run mocks.toml --profile full").code(0);
    let read = |losses: [f64; 3], coverage: f64| {
        alter(&dir, |Stored { tag, split, metric }| {
            let noise = 0.001 * (split * (tag + 2) % 5) as f64;
            if metric.starts_with("rmse") {
                losses[*tag as usize] + noise
            } else {
                coverage + noise
            }
        });
        dir.run("report mocks.toml --profile full").code(0);
        check_all(&dir.path("out"));
        let index = pages(&dir.path("out"))["index.html"].clone();
        let links = select(&Html::parse_document(&index), ".findings li a")
            .iter()
            .map(|link| link.attr("href").unwrap().to_owned())
            .collect::<Vec<_>>();
        (index, links)
    };
    // Which method ranks first, which one beats the benchmark's own, and whether the intervals of
    // this one cover too few rows.
    let found = |index: &str| {
        let (mut first, mut winner, mut is_low) = (None, None, None);
        for finding in shown(&dir) {
            match finding {
                Finding::Ranked(found) => {
                    assert_eq!((&*found.metric.to_string(), found.best_rank), ("rmse", 1.0));
                    assert_eq!((found.methods, found.datasets), (3, 3));
                    first = Some(found.best);
                }
                Finding::Beaten(found) => {
                    assert_eq!((&*found.metric.to_string(), &*found.own), ("rmse", "answer 0"));
                    winner = Some(found.winner);
                }
                Finding::Covered(found) => {
                    assert_eq!((found.level, &*found.own), (0.95, "answer 0"));
                    is_low = Some(found.is_low());
                }
                other => panic!("{other:?}"),
            }
        }
        let best = element(index, "p.best", &[]);
        for method in ["answer 0", "answer 1", "answer 2"] {
            assert_eq!(best.contains(method), first.as_deref() == Some(method), "{best}");
        }
        (first.unwrap(), winner, is_low)
    };
    let (index, links) = read([3.0, 1.0, 2.0], 0.95);
    assert_eq!(found(&index), ("answer 1".to_owned(), Some("answer 1".to_owned()), Some(false)));
    insta::assert_snapshot!(element(&index, "p.best", &[]), @"Which method did best? none Table 0 : answer 1 (mean rank 1.0 of 3 by RMSE on 3 datasets; another is not significantly behind).");
    insta::assert_snapshot!(elements(&index, "section.findings li").join("\n"), @"
    ▼ against the benchmark's own method: none, Table 0 On Third the RMSE of answer 1 is 67 % lower than that of answer 0. The difference is 1.9999 ± 0.0036 (simultaneous 95 % interval for new data, 12 repetitions). Of 6 pairs of another method and a dataset, the other method is significantly better than answer 0 in 6 and significantly worse in 0.
    ▼ against the benchmark's own method: none, Table 0 By RMSE answer 1 ranks first of 3 methods over 3 datasets; one other method is not significantly behind. Its mean rank is 1.0. That of answer 0 is 3.0. Two methods differ significantly where their mean ranks are 1.9 apart (Friedman's test over 3 datasets: p = 0.028; Nemenyi).
    ● neither for nor against it: none, Table 0 On no dataset do the 95 % intervals of answer 0 contain significantly too few test rows; the fewest are 95.2 %, on Third. 95.183 ± 0.093 % (95 % interval over 12 repetitions). The coverage is significantly below 95 % in 0 of 3 pairs of method and dataset.
    ");
    assert_eq!(links.len(), 3, "{links:?}");
    assert!(links.iter().all(|link| link.starts_with("mocks.html#t-")), "{links:?}");
    assert!(links[0].starts_with("mocks.html#t-rmse--"), "the row of the dataset: {links:?}");
    // Another method beats it, and another one did best.
    let (index, _) = read([3.0, 2.0, 1.0], 0.95);
    assert_eq!(found(&index), ("answer 2".to_owned(), Some("answer 2".to_owned()), Some(false)));
    // Nobody beats it, but its intervals cover too little.
    let (index, _) = read([1.0, 3.0, 2.0], 0.5);
    assert_eq!(found(&index), ("answer 0".to_owned(), None, Some(true)));
    insta::assert_snapshot!(elements(&index, "section.findings li").join("\n"), @"
    ▼ against the benchmark's own method: none, Table 0 On Third the 95 % intervals of answer 0 contain only 50.2 % of the test rows. 50.183 ± 0.093 % (95 % interval over 12 repetitions). The coverage is significantly below 95 % in 3 of 3 pairs of method and dataset.
    ▲ for the benchmark's own method: none, Table 0 By RMSE answer 0 ranks first of 3 methods over 3 datasets; one other method is not significantly behind. Its mean rank is 1.0. Two methods differ significantly where their mean ranks are 1.9 apart (Friedman's test over 3 datasets: p = 0.028; Nemenyi).
    ");
    // Where no method is the paper's own, those count whose coverage it prints.
    let printed = "published = [{ dataset = \"boston\", metric = \"coverage\", value = \"0.95\", mock = \
                   \"answer 1\" }]\n";
    let text = text.replace("own = { mock = [\"answer 0\"] }\n", printed);
    let metric = "id = \"picp(level=0.95)\"";
    dir.write("mocks.toml", &text.replace(metric, &format!("{metric}, published = \"coverage\"")));
    read([1.0, 3.0, 2.0], 0.5);
    let covered = shown(&dir).into_iter().find_map(|finding| match &finding {
        Finding::Covered(found) => Some((found.own.clone(), found.is_low(), finding.news())),
        _ => None,
    });
    assert_eq!(covered, Some(("answer 1".into(), true, News::Neutral)));
}
