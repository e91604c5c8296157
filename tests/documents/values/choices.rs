//! The rows of quick-xml's tables for choices, and quick-xml's representations of enums.

use super::{differs, same};
use serde::Deserialize;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "xml/serde/choices",
        row_8_the_document,
        row_9_beside_attributes,
        row_10_beside_elements,
        row_11_in_another_element_beside_attributes,
        row_12_in_another_element_beside_elements,
        enums_by_their_tag,
        enums_in_fields,
        enums_in_text,
        enums_of_text,
        untagged_and_internally_tagged,
    );
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Any {
    One {
        #[serde(rename = "@field1")]
        field1: String,
    },
    Two {
        field2: String,
    },
    #[serde(rename = "$text")]
    Text(String),
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Units {
    One,
    #[serde(other)]
    Other,
}

fn row_8_the_document() {
    same(
        "<one field1='a'>b</one>",
        Some(Any::One {
            field1: "a".to_owned(),
        }),
    );
    same(
        "<two>\n<field2>a</field2></two>",
        Some(Any::Two {
            field2: "a".to_owned(),
        }),
    );
    same("<three/>", None::<Any>);
    same("<one field1='a'>b</one>", Some(Units::One));
    same("<two><field2>a</field2></two>", Some(Units::Other));
    // Input that is only text is not a document.
    differs(
        "text <![CDATA[ cdata ]]>",
        None,
        Some(Any::Text("text  cdata ".to_owned())),
    );
    differs("text", None, Some(Units::Other));
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Choice {
    One,
    Two,
    #[serde(rename = "$text")]
    Text(String),
}

#[derive(Deserialize, Debug, PartialEq)]
struct Beside<T> {
    #[serde(rename = "@field")]
    field: (),
    #[serde(rename = "$value")]
    choice: T,
}

fn row_9_beside_attributes() {
    let beside = |choice| Some(Beside { field: (), choice });
    same("<any field='a'><one>b</one></any>", beside(Choice::One));
    same(
        "<any field='a'>\n  <two>b</two>\n</any>",
        beside(Choice::Two),
    );
    same(
        "<any field='a'>text <![CDATA[ cdata ]]></any>",
        beside(Choice::Text("text  cdata ".to_owned())),
    );
    same("<any field='a'/>", None::<Beside<Choice>>);
    same("<any field='a'><three/></any>", None::<Beside<Choice>>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct BesideElement<T> {
    field: String,
    #[serde(rename = "$value")]
    choice: T,
}

fn row_10_beside_elements() {
    let beside = |choice| {
        Some(BesideElement {
            field: "a".to_owned(),
            choice,
        })
    };
    same(
        "<any><field>a</field><one>b</one></any>",
        beside(Choice::One),
    );
    same(
        "<any><two>b</two><field>a</field></any>",
        beside(Choice::Two),
    );
    // An element that is a field of the struct is not read as the variant `other`.
    let beside = |choice| {
        Some(BesideElement {
            field: "a".to_owned(),
            choice,
        })
    };
    same("<any><field>a</field><three/></any>", beside(Units::Other));
}

#[derive(Deserialize, Debug, PartialEq)]
struct Holder<T> {
    #[serde(rename = "$value")]
    choice: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Around {
    #[serde(rename = "@field")]
    field: (),
    choice: Holder<Choice>,
}

fn row_11_in_another_element_beside_attributes() {
    let around = |choice| {
        Some(Around {
            field: (),
            choice: Holder { choice },
        })
    };
    same(
        "<any field='a'><choice><one>b</one></choice></any>",
        around(Choice::One),
    );
    same(
        "<any field='a'><choice><two>b</two></choice></any>",
        around(Choice::Two),
    );
    same("<any field='a'><choice/></any>", None::<Around>);
}

#[derive(Deserialize, Debug, PartialEq)]
struct AroundElement {
    field: (),
    choice: Holder<Choice>,
}

fn row_12_in_another_element_beside_elements() {
    let around = |choice| {
        Some(AroundElement {
            field: (),
            choice: Holder { choice },
        })
    };
    same(
        "<any><field>a</field><choice><one>b</one></choice></any>",
        around(Choice::One),
    );
    same(
        "<any><choice><two>b</two></choice><field>a</field></any>",
        around(Choice::Two),
    );
}

#[derive(Deserialize, Debug, PartialEq)]
enum Kinds {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { q: u8, a: String },
}

#[derive(Deserialize, Debug, PartialEq)]
struct Field<T> {
    field: T,
}

#[derive(Deserialize, Debug, PartialEq)]
struct InText<T> {
    #[serde(rename = "$text")]
    field: T,
}

fn enums_by_their_tag() {
    let held = |choice| Some(Holder { choice });
    let (tuple, newtype) = (Kinds::Tuple(42, "answer".to_owned()), Kinds::Newtype(42));
    let structure = || Kinds::Struct {
        q: 42,
        a: "answer".to_owned(),
    };
    same("<Unit/>", Some(Kinds::Unit));
    same("<a><Unit/></a>", held(Kinds::Unit));
    same("<Newtype>42</Newtype>", Some(Kinds::Newtype(42)));
    same("<a><Newtype>42</Newtype></a>", held(newtype));
    same("<a><Tuple>42</Tuple><Tuple>answer</Tuple></a>", held(tuple));
    same("<a><Tuple>42</Tuple></a>", None::<Holder<Kinds>>);
    same("<Struct><q>42</q><a>answer</a></Struct>", Some(structure()));
    same(
        "<a><Struct><q>42</q><a>answer</a></Struct></a>",
        held(structure()),
    );
    same("<a><Other/></a>", None::<Holder<Kinds>>);
    // Two elements without a common root are not a document.
    let tuple = Kinds::Tuple(42, "answer".to_owned());
    differs("<Tuple>42</Tuple><Tuple>answer</Tuple>", None, Some(tuple));
    // In a sequence, each item is one element.
    let items = vec![
        Kinds::Unit,
        Kinds::Newtype(1),
        Kinds::Tuple(2, "b".to_owned()),
        structure(),
    ];
    let document = "<a><Unit/><Newtype>1</Newtype><Tuple>2 b</Tuple><Struct><q>42</q><a>answer</a></Struct></a>";
    same(document, held_all(items));
}

fn held_all(choice: Vec<Kinds>) -> Option<Holder<Vec<Kinds>>> {
    Some(Holder { choice })
}

fn enums_in_fields() {
    same(
        "<a><field>Unit</field></a>",
        Some(Field { field: Kinds::Unit }),
    );
    for text in ["Newtype", "Tuple", "Struct", "Other", ""] {
        same(
            &format!("<a><field>{text}</field></a>"),
            None::<Field<Kinds>>,
        );
    }
    same("<a><field><Unit/></field></a>", None::<Field<Kinds>>);
}

fn enums_in_text() {
    same("<a>Unit</a>", Some(InText { field: Kinds::Unit }));
    for text in ["Newtype", "Tuple", "Struct", "Other"] {
        same(&format!("<a>{text}</a>"), None::<InText<Kinds>>);
    }
}

#[derive(Deserialize, Debug, PartialEq)]
enum UnitOfText {
    #[serde(rename = "$text")]
    Unit,
}

#[derive(Deserialize, Debug, PartialEq)]
enum NewtypeOfText {
    #[serde(rename = "$text")]
    Newtype(u8),
}

#[derive(Deserialize, Debug, PartialEq)]
enum TupleOfText {
    #[serde(rename = "$text")]
    Tuple(u8, String),
}

#[derive(Deserialize, Debug, PartialEq)]
enum StructOfText {
    #[serde(rename = "$text")]
    Struct { a: u8 },
}

fn enums_of_text() {
    same(
        "<a>b</a>",
        Some(Holder {
            choice: UnitOfText::Unit,
        }),
    );
    same(
        "<a><field/></a>",
        Some(Field {
            field: UnitOfText::Unit,
        }),
    );
    same(
        "<a>42</a>",
        Some(Holder {
            choice: NewtypeOfText::Newtype(42),
        }),
    );
    same("<a><field>42</field></a>", None::<Field<NewtypeOfText>>);
    same("<a>42</a>", None::<InText<NewtypeOfText>>);
    let tuple = TupleOfText::Tuple(42, "answer".to_owned());
    same("<a>42 answer</a>", Some(Holder { choice: tuple }));
    same(
        "<a><field>42 answer</field></a>",
        None::<Field<TupleOfText>>,
    );
    same("<a>42 answer</a>", None::<InText<TupleOfText>>);
    same("<a>42</a>", None::<Holder<StructOfText>>);
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    WithName {
        name: Content,
    },
    WithId {
        #[serde(rename = "@id")]
        id: String,
    },
}

#[derive(Deserialize, Debug, PartialEq)]
struct Content {
    #[serde(rename = "$text")]
    text: String,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(tag = "@kind", rename_all = "snake_case")]
enum Tagged {
    One,
    Two {
        #[serde(rename = "@size")]
        size: String,
    },
}

fn untagged_and_internally_tagged() {
    // An element with text only is a string for an untagged enum. quick-xml reads a struct with `$text`.
    let name = Content {
        text: "b".to_owned(),
    };
    let theirs = Some(Untagged::WithName { name });
    differs("<a><name>b</name></a>", None, theirs);
    let name = Content {
        text: "b".to_owned(),
    };
    let document = "<a><name x='1'>b</name></a>";
    same(document, Some(Untagged::WithName { name }));
    same("<a id='7'/>", Some(Untagged::WithId { id: "7".to_owned() }));
    same("<a kind='one'/>", Some(Tagged::One));
    same(
        "<a size='7' kind='two'/>",
        Some(Tagged::Two {
            size: "7".to_owned(),
        }),
    );
    same("<a kind='three'/>", None::<Tagged>);
}
