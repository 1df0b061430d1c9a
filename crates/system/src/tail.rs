//! Read a stream to its end, and keep its last bytes.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Number of bytes that are kept, from the end of the stream.
const KEPT: usize = 1 << 16;

/// How often a waiting thread checks whether the stream has ended.
const POLL: Duration = Duration::from_millis(5);

/// The last 64 KiB of a stream that a thread reads, such as a process' standard error. Earlier
/// bytes are dropped.
#[derive(Debug)]
pub struct Tail {
    kept: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Tail {
    /// Starts to read.
    ///
    /// # Errors
    /// The operating system's error where no thread can be started.
    pub fn of(from: impl Read + Send + 'static) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let into = kept.clone();
        let reader =
            std::thread::Builder::new().name("messages".into()).spawn(move || keep(from, &into))?;
        Ok(Self { kept, reader })
    }

    /// The last bytes so far, as text. If the stream has not ended, waits for its end until
    /// `latest`: a process that was left behind may hold the stream open.
    pub fn text(&self, latest: Instant) -> String {
        while !self.reader.is_finished() && Instant::now() < latest {
            std::thread::sleep(POLL);
        }
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner))
            .into_owned()
    }
}

fn keep(mut from: impl Read, into: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1 << 14];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => {
                let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&chunk[..count]);
                let over = kept.len().saturating_sub(KEPT);
                kept.drain(..over);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_stream_is_kept() {
        let text = format!("start{}the end", ".".repeat(3 * KEPT));
        let tail = Tail::of(io::Cursor::new(text.clone().into_bytes())).unwrap();
        let found = tail.text(Instant::now() + Duration::from_secs(60));
        assert_eq!(found, text[text.len() - KEPT..]);
    }
}
