//! Features that quick-xml lacks: names with namespaces, other dialects, borrowed strings.

use super::ours;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tagstream::de::{Deserializer, from_str};
use tagstream::ser::to_string;
use tagstream::{Events, LeafXml, MicroXml, Sky, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/ours",
        names_with_namespaces,
        borrowed_strings,
        empty_strings_are_borrowed,
        borrowed_keys,
        other_dialects,
        bytes,
        what_is_not_looked_at,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Names {
    #[serde(rename = "{urn:a}title")]
    a: Vec<String>,
    #[serde(rename = "{urn:b}title")]
    b: Option<String>,
    title: Option<String>,
    #[serde(rename = "@{urn:a}id")]
    id: Option<u8>,
    #[serde(rename = "@id")]
    plain: Option<u8>,
}

fn names_with_namespaces() {
    let wanted = Names {
        a: vec!["1".to_owned(), "3".to_owned()],
        b: Some("2".to_owned()),
        title: Some("4".to_owned()),
        id: Some(5),
        plain: Some(6),
    };
    let document = "<x xmlns:p='urn:a' xmlns:q='urn:b' p:id='5' id='6'><p:title>1</p:title>\
         <q:title>2</q:title><title xmlns='urn:a'>3</title><title>4</title></x>";
    assert_eq!(ours(document), Some(wanted));
    let other = "<x xmlns:p='urn:c'><p:title>1</p:title></x>";
    assert_eq!(ours::<Names>(other), None);
}

#[derive(Deserialize, Debug, PartialEq)]
struct Lent<'a> {
    #[serde(rename = "@a")]
    a: &'a str,
    b: Vec<&'a str>,
    c: Option<&'a str>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Either<'a> {
    #[serde(rename = "@a", borrow)]
    a: Cow<'a, str>,
    #[serde(borrow)]
    b: Cow<'a, str>,
}

fn borrowed_strings() {
    let read = from_str::<Lent<'_>>("<x a='1'><b>2</b><b><![CDATA[<3>]]></b><c>4</c></x>");
    let (a, b, c) = ("1", vec!["2", "<3>"], Some("4"));
    assert_eq!(read, Ok(Lent { a, b, c }));
    // Strings from buffered elements are also borrowed from the document.
    let read = from_str::<Lent<'_>>("<x a='1'><b>2</b><c>4</c><b><![CDATA[<3>]]></b></x>");
    let (a, b, c) = ("1", vec!["2", "<3>"], Some("4"));
    assert_eq!(read, Ok(Lent { a, b, c }));
    for (document, a, b) in [
        (
            "<x a='1'><b>2</b></x>",
            Cow::Borrowed("1"),
            Cow::Borrowed("2"),
        ),
        (
            "<x a='&lt;'><b>a&amp;</b></x>",
            Cow::Owned("<".to_owned()),
            Cow::Owned("a&".to_owned()),
        ),
        (
            "<x a='\n'><b>\r\n</b></x>",
            Cow::Owned(" ".to_owned()),
            Cow::Owned("\n".to_owned()),
        ),
        (
            "<x a=''><b>a<!--c-->b</b></x>",
            Cow::Borrowed(""),
            Cow::Owned("ab".to_owned()),
        ),
    ] {
        let read = from_str::<Either<'_>>(document).expect("strings");
        assert_eq!((&read.a, &read.b), (&a, &b));
        let is_lent = |string: &Cow<'_, str>| matches!(string, Cow::Borrowed(_));
        assert_eq!(
            (is_lent(&read.a), is_lent(&read.b)),
            (is_lent(&a), is_lent(&b)),
            "{document}"
        );
    }
    // A byte-order mark at the beginning does not shift borrowed strings.
    assert_eq!(from_str::<&str>("\u{FEFF}<a>b</a>").ok(), Some("b"));
    assert!(from_str::<&str>("<a>b&amp;</a>").is_err());
    assert_eq!(from_str::<Vec<&str>>("<a>b</a>").ok(), Some(vec!["b"]));
    let list: BTreeMap<String, Vec<&str>> = from_str("<x a='b c'/>").expect("a list");
    assert_eq!(list["@a"], ["b", "c"]);
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct Optional<'a> {
    a: Option<&'a str>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Newtype<'a>(&'a str);

/// An empty string needs no bytes of the document, so it is always a `&str`.
fn empty_strings_are_borrowed() {
    let empty = Optional { a: Some("") };
    for document in [
        "<r><a/></r>",
        "<r><a></a></r>",
        "<r><a><!--c--></a></r>",
        "<r><a><![CDATA[]]></a></r>",
    ] {
        assert_eq!(from_str(document).as_ref(), Ok(&empty), "{document}");
    }
    let written = to_string(&empty).expect("a document");
    assert_eq!(from_str(&written), Ok(empty));
    assert_eq!(from_str("<r/>"), Ok(""));
    assert_eq!(from_str("<r/>"), Ok(Newtype("")));
    assert_eq!(from_str::<&[u8]>("<r/>"), Ok(&b""[..]));
    let lists: BTreeMap<&str, Vec<&str>> = from_str("<r><a/><b/><a>1</a></r>").expect("lists");
    assert_eq!(
        lists,
        BTreeMap::from([("a", vec!["", "1"]), ("b", vec![""])])
    );
    let read = Deserializer::new(Events::chunks(Xml::strict(), ["<r><a", "/></r>"])).read();
    assert_eq!(read, Ok(Optional { a: Some("") }));
}

/// The names of elements are in the document, so they can be borrowed. The key of an attribute begins with an `@` that
/// is not in the document.
fn borrowed_keys() {
    let document = "<r><a>1</a><p:b xmlns:p='u'>2</p:b><c>3</c>text</r>";
    let wanted = BTreeMap::from([("a", "1"), ("b", "2"), ("c", "3"), ("$text", "text")]);
    assert_eq!(from_str(document).as_ref(), Ok(&wanted));
    let theirs = "<r><a>1</a><b>2</b><c>3</c>text</r>";
    assert_eq!(quick_xml::de::from_str(theirs).ok(), Some(wanted));
    // The names of buffered elements are also borrowed from the document.
    let lists: BTreeMap<&str, Vec<u8>> =
        from_str("<r><a>1</a><b>2</b><p:c xmlns:p='u'>3</p:c><a>4</a></r>").expect("lists");
    let wanted = [("a", vec![1, 4]), ("b", vec![2]), ("c", vec![3])];
    assert_eq!(lists, BTreeMap::from(wanted));
    let inner: BTreeMap<&str, Vec<BTreeMap<&str, &str>>> =
        from_str("<r><a><b>1</b></a><c><d>2</d></c><a/></r>").expect("maps");
    assert_eq!(inner["c"], [BTreeMap::from([("d", "2")])]);
    // Nothing can be borrowed from a document in chunks, and an attribute's key cannot be borrowed.
    type Map = BTreeMap<&'static str, String>;
    let read = Deserializer::new(Events::chunks(Xml::strict(), ["<r><a/></r>"])).read::<Map>();
    assert!(read.is_err());
    assert!(from_str::<BTreeMap<&str, &str>>("<r a='1'/>").is_err());
    assert!(quick_xml::de::from_str::<BTreeMap<&str, &str>>("<r a='1'/>").is_err());
}

#[derive(Deserialize, Debug, PartialEq)]
struct Item {
    #[serde(rename = "@id")]
    id: u8,
    name: String,
}

fn other_dialects() {
    let wanted = || {
        Some(Item {
            id: 7,
            name: "b".to_owned(),
        })
    };
    let document = "<x id='7'><name>b</name></x>";
    assert_eq!(
        Deserializer::of(Xml::default(), document).read().ok(),
        wanted()
    );
    assert_eq!(
        Deserializer::of(MicroXml::default(), document).read().ok(),
        wanted()
    );
    assert_eq!(
        Deserializer::of(LeafXml::default(), document).read().ok(),
        wanted()
    );
    assert_eq!(
        Deserializer::of(Sky::fragment(), document).read().ok(),
        wanted()
    );
    // Errors that the parser recovers from: an end tag is missing, an attribute value has no quotes.
    let broken = "<x id=7><name>b</x>";
    assert_eq!(
        Deserializer::of(Xml::default(), broken).read().ok(),
        wanted()
    );
    assert_eq!(
        Deserializer::of(MicroXml::default(), broken).read().ok(),
        wanted()
    );
    assert_eq!(
        Deserializer::of(Xml::strict(), broken).read::<Item>().ok(),
        None
    );
    let events = Events::chunks(Xml::default(), broken.split_inclusive('b'));
    assert_eq!(Deserializer::new(events).read().ok(), wanted());
}

struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Own;
        impl serde::de::Visitor<'_> for Own {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_owned()))
            }
        }
        deserializer.deserialize_bytes(Own)
    }
}

fn bytes() {
    let read = from_str::<BTreeMap<String, Bytes>>("<a b='1'><c>2</c></a>").expect("bytes");
    assert_eq!((&*read["@b"].0, &*read["c"].0), (&b"1"[..], &b"2"[..]));
}

/// A type whose deserialization requests no data.
#[derive(Debug, PartialEq)]
struct Blind;

impl<'de> Deserialize<'de> for Blind {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Blind, D::Error> {
        Ok(Blind)
    }
}

/// A type whose deserialization reads only the first field.
#[derive(Debug, PartialEq)]
struct First(String);

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<First, D::Error> {
        struct Own;
        impl<'de> serde::de::Visitor<'de> for Own {
            type Value = First;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a field")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<First, A::Error> {
                let first = map.next_entry::<String, ()>()?;
                Ok(First(first.map(|(name, ())| name).unwrap_or_default()))
            }
        }
        deserializer.deserialize_map(Own)
    }
}

fn what_is_not_looked_at() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Both<T> {
        #[serde(default = "Vec::new")]
        a: Vec<T>,
        b: u8,
    }
    let document = "<x><a b='1'><c/><d/></a><b>7</b><a><e>f<g/></e></a></x>";
    assert_eq!(
        ours(document),
        Some(Both {
            a: vec![Blind, Blind],
            b: 7
        })
    );
    let firsts = vec![First("@b".to_owned()), First("e".to_owned())];
    assert_eq!(ours(document), Some(Both { a: firsts, b: 7 }));
    assert_eq!(ours(document), Some(First("a".to_owned())));
    let map = BTreeMap::from([
        ("@b".to_owned(), Blind),
        ("c".to_owned(), Blind),
        ("d".to_owned(), Blind),
    ]);
    assert_eq!(ours("<a b='1'><c/><d/></a>"), Some(map));
}
