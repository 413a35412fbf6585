//! Pairs of texts made from a pair that was aligned by hand, with the typical faults of real pages,
//! for tests and figures. The same seed makes the same pair.
#![allow(dead_code)]

use zhushu::model::Document;
use zhushu::passes::align::{Options, align};
use zhushu::readers;
use zhushu::score::{BeadScore, FoundBead, GoldBeads, found};
use zhushu::source::{Source, Span};
use zhushu::text::{self, script};

/// Sentences that correspond to each other; a side may be empty.
#[derive(Clone, Debug)]
pub struct Bead {
    pub classic: Vec<String>,
    pub translation: Vec<String>,
}

/// Two texts, one sentence on each line, and their beads as line numbers.
pub struct Made {
    pub classic: String,
    pub translation: String,
    pub gold: String,
}

/// A change of a pair.
pub type Change = fn(Vec<Bead>, &mut Dice) -> Vec<Bead>;

/// All changes by name.
pub const CHANGES: &[(&str, Change)] = &[
    ("as it is", |b, _| b),
    ("sentences missing", missing),
    ("sentences of either side added", added),
    ("sentences joined", joined),
    ("sentences divided", divided),
    ("formulas that recur", formulas),
    ("explanations in parentheses", parentheses),
    ("translator's notes", notes),
    ("simplified lines among traditional", mixed),
    ("all simplified", simplified),
    ("other words for the same", reworded),
    ("starts in mid-sentence", mid_sentence),
    ("page covers the middle", page_of_the_middle),
    ("classic covers the middle", classic_of_the_middle),
    ("short", short),
    ("all of it", everything),
];

/// Pseudo-random numbers.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Writes the pair.
pub fn made(beads: &[Bead]) -> Made {
    made_in(beads, &(0..beads.len()).collect::<Vec<_>>())
}

/// Writes the pair, with two neighbouring sections in the middle of the translation exchanged.
pub fn made_out_of_order(beads: &[Bead]) -> Made {
    let n = beads.len();
    let (from, middle, to) = (n / 4, n / 2, n * 3 / 4);
    made_in(
        beads,
        &[0..from, middle..to, from..middle, to..n].into_iter().flatten().collect::<Vec<_>>(),
    )
}

/// `order`: the beads in the order of the translation.
fn made_in(beads: &[Bead], order: &[usize]) -> Made {
    let side = |beads: &mut dyn Iterator<Item = (usize, &Vec<String>)>| {
        let (mut text, mut figures, mut n) =
            (String::new(), vec![String::from("-"); order.len()], 0);
        for (k, lines) in beads {
            let mut numbers = Vec::new();
            for line in lines {
                n += 1;
                text.push_str(line);
                text.push('\n');
                numbers.push(n.to_string());
            }
            if !numbers.is_empty() {
                figures[k] = numbers.join(" ");
            }
        }
        (text, figures)
    };
    let (classic, left) = side(&mut beads.iter().map(|b| &b.classic).enumerate());
    let (translation, right) = side(&mut order.iter().map(|&k| (k, &beads[k].translation)));
    let gold = left.iter().zip(right).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    Made { classic, translation, gold }
}

/// The beads of two documents as sentences.
pub fn sentences(classic: &Document, translation: &Document) -> Vec<Bead> {
    let words = |document: &Document, spans: &[Span]| {
        let all: String =
            spans.iter().map(|s| document.words(*s)).collect::<String>().replace(['\n', ' '], "");
        text::sentences(&all, Span::new(0, all.len()))
            .into_iter()
            .map(|s| all[s.range()].to_string())
            .collect()
    };
    let beads = align(classic, translation, &Options::default()).alignment.beads;
    beads
        .iter()
        .map(|b| Bead {
            classic: words(classic, &b.source),
            translation: words(translation, &b.translation),
        })
        .collect()
}

/// Beads of both texts, if either side has text.
pub fn whole(beads: Vec<Bead>) -> Vec<Bead> {
    beads.into_iter().filter(|b| !b.classic.is_empty() && !b.translation.is_empty()).collect()
}

/// The score of a generated pair.
pub fn judge(made: &Made, options: &Options) -> (BeadScore, Vec<FoundBead>) {
    let read = |name: &str, text: &str, from: &str| {
        readers::read(Source::from_text(name, text), Some(from)).expect("it reads")
    };
    let (a, b) =
        (read("classic.txt", &made.classic, "plain"), read("page.txt", &made.translation, "jinyi"));
    let beads = found(&align(&a, &b, options).alignment, &a.source, &b.source);
    let gold = GoldBeads::read(&made.gold, &a.source, &b.source).expect("figures");
    (gold.score(&beads), beads)
}

/// The sum over pairs from several seeds.
pub fn measure(
    beads: &[Bead],
    change: Change,
    seeds: std::ops::Range<u64>,
    options: &Options,
) -> BeadScore {
    let mut sum = BeadScore::default();
    for seed in seeds {
        sum += &judge(&made(&change(beads.to_vec(), &mut Dice::new(seed))), options).0;
    }
    sum
}

/// One sentence in ten is missing on one side.
fn missing(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let one = |mut b: Bead, dice: &mut Dice| {
        if dice.one_in(20) {
            b.classic.clear();
        } else if dice.one_in(20) {
            b.translation.clear();
        }
        b
    };
    beads.into_iter().map(|b| one(b, dice)).collect()
}

/// After one bead in ten, an extra sentence on one side.
fn added(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    const CLASSIC: &[&str] = &[
        "天子無事,與諸侯相見曰朝。",
        "孟春之月,盛德在木。",
        "君子慎其獨也。",
        "凡祭,宗廟之禮,牛曰一元大武。",
    ];
    const PAGE: &[&str] = &[
        "這一段歷來學者的解釋並不一致。",
        "關於這種制度,後面還要詳細說明。",
        "讀者可以參看書前的圖。",
        "以上所說的都是平時練習的情形。",
    ];
    let mut out = Vec::new();
    for bead in beads {
        out.push(bead);
        if dice.one_in(10) {
            let classic = dice.one_in(2);
            let words =
                |all: &[&str], dice: &mut Dice| vec![all[dice.below(all.len())].to_string()];
            out.push(Bead {
                classic: if classic { words(CLASSIC, dice) } else { vec![] },
                translation: if classic { vec![] } else { words(PAGE, dice) },
            });
        }
    }
    out
}

/// One sentence in seven is joined with the next, on one side.
fn joined(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let mut out: Vec<Bead> = Vec::new();
    for bead in beads {
        let whole = |b: &Bead| !b.classic.is_empty() && !b.translation.is_empty();
        match out.last_mut().filter(|last| {
            whole(last) && whole(&bead) && last.classic.len() + last.translation.len() < 4
        }) {
            Some(last) if dice.one_in(7) => {
                if dice.one_in(2) {
                    run_on(&mut last.classic, bead.classic);
                    last.translation.extend(bead.translation);
                } else {
                    run_on(&mut last.translation, bead.translation);
                    last.classic.extend(bead.classic);
                }
            }
            _ => out.push(bead),
        }
    }
    out
}

fn run_on(lines: &mut Vec<String>, more: Vec<String>) {
    let mut more = more.into_iter();
    if let (Some(last), Some(next)) = (lines.last_mut(), more.next()) {
        let comma = if last.contains('，') { "，" } else { "," };
        *last = format!("{}{comma}{next}", last.trim_end_matches(['。', '”', '!', '！']));
    }
    lines.extend(more);
}

/// One translated sentence in five ends at one of its commas.
fn divided(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let one = |b: Bead, dice: &mut Dice| {
        let lines = b.translation.into_iter().flat_map(|line| {
            let commas: Vec<usize> = line.match_indices(',').map(|(i, _)| i).collect();
            if line.contains('“') || commas.is_empty() || !dice.one_in(5) {
                return vec![line];
            }
            let at = commas[dice.below(commas.len())];
            vec![format!("{}。", &line[..at]), line[at + 1..].to_string()]
        });
        Bead { translation: lines.collect(), ..b }
    };
    beads.into_iter().map(|b| one(b, dice)).collect()
}

/// Formulas recur on both sides, and sometimes only on one.
fn formulas(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    const FORMULAS: &[(&str, &str)] = &[
        ("如初。", "儀節與前相同。"),
        ("賓許。", "賓允許。"),
        ("主人答拜。", "主人答拜。"),
        ("皆如之。", "都與上面一樣。"),
        ("反位。", "返歸其位。"),
    ];
    let mut out = Vec::new();
    for bead in beads {
        out.push(bead);
        if dice.one_in(4) {
            let (a, b) = FORMULAS[dice.below(FORMULAS.len())];
            let (keep_a, keep_b) = (!dice.one_in(8), !dice.one_in(8));
            out.push(Bead {
                classic: if keep_a || !keep_b { vec![a.into()] } else { vec![] },
                translation: if keep_b { vec![b.into()] } else { vec![] },
            });
        }
    }
    out
}

/// One translated sentence in three explains a word in parentheses.
fn parentheses(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    const WORDS: &[&str] = &[
        "(古代的一種酒器)",
        "（即主持禮儀的人）",
        "(一說為東西兩邊的臺階)",
        "(這裡指參加射禮的人,下同)",
        "（音義皆從鄭注）",
    ];
    let one = |line: String, dice: &mut Dice| {
        let Some(at) = line.find([',', '。', ':']).filter(|_| dice.one_in(3)) else { return line };
        format!("{}{}{}", &line[..at], WORDS[dice.below(WORDS.len())], &line[at..])
    };
    translated(beads, |line| one(line, dice))
}

fn translated(beads: Vec<Bead>, mut change: impl FnMut(String) -> String) -> Vec<Bead> {
    beads
        .into_iter()
        .map(|b| Bead { translation: b.translation.into_iter().map(&mut change).collect(), ..b })
        .collect()
}

/// Lines of notes between the lines of the translation.
fn notes(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    const NOTES: &[&str] = &[
        "[注]豐:形狀像豆而較低,用來承放酒器。",
        "①耦:射箭時兩人為一組,稱為一耦。",
        "〔2〕楹:堂上的柱子,東西各一。",
        "注釋:扑,即刑杖。",
    ];
    let mut out = Vec::new();
    for bead in beads {
        out.push(bead);
        if dice.one_in(8) {
            out.push(Bead {
                classic: vec![],
                translation: vec![NOTES[dice.below(NOTES.len())].into()],
            });
        }
    }
    out
}

fn mixed(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    translated(beads, |line| if dice.one_in(2) { to_simplified(&line) } else { line })
}

fn simplified(beads: Vec<Bead>, _: &mut Dice) -> Vec<Bead> {
    translated(beads, |line| to_simplified(&line))
}

fn to_simplified(line: &str) -> String {
    script::convert(line, script::Script::Simplified).into_owned()
}

/// A translator who keeps fewer of the classic's words.
fn reworded(beads: Vec<Bead>, _: &mut Dice) -> Vec<Bead> {
    const WORDS: &[(&str, &str)] = &[
        ("面朝", "臉向着"),
        ("至", "走到"),
        ("返歸其位", "回到自己原來的地方"),
        ("執弓", "拿弓"),
        ("執", "拿着"),
        ("取", "拿"),
        ("賓", "客人"),
        ("獻酒", "敬酒"),
        ("獻", "送上"),
        ("皆", "都"),
        ("授與", "交給"),
        ("作揖", "拱手行禮"),
        ("一揖", "拱手行禮"),
        ("升堂", "登上廳堂"),
        ("則", "就"),
        ("起立", "站起身來"),
        ("放置", "擺"),
        ("司射", "主管射箭的人"),
        ("弟子", "年輕人"),
        ("不勝", "輸"),
        ("勝者", "贏的人"),
        ("衆", "各位"),
        ("亦", "也"),
        ("射耦", "搭檔"),
        ("耦", "對"),
        ("命", "讓"),
        ("位", "地方"),
        ("飲酒", "喝酒"),
        ("飲", "喝"),
        ("坐下", "跪坐下來"),
    ];
    translated(beads, |line| WORDS.iter().fold(line, |line, (old, new)| line.replace(old, new)))
}

/// The first translated sentence lacks its beginning.
fn mid_sentence(mut beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let skip = dice.below(beads.len() / 2);
    beads.iter_mut().take(skip).for_each(|b| b.translation.clear());
    if let Some(line) = beads.get_mut(skip).and_then(|b| b.translation.first_mut())
        && let Some(at) = line.find(',')
    {
        *line = line[at + 1..].to_string();
    }
    beads
}

fn page_of_the_middle(mut beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let (from, to) = middle(beads.len(), dice);
    beads
        .iter_mut()
        .enumerate()
        .filter(|(k, _)| *k < from || *k >= to)
        .for_each(|(_, b)| b.translation.clear());
    beads
}

fn classic_of_the_middle(mut beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let (from, to) = middle(beads.len(), dice);
    beads
        .iter_mut()
        .enumerate()
        .filter(|(k, _)| *k < from || *k >= to)
        .for_each(|(_, b)| b.classic.clear());
    beads
}

fn middle(n: usize, dice: &mut Dice) -> (usize, usize) {
    let from = n / 6 + dice.below(n / 6);
    (from, from + n / 2)
}

/// A dozen sentences.
fn short(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let from = dice.below(beads.len().saturating_sub(12));
    beads.into_iter().skip(from).take(12).collect()
}

fn everything(beads: Vec<Bead>, dice: &mut Dice) -> Vec<Bead> {
    let changes: [Change; 6] = [missing, joined, divided, parentheses, notes, mixed];
    changes.iter().fold(beads, |beads, change| change(beads, dice))
}
