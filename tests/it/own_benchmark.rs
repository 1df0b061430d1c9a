//! Run a benchmark of one's own tables: written by `new`, keyed by the numbers of the file, and
//! without a paper.

use std::fs;

use rayon::ThreadPoolBuilder;
use scraper::{Html, Selector};
use uqbench::pages::pack::render_all;
use uqbench_report::words::summary::QUESTION;
use uqbench_run::benchmark::{Profile, find};
use uqbench_run::runner::plan::{Filter, plan};
use uqbench_run::runner::store::Store;

use super::command::Dir;
use super::pages::{check_all, pages, select, words};
use super::wording::{element, line, paragraph, shape};

/// 80 rows of two features, of which the second one is a category, as `my.csv`.
fn table(dir: &Dir) -> String {
    let line =
        |i: usize| format!("{},{},{}\n", i * 37 % 80, ["a", "b"][i % 2], i * 37 % 80 + i % 7);
    let text = format!("x,colour,price\n{}", (0..80).map(line).collect::<String>());
    dir.write("my.csv", &text);
    text
}

/// A small benchmark of `my.csv`, with this text in its dataset.
fn small(dir: &Dir, dataset: &str) {
    dir.write(
        "small.toml",
        &format!(
            "id = \"small\"\ntitle = \"Small\"\nprotocol = {{ k-fold = {{ folds = 4 }} \
             }}\n[[datasets]]\n{dataset}\n[[methods]]\n\
             id = \"linear-gaussian\"\ncolumns = [{{ heading = \"Linear\" }}]\n[[metrics]]\nid = \
             \"crps\"\nheading = \"CRPS\"\n"
        ),
    );
}

/// The index in Markdown of a benchmark whose trials are in the folder's store.
fn index_in_markdown(dir: &Dir, benchmark: &str) -> String {
    let benchmark = find(dir.path(benchmark).to_str().unwrap()).unwrap();
    let plans = plan(&[benchmark], Profile::Smoke, &Filter::default()).unwrap();
    let store = Store::open_existing(dir.path("store")).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let all = render_all(&plans, &store, &pool).unwrap();
    assert!(all.iter().all(|document| !document.name.starts_with("errata")));
    String::from_utf8(
        all.iter().find(|document| document.name == "index.md").unwrap().bytes.clone(),
    )
    .unwrap()
}

/// The rows below the head of a table.
fn row_of_body() -> Selector {
    Selector::parse("tbody tr").unwrap()
}

const MINE: &str = "key = \"mine\"\nheading = \"Mine\"\nfile = \"my.csv\"\ntarget = \"price\"";

#[test]
fn a_new_benchmark_runs_and_its_page_speaks_of_no_paper() {
    let dir = Dir::new();
    table(&dir);
    dir.run("new houses.toml --table my.csv --target price")
        .code(0)
        .prints("uqbench run houses.toml");
    let text = fs::read_to_string(dir.path("houses.toml")).unwrap();
    assert!(
        text.contains("file = \"my.csv\"")
            && text.contains("target = \"price\"")
            && text.contains("key = \"houses\"")
    );
    let ended = dir.run("run houses.toml --profile smoke").code(0);
    assert!(ended.counts().ends_with(&[7, 7, 0, 7]), "{}", ended.last());
    let page = fs::read_to_string(dir.path("out/houses.md")).unwrap();
    for part in
        ["# Methods on price of my.csv\n", "| Boosted quantiles |", "houses-calibration.svg"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    insta::assert_snapshot!(paragraph(&page, &["Profile smoke"]), @"Profile smoke; 7 of 7 trials; protocol of the benchmark file.");
    assert!(!page.to_lowercase().contains("paper"), "{page}");
    // So do the site's pages.
    let site = pages(&dir.path("out"));
    assert!(site.keys().all(|name| !name.starts_with("errata")), "{:?}", site.keys());
    for name in ["index.html", "houses.html", "glossary.html"] {
        let words = words(&site[name]).to_lowercase();
        for word in
            ["paper", "published", "errata", "printed number", "alternatives", "test results"]
        {
            assert!(!words.contains(word), "{name} says {word}: {words}");
        }
        let page = Html::parse_document(&site[name]);
        assert!(
            select(&page, "table")
                .iter()
                .all(|table| table.select(&row_of_body()).next().is_some()),
            "{name}"
        );
    }
    assert_eq!(element(&site["index.html"], "h1", &[]), QUESTION);
    check_all(&dir.path("out"));
    let index = index_in_markdown(&dir, "houses.toml");
    assert!(
        index.starts_with(&format!("# {QUESTION}\n")) && index.contains("| [houses](houses.md) |"),
        "{index}"
    );
    for word in ["paper", "printed", "errata", "judged"] {
        assert!(!index.to_lowercase().contains(word), "the index says {word}: {index}");
    }
    let is_rule = |line: &&str| line.starts_with("| -");
    let lines: Vec<&str> = index.lines().collect();
    let empty = lines.windows(2).filter(|two| is_rule(&two[0]) && !two[1].starts_with('|')).count();
    assert!(lines.iter().any(is_rule) && empty == 0, "{index}");
    // The file is kept.
    dir.run("new houses.toml")
        .code(1)
        .says("houses.toml is there already, and is not replaced: choose another name");
    assert_eq!(fs::read_to_string(dir.path("houses.toml")).unwrap(), text);
    dir.run("new nowhere/houses.toml").code(1).says("cannot be written");
    dir.run("new houses.txt").code(2).says("must end in .toml");
    dir.run("new other.toml --table my.csv --target prise").code(2).says("did you mean `price`?");
    assert!(!dir.path("other.toml").exists());
}

#[test]
fn file_and_target_are_enough_for_a_dataset() {
    let dir = Dir::new();
    table(&dir);
    small(&dir, "file = \"my.csv\"\ntarget = \"price\"");
    dir.run("run small.toml --profile smoke --datasets my").code(0);
    assert!(fs::read_to_string(dir.path("out/small.md")).unwrap().contains("| my "));
}

#[test]
fn all_mistakes_of_a_file_and_its_tables_are_told_with_their_lines() {
    let dir = Dir::new();
    table(&dir);
    small(&dir, "file = \"my.csv\"\ntarget = \"prise\"");
    let text = fs::read_to_string(dir.path("small.toml")).unwrap();
    let text = text
        .replace("\"small\"", "\"Small\"")
        .replace("folds = 4", "folds = 1")
        .replace("\"crps\"", "\"crsp\"");
    dir.write(
        "small.toml",
        &text.replace("\"linear-gaussian\"", "\"linear-gaussian\"\nparameters = { slope = 1 }"),
    );
    let ended = dir
        .run("run small.toml --profile smoke")
        .code(1)
        .says("error: benchmark small.toml: 5 mistakes\n");
    let lines: Vec<&str> = ended.err.lines().filter(|line| line.starts_with("  line ")).collect();
    let starts = [
        "  line 1, `id`: `Small` becomes a file name",
        "  line 3, `protocol`: k-fold has 1 folds",
        "  line 6, `datasets`, entry 1 (`my.csv`), `target`: dataset `my`: `target`: ",
        "  line 9, `methods`, entry 1 (`linear-gaussian`), `parameters`: method \
         `linear-gaussian`: ",
        "  line 12, `metrics`, entry 1 (`crsp`), `id`: there is no metric `crsp`, did you mean \
         `crps`?",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(
        lines[2].contains("did you mean `price`?") && !ended.err.contains("--target"),
        "{lines:?}"
    );
}

#[test]
fn a_trial_is_named_by_the_numbers_of_the_table() {
    let dir = Dir::new();
    let text = table(&dir);
    small(&dir, MINE);
    // How many trials were reused, and how many ran.
    let run = || dir.run("run small.toml --profile full").code(0).counts().split_off(2);
    assert_eq!(run(), [0, 4]);
    assert_eq!(run(), [4, 0]);
    // Other separators, the same numbers.
    dir.write("my.csv", &text.replace(',', ";"));
    assert_eq!(run(), [4, 0]);
    dir.write("my.csv", &text.replacen("0,a,0", "0,a,1", 1));
    assert_eq!(run(), [0, 4]);
    // No command takes the trials of a table of one's own for outdated ones.
    assert_eq!(dir.run("store gc --store store").code(0).counts()[..2], [0, 8]);
    let packed = dir.run("store pack store my.pack small.toml --profile full").code(3);
    let left = line(&packed.out, &["small: ", "linear-gaussian", "mine"]);
    insta::assert_snapshot!(shape(left), @"left out: # trials: small: linear-gaussian on mine has other data, settings or files now");
    dir.run("report small.toml --from my.pack --profile full --out packed").code(0);
    assert!(fs::read_to_string(dir.path("packed/small.md")).unwrap().contains("| Mine "));
}

#[test]
fn all_wrong_files_are_named_before_anything_runs() {
    let dir = Dir::new();
    table(&dir);
    let ended = |dataset: &str| {
        small(&dir, dataset);
        dir.run("run small.toml --profile smoke")
    };
    let two = "key = \"a\"\nheading = \"A\"\nfile = \"nowhere.csv\"\ntarget = \
               \"y\"\n[[datasets]]\nkey = \"b\"\nheading = \"B\"\nfile = \"my.csv\"\ntarget = \
               \"prise\"";
    ended(two)
        .code(1)
        .says("dataset `a`: ")
        .says("nowhere.csv")
        .says("dataset `b`: ")
        .says("did you mean `price`?");
    assert!(!dir.path("store/trials").exists());
    for (from, to, says) in [
        ("target = \"price\"", "", "a `file` needs a `target`"),
        ("file = \"my.csv\"\n", "", "belong to a `file`, and it has none"),
        ("key = \"mine\"", "key = \"yacht\"", "uqbench has another dataset of this key"),
        ("target = \"price\"", "target = \"price\"\ndrop = [\"prize\"]", "prize"),
    ] {
        assert!(MINE.contains(from));
        ended(&MINE.replacen(from, to, 1)).code(1).says(says);
    }
}
