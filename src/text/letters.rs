//! What letters a text is written in, and which language that shows.

use super::class::is_content;

/// How many characters of a text are of which script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    han: usize,
    hiragana: usize,
    hangul: usize,
    alphabetic: usize,
}

/// Of Japanese prose, at least one in so many characters is hiragana; commentaries with readings
/// beside the words have katakana.
const JAPANESE_PER_HIRAGANA: usize = 4;
/// Of Korean prose, at least one in so many is hangul.
const KOREAN_PER_HANGUL: usize = 2;
/// Of prose in letters, at most one in so many characters is Chinese: a name, a gloss.
const LETTERS_PER_HAN: usize = 5;
/// The same of a text in an alphabet that only quotes Chinese words.
const LETTERS_PER_QUOTED: usize = 50;
/// Longest average word, in letters.
const MAX_WORD_LETTERS: usize = 14;

/// True for a letter of an alphabet, whose words are more than one.
pub(crate) fn is_alphabetic(c: char) -> bool {
    c.is_alphabetic() && (c as u32) < 0x1100
        || matches!(c, '\u{1E00}'..='\u{1FFF}') && c.is_alphabetic()
}

/// True for a letter of a script that has blanks between words, and for a digit.
pub(crate) fn is_spaced(c: char) -> bool {
    is_alphabetic(c) || is_hangul(c) || c.is_ascii_digit()
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}')
}

impl Letters {
    /// Those of a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut letters = Letters::default();
        for c in text.chars().filter(|c| is_content(*c)) {
            let count = match c {
                '\u{3041}'..='\u{309F}' => &mut letters.hiragana,
                c if is_hangul(c) => &mut letters.hangul,
                c if is_alphabetic(c) => &mut letters.alphabetic,
                c if c.is_ascii_digit() => continue,
                _ => &mut letters.han,
            };
            *count += 1;
        }
        letters
    }

    /// How many there are.
    pub(crate) fn all(&self) -> usize {
        self.han + self.hiragana + self.hangul + self.alphabetic
    }

    /// How many words or signs these are, about: a word has some four letters.
    pub(crate) fn signs(&self) -> usize {
        self.han + self.hiragana + self.hangul + self.alphabetic / 4
    }

    /// True if nothing shows another language.
    pub(crate) fn is_chinese(&self) -> bool {
        !self.is_japanese() && !self.is_korean() && self.han * LETTERS_PER_HAN > self.alphabetic
    }

    /// True if the text is in another language, and hardly has Chinese beside it.
    pub(crate) fn is_another_language(&self) -> bool {
        self.is_japanese() || self.is_korean() || self.han * LETTERS_PER_QUOTED < self.alphabetic
    }

    fn is_japanese(&self) -> bool {
        self.hiragana * JAPANESE_PER_HIRAGANA >= self.all()
    }

    fn is_korean(&self) -> bool {
        self.hangul * KOREAN_PER_HANGUL >= self.all()
    }

    /// True unless the letters of an alphabet stand together in longer words than any language has:
    /// bytes that were read in a wrong encoding do.
    pub(crate) fn are_words(&self, text: &str) -> bool {
        let is_of_word = |c: char| is_alphabetic(c) || matches!(c, '\'' | '’');
        let words = text.split(|c| !is_of_word(c)).filter(|word| !word.is_empty());
        let joined = self.alphabetic > words.count() * MAX_WORD_LETTERS;
        // What such bytes become and no language writes: « » ¡ ¿ ª º · are others.
        let is_strange = |c: &char| matches!(c, '\u{80}'..='\u{9F}' | '¢'..='©' | '¬'..='¶' | '¸' | '¹' | '¼'..='¾');
        let strange = text.chars().filter(is_strange).count();
        !joined && strange * 20 <= self.all()
    }
}

/// The BCP 47 language of a text that is not Chinese; `und` if its letters do not show it.
pub(crate) fn language(text: &str) -> &'static str {
    let letters = Letters::of(text);
    if letters.is_japanese() {
        return "ja";
    }
    if letters.is_korean() {
        return "ko";
    }
    let found = whatlang::detect_lang(text).map(|lang| lang.code());
    found.map_or("und", |code| LANGUAGES.iter().find(|l| l.0 == code).map_or(code, |l| l.1))
}

/// Codes of two letters, which BCP 47 prefers where a language has one.
const LANGUAGES: &[(&str, &str)] = &[
    ("eng", "en"),
    ("fra", "fr"),
    ("deu", "de"),
    ("rus", "ru"),
    ("spa", "es"),
    ("ita", "it"),
    ("por", "pt"),
    ("lat", "la"),
    ("nld", "nl"),
    ("pol", "pl"),
    ("ces", "cs"),
    ("hun", "hu"),
    ("swe", "sv"),
    ("dan", "da"),
    ("fin", "fi"),
    ("vie", "vi"),
    ("ukr", "uk"),
    ("bul", "bg"),
    ("ron", "ro"),
    ("tur", "tr"),
    ("cat", "ca"),
    ("epo", "eo"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_show_a_language() {
        let english =
            "The Master said, to learn and at due times to practise what one has learned.";
        let french = "Le Maître dit : « N’est-ce pas une joie d’étudier, puis, le moment venu, de \
                      mettre en pratique ce que l’on a appris ? »";
        let japanese =
            "先生がいわれた、「学んでは適当な時期におさらいをする、いかにも心嬉しいことだね。」";
        let korean = "공자께서 말씀하셨다. 배우고 때때로 그것을 익히면 또한 기쁘지 않겠는가?";
        let of = [english, french, japanese, korean].map(language);
        assert_eq!(of, ["en", "fr", "ja", "ko"]);
        let russian = "Учитель сказал: «Учиться и время от времени повторять изученное».";
        assert_eq!(language(russian), "ru");
        for text in [english, french, japanese, korean, russian] {
            assert!(!Letters::of(text).is_chinese() && Letters::of(text).are_words(text), "{text}");
        }
        assert!(Letters::of("學而時習之、不亦說乎。ヒト").is_chinese());
    }
}
