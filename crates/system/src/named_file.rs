//! Read a file that a user names: a regular file, or a pipe that somebody writes to.
//!
//! A pipe without a writer, and a device, may have no end. `table.csv` may be one by mistake, and
//! `/dev/fd/63` is one on purpose.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use super::disk::read_regular;

/// How long somebody may take to begin to write into a named pipe. A pipe of a shell, as in
/// `<(command)`, has its writer from the start.
const WAIT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(5);

/// The bytes of a file, which may be a pipe that somebody writes to, or the terminal that is
/// standard input.
///
/// # Errors
/// As [`read_regular`], and at once for other devices and for sockets; [`ErrorKind::TimedOut`]
/// where nobody begins to write into a pipe.
pub fn read_named(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let facts = fs::metadata(path)?;
    if facts.is_file() || facts.is_dir() {
        return read_regular(path, most);
    }
    let mut bytes = Vec::new();
    open_endless(path, &facts)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => {
            Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")))
        }
        false => Ok(bytes),
    }
}

/// As [`read_named`], of a text.
///
/// # Errors
/// As [`read_named`]; [`ErrorKind::InvalidData`] for other text than UTF-8.
pub fn read_named_text(path: &Path, most: u64) -> io::Result<String> {
    as_text(read_named(path, most)?)
}

/// The text of a regular file.
///
/// # Errors
/// As [`read_regular`]; [`ErrorKind::InvalidData`] for other text than UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> io::Result<String> {
    as_text(read_regular(path, most)?)
}

fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    let wrong = |error: std::string::FromUtf8Error| {
        io::Error::new(ErrorKind::InvalidData, error.utf8_error())
    };
    String::from_utf8(bytes).map_err(wrong)
}

/// What of a pipe is to be read, with the first bytes that were read of it.
type Source = Box<dyn Read>;

#[cfg(unix)]
fn open_endless(path: &Path, facts: &Metadata) -> io::Result<Source> {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = facts.file_type();
    if kind.is_fifo() {
        return open_pipe(path);
    }
    let is_standard_input =
        || fs::metadata("/dev/stdin").is_ok_and(|input| input.rdev() == facts.rdev());
    if kind.is_char_device() && io::stdin().is_terminal() && is_standard_input() {
        return Ok(Box::new(io::stdin()));
    }
    let what = if kind.is_socket() { "socket" } else { "device" };
    Err(io::Error::new(ErrorKind::InvalidData, format!("it is a {what}, expected a file")))
}

#[cfg(not(unix))]
fn open_endless(path: &Path, _: &Metadata) -> io::Result<Source> {
    Ok(Box::new(File::open(path)?))
}

/// Opens a pipe without waiting for a writer, and then waits for one for a while.
#[cfg(unix)]
fn open_pipe(path: &Path) -> io::Result<Source> {
    use rustix::fs::{OFlags, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let mut pipe = File::options().read(true).custom_flags(flags).open(path)?;
    let (start, mut first) = (Instant::now(), [0]);
    let read = loop {
        match pipe.read(&mut first) {
            // There is no writer, or he has gone again.
            Ok(0) if start.elapsed() < WAIT => std::thread::sleep(PAUSE),
            Ok(0) => {
                let why =
                    "it is a pipe into which nobody writes, expected a file; `-` is standard input";
                return Err(io::Error::new(ErrorKind::TimedOut, why));
            }
            Ok(count) => break count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => break 0,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    fcntl_setfl(&pipe, OFlags::empty())?;
    Ok(Box::new(io::Cursor::new(first).take(read as u64).chain(pipe)))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn pipe(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn a_pipe_is_read_where_somebody_writes_and_refused_where_nobody_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = pipe(folder.path());
        let start = Instant::now();
        assert_eq!(read_named(&path, 10).unwrap_err().kind(), ErrorKind::TimedOut);
        assert!((WAIT..10 * WAIT).contains(&start.elapsed()));
        // The writer comes late, and then takes its time.
        let script =
            format!("sleep 0.3; (sleep 0.3; echo one; sleep 0.3; echo two) > {}", path.display());
        for most in [8, 7] {
            let mut writer =
                Command::new("sh").args(["-c", &script]).stderr(Stdio::null()).spawn().unwrap();
            let read = read_named(&path, most);
            assert!(writer.wait().is_ok());
            match read {
                Ok(bytes) => assert_eq!((most, bytes.as_slice()), (8, &b"one\ntwo\n"[..])),
                Err(error) => assert_eq!((most, error.kind()), (7, ErrorKind::FileTooLarge)),
            }
        }
    }

    #[test]
    fn devices_sockets_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [&socket, &link, Path::new("/dev/null"), Path::new("/dev/zero"), folder.path()]
        {
            let kind = read_named(path, 10).unwrap_err().kind();
            assert!(
                [ErrorKind::InvalidData, ErrorKind::IsADirectory].contains(&kind),
                "{}: {kind}",
                path.display()
            );
        }
    }

    #[test]
    fn a_regular_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "text").unwrap();
        assert_eq!(
            (read_named_text(&path, 4).unwrap(), read_regular_text(&path, 4).unwrap()),
            ("text".into(), "text".into())
        );
        assert_eq!(read_named(&path, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_named_text(&path, 4).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}
