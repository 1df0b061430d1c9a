//! Read how large the pages of a Parquet column say that they become, before any of them is
//! unpacked.
//!
//! A page begins with a struct in Thrift's compact protocol: field 1 is its type, 2 its size when
//! unpacked, 3 its size in the file. The reader of this program makes room for what field 2 says.

/// The type of a page that holds the different values of a column.
const DICTIONARY: i64 = 2;

/// The fields with the header of a kind of page: of data, of a dictionary, of data in the second
/// version.
const KINDS: [i64; 3] = [5, 7, 8];

/// Deepest struct in a header: statistics lie two below it.
const DEEPEST: usize = 6;

/// The sizes of the pages of one column chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// Their bytes when they are unpacked.
    pub unpacked: u64,
    /// Number of pages.
    pub count: usize,
    /// Number of values of the largest page, as its header says, but for the dictionary.
    pub most_values: u64,
    /// Number of different values in the dictionary, as its header says, and its bytes when it is
    /// unpacked. It may have more values than the column: those of rows that were left out.
    pub dictionary: [u64; 2],
}

/// What the headers of a chunk's pages say; `None` where they are not headers, or go beyond its
/// bytes.
pub fn pages(chunk: &[u8]) -> Option<Pages> {
    let (mut all, mut at) = (Pages::default(), 0);
    while at < chunk.len() {
        let mut header = Compact { bytes: chunk, at };
        let ([kind, unpacked, packed], values) = header.sizes()?;
        let (unpacked, packed) = (u64::try_from(unpacked).ok()?, usize::try_from(packed).ok()?);
        // The different values of a column stand before its other pages.
        if kind == DICTIONARY && all.count > 0 {
            return None;
        }
        at = header.at.checked_add(packed).filter(|end| *end <= chunk.len())?;
        all.unpacked = all.unpacked.checked_add(unpacked)?;
        all.count += 1;
        match kind {
            DICTIONARY => all.dictionary = [values, unpacked],
            _ => all.most_values = all.most_values.max(values),
        }
    }
    Some(all)
}

/// Bytes of Thrift's compact protocol, which are being read.
struct Compact<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Compact<'_> {
    /// The first three fields of a struct, which are whole numbers and stand there once, and the
    /// number of values that the header of its kind says.
    fn sizes(&mut self) -> Option<([i64; 3], u64)> {
        let mut found = [None; 3];
        let (mut last, mut values) = (0, 0);
        while let Some((id, kind)) = self.field(&mut last)? {
            let place = usize::try_from(id).ok()?.checked_sub(1)?;
            match found.get_mut(place) {
                Some(place) if kind == 5 && place.is_none() => *place = Some(self.zigzag()?),
                Some(_) => return None,
                None if KINDS.contains(&id) && kind == 12 => values = values.max(self.values()?),
                None => self.skip(kind, DEEPEST)?,
            }
        }
        let [kind, unpacked, packed] = found;
        Some(([kind?, unpacked?, packed?], values))
    }

    /// The number of values in the header of a kind of page, its first field. The reader makes room
    /// for it; none of the whole numbers there is below 0.
    fn values(&mut self) -> Option<u64> {
        let (mut last, mut values) = (0, 0);
        while let Some((id, kind)) = self.field(&mut last)? {
            match kind {
                5 => {
                    let number = u64::try_from(self.zigzag()?).ok()?;
                    if id == 1 {
                        values = number;
                    }
                }
                _ => self.skip(kind, DEEPEST)?,
            }
        }
        Some(values)
    }

    /// The number and the type of the next field; inner `None` at the end of the struct.
    fn field(&mut self, last: &mut i64) -> Option<Option<(i64, u8)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        let step = i64::from(byte >> 4);
        *last = if step == 0 { self.zigzag()? } else { last.checked_add(step)? };
        Some(Some((*last, byte & 15)))
    }

    fn skip(&mut self, kind: u8, deepest: usize) -> Option<()> {
        let below = deepest.checked_sub(1)?;
        match kind {
            // Fields that are true or false have their value in the type.
            1 | 2 => {}
            3 => _ = self.byte()?,
            4..=6 => _ = self.varint()?,
            7 => self.pass(8)?,
            8 => {
                let length = self.varint()?;
                self.pass(length)?;
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                self.skip_entries(count, &[head & 15], below)?;
            }
            11 => {
                let count = self.varint()?;
                if count > 0 {
                    let kinds = self.byte()?;
                    self.skip_entries(count, &[kinds >> 4, kinds & 15], below)?;
                }
            }
            12 => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, below)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn skip_entries(&mut self, count: u64, kinds: &[u8], deepest: usize) -> Option<()> {
        for _ in 0..count {
            for kind in kinds {
                match kind {
                    // In a list each takes a byte.
                    1 | 2 => _ = self.byte()?,
                    _ => self.skip(*kind, deepest)?,
                }
            }
        }
        Some(())
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        self.at = Some(end).filter(|end| *end <= self.bytes.len())?;
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, proptest};

    /// Type 0, 300 bytes when unpacked, 2 in the file, a struct with one number, and two bytes.
    const PAGE: [u8; 13] = [0x15, 0, 0x15, 0xd8, 4, 0x15, 4, 0x2c, 0x15, 2, 0, 0, 7];

    #[test]
    fn sizes_are_those_of_the_headers() {
        let page = [&PAGE[..], &[8]].concat();
        let found =
            |unpacked, count| Some(Pages { unpacked, count, most_values: 1, ..Pages::default() });
        assert_eq!(pages(&page), found(300, 1));
        assert_eq!(pages(&[&page[..], &page].concat()), found(600, 2));
        assert_eq!(pages(&[]), Some(Pages::default()));
    }

    #[test]
    fn headers_that_hide_a_size_are_none() {
        let page = [&PAGE[..], &[8]].concat();
        assert_eq!(pages(&PAGE), None, "cut");
        // The size once more, by its number: a reader would take the last one.
        let twice = [&page[..7], &[5, 4, 0xd8, 0x84, 1], &page[7..]].concat();
        assert_eq!(pages(&twice), None);
        let dictionary = [&page[..1], &[4], &page[2..]].concat();
        let found = Pages { unpacked: 300, count: 1, dictionary: [1, 300], ..Pages::default() };
        assert_eq!(pages(&dictionary), Some(found));
        assert_eq!(pages(&[&page[..], &dictionary].concat()), None, "not at the beginning");
        let negative = [&page[..3], &[0xd9, 4], &page[5..]].concat();
        assert_eq!(pages(&negative), None);
        let negative = [&page[..9], &[1], &page[10..]].concat();
        assert_eq!(pages(&negative), None, "a number of values below 0");
    }

    proptest! {
        #[test]
        fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Some(found) = pages(&bytes) {
                prop_assert!(found.count <= bytes.len());
            }
        }
    }
}
