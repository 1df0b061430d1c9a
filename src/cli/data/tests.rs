use clap::Parser;

use super::*;
use crate::cli::sources::SourceArgs;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    data: DataCommand,
}

/// Exit code and output of a command line, offline and with an empty cache.
fn output(words: &[&str]) -> Result<(u8, String), DataError> {
    output_of_width(words, None)
}

/// The same on a terminal of this width.
fn output_of_width(words: &[&str], width: Option<usize>) -> Result<(u8, String), DataError> {
    let cache = tempfile::tempdir().unwrap();
    let mut cli = Cli::parse_from(["data"].iter().chain(words).chain(&["--offline"]));
    cli.sources.cache = Some(cache.path().to_owned());
    cli.sources.mirror = None;
    let mut out = Vec::new();
    let code = run(&cli.data, &cli.sources.open_library(), width, &mut out)?;
    Ok((code, String::from_utf8(out).unwrap()))
}

#[test]
fn list_names_every_dataset_and_what_is_at_hand() {
    let (code, text) = output(&["list"]).unwrap();
    assert_eq!(code, 0);
    let line = |key: &str| {
        text.lines().find(|line| line.split(' ').next() == Some(key)).unwrap().to_owned()
    };
    let words =
        |key: &str| -> Vec<String> { line(key).split_whitespace().map(str::to_owned).collect() };
    assert_eq!(words("yacht")[..4], ["yacht", "308", "6", "bundled"]);
    assert_eq!(words("superconductivity")[2..4], ["81", "no"]);
    let manifest = Manifest::shipped().unwrap();
    let datasets = manifest.datasets().iter().chain(manifest.variants());
    let keys: Vec<&str> = datasets.map(|dataset| dataset.key.as_str()).collect();
    let listed: Vec<&str> =
        text.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed, keys, "the manifest's datasets in its order");
}

#[test]
fn a_list_fits_its_terminal_and_keys_of_any_length_leave_the_columns_in_line() {
    let list = |width| output_of_width(&["list"], width).unwrap().1;
    for width in [80, 120] {
        let text = list(Some(width));
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        let at_hand = text.lines().next().unwrap().find("at hand").unwrap();
        let is_in_line = |line: &str| {
            line[..at_hand].ends_with("  ")
                && ["bundled ", "no ", "at hand "]
                    .iter()
                    .any(|word| line[at_hand..].starts_with(word))
        };
        assert!(text.lines().all(is_in_line), "{text}");
    }
    let whole = Manifest::shipped().unwrap().datasets().iter().map(|dataset| &dataset.licence);
    let longest = whole.max_by_key(|licence| licence.chars().count()).unwrap();
    assert!(list(None).contains(longest.as_str()), "a file has the whole licence");
}

#[test]
fn describe_prints_columns_warnings_and_notes() {
    let (code, text) = output(&["describe", "boston"]).unwrap();
    assert_eq!(code, 0);
    for part in [
        "506 rows, 13 features; source used: bundled",
        "doi:10.1016/0095-0696(78)90006-2",
        "the target looks censored: 16 rows have its largest value, 50",
        "229 distinct targets",
        "22.5328",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let (_, wine) = output(&["describe", "wine-red"]).unwrap();
    assert!(
        wine.contains("240 rows are exact twins")
            && wine.contains("the target is discrete: 6 distinct values")
    );
}

#[test]
fn verify_and_fetch_count_what_is_at_hand() {
    let (code, text) = output(&["verify"]).unwrap();
    assert_eq!(code, 0, "{text}");
    let datasets = Manifest::shipped().unwrap().datasets();
    let at_hand = datasets.iter().filter(|dataset| dataset.bundled.is_some()).count();
    let all = datasets.len();
    let totals =
        format!("{at_hand} of {all} datasets ok, {} unavailable, 0 wrong\n", all - at_hand);
    assert!(text.ends_with(&totals), "{text}");
    let (code, text) = output(&["fetch", "yacht", "motorcycle"]).unwrap();
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("ok           yacht: 308 rows, bundled"), "{text}");
    assert!(text.contains("unavailable  motorcycle: mcycle.csv is not available"), "{text}");
}

#[test]
fn an_exported_file_has_the_format_that_its_ending_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| {
        let (code, text) = output(&["export", "yacht", &file(name)]).unwrap();
        assert!(
            code == 0 && text.ends_with("308 rows, 6 features, target \"residuary resistance\"\n"),
            "{text}"
        );
        own::Cells::read(&folder.path().join(name)).unwrap()
    };
    let table =
        |cells: &own::Cells| own::OwnTable::new(cells, "residuary resistance", &[]).unwrap().table;
    assert_eq!(table(&read("yacht.parquet")), table(&read("yacht.csv")));
    assert!(std::fs::read(file("yacht.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn an_unknown_key_suggests_the_nearest() {
    let error = output(&["describe", "yatch"]).unwrap_err();
    assert_eq!(error.to_string(), "no dataset is called \"yatch\"; did you mean \"yacht\"?");
}

#[test]
fn numbers_have_six_significant_digits() {
    for (number, text) in [
        (22.532_806, "22.5328"),
        (206_855.816_9, "206856"),
        (-0.5, "-0.5"),
        (0.0, "0"),
        (100.0, "100"),
        (0.000_012_34, "1.23400e-5"),
        (1_234_567.0, "1234567"),
    ] {
        assert_eq!(short(number), text);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let cache = tempfile::tempdir().unwrap();
    let sources = SourceArgs { offline: true, cache: Some(cache.path().to_owned()), mirror: None };
    let command = DataCommand { action: DataAction::List };
    assert_eq!(run(&command, &sources.open_library(), None, &mut Closed), Ok(0));
}

#[test]
fn every_help_shows_an_example() {
    use clap::CommandFactory;
    let mut command = Cli::command();
    command.build();
    for subcommand in
        command.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help")
    {
        assert!(
            subcommand.render_help().to_string().contains("Example: uqbench data "),
            "{}",
            subcommand.get_name()
        );
    }
}

#[test]
fn the_hash_of_a_matrix_without_a_pin_is_printed() {
    let cache = tempfile::tempdir().unwrap();
    let sources = SourceArgs { offline: true, cache: Some(cache.path().to_owned()), mirror: None };
    let library = sources.open_library();
    let pinned = Manifest::shipped().unwrap().get("yacht").unwrap();
    let unpinned = Dataset { parsed_sha256: None, ..pinned.clone() };
    let mut out = Vec::new();
    assert_eq!(each(&[&unpinned], true, &mut out, |dataset| library.fetch(dataset)).unwrap(), 0);
    let text = String::from_utf8(out).unwrap();
    let line = format!(
        "not pinned yet; found parsed_sha256 = \"{}\"",
        pinned.parsed_sha256.as_ref().unwrap()
    );
    assert!(text.contains(&line), "{text}");
}

#[test]
fn wrong_data_fail_the_command() {
    let cache = tempfile::tempdir().unwrap();
    std::fs::create_dir(cache.path().join("motorcycle")).unwrap();
    std::fs::write(cache.path().join("motorcycle/mcycle.csv"), "1,2.4,0\n").unwrap();
    let sources = SourceArgs { offline: true, cache: Some(cache.path().to_owned()), mirror: None };
    for action in [DataAction::Verify { keys: vec![] }, DataAction::List] {
        let mut out = Vec::new();
        assert_eq!(run(&DataCommand { action }, &sources.open_library(), None, &mut out), Ok(1));
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("WRONG        motorcycle: mcycle.csv") || text.contains("DAMAGED: "),
            "{text}"
        );
    }
}
