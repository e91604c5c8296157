//! XML 1.0 and 1.1: a parser that recovers from any error, or stops at the first one.
//!
//! By default every input produces events and a tree. Violations are *parse errors*, which are reported on request.
//! With [`Xml::strict`] the first violation ends the parse with an [`Error`](crate::Error).
//!
//! Well-formed documents follow XML 1.0 (fifth edition), XML 1.1 and Namespaces in XML. Recovery from errors follows
//! XML-ER (the draft of 2012-02-20), which describes a state machine in the style of the HTML standard.
//!
//! ```
//! use tagstream::{Event, Parser, Xml};
//!
//! let mut parser = Parser::new(Xml::default()).report_errors(true);
//! parser.feed("<a>x &amp; y<b></a>");
//! parser.finish();
//! let mut seen = Vec::new();
//! while let Some(event) = parser.next_event()? {
//!     match event {
//!         Event::Text(text) => seen.push(text.as_str().to_owned()),
//!         Event::ParseError(error) => seen.push(error.to_string()),
//!         _ => {}
//!     }
//! }
//! assert_eq!(seen[0], "x & y");
//! assert!(seen[1].starts_with("1:16: the end tag does not match"));
//! # Ok::<(), tagstream::Error>(())
//! ```
//!
//! # Decisions
//!
//! The specifications leave some points open, and contain some slips. This parser decides as follows.
//!
//! Characters and text:
//!
//! - An illegal character is reported and kept.
//! - Whitespace outside the root element is not an event. Other text there is a parse error and an event, which
//!   starts at the first character that is not whitespace.
//! - Names are checked too. An illegal character in a name is reported once per name, at the first such character.
//!
//! Comments, CDATA sections and processing instructions:
//!
//! - The *comment dash state* and the *CDATA bracket state* return to the comment state and the CDATA state on any
//!   other character; the *DOCTYPE comment end state* stays on `-`; the *pi after state* first appends the `?` on any
//!   character except `>` and `?`. Dashes or brackets that are pending at the end of the input are dropped.
//! - `<!DOCTYPE` that is not followed by whitespace starts a bogus comment, which contains the characters after the
//!   word: `<!DOCTYPEx>` is the comment `x`.
//! - Processing instructions in the internal subset are events, in their order. Comments in the internal subset are
//!   not.
//!
//! Declarations:
//!
//! - `<?xml` at the very start of the input, followed by whitespace or `?`, starts the XML declaration, which extends
//!   to `?>`. If the input ends before, the declaration is reported and dropped. When recovering, at most 1,024 characters
//!   of whitespace may precede the declaration of a document, which is a parse error.
//! - In XML 1.1, the newline and character rules of XML 1.1 apply after the declaration. Any other version `1.x` is
//!   read as 1.0.
//! - A DOCTYPE before the root element is an event, at its `>`. A second DOCTYPE, or one after the start of the root
//!   element, is a parse error and not an event; the run of text around it continues.
//! - In a declaration of the DOCTYPE, a `>` outside quotes ends the declaration. Comments in the internal subset end
//!   like other comments. Anything else that is not a declaration is skipped up to the next `>`.
//! - The first declaration of an entity or an attribute counts. Default values are normalized like written values,
//!   and must not refer to entities that are declared later.
//!
//! References and entities:
//!
//! - `&` in content and in values, which XML-ER does not define, starts a reference as in XML 1.0. An invalid
//!   reference is a parse error, and its characters are text. A numeric reference to a character that XML does not
//!   allow is a parse error and U+FFFD.
//! - A reference to an undeclared entity is a parse error and text. If the entity may be declared in a part of the
//!   DTD that was not read, there is no error: the reference is [`SkippedEntity`](crate::SkippedEntity) in content,
//!   and remains as written in a value.
//! - Only the replacement text of declared entities may contain markup. Numeric references and the five predefined
//!   entities are always data, even if the document declares them. No token may cross the boundaries of replacement
//!   text. When recovering, replacement text may open and close elements freely.
//! - Events from replacement text have the span of the outermost reference. An attribute that is added by default has
//!   the span of its tag. If replacement text contains markup, the run of text that this markup ends has a span that
//!   extends through the reference.
//! - In a value, replacement text is only text. A `<` in it is a parse error and kept. A reference to an external
//!   entity is a parse error and text. Everywhere, a reference to an entity that is being read, or to an unparsed
//!   entity, is a parse error and text.
//! - `%name;` is expanded between the declarations of the internal subset. Inside a declaration there, the reference
//!   is a parse error and remains as written; a `%` that does not start a reference is a parse error of its own.
//!   After a parameter entity that was not read, declarations of entities and attributes are ignored, unless the
//!   document is `standalone="yes"`. This includes the declaration whose value contains the reference.
//! - In a `standalone="yes"` document, declarations in the external subset and in parameter entities are visible only
//!   there. An entity that the document itself declares too is visible everywhere. So is an entity that a misplaced
//!   DOCTYPE declares in the replacement text of a general entity.
//! - External entities are read, if the program supplies them, by the rules of XML 1.0: each has its own encoding,
//!   and parameter entities are recognized inside declarations.
//!
//! Encodings:
//!
//! - The encoding is taken from a byte-order mark, otherwise from the byte pattern of `<?xml` in UTF-16 and UTF-32,
//!   otherwise from the caller, otherwise from the XML declaration, otherwise it is UTF-8. Names of encodings are
//!   those of the IANA registry. When recovering, an unknown name is a parse error and means UTF-8; each ill-formed
//!   byte sequence is a parse error and U+FFFD.
//!
//! Namespaces:
//!
//! - A leading `:` in the name of a tag or an attribute is handled as XML-ER says if namespaces are on. If they are
//!   off, it is part of the name.
//! - With namespaces, names of entities and notations and the targets of processing instructions contain no colon,
//!   neither where they are declared nor where they are used. A colon there is a parse error, and the name is kept.
//! - A name that is not a valid qualified name, or whose prefix is not declared, is a parse error; it is kept, and is
//!   in no namespace. `xmlns:p=""` is a parse error and removes the binding of the prefix, except in XML 1.1, where
//!   it is legal.
//!
//! Elements:
//!
//! - A fragment is the production `content` of XML: the rules for the inside of the root element apply everywhere. An
//!   XML declaration at its beginning is recognized.
//! - A start tag after the end of the root element is a parse error and an event. Neither this tag nor later ones
//!   open an element.
//! - The end tag event of an empty-element tag has an empty span, after the tag.

mod classes;
mod construct;
mod continued;
mod declarations;
mod defaults;
mod entities;
pub mod errors;
mod external;
mod fast_path;
mod frames;
mod machine;
mod qualify;
mod registered;
mod run;
mod state;
mod states;
#[cfg(feature = "tree")]
mod well_formed;

use crate::engine::dialect::Prefixed;
use crate::engine::dialect::{Balance, Dialect, Nested, TopLevel};
use crate::engine::document_mode::XmlVersion;
use crate::engine::input::content_type::charset;
use crate::engine::input::encoding::Encoding;
use crate::engine::namespaces::Bindings;
use crate::engine::options::{OptionError, Table, boolean, encoding, put, set};
use machine::XmlMachine;
use registered::Registered;

pub use registered::EntityError;
#[cfg(feature = "tree")]
pub(crate) use well_formed::is_well_formed;

/// XML 1.0 and 1.1 with namespaces: feeds, dumps, protocols. A value of this type holds the options; see the [module
/// documentation](crate::xml) for details.
///
/// `Xml::default()` recovers from all errors. [`Xml::strict`] rejects documents that are not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Xml {
    /// True if the first violation ends the parse.
    strict: bool,
    /// True if namespaces are processed.
    namespaces: bool,
    /// True if the parser requests external entities from the program.
    external_entities: bool,
    /// True if events and trees contain the text of the internal subset.
    internal_subset: bool,
    /// True if the input is content without a root element.
    fragment: bool,
    /// The encoding that the caller has set.
    encoding: Option<Encoding>,
    /// The entities that the program has registered.
    registered: Registered,
}

impl Default for Xml {
    fn default() -> Xml {
        Xml {
            strict: false,
            namespaces: true,
            external_entities: false,
            internal_subset: false,
            fragment: false,
            encoding: None,
            registered: Registered::default(),
        }
    }
}

impl Xml {
    /// Returns options for a parser that ends with an [`Error`](crate::Error) at the first violation of
    /// well-formedness or of namespace well-formedness.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// assert!(Document::parse(Xml::default(), "<a><b></a>").is_ok());
    /// let error = Document::parse(Xml::strict(), "<a><b></a>").unwrap_err();
    /// assert_eq!(error.position().to_string(), "1:7");
    /// ```
    pub fn strict() -> Xml {
        Xml {
            strict: true,
            ..Xml::default()
        }
    }

    /// Parses the input as a fragment: text and any number of elements, without a root element or a DOCTYPE. In a
    /// tree, the content is below the document node.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let content = Document::parse(Xml::strict().fragment(), "one <b>two</b> <i>three</i>")?;
    /// assert_eq!(content.root().children().count(), 4);
    /// assert_eq!(content.root().text_content(), "one two three");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn fragment(self) -> Xml {
        Xml {
            fragment: true,
            ..self
        }
    }

    fn is_fragment(&self) -> bool {
        self.fragment
    }

    /// Returns true if whitespace before the XML declaration is a parse error and no more: in documents, if XML recovers.
    /// In a fragment, the whitespace is text.
    fn may_begin_with_space(&self) -> bool {
        !self.strict && !self.fragment
    }

    /// Sets whether namespaces are processed. The default is true.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let plain = Document::parse(Xml::strict().namespaces(false), "<a:b/>")?;
    /// assert_eq!(plain.root_element().map(|root| root.local_name()), Some("a:b"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn namespaces(self, namespaces: bool) -> Xml {
        Xml { namespaces, ..self }
    }

    /// Sets whether the parser requests external entities and the external subset of the DOCTYPE. The default is
    /// false: they are skipped.
    ///
    /// The parser itself never opens a file or a connection. [`Status::NeedsEntity`](crate::Status::NeedsEntity)
    /// reports the entity that is needed, and the program supplies its bytes or skips it.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.txt'>]><a>&b;</a>");
    /// parser.finish();
    /// let mut text = String::new();
    /// loop {
    ///     while let Some(event) = parser.next_event()? {
    ///         if let Event::Text(run) = event {
    ///             text.push_str(run.as_str());
    ///         }
    ///     }
    ///     match parser.status() {
    ///         Status::NeedsEntity(wanted) if wanted.system_id() == "b.txt" => {
    ///             parser.feed_entity(b"from elsewhere");
    ///             parser.finish_entity(Some("b.txt"));
    ///         }
    ///         Status::NeedsEntity(_) => parser.skip_entity(),
    ///         _ => break,
    ///     }
    /// }
    /// assert_eq!(text, "from elsewhere");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn external_entities(self, external_entities: bool) -> Xml {
        Xml {
            external_entities,
            ..self
        }
    }

    /// Sets whether the text of the internal subset, such as its entity declarations, is kept:
    /// [`Doctype::internal_subset`](crate::Doctype::internal_subset) and
    /// [`Document::internal_subset`](crate::Document::internal_subset) return it. The default is false.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<!DOCTYPE a [<!ENTITY b 'text'>]><a>&b;</a>";
    /// let document = Document::parse(Xml::default().internal_subset(true), source)?;
    /// assert_eq!(document.internal_subset(), Some("<!ENTITY b 'text'>"));
    /// assert_eq!(document.to_xml()?, "<!DOCTYPE a [<!ENTITY b 'text'>]><a>text</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn internal_subset(self, internal_subset: bool) -> Xml {
        Xml {
            internal_subset,
            ..self
        }
    }

    fn records_subset(&self) -> bool {
        self.internal_subset
    }

    /// Registers an entity for documents that do not declare it. Its replacement is text and never markup. A
    /// declaration in the document takes precedence. If a name is registered twice, the last text counts.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let xml = Xml::strict().entity("product", "Tom & Jerry")?;
    /// let mut events = Events::of(xml, "<a>&product;</a>");
    /// events.next_event()?;
    /// assert_eq!(events.read_text()?, "Tom & Jerry");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no entity can have this name, if the name is one of the five that XML predefines (such as
    /// `amp`), or if `text` contains a character that XML does not allow.
    pub fn entity(mut self, name: &str, text: &str) -> Result<Xml, EntityError> {
        match EntityError::of(name, text) {
            Some(error) => Err(error),
            None => {
                self.registered.add(name, text);
                Ok(self)
            }
        }
    }

    /// Registers all named entities of HTML, for feeds that use `&nbsp;` as HTML pages do. Declarations in the document
    /// and entities registered with [`entity`](Xml::entity) take precedence.
    ///
    /// ```
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::strict().html_entities(), "<title>Caf&eacute;</title>");
    /// events.next_event()?;
    /// assert_eq!(events.read_text()?, "Café");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn html_entities(mut self) -> Xml {
        self.registered.add_html();
        self
    }

    fn registered(&self) -> &Registered {
        &self.registered
    }

    /// Returns true if the option [`external_entities`](Xml::external_entities) is set.
    fn asks(&self) -> bool {
        self.external_entities
    }

    /// Sets the encoding of the document, as known from a transport protocol. A byte-order mark takes precedence over
    /// this encoding; the XML declaration does not.
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Xml {
        Xml {
            encoding: Some(encoding),
            ..self
        }
    }

    /// Sets the encoding to the `charset` in the value of a `Content-Type` header, as [`encoding`](Xml::encoding)
    /// does. Does nothing if the header contains no charset or an unknown one.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().content_type("text/xml; charset=iso-8859-1"));
    /// parser.feed(b"<a>\xE9</a>");
    /// parser.next_event()?;
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!(text.as_str(), "é");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn content_type(self, header: &str) -> Xml {
        let encoding = charset(header).and_then(|label| Encoding::for_xml_label(&label));
        Xml {
            encoding: encoding.or(self.encoding),
            ..self
        }
    }

    /// Sets an option by its name: `strict`, `namespaces`, `internal_subset`, `fragment` and `html_entities`, which are
    /// `true` or `false`; `encoding`, which is the label of an encoding; or `content_type`, which is the value of that header.
    /// Entities that are registered stay registered. `external_entities` has no name, because the program has to supply the entities.
    ///
    /// ```
    /// use tagstream::Xml;
    ///
    /// let mut xml = Xml::default();
    /// xml.set("strict", "true")?;
    /// assert_eq!(xml, Xml::strict());
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        set(OPTIONS, self, name, value)
    }

    fn is_strict(&self) -> bool {
        self.strict
    }

    fn has_namespaces(&self) -> bool {
        self.namespaces
    }

    fn certain_encoding(&self) -> Option<Encoding> {
        self.encoding
    }
}

/// The options that have a name.
const OPTIONS: &Table<Xml> = &[
    ("strict", |xml, value| put(&mut xml.strict, boolean(value))),
    ("namespaces", |xml, value| {
        put(&mut xml.namespaces, boolean(value))
    }),
    ("internal_subset", |xml, value| {
        put(&mut xml.internal_subset, boolean(value))
    }),
    ("fragment", |xml, value| {
        put(&mut xml.fragment, boolean(value))
    }),
    ("html_entities", |xml, value| {
        if boolean(value)? {
            xml.registered.add_html();
        }
        Ok(())
    }),
    ("encoding", |xml, label| {
        put(&mut xml.encoding, encoding(label, Encoding::for_xml_label))
    }),
    ("content_type", |xml, header| {
        *xml = xml.clone().content_type(header);
        Ok(())
    }),
];

impl Dialect for Xml {
    type Machine = XmlMachine;
    type Form = Nested;

    #[inline(always)]
    fn machine(&self) -> XmlMachine {
        XmlMachine::of(self.clone())
    }

    fn balance(machine: &mut XmlMachine) {
        machine.balance();
    }
}

impl Prefixed for Xml {
    fn bindings(machine: &XmlMachine) -> &Bindings {
        &machine.dialect.bindings
    }
}

impl Balance for Xml {
    fn top_level(&self) -> TopLevel {
        match () {
            () if self.fragment => TopLevel::Any,
            () if self.strict => TopLevel::OneElement,
            () => TopLevel::NoText,
        }
    }

    fn scope(machine: &XmlMachine) -> Option<&Bindings> {
        Some(&machine.dialect.bindings)
    }

    fn xml_version(machine: &XmlMachine) -> XmlVersion {
        match machine.dialect.version.is_1_1() {
            true => XmlVersion::Xml11,
            false => XmlVersion::Xml10,
        }
    }

    fn has_prefixed_defaults(machine: &XmlMachine, element: &str) -> bool {
        let declarations = &machine.dialect.dtd.declarations;
        let element = declarations.element(element);
        element.is_some_and(|element| declarations.attributes(element).has_prefixed_defaults())
    }
}

crate::checkpoint::checkpointable! {
    dialect Xml = "xml", errors::ALL;
    tokenizer XmlMachine;
    struct Xml { strict, namespaces, external_entities, internal_subset, fragment, encoding, registered }
}
