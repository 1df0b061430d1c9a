//! Write an RGB image as PNG bytes.
//!
//! The plotting crate encodes to files only; a figure is bytes in memory, so the four chunks of a PNG are written here.

use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write;

/// The eight bytes every PNG begins with.
pub(super) const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// PNG bytes of `width` × `height` pixels, 8 bits a channel, given row by row as RGB triples.
pub(super) fn encode(rgb: &[u8], width: u32, height: u32) -> std::io::Result<Vec<u8>> {
    let stride = 3 * width as usize;
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::best());
    for row in rgb.chunks_exact(stride).take(height as usize) {
        // No filter: letters and markers repeat as they are, which compresses better than their differences.
        compressed.write_all(&[0])?;
        compressed.write_all(row)?;
    }
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // 8 bits a channel, RGB, the only compression and filter method, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut png = SIGNATURE.to_vec();
    chunk(&mut png, *b"IHDR", &header);
    chunk(&mut png, *b"IDAT", &compressed.finish()?);
    chunk(&mut png, *b"IEND", &[]);
    Ok(png)
}

/// Appends one chunk: length, name, data, checksum of name and data.
fn chunk(png: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    let mut crc = Crc::new();
    crc.update(&name);
    crc.update(data);
    // A chunk holds less than 2^31 bytes by the standard; a figure of that size cannot be drawn in the first place.
    png.extend((data.len() as u32).to_be_bytes());
    png.extend(name);
    png.extend(data);
    png.extend(crc.sum().to_be_bytes());
}

/// Reads back what [`encode`] wrote: width, height, RGB bytes.
#[cfg(test)]
pub(super) fn decode(png: &[u8]) -> (u32, u32, Vec<u8>) {
    use std::io::Read;
    assert_eq!(png[..8], SIGNATURE);
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let (mut at, mut width, mut height, mut data, mut ended) = (8, 0, 0, Vec::new(), false);
    while at < png.len() {
        let length = number(at) as usize;
        let body = &png[at + 8..at + 8 + length];
        let mut crc = Crc::new();
        crc.update(&png[at + 4..at + 8 + length]);
        assert_eq!(crc.sum(), number(at + 8 + length), "checksum of the chunk at {at}");
        match &png[at + 4..at + 8] {
            b"IHDR" => (width, height) = (number(at + 8), number(at + 12)),
            b"IDAT" => data.extend_from_slice(body),
            b"IEND" => ended = true,
            other => unreachable!("no such chunk is written: {other:?}"),
        }
        at += 12 + length;
    }
    assert!(ended);
    let mut rows = Vec::new();
    flate2::read::ZlibDecoder::new(data.as_slice()).read_to_end(&mut rows).unwrap();
    let stride = 3 * width as usize;
    let mut rgb: Vec<u8> = Vec::new();
    for row in rows.chunks_exact(stride + 1) {
        assert_eq!(row[0], 0);
        rgb.extend_from_slice(&row[1..]);
    }
    assert_eq!(rgb.len(), stride * height as usize);
    (width, height, rgb)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn decoded_pixels_equal_the_encoded_ones() {
        let rgb: Vec<u8> = (0..5 * 4 * 3).map(|i| (i * 37 % 256) as u8).collect();
        assert_eq!(decode(&encode(&rgb, 5, 4).unwrap()), (5, 4, rgb));
    }
}
