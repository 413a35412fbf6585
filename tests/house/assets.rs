//! The version in addresses of the files that pages share: it changes with each of them.

use std::fs;
use std::path::Path;

use crate::support::corpus::library;

#[allow(dead_code)]
#[path = "../../build.rs"]
mod build;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What follows `?v=` in the addresses of a page.
fn versions(page: &str) -> Vec<&str> {
    let addresses = page.split("?v=").skip(1);
    addresses.filter_map(|rest| rest.split(['"', '&']).next()).collect()
}

#[test]
fn pages_name_the_version_of_their_files() {
    let mut pages = 0;
    let site = zhushu::Site::of(library(), zhushu::SiteTitle::default());
    for part in site.parts() {
        let mut take = |name: &str, content: &[u8]| {
            let Ok(text) = std::str::from_utf8(content) else { return Ok(()) };
            if name.ends_with(".html") && text.contains("index.page.css") {
                let all = versions(text);
                assert!(all.len() >= 3, "{name}: {all:?}");
                assert!(all.iter().all(|v| *v == build::pages(root())), "{name}: {all:?}");
                pages += 1;
            }
            Ok(())
        };
        site.write(&part, &mut take).expect("nothing fails");
    }
    assert!(pages > 5, "{pages}");
}

#[test]
fn the_version_changes_with_every_shared_file() {
    let copy = tempfile::tempdir().expect("a folder");
    let mut files = vec![];
    for name in build::PAGES {
        let from = root().join(name);
        let inner: Vec<_> = match fs::read_dir(&from) {
            Ok(entries) => entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect(),
            Err(_) => vec![from],
        };
        assert!(!inner.is_empty(), "{name}");
        for path in inner {
            let to = copy.path().join(path.strip_prefix(root()).expect("inside"));
            fs::create_dir_all(to.parent().expect("a folder")).expect("it is made");
            fs::copy(&path, &to).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            files.push(to);
        }
    }
    let before = build::pages(copy.path());
    assert_eq!(before, build::pages(root()), "files in folders below are not copied here");
    for kind in ["page.css", "page.js", "bar.js", "leaf.js", "state.js", "find.js", "drawer.js"] {
        assert!(files.iter().any(|f| f.ends_with(kind)), "{kind} has no version");
    }
    for file in files {
        let bytes = fs::read(&file).expect("it was copied");
        fs::write(&file, [&bytes[..], b" "].concat()).expect("it is written");
        assert_ne!(build::pages(copy.path()), before, "{}", file.display());
        fs::write(&file, bytes).expect("it is written");
        assert_eq!(build::pages(copy.path()), before);
    }
}
