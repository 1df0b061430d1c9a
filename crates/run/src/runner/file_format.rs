//! Seal compressed content as one file: its kind and format in the first line, its hash in the
//! second one.

use uqbench_system::hash::sha256;

/// A kind of sealed file.
pub(super) struct FileFormat {
    /// First word of the file.
    pub magic: &'static str,
    /// The format that this program writes, and the newest one that it reads.
    pub format: u64,
    /// The oldest one that it reads.
    pub oldest: u64,
}

/// Why the content of a file is not read.
pub(super) enum Unsealed {
    /// It is another kind of file.
    Foreign,
    /// It is cut or changed, in words.
    Damaged(&'static str),
    /// Its format is older.
    Older,
    /// Its format is newer.
    Newer(u64),
}

impl FileFormat {
    /// The file of this content.
    pub fn seal(&self, content: &[u8]) -> Vec<u8> {
        let mut file =
            format!("{} {}\n{}\n", self.magic, self.format, sha256(content)).into_bytes();
        file.extend(content);
        file
    }

    /// The content of a file.
    ///
    /// # Errors
    /// [`Unsealed`].
    pub fn open<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], Unsealed> {
        let line = |rest: &[u8]| rest.iter().position(|byte| *byte == b'\n');
        let first = line(file).ok_or(Unsealed::Foreign)?;
        let text = std::str::from_utf8(&file[..first]).ok();
        match text.and_then(|text| text.strip_prefix(self.magic)?.trim().parse::<u64>().ok()) {
            Some(format) if (self.oldest..=self.format).contains(&format) => {}
            Some(newer) if newer > self.format => return Err(Unsealed::Newer(newer)),
            Some(1..) => return Err(Unsealed::Older),
            _ => return Err(Unsealed::Foreign),
        }
        let rest = &file[first + 1..];
        let second = line(rest).ok_or(Unsealed::Damaged("it is cut"))?;
        let content = &rest[second + 1..];
        if rest[..second] == *sha256(content).as_bytes() {
            Ok(content)
        } else {
            Err(Unsealed::Damaged("its bytes are not those that were written"))
        }
    }
}
