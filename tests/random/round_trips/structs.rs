//! The shapes of structs: fields, attributes, text, lists, options, maps, and namespaces.

use super::{Parts, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

table! {
    "elements": elements;
    "attributes": attributes;
    "a namespace on each": spaced;
    "text": |parts: Parts<'_>| Text { text: parts.text(0) };
    "optional text": |parts: Parts<'_>| OptionalText { id: parts.text(1), text: parts.optional(0) };
    "text beside elements": text_beside_elements;
    "a list in text": |parts: Parts<'_>| Words { all: parts.list(0) };
    "lists of lists": lists_of_lists;
    "lists in turn": lists_in_turn;
    "tuples": |parts: Parts<'_>| Tuples { one: (1, parts.text(0)), two: (parts.text(1), false) };
    "value": |parts: Parts<'_>| Value { value: parts.text(0) };
    "optional value": |parts: Parts<'_>| OptionalValue { value: parts.optional(0) };
    "values": |parts: Parts<'_>| Values { id: 1, all: parts.list(0) };
    "structs in value": |parts: Parts<'_>| Inside { value: Text { text: parts.text(0) } };
    "a newtype": |parts: Parts<'_>| Newtype(parts.text(0));
    "a newtype of an option": |parts: Parts<'_>| Maybe { it: parts.optional(0).map(Newtype) };
    "characters": characters;
    "a tree": tree;
    "a map": map;
    "a map in a field": |parts: Parts<'_>| MapField { map: map(parts), after: parts.text(3) };
    "a map of lists": map_of_lists;
    "a map of any keys": any_keys;
    "flatten": flattened;
    "flatten with text": |parts: Parts<'_>| Root(FlatText { rest: map_of(&["a"], parts), text: parts.text(3) });
    "units": |parts: Parts<'_>| Units { a: (), b: Unit, c: parts.text(0), d: vec![(); parts.0.len()] };
    "numbers": numbers;
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Elements {
    one: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    two: Option<String>,
    #[serde(default)]
    list: Vec<String>,
}

fn elements(parts: Parts<'_>) -> Elements {
    Elements {
        one: parts.text(1),
        two: parts.optional(0),
        list: parts.list(2),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Attributes {
    element: String,
    #[serde(rename = "@one")]
    one: String,
    #[serde(rename = "@two", skip_serializing_if = "Option::is_none")]
    two: Option<String>,
    #[serde(rename = "@list", default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<String>,
    #[serde(rename = "@xml:space")]
    space: String,
}

fn attributes(parts: Parts<'_>) -> Attributes {
    Attributes {
        element: parts.text(3),
        one: parts.text(0),
        two: parts.optional(1),
        list: parts.list(2),
        space: parts.text(1),
    }
}

/// Fields with the same local name in different namespaces.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "{urn:r}root")]
struct Spaced {
    #[serde(rename = "@a")]
    plain: String,
    #[serde(rename = "@{urn:a}a")]
    prefixed: String,
    #[serde(rename = "@{urn:r}a", skip_serializing_if = "Option::is_none")]
    own: Option<String>,
    #[serde(rename = "a")]
    unbound: String,
    #[serde(rename = "{urn:a}a", default)]
    list: Vec<String>,
    #[serde(rename = "{urn:b}a", skip_serializing_if = "Option::is_none")]
    optional: Option<Text>,
    #[serde(rename = "{}b")]
    none: String,
    #[serde(rename = "$text")]
    text: String,
}

fn spaced(parts: Parts<'_>) -> Spaced {
    Spaced {
        plain: parts.text(0),
        prefixed: parts.text(1),
        own: parts.optional(2),
        unbound: parts.text(3),
        list: parts.list(1),
        optional: parts.optional(1).map(|text| Text { text }),
        none: parts.text(2),
        text: parts.text(1),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Text {
    #[serde(rename = "$text")]
    text: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct OptionalText {
    #[serde(rename = "@id")]
    id: String,
    #[serde(rename = "$text")]
    text: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Beside {
    a: String,
    #[serde(rename = "$text")]
    text: String,
    #[serde(default)]
    b: Vec<String>,
}

fn text_beside_elements(parts: Parts<'_>) -> Beside {
    Beside {
        a: parts.text(1),
        text: parts.text(0),
        b: parts.list(2),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Words {
    #[serde(rename = "$text")]
    all: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Lists {
    #[serde(default)]
    list: Vec<Vec<String>>,
    #[serde(default)]
    pairs: Vec<(bool, f64)>,
    #[serde(rename = "@numbers")]
    numbers: [i8; 2],
}

fn lists_of_lists(parts: Parts<'_>) -> Lists {
    let list = (0..parts.0.len()).map(|index| parts.list(index));
    Lists {
        list: list.collect(),
        pairs: vec![(true, -0.5), (false, f64::INFINITY)],
        numbers: [-1, parts.0.len() as i8],
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Turns {
    #[serde(default)]
    turn: Vec<Turn>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Turn {
    #[serde(default)]
    a: Vec<Text>,
    #[serde(default)]
    b: Vec<Elements>,
}

fn lists_in_turn(parts: Parts<'_>) -> Turns {
    let turn = |at: usize| Turn {
        a: parts
            .list(at)
            .into_iter()
            .map(|text| Text { text })
            .collect(),
        b: vec![elements(parts)],
    };
    Turns {
        turn: vec![turn(0), turn(1)],
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Tuples {
    #[serde(rename = "@one")]
    one: (u8, String),
    two: (String, bool),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Value {
    #[serde(rename = "$value")]
    value: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct OptionalValue {
    #[serde(rename = "$value")]
    value: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Values {
    id: u8,
    #[serde(rename = "$value", default)]
    all: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Inside {
    #[serde(rename = "$value")]
    value: Text,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Newtype(String);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Maybe {
    #[serde(skip_serializing_if = "Option::is_none")]
    it: Option<Newtype>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Characters {
    #[serde(rename = "@a")]
    a: char,
    b: char,
    #[serde(default)]
    list: Vec<char>,
    #[serde(rename = "$text")]
    text: Option<char>,
}

fn characters(parts: Parts<'_>) -> Characters {
    let first = |index: usize| parts.text(index).chars().next();
    Characters {
        a: first(0).unwrap_or('a'),
        b: first(1).unwrap_or('b'),
        list: parts.text(2).chars().collect(),
        text: first(3),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Tree {
    #[serde(rename = "@name")]
    name: String,
    #[serde(default)]
    tree: Vec<Tree>,
    #[serde(rename = "$text", skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn tree(parts: Parts<'_>) -> Tree {
    match parts.0 {
        [] => Tree {
            name: String::new(),
            tree: Vec::new(),
            text: None,
        },
        [first, rest @ ..] => Tree {
            name: first.clone(),
            tree: vec![tree(Parts(rest)), tree(Parts(&rest[rest.len() / 2..]))],
            text: rest.first().cloned(),
        },
    }
}

type Map = BTreeMap<String, String>;

fn map_of(keys: &[&str], parts: Parts<'_>) -> Map {
    let keys = keys.iter().map(|key| (*key).to_owned());
    keys.zip(parts.list(0)).collect()
}

fn map(parts: Parts<'_>) -> Root<Map> {
    Root(map_of(&["@a", "b", "$text", "@xml:lang"], parts))
}

/// A map as a root element, or in a field.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Root<T>(T);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct MapField {
    map: Root<Map>,
    after: String,
}

fn map_of_lists(parts: Parts<'_>) -> Root<BTreeMap<String, Vec<String>>> {
    let keys = ["a", "b", "@c"].into_iter().map(str::to_owned);
    let lists = keys
        .enumerate()
        .map(|(index, key)| (key, parts.list(index)));
    // For an empty list, no element is written.
    Root(lists.filter(|(_, list)| !list.is_empty()).collect())
}

/// A map whose keys are awkward. Almost all are refused, because they are not names.
fn any_keys(parts: Parts<'_>) -> Root<Map> {
    let keys = parts.list(0).into_iter().filter(|key| !key.contains(':'));
    Root(keys.map(|key| (format!("k{key}"), key)).collect())
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flattened {
    #[serde(rename = "@id")]
    id: String,
    #[serde(flatten)]
    inner: FlatInner,
    #[serde(flatten)]
    rest: Map,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct FlatInner {
    inner: String,
    #[serde(rename = "@inner")]
    attribute: String,
}

fn flattened(parts: Parts<'_>) -> Root<Flattened> {
    Root(Flattened {
        id: parts.text(0),
        inner: FlatInner {
            inner: parts.text(1),
            attribute: parts.text(2),
        },
        rest: map_of(&["@a", "b", "c"], Parts(&parts.list(1))),
    })
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct FlatText {
    #[serde(flatten)]
    rest: Map,
    #[serde(rename = "$text", default)]
    text: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Unit;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Units {
    a: (),
    b: Unit,
    c: String,
    #[serde(default)]
    d: Vec<()>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Numbers {
    #[serde(rename = "@a")]
    a: i64,
    b: u128,
    c: Vec<f32>,
    d: bool,
    #[serde(rename = "$text")]
    e: f64,
}

fn numbers(parts: Parts<'_>) -> Numbers {
    let length = parts.text(0).len();
    Numbers {
        a: i64::MIN + length as i64,
        b: u128::MAX >> length,
        c: vec![length as f32 / 3.0, f32::NEG_INFINITY],
        d: length.is_multiple_of(2),
        e: f64::MIN_POSITIVE / (length + 1) as f64,
    }
}
