//! What tests in a real browser share: the browser, pictures, and the bundled corpus as a site.
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

/// A script of an npm package, if it is installed (`npm install --prefix target/axe PACKAGE`).
pub fn script_of(package: &str, file: &str) -> Option<String> {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/axe/node_modules");
    let script = std::fs::read_to_string(modules.join(package).join(file)).ok();
    if script.is_none() {
        assert!(
            std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
            "{package} is missing, and skipping is forbidden"
        );
        eprintln!("not checked: no {package} (npm install --prefix target/axe {package})");
    }
    script
}

/// The document of a page from the file system after its script has run, and the messages of the
/// browser.
pub fn open(browser: &str, page: &Path, width: u32, profile: &Path) -> (String, String) {
    visit(browser, &format!("file://{}", page.display()), width, profile)
}

/// The browser without window, network and memory of its own.
fn headless(browser: &str, language: &str, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-sync"])
        .arg(format!("--accept-lang={language}"))
        .arg(format!("--user-data-dir={}", profile.display()));
    command
}

/// A picture of a page after its script has run, for someone who reads pages in this language.
pub fn photograph(browser: &str, address: &str, language: &str, size: (u32, u32), to: &Path) {
    let profile = tempfile::tempdir().expect("a folder");
    let output = headless(browser, language, profile.path())
        .args(["--virtual-time-budget=30000", "--hide-scrollbars"])
        .arg(format!("--window-size={},{}", size.0, size.1))
        .arg(format!("--screenshot={}", to.display()))
        .arg(address)
        .output()
        .expect("the browser starts");
    assert!(to.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The same for any address.
pub fn visit(browser: &str, address: &str, width: u32, profile: &Path) -> (String, String) {
    let output = headless(browser, "zh-TW", profile)
        .args(["--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
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
    let site = site::Site::of(library, site::Title::default());
    for part in site.parts() {
        let mut take = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content);
        site.write(&part, &mut take).expect("the folder takes it");
    }
}
