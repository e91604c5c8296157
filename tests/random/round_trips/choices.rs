//! The shapes of enums: all kinds of variants, by their element, in lists, options, tuples and text, with namespaces.

use super::{Parts, table};
use serde::{Deserialize, Serialize};

table! {
    "a choice as root": |parts: Parts<'_>| choice(parts, 0);
    "a choice in value": |parts: Parts<'_>| Holder { value: mixed(parts, 0) };
    "an optional choice": |parts: Parts<'_>| Optional { value: parts.0.first().map(|_| mixed(parts, 0)) };
    "a list of choices": |parts: Parts<'_>| List { all: mixed_list(parts) };
    "a list of choices beside fields": beside;
    "a list of optional choices": |parts: Parts<'_>| Beside { a: parts.text(3), all: options(parts), b: parts.text(1) };
    "a tuple of choices": |parts: Parts<'_>| Pair { both: (mixed(parts, 0), Choice::Unit, mixed(parts, 1)) };
    "choices of one name": one_name;
    "a choice of no name here": |parts: Parts<'_>| others(parts);
    "a choice with namespaces": |parts: Parts<'_>| spaced(parts, 0);
    "a list of choices with namespaces": |parts: Parts<'_>| Holder { value: spaced_list(parts) };
    "a tuple variant in value": |parts: Parts<'_>| Holder { value: Spaced::Tuple(parts.text(0), parts.text(1)) };
    "units in fields": units;
    "units with namespaces": |parts: Parts<'_>| UnitFields { a: spaced_unit(parts), list: vec![spaced_unit(parts)], b: parts.text(0) };
    "untagged": |parts: Parts<'_>| Untagged { it: untagged(parts), list: untagged_list(parts) };
    "untagged in value": |parts: Parts<'_>| Optional { value: Some(untagged(parts)) };
    "tagged": |parts: Parts<'_>| tagged(parts);
    "adjacently tagged": |parts: Parts<'_>| adjacent(parts);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    Unit,
    Newtype(String),
    Optional(Option<u8>),
    List(Vec<String>),
    Tuple(String, String),
    Struct {
        #[serde(rename = "@a")]
        a: String,
        #[serde(rename = "$text")]
        text: String,
    },
    Inner {
        #[serde(rename = "$value", default)]
        all: Vec<Choice>,
    },
    #[serde(rename = "$text")]
    Text(String),
}

/// Returns a choice that is an element.
fn choice(parts: Parts<'_>, from: usize) -> Choice {
    let (one, two) = (parts.text(from), parts.text(from + 1));
    match one.len() % 7 {
        0 => Choice::Newtype(one),
        1 => Choice::Tuple(one, two),
        2 => Choice::Struct { a: one, text: two },
        3 => Choice::List(parts.list(from)),
        4 => Choice::Optional(Some(one.len() as u8)),
        5 => Choice::Unit,
        _ => Choice::Inner {
            all: match parts.0.len() > from + 1 {
                true => vec![mixed(parts, from + 1), choice(parts, from + 2)],
                false => Vec::new(),
            },
        },
    }
}

/// Returns a choice that is an element or text.
fn mixed(parts: Parts<'_>, from: usize) -> Choice {
    match parts.text(from).len() % 2 {
        0 => choice(parts, from),
        _ => Choice::Text(parts.text(from)),
    }
}

fn mixed_list(parts: Parts<'_>) -> Vec<Choice> {
    let all = (0..parts.0.len()).flat_map(|index| {
        let text = Choice::Text(parts.text(index));
        [Choice::Unit, text, choice(parts, index)]
    });
    all.collect()
}

fn options(parts: Parts<'_>) -> Vec<Option<Choice>> {
    mixed_list(parts).into_iter().map(Some).collect()
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Holder<T> {
    #[serde(rename = "$value")]
    value: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Optional<T> {
    #[serde(rename = "$value")]
    value: Option<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct List<T> {
    #[serde(rename = "$value", default = "Vec::new")]
    all: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Pair {
    #[serde(rename = "$value")]
    both: (Choice, Choice, Choice),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Beside<T> {
    a: String,
    #[serde(rename = "$value", default = "Vec::new")]
    all: Vec<T>,
    b: String,
}

fn beside(parts: Parts<'_>) -> Beside<Choice> {
    Beside {
        a: parts.text(0),
        all: mixed_list(parts),
        b: parts.text(1),
    }
}

/// Variants of the same local name in different namespaces, and of the names of text and of lists.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum OneName {
    #[serde(rename = "a")]
    Plain(String),
    #[serde(rename = "{urn:a}a")]
    One(String),
    #[serde(rename = "{urn:b}a")]
    Two {
        #[serde(rename = "{urn:a}a")]
        a: String,
    },
    #[serde(rename = "$text")]
    Text(String),
}

fn one_name(parts: Parts<'_>) -> List<OneName> {
    let all = parts.list(0).into_iter().flat_map(|text| {
        let (one, two, three) = (text.clone(), text.clone(), text.clone());
        [
            OneName::Plain(text),
            OneName::One(one),
            OneName::Text(two),
            OneName::Two { a: three },
        ]
    });
    List { all: all.collect() }
}

/// An enum with a variant for all other names.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Others {
    #[serde(rename = "{urn:a}unit")]
    Unit,
    #[serde(rename = "{urn:b}unit")]
    Second(String),
    #[serde(rename = "$text")]
    Text(String),
    #[serde(other)]
    Other,
}

fn others(parts: Parts<'_>) -> List<Others> {
    let all = parts.list(0).into_iter();
    let all = all.flat_map(|text| {
        [
            Others::Unit,
            Others::Text(text.clone()),
            Others::Second(text),
            Others::Other,
        ]
    });
    List { all: all.collect() }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Spaced {
    #[serde(rename = "{urn:a}unit")]
    Unit,
    #[serde(rename = "{urn:a}newtype")]
    Newtype(String),
    #[serde(rename = "{urn:b}newtype")]
    Other(Option<String>),
    #[serde(rename = "{}list")]
    List(Vec<String>),
    #[serde(rename = "{urn:b}tuple")]
    Tuple(String, String),
    #[serde(rename = "{urn:a}struct")]
    Struct {
        #[serde(rename = "@{urn:a}a")]
        a: String,
        #[serde(rename = "@a")]
        b: String,
        #[serde(rename = "{urn:a}c")]
        c: String,
        #[serde(rename = "{urn:b}c")]
        d: Vec<String>,
    },
}

fn spaced(parts: Parts<'_>, from: usize) -> Spaced {
    let (one, two) = (parts.text(from), parts.text(from + 1));
    match one.len() % 6 {
        0 => Spaced::Newtype(one),
        1 => Spaced::Tuple(one, two),
        2 => Spaced::Struct {
            a: one.clone(),
            b: two.clone(),
            c: one,
            d: vec![two, parts.text(from + 2)],
        },
        3 => Spaced::List(parts.list(from)),
        4 => Spaced::Other(Some(one)),
        _ => Spaced::Unit,
    }
}

fn spaced_list(parts: Parts<'_>) -> Vec<Spaced> {
    (0..=parts.0.len())
        .map(|index| spaced(parts, index))
        .collect()
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Copy)]
enum Unit {
    One,
    #[serde(rename = "two words")]
    Words,
    #[serde(rename = "<&>")]
    Signs,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Copy)]
enum SpacedUnit {
    #[serde(rename = "{urn:a}one")]
    One,
    #[serde(rename = "{urn:b}one")]
    Two,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct UnitFields<T> {
    #[serde(rename = "@a")]
    a: T,
    list: Vec<T>,
    b: String,
}

fn units(parts: Parts<'_>) -> UnitFields<Unit> {
    let unit = |index: usize| [Unit::One, Unit::Words, Unit::Signs][parts.text(index).len() % 3];
    UnitFields {
        a: unit(0),
        list: vec![unit(1), unit(2)],
        b: parts.text(3),
    }
}

fn spaced_unit(parts: Parts<'_>) -> SpacedUnit {
    [SpacedUnit::One, SpacedUnit::Two][parts.0.len() % 2]
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Untagged {
    it: Any,
    #[serde(default)]
    list: Vec<Any>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Any {
    Struct {
        #[serde(rename = "@a")]
        a: String,
        b: String,
    },
    Text(String),
}

fn untagged(parts: Parts<'_>) -> Any {
    match parts.0.len() % 2 {
        0 => Any::Text(parts.text(0)),
        _ => Any::Struct {
            a: parts.text(0),
            b: parts.text(1),
        },
    }
}

fn untagged_list(parts: Parts<'_>) -> Vec<Any> {
    (0..parts.0.len())
        .map(|index| untagged(Parts(&parts.list(index))))
        .collect()
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "@kind")]
enum Tagged {
    One,
    Two {
        a: String,
        #[serde(rename = "@b")]
        b: String,
        #[serde(rename = "$text", default)]
        text: String,
    },
}

fn tagged(parts: Parts<'_>) -> Tagged {
    match parts.0.len() {
        0 => Tagged::One,
        _ => Tagged::Two {
            a: parts.text(0),
            b: parts.text(1),
            text: parts.text(2),
        },
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "@kind", content = "content")]
enum Adjacent {
    Unit,
    Newtype(String),
    Struct {
        #[serde(rename = "@a")]
        a: String,
        b: String,
    },
}

fn adjacent(parts: Parts<'_>) -> Adjacent {
    match parts.0.len() % 3 {
        0 => Adjacent::Unit,
        1 => Adjacent::Newtype(parts.text(0)),
        _ => Adjacent::Struct {
            a: parts.text(0),
            b: parts.text(1),
        },
    }
}
