//! Check that the benchmark template in the documentation runs.

use std::fs;

use super::command::Dir;

#[test]
fn the_template_runs_and_its_table_figure_and_claims_are_on_the_page() {
    let dir = Dir::new();
    dir.write("template.toml", include_str!("../../docs/do/benchmark-template.toml"));
    let ended = dir.run("run template.toml --profile smoke").code(0);
    assert!(ended.counts().ends_with(&[5, 5, 0, 5]), "{}", ended.last());
    let page = fs::read_to_string(dir.path("out/template.md")).unwrap();
    for part in ["template-fits.svg", "## CRPS", "## Claims", "Mixture, K = 8"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}
