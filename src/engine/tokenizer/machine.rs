//! The tokenizer of a dialect: [`StateMachine`] has the state that all tokenizers share, and the dialect's own state
//! ([`StateMachine::own`]). [`Tokenizer`] is the trait through which the parser runs it. Each dialect implements the
//! trait for its `StateMachine`: it supplies its states, and overrides the steps in which it differs.
//!
//! A tokenizer can be suspended after every byte: its whole state is in these registers. All [`BufferOffset`]s are
//! offsets in the buffered text and are rebased when the front of that text is discarded.

use super::keyword::Keyword;
use super::lexer::Lexer;
use super::text_buffer::TextBuffer;
use crate::checkpoint::CheckpointableTokenizer;
use crate::engine::attributes::AttributeNames;
use crate::engine::entity::{Answer, EntityRequest};
use crate::engine::error::ErrorKind;
use crate::engine::event::ParserData;
use crate::engine::event::queue::{Queue, SplitAt};
use crate::engine::event::record::{
    Attr, IMPLIED, IN_CDATA, MORE, Payload, QUOTED, Record, RecordKind, SELF_CLOSING,
};
use crate::engine::event::referred::Referred;
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;
use crate::engine::input::encoding::Encoding;
use crate::engine::input::held_text::HeldText;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::input::sniff::{self, Sniffed};
use crate::engine::input::{Input, Supply};
use crate::engine::limits::{Limit, Limits};
use crate::engine::scan::{ByteClasses, Classes, Set};
use crate::engine::stack::OpenElements;
use crate::engine::text::numeric::Number;
use core::borrow::BorrowMut;
use core::fmt::Debug;
use core::mem::take;

/// A tokenizer. `S` is the type of its states. `R` is the type of the fields that only this dialect has.
#[derive(Clone, Debug)]
pub struct StateMachine<S, R> {
    pub(crate) limits: Limits,
    pub(crate) state: S,
    /// The run of text that was read and is not emitted yet.
    pub(crate) text: TextBuffer,
    /// Offset of the `<` of the unfinished token. [`BufferOffset::NONE`] if no token is unfinished.
    pub(crate) token: BufferOffset,
    /// Start and end of the name of the current tag, as offsets in the buffered text.
    pub(crate) name: BufferOffset,
    pub(crate) name_end: BufferOffset,
    /// The current attribute, as far as it was read. `dropped` is true if the attribute will not be emitted, for
    /// example because its name is a duplicate.
    pub(crate) attribute: Attr,
    pub(crate) dropped: bool,
    /// Hash table of the names of the current tag's attributes, which finds duplicates. Empty unless the tag has many
    /// attributes; the names of fewer attributes are compared one by one.
    pub(crate) names: AttributeNames,
    /// The unfinished value of the current attribute or of another construct.
    pub(crate) value: TextBuffer,
    /// The state to return to after a character reference, the offset of its `&`, and the value of a numeric
    /// reference.
    pub(crate) return_state: S,
    pub(crate) reference: BufferOffset,
    pub(crate) number: Number,
    /// A keyword that is compared byte by byte, and the progress in it.
    pub(crate) keyword: Keyword,
    /// True if the byte before the window is a CR. An LF at the start of the window belongs to the same line end.
    pub(crate) after_cr: bool,
    pub(crate) open: OpenElements,
    pub(crate) dialect: R,
}

impl<S: Copy, R> StateMachine<S, R> {
    /// Creates a tokenizer for the start of an input.
    #[inline(always)]
    pub(crate) fn new(state: S, text: TextBuffer, dialect: R) -> StateMachine<S, R> {
        StateMachine {
            limits: Limits::default(),
            state,
            text,
            token: BufferOffset::NONE,
            name: BufferOffset::ZERO,
            name_end: BufferOffset::ZERO,
            attribute: Attr::EMPTY,
            dropped: false,
            names: AttributeNames::default(),
            value: TextBuffer::NONE,
            return_state: state,
            reference: BufferOffset::NONE,
            number: Number::default(),
            keyword: Keyword::default(),
            after_cr: false,
            open: OpenElements::default(),
            dialect,
        }
    }

    /// Starts a character reference whose `&` was just consumed. After the reference, the tokenizer returns to `state`.
    #[inline(always)]
    pub(crate) fn start_reference<K: Classes>(&mut self, lex: &Lexer<'_, K>, state: S) {
        self.return_state = state;
        self.reference = lex.mark() - 1;
        self.number = Number::default();
    }

    /// Returns the limit that the current attribute exceeds, if any. Its name ends at `end`.
    #[inline(always)]
    pub(crate) fn attribute_limit<K: Classes>(
        &self,
        lex: &Lexer<'_, K>,
        end: BufferOffset,
    ) -> Option<Limit> {
        let count = lex.out.attributes.len() - lex.out.open as usize;
        if (end - self.attribute.name) as usize > self.limits.name {
            Some(Limit::Name)
        } else if count >= self.limits.attributes {
            Some(Limit::Attributes)
        } else {
            None
        }
    }

    /// Starts the value of the current attribute at `mark`.
    #[inline(always)]
    pub(crate) fn start_value(&mut self, mark: BufferOffset, quoted: u32) {
        self.attribute.raw = mark;
        self.attribute.flags |= quoted;
        // The value of a dropped attribute is not decoded.
        self.value = match self.dropped {
            true => TextBuffer::NONE,
            false => TextBuffer::at(mark),
        };
    }

    /// Ends the value of the current attribute at `end`. Returns whether the attribute is kept.
    #[inline(always)]
    pub(crate) fn finish_value<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        end: BufferOffset,
    ) -> bool {
        self.attribute.raw_end = end;
        if self.dropped {
            return false;
        }
        if let Str::Cleaned(value) = lex.finish(&mut self.value, end) {
            self.attribute.set_value(value);
        }
        self.value.start = BufferOffset::NONE;
        true
    }

    /// Emits a start tag with all attributes read so far. If `record` has the flag [`SELF_CLOSING`], its end tag
    /// follows.
    #[inline(always)]
    pub(crate) fn push_start<K: Classes>(&mut self, lex: &mut Lexer<'_, K>, record: Record) {
        let end = lex.out.attributes.len() as u32;
        let payload = Payload::attributes(lex.out.open, end);
        lex.emit(Record { payload, ..record });
        if record.flags & SELF_CLOSING != 0 {
            let end = Record {
                kind: RecordKind::End,
                start: record.end,
                ..record
            };
            lex.emit(end);
        }
        self.end_attributes(lex);
    }

    /// Marks all attributes in the queue as belonging to complete tags.
    #[inline(always)]
    pub(crate) fn end_attributes<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        self.names.clear();
        lex.out.open = lex.out.attributes.len() as u32;
        lex.out.unfinished = lex.out.scratch_end();
    }

    /// Emits an end tag that has no name in the input, such as `</>`. The event gets the name of the current element.
    pub(crate) fn push_nameless_end<K: Classes>(&self, lex: &mut Lexer<'_, K>, record: Record) {
        let name = lex.clean(self.open.current_name());
        lex.out.unfinished = name.end;
        lex.emit(record.cleaned(name));
    }

    /// Emits an end event for the current element, for which the input has no end tag, at the offset `at`. `namespace`
    /// is the index of the element's namespace.
    pub(crate) fn push_implied_end<K: Classes>(
        &self,
        lex: &mut Lexer<'_, K>,
        at: BufferOffset,
        namespace: u32,
    ) {
        let record = Record {
            flags: IMPLIED,
            namespace,
            ..Record::new(RecordKind::End, at, at)
        };
        self.push_nameless_end(lex, record);
    }

    /// Marks the value of the current attribute as not quoted, because its closing quote is missing.
    pub(crate) fn unquote(&mut self) {
        self.attribute.flags &= !QUOTED;
    }

    fn rebase(&mut self, by: u32) {
        self.text.rebase(by);
        self.value.rebase(by);
        if !self.token.is_none() {
            self.token -= by;
        }
        for mark in [&mut self.name, &mut self.name_end, &mut self.reference] {
            *mark = mark.rebased(by);
        }
        self.attribute.rebase(by);
    }
}

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

/// The tokenizer of a dialect. It can be suspended and cloned at every byte.
///
/// A dialect implements the trait for its [`StateMachine`], which the supertrait `BorrowMut` makes accessible to the
/// provided methods.
pub trait Tokenizer:
    BorrowMut<StateMachine<<Self as Tokenizer>::State, <Self as Tokenizer>::Dialect>>
    + CheckpointableTokenizer
    + Clone
    + Debug
    + Send
    + Sync
    + 'static
{
    type Classes: Classes;

    /// The type of the dialect's states: an enum with one variant for each state of the specification.
    type State: Copy + Debug;

    /// The type of the fields that only this dialect has.
    type Dialect;

    /// Returns the state machine that this tokenizer is.
    #[inline(always)]
    fn machine(&self) -> &StateMachine<Self::State, Self::Dialect> {
        self.borrow()
    }

    /// Returns the state machine that this tokenizer is.
    #[inline(always)]
    fn machine_mut(&mut self) -> &mut StateMachine<Self::State, Self::Dialect> {
        self.borrow_mut()
    }

    /// Sets the limits.
    fn set_limits(&mut self, limits: &Limits) {
        let machine = self.machine_mut();
        machine.limits = *limits;
        machine.open.set_limits(limits.depth, limits.memory);
        self.limits_changed(limits);
    }

    /// Takes over the buffers of `other`, a tokenizer whose document has ended. Called on a new tokenizer before any
    /// other method.
    fn reuse_buffers(&mut self, other: &mut Self) {
        self.machine_mut()
            .open
            .inherit(&mut other.machine_mut().open);
    }

    /// Sets the constants that switch algorithms of the dialect.
    #[cfg(feature = "inspect")]
    fn set_sizes(&mut self, _sizes: &Sizes) {}

    /// Detects the encoding from a prefix of the input, which grows from call to call. `finished` is true if no longer
    /// prefix will follow. By default, the encoding is UTF-8.
    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff::utf8(prefix, finished)
    }

    /// Returns whether the encoding may still change: the standard's "confidence".
    fn confidence(&self) -> Confidence {
        Confidence::Certain
    }

    /// Sets the encoding without detection. Called if the input is a string.
    fn set_encoding(&mut self, sniffed: Sniffed) {
        let _ = sniffed;
    }

    /// Tokenizes the window until it ends or the queue is full. `eof` says that the end of the input follows the
    /// window.
    #[inline(always)]
    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        while self.prepare(input, out, eof) {
            let mut lex = Lexer::over(input.view(), eof, &mut *out);
            let after_cr = &mut self.machine_mut().after_cr;
            if lex.left() > 0 && take(after_cr) && lex.peek() == Some(b'\n') {
                lex.skip(1);
                self.line_feed_after(&mut lex);
            }
            let (at, again) = self.states(lex);
            let taken = input.took(at);
            out.work.states += taken as u64 + u64::from(again);
            if !self.runs_on() {
                return;
            }
        }
    }

    /// Runs states until one suspends. Returns [`Cursor::done`](super::cursor::Cursor::done) of the lexer: the index
    /// of the next byte in the chunk, and the number of bytes read more than once.
    fn states(&mut self, lex: Lexer<'_, Self::Classes>) -> (usize, u32);

    /// Returns whether the end of the input was consumed and all events are emitted.
    fn is_finished(&self) -> bool;

    /// Reports the ill-formed sequences in the window, before the window is tokenized.
    fn report_ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let lex = &mut Lexer::over(input.view(), false, out);
        for (start, end) in input.ill_formed() {
            self.ill_formed(lex, start, end);
            if lex.out.fatal.is_some() {
                break;
            }
        }
    }

    /// Reports an ill-formed sequence. Its U+FFFD is at `start..end`, and all characters before it in the window are
    /// consumed without a change of state (see [`run_terminators`](Tokenizer::run_terminators)).
    fn ill_formed(
        &mut self,
        lex: &mut Lexer<'_, Self::Classes>,
        start: BufferOffset,
        end: BufferOffset,
    );

    /// Returns the class of bytes that ends the current run of text, as an index into [`Classes::SETS`]. The current
    /// state consumes all other bytes, and U+FFFD, without a change of state. Returns `None` in all states that do not
    /// consume a run.
    fn run_terminators(&self) -> Option<usize> {
        None
    }

    /// Returns the bytes that end the raw text in which the tokenizer is, such as the text of a script. The current
    /// state consumes all other bytes without a change of state. Returns `None` in states that do not read raw text, and
    /// in states with so many terminators that masks are faster.
    fn raw_terminators(&self) -> Option<&'static Set> {
        None
    }

    /// Returns whether the tokenizer is in raw text of which everything before `taken` was emitted. A window of such text
    /// can then be passed without running the tokenizer: only the start of its text changes.
    #[cfg(feature = "select")]
    fn is_between_raw_pieces(&self, taken: BufferOffset) -> bool {
        let _ = taken;
        false
    }

    /// Returns the offset up to which the input is text even if the unfinished token turns out not to be markup.
    /// Assumes that everything before `mark` was consumed.
    fn certain(&self, mark: BufferOffset) -> BufferOffset;

    /// Returns the offset up to which the input is certainly text: everything before `mark` was consumed, and the
    /// unfinished token, if any, is not counted as text.
    fn certain_text(&self, mark: BufferOffset) -> BufferOffset {
        self.certain(mark.min(self.machine().token))
    }

    /// Returns true if the current state appends to the run of text (the field `text`), and false if it appends to any
    /// other string (the field `value`), such as an attribute value or a comment.
    fn is_in_text(&self) -> bool {
        false
    }

    /// Returns true if the current state reads the content of a CDATA section of the input.
    fn is_in_cdata(&self) -> bool {
        false
    }

    /// Returns true if a run of text has begun and not ended, though its text so far may be empty.
    fn has_text(&self) -> bool {
        !self.machine().text.is_none()
    }

    /// Returns the first offset in the buffered text that the tokenizer still needs, at most `end`.
    fn keep(&self, end: BufferOffset) -> BufferOffset {
        let machine = self.machine();
        end.min(machine.text.start).min(machine.token)
    }

    /// Returns the start of the unfinished token, or [`BufferOffset::NONE`] if no token is unfinished. Until a token is
    /// complete, its bytes may still turn out to be text.
    fn token(&self) -> BufferOffset {
        self.machine().token
    }

    /// Returns an offset in the buffered text such that the tokens that are not emitted yet start at or after it.
    /// Everything before `taken` was consumed.
    fn earliest(&self, taken: BufferOffset) -> BufferOffset {
        self.keep(taken).min(self.token())
    }

    /// Returns the start of the earliest event that is delayed until a later batch, as an offset in the input.
    /// `u64::MAX` if no event is delayed.
    fn earliest_delayed(&self) -> u64 {
        u64::MAX
    }

    /// Returns the start of the earliest event of the current batch that was delayed, so that it follows events of the
    /// batch that start later: an offset in the input, and an offset in the buffered text, of which the smaller one is
    /// meant. Both have their maximum if there is no such event. Events before the given index of the batch are not
    /// considered.
    fn earliest_released(&self, _: usize) -> (u64, BufferOffset) {
        (u64::MAX, BufferOffset::NONE)
    }

    /// Returns the byte classes of the next window. They differ from [`Self::Classes`](Tokenizer::Classes) in dialects
    /// with two sets of classes, whose masks have the same layout.
    fn classes(&self) -> ByteClasses {
        ByteClasses::of::<Self::Classes>()
    }

    /// Called before the input makes the next window.
    fn before_window(&mut self, input: &mut Input, out: &mut Queue) {
        let _ = (input, out);
    }

    /// Called before the buffered text up to the offset `to` is discarded. Values that hold offsets in that text, and
    /// are needed later, get positions in the input instead.
    fn before_discard(&mut self, text: &HeldText<'_>, to: BufferOffset) {
        self.machine_mut().open.before_discard(text, to);
    }

    /// Called after the input has made the next window, or has found that there is none.
    fn after_window(&mut self, input: &Input, out: &Queue, supply: Supply) {
        let _ = (input, out, supply);
    }

    /// Subtracts `by` from all offsets in the buffered text, after that many bytes were discarded from its front.
    fn rebase_all(&mut self, by: u32) {
        if by > 0 {
            self.machine_mut().rebase(by);
            self.rebase(by);
        }
    }

    /// Subtracts `by` from the offsets in the dialect's own state, after that many buffered bytes were discarded.
    fn rebase(&mut self, by: u32) {
        let _ = by;
    }

    /// Subtracts `by` from all offsets into the scratch buffer, after that many bytes were discarded from its front.
    fn rebase_all_scratch(&mut self, by: u32) {
        let machine = self.machine_mut();
        machine.text.rebase_scratch(by);
        machine.value.rebase_scratch(by);
        machine.attribute.rebase_scratch(by);
        self.rebase_scratch(by);
    }

    /// Subtracts `by` from the dialect's own offsets into the scratch buffer.
    fn rebase_scratch(&mut self, by: u32) {
        let _ = by;
    }

    /// Aborts the parse: no end-of-file token is emitted.
    fn abort(&mut self) {}

    /// True if an event may be delivered with a later batch than the one in which its token was read, as in balanced
    /// HTML.
    const RETAINS_EVENTS: bool = false;

    /// Called after each run, before its events are delivered. Balanced HTML replaces the batch by events of a tree
    /// here.
    #[inline(always)]
    fn balance_batch(&mut self, data: &mut ParserData) {
        let _ = data;
    }

    /// Returns the number of open elements after the events emitted so far, if events are nested.
    fn depth(&self) -> u64 {
        self.machine().open.len() as u64
    }

    /// Returns the name of the innermost open element, or an empty string if no element is open.
    fn innermost(&self) -> &str {
        self.machine().open.current_name()
    }

    /// Called when the limits are set.
    #[inline(always)]
    fn limits_changed(&mut self, limits: &Limits) {
        let _ = limits;
    }

    /// Called after an LF was consumed at the start of a window, if the window before it ended with a CR. Both belong
    /// to one line end.
    fn line_feed_after(&mut self, lex: &mut Lexer<'_, Self::Classes>) {
        let _ = lex;
    }

    /// Prepares a run of the states, for example by parsing the replacement text of referenced entities first. Returns
    /// whether the states can run.
    fn prepare(&mut self, input: &mut Input, out: &mut Queue, eof: bool) -> bool {
        let _ = (input, out, eof);
        true
    }

    /// Returns whether the states have to run again in the same window. This is the case if they were suspended
    /// because the replacement text of an entity has to be read first, and not because the window has ended.
    fn runs_on(&self) -> bool {
        false
    }

    /// Ends the run of text at `end` and emits it.
    fn end_text(&mut self, lex: &mut Lexer<'_, Self::Classes>, end: BufferOffset);

    /// Ends the parse with an error at the range `at`. All text before that range has been emitted already.
    fn fail_at(
        &mut self,
        lex: &mut Lexer<'_, Self::Classes>,
        kind: ErrorKind,
        at: (BufferOffset, BufferOffset),
    ) {
        lex.out.fail(kind, at.0, at.1);
    }

    /// Emits the part of the current run of text that is certainly text. `more` is true if the run may continue after
    /// it.
    fn flush_certain_text(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let lex = &mut Lexer::over(input.view(), false, out);
        let until = self.certain_text(lex.mark());
        let mut flags = if more { MORE } else { 0 };
        if lex.out.settings.splits_at(SplitAt::Section) && self.is_in_cdata() {
            flags |= IN_CDATA;
        }
        if lex.out.settings.splits_at_markup {
            let ends_with_cr = self.machine().after_cr && self.is_in_text() && until == lex.mark();
            if more && ends_with_cr && self.may_split_text() {
                return self.flush_before_cr(lex, until, flags);
            }
        }
        let text = &self.machine().text;
        if text.start < until && !text.is_empty(until) {
            self.flush(lex, until, flags);
        }
    }

    /// Emits the current run of text up to the CR that was consumed last. The CR stays in the run, so that it is in the
    /// same piece as an LF after it.
    #[cold]
    fn flush_before_cr(
        &mut self,
        lex: &mut Lexer<'_, Self::Classes>,
        end: BufferOffset,
        flags: u8,
    ) {
        let text = &mut self.machine_mut().text;
        // The CR may precede the text: in Sky, it can end the signature.
        if text.start >= end {
            return;
        }
        let at = end - 1;
        if text.start >= at || !text.take_back(lex.out, at, end, '\n') {
            return;
        }
        if !text.is_empty(at) {
            self.flush_before_markup(lex, at, flags);
        }
        let text = &mut self.machine_mut().text;
        *text = TextBuffer::at(at);
        lex.replace(text, at, end, "\n");
    }

    /// Returns false if it is not known yet whether the current run of text becomes an event, so that it cannot be
    /// emitted in pieces.
    fn may_split_text(&self) -> bool {
        true
    }

    /// Emits the current run of text up to the offset `until`, which is not empty, before markup at which text is split,
    /// or before a newline. The caller starts the next piece. `flags` are the flags of the record.
    fn flush_before_markup(
        &mut self,
        lex: &mut Lexer<'_, Self::Classes>,
        until: BufferOffset,
        flags: u8,
    ) {
        self.flush(lex, until, flags);
    }

    /// Emits the current run of text up to the offset `until`, which is not empty. `flags` are the flags of the record:
    /// [`MORE`] if the run may continue, and [`IN_CDATA`] if the text is in a CDATA section.
    fn flush(&mut self, lex: &mut Lexer<'_, Self::Classes>, until: BufferOffset, flags: u8);

    /// Returns whether the tokenizer waits for its host, for example to run a script.
    fn is_paused(&self) -> bool {
        false
    }

    /// Returns whether the tokenizer can continue without more input, for example because the text of an entity is not
    /// consumed yet.
    fn is_busy(&self) -> bool {
        false
    }

    /// Returns the external entity that the program has to supply next, if any.
    fn requested_entity(&self) -> Option<&EntityRequest> {
        None
    }

    /// Supplies the requested external entity.
    fn answer_entity(&mut self, answer: Answer) {
        let _ = answer;
    }
}

impl<S: Copy, R> StateMachine<S, R>
where
    StateMachine<S, R>: Tokenizer,
{
    /// If text is split at markup of this kind: ends the current piece of text before the offset `from`, and begins the
    /// next piece at the offset `to`. The markup between the offsets is in no piece. `flags` is [`IN_CDATA`] if the piece
    /// is in a CDATA section, otherwise 0.
    ///
    /// Otherwise does nothing. Returns whether text is split at such markup.
    pub(crate) fn split_text<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        at: SplitAt,
        (from, to): (BufferOffset, BufferOffset),
        flags: u8,
    ) -> bool
    where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        if !lex.out.settings.splits_at(at) || !self.may_split_text() {
            return false;
        }
        lex.aside(|lex| self.split_text_cold(lex, (from, to), flags));
        true
    }

    #[cold]
    #[inline(never)]
    fn split_text_cold<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        (from, to): (BufferOffset, BufferOffset),
        flags: u8,
    ) where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        if self.text.is_none() {
            return;
        }
        if self.text.start < from && !self.text.is_empty(from) {
            self.flush_before_markup(lex, from, MORE | flags);
        }
        self.text = TextBuffer::at(to);
    }

    /// Excludes a range, which is a token of its own such as a comment, from the current run of text. The run continues
    /// after the range.
    pub(crate) fn leave_out<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        from: BufferOffset,
        to: BufferOffset,
    ) where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        if !self.split_text(lex, SplitAt::Markup, (from, to), 0) {
            match self.text.is_empty(from) {
                true => self.text = TextBuffer::at(to),
                false => lex.leave_out(&mut self.text, from, to),
            }
        }
        self.token = BufferOffset::NONE;
    }

    /// Returns the string that the current state appends to: the run of text or the value.
    #[inline]
    pub(crate) fn string(&mut self) -> &mut TextBuffer {
        match self.is_in_text() {
            true => &mut self.text,
            false => &mut self.value,
        }
    }

    /// Handles a CR in text or in a value: the CR, and an LF after it, become one LF.
    #[cold]
    #[inline(never)]
    pub(crate) fn carriage_return<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        let at = lex.mark() - 1;
        let next = lex.peek();
        if next == Some(b'\n') {
            lex.skip(1);
            match self.is_in_text() {
                true => lex.remove(&mut self.text, at, at + 1),
                // Always make a copy: an attribute refers to its source or to a copy, but `remove` would only move
                // the start of the value.
                false => lex.replace(&mut self.value, at, at + 2, "\n"),
            }
        } else {
            lex.replace(self.string(), at, at + 1, "\n");
            self.after_cr = next.is_none();
        }
    }

    /// Removes the LF that was just consumed from the current string.
    #[cold]
    pub(crate) fn drop_line_feed<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        let end = lex.mark();
        lex.replace(self.string(), end - 1, end, "");
    }

    /// Ends the parse with an error at `start..end`, after the text read so far is emitted. Only the first error
    /// counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_parse<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        kind: ErrorKind,
        start: BufferOffset,
        end: BufferOffset,
    ) where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        if lex.out.fatal.is_none() {
            let until = self.certain_text(start);
            if self.is_in_cdata() {
                self.split_text(lex, SplitAt::Section, (until, until), IN_CDATA);
            }
            self.end_text(lex, until);
            self.fail_at(lex, kind, (start, end));
        }
        lex.suspend();
    }

    /// Ends the parse with an error at `start..end` that refers to another place in the document.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_parse_about<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        kind: ErrorKind,
        (start, end): (BufferOffset, BufferOffset),
        referred: Option<Referred>,
    ) where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        let is_first = lex.out.fatal.is_none();
        self.end_parse(lex, kind, start, end);
        if is_first
            && referred.is_some()
            && let Some(fatal) = &mut lex.out.fatal
        {
            fatal.referred = referred;
        }
    }

    /// Ends the parse because `start..end` exceeds a limit.
    #[inline(always)]
    pub(crate) fn exceed<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        limit: Limit,
        start: BufferOffset,
        end: BufferOffset,
    ) where
        StateMachine<S, R>: Tokenizer<Classes = K>,
    {
        lex.aside(|lex| self.end_parse(lex, ErrorKind::Limit(limit), start, end));
    }
}

crate::checkpoint::checkpointable! {
    struct StateMachine<S, R> {
        limits, state, text, token, name, name_end, attribute, dropped, value, return_state,
        reference, number, keyword, after_cr, open, dialect
        ; skip names = Default::default()
    }
}
