//! Checkpoints of a parser.
//!
//! A checkpoint contains everything but the dialect, which the program supplies again, and the two functions that
//! prepare the tokenizer, which follow from the type that contains the parser.

use super::{Parser, Prepare};
use crate::checkpoint::{
    CheckpointError, CheckpointKind, Checkpointable, CheckpointableTokenizer, Damaged, Header,
    Reader, Writer,
};
use crate::engine::dialect::{Dialect, Form};
use alloc::vec::Vec;
use core::marker::PhantomData;

impl<D: Dialect, F: Form> Parser<D, F> {
    /// Serializes the parser, so that [`restore`](Parser::restore) can continue the parse, even in another process.
    /// This is possible at any time, in the middle of a tag or of a character too. Events that were not requested yet
    /// are included.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let input = "<log><entry>Tom &amp; Jerry</entry></log>";
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed(&input[..19]);
    /// while parser.next_event()?.is_some() {}
    /// let checkpoint = parser.checkpoint();
    /// drop(parser);
    ///
    /// let mut parser: Parser<Xml> = Parser::restore(Xml::default(), &checkpoint)?;
    /// parser.feed(&input[parser.resume_at() as usize..]);
    /// let Some(Event::Text(text)) = parser.next_event()? else { panic!() };
    /// assert_eq!((text.as_str(), text.position().column()), ("Tom & Jerry", 13));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The checkpoint includes limits and other settings. It does not include the dialect, which you supply again
    /// with the same options. Only the same minor version of this crate can read it.
    ///
    /// A checksum detects damage, but not manipulation: treat a checkpoint like your program's own files, and do not
    /// load one from a source that you do not trust.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        self.seal(Parser::<D, F>::kind(), |_| {})
    }

    /// Restores the parser from a [`checkpoint`](Parser::checkpoint). The type says which form of events the
    /// checkpoint is of: `Parser<Xml>` is a parser of events as written, `Parser<Xml, Nested>` a balanced one.
    ///
    /// ```
    /// use tagstream::{CheckpointError, Nested, Parser, Xml};
    ///
    /// let mut checkpoint = Parser::new(Xml::default()).balanced().checkpoint();
    /// let restore = Parser::<Xml, Nested>::restore;
    /// assert!(restore(Xml::default(), &checkpoint).is_ok());
    /// assert_eq!(restore(Xml::strict(), &checkpoint).unwrap_err(), CheckpointError::Options);
    /// checkpoint.pop();
    /// assert_eq!(restore(Xml::default(), &checkpoint).unwrap_err(), CheckpointError::Damaged);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a checkpoint of a parser for this dialect with these options, or were
    /// written by an incompatible version.
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<Parser<D, F>, CheckpointError> {
        unseal(
            dialect,
            Parser::<D, F>::kind(),
            checkpoint,
            |dialect, from| Parser::load(dialect, Parser::<D, F>::balance(), |_| {}, from),
        )
    }

    /// Returns the number of bytes of the input that were fed. After restoring a checkpoint, this is the offset of
    /// the first byte to feed.
    pub fn resume_at(&self) -> u64 {
        self.data.input.fed()
    }

    /// Returns a checkpoint of the parser: its header and its state. `more` appends further data of the type that
    /// contains the parser.
    pub(crate) fn seal(&self, kind: CheckpointKind, more: impl FnOnce(&mut Writer)) -> Vec<u8> {
        seal(&self.dialect, kind, |to| {
            self.save(to);
            more(to);
        })
    }

    /// Returns the number of insertions that have started and not ended.
    pub(crate) fn insertions(&self) -> usize {
        self.data.input.insertions()
    }

    /// Returns the kind of the checkpoints of a parser of this form.
    fn kind() -> CheckpointKind {
        match F::IS_TREE {
            true => CheckpointKind::Balanced,
            false => CheckpointKind::Parser,
        }
    }

    fn save(&self, to: &mut Writer) {
        let Parser {
            dialect: _,
            machine,
            balance: _,
            host: _,
            is_in_order,
            data,
            policy,
            error,
            fed_late,
            entity,
            is_entity_too_long,
            is_entity_text,
            is_dry,
            retained_event,
            is_past,
            was_in_text,
            form: _,
        } = self;
        machine.save(to);
        machine.save_objects(to);
        is_in_order.save(to);
        data.save(to);
        policy.save(to);
        error.save(to);
        fed_late.save(to);
        entity.save(to);
        is_entity_too_long.save(to);
        is_entity_text.save(to);
        is_dry.save(to);
        retained_event.save(to);
        is_past.save(to);
        was_in_text.save(to);
    }

    /// Loads a parser. `balance` and `host` must be the functions that prepared the saved parser.
    pub(crate) fn load(
        dialect: D,
        balance: Prepare<D>,
        host: Prepare<D>,
        from: &mut Reader<'_>,
    ) -> Result<Parser<D, F>, Damaged> {
        let mut new = dialect.machine();
        balance(&mut new);
        host(&mut new);
        let mut machine = D::Machine::load(from)?;
        machine.load_objects(new, from)?;
        let is_in_order = bool::load(from)?;
        Ok(Parser {
            dialect,
            machine,
            balance: match is_in_order {
                true => D::balance_in_order,
                false => balance,
            },
            host,
            is_in_order,
            data: Checkpointable::load(from)?,
            policy: Checkpointable::load(from)?,
            error: Checkpointable::load(from)?,
            fed_late: Checkpointable::load(from)?,
            entity: Checkpointable::load(from)?,
            is_entity_too_long: Checkpointable::load(from)?,
            is_entity_text: Checkpointable::load(from)?,
            is_dry: Checkpointable::load(from)?,
            retained_event: Checkpointable::load(from)?,
            is_past: Checkpointable::load(from)?,
            was_in_text: Checkpointable::load(from)?,
            form: PhantomData,
        })
    }
}

/// Returns the header of a checkpoint of this dialect.
fn header<D: Dialect>(dialect: &D, kind: CheckpointKind) -> Header {
    Header {
        kind,
        dialect: D::NAME,
        options: dialect.digest(),
    }
}

/// Returns a checkpoint whose payload `save` writes.
pub(crate) fn seal<D: Dialect>(
    dialect: &D,
    kind: CheckpointKind,
    save: impl FnOnce(&mut Writer),
) -> Vec<u8> {
    let mut payload = Writer::default();
    save(&mut payload);
    header(dialect, kind).write(&payload.into_bytes())
}

/// Checks a checkpoint and loads its payload with `load`. It is an error if bytes are left.
pub(crate) fn unseal<D: Dialect, T>(
    dialect: D,
    kind: CheckpointKind,
    checkpoint: &[u8],
    load: impl FnOnce(D, &mut Reader<'_>) -> Result<T, Damaged>,
) -> Result<T, CheckpointError> {
    let payload = header(&dialect, kind).read(checkpoint)?;
    let mut from = Reader::new(payload, D::CONTEXT);
    let loaded = load(dialect, &mut from)?;
    from.end()?;
    Ok(loaded)
}
