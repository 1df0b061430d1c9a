//! Check that the findings of the first screen follow the stored scores.

use std::fs;

use scraper::Html;
use serde_json::{Value, json};
use uqbench_run::runner::record::{open_seal, sealed};

use super::command::{Dir, files};
use super::mocks;
use super::pages::{check_all, pages, select, words};

/// What Table 1 prints for the two columns of [`judged`].
const PRINTED: [f64; 2] = [0.59, 0.54];

/// A benchmark of two mocks on the printed numbers of another one, with as many repetitions as are
/// judged.
fn judged() -> String {
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 12);
    text = text.replace("paper = \"none\"", "paper = \"dtb\"\npublished = \"dtb-table-1\"");
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
        (words(&pages["index.html"]), pages["mocks.html"].clone())
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
    assert!(index.contains("2 of 2"), "both numbers are reproduced: {index}");
    assert!(index.contains(" higher than that of answer 1."), "{index}");
    assert!(index.contains("✓ 0 hold ✕ 1 fails ? 0 are undecided"), "{index}");
    assert!(index.contains("The claim “the loss is lower” fails on our runs."), "{index}");
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
    assert!(index.contains("1 of 2") && !index.contains("2 of 2"), "{index}");
    assert!(index.contains(" lower than that of answer 1."), "{index}");
    assert!(
        !index.contains(" higher than that of") && index.contains("✓ 1 holds ✕ 0 fail"),
        "{index}"
    );
    assert!(!index.contains("lower” fails"), "{index}");
    assert_eq!((chips(&page, "reproduced"), chips(&page, "better")), (1, 1));
    assert_eq!(claim(&page).trim(), "✓ holds");
    // Without a difference no column wins.
    let (index, _) = read(&|_, split| PRINTED[1] + noise(split));
    assert!(!index.contains(" than that of answer 1."), "{index}");
    assert!(!index.contains("lower” holds"), "{index}");
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
        (words(&index), links)
    };
    let (index, links) = read([3.0, 1.0, 2.0], 0.95);
    assert!(index.contains("By RMSE answer 1 ranks first of 3 methods over 3 datasets"), "{index}");
    assert!(
        index.contains("answer 1 (mean rank 1.0 of 3 by RMSE on 3 datasets"),
        "which method did best: {index}"
    );
    let lower = |winner: u8| format!("the RMSE of answer {winner} is ");
    assert!(index.contains(&lower(1)) && index.contains(" lower than that of answer 0"), "{index}");
    assert!(index.contains("On no dataset do the 95 % intervals of answer 0 contain"), "{index}");
    assert_eq!(links.len(), 3, "{links:?}");
    assert!(links.iter().all(|link| link.starts_with("mocks.html#t-")), "{links:?}");
    assert!(links[0].starts_with("mocks.html#t-rmse--"), "the row of the dataset: {links:?}");
    // Another method beats it, and another one did best.
    let (index, _) = read([3.0, 2.0, 1.0], 0.95);
    assert!(index.contains("By RMSE answer 2 ranks first of 3 methods over 3 datasets"), "{index}");
    assert!(
        index.contains("answer 2 (mean rank 1.0 of 3") && !index.contains("answer 1 (mean rank"),
        "{index}"
    );
    assert!(index.contains(&lower(2)) && !index.contains(&lower(1)), "{index}");
    // Nobody beats it, but its intervals cover too little.
    let (index, _) = read([1.0, 3.0, 2.0], 0.5);
    assert!(
        index.contains("By RMSE answer 0 ranks first of 3 methods over 3 datasets")
            && !index.contains("than that of answer 0"),
        "{index}"
    );
    assert!(index.contains("the 95 % intervals of answer 0 contain only "), "{index}");
    assert!(!index.contains("On no dataset do"), "{index}");
}
