//! Fields, attributes and variants with namespaces.

use super::ours;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use tagstream::de::from_str;
use tagstream::ser::to_string;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/namespaces",
        variants_are_read_back,
        variants_of_another_namespace_do_not_match,
        variants_of_any_and_of_no_namespace,
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
