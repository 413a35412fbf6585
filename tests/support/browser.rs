//! What tests in a real browser share: the browser, and the bundled corpus as a site.
//!
//! Needs `chromium`; reports this and skips if there is none (with `ZHUSHU_FORBID_SKIP=1` that is a
//! failure).

use std::path::Path;
use std::process::Command;

use zhushu::corpus::Library;
use zhushu::site;

/// The browser, if there is one.
pub fn chromium() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|n| Command::new(n).arg("--version").output().is_ok());
    if found.is_none() {
        assert!(
            std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
            "chromium is missing, and skipping is forbidden"
        );
        eprintln!("skipped: no chromium on this machine");
    }
    found
}

/// The document of a page from the file system after its script has run, and the messages of the
/// browser.
pub fn open(browser: &str, page: &Path, width: u32, profile: &Path) -> (String, String) {
    visit(browser, &format!("file://{}", page.display()), width, profile)
}

/// The same for any address.
pub fn visit(browser: &str, address: &str, width: u32, profile: &Path) -> (String, String) {
    let flags = [
        "--headless",
        "--no-sandbox",
        "--accept-lang=zh-TW",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-sync",
    ];
    let output = Command::new(browser)
        .args(flags)
        .args(["--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(address)
        .output()
        .expect("the browser starts");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// A corpus as a site in a folder.
pub fn site_of(library: &Library) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write_site(library, folder.path());
    folder
}

/// Writes the site of a corpus into a folder.
pub fn write_site(library: &Library, folder: &Path) {
    for part in site::parts(library) {
        let mut take = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content);
        site::write(part, library, site::Title::default(), &mut take).expect("the folder takes it");
    }
}
