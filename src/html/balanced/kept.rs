//! What is needed after its batch: events that wait for the end of an element, and the start tags of the
//! list of active formatting elements, of which there may be more starts. It must not know of the stack.

use super::stream::Stream;
use crate::event::record::{Attr, Kind, NAME_CLEANED, Payload, Record, VALUE_CLEANED};
use crate::event::{Event, Held, Holder, OwnedEvent, Part, StartTag};
use crate::html::construct::formatting::{EntryId, Formatting};
use crate::input::Mark;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

/// Events that wait.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Waiting {
    events: Vec<Later>,
    /// So many of them were kept from earlier batches.
    kept: usize,
    /// What they take.
    pub(super) bytes: usize,
}

/// One of them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Later {
    /// Of the batch in hand.
    Here(Record),
    Kept(#[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))] OwnedEvent),
}

impl Waiting {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        (self.kept, self.bytes) = (0, 0);
    }

    pub(super) fn push(&mut self, record: Record, bytes: usize) {
        self.events.push(Later::Here(record));
        self.bytes += bytes;
    }

    /// The record of the last one, if it is of the batch in hand.
    pub(super) fn last_mut(&mut self) -> Option<&mut Record> {
        match self.events.last_mut()? {
            Later::Here(record) => Some(record),
            Later::Kept(_) => None,
        }
    }

    /// Lets them go, at a mark.
    pub(super) fn release(
        &mut self,
        kept: &mut Vec<OwnedEvent>,
        at: Mark,
        moved: u8,
        out: &mut Vec<Record>,
    ) {
        for event in take(&mut self.events) {
            out.push(match event {
                Later::Here(mut record) => {
                    record.flags |= moved;
                    record
                }
                Later::Kept(mut event) => {
                    event.record_mut().flags |= moved;
                    let index = kept.len() as u32;
                    kept.push(event);
                    Record {
                        payload: Payload::kept(index),
                        ..Record::new(Kind::Kept, at, at)
                    }
                }
            });
        }
        self.clear();
    }

    /// Keeps those of the batch in hand, which ends.
    fn keep(&mut self, held: &Held) {
        for event in self.events.iter_mut().skip(self.kept) {
            if let Later::Here(record) = event {
                *event = Later::Kept(OwnedEvent::new(Part {
                    record,
                    holder: Holder::Parser(held),
                }));
            }
        }
        self.kept = self.events.len();
    }
}

/// The start tag of a formatting element.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Listed {
    pub(super) name: u32,
    pub(super) tag: Tag,
    /// What tells it from others that had its place.
    pub(super) number: u64,
    /// Bytes that it is written in.
    pub(super) length: u64,
    /// The record of a start like it, in the batch in hand.
    again: Option<Record>,
}

/// Where it is.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Tag {
    /// In the batch in hand.
    Here(Record),
    Kept(#[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))] Arc<OwnedEvent>),
}

/// A start tag that is to become one like that of a listed element.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Reopened {
    pub(super) at: usize,
    pub(super) entry: EntryId,
    pub(super) number: u64,
    pub(super) tag: Tag,
}

/// So many bytes of tags are not looked through for those that are listed no more.
const FEW: usize = 64 << 10;

impl Stream {
    /// Notes the tag of a listed element.
    pub(super) fn list(&mut self, entry: EntryId, name: u32, tag: &StartTag<'_>) {
        let record = *tag.part.record;
        self.listings += 1;
        let listed = Listed {
            name,
            tag: Tag::Here(record),
            number: self.listings,
            length: u64::from(record.end - record.start),
            again: None,
        };
        let place = entry as usize;
        if place >= self.listed.len() {
            self.listed.resize(place + 1, None);
        }
        let before = self.listed[place].replace(listed);
        self.listed_bytes -= before.as_ref().map_or(0, Listed::held);
        self.fresh.push(entry);
    }

    /// Puts the events into the place of their tokens, whose memory is used again. Gives by how much what is
    /// unfinished in the scratch buffer was moved.
    pub(super) fn deliver(&mut self, held: &mut Held, mut tokens: Vec<Record>) -> u32 {
        if !self.reopened.is_empty() {
            self.fill_reopened(held);
        }
        tokens.clear();
        let queue = &mut held.queue;
        queue.records = core::mem::replace(&mut self.out, tokens);
        queue.kept.append(&mut self.kept);
        let by = self.made.len() as u32;
        if by > 0 {
            queue.scratch.insert_str(self.made_at.index(), &self.made);
            queue.unfinished += by;
            for attribute in &mut queue.attributes[self.attributes_at as usize..] {
                attribute.rebase_scratch(by.wrapping_neg());
            }
            self.made.clear();
        }
        if !self.attributes.is_empty() {
            let at = self.attributes_at as usize;
            queue.open += self.attributes.len() as u32;
            queue.attributes.splice(at..at, self.attributes.drain(..));
        }
        by
    }

    /// Makes the starts of elements that were opened once more like the first ones.
    #[cold]
    fn fill_reopened(&mut self, held: &Held) {
        for reopened in take(&mut self.reopened) {
            let place = reopened.entry as usize;
            let is_it = |listed: &&mut Listed| listed.number == reopened.number;
            let listed = self.listed.get_mut(place).and_then(Option::as_mut);
            let again = listed.filter(is_it).and_then(|listed| listed.again);
            let again = again.unwrap_or_else(|| self.copy_tag(&reopened.tag, held));
            let listed = self.listed.get_mut(place).and_then(Option::as_mut);
            if let Some(listed) = listed.filter(is_it) {
                listed.again = Some(again);
                self.fresh.push(reopened.entry);
            }
            let record = &mut self.out[reopened.at];
            record.flags |= again.flags;
            *record = Record {
                payload: again.payload,
                ..record.named_as(&again)
            };
        }
    }

    /// Copies name and attributes of a tag.
    fn copy_tag(&mut self, tag: &Tag, held: &Held) -> Record {
        let event = match tag {
            Tag::Here(record) => Event::Start(StartTag {
                part: Part {
                    record,
                    holder: Holder::Parser(held),
                },
            }),
            Tag::Kept(event) => event.event(),
        };
        let mut copy = Record::EMPTY;
        let Event::Start(tag) = event else {
            return copy;
        };
        copy = copy.cleaned(self.make(tag.name()));
        let first = self.attributes_at + self.attributes.len() as u32;
        copy.payload = Payload::attributes(first, first + tag.attributes().len() as u32);
        for attribute in tag.attributes() {
            let value = self.make(attribute.value());
            let clean_name = self.make_name(attribute.name());
            self.attributes.push(Attr {
                value,
                clean_name,
                flags: NAME_CLEANED | VALUE_CLEANED,
                ..Attr::EMPTY
            });
        }
        copy
    }

    /// The batch is there: keeps what of it is needed later.
    pub(super) fn keep(&mut self, held: &Held, formatting: &Formatting<u32>) {
        for waiting in [
            &mut self.after_head,
            &mut self.after_body,
            &mut self.after_root,
            &mut self.in_table,
        ] {
            if !waiting.is_empty() {
                waiting.keep(held);
            }
        }
        for entry in self.fresh.drain(..) {
            let Some(listed) = &mut self.listed[entry as usize] else {
                continue;
            };
            listed.again = None;
            if let Tag::Here(record) = &listed.tag {
                if !formatting.has(entry) {
                    self.listed[entry as usize] = None;
                    continue;
                }
                let holder = Holder::Parser(held);
                listed.tag = Tag::Kept(Arc::new(OwnedEvent::new(Part { record, holder })));
                self.listed_bytes += listed.held();
            }
        }
        if self.listed_bytes > self.sweep_at.max(FEW) {
            self.sweep(formatting);
        }
    }

    /// Drops the tags that are listed no more.
    #[cold]
    fn sweep(&mut self, formatting: &Formatting<u32>) {
        for (entry, place) in self.listed.iter_mut().enumerate() {
            if !formatting.has(entry as EntryId)
                && let Some(listed) = place.take()
            {
                self.listed_bytes -= listed.held();
            }
        }
        self.sweep_at = self.listed_bytes * 2;
    }
}

impl Listed {
    /// Bytes that were kept of it.
    fn held(&self) -> usize {
        match &self.tag {
            Tag::Here(_) => 0,
            Tag::Kept(event) => event.held(),
        }
    }
}
