//! The search of a site in a real browser gives the answers of the library, hit for hit: from the
//! file system, where pages search the text themselves, and served, where they query the index.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::browser::{chromium, open, visit, write_site};
use crate::support::corpus::library;
use serde_json::{Value, json};
use zhushu::corpus::Works;
use zhushu::search::{self, Facet, Folding, Index, Options, Query, Show, Sort};
use zhushu::verify::Verifier;

/// A line of the list of queries.
struct Question {
    text: &'static str,
    options: Options,
    sort: Sort,
}

fn questions() -> Vec<Question> {
    let lines = include_str!("browser/queries.txt").lines().filter(|l| !l.starts_with('#'));
    let read = |line: &'static str| {
        let (how, text) = line.split_once(" | ").unwrap_or(("", line));
        let mut q = Question { text, options: Options::default(), sort: Sort::Reading };
        match how {
            "exact" => q.options.folding = Folding::Exact,
            "script" => q.options.folding = Folding::Script,
            "nocross" => q.options.crossing = false,
            "place" => q.sort = Sort::Place,
            "left" => q.sort = Sort::Left,
            "right" => q.sort = Sort::Right,
            _ => assert_eq!(how, "", "an option of the list"),
        }
        q
    };
    lines.map(read).collect()
}

const CONTEXT: usize = 12;
const LIMIT: usize = 500;

impl Question {
    /// The query as sent by pages.
    fn asked(&self) -> Value {
        let folding = match self.options.folding {
            Folding::Full => "full",
            Folding::Script => "script",
            Folding::Exact => "exact",
        };
        let sort = format!("{:?}", self.sort).to_lowercase();
        json!({ "q": self.text, "skip": 0, "limit": LIMIT, "context": CONTEXT, "sort": sort, "folding": folding, "crossing": self.options.crossing })
    }

    /// The answers of the library, as far as pages show them.
    fn answered(&self, index: &Index) -> Value {
        let query: Query = match self.text.parse() {
            Ok(query) => query,
            Err(zhushu::diag::Error { message, place, width, hint, .. }) => {
                return json!({ "error": { "message": message, "column": place.map(|p| p.column), "width": width, "hint": hint } });
            }
        };
        let found = index.search(&query, self.options).unwrap();
        let hits: Vec<Value> = found
            .answers(&Show { context: CONTEXT, sort: self.sort, skip: 0, limit: LIMIT })
            .unwrap()
            .iter()
            .map(|a| json!(a))
            .collect();
        let mut all = json!({ "total": found.total(), "skip": 0, "hits": hits, "counts": {
            "layer": found.count(Facet::Layer).unwrap(),
            "chapter": found.count(Facet::Chapter).unwrap(),
        } });
        if found.total() == 0 {
            let unknown = index.unknown_names(&query).unwrap();
            all["unknown"] =
                unknown.iter().map(|u| json!({ "name": u.name, "known": u.known })).collect();
            let near = index.suggest(&query, self.options).unwrap();
            all["near"] =
                near.iter().map(|n| json!({ "query": n.query, "total": n.total })).collect();
        }
        all
    }
}

/// What both ways of answering must agree on: pages do not know lines and offsets of the file.
fn shown(answer: &Value) -> Value {
    let mut answer = answer.clone();
    for hit in answer["hits"].as_array_mut().into_iter().flatten() {
        let keep =
            ["document", "layer", "by", "certainty", "left", "hit", "right", "words", "anchor"];
        // A browser writes 1 where the program writes 1.0.
        let value = |v: &Value| v.as_f64().map_or_else(|| v.clone(), |n| json!(n));
        *hit = keep
            .iter()
            .map(|k| (k.to_string(), value(&hit[k])))
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    // A server says more: what it searched, and how to ask for the rest.
    if let Some(answer) = answer.as_object_mut() {
        ["more", "searched", "not_searched"].into_iter().for_each(|key| _ = answer.remove(key));
    }
    // Browsers have other messages for invalid expressions.
    if answer["error"]["message"]
        .as_str()
        .is_some_and(|m| m.starts_with("this is not a regular expression"))
    {
        answer["error"]["message"] = json!("this is not a regular expression");
    }
    answer
}

/// The results in the document of the page.
fn reported(dom: &str) -> Vec<Value> {
    let reported = dom
        .split("data-reported=\"")
        .nth(1)
        .and_then(|t| t.split('"').next())
        .expect("the page has answered");
    let words = percent_encoding::percent_decode_str(reported).decode_utf8().unwrap();
    serde_json::from_str(&words).unwrap()
}

/// The bundled corpus as `build` writes it, with a page that asks the questions.
fn edition(folder: &Path, questions: &[Question]) -> Index {
    edition_asking(folder, &questions.iter().map(Question::asked).collect::<Vec<Value>>())
}

fn edition_asking(folder: &Path, asked: &[Value]) -> Index {
    let library = library();
    let site = folder.join("site");
    std::fs::create_dir(&site).unwrap();
    write_site(library, &site);
    std::fs::write(site.join("asked.js"), format!("window.questions = {};", json!(asked))).unwrap();
    std::fs::write(site.join("conform.js"), include_str!("browser/conform.js")).unwrap();
    let page = std::fs::read_to_string(site.join("index.html")).unwrap();
    let scripts = "<script src=\"asked.js\"></script><script src=\"conform.js\"></script></head>";
    std::fs::write(site.join("conform.html"), page.replacen("</head>", scripts, 1)).unwrap();
    search::build(library, &folder.join("index")).unwrap();
    Index::open(&folder.join("index")).unwrap()
}

/// Quotations, and what they are said to be from.
const QUOTATIONS: &[(&str, &str)] = &[
    ("二算为纯", "儀禮・鄉射禮"),
    ("一純以取，實於左手", ""),
    ("一純以取，實於右手", ""),
    ("一純以取，實於右手，十純則而委之", "儀禮・鄉射禮"),
    ("一純以取，實於左手", "儀禮・燕禮"),
    ("一純", ""),
    ("一純以耴", ""),
    ("勝者之子弟", ""),
    ("道可道非常道", ""),
];

#[test]
fn pages_check_quotations_as_the_library_does() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let asked: Vec<Value> = QUOTATIONS.iter().map(|q| json!({ "verify": [q.0, q.1] })).collect();
    let index = edition_asking(folder.path(), &asked);
    let page = folder.path().join("site/conform.html");
    let (dom, _) = open(browser, &page, 1400, &folder.path().join("profile"));
    let verifier = Verifier::new(Works::builtin()).with("index", &index).unwrap();
    let best = |item: &Value| json!([item["verdict"], item["places"][0]["edits"]]);
    for (quoted, page) in QUOTATIONS.iter().zip(reported(&dom)) {
        let cited = (!quoted.1.is_empty()).then_some(quoted.1);
        let item = json!(verifier.check_words(quoted.0, cited).unwrap().unwrap());
        assert_eq!(best(&page), best(&item), "{quoted:?}");
    }
}

fn compare(questions: &[Question], index: &Index, reported: &[Value], how: &str) {
    assert_eq!(reported.len(), questions.len(), "{how}: {reported:?}");
    let (mut hits, mut wrong) = (0, vec![]);
    // A server says of an empty question that it is missing.
    let is_asked = |question: &Question| how != "served" || !question.text.is_empty();
    for (question, reported) in questions.iter().zip(reported).filter(|(q, _)| is_asked(q)) {
        let (want, got) = (shown(&question.answered(index)), shown(reported));
        hits += want["total"].as_u64().unwrap_or(0);
        if want != got {
            let pairs = want["hits"]
                .as_array()
                .into_iter()
                .flatten()
                .zip(got["hits"].as_array().into_iter().flatten());
            let other = pairs.into_iter().find(|(a, b)| a != b).map_or((&want, &got), |pair| pair);
            wrong.push(format!(
                "{how}: {}\n  library {:.600}\n  page    {:.600}",
                question.text,
                other.0.to_string(),
                other.1.to_string()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), questions.len(), wrong.join("\n"));
    assert!(hits > 5_000, "{hits}");
}

#[test]
fn pages_answer_as_the_library_does() {
    let Some(browser) = chromium() else { return };
    let questions = questions();
    let folder = tempfile::tempdir().unwrap();
    let index = edition(folder.path(), &questions);
    let (dom, said) = open(
        browser,
        &folder.path().join("site/conform.html"),
        1400,
        &folder.path().join("profile"),
    );
    assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{said}");
    compare(&questions, &index, &reported(&dom), "file");
    let server = Server::start(folder.path());
    let (dom, said) = visit(
        browser,
        &format!("{}conform.html", server.address),
        1400,
        &folder.path().join("profile"),
    );
    // A refused query gets a 400, which browsers log on the console.
    let complaints = said.lines().filter(|l| l.contains("CONSOLE") && !l.contains("status of 400"));
    assert_eq!(complaints.collect::<Vec<_>>(), Vec::<&str>::new());
    compare(&questions, &index, &reported(&dom), "served");
    let (dom, _) = visit(
        browser,
        &format!("{}?q=%E8%B3%A2%E7%8D%B2", server.address),
        1400,
        &folder.path().join("profile"),
    );
    assert!(dom.contains("<mark>賢獲</mark>"), "an address may ask");
}

/// A running server; ended when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(out: &Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zhushu"));
        command.env("ZHUSHU_LIBRARY", "").env_remove("ZHUSHU_LANG").env("LC_ALL", "C");
        let mut child = command
            .args(["serve", "--port", "0"])
            .arg(out)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Server { child, address: address.trim().into() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
