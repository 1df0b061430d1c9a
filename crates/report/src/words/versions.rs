//! Say which versions of a method a store has.

use uq_core::names::counted;
use uqbench_judge::evidence::versions::{OtherBuilds, SeveralVersions, StoredVersion};

/// Which version of a method is shown, and which are not.
pub fn several(SeveralVersions { method, shown, others }: &SeveralVersions) -> String {
    let version = |StoredVersion { words, trials, expected }: &StoredVersion| {
        format!("{words} ({trials} of {expected} trials)")
    };
    let hidden: Vec<String> = others.iter().map(version).collect();
    format!(
        "{method} is stored in {} versions. Shown is {}; not shown: {}.",
        1 + others.len(),
        version(shown),
        hidden.join("; ")
    )
}

/// That another build of the program has made trials of a method.
pub fn other_build(OtherBuilds { method, trials }: &OtherBuilds) -> String {
    let trials = counted(*trials, "trial");
    format!(
        "{trials} of {method} were made by another build of this program, and are not run again. \
         If the method has changed since, raise its VERSION"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method of which a store has three versions.
    fn several_versions() -> SeveralVersions {
        let version =
            |words: &str, trials| StoredVersion { words: words.into(), trials, expected: 20 };
        SeveralVersions {
            method: "Mine".into(),
            shown: version("sh 2.0", 20),
            others: vec![version("sh 1.0", 6), version("sh 1.5", 1)],
        }
    }

    #[test]
    fn versions_and_builds_are_counted() {
        insta::assert_snapshot!(several(&several_versions()), @"Mine is stored in 3 versions. Shown is sh 2.0 (20 of 20 trials); not shown: sh 1.0 (6 of 20 trials); sh 1.5 (1 of 20 trials).");
        let rebuilt = OtherBuilds { method: "Mine".into(), trials: 2 };
        insta::assert_snapshot!(other_build(&rebuilt), @"2 trials of Mine were made by another build of this program, and are not run again. If the method has changed since, raise its VERSION");
    }
}
