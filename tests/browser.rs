//! The pages of the bundled corpus in a real browser: they open from the file system, their script runs under their
//! content policy, and nothing is said on the console.
//!
//! Wants `chromium`; says so and skips where there is none (with `ZHUSHU_FORBID_SKIP=1` that is a failure).

use std::path::Path;
use std::process::Command;

use zhushu::{load, pipeline, writers};

/// The browser, if there is one.
fn chromium() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|n| Command::new(n).arg("--version").output().is_ok());
    if found.is_none() {
        assert!(std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(), "chromium is missing, and skipping is forbidden");
        eprintln!("skipped: no chromium on this machine");
    }
    found
}

/// The page's document after its script has run, and what the browser said.
fn open(browser: &str, page: &Path, width: u32, profile: &Path) -> (String, String) {
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"];
    let output = Command::new(browser)
        .args(flags)
        .args(["--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn pages_open_from_the_file_system_without_a_word_on_the_console() {
    let Some(browser) = chromium() else { return };
    let corpus = load::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").as_path()).expect("the bundled corpus opens");
    let mut library = pipeline::run(load::read(&corpus).expect("it reads").documents);
    pipeline::align(&mut library);
    let folder = tempfile::tempdir().expect("a folder");
    let html = writers::by_name("html").expect("it is in the table");
    for document in &library.documents {
        let mut page = Vec::new();
        (html.write)(document, &library, &mut page).expect("memory takes it");
        std::fs::write(folder.path().join(format!("{}.html", document.id)), page).expect("the folder takes it");
    }
    for (id, words) in [("yili-05-zhushu", "眾賓繼射"), ("yili-07-judou", "大射之儀")] {
        for width in [1400, 390] {
            let page = folder.path().join(format!("{id}.html"));
            let (dom, said) = open(browser, &page, width, &folder.path().join("profile"));
            assert!(dom.contains(words), "{id} at {width}: the page is empty; {said}");
            let console: Vec<&str> = said.lines().filter(|l| l.contains("CONSOLE")).collect();
            assert!(console.is_empty(), "{id} at {width}: {console:?}");
        }
    }
    // A reference opens its target on another page; a locus is an address; the passage lists what points at it.
    let page = std::fs::read_to_string(folder.path().join("yili-05-zhushu.html")).expect("it was written");
    let across = page.split("href=\"").skip(1).filter_map(|h| h.split('"').next()).find(|h| h.starts_with("yili-07-judou.html?"));
    let across = across.expect("鄉射 cites 大射").replace("&amp;", "&");
    for (address, id) in
        [(across.as_str(), across.rsplit('#').next().expect("an element")), ("yili-05-zhushu.html#yili.05.1.2", "yili.05.1.2")]
    {
        let (dom, said) = open(browser, &folder.path().join(address), 1400, &folder.path().join("profile"));
        assert!(dom.contains(&format!("id=\"{id}\"")), "{address}");
        assert!(dom.contains("引此 referred to by") && dom.contains("異文 readings"), "{address}");
        assert!(!said.lines().any(|l| l.contains("CONSOLE")), "{address}: {said}");
    }
}
