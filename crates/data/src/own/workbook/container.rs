//! Read a stream of a compound file (MS-CFB), the container of an Excel workbook from before 2007,
//! as its reader does.

/// Bytes of a sector of the small streams.
const SMALL: usize = 64;
/// A stream of fewer bytes is in small sectors.
const LARGE_STREAM: usize = 4096;
/// Numbers from here on name no sector.
const NO_SECTOR: u32 = 0xffff_fffa;
/// Bytes of the header.
const HEADER: usize = 512;
/// Bytes of an entry of the folder.
const ENTRY: usize = 128;

/// Two bytes, the lower one first.
pub(super) fn u16_at(bytes: &[u8], place: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(place..)?.first_chunk().copied()?))
}

/// Four bytes, the lowest one first.
pub(super) fn u32_at(bytes: &[u8], place: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(place..)?.first_chunk().copied()?))
}

/// A stream of a file.
struct Entry {
    name: String,
    start: u32,
    length: usize,
}

/// Sectors, and which one follows which.
struct Sectors<'a> {
    bytes: &'a [u8],
    size: usize,
    next: Vec<u32>,
}

impl Sectors<'_> {
    fn sector(&self, id: u32) -> Option<&[u8]> {
        let start = usize::try_from(id).ok()?.checked_mul(self.size)?;
        self.bytes
            .get(start..self.bytes.len().min(start + self.size))
            .filter(|sector| !sector.is_empty())
    }

    /// The bytes of the sectors from this one on, at most `length` bytes; `None` for one that is
    /// not there, and for a circle.
    fn chain(&self, mut id: u32, length: usize) -> Option<Vec<u8>> {
        let mut found = Vec::new();
        while id < NO_SECTOR && found.len() < length {
            let sector = self.sector(id)?;
            found.extend_from_slice(&sector[..sector.len().min(length - found.len())]);
            if found.len() > self.bytes.len() {
                return None;
            }
            id = *self.next.get(usize::try_from(id).ok()?)?;
        }
        Some(found)
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    (0..bytes.len() / 4).filter_map(|place| u32_at(bytes, 4 * place))
}

/// The stream of the first of these names that a file has; inner `None` where it cannot be read.
pub(super) fn stream(file: &[u8], names: &[&str]) -> Option<Option<Vec<u8>>> {
    let size = 1_usize << u16_at(file, 30).filter(|shift| [9, 12].contains(shift))?;
    let mut sectors = Sectors { bytes: file.get(size..)?, size, next: Vec::new() };
    let mut lists: Vec<u32> = numbers(file.get(76..HEADER)?).collect();
    let mut more = u32_at(file, 68)?;
    while more < NO_SECTOR && lists.len() <= file.len() {
        lists.extend(numbers(sectors.sector(more)?));
        more = lists.pop()?;
    }
    for list in lists.into_iter().filter(|id| *id < NO_SECTOR) {
        let part: Vec<u32> = numbers(sectors.sector(list)?).collect();
        if sectors.next.len() > file.len() {
            return None;
        }
        sectors.next.extend(part);
    }
    let folder = sectors.chain(u32_at(file, 48)?, usize::MAX)?;
    let entries: Vec<Entry> =
        folder.chunks_exact(ENTRY).filter_map(|entry| Entry::read(entry, size)).collect();
    let named = |name: &&str| entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
    let found = names.iter().find_map(named)?;
    Some(if found.length < LARGE_STREAM {
        let root = entries.first()?;
        let bytes = sectors.chain(root.start, root.length)?;
        let next = numbers(&sectors.chain(u32_at(file, 60)?, usize::MAX)?).collect();
        Sectors { bytes: &bytes, size: SMALL, next }.chain(found.start, found.length)
    } else {
        sectors.chain(found.start, found.length)
    })
}

impl Entry {
    fn read(entry: &[u8], sector: usize) -> Option<Self> {
        let letters: Vec<u16> = (0..32)
            .filter_map(|place| u16_at(entry, 2 * place))
            .take_while(|letter| *letter != 0)
            .collect();
        let mut length = u64::from(u32_at(entry, 120)?);
        if sector > HEADER {
            length |= u64::from(u32_at(entry, 124)?) << 32;
        }
        let length = usize::try_from(length).ok()?;
        Some(Self { name: String::from_utf16_lossy(&letters), start: u32_at(entry, 116)?, length })
    }
}
