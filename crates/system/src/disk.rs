//! Access the disk through one small trait, so that tests can make any call fail as real disks do.

use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The type of a file system entry. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

/// Whether a new file must be on the disk before the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file is on the disk before the call returns, so that a power cut does not lose it.
    Synced,
    /// The file may reach the disk later, because it can be made again, or because it is
    /// synchronised with others once all of them are written
    /// ([`sync_below`](super::files::sync_below)).
    Cached,
}

/// The calls that the store and the cache make. A disk can refuse each of them.
pub trait Disk: Debug + Send + Sync {
    /// The bytes of a file of at most `most` bytes. A disk may return too few of them;
    /// [`read_whole`] checks that the file is complete.
    ///
    /// # Errors
    /// As [`read_regular`].
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Length of a file in bytes.
    ///
    /// # Errors
    /// The operating system's error.
    fn length(&self, path: &Path) -> io::Result<u64>;

    /// The type of an entry. Links are not followed.
    ///
    /// # Errors
    /// The operating system's error; [`ErrorKind::NotFound`] where there is no entry.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// When an entry was last written, by the clock of the file system, which may be that of
    /// another host.
    ///
    /// # Errors
    /// The operating system's error.
    fn modified(&self, path: &Path) -> io::Result<SystemTime>;

    /// The names in a folder, in ascending order.
    ///
    /// # Errors
    /// The operating system's error.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Makes a folder, which must not exist.
    ///
    /// # Errors
    /// The operating system's error.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder and those above it.
    ///
    /// # Errors
    /// The operating system's error.
    fn create_folders(&self, path: &Path) -> io::Result<()>;

    /// Writes a file, which must not exist.
    ///
    /// # Errors
    /// The operating system's error.
    fn write_new(&self, path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()>;

    /// Gives a file or a folder another name.
    ///
    /// # Errors
    /// The operating system's error.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The operating system's error.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// The operating system's error.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Opens the file of a lock to write, and makes it where there is none.
    ///
    /// # Errors
    /// The operating system's error.
    fn open_lock(&self, path: &Path) -> io::Result<File> {
        File::options().create(true).truncate(false).write(true).open(path)
    }

    /// Takes the lock of an open file: shared with others, or alone.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] where another process has it; the operating system's error
    /// where the file system has no locks.
    fn try_lock(&self, file: &File, shared: bool) -> Result<(), TryLockError> {
        if shared { file.try_lock_shared() } else { file.try_lock() }
    }

    /// Writes what waits for the disk of this folder, all at once where the system can. It promises
    /// nothing: it is there to make the synchronisation of many files faster, which follows.
    fn flush(&self, _folder: &Path) {}

    /// Makes the bytes of a file survive a power cut.
    ///
    /// # Errors
    /// The operating system's error.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// Makes the renames in a folder survive a power cut.
    ///
    /// # Errors
    /// The operating system's error.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// Most bytes of a file whose content has any length: those of the largest pack.
pub const LARGEST: u64 = 1 << 34;

/// The bytes of a regular file, or of one to which a link leads. A pipe or a device may have no
/// end, and a file may claim any length: both are refused before anything is read.
///
/// # Errors
/// The operating system's error; [`ErrorKind::InvalidData`] with what is there instead;
/// [`ErrorKind::FileTooLarge`] for more than `most` bytes.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path, most)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has grown beyond {most} bytes"),
        )),
        false => Ok(bytes),
    }
}

/// A regular file, open to be read.
///
/// # Errors
/// As [`read_regular`].
pub fn open_regular(path: &Path, most: u64) -> io::Result<File> {
    let facts = fs::metadata(path)?;
    if facts.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, expected a file"));
    }
    if !facts.is_file() {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "it is a pipe or a device, expected a regular file",
        ));
    }
    if facts.len() > most {
        let why = format!("it has {} bytes, expected at most {most}", facts.len());
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    File::open(path)
}

/// The machine's file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        read_regular(path, most)
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        fs::symlink_metadata(path).map(|metadata| metadata.len())
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let kind = fs::symlink_metadata(path)?.file_type();
        Ok(match (kind.is_file(), kind.is_dir(), kind.is_symlink()) {
            (true, ..) => Kind::File,
            (_, true, _) => Kind::Folder,
            (.., true) => Kind::Link,
            _ => Kind::Other,
        })
    }

    fn modified(&self, path: &Path) -> io::Result<SystemTime> {
        fs::symlink_metadata(path)?.modified()
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut names = fs::read_dir(folder)?
            .map(|entry| entry.map(|e| e.file_name()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        if durability == Durability::Synced { file.sync_all() } else { Ok(()) }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn flush(&self, folder: &Path) {
        #[cfg(target_os = "linux")]
        if let Ok(folder) = File::open(folder) {
            // a file that could not be written says so when it is synchronised
            let _ = rustix::fs::syncfs(folder);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = folder;
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        // Windows synchronises no file that is open for reading alone.
        File::options().write(true).open(path)?.sync_all()
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Windows cannot open a folder, so it cannot be synchronised there.
        if cfg!(not(unix)) {
            return Ok(());
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()
    }
}

/// Pauses before a file of which too few bytes were read is read again.
const PAUSES: [Duration; 4] = [
    Duration::ZERO,
    Duration::from_millis(10),
    Duration::from_millis(50),
    Duration::from_millis(200),
];

/// Whether the error is transient, so that another attempt may succeed a moment later: too many
/// open files, a stale handle of a network file system, a busy device.
pub fn is_passing(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::Interrupted,
        ErrorKind::WouldBlock,
        ErrorKind::StaleNetworkFileHandle,
        ErrorKind::ResourceBusy,
        ErrorKind::TimedOut,
    ];
    kinds.contains(&error.kind()) || has_too_many_files(error)
}

/// Whether the disk or a quota is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

#[cfg(unix)]
fn has_too_many_files(error: &io::Error) -> bool {
    use rustix::io::Errno;
    error
        .raw_os_error()
        .is_some_and(|code| [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error).contains(&code))
}

#[cfg(not(unix))]
fn has_too_many_files(_: &io::Error) -> bool {
    false
}

/// Whether something else is in the place of a file, or a file that is larger than it can be: no
/// other attempt reads it.
pub fn is_unfit(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::IsADirectory | ErrorKind::InvalidData | ErrorKind::FileTooLarge
    )
}

/// Every byte of a file of at most `most` bytes. Incomplete reads are tried again.
///
/// # Errors
/// As [`read_regular`]; [`ErrorKind::UnexpectedEof`] where every attempt returns fewer bytes than
/// the file's length.
pub fn read_whole(disk: &dyn Disk, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut shorter = (0, 0);
    for pause in PAUSES {
        std::thread::sleep(pause);
        let bytes = disk.read(path, most)?;
        let length = disk.length(path)?;
        if bytes.len() as u64 >= length {
            return Ok(bytes);
        }
        shorter = (bytes.len(), length);
    }
    let (found, length) = shorter;
    Err(io::Error::new(
        ErrorKind::UnexpectedEof,
        format!("only {found} of {length} bytes could be read"),
    ))
}
