//! Converts between traditional and simplified script, behind one small interface.
//!
//! The default engine is `ferrous-opencc`: pure Rust with OpenCC's tables built in, so that it
//! builds on any machine. The cargo feature `opencc` uses the system's OpenCC instead
//! (`opencc-rust`); a test under that feature compares the two. Conversion is only for output on
//! request. Keys fold instead ([`super::fold`]), and damage from a one-to-one table is repaired
//! beside the text, not by converting again.

use std::borrow::Cow;
use std::sync::OnceLock;

/// A script, as OpenCC distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Traditional characters, OpenCC's standard.
    Traditional,
    /// Simplified characters.
    Simplified,
    /// Traditional characters as written in Taiwan.
    Taiwan,
    /// Traditional characters as written in Hong Kong.
    HongKong,
}

impl Script {
    /// All of them, with the names they have on the command line.
    pub const ALL: [(&'static str, Script); 4] = [
        ("trad", Script::Traditional),
        ("simp", Script::Simplified),
        ("tw", Script::Taiwan),
        ("hk", Script::HongKong),
    ];

    /// Description.
    pub fn name(self) -> &'static str {
        match self {
            Script::Traditional => "traditional script",
            Script::Simplified => "simplified script",
            Script::Taiwan => "traditional script as in Taiwan",
            Script::HongKong => "traditional script as in Hong Kong",
        }
    }
}

/// A converter in one direction.
trait Engine: Send + Sync {
    fn convert(&self, text: &str) -> String;
}

/// `text` converted to `to`; [`detect`] finds its script. Borrowed if nothing changes.
///
/// ```
/// use zhushu::text::script::{Script, convert};
/// assert_eq!(convert("獲者執旌許諾", Script::Simplified), "获者执旌许诺");
/// assert_eq!(convert("获者执旌许诺", Script::Traditional), "獲者執旌許諾");
/// assert_eq!(convert("子曰：后稷", Script::Traditional), "子曰：后稷");
/// ```
pub fn convert(text: &str, to: Script) -> Cow<'_, str> {
    match detect(text) {
        Some(from) => convert_from(text, from, to),
        None => Cow::Borrowed(text),
    }
}

/// `text`, known to be in `from`, converted to `to`. Traditional text must not be given as
/// simplified: 后 would become 後.
pub fn convert_from(text: &str, from: Script, to: Script) -> Cow<'_, str> {
    let mut done = Cow::Borrowed(text);
    for step in route(from, to) {
        if let Some(engine) = engine(*step) {
            let next = engine.convert(&done);
            if next != *done {
                done = Cow::Owned(next);
            }
        }
    }
    done
}

/// Number of characters that is enough for [`detect`] to decide.
const SAMPLE_CHARS: usize = 2000;

/// [`Script::Simplified`] or [`Script::Traditional`], whichever `text` has more characters of;
/// `None` if no character decides (子曰).
pub fn detect(text: &str) -> Option<Script> {
    let sample: String =
        text.chars().filter(|c| super::class::is_content(*c)).take(SAMPLE_CHARS).collect();
    let changed = |to| {
        let other = engine(to)?.convert(&sample);
        Some(sample.chars().zip(other.chars()).filter(|(a, b)| a != b).count())
    };
    let (simplified, traditional) = (changed(Config::S2t)?, changed(Config::T2s)?);
    match simplified.cmp(&traditional) {
        std::cmp::Ordering::Greater => Some(Script::Simplified),
        std::cmp::Ordering::Less => Some(Script::Traditional),
        std::cmp::Ordering::Equal => None,
    }
}

/// The configurations of OpenCC that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Config {
    S2t,
    S2tw,
    S2hk,
    T2s,
    T2tw,
    T2hk,
    Tw2s,
    Tw2t,
    Hk2s,
    Hk2t,
}

/// Number of configurations.
const CONFIGS: usize = 10;

/// The configurations that convert from one script to another, in order.
fn route(from: Script, to: Script) -> &'static [Config] {
    use Config::*;
    use Script::*;
    match (from, to) {
        (Simplified, Traditional) => &[S2t],
        (Simplified, Taiwan) => &[S2tw],
        (Simplified, HongKong) => &[S2hk],
        (Traditional, Simplified) => &[T2s],
        (Traditional, Taiwan) => &[T2tw],
        (Traditional, HongKong) => &[T2hk],
        (Taiwan, Simplified) => &[Tw2s],
        (Taiwan, Traditional) => &[Tw2t],
        (Taiwan, HongKong) => &[Tw2t, T2hk],
        (HongKong, Simplified) => &[Hk2s],
        (HongKong, Traditional) => &[Hk2t],
        (HongKong, Taiwan) => &[Hk2t, T2tw],
        (Traditional, Traditional)
        | (Simplified, Simplified)
        | (Taiwan, Taiwan)
        | (HongKong, HongKong) => &[],
    }
}

/// The engine of a configuration, made on first use and cached. If the system's OpenCC lacks its
/// tables, the embedded ones are used; `None` if both fail.
fn engine(config: Config) -> Option<&'static dyn Engine> {
    static ENGINES: [OnceLock<Option<Box<dyn Engine>>>; CONFIGS] =
        [const { OnceLock::new() }; CONFIGS];
    ENGINES[config as usize].get_or_init(|| make(config)).as_deref()
}

#[cfg(not(feature = "opencc"))]
fn make(config: Config) -> Option<Box<dyn Engine>> {
    embedded::engine(config)
}

#[cfg(feature = "opencc")]
fn make(config: Config) -> Option<Box<dyn Engine>> {
    system::engine(config).or_else(|| embedded::engine(config))
}

mod embedded {
    use super::{Config, Engine};
    use ferrous_opencc::{OpenCC, config::BuiltinConfig};

    impl Engine for OpenCC {
        fn convert(&self, text: &str) -> String {
            OpenCC::convert(self, text)
        }
    }

    pub(super) fn engine(config: Config) -> Option<Box<dyn Engine>> {
        let builtin = match config {
            Config::S2t => BuiltinConfig::S2t,
            Config::S2tw => BuiltinConfig::S2tw,
            Config::S2hk => BuiltinConfig::S2hk,
            Config::T2s => BuiltinConfig::T2s,
            Config::T2tw => BuiltinConfig::T2tw,
            Config::T2hk => BuiltinConfig::T2hk,
            Config::Tw2s => BuiltinConfig::Tw2s,
            Config::Tw2t => BuiltinConfig::Tw2t,
            Config::Hk2s => BuiltinConfig::Hk2s,
            Config::Hk2t => BuiltinConfig::Hk2t,
        };
        OpenCC::from_config(builtin).ok().map(|e| Box::new(e) as Box<dyn Engine>)
    }
}

#[cfg(feature = "opencc")]
mod system {
    use super::{Config, Engine};
    use opencc_rust::{DefaultConfig, OpenCC};

    impl Engine for OpenCC {
        /// The library takes C strings, so the text between NULs is converted, and the NULs are
        /// kept.
        fn convert(&self, text: &str) -> String {
            text.split('\0').map(|part| OpenCC::convert(self, part)).collect::<Vec<_>>().join("\0")
        }
    }

    pub(super) fn engine(config: Config) -> Option<Box<dyn Engine>> {
        let default = match config {
            Config::S2t => DefaultConfig::S2T,
            Config::S2tw => DefaultConfig::S2TW,
            Config::S2hk => DefaultConfig::S2HK,
            Config::T2s => DefaultConfig::T2S,
            Config::T2tw => DefaultConfig::T2TW,
            Config::T2hk => DefaultConfig::T2HK,
            Config::Tw2s => DefaultConfig::TW2S,
            Config::Tw2t => DefaultConfig::TW2T,
            Config::Hk2s => DefaultConfig::HK2S,
            Config::Hk2t => DefaultConfig::HK2T,
        };
        OpenCC::new(default).ok().map(|e| Box::new(e) as Box<dyn Engine>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_ends_in_its_script() {
        let rows = [
            ("里面", "裡面", Script::Simplified, Script::Taiwan),
            ("為", "为", Script::Taiwan, Script::Simplified),
        ];
        for (text, want, from, to) in rows {
            assert_eq!(convert_from(text, from, to), want);
        }
        assert_eq!(convert_from("裡面", Script::Taiwan, Script::HongKong), "裏面");
        assert_eq!(convert_from("裏面", Script::HongKong, Script::Taiwan), "裡面");
    }

    #[test]
    fn the_script_is_detected_by_the_characters_that_would_change() {
        assert_eq!(detect("眾賓繼射,釋獲皆如初。后稷"), Some(Script::Traditional));
        assert_eq!(detect("众宾继射,释获皆如初"), Some(Script::Simplified));
        assert_eq!(detect("子曰。"), None);
        assert!(matches!(convert("子曰。", Script::Simplified), Cow::Borrowed(_)));
        assert_eq!(convert("獲\0者", Script::Simplified), "获\0者");
    }

    /// The embedded tables are newer than Debian's, so a few lines may differ; this limits how
    /// many.
    #[cfg(feature = "opencc")]
    #[test]
    fn both_engines_agree_on_the_corpus() {
        const BOUND: f64 = 0.005;
        let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let texts: Vec<String> = std::fs::read_dir(corpus)
            .unwrap()
            .filter_map(|f| std::fs::read_to_string(f.unwrap().path()).ok())
            .collect();
        let pair = |c| {
            (
                embedded::engine(c).unwrap(),
                system::engine(c).expect("the system's OpenCC has its tables"),
            )
        };
        let simplify = system::engine(Config::T2s).unwrap();
        for config in
            [Config::T2s, Config::T2tw, Config::T2hk, Config::S2t, Config::S2tw, Config::S2hk]
        {
            let (ours, theirs) = pair(config);
            let simplified = matches!(config, Config::S2t | Config::S2tw | Config::S2hk);
            let (mut lines, mut differ, mut first) = (0, 0, None);
            for line in texts.iter().flat_map(|t| t.lines()).filter(|l| !l.trim().is_empty()) {
                let line = if simplified { simplify.convert(line) } else { line.to_string() };
                let (a, b) = (ours.convert(&line), theirs.convert(&line));
                lines += 1;
                if a != b {
                    differ += 1;
                    first = first.or_else(|| a.chars().zip(b.chars()).find(|(x, y)| x != y));
                }
            }
            println!(
                "{config:?}: {differ} of {lines} lines differ ({:.2} %), first {first:?}",
                100.0 * differ as f64 / lines as f64
            );
            assert!(
                lines > 100 && (differ as f64) < BOUND * lines as f64,
                "{config:?}: {differ} of {lines}"
            );
        }
    }
}
