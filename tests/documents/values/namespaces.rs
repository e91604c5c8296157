//! Fields, attributes and variants with namespaces.

use super::ours;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use tagstream::Xml;
use tagstream::de::{DeErrorKind, Deserializer, from_str};
use tagstream::ser::to_string;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/namespaces",
        variants_are_read_back,
        variants_of_another_namespace_do_not_match,
        variants_of_any_and_of_no_namespace,
        attributes_without_a_namespace,
        elements_without_a_namespace,
        lists_of_one_namespace,
        elements_of_value,
        many_fields,
        fields_of_any_and_of_no_namespace,
        buffered_elements,
        maps_keep_names_apart,
        without_a_buffer,
        long_namespaces,
    );
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kinds {
    #[serde(rename = "{urn:a}unit")]
    Unit,
    #[serde(rename = "{urn:a}newtype")]
    Newtype(u8),
    #[serde(rename = "{urn:b}newtype")]
    Second(u8),
    #[serde(rename = "{urn:a}tuple")]
    Tuple(u8, String),
    #[serde(rename = "{urn:a}struct")]
    Struct {
        #[serde(rename = "@{urn:b}a")]
        a: u8,
        #[serde(rename = "{urn:b}b")]
        b: u8,
    },
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Holder<T> {
    #[serde(rename = "$value")]
    value: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Optional {
    #[serde(rename = "$value", skip_serializing_if = "Option::is_none")]
    value: Option<Kinds>,
    after: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Field<T> {
    field: T,
}

fn read_back<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
    let document = to_string(value).expect("a document");
    assert_eq!(ours::<T>(&document).as_ref(), Some(value), "{document}");
}

fn variants_are_read_back() {
    let structure = || Kinds::Struct { a: 1, b: 2 };
    let tuple = || Kinds::Tuple(3, "c".to_owned());
    for value in [
        Kinds::Unit,
        Kinds::Newtype(1),
        Kinds::Second(2),
        structure(),
    ] {
        read_back(&value);
        read_back(&Holder { value });
    }
    read_back(&Holder { value: tuple() });
    read_back(&Holder {
        value: vec![
            Kinds::Second(1),
            Kinds::Newtype(2),
            structure(),
            Kinds::Unit,
        ],
    });
    read_back(&Holder {
        value: (Kinds::Unit, Kinds::Second(7)),
    });
    for value in [None, Some(Kinds::Unit), Some(tuple())] {
        read_back(&Optional { value, after: 1 });
    }
    read_back(&Field { field: Kinds::Unit });
    read_back(&Field {
        field: vec![Kinds::Unit, Kinds::Unit],
    });
    let document = "<x xmlns:p='urn:a' xmlns:q='urn:b'><p:unit/><q:newtype>1</q:newtype></x>";
    let value = vec![Kinds::Unit, Kinds::Second(1)];
    assert_eq!(ours(document), Some(Holder { value }));
    // The items of a tuple are only the elements with the namespace of the first.
    let document = "<x xmlns:p='urn:a' xmlns:q='urn:b'><p:tuple>1</p:tuple><q:tuple>2</q:tuple><p:tuple>3</p:tuple></x>";
    let value = Kinds::Tuple(1, "3".to_owned());
    assert_eq!(ours::<Holder<Kinds>>(document), None);
    let one = document.replace("<q:tuple>2</q:tuple>", "");
    assert_eq!(ours(&one), Some(Holder { value }));
}

#[derive(Deserialize, Debug, PartialEq)]
enum Others {
    #[serde(rename = "{urn:a}unit")]
    Unit,
    #[serde(other)]
    Other,
}

fn variants_of_another_namespace_do_not_match() {
    for namespace in ["", "urn:b", "urn:a "] {
        let document = format!("<unit xmlns='{namespace}'/>");
        assert_eq!(ours::<Kinds>(&document), None, "{document}");
        assert_eq!(ours(&document), Some(Others::Other), "{document}");
        let document = format!("<x><unit xmlns='{namespace}'/></x>");
        assert_eq!(ours::<Holder<Vec<Kinds>>>(&document), None, "{document}");
    }
    assert_eq!(ours("<p:unit xmlns:p='urn:a'/>"), Some(Others::Unit));
    let document = "<x xmlns:p='urn:a'><p:unit/><unit/><p:other/></x>";
    let value = vec![Others::Unit, Others::Other, Others::Other];
    assert_eq!(ours(document), Some(Holder { value }));
}

#[derive(Deserialize, Debug, PartialEq)]
enum Wide {
    #[serde(rename = "{urn:a}a")]
    One,
    #[serde(rename = "{*}a")]
    Any,
    #[serde(rename = "a")]
    Plain,
    #[serde(rename = "{}b")]
    None,
    #[serde(rename = "c")]
    Free,
}

fn variants_of_any_and_of_no_namespace() {
    for (document, wanted) in [
        ("<a xmlns='urn:a'/>", Some(Wide::One)),
        ("<p:a xmlns:p='urn:b'/>", Some(Wide::Any)),
        ("<a/>", Some(Wide::Plain)),
        ("<b/>", Some(Wide::None)),
        ("<b xmlns='urn:a'/>", None),
        ("<c/>", Some(Wide::Free)),
        ("<c xmlns='urn:a'/>", Some(Wide::Free)),
        ("<d/>", None),
    ] {
        assert_eq!(ours(document), wanted, "{document}");
        assert_eq!(from_str(document).ok(), wanted, "{document}");
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Slide {
    #[serde(rename = "@id")]
    id: Option<u8>,
    #[serde(rename = "@{urn:s}id")]
    other: Option<u8>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct OnlyId {
    #[serde(rename = "@id")]
    id: u8,
}

/// Documents in which `r` and `q` are prefixes.
fn with_prefixes(inner: &str) -> String {
    inner.replacen(
        "<s",
        "<s xmlns:r='urn:r' xmlns:q='urn:q' xmlns:s='urn:s'",
        1,
    )
}

/// A field without a namespace takes an attribute without a prefix. It takes another only if there is no such attribute.
fn attributes_without_a_namespace() {
    for (document, id, other) in [
        ("<s id='1' r:id='2'/>", Some(1), None),
        ("<s r:id='2' id='1'/>", Some(1), None),
        ("<s r:id='2'/>", Some(2), None),
        ("<s r:id='2' s:id='3'/>", Some(2), Some(3)),
        ("<s s:id='3' id='1' r:id='2'/>", Some(1), Some(3)),
        ("<s s:id='3'/>", None, Some(3)),
        ("<s/>", None, None),
    ] {
        let document = with_prefixes(document);
        assert_eq!(ours(&document), Some(Slide { id, other }), "{document}");
    }
    let two = with_prefixes("<s r:id='1' q:id='2'/>");
    let error = from_str::<Slide>(&two).expect_err("an error");
    assert!(
        error.to_string().contains("duplicate field `@id`"),
        "{error}"
    );
    let known = "<s id='1' xmlns:r='urn:r' r:id='2'/>";
    let error = from_str::<OnlyId>(known).expect_err("an error");
    assert!(
        error.to_string().contains("unknown field `@xmlns:r`"),
        "{error}"
    );
    assert_eq!(ours("<s id='1'/>"), Some(OnlyId { id: 1 }));
    let language = "<s lang='1' xml:lang='2'/>";
    let read = ours::<BTreeMap<String, u8>>(language).expect("a map");
    assert_eq!((read["@lang"], read["@xml:lang"]), (1, 2));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Feed {
    link: Option<String>,
    #[serde(rename = "{urn:s}link")]
    other: Option<String>,
}

/// A field without a namespace takes an element in the namespace of its parent, or in none. It takes another only if
/// there is no such element, whichever comes first.
fn elements_without_a_namespace() {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    for (document, link, other) in [
        ("<s><link>1</link><r:link>2</r:link></s>", "1", ""),
        ("<s><r:link>2</r:link><link>1</link></s>", "1", ""),
        ("<s><r:link>2</r:link></s>", "2", ""),
        ("<s><r:link>2</r:link> <s:link>3</s:link></s>", "2", "3"),
        (
            "<s><r:link>2</r:link><q:link>4</q:link><link>1</link></s>",
            "1",
            "",
        ),
        (
            "<s xmlns='urn:q'><r:link>2</r:link><q:link>4</q:link></s>",
            "4",
            "",
        ),
        (
            "<s xmlns='urn:q'><r:link>2</r:link><link>1</link></s>",
            "1",
            "",
        ),
        (
            "<s xmlns='urn:q'><r:link>2</r:link><link xmlns=''>1</link></s>",
            "1",
            "",
        ),
        (
            "<s xmlns='http://www.w3.org/1999/xhtml'><r:link>2</r:link><link>1</link></s>",
            "1",
            "",
        ),
        (
            "<s><link xmlns='http://www.w3.org/1999/xhtml'>2</link><link>1</link></s>",
            "1",
            "",
        ),
    ] {
        let document = with_prefixes(document);
        let wanted = Feed {
            link: text(link),
            other: text(other),
        };
        assert_eq!(ours(&document), Some(wanted), "{document}");
    }
    for two in [
        "<s><r:link>2</r:link><q:link>4</q:link></s>",
        "<s><link>2</link><link>4</link></s>",
        "<s><r:link>2</r:link><r:link>4</r:link></s>",
    ] {
        let error = from_str::<Feed>(&with_prefixes(two)).expect_err("an error");
        assert!(
            error.to_string().contains("duplicate field `link`"),
            "{error}"
        );
    }
    // The position of an error in an element that was read late is that of the element.
    let document = with_prefixes("<s>\n<r:a>x</r:a>\n<b>1</b></s>");
    let error = from_str::<Lists>(&document).expect_err("an error");
    assert_eq!(error.position().map(|at| at.line()), Some(2));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Lists {
    #[serde(default)]
    a: Vec<u8>,
    #[serde(default)]
    b: Vec<u8>,
}

fn lists_of_one_namespace() {
    for (document, a, b) in [
        ("<s><a>1</a><r:a>2</r:a><a>3</a></s>", vec![1, 3], vec![]),
        (
            "<s><r:a>2</r:a><a>1</a><b>4</b><a>3</a></s>",
            vec![1, 3],
            vec![4],
        ),
        // Items of several other namespaces are one list, if there are no better ones.
        ("<s><r:a>1</r:a><q:a>2</q:a></s>", vec![1, 2], vec![]),
        (
            "<s><r:a>1</r:a><r:b>2</r:b><q:a>3</q:a><b>4</b></s>",
            vec![1, 3],
            vec![4],
        ),
        (
            "<s><r:a>1</r:a><r:b>2</r:b><r:a>3</r:a><r:b>4</r:b></s>",
            vec![1, 3],
            vec![2, 4],
        ),
    ] {
        let document = with_prefixes(document);
        assert_eq!(ours(&document), Some(Lists { a, b }), "{document}");
    }
    let many = "<r:a>1</r:a><r:b>2</r:b><q:c/>".repeat(40);
    let read = ours::<Lists>(&with_prefixes(&format!("<s>{many}<a>3</a></s>"))).expect("lists");
    assert_eq!((read.a, read.b.len()), (vec![3], 40));
}

#[derive(Deserialize, Debug, PartialEq)]
enum Any {
    #[serde(rename = "{urn:r}x")]
    X,
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Around {
    a: u8,
    #[serde(rename = "$value")]
    value: Vec<Any>,
}

/// An element that could be a field is not a part of `$value`, even if another element is the field.
fn elements_of_value() {
    let document = with_prefixes("<s><r:x/><r:a>1</r:a><q:x/><a>2</a><r:x/></s>");
    let value = vec![Any::X, Any::Other, Any::X];
    assert_eq!(ours(&document), Some(Around { a: 2, value }));
    let document = with_prefixes("<s><r:x/><r:a>1</r:a></s>");
    assert_eq!(
        ours(&document),
        Some(Around {
            a: 1,
            value: vec![Any::X]
        })
    );
}

/// A struct with more than 64 fields.
#[derive(Deserialize, Debug, PartialEq)]
#[serde(default)]
#[derive(Default)]
struct Many {
    f00: u8,
    f01: u8,
    f02: u8,
    f03: u8,
    f04: u8,
    f05: u8,
    f06: u8,
    f07: u8,
    f08: u8,
    f09: u8,
    f10: u8,
    f11: u8,
    f12: u8,
    f13: u8,
    f14: u8,
    f15: u8,
    f16: u8,
    f17: u8,
    f18: u8,
    f19: u8,
    f20: u8,
    f21: u8,
    f22: u8,
    f23: u8,
    f24: u8,
    f25: u8,
    f26: u8,
    f27: u8,
    f28: u8,
    f29: u8,
    f30: u8,
    f31: u8,
    f32: u8,
    f33: u8,
    f34: u8,
    f35: u8,
    f36: u8,
    f37: u8,
    f38: u8,
    f39: u8,
    f40: u8,
    f41: u8,
    f42: u8,
    f43: u8,
    f44: u8,
    f45: u8,
    f46: u8,
    f47: u8,
    f48: u8,
    f49: u8,
    f50: u8,
    f51: u8,
    f52: u8,
    f53: u8,
    f54: u8,
    f55: u8,
    f56: u8,
    f57: u8,
    f58: u8,
    f59: u8,
    f60: u8,
    f61: u8,
    f62: u8,
    f63: u8,
    f64: u8,
    f65: u8,
    f66: u8,
    f67: u8,
}

fn many_fields() {
    for name in ["f00", "f01", "f62", "f63", "f64", "f65", "f67"] {
        let both = format!("<s><r:{name}>2</r:{name}><{name}>1</{name}></s>");
        let read = ours::<Many>(&with_prefixes(&both)).expect("a value");
        let sum = |read: Many| format!("{read:?}").matches(": 1").count();
        assert_eq!(sum(read), 1, "{name}");
        let one = format!("<s><r:{name}>1</r:{name}><f02>1</f02><f66>1</f66></s>");
        assert_eq!(
            ours::<Many>(&with_prefixes(&one)).map(sum),
            Some(3),
            "{name}"
        );
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Wildcards {
    #[serde(rename = "{}a", default)]
    none: Vec<u8>,
    #[serde(rename = "{*}a", default)]
    any: Vec<u8>,
    #[serde(rename = "{*}b", default)]
    b: Vec<u8>,
    #[serde(rename = "b", default)]
    own: Vec<u8>,
    #[serde(rename = "@{}c")]
    plain: Option<u8>,
    #[serde(rename = "@{*}c")]
    prefixed: Option<u8>,
    #[serde(rename = "@{}d")]
    d: Option<u8>,
}

fn fields_of_any_and_of_no_namespace() {
    let document = "<s xmlns='urn:q' c='1' r:c='2' r:d='3'><a xmlns=''>1</a><a>2</a><r:a>3</r:a>\
         <b>4</b><r:b>5</r:b><b xmlns=''>6</b></s>";
    let wanted = Wildcards {
        none: vec![1],
        any: vec![2, 3],
        b: vec![5],
        own: vec![4, 6],
        plain: Some(1),
        prefixed: Some(2),
        d: None,
    };
    assert_eq!(ours(&with_prefixes(document)), Some(wanted));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Turns {
    #[serde(default)]
    one: Vec<Slide>,
    #[serde(default)]
    two: Vec<Feed>,
}

/// The rules are the same for elements that are buffered as a whole.
fn buffered_elements() {
    let (slide, feed) = (
        "<one r:id='2' id='1' s:id='3'/>",
        "<two><r:link>2</r:link><link>1</link></two>",
    );
    let document = with_prefixes(&format!("<s>{slide}{feed}{slide}{feed}<one r:id='1'/></s>"));
    let slide = |id: u8, other: Option<u8>| Slide {
        id: Some(id),
        other,
    };
    let feed = || Feed {
        link: Some("1".to_owned()),
        other: None,
    };
    let wanted = Turns {
        one: vec![slide(1, Some(3)), slide(1, Some(3)), slide(1, None)],
        two: vec![feed(), feed()],
    };
    assert_eq!(ours(&document), Some(wanted));
}

/// Names of different namespaces are different keys. A name that is alone has no namespace.
fn maps_keep_names_apart() {
    type Map = BTreeMap<String, Vec<String>>;
    for (document, wanted) in [
        ("<s id='1' r:id='2'/>", "@id=1 @{urn:r}id=2"),
        ("<s r:id='2' id='1'/>", "@id=1 @{urn:r}id=2"),
        ("<s r:id='2' q:id='1'/>", "@{urn:q}id=1 @{urn:r}id=2"),
        ("<s r:id='2'/>", "@id=2"),
        (
            "<s><r:a>1</r:a><a>2</a><r:a>3</r:a></s>",
            "a=2 {urn:r}a=1,3",
        ),
        (
            "<s><a>2</a><r:a>1</r:a><q:a>3</q:a></s>",
            "a=2 {urn:q}a=3 {urn:r}a=1",
        ),
        ("<s><r:a>1</r:a><r:a>2</r:a></s>", "a=1,2"),
        (
            "<s><r:a>1</r:a><q:a>2</q:a><r:a>3</r:a></s>",
            "a=1,3 {urn:q}a=2",
        ),
        (
            "<s xmlns='urn:q'><q:a>1</q:a><a>2</a><a xmlns=''>3</a></s>",
            "a=1,2,3",
        ),
    ] {
        let document = with_prefixes(document);
        let map = ours::<Map>(&document).expect("a map").into_iter();
        let map = map.filter(|(key, _)| !key.starts_with("@xmlns"));
        let found: Vec<String> = map
            .map(|(key, all)| format!("{key}={}", all.join(",")))
            .collect();
        assert_eq!(found.join(" "), wanted, "{document}");
    }
}

/// With contiguous lists, nothing is buffered, so the first element is taken.
fn without_a_buffer() {
    let read = |document: &str| {
        let document = with_prefixes(document);
        let read = Deserializer::of(Xml::strict(), &document).contiguous_lists(true);
        read.buffer_limit(0)
            .read::<Feed>()
            .ok()
            .and_then(|feed| feed.link)
    };
    assert_eq!(read("<s><r:link>2</r:link></s>").as_deref(), Some("2"));
    assert_eq!(read("<s><r:link>2</r:link><link>1</link></s>"), None);
    let document = with_prefixes("<s><r:link>2</r:link></s>");
    let read = Deserializer::of(Xml::strict(), &document).buffer_limit(5);
    let error = read.read::<Feed>().expect_err("an error");
    assert_eq!(
        (error.kind(), error.path()),
        (&DeErrorKind::Buffer(5), "s/link")
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Maps {
    e: Vec<BTreeMap<String, String>>,
}

/// A long namespace is a part of many keys, although the document contains it once.
fn long_namespaces() {
    let namespace = "n".repeat(10_000);
    let map = |inner: &str| {
        let document = format!("<s xmlns:r='{namespace}'>{}</s>", inner.repeat(20));
        let read = Deserializer::of(Xml::strict(), &document).buffer_limit(100_000);
        let read = read.read::<Maps>();
        read.map(|maps| maps.e.len())
            .map_err(|error| error.kind().clone())
    };
    assert_eq!(map("<e><r:a>1</r:a></e>"), Ok(20));
    assert_eq!(
        map("<e><r:a>1</r:a><a>2</a></e>"),
        Err(DeErrorKind::Buffer(100_000))
    );
    assert_eq!(map("<e r:a='1'/>"), Ok(20));
    assert_eq!(map("<e r:a='1' a='2'/>"), Err(DeErrorKind::Buffer(100_000)));
}
