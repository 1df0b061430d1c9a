//! Write the site: HTML pages that show the same model as the Markdown pages, each of them whole in
//! one file.
//!
//! [`artefact()`] and [`documents()`] get what [`super::index`] rendered, and compute no score and
//! no verdict. Start with `first_screen.rs`, the index; `artefact.rs` is the page of a benchmark,
//! `blocks.rs` turns the parts of a page into HTML, and `layout.rs` frames them.

pub mod anchors;
mod artefact;
mod best;
mod blocks;
pub mod comparisons;
mod entries;
mod errata_pages;
mod first_screen;
mod glossary;
mod in_short;
mod layout;
mod legend;
mod looks;
mod map;
mod missing;
mod news;
mod prose;
pub mod single;
mod terms;
mod ties;

pub use artefact::Content;
use layout::CHOSEN;
pub use layout::{FOLDER, INDEX};

use std::path::Path;

use super::brief::Brief;
use super::document::Document;
use super::errata::shown;
use super::selection::{Shown, selected};
use super::summary::Part;
use super::words::findings::sentence;
use uqbench_judge::judgement::findings::News;
use uqbench_run::benchmark::papers::{errata, short_name};
use uqbench_run::runner::plan::Plan;
use uqbench_system::named_file::read_regular_text;

/// The findings of the first screen in plain lines, for a terminal.
pub fn list_findings(plans: &[Plan], briefs: &[&Brief]) -> String {
    let parts = Part::all(plans, briefs);
    let line = |shown: &Shown| {
        let (benchmark, said) = (&shown.part.plan.benchmark, sentence(shown.finding));
        let symbol = match shown.finding.news() {
            News::Good => '+',
            News::Bad => '-',
            News::Neutral => ' ',
        };
        format!(
            "{symbol} {}, {}: {} {}\n",
            short_name(&benchmark.paper),
            benchmark.artefact,
            said.what,
            said.evidence
        )
    };
    selected(&parts).iter().map(line).collect()
}

/// What the first page of a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every benchmark.
    Whole,
    /// Chosen benchmarks.
    Chosen,
    /// Chosen benchmarks, in a folder that has the report of every benchmark: its index stays.
    ChosenBesideWhole,
}

impl Coverage {
    /// File of the first page, below the folder of the report.
    pub fn first_page(self) -> String {
        let name = match self {
            Self::Whole | Self::Chosen => INDEX,
            Self::ChosenBesideWhole => CHOSEN,
        };
        format!("{FOLDER}/{name}.html")
    }

    /// Of chosen benchmarks, from the first page that is in the folder, if any.
    pub fn chosen_beside(index: Option<&str>) -> Self {
        if index.is_some_and(|page| page.contains(layout::WHOLE)) {
            Self::ChosenBesideWhole
        } else {
            Self::Chosen
        }
    }
}

/// The first page that is in a folder of reports, if it can be read.
pub fn present_page(folder: &Path, coverage: Coverage) -> Option<String> {
    read_regular_text(&folder.join(coverage.first_page()), LARGEST_PAGE).ok()
}

/// Most bytes of a page.
const LARGEST_PAGE: u64 = 1 << 28;

/// A page as the first one of its folder, unless that has the report of something else. `present`
/// is the first page that is there.
pub fn as_first_page(own: &Document, present: Option<&str>) -> Option<Document> {
    let is_free = present.is_none_or(|page| page.contains(layout::ALONE));
    is_free.then(|| Document::new(Coverage::Chosen.first_page(), own.bytes.clone()))
}

/// The first of these pages that a browser shows, as the first one of its folder, unless that has
/// the report of something else.
pub fn first_page(written: &[Document], folder: &Path) -> Option<Document> {
    let page = written.iter().find(|document| document.name.ends_with(".html"))?;
    as_first_page(page, present_page(folder, Coverage::Chosen).as_deref())
}

/// The page of one benchmark.
pub fn artefact(plan: &Plan, brief: &Brief, content: &Content) -> Document {
    artefact::artefact(&Part { plan, brief }, content, errata())
}

/// What a report has besides its benchmarks.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Where and when the trials ran.
    pub machine: &'a str,
    /// How many of them the shipped run has, too; empty in the full profile.
    pub shipped: &'a str,
    /// What its first page is about.
    pub coverage: Coverage,
    /// Folders of the comparisons below its own.
    pub comparisons: &'a [String],
}

/// The pages of the site that are about all of these benchmarks.
pub fn documents(plans: &[Plan], briefs: &[&Brief], frame: &Frame) -> Vec<Document> {
    let parts = Part::all(plans, briefs);
    let papers = shown(plans.iter().map(|plan| &plan.benchmark));
    let mut pages = vec![first_screen::index(&parts, &papers, frame)];
    // Those of the whole report lead to more pages.
    if frame.coverage != Coverage::ChosenBesideWhole {
        if Part::are_of_papers(&parts) {
            pages.extend(errata_pages::pages(&parts, &papers));
        }
        pages.push(glossary::glossary(&parts));
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::Page;

    #[test]
    fn a_page_is_the_first_one_of_its_folder_and_no_report_is_lost() {
        let own = single::alone("comparison", &Page::new("Comparison of A and B"), &[]);
        let first = as_first_page(&own, None).unwrap();
        assert_eq!((first.name.as_str(), &first.bytes), ("site/index.html", &own.bytes));
        assert!(as_first_page(&own, Some(&String::from_utf8(first.bytes).unwrap())).is_some());
        assert!(as_first_page(&own, Some("<meta name=\"scope\" content=\"part\">")).is_none());
    }
}
