//! Frame a page: head, navigation and foot. Style and script are part of each page, so that it
//! needs no other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::document::Document;
use crate::words::site::foot;

/// Folder of the site below the folder of the report.
pub const FOLDER: &str = "site";

/// Name of the first page, without ending.
pub const INDEX: &str = "index";

/// Name of the first page over chosen benchmarks, where the index is about every benchmark.
pub const CHOSEN: &str = "chosen";

/// What the head of a page about every benchmark has.
pub const WHOLE: &str = r#"<meta name="scope" content="whole">"#;

/// What the head of a page has that can be the first one of a folder without a report.
pub const ALONE: &str = r#"<meta name="scope" content="alone">"#;

/// A page of the site.
pub struct Framed<'a> {
    /// Its file name without ending.
    pub name: &'a str,
    /// Its title, in plain words.
    pub title: &'a str,
    /// Names and titles of the pages that it lies below, from the index down.
    pub above: &'a [(&'a str, &'a str)],
    /// Its content.
    pub body: Markup,
}

impl Framed<'_> {
    /// The page as a file.
    pub fn document(&self) -> Document {
        self.marked("part")
    }

    /// The page as a file that is known to be about every benchmark.
    pub fn whole(&self) -> Document {
        self.marked("whole")
    }

    /// The page as a file that can be the first one of a folder without a report.
    pub fn alone(&self) -> Document {
        self.marked("alone")
    }

    fn marked(&self, scope: &str) -> Document {
        Document::new(format!("{FOLDER}/{}.html", self.name), self.markup(scope).into_string())
    }

    fn markup(&self, scope: &str) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="scope" content=(scope);
                    // A browser asks for an icon where a page names none.
                    link rel="icon" href="data:,";
                    title { (self.title) " · uqbench" }
                    style { (PreEscaped(include_str!("style.css"))) }
                }
                body {
                    a.skip href="#content" { "To the content" }
                    @if !self.above.is_empty() {
                        nav aria-label="Pages above" {
                            @for (name, title) in self.above {
                                a href={ (name) ".html" } { (title) } " › "
                            }
                            span aria-current="page" { (self.title) }
                        }
                    }
                    main #content { (self.body) }
                    footer { (foot(env!("CARGO_PKG_VERSION"))) }
                    script { (PreEscaped(include_str!("script.js"))) }
                }
            }
        }
    }
}
