use std::io;
use std::path::PathBuf;

use super::*;
use uqbench_data::own::{Cells, Charset, FileFormat, OwnTable};
use uqbench_run::runner::shards::shard_number;

fn damaged_store() -> StoreError {
    StoreError::Write { path: PathBuf::from("s"), source: io::Error::other("full") }
}

#[test]
fn an_error_of_a_store_ends_with_what_its_option_does() {
    assert_eq!(
        damaged_store().worded(),
        "s: full; is the folder writable and the disk not full? `--store DIR` chooses another one"
    );
    assert_eq!(
        EvidenceError::from(damaged_store()).worded(),
        damaged_store().worded(),
        "wherever it comes from"
    );
    let taken = StoreError::Taken { path: "a".into() };
    assert_eq!(
        taken.worded(),
        "a exists; `--into` needs a new folder, or a new file that ends in .pack"
    );
    let newer = StoreError::Newer { what: "the store s".into(), found: 9, known: 2 };
    assert!(
        newer
            .worded()
            .ends_with("use the newer program, or another `--store DIR`. Nothing was changed")
    );
    assert!(!newer.to_string().contains("--"), "the library names no option");
}

#[test]
fn data_that_cannot_be_had_name_the_options_that_provide_them() {
    let tried = vec![
        Attempt { source: "http://a".into(), reason: "refused".into() },
        Attempt { source: "http://b".into(), reason: NoFile::Offline },
    ];
    let error = DataError::Unavailable { key: "k".into(), file: "f".into(), tried };
    assert_eq!(
        error.worded(),
        "k: f is not available: http://a: refused; http://b: not asked: --offline; to provide it \
         by hand, put it at DIR/k/f and pass --mirror DIR"
    );
    let unknown = |nearest: Option<&str>| {
        DataError::Unknown { key: "yach".into(), nearest: nearest.map(str::to_owned) }.worded()
    };
    assert_eq!(unknown(Some("yacht")), "no dataset is called \"yach\"; did you mean \"yacht\"?");
    assert_eq!(unknown(None), "no dataset is called \"yach\"; `uqbench list datasets` shows all");
    let cache = DataError::Cache { action: "create", path: "c".into(), message: "denied;".into() };
    assert_eq!(
        cache.worded(),
        "cannot create c: denied; choose a writable folder with --cache DIR"
    );
}

#[test]
fn unknown_names_lead_to_the_list_of_all() {
    let metric = "rsme".parse::<uq_core::metrics::MetricId>().unwrap_err();
    assert_eq!(
        metric.worded(),
        "there is no metric `rsme`, did you mean `rmse`?; `uqbench list metrics` shows them all"
    );
    let method = |advice| RegistryError::Unknown { name: "x".into(), advice };
    let told = method(Advice::OfKind("cv-plus")).worded();
    assert_eq!(
        told,
        "there is no method `x`, but `cv-plus` is of its kind, and --with runs methods of other \
         packages (docs/do/wrappers.md); `uqbench list methods` shows them all"
    );
    let all =
        RegistryError::Several(vec![method(Advice::Similar(Vec::new())), RegistryError::Late])
            .worded();
    assert!(all.starts_with(
        "2 names are wrong:\n  there is no method `x`; `uqbench list methods` shows them all\n  "
    ));
}

#[test]
fn errors_of_own_tables_name_options_and_in_benchmark_files_keys() {
    let cells = Cells::parse("my.csv", b"x,y\n1,2\n2,3\n").unwrap();
    let error = OwnTable::new(&cells, "z", &[]).err().unwrap();
    assert!(
        error.worded().starts_with("--target: my.csv has no column \"z\""),
        "{}",
        error.worded()
    );
    assert!(error.to_string().starts_with("`target`: my.csv has no column \"z\""), "{error}");
    let format = FileFormat::default();
    let error = Cells::parse_new("f", b"Gr\xf6\xdfe,y\n1,2\n", &format).err().unwrap();
    assert!(error.worded().contains("--encoding latin-1"), "{}", error.worded());
    assert_eq!(format.encoding, Charset::UTF_8);
    for reading in [uqbench_data::own::Censored::Half, uqbench_data::own::Censored::Level] {
        assert_eq!(option(Setting::Censored(reading)), format!("--censored {}", reading.name()));
    }
}

#[test]
fn a_file_that_is_none_names_the_command_that_writes_one() {
    let anew = "save it anew with `uqbench try --save FILE`";
    assert_eq!(
        ModelError::Foreign.worded(),
        "this is no model file; expected one that `uqbench try --save FILE` has written"
    );
    assert_eq!(
        ModelError::Older.worded(),
        format!("the format of this model file is no longer read; {anew}")
    );
    let version = ModelError::Version {
        method: "m".into(),
        saved: 1,
        own: 2,
        program: "uqbench 0.0.9".into(),
    };
    assert!(
        version.worded().ends_with(&format!("use uqbench 0.0.9, or {anew}")),
        "{}",
        version.worded()
    );
    let source = RegistryError::Unnamed { prefix: "calibrated-".into() };
    let method = ModelError::Method { program: "uqbench 0.0.9".into(), source }.worded();
    let named = "such as `calibrated-linear-gaussian`; `uqbench list methods` shows them all; use \
                 uqbench 0.0.9, or save";
    assert!(method.contains(named), "{method}");
    let plan = ShardsError::Foreign { path: "p".into(), why: "it cannot be read".into() };
    assert_eq!(
        plan.worded(),
        "p: it cannot be read; `uqbench plan --shards N --out FILE` writes a plan"
    );
}

#[test]
fn a_shard_is_asked_for_by_its_option() {
    let told = |given| shard_number(given, |_| None, 8).unwrap_err().worded();
    assert_eq!(told(Some("9/8")), "--shard 9/8: the plan has 8 shards, expected 1/8 to 8/8");
    assert!(
        told(None).starts_with("which shard? The plan has 8: give --shard I/8, or run in an array")
    );
    let few = DivisionError::FewGroups(1).worded();
    assert!(
        few.starts_with("found 1 group, expected 5 or more") && few.contains("leave --group out"),
        "{few}"
    );
}
