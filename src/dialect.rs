//! What a dialect is to the parser: options that make a machine.
//!
//! The traits are sealed. A machine sees its input through a cursor and writes records to the queue;
//! it is run by concrete functions of this crate, so that users' crates never compile one.

use crate::entity::EntityRequest;
#[cfg(feature = "checkpoints")]
use crate::error::ErrorCode;
use crate::event::record::Queue;
use crate::event::{Doctype, Held, StartTag};
use crate::input::Mark;
use crate::input::encoding::Encoding;
use crate::input::sniff::Sniffed;
use crate::input::{Advance, Input};
use crate::limits::Limits;
use crate::namespaces::Bindings;
#[cfg(feature = "checkpoints")]
use crate::saved::{self, CheckpointError, Saved};
use crate::tree::{QuirksMode, TreeSink};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;

/// A markup language: [`LeafXml`](crate::LeafXml), [`Xml`](crate::Xml).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no dialect",
    label = "not the options of a dialect",
    note = "dialects are values: `Html::default()`, `Xml::default()`, `Xml::strict()`, `MicroXml::default()`, \
            `Sky::fragment()`, `LeafXml::default()`"
)]
pub trait Dialect: Clone + Debug + Send + Sync + 'static {
    /// The machine that reads it.
    #[doc(hidden)]
    type Machine: Machine;

    /// What its [`Events`](crate::Events) are unless something else is asked for: [`Nested`] for the
    /// dialects of XML, [`AsWritten`] for HTML.
    type Form: Form;

    /// A machine at the start of an input.
    #[doc(hidden)]
    fn machine(&self) -> Self::Machine;

    /// What checkpoints know it by.
    #[cfg(feature = "checkpoints")]
    #[doc(hidden)]
    fn identity(&self) -> Identity;

    /// The limits that hold unless others are set.
    #[doc(hidden)]
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Lets the machine make events of the dialect's form.
    #[doc(hidden)]
    fn form(machine: &mut Self::Machine) {
        let _ = machine;
    }

    /// The same for a document that is certainly in an encoding.
    #[doc(hidden)]
    #[must_use]
    fn in_encoding(self, encoding: Encoding) -> Self {
        let _ = encoding;
        self
    }
}

/// What checkpoints know a dialect by: its name and its options; and the errors that it has.
#[cfg(feature = "checkpoints")]
#[derive(Debug)]
pub struct Identity {
    pub(crate) name: &'static str,
    /// A digest of them.
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
            options: saved::digest_of(dialect),
            codes,
        }
    }
}

/// What can be saved in a checkpoint.
#[cfg(feature = "checkpoints")]
pub trait Lasting: serde_core::Serialize + serde_core::de::DeserializeOwned {}

#[cfg(feature = "checkpoints")]
impl<T: serde_core::Serialize + serde_core::de::DeserializeOwned> Lasting for T {}

/// A sink that is saved with what grows in it.
#[cfg(feature = "checkpoints")]
pub trait SavedSink: TreeSink<Handle: Lasting, Namespace: Lasting + Saved> + Saved {}

#[cfg(feature = "checkpoints")]
impl<S: TreeSink<Handle: Lasting, Namespace: Lasting + Saved> + Saved> SavedSink for S {}

/// Without checkpoints everything can be.
#[cfg(not(feature = "checkpoints"))]
pub trait Lasting {}

#[cfg(not(feature = "checkpoints"))]
impl<T> Lasting for T {}

/// Events as they stand in the input: see [`Events::as_written`](crate::Events::as_written).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsWritten {}

/// Events that are a tree: every start has its end, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nested {}

/// What a stream of events is like: [`AsWritten`] or [`Nested`].
///
/// The trait can't be implemented outside this crate.
pub trait Form: Sealed + Copy + Debug + Send + Sync + 'static {}

/// The form of events that are a tree, for what is bounded by an element.
#[diagnostic::on_unimplemented(
    message = "these events are as they were written, and no tree: no element has an end that is sure",
    label = "not the events of a tree",
    note = "`.balanced()` makes them a tree before the first event: `Events::of(Html::default(), page).balanced()`"
)]
pub trait Tree: Form {}

impl Tree for Nested {}

/// What nobody else implements.
pub trait Sealed {}

impl Sealed for AsWritten {}
impl Sealed for Nested {}
impl Form for AsWritten {}
impl Form for Nested {}

/// What may still come of the encoding that a document is read in: the standard's "confidence".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// Nothing.
    Certain,
    /// The document may say that it is in another.
    Tentative,
    /// It has said so.
    Changed(Encoding),
}

/// A dialect whose tree-construction rules can be applied to the stream of events as it goes by: see
/// [`Balanced`](crate::Balanced).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "the events of what may be any `{Self}` cannot be balanced",
    label = "this may be a dialect whose events are as written",
    note = "generic code whose events are a tree asks for `D: tagstream::Balance`, which all dialects are"
)]
pub trait Balance: Dialect {
    /// Lets the machine apply its tree-construction rules.
    #[doc(hidden)]
    fn balance(machine: &mut Self::Machine);

    /// The same with nothing held back: events stand in the order of the input, for who writes that anew.
    #[doc(hidden)]
    fn balance_in_order(machine: &mut Self::Machine) {
        Self::balance(machine);
    }

    /// Whether text is held back of which it is open where it belongs.
    #[doc(hidden)]
    fn holds_text(machine: &Self::Machine) -> bool {
        let _ = machine;
        false
    }

    /// What of its syntax who writes is to know.
    #[doc(hidden)]
    fn syntax(&self) -> Syntax {
        Syntax::Xml
    }

    /// The name of an element that is put around a document which is not exactly one element.
    #[doc(hidden)]
    fn wrapper() -> Option<&'static str> {
        None
    }

    /// Says to the sink of a tree what its documents are like.
    #[doc(hidden)]
    fn prepare<S: TreeSink>(&self, sink: &mut S) {
        let _ = sink;
    }

    /// Whether each run of text is a node of its own, where nothing in the tree stands between two.
    #[doc(hidden)]
    fn parts_text() -> bool {
        false
    }

    /// Whether the content of an element is kept apart, as that of a template.
    #[doc(hidden)]
    fn is_template(tag: &StartTag<'_>) -> bool {
        let _ = tag;
        false
    }

    /// The mode of rendering that a document with this DOCTYPE has, or without one, if it is of HTML.
    #[doc(hidden)]
    fn quirks_mode(&self, doctype: Option<&Doctype<'_>>) -> Option<QuirksMode> {
        let _ = doctype;
        None
    }
}

/// The syntax of a dialect, as far as one is written otherwise than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// That of HTML; with scripting, `noscript` holds no markup.
    Html {
        /// Whether scripts run.
        scripting: bool,
    },
    /// That of XML, which others have too.
    Xml,
    /// That of MicroXML, whose later revision has CDATA sections.
    MicroXml {
        /// Whether it has any.
        sections: bool,
    },
    /// That of LeafXML, which has references to ends of lines for ends of lines.
    LeafXml,
    /// That of Sky, whose scripts and styles hold no markup.
    Sky,
}

/// A dialect whose tree builder can wait for a host: see
/// [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no host to wait for",
    label = "its trees are built without pauses",
    note = "`Html` and `Sky` have: scripts and modules"
)]
pub trait Hosted: Dialect {
    /// What the tree builder waits for.
    type Pause;

    /// What the host says when it resumes.
    type Answer;

    /// Lets the machine wait for a host.
    #[doc(hidden)]
    fn host(machine: &mut Self::Machine);

    /// What the machine waits for.
    #[doc(hidden)]
    fn pause(machine: &Self::Machine) -> Option<&Self::Pause>;

    /// Ends the pause.
    #[doc(hidden)]
    fn resume(machine: &mut Self::Machine, answer: Self::Answer);
}

/// A dialect whose names may have prefixes that stand for namespaces: [`Xml`](crate::Xml) and
/// [`LeafXml`](crate::LeafXml). See [`Parser::resolve`](crate::Parser::resolve).
///
/// The trait can't be implemented outside this crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no prefixes to resolve",
    label = "its names have no prefixes that are declared",
    note = "`Xml` and `LeafXml` have"
)]
pub trait Prefixed: Dialect {
    /// What prefixes are bound to behind the events that were made.
    #[doc(hidden)]
    fn bindings(machine: &Self::Machine) -> &Bindings;
}

/// So many times the bytes of an external entity are held while it is decoded.
pub(crate) const ENTITY_SHARE: usize = 6;

/// What a program says of an external entity.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum Answer {
    /// These are its bytes.
    Bytes {
        bytes: Vec<u8>,
        /// They were given as a string.
        is_text: bool,
        /// Where it stands, if the program has said so.
        #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
        location: Option<Arc<str>>,
    },
    /// It is not to be read.
    Skip,
    /// There are more bytes than may be held.
    TooLong,
}

/// The state machine of a dialect: resumable at every byte, cloneable at every byte.
pub trait Machine: Lasting + Clone + Debug + Send + Sync + 'static {
    /// Sets the limits.
    fn set_limits(&mut self, limits: &Limits);

    /// Takes the memory of a machine whose document is done, before anything else happens.
    fn inherit(&mut self, _other: &mut Self) {}

    /// Finds the encoding from a growing prefix of the input.
    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed>;

    /// What may still come of the encoding.
    fn confidence(&self) -> Confidence {
        Confidence::Certain
    }

    /// The encoding is known without a look: the input is a string.
    fn told(&mut self, sniffed: Sniffed);

    /// The first mark that must stay held, `end` if there is none before that.
    fn keep(&self, end: Mark) -> Mark;

    /// The first mark of the token that is read, which is no text yet; none if there is none.
    fn token(&self) -> Mark;

    /// Makes the next window.
    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance;

    /// The window is U+FFFD for an ill-formed sequence.
    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue);

    /// Takes the window, or as much of it as the queue has room for.
    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool);

    /// Whether events of earlier batches may come with later ones.
    const KEEPS: bool = false;

    /// A run has ended: what it made of the batch may be made events of a tree.
    #[inline(always)]
    fn settle(&mut self, held: &mut Held) {
        let _ = held;
    }

    /// Hands out the text that is certain; `more` says whether the run may go on.
    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool);

    /// The mark `by` became mark 0.
    fn rebase_marks(&mut self, by: u32);

    /// The input ends here without a word.
    #[cfg(feature = "html")]
    fn abort(&mut self) {}

    /// The scratch buffer has moved by so much.
    fn rebase_scratch(&mut self, by: u32);

    /// Whether the end of the input was taken and all is said.
    fn is_finished(&self) -> bool;

    /// How many elements are open behind the events made so far, where these are nested.
    fn open_elements(&self) -> u64 {
        0
    }

    /// The name of the innermost element that is open; empty if there is none.
    fn innermost(&self) -> &str {
        ""
    }

    /// Whether the machine waits for its host.
    fn is_paused(&self) -> bool {
        false
    }

    /// The external entity that is wanted before anything else can be read.
    fn wants(&self) -> Option<&EntityRequest> {
        None
    }

    /// Answers for the entity that is wanted: with its bytes, or that it is to be skipped.
    fn answer(&mut self, _answer: Answer) {}

    /// Whether the machine goes on without more input: its host has resumed it, it reads what an
    /// entity stands for, or it takes some of the input again.
    fn is_busy(&self) -> bool {
        false
    }

    /// What of it is saved apart from the rest: what balances it, a trait object.
    #[cfg(feature = "checkpoints")]
    fn apart(&self) -> Vec<u8>;

    /// Takes what was saved apart, into a machine that was prepared as the saved one was.
    #[cfg(feature = "checkpoints")]
    fn load_apart(&mut self, bytes: &[u8]) -> Result<(), CheckpointError>;

    /// Takes from such a machine what is not saved with the rest.
    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self);
}
