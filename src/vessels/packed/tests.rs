//! Small files of each kind, made here.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use crate::source::Source;
use crate::vessels::packed;

/// An archive of members.
fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut made = zip::ZipWriter::new(Cursor::new(vec![]));
    for (name, words) in members {
        let method = match *name {
            "mimetype" => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        made.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        made.write_all(words.as_bytes()).unwrap();
    }
    made.finish().unwrap().into_inner()
}

fn open(name: &str, bytes: Vec<u8>) -> Result<Source, crate::diag::Error> {
    let source = packed::source(name.as_ref(), &bytes)?;
    source.map_or_else(|| Source::decode(name, bytes, None), Ok)
}

/// The text of a file: the body of the page.
fn body(bytes: Vec<u8>) -> String {
    let source = open("a.bin", bytes).unwrap();
    let text = source.text();
    let from = text.find("<body>\n").unwrap() + "<body>\n".len();
    text[from..text.find("</body>").unwrap()].to_string()
}

fn refusal(bytes: Vec<u8>) -> String {
    open("a.bin", bytes).unwrap_err().message
}

fn word(document: &str) -> Vec<(&'static str, String)> {
    let styles = "<w:styles xmlns:w='w'><w:docDefaults><w:rPr><w:sz w:val='24'/></w:rPr></w:docDefaults>\
        <w:style w:styleId='1'><w:name w:val='heading 1'/></w:style>\
        <w:style w:styleId='a'><w:name w:val='今譯'/></w:style>\
        <w:style w:styleId='b'><w:name w:val='小字'/><w:rPr><w:sz w:val='16'/></w:rPr></w:style>\
        <w:style w:styleId='c'><w:name w:val='TOC 1'/></w:style></w:styles>";
    let notes = "<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p><w:r><w:t>-</w:t></w:r></w:p>\
        </w:footnote><w:footnote w:id='2'><w:p><w:r><w:t>馬曰</w:t></w:r></w:p></w:footnote></w:footnotes>";
    vec![
        ("word/document.xml", format!("<w:document><w:body>{document}</w:body></w:document>")),
        ("word/styles.xml", styles.to_string()),
        ("word/footnotes.xml", notes.to_string()),
        ("docProps/core.xml", "<c><dc:title>論語</dc:title></c>".to_string()),
    ]
}

fn of_word(document: &str) -> String {
    let members = word(document);
    let members: Vec<(&str, &str)> =
        members.iter().map(|(name, words)| (*name, &**words)).collect();
    body(archive(&members))
}

/// A run of Word with a size of type.
fn run(size: &str, words: &str) -> String {
    let size = match size {
        "" => String::new(),
        size => format!("<w:rPr><w:sz w:val='{size}'/></w:rPr>"),
    };
    format!("<w:r>{size}<w:t>{words}</w:t></w:r>")
}

#[test]
fn small_type_of_word_is_small() {
    let long = "子曰學而時習之不亦說乎有朋自遠方來";
    let paragraph = format!(
        "<w:p><w:pPr><w:pStyle w:val='1'/></w:pPr>{}</w:p><w:p>{}{}{}{}</w:p>",
        run("44", "學而第一"),
        run("", long),
        run("16", "馬曰"),
        run("16", "子者男子"),
        run("22", "人不知"),
    );
    let want = format!("<h1>學而第一</h1>\n<p>{long}<small>馬曰子者男子</small>人不知</p>\n");
    assert_eq!(of_word(&paragraph), want);
    // Notes can be most of the text, and whole paragraphs.
    let notes = format!(
        "<w:p>{}{}</w:p><w:p>{}</w:p>",
        run("24", long),
        run("18", &long.repeat(4)),
        run("18", long)
    );
    let want =
        format!("<p>{long}<small>{}</small></p>\n<p><small>{long}</small></p>\n", long.repeat(4));
    assert_eq!(of_word(&notes), want);
}

#[test]
fn styles_notes_ruby_changes_and_tables_of_word() {
    let styled = |style: &str, words: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr>{}</w:p>", run("", words))
    };
    assert_eq!(of_word(&styled("a", "孔子說")), "<p class=\"今譯\">孔子說</p>\n");
    assert_eq!(of_word(&styled("c", "學而\t1")), "<p class=\"toc\">學而\t1</p>\n");
    let rich = "<w:p><w:r><w:t>子</w:t></w:r><w:del><w:r><w:delText>某</w:delText></w:r></w:del>\
        <w:ins><w:r><w:t>曰&amp;</w:t></w:r></w:ins><w:r><w:footnoteReference w:id='2'/></w:r><w:r><w:ruby>\
        <w:rt><w:r><w:t>xué</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>學</w:t></w:r></w:rubyBase></w:ruby>\
        </w:r><w:r><w:rPr><w:eastAsianLayout w:combine='1'/></w:rPr><w:t>雙行</w:t></w:r><w:r><w:br/></w:r>\
        <w:r><w:t>而</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>甲</w:t></w:r></w:p></w:tc>\
        </w:tr></w:tbl>";
    let want = "<p>子曰&<span class=\"footnote\">馬曰</span><ruby><rt>xué</rt>學</ruby><small>雙行</small>\
        <br>而</p>\n<table>\n<tr><td><p>甲</p>\n</td></tr>\n</table>\n";
    assert_eq!(of_word(rich), want);
    let members = word(rich);
    let members: Vec<(&str, &str)> =
        members.iter().map(|(name, words)| (*name, &**words)).collect();
    let bytes = archive(&members);
    let source = open("a.docx", bytes.clone()).unwrap();
    let container = source.container().unwrap();
    assert_eq!(container.left_out, ["deletions"]);
    assert_eq!(container.sha256, crate::source::sha256_of([bytes]));
    assert!(source.text().contains("<title>論語</title>"));
}

#[test]
fn paragraphs_sizes_and_notes_of_opendocument() {
    let content = "<office:document-content><office:automatic-styles><style:style style:name='T1'>\
        <style:text-properties fo:font-size='8pt'/></style:style><style:style style:name='P1' \
        style:parent-style-name='Zhu'/></office:automatic-styles><office:body><office:text>\
        <text:h text:outline-level='1'>學而</text:h><text:p>子曰學而時習之\n<text:span text:style-name='T1'>\
        馬曰</text:span>不亦說乎<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>\
        包曰</text:p></text:note-body></text:note><office:annotation><text:p>見</text:p></office:annotation>有朋\
        </text:p><text:p text:style-name='P1'>覺也</text:p></office:text></office:body></office:document-content>";
    let styles = "<s><style:default-style><style:text-properties fo:font-size='12pt'/></style:default-style>\
        <style:style style:name='Zhu' style:display-name='注'/></s>";
    let bytes = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", content),
        ("styles.xml", styles),
    ]);
    let want = "<h1>學而</h1>\n<p>子曰學而時習之<small>馬曰</small>不亦說乎<span class=\"footnote\">包曰</span>有朋</p>\n\
        <p class=\"注\">覺也</p>\n";
    assert_eq!(body(bytes.clone()), want);
    let source = open("a.odt", bytes).unwrap();
    assert_eq!(source.container().unwrap().left_out, ["comments"]);
}

#[test]
fn the_pages_of_a_book_are_in_the_order_of_its_spine() {
    let container =
        "<container><rootfiles><rootfile full-path='OPS/b.opf'/></rootfiles></container>";
    let package = "<package><manifest><item id='b' href='t/2.xhtml' media-type='application/xhtml+xml'/>\
        <item id='a' href='t/1%20a.xhtml' media-type='application/xhtml+xml'/><item id='n' properties='nav' \
        href='nav.xhtml' media-type='application/xhtml+xml'/><item id='i' href='i.png' media-type='image/png'/>\
        </manifest><spine><itemref idref='n'/><itemref idref='a'/><itemref idref='b'/></spine></package>";
    let bytes = archive(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OPS/b.opf", package),
        ("OPS/nav.xhtml", "<html>目錄</html>"),
        ("OPS/t/1 a.xhtml", "<html><p>&#23416;而</p></html>"),
        ("OPS/t/2.xhtml", "<html><p>為政</p></html>\n"),
    ]);
    let source = open("a.epub", bytes).unwrap();
    let want = "<!DOCTYPE html>\n<!-- OPS/t/1 a.xhtml -->\n<html><p>學而</p></html>\n<!-- OPS/t/2.xhtml -->\n\
        <html><p>為政</p></html>\n";
    assert_eq!(source.text(), want);
    assert_eq!(source.container().unwrap().left_out, ["images"]);
}

#[test]
fn a_workbook_is_a_table() {
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, heads, cell) in [
        ("一", ["原文", "今譯"], "子曰"),
        ("二", ["原文", "今譯"], "有子\n曰"),
        ("三", ["注", "原文"], "馬曰"),
        ("四", ["別", "又"], "x"),
    ] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet.write_string(0, 0, heads[0]).unwrap().write_string(0, 1, heads[1]).unwrap();
        sheet.write_string(2, 0, cell).unwrap().write_string(2, 1, "孔子說").unwrap();
    }
    let source = open("a.xlsx", book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(
        source.text(),
        "原文\t今譯\t注\n子曰\t孔子說\t\n有子 曰\t孔子說\t\n孔子說\t\t馬曰\n"
    );
    assert_eq!(source.container().unwrap().left_out, ["sheet 四"]);
}

#[test]
fn rich_text_in_unicode_and_in_a_code_page() {
    let rich = |words: &str| {
        let mut bytes = b"{\\rtf1\\ansi\\ansicpg936\\uc1{\\fonttbl{\\f0 Song;}}{\\*\\x y}".to_vec();
        bytes.extend(words.as_bytes());
        bytes.push(b'}');
        body(bytes)
    };
    assert_eq!(
        rich("\\u23376?\\u26352?\\par\\u-10179?\\u-8704?"),
        "<p>子曰</p>\n<p>\u{1F600}</p>\n"
    );
    assert_eq!(rich("\\'d7\\'d3{\\b \\'d4\\'bb}\\{"), "<p>子曰{</p>\n");
    let noted = "\\fs24\\u23376?\\u26352?\\u23376?\\u26352?{\\fs16 \\u39340?}\\u26352?{\\footnote \\pard \\u21253?\\par}\\u23416?";
    assert_eq!(
        rich(noted),
        "<p>子曰子曰<small>馬</small>曰<span class=\"footnote\">包</span>學</p>\n"
    );
    let starred = "\\headery720 \\u23376?{\\super\\chftn{\\*\\footnote\\chftn \\u39340?}}\\u26352?";
    assert_eq!(rich(starred), "<p>子<span class=\"footnote\">馬</span>曰</p>\n");
    assert_eq!(rich("}}{{{\\u"), "");
}

#[test]
fn rich_text_without_its_end_says_so() {
    let left_out = |end: &str| {
        let bytes =
            format!("{{\\rtf1\\ansi\\uc1{{\\f0 Song;}}\\u23376?\\u26352?{end}").into_bytes();
        open("t.rtf", bytes).unwrap().container().unwrap().left_out.len()
    };
    assert_eq!((left_out("}"), left_out("")), (0, 1));
}

#[test]
fn what_is_damaged_encrypted_or_grows_without_end_is_refused() {
    let members = word("<w:p/>");
    let members: Vec<(&str, &str)> =
        members.iter().map(|(name, words)| (*name, &**words)).collect();
    let sound = archive(&members);
    for cut in [40, sound.len() / 2, sound.len() - 1] {
        assert!(open("a.docx", sound[..cut].to_vec()).is_err());
    }
    let entities = "<!DOCTYPE x [<!ENTITY a 'b'>]><w:document><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:document>";
    assert!(refusal(archive(&[("word/document.xml", entities)])).contains("entities"));
    let bomb = "子".repeat(40_000_000);
    assert!(refusal(archive(&[("word/document.xml", &bomb)])).contains("more than any text"));
    assert!(refusal(archive(&[("a.txt", "子曰")])).contains("binary"));
}
