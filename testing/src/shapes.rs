//! The documents of `tests/data/limits.txt`, which contain repeated units.
//!
//! `{repeat 1000: unit}` repeats the unit 1,000 times, and `{repeat: unit}` as often as necessary for a document of the
//! requested size. In the unit, `{n}` is the number of the repetition from 0, `{n+1}` the next number, and `{n:06}` the
//! number with six digits.

use crate::cases::{Case, cases};
use crate::effort::sized;

/// In quick tests, units that are repeated more often than this are repeated an eighth as often.
const MANY: usize = 10_000;

/// Counts from this one on are reduced if a document is longer than requested.
const LARGE: usize = 1000;

/// Evaluates an expression with the dialect of this name.
#[macro_export]
macro_rules! with_dialect {
    ($name:expr, |$dialect:ident| $body:expr) => {
        match $name {
            "xml" => $crate::with_dialect!(tagstream::Xml::default(), $dialect, $body),
            "xml-strict" => $crate::with_dialect!(tagstream::Xml::strict(), $dialect, $body),
            "xml-external-entities" => {
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

/// A document that contains repeated units.
#[derive(Clone)]
pub struct Shape(Case);

/// Returns the shapes of a section.
///
/// # Panics
///
/// Panics if the section has no shapes.
#[must_use]
pub fn shapes(section: &str) -> Vec<Shape> {
    let text = include_str!("../../tests/data/limits.txt");
    let cases = cases("tests/data/limits.txt", text).into_iter();
    let of_section = cases.filter(|case| case.section == section);
    let shapes: Vec<Shape> = of_section.map(Shape).collect();
    assert!(!shapes.is_empty(), "no case in {section}");
    shapes
}

impl Shape {
    /// Returns the name, or the document as it is written if the case has no name.
    #[must_use]
    pub fn name(&self) -> &str {
        match &*self.0.name {
            "" => self.0.written(),
            name => name,
        }
    }

    /// Whether an option is set.
    #[must_use]
    pub fn has(&self, option: &str) -> bool {
        self.0.has(option)
    }

    /// The value of an option that is a number.
    #[must_use]
    pub fn number(&self, option: &str) -> Option<f64> {
        self.0.number(option)
    }

    /// Returns the names of the dialects that read the document.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        self.0.list("dialects")
    }

    /// Returns the name of the limit that ends the parse.
    #[must_use]
    pub fn limit(&self) -> Option<&str> {
        self.0.expected("error")
    }

    /// Returns the document. Repetitions without a count are repeated until the unit fills this number of bytes.
    #[must_use]
    pub fn of_bytes(&self, bytes: usize) -> Vec<u8> {
        self.encoded(expanded(&self.0.input(), |count, unit| {
            count.map_or(bytes / unit.len(), reduced_in_quick)
        }))
    }

    /// Returns the document with about this number of bytes, even if it has counts: if the document would be longer,
    /// its large counts are divided by the same number.
    #[must_use]
    pub fn scaled_to(&self, bytes: usize) -> Vec<u8> {
        let of = |divisor: usize| {
            expanded(&self.0.input(), |count, unit| match count {
                Some(large @ LARGE..) => large.div_ceil(divisor),
                Some(small) => small,
                None => bytes / unit.len(),
            })
        };
        let undivided = of(1);
        self.encoded(match undivided.len() / bytes {
            0 | 1 => undivided,
            divisor => of(divisor),
        })
    }

    /// Encodes the document as the option of the case says.
    fn encoded(&self, text: Vec<u8>) -> Vec<u8> {
        if self.0.option("encoding") != Some("utf-16") {
            return text;
        }
        let text = String::from_utf8(text).expect("a document of UTF-8");
        let marked = std::iter::once(0xFEFF).chain(text.encode_utf16());
        marked.flat_map(u16::to_le_bytes).collect()
    }

    /// Returns the document. Repetitions without a count are repeated this number of times.
    #[must_use]
    pub fn of_units(&self, units: usize) -> String {
        let text = expanded(&self.0.input(), |count, _| {
            count.map_or(units, reduced_in_quick)
        });
        String::from_utf8(text).expect("a document of UTF-8")
    }

    /// Returns the external entity of the document.
    #[must_use]
    pub fn entity(&self) -> Option<Vec<u8>> {
        let entity = self.0.bytes("entity")?;
        Some(expanded(&entity, |count, _| {
            reduced_in_quick(count.expect("entities have counts"))
        }))
    }
}

/// The start of a repetition.
const REPEAT: &[u8] = b"{repeat";

/// Returns a count of a repetition, or an eighth of it in quick tests if it is larger than [`MANY`].
fn reduced_in_quick(count: usize) -> usize {
    if count > MANY { sized(count) } else { count }
}

/// Returns a document with its repetitions written out. The function gets the count of a repetition, if there is one,
/// and the unit.
fn expanded(written: &[u8], times: impl Fn(Option<usize>, &[u8]) -> usize + Copy) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = written;
    while let Some((&byte, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(REPEAT) {
            let colon = after.windows(2).position(|two| two == b": ");
            let (count, unit) = after.split_at(colon.expect("the colon of a repetition"));
            let unit = &unit[2..];
            let end = end_of_unit(unit);
            let count = str::from_utf8(count).expect("a count").trim();
            let count = (!count.is_empty()).then(|| count.parse().expect("a count"));
            let unit_written = expanded(&unit[..end], times);
            out.extend(repeated(times(count, &unit_written), &unit_written));
            rest = &unit[end + 1..];
        } else {
            out.push(byte);
            rest = after;
        }
    }
    out
}

/// Returns the offset of the brace that ends a unit.
fn end_of_unit(unit: &[u8]) -> usize {
    let mut depth = 1;
    for (at, byte) in unit.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("a repetition without an end: {}", unit.escape_ascii())
}

/// Repeats a unit, and inserts the number of each repetition.
fn repeated(count: usize, unit: &[u8]) -> Vec<u8> {
    match str::from_utf8(unit) {
        Ok(unit) if unit.contains("{n") => (0..count)
            .flat_map(|number| numbered(unit, number).into_bytes())
            .collect(),
        _ => unit.repeat(count),
    }
}

fn numbered(unit: &str, number: usize) -> String {
    let next = unit.replace("{n+1}", &(number + 1).to_string());
    let in_six = next.replace("{n:06}", &format!("{number:06}"));
    in_six.replace("{n}", &number.to_string())
}
