//! Random documents, in which comments, CDATA sections, instructions, entities, attributes and rows contain text that
//! looks like the start of a row, and random schemas.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::Arc;
use testing::effort;
use testing::random::Random;

/// Returns the generator for a document of a test with a seed of its own, unless `TAGSTREAM_SEED` sets another one.
pub(crate) fn generator(fixed: u64, number: u64) -> Random {
    Random(Random(effort::seed(fixed).wrapping_add(number)).number())
}

/// Texts that look like rows.
const LURES: &[&str] = &[
    "<r>",
    "<r n='7'>",
    "<r n='8'><t>no</t></r>",
    "<r/>",
    "</r>",
    "<r\n",
    " ",
    "x",
    "\n",
    "é",
    "<rr>",
    "--",
];

fn lures(random: &mut Random, without: &[char]) -> String {
    let count = random.below(4);
    let text: String = (0..count).map(|_| random.pick(LURES)).collect();
    text.replace(|c| without.contains(&c), "")
}

fn filler(random: &mut Random, xml: &mut String) {
    match random.below(9) {
        0 => *xml += &format!("<!--{}-->", lures(random, &[]).replace("--", "")),
        1 => *xml += &format!("<![CDATA[{}]]>", lures(random, &[])),
        2 => *xml += &format!("<?p {}?>", lures(random, &['?'])),
        3 => *xml += "&e;",
        4 => *xml += "&rows;",
        5 => *xml += &format!("<o a=\"{}\"/>", lures(random, &['<', '"'])),
        6 => *xml += "text\n",
        7 => *xml += "<o><r n='5'/></o>",
        _ => *xml += "\n",
    }
}

/// A value that fits some types, in one text or in several.
fn value(random: &mut Random) -> String {
    let text = random.pick(&[
        "1",
        "23",
        "x",
        "4five",
        "true",
        "",
        " 6 ",
        "0.5",
        "null",
        "seven eight",
        "&e;",
        "&#49;",
    ]);
    match random.below(8) {
        0 => format!("{text}<!-- -->{}", random.pick(&["", "9", " y"])),
        1 => format!("<![CDATA[{text}]]>"),
        2 => format!("{text}<?p a comment that is longer than some rows are?>2"),
        _ => text.to_owned(),
    }
}

/// An attribute of an element in a row.
fn attribute(random: &mut Random, xml: &mut String, name: &str) {
    if random.one_in(2) {
        let value = random.pick(&["1", "2", "a", "null", "&e;", "b c", "", "3 "]);
        *xml += &format!(" {name}='{value}'");
    }
}

/// An element in a row: its columns have several types.
fn field(random: &mut Random, xml: &mut String, depth: usize) {
    let name = random.pick(&["t", "i", "b", "c", "c", "m", "o"]);
    *xml += &format!("<{name}");
    for attribute_name in ["x", "y", "a"] {
        if random.one_in(3) {
            attribute(random, xml, attribute_name);
        }
    }
    *xml += ">";
    match random.below(3) {
        0 if depth < 3 => {
            for _ in 0..random.below(3) {
                if random.one_in(3) {
                    *xml += &value(random);
                }
                field(random, xml, depth + 1);
            }
        }
        _ => *xml += &value(random),
    }
    *xml += &format!("</{name}>");
}

/// Appends a row.
pub(crate) fn row(random: &mut Random, xml: &mut String, is_broken: bool) {
    *xml += "<r";
    if random.one_in(2) {
        *xml += &format!(" n='{}'", random.below(1000));
    }
    if random.one_in(8) {
        *xml += &format!(" a=\"{}\"", lures(random, &['<', '"']));
    }
    if random.one_in(8) {
        *xml += "/>";
        return;
    }
    *xml += ">";
    for _ in 0..random.below(4) {
        match random.below(10) {
            0 => *xml += &format!("<t>{}</t>", random.below(100)),
            1 => *xml += "<n>x</n>",
            2 => *xml += "<r n='9'><t>inner</t></r>",
            3 => *xml += &format!("<i>{}</i>", random.pick(&["1", "2", "three"])),
            4 if is_broken => {
                *xml += random.pick(&["</x>", "<y>", "&", "<z a=1/>", "&undeclared;", "\u{1}"])
            }
            5..=7 => field(random, xml, 0),
            _ => filler(random, xml),
        }
    }
    *xml += "</r>";
}

/// The start of a document, with its entities.
pub(crate) const PROLOG: &str =
    "<!DOCTYPE a [<!ENTITY e 'an entity'><!ENTITY rows \"<r n='6'><t>e</t></r>\">]>\n<a>";

/// Returns a document with up to a number of rows and other items.
pub(crate) fn document(random: &mut Random, items: usize) -> String {
    let mut xml = String::new();
    if random.one_in(3) {
        xml += random.pick(&["<?xml version='1.0'?>\n", "<?xml version='1.1'?>\n"]);
    }
    xml += PROLOG;
    let is_broken = random.one_in(3);
    let nested = random.one_in(3);
    for _ in 0..random.below(items) {
        match random.below(10) {
            0 if nested => xml += "<b>",
            1 if nested => xml += "</b>",
            2 if is_broken && random.one_in(6) => {
                xml += random.pick(&["</a>", "<", "<!DOCTYPE a [<!ENTITY e 'late'>]>", "&"])
            }
            0..=4 => filler(random, &mut xml),
            _ => row(random, &mut xml, is_broken),
        }
    }
    if !random.one_in(10) {
        xml += "</a>\n";
    }
    match random.below(8) {
        0 => xml.replace('\n', "\r\n"),
        1 => xml.replace('\n', "\r"),
        _ => xml,
    }
}

/// Returns a schema with some of the columns of the documents.
pub(crate) fn schema(random: &mut Random) -> SchemaRef {
    let list = |data_type| DataType::List(Arc::new(Field::new_list_field(data_type, true)));
    let mut fields = vec![
        Field::new("_n", DataType::Int64, true),
        Field::new("t", DataType::Utf8, true),
        Field::new("i", list(DataType::Int64), true),
    ];
    let pair = DataType::Struct(
        vec![
            Field::new("_x", DataType::Int64, true),
            Field::new("_y", DataType::Utf8, random.one_in(2)),
            Field::new("i", DataType::Int32, true),
            Field::new("_a", list(DataType::Boolean), true),
        ]
        .into(),
    );
    let text = DataType::Struct(
        vec![
            Field::new("_VALUE", DataType::Int64, true),
            Field::new("_a", DataType::Utf8, true),
            Field::new("c", list(pair.clone()), true),
        ]
        .into(),
    );
    let pair = if random.one_in(2) { list(pair) } else { pair };
    for field in [
        Field::new("c", pair, true),
        Field::new("b", text, true),
        Field::new("m", DataType::Float64, !random.one_in(4)),
        Field::new("o", DataType::Utf8, true),
        Field::new("_VALUE", DataType::Utf8, true),
        Field::new("_corrupt_record", DataType::Utf8, true),
    ] {
        if random.one_in(2) {
            fields.push(field);
        }
    }
    Arc::new(Schema::new(fields))
}
