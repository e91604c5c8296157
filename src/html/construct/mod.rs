//! Tree construction: tokens become a tree, by the rules of the standard.
//!
//! # Where a rule is
//!
//! What happens to a token in a context is a row of `schema.rs`; `notation.rs` says what rows may say.
//! To find the row:
//!
//! 1. Its table. For a current node of SVG or MathML it is `Foreign`, or where HTML may stand in that
//!    node `MathTextIntegrationPoint`, `AnnotationXml` or `HtmlIntegrationPoint`. Else it is the phase that a row has entered and
//!    none has left (`HoldsText`, `HoldText`, `Enter`), or else the mode in `STANDS_FOR` of the nearest
//!    open element that is listed there; `Turn` changes it for one element.
//! 2. In the table, the first row that is for the token and whose guards hold. `As`, `AsHtml` and
//!    `Foster` lead on to another table, `Reprocess` to step 1.
//!
//! Three examples:
//!
//! - `<td>` after `<table><tr><td>a`. `td` stands for `InCell`, where `start(TABLE_PARTS)` closes the
//!   cell that is in table scope and has the token processed again. Now `tr` stands for `InRow`,
//!   where `start(CELLS)` inserts the element and a marker.
//! - `</p>` after `<svg><desc>`. `desc` is an HTML integration foreign_rules: `ANY` of `HtmlIntegrationPoint` leads to
//!   `Foreign`, where `close!(Br P)` is a parse error, breaks out of nothing, as HTML may stand in
//!   `desc`, and leads to the insertion mode. `body` stands for that, `InBody`: no `p` is in
//!   button scope, so the first row of `close!(P)` inserts one.
//! - `x` after `<table>`. `table` stands for `InTable`, where `TEXT` enters `InTableText` as the current
//!   node is in `HOLDS_TEXT`; there `TEXT` holds the characters back. The next token that is none meets
//!   `ANY`: it releases them, `held.rs` fosters them by the rules of `InBody`, and that token goes on.

mod act;
mod adoption;
pub(super) mod attribute_names;
mod copies;
mod doctypes;
pub(super) mod elements;
pub(super) mod foreign;
pub(super) mod formatting;
mod forms;
mod fragment;
mod held;
#[cfg(feature = "inspect")]
mod inspect;
mod noahs_ark;
pub(super) mod notation;
pub(super) mod numbers;
#[cfg(feature = "cli")]
pub(super) mod page;
mod patches;
mod place;
mod quirks;
mod rules;
pub(super) mod schema;
mod selected;
mod shadow;
pub(super) mod stack;
pub(crate) mod watch;

use super::{Feedback, Html, InitialState, errors};
use crate::error::ErrorCode;
use crate::event::{Event, StartTag};
use crate::html::construct::rules::{Content, Token};
use crate::html::names::Space;
use crate::limits::Limits;
use crate::tree::TreeSink;
use crate::tree::namespaces::{HTML, MATHML, SVG, XLINK, XML, XMLNS};
use alloc::vec::Vec;
use copies::Copies;
use elements::FOREIGN;
use formatting::Formatting;
use held::Held;
use notation::Table;
use numbers::Numbers;
pub(super) use quirks::quirks_mode;
use rules::{Group, Kind};
use schema::{Mode, TABLES};
use selected::Selects;
use stack::{Frame, FrameId, Stack};
use watch::{Unwatched, Watch};

/// The namespaces, in the order of [`Space`].
const NAMESPACES: [&str; 6] = [HTML, SVG, MATHML, XLINK, XML, XMLNS];

/// The tree construction stage.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "checkpoints", serde(bound = "S: super::Sink, W: Watch"))]
pub struct TreeConstruction<S: TreeSink, W = Unwatched> {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) sink: S,
    /// Who is told what happens on the stack of open elements.
    pub(super) watch: W,
    #[cfg_attr(feature = "checkpoints", serde(skip, default = "super::saved::all"))]
    schema: &'static [Table; TABLES.len()],
    numbers: Numbers,
    /// The sink's handles of the namespaces.
    spaces: [S::Namespace; NAMESPACES.len()],

    stack: Stack<S::Handle>,
    pub(super) formatting: Formatting<S::Handle>,
    /// What goes before the insertion mode of the current node, and what did so before that.
    phase: Option<Mode>,
    original: Option<Mode>,
    /// The head element pointer.
    head: Option<Frame<S::Handle>>,
    /// The form element pointer: no frame of the stack, if that form is not open.
    form: Option<FrameId>,
    /// The form itself, if it is in this tree.
    form_element: Option<S::Handle>,
    frameset_ok: bool,
    fostering: bool,
    /// Whether nodes may go elsewhere than into the current one: by foster parenting, or into patches.
    elsewhere: bool,
    patches: Vec<patches::Open<S::Handle>>,
    quirks: bool,
    scripting: bool,
    shadow_roots: bool,
    /// The groups of a fragment's context.
    context: Option<Group>,
    held: Held,
    selects: Selects<S::Handle>,

    /// The next token, if it begins with a newline, is without that.
    skip_newline: bool,
    /// The tag in hand may close itself.
    acknowledged: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    next_state: Option<InitialState>,
    /// The script that has just ended.
    pub(crate) script: Option<S::Handle>,
    /// The parse errors of the token in hand, if they are to be kept.
    pub(crate) report: bool,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) errors: Vec<ErrorCode>,

    depth: usize,
    copies: Copies,
    /// Tokens read, and elements made.
    tokens: u64,
    made: u64,
    /// Rows applied, those for a run of text counted as one; all other work.
    rules: u64,
    steps: u64,
    /// The last event was a piece of text whose run may go on.
    in_text: bool,
}

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// A construction at the start of a document, or of a fragment.
    pub(crate) fn new(options: &Html, mut sink: S, watch: W) -> Self {
        sink.set_scripting(options.scripting);
        let mut construction = Self {
            schema: &TABLES,
            spaces: NAMESPACES.map(|name| sink.namespace(name)),
            stack: Stack::new(sink.document()),
            sink,
            watch,
            numbers: Numbers::default(),
            formatting: Formatting::new(),
            phase: None,
            original: None,
            head: None,
            form: None,
            form_element: None,
            frameset_ok: true,
            fostering: false,
            elsewhere: false,
            patches: Vec::new(),
            quirks: false,
            scripting: options.scripting,
            shadow_roots: options.shadow_roots,
            context: None,
            held: Held::default(),
            selects: Selects::new(),
            skip_newline: false,
            acknowledged: false,
            next_state: None,
            script: None,
            report: false,
            errors: Vec::new(),
            depth: usize::MAX,
            copies: Copies::default(),
            tokens: 0,
            made: 0,
            rules: 0,
            steps: 0,
            in_text: false,
        };
        if let Some(context) = &options.fragment {
            construction.begin_fragment(context, options.surroundings);
        }
        construction
    }

    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        self.depth = limits.depth;
        self.formatting.limit = limits.depth;
        self.copies.set_limits(limits);
    }

    /// Lets the tree grow by an event.
    #[inline(always)]
    pub(crate) fn take(&mut self, event: &Event<'_>) {
        let skips_newline = core::mem::take(&mut self.skip_newline);
        let in_text = core::mem::take(&mut self.in_text);
        // The pieces of a run are one token, which nothing depends on the length of.
        self.tokens += u64::from(!in_text);
        self.copies.pass(event.length(), in_text);
        match *event {
            Event::Start(ref tag) => self.start(tag),
            Event::End(tag) => {
                let name = self.numbers.name(tag.name());
                self.watch.tag(name.number);
                self.process(Token::end(name));
            }
            Event::Text(text) => {
                let rules = self.rules + u64::from(!in_text);
                self.in_text = text.is_piece();
                let (nulls, text) = (text.may_have_nulls(), text.as_str());
                match text.strip_prefix('\n') {
                    Some(rest) if skips_newline => self.text(rest, nulls),
                    _ => self.text(text, nulls),
                }
                self.rules = rules;
            }
            Event::Comment(comment) => {
                self.process(Token::other(Kind::Comment, Content::Text(comment.as_str())));
            }
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                let content = Content::Instruction { target, data };
                self.process(Token::other(Kind::Comment, content));
            }
            Event::Doctype(doctype) => {
                self.process(Token::other(Kind::Doctype, Content::Doctype(doctype)));
            }
            // These are no tokens.
            _ => self.skip_newline = skips_newline,
        }
    }

    /// A start tag token.
    #[inline]
    fn start(&mut self, tag: &StartTag<'_>) {
        let name = self.numbers.name(tag.name());
        self.watch.tag(name.number);
        self.acknowledged = !tag.is_self_closing();
        self.process(Token::start(name, Content::Tag(tag)));
        if !self.acknowledged {
            self.error(errors::NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS);
        }
    }

    /// A run of characters, taken apart where the rules ask for it.
    #[inline(always)]
    fn text(&mut self, text: &str, nulls: bool) {
        let whole = !self.frameset_ok && !nulls && self.takes_space_as_text();
        match whole && !text.is_empty() {
            true => self.process(Token::other(Kind::Character, Content::Text(text))),
            false => self.text_apart(text),
        }
    }

    /// Whether the rules that apply treat white space as other characters.
    #[inline(always)]
    fn takes_space_as_text(&self) -> bool {
        schema::SPACE_IS_TEXT.contains(&self.insertion_mode())
    }

    /// A run of characters, taken apart.
    #[inline(never)]
    fn text_apart(&mut self, mut text: &str) {
        while let Some(&first) = text.as_bytes().first() {
            let together = self.takes_space_as_text();
            let apart = self.frameset_ok || !together;
            let kind = match first {
                0 => Kind::Null,
                byte if apart && byte.is_ascii_whitespace() => Kind::Space,
                _ => Kind::Character,
            };
            let end = match kind {
                Kind::Null => text.bytes().position(|byte| byte != 0),
                Kind::Space => text.bytes().position(|byte| !byte.is_ascii_whitespace()),
                _ if together => memchr::memchr(0, text.as_bytes()),
                _ => (text.bytes()).position(|byte| byte == 0 || byte.is_ascii_whitespace()),
            };
            let (run, rest) = text.split_at(end.unwrap_or(text.len()));
            self.process(Token::other(kind, Content::Text(run)));
            text = rest;
        }
    }

    /// Aborts the parser: the stack of open elements is emptied, and nothing comes after.
    pub(crate) fn abort(&mut self) {
        while self.stack.depth() > 0 {
            self.pop_any();
        }
    }

    /// The end-of-file token.
    pub(crate) fn end(&mut self) {
        self.process(Token::other(Kind::EndOfFile, Content::Nothing));
    }

    /// What the tokenizer is to know before it goes on.
    pub(crate) fn feedback(&mut self) -> Feedback {
        let cdata = match self.stack.current().foreign_rules {
            Some(Mode::MathTextIntegrationPoint | Mode::HtmlIntegrationPoint)
                if self.formatting.closed_last().is_some() =>
            {
                None
            }
            rules => Some(rules.is_some()),
        };
        let root = self.stack.frames.get(self.stack.root());
        let in_foreign = root.is_some_and(|root| root.foreign_rules.is_some());
        let in_script = self.scripting && self.stack.is_in(schema::SCRIPT);
        let alone = in_foreign || in_script || self.stack.in_scope().meets(FOREIGN);
        Feedback {
            state: self.next_state.take(),
            cdata,
            alone,
        }
    }

    #[inline(always)]
    fn space(&self, space: Space) -> S::Namespace {
        self.spaces[space as usize].clone()
    }

    /// How many elements are open or listed, and how many bytes of text are held back.
    #[inline(always)]
    pub(super) fn held(&self) -> (usize, usize) {
        let listed = self.formatting.list.len();
        (self.stack.depth() + listed, self.held.length())
    }

    /// Reports a parse error.
    #[inline]
    fn error(&mut self, code: ErrorCode) {
        if self.report {
            self.errors.push(code);
        }
    }
}
