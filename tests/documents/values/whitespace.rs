//! Text that consists of whitespace only, and empty text: which of it is read, and how it is written.

use super::ours;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use tagstream::de::{DeErrorKind, Deserializer};
use tagstream::ser::{to_string, to_string_with_root};
use tagstream::{Events, Xml};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/whitespace",
        text_of_an_element_without_children,
        text_beside_elements,
        choices_in_value,
        types_that_take_no_whitespace,
        maps,
        space_that_is_preserved,
        buffered_elements,
        empty_text,
        lists_in_lists,
        what_is_written,
        other_encodings,
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Text<T> {
    #[serde(rename = "$text")]
    text: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Beside {
    #[serde(rename = "$text")]
    text: Option<String>,
    #[serde(default)]
    b: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    B(String),
    I(String),
    #[serde(rename = "$text")]
    Text(String),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Value<T> {
    #[serde(rename = "$value")]
    value: T,
}

fn text(text: &str) -> Choice {
    Choice::Text(text.to_owned())
}

fn b() -> Choice {
    Choice::B("x".to_owned())
}

/// Asserts that a document has a value, and that the value is read back after it was written.
fn both<T: Serialize + DeserializeOwned + Debug + PartialEq>(document: &str, value: T) {
    assert_eq!(ours::<T>(document).as_ref(), Some(&value), "{document}");
    let written = to_string(&value).expect("a document");
    assert_eq!(ours::<T>(&written), Some(value), "{written}");
}

fn text_of_an_element_without_children() {
    for white in [
        " ",
        "\n",
        "\t \n ",
        "<![CDATA[ ]]>",
        "&#32;",
        " <!--c--> ",
        "&#13;",
    ] {
        let wanted = white.replace("<![CDATA[ ]]>", " ").replace("&#32;", " ");
        let text = wanted.replace("<!--c-->", "").replace("&#13;", "\r");
        both(&format!("<t>{white}</t>"), Text { text: text.clone() });
        both(
            &format!("<t>{white}</t>"),
            Text {
                text: Some(text.clone()),
            },
        );
        both(
            &format!("<t>{white}</t>"),
            Value {
                value: text.clone(),
            },
        );
        let value = vec![Choice::Text(text)];
        both(&format!("<t>{white}</t>"), Value { value });
    }
    // Comments alone are no text.
    both(
        "<t><!--c--></t>",
        Text {
            text: String::new(),
        },
    );
}

fn text_beside_elements() {
    let beside = |text: Option<&str>| Beside {
        text: text.map(str::to_owned),
        b: vec!["1".to_owned(), "2".to_owned()],
    };
    for (document, wanted) in [
        ("<t> <b>1</b><b>2</b></t>", Some(" ")),
        ("<t><b>1</b> <b>2</b>\t</t>", Some(" ")),
        ("<t>\n  <b>1</b>\n  <b>2</b>\n</t>", None),
        ("<t>\r\n<b>1</b>\r<b>2</b></t>", None),
        ("<t>\n<b>1</b><![CDATA[\n]]><b>2</b>\n</t>", Some("\n")),
        ("<t>\n<b>1</b>\n<b>2</b>&#10;</t>", Some("\n")),
        ("<t><b>1</b> <!--c-->\n<b>2</b></t>", None),
        // Other text is preferred, wherever it is.
        ("<t> <b>1</b> <b>2</b> text </t>", Some(" text ")),
        ("<t>text<b>1</b> <b>2</b><![CDATA[ ]]></t>", Some("text")),
    ] {
        both(document, beside(wanted));
    }
}

fn choices_in_value() {
    let i = || Choice::I("y".to_owned());
    both(
        "<p><B>x</B> <I>y</I></p>",
        Value {
            value: vec![b(), text(" "), i()],
        },
    );
    both(
        "<p> <B>x</B>\t</p>",
        Value {
            value: vec![text(" "), b(), text("\t")],
        },
    );
    both(
        "<p>\n  <B>x</B>\n  <I>y</I>\n</p>",
        Value {
            value: vec![b(), i()],
        },
    );
    both(
        "<p><B>x</B><![CDATA[\n]]><I>y</I>&#10;</p>",
        Value {
            value: vec![b(), text("\n"), i(), text("\n")],
        },
    );
    both("<p>\n <B>x</B> </p>", Value { value: b() });
    both("<p><![CDATA[ ]]></p>", Value { value: text(" ") });
    both("<p> <B>x</B></p>", Value { value: Some(b()) });
    assert_eq!(
        ours("<p> </p>"),
        Some(Value {
            value: None::<Choice>
        })
    );
    both(
        "<p><![CDATA[ ]]></p>",
        Value {
            value: Some(text(" ")),
        },
    );
    both(
        "<p><B>x</B><![CDATA[ ]]><I>y</I></p>",
        Value {
            value: (b(), " ".to_owned(), i()),
        },
    );
    both(
        "<p><B>x</B> <I>y</I></p>",
        Value {
            value: (b(), text(" "), i()),
        },
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Elements {
    B(String),
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Strict {
    b: Option<u8>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Inner {
    b: u8,
}

#[derive(Deserialize, Debug, PartialEq)]
struct After<T> {
    a: u8,
    #[serde(rename = "$value")]
    value: T,
}

/// Whitespace is no item for a type that cannot be whitespace.
fn types_that_take_no_whitespace() {
    let only = |value: &str| Elements::B(value.to_owned());
    let document = "<p> <B>x</B> <B>y</B> </p>";
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec![only("x"), only("y")]
        })
    );
    assert_eq!(
        ours(document),
        Some(Value {
            value: (only("x"), only("y"))
        })
    );
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec!["x".to_owned(), "y".to_owned()]
        })
    );
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec!['x', 'y']
        })
    );
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec![(), ()]
        })
    );
    assert_eq!(ours::<Value<(Elements,)>>(document), None);
    let document = "<p> <c>1</c> <d>2</d> </p>";
    assert_eq!(ours(document), Some(Value { value: vec![1, 2] }));
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec![vec![1], vec![2]]
        })
    );
    let options = vec![Some(1), Some(2)];
    assert_eq!(ours(document), Some(Value { value: options }));
    let document = "<p> <c><b>1</b></c> </p>";
    assert_eq!(
        ours(document),
        Some(Value {
            value: Inner { b: 1 }
        })
    );
    assert_eq!(
        ours(document),
        Some(Value {
            value: vec![Inner { b: 1 }]
        })
    );
    let map = BTreeMap::from([("b".to_owned(), 1)]);
    assert_eq!(ours(document), Some(Value { value: map }));
    for document in ["<p> </p>", "<p>\n</p>", "<p><![CDATA[ ]]></p>"] {
        assert_eq!(
            ours(document),
            Some(Value {
                value: Vec::<Elements>::new()
            })
        );
        assert_eq!(
            ours(document),
            Some(Value {
                value: Vec::<u8>::new()
            })
        );
        assert_eq!(ours::<Value<Elements>>(document), None);
        assert_eq!(ours(document), Some(Strict { b: None }));
    }
    // The item is searched beyond the elements that have a field of their own.
    let document = "<p> <a>1</a> <B>2</B> </p>";
    assert_eq!(
        ours(document),
        Some(After {
            a: 1,
            value: only("2")
        })
    );
    assert_eq!(
        ours(document),
        Some(After {
            a: 1,
            value: vec![only("2")]
        })
    );
    assert_eq!(
        ours(document),
        Some(After {
            a: 1,
            value: Some(only("2"))
        })
    );
    assert_eq!(
        ours("<p> <a>1</a> </p>"),
        Some(After {
            a: 1,
            value: None::<u8>
        })
    );
    let read = Deserializer::of(Xml::strict(), document).contiguous_lists(true);
    let error = read.read::<After<Elements>>().expect_err("an error");
    assert_eq!(error.kind(), &DeErrorKind::End);
}

fn maps() {
    type Map = BTreeMap<String, String>;
    let map = |pairs: &[(&str, &str)]| {
        let owned = pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        owned.collect::<Map>()
    };
    for (document, wanted) in [
        ("<m> </m>", map(&[("$text", " ")])),
        ("<m> <b>1</b> <c>2</c> </m>", map(&[("b", "1"), ("c", "2")])),
        ("<m> <b>1</b>&#32;</m>", map(&[("b", "1"), ("$text", " ")])),
    ] {
        assert_eq!(ours::<Map>(document).as_ref(), Some(&wanted), "{document}");
        let written = to_string_with_root("m", &wanted).expect("a document");
        assert_eq!(ours(&written), Some(wanted), "{written}");
    }
    to_string_with_root("m", &map(&[("$text", "")])).expect_err("an error");
}

fn space_that_is_preserved() {
    let value = |texts: [&str; 3]| {
        let [one, two, three] = texts.map(text);
        Value {
            value: vec![one, b(), two, b(), three],
        }
    };
    let inner = "\n <B>x</B>\n <B>x</B>\n";
    let preserved = || Some(value(["\n ", "\n ", "\n"]));
    assert_eq!(
        ours(&format!("<p xml:space='preserve'>{inner}</p>")),
        preserved()
    );
    let none = Some(Value {
        value: vec![b(), b()],
    });
    assert_eq!(ours(&format!("<p xml:space='default'>{inner}</p>")), none);
    assert_eq!(ours(&format!("<p space='preserve'>{inner}</p>")), none);
    let declared = format!("<!DOCTYPE p [<!ATTLIST p xml:space CDATA 'preserve'>]><p>{inner}</p>");
    assert_eq!(ours(&declared), preserved());
    // The attribute applies to the inner elements, up to another attribute, and not to later elements.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Outer {
        a: Value<Vec<Choice>>,
        c: Value<Vec<Choice>>,
    }
    let outer = |one: &str, two: &str, three: &str| {
        let document = format!("<x {one}><a {two}>{inner}</a><d {three}/><c>{inner}</c></x>");
        ours::<Outer>(&document).map(|outer| (outer.a.value.len(), outer.c.value.len()))
    };
    let (on, off) = ("xml:space='preserve'", "xml:space='default'");
    assert_eq!(outer("", "", ""), Some((2, 2)));
    assert_eq!(outer(on, "", ""), Some((5, 5)));
    assert_eq!(outer(on, off, off), Some((2, 5)));
    assert_eq!(outer("", on, on), Some((5, 2)));
    assert_eq!(outer(off, on, on), Some((5, 2)));
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Turns {
    #[serde(default)]
    t: Vec<Text<String>>,
    #[serde(default)]
    p: Vec<Value<Vec<Choice>>>,
}

/// Whitespace in elements that are buffered is the same as in others.
fn buffered_elements() {
    let value = || Value {
        value: vec![b(), text(" "), b(), text("\n")],
    };
    let p = "<p>\n<B>x</B> <B>x</B>&#10;</p>";
    let texts = [" ", "\n", ""].map(|text| Text {
        text: text.to_owned(),
    });
    let turns = Turns {
        t: texts.into(),
        p: vec![value(), value()],
    };
    both(&format!("<x><t> </t>{p} <t>\n</t>{p}<t/></x>"), turns);
}

fn empty_text() {
    both(
        "<t/>",
        Text {
            text: String::new(),
        },
    );
    both(
        "<t></t>",
        Text {
            text: Vec::<u8>::new(),
        },
    );
    both(
        "<t/>",
        Text {
            text: None::<String>,
        },
    );
    both("<t/>", Text { text: None::<u8> });
    both(
        "<t><b>1</b></t>",
        Beside {
            text: None,
            b: vec!["1".to_owned()],
        },
    );
    assert_eq!(ours::<Text<u8>>("<t/>"), None);
    assert_eq!(ours::<Text<bool>>("<t/>"), None);
    let error = Deserializer::of(Xml::strict(), "<t/>")
        .read::<Text<u8>>()
        .expect_err("an error");
    assert_eq!(error.to_string(), "1:5: t: missing field `$text`");
    // `None` and `Some` without text would be the same document.
    for text in [Some(""), None] {
        assert_eq!(to_string(&Text { text }).is_err(), text.is_some());
    }
    to_string(&Text {
        text: Some(Vec::<u8>::new()),
    })
    .expect_err("an error");
    // In `$value`, nothing is written for an empty text, so the item would be missing.
    to_string(&Value {
        value: vec![text("")],
    })
    .expect_err("an error");
    to_string(&Value { value: text("") }).expect_err("an error");
    to_string(&Value { value: Some("") }).expect_err("an error");
    to_string(&Value {
        value: vec![None::<u8>],
    })
    .expect_err("an error");
    both(
        "<v/>",
        Value {
            value: None::<String>,
        },
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Lists {
    a: Vec<Vec<u8>>,
    #[serde(rename = "$value")]
    value: Vec<Kinds>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kinds {
    Tuple(u8, String),
    List(Vec<u8>),
}

/// A list in a list is one element, with its items as text.
fn lists_in_lists() {
    let value = vec![
        Kinds::List(vec![1, 2]),
        Kinds::Tuple(3, "b".to_owned()),
        Kinds::List(vec![]),
    ];
    let lists = Lists {
        a: vec![vec![1, 2], vec![], vec![3]],
        value,
    };
    let written = to_string(&lists).expect("a document");
    let wanted = "<Lists><a>1 2</a><a/><a>3</a><List>1 2</List><Tuple>3 b</Tuple><List/></Lists>";
    assert_eq!(written, wanted);
    both(wanted, lists);
    both("<a>1 2</a>", Newtype(vec![vec![1, 2]]));
    both(
        "<v>1 2</v>",
        Value {
            value: vec![vec![1, 2]],
        },
    );
    let spaced = Kinds::Tuple(1, "a b".to_owned());
    to_string(&Value {
        value: vec![spaced],
    })
    .expect_err("an error");
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Newtype(Vec<Vec<u8>>);

fn what_is_written() {
    let value = |text: &str| to_string(&Value { value: text }).expect("a document");
    assert_eq!(value(" a "), "<Value> a </Value>");
    assert_eq!(value(" \n"), "<Value><![CDATA[ \n]]></Value>");
    assert_eq!(value("\r\n"), "<Value>&#13;\n</Value>");
    let list = |one: &str| {
        to_string(&Value {
            value: vec![text(one), b()],
        })
        .expect("a document")
    };
    assert_eq!(list(" "), "<Value> <B>x</B></Value>");
    assert_eq!(list("\n"), "<Value><![CDATA[\n]]><B>x</B></Value>");
    let field = |text: &str| to_string(&Text { text }).expect("a document");
    assert_eq!(field(" "), "<Text> </Text>");
    assert_eq!(field("\n"), "<Text>\n</Text>");
    let beside = |text: &str| {
        let text = Some(text.to_owned());
        let b = vec!["1".to_owned()];
        to_string(&Beside { text, b }).expect("a document")
    };
    assert_eq!(beside(" "), "<Beside><![CDATA[ ]]><b>1</b></Beside>");
    assert_eq!(beside(" a"), "<Beside> a<b>1</b></Beside>");
    let map = to_string_with_root("m", &BTreeMap::from([("$text", " "), ("a", " ")]));
    assert_eq!(map.expect("a document"), "<m><![CDATA[ ]]><a> </a></m>");
}

fn other_encodings() {
    let document = "\u{FEFF}<p>\r\n<B>x</B> <B>x</B><![CDATA[\n]]><B>x</B>\n</p>";
    let utf16: Vec<u8> = document.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wanted = Value {
        value: vec![b(), text(" "), b(), text("\n"), b()],
    };
    for chunk in [1, 7, usize::MAX] {
        let events = Events::chunks(Xml::strict(), utf16.chunks(chunk));
        assert_eq!(Deserializer::new(events).read().as_ref(), Ok(&wanted));
    }
}
