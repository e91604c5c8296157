//! Fetching the next batch of events: runs the tokenizer on windows of the input, checks the limits, and makes the
//! errors that end the parse, including those that are detected outside of it.

use super::{Parser, TextPolicy};
use crate::engine::dialect::{Dialect, Form};
use crate::engine::error::{About, Error, ErrorKind, Position, Span};
use crate::engine::event::details::Fatal;
use crate::engine::event::in_entity::InEntity;
use crate::engine::input::BufferOffset;
use crate::engine::input::encoding::Encoding;
use crate::engine::input::raw::Side;
use crate::engine::input::sniff::of_text;
use crate::engine::input::{Refused, Room, Supply};
use crate::engine::limits::Limit;
use crate::engine::tokenizer::Tokenizer;
use alloc::string::String;
use alloc::sync::Arc;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Fills the queue with the next batch. Returns whether it contains an event.
    #[cold]
    #[inline(never)]
    pub(super) fn refill(&mut self) -> Result<bool, Error> {
        self.leave_batch();
        let found = self.fill()?;
        self.is_past = !found;
        self.is_dry = !found;
        // Balanced events of HTML may refer to text far before the batch, and may be retained from earlier batches.
        if found && !(F::IS_TREE && D::Machine::RETAINS_EVENTS) {
            self.data.share_batch();
        }
        Ok(found)
    }

    /// Called when all events of the batch were returned, before the batch is discarded.
    #[inline(always)]
    pub(super) fn leave_batch(&mut self) {
        self.retained_event = None;
        if self.data.queue.settings.splits_at_markup {
            self.was_in_text = self.is_in_text();
        }
        self.is_past = true;
        self.data.sharing.end_batch();
    }

    #[inline(always)]
    fn fill(&mut self) -> Result<bool, Error> {
        let is_well = self.error.is_none() && self.data.queue.fatal.is_none();
        let waits = is_well && !self.may_have_piece();
        if waits && (self.is_dry || self.is_starved()) {
            // PERF: the batch is cleared only when there is something to read. A program that feeds small chunks gets
            // here once for each chunk, and `Events` once before the first chunk.
            return Ok(false);
        }
        self.clear();
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if !self.sniff() {
            return Ok(false);
        }
        while !self.is_stopped()? {
            let mut eof = false;
            if self.data.input.is_dry() && !self.machine.is_busy() {
                if self.may_have_piece() {
                    if self.flush_piece() {
                        return Ok(true);
                    }
                    if self.data.queue.fatal.is_some() {
                        // The place of the error is in the current window.
                        continue;
                    }
                }
                if self.is_starved() && self.data.queue.fatal.is_none() {
                    return Ok(false);
                }
                match self.next_window() {
                    Some(is_end) => eof = is_end,
                    None => return Ok(false),
                }
            }
            if self.data.queue.fatal.is_none() {
                self.machine
                    .run(&mut self.data.input, &mut self.data.queue, eof);
            }
            if self.complete_batch() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether everything that was fed is consumed and the tokenizer has nothing left to do without more.
    #[inline(always)]
    pub(super) fn is_starved(&self) -> bool {
        self.data.input.is_starved() && !self.machine.is_busy()
    }

    /// Returns whether the tokenizer cannot run now: it waits for its host or for an external entity, or the document
    /// has ended.
    ///
    /// # Errors
    ///
    /// Returns the error that ends the parse.
    #[inline(always)]
    fn is_stopped(&mut self) -> Result<bool, Error> {
        if let Some(fatal) = self.data.queue.fatal.take() {
            return Err(self.fail(*fatal));
        }
        if self.machine.is_paused() {
            return Ok(true);
        }
        if self.machine.is_finished() {
            if self.fed_late {
                let end = self.data.input.end();
                let kind = ErrorKind::FeedAfterFinish;
                return Err(self.fail(Fatal::new(kind, end, end)));
            }
            return Ok(true);
        }
        Ok(self.machine.requested_entity().is_some())
    }

    /// Returns whether there may be text that is emitted before its run has ended.
    #[inline(always)]
    fn may_have_piece(&self) -> bool {
        self.policy == TextPolicy::Pieces && !self.machine.machine().text.is_none()
    }

    /// Emits the text read so far as a piece, before the run of text has ended. Returns whether there is an event.
    fn flush_piece(&mut self) -> bool {
        self.machine
            .flush_certain_text(&mut self.data.input, &mut self.data.queue, true);
        !self.data.queue.records.is_empty() && self.complete_batch()
    }

    /// Makes the next window, or sets the error that prevents it. Returns whether the input ends after the window, or
    /// `None` if more input is needed.
    #[inline(always)]
    pub(super) fn next_window(&mut self) -> Option<bool> {
        // PERF: a program feeds a short document, reads its events, and only then says that the document has ended.
        if self.data.input.has_ended() {
            return Some(true);
        }
        match self.advance() {
            Supply::Window => return Some(self.data.input.ends_with_window()),
            Supply::IllFormed => {
                self.machine
                    .report_ill_formed(&mut self.data.input, &mut self.data.queue);
            }
            Supply::End => return Some(true),
            Supply::Starved => match self.data.input.refused() {
                Some(Refused::Text) => self.stop(ErrorKind::TextAfterBytes),
                Some(Refused::Encoding(encoding)) => {
                    self.stop(ErrorKind::UnavailableEncoding(encoding));
                }
                None if self.data.queue.fatal.is_none() => return None,
                None => {}
            },
        }
        Some(false)
    }

    /// Completes the batch after the tokenizer has run: replaces it by balanced events if these are requested, and
    /// counts the open elements. Returns whether it contains an event.
    #[inline(always)]
    fn complete_batch(&mut self) -> bool {
        let mut unseen = 0;
        if let Some(fatal) = &self.data.queue.fatal {
            unseen = self.data.queue.opened_from(fatal.records);
            self.data.queue.records.truncate(fatal.records);
        }
        self.mark_runs();
        self.machine.balance_batch(&mut self.data);
        self.mark_balanced_runs();
        let open = self.machine.depth();
        self.data.queue.depth = match D::Machine::RETAINS_EVENTS {
            true => open,
            false => open.saturating_add_signed(-unseen),
        };
        if !self.data.queue.records.is_empty() {
            return true;
        }
        if F::IS_TREE && D::Machine::RETAINS_EVENTS {
            // The tokenizer may have emitted records, of which balancing has removed all.
            self.clear();
        }
        false
    }

    /// Marks the pieces of text that continue a run, if text is split at markup.
    #[inline(always)]
    fn mark_runs(&mut self) {
        if self.data.queue.settings.splits_at_markup {
            self.data.queue.mark_runs();
        }
    }

    /// As `mark_runs`, for the events that have replaced the tokens of a batch.
    #[inline(always)]
    fn mark_balanced_runs(&mut self) {
        if F::IS_TREE && D::Machine::RETAINS_EVENTS && self.data.queue.settings.splits_at_markup {
            self.data.queue.mark_balanced_runs();
        }
    }

    /// Discards the batch.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        let by = self.data.queue.clear();
        if by > 0 {
            self.machine.rebase_all_scratch(by);
        }
    }

    /// Detects the encoding, unless it is known. Returns whether it is known.
    fn sniff(&mut self) -> bool {
        let (machine, is_text) = (&mut self.machine, self.data.input.is_text());
        self.data.input.sniff(|prefix, finished| {
            if !is_text {
                return machine.sniff(prefix, finished);
            }
            let sniffed = of_text(prefix);
            machine.set_encoding(sniffed);
            Some(sniffed)
        })
    }

    /// Makes the next window, unless that would exceed a limit.
    fn advance(&mut self) -> Supply {
        let (input, queue) = (&mut self.data.input, &mut self.data.queue);
        let end = input.end();
        let keep = self.machine.keep(end);
        let encoding = input.sniffed().map(|sniffed| sniffed.encoding);
        let beside = encoding.map_or(0, Encoding::bytes_for_text);
        let limits = &self.machine.machine().limits;
        let (longest, limit) = limits.longest(beside);
        // PERF: another encoding than UTF-8 is asked for only while it is open, because the number is divided then.
        let decoded = match input.is_open() {
            true => limits.longest_decoded(beside),
            false => longest,
        };
        // Lengths of the retained text, and of the unfinished token at its end. The token may still turn out to be
        // text.
        let bytes = (end - keep) as usize;
        let token = (end - self.machine.token().min(end)) as usize;
        let is_over = token > longest || (token == 0 && bytes > longest);
        // If no further input can come now, the token cannot grow, so it is not an error yet.
        if is_over && !input.is_starved() && !input.is_at_end() {
            return self.exceed(limit);
        }
        let is_full = token > 0 && token == longest;
        let room = Room {
            bytes: longest.saturating_sub(bytes).max(1),
            decoded: decoded.saturating_sub(bytes).max(1),
        };
        self.machine.before_window(input, queue);
        let classes = self.machine.classes();
        let terminators = self.machine.run_terminators();
        input.set_run_terminators(terminators.map(|class| &classes.sets[class]));
        input.set_raw_terminators(self.machine.raw_terminators());
        let advance = input.advance(keep, &mut queue.retained, room, classes, &mut |text, to| {
            self.machine.before_discard(text, to);
        });
        self.machine.after_window(input, queue, advance.supply);
        self.machine.rebase_all(advance.rebase);
        queue.work.copied += advance.copied as u64;
        if advance.rebase > 0 {
            for attribute in &mut queue.attributes {
                attribute.rebase(advance.rebase);
            }
        }
        // Only one more complete character exceeds the limit: the bytes of an incomplete one may never become a
        // character.
        if is_full && matches!(advance.supply, Supply::Window | Supply::IllFormed) {
            return self.exceed(limit);
        }
        advance.supply
    }

    /// Ends the parse because the unfinished token exceeds a limit. Text before the token is emitted first.
    #[cold]
    fn exceed(&mut self, limit: Limit) -> Supply {
        self.stop(ErrorKind::Limit(limit));
        Supply::Starved
    }

    /// Ends the parse with an error at the unfinished token. Text before the token is emitted first.
    #[cold]
    fn stop(&mut self, kind: ErrorKind) {
        let end = self.data.input.taken();
        let start = match self.machine.token() {
            token if token < end => token,
            _ => self.machine.keep(end),
        };
        self.machine
            .flush_certain_text(&mut self.data.input, &mut self.data.queue, false);
        self.data.queue.fail(kind, start, end);
    }

    #[cold]
    pub(super) fn fail(&mut self, fatal: Fatal) -> Error {
        let error = self.error_at(fatal);
        self.error = Some(error.clone());
        error
    }

    /// Returns the start of the token that exceeds the limit of memory, if the parse ends there, also if events before it
    /// were not returned yet. Balanced HTML has read the tokens of the whole batch by then.
    #[inline]
    pub(crate) fn out_of_memory_at(&self) -> Option<u64> {
        match self.error.is_none() && self.data.queue.fatal.is_none() {
            true => None,
            false => self.memory_error_at(),
        }
    }

    #[cold]
    fn memory_error_at(&self) -> Option<u64> {
        let is_memory = |kind: &ErrorKind| matches!(kind, ErrorKind::Limit(Limit::Memory));
        match (&self.error, &self.data.queue.fatal) {
            (Some(error), _) if is_memory(error.kind()) => Some(error.span().start),
            (_, Some(fatal)) if is_memory(&fatal.kind) => {
                Some(self.data.text().offset(fatal.start, Side::Start))
            }
            _ => None,
        }
    }

    pub(super) fn error_at(&self, fatal: Fatal) -> Error {
        let (start, end) = (fatal.start, fatal.end);
        let text = self.data.text();
        let span = Span {
            start: text.offset(start, Side::Start),
            end: text.offset(end, Side::End),
        };
        let about = self.about(&fatal);
        Error::new(fatal.kind, span, Position::at(text.anchor(start)))
            .in_entity(fatal.entity.as_ref().map(InEntity::place))
            .about(about)
    }

    /// Collects the details that the message of an error shows, such as its source text.
    pub(super) fn about(&self, fatal: &Fatal) -> About {
        let referred = fatal.referred.as_ref();
        let mut about = About {
            related: referred.map(|referred| referred.related(&self.data.text())),
            ..About::default()
        };
        match &fatal.kind {
            ErrorKind::Limit(limit) => about.limit = self.limits_set().number(*limit),
            ErrorKind::Syntax(code) => {
                about.written = self.short(fatal);
                if code.expects_end_tag() {
                    about.open = String::from(self.machine.innermost());
                }
            }
            _ => {}
        }
        about
    }

    /// Returns the source text of an error. If that text is too long for a message, returns an empty string. In an
    /// external entity, returns the first [`About::MAX_WRITTEN_BYTES`] bytes instead, or an empty string if they end
    /// inside a character.
    fn short(&self, fatal: &Fatal) -> String {
        if let Some(entity) = &fatal.entity {
            let most = entity
                .start
                .saturating_add(About::MAX_WRITTEN_BYTES as usize);
            let text = entity.entity.text.get(entity.start..entity.end.min(most));
            return String::from(text.unwrap_or_default());
        }
        let (start, end) = (fatal.start, fatal.end);
        if end > start + About::MAX_WRITTEN_BYTES {
            return String::new();
        }
        let (chunk, chunk_start) = self.data.input.chunk();
        let between = |text: &str, base: BufferOffset, from: BufferOffset, to: BufferOffset| {
            let range = from.index_from(base)..to.index_from(base);
            String::from(text.get(range).unwrap_or_default())
        };
        let retained = &self.data.queue.retained;
        let first = between(retained, BufferOffset::ZERO, start, end.min(chunk_start));
        let second = between(
            chunk,
            chunk_start,
            start.max(chunk_start),
            end.max(chunk_start),
        );
        first + &second
    }

    /// Ends the parse because the source of the input failed.
    pub(crate) fn fail_source(
        &mut self,
        error: Arc<dyn core::error::Error + Send + Sync>,
    ) -> Error {
        let error = self.source_error(error);
        self.error = Some(error.clone());
        error
    }

    /// Returns an error for a call that is not allowed now. The parse is not affected.
    pub(crate) fn use_error(&self, kind: ErrorKind) -> Error {
        let end = self.data.input.taken();
        self.error_at(Fatal::new(kind, end, end))
    }

    /// Returns the length of the input that was decoded so far, in bytes.
    pub(crate) fn input_length(&self) -> u64 {
        let input = &self.data.input;
        input.lines().offset(input.end(), Side::End)
    }

    /// Returns an error for a source that failed. The parse is not affected, so it can continue if the source
    /// recovers.
    pub(crate) fn source_error(&self, error: Arc<dyn core::error::Error + Send + Sync>) -> Error {
        let end = self.data.input.end();
        self.error_at(Fatal::new(ErrorKind::Source(error), end, end))
    }
}
