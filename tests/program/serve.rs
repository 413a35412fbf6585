//! `zhushu serve` as seen by a browser, a program and a stranger.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::browser::chromium;
use crate::support::corpus::built;
use crate::support::driven::DrivenBrowser;
use crate::support::program::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_zhushu");

/// A running server; ended when it is dropped.
pub struct Server {
    child: Child,
    /// Host and port.
    pub address: String,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        Server::start_in(built(), args)
    }

    /// Serves what was built in a folder.
    pub fn start_in(folder: &Path, args: &[&str]) -> Server {
        let mut child = Command::new(PROGRAM)
            .current_dir(folder)
            .env("ZHUSHU_LIBRARY", "")
            .env_remove("ZHUSHU_LANG")
            .env("LC_ALL", "C")
            .args(["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_string();
        assert!(address.contains(':'), "{line}");
        Server { child, address }
    }

    /// Sends bytes and reads all that comes back: status, head, body.
    pub fn send(&self, bytes: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(bytes).unwrap();
        let mut reply = vec![];
        stream.read_to_end(&mut reply).unwrap();
        let end = reply
            .windows(4)
            .position(|w| w == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&reply)));
        let head = String::from_utf8(reply[..end + 2].to_vec()).unwrap();
        (head[9..12].parse().unwrap(), head, reply[end + 4..].to_vec())
    }

    pub fn ask(&self, method: &str, target: &str) -> (u16, String, Vec<u8>) {
        self.send(
            format!("{method} {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).as_bytes(),
        )
    }

    fn search(&self, parameters: &[(&str, &str)]) -> (u16, Value) {
        let query =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        let (status, head, body) = self.ask("GET", &format!("/api/search?{query}"));
        assert!(head.contains("\r\nContent-Type: application/json; charset=utf-8\r\n"), "{head}");
        (status, serde_json::from_slice(&body).unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_site_is_served_with_its_types_and_its_policy() {
    let server = Server::start(&[]);
    let site = built().join("out/site");
    for (target, file, mime) in [
        ("/", "index.html", "text/html; charset=utf-8"),
        ("/index.page.css", "index.page.css", "text/css; charset=utf-8"),
        ("/index.page.js", "index.page.js", "text/javascript; charset=utf-8"),
        ("/yili-05-zhushu.html?w=x1.1:0-x1.1:2", "yili-05-zhushu.html", "text/html; charset=utf-8"),
        ("/yili%2D05-zhushu.html", "yili-05-zhushu.html", "text/html; charset=utf-8"),
    ] {
        let (status, head, body) = server.ask("GET", target);
        assert_eq!(status, 200, "{target}");
        // Where to search is known only to a server.
        let body = String::from_utf8(body).unwrap();
        let searched = "<link rel=\"search\"";
        assert_eq!(body.contains(searched), target == "/", "{target}");
        let added =
            body.find(searched).map_or("", |at| &body[at..=at + body[at..].find('>').unwrap()]);
        let written = fs::read_to_string(site.join(file)).unwrap();
        assert!(
            body.replace(added, "") == written || added.is_empty() && body == written,
            "{target} is another file"
        );
        assert!(head.contains(&format!("\r\nContent-Type: {mime}\r\n")), "{target}: {head}");
        let policy = head.lines().find(|l| l.starts_with("Content-Security-Policy: ")).unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"),
            "{policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'),
            "{policy}"
        );
        assert!(
            head.contains("\r\nX-Content-Type-Options: nosniff\r\n")
                && !head.contains("Access-Control"),
            "{head}"
        );
        // HEAD gives the same reply without a body.
        assert_eq!(server.ask("HEAD", target), (200, head, vec![]));
    }
    // The script by which pages learn that they are served; on disk it says no.
    let (_, _, endpoint) = server.ask("GET", "/index.endpoint.js");
    assert!(String::from_utf8(endpoint).unwrap().contains("'api/search'"));
}

#[test]
fn text_is_compressed_for_those_who_take_it() {
    let ask = |server: &Server, target: &str| {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n", server.address);
        server.send(format!("{head}Accept-Encoding: gzip, br\r\n\r\n").as_bytes())
    };
    let server = Server::start(&[]);
    for target in ["/yili-05-zhushu.html", "/index.page.js", "/api/search?q=%E5%8F%B8&limit=100"] {
        let (_, _, plain) = server.ask("GET", target);
        let (status, head, body) = ask(&server, target);
        assert_eq!(status, 200, "{target}");
        assert!(head.contains("\r\nContent-Encoding: gzip\r\n"), "{target}: {head}");
        assert!(head.contains("\r\nVary: Accept-Encoding\r\n"), "{target}: {head}");
        assert!(body.len() * 2 < plain.len(), "{target}: {} of {}", body.len(), plain.len());
        let mut back = vec![];
        flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut back).unwrap();
        assert!(back == plain, "{target}");
    }
}

#[test]
fn the_search_describes_itself_to_browsers() {
    let server = Server::start(&[]);
    let (status, head, body) = server.ask("GET", "/opensearch.xml");
    assert_eq!(status, 200);
    assert!(head.contains("application/opensearchdescription+xml"), "{head}");
    let body = String::from_utf8(body).unwrap();
    let template = format!("http://{}/index.html?q={{searchTerms}}", server.address);
    assert!(body.contains(&template), "{body}");
    // The page that it leads to asks the server, and so does a program.
    let (_, found) = server.search(&[("q", "賢獲"), ("limit", "1"), ("skip", "0")]);
    assert!(found["total"].as_u64().unwrap() > 0);
}

#[test]
fn nothing_but_the_site_is_served() {
    let server = Server::start(&[]);
    assert!(
        built().join("out/report.txt").exists() && built().join("out/.zhushu/build.json").exists()
    );
    for target in [
        "/../report.txt",
        "/%2e%2e/report.txt",
        "/..%2freport.txt",
        "/%2e%2e%5creport.txt",
        "/x/../../report.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/../../../../../../../../etc/passwd",
        "/.zhushu/build.json",
        "/index.html/",
        "/index.html%00.js",
        "/%ff%fe",
        "/nowhere.html",
        "/api",
        "*",
    ] {
        let (status, _, body) = server.ask("GET", target);
        assert_eq!(status, 404, "{target}: {}", String::from_utf8_lossy(&body));
    }
}

#[test]
fn other_methods_foreign_hosts_and_noise_are_refused() {
    let server = Server::start(&[]);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"] {
        let (status, head, _) = server.ask(method, "/");
        assert_eq!(status, 405, "{method}");
        assert!(head.contains("\r\nAllow: GET, HEAD\r\n"), "{method}");
    }
    let body = "GET / HTTP/1.1\r\n\r\n".repeat(100);
    let post = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(server.send(post.as_bytes()).0, 405);
    let port = server.address.rsplit_once(':').unwrap().1;
    for (host, status) in [
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("attacker.example".into(), 403),
        (format!("127.0.0.1.attacker.example:{port}"), 403),
        ("192.168.1.1".into(), 403),
    ] {
        for target in ["/", "/api/search?q=%E5%B0%84"] {
            let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            assert_eq!(server.send(request.as_bytes()).0, status, "{host} {target}");
        }
    }
    assert_eq!(server.send(b"GET / HTTP/1.0\r\n\r\n").0, 403, "who names no host");
    assert_eq!(server.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").0, 400);
    assert_eq!(server.send(format!("GET /{} HTTP/1.1\r\n", "x".repeat(20_000)).as_bytes()).0, 431);
    assert_eq!(server.ask("GET", "/").0, 200, "it still serves");
}

#[test]
fn queries_are_answered_as_the_command_answers_them() {
    let server = Server::start(&[]);
    for (query, args, parameters) in [
        ("釋獲", &["--limit", "7", "--skip", "3"][..], &[("limit", "7"), ("skip", "3")][..]),
        ("注:今文 @ 經:射", &["--sort", "right"], &[("sort", "right"), ("limit", "1000")]),
        (
            "爲",
            &["--exact", "--context", "4"],
            &[("exact", "true"), ("context", "4"), ("limit", "1000")],
        ),
        ("by:鄭玄 今文?爲", &["--no-crossing"], &[("no-crossing", ""), ("limit", "1000")]),
    ] {
        let output = Command::new(PROGRAM)
            .current_dir(built())
            .args(["search", query, "--to", "json"])
            .args(args)
            .output()
            .unwrap();
        let lines: Vec<Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        let (status, mut found) = server.search(&[&[("q", query)], parameters].concat());
        assert_eq!(status, 200, "{query}: {found}");
        // A server says too in which edition a hit is, and its URN.
        for hit in found["hits"].as_array_mut().into_iter().flatten() {
            let hit = hit.as_object_mut().unwrap();
            ["in", "edition", "urn"].into_iter().for_each(|key| _ = hit.remove(key));
        }
        assert!(!lines.is_empty() && found["hits"].as_array() == Some(&lines), "{query}: {found}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.trim(), format!("Showing {} of {} hits", lines.len(), found["total"]));
        let by_layer: u64 = found["counts"]["layer"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c[1].as_u64().unwrap())
            .sum();
        assert_eq!(found["total"], by_layer);
    }
    let (_, counted) =
        server.search(&[("q", "今文"), ("by", "work"), ("by", "chapter"), ("limit", "0")]);
    assert_eq!(counted["hits"], Value::Array(vec![]));
    assert_eq!(counted["counts"]["work"][0][0], "儀禮");
    assert_eq!(counted["counts"]["chapter"].as_array().unwrap().len(), 3);
}

#[test]
fn pages_of_other_sites_may_not_ask_unless_they_are_let() {
    let ask = |server: &Server, host: &str, site: &str| {
        let request = format!(
            "GET /api/search?q=%E5%B0%84 HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: {site}\r\n\r\n"
        );
        server.send(request.as_bytes())
    };
    let server = Server::start(&[]);
    assert_eq!(ask(&server, "localhost", "cross-site").0, 403);
    assert_eq!(ask(&server, "localhost", "same-site").0, 403);
    let (status, head, _) = ask(&server, "localhost", "same-origin");
    assert!(status == 200 && !head.contains("Access-Control"), "{head}");
    let server = Server::start(&["--public", "--any-site"]);
    let (status, head, _) = ask(&server, "library.example", "cross-site");
    assert!(status == 200 && head.contains("\r\nAccess-Control-Allow-Origin: *\r\n"), "{head}");
    let server = Server::start(&["--public"]);
    assert_eq!(ask(&server, "library.example", "none").0, 200);
    assert_eq!(ask(&server, "library.example", "cross-site").0, 403);
}

#[test]
fn a_long_query_is_refused_or_answered_without_similar_ones() {
    let server = Server::start(&[]);
    let (status, refused) = server.search(&[("q", &"獲".repeat(1001))]);
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(status == 400 && message.contains("too long"), "{refused}");
    let (status, none) = server.search(&[("q", &"獲".repeat(1000))]);
    assert_eq!((status, &none["total"], &none["near"]), (200, &0.into(), &Value::Array(vec![])));
}

#[test]
fn a_query_that_takes_too_long_is_stopped_and_pages_are_served() {
    let server = Server::start(&["--query-time", "0"]);
    let (status, stopped) = server.search(&[("q", "獲")]);
    let error = &stopped["error"];
    assert!(status == 503 && error["message"].as_str().unwrap().contains("too long"), "{stopped}");
    assert!(error["hint"].as_str().unwrap().contains("--query-time"), "{stopped}");
    assert_eq!(server.search(&[("q", "(")]).0, 400, "what is wrong is still said");
    assert_eq!(server.ask("GET", "/").0, 200);
    let server = Server::start(&["--query-time", ".5"]);
    assert_eq!(server.search(&[("q", "獲")]).0, 200);
    for wrong in ["-1", "soon", "inf", "NaN"] {
        let args = ["serve", "--query-time", wrong];
        let output = Command::new(PROGRAM).current_dir(built()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn bad_queries_and_empty_answers_say_what_to_do() {
    let server = Server::start(&[]);
    let (status, wrong) = server.search(&[("q", "今文 鄭:賢獲")]);
    assert_eq!(status, 400);
    assert_eq!((&wrong["error"]["column"], &wrong["error"]["width"]), (&4.into(), &2.into()));
    assert!(wrong["error"]["hint"].as_str().unwrap().contains("by:鄭"), "{wrong}");
    for parameters in [
        &[][..],
        &[("q", "")],
        &[("q", "注:(今文")],
        &[("q", "re:[")],
        &[("q", "射"), ("limit", "-1")],
        &[("colour", "red")],
    ] {
        let (status, wrong) = server.search(parameters);
        assert_eq!(status, 400, "{parameters:?}");
        // What is missing is said with what it is for, in the message.
        let is_missing = parameters.first().is_none_or(|(name, q)| *name != "q" || q.is_empty());
        assert!(
            wrong["error"]["message"].is_string() && wrong["error"]["hint"].is_string()
                || is_missing
                || parameters.len() == 2,
            "{wrong}"
        );
    }
    let (status, none) = server.search(&[("q", "疏:眾賓繼射 by:朱熹")]);
    assert_eq!((status, &none["total"]), (200, &0.into()));
    assert_eq!(none["unknown"][0]["name"], "朱熹");
    let (_, near) = server.search(&[("q", "疏:眾賓繼射")]);
    assert!(near["near"].as_array().unwrap().iter().any(|n| n["query"] == "經:眾賓繼射"), "{near}");
}

#[test]
fn without_an_index_or_a_site_or_with_a_used_port_it_fails_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |args: &[&str]| {
        let output = Command::new(PROGRAM)
            .current_dir(folder.path())
            .arg("serve")
            .args(args)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = serve(&["--port", "0"]);
    assert_eq!(code, Some(5));
    assert!(said.contains("zhushu build"), "{said}");
    let index = folder.path().join("out/index");
    fs::create_dir_all(&index).unwrap();
    fs::write(index.join("index.json"), "{").unwrap();
    let (code, said) = serve(&["--port", "0"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("not JSON") && said.contains("zhushu build"), "{said}");
    for file in fs::read_dir(built().join("out/index")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), index.join(file.file_name())).unwrap();
    }
    let (code, said) = serve(&["--port", "0"]);
    assert_eq!(code, Some(5));
    assert!(said.contains("site") && said.contains("zhushu build"), "{said}");
    fs::create_dir_all(folder.path().join("out/site")).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, said) = serve(&["--port", &port]);
    assert_eq!(code, Some(5));
    assert!(said.contains(&port) && said.contains("--port 0"), "{said}");
}

#[cfg(unix)]
/// With a browser: an open page shows what another build made.
#[test]
fn a_page_loads_itself_again_after_a_build() {
    let folder = Folder::new();
    folder.write("texts/a.txt", "司射復位。\n三耦卒飲。\n");
    folder.run("build texts").code(0);
    let plain = Server::start_in(folder.path(), &[]);
    let words = |server: &Server, target: &str| {
        String::from_utf8(server.ask("GET", target).2).expect("UTF-8")
    };
    assert_eq!(plain.ask("GET", "/api/build").0, 404);
    assert!(!words(&plain, "/a.html").contains("index.reload"));
    let server = Server::start_in(folder.path(), &["--reload"]);
    let before = words(&server, "/api/build");
    assert_eq!(words(&server, "/api/build"), before);
    assert!(words(&server, "/a.html").contains("<script src=\"index.reload.js\"></script></body>"));
    let browser = chromium().map(|browser| {
        let mut browser = DrivenBrowser::start(browser, &folder.path().join("profile"));
        browser.open(&format!("http://{}/a.html", server.address));
        browser.wait("document.body.textContent.includes('三耦')");
        browser
    });
    folder.write("texts/a.txt", "司射復位。\n獲者許諾。\n");
    folder.run("build texts").code(0);
    assert_ne!(words(&server, "/api/build"), before);
    if let Some(mut browser) = browser {
        browser.wait("document.body.textContent.includes('許諾')");
    }
}

#[test]
fn an_interrupt_ends_it_as_if_it_were_done() {
    for host in [&[][..], &["--host", "127.0.0.2"], &["--host", "0.0.0.0"]] {
        interrupted(Server::start(host));
    }
}

#[cfg(unix)]
fn interrupted(mut server: Server) {
    assert_eq!(server.ask("GET", "/").0, 200);
    let status =
        Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
