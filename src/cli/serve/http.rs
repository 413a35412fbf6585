//! As much of HTTP as reading a site takes: one request a connection, GET and HEAD, no body.
//! Whoever is slow, or sends too much, is cut off; no more connections are served at a time than
//! [`MOST`].

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Connections at a time; browsers open some half a dozen each.
const MOST: usize = 64;
/// Bytes of a request's head.
const HEAD: usize = 16 << 10;
const HEADERS: usize = 64;
/// How long a request may take to arrive, and a browser to take a piece of the reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was asked.
#[derive(Debug, Default)]
pub struct Request {
    /// GET, POST …
    pub method: String,
    /// Path and query, as they were sent.
    pub target: String,
    /// The host that was asked for.
    pub host: Option<String>,
}

/// What is answered.
pub struct Reply {
    status: u16,
    mime: &'static str,
    length: u64,
    body: Box<dyn Read>,
    more: Vec<(&'static str, &'static str)>,
}

impl Reply {
    /// Content of a type. Text is UTF-8.
    pub fn content(mime: &'static str, bytes: Vec<u8>) -> Self {
        Reply {
            status: 200,
            mime,
            length: bytes.len() as u64,
            body: Box::new(io::Cursor::new(bytes)),
            more: vec![],
        }
    }

    /// A file.
    pub fn file(mime: &'static str, length: u64, file: std::fs::File) -> Self {
        Reply { status: 200, mime, length, body: Box::new(file.take(length)), more: vec![] }
    }

    /// A refusal in words.
    pub fn words(status: u16, words: &str) -> Self {
        Reply { status, ..Self::content("text/plain", format!("{words}\n").into()) }
    }

    /// The same with another status.
    pub fn status(self, status: u16) -> Self {
        Reply { status, ..self }
    }

    /// The same with a header more.
    pub fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.more.push((name, value));
        self
    }

    fn head(&self) -> String {
        let text = self.mime.starts_with("text/") || self.mime == "application/json";
        let charset = if text { "; charset=utf-8" } else { "" };
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        head.push_str(&format!(
            "Content-Type: {}{charset}\r\nContent-Length: {}\r\n",
            self.mime, self.length
        ));
        for (name, value) in ALWAYS.iter().chain(&self.more) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head + "\r\n"
    }

    fn write(mut self, to: &mut impl Write, body: bool) -> io::Result<()> {
        to.write_all(self.head().as_bytes())?;
        if body {
            io::copy(&mut self.body, to)?;
        }
        to.flush()
    }
}

/// Sent with every reply: browsers must not guess types, frame pages, cache, or send referrers.
const ALWAYS: &[(&str, &str)] = &[
    ("Content-Security-Policy", crate::site::SERVED_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-cache"),
    ("Connection", "close"),
];

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}

/// Answers connections until `stop` is set, each by a thread of its own.
pub fn serve(
    listener: &TcpListener,
    stop: &AtomicBool,
    reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) {
    let (reply, places) = (Arc::new(reply), Arc::new(Places::default()));
    loop {
        let place = places.take();
        let connection = listener.accept();
        if stop.load(Ordering::SeqCst) {
            return;
        }
        // A connection that was given up before it was taken, or too many open files: the next may
        // do.
        let Ok((stream, _)) = connection else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let reply = reply.clone();
        let answered = move || {
            let _place = place;
            // A broken connection cannot be reported to anyone.
            let _ = answer(stream, &*reply);
        };
        // If no thread is available, the connection is dropped, and the browser may try again.
        let _ = std::thread::Builder::new().spawn(answered);
    }
}

fn answer(mut stream: TcpStream, reply: &impl Fn(&Request) -> Reply) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let (answer, body) = match read(&mut stream)? {
        Ok(request) => (reply(&request), request.method != "HEAD"),
        Err(refusal) => (refusal, true),
    };
    answer.write(&mut stream, body)?;
    // What else was sent is read and dropped, or closing would take back what was written.
    stream.shutdown(Shutdown::Write)?;
    drain(&mut stream, Instant::now() + Duration::from_secs(1))
}

fn drain(stream: &mut TcpStream, end: Instant) -> io::Result<()> {
    let mut piece = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut piece)? == 0 {
            return Ok(());
        }
    }
}

/// The head of a request, or why it is refused.
fn read(stream: &mut TcpStream) -> io::Result<Result<Request, Reply>> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        match stream.read(&mut piece)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ if left.is_zero() => return Err(io::ErrorKind::TimedOut.into()),
            n => bytes.extend_from_slice(&piece[..n]),
        }
        match parse(&bytes) {
            Ok(Some(request)) => return Ok(Ok(request)),
            Ok(None) if bytes.len() < HEAD => {}
            Ok(None) | Err(httparse::Error::TooManyHeaders) => {
                return Ok(Err(Reply::words(431, "this request is too long")));
            }
            Err(_) => {
                return Ok(Err(Reply::words(400, "this is no request that can be understood")));
            }
        }
    }
}

/// The request, once its head is complete.
fn parse(bytes: &[u8]) -> Result<Option<Request>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    if parsed.parse(bytes)?.is_partial() {
        return Ok(None);
    }
    let mut hosts = parsed.headers.iter().filter(|h| h.name.eq_ignore_ascii_case("host"));
    let host = hosts.next().and_then(|h| String::from_utf8(h.value.to_vec()).ok());
    if hosts.next().is_some() {
        return Err(httparse::Error::HeaderName);
    }
    let words = |words: Option<&str>| words.unwrap_or_default().to_string();
    Ok(Some(Request { method: words(parsed.method), target: words(parsed.path), host }))
}

/// Places for connections, [`MOST`] of them.
#[derive(Default)]
struct Places {
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Places {
    /// Waits until one is free.
    fn take(self: &Arc<Self>) -> Place {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken =
            self.freed.wait_while(taken, |n| *n >= MOST).unwrap_or_else(PoisonError::into_inner);
        *taken += 1;
        Place(self.clone())
    }
}

/// A place that is taken.
struct Place(Arc<Places>);

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_understood_once_they_are_whole() {
        let whole = b"GET /a?q=%E7%8D%B2 HTTP/1.1\r\nHOST: localhost\r\n\r\n";
        for end in 0..whole.len() {
            assert!(parse(&whole[..end]).unwrap().is_none(), "{end}");
        }
        let request = parse(whole).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/a?q=%E7%8D%B2"));
        assert_eq!(request.host.as_deref(), Some("localhost"));
        assert!(parse(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").is_err());
        assert!(parse(b"\x16\x03\x01\x02\x00 nonsense").is_err());
    }

    #[test]
    fn a_reply_says_how_long_it_is_and_head_has_no_body() {
        let mut out = vec![];
        Reply::content("text/html", "獲".into()).write(&mut out, false).unwrap();
        let head = String::from_utf8(out).unwrap();
        assert!(head.starts_with(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 3\r\n"
        ));
        assert!(head.ends_with("Connection: close\r\n\r\n") && head.contains("default-src 'none'"));
    }

    #[test]
    fn places_are_given_back() {
        let places = Arc::new(Places::default());
        let taken: Vec<Place> = (0..MOST).map(|_| places.take()).collect();
        assert_eq!(*places.taken.lock().unwrap(), MOST);
        drop(taken);
        assert_eq!(*places.taken.lock().unwrap(), 0);
    }
}
