//! A disk that fails on demand: rules on top of the real one.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use uqbench_system::disk::{Durability, Kind};
use uqbench_system::{Disk, RealDisk};

/// Numbers of errors, as Linux has them.
pub const EIO: i32 = 5;
pub const EACCES: i32 = 13;
pub const EMFILE: i32 = 24;
pub const ENOSPC: i32 = 28;
pub const ENOENT: i32 = 2;
pub const ENOLCK: i32 = 37;
pub const ESTALE: i32 = 116;

/// A call of the trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Read,
    Length,
    Write,
    Rename,
    Kind,
    Modified,
    List,
    Create,
    Remove,
    Sync,
    Lock,
}

/// A fault.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// The system's error of this number.
    Error(i32),
    /// Only this number of bytes is read.
    Short(usize),
    /// The call succeeds, but returns an error.
    Lie(i32),
    /// Half of the bytes are written, then the process is gone and all its later calls fail.
    Torn,
    /// The call takes this long.
    Late(Duration),
}

#[derive(Debug)]
struct Rule {
    call: Call,
    part: &'static str,
    fault: Fault,
    left: usize,
}

/// The disk. Its rules can be set while it is in use.
#[derive(Debug, Default)]
pub struct Faulty {
    rules: Mutex<Vec<Rule>>,
    /// Whether the process is gone: every later call fails.
    gone: Mutex<bool>,
    moved: Mutex<usize>,
    /// How many seconds its clock is before that of this machine.
    clock: Mutex<i64>,
    /// What was written, synchronised and renamed (to this path), in order.
    done: Mutex<Vec<(Call, PathBuf)>>,
}

impl Faulty {
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// The next `times` such calls whose path contains `part` have this fault.
    pub fn set(&self, call: Call, part: &'static str, fault: Fault, times: usize) {
        self.rules.lock().unwrap().push(Rule { call, part, fault, left: times });
    }

    /// The seconds by which its clock is behind that of this machine.
    pub fn set_clock(&self, seconds: i64) {
        *self.clock.lock().unwrap() = seconds;
    }

    /// From now on no call fails.
    pub fn heal(&self) {
        self.rules.lock().unwrap().clear();
    }

    /// Number of renames and removals so far.
    pub fn moved(&self) -> usize {
        *self.moved.lock().unwrap()
    }

    /// The calls of these kinds that ended well, in order.
    pub fn done(&self) -> Vec<(Call, PathBuf)> {
        self.done.lock().unwrap().clone()
    }

    fn note(&self, call: Call, path: &Path, end: io::Result<()>) -> io::Result<()> {
        end.inspect(|()| self.done.lock().unwrap().push((call, path.into())))
    }

    fn fault(&self, call: Call, path: &Path) -> Option<Fault> {
        if *self.gone.lock().unwrap() {
            return Some(Fault::Error(EIO));
        }
        let text = path.to_string_lossy();
        let mut rules = self.rules.lock().unwrap();
        let rule = rules
            .iter_mut()
            .find(|rule| rule.call == call && rule.left > 0 && text.contains(rule.part))?;
        rule.left -= 1;
        Some(rule.fault)
    }

    fn do_or_fail<T>(
        &self,
        call: Call,
        path: &Path,
        work: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        match self.fault(call, path) {
            None => work(),
            Some(Fault::Late(pause)) => {
                std::thread::sleep(pause);
                work()
            }
            Some(Fault::Lie(code)) => work().and(Err(io::Error::from_raw_os_error(code))),
            Some(Fault::Error(code)) => Err(io::Error::from_raw_os_error(code)),
            Some(fault) => panic!("{call:?} knows no {fault:?}"),
        }
    }
}

impl Disk for Faulty {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.fault(Call::Read, path) {
            None => RealDisk.read(path, most),
            Some(Fault::Short(count)) => {
                RealDisk.read(path, most).map(|bytes| bytes[..count.min(bytes.len())].to_vec())
            }
            Some(Fault::Error(code)) => Err(io::Error::from_raw_os_error(code)),
            Some(fault) => panic!("a read knows no {fault:?}"),
        }
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        self.do_or_fail(Call::Length, path, || RealDisk.length(path))
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.do_or_fail(Call::Kind, path, || RealDisk.kind(path))
    }

    fn modified(&self, path: &Path) -> io::Result<SystemTime> {
        let time = self.do_or_fail(Call::Modified, path, || RealDisk.modified(path))?;
        let ahead = *self.clock.lock().unwrap();
        let by = Duration::from_secs(ahead.unsigned_abs());
        Ok(if ahead > 0 { time + by } else { time - by })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.do_or_fail(Call::List, folder, || RealDisk.list(folder))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.do_or_fail(Call::Create, path, || RealDisk.create_folder(path))
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.do_or_fail(Call::Create, path, || RealDisk.create_folders(path))
    }

    fn write_new(&self, path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
        match self.fault(Call::Write, path) {
            Some(Fault::Torn) => {
                RealDisk.write_new(path, &bytes[..bytes.len() / 2], durability)?;
                *self.gone.lock().unwrap() = true;
                Err(io::Error::from_raw_os_error(EIO))
            }
            Some(Fault::Error(code)) => {
                RealDisk.write_new(path, &bytes[..bytes.len() / 2], durability)?;
                Err(io::Error::from_raw_os_error(code))
            }
            Some(fault) => panic!("a write knows no {fault:?}"),
            None => self.note(Call::Write, path, RealDisk.write_new(path, bytes, durability)),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        *self.moved.lock().unwrap() += 1;
        let end = self.do_or_fail(Call::Rename, to, || RealDisk.rename(from, to));
        self.note(Call::Rename, to, end)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        *self.moved.lock().unwrap() += 1;
        self.do_or_fail(Call::Remove, path, || RealDisk.remove_file(path))
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        *self.moved.lock().unwrap() += 1;
        self.do_or_fail(Call::Remove, path, || RealDisk.remove_folder(path))
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        self.do_or_fail(Call::Create, path, || RealDisk.open_lock(path))
    }

    fn try_lock(&self, file: &File, shared: bool) -> Result<(), TryLockError> {
        match self.fault(Call::Lock, Path::new("")) {
            Some(Fault::Error(code)) => {
                Err(TryLockError::Error(io::Error::from_raw_os_error(code)))
            }
            Some(fault) => panic!("a lock knows no {fault:?}"),
            None => RealDisk.try_lock(file, shared),
        }
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        let end = self.do_or_fail(Call::Sync, path, || RealDisk.sync_file(path));
        self.note(Call::Sync, path, end)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let end = self.do_or_fail(Call::Sync, folder, || RealDisk.sync_folder(folder));
        self.note(Call::Sync, folder, end)
    }
}
