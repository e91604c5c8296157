//! XML: any input gives events and a tree, or, strictly, the first error ends the parse.
//!
//! The document followed is XML-ER of 2012-02-20 for what no correct document contains, and XML 1.0
//! (fifth edition) with Namespaces in XML 1.0 for what one does, construct by construct.
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
//! Where the documents leave something open or slip:
//!
//! - The *comment dash state* and the *CDATA bracket state* return to the comment and the CDATA state
//!   on anything else; the *DOCTYPE comment end state* stays on `-`; the *pi after state* first appends
//!   the `?` on anything but `>` and `?`. Dashes or brackets pending at the end of the input are lost.
//! - `&` in data and in values, which XML-ER leaves out, is a reference as XML 1.0 has it. What is none
//!   is a parse error, and its characters stand as text. A number that is not a character of XML is a
//!   parse error and U+FFFD.
//! - A reference to an entity that is not declared is a parse error and text, unless it may be declared
//!   where this parser does not read: then it is [`SkippedEntity`](crate::SkippedEntity) in content,
//!   and stays as written in a value.
//! - An illegal character is reported and kept.
//! - White space outside the root element is no event. Other text there is one, from its first
//!   character that is not white space on, and a parse error.
//! - `<?xml` and white space or `?` at the very start is the declaration, up to `?>`. One that the end
//!   of the input cuts off is reported and dropped.
//! - A DOCTYPE before the root element is an event, at its `>`. A second or a late one is a parse error
//!   and no event, and the run of text around it goes on.
//! - Processing instructions of the internal subset are events where they stand; comments there are
//!   none.
//! - `<!DOCTYPE` without white space after it begins a bogus comment of what follows the word:
//!   `<!DOCTYPEx>` is the comment `x`.
//! - In a declaration of the DOCTYPE, a `>` outside quotes ends it. Comments in its internal subset end
//!   as others do, and what is no declaration is skipped up to `>`.
//! - The first declaration of an entity or of an attribute counts. Default values are normalised like
//!   written ones, and their entities must be declared before.
//! - Only a declared entity's replacement text may hold markup: numeric and predefined references are
//!   data, however they are declared. No token crosses the edges of replacement text. Recovering, it may
//!   open and close elements freely. What comes of it has the span of the outermost reference, and a
//!   default value that of its tag. A run of text that a reference ends, because its entity goes on with
//!   markup, has a span through that reference: there it is known that no more text follows.
//! - In a value, replacement text is only text; a `<` from it is a parse error and kept, and a reference
//!   to an external entity is a parse error and text. So is, anywhere, one to an entity being read or to
//!   an unparsed one.
//! - `%name;` is read between declarations of the internal subset. Within one it is a parse error and
//!   stays; a `%` there that begins no reference is another. After a parameter entity that was not read,
//!   declarations of entities and attributes are not processed, unless the document stands alone; the
//!   declaration whose value refers to it is one of them.
//! - Where the document stands alone, what the external subset and parameter entities declare may be
//!   referred to in these only; an entity that the document declares too may be referred to anywhere.
//!   So may one of a late DOCTYPE in the replacement text of a general entity.
//! - External entities are read, where the program brings them, by the rules of XML 1.0 for them: each
//!   has its own encoding, and parameter entities are read within declarations.
//! - Encodings: a byte-order mark, else the patterns of `<?xml` in UTF-16 and UTF-32, else what the caller
//!   says, else the declaration, else UTF-8. Names mean what IANA's registry says. Recovering, a name
//!   that nobody knows is a parse error and UTF-8, and ill-formed bytes are one and U+FFFD.
//! - Of XML 1.1, line ends and character rules hold after the declaration. Another `1.x` reads as 1.0.
//! - A name is reported once, at its first character that may not stand in it.
//! - A leading `:` of a tag or an attribute is treated as XML-ER says where namespaces are on; where
//!   they are off, it is a character of the name.
//! - With namespaces, names of entities, notations and targets have no colon, where they are declared
//!   and where they are referred to: a parse error, and the name stays whole.
//! - A name whose prefix is not declared, or that is no qualified name, is a parse error, stays whole,
//!   and is in no namespace. `xmlns:p=""` is a parse error and unbinds the prefix.
//! - A fragment is `content`: what holds inside the root element holds everywhere. An XML declaration at its
//!   beginning is one.
//! - A start tag after the end of the root element is a parse error and an event; neither it nor what
//!   follows opens an element.
//! - The end tag of an empty tag has an empty span, after the tag.

mod classes;
mod construct;
mod content;
mod declarations;
mod defaults;
mod entities;
pub mod errors;
mod external;
mod frames;
mod machine;
mod qualify;
mod registered;
mod run;
mod state;
mod states;

#[cfg(feature = "checkpoints")]
use crate::dialect::Identity;
use crate::dialect::Prefixed;
use crate::dialect::{Balance, Dialect, Nested};
use crate::input::content_type::charset;
use crate::input::encoding::Encoding;
use crate::namespaces::Bindings;
use machine::XmlMachine;
use registered::Registered;

pub use registered::EntityError;

/// XML 1.0 and 1.1 with Namespaces, recovering by XML-ER or strict: feeds, dumps, protocols. The value is the options;
/// the [module](crate::xml) has the rest.
///
/// `Xml::default()` recovers from anything; [`Xml::strict`] refuses what is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Xml {
    strict: bool,
    namespaces: bool,
    external_entities: bool,
    fragment: bool,
    encoding: Option<Encoding>,
    registered: Registered,
}

impl Default for Xml {
    fn default() -> Xml {
        Xml {
            strict: false,
            namespaces: true,
            external_entities: false,
            fragment: false,
            encoding: None,
            registered: Registered::default(),
        }
    }
}

impl Xml {
    /// XML whose first violation of well-formedness, or of namespace well-formedness, ends the parse
    /// with an [`Error`](crate::Error).
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

    /// Reads content instead of a document: text, and any number of elements, in no root element. There is
    /// no DOCTYPE. A tree has it below its document node.
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

    /// Sets whether namespaces are processed; they are unless set.
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

    /// Sets whether the parser asks for external entities and the external subset of the DOCTYPE; it
    /// does not unless set, and skips them.
    ///
    /// It opens nothing itself: [`Status::NeedsEntity`](crate::Status::NeedsEntity) says what is wanted,
    /// and the program decides.
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

    /// Gives an entity a meaning where the document does not declare it: text, whatever is in it, and no
    /// markup. What the document declares itself goes before it. Of entities of one name the last counts.
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
    /// A name that no entity can have or that XML has already (`amp`), text with characters that XML has
    /// not.
    pub fn entity(mut self, name: &str, text: &str) -> Result<Xml, EntityError> {
        match EntityError::of(name, text) {
            Some(error) => Err(error),
            None => {
                self.registered.add(name, text);
                Ok(self)
            }
        }
    }

    /// Gives all entities of HTML their meaning where the document does not declare them: for feeds that use
    /// `&nbsp;` as if they were pages. What [`entity`](Xml::entity) says goes before it.
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

    fn asks(&self) -> bool {
        self.external_entities
    }

    /// Sets the encoding that the document is in, as a transport protocol says it. A byte-order mark
    /// goes before it; what the document says itself does not.
    ///
    /// ```
    /// use tagstream::{Document, Encoding, Xml};
    ///
    /// let Some(latin_2) = Encoding::for_xml_label("iso-8859-2") else { panic!() };
    /// let document = Document::parse(Xml::default().encoding(latin_2), b"<a>\xB1</a>")?;
    /// assert_eq!(document.root().text_content(), "\u{105}");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn encoding(self, encoding: Encoding) -> Xml {
        Xml {
            encoding: Some(encoding),
            ..self
        }
    }

    /// Takes the encoding that the value of a `Content-Type` header names, for certain; nothing changes
    /// if it names none that is known.
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

impl Dialect for Xml {
    type Machine = XmlMachine;
    type Form = Nested;

    #[cfg(feature = "checkpoints")]
    fn identity(&self) -> Identity {
        Identity::new("xml", self, errors::ALL)
    }

    fn machine(&self) -> XmlMachine {
        XmlMachine::of(self.clone())
    }

    fn form(machine: &mut XmlMachine) {
        Self::balance(machine);
    }
}

impl Prefixed for Xml {
    fn bindings(machine: &XmlMachine) -> &Bindings {
        &machine.own.bindings
    }
}

impl Balance for Xml {
    fn balance(machine: &mut XmlMachine) {
        machine.balance();
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Xml {
    strict,
    namespaces,
    external_entities,
    fragment,
    encoding,
    registered
});
