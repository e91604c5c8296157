//! Parsers that read a part of a document, for crates of this project that read the parts of one document in parallel.

use super::Xml;
use crate::engine::dialect::Form;
use crate::engine::parser::Parser;

impl<F: Form> Parser<Xml, F> {
    /// Returns the charge for all entities that were expanded so far, which is limited to a multiple of the input read.
    /// After the limit was exceeded, returns `u64::MAX`, even if events before the error were not requested yet.
    #[doc(hidden)]
    pub fn entity_charge(&mut self) -> u64 {
        self.machine().dialect.entities.more.expanded
    }

    /// Counts a part of the document that another parser has read: the bytes of its text, and the charge for the entities
    /// that were expanded there. The limit of entity expansion is then that of the whole document.
    #[doc(hidden)]
    pub fn count_part(&mut self, text: u64, entity_charge: u64) {
        let entities = &mut self.machine().dialect.entities;
        entities.more.read_elsewhere = entities.more.read_elsewhere.saturating_add(text);
        entities.more.expanded = entities.more.expanded.saturating_add(entity_charge);
    }
}
