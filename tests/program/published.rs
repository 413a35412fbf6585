//! What a build makes of a corpus whose pages are published, of one text alone, and of an index that
//! is of another build.

use std::fs;

use crate::support::program::Folder;

const TEXT: &str = "學而第一\n\n子曰：「學而時習之，不亦說乎？」\n";

#[test]
fn pages_that_are_published_name_their_address() {
    let p = Folder::new();
    p.write("c/論語.txt", TEXT.as_bytes());
    let manifest = |address: &str| {
        format!("[corpus]\naddress = \"{address}\"\n\n[[text]]\nfile = \"論語.txt\"\n")
    };
    p.write("c/zhushu.toml", manifest("https://example.org/classics").as_bytes());
    p.run("build c -o out -q").success();
    let map = fs::read_to_string(p.path().join("out/site/sitemap.xml")).expect("the list of pages");
    assert!(map.contains("<loc>https://example.org/classics/index.html</loc>"), "{map}");
    assert!(
        map.contains("<loc>https://example.org/classics/%E8%AB%96%E8%AA%9E.html</loc>"),
        "{map}"
    );
    let page = fs::read_to_string(p.path().join("out/site/論語.html")).expect("a page");
    assert!(page.contains("rel=\"canonical\" href=\"https://example.org/classics/論語.html\""));
    assert!(page.contains("property=\"og:title\""));
    p.write("c/zhushu.toml", manifest("example.org").as_bytes());
    p.run("build c -o out -q").code(4);
}

#[test]
fn one_text_alone_is_a_corpus_of_its_own() {
    let p = Folder::new();
    p.write("c/a.txt", TEXT.as_bytes());
    p.write("c/b.txt", TEXT.replace("學而第一", "為政第二").as_bytes());
    p.run("build c/a.txt -o out -q").success();
    let json: Vec<_> =
        fs::read_dir(p.path().join("out/json")).expect("a folder").flatten().collect();
    assert_eq!(json.len(), 1);
    // Another text is another corpus, and so is the folder of both.
    p.run("build c/b.txt -o out -q").code(2);
    p.run("build c -o out -q").code(2);
    p.run("build c/a.txt -o out -q").success();
}

#[test]
fn an_index_of_another_build_is_made_again() {
    let p = Folder::new();
    p.write("c/a.txt", TEXT.as_bytes());
    p.run("build c -o out -q").success();
    fs::rename(p.path().join("out/index"), p.path().join("old")).expect("it is moved");
    p.write("c/a.txt", TEXT.replace("不亦說乎", "不亦悅乎").as_bytes());
    p.run("build c -o out -q").success();
    fs::remove_dir_all(p.path().join("out/index")).expect("it is removed");
    fs::rename(p.path().join("old"), p.path().join("out/index")).expect("it is moved");
    p.run("build c -o out -q").success();
    p.run("search 不亦悅 --index out --exact").success();
}
