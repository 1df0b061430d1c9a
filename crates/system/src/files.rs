//! Write files completely or not at all.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::Patient;
use super::disk::{Disk, Durability, Kind, RealDisk};
use super::machine::{boot, host};

/// Ending of files that are being written.
pub const UNFINISHED: &str = ".part";

/// Longest name of a file that is written whole, in bytes: file systems take 255, and its temporary
/// name has two points and 32 digits more.
pub const LONGEST_NAME: usize = 255 - 34 - UNFINISHED.len();

/// A temporary file older than this was left behind by a program that was killed.
const STALE: Duration = Duration::from_secs(60);

/// 64 unpredictable bits: a hash by a key that the standard library takes from the operating
/// system's random numbers.
pub fn random_bits() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// 32 unpredictable hexadecimal digits for the end of a temporary name.
pub fn random_digits() -> String {
    format!("{:016x}{:016x}", random_bits(), random_bits())
}

/// Digits as [`random_digits`], of which the first eight tell the host, where its name is known and
/// its own.
pub fn host_digits() -> String {
    let random = random_digits();
    match own_digits() {
        Some(own) => own + &random[8..],
        None => random,
    }
}

/// What another host has left for so long is in nobody's use.
pub const ABANDONED: Duration = Duration::from_secs(3600);

/// Whether nobody uses the entry that has these digits in its name: it is of this host, whose other
/// programs the caller has locked out, or it is old by the clock of its file system, which is that
/// of the file `probe`, written `now`. The clocks of hosts differ and are not read, and locks may
/// not reach other hosts.
///
/// # Errors
/// The operating system's error.
pub fn is_abandoned(
    disk: &dyn Disk,
    path: &Path,
    digits: &str,
    (probe, now): (&Path, &mut Option<SystemTime>),
) -> io::Result<bool> {
    if is_own_host(digits) {
        return Ok(true);
    }
    let now = match *now {
        Some(now) => now,
        None => {
            disk.write_new(probe, b"", Durability::Cached)?;
            let written = disk.modified(probe);
            remove_file(disk, probe)?;
            *now.insert(written?)
        }
    };
    match disk.modified(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        written => Ok(now.duration_since(written?).is_ok_and(|age| age > ABANDONED)),
    }
}

/// Removes a file that may be gone already.
///
/// # Errors
/// The operating system's error.
pub fn remove_file(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    match disk.remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        end => end,
    }
}

/// Whether a program on this host made these digits. It may be wrong for digits without host: one
/// time in 2³².
pub fn is_own_host(digits: &str) -> bool {
    own_digits().is_some_and(|own| digits.starts_with(&own))
}

/// Eight digits of the running host; `None` where it has no name that other hosts lack. Hosts that
/// were given one name differ in what was drawn when they started.
fn own_digits() -> Option<String> {
    let name = host().filter(|name| {
        !["", "(none)"].contains(&name.as_str()) && !name.starts_with("localhost")
    })?;
    let hash = (name + &boot().unwrap_or_default())
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Some(format!("{hash:08x}"))
}

/// Name of the temporary file that becomes `name`.
pub fn temporary_name(name: &str) -> String {
    format!(".{name}.{}{UNFINISHED}", host_digits())
}

/// The digits at the end of a temporary file's name.
pub fn digits_of(temporary: &str) -> &str {
    temporary.strip_suffix(UNFINISHED).and_then(|name| name.rsplit('.').next()).unwrap_or_default()
}

/// Whether a file's name is one of [`write_whole`]'s temporary ones, of this version or of an
/// earlier one (process and number).
pub fn is_temporary(name: &str) -> bool {
    let inner = name.strip_prefix('.').and_then(|name| name.strip_suffix(UNFINISHED));
    let Some((rest, last)) = inner.and_then(|inner| inner.rsplit_once('.')) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let random = last.len() == 32 && last.bytes().all(|b| b.is_ascii_hexdigit());
    let earlier = digits(last)
        && rest.rsplit_once('.').is_some_and(|(name, process)| !name.is_empty() && digits(process));
    !rest.is_empty() && (random || earlier)
}

/// Replaces a file in one step: temporary file in the same folder, fsync, rename, fsync of the
/// folder.
///
/// # Errors
/// The operating system's error. The old file is then unchanged, and no temporary file is left.
pub fn write_whole(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(temporary_name(&name));
    let written = disk
        .write_new(&temporary, bytes, Durability::Synced)
        .and_then(|()| disk.rename(&temporary, path));
    if written.is_err() {
        let _ = disk.remove_file(&temporary); // the first error is the one to report
    }
    written?;
    disk.sync_folder(folder)
}

/// Files that are synchronised at once: the disk then writes its log once for many of them.
const AT_ONCE: usize = 8;

/// Makes a folder and all that is below it survive a power cut: first every file, then every
/// folder. Links are not followed.
///
/// # Errors
/// The operating system's error.
pub fn sync_below(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        for name in disk.list(&folder)? {
            let path = folder.join(name);
            match disk.kind(&path)? {
                Kind::File => files.push(path),
                Kind::Folder => folders.push(path),
                Kind::Link | Kind::Other => {}
            }
        }
        at += 1;
    }
    disk.flush(folder);
    let pool = ThreadPoolBuilder::new().num_threads(AT_ONCE).build().map_err(io::Error::other)?;
    pool.install(|| {
        files.par_iter().try_for_each(|path| disk.sync_file(path))?;
        folders.par_iter().try_for_each(|path| disk.sync_folder(path))
    })
}

/// Writes an output file whose path the user chose. A regular file is replaced in one step. For a
/// link its target is written and the link stays. A device or a pipe is written to.
///
/// # Errors
/// The operating system's error. A folder and a link without a target are refused with a message.
pub fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let refuse = |why: &str| Err(io::Error::new(ErrorKind::InvalidInput, why));
    match RealDisk.kind(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => write_replacing(path, bytes),
        Err(error) => Err(error),
        Ok(Kind::File) => write_replacing(path, bytes),
        Ok(Kind::Folder) => refuse("it is a folder, expected a file"),
        Ok(Kind::Link) => match path.canonicalize() {
            Ok(target) => write_output(&target, bytes),
            // such as /dev/stdout when it is a pipe
            Err(_) if fs::metadata(path).is_ok() => write_into(path, bytes),
            Err(_) => {
                refuse("it is a link that leads to no file; remove the link, or name its target")
            }
        },
        Ok(Kind::Other) => write_into(path, bytes),
    }
}

fn write_replacing(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(&Patient::machine(), path, bytes)?;
    sweep_beside(path);
    Ok(())
}

fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    File::options().write(true).open(path)?.write_all(bytes)
}

/// Removes temporary files of the same output that a killed program left. Their age is the time
/// between them and the output that was just written, because the clock of a network file system is
/// not that of this machine.
pub fn sweep_beside(path: &Path) {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let own = format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy());
    let (Ok(entries), Ok(now)) = (fs::read_dir(folder), RealDisk.modified(path)) else { return };
    for entry in entries.flatten() {
        let is_own = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(&own) && is_temporary(name));
        let changed = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = changed.and_then(|changed| now.duration_since(changed).ok());
        if is_own && age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path()); // another program may have removed it first
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_longest_name_is_written_and_a_longer_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |bytes: usize| write_output(&folder.path().join("n".repeat(bytes)), b"one");
        assert!(write(LONGEST_NAME).is_ok() && write(LONGEST_NAME + 1).is_err());
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.md");
        write_whole(&RealDisk, &path, b"one").unwrap();
        write_whole(&RealDisk, &path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(
            write_whole(&RealDisk, &folder.path().join("taken"), b"three").is_err(),
            "a folder is in its place"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn temporary_names_are_our_own_and_no_two_are_alike() {
        let (one, two) = (temporary_name("a.csv"), temporary_name("a.csv"));
        assert!(one != two && is_temporary(&one) && is_temporary(&two), "{one} {two}");
        assert!(is_temporary(".yacht.data.4711.0.part"), "an earlier version's");
        for foreign in [
            "a.csv",
            ".a.csv.part",
            ".part",
            ".a.b.part",
            "a.csv.12.0.part",
            ".notes.12.x.part",
            "..12.part",
        ] {
            assert!(!is_temporary(foreign), "{foreign}");
        }
    }

    #[test]
    fn what_a_killed_program_left_beside_an_output_is_removed_once_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join(temporary_name("a.csv"));
        let (young, foreign) =
            (folder.path().join(temporary_name("a.csv")), folder.path().join(".a.csv.part"));
        for path in [&old, &young, &foreign] {
            fs::write(path, "half").unwrap();
        }
        for path in [&old, &foreign] {
            File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(SystemTime::now() - 2 * STALE)
                .unwrap();
        }
        write_output(&folder.path().join("a.csv"), b"whole").unwrap();
        assert!(!old.exists() && young.exists() && foreign.exists());
    }
}
