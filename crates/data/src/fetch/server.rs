//! Serve files over HTTP on this machine, with the faults that a test requests.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The request of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub path: String,
    /// First byte of the request's `Range: bytes=START-`.
    pub start: Option<usize>,
    pub if_range: Option<String>,
    /// Number of requests before this one.
    pub before: usize,
}

/// The server's reply.
pub(super) struct Reply {
    status: &'static str,
    headers: Vec<String>,
    body: Vec<u8>,
    /// The length that the header claims.
    length: usize,
    /// Send only this number of bytes of the body, then wait, then close.
    cut: Option<(usize, Duration)>,
    /// Send one byte at a time, with this pause after each.
    drip: Option<Duration>,
}

impl Reply {
    pub fn new(status: &'static str, body: &[u8]) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.to_vec(),
            length: body.len(),
            cut: None,
            drip: None,
        }
    }

    pub fn ok(body: &[u8]) -> Self {
        Self::new("200 OK", body)
    }

    pub fn header(mut self, line: &str) -> Self {
        self.headers.push(line.into());
        self
    }

    pub fn claim(mut self, length: usize) -> Self {
        self.length = length;
        self
    }

    pub fn drip(mut self, pause: Duration) -> Self {
        self.drip = Some(pause);
        self
    }

    pub fn cut(mut self, after: usize, wait: Duration) -> Self {
        self.cut = Some((after, wait));
        self
    }
}

/// A server for as long as the test's process lives.
pub(super) struct Server {
    /// `http://127.0.0.1:PORT`.
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub fn start(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let reply = Arc::new(reply);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, reply) = (Arc::clone(&seen), Arc::clone(&reply));
                std::thread::spawn(move || {
                    if let Some(request) = read(&stream, &seen) {
                        // An error after the client has closed the connection is ignored.
                        let _ = write(stream, reply(&request));
                    }
                });
            }
        });
        Self { address, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream, seen: &Mutex<Vec<Request>>) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let (mut start, mut if_range) = (None, None);
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ")?;
        match name.to_ascii_lowercase().as_str() {
            "range" => start = value.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok(),
            "if-range" => if_range = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut seen = seen.lock().unwrap();
    let request = Request { path, start, if_range, before: seen.len() };
    seen.push(request.clone());
    Some(request)
}

fn write(mut stream: TcpStream, reply: Reply) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {}\r\nConnection: close\r\nContent-Length: {}\r\n",
        reply.status, reply.length
    )?;
    for line in &reply.headers {
        write!(stream, "{line}\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    if let Some(pause) = reply.drip {
        for byte in &reply.body {
            stream.write_all(&[*byte])?;
            stream.flush()?;
            std::thread::sleep(pause);
        }
        return Ok(());
    }
    let (length, wait) = reply.cut.unwrap_or((reply.body.len(), Duration::ZERO));
    stream.write_all(&reply.body[..length])?;
    stream.flush()?;
    std::thread::sleep(wait);
    Ok(())
}
