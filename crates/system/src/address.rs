//! Write paths as parts of addresses.

/// A path whose bytes that could end an address, or be read as another part of it, are encoded (RFC
/// 3986, section 2.1).
pub fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
