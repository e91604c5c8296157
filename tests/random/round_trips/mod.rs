//! Values of every shape that serde has, with strings that are awkward in XML, are serialized and deserialized. Either
//! the same value is read back, or the serializer refuses the value.

mod choices;
mod structs;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tagstream::de::{Deserializer, from_str};
use tagstream::ser::{to_string, write};
use tagstream::{Events, Writer, Xml};
use testing::effort;
use testing::random::Random;
use testing::run::{Failed, Program};
use testing::shrink;

pub(crate) fn add(program: &mut Program) {
    let seed = effort::seed(0x7368_6170);
    let shapes: Vec<Shape> = [structs::SHAPES, choices::SHAPES].concat();
    let values = effort::documents(5_000, 50_000).div_ceil(shapes.len());
    for shape in shapes {
        let name = format!("xml/values/round trips/{}/seed {seed}", shape.name);
        program.case(name, move || shape.values(seed, values));
    }
}

/// The strings from which the strings of values are composed.
const PIECES: [&str; 49] = [
    "a",
    "b c",
    "]]",
    "]]>",
    "--",
    "-->",
    "<",
    "</",
    "</a>",
    "<a",
    "<!--",
    "<![CDATA[",
    "<?",
    "?>",
    "&",
    "&am",
    "&amp;",
    "&#10;",
    "&#0;",
    ">",
    "\"",
    "'",
    "=",
    "\r",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "\u{0}",
    "\u{1}",
    "\u{E}",
    "\u{1B}",
    "\u{7F}",
    "\u{80}",
    "\u{85}",
    "\u{9F}",
    "\u{A0}",
    "\u{2028}",
    "\u{FEFF}",
    "\u{FFFE}",
    "\u{FFFF}",
    "a:b",
    "xml:x",
    "xmlns",
    "$text",
    "\u{1F600}",
    "\u{E9}",
    "1",
];

/// The parts of a random value: strings, in the order in which the shape uses them.
#[derive(Clone, Copy)]
struct Parts<'p>(&'p [String]);

impl Parts<'_> {
    /// Returns the string with this index, which is empty if there are fewer strings.
    fn text(self, index: usize) -> String {
        self.0.get(index).cloned().unwrap_or_default()
    }

    /// Returns the string with this index, or `None` if there are fewer strings.
    fn optional(self, index: usize) -> Option<String> {
        self.0.get(index).cloned()
    }

    /// Returns the strings from this index on.
    fn list(self, from: usize) -> Vec<String> {
        self.0.get(from..).unwrap_or_default().to_vec()
    }
}

/// A kind of value.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    /// Creates a value from strings, and returns a description of the problem if it is not read back.
    check: fn(Parts<'_>) -> Result<Outcome, String>,
}

/// The result of a check that passed.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    ReadBack,
    Refused,
}

/// Creates the table of shapes: for each, a name and a function that creates a value from strings.
macro_rules! table {
    ($($name:literal: $make:expr;)*) => {
        pub(super) const SHAPES: &[super::Shape] = &[
            $(super::Shape { name: $name, check: |parts| super::round_trip(&$make(parts)) },)*
        ];
    };
}
use table;

impl Shape {
    fn values(self, seed: u64, values: usize) -> Result<(), Failed> {
        let mut random = Random(seed);
        let mut read_back = 0;
        for number in 0..values {
            let parts: Vec<String> = (0..random.below(5)).map(|_| text(&mut random)).collect();
            match self.checked(&parts) {
                Ok(outcome) => read_back += usize::from(outcome == Outcome::ReadBack),
                Err(problem) => return Err(self.smaller(seed, number, parts, problem).into()),
            }
        }
        match read_back > values / 8 {
            true => Ok(()),
            false => Err(format!("of {values} values, only {read_back} were written").into()),
        }
    }

    /// Runs the check. A panic is reported like any other problem.
    fn checked(self, parts: &[String]) -> Result<Outcome, String> {
        let check = || (self.check)(Parts(parts));
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|_| Err("a panic".to_owned()))
    }

    /// Returns a description of the problem with fewer and shorter strings.
    fn smaller(self, seed: u64, number: usize, parts: Vec<String>, problem: String) -> String {
        let (mut parts, mut problem) =
            shrink::fewer(parts, problem, |parts| self.checked(parts).err());
        for index in 0..parts.len() {
            let characters: Vec<char> = parts[index].chars().collect();
            let with = |characters: &[char]| {
                let mut parts = parts.clone();
                parts[index] = characters.iter().collect();
                parts
            };
            let check = |characters: &[char]| self.checked(&with(characters)).err();
            let (characters, smaller) = shrink::fewer(characters, problem, check);
            (parts, problem) = (with(&characters), smaller);
        }
        format!("TAGSTREAM_SEED={seed}, value {number}, {parts:?}: {problem}")
    }
}

fn text(random: &mut Random) -> String {
    let pieces = random.below(4);
    (0..pieces).map(|_| random.pick(&PIECES)).collect()
}

/// Writes a value, with and without indentation, and reads it from a string and from chunks.
fn round_trip<T: Serialize + DeserializeOwned + Debug + PartialEq>(
    value: &T,
) -> Result<Outcome, String> {
    let Ok(document) = to_string(value) else {
        return Ok(Outcome::Refused);
    };
    let is_same = |document: &str, read: Result<T, _>| match read {
        Ok(again) if again == *value => Ok(()),
        Ok(again) => Err(format!("{value:?} is read as {again:?} of {document:?}")),
        Err(error) => Err(format!("{value:?} of {document:?}: {error}")),
    };
    is_same(&document, from_str(&document))?;
    let chunks = document.as_bytes().chunks(3);
    let events = Events::chunks(Xml::default(), chunks);
    is_same(&document, Deserializer::new(events).read())?;
    let mut out = Writer::xml(String::new()).indent("  ");
    write(&mut out, value).map_err(|error| format!("{value:?} with indentation: {error}"))?;
    let indented = out.finish().map_err(|error| error.to_string())?;
    is_same(&indented, from_str(&indented))?;
    Ok(Outcome::ReadBack)
}
