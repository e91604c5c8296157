//! Checkpoints of a selector set: the texts of the selectors, which are compiled again, and the state of matching.

use super::{SelectorSet, SetPosition, WORD_BITS};
use crate::checkpoint::{CheckpointError, CheckpointKind, Checkpointable, Damaged, Reader, Writer};
use crate::engine::dialect::Balance;
use crate::engine::parser::checkpoint::{seal, unseal};
use crate::select::SelectorBuilder;
use crate::select::automaton::{GroupState, MAX_LOADED_COUNT};
use crate::select::selector::SelectorSource;
use alloc::vec::Vec;

impl<D: Balance> SelectorSet<D> {
    /// Returns the selectors and the state of matching as bytes, for a checkpoint beside that of a parser: see
    /// [`Parser::checkpoint`](crate::Parser::checkpoint).
    ///
    /// ```
    /// use tagstream::select::SelectorSet;
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// let mut set = SelectorSet::new(Xml::default());
    /// let id = set.add("a > b")?;
    /// parser.feed("<a><b>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert!(!set.enter(&tag));
    /// let mut set = SelectorSet::restore(Xml::default(), &set.checkpoint())?;
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert!(set.enter(&tag) && set.is_selected(id));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        seal(&self.dialect, CheckpointKind::Selectors, |to| self.save(to))
    }

    /// Restores a set from a [`checkpoint`](SelectorSet::checkpoint). The IDs of its selectors are the same.
    ///
    /// # Errors
    ///
    /// The same as for [`Parser::restore`](crate::Parser::restore).
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<SelectorSet<D>, CheckpointError> {
        let kind = CheckpointKind::Selectors;
        unseal(dialect, kind, checkpoint, SelectorSet::load)
    }

    /// Appends the set to a checkpoint, without its dialect.
    pub(crate) fn save(&self, to: &mut Writer) {
        let SelectorSet {
            dialect: _,
            sources,
            groups,
            names: _,
            has_frames: _,
            needs_all_tags: _,
            seeds,
            position,
            selected,
            has_selected: _,
        } = self;
        sources.save(to);
        seeds.save(to);
        position.save(to);
        selected.save(to);
        groups.iter().for_each(|one| one.state.save(to));
    }

    /// Loads a set from a checkpoint.
    pub(crate) fn load(dialect: D, from: &mut Reader<'_>) -> Result<SelectorSet<D>, Damaged> {
        let mut set = SelectorSet::new(dialect);
        for SelectorSource { text, namespaces } in Vec::<SelectorSource>::load(from)? {
            let selector = SelectorBuilder { namespaces }.build(&text);
            let selector = selector.map_err(|_| Damaged)?;
            set.add(selector).map_err(|_| Damaged)?;
        }
        set.seeds = Checkpointable::load(from)?;
        let position = SetPosition::load(from)?;
        if position.mode.is_some() != set.position.mode.is_some() {
            return Err(Damaged);
        }
        set.position = position;
        let selected = Vec::<u64>::load(from)?;
        let unused = selected.len() * WORD_BITS - set.len().min(selected.len() * WORD_BITS);
        let is_within = |last: &u64| unused == 0 || last >> (WORD_BITS - unused) == 0;
        if selected.len() != set.selected.len() || !selected.last().is_none_or(is_within) {
            return Err(Damaged);
        }
        set.has_selected = selected.iter().any(|word| *word != 0);
        set.selected = selected;
        for one in &mut set.groups {
            one.state = GroupState::load(from)?;
            if !one.state.is_valid(&one.group, set.position.depth) {
                return Err(Damaged);
            }
        }
        Ok(set)
    }
}

impl SetPosition {
    /// Checks that the counters of a loaded position cannot overflow.
    fn validate(&mut self) -> Result<(), Damaged> {
        match self.depth.max(self.template_depth) <= MAX_LOADED_COUNT {
            true => Ok(()),
            false => Err(Damaged),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct SetPosition { depth, template_depth, mode, is_at_start; then SetPosition::validate }
}
