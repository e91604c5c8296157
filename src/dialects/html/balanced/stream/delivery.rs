//! The end of a batch: the delivery of its events, and the copies of the events and start tags that outlive it.

use super::Stream;
use crate::dialects::html::balanced::kept::{Listed, Tag, tag_bytes};
use crate::dialects::html::construct::formatting::{EntryId, Formatting};
use crate::engine::event::record::{Attr, NAME_CLEANED, Payload, Record, VALUE_CLEANED};
use crate::engine::event::{Event, EventCopy, Holder, ParserData, Part, StartTag};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

/// Minimum of `copied_bytes` at which start tags of elements that are no longer in the list are searched for and
/// dropped.
const MIN_SWEPT_BYTES: usize = 64 << 10;

impl Stream {
    /// Stores the start tag of an element that was added to the list of active formatting elements.
    #[inline(always)]
    pub(super) fn list(&mut self, entry: EntryId, name: u32, tag: &StartTag<'_>) {
        let record = *tag.part.record;
        self.start_tags.count += 1;
        let listed = Listed {
            name,
            tag: Tag::InBatch(record),
            number: self.start_tags.count,
            length: record.end - record.start,
            copied_bytes: 0,
            again: None,
        };
        let place = entry as usize;
        if place >= self.start_tags.by_entry.len() {
            self.start_tags.by_entry.resize(place + 1, None);
        }
        let place = &mut self.start_tags.by_entry[place];
        self.start_tags.copied_bytes -= place.as_ref().map_or(0, |old| old.copied_bytes as usize);
        *place = Some(listed);
        self.start_tags.fresh.push(entry);
    }

    /// Replaces the tokens of the batch by the events. The memory of `tokens` is reused for the events of the next
    /// batch. Returns the number of bytes by which the unfinished string in the scratch buffer was moved.
    pub(in crate::dialects::html::balanced) fn deliver(
        &mut self,
        data: &mut ParserData,
        mut tokens: Vec<Record>,
    ) -> u32 {
        if !self.reopened.is_empty() {
            self.fill_reopened(data);
        }
        tokens.clear();
        let queue = &mut data.queue;
        queue.records = core::mem::replace(&mut self.batch.events, tokens);
        queue.kept.append(&mut self.batch.owned);
        let by = self.batch.strings.len() as u32;
        if by > 0 {
            queue
                .scratch
                .insert_str(self.batch.strings_at.index(), &self.batch.strings);
            queue.unfinished += by;
            for attribute in &mut queue.attributes[self.batch.attributes_at as usize..] {
                attribute.rebase_scratch(by.wrapping_neg());
            }
            self.batch.strings.clear();
        }
        if !self.batch.attributes.is_empty() {
            let at = self.batch.attributes_at as usize;
            queue.open += self.batch.attributes.len() as u32;
            queue
                .attributes
                .splice(at..at, self.batch.attributes.drain(..));
        }
        by
    }

    /// Fills in the names and attributes of reconstructed formatting elements.
    #[cold]
    fn fill_reopened(&mut self, data: &ParserData) {
        for reopened in take(&mut self.reopened) {
            let place = reopened.entry as usize;
            let is_it = |listed: &&mut Listed| listed.number == reopened.number;
            let listed = self
                .start_tags
                .by_entry
                .get_mut(place)
                .and_then(Option::as_mut);
            let again = listed.filter(is_it).and_then(|listed| listed.again);
            let again = again.unwrap_or_else(|| self.copy_tag(&reopened.tag, data));
            let listed = self
                .start_tags
                .by_entry
                .get_mut(place)
                .and_then(Option::as_mut);
            if let Some(listed) = listed.filter(is_it) {
                listed.again = Some(again);
                self.start_tags.fresh.push(reopened.entry);
            }
            let record = &mut self.batch.events[reopened.at];
            record.flags |= again.flags;
            *record = Record {
                payload: again.payload,
                ..record.named_as(&again)
            };
        }
    }

    /// Copies the name and the attributes of a start tag to the strings of this batch. Returns a record that refers
    /// to the copy.
    fn copy_tag(&mut self, tag: &Tag, data: &ParserData) -> Record {
        let event = match tag {
            Tag::InBatch(record) => Event::Start(StartTag {
                part: Part {
                    record,
                    holder: Holder::Parser(data),
                },
            }),
            Tag::Copy(event) => event.event(),
        };
        let mut copy = Record::EMPTY;
        let Event::Start(tag) = event else {
            return copy;
        };
        copy = copy.cleaned(self.add_string(tag.name()));
        let first = self.batch.attributes_at + self.batch.attributes.len() as u32;
        copy.payload = Payload::attributes(first, first + tag.attributes().len() as u32);
        for attribute in tag.attributes() {
            let value = self.add_string(attribute.value());
            let clean_name = self.add_name(attribute.name());
            self.batch.attributes.push(Attr {
                value,
                clean_name,
                flags: NAME_CLEANED | VALUE_CLEANED,
                ..Attr::EMPTY
            });
        }
        copy
    }

    /// Called after a batch was replaced by events: copies the parts of the batch that are needed later.
    pub(in crate::dialects::html::balanced) fn keep(
        &mut self,
        data: &ParserData,
        formatting: &Formatting<u32>,
    ) {
        for waiting in [
            &mut self.delayed.after_head,
            &mut self.delayed.after_body,
            &mut self.delayed.after_root,
            &mut self.delayed.in_table,
        ] {
            if !waiting.is_empty() {
                waiting.keep(data);
            }
        }
        debug_assert_eq!(self.delayed.bytes, self.delayed.sum());
        self.source.shrink();
        for entry in self.start_tags.fresh.drain(..) {
            let Some(listed) = &mut self.start_tags.by_entry[entry as usize] else {
                continue;
            };
            listed.again = None;
            if let Tag::InBatch(record) = &listed.tag {
                if !formatting.has(entry) {
                    self.start_tags.by_entry[entry as usize] = None;
                    continue;
                }
                let holder = Holder::Parser(data);
                listed.copied_bytes = tag_bytes(record);
                listed.tag = Tag::Copy(Arc::new(EventCopy::new(Part { record, holder })));
                self.start_tags.copied_bytes += listed.copied_bytes as usize;
            }
        }
        let places = self.start_tags.by_entry.len() * size_of::<Option<Listed>>();
        let most = (2 * formatting.bytes).max(places);
        if self.start_tags.copied_bytes > most.max(MIN_SWEPT_BYTES) {
            self.sweep(formatting);
        }
        debug_assert_eq!(
            self.start_tags.copied_bytes,
            (self.start_tags.by_entry.iter().flatten())
                .map(|listed| listed.copied_bytes as usize)
                .sum()
        );
    }

    /// Drops the start tags of elements that are no longer in the list of active formatting elements.
    #[cold]
    fn sweep(&mut self, formatting: &Formatting<u32>) {
        for (entry, place) in self.start_tags.by_entry.iter_mut().enumerate() {
            if !formatting.has(entry as EntryId)
                && let Some(listed) = place.take()
            {
                self.start_tags.copied_bytes -= listed.copied_bytes as usize;
            }
        }
    }
}
