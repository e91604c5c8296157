//! The state of tree construction.

use super::copies::Copies;
use super::formatting::Formatting;
use super::modes::Mode;
use super::notation::Table;
use super::numbers::Numbers;
use super::rules::{Group, TokenKind};
use super::schema::TABLES;
use super::selects::Selects;
use super::stack::{Frame, FrameId, Stack};
use super::stack_observer::NoObserver;
use super::trace::Trace;
use crate::dialects::html::options::InitialState;
use crate::engine::error::ErrorCode;
use crate::tree::namespaces::{HTML, MATHML, SVG, XLINK, XML, XMLNS};
use crate::tree::{Origin, TreeSink, TreeSize};
use alloc::string::String;
use alloc::vec::Vec;

/// The namespaces, in the order of [`Space`](crate::dialects::html::names::Space).
pub(super) const NAMESPACES: [&str; 6] = [HTML, SVG, MATHML, XLINK, XML, XMLNS];

/// The state of the tree construction stage.
#[derive(Clone, Debug)]
pub struct TreeConstruction<S: TreeSink, W = NoObserver> {
    pub(crate) sink: S,
    /// The observer of the stack of open elements.
    pub(in crate::dialects::html) observer: W,
    /// The rule table of each mode, in the order of [`Mode`]. Only tests use other tables than [`TABLES`].
    pub(super) schema: &'static [Table; TABLES.len()],
    /// The numbers that were assigned to unknown tag names.
    pub(super) numbers: Numbers,
    /// The sink's handles of the namespaces, in the order of [`NAMESPACES`].
    pub(super) spaces: [S::Namespace; NAMESPACES.len()],
    pub(super) options: Options,

    pub(super) stack: Stack<S::Handle>,
    pub(in crate::dialects::html) formatting: Formatting<S::Handle>,
    pub(super) pointers: ElementPointers<S::Handle>,
    pub(super) modes: Modes,
    pub(super) flags: DocumentFlags,
    pub(super) placement: Placement<S::Handle>,
    pub(super) table_text: PendingTableText,
    pub(super) selects: Selects<S::Handle>,
    /// The script element that the last token closed. The caller takes this value to run the script before it
    /// continues.
    pub(crate) script: Option<S::Handle>,

    pub(super) token: TokenState,
    /// Size of the tree before the run of text to which the last event belongs, if that is a piece of a run.
    pub(crate) size_before_run: TreeSize,
    pub(crate) parse_errors: ParseErrors,
    pub(crate) copies: Copies,
    pub(super) counts: Counts,
    pub(super) trace: Trace,
}

/// The options and limits of a tree construction.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The scripting flag. True if it is enabled.
    pub(super) scripting: bool,
    /// True if declarative shadow roots are allowed.
    pub(super) shadow_roots: bool,
    /// The groups of elements (see [`Group`]) to which the context element belongs. `None` if the input is a document.
    pub(super) context: Option<Group>,
    /// Maximum depth of the tree, in elements.
    pub(super) max_depth: usize,
}

/// The insertion mode that a row of the schema has set explicitly. This mode takes precedence over the insertion mode
/// that the open elements determine.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    /// The mode that takes precedence. `None` if the open elements determine the insertion mode.
    pub(super) entered: Option<Mode>,
    /// The previous value of `entered`, which `Resume` restores.
    pub(super) before: Option<Mode>,
}

/// The element pointers of the standard.
#[derive(Clone, Debug)]
pub(super) struct ElementPointers<H> {
    /// The head element pointer.
    pub(super) head: Option<Frame<H>>,
    /// The frame of the form to which the form element pointer points. `None` if the pointer is null, and
    /// [`NONE`](super::stack::NONE) if the pointer is set but the form is no longer on the stack of open elements.
    pub(super) form: Option<FrameId>,
    /// The form element to which the form element pointer points. `None` if the pointer is null, or if the form is an
    /// ancestor of a fragment's context element and therefore not in this tree.
    pub(super) form_element: Option<H>,
}

/// The flags of the document.
#[derive(Clone, Debug)]
pub(super) struct DocumentFlags {
    /// The frameset-ok flag. True if it is "ok".
    pub(super) frameset_ok: bool,
    /// True if the document is in quirks mode.
    pub(super) quirks: bool,
}

/// The state that decides whether nodes are inserted elsewhere than into the current node.
#[derive(Clone, Debug)]
pub(super) struct Placement<H> {
    /// True if foster parenting is enabled.
    pub(super) is_fostering: bool,
    /// True if nodes may be inserted elsewhere than into the current node: because foster parenting is enabled, or
    /// because a template with an attribute `for` is open.
    pub(super) is_elsewhere: bool,
    /// The open templates with an attribute `for`, whose content is inserted at markers elsewhere in the tree. The
    /// innermost template is the last.
    pub(super) patches: Vec<OpenPatch<H>>,
}

/// Facts about the current token and the previous one.
#[derive(Clone, Debug, Default)]
pub(super) struct TokenState {
    /// True if the next token is the first one after a start tag such as `pre`, so that a newline at its start is
    /// dropped.
    pub(super) skips_newline: bool,
    /// False if the current start tag is self-closing and no rule has acknowledged its self-closing flag yet, which is
    /// a parse error at the end of the token. True otherwise.
    pub(super) is_acknowledged: bool,
    /// True if the last event was a piece of a run of text, and the next event may be the next piece of the same run.
    pub(super) is_in_text: bool,
    /// The kind of the last part of the last text, and the number of tokens then. The pieces of a run of text count as
    /// one token.
    pub(super) last_part: (TokenKind, u64),
    /// The state to which the tokenizer has to switch, if a rule demands it.
    pub(super) next_state: Option<InitialState>,
}

/// The parse errors of the current token.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParseErrors {
    /// True if parse errors are reported.
    pub(crate) are_reported: bool,
    /// The codes of the errors, in order. Empty if errors are not reported.
    pub(crate) codes: Vec<ErrorCode>,
}

/// Counters of a tree construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Number of tokens processed.
    pub(super) tokens: u64,
    /// Number of elements inserted.
    pub(super) elements: u64,
    /// Counter of work, for tests: number of rows applied, and of first rows whose conditions were false. A run of text
    /// counts as one row.
    pub(super) rules: u64,
    /// Counter of work, for tests: number of loop iterations in the algorithms, such as elements copied or skipped.
    pub(super) steps: u64,
}

/// The stored text of a table: the standard's "pending table character tokens".
#[derive(Clone, Debug, Default)]
pub(super) struct PendingTableText {
    /// The stored text.
    pub(super) text: String,
    /// True if the stored text contains a character that is not whitespace.
    pub(super) is_text: bool,
    /// The position of the text in the input, if the sink records positions.
    pub(super) origin: Option<Origin>,
}

impl PendingTableText {
    /// Returns the length of the stored text, in bytes.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }
}

/// An open template whose content is inserted at markers.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenPatch<H> {
    /// Frame of the template.
    pub(super) template: FrameId,
    /// Frame of the innermost template around this one that has a content tree of its own, or `NONE`. The content of
    /// this template is inserted into the tree in which this template would be.
    pub(super) around: FrameId,
    /// Parent of the markers.
    pub(super) target: H,
    /// The marker at which the insertion starts.
    pub(super) start: H,
    /// The marker before which content is inserted. `None` if content is inserted after the last child of `target`.
    pub(super) end: Option<H>,
}

crate::checkpoint::checkpointable! {
    struct TreeConstruction<S: crate::tree::CheckpointableSink, W: super::stack_observer::StackObserver> {
        sink, observer, numbers, spaces, options, stack, formatting, pointers, modes, flags, placement,
        table_text, selects, script, token, size_before_run, parse_errors, copies, counts
        ; skip schema = &TABLES, trace = Trace::default()
    }
    struct Options { scripting, shadow_roots, context, max_depth }
    struct Modes { entered, before }
    struct ElementPointers<H> { head, form, form_element }
    struct DocumentFlags { frameset_ok, quirks }
    struct Placement<H> { is_fostering, is_elsewhere, patches }
    struct PendingTableText { text, is_text, origin }
    struct OpenPatch<H> { template, around, target, start, end }
    struct TokenState { skips_newline, is_acknowledged, is_in_text, last_part, next_state }
    struct ParseErrors { are_reported, codes }
    struct Counts { tokens, elements, rules, steps }
}
