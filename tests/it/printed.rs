//! Check how printed columns without a method are shown.

use std::fs;

use super::command::Dir;
use super::mocks;

/// Mocks in the place of two printed columns of a shipped table.
fn table(printed_columns: &str, rest: &str) -> String {
    let labels = |method: &str| format!("{{ method = \"{method}\", trees = \"weak\", uq_set = \"separate\" }}");
    let mut text = mocks::benchmark(&mocks::answering(1, 0), 2);
    text = text.replace("heading = \"Data\"", "printed = \"california\", heading = \"Data\"");
    text = text.replace("id = \"rmse\", heading", "id = \"rmse\", published = \"overall_mse\", heading");
    text = text.replace("{ mock = \"answer 0\" }", &labels("dt"));
    text = text.replace("[[methods]]", &format!("published = \"dtb-table-1\"\n{printed_columns}\n[[methods]]"));
    (text + rest).replace("UNIFORM", &labels("uniform")).replace("DT", &labels("dt"))
}

const COLUMN: &str = "printed_columns = [{ heading = \"Uniform\", labels = UNIFORM }]";

/// The page with each run of blanks made one.
fn page(dir: &Dir) -> String {
    let page = fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    page.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn line<'a>(page: &'a str, start: &str) -> &'a str {
    page.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no line starts with {start}: {page}"))
}

#[test]
fn a_column_without_a_method_shows_its_printed_number_and_is_not_run() {
    let dir = Dir::new();
    let claim = "[[claims]]\nid = \"better\"\ntext = \"Better.\"\nstatement = { kind = \"better\", metric = \"rmse\", test = \
                 UNIFORM, references = [DT], quantifier = \"all\" }\n";
    dir.write("mocks.toml", &table(COLUMN, claim));
    dir.run("run mocks.toml").code(0);
    let page = page(&dir);
    assert!(line(&page, "| Dataset | Uniform ").contains("| answer 0 "), "printed columns come first: {page}");
    let row = line(&page, "| Data ");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[2], "– (0.54)");
    assert!(cells[3].ends_with("(0.59)") && cells[3].contains('±'), "{row}");
    assert!(page.contains("alone where the method does not exist here yet"), "{page}");
    // The other metric has no printed numbers, so no such column either.
    assert!(!page.split("CRPS").nth(1).unwrap().lines().nth(2).unwrap().contains("Uniform"), "{page}");
    let verdict = page.lines().find(|line| line.contains("| Uniform ") && line.contains("no method yet")).unwrap();
    assert!(verdict.contains("| 0.54 ") && verdict.contains("not run (no method yet)"), "{verdict}");
    // Printed 0.54 against 0.59; nothing to compare on our runs.
    assert!(page.contains("so far “undecided”: of 1 comparisons 0 significantly better"), "{page}");
    assert!(page.contains("printed numbers: **holds**") && page.contains("printed: 1 of 1 better, 0 tied"), "{page}");
    let csv = fs::read_to_string(dir.path("out/mocks.csv")).unwrap();
    let row = csv.lines().find(|line| line.contains("no method yet")).unwrap();
    assert!(row.starts_with("motorcycle-94,,") && row.contains(",rmse,0.54,"), "{row}");
}

#[test]
fn a_printed_number_can_be_excluded_without_a_method() {
    let dir = Dir::new();
    let excluded = "[[excluded]]\ndataset = \"california\"\nmetric = \"overall_mse\"\nlabels = UNIFORM\n\
                    verdict = \"implausible\"\nreason = \"Nothing comes near it.\"\n";
    dir.write("mocks.toml", &table(COLUMN, excluded));
    dir.run("run mocks.toml").code(0);
    let page = page(&dir);
    let verdict = page.lines().find(|line| line.contains("| Uniform ") && line.contains("| 0.54 ")).unwrap();
    assert!(verdict.contains("implausible"), "{verdict}");
}
