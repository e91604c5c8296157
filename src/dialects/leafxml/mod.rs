//! LeafXML: a strict, safe subset of XML with namespaces, whose names, values and text are delivered in Unicode
//! normal form NFC.
//!
//! The parser follows the LeafXML specification. It does not recover: the first violation of a rule ends the parse
//! with an [`Error`](crate::Error), whose code is one of [`errors`].
//!
//! ```
//! use tagstream::leafxml::AttributeMaps;
//! use tagstream::{Event, LeafXml, Parser};
//!
//! let mut parser = Parser::new(LeafXml::default());
//! parser.feed("<list xmlns:p='urn:p'><item p:id='7' class=' a  b '>e<!-- -->&#x301;</item></list>");
//! parser.finish();
//! let mut seen = Vec::new();
//! while let Some(event) = parser.next_event()? {
//!     match event {
//!         Event::Start(tag) => {
//!             for attribute in tag.local_attributes() {
//!                 seen.push(format!("{}={:?}", attribute.name(), attribute.value()));
//!             }
//!             for attribute in tag.external_attributes() {
//!                 let namespace = attribute.namespace().unwrap_or_default();
//!                 let (name, value) = (attribute.local_name(), attribute.value());
//!                 seen.push(format!("{{{namespace}}}{name}={value:?}"));
//!             }
//!         }
//!         Event::Text(text) => seen.push(text.as_str().to_owned()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(seen, ["class=\"a b\"", "{urn:p}id=\"7\"", "é"]);
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Decisions
//!
//! The specification leaves some points open. This parser decides as follows.
//!
//! - A content assembly is one [`Text`](crate::Text). First entity escapes are resolved, then the tokens are
//!   concatenated, line breaks are normalized, and the result is converted to NFC. So a CR followed by `&#10;` is one
//!   line break, and a letter combines with an accent in the CDATA token after it.
//! - In tags, line breaks are normalized before escapes are resolved: `&#13;` in a value is whitespace and is
//!   compressed; `&#x85;` and `&#x2028;` remain.
//! - `<![CDATA[x]]]>` contains `x]`. `<!-->` and `<!--->` start comments and do not end them. `]]>` is allowed in
//!   text.
//! - An escape may have any number of digits. An escape that cannot continue is invalid at the character that shows
//!   it. An escape that is cut off by the end of its text or value is unterminated.
//! - An XML declaration is an instruction; the encoding that it names is ignored. UTF-16 is recognized by a
//!   byte-order mark. Ill-formed bytes are an error.
//! - Names are checked as written and again after NFC. Duplicate attributes, matching end tags and prefixes are
//!   decided on the normal form.
//! - There is at most one DOCTYPE, before the first tag. The specification only recommends this check; this parser
//!   enforces it.
//! - The value of a namespace declaration is treated like other values: escapes are resolved, whitespace is
//!   compressed, the result is normalized. Only the prefix `xml` may be mapped to its namespace, and the default
//!   namespace may not. `<xmlns:a/>` is allowed.
//! - Two attributes of one qualified name, or of one namespace and local part, are an error. Namespace declarations
//!   are in neither attribute map; they are among [`attributes`](crate::StartTag::attributes).
//! - If there are several violations, the one at the earliest code point is reported: violations by a character at
//!   that character, violations of the tag stack and of namespaces at the `>` of the tag. A token that is cut off by
//!   the end of the input is reported there. All text before the error is delivered.
//! - Instructions, the DOCTYPE and comments are events if an option enables them. They come before all of the text
//!   that they interrupt, as they are in the source. For this reason, no piece of a content assembly is delivered
//!   before its end while comments or instructions are events. The first word of an instruction is its target.

mod construct;
pub mod errors;
mod fast_path;
mod machine;
mod maps;
mod normal;
mod qualify;
mod state;
mod states;

pub use maps::AttributeMaps;

use crate::engine::dialect::Prefixed;
use crate::engine::dialect::{Balance, Dialect, Nested, Syntax, TopLevel};
use crate::engine::namespaces::Bindings;
use machine::LeafXmlMachine;

/// LeafXML: XML with namespaces and without rarely used features, normalized to NFC. A value of this type holds the
/// options; see the [module documentation](crate::leafxml) for details.
///
/// ```
/// use tagstream::{Document, LeafXml};
///
/// let document = Document::parse(LeafXml::default(), "<a>e\u{301}</a>")?;
/// assert_eq!(document.root().text_content(), "\u{e9}");
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LeafXml {
    /// True if comments are events.
    comments: bool,
    /// True if instructions are events.
    instructions: bool,
    /// True if the DOCTYPE is an event.
    doctype: bool,
}

impl LeafXml {
    /// Sets whether comments are events. The default is false.
    ///
    /// A comment comes before the text that it interrupts, so with this option text is always delivered whole, in
    /// trees and with [`TextPolicy::Pieces`](crate::TextPolicy::Pieces) too. The limit of a token bounds the text
    /// that is buffered.
    ///
    /// ```
    /// use tagstream::{Events, LeafXml};
    ///
    /// let input = "<a><!-- b --></a>";
    /// assert_eq!(Events::of(LeafXml::default(), input).count(), 2);
    /// assert_eq!(Events::of(LeafXml::default().comments(true), input).count(), 3);
    /// ```
    #[must_use]
    pub fn comments(self, comments: bool) -> LeafXml {
        LeafXml { comments, ..self }
    }

    /// Sets whether instructions are events. The default is false. With this option text is always delivered whole,
    /// as with [comments](LeafXml::comments).
    ///
    /// ```
    /// use tagstream::{Events, LeafXml};
    ///
    /// let input = "<a><?b c?></a>";
    /// assert_eq!(Events::of(LeafXml::default(), input).count(), 2);
    /// assert_eq!(Events::of(LeafXml::default().processing_instructions(true), input).count(), 3);
    /// ```
    #[must_use]
    pub fn processing_instructions(self, instructions: bool) -> LeafXml {
        LeafXml {
            instructions,
            ..self
        }
    }

    /// Sets whether the DOCTYPE is an event. The default is false.
    ///
    /// ```
    /// use tagstream::{Events, LeafXml};
    ///
    /// let input = "<!DOCTYPE a><a/>";
    /// assert_eq!(Events::of(LeafXml::default(), input).count(), 2);
    /// assert_eq!(Events::of(LeafXml::default().doctype(true), input).count(), 3);
    /// ```
    #[must_use]
    pub fn doctype(self, doctype: bool) -> LeafXml {
        LeafXml { doctype, ..self }
    }

    fn has_comments(&self) -> bool {
        self.comments
    }

    fn has_instructions(&self) -> bool {
        self.instructions
    }

    /// Returns true if tokens that interrupt a content assembly are events.
    fn has_events_within(&self) -> bool {
        self.comments || self.instructions
    }

    fn has_doctype(&self) -> bool {
        self.doctype
    }
}

impl Dialect for LeafXml {
    type Machine = LeafXmlMachine;
    type Form = Nested;

    fn machine(&self) -> LeafXmlMachine {
        LeafXmlMachine::of(*self)
    }

    // The events of LeafXML always form a tree, because every mismatched tag ends the parse.
    fn balance(_: &mut LeafXmlMachine) {}
}

impl Prefixed for LeafXml {
    fn bindings(machine: &LeafXmlMachine) -> &Bindings {
        &machine.own.bindings
    }
}

impl Balance for LeafXml {
    fn top_level(&self) -> TopLevel {
        TopLevel::OneElement
    }

    fn scope(machine: &LeafXmlMachine) -> Option<&Bindings> {
        Some(&machine.own.bindings)
    }

    fn syntax(&self) -> Syntax {
        Syntax::LeafXml
    }
}

crate::checkpoint::checkpointable! {
    dialect LeafXml = "leafxml", errors::ALL;
    tokenizer LeafXmlMachine;
    struct LeafXml { comments, instructions, doctype }
}
