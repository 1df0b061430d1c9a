//! Check Markdown pages: that each is short, and that every link leads to a file and to a place in it.

use std::fs;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::command::files;

/// Largest page in bytes. The errata of a paper are its source, not a page.
const LARGEST: usize = 20_000;

/// Where the links and pictures of a page lead.
fn links(text: &str) -> Vec<String> {
    let address = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(address).collect()
}

/// Checks every Markdown page below a folder.
pub fn check_all(folder: &Path) {
    for (name, bytes) in files(folder).into_iter().filter(|(name, _)| name.ends_with(".md")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.len() <= LARGEST || name.starts_with("errata/"), "{name} has {} bytes", text.len());
        let page = folder.join(&name);
        for link in links(&text).iter().filter(|link| !link.starts_with("https://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(target.is_file(), "{name} leads to {link}, which is not there");
            let is_there = || fs::read_to_string(&target).unwrap().contains(&format!("<a id=\"{anchor}\"></a>"));
            assert!(anchor.is_empty() || is_there(), "{name} leads to {link}, which has no such part");
        }
    }
}
