//! Serialization: the output is compared with that of quick-xml, and deserialized again.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use tagstream::de::from_str;
use tagstream::ser::{SerError, to_string, to_string_with_root, to_writer, write, write_as};
use tagstream::{Document, WriteError, Writer, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/writing",
        elements_and_attributes,
        text_and_value,
        enums,
        enums_with_a_name_that_is_not_theirs,
        enums_in_lists_and_variants,
        lists,
        options,
        maps,
        names_of_roots,
        escapes,
        attributes_behind_elements,
        namespaces,
        what_is_refused,
        what_quick_xml_lets_through,
        writers,
    );
}

/// Asserts that this library and quick-xml write a value as `wanted`, and that `wanted` is read back as the same value.
fn written<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T, wanted: &str) {
    once(value, wanted);
    assert_eq!(from_str::<T>(wanted).as_ref(), Ok(value), "{wanted}");
}

/// Asserts that this library and quick-xml write a value as `wanted`. The output need not be read back as the same
/// value.
fn once<T: Serialize>(value: &T, wanted: &str) {
    assert_eq!(to_string(value).expect("a document"), wanted);
    assert_eq!(
        quick_xml::se::to_string(value).expect("quick-xml's"),
        wanted
    );
}

/// Returns the error for a value that both this library and quick-xml refuse to write.
fn refused<T: Serialize>(value: &T) -> SerError {
    quick_xml::se::to_string(value).expect_err("quick-xml's error");
    to_string(value).expect_err("an error")
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Item {
    #[serde(rename = "@id")]
    id: u8,
    name: String,
    inner: Inner,
    unit: (),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Inner {
    is_so: bool,
    size: f64,
    sign: char,
}

fn elements_and_attributes() {
    let inner = Inner {
        is_so: true,
        size: -1.5,
        sign: 'x',
    };
    let item = Item {
        id: 7,
        name: "b".to_owned(),
        inner,
        unit: (),
    };
    written(
        &item,
        "<Item id=\"7\"><name>b</name><inner><is_so>true</is_so><size>-1.5</size><sign>x</sign></inner><unit/></Item>",
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Text<T> {
    #[serde(rename = "$text")]
    field: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Value<T> {
    #[serde(rename = "$value")]
    field: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Field<T> {
    field: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct At<T> {
    #[serde(rename = "@field")]
    field: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Unit;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Newtype(u8);

fn text_and_value() {
    written(&Text { field: 7 }, "<Text>7</Text>");
    written(
        &Text {
            field: "b".to_owned(),
        },
        "<Text>b</Text>",
    );
    written(
        &Text {
            field: vec![1, 2, 3],
        },
        "<Text>1 2 3</Text>",
    );
    written(&Text { field: Newtype(7) }, "<Text>7</Text>");
    written(&Text { field: Some(7) }, "<Text>7</Text>");
    written(&Text { field: None::<u8> }, "<Text/>");
    written(
        &Value {
            field: "content".to_owned(),
        },
        "<Value>content</Value>",
    );
    written(
        &Value {
            field: Field { field: 42 },
        },
        "<Value><Field><field>42</field></Field></Value>",
    );
    once(&Text { field: Unit }, "<Text/>");
    once(&Text { field: "" }, "<Text/>");
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub(super) enum Kinds {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct {
        q: u8,
        a: String,
    },
    #[serde(rename = "$text")]
    Text(String),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Texts {
    #[serde(rename = "$text")]
    Unit,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Tuples {
    #[serde(rename = "$text")]
    Tuple(u8, String),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Structs {
    #[serde(rename = "$text")]
    Struct { a: u8 },
}

/// The table of enums, row by row.
fn enums() {
    let answer = || "answer".to_owned();
    written(&Kinds::Unit, "<Unit/>");
    written(&Value { field: Kinds::Unit }, "<Value><Unit/></Value>");
    written(
        &Field { field: Kinds::Unit },
        "<Field><field>Unit</field></Field>",
    );
    written(&Text { field: Kinds::Unit }, "<Text>Unit</Text>");
    written(&At { field: Kinds::Unit }, "<At field=\"Unit\"/>");
    written(&Kinds::Newtype(42), "<Newtype>42</Newtype>");
    written(
        &Value {
            field: Kinds::Newtype(42),
        },
        "<Value><Newtype>42</Newtype></Value>",
    );
    refused(&Field {
        field: Kinds::Newtype(42),
    });
    refused(&Text {
        field: Kinds::Newtype(42),
    });
    let tuple = || Kinds::Tuple(42, answer());
    written(
        &Value { field: tuple() },
        "<Value><Tuple>42</Tuple><Tuple>answer</Tuple></Value>",
    );
    refused(&Field { field: tuple() });
    refused(&Text { field: tuple() });
    let structure = || Kinds::Struct { q: 42, a: answer() };
    written(&structure(), "<Struct><q>42</q><a>answer</a></Struct>");
    written(
        &Value { field: structure() },
        "<Value><Struct><q>42</q><a>answer</a></Struct></Value>",
    );
    refused(&Field { field: structure() });
    refused(&Text { field: structure() });
    written(&Field { field: Texts::Unit }, "<Field><field/></Field>");
    once(&Text { field: Texts::Unit }, "<Text/>");
    written(
        &Value {
            field: Kinds::Text(answer()),
        },
        "<Value>answer</Value>",
    );
    refused(&Field {
        field: Kinds::Text(answer()),
    });
    refused(&Text {
        field: Kinds::Text(answer()),
    });
    let tuple = || Tuples::Tuple(42, answer());
    written(&Value { field: tuple() }, "<Value>42 answer</Value>");
    refused(&Field { field: tuple() });
    refused(&Text { field: tuple() });
    refused(&Value {
        field: Structs::Struct { a: 1 },
    });
    refused(&Structs::Struct { a: 1 });
    refused(&Texts::Unit);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Wrapped<T>(T);

/// The root element always has the name of the variant, whatever name the caller gives, so that the document can be
/// read back.
fn enums_with_a_name_that_is_not_theirs() {
    fn again<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T, wanted: &str) {
        let document = to_string_with_root("root", value).expect("a document");
        assert_eq!(document, wanted);
        let theirs = quick_xml::se::to_string_with_root("root", value).expect("theirs");
        assert_eq!(theirs, wanted);
        assert_eq!(from_str::<T>(wanted).as_ref(), Ok(value), "{wanted}");
    }
    again(&Kinds::Unit, "<Unit/>");
    again(&Kinds::Newtype(1), "<Newtype>1</Newtype>");
    again(&Some(Kinds::Unit), "<Unit/>");
    let fields = Kinds::Struct {
        q: 1,
        a: "b".to_owned(),
    };
    again(&fields, "<Struct><q>1</q><a>b</a></Struct>");
    let text = to_string_with_root("root", &Texts::Unit);
    assert_eq!(word(&text.expect_err("an error")), "unsupported");
    quick_xml::se::to_string_with_root("root", &Texts::Unit).expect_err("quick-xml's error");
    // For a type that wraps an enum, the root element also has the name of the variant. The output of quick-xml cannot
    // be read back.
    let named = |value: &Wrapped<Kinds>| to_string_with_root("root", value);
    assert_eq!(named(&Wrapped(Kinds::Unit)).expect("a document"), "<Unit/>");
    for value in [Kinds::Unit, Kinds::Newtype(7)] {
        let wrapped = Wrapped(value);
        let document = to_string(&wrapped).expect("a document");
        assert_eq!(document, to_string(&wrapped.0).expect("a document"));
        assert_eq!(from_str(&document).as_ref(), Ok(&wrapped), "{document}");
    }
    // An element that is written inside another element is a field, so the text of the element can be the name of the
    // variant.
    let mut out = Writer::xml(String::new());
    out.start("Field").expect("a start");
    write_as(&mut out, "field", &Kinds::Unit).expect("an element");
    out.end().expect("an end");
    let document = out.finish().expect("a document");
    assert_eq!(from_str(&document), Ok(Field { field: Kinds::Unit }));
    // A unit variant with the name `$text` would be written as empty text, which cannot be read back as a variant.
    let value = Value { field: Texts::Unit };
    let list = Value {
        field: vec![Texts::Unit],
    };
    for (written, theirs) in [
        (to_string(&value), quick_xml::se::to_string(&value)),
        (to_string(&list), quick_xml::se::to_string(&list)),
    ] {
        assert_eq!(theirs.expect("theirs"), "<Value/>");
        assert_eq!(word(&written.expect_err("an error")), "unsupported");
    }
    let empty = At { field: Texts::Unit };
    let document = to_string(&empty).expect("a document");
    assert_eq!(document, "<At field=\"\"/>");
    assert_eq!(from_str(&document), Ok(empty));
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Outer {
    Inner(Kinds),
}

/// An enum in a list, or in a variant of another enum, is read back as it was written.
fn enums_in_lists_and_variants() {
    fn again<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T, wanted: &str) {
        once(value, wanted);
        assert_eq!(from_str(wanted).as_ref(), Ok(value), "{wanted}");
    }
    let units = || vec![Kinds::Unit, Kinds::Unit];
    again(
        &Field { field: units() },
        "<Field><field>Unit</field><field>Unit</field></Field>",
    );
    let outer = || Outer::Inner(Kinds::Unit);
    again(&outer(), "<Inner>Unit</Inner>");
    again(
        &Value { field: outer() },
        "<Value><Inner>Unit</Inner></Value>",
    );
    let list = vec![outer(), outer()];
    again(
        &Value { field: list },
        "<Value><Inner>Unit</Inner><Inner>Unit</Inner></Value>",
    );
    // If a variant has the same name as the list, the name of the element selects this variant.
    let named = from_str::<Units>("<x><Unit/><Unit>Unit</Unit></x>").expect("units");
    assert_eq!(named.list, units());
}

#[derive(Deserialize, Debug, PartialEq)]
struct Units {
    #[serde(rename = "Unit")]
    list: Vec<Kinds>,
}

fn lists() {
    written(
        &Field { field: vec![1, 2] },
        "<Field><field>1</field><field>2</field></Field>",
    );
    once(
        &Field {
            field: Vec::<u8>::new(),
        },
        "<Field/>",
    );
    written(&At { field: vec![1, 2] }, "<At field=\"1 2\"/>");
    written(
        &At {
            field: (1, "a".to_owned()),
        },
        "<At field=\"1 a\"/>",
    );
    // Text that follows an element. quick-xml refuses to write it.
    let text = |text: &str| Kinds::Text(text.to_owned());
    let mixed = Value {
        field: vec![Kinds::Unit, text("a"), Kinds::Newtype(1), text("b")],
    };
    let document = "<Value><Unit/>a<Newtype>1</Newtype>b</Value>";
    assert_eq!(to_string(&mixed).expect("a document"), document);
    assert_eq!(from_str::<Value<_>>(document), Ok(mixed));
    let tuple = Value {
        field: (Kinds::Unit, "a".to_owned(), Unit2::A),
    };
    assert_eq!(
        to_string(&tuple).expect("a document"),
        "<Value><Unit/>a<A/></Value>"
    );
    assert_eq!(
        from_str::<Value<_>>("<Value><Unit/>a<A/></Value>"),
        Ok(tuple)
    );
    refused(&Value { field: vec![1, 2] });
    refused(&Value {
        field: vec![Kinds::Text("a".to_owned()), Kinds::Text("b".to_owned())],
    });
    refused(&At {
        field: vec![vec![1]],
    });
    refused(&At {
        field: Field { field: 1 },
    });
    refused(&Text {
        field: BTreeMap::from([("a", 1)]),
    });
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Unit2 {
    A,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Skipped {
    #[serde(rename = "@a", skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Vec<u8>>,
}

fn options() {
    written(&Field { field: Some(7) }, "<Field><field>7</field></Field>");
    once(&Field { field: None::<u8> }, "<Field><field/></Field>");
    once(&At { field: None::<u8> }, "<At field=\"\"/>");
    written(&Skipped { a: None, b: None }, "<Skipped/>");
    written(
        &Skipped {
            a: Some(String::new()),
            b: Some(vec![1]),
        },
        "<Skipped a=\"\"><b>1</b></Skipped>",
    );
}

fn maps() {
    let map = BTreeMap::from([("@a", "1"), ("b", "2"), ("$text", "3")]);
    let wanted = "<m a=\"1\">3<b>2</b></m>";
    assert_eq!(to_string_with_root("m", &map).expect("a document"), wanted);
    assert_eq!(
        quick_xml::se::to_string_with_root("m", &map).expect("quick-xml's"),
        wanted
    );
    written(
        &Field {
            field: BTreeMap::from([("a".to_owned(), 1)]),
        },
        "<Field><field><a>1</a></field></Field>",
    );
    refused(&Value {
        field: BTreeMap::from([("a", 1)]),
    });
    refused(&map);
    let units = BTreeMap::from([(Sign::A, 1)]);
    assert_eq!(
        to_string_with_root("m", &units).expect("a document"),
        "<m><A>1</A></m>"
    );
    for key in ["", "a b", "<", "1"] {
        assert!(
            to_string_with_root("m", &BTreeMap::from([(key, 1)])).is_err(),
            "{key}"
        );
    }
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    A,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "other-name")]
struct Renamed;

fn names_of_roots() {
    written(&Renamed, "<other-name/>");
    written(&Newtype(7), "<Newtype>7</Newtype>");
    written(&Some(Newtype(7)), "<Newtype>7</Newtype>");
    refused(&7);
    refused(&"a");
    refused(&());
    refused(&vec![Unit]);
    refused(&(1, 2));
    assert_eq!(
        to_string_with_root("n", &7).expect("a document"),
        "<n>7</n>"
    );
    assert_eq!(to_string_with_root("n", &Unit).expect("a document"), "<n/>");
    assert_eq!(to_string_with_root("n", "").expect("a document"), "<n/>");
    assert_eq!(
        to_string_with_root("n", &[1]).expect("a document"),
        "<n>1</n>"
    );
}

fn escapes() {
    let text = "<a> & \"b\" 'c' ]]> \u{1F600}".to_owned();
    let (field, at) = (
        Field {
            field: text.clone(),
        },
        At { field: text },
    );
    for document in [
        to_string(&field).expect("a document"),
        quick_xml::se::to_string(&field).expect("theirs"),
    ] {
        assert_eq!(from_str::<Field<String>>(&document).as_ref(), Ok(&field));
        assert_eq!(
            quick_xml::de::from_str::<Field<String>>(&document)
                .ok()
                .as_ref(),
            Some(&field)
        );
    }
    let document = to_string(&at).expect("a document");
    assert_eq!(from_str::<At<String>>(&document).as_ref(), Ok(&at));
    // Newlines and tabs are preserved: those that an XML parser would normalize are written as references.
    let text = "a\r\nb\tc\nd\r".to_owned();
    let (field, at) = (
        Field {
            field: text.clone(),
        },
        At { field: text },
    );
    assert_eq!(
        from_str(&to_string(&field).expect("a document")).as_ref(),
        Ok(&field)
    );
    assert_eq!(
        from_str(&to_string(&at).expect("a document")).as_ref(),
        Ok(&at)
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Late {
    a: Field<u8>,
    #[serde(rename = "@b")]
    b: u8,
    c: u8,
    #[serde(rename = "@d")]
    d: u8,
}

fn attributes_behind_elements() {
    let late = Late {
        a: Field { field: 1 },
        b: 2,
        c: 3,
        d: 4,
    };
    written(
        &late,
        "<Late b=\"2\" d=\"4\"><a><field>1</field></a><c>3</c></Late>",
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "{urn:a}entry")]
struct Spaced {
    #[serde(rename = "{urn:a}title")]
    title: String,
    #[serde(rename = "{urn:b}title")]
    other: String,
    #[serde(rename = "@{urn:b}id")]
    id: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "p:a")]
struct Prefixed {
    #[serde(rename = "@xmlns:p")]
    namespace: String,
    #[serde(rename(serialize = "p:b", deserialize = "b"))]
    b: u8,
}

fn namespaces() {
    let spaced = Spaced {
        title: "one".to_owned(),
        other: "two".to_owned(),
        id: 7,
    };
    let document = to_string(&spaced).expect("a document");
    assert_eq!(
        from_str::<Spaced>(&document).as_ref(),
        Ok(&spaced),
        "{document}"
    );
    let tree = Document::parse(Xml::strict(), &document).expect("a document");
    let root = tree.root_element().expect("a root");
    let names: Vec<_> = root
        .children()
        .map(|child| (child.namespace(), child.local_name()))
        .collect();
    assert_eq!(root.namespace(), Some("urn:a"));
    assert_eq!(names, [(Some("urn:a"), "title"), (Some("urn:b"), "title")]);
    assert_eq!(root.attribute_ns("urn:b", "id"), Some("7"));
    let language = BTreeMap::from([
        ("@{http://www.w3.org/XML/1998/namespace}lang", "de"),
        ("@{}a", "b"),
    ]);
    assert_eq!(
        to_string_with_root("a", &language).expect("a document"),
        "<a xml:lang=\"de\" a=\"b\"/>"
    );
    let prefixed = Prefixed {
        namespace: "u".to_owned(),
        b: 7,
    };
    written(&prefixed, "<p:a xmlns:p=\"u\"><p:b>7</p:b></p:a>");
}

fn word(error: &SerError) -> &'static str {
    match error {
        SerError::Write(WriteError::Refused(refusal)) => refusal.as_str(),
        SerError::Unsupported(_) => "unsupported",
        SerError::Custom(_) => "custom",
        _ => "other",
    }
}

#[derive(Serialize)]
#[serde(rename = "a b")]
struct NoName;

fn fail<S: serde::Serializer>(_: &u8, _: S) -> Result<S::Ok, S::Error> {
    Err(serde::ser::Error::custom("no"))
}

#[derive(Serialize)]
struct Fails {
    #[serde(serialize_with = "fail")]
    a: u8,
}

fn what_is_refused() {
    assert_eq!(word(&refused(&NoName)), "name");
    assert_eq!(word(&refused(&Fails { a: 1 })), "custom");
    assert_eq!(refused(&Fails { a: 1 }).to_string(), "no");
    assert_eq!(word(&refused(&7)), "unsupported");
    assert!(std::error::Error::source(&refused(&NoName)).is_some());
}

/// Values that this library refuses to write. quick-xml writes them as output that is not well-formed, or that is not
/// read back as the same value.
fn what_quick_xml_lets_through() {
    fn ours<T: Serialize>(value: &T, wanted: &str) {
        assert!(quick_xml::se::to_string(value).is_ok());
        assert_eq!(word(&to_string(value).expect_err("an error")), wanted);
    }
    ours(&Field { field: "\u{1}" }, "character");
    ours(&Kinds::Tuple(1, "a".to_owned()), "root");
    ours(&Kinds::Text("a".to_owned()), "unsupported");
    ours(&None::<Unit>, "unsupported");
    ours(&At { field: vec!["a b"] }, "unsupported");
    ours(
        &At {
            field: vec![Some(1), None],
        },
        "unsupported",
    );
    assert!(to_string(&Text { field: vec![()] }).is_err());
    // In the field `$value`, nothing would be written for these values.
    ours(&Value { field: Unit }, "unsupported");
    let units = vec![Unit, Unit];
    ours(&Value { field: units }, "unsupported");
    ours(&Value { field: "" }, "unsupported");
    #[derive(Serialize)]
    struct Twice {
        #[serde(rename = "@a")]
        a: u8,
        #[serde(rename = "@a")]
        b: u8,
    }
    ours(&Twice { a: 1, b: 2 }, "duplicate");
    #[derive(Serialize)]
    #[serde(rename = "p:a")]
    struct Unbound;
    ours(&Unbound, "prefix");
    assert_eq!(
        word(&to_string_with_root("a", &[1, 2]).expect_err("an error")),
        "root"
    );
    assert_eq!(
        word(&to_string_with_root("a", &[0; 0]).expect_err("an error")),
        "no-root"
    );
}

fn writers() {
    let field = Field { field: vec![1, 2] };
    let (mut bytes, mut text) = (Vec::new(), String::new());
    to_writer(&mut bytes, &field).expect("bytes");
    to_writer(&mut text, &field).expect("text");
    assert_eq!(
        (text.as_bytes(), &*text),
        (&*bytes, "<Field><field>1</field><field>2</field></Field>")
    );
    let mut out = Writer::xml(String::new()).indent(" ");
    out.start("all").expect("a start");
    write(&mut out, &field).expect("an element");
    write_as(&mut out, "other", &Text { field: "a" }).expect("an element");
    out.end().expect("an end");
    let document = out.finish().expect("a document");
    assert_eq!(
        document,
        "<all>\n <Field>\n  <field>1</field>\n  <field>2</field>\n </Field>\n <other>a</other>\n</all>"
    );
}
