//! Methods by which a program supplies requested external entities.

use super::Parser;
use crate::engine::dialect::{Dialect, Form};
use crate::engine::entity::{Answer, ENTITY_SHARE};
use crate::engine::input::chunk::{Chunk, ChunkParts};
use crate::engine::tokenizer::Tokenizer;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Appends a piece of the requested external entity: see [`Status::NeedsEntity`](crate::Status::NeedsEntity). The
    /// entity is parsed when it is complete. If none is requested, nothing happens.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.feed_entity("<c/>");
    /// parser.finish_entity(None);
    /// assert!(matches!(parser.next_event()?, Some(Event::Start(tag)) if tag.name() == "c"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn feed_entity(&mut self, piece: impl Chunk) {
        self.feed_entity_parts(&piece.into_parts());
    }

    pub(crate) fn feed_entity_parts(&mut self, piece: &ChunkParts<'_>) {
        if self.machine.requested_entity().is_none() || self.is_entity_too_long || piece.len() == 0
        {
            return;
        }
        if self.entity.is_empty() {
            self.is_entity_text = piece.is_text;
        }
        let most = self.limits_set().memory / ENTITY_SHARE;
        self.is_entity_too_long = piece.len() > most.saturating_sub(self.entity.len());
        match self.is_entity_too_long {
            true => self.entity = Vec::new(),
            false => self.entity.extend_from_slice(piece.as_ref()),
        }
    }

    /// Marks the end of the external entity. Afterwards, request events. `location` is the location of the entity,
    /// which [`EntityRequest::base`](crate::EntityRequest::base) returns for entities declared in it.
    ///
    /// ```
    /// use tagstream::{Parser, Status, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a SYSTEM 'a.dtd'><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.feed_entity("<!ENTITY b SYSTEM 'b.xml'>");
    /// parser.finish_entity(Some("dtds/a.dtd"));
    /// while parser.next_event()?.is_some() {}
    /// let Status::NeedsEntity(wanted) = parser.status() else { panic!() };
    /// assert_eq!((wanted.base(), wanted.system_id()), (Some("dtds/a.dtd"), "b.xml"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn finish_entity(&mut self, location: Option<&str>) {
        self.wake();
        let bytes = take(&mut self.entity);
        let location = location.map(Arc::from);
        self.machine
            .answer_entity(match take(&mut self.is_entity_too_long) {
                true => Answer::TooLong,
                false => Answer::Bytes {
                    bytes,
                    is_text: self.is_entity_text,
                    location,
                },
            });
    }

    /// Tells the parser to skip the requested external entity, as if external entities were not enabled.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default().external_entities(true));
    /// parser.feed("<!DOCTYPE a [<!ENTITY b SYSTEM 'b.xml'>]><a>&b;</a>");
    /// while parser.next_event()?.is_some() {}
    /// parser.skip_entity();
    /// assert!(matches!(parser.next_event()?, Some(Event::SkippedEntity(b)) if b.name() == "b"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn skip_entity(&mut self) {
        self.entity.clear();
        self.is_entity_too_long = false;
        self.wake();
        self.machine.answer_entity(Answer::Skip);
    }
}
