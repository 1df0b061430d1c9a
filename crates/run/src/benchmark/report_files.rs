//! Name the files that a report writes beside the page of a benchmark, so that no benchmark has the
//! name of one.
//!
//! The pages of a report take their names from here, and a benchmark file is refused whose id is
//! one of them.

use thiserror::Error;

use super::Benchmark;
use super::papers::{is_stated, topics};

/// Longest id of a benchmark and name of a figure, in bytes: a file system takes names of 255, and
/// a report adds words to these.
pub const LONGEST_ID: usize = 100;

/// Longest name of a dataset, a column, a metric or a variant, in bytes.
pub const LONGEST_NAME: usize = 200;

/// Name of the list of own tables.
pub const OWN_TABLES: &str = "own-tables";

/// Name of a comparison of methods.
pub const COMPARISON: &str = "comparison";

/// Name of a comparison of two stores.
pub const STORES: &str = "stores";

/// Name of the scores of given predictions.
pub const SCORE: &str = "score";

/// Name of the page of a watched model.
pub const WATCH: &str = "watch";

/// Names of pages and tables that are about no benchmark alone.
const PAGES: [&str; 16] = [
    "index",
    "data",
    "verdicts",
    "scorecard",
    "provenance",
    "provenance-protocols",
    "provenance-alternatives",
    "errata",
    "glossary",
    COMPARISON,
    "chosen",
    "map",
    OWN_TABLES,
    STORES,
    SCORE,
    WATCH,
];

/// A file that a report writes beside a benchmark's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The list of its trials.
    Trials,
    /// The page of ranks.
    Ranks,
    /// The scores of the parts of its variances.
    Scores,
    /// These parts by region.
    Regions,
    /// All that its page shows, as data.
    Report,
    /// The page of a board of the league.
    Board,
    /// The figure of its numbers beside the printed ones.
    Agreement,
}

impl Beside {
    const ALL: [Self; 7] = [
        Self::Trials,
        Self::Ranks,
        Self::Scores,
        Self::Regions,
        Self::Report,
        Self::Board,
        Self::Agreement,
    ];

    /// Its name without ending.
    pub fn name(self, id: &str) -> String {
        let word = match self {
            Self::Trials => "trials",
            Self::Ranks => "ranks",
            Self::Scores => "scores",
            Self::Regions => "regions",
            Self::Report => "report",
            Self::Board => "board",
            Self::Agreement => "agreement",
        };
        format!("{id}-{word}")
    }

    /// Whether it is a figure, which has no name of a page.
    fn is_figure(self) -> bool {
        self == Self::Agreement
    }
}

/// Whether a page, or a table, of a report that is about no benchmark has this name.
pub(super) fn is_page(id: &str) -> bool {
    let is_errata = || topics().any(|topic| id == errata_name(topic.key));
    id.starts_with("trial-")
        || PAGES.iter().any(|page| id.eq_ignore_ascii_case(page))
        || is_errata()
}

/// Name, without ending, of the page of a paper's errata.
pub fn errata_name(paper: &str) -> String {
    format!("errata-{paper}")
}

/// Why benchmarks cannot be run together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SameFiles {
    /// Both write files of one name.
    #[error(
        "the benchmarks `{one}` and `{other}` both write files of the name `{name}`, which would \
         overwrite each other: give one of them another id or another name of its figure"
    )]
    Written {
        /// A benchmark.
        one: String,
        /// Another one.
        other: String,
        /// The name.
        name: String,
    },
    /// They are of two papers with one key, of which pages of one would speak of the other.
    #[error(
        "`{one}` and `{other}` are of two papers with the key `{key}`: run one after the other, or \
         change the key in one paper.toml"
    )]
    Papers {
        /// A benchmark.
        one: String,
        /// Another one.
        other: String,
        /// The key.
        key: String,
    },
    /// Both have a figure of one name.
    #[error(
        "the benchmarks `{one}` and `{other}` both have a figure of the name `{name}`, which would \
         overwrite each other: give one of them another name"
    )]
    Figure {
        /// A benchmark.
        one: String,
        /// Another one.
        other: String,
        /// The name.
        name: String,
    },
}

/// Checks that benchmarks which are run together write no file of one name.
///
/// # Errors
/// The two that do, and the name.
pub fn check_together(benchmarks: &[Benchmark]) -> Result<(), SameFiles> {
    for (at, one) in benchmarks.iter().enumerate() {
        for (place, other) in benchmarks.iter().enumerate().filter(|(place, _)| *place != at) {
            if are_of_two_papers(one, other) {
                return Err(SameFiles::Papers {
                    one: one.id.clone(),
                    other: other.id.clone(),
                    key: one.paper.clone(),
                });
            }
            if let Some(name) = written_by_both(one, other) {
                return Err(SameFiles::Written {
                    one: one.id.clone(),
                    other: other.id.clone(),
                    name,
                });
            }
            if let Some(figure) = one
                .figures
                .iter()
                .find(|figure| place > at && has_figure(other, figure.kind().file()))
            {
                let name = figure.kind().file().to_string();
                return Err(SameFiles::Figure {
                    one: one.id.clone(),
                    other: other.id.clone(),
                    name,
                });
            }
        }
    }
    Ok(())
}

/// Whether a paper's folder on disk has the key of another paper.
fn are_of_two_papers(one: &Benchmark, other: &Benchmark) -> bool {
    is_stated(&one.paper)
        && one.paper == other.paper
        && one.folder != other.folder
        && (one.is_of_paper_folder() || other.is_of_paper_folder())
}

fn has_figure(benchmark: &Benchmark, name: &str) -> bool {
    benchmark.figures.iter().any(|figure| figure.kind().file() == name)
}

/// The name of a file that a report writes beside the page of `one`, where `other` has it, too.
fn written_by_both(one: &Benchmark, other: &Benchmark) -> Option<String> {
    let beside = Beside::ALL.into_iter().map(|file| (file, file.name(&one.id)));
    let mut taken = beside.filter(|(file, name)| match file.is_figure() {
        true => has_figure(other, name),
        false => other.id == *name,
    });
    let diagram = format!("{}-", Beside::Ranks.name(&one.id));
    let is_diagram = |name: &&str| name.starts_with(&diagram);
    let diagrams = || {
        other.figures.iter().map(|figure| figure.kind().file()).find(is_diagram).map(str::to_owned)
    };
    taken.next().map(|(_, name)| name).or_else(diagrams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::shipped;

    fn own(id: &str, figure: &str) -> Benchmark {
        let text = include_str!("../../../../benchmarks/papers/dtb/dtb-figure-5.toml");
        let text = text.replacen("id = \"dtb-figure-5\"", &format!("id = \"{id}\""), 1);
        Benchmark::parse(
            "test",
            &text.replacen("file = \"dtb-figure-5\"", &format!("file = \"{figure}\""), 1),
        )
        .unwrap()
    }

    #[test]
    fn benchmarks_that_write_files_of_one_name_are_refused_in_both_orders() {
        let all = [
            [own("a", "f"), own("a-trials", "g")],
            [own("a", "f"), own("a-ranks", "g")],
            [own("a", "f"), own("a-scores", "g")],
            [own("a", "f"), own("a-regions", "g")],
            [own("a", "f"), own("b", "f")],
            [own("a", "f"), own("b", "a-agreement")],
            [own("a", "f"), own("b", "a-ranks-crps")],
        ];
        for [a, b] in all {
            for order in [[a.clone(), b.clone()], [b.clone(), a.clone()]] {
                let told = check_together(&order).unwrap_err().to_string();
                assert!(
                    told.contains(&format!("`{}`", a.id)) && told.contains(&format!("`{}`", b.id)),
                    "{told}"
                );
            }
        }
        for [a, b] in [
            [own("a", "f"), own("b", "g")],
            [own("a", "f"), own("a-trial", "g")],
            [own("a", "f"), own("b-trials", "g")],
            [own("a", "a"), own("a-2", "a-2")],
        ] {
            check_together(&[a, b]).unwrap();
        }
        check_together(shipped().unwrap()).unwrap();
    }

    #[test]
    fn no_benchmark_has_the_name_of_a_page() {
        for name in PAGES.into_iter().chain(["trial-0f", "errata-dtb"]) {
            assert!(is_page(name), "{name}");
        }
        assert!(!is_page("errata-of-mine") && !is_page("my-index") && !is_page("trials"));
    }
}
