//! What an installed program brings: a pack, the manual and completions for shells.

use std::fs;

use super::command::Dir;

#[test]
fn the_pack_that_the_program_carries_is_opened_by_its_name() {
    let dir = Dir::new();
    let shipped =
        concat!(env!("CARGO_MANIFEST_DIR"), "/reports/packs/baselines-standard.pack").to_owned();
    for (pack, out) in [("baselines-standard", "carried"), (shipped.as_str(), "file")] {
        dir.run(&format!(
            "report baselines-standard --from {pack} --profile full --out {out} --formats csv"
        ))
        .code(0);
    }
    let files = |out: &str| -> Vec<(String, Vec<u8>)> {
        let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(dir.path(out))
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().unwrap().is_file())
            .map(|entry| {
                (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
            })
            .collect();
        all.sort();
        all
    };
    assert!(!files("carried").is_empty());
    assert_eq!(files("carried"), files("file"));
    dir.run("store merge baselines-standard --into all").code(0);
    // A folder of this name comes first, and no other pack is carried.
    dir.run("store merge all --into jcm-table-2").code(0);
    dir.run("report baselines-standard --from jcm-table-3 --profile full").code(1);
}

#[test]
fn the_manual_has_a_page_for_each_command_and_shells_complete_their_names() {
    let dir = Dir::new();
    let page = dir.run("man").code(0).out;
    assert!(page.contains(".TH uqbench 1"), "{page}");
    fs::create_dir(dir.path("man1")).unwrap();
    dir.run("man --out man1").code(0);
    for command in ["run", "try", "store-merge"] {
        let page = fs::read_to_string(dir.path(&format!("man1/uqbench-{command}.1"))).unwrap();
        assert!(page.contains(".SH OPTIONS"), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = dir.run(&format!("completions {shell}")).code(0).out;
        for word in ["reproduce", "calibrate-by"] {
            assert!(script.contains(word), "{word} in {shell}");
        }
    }
    dir.run("man --out nowhere").code(1);
}
