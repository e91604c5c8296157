//! Types that do not say what they expect: `serde_json::Value`, and what serde buffers for `flatten`, `untagged` and
//! `tag`. Also maps whose elements are repeated.

use super::ours;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use tagstream::Xml;
use tagstream::de::{DeErrorKind, Deserializer, from_str};
use tagstream::ser::to_string_with_root;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/untyped",
        strings_and_maps,
        repeated_elements,
        repeated_elements_of_typed_maps,
        repeated_elements_are_ignored,
        flattened_strings,
        untagged_strings,
        tagged_strings,
        what_does_not_work,
        errors_have_positions,
        limits,
    );
}

/// An element with only text is a string. Others are maps.
fn strings_and_maps() {
    for (document, wanted) in [
        ("<a>b</a>", json!("b")),
        ("<a/>", json!("")),
        ("<a> </a>", json!(" ")),
        ("<a>b<!--c-->d<![CDATA[e]]></a>", json!("bde")),
        ("<p:a xmlns:p='u'>b</p:a>", json!("b")),
        ("<a xmlns='u'/>", json!("")),
        ("<a b='1'/>", json!({"@b": "1"})),
        ("<a b='1'>c</a>", json!({"@b": "1", "$text": "c"})),
        (
            "<a b='1' xmlns='u'>c</a>",
            json!({"@b": "1", "@xmlns": "u", "$text": "c"}),
        ),
        (
            "<a xmlns:p='u'><p:b>c</p:b></a>",
            json!({"@xmlns:p": "u", "b": "c"}),
        ),
        (
            "<a xmlns='u'>c<b/></a>",
            json!({"@xmlns": "u", "$text": "c", "b": ""}),
        ),
        ("<a>c<b/></a>", json!({"$text": "c", "b": ""})),
        ("<a><b/>c</a>", json!({"$text": "c", "b": ""})),
        (
            "<a>\n <b>c</b>\n <d><e>f</e></d>\n</a>",
            json!({"b": "c", "d": {"e": "f"}}),
        ),
    ] {
        assert_eq!(ours::<Value>(document), Some(wanted.clone()), "{document}");
        let inner = format!("<x><y>{document}</y></x>");
        let name = if document.starts_with("<p") {
            "p:a"
        } else {
            "a"
        };
        let inner =
            ours::<Value>(&inner).map(|inner| inner["y"][name.rsplit(':').next().unwrap()].clone());
        assert_eq!(inner, Some(wanted), "{document}");
    }
}

/// Repeated elements are a list, wherever they are.
fn repeated_elements() {
    for (document, wanted) in [
        ("<a><b>1</b><b>2</b></a>", json!({"b": ["1", "2"]})),
        (
            "<a><b>1</b><c>3</c><b>2</b></a>",
            json!({"b": ["1", "2"], "c": "3"}),
        ),
        (
            "<a><c>1</c><b>1</b><c>2</c><d/><b>2</b><c>3</c></a>",
            json!({"b": ["1", "2"], "c": ["1", "2", "3"], "d": ""}),
        ),
        (
            "<a><b><c/><c/></b><b><c>1</c></b></a>",
            json!({"b": [{"c": ["", ""]}, {"c": "1"}]}),
        ),
        (
            "<a>x<b/>y<b/>z</a>",
            json!({"$text": ["x", "y", "z"], "b": ["", ""]}),
        ),
        (
            "<a><b/>y<c/><b/></a>",
            json!({"$text": "y", "b": ["", ""], "c": ""}),
        ),
        (
            "<a xmlns:p='u'><p:b>1</p:b><b>2</b><p:b>3</p:b></a>",
            json!({"@xmlns:p": "u", "b": "2", "{u}b": ["1", "3"]}),
        ),
    ] {
        assert_eq!(ours::<Value>(document), Some(wanted.clone()), "{document}");
        assert_eq!(
            ours::<BTreeMap<String, Value>>(document).map(|map| json!(map)),
            Some(wanted),
            "{document}"
        );
    }
    let many: String = (0..40).map(|name| format!("<b{name}/>")).collect();
    let read = ours::<Value>(&format!("<a>{}</a>", many.repeat(3))).expect("a value");
    assert_eq!(read["b7"], json!(["", "", ""]));
    assert_eq!(read["b39"], json!(["", "", ""]));
}

type Map<T> = BTreeMap<String, T>;

/// A map whose values are no lists would contain only one of the elements, which is an error.
fn repeated_elements_of_typed_maps() {
    for document in [
        "<a><b>1</b><b>2</b></a>",
        "<a><b>1</b><c>2</c><b>3</b></a>",
        "<a>1<b>2</b>3</a>",
        "<a xmlns:p='u'><p:b>1</p:b><p:b>1</p:b></a>",
        "<a xmlns:p='u'><b>0</b><p:b>1</p:b><p:b>1</p:b></a>",
    ] {
        let repeated = |error: tagstream::de::DeError| error.kind() == &DeErrorKind::Repeated;
        assert!(
            from_str::<Map<String>>(document).is_err_and(repeated),
            "{document}"
        );
        assert!(
            from_str::<Map<Option<String>>>(document).is_err_and(repeated),
            "{document}"
        );
        assert!(ours::<Map<Value>>(document).is_some(), "{document}");
    }
    let document = "<a><b><c>1</c></b><b><c>1</c></b></a>";
    assert!(ours::<Map<Map<u8>>>(document).is_none());
    assert!(ours::<Map<Vec<Map<u8>>>>(document).is_some());
    let error = from_str::<Map<u8>>("<a><b>1</b>\n<b>2</b></a>").expect_err("an error");
    let message = "2:1: a: a repeated part of the element: its value in the map has to be a list";
    assert_eq!(error.to_string(), message);
    let read = Deserializer::of(Xml::strict(), "<a><b>1</b><b>2</b></a>").contiguous_lists(true);
    let error = read.read::<Value>().expect_err("an error");
    assert_eq!(error.kind(), &DeErrorKind::Repeated);
    assert!(ours::<Map<Vec<u8>>>("<a><b>1</b><c>3</c><b>2</b></a>").is_some());
}

fn repeated_elements_are_ignored() {
    let document = "<a><b>1</b>x<b>2</b>y</a>";
    assert!(ours::<Map<()>>(document).is_some());
    assert!(from_str::<Map<IgnoredAny>>(document).is_ok());
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flat {
    #[serde(rename = "@id")]
    id: String,
    #[serde(default)]
    list: Vec<u8>,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, Any>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Inner {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Any {
    List(Vec<String>),
    Text(String),
    Fields {
        #[serde(rename = "@a")]
        a: String,
        b: String,
    },
}

fn read_back<T: Serialize + DeserializeOwned + Debug + PartialEq>(document: &str, value: T) {
    assert_eq!(ours::<T>(document).as_ref(), Some(&value), "{document}");
    let written = to_string_with_root("a", &value).expect("a document");
    assert_eq!(ours::<T>(&written), Some(value), "{written}");
}

fn flattened_strings() {
    let text = |text: &str| text.to_owned();
    let rest = [
        (text("c"), Any::Text(text("3"))),
        (text("d"), Any::List(vec![text("4"), text("")])),
        (
            text("e"),
            Any::Fields {
                a: text("5"),
                b: text("6"),
            },
        ),
    ];
    let document = "<a id='7'><list>1</list><name>n</name><c>3</c><list>2</list><d>4</d><e a='5'><b>6</b></e><d/></a>";
    let value = Flat {
        id: text("7"),
        list: vec![1, 2],
        inner: Inner {
            name: text("n"),
            note: None,
        },
        rest: rest.into(),
    };
    read_back(document, value);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Holder {
    it: Any,
    #[serde(rename = "$value", default)]
    value: Vec<Any>,
}

fn untagged_strings() {
    let text = |text: &str| Any::Text(text.to_owned());
    let document = "<a><it>b</it>c<x a='1'><b>2</b></x><y>d</y></a>";
    let fields = Any::Fields {
        a: "1".to_owned(),
        b: "2".to_owned(),
    };
    let value = vec![text("c"), fields, text("d")];
    assert_eq!(
        ours(document),
        Some(Holder {
            it: text("b"),
            value
        })
    );
    assert_eq!(
        ours("<a><it/></a>"),
        Some(Holder {
            it: text(""),
            value: Vec::new()
        })
    );
    let document = "<a><it> </it>\n<x a='1'> <b>2</b> </x> </a>";
    let fields = Any::Fields {
        a: "1".to_owned(),
        b: "2".to_owned(),
    };
    assert_eq!(
        ours(document),
        Some(Holder {
            it: text(" "),
            value: vec![fields]
        })
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "@kind")]
enum Tagged {
    One { name: String, list: Vec<String> },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind", content = "content")]
enum Adjacent {
    One(String),
    Two { name: String },
}

fn tagged_strings() {
    let name = "n".to_owned();
    let list = vec!["1".to_owned(), "2".to_owned()];
    let document = "<a kind='One'><list>1</list><name>n</name><list>2</list></a>";
    read_back(document, Tagged::One { name, list });
    let name = "n".to_owned();
    read_back(
        "<a><content>b</content><kind>One</kind></a>",
        Adjacent::One("b".to_owned()),
    );
    read_back(
        "<a><content><name>n</name></content><kind>Two</kind></a>",
        Adjacent::Two { name },
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Number {
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct OneList {
    #[serde(flatten)]
    rest: BTreeMap<String, Vec<String>>,
}

/// The list of `tagstream::de`: what serde buffers is strings, maps and lists.
fn what_does_not_work() {
    assert_eq!(ours::<Number>("<a><b>1</b></a>"), None);
    assert_eq!(ours::<OneList>("<a><b>1</b></a>"), None);
    assert!(ours::<OneList>("<a><b>1</b><b>2</b></a>").is_some());
}

fn errors_have_positions() {
    let document = "<a>\n<b>1</b>\n<c><d/>\n<e>&f;</e></c></a>";
    let error = from_str::<Value>(document).expect_err("an error");
    assert!(matches!(error.kind(), DeErrorKind::Parse(_)), "{error}");
    let document = "<a>\n<b>1</b>\n<c><it/>\n<y/></c></a>";
    let error = from_str::<Map<Map<u8>>>(document).expect_err("an error");
    assert_eq!(
        (error.path(), error.position().map(|at| at.line())),
        ("a/c/it", Some(3))
    );
}

fn limits() {
    let deep = ["<a>".repeat(200), "</a>".repeat(200)].concat();
    let error = from_str::<Value>(&deep).expect_err("an error");
    assert!(matches!(error.kind(), DeErrorKind::Depth(_)), "{error}");
    let wide = format!("<a>{}</a>", "<b>1</b><c/>".repeat(100));
    let read = Deserializer::of(Xml::strict(), &wide).buffer_limit(100);
    assert_eq!(
        read.read::<Value>().expect_err("an error").kind(),
        &DeErrorKind::Buffer(100)
    );
    let mixed = format!("<a>{}</a>", "text<c/>".repeat(100));
    let read = Deserializer::of(Xml::strict(), &mixed).buffer_limit(100);
    assert_eq!(
        read.read::<Value>().expect_err("an error").kind(),
        &DeErrorKind::Buffer(100)
    );
}
