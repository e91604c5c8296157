//! Checkpoints of a parser.
//!
//! A checkpoint contains everything but the dialect, which the program supplies again, and the two functions that
//! prepare the tokenizer, which follow from the type that contains the parser.

use super::{Parser, Prepare};
use crate::checkpoint::{self, CheckpointError, CheckpointKind, Header, Loaded, Saving};
use crate::engine::dialect::{Dialect, Machine};
use crate::engine::error::of_codes;
use crate::engine::event::ParserData;
use alloc::vec::Vec;
use bytes::Bytes;

impl<D: Dialect> Parser<D> {
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
    /// let mut parser = Parser::restore(Xml::default(), &checkpoint)?;
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
        self.seal(CheckpointKind::Parser, |_| {})
    }

    /// Restores the parser from a [`checkpoint`](Parser::checkpoint).
    ///
    /// ```
    /// use tagstream::{CheckpointError, Parser, Xml};
    ///
    /// let mut checkpoint = Parser::new(Xml::default()).checkpoint();
    /// assert!(Parser::restore(Xml::default(), &checkpoint).is_ok());
    /// let error = Parser::restore(Xml::strict(), &checkpoint).unwrap_err();
    /// assert_eq!(error, CheckpointError::Options);
    /// checkpoint.pop();
    /// let error = Parser::restore(Xml::default(), &checkpoint).unwrap_err();
    /// assert_eq!(error, CheckpointError::Damaged);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a checkpoint of a parser for this dialect with these options, or were
    /// written by an incompatible version.
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<Parser<D>, CheckpointError> {
        Parser::unseal(
            dialect,
            CheckpointKind::Parser,
            checkpoint,
            |dialect, payload| {
                let (parser, []) = Parser::load(dialect, |_| {}, |_| {}, payload)? else {
                    return Err(CheckpointError::Damaged);
                };
                Ok(parser)
            },
        )
    }

    /// Returns the number of bytes of the input that were fed. After restoring a checkpoint, this is the offset of
    /// the first byte to feed.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>");
    /// assert_eq!(parser.resume_at(), 3);
    /// ```
    pub fn resume_at(&self) -> u64 {
        self.held.input.fed()
    }

    /// Returns a checkpoint of the parser. `more` can append to the payload.
    pub(crate) fn seal(&self, kind: CheckpointKind, more: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let header = header(&self.dialect, kind);
        let payload = checkpoint::together(|| {
            let mut payload = self.save();
            more(&mut payload);
            payload
        });
        header.write(&payload)
    }

    /// Checks a checkpoint and loads its payload with `load`.
    pub(crate) fn unseal<T>(
        dialect: D,
        kind: CheckpointKind,
        checkpoint: &[u8],
        load: impl FnOnce(D, &[u8]) -> Result<T, CheckpointError>,
    ) -> Result<T, CheckpointError> {
        let payload = header(&dialect, kind).read(checkpoint)?;
        let codes = dialect.identity().codes;
        of_codes(codes, || checkpoint::together(|| load(dialect, payload)))
    }

    /// Returns the function that makes the events a tree.
    pub(crate) fn balance_of(&self) -> Prepare<D> {
        self.balance
    }

    fn save(&self) -> Vec<u8> {
        let Parser {
            dialect: _,
            machine,
            balance: _,
            host: _,
            held,
            limits,
            policy,
            error,
            fed_late,
            entity,
            is_entity_too_long,
            is_entity_text,
            is_dry,
            in_hand,
            is_past,
        } = self;
        let mut bytes = checkpoint::to_bytes(&Saving(&Bytes::from(machine.apart())));
        let flags = [
            *fed_late,
            *is_entity_too_long,
            *is_entity_text,
            *is_dry,
            *is_past,
        ];
        bytes.extend(checkpoint::to_bytes(&(
            (machine, held, entity, flags),
            (Saving(limits), Saving(policy), Saving(error)),
            Saving(in_hand),
        )));
        bytes
    }

    /// Loads a parser from the start of `bytes`, and returns it with the remaining bytes. `balance` and `host` must
    /// be the functions that prepared the saved parser.
    pub(crate) fn load(
        dialect: D,
        balance: Prepare<D>,
        host: Prepare<D>,
        bytes: &[u8],
    ) -> Result<(Parser<D>, &[u8]), CheckpointError> {
        let mut fresh = dialect.machine();
        balance(&mut fresh);
        host(&mut fresh);
        let (Loaded(apart), rest): (Loaded<Bytes>, _) = checkpoint::first(bytes)?;
        fresh.load_apart(&apart)?;
        type State<M> = (M, ParserData, Vec<u8>, [bool; 5]);
        let (state, rest) = checkpoint::first(rest)?;
        let (state, settings, Loaded(in_hand)) = state;
        let (mut machine, held, entity, flags): State<D::Machine> = state;
        let (Loaded(limits), Loaded(policy), Loaded(error)) = settings;
        let [
            fed_late,
            is_entity_too_long,
            is_entity_text,
            is_dry,
            is_past,
        ] = flags;
        machine.complete(fresh);
        if !held.is_sound() {
            return Err(CheckpointError::Damaged);
        }
        let parser = Parser {
            dialect,
            machine,
            balance,
            host,
            held,
            limits,
            policy,
            error,
            fed_late,
            entity,
            is_entity_too_long,
            is_entity_text,
            is_dry,
            in_hand,
            is_past,
        };
        Ok((parser, rest))
    }
}

/// Returns the header of a checkpoint of this dialect.
fn header<D: Dialect>(dialect: &D, kind: CheckpointKind) -> Header {
    let identity = dialect.identity();
    Header {
        kind,
        dialect: identity.name,
        options: identity.options,
    }
}
