//! Persons and places that a source marks are found by their words and by their ids.

use super::*;
use zhushu::pipeline;
use zhushu::source::Source;

const TEI: &str = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><body><p>昔<persName key=\"cbdb:12\">\
    鄭<lb/>玄</persName>在<placeName>高密</placeName>，玄曰：“然。”<note place=\"inline\"><persName \
    ref=\"https://cbdb.fas.harvard.edu/cbdbapi/person.php?id=0012\">康成</persName>，\
    <placeName key=\"P7\">高密</placeName>人。</note><persName key=\"cbdb:7\">馬融</persName>也。</p></body></text></TEI>";

#[test]
fn names_are_found_where_they_are_marked() {
    let library = pipeline::convert(Source::from_text("a.xml", TEI), None).unwrap();
    let (folder, _) = index_of(&library);
    for (query, n) in [
        ("玄", 2),
        ("person:玄", 1),
        ("person:鄭玄", 1),
        ("person:郑玄", 1),
        ("person:cbdb:12", 2),
        ("person:12", 2),
        ("注:person:cbdb:12", 1),
        ("person:cbdb:1", 0),
        ("place:高密", 2),
        ("place:P7", 1),
        ("person:高密", 0),
        ("person:鄭玄 NEAR/3 place:高密", 1),
    ] {
        assert_eq!(total(folder.path(), query), n, "{query}");
    }
}
