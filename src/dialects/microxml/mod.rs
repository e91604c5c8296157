//! MicroXML: a small subset of XML, with a parser that recovers from any error or stops at the first one.
//!
//! Recovery follows "Error recovery for MicroXML": its first revision, or the author's final draft if
//! [`MicroXml::revision`] selects it. Strict parses follow the specification of MicroXML of 2012.
//!
//! ```
//! use tagstream::{Event, MicroXml, Parser};
//!
//! let mut parser = Parser::new(MicroXml::default());
//! parser.feed("<p>1 < 2 &amp; <b class=x>3</p>");
//! parser.finish();
//! let mut seen = Vec::new();
//! while let Some(event) = parser.next_event()? {
//!     match event {
//!         Event::Start(tag) => seen.push(format!("<{}>", tag.name())),
//!         Event::End(tag) => seen.push(format!("</{}>", tag.name())),
//!         Event::Text(text) => seen.push(text.as_str().to_owned()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(seen, ["<p>", "1 < 2 & ", "<b>", "3", "</p>"]);
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Decisions
//!
//! The specifications leave some points open, and contain some slips. This parser decides as follows.
//!
//! - In *TagMode*, `S` does nothing, and `START_TAG_CLOSE` and `EMPTY_ELEMENT_TAG_CLOSE` have their default handling.
//! - The longest match wins. Of two matches of equal length, the one that is not `DATA_CHAR` wins. A token that is
//!   incomplete is data, at the end of the input too: `<a`, `<a b` and `</a` are text. Only after
//!   `START_TAG_ATTRIBUTE` is a tag open. In *TagMode*, `<` and `&` are data; in a value `<` is data. `/>` ends a
//!   value without quotes.
//! - A numeric reference above 0x10FFFF is text. A reference to a surrogate becomes U+FFFD. The character names are
//!   `lt`, `gt`, `amp`, `quot` and `apos`.
//! - A byte-order mark at the start is removed; CR LF and CR become LF. Ill-formed UTF-8 becomes U+FFFD.
//! - At the end of the input an open tag is closed. An unfinished comment extends to the end.
//! - Comments are not events, and the run of text around one continues. The span of the text starts and ends with its
//!   own characters.
//! - If a tag has several attributes of one name, the first is kept.
//! - An end tag that matches an open element closes the elements inside it. An end tag that matches none is an event
//!   of [`Parser`](crate::Parser), and is dropped from balanced events and trees. Elements that are open at the end
//!   of the input are closed.
//! - Whitespace (`S`) at the beginning and at the end of the top level of a tree is dropped. If the rest is not
//!   exactly one element, a tree gets an element named `#doc` around it. Events do not have this element, because it
//!   is known only at the end whether it is needed.
//! - In the final revision, `<!--` in the internal subset of a DOCTYPE starts a comment if a `-->` follows, even if a
//!   declaration would be the longer match. CDATA sections are text. Processing instructions and DOCTYPEs are not
//!   events, and the run of text around them continues, as with comments.
//! - A strict document contains no form feeds, and no reference to a CR, which is allowed only as part of a newline.
//!   Names are those of XML, without `:` and noncharacters.
//! - Repairs are reported as errors. Text that the recovery specification accepts as data, although it is not
//!   well-formed MicroXML (such as `>` in text), ends a strict parse and is not reported otherwise.

mod classes;
mod construct;
pub mod errors;
mod fast_path;
mod machine;
mod options;
mod state;
mod states;

use crate::engine::dialect::{Balance, Dialect, Nested, Syntax, TopLevel};
use machine::MicroXmlMachine;
pub use options::{MicroXml, Revision};

impl Dialect for MicroXml {
    type Machine = MicroXmlMachine;
    type Form = Nested;

    fn machine(&self) -> MicroXmlMachine {
        MicroXmlMachine::of(*self)
    }

    fn balance(machine: &mut MicroXmlMachine) {
        machine.balance();
    }
}

impl Balance for MicroXml {
    fn top_level(&self) -> TopLevel {
        match self.strict {
            true => TopLevel::OneElement,
            false => TopLevel::NoText,
        }
    }

    fn syntax(&self) -> Syntax {
        Syntax::MicroXml {
            has_cdata: self.revision == Revision::Final,
        }
    }

    fn wrapper() -> Option<&'static str> {
        Some("#doc")
    }
}

crate::checkpoint::checkpointable! {
    tokenizer MicroXmlMachine;
}
