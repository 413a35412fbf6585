//! Separates the 傳 inside the classic from the rest of it.
//!
//! A source may mark it: 【傳】 before a line, as in 左傳 texts, applies until the next 【經】 or title. Or
//! it opens with 傳曰, as in the 喪服, where each item of the 經 is followed by its 傳. Then it continues
//! to the end of that run of classic, or to the item that the next 傳曰 explains. This applies only
//! where 傳曰 recurs as an opening; a quoted 傳曰, or a few of them, are not evidence.
//!
//! What the source marks becomes [`Layer::Zhuan`]. What is inferred stays 經, with [`Segment::sub`]
//! set: the 喪服傳 is always counted as part of the 儀禮, and its end is often a matter of opinion.

use crate::model::{Commentary, Document, Evidence, EvidenceKind, Layer, LayerKind, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, ends_sentence, is_content};

/// Least number of openings with 傳曰; fewer are needed in the chapter known for them.
const MIN_OPENINGS: usize = 5;
const MIN_OPENINGS_IN_SANGFU: usize = 2;
/// Least share of all 傳曰 in the classic that must be openings.
const MIN_OPENING_SHARE: f64 = 0.6;
/// The longest item of 經 before its 傳曰, in characters, if only a particle ends the text before
/// it.
const MAX_ITEM_CHARS: usize = 40;
/// Words that end a statement of the 傳.
const PARTICLES: &str = "也矣焉";
/// From this number of circles on, a missing circle means that the section continues.
const MIN_CIRCLES: usize = 5;

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    marked(document);
    let openings = openings(document);
    if openings.is_empty() {
        return;
    }
    let sections = sections(document);
    let segments = std::mem::take(&mut document.segments);
    let mut out = Vec::with_capacity(segments.len() + 2 * openings.len());
    // The last run of classic ended as 傳, and its section has not ended.
    let mut in_zhuan = false;
    for s in segments {
        in_zhuan &= !(sections && ends_section(document, &s));
        if s.layer != Layer::Jing {
            out.push(s);
            continue;
        }
        let own: Vec<usize> = openings
            .iter()
            .copied()
            .filter(|at| s.span.start() <= *at && *at < s.span.end())
            .collect();
        let cuts = cuts(document, &s, &own, in_zhuan && sections);
        in_zhuan = cuts.last().is_some_and(|c| c.1);
        out.extend(
            cuts.windows(2)
                .map(|w| (w[0], w[1].0))
                .chain(cuts.last().map(|c| (*c, s.span.end())))
                .map(|((from, is), to)| {
                    let span = Span::new(from, to);
                    piece(&s, span, is.then(|| why(own.contains(&from))))
                }),
        );
    }
    document.segments = out.into();
}

fn piece(whole: &Segment, span: Span, zhuan: Option<Evidence>) -> Segment {
    let mut piece = Segment { span, ..whole.clone() };
    if let Some(why) = zhuan {
        piece.sub = Some(Layer::Zhuan);
        piece.evidence.push(why);
    }
    piece
}

fn why(opens: bool) -> Evidence {
    match opens {
        true => Evidence::new(
            EvidenceKind::ZhuanOpening,
            "傳曰 opens it, as it opens others in this chapter",
        ),
        false => Evidence::new(
            EvidenceKind::ZhuanGoesOn,
            "no new section has begun since the 傳 before it",
        ),
    }
}

/// Makes the classic under a 【傳】 into 傳.
fn marked(document: &mut Document) {
    // In the 毛詩 the 傳 is a commentary, and where its mark opens notes.
    if document.of_layer(Layer::Named(Commentary::JIAN)).next().is_some() || opens_notes(document) {
        return;
    }
    let mut in_zhuan = false;
    for i in 0..document.segments.len() {
        let s = &document.segments[i];
        match s.layer {
            Layer::Mark => {
                let words: String =
                    document.slice(s.span).chars().filter(|c| is_content(*c)).collect();
                in_zhuan = match &words[..] {
                    "傳" | "传" => true,
                    "經" | "经" | "經文" | "经文" => false,
                    _ => in_zhuan,
                };
            }
            Layer::Heading => in_zhuan = false,
            Layer::Jing if in_zhuan => document.segments[i].layer = Layer::Zhuan,
            _ => {}
        }
    }
}

/// True if what a mark of 傳 is followed by is a note.
fn opens_notes(document: &Document) -> bool {
    let mut is_due = false;
    document.segments.iter().any(|s| {
        let is_note = is_due && s.layer.kind() == LayerKind::Note;
        match s.layer {
            Layer::Mark => {
                let words: String =
                    document.slice(s.span).chars().filter(|c| is_content(*c)).collect();
                is_due = matches!(&words[..], "傳" | "传");
            }
            Layer::Blank => {}
            _ => is_due = false,
        }
        is_note
    })
}

/// Byte offsets where 傳曰 opens something in the classic, if this is frequent enough to be a
/// pattern.
fn openings(document: &Document) -> Vec<usize> {
    let text = document.source.text();
    let (mut opens, mut all) = (Vec::new(), 0usize);
    for s in document.of_layer(Layer::Jing) {
        let key = Key::of(text, s.span);
        let words = folded("傳曰");
        for k in (0..key.len()).filter(|k| key.chars[*k..].starts_with(&words)) {
            all += 1;
            let before = &text[s.span.start()..key.at[k] as usize];
            if may_open(before, is_punctuated(document, s)) {
                opens.push(key.at[k] as usize);
            }
        }
    }
    let known =
        document.meta.chapter.as_deref().is_some_and(|c| ["喪服", "䘮服", "丧服"].contains(&c));
    let enough = if known { MIN_OPENINGS_IN_SANGFU } else { MIN_OPENINGS };
    if opens.len() >= enough && opens.len() as f64 >= MIN_OPENING_SHARE * all as f64 {
        opens
    } else {
        Vec::new()
    }
}

fn folded(words: &str) -> Vec<char> {
    Key::of(words, Span::new(0, words.len())).chars
}

fn is_punctuated(document: &Document, s: &Segment) -> bool {
    document.slice(s.span).contains(|c| ends_sentence(c) || c == ',' || c == '，')
}

/// True if a sentence begins after `before`. A 傳曰 after a title or a name (《詩傳》曰, 穀梁傳曰)
/// is a quotation.
fn may_open(before: &str, punctuated: bool) -> bool {
    let Some(last) = before.trim_end().chars().next_back() else { return true };
    let named = "公羊穀榖梁左氏詩書易禮春秋".contains(last);
    if punctuated {
        !is_content(last) && !matches!(last, ',' | '，' | '、' | '《' | '“' | '「' | '‘' | '『')
    } else {
        !named
    }
}

/// True if the text separates its sections by circles.
fn sections(document: &Document) -> bool {
    document
        .of_layer(Layer::Mark)
        .filter(|s| circles(document.slice(s.span)).next().is_some())
        .count()
        >= MIN_CIRCLES
}

fn ends_section(document: &Document, s: &Segment) -> bool {
    s.layer == Layer::Heading
        || s.layer == Layer::Mark && circles(document.slice(s.span)).next().is_some()
}

/// Starts of the pieces of a run of classic, and whether each is 傳.
fn cuts(
    document: &Document,
    s: &Segment,
    openings: &[usize],
    in_zhuan: bool,
) -> Vec<(usize, bool)> {
    let mut cuts = vec![(s.span.start(), in_zhuan && openings.is_empty())];
    for (n, at) in openings.iter().enumerate() {
        if n > 0
            && let Some(item) = item_before(document, Span::new(openings[n - 1], *at))
        {
            cuts.push((item, false));
        }
        match cuts.last_mut() {
            Some(last) if last.0 == *at || n > 0 && last.1 => last.1 = true,
            _ => cuts.push((*at, true)),
        }
    }
    cuts
}

/// Start of the item of 經 that the next 傳曰 explains, in the text from one 傳曰 to the next:
/// after the last sentence but one, or after the last particle. None if the last sentence is a
/// question (慈母者何也？傳曰…): then one 傳 quotes another.
fn item_before(document: &Document, span: Span) -> Option<usize> {
    let words = document.slice(span);
    let ends: Vec<usize> = words
        .char_indices()
        .filter(|(_, c)| ends_sentence(*c))
        .map(|(i, c)| i + c.len_utf8())
        .collect();
    let closing = |i: usize| {
        i + words[i..].len() - words[i..].trim_start_matches(|c: char| !is_content(c)).len()
    };
    if let Some(last) = ends.last() {
        let asks = words[..*last].ends_with(['？', '?']);
        let from = ends.len().checked_sub(2).map(|n| closing(ends[n]))?;
        return (!asks && from < words.len()).then_some(span.start() + from);
    }
    let key = Key::of(document.source.text(), span);
    let particles = folded(PARTICLES);
    let last = (0..key.len()).rev().find(|k| particles.contains(&key.chars[*k]))?;
    let item = key.len() - last - 1;
    (1..=MAX_ITEM_CHARS).contains(&item).then(|| key.at[last + 1] as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the pass on segments; returns the pieces of the classic, with `true` for 傳.
    fn pieces(shape: &[(Layer, &str)]) -> Vec<(String, bool)> {
        let mut d = Document::of_pieces(shape);
        run(&mut d, &Context::new(&Default::default()));
        d.check().unwrap();
        let of = |s: &Segment| {
            (d.slice(s.span).to_string(), s.sub == Some(Layer::Zhuan) || s.layer == Layer::Zhuan)
        };
        d.segments
            .iter()
            .filter(|s| matches!(s.layer, Layer::Jing | Layer::Zhuan))
            .map(of)
            .collect()
    }

    #[test]
    fn a_zhuan_ends_before_the_item_that_the_next_one_explains() {
        let got = pieces(&[
            (
                Layer::Jing,
                "父。傳曰:爲父何以斬衰也?父至尊也。諸侯爲天子。傳曰:天子至尊也。君。傳曰:君至尊也。",
            ),
            (Layer::Zhu, "天子、諸侯及卿大夫有地者皆曰君。《春秋傳》曰:越竟。傳曰"),
            (
                Layer::Jing,
                "慈母如母。傳曰:慈母者何也?傳曰:妾之無子者,妾子之無母者,父命妾曰:女以爲子。",
            ),
            (Layer::Zhu, "此主謂大夫士之妾。"),
            (Layer::Jing, "母爲長子。"),
        ]);
        let want = [
            ("父。", false),
            ("傳曰:爲父何以斬衰也?父至尊也。", true),
            ("諸侯爲天子。", false),
            ("傳曰:天子至尊也。", true),
            ("君。", false),
            ("傳曰:君至尊也。", true),
            ("慈母如母。", false),
            ("傳曰:慈母者何也?傳曰:妾之無子者,妾子之無母者,父命妾曰:女以爲子。", true),
            ("母爲長子。", false),
        ];
        assert_eq!(got, want.map(|(w, z)| (w.to_string(), z)));
    }

    #[test]
    fn without_punctuation_particles_end_a_zhuan_and_circles_its_section() {
        let item = |n: &'static str| [(Layer::Mark, "○"), (Layer::Jing, n), (Layer::Zhu, "注也")];
        let mut shape = vec![
            (Layer::Mark, "○"),
            (Layer::Jing, "父傳曰爲父何以斬衰也父至尊也諸侯爲天子傳曰天子至尊也"),
            (Layer::Zhu, "注也"),
        ];
        shape.push((Layer::Jing, "絞帶者繩帶也"));
        for n in ["君傳曰君至尊也", "妻爲夫傳曰夫至尊也", "妾爲君傳曰君至尊也", "女子子在室爲父"]
        {
            shape.extend(item(n));
        }
        let got = pieces(&shape);
        let want = [
            ("父", false),
            ("傳曰爲父何以斬衰也父至尊也", true),
            ("諸侯爲天子", false),
            ("傳曰天子至尊也", true),
            ("絞帶者繩帶也", true),
            ("君", false),
            ("傳曰君至尊也", true),
            ("妻爲夫", false),
            ("傳曰夫至尊也", true),
            ("妾爲君", false),
            ("傳曰君至尊也", true),
            ("女子子在室爲父", false),
        ];
        assert_eq!(got, want.map(|(w, z)| (w.to_string(), z)));
    }

    #[test]
    fn a_few_openings_are_not_a_habit() {
        let text = [
            (
                Layer::Jing,
                "齊宣王問曰:文王之囿方七十里,有諸?孟子對曰:於傳有之。傳曰:孔子三月無君。",
            ),
            (Layer::Zhu, "傳曰傳曰傳曰傳曰傳曰"),
        ];
        assert!(pieces(&text).iter().all(|p| !p.1));
    }

    #[test]
    fn a_mark_of_the_source_applies_until_the_next() {
        let got = pieces(&[
            (Layer::Mark, "【經】"),
            (Layer::Jing, "元年,春,王正月。"),
            (Layer::Mark, "【傳】"),
            (Layer::Jing, "元年,春,王周正月。"),
            (Layer::Zhu, "言周以別夏殷。"),
            (Layer::Jing, "不書即位,攝也。"),
            (Layer::Mark, "【經】"),
            (Layer::Jing, "二年,春。"),
        ]);
        assert_eq!(got.iter().map(|p| p.1).collect::<Vec<_>>(), [false, true, true, false]);
    }
}
