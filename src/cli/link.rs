//! Tell where a page is, and open it in the browser.

use std::path::Path;

use super::CliError;
use uqbench_report::document::Document;
use uqbench_report::write::Output;
use uqbench_system::address::encoded;
use uqbench_system::notice::say;

/// The page as an address that a terminal makes a link of.
pub fn address(page: &Path) -> String {
    let whole = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let encoded = encoded(&whole.to_string_lossy().replace('\\', "/"));
    format!("file://{}{encoded}", if encoded.starts_with('/') { "" } else { "/" })
}

/// Opens a page in the browser.
///
/// # Errors
/// [`CliError::Other`] where the system has no program for it.
pub fn open_page(page: &Path) -> Result<(), CliError> {
    open::that_detached(page).map_err(|error| {
        let page = page.display();
        CliError::Other(format!("{page} cannot be opened: {error}; open it in a browser yourself"))
    })
}

/// Says how many of these files were written and where their page is, and opens it where that is
/// wanted.
///
/// # Errors
/// As [`open_page`].
pub fn close(output: &Output, documents: &[Document], is_opened: bool) -> Result<(), CliError> {
    let written =
        || documents.iter().map(|document| &document.name).filter(|name| output.has(name));
    let page =
        [".html", ".md"].iter().find_map(|ending| written().find(|name| name.ends_with(ending)));
    let page = page.map(|page| output.folder.join(page));
    let link = page.as_ref().map(|page| format!("; page: {}", address(page))).unwrap_or_default();
    say(format!("wrote {} files to {}{link}", written().count(), output.folder.display()));
    page.filter(|_| is_opened).map_or(Ok(()), |page| open_page(&page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_byte_that_ends_a_link() {
        assert_eq!(address(Path::new("/a b/ü/x-1.html")), "file:///a%20b/%C3%BC/x-1.html");
        let here = address(Path::new("x.html"));
        assert!(here.starts_with("file:///") && here.ends_with("/x.html"), "{here}");
    }
}
