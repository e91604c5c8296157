//! Records that are deserialized one at a time, from long documents and from documents with errors.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use tagstream::de::{DeErrorKind, Records};
use tagstream::{Events, MicroXml, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/records",
        each_of_its_own,
        broken_ones_end_alone,
        the_end_of_the_parse,
        names,
        of_an_endless_document,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Page {
    #[serde(rename = "@id")]
    id: u32,
    #[serde(default)]
    word: Vec<String>,
    #[serde(default)]
    page: Vec<Page>,
}

/// Returns the id, the words and the number of inner records of each record, or its error.
fn read(document: &str, dialect: Xml) -> Vec<String> {
    let whole = Records::<Page>::new(Events::of(dialect.clone(), document), "page");
    let bytes = document.as_bytes().chunks(1);
    let cut = Records::<Page>::new(Events::chunks(dialect, bytes), "page");
    let told = |record: Result<Page, tagstream::de::DeError>| match record {
        Ok(page) => format!("{} {} {}", page.id, page.word.join(" "), page.page.len()),
        Err(error) => error.to_string(),
    };
    let whole: Vec<String> = whole.map(told).collect();
    assert_eq!(cut.map(told).collect::<Vec<_>>(), whole);
    whole
}

fn each_of_its_own() {
    let document = "<dump>text<page id='1'><word>a</word><x/><word>b</word></page><other><page id='2'/>\
        </other><page id='3'><page id='4'/><page id='5'/></page></dump>";
    assert_eq!(read(document, Xml::strict()), ["1 a b 0", "2  0", "3  2"]);
    assert_eq!(read("<page id='1'/>", Xml::strict()), ["1  0"]);
    assert!(read("<dump/>", Xml::strict()).is_empty());
}

fn broken_ones_end_alone() {
    let document = "<dump>\n<page/>\n<page id='2'/>\n<page id='x'><word/></page>\n<page id='4'><x/><word>a\
        <page id='5'/></word></page>\n<page id='6'><word>a</word><x/><word>b<c/></word><page/></page><page id='7'/></dump>";
    let wanted = [
        "2:8: page: missing field `@id`",
        "2  0",
        "4:7: page/@id: invalid type: string \"x\", expected u32",
        "5:25: page/word: an element where there is to be text alone",
        "6:39: page/word: an element where there is to be text alone",
        "7  0",
    ];
    let found = read(document, Xml::strict());
    let words = |line: &str| {
        line.split_once(": ")
            .map_or(line, |(_, words)| words)
            .to_owned()
    };
    let found_words: Vec<String> = found.iter().map(|line| words(line)).collect();
    let wanted_words: Vec<String> = wanted.iter().map(|line| words(line)).collect();
    assert_eq!(found_words, wanted_words, "{found:#?}");
    assert_eq!(found, wanted);
}

fn the_end_of_the_parse() {
    let found = read("<dump><page id='1'/><page id='2'></dump>", Xml::strict());
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("expected `</page>`"), "{found:?}");
    // With error recovery, a truncated record contains the part that is in the input.
    let found = read("<dump><page id='1'/><page id=2><word>a", Xml::default());
    assert_eq!(found, ["1  0", "2 a 0"]);
    let found = read("<dump><page id='1'/><x", Xml::strict());
    assert_eq!(found.len(), 2, "{found:?}");
}

fn names() {
    let document = "<p:a xmlns:p='u' xmlns='v'><b>1</b><p:b>2</p:b></p:a>";
    let read = |name: &str| -> Vec<u8> {
        let records = Records::<u8>::new(Events::of(Xml::strict(), document), name);
        records.map(|record| record.expect("a number")).collect()
    };
    assert_eq!(read("b"), [1, 2]);
    assert_eq!(read("{u}b"), [2]);
    assert_eq!(read("{v}b"), [1]);
    assert!(read("{}b").is_empty() && read("p:b").is_empty());
    let events = Events::of(MicroXml::default(), "<a><b>1</b></a>");
    assert_eq!(Records::<u8>::new(events, "b").count(), 1);
}

/// A document that never ends.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let entry = match self.0 {
            0 => "<log>".to_owned(),
            number => format!("<e n='{number}'><a>1</a><b>2</b><a>3</a></e>\n"),
        };
        self.0 += 1;
        buffer[..entry.len()].copy_from_slice(entry.as_bytes());
        Ok(entry.len())
    }
}

/// The memory of a record is released together with the record. The buffered elements of all records together would
/// exceed the limit.
fn of_an_endless_document() {
    let events = Events::read(Xml::strict(), Endless(0));
    let records = Records::<BTreeMap<String, Vec<u64>>>::new(events, "e").buffer_limit(60);
    for (number, record) in (1..=20_000).zip(records) {
        let record = record.expect("a record");
        assert_eq!(
            (&*record["@n"], &*record["a"], &*record["b"]),
            (&[number][..], &[1, 3][..], &[2][..])
        );
    }
    let events = Events::of(Xml::strict(), "<a><e><a>1</a><b>2</b><a>3</a></e><e/></a>");
    let mut records = Records::<BTreeMap<String, Vec<u64>>>::new(events, "e").buffer_limit(10);
    let first = records.next().expect("a record").expect_err("an error");
    assert_eq!(first.kind(), &DeErrorKind::Buffer(10));
    assert_eq!(records.next(), Some(Ok(BTreeMap::new())));
    assert_eq!(records.next(), None);
}
