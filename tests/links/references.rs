//! References in small texts: lemmata of headers, quotations, citations and internal references.

use std::sync::Arc;

use zhushu::model::{Document, Layer, Link, LinkKind, Segment, Status};
use zhushu::pipeline;
use zhushu::source::{Source, Span};

/// A document whose layers are marked: `經〔…〕` is classic, `注〔…〕` a note, `疏〔…〕` sub-commentary,
/// `右〔…〕` a label; a line end separates paragraphs. The brackets stay in the text as marks.
fn marked(name: &str, text: &str) -> Document {
    let source = Arc::new(Source::from_text(name, text));
    let mut document = Document::new(source, "test");
    let mut layer = Layer::Blank;
    let mut runs: Vec<(Layer, usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let here = match c {
            '〔' | '〕' => Layer::Mark,
            '經' | '注' | '疏' | '音' | '右' if text[end..].starts_with('〔') => Layer::Mark,
            '\n' => Layer::Blank,
            _ => layer,
        };
        if here == Layer::Mark {
            layer = match c {
                '經' => Layer::Jing,
                '注' => Layer::Zhu,
                '疏' => Layer::Shu,
                '音' => Layer::Yin,
                '右' => Layer::Label,
                '〕' => Layer::Blank,
                _ => layer,
            };
        }
        match runs.last_mut() {
            Some((l, _, to)) if *l == here => *to = end,
            _ => runs.push((here, at, end)),
        }
    }
    document.segments =
        runs.into_iter().map(|(l, a, b)| Segment::marked(l, Span::new(a, b))).collect();
    document
}

fn run(texts: &[(&str, &str)]) -> Vec<Arc<Document>> {
    pipeline::run(texts.iter().map(|(n, t)| marked(n, t)).collect()).documents
}

/// The same, of texts with a work and chapter.
pub(super) fn run_named(texts: &[(&str, &str, &str)]) -> Vec<Arc<Document>> {
    let named = |(n, (work, chapter, text)): (usize, &(&str, &str, &str))| {
        let mut document = marked(&format!("{n}.txt"), text);
        document.meta.work = Some(work.to_string());
        document.meta.chapter = Some(chapter.to_string());
        document
    };
    pipeline::run(texts.iter().enumerate().map(named).collect()).documents
}

pub(super) fn one(text: &str) -> Arc<Document> {
    run(&[("a.txt", text)]).remove(0)
}

/// The words a link leads to.
pub(super) fn words<'a>(
    documents: &'a [Arc<Document>],
    from: &'a Document,
    link: &Link,
) -> Option<&'a str> {
    let target = link.target.as_ref()?;
    let document = target.doc.as_ref().map_or(from, |id| {
        documents.iter().find(|d| d.id == *id).expect("a document of the library")
    });
    Some(document.slice(target.span))
}

pub(super) fn of_kind(document: &Document, kind: LinkKind) -> Vec<&Link> {
    document.links.iter().filter(|l| l.kind == kind).collect()
}

/// Where each link of a kind leads, in order.
pub(super) fn places(document: &Document, kind: LinkKind) -> Vec<Option<&str>> {
    of_kind(document, kind)
        .into_iter()
        .map(|l| l.target.as_ref().map(|t| document.slice(t.span)))
        .collect()
}

#[test]
fn a_header_leads_to_its_words_first_at_first_and_last_at_last() {
    let d = one(
        "經〔賓升,坐取爵。賓坐祭,卒爵。〕注〔坐祭,坐而祭也。爵,酒器。〕\n疏〔“賓升”至“卒爵”。注“坐祭”至“酒器”。釋曰:賓者,客也。〕",
    );
    assert_eq!(
        places(&d, LinkKind::Lemma),
        [Some("賓升,坐取爵。賓坐祭,卒爵"), Some("坐祭,坐而祭也。爵,酒器")]
    );
}

#[test]
fn words_broken_by_punctuation_and_over_paragraphs_are_found() {
    let d = one(
        "經〔士旅酌,卒。〕\n經〔主人洗,升,獻士。〕注〔獻,進也。〕\n疏〔“卒主”至“獻士”。注“獻進也”。釋曰:此獻士之節。〕",
    );
    let lemmata = places(&d, LinkKind::Lemma);
    assert_eq!(
        lemmata[0].map(|w| w.replace(['\n', '〔', '〕', '經'], "")),
        Some("卒。主人洗,升,獻士".into())
    );
    assert_eq!(lemmata[1], Some("獻,進也"));
}

#[test]
fn a_misprinted_end_is_read_through_only_at_a_known_border() {
    let border = one(
        "經〔大夫之矢,上握焉。〕注〔握,中央也。〕\n疏〔“大夫”至“握馬”。注“握中”至“央也”。釋曰:此論取矢。〕",
    );
    let lemma = &of_kind(&border, LinkKind::Lemma)[0];
    assert_eq!(
        (lemma.status, words(&[], &border, lemma)),
        (Status::Variant, Some("大夫之矢,上握焉"))
    );
    let nowhere = one(
        "經〔大夫之矢,上握焉。〕注〔握,中央也。〕\n疏〔“大夫”至“南面”。注“握中”至“央也”。釋曰:此論取矢。〕",
    );
    assert_eq!(places(&nowhere, LinkKind::Lemma), [None, Some("握,中央也")]);
    assert!(nowhere.diagnostics.iter().any(|d| d.code == "header-misprint"));
}

#[test]
fn what_an_earlier_scope_closed_is_not_explained_again() {
    let d = one(concat!(
        "經〔獲者許諾。〕注〔諾,應也。〕\n疏〔“獲者”至“許諾”。注“諾應也”。釋曰:自此盡“司馬乘矢”,論取矢之事。〕\n",
        "經〔司馬乘矢如初。〕\n經〔司射遂適西階,視筭。〕注〔視,察也。〕\n疏〔“司馬”至“視筭”。注“視察也”。釋曰:司射,主人之吏。〕"
    ));
    let lemmata = places(&d, LinkKind::Lemma);
    assert_eq!(
        lemmata[2],
        Some("司射遂適西階,視筭"),
        "司馬 is a misprint of 司射: the sentence with 司馬 belongs to the section before"
    );
}

#[test]
fn quotations_lead_into_the_passage_explained() {
    let d = one(concat!(
        "經〔不勝者先降。〕注〔後升先降,略之,不由次。〕\n",
        "疏〔“不勝”至“先降”。注“後升”至“由次”。釋曰:云“略之不由次第”者,謂不次也。言先降者,卑也。云“無此言”者,非也。知“後升”者,以其在下。〕"
    ));
    let found = places(&d, LinkKind::Quotation);
    assert_eq!(found, [Some("略之,不由次"), Some("先降"), None, Some("後升")]);
    let status: Vec<Status> = of_kind(&d, LinkKind::Quotation).iter().map(|l| l.status).collect();
    assert_eq!(status, [Status::Variant, Status::Exact, Status::Unresolved, Status::Exact]);
}

#[test]
fn negatives_are_recognised_and_not_placed() {
    let d = one(
        "經〔主人降洗。〕注〔洗,洗爵。〕\n疏〔“主人降洗”。注“洗洗爵”。釋曰:此不言升者,略之。〕",
    );
    let q = of_kind(&d, LinkKind::Quotation);
    assert_eq!(q.len(), 1);
    assert!(
        q[0].target.is_none()
            && q[0].evidence.iter().any(|e| e.code() == "said-not-to-stand-there")
    );
}

#[test]
fn ranges_in_running_commentary() {
    let d = one(
        "經〔獻士。〕注〔則磬人、鍾人、鼓人之屬盡獻可知也。〕\n疏〔“獻士”。注“則磬”至“知也”。釋曰:云“則磬人”以下至“盡獻可知也”者,據天子。〕",
    );
    let q = of_kind(&d, LinkKind::Quotation);
    assert_eq!(
        (q[0].status, words(&[], &d, q[0])),
        (Status::Range, Some("則磬人、鍾人、鼓人之屬盡獻可知也"))
    );
}

#[test]
fn a_scope_ends_at_the_next_place_with_its_words() {
    let d = one(concat!(
        "經〔獲者負侯而俟。〕注〔俟,待也。〕\n疏〔“獲者”至“而俟”。注“俟待也”。釋曰:俟者,待命。〕\n",
        "經〔司馬洗爵,獻獲者。〕注〔獲者賤。〕\n疏〔“司馬”至“獲者”。注“獲者賤”。釋曰:自此“盡負侯而俟”,論獻獲者之節。〕\n",
        "經〔獲者執薦,負侯而俟。〕注〔薦,脯醢。〕\n疏〔“獲者”至“而俟”。注“薦脯醢”。釋曰:薦者,進也。〕\n",
        "經〔司射獻釋獲者。〕注〔釋獲者卑。〕\n疏〔“司射”至“獲者”。注“釋獲者卑”。釋曰:自此盡“反位”,論獻釋獲者之事。〕"
    ));
    let scopes = of_kind(&d, LinkKind::Internal);
    let second = d.source.text().rfind("負侯而俟。〕注").expect("the later place");
    assert_eq!(
        scopes[0].target.as_ref().map(|t| t.span.start()),
        Some(second),
        "the first match is an earlier section's"
    );
    assert!(scopes[1].target.is_none(), "the text ends before the section does");
    let titles: Vec<Option<&str>> = d.divisions.iter().map(|s| s.title.as_deref()).collect();
    assert_eq!(titles, [None, Some("獻獲者"), Some("獻釋獲者")]);
    assert!(d.divisions.windows(2).all(|w| w[0].span.end() <= w[1].span.start()));
}

#[test]
fn labels_close_divisions() {
    let d = one(
        "經〔君有命戒射。〕注〔戒,告也。〕右〔右戒百官〕經〔前射三日。〕注〔宿,夕也。〕右〔右視滌〕經〔樂人宿縣。〕",
    );
    let shape: Vec<(Option<&str>, &str)> = d
        .divisions
        .iter()
        .map(|s| (s.title.as_deref(), d.slice(s.span).split('。').next().unwrap_or("")))
        .collect();
    assert_eq!(
        shape,
        [(Some("戒百官"), "君有命戒射"), (Some("視滌"), "前射三日"), (None, "樂人宿縣")]
    );
}

#[test]
fn citations_are_placed_in_the_chapter_they_name() {
    let daye = "經〔大射儀第七〕\n經〔司馬正洗散,遂實爵,獻服不。〕注〔服不,司馬之屬。〕經〔服不侯西北三步,北面拜受爵。〕注〔近其所為獻。〕";
    let ours = concat!(
        "經〔鄉射禮第五〕\n經〔獻獲者于侯。〕注〔鄉人獲者賤。〕\n",
        "疏〔“獻獲者于侯”。注“鄉人”至“者賤”。釋曰:案《大射》云:“司馬正洗散,遂實爵,獻服不。”注云:“近其所為獻。”",
        "又案《周禮-諸子職》云:“正六牲之體。”此是《燕射》之法。〕"
    );
    let all = run(&[("a.txt", ours), ("b.txt", daye)]);
    let cited = of_kind(&all[0], LinkKind::Citation);
    let shape: Vec<(Option<&str>, Option<&str>)> =
        cited.iter().map(|l| (l.work.as_deref(), words(&all, &all[0], l))).collect();
    assert_eq!(
        shape,
        [
            (Some("儀禮・大射儀"), Some("司馬正洗散,遂實爵,獻服不")),
            (Some("儀禮・大射儀・鄭注"), Some("近其所為獻")),
            (Some("周禮・夏官・諸子"), None),
        ],
        "燕射 is a rite, no title"
    );
    assert_eq!(cited[2].status, Status::TitleOnly);
}

#[test]
fn recensions_lead_to_the_word_of_the_classic() {
    let d = one(
        "經〔燕禮第六〕\n經〔十純則縮而委之。〕注〔縮,從也。古文縮皆為蹙。〕經〔賓降洗象觶。〕注〔今文曰洗象觚。〕",
    );
    assert_eq!(places(&d, LinkKind::Citation), [Some("縮"), Some("洗象觶")]);
    assert_eq!(of_kind(&d, LinkKind::Citation)[0].work.as_deref(), Some("儀禮・燕禮(古文)"));
}

#[test]
fn titles_without_marks_are_known_before_said() {
    let d = one("經〔命量人量侯道。〕注〔侯謂所射布也鄉射記曰侯道五十弓考工記曰弓之下制六尺〕");
    let works: Vec<Option<&str>> =
        of_kind(&d, LinkKind::Citation).iter().map(|l| l.work.as_deref()).collect();
    assert_eq!(works, [Some("儀禮・鄉射禮・記"), Some("周禮・考工記")]);
    let quoted: Vec<&str> = of_kind(&d, LinkKind::Citation)
        .iter()
        .filter_map(|l| l.quoted)
        .map(|q| d.slice(q))
        .collect();
    assert_eq!(quoted, ["侯道五十弓", "弓之下制六尺"]);
}

#[test]
fn words_above_and_below() {
    let d = one(concat!(
        "經〔鄉射禮第五〕\n經〔卒射,皆執弓不挾。〕注〔卒,已也。〕\n疏〔“卒射”至“不挾”。注“卒已也”。釋曰:卒射者,射訖。〕\n",
        "經〔命三耦執張弓。〕注〔右執弦,如卒射。〕\n疏〔“命三”至“張弓”。注“右執”至“卒射”。釋曰:上文卒射,執弓不挾,矢盡故也。案下文“眾射者立于射位”,是也。〕\n",
        "經〔三耦及眾射者立于射位。〕注〔位在南。〕\n疏〔“三耦”至“射位”。注“位在南”。釋曰:位者,射之位。〕"
    ));
    let internal = places(&d, LinkKind::Internal);
    assert_eq!(internal, [Some("卒射,皆執弓不挾"), Some("眾射者立于射位")]);
}

#[test]
fn exact_words_in_a_note_go_before_other_words_in_the_classic() {
    let d = one(concat!(
        "經〔鄉射禮第五〕\n經〔主人坐取爵于篚下,北面洗。〕注〔或曰主人坐奠爵于篚下,北面洗。〕\n疏〔“主人”至“面洗”。注“或曰”至“面洗”。釋曰:洗者,洗爵。〕\n",
        "經〔賓興,揖讓升。〕注〔興,起也。〕\n疏〔“賓興”至“讓升”。注“興起也”。釋曰:上文云“主人坐奠爵于篚下,北面洗”,是也。〕"
    ));
    let found = of_kind(&d, LinkKind::Internal).into_iter().map(|l| (l.status, words(&[], &d, l)));
    let found: Vec<_> = found.collect();
    assert_eq!(found, [(Status::Exact, Some("主人坐奠爵于篚下,北面洗"))]);
}

/// A plain chapter, long enough that chance matches are unlikely.
const TOLD: &str = concat!(
    "經〔大射儀第七〕\n",
    "經〔司射適阼階前,請射于公,公許,遂適西階上,命賓御于公。〕\n",
    "經〔司馬命負侯者執旌以負侯,負侯者皆適侯,執旌負侯而俟。〕\n",
    "經〔僕人正徒相大師,僕人師相少師,僕人士相上工,相者皆左何瑟。〕\n",
    "經〔小臣師納諸公卿大夫,諸公卿大夫皆入門右,北面東上,士西方東面。〕\n",
);

#[test]
fn what_a_title_cites_in_other_words_is_found_after_and_before_it() {
    let ours = concat!(
        "經〔鄉射禮第五〕\n經〔獻獲者于侯。〕注〔鄉人獲者賤。〕\n",
        "疏〔“獻獲者于侯”。注“鄉人”至“者賤”。釋曰:《大射》司馬先命執旌以負侯,此不命。",
        "不見僕人師、僕人士,文出於《大射》。《大射》與此異也。〕"
    );
    let all = run(&[("a.txt", ours), ("b.txt", TOLD)]);
    let cited = of_kind(&all[0], LinkKind::Citation);
    let found: Vec<Option<&str>> = cited.iter().map(|l| words(&all, &all[0], l)).collect();
    assert_eq!(
        found,
        [Some("司馬命負侯者執旌以負侯"), Some("僕人師相少師,僕人士"), None],
        "a title with no words of it is a title only"
    );
    assert!(cited.iter().all(|l| l.work.as_deref() == Some("儀禮・大射儀")));
    assert_eq!(cited[2].status, Status::TitleOnly);
}

#[test]
fn a_title_inside_a_quotation_is_a_citation_and_what_goes_on_is_from_there() {
    let ours = concat!(
        "經〔鄉射禮第五〕\n經〔獻獲者于侯。〕注〔《大射》記獲者之異,鄉人獲者賤。〕\n",
        "疏〔“獻獲者于侯”。注“大射”至“者賤”。釋曰:引“《大射》記獲者之異”者,謂旌異也。",
        "又云“小臣師納諸公卿大夫”,是君禮也。〕"
    );
    let all = run(&[("a.txt", ours), ("b.txt", TOLD)]);
    let of_shu: Vec<(Option<&str>, Option<&str>)> = of_kind(&all[0], LinkKind::Citation)
        .into_iter()
        .filter(|l| l.layer == Layer::Shu)
        .map(|l| (l.work.as_deref(), words(&all, &all[0], l)))
        .collect();
    assert_eq!(
        of_shu,
        [(Some("儀禮・大射儀・記"), None), (Some("儀禮・大射儀・記"), Some("小臣師納諸公卿大夫")),]
    );
}

#[test]
fn scholars_and_years_are_mentions() {
    let d = one(concat!(
        "經〔左傳宣公〕\n經〔彘子將下軍。〕注〔彘子,先縠。〕\n",
        "疏〔“彘子將下軍”。注“彘子先縠”。正義曰:服虔云“食采於彘”。熊氏、皇氏以爲字也。",
        "昭二十六年《左傳》稱禮之可以爲國也久矣。事見僖五年。〕"
    ));
    let works: Vec<Option<&str>> =
        of_kind(&d, LinkKind::Citation).iter().map(|l| l.work.as_deref()).collect();
    assert_eq!(
        works,
        [Some("服虔(左傳解誼)"), Some("熊氏(禮記義疏)"), Some("左傳・昭公"), Some("左傳・僖公"),]
    );
}

#[test]
fn words_are_looked_for_in_the_year_that_is_named_and_then_in_the_others() {
    let theirs = concat!(
        "經〔祭伯來,非王命也。衆父卒,公不與小斂。〕右〔右隱公元年〕",
        "經〔莒子娶于向,向姜不安莒而歸。祭伯來,非王命也。〕右〔右隱公二年〕"
    );
    let ours = |words: &str| {
        format!(
            "經〔獻獲者于侯。〕注〔鄉人獲者賤。〕\n疏〔“獻獲者于侯”。注“鄉人”至“者賤”。釋曰:隱二年《左傳》云“{words}”。〕"
        )
    };
    let place = |words: &str| {
        let all = run_named(&[("儀禮", "鄉射禮", &ours(words)), ("左傳", "隱公", theirs)]);
        let cited = of_kind(&all[0], LinkKind::Citation);
        assert_eq!(cited[0].work.as_deref(), Some("左傳・隱公"));
        cited[0].target.as_ref().map(|t| t.span.start())
    };
    let last = |words: &str| theirs.rfind(words);
    assert_eq!(place("祭伯來,非王命也"), last("祭伯來"), "the year decides");
    assert_eq!(place("衆父卒,公不與小斂"), last("衆父卒"), "the year is that of something else");
}

#[test]
fn quotations_in_a_note_lead_to_the_classic_before_it_or_elsewhere_in_the_chapter() {
    let d = one(concat!(
        "經〔九二,遇主于巷,无咎。〕注〔處睽失位,故曰“遇主于巷”也。衆疑既散,“群疑亡”也。是謂“大吉”。〕\n",
        "疏〔“九二”至“无咎”。正義曰:主謂五也。〕\n",
        "經〔遇雨之吉,群疑亡也。〕\n疏〔正義曰:往與三合。〕"
    ));
    assert_eq!(places(&d, LinkKind::Quotation), [Some("遇主于巷")]);
    assert_eq!(places(&d, LinkKind::Internal), [Some("群疑亡")], "大吉 is nowhere");
}

#[test]
fn a_note_in_quotation_marks_with_its_author_is_no_quotation_but_has_some() {
    let classic = "晉文公譎而不正,齊桓公正而不譎。使於孔子,子曰使乎。";
    let note = "鄭曰:“晉文公召天子,譎而不正也;齊桓公公義而不譎。言‘使乎’者,善之也。”";
    let commented = format!("經〔{classic}〕注〔{note}〕\n疏〔正義曰:此章論二公也。〕\n");
    let plain = format!("經〔{classic}〕\n");
    let all = run_named(&[("論語", "憲問", &commented), ("論語", "憲問", &plain)]);
    assert_eq!(places(&all[0], LinkKind::Citation), []);
    assert_eq!(places(&all[0], LinkKind::Quotation), [Some("使乎")]);
}

#[test]
fn of_equal_words_elsewhere_in_the_chapter_the_next_are_meant() {
    let before = concat!(
        "經〔往遇雨則吉,群疑亡也。〕注〔吉者善。〕\n",
        "疏〔“往遇”至“亡也”。注“吉者善”。正義曰:善者,好也。〕\n"
    );
    let here = concat!(
        "經〔九二,遇主于巷,无咎。〕注〔衆疑既散,“群疑亡”也。〕\n",
        "疏〔“九二”至“无咎”。正義曰:主謂五也。〕\n"
    );
    let place = |text: String| {
        let d = one(&text);
        let here = |l: &&Link| d.slice(l.span).contains("群疑亡");
        d.links.iter().find(here)?.target.as_ref().map(|t| t.span.start())
    };
    let text = format!("{before}{here}{before}");
    assert_eq!(place(text.clone()), text.rfind("群疑亡也"));
    let text = format!("{before}{here}");
    assert_eq!(place(text.clone()), text.find("群疑亡也"));
}

#[test]
fn the_tradition_and_instances_are_found_in_the_whole_work() {
    let ours = concat!(
        "經〔祭伯來。〕注〔傳曰“非王命也”,釋其不稱使。〕\n",
        "疏〔“祭伯來”。注“傳曰”至“稱使”。正義曰:俱是卿士。“劉夏逆王后于齊,卿不行”是也。〕\n",
        "經〔十二月,祭伯來,非王命也。〕"
    );
    let theirs = concat!(
        "經〔王叔陳生與伯輿爭政,王右伯輿,王叔陳生怒而出奔,及河,王復之。〕\n",
        "經〔官師從單靖公逆王后于齊,卿不行,非禮也。〕\n經〔劉夏逆王后于齊。〕"
    );
    let all = run_named(&[("左傳", "隱公", ours), ("左傳", "襄公", theirs)]);
    assert_eq!(places(&all[0], LinkKind::Internal), [Some("非王命也")]);
    let cited = of_kind(&all[0], LinkKind::Citation);
    let found: Vec<Option<&str>> = cited.iter().map(|l| words(&all, &all[0], l)).collect();
    assert!(found[0].is_some_and(|w| w.contains("逆王后于齊")), "{found:?}");
    assert!(cited.iter().all(|l| l.work.as_deref() == Some("左傳・襄公")));
}

#[test]
fn its_office_is_the_one_that_the_passage_is_about() {
    let text = concat!(
        "經〔外饔,中士四人。〕注〔外饔,所主在外。〕\n",
        "疏〔注“外饔”至“在外”。釋曰:案其職云“掌外祭祀之割亨”,皆是在外之事。〕"
    );
    let all = run_named(&[("周禮", "天官", text)]);
    let works: Vec<Option<&str>> =
        of_kind(&all[0], LinkKind::Citation).iter().map(|l| l.work.as_deref()).collect();
    assert_eq!(works, [Some("周禮・天官・外饔")]);
}

#[test]
fn the_chapter_that_has_the_words_is_cited_where_only_the_work_is_named() {
    let ours = concat!(
        "經〔鄉射禮第五〕\n經〔獻獲者于侯。〕注〔鄉人獲者賤。〕\n",
        "疏〔“獻獲者于侯”。注“鄉人”至“者賤”。釋曰:案《儀禮》云:“司馬命負侯者執旌以負侯。”注云:“負,背也。”〕"
    );
    let all = run(&[("a.txt", ours), ("b.txt", TOLD)]);
    let works: Vec<Option<&str>> =
        of_kind(&all[0], LinkKind::Citation).iter().map(|l| l.work.as_deref()).collect();
    assert_eq!(works, [Some("儀禮・大射儀"), Some("儀禮・大射儀・鄭注")]);
}

#[test]
fn every_span_lies_on_the_text_whatever_the_text() {
    let scraps = [
        "“",
        "”",
        "至",
        "注",
        "雲",
        "者",
        "《大射》",
        "《",
        "》",
        "自此盡",
        "論",
        "。",
        ",",
        "今文",
        "作",
        "上文",
        "言",
        "不",
        "又",
        "𧰼",
        "\u{E123}",
        "下記云:",
        "傳曰",
        "是也",
        "其職云",
    ];
    let mut seed = 7u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for _ in 0..200 {
        let mut part = |n: usize| (0..n).map(|_| scraps[next(scraps.len())]).collect::<String>();
        let text = format!(
            "經〔{}甲〕注〔{}乙〕\n疏〔{}丙〕\n經〔{}丁〕",
            part(9),
            part(9),
            part(20),
            part(5)
        );
        let d = one(&text);
        d.check().expect("the promises of the model");
        for link in &d.links {
            assert!(link.span.end() <= text.len() && !link.evidence.is_empty(), "{text}");
            assert!(
                link.target.is_some()
                    || !matches!(link.status, Status::Exact | Status::Variant | Status::Range),
                "{text}"
            );
        }
    }
}
