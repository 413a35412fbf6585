//! Numbers as written in titles of chapters.

/// The number of a year as written in annals: 元年 is 1, 十有二年 is 12.
///
/// ```
/// use zhushu::text::numeral::year;
/// assert_eq!((year("元年"), year("十有二年"), year("三年"), year("年")), (Some(1), Some(12), Some(3), None));
/// ```
pub fn year(words: &str) -> Option<u32> {
    let number = words.strip_suffix('年')?;
    if number == "元" { Some(1) } else { parse(&number.replace('有', "")) }
}

/// The value of a Chinese numeral (一 to 九千九百九十九, as in 第十七); `None` if `words` is not one.
///
/// ```
/// use zhushu::text::numeral::parse;
/// assert_eq!((parse("七"), parse("十"), parse("十七"), parse("二十一"), parse("百二十")), (Some(7), Some(10), Some(17), Some(21), Some(120)));
/// assert_eq!((parse(""), parse("射")), (None, None));
/// ```
pub fn parse(words: &str) -> Option<u32> {
    if words.is_empty() {
        return None;
    }
    let (mut sum, mut digit) = (0u32, None);
    for c in words.chars() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            '零' => continue,
            _ => {
                digit = Some("〇一二三四五六七八九".chars().position(|d| d == c)? as u32);
                continue;
            }
        };
        sum = sum.checked_add(digit.take().unwrap_or(1) * unit)?;
    }
    sum.checked_add(digit.unwrap_or(0))
}
/// A number below ten thousand as titles have it.
///
/// ```
/// use zhushu::text::numeral::write;
/// assert_eq!([3, 12, 20, 105, 1001].map(write).join(" "), "三 十二 二十 一百五 一千〇一");
/// ```
pub fn write(number: u32) -> String {
    if number >= 10_000 {
        return number.to_string();
    }
    let units = [(1000, "千"), (100, "百"), (10, "十"), (1, "")];
    let mut words = String::new();
    let mut rest = number;
    for (unit, name) in units {
        let digit = rest / unit;
        rest %= unit;
        if digit == 0 {
            // 一千〇一, but 一百五.
            let inner = !words.is_empty() && rest > 0 && unit == 100;
            words.push_str(if inner { "〇" } else { "" });
            continue;
        }
        if !(digit == 1 && unit == 10 && words.is_empty()) {
            words.extend("一二三四五六七八九".chars().nth(digit as usize - 1));
        }
        words.push_str(name);
    }
    if words.is_empty() { "〇".into() } else { words }
}
