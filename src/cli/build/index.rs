//! The first page of the site: what the corpus holds, and where.

use zhushu::corpus::{Corpus, Library};
use zhushu::model::{Document, Role};

/// The page, complete; opens from the file system.
pub fn page(corpus: &Corpus, library: &Library) -> String {
    let title = escape(&super::title(corpus));
    let texts: String = library.documents.iter().map(|d| entry(d)).collect();
    let about: String = corpus.about.licence.iter().map(|l| format!("<p>{}</p>\n", escape(l))).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"lzh-Hant\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n<ol>\n{texts}</ol>\n<footer lang=\"en\">\n{about}\
         <p>Made by zhushu {}.</p>\n</footer>\n</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

const STYLE: &str = "\
body{margin:0;font-family:'Noto Serif CJK TC','Source Han Serif TC',Songti TC,PMingLiU,serif;line-height:1.6;\
background:Canvas;color:CanvasText;color-scheme:light dark}main{max-width:42rem;margin:0 auto;padding:1.5rem}\
li{margin:.8rem 0}a{font-size:1.3rem}small,footer{color:GrayText;font-family:system-ui,sans-serif}";

fn entry(d: &Document) -> String {
    let role = if d.meta.role == Role::Translation { "譯" } else { "" };
    let about = [role, d.meta.edition.as_deref().unwrap_or(""), d.meta.rights.as_deref().unwrap_or("")];
    let about: Vec<_> = about.into_iter().filter(|s| !s.is_empty()).map(escape).collect();
    let (href, title) = (percent(&d.id), escape(&d.meta.title));
    format!("<li><a href=\"{href}.html\">{title}</a><br><small lang=\"en\">{}</small></li>\n", about.join(" · "))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// A file name as part of a URL.
fn percent(name: &str) -> String {
    let keep = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    name.bytes().map(|b| if keep(b) { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_text() {
        assert_eq!(escape("<script>'\"&"), "&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(percent("a b/#經"), "a%20b%2F%23%E7%B6%93");
    }
}
