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

/// The command that shows the first trial behind a number.
pub fn shows(key: &str, of: Option<usize>) -> String {
    format!("uqbench show {key} shows {}", first_trial(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_trial_is_told_from_the_only_one() {
        insta::assert_snapshot!(first_trial(Some(1)), @"the only trial");
        insta::assert_snapshot!(first_trial(Some(20)), @"the first of 20 trials");
        insta::assert_snapshot!(first_trial(None), @"the first trial");
        insta::assert_snapshot!(shows("0123abcd", Some(20)), @"uqbench show 0123abcd shows the first of 20 trials");
        insta::assert_snapshot!(foot("1.2.3"), @"Written by uqbench 1.2.3 from stored trials alone. This page loads no other file.");
    }
}
