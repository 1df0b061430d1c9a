//! Find the comparisons that lie below a report, so that its index leads to them.

use std::io;
use std::path::Path;

use maud::{Markup, html};

use super::layout::FOLDER;
use crate::comparison::methods::NAME;
use crate::grid::separator;
use crate::words::first_screen::COMPARISONS;
use uqbench_system::address::encoded;

/// The folders of the comparisons that `compare --out FOLDER/NAME` has written below this folder,
/// in order.
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
        found.extend(
            path.file_name().and_then(|name| name.to_str()).filter(|_| has_page).map(str::to_owned),
        );
    }
    found.sort_unstable();
    Ok(found)
}

/// Links to these comparisons from a page of the site; nothing where there are none.
pub fn links(comparisons: &[String]) -> Markup {
    html! { @if !comparisons.is_empty() {
        p #comparisons {
            (COMPARISONS)
            @for (at, folder) in comparisons.iter().enumerate() {
                (separator(at, comparisons.len()))
                a href={ "../" (encoded(folder)) "/" (page()) } { (folder) }
            }
            "."
        }
    } }
}

/// A comparison's page below its folder.
fn page() -> String {
    format!("{FOLDER}/{NAME}.html")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(
            links.contains("<a href=\"../b%20%3Ci%3E/site/comparison.html\">b &lt;i&gt;</a>."),
            "{links}"
        );
    }
}
