//! The interface between the parser and the dialects: a [`Dialect`] is a set of options that creates a tokenizer
//! ([`Machine`]).
//!
//! The traits are sealed: only this crate implements them. A tokenizer reads its input through a cursor and writes
//! records to the queue. The functions that run it are concrete functions of this crate, so users' crates never have
//! to compile it.

#[cfg(feature = "checkpoints")]
use crate::checkpoint::{self, CheckpointError, Saved};
use crate::engine::document_mode::QuirksMode;
use crate::engine::entity::EntityRequest;
#[cfg(feature = "checkpoints")]
use crate::engine::error::ErrorCode;
use crate::engine::event::record::Queue;
use crate::engine::event::{Doctype, ParserData, StartTag};
use crate::engine::input::BufferOffset;
use crate::engine::input::encoding::Encoding;
use crate::engine::input::sniff::Sniffed;
use crate::engine::input::{Advance, Input};
use crate::engine::limits::Limits;
use crate::engine::namespaces::Bindings;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;

/// A markup language, as a set of options: [`Html`](crate::Html), [`Xml`](crate::Xml), [`LeafXml`](crate::LeafXml)
/// and others.
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no dialect",
    label = "not the options of a dialect",
    note = "dialects are values: `Html::default()`, `Xml::default()`, `Xml::strict()`, `MicroXml::default()`, \
            `Sky::fragment()`, `LeafXml::default()`"
)]
pub trait Dialect: Clone + Debug + Send + Sync + 'static {
    /// The dialect's tokenizer.
    #[doc(hidden)]
    type Machine: Machine;

    /// The form of its [`Events`](crate::Events) by default: [`Nested`] for the dialects of the XML family,
    /// [`AsWritten`] for HTML.
    type Form: Form;

    /// Creates a tokenizer for the start of an input.
    #[doc(hidden)]
    fn machine(&self) -> Self::Machine;

    /// Returns the identification of the dialect and its options in checkpoints.
    #[cfg(feature = "checkpoints")]
    #[doc(hidden)]
    fn identity(&self) -> Identity;

    /// Returns the default limits.
    #[doc(hidden)]
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Switches the tokenizer to events of the form [`Form`](Self::Form).
    #[doc(hidden)]
    fn form(machine: &mut Self::Machine) {
        let _ = machine;
    }

    /// Returns these options for a document that is certainly in the given encoding.
    #[doc(hidden)]
    #[must_use]
    fn in_encoding(self, encoding: Encoding) -> Self {
        let _ = encoding;
        self
    }
}

/// The identification of a dialect in checkpoints: its name, its options, and the codes of its errors.
#[cfg(feature = "checkpoints")]
#[derive(Debug)]
pub struct Identity {
    pub(crate) name: &'static str,
    /// Digest of the options.
    pub(crate) options: u64,
    pub(crate) codes: &'static [ErrorCode],
}

#[cfg(feature = "checkpoints")]
impl Identity {
    pub(crate) fn new(
        name: &'static str,
        dialect: &impl Saved,
        codes: &'static [ErrorCode],
    ) -> Identity {
        Identity {
            name,
            options: checkpoint::digest_of(dialect),
            codes,
        }
    }
}

/// A type that can be part of a checkpoint.
#[cfg(feature = "checkpoints")]
pub trait Checkpointable: serde_core::Serialize + serde_core::de::DeserializeOwned {}

#[cfg(feature = "checkpoints")]
impl<T: serde_core::Serialize + serde_core::de::DeserializeOwned> Checkpointable for T {}

/// Without the feature `checkpoints`, the bound holds for every type.
#[cfg(not(feature = "checkpoints"))]
pub trait Checkpointable {}

#[cfg(not(feature = "checkpoints"))]
impl<T> Checkpointable for T {}

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
pub trait Form: Sealed + Copy + Debug + Send + Sync + 'static {}

/// The form of events that are a tree, as a bound for methods that need the end of an element.
#[diagnostic::on_unimplemented(
    message = "these events are as they were written, and no tree: no element has an end that is sure",
    label = "not the events of a tree",
    note = "`.balanced()` makes them a tree before the first event: `Events::of(Html::default(), page).balanced()`"
)]
pub trait Tree: Form {}

impl Tree for Nested {}

/// The supertrait that seals other traits.
pub trait Sealed {}

impl Sealed for AsWritten {}
impl Sealed for Nested {}
impl Form for AsWritten {}
impl Form for Nested {}

/// Whether the encoding of a document may still change: the standard's "confidence".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// The encoding cannot change.
    Certain,
    /// The document may still declare another encoding.
    Tentative,
    /// The document has declared another encoding, so it has to be parsed again.
    Changed(Encoding),
}

/// A dialect whose tree-construction rules can be applied to the stream of events: see [`Balanced`](crate::Balanced).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "the events of what may be any `{Self}` cannot be balanced",
    label = "this may be a dialect whose events are as written",
    note = "generic code whose events are a tree asks for `D: tagstream::Balance`, which all dialects are"
)]
pub trait Balance: Dialect {
    /// Switches the tokenizer to events that form a tree.
    #[doc(hidden)]
    fn balance(machine: &mut Self::Machine);

    /// Like [`balance`](Self::balance), but without delaying events: they keep the order of the input, as programs
    /// that rewrite the input need it.
    #[doc(hidden)]
    fn balance_in_order(machine: &mut Self::Machine) {
        Self::balance(machine);
    }

    /// Returns whether text is being delayed until its place in the tree is known.
    #[doc(hidden)]
    fn holds_text(machine: &Self::Machine) -> bool {
        let _ = machine;
        false
    }

    /// Returns the syntax in which documents of the dialect are written.
    #[doc(hidden)]
    fn syntax(&self) -> Syntax {
        Syntax::Xml
    }

    /// Returns the name of an element that is put around documents with no or several top-level elements.
    #[doc(hidden)]
    fn wrapper() -> Option<&'static str> {
        None
    }

    /// Returns whether each run of text becomes a node of its own, even if it directly follows another one in the
    /// tree.
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

/// The syntax of a dialect, as far as writing depends on it.
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
        sections: bool,
    },
    /// LeafXML, in which references to line-break characters are normalized like line breaks.
    LeafXml,
    /// Sky, in which scripts and styles contain no markup.
    Sky,
}

/// A dialect whose tree builder can wait for a host: see [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no host to wait for",
    label = "its trees are built without pauses",
    note = "`Html` and `Sky` have: scripts and modules"
)]
pub trait Hosted: Dialect {
    /// The reason for which the tree builder waits.
    type Pause;

    /// The result that the host supplies when it resumes the tree builder.
    type Answer;

    /// Lets the tokenizer wait for a host.
    #[doc(hidden)]
    fn host(machine: &mut Self::Machine);

    /// Returns the reason for which the tokenizer waits, if it does.
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
    message = "`{Self}` has no prefixes to resolve",
    label = "its names have no prefixes that are declared",
    note = "`Xml` and `LeafXml` have"
)]
pub trait Prefixed: Dialect {
    /// Returns the namespace bindings after the events emitted so far.
    #[doc(hidden)]
    fn bindings(machine: &Self::Machine) -> &Bindings;
}

/// Number by which the length of an external entity is multiplied to estimate its memory while it is decoded.
pub(crate) const ENTITY_SHARE: usize = 6;

/// The reaction of a program to the request for an external entity.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum Answer {
    /// The program supplied the bytes.
    Bytes {
        bytes: Vec<u8>,
        /// True if the program supplied a string.
        is_text: bool,
        /// Location of the entity, if the program supplied it.
        #[cfg_attr(feature = "checkpoints", serde(with = "crate::checkpoint"))]
        location: Option<Arc<str>>,
    },
    /// The entity is not to be parsed.
    Skip,
    /// The entity has more bytes than the limit on memory allows.
    TooLong,
}

/// The tokenizer of a dialect. It can be suspended and cloned at every byte.
pub trait Machine: Checkpointable + Clone + Debug + Send + Sync + 'static {
    /// Sets the limits.
    fn set_limits(&mut self, limits: &Limits);

    /// Takes over buffers of a tokenizer whose document has ended. Called before anything else.
    fn inherit(&mut self, _other: &mut Self) {}

    /// Detects the encoding from the first bytes of the input, which are more from call to call.
    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed>;

    /// Returns whether the encoding may still change.
    fn confidence(&self) -> Confidence {
        Confidence::Certain
    }

    /// Sets the encoding without detection. Called if the input is a string.
    fn told(&mut self, sniffed: Sniffed);

    /// Returns the first offset in the buffered text that is still needed, at most `end`.
    fn keep(&self, end: BufferOffset) -> BufferOffset;

    /// Returns the start of the unfinished token, which may still turn out to be text, or [`BufferOffset::NONE`].
    fn token(&self) -> BufferOffset;

    /// Makes the next window, of at most about `most` bytes.
    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance;

    /// Reports the ill-formed sequences in the window, before the window is tokenized.
    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue);

    /// Tokenizes the window until it ends or the queue is full. `eof` says that the end of the input follows the
    /// window.
    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool);

    /// True if events of earlier batches may be delivered with later ones.
    const KEEPS: bool = false;

    /// Called after each run, before its events are delivered. Balanced HTML replaces the batch by events of a tree
    /// here.
    #[inline(always)]
    fn balance_batch(&mut self, held: &mut ParserData) {
        let _ = held;
    }

    /// Emits the text that is certain. `more` says whether the run of text may continue.
    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool);

    /// Subtracts `by` from all offsets in the buffered text, after that many bytes were discarded from its front.
    fn rebase_marks(&mut self, by: u32);

    /// Aborts the parse: no end-of-file token is emitted.
    #[cfg(feature = "html")]
    fn abort(&mut self) {}

    /// Subtracts `by` from all offsets into the scratch buffer, after that many bytes were discarded from its front.
    fn rebase_scratch(&mut self, by: u32);

    /// Returns whether the end of the input was consumed and all events are emitted.
    fn is_finished(&self) -> bool;

    /// Returns the number of open elements after the events emitted so far, if events are nested.
    fn open_elements(&self) -> u64 {
        0
    }

    /// Returns the name of the innermost open element, or an empty string if no element is open.
    fn innermost(&self) -> &str {
        ""
    }

    /// Returns whether the tokenizer waits for its host.
    fn is_paused(&self) -> bool {
        false
    }

    /// Returns the external entity without which the tokenizer cannot continue, if any.
    fn wants(&self) -> Option<&EntityRequest> {
        None
    }

    /// Supplies the requested external entity, or skips it.
    fn answer(&mut self, _answer: Answer) {}

    /// Returns whether the tokenizer can continue without more input: its host has resumed it, it parses the
    /// replacement text of an entity, or it rewinds the input.
    fn is_busy(&self) -> bool {
        false
    }

    /// Returns the serialized state of trait objects, which cannot derive serde's traits: the tree construction of
    /// balanced HTML.
    #[cfg(feature = "checkpoints")]
    fn apart(&self) -> Vec<u8>;

    /// Restores the state returned by [`apart`](Machine::apart). The tokenizer must have the same options as the
    /// saved one.
    #[cfg(feature = "checkpoints")]
    fn load_apart(&mut self, bytes: &[u8]) -> Result<(), CheckpointError>;

    /// Copies the fields that are not serialized, such as options, from a new tokenizer with the same options.
    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self);
}
