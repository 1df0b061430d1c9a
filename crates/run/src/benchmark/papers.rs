//! List the papers whose tables and figures are judged: those of the program, and those whose
//! folder a command line names.
//!
//! A paper is a folder: `paper.toml` says what it is, `errata.md` what is wrong in it, and each
//! other file in `.toml` is a benchmark. Folders of the program and folders on disk are read by
//! [`Paper::read`]. `docs/do/judge-a-paper.md` describes them.

mod errata;
mod paper;

use std::sync::{PoisonError, RwLock};

pub use errata::{EVIDENCE, Erratum, SEVERITIES, about, by_importance};
pub use paper::{Fact, Paper, Place};

use super::BenchmarkError;
use super::folder::Folder;

/// The key that stands for a paper in benchmarks that are about none.
pub const OWN: &str = "own";

/// Whether a benchmark with this key is about a paper or a question of uqbench. `none` is written
/// where a file states that it is about none.
pub fn is_stated(key: &str) -> bool {
    ![OWN, "none"].contains(&key)
}

/// What pages sort benchmarks by: a paper, or a question that is no paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its key in benchmark files.
    pub key: &'static str,
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// Benchmarks of tables of the user's own, after all others.
const YOUR_OWN: Topic = Topic { key: OWN, name: "Your own", title: "Benchmarks of your own" };

/// The papers that this process knows, in the order of pages and lists, and their errata.
#[derive(Debug, Default)]
struct Known {
    papers: Vec<Paper>,
    errata: Vec<Erratum>,
}

/// `None` before the first question. A command line names few folders, so that each state may stay
/// in memory: pages refer to it.
static KNOWN: RwLock<Option<&'static Known>> = RwLock::new(None);

fn known() -> &'static Known {
    if let Some(known) = *KNOWN.read().unwrap_or_else(PoisonError::into_inner) {
        return known;
    }
    // Where a folder of the program is damaged, reading its benchmarks says so.
    let read = Folder::carried().into_iter().filter_map(|folder| Paper::read(&folder).ok());
    let read: Vec<Paper> = read.collect();
    let mut state = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    state.get_or_insert_with(|| in_memory(read))
}

/// These papers in their order, which stay in memory.
fn in_memory(mut papers: Vec<Paper>) -> &'static Known {
    papers.sort_by(|a, b| (a.order, &a.key).cmp(&(b.order, &b.key)));
    let errata = papers.iter().flat_map(|paper| paper.errata.clone()).collect();
    Box::leak(Box::new(Known { papers, errata }))
}

/// Reads a paper's folder and lists the paper; one of the same key is replaced.
///
/// # Errors
/// [`BenchmarkError`] with every mistake of `paper.toml` or `errata.md`.
pub fn open(folder: &Folder) -> Result<Paper, BenchmarkError> {
    let paper = Paper::read(folder)?;
    let before = known();
    let mut state = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let before = state.unwrap_or(before);
    if !before.papers.contains(&paper) {
        let others = before.papers.iter().filter(|other| other.key != paper.key);
        *state = Some(in_memory(others.cloned().chain([paper.clone()]).collect()));
    }
    Ok(paper)
}

/// The papers and the other topics with a folder, in the order of pages and lists.
pub fn with_folder() -> &'static [Paper] {
    &known().papers
}

/// The papers, in the order of pages and lists. A topic without authors is none.
pub fn papers() -> impl Iterator<Item = &'static Paper> {
    known().papers.iter().filter(|paper| paper.is_published())
}

/// Every erratum, by paper and number.
pub fn errata() -> &'static [Erratum] {
    &known().errata
}

/// The papers and the other topics, in the order of pages and lists.
pub fn topics() -> impl Iterator<Item = Topic> {
    let topic =
        |paper: &'static Paper| Topic { key: &paper.key, name: &paper.name, title: &paper.title };
    known().papers.iter().map(topic).chain([YOUR_OWN])
}

/// The topic of this key.
pub fn topic(key: &str) -> Option<Topic> {
    topics().find(|topic| topic.key == key)
}

/// The short name of a topic, or its key where the list does not have it.
pub fn short_name(key: &str) -> &str {
    topic(key).map_or(key, |topic| topic.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::shipped;

    #[test]
    fn every_paper_of_a_shipped_benchmark_is_listed() {
        let keys: Vec<&str> =
            shipped().unwrap().iter().map(|benchmark| benchmark.paper.as_str()).collect();
        // Another test of this process may have opened a folder.
        let is_shipped = |key: &str| key != "opened";
        let all: Vec<&str> =
            papers().map(|paper| paper.key.as_str()).filter(|key| is_shipped(key)).collect();
        assert!(all.iter().all(|key| keys.contains(key)), "none without a benchmark: {all:?}");
        assert!(keys.iter().all(|key| topic(key).is_some()), "{keys:?}");
        let listed: Vec<&str> =
            topics().map(|topic| topic.key).filter(|key| is_shipped(key)).collect();
        assert!(listed.starts_with(&["dtb", "jcm", "nsgp", "wiener", "gplvm"]), "{listed:?}");
        assert!(listed.ends_with(&["baselines", "uqbench", OWN]), "{listed:?}");
        assert_eq!((short_name("jcm"), short_name("mine")), ("JCM", "mine"));
        assert_eq!(
            [OWN, "none", "jcm", "uqbench", "mine"].map(is_stated),
            [false, false, true, true, true]
        );
    }

    #[test]
    fn the_folder_of_a_stranger_is_listed_once_and_may_replace_an_own_one() {
        let folder = tempfile::tempdir().unwrap();
        let open = |text: &str| {
            std::fs::write(folder.path().join("paper.toml"), text).unwrap();
            open(&Folder::OnDisk(folder.path().to_owned())).unwrap()
        };
        let text = "key = \"opened\"\nname = \"Old\"\ntitle = \"T\"\nauthors = [\"A, B\"]\n";
        open(text);
        open(text);
        assert_eq!(papers().filter(|paper| paper.key == "opened").count(), 1);
        open(&text.replace("Old", "New"));
        let names: Vec<&str> =
            topics().filter(|topic| topic.key == "opened").map(|topic| topic.name).collect();
        assert_eq!(names, ["New"]);
    }
}
