//! Write an RGB image as PNG bytes: the plotting crate encodes to files only, and a figure is bytes
//! in memory.

use ::png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// PNG bytes of `width` × `height` pixels, 8 bits a channel, given row by row as RGB triples.
pub(super) fn encode(rgb: &[u8], width: u32, height: u32) -> Result<Vec<u8>, EncodingError> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    // Letters and markers repeat as they are, which compresses better than their differences.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(rgb)?;
    writer.finish()?;
    Ok(png)
}

/// Reads back what [`encode`] wrote: width, height, RGB bytes.
#[cfg(test)]
pub(super) fn decode(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (ColorType::Rgb, BitDepth::Eight));
    rgb.truncate(info.buffer_size());
    (info.width, info.height, rgb)
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
