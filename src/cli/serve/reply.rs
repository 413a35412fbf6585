//! What the server answers: a status, headers, and a body that is sent piece by piece.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzEncoder;

/// Bytes below which compressing is not worth it.
const MIN_COMPRESSED: u64 = 1 << 10;

/// A reply.
pub struct Reply {
    status: u16,
    mime: &'static str,
    /// `None` if only the end of the connection shows it.
    length: Option<u64>,
    body: Box<dyn Read>,
    more: Vec<(&'static str, &'static str)>,
    /// What the reply is related to.
    link: Option<String>,
    /// From where the page has images.
    images: Option<String>,
}

impl Reply {
    /// Content of a type. Text is UTF-8.
    pub fn content(mime: &'static str, bytes: Vec<u8>) -> Self {
        Reply {
            status: 200,
            mime,
            length: Some(bytes.len() as u64),
            body: Box::new(io::Cursor::new(bytes)),
            more: vec![],
            link: None,
            images: None,
        }
    }

    /// A file.
    pub fn file(mime: &'static str, length: u64, file: std::fs::File) -> Self {
        Reply {
            body: Box::new(file.take(length)),
            length: Some(length),
            ..Self::content(mime, vec![])
        }
    }

    /// An error message.
    pub fn words(status: u16, words: &str) -> Self {
        Reply { status, ..Self::content("text/plain", format!("{words}\n").into()) }
    }

    /// The same, with a page of HTML changed. Other replies stay as they are.
    pub fn map_page(mut self, change: impl FnOnce(String) -> String) -> Self {
        if self.mime != "text/html" || self.status != 200 {
            return self;
        }
        let mut page = String::new();
        match self.body.read_to_string(&mut page) {
            Ok(_) => {
                let images = images_of(&page);
                Reply { more: self.more, images, ..Self::content("text/html", change(page).into()) }
            }
            Err(_) => Reply::words(500, "this page cannot be read"),
        }
    }

    /// The same; a page of HTML may load its images.
    pub fn with_images(mut self) -> Self {
        if self.mime != "text/html" {
            return self;
        }
        // The policy is in the first lines.
        let mut head = vec![];
        let read = self.body.by_ref().take(1 << 11).read_to_end(&mut head);
        let images = read.ok().and_then(|_| images_of(&String::from_utf8_lossy(&head)));
        Reply { images, body: Box::new(io::Cursor::new(head).chain(self.body)), ..self }
    }

    /// The same with another status.
    pub fn status(self, status: u16) -> Self {
        Reply { status, ..self }
    }

    /// True unless it says why there is nothing.
    pub fn is_found(&self) -> bool {
        self.status == 200
    }

    /// The same with another header.
    pub fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.more.push((name, value));
        self
    }

    /// The same with a link to what it is related to.
    pub fn with_link(self, link: String) -> Self {
        Reply { link: Some(link), ..self }
    }

    /// The same compressed, if it is text and not short. It is done piece by piece, since
    /// it is done for each request. (A third fewer bytes than at the quickest level: a phone waits
    /// longer for these than a processor takes.)
    pub fn compressed(self) -> Self {
        let text = self.is_text() || self.mime.ends_with("xml");
        if !text || self.length.is_none_or(|n| n < MIN_COMPRESSED) {
            return self;
        }
        let body = Box::new(GzEncoder::new(self.body, Compression::default()));
        let zipped = Reply { body, length: None, ..self };
        zipped.with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding")
    }

    fn is_text(&self) -> bool {
        self.mime.starts_with("text/") || self.mime.ends_with("json")
    }

    fn head(&self) -> String {
        let charset = if self.is_text() { "; charset=utf-8" } else { "" };
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        head.push_str(&format!("Content-Type: {}{charset}\r\n", self.mime));
        if let Some(length) = self.length {
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        for (name, value) in ALWAYS.iter().chain(&self.more) {
            let images = self.images.as_ref().filter(|_| *name == POLICY);
            let images = images.map(|from| format!("; img-src {from}")).unwrap_or_default();
            head.push_str(&format!("{name}: {value}{images}\r\n"));
        }
        if let Some(link) = &self.link {
            head.push_str(&format!("Link: {link}\r\n"));
        }
        head + "\r\n"
    }

    /// Sends it, or only its head.
    pub fn write(mut self, to: &mut impl Write, body: bool) -> io::Result<()> {
        to.write_all(self.head().as_bytes())?;
        if body {
            io::copy(&mut self.body, to)?;
        }
        to.flush()
    }
}

/// The header that says what a page may load.
const POLICY: &str = "Content-Security-Policy";

/// From where a page of ours has images, as its own policy says: itself, and other servers.
fn images_of(page: &str) -> Option<String> {
    let (_, policy) = page.split_once("Content-Security-Policy")?;
    let (policy, _) = policy.split_once("/>")?;
    let (_, images) = policy.split_once("; img-src ")?;
    let (images, _) = images.split_once('"')?;
    let images = images.replace("&#39;", "'").replace(" file:", "");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ':/.-".contains(c);
    images.chars().all(is_plain).then_some(images)
}

/// Sent with every reply: browsers must not guess types, frame pages, cache, or send referrers.
const ALWAYS: &[(&str, &str)] = &[
    (POLICY, crate::site::SERVED_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "SAMEORIGIN"),
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
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_page_with_images_may_load_them() {
        let head = |images: &str| {
            let policy = format!("default-src 'none'{images}");
            let page =
                format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>");
            let reply = Reply::content("text/html", page.clone().into()).with_images();
            let mut out = vec![];
            reply.write(&mut out, true).unwrap();
            let out = String::from_utf8(out).unwrap();
            assert!(out.ends_with(&page), "{out}");
            out.split("\r\n\r\n").next().unwrap_or_default().to_string()
        };
        let with = head("; img-src &#39;self&#39; file: https://a.org");
        assert!(with.contains("frame-ancestors 'self'; img-src 'self' https://a.org"), "{with}");
        for none in ["", "; img-src *", "; img-src https://a.org\r\nX: y"] {
            assert!(!head(none).contains("img-src"), "{none}");
        }
    }

    #[test]
    fn text_is_compressed_and_comes_back() {
        let text = "司射適堂西，命弟子設豐。".repeat(100);
        let sent = |reply: Reply| {
            let mut out = vec![];
            reply.write(&mut out, true).unwrap();
            let end = out.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
            (String::from_utf8(out[..end].to_vec()).unwrap(), out.split_off(end))
        };
        let (head, body) = sent(Reply::content("text/html", text.clone().into()).compressed());
        assert!(head.contains("Content-Encoding: gzip\r\n") && !head.contains("Content-Length"));
        assert!(body.len() * 4 < text.len(), "{}", body.len());
        let mut back = String::new();
        flate2::read::GzDecoder::new(&body[..]).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        for (mime, bytes) in [("text/html", 100), ("image/png", 10_000)] {
            let (head, body) = sent(Reply::content(mime, vec![b'a'; bytes]).compressed());
            assert!(!head.contains("gzip") && body.len() == bytes, "{mime}");
        }
    }
}
