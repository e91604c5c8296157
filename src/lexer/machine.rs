//! The machine of a dialect: the registers that all have, with the actions on them alone, and what the
//! parser asks of it. What is the dialect's own it has in [`own`](StateMachine::own), and in [`Lexing`].

use super::{Keyword, Lexer, TextBuffer};
use crate::attributes::AttributeNames;
use crate::dialect::{Answer, Confidence, Lasting, Machine};
use crate::entity::EntityRequest;
use crate::error::ErrorKind;
use crate::event::Held;
use crate::event::record::{
    Attr, IMPLIED, Kind, MORE, Payload, QUOTED, Queue, Record, SELF_CLOSING,
};
use crate::event::referred::Referred;
use crate::event::strings::Str;
use crate::input::Mark;
use crate::input::sniff::{self, Sniffed};
use crate::input::{Advance, Input};
use crate::limits::{Limit, Limits};
#[cfg(feature = "checkpoints")]
use crate::saved::CheckpointError;
use crate::scan::Classes;
use crate::stack::OpenElements;
use crate::text::numeric::Number;
#[cfg(feature = "checkpoints")]
use alloc::vec::Vec;
use core::fmt::Debug;
use core::mem::take;

/// A state machine: `S` are its states, `R` the registers that no other dialect has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct StateMachine<S, R> {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) limits: Limits,
    pub(crate) state: S,
    /// The characters of the content that are not yet handed out: one run.
    pub(crate) text: TextBuffer,
    /// The `<` of the token being read.
    pub(crate) token: Mark,
    /// The name of a tag.
    pub(crate) name: Mark,
    pub(crate) name_end: Mark,
    /// The current attribute, and whether it is to be dropped.
    pub(crate) attribute: Attr,
    pub(crate) dropped: bool,
    /// The names of the attributes of the current tag, once there are many.
    #[cfg_attr(feature = "checkpoints", serde(skip))]
    pub(crate) names: AttributeNames,
    /// The value on its way.
    pub(crate) value: TextBuffer,
    /// Where a reference goes on, its `&`, its number.
    pub(crate) return_state: S,
    pub(crate) reference: Mark,
    pub(crate) number: Number,
    /// A word that is expected.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) keyword: Keyword,
    /// The byte before the window is a CR: an LF at its start is the same line end.
    pub(crate) after_cr: bool,
    pub(crate) open: OpenElements,
    pub(crate) own: R,
}

impl<S: Copy, R> StateMachine<S, R> {
    /// A machine before its input.
    pub(crate) fn new(state: S, text: TextBuffer, own: R) -> StateMachine<S, R> {
        StateMachine {
            limits: Limits::default(),
            state,
            text,
            token: Mark::NONE,
            name: Mark::ZERO,
            name_end: Mark::ZERO,
            attribute: Attr::EMPTY,
            dropped: false,
            names: AttributeNames::default(),
            value: TextBuffer::NONE,
            return_state: state,
            reference: Mark::NONE,
            number: Number::default(),
            keyword: Keyword::default(),
            after_cr: false,
            open: OpenElements::default(),
            own,
        }
    }

    /// A `&` was taken in this state.
    #[inline(always)]
    pub(crate) fn start_reference<K: Classes>(&mut self, lex: &Lexer<'_, K>, state: S) {
        self.return_state = state;
        self.reference = lex.mark() - 1;
        self.number = Number::default();
    }

    /// The limit that is exceeded by an attribute, whose name ends at the mark `end`.
    #[inline(always)]
    pub(crate) fn attribute_limit<K: Classes>(
        &self,
        lex: &Lexer<'_, K>,
        end: Mark,
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

    /// The value of the current attribute begins at a mark.
    #[inline(always)]
    pub(crate) fn start_value(&mut self, mark: Mark, quoted: u32) {
        self.attribute.raw = mark;
        self.attribute.flags |= quoted;
        // What is dropped needs no cleaning.
        self.value = match self.dropped {
            true => TextBuffer::NONE,
            false => TextBuffer::at(mark),
        };
    }

    /// The value of the current attribute ends at the mark `end`. Gives whether the attribute is one of
    /// the tag's.
    #[inline(always)]
    pub(crate) fn finish_value<K: Classes>(&mut self, lex: &mut Lexer<'_, K>, end: Mark) -> bool {
        self.attribute.raw_end = end;
        if self.dropped {
            return false;
        }
        if let Str::Cleaned(value) = lex.finish(&mut self.value, end) {
            self.attribute.set_value(value);
        }
        self.value.start = Mark::NONE;
        true
    }

    /// Adds a start tag, whose attributes are all there, and with [`SELF_CLOSING`] its end tag.
    #[inline(always)]
    pub(crate) fn push_start<K: Classes>(&mut self, lex: &mut Lexer<'_, K>, record: Record) {
        let end = lex.out.attributes.len() as u32;
        let payload = Payload::attributes(lex.out.open, end);
        lex.emit(Record { payload, ..record });
        if record.flags & SELF_CLOSING != 0 {
            let end = Record {
                kind: Kind::End,
                start: record.end,
                ..record
            };
            lex.emit(end);
        }
        self.end_attributes(lex);
    }

    /// The attributes of the current tag are all there.
    #[inline(always)]
    pub(crate) fn end_attributes<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        self.names.clear();
        lex.out.open = lex.out.attributes.len() as u32;
        lex.out.unfinished = lex.out.scratch_end();
    }

    /// Adds an end tag whose name, which is not written, is that of the current element.
    pub(crate) fn push_nameless_end<K: Classes>(&self, lex: &mut Lexer<'_, K>, record: Record) {
        let name = lex.clean(self.open.current_name());
        lex.out.unfinished = name.end;
        lex.emit(record.cleaned(name));
    }

    /// Adds the end tag of the current element, which is in this namespace. It is not written but implied
    /// at the mark `at`.
    pub(crate) fn push_implied_end<K: Classes>(
        &self,
        lex: &mut Lexer<'_, K>,
        at: Mark,
        namespace: u32,
    ) {
        let record = Record {
            flags: IMPLIED,
            namespace,
            ..Record::new(Kind::End, at, at)
        };
        self.push_nameless_end(lex, record);
    }

    /// The value of the current attribute ends without its quote.
    pub(crate) fn unquote(&mut self) {
        self.attribute.flags &= !QUOTED;
    }

    /// What stands between two marks is no text, and text goes on after it.
    pub(crate) fn leave_out<K: Classes>(&mut self, lex: &mut Lexer<'_, K>, from: Mark, to: Mark) {
        if self.text.is_empty(from) {
            self.text = TextBuffer::at(to);
        } else {
            lex.leave_out(&mut self.text, from, to);
        }
        self.token = Mark::NONE;
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

/// What a dialect says of its machine.
pub trait Lexing: Lasting + Clone + Debug + Send + Sync + 'static {
    type Classes: Classes;

    /// Finds the encoding from a growing prefix of the input; UTF-8, unless the dialect has others.
    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        sniff::utf8(prefix, finished)
    }

    /// What may still come of the encoding.
    fn confidence(&self) -> Confidence {
        Confidence::Certain
    }

    /// The encoding is known without a look: the input is a string.
    fn told(&mut self, sniffed: Sniffed) {
        let _ = sniffed;
    }

    /// Runs states until one suspends; gives where the lexer stands.
    fn states(&mut self, lex: Lexer<'_, Self::Classes>) -> (usize, u32);

    /// The end of the input was taken, and all is said.
    fn is_finished(&self) -> bool;

    /// U+FFFD between two marks, which comes next or behind what the machine does not [stop](Lexing::stops) at, stands for an ill-formed sequence.
    fn ill_formed(&mut self, lex: &mut Lexer<'_, Self::Classes>, start: Mark, end: Mark);

    /// The class of bytes at which the machine would stop, if it takes all others and U+FFFD without more ado.
    fn stops(&self) -> Option<usize> {
        None
    }

    /// The mark up to which characters are certainly text, if all before `mark` was taken, and the token
    /// that is read is none.
    fn certain(&self, mark: Mark) -> Mark;

    /// Whether the state is one of text, and not of a value.
    fn is_in_text(&self) -> bool {
        false
    }

    /// Makes the next window.
    fn advance(&mut self, input: &mut Input, out: &mut Queue, keep: Mark, most: usize) -> Advance;

    /// The mark `by` became mark 0, in what the dialect alone has.
    fn rebase(&mut self, by: u32) {
        let _ = by;
    }

    /// The scratch buffer has moved by so much.
    fn rebase_scratch(&mut self, by: u32) {
        let _ = by;
    }

    /// The input ends here without a word.
    #[cfg(feature = "html")]
    fn abort(&mut self) {}

    /// Whether events of earlier batches may come with later ones.
    const KEEPS: bool = false;

    /// A run has ended: what it made of the batch may be made events of a tree.
    #[inline(always)]
    fn settle(&mut self, held: &mut Held) {
        let _ = held;
    }

    /// How many elements are open behind the events made so far, if not as many as in the stack.
    fn open_elements(&self) -> Option<u64> {
        None
    }

    /// The limits were set.
    #[inline(always)]
    fn limits_set(&mut self, limits: &Limits) {
        let _ = limits;
    }

    /// The LF after a CR that ended the window before was taken.
    fn line_feed_after(&mut self, lex: &mut Lexer<'_, Self::Classes>) {
        let _ = lex;
    }

    /// Makes ready what the states need; gives whether they may run.
    fn prepare(&mut self, input: &mut Input, out: &mut Queue, eof: bool) -> bool {
        let _ = (input, out, eof);
        true
    }

    /// Whether the states, which have suspended, run again after what else there is to do.
    fn runs_on(&self) -> bool {
        false
    }

    /// Ends the run of text at the mark `end` and hands it out.
    fn end_text(&mut self, lex: &mut Lexer<'_, Self::Classes>, end: Mark);

    /// The parse ends, with something between two marks, after all that was handed out.
    fn fail_at(&mut self, lex: &mut Lexer<'_, Self::Classes>, kind: ErrorKind, at: (Mark, Mark)) {
        lex.out.fail(kind, at.0, at.1);
    }

    /// Hands out the text up to the mark `until`, of which something is there; `more` may follow.
    fn flush(&mut self, lex: &mut Lexer<'_, Self::Classes>, until: Mark, more: u8);

    /// Whether the machine waits for its host.
    fn is_paused(&self) -> bool {
        false
    }

    /// Whether the machine goes on without more input.
    fn is_busy(&self) -> bool {
        false
    }

    /// The external entity that is wanted.
    fn wants(&self) -> Option<&EntityRequest> {
        None
    }

    /// Answers for the entity that is wanted.
    fn answer(&mut self, answer: Answer) {
        let _ = answer;
    }

    /// What of it is saved apart from the rest: what balances it, a trait object.
    #[cfg(feature = "checkpoints")]
    fn apart(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes what was saved apart, into a machine that was prepared as the saved one was.
    #[cfg(feature = "checkpoints")]
    fn load_apart(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        match bytes {
            [] => Ok(()),
            _ => Err(CheckpointError::Damaged),
        }
    }

    /// Takes from such a machine what is not saved with the rest.
    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self) {
        let _ = fresh;
    }
}

impl<S: Copy, R> StateMachine<S, R>
where
    StateMachine<S, R>: Lexing,
{
    /// The mark up to which characters are certainly text, if all before `mark` was taken.
    pub(crate) fn certain_text(&self, mark: Mark) -> Mark {
        self.certain(mark.min(self.token))
    }

    /// The string that the current state adds to.
    #[inline]
    pub(crate) fn string(&mut self) -> &mut TextBuffer {
        match self.is_in_text() {
            true => &mut self.text,
            false => &mut self.value,
        }
    }

    /// A CR was taken in text or a value: it, and an LF after it, mean one LF.
    #[cold]
    #[inline(never)]
    pub(crate) fn carriage_return<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        let at = lex.mark() - 1;
        let next = lex.peek();
        if next == Some(b'\n') {
            lex.skip(1);
            match self.is_in_text() {
                true => lex.remove(&mut self.text, at, at + 1),
                // A value that is not as it is written is a copy, if only its first character goes.
                false => lex.replace(&mut self.value, at, at + 2, "\n"),
            }
        } else {
            lex.replace(self.string(), at, at + 1, "\n");
            self.after_cr = next.is_none();
        }
    }

    /// The LF that was taken last means nothing.
    #[cold]
    pub(crate) fn drop_line_feed<K: Classes>(&mut self, lex: &mut Lexer<'_, K>) {
        let end = lex.mark();
        lex.replace(self.string(), end - 1, end, "");
    }

    /// Ends the parse with something between two marks. The text read so far is delivered before.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_parse<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        kind: ErrorKind,
        start: Mark,
        end: Mark,
    ) where
        StateMachine<S, R>: Lexing<Classes = K>,
    {
        if lex.out.fatal.is_none() {
            let until = self.certain_text(start);
            self.end_text(lex, until);
            Lexing::fail_at(self, lex, kind, (start, end));
        }
        lex.fence();
    }

    /// Ends the parse with something between two marks that refers to something else.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_parse_about<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        kind: ErrorKind,
        (start, end): (Mark, Mark),
        referred: Option<Referred>,
    ) where
        StateMachine<S, R>: Lexing<Classes = K>,
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

    /// A limit was reached by what stands between two marks.
    #[inline(always)]
    pub(crate) fn exceed<K: Classes>(
        &mut self,
        lex: &mut Lexer<'_, K>,
        limit: Limit,
        start: Mark,
        end: Mark,
    ) where
        StateMachine<S, R>: Lexing<Classes = K>,
    {
        lex.aside(|lex| self.end_parse(lex, ErrorKind::Limit(limit), start, end));
    }

    /// All marks from here on are `by` less.
    pub(crate) fn rebase_all(&mut self, by: u32) {
        if by > 0 {
            self.rebase(by);
            Lexing::rebase(self, by);
        }
    }
}

impl<S: Copy, R> Machine for StateMachine<S, R>
where
    StateMachine<S, R>: Lexing,
{
    #[cfg(feature = "checkpoints")]
    fn apart(&self) -> Vec<u8> {
        Lexing::apart(self)
    }

    #[cfg(feature = "checkpoints")]
    fn load_apart(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        Lexing::load_apart(self, bytes)
    }

    #[cfg(feature = "checkpoints")]
    fn complete(&mut self, fresh: Self) {
        Lexing::complete(self, fresh);
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.open.set_limits(limits.depth, limits.memory);
        self.limits_set(limits);
    }

    fn inherit(&mut self, other: &mut StateMachine<S, R>) {
        self.open.inherit(&mut other.open);
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        Lexing::sniff(self, prefix, finished)
    }

    fn told(&mut self, sniffed: Sniffed) {
        Lexing::told(self, sniffed);
    }

    fn confidence(&self) -> Confidence {
        Lexing::confidence(self)
    }

    fn keep(&self, end: Mark) -> Mark {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> Mark {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        input.set_stops(self.stops());
        let advance = Lexing::advance(self, input, out, keep, most);
        self.rebase_all(advance.rebase);
        advance
    }

    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let lex = &mut Lexer::over(input.view(), false, out);
        for (start, end) in input.ill_formed() {
            Lexing::ill_formed(self, lex, start, end);
            if lex.out.fatal.is_some() {
                break;
            }
        }
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        while self.prepare(input, out, eof) {
            let mut lex = Lexer::over(input.view(), eof, &mut *out);
            if !eof && take(&mut self.after_cr) && lex.peek() == Some(b'\n') {
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

    const KEEPS: bool = <Self as Lexing>::KEEPS;

    #[inline(always)]
    fn settle(&mut self, held: &mut Held) {
        Lexing::settle(self, held);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let lex = &mut Lexer::over(input.view(), false, out);
        let until = self.certain_text(lex.mark());
        if self.text.start < until && !self.text.is_empty(until) {
            Lexing::flush(self, lex, until, if more { MORE } else { 0 });
        }
    }

    fn rebase_marks(&mut self, by: u32) {
        self.rebase_all(by);
    }

    #[cfg(feature = "html")]
    fn abort(&mut self) {
        Lexing::abort(self);
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.value.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
        Lexing::rebase_scratch(self, by);
    }

    fn is_finished(&self) -> bool {
        Lexing::is_finished(self)
    }

    fn open_elements(&self) -> u64 {
        Lexing::open_elements(self).unwrap_or(self.open.len() as u64)
    }

    fn innermost(&self) -> &str {
        self.open.current_name()
    }

    fn is_paused(&self) -> bool {
        Lexing::is_paused(self)
    }

    fn is_busy(&self) -> bool {
        Lexing::is_busy(self)
    }

    fn wants(&self) -> Option<&EntityRequest> {
        Lexing::wants(self)
    }

    fn answer(&mut self, answer: Answer) {
        Lexing::answer(self, answer);
    }
}
