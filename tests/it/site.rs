//! Check the pages of the site: that each is whole and asks for nothing, that every link leads
//! somewhere, and that what they say follows the stored scores.

mod injected;

use std::fs;

use scraper::{ElementRef, Html};
use uqbench_report::words::trial::{ATTEMPTED, ERROR_ALONE, NAMES_OF_FILES};
use uqbench_run::runner::record::seal;

use super::command::{Dir, attempts};
use super::findings::alter;
use super::mocks;
use super::pages::{check_all, command_of, pages, select, words};
use super::totals::judged_numbers_have_one_total;
use super::wording::{element, elements, line};

#[test]
fn every_page_is_whole_and_every_link_leads_somewhere() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 jcm-figure-1 --profile smoke").code(0).says("site/index.html");
    check_all(&dir.path("out"));
    // Pages of benchmarks that have not run are pages, too.
    dir.run("report --profile smoke").code(3);
    let pages = pages(&dir.path("out"));
    assert!(pages.len() > 35, "{:?}", pages.keys());
    check_all(&dir.path("out"));
    let index = words(&pages["index.html"]);
    for paper in ["DTB", "JCM", "NSGP", "Wiener", "GPLVM"] {
        assert!(index.contains(paper), "{paper}: {index}");
    }
    let questions = ["p.sure strong", "p.missing strong", "section.findings h2"]
        .map(|question| elements(&pages["index.html"], question));
    assert!(questions.iter().all(|found| !found.is_empty()), "{questions:?}");
    insta::assert_snapshot!(questions.concat().join("\n"), @"
    How sure?
    What has not run?
    Findings of this machine's run
    ");
    // The index of all benchmarks stays when some run again.
    dir.run("run jcm-figure-1 --profile smoke").code(0).says("site/chosen.html");
    check_all(&dir.path("out"));
    let again = crate::pages::pages(&dir.path("out"));
    assert!(
        again["index.html"] == pages["index.html"] && words(&again["chosen.html"]).contains("JCM")
    );
    let trials = pages.keys().filter(|name| name.starts_with("trial-")).count();
    assert!(trials >= 4, "lowest and highest scores of two benchmarks: {:?}", pages.keys());
    // A square of the map says as much as the row that it leads to, and rows of variants can be
    // hidden.
    let map = Html::parse_document(&pages["index.html"]);
    let squares = select(&map, "a.square[href^='dtb-table-1.html#n']");
    let told = squares[0].attr("title").unwrap();
    assert!(
        [", h = ", ", δ = ", "n = ", "|m − v| = "].iter().all(|part| told.contains(part)),
        "{told}"
    );
    let found = squares[0].attr("data-words").unwrap();
    assert!(
        ["california", "DTB", "Table 1"].iter().all(|word| found.contains(word)),
        "the filter finds it: {found}"
    );
    assert!(select(&map, "a.square:not([data-words])").is_empty());
    let table = Html::parse_document(&pages["dtb-table-1.html"]);
    assert!(
        pages
            .values()
            .any(|page| page.contains(" data-variants") || page.contains(" data-variant="))
    );
    assert!(
        !select(&table, "td a[href^='glossary.html#metric-']").is_empty(),
        "a metric leads to the glossary"
    );
    let errata = Html::parse_document(&pages["errata-dtb.html"]);
    let severities: Vec<String> = select(&errata, ".erratum .note strong:first-of-type")
        .iter()
        .map(|word| word.text().collect())
        .filter(|word| ["high", "medium", "low"].contains(&String::as_str(word)))
        .collect();
    let order = |word: &String| ["high", "medium", "low"].iter().position(|known| known == word);
    assert!(severities.len() == 27 && severities.is_sorted_by_key(order), "{severities:?}");
    let svg = Html::parse_document(&pages["jcm-figure-1.html"]);
    let texts = select(&svg, "figure svg text").len();
    assert!(texts > 20, "the text of a figure can be selected");
    let defined = select(&table, "th a.define[href='glossary.html#mark-h']").len();
    assert!(defined > 0, "a letter of verdicts leads to the glossary");
    judged_numbers_have_one_total(&pages);
    numbers_lead_to_the_errata_that_name_them(&pages["jcm-table-2.html"]);
    for (name, page) in &pages {
        legends_filter_what_a_page_has(name, page);
    }
    rows_of_a_variant_of_a_dataset_can_be_hidden(&pages["jcm-figure-1.html"]);
    errata_are_listed_by_how_much_they_matter(&dir, &pages["jcm-table-2.html"]);
}

/// Each entry of a legend names a verdict or a judgement, which a square, a cell or a row of the
/// page has.
fn legends_filter_what_a_page_has(name: &str, page: &str) {
    let page = Html::parse_document(page);
    for item in select(&page, ".legend li") {
        let tags = ["data-verdict", "data-claim"].map(|tag| Some((tag, item.attr(tag)?)));
        let (tag, own) =
            tags.into_iter().flatten().next().unwrap_or_else(|| panic!("{name}: {}", item.html()));
        let named = select(
            &page,
            &format!("tr[{tag}='{own}'], td.cell[{tag}='{own}'], a.square[{tag}='{own}']"),
        );
        assert!(!named.is_empty(), "{name}: {}", item.html());
    }
    assert!(
        select(&page, "#claims table:not(.sortable), #claims tbody tr:not([data-claim])")
            .is_empty(),
        "{name}"
    );
}

/// The dataset `even` is a variant of `sparse`: the switch of variants hides its rows in every
/// table.
fn rows_of_a_variant_of_a_dataset_can_be_hidden(page: &str) {
    let page = Html::parse_document(page);
    let is_tagged = |name: &str| {
        let is_named = |row: &&ElementRef| {
            row.child_elements().next().is_some_and(|cell| cell.inner_html() == name)
        };
        let tagged = |row: ElementRef| row.attr("data-variant").is_some();
        select(&page, "main tbody tr")
            .iter()
            .filter(is_named)
            .map(|row| tagged(*row))
            .collect::<Vec<_>>()
    };
    let (variant, other) = (is_tagged("even"), is_tagged("heteroscedastic"));
    assert!(!variant.is_empty() && variant.iter().all(|tagged| *tagged), "{variant:?}");
    assert!(other.contains(&false), "{other:?}");
}

/// The site and the Markdown page list the errata about a table in one order.
fn errata_are_listed_by_how_much_they_matter(dir: &Dir, page: &str) {
    let markdown = fs::read_to_string(dir.path("out/jcm-table-2.md")).unwrap();
    let line = markdown.lines().find(|line| line.starts_with("Errata about it, ")).unwrap();
    let numbers = |text: &str| -> Vec<u32> {
        let after = text.split("#jcm-").skip(1);
        after
            .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
            .collect()
    };
    let page = Html::parse_document(page);
    let (of_site, of_markdown) = (numbers(&select(&page, "#errata")[0].html()), numbers(line));
    assert!(of_site.len() > 5 && of_site == of_markdown, "{of_site:?} {of_markdown:?}");
}

/// A cell leads to the row of its verdict, and this row to the errata: to those that name its
/// dataset and column, or to the list of those about the table.
fn numbers_lead_to_the_errata_that_name_them(page: &str) {
    let page = Html::parse_document(page);
    let of = |dataset: &str, column: &str| {
        let is_meant = |row: &&ElementRef| {
            let cells: Vec<String> =
                row.child_elements().take(2).map(|cell| cell.text().collect()).collect();
            cells == [dataset, column]
        };
        let rows = select(&page, "tr[id^='n']");
        let row = rows.iter().find(is_meant).unwrap_or_else(|| panic!("{dataset}, {column}"));
        let place = format!("td.cell a[href='#{}']", row.attr("id").unwrap());
        assert_eq!(select(&page, &place).len(), 1, "{dataset}, {column}: a cell leads to the row");
        let why = row.child_elements().last().unwrap();
        let links = why.descendent_elements().filter_map(|one| one.attr("href"));
        links.filter(|link| link.contains("errata")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("Boston", "JCM"), ["errata-jcm.html#jcm-26"]);
    assert_eq!(of("Boston", "SGP"), ["errata-jcm.html#jcm-25"]);
    assert_eq!(of("Boston", "NN-Ens"), ["#errata"]);
    // What the benchmark file cites is a link, too.
    let cited = select(&page, "#claim-jcm-red-wine a[href='errata-jcm.html#jcm-24']");
    assert_eq!(
        cited.iter().map(|link| link.text().collect::<String>()).collect::<Vec<_>>(),
        ["24"]
    );
}

/// The keys of the trials that a table lists with this text, in the order of their repetitions.
fn keys(dir: &Dir, text: &str) -> Vec<String> {
    let table = fs::read_to_string(dir.path("out/mocks-trials.csv")).unwrap();
    let lines = table.lines().filter(|line| line.contains(text));
    lines.map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

#[test]
fn claims_and_numbers_without_a_printed_one_lead_to_their_first_trial() {
    let dir = Dir::new();
    let claim = "[[claims]]\nid = \"claim\"\ntext = \"T\"\nreading = \"R\"\n\
                 statement = { kind = \"lower\", terms = [{ metric = \"crps\" }], quantifier = \
                 \"all\" }\n\
                 [contrast]\nlabel = \"mock\"\ntest = \"answer 0\"\nreference = \"answer 1\"\n";
    dir.write("mocks.toml", &(mocks::benchmark(&mocks::answering(2, 0), 5) + claim));
    dir.run("run mocks.toml --profile full").code(0);
    check_all(&dir.path("out"));
    let pages = pages(&dir.path("out"));
    let page = Html::parse_document(&pages["mocks.html"]);
    let count = |selector: String| select(&page, &selector).len();
    for column in [",answer 0,", ",answer 1,"] {
        let key = &keys(&dir, column)[0][..16];
        let links = count(format!("td.n a[href='trial-{key}.html'][title*=' 5 ']"));
        let named = count(format!("td.n[title*='uqbench show {key} '][title*=' 5 ']"));
        let has_page = pages.contains_key(&format!("trial-{key}.html"));
        assert_eq!(
            (links, named),
            if has_page { (2, 0) } else { (0, 2) },
            "a cell for each metric: {column}"
        );
    }
    assert_eq!(
        count("table[data-trials='mocks-trials.csv']".into()),
        2,
        "the script says where all trials are"
    );
    let to_trial = "#claim-claim td.words a[href^='trial-'], #claim-claim td.words code";
    assert_eq!(count(to_trial.into()), 1, "a claim leads to its first trial");
}

#[test]
fn the_command_of_a_trial_names_the_users_file_and_what_was_chosen() {
    let dir = Dir::new();
    fs::create_dir(dir.path("my")).unwrap();
    dir.write("my/mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 2));
    dir.run("run my/mocks.toml --profile smoke --splits 4").code(0);
    let pages = pages(&dir.path("out"));
    let trials: Vec<_> = pages.iter().filter(|(name, _)| name.starts_with("trial-")).collect();
    assert_eq!(trials.len(), 3, "lowest, median and highest score");
    for (name, page) in &trials {
        let key = name.trim_start_matches("trial-").trim_end_matches(".html");
        let expected = format!(
            "uqbench run my/mocks.toml --profile smoke --splits 4 --trial {key} --store again"
        );
        assert_eq!(command_of(page).join(" "), expected);
        assert!(words(page).contains(NAMES_OF_FILES), "{name}");
    }
    // It runs the trial.
    let command = command_of(trials[0].1)[1..].join(" ");
    assert_eq!(dir.run(&format!("{command} --out unused")).code(0).counts(), [1, 1, 0, 1]);
    let (all, again) = (dir.kept("store"), dir.kept("again"));
    assert!(!again.is_empty() && again.iter().all(|(path, bytes)| all[path] == *bytes));
    // No profile has the last repetition.
    let last = &keys(&dir, ",answer 0,")[3];
    let show = |words: &str| {
        dir.run(&format!("show {last} {words} --store store --out shown")).code(0).out
    };
    let stated = format!(
        "uqbench run my/mocks.toml --profile full --datasets motorcycle-94 --splits 4 --trial {} \
         --store again",
        &last[..16]
    );
    let shown = show("my/mocks.toml");
    assert!(shown.contains(&stated), "{stated}: {shown}");
    let unknown = show("");
    assert!(!unknown.contains("uqbench run"), "{unknown}");
    insta::assert_snapshot!(line(&unknown, &["uqbench show KEY FILE"]), @"No benchmark that was searched plans this trial, so the command that runs it again is not known. Its benchmark is another version, or a file of yours, or it is of a method that was added to one: name these by uqbench show KEY FILE --with COMMAND.");
}

#[test]
fn a_trial_is_shown_with_the_command_that_runs_it_again() {
    let dir = Dir::new();
    dir.run("run dtb-figure-2 --profile smoke").code(0);
    let key = dir
        .kept("store")
        .keys()
        .find_map(|name| Some(name.split_once('/')?.1.split('/').next()?.to_owned()))
        .unwrap();
    let shown = dir.run(&format!("show {} --store store --out shown", &key[..10])).code(0);
    for part in
        ["uqbench run dtb-figure-2 --profile full", "Seed of the method", "Scores", "SHA-256"]
    {
        assert!(shown.out.contains(part), "{part}: {}", shown.out);
    }
    let is_hash = |word: &str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    let mut hashes = shown.out.lines().filter(|line| line.contains("SHA-256"));
    assert!(hashes.any(|line| line.split_whitespace().any(is_hash)), "{}", shown.out);
    check_all(&dir.path("shown"));
    explains(pages(&dir.path("shown")).values().next().unwrap(), &["metric-crps", "mark-none"]);
    dir.run("show zz --store store")
        .code(2)
        .says("no finished trial of store has a key that starts with `zz`");
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
    let mocks =
        [mocks::answering(1, 0), vec![mocks::one("unsupported"), mocks::one("panic")]].concat();
    dir.write("mocks.toml", &mocks::benchmark(&mocks, 5));
    dir.run("run mocks.toml --profile full").code(3);
    alter(&dir, |of| [3.0, 9.0, 1.0, 7.0, 5.0][of.split as usize]);
    dir.run("report mocks.toml --profile full").code(3);
    check_all(&dir.path("out"));
    let pages = pages(&dir.path("out"));
    let listed = listed(&pages["mocks.html"]);
    let why: Vec<&str> = listed.iter().map(|(why, _)| why.as_str()).collect();
    assert_eq!(
        why[..4],
        ["lowest score", "median score", "highest score", "no predictions: unsupported"]
    );
    assert_eq!(why[4..8], ["no predictions: unsupported"; 4], "each of them has a page");
    assert!(why.len() == 13 && why[8..].iter().all(|why| why.starts_with("crashed: ")), "{why:?}");
    let repetitions = [2, 4, 1];
    for ((_, link), repetition) in listed.iter().zip(repetitions) {
        let page = words(&pages[link]);
        assert!(page.contains(&format!("repetition {repetition}.")), "{link}: {page}");
        assert!(page.contains("uqbench run") && pages[link].contains("<svg"), "{link}: {page}");
    }
    insta::assert_snapshot!(element(&pages[&listed[3].1], "main p", &["(unsupported)"]), @"It returned no predictions (unsupported): the mock refuses as told");
    // Of one that did not finish the store has the error in place of scores.
    let (link, panicked) = (&listed[8].1, words(&pages[&listed[8].1]));
    for part in [
        "repetition 0.",
        "crashed: panicked",
        "uqbench run mocks.toml",
        "SHA-256",
        "Root seed",
        ATTEMPTED,
        "Host",
        "Wall time",
        "at least ",
    ] {
        assert!(panicked.contains(part), "{part}: {panicked}");
    }
    assert!(!panicked.contains("Scores") && !pages[link].contains("<svg"), "{panicked}");
    let key = link.trim_start_matches("trial-").trim_end_matches(".html");
    let show = || {
        dir.run(&format!("show {} mocks.toml --store store --out shown", &key[..12])).code(0).out
    };
    let shown = show();
    for part in ["crashed: panicked", "uqbench run mocks.toml", ATTEMPTED, "Wall time"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    insta::assert_snapshot!(line(&shown, &["crashed: panicked"]), @"It did not finish. The error of its last attempt in full: crashed: panicked: the mock panics as told (crates/methods/src/mock.rs:109)");
    check_all(&dir.path("shown"));
    // Older programs stored the failure alone.
    let attempts = attempts(&dir.path("store"));
    let (whole, attempt) = attempts.iter().find(|(whole, _)| whole.starts_with(key)).unwrap();
    let started = attempt.run.as_ref().unwrap().started.to_string();
    assert!(panicked.contains(&started) && shown.contains(&started), "{started}: {shown}");
    fs::write(dir.path(&format!("store/failures/{whole}.json")), seal(&attempt.failure).unwrap())
        .unwrap();
    let older = show();
    assert!(older.contains("crashed: panicked") && older.contains(ERROR_ALONE), "{older}");
    assert!(!older.contains("Wall time"), "{older}");
    let again = command_of(&pages[link])[1..].join(" ");
    dir.run(&format!("{again} --out unused")).code(3).prints("1 crashed");
}

#[test]
fn many_trials_without_predictions_have_a_bounded_number_of_pages() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&[mocks::one("unsupported")], 103));
    dir.run("run mocks.toml --profile full");
    check_all(&dir.path("out"));
    let pages = pages(&dir.path("out"));
    let of_trials = pages.keys().filter(|name| name.starts_with("trial-")).count();
    assert_eq!((listed(&pages["mocks.html"]).len(), of_trials), (100, 100));
    let further = element(&pages["mocks.html"], "main p", &[" 3 ", "mocks-trials.csv"]);
    insta::assert_snapshot!(further, @"Of each dataset the trials with the lowest, the median and the highest score, and every trial that ran without predictions. The command uqbench show KEY makes the page of any other stored trial. 3 further trials without predictions are in mocks-trials.csv.");
}

#[test]
fn comparisons_and_tries_have_a_page() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 --profile smoke --datasets california --splits 3").code(0);
    // Beside a report its index stays.
    let index = pages(&dir.path("out"))["index.html"].clone();
    dir.run("compare --profile smoke --benchmarks dtb-table-1 --out out").code(0);
    check_all(&dir.path("out"));
    assert!(pages(&dir.path("out"))["index.html"] == index, "the index of the report has changed");
    dir.run("compare --profile smoke --benchmarks dtb-table-1 --out out/compared").code(0);
    check_all(&dir.path("out/compared"));
    let compared = pages(&dir.path("out/compared"));
    assert!(
        compared["index.html"] == compared["comparison.html"],
        "the comparison is not the first page of its folder"
    );
    let comparison = &compared["comparison.html"];
    explains(
        comparison,
        &["metric-crps", "metric-rmse", "column-gain", "column-decision", "mark-none"],
    );
    dir.run("data export boston boston.csv").code(0);
    dir.run("try --verbose boston.csv --target MEDV --methods linear-gaussian --figures tried")
        .code(0);
    check_all(&dir.path("tried"));
    let tried = pages(&dir.path("tried"));
    assert!(
        tried["index.html"] == tried["own-tables.html"],
        "the list is not the first page of its folder"
    );
    explains(
        tried.values().next().unwrap(),
        &["metric-crps", "metric-rmse", "metric-picp", "column-judged"],
    );
}

/// A page that stands alone has the meaning of the words to which it leads, and leads to each that
/// starts with one of these.
fn explains(page: &str, words: &[&str]) {
    let page = Html::parse_document(page);
    for word in words {
        assert!(
            !select(&page, &format!("details#words dt[id^='{word}']")).is_empty(),
            "{word} is not explained"
        );
        assert!(
            !select(&page, &format!("a[href^='#{word}']")).is_empty(),
            "nothing leads to {word}"
        );
    }
}
