//! The fields `$text` and `$value`, as in quick-xml's documentation, and features of serde such as `flatten`.

use super::{differs, same};
use serde::Deserialize;
use std::collections::BTreeMap;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/special",
        both_text_and_value,
        text,
        value_is_one_string,
        value_is_a_struct,
        value_is_units,
        value_is_enums,
        composition,
        flatten,
        unknown_fields,
        names,
        own_deserialize,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct TextAndValue {
    #[serde(rename = "$text")]
    text: Option<String>,
    #[serde(rename = "$value")]
    value: Option<String>,
}

fn both_text_and_value() {
    let wanted = TextAndValue {
        text: Some("text and CDATA".to_owned()),
        value: None,
    };
    same("<a>text <![CDATA[and CDATA]]></a>", Some(wanted));
    same("<a>text<b>value</b></a>", None::<TextAndValue>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct Text<T> {
    #[serde(rename = "$text")]
    field: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Value<T> {
    #[serde(rename = "$value")]
    field: T,
}

fn text() {
    same(
        "<a>1 2 3</a>",
        Some(Text {
            field: vec![1, 2, 3],
        }),
    );
    same(
        "<a b='c'>text<d/></a>",
        Some(Text {
            field: "text".to_owned(),
        }),
    );
    same(
        "<a/>",
        Some(Text {
            field: None::<String>,
        }),
    );
    same("<a>b<c/>d</a>", None::<Text<String>>);
    same("<a>7</a>", Some(Text { field: Some(7) }));
}

fn value_is_one_string() {
    same(
        "<a>content</a>",
        Some(Value {
            field: "content".to_owned(),
        }),
    );
    same("<a><b>content</b></a>", None::<Value<String>>);
    same("<a>123</a>", Some(Value { field: vec![123] }));
    same("<a>1 2 3</a>", None::<Value<Vec<u8>>>);
    same("<a/>", None::<Value<String>>);
    same(
        "<a/>",
        Some(Value {
            field: None::<String>,
        }),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Envelope<T> {
    body: Value<T>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Example {
    a: i32,
}

fn value_is_a_struct() {
    let wanted = Envelope {
        body: Value {
            field: Example { a: 42 },
        },
    };
    same(
        "<Envelope><body><Example><a>42</a></Example></body></Envelope>",
        Some(wanted),
    );
    same(
        "<Envelope><body><Other/></body></Envelope>",
        None::<Envelope<Example>>,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Unit;

#[derive(Deserialize, Debug, PartialEq)]
struct Units {
    #[serde(rename = "$value", default)]
    field: Vec<Unit>,
}

fn value_is_units() {
    same("<a/>", Some(Units { field: vec![] }));
    same("<a></a>", Some(Units { field: vec![] }));
    same(
        "<a><A/><B/><C/></a>",
        Some(Units {
            field: vec![Unit, Unit, Unit],
        }),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
enum Enum {
    A,
    B,
    C,
}

fn value_is_enums() {
    same(
        "<a><A/><B/><C/></a>",
        Some(Value {
            field: vec![Enum::A, Enum::B, Enum::C],
        }),
    );
    same("<a><A/><D/></a>", None::<Value<Vec<Enum>>>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct Inner {
    #[serde(rename = "@attr")]
    attr: String,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Outer {
    key: Inner,
}

fn composition() {
    let key = Inner {
        attr: "value".to_owned(),
    };
    same("<any>\n  <key attr='value'/>\n</any>", Some(Outer { key }));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Flat {
    #[serde(rename = "@id")]
    id: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Text<String>>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Flattened {
    a: u8,
    #[serde(flatten)]
    inner: Inner,
}

fn flatten() {
    // An element with text only is a string for a flattened map. quick-xml reads a struct with `$text`.
    let text = |field: &str| Text {
        field: field.to_owned(),
    };
    let flat = || Flat {
        id: "7".to_owned(),
        rest: [("b".to_owned(), text("1")), ("c".to_owned(), text("2"))].into(),
    };
    differs("<a id='7'><b>1</b><c>2</c></a>", None, Some(flat()));
    same("<a id='7'><b x=''>1</b><c x=''>2</c></a>", Some(flat()));
    let inner = Inner {
        attr: "x".to_owned(),
    };
    same(
        "<any attr='x'><a>7</a></any>",
        Some(Flattened { a: 7, inner }),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(rename = "@a")]
    a: String,
    b: String,
}

fn unknown_fields() {
    same(
        "<x a='1'><b>2</b></x>",
        Some(Strict {
            a: "1".to_owned(),
            b: "2".to_owned(),
        }),
    );
    same("<x a='1' c='3'><b>2</b></x>", None::<Strict>);
    same("<x a='1'><b>2</b><c/></x>", None::<Strict>);
    same("<x a='1'><b>2</b>text</x>", None::<Strict>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct Names {
    #[serde(rename = "@xml:lang")]
    language: String,
    #[serde(rename = "@href")]
    href: String,
    title: String,
}

fn names() {
    let wanted = Names {
        language: "de".to_owned(),
        href: "#a".to_owned(),
        title: "b".to_owned(),
    };
    let document =
        "<p:a xmlns:p='u' xmlns:x='v' xml:lang='de' x:href='#a'><p:title>b</p:title></p:a>";
    same(document, Some(wanted));
}

fn unwrapped<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<()>, D::Error> {
    #[derive(Deserialize)]
    struct List {
        #[serde(default)]
        element: Vec<()>,
    }
    Ok(List::deserialize(deserializer)?.element)
}

#[derive(Deserialize, Debug, PartialEq)]
struct Unwrapped {
    #[serde(deserialize_with = "unwrapped")]
    list: Vec<()>,
}

fn own_deserialize() {
    same(
        "<root><list><element/><element/></list></root>",
        Some(Unwrapped { list: vec![(), ()] }),
    );
}
