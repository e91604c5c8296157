//! HTML as a balanced stream: the events of the stack of open elements, as tree construction pushes and
//! pops it. No tree is kept.
//!
//! A batch of tokens goes in, and a batch of events comes out in its place: `stream.rs` is told what
//! happens on the stack, and writes the records. `kept.rs` looks after what waits or is needed again after
//! its batch, `handles.rs` is the tree that there is not.

mod handles;
mod kept;
mod stream;

use crate::error::ErrorKind;
use crate::event::record::{Kind, Payload, Queue, Record};
use crate::event::{Held, Holder, Part, lend};
use crate::html::construct::TreeConstruction;
use crate::html::{Feedback, Html};
use crate::limits::{Limit, Limits};
#[cfg(feature = "checkpoints")]
use crate::saved::{self, CheckpointError};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;
use handles::Handles;
use stream::Stream;

/// What the machine asks of what balances its events. It is a trait so that a program which balances nothing has
/// none of it: a construction for trees, beside this one, is a sixth of a small program.
pub(in crate::html) trait Balances: Debug + Send + Sync {
    fn copied(&self) -> Box<dyn Balances>;

    fn set_limits(&mut self, limits: &Limits);

    /// Nothing is held back: events stand in the order of the input.
    fn set_in_order(&mut self);

    /// Whether the text of a table is held back.
    fn holds_text(&self) -> bool;

    /// What the tokenizer is to know before it goes on.
    fn feedback(&mut self) -> Feedback;

    /// The steps that the construction has taken.
    #[cfg(feature = "inspect")]
    fn steps(&self) -> u64;

    /// Puts events in the place of the tokens of a batch; after the last one, if `finished`. Gives by how
    /// much what is unfinished in the scratch buffer was moved.
    fn settle(&mut self, held: &mut Held, finished: bool) -> u32;

    /// How many elements are open in the stream.
    fn open_elements(&self) -> u64;

    #[cfg(feature = "checkpoints")]
    fn save(&self) -> Vec<u8>;

    #[cfg(feature = "checkpoints")]
    fn load(&mut self, bytes: &[u8]) -> Result<(), CheckpointError>;
}

impl Clone for Box<dyn Balances> {
    fn clone(&self) -> Self {
        self.copied()
    }
}

/// The construction whose stack is told.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(in crate::html) struct Balancing {
    construction: TreeConstruction<Handles, Stream>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    limits: Limits,
    is_ended: bool,
}

impl Balancing {
    /// At the start of a document, or of a fragment.
    pub(in crate::html) fn new(options: &Html) -> Balancing {
        Balancing {
            construction: TreeConstruction::new(options, Handles::default(), Stream::default()),
            limits: Limits::default(),
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
        self.construction.watch.set_limits(limits);
        self.limits = *limits;
    }

    fn set_in_order(&mut self) {
        self.construction.watch.is_in_order = true;
    }

    fn holds_text(&self) -> bool {
        !self.construction.watch.in_table.is_empty()
    }

    fn feedback(&mut self) -> Feedback {
        self.construction.feedback()
    }

    #[cfg(feature = "inspect")]
    fn steps(&self) -> u64 {
        self.construction.steps() + self.construction.watch.steps()
    }

    fn settle(&mut self, held: &mut Held, finished: bool) -> u32 {
        if held.queue.records.is_empty() && (!finished || self.is_ended) {
            return 0;
        }
        let tokens = core::mem::take(&mut held.queue.records);
        let end = held.input.end();
        let construction = &mut self.construction;
        construction.report = held.queue.report;
        construction.watch.begin_batch(&held.queue, &tokens, end);
        for token in &tokens {
            self.pass(token, held);
            if held
                .queue
                .fatal
                .as_ref()
                .is_some_and(|fatal| fatal.records == usize::MAX)
            {
                break;
            }
        }
        if finished && !self.is_ended && held.queue.fatal.is_none() {
            self.is_ended = true;
            let last = Record::new(Kind::End, end, end);
            self.construction.watch.begin(last, "");
            let from = self.construction.watch.out.len();
            self.construction.end();
            self.pass_errors(&mut held.queue, from);
        }
        let construction = &mut self.construction;
        let by = construction.watch.deliver(held, tokens);
        construction.watch.keep(held, &construction.formatting);
        by
    }

    fn open_elements(&self) -> u64 {
        self.construction.watch.depth()
    }

    #[cfg(feature = "checkpoints")]
    fn save(&self) -> Vec<u8> {
        saved::to_bytes(self)
    }

    #[cfg(feature = "checkpoints")]
    fn load(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        *self = saved::from_bytes(bytes)?;
        Ok(())
    }
}

impl Balancing {
    /// Takes a token, or passes on what is none.
    #[inline(always)]
    fn pass(&mut self, token: &Record, held: &mut Held) {
        let construction = &mut self.construction;
        let from = construction.watch.out.len();
        let part = Part {
            record: token,
            holder: Holder::Parser(held),
        };
        match token.kind {
            Kind::Start
            | Kind::End
            | Kind::Text
            | Kind::Comment
            | Kind::ProcessingInstruction
            | Kind::Doctype => {
                let text = match token.kind {
                    Kind::Text => part.text(),
                    _ => "",
                };
                construction.watch.begin(*token, text);
                lend(part, |event| construction.take(&event));
            }
            _ => return construction.watch.out.push(*token),
        }
        if !construction.errors.is_empty() {
            self.pass_errors(&mut held.queue, from);
        }
        self.test(token, &mut held.queue);
    }

    /// Puts the parse errors of a token before its events, which begin at `from`.
    #[cold]
    fn pass_errors(&mut self, queue: &mut Queue, from: usize) {
        let construction = &mut self.construction;
        let stream = &mut construction.watch;
        let (start, end) = stream.place();
        let first = queue.codes.len() as u32;
        queue.codes.append(&mut construction.errors);
        let errors = (first..queue.codes.len() as u32).map(|c| Record {
            payload: Payload::error(c, 0),
            ..Record::new(Kind::Error, start, end)
        });
        stream.put_before(from, errors.collect::<Vec<_>>());
    }

    /// Holds what is held against the limits.
    #[inline(always)]
    fn test(&mut self, token: &Record, queue: &mut Queue) {
        let (open, text) = self.construction.held();
        let held = self.construction.watch.bytes() + open * stream::OPEN + text;
        if held > self.limits.memory {
            queue.fail(ErrorKind::Limit(Limit::Memory), token.start, token.end);
            if let Some(fatal) = &mut queue.fatal {
                // What comes before it is known when it is delivered.
                fatal.records = usize::MAX;
            }
        }
    }
}
