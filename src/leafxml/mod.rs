//! LeafXML: a strict, safe subset of XML with namespaces, in which all names, values and text come out
//! in Unicode's normal form C.
//!
//! The document followed is the LeafXML specification. There is no recovery: the first violation of a
//! rule ends the parse, with an [`Error`](crate::Error) whose code is one of [`errors`].
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
//! Where the document leaves something open:
//!
//! - An assembly is one [`Text`](crate::Text): entity escapes are resolved first, then its tokens are
//!   put together, line breaks are normalized, and NFC is taken of the whole. A CR followed by `&#10;`
//!   is one line break, and a letter composes with an accent in the CDATA token after it.
//! - In tags line breaks are normalized before escapes are resolved: `&#13;` in a value is white space
//!   that is compressed, `&#x85;` and `&#x2028;` stay.
//! - `<![CDATA[x]]]>` holds `x]`. `<!-->` and `<!--->` begin comments and do not end them. `]]>` in text
//!   is allowed.
//! - An escape has any number of digits. One that can't go on is invalid at the character that shows
//!   it; one that the end of its text or value cuts off is unterminated.
//! - An XML declaration is an instruction; the encoding that it names is not read. UTF-16 is read after
//!   a byte-order mark; ill-formed bytes are an error.
//! - Names obey the rule as written and again after NFC. That there is no attribute twice, that end tags
//!   match, and prefixes are decided on the normal form.
//! - There is at most one DOCTYPE, before the first tag; the rule is no mere recommendation here.
//! - A declaration's value is a value like others: unescaped, compressed, normalized. No prefix but
//!   `xml` is mapped to its namespace, and the default namespace isn't either. `<xmlns:a/>` is allowed.
//! - An error if a tag has two attributes of one qualified name, or of one namespace and local part.
//!   Declarations are in neither map of attributes; they are among
//!   [`attributes`](crate::StartTag::attributes).
//! - Of several violations the one that is detected at the earliest code point is reported: what
//!   concerns a character at that character, the tag stack and namespaces at the `>` of the tag. A
//!   token that the end of the input cuts off is reported there. All text before is delivered.
//! - Instructions, DOCTYPE and comments can be had as events by option. They come before the text that
//!   they interrupt, as they were written, and before all of it: where comments or instructions are
//!   events, no piece of an assembly is handed out before it is whole. The first word of an instruction
//!   is its target.

mod chain;
mod construct;
pub mod errors;
mod machine;
mod maps;
mod normal;
mod qualify;
mod state;
mod states;

pub use maps::AttributeMaps;

#[cfg(feature = "checkpoints")]
use crate::dialect::Identity;
use crate::dialect::Prefixed;
use crate::dialect::{Balance, Dialect, Nested, Syntax};
use crate::namespaces::Bindings;
use machine::LeafXmlMachine;

/// LeafXML: XML with namespaces and nothing arcane, normalised to NFC. The value is the options; the
/// [module](crate::leafxml) has the rest.
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
    comments: bool,
    instructions: bool,
    doctype: bool,
}

impl LeafXml {
    /// Sets whether comments are events; they are not unless set. With them, text comes whole, in trees
    /// and with [`TextPolicy::Pieces`](crate::TextPolicy::Pieces) too, since a comment comes before the
    /// text that it interrupts: the limit of a token bounds what is held.
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

    /// Sets whether instructions are events; they are not unless set. Text comes whole with them, as
    /// with [comments](LeafXml::comments).
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

    /// Sets whether the DOCTYPE is an event; it is not unless set.
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

    /// Whether there are events of tokens that interrupt a content assembly.
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

    #[cfg(feature = "checkpoints")]
    fn identity(&self) -> Identity {
        Identity::new("leafxml", self, errors::ALL)
    }

    fn machine(&self) -> LeafXmlMachine {
        LeafXmlMachine::of(*self)
    }
}

/// Its events are balanced as they are.
impl Prefixed for LeafXml {
    fn bindings(machine: &LeafXmlMachine) -> &Bindings {
        &machine.own.bindings
    }
}

impl Balance for LeafXml {
    fn balance(_: &mut LeafXmlMachine) {}

    fn syntax(&self) -> Syntax {
        Syntax::LeafXml
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(LeafXml {
    comments,
    instructions,
    doctype
});
