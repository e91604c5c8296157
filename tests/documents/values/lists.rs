//! The rows of quick-xml's tables for sequences, and sequences whose items are not adjacent.

use super::{differs, ours, same};
use serde::Deserialize;
use std::collections::BTreeMap;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/lists",
        row_13_without_a_name_of_their_own,
        row_14_of_the_document,
        row_16_tuples,
        row_17_choices,
        wrapped,
        overlapped,
        overlapped_and_nested,
        overlapped_in_a_map,
        arrays_end_early,
        text_between,
        many_names_that_overlap,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Items<T> {
    #[serde(default = "Vec::new")]
    item: Vec<T>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Maybe {
    item: Option<Vec<u8>>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Needed {
    item: Vec<u8>,
}

fn row_13_without_a_name_of_their_own() {
    same("<any/>", Some(Items::<u8> { item: vec![] }));
    same("<any><item>1</item></any>", Some(Items { item: vec![1] }));
    same(
        "<any><item>1</item> <item>2</item></any>",
        Some(Items { item: vec![1, 2] }),
    );
    same("<any/>", Some(Maybe { item: None }));
    same(
        "<any><item>1</item><item>2</item></any>",
        Some(Maybe {
            item: Some(vec![1, 2]),
        }),
    );
    same("<any/>", None::<Needed>);
    same(
        "<any><item/><item/></any>",
        Some(Items { item: vec![(), ()] }),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Choice {
    One,
    Two,
    #[serde(rename = "$text")]
    Text(String),
}

fn row_14_of_the_document() {
    same("<one/>", Some(vec![Choice::One]));
    same("<one>1</one>", Some(("1".to_owned(),)));
    // A document has only one root element. Inside an element, the sequences of rows 14 and 15 are read, as in rows 16
    // and 17.
    differs("<one/><two/>", None, Some((Choice::One, Choice::Two)));
}

#[derive(Deserialize, Debug, PartialEq)]
struct All<T> {
    #[serde(rename = "$value")]
    all: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Named(u8, String, Choice, u8);

const MIXED: &str =
    "<any a='b'>\n<one>1</one>text<![CDATA[cdata]]><two>2</two>\n<one>3</one></any>";

fn row_16_tuples() {
    let text = || "textcdata".to_owned();
    same(
        MIXED,
        Some(All {
            all: (1_u8, text(), Choice::Two, 3_u8),
        }),
    );
    same(
        MIXED,
        Some(All {
            all: Named(1, text(), Choice::Two, 3),
        }),
    );
    same(MIXED, None::<All<(u8, u8)>>);
    same("<any><one>1</one></any>", None::<All<(u8, u8)>>);
}

fn row_17_choices() {
    let text = Choice::Text("textcdata".to_owned());
    let all = vec![Choice::One, text, Choice::Two, Choice::One];
    same(MIXED, Some(All { all }));
    let text = Choice::Text("textcdata".to_owned());
    same(
        MIXED,
        Some(All {
            all: [Choice::One, text, Choice::Two, Choice::One],
        }),
    );
    same("<any/>", None::<All<Vec<Choice>>>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct Wrapped {
    list: Items<u8>,
    after: (),
}

fn wrapped() {
    let wanted = Wrapped {
        list: Items { item: vec![1, 2] },
        after: (),
    };
    same(
        "<root><list><item>1</item><item>2</item></list><after/></root>",
        Some(wanted),
    );
    let none = Wrapped {
        list: Items { item: vec![] },
        after: (),
    };
    same("<root><list/><after/></root>", Some(none));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Two {
    #[serde(default)]
    a: Vec<String>,
    #[serde(default)]
    b: Vec<String>,
    c: Option<String>,
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn overlapped() {
    let two = |a: &[&str], b: &[&str], c: Option<&str>| {
        Some(Two {
            a: strings(a),
            b: strings(b),
            c: c.map(str::to_owned),
        })
    };
    same(
        "<x><a>1</a><b>2</b><a>3</a></x>",
        two(&["1", "3"], &["2"], None),
    );
    same(
        "<x><b>1</b><a>2</a><b>3</b><a>4</a><c>5</c></x>",
        two(&["2", "4"], &["1", "3"], Some("5")),
    );
    same(
        "<x><a>1</a><c>2</c><a>3</a><b>4</b></x>",
        two(&["1", "3"], &["4"], Some("2")),
    );
    same(
        "<x><a>1</a><d>2<a>x</a></d><a>3</a></x>",
        two(&["1", "3"], &[], None),
    );
    same("<x><a>1</a><c>2</c><a>3</a><c>4</c></x>", None::<Two>);
    same(
        "<x><a>1</a>text<!--c--> text<a>3</a></x>",
        two(&["1", "3"], &[], None),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Nested {
    #[serde(default)]
    group: Vec<Nested>,
    #[serde(default)]
    name: Vec<String>,
    #[serde(rename = "@id")]
    id: Option<String>,
}

fn overlapped_and_nested() {
    let leaf = |id: &str, names: &[&str]| Nested {
        group: vec![],
        name: strings(names),
        id: Some(id.to_owned()),
    };
    let inner = Nested {
        group: vec![leaf("2", &["b", "d"])],
        name: strings(&["c", "e"]),
        id: Some("1".to_owned()),
    };
    let wanted = Nested {
        group: vec![inner, leaf("3", &["g"])],
        name: strings(&["a", "f", "h"]),
        id: None,
    };
    let document = "<x><name>a</name><group id='1'><group id='2'><name>b</name><!--c--><name>d</name></group>\
         <name>c</name><name>e</name></group><name>f</name><group id='3'><name>g</name></group><name>h</name></x>";
    same(document, Some(wanted));
}

fn overlapped_in_a_map() {
    let map = |pairs: [(&str, &[&str]); 2]| {
        Some(
            pairs
                .map(|(name, texts)| (name.to_owned(), strings(texts)))
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
        )
    };
    same(
        "<x><a>1</a><b>2</b><a>3</a></x>",
        map([("a", &["1", "3"]), ("b", &["2"])]),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Pair {
    a: [u8; 2],
    b: u8,
}

fn arrays_end_early() {
    same(
        "<x><a>1</a><b>2</b><a>3</a></x>",
        Some(Pair { a: [1, 3], b: 2 }),
    );
    same("<x><a>1</a><b>2</b><a>3</a><a>4</a></x>", None::<Pair>);
    same("<x><a>1</a><b>2</b></x>", None::<Pair>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct WithText {
    a: Vec<u8>,
    #[serde(rename = "$text")]
    text: String,
}

#[derive(Deserialize, Debug, PartialEq)]
struct WithRest {
    a: Vec<u8>,
    #[serde(rename = "$value")]
    rest: Vec<Choice>,
}

fn text_between() {
    same(
        "<x><a>1</a>text<a>2</a></x>",
        Some(WithText {
            a: vec![1, 2],
            text: "text".to_owned(),
        }),
    );
    let rest = vec![Choice::One, Choice::Text("text".to_owned()), Choice::Two];
    same(
        "<x><one/><a>1</a>text<a>2</a><two/></x>",
        Some(WithRest {
            a: vec![1, 2],
            rest,
        }),
    );
}

/// There are more names than are searched one by one, and each occurs three times, so that the lookup table of buffered
/// elements is used.
fn many_names_that_overlap() {
    let (mut document, mut wanted) = (String::from("<x>"), BTreeMap::new());
    for round in 0..3 {
        for name in 0..50 {
            document.push_str(&format!("<n{name}>{round}</n{name}>"));
            wanted
                .entry(format!("n{name}"))
                .or_insert_with(Vec::new)
                .push(round);
        }
    }
    document.push_str("</x>");
    same::<BTreeMap<String, Vec<u8>>>(&document, Some(wanted));
    assert!(ours::<BTreeMap<String, Vec<u8>>>("<x><a>1</a><b>2</b><a>c</a></x>").is_none());
}
