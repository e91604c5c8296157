//! HTML's tree construction: turns tokens into a tree, by the rules of the standard.
//!
//! [`TreeConstruction`] calls the methods of a [`TreeSink`], which builds the tree, and reports changes of the stack
//! of open elements to an observer ([`StackObserver`]).
//!
//! # How a token is processed
//!
//! The effect of a token in each context is a row in a rule table of `schema.rs`. The notation of rows is documented
//! in `notation.rs`. The row is found in two steps:
//!
//! 1. The table. If the current node is an element of SVG or MathML, the table is `Foreign`, or, if the content of
//!    that node may be HTML, `MathTextIntegrationPoint`, `AnnotationXml` or `HtmlIntegrationPoint`. Otherwise, it is
//!    the mode that a row has entered and no row has left (`HoldsText`, `HoldText`, `Enter`). Otherwise, it is the
//!    mode in `STANDS_FOR` of the nearest open element that is listed there. `Turn` replaces that mode for one
//!    element.
//! 2. The row. It is the first row in the table that is for the token and whose guards are true. `As`, `AsHtml` and
//!    `Foster` continue in another table, `Reprocess` with step 1.
//!
//! For most tokens, `plans.rs` has the result of this search, derived from the rows at compile time.
//!
//! Three examples:
//!
//! - `<td>` after `<table><tr><td>a`. The element `td` determines the mode `InCell`. Its row `start(TABLE_PARTS)`
//!   closes the cell that is in table scope and reprocesses the token. Now `tr` determines the mode `InRow`, whose
//!   row `start(CELLS)` inserts the element and a marker.
//! - `</p>` after `<svg><desc>`. The element `desc` is an HTML integration point. The row `ANY` of
//!   `HtmlIntegrationPoint` continues in `Foreign`, where the row with `close!(Br P)` reports a parse error, pops
//!   nothing, because the content of `desc` may be HTML, and continues in the insertion mode. `body` determines it:
//!   `InBody`. No `p` is in button scope, so the first row of `close!(P)` inserts one.
//! - `x` after `<table>`. The element `table` determines the mode `InTable`. Its row `TEXT` enters `InTableText`,
//!   because the current node is in the group `HOLDS_TEXT`. There, the row `TEXT` stores the characters. The next
//!   token that is not text matches the row `ANY`: `table_text.rs` inserts the characters before the table by the rules of
//!   `InBody`, and that token is reprocessed.

mod act;
mod adoption;
pub(super) mod attribute_names;
#[cfg(feature = "tree")]
mod batch;
pub(crate) mod copies;
mod doctypes;
pub(super) mod elements;
pub(super) mod foreign;
pub(super) mod formatting;
mod forms;
mod fragment;
mod insertion_point;
#[cfg(feature = "inspect")]
mod inspect;
mod modes;
mod noahs_ark;
pub(super) mod notation;
pub(super) mod numbers;
mod patches;
mod plans;
mod quirks;
mod rules;
pub(super) mod schema;
mod selected;
mod selects;
mod shadow;
pub(super) mod stack;
pub(crate) mod stack_observer;
mod state;
mod table_text;
#[cfg(test)]
mod tests;
#[cfg(feature = "inspect")]
mod token_text;
mod trace;
#[cfg(any(test, feature = "inspect"))]
mod wording;

use super::errors;
use super::feedback::Feedback;
use super::options::Html;
use crate::dialects::html::construct::rules::{Content, Token};
use crate::dialects::html::names::Space;
use crate::engine::error::ErrorCode;
use crate::engine::event::{Event, EventSink, Holder, ParserData, StartTag, Text};
use crate::engine::limits::Limits;
use crate::tree::{TreeSink, TreeSize};
use alloc::vec::Vec;
use copies::Copies;
use formatting::Formatting;
#[cfg(feature = "inspect")]
pub use inspect::AppliedRow;
use modes::Mode;
use numbers::{Name, Numbers};
pub(super) use quirks::quirks_mode;
use rules::TokenKind;
use schema::{FOREIGN, TABLES};
use selects::Selects;
use stack::Stack;
use stack_observer::StackObserver;
pub(crate) use state::TreeConstruction;
use state::{
    Counts, DocumentFlags, ElementPointers, Modes, NAMESPACES, Options, ParseErrors,
    PendingTableText, Placement, TokenState,
};
use trace::Trace;

impl<S: TreeSink, W: StackObserver> EventSink for TreeConstruction<S, W> {
    /// Processes an event of the tokenizer.
    #[inline(always)]
    fn take(&mut self, event: &Event<'_>) {
        match *event {
            Event::Text(text) => return self.take_text(text, text.as_str(), event.length()),
            // Events that are no tokens count as nothing.
            Event::ParseError(_) | Event::EncodingChange(_) => return,
            _ => {}
        }
        self.begin_token(event.length());
        match *event {
            Event::Start(ref tag) => {
                let name = self.numbers.name_within(tag.part.first_in());
                self.start(tag, name);
            }
            Event::End(tag) => {
                let name = self.numbers.name_within(tag.part.first_in());
                self.end_tag(name);
            }
            Event::Comment(comment) => {
                self.process(Token::other(
                    TokenKind::Comment,
                    Content::Text(comment.as_str()),
                ));
            }
            Event::ProcessingInstruction(instruction) => {
                let (target, data) = (instruction.target(), instruction.data());
                let content = Content::Instruction { target, data };
                self.process(Token::other(TokenKind::Comment, content));
            }
            Event::Doctype(doctype) => {
                self.process(Token::other(TokenKind::Doctype, Content::Doctype(doctype)));
            }
            // HTML has no other events.
            _ => {}
        }
    }
}

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Creates the tree construction for the start of a document or a fragment.
    pub(crate) fn new(options: &Html, mut sink: S, observer: W) -> Self {
        sink.set_scripting(options.scripting);
        let mut construction = Self {
            schema: &TABLES,
            spaces: NAMESPACES.map(|name| sink.namespace(name)),
            stack: Stack::new(sink.document()),
            sink,
            observer,
            numbers: Numbers::default(),
            options: Options {
                scripting: options.scripting,
                shadow_roots: options.shadow_roots,
                context: None,
                max_depth: usize::MAX,
            },
            formatting: Formatting::new(),
            pointers: ElementPointers {
                head: None,
                form: None,
                form_element: None,
            },
            modes: Modes::default(),
            flags: DocumentFlags {
                frameset_ok: true,
                quirks: false,
            },
            placement: Placement {
                is_fostering: false,
                is_elsewhere: false,
                patches: Vec::new(),
            },
            table_text: PendingTableText::default(),
            selects: Selects::new(),
            script: None,
            token: TokenState::default(),
            size_before_run: TreeSize::default(),
            parse_errors: ParseErrors::default(),
            copies: Copies::default(),
            counts: Counts::default(),
            trace: Trace::default(),
        };
        if let Some(context) = &options.fragment {
            construction.begin_fragment(context, options.surroundings);
        }
        construction
    }

    /// Sets the depth limit and the limit on copies from the limits of the parser.
    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        self.options.max_depth = limits.depth;
        self.formatting.limit = limits.depth;
        self.copies.set_limits(limits);
    }

    /// Called for a token that is no text. `length` is the length of its source in bytes.
    #[inline(always)]
    fn begin_token(&mut self, length: u32) {
        // A run of text before the token has ended. The last piece of the run may not be marked as the last, because a
        // piece at the end of a chunk is marked as if more text followed.
        (self.token.skips_newline, self.token.is_in_text) = (false, false);
        self.counts.tokens += 1;
        self.copies.pass(length, false);
    }

    /// Processes a run of text, whose characters are `characters`.
    #[inline(always)]
    fn take_text(&mut self, text: Text<'_>, characters: &str, length: u32) {
        if text.is_piece() || self.token.is_in_text {
            return self.take_piece(text, length);
        }
        self.counts.tokens += 1;
        self.copies.pass(length, false);
        let rules = self.counts.rules + 1;
        self.take_characters::<false>(characters, text.may_have_nulls());
        self.counts.rules = rules;
    }

    /// Processes a piece of a run of text. The pieces count as one token, so that no counter depends on how the input was
    /// split.
    #[cold]
    #[inline(never)]
    fn take_piece(&mut self, text: Text<'_>, length: u32) {
        let in_text = core::mem::replace(&mut self.token.is_in_text, text.is_piece());
        self.counts.tokens += u64::from(!in_text);
        self.copies.pass(length, in_text);
        if !in_text {
            self.size_before_run = self.sink.size();
        }
        let rules = self.counts.rules + u64::from(!in_text);
        self.take_characters::<true>(text.as_str(), text.may_have_nulls());
        self.counts.rules = rules;
    }

    #[inline(always)]
    fn take_characters<const IS_PIECE: bool>(&mut self, text: &str, nulls: bool) {
        let skips_newline = core::mem::take(&mut self.token.skips_newline);
        self.observer.token_text(text);
        match text.strip_prefix('\n') {
            Some(rest) if skips_newline => {
                // Tags that the text implies are after the newline.
                self.observer.text_part(rest);
                self.text::<IS_PIECE>(rest, nulls);
            }
            _ => self.text::<IS_PIECE>(text, nulls),
        }
    }

    /// Processes a start tag, whose name is `name`.
    #[inline]
    fn start(&mut self, tag: &StartTag<'_>, name: Name<'_>) {
        self.observer.tag(name.number);
        self.token.is_acknowledged = !tag.is_self_closing();
        if !self.start_by_plan(name, tag) {
            self.process(Token::start(name, Content::Tag(tag)));
        }
        if !self.token.is_acknowledged {
            self.error(errors::NON_VOID_HTML_ELEMENT_START_TAG_WITH_TRAILING_SOLIDUS);
        }
    }

    /// Processes an end tag, whose name is `name`.
    #[inline(always)]
    fn end_tag(&mut self, name: Name<'_>) {
        self.observer.tag(name.number);
        if !self.end_by_plan(name) {
            self.process(Token::end(name));
        }
    }

    /// Processes a run of text, split into runs of U+0000, whitespace and other characters if the rules distinguish
    /// them.
    #[inline(always)]
    fn text<const IS_PIECE: bool>(&mut self, text: &str, nulls: bool) {
        let whole = !self.flags.frameset_ok && !nulls && self.takes_space_as_text();
        if !whole || text.is_empty() {
            return self.text_apart(text);
        }
        if IS_PIECE {
            self.token.last_part.0 = TokenKind::Character;
        }
        if !self.text_by_plan(text) {
            self.process(Token::other(TokenKind::Character, Content::Text(text)));
        }
    }

    /// Returns whether only a part of the next text may be inserted at one place. `nulls` is true if it contains U+0000.
    pub(super) fn may_split_text(&self, nulls: bool) -> bool {
        self.token.skips_newline || self.flags.frameset_ok || nulls || !self.takes_space_as_text()
    }

    /// Returns whether the rules of the current insertion mode treat whitespace like other characters.
    #[inline(always)]
    fn takes_space_as_text(&self) -> bool {
        schema::SPACE_IS_TEXT.contains(&self.insertion_mode())
    }

    /// Splits a run of text into runs of U+0000, of whitespace and of other characters, and processes each as a token.
    #[inline(never)]
    fn text_apart(&mut self, mut text: &str) {
        while let Some(&first) = text.as_bytes().first() {
            let together = self.takes_space_as_text();
            let apart = self.flags.frameset_ok || !together;
            let kind = match first {
                0 => TokenKind::Null,
                byte if apart && byte.is_ascii_whitespace() => TokenKind::Space,
                _ => TokenKind::Character,
            };
            let end = match kind {
                TokenKind::Null => text.bytes().position(|byte| byte != 0),
                TokenKind::Space => text.bytes().position(|byte| !byte.is_ascii_whitespace()),
                _ if together => memchr::memchr(0, text.as_bytes()),
                _ => (text.bytes()).position(|byte| byte == 0 || byte.is_ascii_whitespace()),
            };
            let (run, rest) = text.split_at(end.unwrap_or(text.len()));
            self.observer.text_part(run);
            self.process(Token::other(kind, Content::Text(run)));
            if !self.parse_errors.codes.is_empty() {
                // Adjacent parts of a piece have different kinds. So this part may continue that of the piece before.
                let is_known = (kind, self.counts.tokens) == self.token.last_part;
                self.observer
                    .part_errors(&mut self.parse_errors.codes, is_known);
            }
            self.token.last_part = (kind, self.counts.tokens);
            if self.observer.measures_parts() {
                let (retained, is_stored) = (self.retained(), self.is_storing_text());
                self.observer.part_ended(run, retained, is_stored);
            }
            text = rest;
        }
    }

    /// Must be called at the end of each batch of tokens, while `data` still contains the batch. Resolves references to
    /// the strings of the batch.
    #[inline(always)]
    pub(crate) fn end_batch(&mut self, data: &ParserData) {
        self.formatting.end_batch(Holder::Parser(data));
    }

    /// Aborts the parser: empties the stack of open elements. No further token may follow.
    pub(crate) fn abort(&mut self) {
        while self.stack.depth() > 0 {
            self.pop_any();
        }
    }

    /// Processes the end-of-file token.
    pub(crate) fn end(&mut self) {
        self.process(Token::other(TokenKind::EndOfFile, Content::Nothing));
    }

    /// Returns the information that the tokenizer needs before it continues: see [`Feedback`].
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
        let in_script = self.options.scripting && self.stack.is_in(schema::SCRIPT);
        let alone = in_foreign || in_script || self.stack.in_scope().meets(FOREIGN);
        Feedback {
            state: self.token.next_state.take(),
            cdata,
            alone,
        }
    }

    /// Returns the sink's handle of a namespace.
    #[inline(always)]
    fn space(&self, space: Space) -> S::Namespace {
        self.spaces[space as usize].clone()
    }

    /// Returns the number of bytes that the observer counts for the open elements and for the entries in the list of active
    /// formatting elements, and the number of bytes of text in a table that is not inserted yet. Both depend only on the
    /// tokens that were processed.
    #[inline(always)]
    pub(crate) fn retained(&self) -> usize {
        let open = self.stack.depth() * W::ELEMENT_BYTES as usize;
        open + self.formatting.bytes + self.table_text.length()
    }

    /// Returns the number of elements that are open or in the list of active formatting elements, and the number of bytes
    /// of text in a table that is not inserted yet.
    #[inline(always)]
    pub(crate) fn unfinished(&self) -> (usize, usize) {
        let listed = self.formatting.list.len();
        (self.stack.depth() + listed, self.table_text.length())
    }

    /// Returns whether text of a table is being stored.
    pub(crate) fn is_storing_text(&self) -> bool {
        self.insertion_mode() == Mode::InTableText
    }

    /// Adds a parse error to the errors of the current token, if parse errors are reported.
    #[inline]
    fn error(&mut self, code: ErrorCode) {
        if self.parse_errors.are_reported {
            self.parse_errors.codes.push(code);
        }
    }
}
