//! MicroXML: any input gives a tree, or, strictly, the first error ends the parse.
//!
//! The document followed is "Error recovery for MicroXML", its first revision or, by
//! [`MicroXml::revision`], the author's final draft; strictly, it is the specification of MicroXML of
//! 2012.
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
//! Where the document leaves something open or slips:
//!
//! - In *TagMode*, `S` does nothing, and `START_TAG_CLOSE` and `EMPTY_ELEMENT_TAG_CLOSE` have their
//!   default handling.
//! - The longest match wins; of two equally long ones, the one that is not `DATA_CHAR`. A token that
//!   does not complete is data, at the end of the input too: `<a`, `<a b`, `</a` are text. Only after
//!   `START_TAG_ATTRIBUTE` is a tag open. In *TagMode*, `<` and `&` are data; in a value `<` is; `/>`
//!   ends a value without quotes.
//! - A number past 0x10FFFF leaves the characters of its reference; that of a surrogate gives U+FFFD.
//!   The names of characters are `lt`, `gt`, `amp`, `quot`, `apos`.
//! - A leading byte-order mark goes; CR LF and CR become LF. Bad UTF-8 becomes U+FFFD.
//! - At the end of the input an open tag is closed. An unfinished comment runs to the end.
//! - Comments are no events, and text goes on after one. Its span begins and ends with its own
//!   characters.
//! - Of attributes with one name the first stays.
//! - An end tag that matches an open element closes what is open inside it. One that matches none is
//!   an event of [`Parser`](crate::Parser), and is dropped from balanced events and trees. Elements
//!   open at the end are closed.
//! - White space (`S`) before the first and after the last of anything else at the top level of a tree
//!   is dropped. If what remains is not exactly one element, an element named `#doc` is put around it.
//!   That is known only at the end, and only trees have it.
//! - In the final revision, what `<!--` begins in a DOCTYPE's subset is a comment wherever a `-->`
//!   follows, though a declaration might be the longer match. CDATA sections are text; processing
//!   instructions and DOCTYPEs give no events, and text goes on after them as after comments.
//! - A strict document has no form feeds, and no reference to a CR, which is a character only as a line
//!   end. Names are those of XML without `:` and noncharacters.
//! - What is repaired is reported; what is data by the document but no well-formed MicroXML, such as
//!   `>` in text, is refused in strict parses and not reported otherwise.

mod chain;
mod classes;
mod construct;
pub mod errors;
mod machine;
mod state;
mod states;

#[cfg(feature = "checkpoints")]
use crate::dialect::Identity;
use crate::dialect::{Balance, Dialect, Nested, Syntax};
use machine::MicroXmlMachine;

/// MicroXML with its error recovery, in both revisions: data that wants less than XML. The value is the options; the
/// [module](crate::microxml) has the rest.
///
/// `MicroXml::default()` recovers from anything; [`MicroXml::strict`] refuses what is not well-formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MicroXml {
    strict: bool,
    revision: Revision,
}

/// The revisions of the document on error recovery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The first one.
    #[default]
    First,
    /// The author's last draft, of December 2012: it knows attributes without values, decimal
    /// references, and the CDATA sections, processing instructions and DOCTYPEs of XML.
    Final,
}

impl MicroXml {
    /// MicroXML whose first violation of well-formedness ends the parse with an
    /// [`Error`](crate::Error).
    ///
    /// ```
    /// use tagstream::{Document, MicroXml};
    ///
    /// assert!(Document::parse(MicroXml::default(), "<a><b></a>").is_ok());
    /// assert!(Document::parse(MicroXml::strict(), "<a><b></a>").is_err());
    /// ```
    pub fn strict() -> MicroXml {
        MicroXml {
            strict: true,
            ..MicroXml::default()
        }
    }

    /// Sets the revision by which errors are recovered from; [`Revision::First`] unless set.
    ///
    /// ```
    /// use tagstream::microxml::Revision;
    /// use tagstream::{Document, MicroXml};
    ///
    /// let last = MicroXml::default().revision(Revision::Final);
    /// assert_eq!(Document::parse(last, "<a>&#65;</a>")?.root().text_content(), "A");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn revision(self, revision: Revision) -> MicroXml {
        MicroXml { revision, ..self }
    }

    fn is_final(&self) -> bool {
        self.revision == Revision::Final
    }

    fn is_strict(&self) -> bool {
        self.strict
    }
}

impl Dialect for MicroXml {
    type Machine = MicroXmlMachine;
    type Form = Nested;

    #[cfg(feature = "checkpoints")]
    fn identity(&self) -> Identity {
        Identity::new("microxml", self, errors::ALL)
    }

    fn machine(&self) -> MicroXmlMachine {
        MicroXmlMachine::of(*self)
    }

    fn form(machine: &mut MicroXmlMachine) {
        Self::balance(machine);
    }
}

impl Balance for MicroXml {
    fn balance(machine: &mut MicroXmlMachine) {
        machine.balance();
    }

    fn syntax(&self) -> Syntax {
        Syntax::MicroXml {
            sections: self.revision == Revision::Final,
        }
    }

    fn wrapper() -> Option<&'static str> {
        Some("#doc")
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(MicroXml { strict, revision });
#[cfg(feature = "checkpoints")]
crate::saved::saved!(
    enum Revision {
        First,
        Final,
    }
);
