//! Check the pages of the site: that each is whole and asks for nothing, that every link leads somewhere, and that what
//! they say follows the stored scores.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};
use uqbench::runner::record::{open_seal, sealed};

use super::command::{Dir, files};
use super::mocks;

/// Largest page in bytes.
const LARGEST: usize = 1_500_000;

/// The pages of a site by their names.
fn pages(dir: &Dir, out: &str) -> BTreeMap<String, String> {
    let all = files(&dir.path(out).join("site")).into_iter();
    all.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// The elements that a selector finds.
fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// The values of an attribute of all elements that a selector finds.
fn attributes(page: &Html, selector: &str, name: &str) -> Vec<String> {
    select(page, selector).into_iter().filter_map(|element| element.attr(name).map(str::to_owned)).collect()
}

/// The visible words of a page, with single blanks.
fn words(page: &str) -> String {
    let page = Html::parse_document(page);
    let main = select(&page, "main")[0];
    main.text().collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an address makes a browser ask a network.
fn is_outside(address: &str) -> bool {
    address.contains("//") || address.starts_with("http") || address.starts_with("javascript")
}

/// Checks one page by itself; returns its links.
fn check(name: &str, text: &str) -> Vec<String> {
    assert!(text.len() <= LARGEST, "{name} has {} bytes", text.len());
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{name} is not well-formed: {:?}", page.errors);
    let requests = ["src", "srcset", "data", "poster", "action", "xlink:href"];
    for attribute in requests {
        let selector = format!("[{}]", attribute.replace(':', "\\:"));
        assert_eq!(attributes(&page, &selector, attribute), [""; 0], "{name} loads a file by `{attribute}`");
    }
    assert_eq!(attributes(&page, "link", "href"), ["data:,"], "{name}: only the empty icon");
    let styles = select(&page, "style").into_iter().map(|style| style.inner_html());
    let inline = attributes(&page, "[style]", "style").into_iter();
    for style in styles.chain(inline) {
        assert!(!style.contains("@import") && !style.contains("url("), "{name}: a style loads a file");
    }
    let count = |selector: &str| select(&page, selector).len();
    assert_eq!([count("h1"), count("main"), count("script"), count("html[lang]")], [1; 4], "{name}");
    assert_eq!(count("th:not([scope])"), 0, "{name}: a heading of a table does not say what it heads");
    assert_eq!(count("iframe, object, embed, base, form, meta[http-equiv]"), 0, "{name}");
    let ids = attributes(&page, "[id]", "id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}: two elements share an id");
    let links = attributes(&page, "a[href]", "href");
    assert!(links.iter().all(|link| !is_outside(link)), "{name}: a link leaves the report");
    links
}

/// Checks every page, and that every link leads to a file and an element of it.
fn check_all(dir: &Dir, out: &str) {
    let pages = pages(dir, out);
    let of_page = |text: &String| attributes(&Html::parse_document(text), "[id]", "id").into_iter().collect();
    let ids: BTreeMap<&String, BTreeSet<String>> = pages.iter().map(|(name, text)| (name, of_page(text))).collect();
    for (name, text) in &pages {
        for link in check(name, text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if let Some(beside) = file.strip_prefix("../") {
                assert!(dir.path(out).join(beside).is_file(), "{name} leads to {link}, which is not there");
                continue;
            }
            let file = if file.is_empty() { name } else { &file.to_owned() };
            let target = ids.get(file).unwrap_or_else(|| panic!("{name} leads to {link}, which is not there"));
            assert!(anchor.is_empty() || target.contains(anchor), "{name} leads to {link}, which has no such part");
        }
    }
}

#[test]
fn every_page_is_whole_and_every_link_leads_somewhere() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 jcm-figure-1 --profile smoke").code(0).says("site/index.html");
    check_all(&dir, "out");
    // Pages of benchmarks that have not run are pages, too.
    dir.run("report --profile smoke").code(3);
    let pages = pages(&dir, "out");
    assert!(pages.len() > 35, "{:?}", pages.keys());
    check_all(&dir, "out");
    let index = words(&pages["index.html"]);
    for part in ["What has not run?", "How sure?", "Findings of this preview", "DTB", "JCM", "NSGP", "Wiener", "GPLVM"]
    {
        assert!(index.contains(part), "{part}: {index}");
    }
    // The index of all benchmarks stays when some run again.
    dir.run("run jcm-figure-1 --profile smoke").code(0).says("site/chosen.html");
    check_all(&dir, "out");
    let again = crate::site::pages(&dir, "out");
    assert!(again["index.html"] == pages["index.html"] && words(&again["chosen.html"]).contains("JCM"));
    let trials = pages.keys().filter(|name| name.starts_with("trial-")).count();
    assert!(trials >= 4, "lowest and highest scores of two benchmarks: {:?}", pages.keys());
    let svg = Html::parse_document(&pages["jcm-figure-1.html"]);
    let texts = select(&svg, "figure svg text").len();
    assert!(texts > 20, "the text of a figure can be selected");
}

/// Markup and links where people write names.
const INJECTED: &str = "<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)> & \\\"'";

#[test]
fn injected_markup_stays_text() {
    let dir = Dir::new();
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 2);
    text = text.replace("title = \"Mocks\"", &format!("title = \"{INJECTED}\"\nnotes = \"{INJECTED}\""));
    text = text.replace("heading = \"Data\"", &format!("heading = \"{INJECTED}\""));
    text = text.replace("heading = \"answer 1\"", &format!("heading = \"{INJECTED}\""));
    text = text.replace("heading = \"CRPS\"", &format!("heading = \"{INJECTED}\""));
    text += &format!(
        "[[figures]]\nkind = \"calibration\"\nfile = \"drawn\"\ntitle = \"{INJECTED}\"\n\
         panels = [{{ title = \"{INJECTED}\", labels = {{ mock = \"answer 0\" }} }}]\n\
         [[claims]]\nid = \"claim\"\ntext = \"{INJECTED}\"\nreading = \"{INJECTED}\"\n\
         statement = {{ kind = \"lower\", terms = [{{ metric = \"crps\" }}], quantifier = \"all\" }}\n\
         [contrast]\nlabel = \"mock\"\ntest = \"answer 0\"\nreference = \"answer 1\"\n"
    );
    dir.write("mocks.toml", &text);
    dir.run("run mocks.toml").code(0);
    check_all(&dir, "out");
    for (name, text) in
        pages(&dir, "out").iter().filter(|(name, _)| ["index.html", "mocks.html"].contains(&name.as_str()))
    {
        let page = Html::parse_document(text);
        let count = |selector: &str| select(&page, selector).len();
        assert_eq!([count("img"), count("[onerror]"), count("script")], [0, 0, 1], "{name}");
        assert!(words(text).contains("<script>alert(1)</script>"), "{name}: the words are shown");
    }
}

/// What Table 1 prints for the two columns of [`judged`].
const PRINTED: [f64; 2] = [0.59, 0.54];

/// A benchmark of two mocks on the printed numbers of another one, with as many repetitions as are judged.
fn judged() -> String {
    let mut text = mocks::benchmark(&mocks::answering(2, 0), 12);
    text = text.replace("paper = \"none\"", "paper = \"dtb\"\npublished = \"dtb-table-1\"");
    text = text.replace("heading = \"Data\"", "printed = \"california\", heading = \"Data\"");
    for (tag, method) in ["dt", "uniform"].iter().enumerate() {
        let labels = format!("labels = {{ method = \"{method}\", trees = \"weak\", uq_set = \"separate\" }}");
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

/// Sets all stored scores of each trial; `of` returns it for the tag of a mock and the number of a split.
fn alter(dir: &Dir, of: impl Fn(u64, u64) -> f64) {
    for (name, bytes) in files(&dir.path("store/trials")) {
        let Some(folder) = name.strip_suffix("/result.json") else { continue };
        let result: Value = serde_json::from_slice(open_seal(&bytes).unwrap()).unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        let loss = of(number(&result["spec"]["parameters"]["tag"]), number(&result["spec"]["split"]));
        let path = dir.path("store/scores").join(format!("{folder}.json"));
        // A trial without predictions has no scores.
        let Ok(bytes) = fs::read(&path) else { continue };
        let mut cached: Value = serde_json::from_slice(open_seal(&bytes).unwrap()).unwrap();
        let scores = cached["scores"].as_object_mut().unwrap().values_mut();
        for of_reading in scores.filter_map(Value::as_object_mut) {
            assert!(!of_reading.is_empty());
            of_reading.values_mut().for_each(|score| *score = json!(loss));
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
        alter(&dir, of);
        dir.run("report mocks.toml --profile full").code(0);
        let pages = pages(&dir, "out");
        (words(&pages["index.html"]), pages["mocks.html"].clone())
    };
    let (index, page) =
        read(&|tag, split| if tag == 0 { PRINTED[0] + noise(split) } else { PRINTED[1] + noise(2 * split) });
    let claim = |page: &str| {
        let page = Html::parse_document(page);
        select(&page, "#claim-lower td .chip")[0].text().collect::<String>()
    };
    let chips = |page: &str, verdict: &str| {
        let page = Html::parse_document(page);
        select(&page, &format!("tr[data-verdict={verdict}]")).len()
    };
    assert!(index.contains("2 of 2"), "both numbers are reproduced: {index}");
    assert!(index.contains("answer 0 is worse than answer 1 on Data"), "{index}");
    assert!(index.contains("✓ 0 holds ▼ 1 fails ? 0 undecided"), "{index}");
    assert_eq!((chips(&page, "reproduced"), chips(&page, "better")), (2, 0));
    assert_eq!(claim(&page).trim(), "▼ fails");
    // The first column becomes far better than printed.
    let (index, page) = read(&|tag, split| if tag == 0 { 0.1 + noise(split) } else { PRINTED[1] + noise(2 * split) });
    assert!(index.contains("1 of 2") && !index.contains("2 of 2"), "{index}");
    assert!(index.contains("answer 0 is better than answer 1 on Data"), "{index}");
    assert!(!index.contains("is worse than") && index.contains("✓ 1 holds ▼ 0 fails"), "{index}");
    assert_eq!((chips(&page, "reproduced"), chips(&page, "better")), (1, 1));
    assert_eq!(claim(&page).trim(), "✓ holds");
    // Without a difference no column wins.
    let (index, _) = read(&|_, split| PRINTED[1] + noise(split));
    assert!(!index.contains("is better than") && !index.contains("is worse than"), "{index}");
}

#[test]
fn a_trial_is_shown_with_the_command_that_runs_it_again() {
    let dir = Dir::new();
    dir.run("run dtb-figure-2 --profile smoke").code(0);
    let key =
        dir.kept("store").keys().find_map(|name| Some(name.split_once('/')?.1.split('/').next()?.to_owned())).unwrap();
    let shown = dir.run(&format!("show {} --store store --out shown", &key[..10])).code(0);
    for part in ["uqbench run dtb-figure-2 --profile full", "Seed of the method", "Scores", "SHA-256"] {
        assert!(shown.out.contains(part), "{part}: {}", shown.out);
    }
    check_all(&dir, "shown");
    dir.run("show zz --store store").code(2).says("no finished trial of store has a key that starts with `zz`");
}

/// The rows of the list of trials on a page: why each is there, and where its link leads.
fn listed(page: &str) -> Vec<(String, String)> {
    let page = Html::parse_document(page);
    let rows = select(&page, "tr").into_iter().filter(|row| row.html().contains("href=\"trial-"));
    let read = |row: ElementRef| {
        let cells: Vec<ElementRef> = row.child_elements().collect();
        let link = cells[0].child_elements().next().unwrap().attr("href").unwrap();
        (cells[1].text().collect(), link.to_owned())
    };
    rows.map(read).collect()
}

#[test]
fn the_trials_with_extreme_and_median_scores_and_those_without_predictions_have_a_page() {
    let dir = Dir::new();
    let mocks = [mocks::answering(1, 0), vec![mocks::one("unsupported")]].concat();
    dir.write("mocks.toml", &mocks::benchmark(&mocks, 5));
    dir.run("run mocks.toml --profile full").code(0);
    alter(&dir, |_, split| [3.0, 9.0, 1.0, 7.0, 5.0][split as usize]);
    dir.run("report mocks.toml --profile full").code(0);
    check_all(&dir, "out");
    let pages = pages(&dir, "out");
    let listed = listed(&pages["mocks.html"]);
    let why: Vec<&str> = listed.iter().map(|(why, _)| why.as_str()).collect();
    assert_eq!(why, ["lowest score", "median score", "highest score", "no predictions: unsupported"]);
    let repetitions = [2, 4, 1];
    for ((_, link), repetition) in listed.iter().zip(repetitions) {
        let page = words(&pages[link]);
        assert!(page.contains(&format!("repetition {repetition}.")), "{link}: {page}");
        assert!(page.contains("uqbench run") && pages[link].contains("<svg"), "{link}: {page}");
    }
    let refused = words(&pages[&listed[3].1]);
    assert!(refused.contains("It returned no predictions"), "{refused}");
}

#[test]
fn comparisons_and_tries_have_a_page() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 --profile smoke --datasets california --splits 3").code(0);
    dir.run("compare --profile smoke --benchmarks dtb-table-1 --out out").code(0);
    check("comparison", &pages(&dir, "out")["comparison.html"]);
    dir.run("data export boston boston.csv").code(0);
    dir.run("try boston.csv --target MEDV --methods linear-gaussian --figures tried").code(0);
    check_all(&dir, "tried");
}
