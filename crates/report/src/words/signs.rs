//! Hold every mark that a table has beside a number, or in place of one. Tables print it from here,
//! and the glossary lists it.

use uq_core::stats::digits::NONE;

/// A mark or a letter of tables.
#[derive(Debug, PartialEq, Eq)]
pub struct Sign {
    /// What is printed.
    pub sign: &'static str,
    /// Its name in an anchor.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The section of `docs/understand/verdicts.md` that defines it.
    pub section: &'static str,
    /// Papers behind it, after a semicolon; may be empty.
    pub papers: &'static str,
}

/// The section of `docs/understand/verdicts.md` on marks.
const MARKED: &str = "Marks, and what else to look at";

const fn mark(sign: &'static str, name: &'static str, meaning: &'static str) -> Sign {
    Sign { sign, name, meaning, section: MARKED, papers: "" }
}

/// A significant difference.
pub const SIGNIFICANT: Sign = Sign {
    papers: "; Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian \
             Journal of Statistics 6, 65–70",
    ..mark(
        "*",
        "significant",
        "The difference from the reference column is significant (paired, Holm-corrected at 5 %).",
    )
};

/// Failed repetitions that are left out.
pub const DROPPED: Sign = mark(
    "†",
    "failed",
    "A mean that leaves failed repetitions out. In comparisons of methods †k: it leaves out k of \
     them.",
);

/// Failed repetitions that have a score of another method.
pub const IMPUTED: Sign = mark(
    "¶",
    "imputed",
    "In comparisons of methods ¶k: k failed repetitions have the score that --impute names, the \
     worst one on the same split or that of another method.",
);

/// A coverage of validation rows that misses its level.
pub const NO_COVERAGE: Sign = mark(
    "‡",
    "coverage",
    "The coverage of validation rows, a mean over splits, misses its level by more than the \
     tolerance that the page states.",
);

/// Fits that had not converged.
pub const UNSETTLED: Sign = mark(
    "§",
    "unsettled",
    "A mean over fits, in some of which training stopped at its step limit before it converged.",
);

/// A score that rests on an approximation.
pub const APPROXIMATED: Sign = mark(
    "≈",
    "approximated",
    "Before a score of predictions that one already has: it needs more of the distribution than \
     the columns state, so it is computed from an approximation. The note below the table says \
     from which.",
);

/// No number.
pub const MISSING: Sign =
    mark(NONE, "none", "No number: no trial has a score, or the metric is not defined for it.");

/// Every mark.
pub const ALL: [&Sign; 7] =
    [&SIGNIFICANT, &DROPPED, &IMPUTED, &NO_COVERAGE, &UNSETTLED, &APPROXIMATED, &MISSING];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Characters that are marks and nothing else, and those that look like more of them. The
    /// symbols of verdicts are in `looks.rs`.
    const TYPOGRAPHIC: &str = "†‡§¶≈∼≠◊※⁂✶★☆✓✕✗▲▼●○∅⊘⊖";

    /// Files that print none of these characters: they translate them, or show verdicts.
    const TRANSLATORS: [&str; 3] = ["words/signs.rs", "export/latex.rs", "words/looks.rs"];

    fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, all);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.ends_with("tests.rs")
            {
                all.push(path);
            }
        }
    }

    #[test]
    fn no_table_prints_a_mark_that_is_not_of_this_list() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut all = Vec::new();
        sources(&root, &mut all);
        assert!(all.len() > 100, "{}", all.len());
        for path in
            all.iter().filter(|path| !TRANSLATORS.iter().any(|name| **path == root.join(name)))
        {
            let text = fs::read_to_string(path).unwrap();
            let own = text.split("#[cfg(test)]").next().unwrap();
            let printing = own.lines().find(|line| {
                let is_comment = line.trim_start().starts_with("//");
                !is_comment && line.contains(|c| TYPOGRAPHIC.contains(c))
            });
            assert_eq!(printing, None, "{} has a mark of its own", path.display());
        }
    }

    #[test]
    fn marks_differ_in_sign_and_name() {
        for (at, one) in ALL.iter().enumerate() {
            assert!(
                ALL[..at].iter().all(|other| other.sign != one.sign && other.name != one.name),
                "{}",
                one.sign
            );
        }
    }
}
