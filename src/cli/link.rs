//! Tell where a page is, and open it in the browser.

use std::path::Path;

use super::CliError;

/// The page as an address that a terminal makes a link of.
pub fn address(page: &Path) -> String {
    let whole = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    // Any other byte of a path would end the link, or be read as a part of an address.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
    let text = whole.to_string_lossy().replace('\\', "/");
    let encoded: String = text
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
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
