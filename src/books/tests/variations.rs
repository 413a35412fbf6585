//! One invented book in the many ways in which books are written: titles of every form, with and
//! without a table of contents, links of a web page or running heads around them. No list has its
//! chapters.

use crate::Settings;
use crate::corpus::TextEntry;
use crate::model::{Document, Layer};
use crate::source::Source;

const BOOK: &str = "山居雜志";
const CHAPTERS: [&str; 6] = ["雲起", "泉出", "松下", "聽雨", "觀瀾", "採薇"];
const NUMERALS: [&str; 6] = ["一", "二", "三", "四", "五", "六"];

/// How the title of a chapter is written: `T` is the title, `N` its number in Chinese, `D` in
/// digits, `B` the title of the book, `/` the end of a line.
const FORMS: &[&str] = &[
    "T第N",
    "卷N　T",
    "卷第N/T第N",
    "卷之N/　　T",
    "第N卷 T",
    "B卷N/　　T第N",
    "第N篇　T",
    "第D章 T",
    "D. T",
    "0D T",
    "N、T",
    "（N）T",
    "【T第N】",
    "【T】",
    "《B·T》",
    "「T第N」",
    "## T第N",
    "== T ==",
    "B·T第N",
    "B T",
    "T",
    "T篇第N",
    "☆T",
    "▲T第N",
];

fn title(form: &str, n: usize) -> String {
    let digits = (n + 1).to_string();
    form.replace('T', CHAPTERS[n])
        .replace('N', NUMERALS[n])
        .replace('D', &digits)
        .replace('B', BOOK)
        .replace('/', "\n")
}

/// The text of a chapter: four paragraphs, different in each.
fn body(n: usize) -> String {
    let place = ["東", "西", "南", "北", "上", "下"][n];
    let paragraph = |k: usize| {
        let time = ["春", "夏", "秋", "冬"][k];
        format!(
            "{time}日居山之{place}，有客自城中來，問山中之樂。余曰：山中無他，{time}有所觀而已。"
        ) + &format!(
            "客曰：所觀者何？余曰：{place}望則見雲，{place}行則聞水，雲水之間，可以忘{time}。"
        ) + "客笑而去，明日復來，遂與之飲。\n"
    };
    (0..4).map(paragraph).collect()
}

/// The chapters with their titles, and what each surrounding puts around them.
fn book(form: &str, surrounding: &str) -> String {
    let entries: String = (0..6).map(|n| title(form, n) + "\n").collect();
    let chapter = |n: usize| format!("{}\n\n{}\n", title(form, n), body(n));
    let chapters: String = (0..6).map(chapter).collect();
    match surrounding {
        "alone" => chapters,
        "titled" => format!("{BOOK}\n\n{chapters}"),
        "contents first" => format!("《{BOOK}》\n\n目錄\n\n{entries}\n\n{chapters}"),
        "contents last" => format!("{BOOK}\n\n{chapters}\n目錄\n{entries}"),
        "of a web page" => {
            let linked =
                |n| format!("返回目录\n上一页 下一页\n{}首页 > 国学 > {BOOK}\n", chapter(n));
            format!("{BOOK}\n作者：佚名\n\n{}", (0..6).map(linked).collect::<String>())
        }
        _ => unreachable!("a surrounding of the list"),
    }
}

const SURROUNDINGS: &[&str] =
    &["alone", "titled", "contents first", "contents last", "of a web page"];

fn chapters(document: &Document) -> Vec<&str> {
    let titles = document.outline.iter().map(|c| c.title.trim_end_matches('篇'));
    titles.filter(|t| CHAPTERS.contains(t)).collect()
}

fn read(text: &str) -> Document {
    let source = Source::from_text("x.txt", text);
    Settings::default().document(&TextEntry::file("x.txt".as_ref()), source).unwrap()
}

#[test]
fn the_chapters_of_a_book_are_found_however_its_titles_are_written() {
    let mut wrong = vec![];
    for form in FORMS {
        for surrounding in SURROUNDINGS {
            let document = read(&book(form, surrounding));
            let classic = |words: &&str| {
                document.of_layer(Layer::Jing).any(|s| document.slice(s.span).contains(*words))
            };
            let read_as_text: Vec<&str> =
                ["第一", "目錄", "首页", "下一页"].into_iter().filter(classic).collect();
            if chapters(&document) != CHAPTERS || !read_as_text.is_empty() {
                wrong.push((form, surrounding, document.outline.len(), read_as_text));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn short_lines_of_one_text_are_no_chapters() {
    let text = body(0) + "某氏記\n" + &body(1) + "時年六十\n" + &body(2) + "某氏又記\n" + &body(3);
    let document = read(&text);
    assert!(document.outline.is_empty(), "{:?}", document.outline);
}

#[test]
fn the_title_of_the_only_chapter_is_a_heading() {
    let document = read(
        "學而第一\n\n子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎\n\n\
                         有子曰其為人也孝弟而好犯上者鮮矣不好犯上而好作亂者未之有也\n",
    );
    let of = |layer| document.of_layer(layer).map(|s| document.slice(s.span)).collect::<String>();
    assert_eq!(of(Layer::Heading), "學而第一");
    assert!(of(Layer::Jing).starts_with("子曰"));
}

#[test]
fn a_chapter_of_a_few_bare_lines_is_one() {
    let text = "論語\n\n學而第一\n\n子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎\n\n\
                為政第二\n\n子曰為政以德譬如北辰居其所而眾星共之\n\n子曰詩三百一言以蔽之曰思無邪\n\n\
                八佾第三\n\n孔子謂季氏八佾舞於庭是可忍也孰不可忍也\n";
    let document = read(text);
    let names: Vec<&str> = document.outline.iter().map(|c| c.name()).collect();
    assert_eq!(names, ["學而", "為政", "八佾"]);
    let starts = document.outline.iter().map(|c| text[c.span.start()..].chars().next());
    assert_eq!(starts.skip(1).collect::<Option<String>>().as_deref(), Some("為八"));
}

#[test]
fn a_title_whose_line_break_was_lost_begins_its_chapter() {
    let book = book("卷N　T", "contents first");
    let joined = book.replace("遂與之飲。\n\n卷三　松下", "遂與之飲。卷三　松下");
    assert_ne!(book, joined);
    let document = read(&joined);
    assert_eq!(chapters(&document), CHAPTERS);
    let start = document.outline.iter().find(|c| c.title == "松下").expect("it").span.start();
    assert!(joined[start..].starts_with("卷三"), "{}", &joined[start..]);
    // Without the list nothing says that it is a title.
    let alone =
        self::book("卷N　T", "alone").replace("遂與之飲。\n\n卷三　松下", "遂與之飲。卷三　松下");
    assert!(!chapters(&read(&alone)).contains(&"松下"));
}
