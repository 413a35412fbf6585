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

/// The value of a Chinese numeral (一 to 九百九十九, as in 第十七); `None` if `words` is not one.
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
            _ => {
                digit = Some("〇一二三四五六七八九".chars().position(|d| d == c)? as u32);
                continue;
            }
        };
        sum = sum.checked_add(digit.take().unwrap_or(1) * unit)?;
    }
    sum.checked_add(digit.unwrap_or(0))
}
