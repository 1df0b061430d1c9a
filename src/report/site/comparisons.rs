//! Find the comparisons that lie below a report, so that its index leads to them, and make one the first page of its own folder.

use std::io;
use std::path::Path;

use maud::{Markup, html};

use super::layout::{COMPARED, FOLDER, INDEX};
use crate::report::comparison::methods::NAME;
use crate::report::document::Document;
use crate::report::grid::separator;
use crate::system::address::encoded;

/// The folders of the comparisons that `compare --out FOLDER/NAME` has written below this folder, in order.
///
/// # Errors
/// A folder that cannot be read.
pub fn below(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let has_page = path.join(page()).is_file();
        // A name that is not Unicode has no address in a page.
        found.extend(path.file_name().and_then(|name| name.to_str()).filter(|_| has_page).map(str::to_owned));
    }
    found.sort_unstable();
    Ok(found)
}

/// Links to these comparisons from a page of the site; nothing where there are none.
pub fn links(comparisons: &[String]) -> Markup {
    html! { @if !comparisons.is_empty() {
        p #comparisons {
            "Comparisons of methods, with corrected intervals of their differences: "
            @for (at, folder) in comparisons.iter().enumerate() {
                (separator(at, comparisons.len()))
                a href={ "../" (encoded(folder)) "/" (page()) } { (folder) }
            }
            "."
        }
    } }
}

/// The page of a comparison as the first page of its folder, unless that has the report of something else. `present` is the first page
/// that is there.
pub fn first_page(written: &[Document], present: Option<&str>) -> Option<Document> {
    let own = written.iter().find(|document| document.name == page())?;
    let is_free = present.is_none_or(|text| text.contains(COMPARED));
    is_free.then(|| Document::new(format!("{FOLDER}/{INDEX}.html"), own.bytes.clone()))
}

/// A comparison's page below its folder.
fn page() -> String {
    format!("{FOLDER}/{NAME}.html")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::section::Page;
    use crate::report::site::single;

    #[test]
    fn the_comparisons_of_a_folder_are_found_and_their_names_stay_text() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(below(&folder.path().join("none")).unwrap(), [""; 0]);
        for name in ["b <i>", "a", "empty"] {
            std::fs::create_dir_all(folder.path().join(name).join(FOLDER)).unwrap();
        }
        for name in ["b <i>", "a"] {
            std::fs::write(folder.path().join(name).join(page()), "").unwrap();
        }
        let found = below(folder.path()).unwrap();
        assert_eq!(found, ["a", "b <i>"]);
        let links = links(&found).into_string();
        assert!(links.contains("<a href=\"../a/site/comparison.html\">a</a> and "), "{links}");
        assert!(links.contains("<a href=\"../b%20%3Ci%3E/site/comparison.html\">b &lt;i&gt;</a>."), "{links}");
    }

    #[test]
    fn a_comparison_is_the_first_page_of_its_folder_and_no_report_is_lost() {
        let whole = single::comparison(NAME, &Page::new("Comparison of A and B"), &[]);
        let index = |present: Option<&str>| first_page(std::slice::from_ref(&whole), present);
        let first = index(None).unwrap();
        assert_eq!((first.name.as_str(), &first.bytes), ("site/index.html", &whole.bytes));
        let text = String::from_utf8(first.bytes).unwrap();
        assert!(index(Some(&text)).is_some());
        assert!(index(Some("<meta name=\"scope\" content=\"part\">")).is_none());
        assert!(first_page(&[], None).is_none());
    }
}
