//! Say what every page of the site says: who wrote it, and which trials are behind its numbers.

/// Who wrote a page, and what it needs.
pub fn foot(version: &str) -> String {
    format!("Written by uqbench {version} from stored trials alone. This page loads no other file.")
}

/// What stands below a table whose cells lead to no trial, around the link to their list.
pub const FROM_TRIALS: [&str; 3] = ["From the trials of ", "this list", "."];

/// Which of the trials behind a number the first one is; `of` is their number, where it is known.
pub fn first_trial(of: Option<usize>) -> String {
    match of {
        Some(1) => "the only trial".into(),
        Some(count) => format!("the first of {count} trials"),
        None => "the first trial".into(),
    }
}

/// The command that shows a trial. It searches the benchmarks of the program, and a `file` that it
/// names.
pub fn show(key: &str, file: Option<&str>) -> String {
    let words = ["uqbench", "show", key].into_iter().chain(file);
    // Words of a command line have no null character, which alone cannot be quoted.
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

/// The command that shows the first trial behind a number.
pub fn shows(key: &str, of: Option<usize>, file: Option<&str>) -> String {
    format!("{} shows {}", show(key, file), first_trial(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_trial_is_told_from_the_only_one() {
        insta::assert_snapshot!(first_trial(Some(1)), @"the only trial");
        insta::assert_snapshot!(first_trial(Some(20)), @"the first of 20 trials");
        insta::assert_snapshot!(first_trial(None), @"the first trial");
        insta::assert_snapshot!(shows("0123abcd", Some(20), None), @"uqbench show 0123abcd shows the first of 20 trials");
        insta::assert_snapshot!(show("0123abcd", Some("mine/a.toml")), @"uqbench show 0123abcd mine/a.toml");
        insta::assert_snapshot!(foot("1.2.3"), @"Written by uqbench 1.2.3 from stored trials alone. This page loads no other file.");
    }
}
