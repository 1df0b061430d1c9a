use std::net::TcpListener;

use super::super::server::{Reply, Server};
use super::*;

fn quick() -> NetworkOptions {
    NetworkOptions {
        connect: Duration::from_secs(2),
        respond: Duration::from_secs(2),
        stall: Duration::from_millis(300),
        pauses: vec![Duration::from_millis(5), Duration::from_millis(10)],
        first_contact: Duration::from_secs(8),
        ..NetworkOptions::default()
    }
}

fn body() -> Vec<u8> {
    (0..200_000_u32).map(|i| (i % 251) as u8).collect()
}

fn get(server: &Server, path: &str) -> Result<Download, String> {
    Network::new(quick(), false).get(&format!("{}{path}", server.address))
}

/// An address where nothing listens.
fn dead() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/file", listener.local_addr().unwrap())
}

#[test]
fn a_plain_file_comes_whole() {
    let server = Server::start(|_| Reply::ok(&body()).header("Content-Type: text/csv"));
    let download = get(&server, "/a").unwrap();
    assert_eq!(download.bytes, body());
    assert_eq!(download.content_type, "text/csv");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_cut_is_resumed_where_it_happened() {
    let server = Server::start(|request| match request.start {
        None => Reply::ok(&body()).header("ETag: \"v1\"").cut(70_000, Duration::ZERO),
        Some(start) => Reply::new("206 Partial Content", &body()[start..])
            .header(&format!("Content-Range: bytes {start}-199999/200000")),
    });
    assert_eq!(get(&server, "/a").unwrap().bytes, body());
    let requests = server.requests();
    assert_eq!((requests.len(), requests[1].start), (2, Some(70_000)));
    assert_eq!(requests[1].if_range.as_deref(), Some("\"v1\""));
}

#[test]
fn a_host_that_cannot_resume_is_read_from_the_start() {
    let whole = Server::start(|request| match request.before {
        0 => Reply::ok(&body()).cut(70_000, Duration::ZERO),
        _ => Reply::ok(&body()),
    });
    assert_eq!(get(&whole, "/a").unwrap().bytes, body());
    let elsewhere = Server::start(|request| match request.before {
        0 => Reply::ok(&body()).cut(70_000, Duration::ZERO),
        1 => Reply::new("206 Partial Content", &body())
            .header("Content-Range: bytes 0-199999/200000"),
        _ => Reply::ok(&body()),
    });
    assert_eq!(get(&elsewhere, "/a").unwrap().bytes, body());
    let refused = Server::start(|request| match (request.before, request.start) {
        (0, _) => Reply::ok(&body()).cut(70_000, Duration::ZERO),
        (_, Some(_)) => Reply::new("416 Range Not Satisfiable", b""),
        _ => Reply::ok(&body()),
    });
    assert_eq!(get(&refused, "/a").unwrap().bytes, body());
    assert_eq!(refused.requests().len(), 3);
}

#[test]
fn a_stalled_host_is_left_and_resumed() {
    let server = Server::start(|request| match request.start {
        None => Reply::ok(&body()).cut(1000, Duration::from_millis(900)),
        Some(start) => Reply::new("206 Partial Content", &body()[start..])
            .header(&format!("Content-Range: bytes {start}-199999/200000")),
    });
    assert_eq!(get(&server, "/a").unwrap().bytes, body());
    assert_eq!(server.requests()[1].start, Some(1000));
}

#[test]
fn redirects_are_followed() {
    let server = Server::start(|request| match request.path.as_str() {
        "/old" => Reply::new("301 Moved Permanently", b"").header("Location: /new"),
        _ => Reply::ok(b"moved"),
    });
    assert_eq!(get(&server, "/old").unwrap().bytes, b"moved");
}

#[test]
fn a_busy_host_is_asked_again_and_a_missing_file_is_not() {
    let busy = Server::start(|request| match request.before {
        0 | 1 => Reply::new("503 Service Unavailable", b""),
        _ => Reply::ok(b"now"),
    });
    assert_eq!(get(&busy, "/a").unwrap().bytes, b"now");
    let always = Server::start(|_| Reply::new("502 Bad Gateway", b""));
    assert_eq!(get(&always, "/a").err().unwrap(), "HTTP status 502 (3 attempts)");
    assert_eq!(always.requests().len(), 3);
    let gone = Server::start(|_| Reply::new("404 Not Found", b"gone"));
    assert_eq!(get(&gone, "/a").err().unwrap(), "HTTP status 404");
    assert_eq!(gone.requests().len(), 1);
}

#[test]
fn a_file_that_says_it_is_too_large_is_not_read() {
    let server = Server::start(|_| Reply::ok(b"").claim(99_999_999_999));
    assert_eq!(get(&server, "/a").err().unwrap(), format!("it is larger than {LARGEST} bytes"));
}

#[test]
fn a_dead_host_is_asked_once_and_remembered() {
    let network = Network::new(quick(), false);
    let url = dead();
    let first = network.get(&url).err().unwrap();
    assert!(!first.contains("found out before"), "{first}");
    let second = network.get(&url).err().unwrap();
    assert_eq!(second, format!("{first} (found out before)"));
}

#[test]
fn without_any_answer_the_time_for_the_first_contact_bounds_all_hosts_together() {
    // These hosts accept a connection and never answer, the slowest way of having no network.
    let silent: Vec<TcpListener> =
        (0..12).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let options = NetworkOptions { first_contact: Duration::from_millis(600), ..quick() };
    let network = Network::new(options, false);
    let reasons: Vec<String> = silent
        .iter()
        .map(|listener| {
            network.get(&format!("http://{}/a", listener.local_addr().unwrap())).err().unwrap()
        })
        .collect();
    assert!(reasons[0].contains("did not answer in time"), "{}", reasons[0]);
    assert_eq!(reasons[11], "no host has answered so far: there seems to be no network");
    let spent = network.contacts().spent;
    assert!(spent < Duration::from_millis(1200), "{spent:?} were spent");
}

#[test]
fn a_slip_of_a_host_that_answered_before_is_forgiven() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a", listener.local_addr().unwrap());
    let server = Server::start(|_| Reply::ok(b"here"));
    let network = Network::new(quick(), false);
    network.get(&format!("{}/a", server.address)).unwrap();
    let closer = std::thread::spawn(move || {
        // Close three connections without an answer.
        for _ in 0..3 {
            drop(listener.accept().unwrap());
        }
    });
    let reason = network.get(&address).err().unwrap();
    assert!(reason.contains("(3 attempts)"), "{reason}");
    closer.join().unwrap();
}

/// One byte every 10 ms never stalls, and would take half an hour for this file.
fn dripping() -> Server {
    Server::start(|_| Reply::ok(&body()).drip(Duration::from_millis(10)))
}

#[test]
fn a_dripping_host_is_left_by_its_rate() {
    let options = NetworkOptions { window: Duration::from_millis(200), least: 1000, ..quick() };
    let (server, start) = (dripping(), Instant::now());
    let reason = Network::new(options, false).get(&format!("{}/a", server.address)).err().unwrap();
    assert!(reason.starts_with("too slow: "), "{reason}");
    assert!(start.elapsed() < Duration::from_secs(10) && server.requests().len() == 1);
}

#[test]
fn a_dripping_host_is_left_at_the_limit_of_the_whole_file() {
    for options in [
        NetworkOptions { overall: Duration::from_millis(300), ..quick() },
        NetworkOptions { most: Some(Duration::from_millis(300)), ..quick() },
    ] {
        let (server, start) = (dripping(), Instant::now());
        let reason =
            Network::new(options, false).get(&format!("{}/a", server.address)).err().unwrap();
        assert!(
            reason.starts_with("too slow: ") && reason.contains(" bytes after 0 s"),
            "{reason}"
        );
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_download_stops_when_someone_asks() {
    let options = quick();
    let cancel = options.cancel.clone();
    let (server, start) = (dripping(), Instant::now());
    let address = format!("{}/a", server.address);
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let reason = Network::new(options, false).get(&address).err().unwrap();
    assert_eq!(reason, "stopped by the user");
    assert!(start.elapsed() < Duration::from_secs(10));
    asking.join().unwrap();
}
