//! Passes events that no selector selects, for a program that wants only selected events.
//!
//! While no edit waits, the position of such an event is of no use, unless the event is the last one before another that
//! the program may get. So the events only change the stack of open elements, and the position is set at the end.
//!
//! PERF: with one selector, vk.xml takes 50.1 M instructions instead of 75.0 M (`valgrind --tool=callgrind`, a
//! program that changes an attribute of some tags).

use super::place::TextPlace;
use super::raw_text::PieceKind;
use super::seam::Context;
use super::state::RewriterState;
use super::{Rewriter, ends_run};
use crate::engine::dialect::{Balance, Form, Syntax};
use crate::engine::event::record::RecordKind;
use crate::engine::event::{EndTag, Event, StartTag, Text};

/// Events that were passed.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// Number of events.
    passed: usize,
    /// Number of events up to the last one that is in the input, and not implied.
    written: usize,
    /// The same, for the events before the last one.
    written_before: usize,
    /// If the next event ends the run: true if the selectors have entered this event, and selected it.
    stop: Option<bool>,
}

impl<D: Balance, F: Form> Rewriter<D, F> {
    /// Passes tags and texts until a selector selects a tag, or another event comes. The state must be
    /// [idle](RewriterState::is_idle). Returns true if the selectors have entered the current event, and selected it.
    /// Returns `None` if all events of the batch are passed.
    pub(super) fn pass_run(&mut self) -> Option<bool> {
        self.selectors.clear_selected();
        let mut run = Run::default();
        let (state, selectors) = (&mut self.state, &mut self.selectors);
        // PERF: the records of the batch are in one loop, and not taken from the parser one event at a time.
        for part in self.parser.rest_of_batch() {
            match part.record.kind {
                RecordKind::Start if part.is_complete() => {
                    let tag = StartTag { part };
                    if !selectors.enter_unselected(&tag) && selectors.enter(&tag) {
                        run.stop = Some(true);
                        break;
                    }
                    state.pass_written_start(&tag);
                    if state.place.closes_itself && state.has_no_end_event() {
                        selectors.leave();
                    }
                }
                RecordKind::End if part.is_complete() => {
                    let ended = state.pass_end(&EndTag { part });
                    selectors.leave_some(ended);
                }
                RecordKind::Text => state.pass_text(&Text { part }),
                _ => {
                    run.stop = Some(false);
                    break;
                }
            }
            run.passed += 1;
            run.written_before = run.written;
            if part.record.end > part.record.start {
                run.written = run.passed;
            }
            if state.failed.is_some() {
                break;
            }
        }
        self.parser
            .pass_events(run.passed + usize::from(run.stop.is_some()));
        if run.passed > 0 {
            self.settle_run(run);
        }
        run.stop
    }

    /// Passes raw text for which no event is needed, such as the text of a script. Returns true if the rewriter needs more
    /// input then.
    ///
    /// PERF: nytimes-5.html, four fifths of which are scripts, takes 3.39 M instructions in chunks of 4 KiB instead of
    /// 3.61 M (`valgrind --tool=callgrind`, a program that sets an attribute of each link).
    #[cold]
    #[inline(never)]
    pub(super) fn pass_raw_text(&mut self) -> bool {
        let state = &mut self.state;
        if !state.is_idle() || state.place.raw.is_removed() {
            return false;
        }
        let kind = PieceKind {
            has_more: true,
            is_omitted: false,
            may_change_script: self.parser.may_have_escaped_script(),
        };
        let is_raw = state.place.context == Context::RawText;
        let passed = self.parser.pass_raw_text(|text, end| {
            if is_raw {
                state.place.raw.pass("", text, end, kind);
            }
        });
        let Some(span) = passed else {
            return false;
        };
        self.selectors.clear_selected();
        state.leave();
        state.place.span = span;
        state.place.text = TextPlace::default();
        self.is_in_text = true;
        self.parser.is_dry() && !self.is_finishing
    }

    /// Moves the state to the last event of a run.
    fn settle_run(&mut self, run: Run) {
        let since = run.passed + usize::from(run.stop.is_some());
        let event = |number: usize| self.parser.passed_event(since - number);
        let Some(last) = event(run.passed) else {
            return;
        };
        let before = match run.written_before {
            0 => None,
            number => event(number),
        };
        self.state.arrive(&last, before.as_ref());
        // The next event decides whether a run of text continues.
        let next = run.stop.and_then(|_| self.parser.last_event());
        let is_html = self.state.is_html();
        self.is_in_text =
            matches!(last, Event::Text(_)) && next.is_none_or(|next| !ends_run(&next, is_html));
    }
}

impl RewriterState {
    /// Returns true if no edit waits, and nothing is known of the last event that affects the next one.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        let place = &self.place;
        let has_edits = !self.ends.is_empty() || self.omitted.is_some();
        let is_special = place.incomplete_end.is_some() || place.text.follows_incomplete;
        // The first event is special, too, and so is everything at the end of the input.
        let is_inside = place.previous_end > 0 && place.input.limit.is_none();
        is_inside && !has_edits && !is_special && self.implied.is_empty() && !self.implied.is_owed()
    }

    /// Moves to the last of some events that were passed while the state was [idle](Self::is_idle). `before` is the last
    /// event before it that is in the input.
    fn arrive(&mut self, last: &Event<'_>, before: Option<&Event<'_>>) {
        self.leave();
        let place = &mut self.place;
        if let Some(before) = before {
            place.previous_end = place.previous_end.max(before.span().end);
        }
        place.span = last.span();
        place.text = TextPlace {
            is_from_entity: self.syntax == Syntax::Xml && last.is_from_entity(),
            is_in_section: matches!(last, Event::Text(text) if text.is_cdata()),
            // This is used in the balanced form of HTML only.
            is_moved: false,
            follows_incomplete: false,
        };
    }
}
