//! Balanced events of HTML: the start and the end of each element on tree construction's stack of open elements. No
//! tree is stored.
//!
//! [`Balancing`] runs the same tree construction as a tree builder, but on a sink that only numbers nodes
//! (`handles.rs`). The construction reports each change of its stack to an observer, the [`Stream`] in `stream.rs`,
//! which writes the events. After the tokenizer has filled a batch of tokens, [`Balances::balance_batch`] replaces the
//! tokens by events:
//!
//! ```text
//! tokens   text 1   <table>                      text 2       <td>
//! events   <html> <head> </head> <body> text 1   <table>      text 2 (moved) <tbody> <tr> <td>
//! ```
//!
//! Most events are the records of their tokens, with the strings of the tokens. Strings that no token contains (names
//! of implied elements, attributes of reconstructed formatting elements, joined text) are collected in
//! [`Batch::strings`](stream::Batch::strings). At the end of the batch they are inserted into the scratch buffer,
//! before the string that the tokenizer has not finished. The tokenizer's offsets in that string are then rebased by
//! the inserted length, which `balance_batch` returns:
//!
//! ```text
//! scratch before   | strings of the tokens |        | unfinished string |
//! scratch after    | strings of the tokens | made   | unfinished string |
//!                                          made_at  made_at + length of made
//! ```
//!
//! Some events outlive their batch. Events that are delayed until the end of an element, and the start tags of
//! formatting elements, which may be reconstructed later, are copied when their batch ends (`kept.rs`).

mod handles;
mod kept;
mod source_map;
mod stream;

use crate::checkpoint::CheckpointableObject;
use crate::dialects::html::construct::TreeConstruction;
use crate::dialects::html::feedback::Feedback;
use crate::dialects::html::options::Html;
use crate::engine::error::ErrorKind;
use crate::engine::event::details::Fatal;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{CLEANED, NULLS, RESUMED, Record, RecordKind};
use crate::engine::event::{Holder, ParserData, Part, pass};
use crate::engine::input::BufferOffset;
#[cfg(feature = "inspect")]
use crate::engine::input::sizes::Sizes;
use crate::engine::limits::{Limit, Limits};
use alloc::boxed::Box;
use core::fmt::{self, Debug, Formatter};
use handles::Handles;
use stream::Stream;

/// The interface through which the tokenizer uses the tree construction for balanced events.
///
/// It is a trait, so that a program without balanced events does not contain this code. The second instance of the
/// tree construction is a sixth of a small program.
pub(in crate::dialects::html) trait Balances:
    CheckpointableObject + Send + Sync
{
    fn copied(&self) -> Box<dyn Balances>;

    fn set_limits(&mut self, limits: &Limits);

    /// Switches delays off: events are returned in the order of the input.
    fn set_in_order(&mut self);

    /// Returns the start of the earliest event that is delayed, as an offset in the input, or `u64::MAX` if none is.
    fn earliest_delayed(&self) -> u64;

    /// Returns the start of the earliest event that was delayed until the current batch: see
    /// [`Tokenizer::earliest_released`](crate::engine::tokenizer::Tokenizer::earliest_released).
    fn earliest_released(&self, head: usize) -> (u64, BufferOffset);

    /// Returns the information that the tokenizer needs before it continues: the state, and whether CDATA sections
    /// are recognized.
    fn feedback(&mut self) -> Feedback;

    /// Returns the number of steps of the tree construction.
    #[cfg(feature = "inspect")]
    fn steps(&self) -> u64;

    /// Sets the constants that tests choose.
    #[cfg(feature = "inspect")]
    fn set_sizes(&mut self, sizes: &Sizes);

    /// Replaces the tokens of a batch by events. `finished` is true if the batch is the last one; its events then
    /// include the ends of all open elements. Returns the number of bytes by which the unfinished string in the
    /// scratch buffer was moved.
    fn balance_batch(&mut self, data: &mut ParserData, finished: bool) -> u32;

    /// Returns the number of elements that are open in the stream of events.
    fn depth(&self) -> u64;
}

/// Writes the depth only. The vtable would otherwise contain the code that formats the whole tree construction, which
/// programs that never format a parser would contain too.
impl Debug for dyn Balances {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let depth = self.depth();
        f.debug_struct("Balances").field("depth", &depth).finish()
    }
}

impl Clone for Box<dyn Balances> {
    fn clone(&self) -> Self {
        self.copied()
    }
}

/// A tree construction with an observer that turns the changes of its stack into events.
#[derive(Clone, Debug)]
pub(in crate::dialects::html) struct Balancing {
    construction: TreeConstruction<Handles, Stream>,
    is_ended: bool,
}

impl Balancing {
    /// Creates the tree construction for the start of a document or a fragment.
    pub(in crate::dialects::html) fn new(options: &Html) -> Balancing {
        let mut stream = Stream::default();
        stream.set_limits(&Limits::default());
        Balancing {
            construction: TreeConstruction::new(options, Handles::default(), stream),
            is_ended: false,
        }
    }
}

impl Balances for Balancing {
    fn copied(&self) -> Box<dyn Balances> {
        Box::new(self.clone())
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.construction.set_limits(limits);
        self.construction.observer.set_limits(limits);
    }

    fn set_in_order(&mut self) {
        self.construction.observer.is_in_order = true;
    }

    fn earliest_delayed(&self) -> u64 {
        self.construction.observer.delayed.earliest()
    }

    fn earliest_released(&self, head: usize) -> (u64, BufferOffset) {
        let released = &self.construction.observer.batch.released;
        let first = released.partition_point(|(end, ..)| *end <= head);
        let none = (u64::MAX, BufferOffset::NONE);
        let rest = released[first..].iter();
        rest.fold(none, |least, (_, start, mark)| {
            (least.0.min(*start), least.1.min(*mark))
        })
    }

    fn feedback(&mut self) -> Feedback {
        self.construction.feedback()
    }

    #[cfg(feature = "inspect")]
    fn steps(&self) -> u64 {
        self.construction.steps() + self.construction.observer.steps()
    }

    #[cfg(feature = "inspect")]
    fn set_sizes(&mut self, sizes: &Sizes) {
        self.construction.observer.source.max_kept_anchors = sizes.kept_anchors;
    }

    fn balance_batch(&mut self, data: &mut ParserData, finished: bool) -> u32 {
        let has_root = !self.construction.observer.batch.events.is_empty();
        if data.queue.records.is_empty() && (!finished || self.is_ended) && !has_root {
            return 0;
        }
        let mut tokens = core::mem::take(&mut data.queue.records);
        let in_pieces = data.queue.settings.splits_at_markup;
        let end = data.input.end();
        let construction = &mut self.construction;
        construction.parse_errors.are_reported = data.queue.settings.reports_errors;
        construction.observer.begin_batch(&data.queue, &tokens);
        let last = Record::new(RecordKind::End, end, end);
        if in_pieces {
            self.pass_in_pieces(&mut tokens, data);
            // Errors after the last token. None of them is in a text, because those are in the same batch as the text.
            self.construction.observer.release_errors(&last);
        } else {
            for token in &tokens {
                if !self.pass(token, data) {
                    break;
                }
            }
        }
        if finished && !self.is_ended && data.queue.fatal.is_none() {
            self.is_ended = true;
            self.construction.observer.begin(&last);
            let from = self.construction.observer.batch.events.len();
            self.construction.end();
            self.pass_errors(&mut data.queue, from, &last);
        }
        let construction = &mut self.construction;
        construction.end_batch(data);
        let by = construction.observer.deliver(data, tokens);
        construction.observer.keep(data, &construction.formatting);
        by
    }

    fn depth(&self) -> u64 {
        self.construction.observer.depth()
    }
}

impl Balancing {
    /// Passes one token to the tree construction. A record that is not a token, such as an error, becomes an event
    /// unchanged. Returns false if the parse ends because a limit is exceeded.
    #[inline(always)]
    fn pass(&mut self, token: &Record, data: &mut ParserData) -> bool {
        let construction = &mut self.construction;
        let from = construction.observer.batch.events.len();
        let part = Part {
            record: token,
            holder: Holder::Parser(data),
        };
        match token.kind {
            RecordKind::Start
            | RecordKind::End
            | RecordKind::Text
            | RecordKind::Comment
            | RecordKind::ProcessingInstruction
            | RecordKind::Doctype => {}
            _ => {
                construction.observer.batch.events.push(*token);
                return true;
            }
        }
        construction.observer.begin(token);
        if token.kind == RecordKind::Text
            && token.flags & CLEANED != 0
            && construction.may_split_text(token.flags & NULLS != 0)
        {
            let (first, second) = data.pieces(token.start, token.end);
            construction.observer.map_source(part.text(), first, second);
        }
        pass(part, construction);
        if !construction.parse_errors.codes.is_empty() {
            self.pass_errors(&mut data.queue, from, token);
        }
        let is_within = self.is_within_memory();
        if !is_within {
            self.fail(token, data);
        }
        is_within
    }

    /// As [`pass`](Self::pass), for all tokens of a batch, if text is returned in pieces.
    ///
    /// PERF: a loop for both cases takes 2 % more instructions if text is whole.
    #[cold]
    #[inline(never)]
    fn pass_in_pieces(&mut self, tokens: &mut [Record], data: &mut ParserData) {
        for token in tokens {
            if !self.begin_in_pieces(token, data) && !self.pass(token, data) {
                break;
            }
        }
        self.end_in_pieces(data);
    }

    /// Called before each token if text is returned in pieces, after the token before was processed. Returns true if the
    /// record is an error, which is held until the next token. A piece that continues a run becomes the first one if
    /// those before became no event.
    #[cold]
    #[inline(never)]
    fn begin_in_pieces(&mut self, token: &mut Record, data: &mut ParserData) -> bool {
        self.end_in_pieces(data);
        let stream = &mut self.construction.observer;
        if token.kind == RecordKind::Error {
            stream.hold_error(*token);
            return true;
        }
        stream.release_errors(token);
        stream.batch.exceeded_at = None;
        if token.kind == RecordKind::Text {
            stream.batch.is_in_text = true;
            if token.flags & RESUMED == 0 {
                data.queue.is_run_unseen = true;
            } else if data.queue.is_run_unseen {
                token.flags &= !RESUMED;
            }
        }
        false
    }

    /// Called after a token was processed, if text is returned in pieces. After a text, emits the errors of the tokenizer
    /// that are in it, and notes whether the run of text has become an event.
    #[cold]
    #[inline(never)]
    fn end_in_pieces(&mut self, data: &mut ParserData) {
        let stream = &mut self.construction.observer;
        if core::mem::take(&mut stream.batch.is_in_text) {
            stream.put_errors_of_text(0..0);
            data.queue.is_run_unseen &= !stream.has_written_text();
        }
    }

    /// Inserts the parse errors that the tree construction reported for a token before the token's events, which
    /// start at the index `from`. For a piece of text, the errors of its parts are inserted before the events of these
    /// parts, together with the errors of the tokenizer in them.
    #[cold]
    fn pass_errors(&mut self, queue: &mut Queue, from: usize, token: &Record) {
        let construction = &mut self.construction;
        let stream = &mut construction.observer;
        let codes = queue.append_errors(&mut construction.parse_errors.codes);
        match token.kind == RecordKind::Text && stream.batch.splits_text {
            true => stream.put_errors_of_text(codes),
            false => stream.put_errors_before(from, codes, (token.start, token.end)),
        }
    }

    /// Returns whether the memory in use is within the limit.
    #[inline(always)]
    fn is_within_memory(&self) -> bool {
        let memory_used = self
            .construction
            .observer
            .memory_used(self.construction.retained());
        memory_used <= self.construction.observer.max_memory
    }

    /// Ends the parse at a token, because the limit on memory is exceeded. If an error of the tokenizer follows in the
    /// same batch, this one replaces it. In a text that is returned in pieces, the error is before the character that
    /// exceeds the limit, so that it does not depend on the pieces.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, token: &Record, data: &mut ParserData) {
        let (mut start, mut end) = (token.start, token.end);
        if token.kind == RecordKind::Text && data.queue.settings.splits_text {
            start = self.exceeding_character(token, data);
            end = start;
        }
        let kind = ErrorKind::Limit(Limit::Memory);
        data.queue.fatal = Some(Box::new(Fatal {
            // The number of records before the error is known only when the batch is delivered. `usize::MAX` marks it as
            // unknown.
            records: usize::MAX,
            ..Fatal::new(kind, start, end)
        }));
    }

    /// Returns the offset of the character of a text at which the limit on memory is exceeded.
    fn exceeding_character(&mut self, token: &Record, data: &ParserData) -> BufferOffset {
        let (retained, is_stored) = (
            self.construction.retained(),
            self.construction.is_storing_text(),
        );
        let stream = &mut self.construction.observer;
        if stream.batch.exceeded_at.is_none() {
            // The text was not divided into parts.
            let part = Part {
                record: token,
                holder: Holder::Parser(data),
            };
            let (first, second) = data.pieces(token.start, token.end);
            stream.map_source(part.text(), first, second);
            stream.exceed(part.text(), retained, is_stored);
        }
        stream.batch.exceeded_at.unwrap_or(token.start)
    }
}

crate::checkpoint::checkpointable! {
    struct Balancing { construction, is_ended }
}
