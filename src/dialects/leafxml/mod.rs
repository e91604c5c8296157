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
mod options;
mod qualify;
mod state;
mod states;

pub use maps::AttributeMaps;

use crate::engine::dialect::Prefixed;
use crate::engine::dialect::{Balance, Dialect, Nested, Syntax, TopLevel};
use crate::engine::namespaces::Bindings;
use machine::LeafXmlMachine;
pub use options::LeafXml;

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
        &machine.dialect.bindings
    }
}

impl Balance for LeafXml {
    fn top_level(&self) -> TopLevel {
        TopLevel::OneElement
    }

    fn scope(machine: &LeafXmlMachine) -> Option<&Bindings> {
        Some(&machine.dialect.bindings)
    }

    fn syntax(&self) -> Syntax {
        Syntax::LeafXml
    }
}

crate::checkpoint::checkpointable! {
    tokenizer LeafXmlMachine;
}
