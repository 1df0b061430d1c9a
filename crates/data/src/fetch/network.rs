//! Download a file over HTTP, with retries, resumption after an interruption, and a quick error
//! without network.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ureq::http::Response;
use ureq::{Agent, Body, Error, Timeout};

use crate::archive::LARGEST;
use uq_core::CancelToken;
use uq_core::printable::printable;

/// Time limits and retries of downloads.
#[derive(Clone, Debug)]
pub struct NetworkOptions {
    /// Limit for finding a host's address, and then for connecting to it.
    pub connect: Duration,
    /// Limit for a response's header after the connection.
    pub respond: Duration,
    /// Limit for the time without a byte of the body.
    pub stall: Duration,
    /// Pauses before the second attempt, the third, and so on. Their number limits the attempts.
    pub pauses: Vec<Duration>,
    /// Limit for the whole process until the first host has answered. After it, there is no
    /// network.
    pub first_contact: Duration,
    /// A host must send [`NetworkOptions::least`] bytes within any window of this length.
    pub window: Duration,
    /// The fewest bytes of a body within a window.
    pub least: u64,
    /// Limit for all attempts at one file together, plus a second for every 32 KiB of the file.
    pub overall: Duration,
    /// Limit for all attempts at one file together, where the user set one.
    pub most: Option<Duration>,
    /// Flag that asks to stop. It is checked between two reads and before each attempt.
    pub cancel: CancelToken,
}

/// Bytes per second that a host must reach over a whole file, except in its first minutes.
const SLOWEST: u64 = 32 << 10;

impl Default for NetworkOptions {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(4),
            respond: Duration::from_secs(30),
            stall: Duration::from_secs(30),
            pauses: vec![
                Duration::from_millis(500),
                Duration::from_secs(2),
                Duration::from_secs(5),
            ],
            first_contact: Duration::from_secs(9),
            window: Duration::from_secs(20),
            least: 20 << 10,
            overall: Duration::from_secs(180),
            most: None,
            cancel: CancelToken::default(),
        }
    }
}

/// The response of a host.
pub(super) struct Download {
    pub bytes: Vec<u8>,
    pub content_type: String,
}

/// Hosts that this process has tried.
#[derive(Default)]
struct Contacts {
    /// Whether any host has answered.
    reached: bool,
    /// Time spent on hosts before any of them answered.
    spent: Duration,
    /// Hosts that did not answer, and why.
    unreachable: HashMap<String, String>,
}

/// Why one attempt failed.
enum Failure {
    /// Another attempt may succeed.
    Transient(String),
    /// No other attempt will succeed.
    Final(String),
}

/// The network, with what this process has learned about its hosts.
pub(super) struct Network {
    agent: Agent,
    options: NetworkOptions,
    contacts: Mutex<Contacts>,
    /// Held while the first host is contacted, so that threads do not wait for dead hosts in
    /// parallel.
    first_contact: Mutex<()>,
    progress: bool,
}

impl Network {
    pub fn new(options: NetworkOptions, progress: bool) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("uqbench/", env!("CARGO_PKG_VERSION")))
            // The file's bytes are hashed, so hosts must not compress them in transit.
            .accept_encoding("identity")
            .timeout_send_request(Some(options.respond))
            .timeout_per_read(Some(options.stall))
            .build();
        Self {
            agent: Agent::new_with_config(config),
            options,
            contacts: Mutex::new(Contacts::default()),
            first_contact: Mutex::new(()),
            progress,
        }
    }

    /// The bytes at an address, or a message why they could not be fetched.
    pub fn get(&self, url: &str) -> Result<Download, String> {
        let host = host(url);
        let mut partial = Partial::default();
        let mut pauses = self.options.pauses.iter();
        let watch = Watch { options: &self.options, start: Instant::now() };
        loop {
            if let Err(Failure::Final(reason)) = watch.check(0) {
                return Err(reason);
            }
            match self.attempt(url, host, &mut partial, &watch) {
                Ok(content_type) => return Ok(Download { bytes: partial.bytes, content_type }),
                Err(Failure::Final(reason)) => return Err(reason),
                Err(Failure::Transient(reason)) => match pauses.next() {
                    Some(pause) => std::thread::sleep(*pause),
                    None => {
                        return Err(format!(
                            "{reason} ({} attempts)",
                            self.options.pauses.len() + 1
                        ));
                    }
                },
            }
        }
    }

    fn attempt(
        &self,
        url: &str,
        host: &str,
        partial: &mut Partial,
        watch: &Watch,
    ) -> Result<String, Failure> {
        let mut response = self.contact(url, host, partial)?;
        let header = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        let content_type = printable(&header("content-type").unwrap_or_default(), 80);
        // If the host compressed the body in spite of the request, its length does not apply to the
        // bytes here.
        let packed = header("content-encoding").is_some_and(|encoding| encoding != "identity");
        let length: Option<u64> =
            header("content-length").filter(|_| !packed).and_then(|text| text.parse().ok());
        match response.status().as_u16() {
            200 => partial.restart(header("etag")),
            206 if partial.continues(header("content-range").as_deref()) => {}
            206 => {
                partial.restart(None);
                return Err(Failure::Transient(
                    "the host resumed at another byte than asked".into(),
                ));
            }
            // The host cannot resume there. It may now have another file.
            416 if !partial.bytes.is_empty() => {
                partial.restart(None);
                return Err(Failure::Transient("the host refused to resume".into()));
            }
            status @ (408 | 425 | 429 | 500..=599) => {
                return Err(Failure::Transient(format!("HTTP status {status}")));
            }
            status => return Err(Failure::Final(format!("HTTP status {status}"))),
        }
        let expected = length.map(|length| partial.bytes.len() as u64 + length);
        if expected.is_some_and(|expected| expected > LARGEST) {
            return Err(Failure::Final(format!("it is larger than {LARGEST} bytes")));
        }
        let bar = self.bar(url, partial.bytes.len() as u64, expected);
        let read = read_body(response.body_mut(), partial, &bar, watch);
        bar.finish_and_clear();
        read?;
        let found = partial.bytes.len() as u64;
        match expected {
            Some(expected) if found != expected => {
                Err(Failure::Transient(format!("cut after {found} of {expected} bytes")))
            }
            _ => Ok(content_type),
        }
    }

    /// Sends the request and receives the response's header, and remembers whether the host
    /// answered.
    fn contact(&self, url: &str, host: &str, partial: &Partial) -> Result<Response<Body>, Failure> {
        let reached = self.contacts().reached;
        let _turn =
            (!reached).then(|| self.first_contact.lock().unwrap_or_else(PoisonError::into_inner));
        let (reached, left) = {
            let contacts = self.contacts();
            if let Some(reason) = contacts.unreachable.get(host) {
                return Err(Failure::Final(format!("{reason} (found out before)")));
            }
            (contacts.reached, self.options.first_contact.saturating_sub(contacts.spent))
        };
        if !reached && left < self.options.first_contact / 20 {
            return Err(Failure::Final(
                "no host has answered so far: there seems to be no network".into(),
            ));
        }
        // Before the first answer, finding a host, connecting and answering share the remaining
        // time.
        let share =
            |timeout: Duration, part: u32| if reached { timeout } else { timeout.min(left / part) };
        let mut request = self
            .agent
            .get(url)
            .config()
            .timeout_resolve(Some(share(self.options.connect, 4)))
            .timeout_connect(Some(share(self.options.connect, 4)))
            .timeout_recv_response(Some(share(self.options.respond, 2)))
            .build();
        if !partial.bytes.is_empty() {
            request = request.header("Range", format!("bytes={}-", partial.bytes.len()));
            if let Some(tag) = &partial.tag {
                request = request.header("If-Range", tag);
            }
        }
        let start = Instant::now();
        let result = request.call();
        let mut contacts = self.contacts();
        match result {
            Ok(response) => {
                contacts.reached = true;
                Ok(response)
            }
            Err(error) => {
                let reason = printable(&explain(&error), 160);
                if !contacts.reached {
                    contacts.spent += start.elapsed();
                }
                // After a transient error, a host is tried again only if it has answered before.
                if contacts.reached && is_slip(&error) {
                    return Err(Failure::Transient(reason));
                }
                contacts.unreachable.insert(host.to_owned(), reason.clone());
                Err(Failure::Final(reason))
            }
        }
    }

    fn contacts(&self) -> std::sync::MutexGuard<'_, Contacts> {
        self.contacts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bar(&self, url: &str, from: u64, length: Option<u64>) -> ProgressBar {
        if !self.progress {
            return ProgressBar::hidden();
        }
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
        {
            bar.set_style(style);
        }
        bar.set_message(printable(url.rsplit('/').next().unwrap_or(url), 50));
        bar.set_position(from);
        bar
    }
}

/// Checks that a download is fast enough, and that no one asked to stop.
struct Watch<'a> {
    options: &'a NetworkOptions,
    /// Start of the first attempt.
    start: Instant,
}

impl Watch<'_> {
    /// Checks whether it may continue after `found` bytes.
    fn check(&self, found: u64) -> Result<(), Failure> {
        if self.options.cancel.is_cancelled() {
            return Err(Failure::Final("stopped by the user".into()));
        }
        let by_size = self.options.overall + Duration::from_secs(found / SLOWEST);
        let limit = self.options.most.map_or(by_size, |most| most.min(by_size));
        if self.start.elapsed() > limit {
            let seconds = limit.as_secs_f64();
            return Err(Failure::Final(format!("too slow: {found} bytes after {seconds:.0} s")));
        }
        Ok(())
    }
}

/// The bytes of a file that have arrived so far.
#[derive(Default)]
struct Partial {
    bytes: Vec<u8>,
    /// The host's entity tag of this version of the file.
    tag: Option<String>,
}

impl Partial {
    fn restart(&mut self, tag: Option<String>) {
        self.bytes.clear();
        // A weak tag does not guarantee the same bytes.
        self.tag = tag.filter(|tag| !tag.starts_with("W/"));
    }

    /// Whether `Content-Range: bytes START-END/SIZE` starts where the bytes so far end.
    fn continues(&self, content_range: Option<&str>) -> bool {
        let start = content_range
            .and_then(|range| range.strip_prefix("bytes ")?.split('-').next()?.parse().ok());
        start == Some(self.bytes.len() as u64)
    }
}

fn read_body(
    body: &mut Body,
    partial: &mut Partial,
    bar: &ProgressBar,
    watch: &Watch,
) -> Result<(), Failure> {
    let mut reader = body.as_reader();
    let mut chunk = vec![0; 1 << 16];
    let (mut window, mut before) = (Instant::now(), partial.bytes.len());
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(count) => partial.bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let found = partial.bytes.len();
                return Err(Failure::Transient(format!(
                    "cut after {found} bytes: {}",
                    printable(&error.to_string(), 120)
                )));
            }
        }
        if partial.bytes.len() as u64 > LARGEST {
            return Err(Failure::Final(format!("it is larger than {LARGEST} bytes")));
        }
        bar.set_position(partial.bytes.len() as u64);
        watch.check(partial.bytes.len() as u64)?;
        if window.elapsed() > watch.options.window {
            let came = (partial.bytes.len() - before) as u64;
            if came < watch.options.least {
                let seconds = watch.options.window.as_secs_f64();
                return Err(Failure::Final(format!(
                    "too slow: {came} bytes in the last {seconds:.0} s"
                )));
            }
            (window, before) = (Instant::now(), partial.bytes.len());
        }
    }
}

/// Whether the error is transient, for a host that has answered before.
fn is_slip(error: &Error) -> bool {
    match error {
        Error::Timeout(timeout) => !matches!(timeout, Timeout::Resolve | Timeout::Connect),
        Error::Io(error) => !matches!(error.kind(), std::io::ErrorKind::ConnectionRefused),
        Error::Protocol(_) | Error::ConnectionFailed => true,
        _ => false,
    }
}

fn explain(error: &Error) -> String {
    match error {
        Error::HostNotFound => "the host's address cannot be found".into(),
        Error::Timeout(Timeout::Resolve) => "finding the host's address took too long".into(),
        Error::Timeout(Timeout::Connect) => "the host did not accept a connection in time".into(),
        Error::Timeout(Timeout::RecvResponse | Timeout::PerRead) => {
            "the host did not answer in time".into()
        }
        other => other.to_string(),
    }
}

/// The host and port of an address.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests;
