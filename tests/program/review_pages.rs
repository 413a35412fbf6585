//! The review of a text in its own page: over HTTP as a stranger tries it, and in a real browser by
//! mouse, by keys alone, and by touch on a small screen.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::pages::accessible;
use super::serve::Server;
use crate::support::browser::chromium;
use crate::support::driven::DrivenBrowser;
use crate::support::program::{Folder, ZHUSHU};

/// Paragraphs whose cut is not marked; `雲` for `云` is a doubtful character.
const MORE: &str = "司射適堂西,命弟子設豐。將飲不勝者,設豐所以承其爵也。豐形蓋似豆而卑。\n\n\
                    [疏]“司射”至“設豐”。注“將飲”至“而卑”。釋曰:雲“豐形蓋似豆而卑”者,以其大射有豐。\n";

/// A built corpus of one text under review. Everything is asked.
fn reviewed() -> (Folder, Server) {
    let folder = Folder::new();
    folder.write("texts/a.txt", format!("{ZHUSHU}\n{MORE}"));
    folder.run("build texts -o out").code(0);
    let server = Server::start_in(folder.path(), &["--review", "--by", "王 五", "--below", "1"]);
    (folder, server)
}

fn kept(folder: &Folder) -> String {
    fs::read_to_string(folder.path().join("texts/a.txt.review.toml")).unwrap_or_default()
}

/// What a page has for its script.
fn data(page: &str) -> Value {
    let data = page.split("data-review=\"").nth(1).and_then(|d| d.split('"').next()).unwrap();
    let data = data.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&data.replace("&amp;", "&")).unwrap()
}

fn page(server: &Server) -> String {
    let (status, head, body) = server.ask("GET", "/a.html");
    assert_eq!(status, 200, "{head}");
    String::from_utf8(body).unwrap()
}

/// Sends an answer with these headers; status and reply.
fn post(server: &Server, headers: &str, body: &Value) -> (u16, Value) {
    let (body, host) = (body.to_string(), &server.address);
    let head =
        format!("POST /api/review HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n", body.len());
    let (status, _, reply) = server.send(format!("{head}{headers}\r\n{body}").as_bytes());
    (status, serde_json::from_slice(&reply).unwrap_or_default())
}

fn own(server: &Server, token: &str) -> String {
    format!("Origin: http://{}\r\nX-Zhushu-Token: {token}\r\n", server.address)
}

/// The first question about where 注 begins.
fn cut(page: &Value) -> String {
    let places = page["places"].as_array().unwrap();
    let is_cut = |p: &&Value| p["about"]["kind"] == "cut" && p["about"]["sides"].is_array();
    places.iter().find(is_cut).expect("a doubtful cut")["id"].as_str().unwrap().to_string()
}

#[test]
fn an_answer_is_on_disk_at_once_and_the_page_follows_it() {
    let (folder, server) = reviewed();
    let before = page(&server);
    let (about, sent) = (data(&before), |act: &str, more: Value| {
        let mut body = json!({ "text": "a", "do": act });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    });
    let token = about["common"]["token"].as_str().unwrap().to_string();
    assert!(token.len() >= 32 && about["common"]["by"] == "王 五");
    let question = cut(&about);
    let choices = about["places"].as_array().unwrap().iter().find(|p| p["id"] == *question);
    let choices = choices.unwrap()["about"]["choices"].as_array().unwrap().clone();
    let none = choices.iter().position(|c| c["border"] == false).unwrap();
    let no_border = json!({ "question": question, "answer": { "choice": none }, "note": "看疏" });
    let (status, done) = post(&server, &own(&server, &token), &sent("decide", no_border));
    assert_eq!(status, 200, "{done}");
    assert!(done["changed"].as_u64().unwrap() > 0, "{done}");
    let written = kept(&folder);
    assert!(written.contains("by = \"王 五\"") && written.contains("note = \"看疏\""), "{written}");
    let after = page(&server);
    assert!(
        after.contains("class=\"changed\"") || after.contains(" changed\""),
        "nothing is marked"
    );
    assert!(!after.contains(&format!("data-ask=\"{question}\"")));
    // It is not asked again, and the answer of a page that is out of date is refused.
    let again = sent("decide", json!({ "question": question, "answer": { "choice": 0 } }));
    assert_eq!(post(&server, &own(&server, &token), &again).0, 409);
    // The same decision as `review` would make: its file is read by every command.
    folder.run("check texts/a.txt").code(0);
    let (_, undone) = post(&server, &own(&server, &token), &sent("undo", json!({})));
    assert!(undone["changed"].as_u64().unwrap() > 0, "{undone}");
    assert!(!kept(&folder).contains("[[correction]]"));
    assert!(page(&server).contains(&format!("data-ask=\"{question}\"")));
    assert_eq!(post(&server, &own(&server, &token), &sent("undo", json!({}))).0, 409);
    // Another place in the passage, and another layer.
    let at =
        data(&before)["places"].as_array().unwrap().iter().find(|p| p["id"] == *question).unwrap()
            ["about"]["at"]
            .as_u64()
            .unwrap();
    let moved = json!({ "question": question, "answer": { "at": at - 1, "layer": "shu" } });
    assert_eq!(post(&server, &own(&server, &token), &sent("decide", moved)).0, 200);
    assert!(kept(&folder).contains("decision = \"經|疏\""), "{}", kept(&folder));
    let (status, best) = post(&server, &own(&server, &token), &sent("best", json!({})));
    assert!(
        status == 200 && best["page"].as_str().is_some_and(|p| p.starts_with("a.html#ask-")),
        "{best}"
    );
    // Pages of an edition have none of this.
    let built = fs::read_to_string(folder.path().join("out/site/a.html")).unwrap();
    assert!(!built.contains("data-review") && !built.contains("class=\"ask\""));
}

#[test]
fn a_page_that_shows_a_question_otherwise_answers_nothing() {
    let (folder, server) = reviewed();
    let now = data(&page(&server));
    let (question, token) = (cut(&now), now["common"]["token"].as_str().unwrap().to_string());
    let places = now["places"].as_array().unwrap();
    let place = places.iter().find(|p| p["id"] == *question).unwrap();
    let decide = |seen: &Value| {
        let answer = json!({ "choice": 0 });
        json!({ "text": "a", "do": "decide", "question": question, "seen": seen, "answer": answer })
    };
    let (status, reply) = post(&server, &own(&server, &token), &decide(&json!("0123456789abcdef")));
    assert_eq!(status, 409, "{reply}");
    assert!(reply["error"]["hint"].as_str().unwrap().contains("load the page again"));
    assert!(!folder.path().join("texts/a.txt.review.toml").exists());
    let (status, reply) = post(&server, &own(&server, &token), &decide(&place["about"]["seen"]));
    assert_eq!(status, 200, "{reply}");
    let written = kept(&folder);
    // What was changed in the file meanwhile is not undone.
    let file = folder.path().join("texts/a.txt.review.toml");
    fs::write(&file, written.replace("by = ", "note = \"mine\"\nby = ")).unwrap();
    let (status, _) = post(&server, &own(&server, &token), &json!({ "text": "a", "do": "undo" }));
    assert_eq!(status, 409);
    assert!(kept(&folder).contains("mine"));
}

#[test]
fn only_a_page_of_this_server_may_write() {
    let (folder, server) = reviewed();
    let about = data(&page(&server));
    let token = about["common"]["token"].as_str().unwrap().to_string();
    let question = cut(&about);
    let body =
        json!({ "text": "a", "do": "decide", "question": question, "answer": { "choice": 1 } });
    let origin = format!("Origin: http://{}\r\n", server.address);
    let with = format!("X-Zhushu-Token: {token}\r\n");
    let wrong = format!("X-Zhushu-Token: {}\r\n", token.replace(|c: char| c.is_ascii_digit(), "a"));
    for headers in [
        String::new(),
        origin.clone(),
        with.clone(),
        format!("{origin}{wrong}"),
        format!("{origin}X-Zhushu-Token: \r\n"),
        format!("Origin: http://attacker.example\r\n{with}"),
        format!("Origin: null\r\n{with}"),
        format!("Origin: https://{}\r\n{with}", server.address),
        format!("Origin: http://localhost:1\r\n{with}"),
        format!("{origin}{with}Sec-Fetch-Site: cross-site\r\n"),
        format!("{origin}{with}Sec-Fetch-Site: same-site\r\n"),
    ] {
        let (status, said) = post(&server, &headers, &body);
        assert_eq!(status, 403, "{headers}: {said}");
        assert_eq!(kept(&folder), "", "{headers}");
    }
    // A name that was made to lead here (DNS rebinding) reads no token and writes nothing.
    let request = "GET /a.html HTTP/1.1\r\nHost: attacker.example\r\n\r\n";
    assert_eq!(server.send(request.as_bytes()).0, 403);
    let rebound = format!(
        "POST /api/review HTTP/1.1\r\nHost: attacker.example\r\nOrigin: http://attacker.example\r\n{with}Content-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.send(rebound.as_bytes()).0, 403);
    for (length, status) in
        [("", 411), ("Content-Length: x\r\n", 411), ("Content-Length: 99999999\r\n", 413)]
    {
        let head = format!("POST /api/review HTTP/1.1\r\nHost: {}\r\n{length}\r\n", server.address);
        assert_eq!(server.send(head.as_bytes()).0, status, "{length}");
    }
    for (body, status) in [
        (json!({}), 400),
        (json!({ "text": "a", "do": "delete" }), 400),
        (json!({ "text": "../a", "do": "undo" }), 409),
        (json!({ "text": "b", "do": "best" }), 409),
        (json!({ "text": "a", "do": "decide", "question": "cut-1", "answer": {} }), 409),
        (
            json!({ "text": "a", "do": "decide", "question": question, "answer": { "choice": 99 } }),
            409,
        ),
        (json!({ "text": "a", "do": "decide", "question": question, "answer": { "at": 0 } }), 409),
        (
            json!({ "text": "a", "do": "decide", "question": question, "answer": { "layer": "x" } }),
            409,
        ),
    ] {
        assert_eq!(post(&server, &format!("{origin}{with}"), &body).0, status, "{body}");
        assert_eq!(kept(&folder), "", "{body}");
    }
    assert_eq!(
        post(&server, &format!("{origin}{with}Sec-Fetch-Site: same-origin\r\n"), &body).0,
        200
    );
    assert!(kept(&folder).contains("[[correction]]"));
    let (status, head, _) = server.ask("PUT", "/a.html");
    assert!(status == 405 && !head.contains("Access-Control"), "{head}");
}

#[test]
fn a_review_is_refused_to_other_machines_and_without_a_build() {
    let folder = Folder::new();
    folder.write("texts/a.txt", ZHUSHU);
    folder.run("serve out --review --port 0").code(5);
    folder.run("build texts -o out").code(0);
    for line in ["--host 0.0.0.0", "--public", "--any-site", "--host ::"] {
        let output = folder.run(&format!("serve out --review --by 王 --port 0 {line}")).code(2);
        let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(
            said.contains("this machine only") || said.contains("cannot be used with"),
            "{said}"
        );
    }
}

/// What a test looks at is drawn where `ZHUSHU_PICTURES` says.
fn picture(browser: &mut DrivenBrowser, name: &str) {
    if let Some(folder) = std::env::var_os("ZHUSHU_PICTURES") {
        browser.picture(&PathBuf::from(folder).join(format!("{name}.png")));
    }
}

const READY: &str = "document.documentElement.dataset.review === 'ready'";
const LOADED_AGAIN: &str = "document.documentElement.dataset.review === 'ready' && document.querySelector('#review-said').textContent.length > 4";
const OPEN: &str = "document.querySelector('#ask-panel:popover-open')";
const ASKED: &str = "document.querySelectorAll('main [data-ask]').length";

/// A browser at the page of the text.
fn opened(browser: &str, folder: &Folder, server: &Server, width: u32) -> DrivenBrowser {
    let mut browser = DrivenBrowser::start(browser, &folder.path().join("profile"));
    browser.screen(width, 860, width < 600);
    browser.open(&format!("http://{}/a.html", server.address));
    browser.wait(READY);
    browser
}

#[test]
fn a_doubtful_cut_is_decided_by_mouse() {
    let Some(browser) = chromium() else { return };
    let (folder, server) = reviewed();
    let mut browser = opened(browser, &folder, &server, 1280);
    let question = cut(&data(&page(&server)));
    let mark = format!("[data-ask=\"{question}\"]");
    accessible(&mut browser, "the page");
    picture(&mut browser, "review-page");
    browser.click(&mark);
    browser.wait(OPEN);
    browser.wait("document.querySelector('#ask-title').textContent");
    accessible(&mut browser, "the panel");
    picture(&mut browser, "review-panel");
    // The border is drawn two characters back, and its new place is chosen.
    let edge = browser.value("document.querySelector('#ask-words .edge').nextSibling.dataset.at");
    let edge: usize = edge.as_str().unwrap().parse().unwrap();
    let token = |at: usize| format!("#ask-words [data-at=\"{at}\"]");
    browser.draw(&token(edge), &token(edge - 2));
    let moved = browser.value("document.querySelector('#ask-words .edge').nextSibling.dataset.at");
    assert_eq!(moved, json!((edge - 2).to_string()));
    let asked = browser.value(ASKED);
    browser.click("#ask-decide");
    browser.wait(LOADED_AGAIN);
    assert!(kept(&folder).contains("decision = \"經|注\""), "{}", kept(&folder));
    assert!(browser.value(ASKED).as_u64() < asked.as_u64());
    browser.wait("document.querySelector('main .changed')");
    picture(&mut browser, "review-changed");
    accessible(&mut browser, "what changed");
    browser.click("#review-undo");
    browser.wait("document.querySelector('#review-undo').disabled");
    browser.wait(LOADED_AGAIN);
    assert!(!kept(&folder).contains("[[correction]]"));
    assert_eq!(browser.value(ASKED), asked);
    // The tinted words lead to the question too.
    browser.click(&format!("[data-asked=\"{question}\"]"));
    browser.wait(OPEN);
    assert_eq!(browser.console, Vec::<String>::new());
}

#[test]
fn a_review_needs_no_mouse() {
    let Some(browser) = chromium() else { return };
    let (folder, server) = reviewed();
    let mut browser = opened(browser, &folder, &server, 1280);
    // The marks are reached by the key Tab, in the order of the text.
    for _ in 0..200 {
        browser.press("Tab");
        if browser.value("document.activeElement.matches('[data-ask]')") == json!(true) {
            break;
        }
    }
    let first = browser.value("document.activeElement.dataset.ask");
    assert_eq!(first, browser.value("document.querySelector('[data-ask]').dataset.ask"));
    browser.press("Enter");
    browser.wait(OPEN);
    browser.press("Escape");
    browser.wait(&format!("!{OPEN}"));
    assert_eq!(browser.value("document.activeElement.dataset.ask"), first, "the focus comes back");
    // From one question to the next: to the first cut.
    let question = cut(&data(&page(&server)));
    for _ in 0..20 {
        browser.press("q");
        browser.wait(OPEN);
        if browser.value(&format!("document.querySelector('#ask-{question}').matches(':focus') || document.activeElement.closest('#ask-panel') !== null")) == json!(true)
            && browser.value("document.querySelector('#ask-words .edge') !== null") == json!(true)
        {
            break;
        }
        browser.press("Escape");
    }
    let place = "document.querySelector('#ask-words .edge').nextSibling.dataset.at";
    let edge: usize = browser.value(place).as_str().unwrap().parse().unwrap();
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    browser.press("ArrowRight");
    assert_eq!(browser.value(place), json!((edge - 1).to_string()));
    browser.press("n");
    browser.press("?");
    browser.press("Enter");
    browser.wait(LOADED_AGAIN);
    assert!(kept(&folder).contains("note = \"?\""), "{}", kept(&folder));
    // The next is one key away; a number chooses at once.
    assert_eq!(browser.value("document.activeElement.id"), json!("review-next"));
    browser.press("Enter");
    browser.wait(OPEN);
    browser.press("s");
    browser.wait("document.querySelector('[data-ask].skipped')");
    browser.wait(OPEN);
    let decided = kept(&folder).matches("[[correction]]").count();
    browser.press("1");
    browser.wait("document.documentElement.dataset.review === undefined");
    browser.wait(LOADED_AGAIN);
    assert_eq!(kept(&folder).matches("[[correction]]").count(), decided + 1);
    browser.press("u");
    browser.wait("document.querySelector('#review-said').textContent.includes('已撤銷')");
    assert_eq!(kept(&folder).matches("[[correction]]").count(), decided);
    assert_eq!(browser.console, Vec::<String>::new());
}

#[test]
fn a_small_screen_has_the_panel_below_and_targets_for_a_finger() {
    let Some(browser) = chromium() else { return };
    let (folder, server) = reviewed();
    let mut browser = opened(browser, &folder, &server, 390);
    let question = cut(&data(&page(&server)));
    browser.value(&format!("document.querySelector('[data-ask=\"{question}\"]').scrollIntoView({{ block: 'center', behavior: 'instant' }})"));
    browser.tap(&format!("[data-ask=\"{question}\"]"));
    browser.wait(OPEN);
    browser.wait("document.querySelector('#ask-decide').textContent");
    picture(&mut browser, "review-small");
    accessible(&mut browser, "a small screen");
    let box_of = |selector: &str| {
        format!(
            "(r => [r.left, r.right, r.bottom, r.height])(document.querySelector('{selector}').getBoundingClientRect())"
        )
    };
    let panel = browser.value(&box_of("#ask-panel"));
    assert_eq!((&panel[0], &panel[1], &panel[2]), (&json!(0), &json!(390), &json!(860)), "{panel}");
    assert!(panel[3].as_f64().unwrap() < 640.0, "the text is hidden: {panel}");
    let small = browser.value(
        "Array.from(document.querySelectorAll('#ask-panel :is(button, label, select, input[type=text], summary), #review-bar button'))\
         .filter(e => e.getClientRects().length).map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])\
         .filter(([, r]) => Math.min(r.width, r.height) < 44).map(([e, r]) => e + r.width + 'x' + r.height)",
    );
    assert_eq!(small, json!([]));
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), json!(true));
    browser.tap("#ask-panel fieldset label:nth-of-type(2)");
    browser.tap("#ask-decide");
    browser.wait(LOADED_AGAIN);
    assert!(kept(&folder).contains("[[correction]]"));
    picture(&mut browser, "review-small-after");
    assert_eq!(browser.console, Vec::<String>::new());
}

/// The first question of a kind on a page.
fn question(page: &str, kind: &str) -> String {
    let all = data(page)["places"].clone();
    let places = all.as_array().unwrap();
    let found = places.iter().find(|p| p["about"]["kind"] == kind);
    let id = &found.unwrap_or_else(|| panic!("no {kind} in {all}"))["id"];
    id.as_str().unwrap().to_string()
}

/// Opens a question, takes the answer in this place of the list, and waits until the page follows it.
fn decide(browser: &mut DrivenBrowser, question: &str, answer: usize) {
    let mark = format!("[data-ask=\"{question}\"]");
    browser.value(&format!(
        "document.querySelector('{mark}').scrollIntoView({{ block: 'center', behavior: 'instant' }})"
    ));
    browser.click(&mark);
    browser.wait(OPEN);
    browser.wait("document.querySelector('#ask-decide').textContent");
    browser.click(&format!("#ask-panel fieldset label:nth-of-type({answer})"));
    // The page that is left says that it is ready too.
    browser.value("window.left = true");
    browser.click("#ask-decide");
    browser.wait(&format!("!window.left && {LOADED_AGAIN}"));
}

#[test]
fn speakers_and_titles_are_decided_in_the_page() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    let more = "【疏】“於是”至“及之”。○釋曰：熊氏云：“大夫不與。”是也。\n";
    folder.write("texts/a.txt", format!("山居\n{ZHUSHU}{more}水行\n{ZHUSHU}"));
    folder.run("build texts -o out").code(0);
    let server = Server::start_in(folder.path(), &["--review", "--by", "王", "--below", "1"]);
    let mut browser = opened(browser, &folder, &server, 1280);
    let speaker = question(&page(&server), "speaker");
    decide(&mut browser, &speaker, 2);
    picture(&mut browser, "review-speaker");
    assert!(kept(&folder).contains("kind = \"speaker\""), "{}", kept(&folder));
    for n in 1..=2 {
        let heading = question(&page(&server), "heading");
        decide(&mut browser, &heading, 2);
        picture(&mut browser, &format!("review-heading-{n}"));
        assert_eq!(kept(&folder).matches("kind = \"heading\"").count(), n, "{}", kept(&folder));
    }
    // There are two chapters now, and the page is of the second.
    assert_eq!(browser.value("location.pathname"), json!("/a-02.html"));
    browser.value("window.left = true");
    browser.click("#review-undo");
    browser.wait(&format!("!window.left && {LOADED_AGAIN}"));
    assert_eq!(browser.value("location.pathname"), json!("/a.html"));
    assert_eq!(browser.console, Vec::<String>::new());
}

#[test]
fn what_corresponds_in_the_translation_is_decided_in_the_page() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new();
    folder.run("demo yili").code(0);
    folder.run("build yili/corpus -o out").code(0);
    let server = Server::start_in(folder.path(), &["--review", "--by", "王", "--below", "1"]);
    let name = "yili-05-zhushu";
    let (status, _, body) = server.ask("GET", &format!("/{name}.html"));
    assert_eq!(status, 200);
    let bead = question(&String::from_utf8(body).unwrap(), "bead");
    let mut browser = DrivenBrowser::start(browser, &folder.path().join("profile"));
    browser.screen(1280, 860, false);
    browser.open(&format!("http://{}/{name}.html", server.address));
    browser.wait(READY);
    decide(&mut browser, &bead, 2);
    picture(&mut browser, "review-bead");
    let file = folder.path().join(format!("yili/corpus/{name}.txt.review.toml"));
    let kept = fs::read_to_string(file).unwrap_or_default();
    assert!(kept.contains("kind = \"bead\""), "{kept}");
    assert_eq!(browser.console, Vec::<String>::new());
}
