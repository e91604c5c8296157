//! The rows of quick-xml's tables for strings, attributes, elements and optional values.

use super::{differs, same};
use serde::Deserialize;
use std::collections::BTreeMap;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/basics",
        row_1_any_type_of_one_string,
        row_1_text_is_one_string,
        row_2_lists_with_white_space,
        row_3_attributes,
        row_4_elements,
        row_5_an_attribute_and_an_element_of_one_name,
        row_6_optional_attributes,
        row_7_optional_elements,
        nil,
        numbers,
        maps,
        units_and_newtypes,
        the_document_itself,
        white_space,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
enum Language {
    Rust,
    Cpp,
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Held<T> {
    #[serde(rename = "$text")]
    x: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct At<T> {
    #[serde(rename = "@x")]
    x: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct In<T> {
    x: T,
}

fn row_1_any_type_of_one_string() {
    let held = |x| Some(Held { x });
    same("<x>Rust</x>", held(Language::Rust));
    same("<x>C<![CDATA[p]]>p</x>", held(Language::Cpp));
    same("<x><![CDATA[other]]></x>", held(Language::Other));
    same("<a x='Rust'/>", Some(At { x: Language::Rust }));
    same("<a><x>Cpp</x></a>", Some(In { x: Language::Cpp }));
    same("<a><x>7</x></a>", Some(In { x: 7_u8 }));
    same("<a x='7'/>", Some(At { x: 7_i64 }));
    same("<a x='7.5'/>", Some(At { x: 7.5_f32 }));
    same("<a><x>true</x></a>", Some(In { x: true }));
    same("<a><x>c</x></a>", Some(In { x: 'c' }));
    same("<a><x>cc</x></a>", None::<In<char>>);
    same("<a><x>256</x></a>", None::<In<u8>>);
}

fn row_1_text_is_one_string() {
    let text = |text: &str| Some(In { x: text.to_owned() });
    same("<a><x>text</x></a>", text("text"));
    same("<a><x><![CDATA[<b>]]></x></a>", text("<b>"));
    same(
        "<a><x>text<![CDATA[cdata]]>text</x></a>",
        text("textcdatatext"),
    );
    same(
        "<a><x>one<!--c-->two<?p i?>three</x></a>",
        text("onetwothree"),
    );
    same("<a><x><!--c-->one</x></a>", text("one"));
    same("<a><x>Tom &amp; &#74;erry</x></a>", text("Tom & Jerry"));
    same("<a><x></x></a>", text(""));
    same("<a><x/></a>", text(""));
    same("<a><x>b<y/></x></a>", None::<In<String>>);
    same("<a><x><y/>b</x></a>", None::<In<String>>);
    same("<a><x><y>b</y></x></a>", None::<In<String>>);
    same(
        "<a x='Tom &amp; Jerry'/>",
        Some(At {
            x: "Tom & Jerry".to_owned(),
        }),
    );
}

fn row_2_lists_with_white_space() {
    same("<a x='1 2  3'/>", Some(At { x: vec![1, 2, 3] }));
    same(
        "<a x='a b'/>",
        Some(At {
            x: vec!["a".to_owned(), "b".to_owned()],
        }),
    );
    same(
        "<a x=''/>",
        Some(At {
            x: Vec::<u8>::new(),
        }),
    );
    same("<a>1 2</a>", Some(Held { x: vec![1, 2] }));
    same("<a><![CDATA[1 2]]></a>", Some(Held { x: vec![1, 2] }));
    same(
        "<a x='Rust Cpp C'/>",
        Some(At {
            x: (Language::Rust, Language::Cpp, Language::Other),
        }),
    );
    same("<a x='1 2'/>", None::<At<(u8, u8, u8)>>);
    same(
        "<a><x>1 2</x><x>3</x></a>",
        Some(In {
            x: vec![vec![1, 2], vec![3]],
        }),
    );
    // Newlines and tabs separate the items of a list, as in XML Schema and in quick-xml's documentation.
    differs(
        "<a>\n  1\n  2\t3\n</a>",
        Some(Held { x: vec![1, 2, 3] }),
        None,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct TwoAttributes {
    #[serde(rename = "@one")]
    one: (),
    #[serde(rename = "@two")]
    two: String,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Nothing;

fn row_3_attributes() {
    let both = TwoAttributes {
        one: (),
        two: "b".to_owned(),
    };
    same("<any one='a' two='b'/>", Some(both));
    same("<any one='a'/>", None::<TwoAttributes>);
    same("<any x='a' y='b'/>", Some(At { x: "a".to_owned() }));
    same("<any x='a'><x>b</x></any>", Some(At { x: "a".to_owned() }));
    same("<any one='a' two='b'/>", Some(Nothing));
    same("<any one='a'><one>b</one></any>", Some(Nothing));
    same("<any><one>a</one><two>b</two></any>", Some(Nothing));
}

#[derive(Deserialize, Debug, PartialEq)]
struct TwoElements {
    one: (),
    two: String,
}

fn row_4_elements() {
    let both = || {
        Some(TwoElements {
            one: (),
            two: "b".to_owned(),
        })
    };
    same("<any><one>a</one><two>b</two></any>", both());
    same("<any><two>b</two> <one>a<c/></one></any>", both());
    same(
        "<any><other><two>c</two></other><two>b</two><one/></any>",
        both(),
    );
    same("<any one='a' two='b'/>", None::<TwoElements>);
    same("<any one='a'><two>b</two></any>", None::<TwoElements>);
    same(
        "<any><one/><two>b</two><two>c</two></any>",
        None::<TwoElements>,
    );
    same("<any one='a'><one>b</one></any>", Some(Nothing));
}

#[derive(Deserialize, Debug, PartialEq)]
struct OneName {
    #[serde(rename = "@field")]
    attribute: String,
    field: String,
}

fn row_5_an_attribute_and_an_element_of_one_name() {
    let wanted = OneName {
        attribute: "a".to_owned(),
        field: "b".to_owned(),
    };
    same("<any field='a'>\n  <field>b</field>\n</any>", Some(wanted));
}

fn row_6_optional_attributes() {
    same(
        "<any x='a'/>",
        Some(At {
            x: Some("a".to_owned()),
        }),
    );
    same(
        "<any x=''/>",
        Some(At {
            x: Some(String::new()),
        }),
    );
    same("<any/>", Some(At { x: None::<String> }));
    same("<any x='7'/>", Some(At { x: Some(7) }));
}

fn row_7_optional_elements() {
    same(
        "<any><x>a</x></any>",
        Some(In {
            x: Some("a".to_owned()),
        }),
    );
    same(
        "<any><x/></any>",
        Some(In {
            x: Some(String::new()),
        }),
    );
    same("<any/>", Some(In { x: None::<String> }));
    same("<any><x>a</x></any>", Some(In { x: Some(()) }));
    same(
        "<any><x><x>a</x></x></any>",
        Some(In {
            x: Some(In { x: 'a' }),
        }),
    );
}

const NIL: &str = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'";

fn nil() {
    let nil = |document: &str| document.replace("NIL", NIL);
    let none = || Some(In { x: None::<String> });
    same(&nil("<any><x NIL>a</x></any>"), none());
    same(&nil("<any NIL><x>a</x></any>"), none());
    let one = nil("<any><x NIL>a</x></any>").replace("'true'", "'1'");
    same(&one, none());
    same(
        &nil("<any NIL><x>a</x></any>"),
        Some(In { x: "a".to_owned() }),
    );
    same(
        "<any><x nil='true'>a</x></any>",
        Some(In {
            x: Some("a".to_owned()),
        }),
    );
    let other = "<any><x xmlns:xsi='u' xsi:nil='true'>a</x></any>";
    same(
        other,
        Some(In {
            x: Some("a".to_owned()),
        }),
    );
    same(
        &nil("<any><x NIL>a</x></any>").replace("'true'", "'0'"),
        Some(In {
            x: Some("a".to_owned()),
        }),
    );
    let one = nil("<any><x NIL>a</x></any>").replace("'true'", "'1'");
    same(&one, none());
    let one = nil("<any NIL><x>a</x></any>").replace("'true'", "'1'");
    same(&one, none());
    // `xsi:nil` also applies to the items of a sequence.
    let items = In {
        x: vec![None, Some("b".to_owned())],
    };
    let theirs = In {
        x: vec![Some("a".to_owned()), Some("b".to_owned())],
    };
    differs(
        &nil("<any><x NIL>a</x><x>b</x></any>"),
        Some(items),
        Some(theirs),
    );
}

fn numbers() {
    same("<a> 7\n</a>", Some(7_u8));
    same("<a>-7</a>", Some(-7_i8));
    same("<a>-7</a>", None::<u8>);
    same("<a>1e3</a>", Some(1000.0_f64));
    same(
        "<a>170141183460469231731687303715884105727</a>",
        Some(i128::MAX),
    );
    same(
        "<a>340282366920938463463374607431768211455</a>",
        Some(u128::MAX),
    );
    same("<a/>", None::<u8>);
    for (text, value) in [
        ("true", true),
        ("1", true),
        ("false", false),
        (" 0 ", false),
    ] {
        same(&format!("<a>{text}</a>"), Some(value));
    }
    same("<a>yes</a>", None::<bool>);
}

fn maps() {
    let map = |pairs: &[(&str, &str)]| {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Some(
            pairs
                .iter()
                .map(owned)
                .collect::<BTreeMap<String, String>>(),
        )
    };
    same(
        "<a b='1'><c>2</c>text</a>",
        map(&[("@b", "1"), ("c", "2"), ("$text", "text")]),
    );
    same("<a/>", map(&[]));
    same(
        "<p:a xmlns:p='u' p:b='1'/>",
        map(&[("@xmlns:p", "u"), ("@b", "1")]),
    );
    same(
        "<a xml:lang='de' xmlns='u'/>",
        map(&[("@xml:lang", "de"), ("@xmlns", "u")]),
    );
    same(
        "<a><_1>2</_1><_3>4</_3></a>",
        Some(BTreeMap::from([("_1".to_owned(), 2), ("_3".to_owned(), 4)])),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Newtype(String);

fn units_and_newtypes() {
    same("<a>b<c/></a>", Some(()));
    same("<a>b<c/></a>", Some(Nothing));
    same("<a>b</a>", Some(Newtype("b".to_owned())));
    same(
        "<a x='b'/>",
        Some(At {
            x: Newtype("b".to_owned()),
        }),
    );
    same(
        "<a><x>b</x></a>",
        Some(In {
            x: Newtype("b".to_owned()),
        }),
    );
    same("<a x='b'><x>b</x></a>", Some(In { x: Nothing }));
    same("<a x='b'/>", Some(At { x: Nothing }));
}

fn the_document_itself() {
    // Content before the root element is ignored.
    let b = || Some("b".to_owned());
    let comments = "<?xml version='1.0'?>\n<!--c-->\n<a>b</a>\n<!--d-->\n";
    differs(comments, b(), Some("\n\n".to_owned()));
    differs("\n<a>b</a>\n", b(), Some("\n".to_owned()));
    same("<?xml version='1.0'?><!--c--><a>b</a><!--d-->", b());
    same("<a>b</a>", Some(Some("b".to_owned())));
    same("<a>b</a>", Some(vec!["b".to_owned()]));
    same("", None::<String>);
    same("<a>b", None::<String>);
    same("<a>b</c>", None::<String>);
    same("<a>&nbsp;</a>", None::<String>);
    // A document has exactly one root element, and no text outside it.
    differs("<a/><b/>", None, Some(vec![(), ()]));
    differs("text", None, Some("text".to_owned()));
    differs("", None, Some(None::<String>));
    // A prefix that is not declared is an error.
    differs("<p:a>b</p:a>", None, Some("b".to_owned()));
    // The document is read to its end, so an error after the root element is reported.
    differs("<a>b</a><", None, Some("b".to_owned()));
}

fn white_space() {
    same(
        "<a>\n<x>  b  </x>\n</a>",
        Some(In {
            x: "  b  ".to_owned(),
        }),
    );
    same("<a> <x> </x> </a>", Some(In { x: " ".to_owned() }));
    same(
        "<a>  b  </a>",
        Some(Held {
            x: "  b  ".to_owned(),
        }),
    );
    // The whitespace of an element without child elements is its text.
    let newline = Held { x: "\n".to_owned() };
    differs("<a>\n</a>", Some(newline), None);
    same(
        "<a x=' b '/>",
        Some(At {
            x: " b ".to_owned(),
        }),
    );
    same(
        "<a x='b\nc'/>",
        Some(At {
            x: "b c".to_owned(),
        }),
    );
    same("<a>b\r\nc</a>", Some("b\nc".to_owned()));
}
