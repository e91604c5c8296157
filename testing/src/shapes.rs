//! The documents of `tests/data/limits.txt`, which says how they are written. It must not know what is
//! checked of them.

use crate::effort::sized;
use crate::rows::{Row, rows};

/// What counts above this are an eighth of in quick.
const MANY: usize = 10_000;

/// What dialects are called there.
const DIALECTS: [&str; 7] = [
    "xml", "strict", "entities", "microxml", "sky", "leafxml", "html",
];

/// Does something with the dialect of a name.
#[macro_export]
macro_rules! with_dialect {
    ($name:expr, |$dialect:ident| $body:expr) => {
        match $name {
            "xml" => $crate::with_dialect!(tagstream::Xml::default(), $dialect, $body),
            "strict" => $crate::with_dialect!(tagstream::Xml::strict(), $dialect, $body),
            "entities" => {
                let xml = tagstream::Xml::default().external_entities(true);
                $crate::with_dialect!(xml, $dialect, $body)
            }
            "microxml" => $crate::with_dialect!(tagstream::MicroXml::default(), $dialect, $body),
            "sky" => $crate::with_dialect!(tagstream::Sky::fragment(), $dialect, $body),
            "leafxml" => $crate::with_dialect!(tagstream::LeafXml::default(), $dialect, $body),
            "html" => $crate::with_dialect!(tagstream::Html::default(), $dialect, $body),
            "html in UTF-8" => {
                let html = tagstream::Html::default().encoding(tagstream::Encoding::UTF_8);
                $crate::with_dialect!(html, $dialect, $body)
            }
            other => panic!("no dialect: {other}"),
        }
    };
    ($value:expr, $dialect:ident, $body:expr) => {{
        let $dialect = $value;
        $body
    }};
}

/// A document in which something is repeated.
#[derive(Clone)]
pub struct Shape(Row);

/// Those of a section.
pub fn shapes(section: &str) -> Vec<Shape> {
    let rows = rows(include_str!("../../tests/data/limits.txt")).into_iter();
    let shapes: Vec<Shape> = rows
        .filter(|row| row.section == section)
        .map(Shape)
        .collect();
    assert!(!shapes.is_empty(), "no row in {section}");
    shapes
}

impl Shape {
    /// Its name, or how it is written.
    pub fn name(&self) -> &str {
        match &*self.0.arm {
            "" => &self.0.written,
            name => name,
        }
    }

    /// What is said of it.
    pub fn words(&self) -> Vec<&str> {
        self.0.context.split_whitespace().collect()
    }

    /// The dialects among that.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        let words = self.0.context.split_whitespace();
        words.filter(|word| DIALECTS.contains(word))
    }

    /// The number among that.
    pub fn number(&self) -> Option<f64> {
        self.words().iter().find_map(|word| word.parse().ok())
    }

    /// The limit that ends it.
    pub fn limit(&self) -> Option<&str> {
        Some(&*self.0.events).filter(|limit| !limit.is_empty())
    }

    /// The document; what has no count is repeated to so many bytes.
    pub fn of_bytes(&self, bytes: usize) -> Vec<u8> {
        let text = made(&self.0.input, |unit| bytes / unit.len());
        if !self.words().contains(&"utf16") {
            return text;
        }
        let text = String::from_utf8(text).expect("a document of UTF-8");
        let marked = std::iter::once(0xFEFF).chain(text.encode_utf16());
        marked.flat_map(u16::to_le_bytes).collect()
    }

    /// The document; what has no count is repeated so often.
    pub fn of_units(&self, units: usize) -> String {
        let text = made(&self.0.input, |_| units);
        String::from_utf8(text).expect("a document of UTF-8")
    }

    /// The external entity.
    pub fn entity(&self) -> Option<Vec<u8>> {
        let entity = self.0.entity.as_ref()?;
        Some(made(entity, |_| unreachable!("entities have counts")))
    }
}

/// A document without its brackets.
fn made(written: &[u8], fill: impl Fn(&[u8]) -> usize) -> Vec<u8> {
    let mut open = vec![Vec::new()];
    let mut rest = written;
    while let Some((&byte, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix("⟨".as_bytes()) {
            open.push(Vec::new());
            rest = after;
        } else if let Some(after) = rest.strip_prefix("⟩".as_bytes()) {
            let unit = open.pop().expect("a unit");
            let around = open.last_mut().expect("a bracket that opens");
            around.extend(repeated(&unit, &fill));
            rest = after;
        } else {
            open.last_mut().expect("a bracket that opens").push(byte);
            rest = after;
        }
    }
    assert_eq!(open.len(), 1, "{}", written.escape_ascii());
    open.concat()
}

/// A unit as often as is written before it, with its number in it.
fn repeated(unit: &[u8], fill: impl Fn(&[u8]) -> usize) -> Vec<u8> {
    let digits = unit.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (count, unit) = match unit[digits..].strip_prefix("×".as_bytes()) {
        None => (fill(unit), unit),
        Some(unit_alone) => {
            let count = str::from_utf8(&unit[..digits]).expect("digits");
            let count = count.parse().expect("a count");
            (if count > MANY { sized(count) } else { count }, unit_alone)
        }
    };
    match str::from_utf8(unit) {
        Ok(unit) if unit.contains('№') => (0..count)
            .flat_map(|number| numbered(unit, number).into_bytes())
            .collect(),
        _ => unit.repeat(count),
    }
}

fn numbered(unit: &str, number: usize) -> String {
    let next = unit.replace("№+1", &(number + 1).to_string());
    let in_six = next.replace("№№№№№№", &format!("{number:06}"));
    in_six.replace('№', &number.to_string())
}
