//! As much of HTTP as reading and reviewing a site takes: one request a connection, and a short
//! body if the server takes one. Clients that are slow or send too much are cut off.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::peer::Peer;
use super::reply::Reply;

/// Connections at a time; browsers open some half a dozen each.
const MAX_CONNECTIONS: usize = 512;
/// Bytes of a request's head.
const HEAD: usize = 16 << 10;
const HEADERS: usize = 64;
/// How long a request may take to arrive, and a browser to accept a piece of the reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request.
#[derive(Debug, Default)]
pub struct Request {
    /// GET, POST …
    pub method: String,
    /// Path and query, as they were sent.
    pub target: String,
    /// The requested host.
    pub host: Option<String>,
    /// Who asks.
    pub peer: Peer,
    /// Whom a proxy asks for: the last of `X-Forwarded-For`, which the proxy itself adds.
    pub forwarded: Option<String>,
    /// A browser says that a page of another site asks.
    pub is_cross_site: bool,
    /// The site whose page asks, as a browser says it of what changes something.
    pub origin: Option<String>,
    /// What shows that a page of this server asks.
    pub token: Option<String>,
    /// What was sent.
    pub body: Vec<u8>,
    /// The client takes compressed replies.
    takes_gzip: bool,
    /// Bytes of the body; `None` if that is not said.
    length: Option<usize>,
}

/// The header with the token.
pub const TOKEN_HEADER: &str = "X-Zhushu-Token";

/// Answers connections until `stop` is set, each in its own thread. A request may have a body of at
/// most `max_body` bytes; with 0 no body is read.
pub fn serve(
    listener: &TcpListener,
    stop: &AtomicBool,
    max_body: usize,
    reply: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) {
    let (reply, connections) = (Arc::new(reply), Arc::new(Connections::default()));
    loop {
        let connection = listener.accept();
        if stop.load(Ordering::SeqCst) {
            return;
        }
        // The client gave up before the connection was accepted, or too many files are open: the
        // next connection may work.
        let Ok((stream, _)) = connection else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let stream = Arc::new(stream);
        let place = connections.add(&stream);
        let reply = reply.clone();
        let answered = move || {
            // A broken connection cannot be reported to anyone.
            let _ = answer(&stream, &place, max_body, &*reply);
        };
        // If no thread is available, the connection is dropped, and the browser may try again.
        let _ = std::thread::Builder::new().spawn(answered);
    }
}

fn answer(
    stream: &Arc<TcpStream>,
    place: &Connection,
    max_body: usize,
    reply: &impl Fn(&Request) -> Reply,
) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = read(stream, max_body)?;
    place.is_asked();
    let (answer, body) = match request {
        Ok(request) => {
            let request = Request { peer: Peer::new(Arc::clone(stream)), ..request };
            let reply = reply(&request);
            // Pages of a server that takes something contain a secret. How long a page with a
            // secret is when it is compressed may give that away (the attack BREACH, 2013).
            let zipped = request.takes_gzip && max_body == 0;
            (if zipped { reply.compressed() } else { reply }, request.method != "HEAD")
        }
        Err(refusal) => (refusal, true),
    };
    answer.write(&mut &**stream, body)?;
    // The rest of what was sent is read and dropped; otherwise closing would discard what was
    // written.
    stream.shutdown(Shutdown::Write)?;
    drain(stream, Instant::now() + Duration::from_secs(1))
}

fn drain(mut stream: &TcpStream, end: Instant) -> io::Result<()> {
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

/// A request, or why it is rejected.
fn read(mut stream: &TcpStream, max_body: usize) -> io::Result<Result<Request, Reply>> {
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
            Ok(Some((request, _))) if max_body == 0 || request.method != "POST" => {
                return Ok(Ok(request));
            }
            Ok(Some((request, head))) => match request.length {
                None => return Ok(Err(Reply::words(411, "this request does not say its length"))),
                Some(n) if n > max_body => {
                    return Ok(Err(Reply::words(413, "this request is too long")));
                }
                Some(n) if bytes.len() >= head + n => {
                    let body = bytes[head..head + n].to_vec();
                    return Ok(Ok(Request { body, ..request }));
                }
                Some(_) => {}
            },
            Ok(None) if bytes.len() < HEAD => {}
            Ok(None) | Err(httparse::Error::TooManyHeaders) => {
                return Ok(Err(Reply::words(431, "this request is too long")));
            }
            Err(_) => {
                return Ok(Err(Reply::words(400, "this request cannot be understood")));
            }
        }
    }
}

/// The request without its body, once its head is complete, and the bytes of the head.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = parsed.parse(bytes)? else { return Ok(None) };
    let only = |name: &str| {
        let mut all = parsed.headers.iter().filter(|h| h.name.eq_ignore_ascii_case(name));
        let first = all.next().and_then(|h| String::from_utf8(h.value.to_vec()).ok());
        // Who sends a header twice wants two readers to understand two things.
        if all.next().is_some() { Err(httparse::Error::HeaderName) } else { Ok(first) }
    };
    let forwarded = parsed.headers.iter().rfind(|h| h.name.eq_ignore_ascii_case("x-forwarded-for"));
    let forwarded = forwarded.and_then(|h| std::str::from_utf8(h.value).ok()?.rsplit(',').next());
    let is_cross_site = parsed.headers.iter().any(|h| {
        h.name.eq_ignore_ascii_case("sec-fetch-site")
            && !(h.value == b"same-origin" || h.value == b"none")
    });
    let words = |words: Option<&str>| words.unwrap_or_default().to_string();
    let (method, target) = (words(parsed.method), words(parsed.path));
    let request = Request {
        method,
        target,
        host: only("host")?,
        peer: Peer::default(),
        forwarded: forwarded.map(|f| f.trim().to_string()),
        is_cross_site,
        origin: only("origin")?,
        token: only(TOKEN_HEADER)?,
        body: vec![],
        takes_gzip: parsed.headers.iter().any(takes_gzip),
        length: only("content-length")?.and_then(|n| n.parse().ok()),
    };
    Ok(Some((request, head)))
}

/// True for a header that says that compressed replies are welcome.
fn takes_gzip(header: &httparse::Header<'_>) -> bool {
    let takes = |coding: &str| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = |p: &str| p.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        named && !parts.any(|p| weight(p) == Some(0.0))
    };
    let value = std::str::from_utf8(header.value).unwrap_or_default();
    header.name.eq_ignore_ascii_case("accept-encoding") && value.split(',').any(takes)
}

/// The connections that are open, at most [`MAX_CONNECTIONS`].
#[derive(Default)]
struct Connections {
    open: Mutex<Open>,
    freed: Condvar,
}

#[derive(Default)]
struct Open {
    /// Number of the next connection.
    next: u64,
    all: BTreeMap<u64, OpenConnection>,
}

struct OpenConnection {
    stream: Arc<TcpStream>,
    since: Instant,
    /// Its request has arrived.
    is_asked: bool,
}

impl Open {
    /// The connection that must make room: the oldest of those that have not yet asked, else the
    /// oldest, if it has had its time.
    fn slowest(&self) -> Option<&OpenConnection> {
        let late = |c: &&OpenConnection| !c.is_asked || c.since.elapsed() > PATIENCE;
        self.all.values().find(|c| !c.is_asked).or_else(|| self.all.values().find(late))
    }
}

impl Connections {
    /// Waits until there is room. Slow clients are cut off for it, so that they do not keep out the
    /// others.
    fn add(self: &Arc<Self>, stream: &Arc<TcpStream>) -> Connection {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while open.all.len() >= MAX_CONNECTIONS {
            if let Some(slowest) = open.slowest() {
                // Its thread wakes up and frees the place. If it is gone already, so much the
                // better.
                let _ = slowest.stream.shutdown(Shutdown::Both);
            }
            let waited = self.freed.wait_timeout(open, Duration::from_millis(100));
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let number = open.next;
        open.next += 1;
        let stream = Arc::clone(stream);
        open.all.insert(number, OpenConnection { stream, since: Instant::now(), is_asked: false });
        Connection { all: Arc::clone(self), number }
    }
}

/// A place among the connections. It is freed when this is dropped.
struct Connection {
    all: Arc<Connections>,
    number: u64,
}

impl Connection {
    /// Notes that the request has arrived.
    fn is_asked(&self) {
        let mut open = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(c) = open.all.get_mut(&self.number) {
            c.is_asked = true;
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all.remove(&self.number);
        self.all.freed.notify_one();
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
        let (request, _) = parse(whole).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/a?q=%E7%8D%B2"));
        assert_eq!(request.host.as_deref(), Some("localhost"));
        let forwarded = |headers: &str| {
            let request = format!("GET / HTTP/1.1\r\n{headers}\r\n");
            parse(request.as_bytes()).unwrap().unwrap().0.forwarded
        };
        assert_eq!(forwarded(""), None);
        let two = "X-Forwarded-For: 1.1.1.1\r\nx-forwarded-for: 2.2.2.2, 3.3.3.3\r\n";
        assert_eq!(forwarded(two).as_deref(), Some("3.3.3.3"), "the proxy's own");
        assert!(parse(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").is_err());
        assert!(parse(b"\x16\x03\x01\x02\x00 nonsense").is_err());
    }

    #[test]
    fn a_slow_client_makes_room_for_the_next() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connect = || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (client, Arc::new(listener.accept().unwrap().0))
        };
        let connections = Arc::new(Connections::default());
        let (mut first, server) = connect();
        let place = connections.add(&server);
        // Its thread waits for a request that does not come.
        let waits = std::thread::spawn(move || {
            let _place = place;
            read(&server, 0).map(|_| ())
        });
        let (_client, server) = connect();
        let others: Vec<Connection> = (1..MAX_CONNECTIONS)
            .map(|_| connections.add(&server))
            .inspect(Connection::is_asked)
            .collect();
        let next = connections.add(&server);
        assert!(waits.join().unwrap().is_err());
        assert_eq!(first.read(&mut [0]).unwrap(), 0, "the first was cut off");
        drop((next, others));
        assert!(connections.open.lock().unwrap().all.is_empty());
    }

    #[test]
    fn clients_say_whether_they_take_compressed_replies() {
        let takes = |header: &str| {
            let request = format!("GET / HTTP/1.1\r\nHost: a\r\n{header}\r\n");
            parse(request.as_bytes()).unwrap().unwrap().0.takes_gzip
        };
        assert!(takes("Accept-Encoding: br, gzip;q=0.5\r\n"));
        assert!(takes("accept-encoding: br\r\nAccept-Encoding: GZIP\r\n"));
        for refused in ["", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0, br\r\n"] {
            assert!(!takes(refused), "{refused}");
        }
    }

    #[test]
    fn a_request_of_another_site_is_recognised() {
        let is_cross_site = |header: &str| {
            let request = format!("GET / HTTP/1.1\r\nHost: a\r\n{header}\r\n");
            parse(request.as_bytes()).unwrap().unwrap().0.is_cross_site
        };
        assert!(is_cross_site("Sec-Fetch-Site: cross-site\r\n"));
        assert!(is_cross_site("sec-fetch-site: same-site\r\n"));
        for own in ["", "Sec-Fetch-Site: none\r\n", "SEC-FETCH-SITE: same-origin\r\n"] {
            assert!(!is_cross_site(own), "{own}");
        }
    }
}
