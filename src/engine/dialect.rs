//! The interface between the parser and the dialects: a [`Dialect`] is a set of options that creates a tokenizer
//! ([`Tokenizer`]).
//!
//! The traits are sealed: only this crate implements them. A tokenizer reads its input through a cursor and writes
//! records to the queue. The functions that run it are concrete functions of this crate, so users' crates never have
//! to compile it.

use crate::checkpoint::CheckpointableDialect;
use crate::engine::document_mode::{QuirksMode, XmlVersion};
use crate::engine::event::{Doctype, StartTag};
use crate::engine::input::encoding::Encoding;
use crate::engine::limits::Limits;
use crate::engine::namespaces::Bindings;
use crate::engine::tokenizer::Tokenizer;
use core::fmt::Debug;

/// A markup language, as a set of options: [`Html`](crate::Html), [`Xml`](crate::Xml), [`LeafXml`](crate::LeafXml)
/// and others.
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dialect",
    label = "expected a dialect with its options",
    note = "a dialect is a value: `Html::default()`, `Xml::default()`, `Xml::strict()`, `MicroXml::default()`, \
            `Sky::fragment()`, `LeafXml::default()`"
)]
pub trait Dialect: CheckpointableDialect + Clone + Debug + Send + Sync + 'static {
    /// The dialect's tokenizer.
    #[doc(hidden)]
    type Machine: Tokenizer;

    /// The form of its [`Events`](crate::Events) by default: [`Nested`] for the dialects of the XML family,
    /// [`AsWritten`] for HTML.
    type Form: Form;

    /// Creates a tokenizer for the start of an input.
    #[doc(hidden)]
    fn machine(&self) -> Self::Machine;

    /// Returns the limits of a parse for which no others are set.
    ///
    /// ```
    /// use tagstream::{Dialect, Html, Limits, Xml};
    ///
    /// assert_eq!(Html::default().limits().depth, 513);
    /// assert_eq!(Xml::default().limits(), Limits::default());
    /// ```
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Switches the tokenizer to events that form a tree.
    #[doc(hidden)]
    fn balance(machine: &mut Self::Machine);

    /// Like [`balance`](Dialect::balance), but without delaying events: they keep the order of the input, as programs
    /// that rewrite the input need it.
    #[doc(hidden)]
    fn balance_in_order(machine: &mut Self::Machine) {
        Self::balance(machine);
    }

    /// Returns these options for a document that is certainly in the given encoding.
    #[doc(hidden)]
    #[must_use]
    fn in_encoding(self, encoding: Encoding) -> Self {
        let _ = encoding;
        self
    }
}

/// The form of events that are returned as written: end tags may be missing. See
/// [`Events::as_written`](crate::Events::as_written).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsWritten {}

/// The form of events that are a tree: every start event has its end event, in the right order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nested {}

/// The form of a stream of events: [`AsWritten`] or [`Nested`].
///
/// The trait can't be implemented outside this crate.
pub trait Form: Sealed + Copy + Debug + Send + Sync + 'static {
    /// True if the events are a tree.
    #[doc(hidden)]
    const IS_TREE: bool;
}

/// The form of events that are a tree, as a bound for methods that need the end of an element.
#[diagnostic::on_unimplemented(
    message = "these events are as written: end tags can be missing",
    label = "the events are not a tree",
    note = "call `.balanced()` before the first event: `Events::of(Html::default(), page).balanced()`, \
            `Parser::new(Html::default()).balanced()`"
)]
pub trait Tree: Form {}

impl Tree for Nested {}

/// The supertrait that seals other traits.
pub trait Sealed {}

impl Sealed for AsWritten {}
impl Sealed for Nested {}
impl Form for AsWritten {
    const IS_TREE: bool = false;
}
impl Form for Nested {
    const IS_TREE: bool = true;
}

/// A dialect whose tree-construction rules can be applied to the stream of events: see
/// [`Parser::balanced`](crate::Parser::balanced).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "events of `{Self}` cannot be balanced",
    label = "the trait `Balance` is required here",
    note = "generic code that balances events needs the bound `D: tagstream::Balance`, which all dialects satisfy"
)]
pub trait Balance: Dialect {
    /// Returns the syntax in which documents of the dialect are written.
    #[doc(hidden)]
    fn syntax(&self) -> Syntax {
        Syntax::Xml
    }

    /// Returns the nodes that a document may have at its top level.
    #[doc(hidden)]
    fn top_level(&self) -> TopLevel {
        TopLevel::Any
    }

    /// Returns these options for markup in an element of a document.
    #[doc(hidden)]
    fn for_content(&self) -> Self {
        self.clone()
    }

    /// Returns the namespace bindings after the events emitted so far, or `None` if names have no prefixes.
    #[doc(hidden)]
    fn scope(machine: &Self::Machine) -> Option<&Bindings> {
        let _ = machine;
        None
    }

    /// Returns the version of XML that the document has declared in the part that the tokenizer has read.
    #[doc(hidden)]
    fn xml_version(machine: &Self::Machine) -> XmlVersion {
        let _ = machine;
        XmlVersion::Xml10
    }

    /// Returns true if a declaration gives the elements with this name default attributes with prefixes, or attributes
    /// that declare namespaces.
    #[doc(hidden)]
    fn has_prefixed_defaults(machine: &Self::Machine, element: &str) -> bool {
        let _ = (machine, element);
        false
    }

    /// Returns the name of the root element that a tree gets unless the top level has exactly one element and no text
    /// other than whitespace. `None` if the dialect adds no such element.
    #[doc(hidden)]
    fn wrapper() -> Option<&'static str> {
        None
    }

    /// Returns whether each text event becomes a node of its own in a tree, even if it directly follows another text.
    /// Otherwise adjacent texts are joined.
    #[doc(hidden)]
    fn parts_text() -> bool {
        false
    }

    /// Returns whether the content of an element is stored separately, as in a template.
    #[doc(hidden)]
    fn is_template(tag: &StartTag<'_>) -> bool {
        let _ = tag;
        false
    }

    /// Returns the rendering mode of an HTML document with the given DOCTYPE, or without one. Returns `None` for
    /// other dialects.
    #[doc(hidden)]
    fn quirks_mode(&self, doctype: Option<&Doctype<'_>>) -> Option<QuirksMode> {
        let _ = doctype;
        None
    }
}

/// The syntax in which documents of a dialect are written: the rules that a writer or serializer has to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// HTML. With scripting, `noscript` contains no markup.
    Html {
        /// True if scripts run in the document.
        scripting: bool,
    },
    /// XML, and dialects with the same syntax.
    Xml,
    /// MicroXML. Its later revision has CDATA sections.
    MicroXml {
        /// True if documents of this revision may contain CDATA sections.
        has_cdata: bool,
    },
    /// LeafXML, in which references to line-break characters are normalized like line breaks.
    LeafXml,
    /// Sky, in which scripts and styles contain no markup.
    Sky,
}

impl Syntax {
    /// Returns true for HTML.
    #[inline]
    pub(crate) fn is_html(self) -> bool {
        matches!(self, Syntax::Html { .. })
    }
}

/// The nodes that a document may have at its top level.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopLevel {
    /// All nodes.
    Any,
    /// One element; the parser ignores text and recovers from more or fewer elements.
    NoText,
    /// Exactly one element and no text; everything else is an error.
    OneElement,
}

/// A dialect whose tree builder can wait for a host: see [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "tree building of `{Self}` does not pause",
    label = "this dialect never waits for the program",
    note = "only `Html` (for scripts) and `Sky` (for modules) pause tree building"
)]
pub trait Hosted: Dialect {
    /// The reason for which the tree builder waits, such as a script in HTML or modules to load in Sky.
    type Pause;

    /// The result that the host supplies when it resumes the tree builder.
    type Answer;

    /// Makes the tokenizer pause where its host, the program around the parser, has to act before the parser reads on:
    /// for example at the end of a script.
    #[doc(hidden)]
    fn host(machine: &mut Self::Machine);

    /// Returns the reason for which the tokenizer pauses, or `None` if it does not pause.
    #[doc(hidden)]
    fn pause(machine: &Self::Machine) -> Option<&Self::Pause>;

    /// Ends the tokenizer's pause with the host's answer.
    #[doc(hidden)]
    fn resume(machine: &mut Self::Machine, answer: Self::Answer);
}

/// A dialect whose names may have namespace prefixes: [`Xml`](crate::Xml) and [`LeafXml`](crate::LeafXml). See
/// [`Parser::resolve`](crate::Parser::resolve).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no namespace prefixes",
    label = "names of this dialect have no declared prefixes",
    note = "only `Xml` and `LeafXml` resolve prefixes"
)]
pub trait Prefixed: Dialect {
    /// Returns the namespace bindings after the events emitted so far.
    #[doc(hidden)]
    fn bindings(machine: &Self::Machine) -> &Bindings;
}

crate::checkpoint::checkpointable! {
    enum Syntax { Html { scripting }, Xml, MicroXml { has_cdata }, LeafXml, Sky }
    enum TopLevel { Any, NoText, OneElement }
}
