//! Check the use of validation rows and stored residuals for a table: the flag `none`, and the
//! audit of printed widths.

use super::command::{Dir, files};
use super::mocks;
use super::wording::{line, paragraph, shape};

/// Two anchors in the place of printed columns of JCM's Table 4: normal intervals, which cover
/// about their level, and those of a mixture of one component with a tiny floor, on a bundled
/// dataset.
fn table(validation: &str, reading: &str) -> String {
    let printed = [
        "kin8nm,mc-dropout,picp,none".to_owned(),
        "kin8nm,mc-dropout,mpiw,none".to_owned(),
        format!("kin8nm,{reading},picp,0.95,0.01"),
        format!("kin8nm,{reading},mpiw,0.09,0.00"),
    ];
    let printed = mocks::printed(&printed.each_ref().map(String::as_str));
    format!(
        "id = \"table\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"T\"\nprotocol_source \
         = \"printed\"\n\
         protocol = {{ holdout = {{ test = {{ fraction = 0.1 }} }} }}\n{printed}{validation}datasets = [{{ key = \"yacht\", printed = \"kin8nm\", \
         heading = \"Data\", scaling = \"train-rows\" }}]\n\
         metrics = [{{ id = \"picp(level=0.95)\", published = \"picp\", heading = \"PICP\" }},{{ \
         id = \"mpiw-range(level=0.95)\", published = \"mpiw\", heading = \"MPIW\" }}]\n\
         [[methods]]\nid = \"unconditional-gaussian\"\n\
         columns = [{{ heading = \"None\", labels = {{ method = \"mc-dropout\" }} }}]\n\
         [[methods]]\nid = \"gmm-regression\"\n\
         columns = [{{ heading = \"Mixture\", labels = {{ method = \"{reading}\" }} }}]\n\
         [[excluded]]\ndataset = \"kin8nm\"\nmetric = \"mpiw\"\nlabels = {{ method = \"{reading}\" \
         }}\n\
         verdict = \"implausible\"\nreason = \"Residuals would be odd.\"\n\
         [profiles.smoke]\nsplits = 2\n[profiles.quick]\nsplits = 2\n[profiles.full]\nsplits = 10\n"
    )
}

fn validation(tolerance: f64) -> String {
    format!("validation = {{ fraction = 0.1, level = 0.95, tolerance = {tolerance} }}\n")
}

/// The page with each run of blanks made one.
fn page(dir: &Dir) -> String {
    dir.page("out/table.md")
}

fn lines<'a>(page: &'a str, start: &str) -> Vec<&'a str> {
    page.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn a_flag_is_a_function_of_stored_validation_rows_and_changes_no_other_trial() {
    let dir = Dir::new();
    dir.write("table.toml", &table("", "jcm-ls"));
    let ended = dir.run("run table.toml --profile full").code(0);
    assert_eq!(ended.counts(), [20, 20, 0, 20]);
    let without = page(&dir);
    assert!(!without.contains('‡') && without.contains("printed as “none”"), "{without}");
    let before = files(&dir.path("store/trials"));

    // No mean coverage is exactly its level, so that all are flagged; and none where everything is
    // allowed.
    dir.write("table.toml", &table(&validation(0.0), "jcm-ls"));
    let ended = dir.run("run table.toml --profile full").code(0);
    assert_eq!(ended.counts(), [40, 40, 20, 20]);
    let after = files(&dir.path("store/trials"));
    assert!(
        before.iter().all(|(name, bytes)| after.get(name) == Some(bytes)),
        "stored trials stay"
    );
    let strict = page(&dir);
    let rows = lines(&strict, "| Data ");
    assert_eq!(rows[0].matches('‡').count(), 2, "{}", rows[0]);
    insta::assert_snapshot!(paragraph(&strict, &["‡ none: 10 % "]), @"Mean ± standard deviation over 10 repetitions; printed number in brackets; ‡ none: 10 % of the training rows are held out from a second fit, and its 95 % intervals cover on average less than 95 % or more than 95 % of them; test rows are not used.");
    let coverage = rows.iter().filter(|row| row.ends_with("| none |")).count();
    assert_eq!(coverage, 2, "{strict}");
    assert_eq!(
        strict.matches("| none in both |").count(),
        2,
        "PICP and MPIW of the column printed as none: {strict}"
    );

    dir.write("table.toml", &table(&validation(1.0), "jcm-ls"));
    let ended = dir.run("report table.toml --profile full").code(0);
    assert_eq!(ended.counts(), [40, 40, 40, 0]);
    let lax = page(&dir);
    assert_eq!(lax.matches("| none in the paper alone |").count(), 2, "{lax}");
    assert!(!lax.contains("‡ (") && !lax.lines().any(|line| line.ends_with("| none |")), "{lax}");
    dir.run("report table.toml --profile quick").code(0);
    assert!(!page(&dir).contains("none in the paper alone"), "two repetitions are too few");
}

#[test]
fn an_excluded_width_is_compared_with_the_best_predictor() {
    let dir = Dir::new();
    dir.write("table.toml", &table("", "jcm-ls"));
    dir.run("run table.toml --profile quick").code(0);
    let page = page(&dir);
    let section = page.split("## Printed numbers that are excluded").nth(1).unwrap();
    assert!(
        section.contains("- Data, jcm-ls, MPIW: 0.09, **implausible**\n - Residuals would be odd."),
        "{section}"
    );
    // Yacht's target is far from constant, so that the mixture predicts better than the mean does.
    let reach = line(section, &[" Mixture (RMSE ", " 95 % ", " 0."]);
    insta::assert_snapshot!(shape(reach), @"- around the best predictor in this store, Mixture (RMSE #.#), a constant interval of that width covers #.# of the test rows, and #.# if it is the widest that rounds to #.#; to cover # % it has to be #.# of the range wide. This is no proof: varying widths could cover more");

    dir.write(
        "table.toml",
        &table("", "jcm-ls").replace("metric = \"mpiw\"\nlabels", "metric = \"picp\"\nlabels"),
    );
    dir.run("report table.toml --profile quick").code(0);
    let page = self::page(&dir);
    assert!(
        page.contains("jcm-ls, PICP: 0.95, **implausible**") && !page.contains(" Mixture (RMSE "),
        "{page}"
    );
}

#[test]
fn a_search_without_settings_that_cover_is_none_and_is_not_validated_once_more() {
    let dir = Dir::new();
    // The mock predicts one point: no outcome lies inside its interval, whatever its tag.
    let mock = "[methods.parameters]\nmethod = { id = \"mock\" }\ngrid = { tag = [1, 2] }\nrefit = \
                false\n\
                score = { narrowest-covering = { level = 0.95, tolerance = 0.025 } }\n";
    let row = |label: &str, heading: &str| {
        format!(
            "[[methods]]\nid = \"validated\"\n\
             columns = [{{ heading = \"{heading}\", labels = {{ method = \"{label}\" }} }}]\n{mock}"
        )
    };
    let text = table(&validation(0.025), "jcm-ls");
    let other = ["kin8nm,quantile-forest,picp,none", "kin8nm,quantile-forest,mpiw,none"];
    let other = mocks::printed(&other);
    let text = text.replacen("published = [\n", other.trim_end_matches("]\n"), 1);
    let (head, rest) = text.split_once("[[methods]]").unwrap();
    let (_, tail) = rest.split_once("[[excluded]]").unwrap();
    let (_, profiles) = tail.split_once("[profiles.smoke]").unwrap();
    // In the place of a column printed as none, of one printed as a number, and a wide interval
    // that covers too much.
    let wide = "[[methods]]\nid = \"validated\"\ncolumns = [{ heading = \"Wide\", labels = { \
                method = \"quantile-forest\" } }]\n\
                [methods.parameters]\nmethod = { id = \"gmm-regression\", parameters = { \
                components = 1 } }\nfraction = 0.2\n\
                grid = { covariance_floor = [1e-6, 1.0] }\nrefit = false\n\
                score = { narrowest-covering = { level = 0.95, tolerance = 0.049 } }\n";
    let methods = [row("mc-dropout", "Never"), row("jcm-ls", "Never either"), wide.into()].concat();
    dir.write("table.toml", &format!("{head}{methods}[profiles.smoke]{profiles}"));
    let ended = dir.run("run table.toml --profile full").code(0);
    // Two columns have the same settings and share their trials, which are all none; so is one of
    // the mixture's.
    assert_eq!(ended.counts(), [20, 20, 0, 20, 11]);
    assert!(ended.last().ends_with("11 none"), "{}", ended.last());
    let page = page(&dir);
    assert_eq!(
        page.matches("| none in both |").count(),
        2,
        "PICP and MPIW of the column printed as none: {page}"
    );
    assert_eq!(
        page.matches("| none here alone |").count(),
        2,
        "of the column printed as numbers: {page}"
    );
    assert_eq!(
        page.matches("| none in the paper alone |").count(),
        2,
        "some split has a choice: {page}"
    );
    assert!(page.contains("| Data | Never | | 0 | 10 | 10 none |"), "{page}");
    let flagged = lines(&page, "| Data ")
        .into_iter()
        .filter(|row| row.ends_with("| – | 10 | none |"))
        .count();
    assert_eq!(flagged, 2, "{page}");
    dir.run("report table.toml --profile quick").code(0);
    assert!(!self::page(&dir).contains("none here alone"), "two repetitions are too few");
}
