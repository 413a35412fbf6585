//! Serves the files of a site, and no other files.

use std::fs::File;
use std::path::{Component, Path, PathBuf};

use crate::diag::Error;
use percent_encoding::percent_decode_str;

use super::reply::Reply;

/// File extensions in a site, and the media type of each.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("txt", "text/plain"),
    ("bib", "text/plain"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
];

/// A folder.
pub struct Files {
    root: PathBuf,
}

impl Files {
    /// The files under `root`.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let real = root.canonicalize();
        let root = real.map_err(|e| {
            Error::io(root, "serve", &e)
                .hint("`zhushu build` writes the site; give serve its output folder")
        })?;
        Ok(Files { root })
    }

    /// The file that the path of a request names, or an error.
    pub fn reply(&self, path: &str) -> Reply {
        let Some((path, file)) = self.find(path) else {
            return Reply::words(404, "there is no such page");
        };
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let mime = TYPES
            .iter()
            .find(|(e, _)| *e == ending)
            .map_or("application/octet-stream", |(_, mime)| mime);
        match file.metadata() {
            Ok(about) if about.is_file() => Reply::file(mime, about.len(), file),
            _ => Reply::words(404, "there is no such page"),
        }
    }

    /// The opened file. A link out of the folder counts as missing.
    fn find(&self, path: &str) -> Option<(PathBuf, File)> {
        let decoded = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
        let name = if decoded.is_empty() { "index.html" } else { &*decoded };
        let plain = |part: &str| {
            !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0'])
        };
        if !name.split('/').all(plain)
            || !Path::new(name).components().all(|c| matches!(c, Component::Normal(_)))
        {
            return None;
        }
        let real =
            self.root.join(name).canonicalize().ok().filter(|p| p.starts_with(&self.root))?;
        let file = File::open(&real).ok()?;
        Some((real, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("sub")).unwrap();
        for name in ["index.html", "a b.html", "sub/x.js", ".hidden", "../secret"] {
            std::fs::write(site.join(name), name).unwrap();
        }
        let files = Files::open(&site).unwrap();
        let found = |path: &str| {
            files.find(path).map(|(p, _)| p.file_name().unwrap().to_string_lossy().into_owned())
        };
        assert_eq!(found("/").as_deref(), Some("index.html"));
        assert_eq!(found("/a%20b.html").as_deref(), Some("a b.html"));
        assert_eq!(found("/sub/x.js").as_deref(), Some("x.js"));
        for path in [
            "/../secret",
            "/%2e%2e/secret",
            "/sub/../../secret",
            "/..%2fsecret",
            "/..%5csecret",
            "//secret",
            "/%2Fetc/passwd",
            "/.hidden",
            "/%00",
            "",
            "x",
            "/sub//x.js",
            "/%ff",
            "/C:%5cx",
            "/./index.html",
            "/sub/%2e%2e/%2e%2e/secret",
        ] {
            assert_eq!(found(path), None, "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("secret"), site.join("out.html"))
                .unwrap();
            std::os::unix::fs::symlink(site.join("index.html"), site.join("in.html")).unwrap();
            assert_eq!(found("/out.html"), None);
            assert_eq!(found("/in.html").as_deref(), Some("index.html"));
        }
    }
}
