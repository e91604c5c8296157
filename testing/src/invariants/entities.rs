//! What must hold of Xml on any document with external entities: the same for every cut of either. It
//! knows nothing of where they come from.

use super::seen::{Feeding, Seen, pull};
use super::{Options, agree, cuts, same, tree};
use crate::pull::Pull;
use bytes::Bytes;
use tagstream::{
    Balanced, Encoding, EntityRequest, Error, Event, OwnedEvent, Parser, Status, TextPolicy,
    TreeBuilder, Work, Xml,
};

/// Stands between the document and its entities, which have the system identifiers `1`, `2`, …
pub const SEPARATOR: u8 = 0x1E;

/// How the bytes of an entity are fed: in pieces of so many.
const PIECES: [usize; 4] = [usize::MAX, 1, 2, 7];

/// Checks all that must hold of Xml on one document, the entities behind it.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_entities(options: Options, input: &[u8]) -> Result<(), String> {
    let mut parts = input.split(|byte| *byte == SEPARATOR);
    let document = parts.next().unwrap_or_default();
    let entities: Vec<&[u8]> = parts.collect();
    let answered = |inner, piece| Answered {
        inner,
        entities: entities.clone(),
        piece,
    };
    let cuts = cuts(document);
    let mut both = Vec::new();
    for strict in [false, true] {
        let dialect = options.dialect(strict).external_entities(true);
        let parser = || Inner::Parser(Parser::new(dialect).limits(options.limits()).errors(true));
        let whole = pull(answered(parser(), usize::MAX), document, &Feeding::Whole)?;
        starts_in_order(&whole)?;
        all_ways(
            &format!("strict={strict}"),
            &whole,
            document,
            &cuts,
            |piece| answered(parser(), piece),
        )?;

        let pieces = || {
            let parser = Parser::new(dialect).limits(options.limits());
            Inner::Parser(parser.text(TextPolicy::Pieces))
        };
        if !whole.failed_on("token-limit") {
            let joined = whole.without_errors().joined();
            for (piece, feeding) in PIECES.into_iter().zip([Feeding::Whole, Feeding::Bytes]) {
                let seen = pull(answered(pieces(), piece), document, &feeding)?;
                same("pieces", &joined, &seen.joined())?;
            }
        }

        let balanced =
            || Inner::Balanced(Balanced::new(dialect).limits(options.limits()).errors(true));
        let events = pull(answered(balanced(), usize::MAX), document, &Feeding::Whole)?;
        tree::balanced(&events)?;
        all_ways(
            &format!("balanced strict={strict}"),
            &events,
            document,
            &cuts,
            |piece| answered(balanced(), piece),
        )?;
        if options.limits() == tagstream::Limits::default() {
            for (piece, feeding) in PIECES.into_iter().zip([Feeding::Whole, Feeding::Bytes]) {
                let built = tree::built_answering(dialect, document, &feeding, |builder| {
                    answer_builder(builder, &entities, piece)
                })?;
                tree::same(&format!("tree strict={strict}"), &events, &built)?;
            }
        }
        both.push(whole);
    }
    agree(&both[0], &both[1])
}

/// No event begins before the one that it follows. (They may overlap: what comes of an entity has the
/// span of its reference, and a run of text may end or begin in one.)
fn starts_in_order(seen: &Seen) -> Result<(), String> {
    let mut last = 0;
    for event in seen.events.iter().filter(|event| !event.is_in_doctype) {
        if event.is_error() {
            continue;
        }
        if event.start < last {
            return Err(format!("out of order at {}\n{seen}", event.line));
        }
        last = event.start;
    }
    Ok(())
}

/// The same for every cut of the document and of its entities.
fn all_ways<P: Pull>(
    what: &str,
    whole: &Seen,
    document: &[u8],
    cuts: &[usize],
    make: impl Fn(usize) -> P,
) -> Result<(), String> {
    let clone_at = cuts.first().copied().unwrap_or(0);
    let feedings = [
        Feeding::Whole,
        Feeding::Bytes,
        Feeding::Cuts(cuts),
        Feeding::CloneAt(clone_at),
    ];
    for (feeding, piece) in feedings.iter().zip(PIECES.into_iter().rev()) {
        let seen = pull(make(piece), document, feeding)?;
        same(
            &format!("{what} {feeding:?}, entities by {piece}"),
            whole,
            &seen,
        )?;
        let text = seen.text_length + seen.expanded;
        if seen.work > 2 * text + 64 {
            return Err(format!("work for {text} bytes\n{seen}"));
        }
    }
    Ok(())
}

/// A parser or a balanced stream.
#[derive(Clone)]
enum Inner {
    Parser(Parser<Xml>),
    Balanced(Balanced<Xml>),
}

/// One whose questions are answered.
#[derive(Clone)]
struct Answered<'e> {
    inner: Inner,
    entities: Vec<&'e [u8]>,
    piece: usize,
}

macro_rules! inner {
    ($self:expr, $parser:ident => $what:expr) => {
        match &$self.inner {
            Inner::Parser($parser) => $what,
            Inner::Balanced($parser) => $what,
        }
    };
}

macro_rules! inner_mut {
    ($self:expr, $parser:ident => $what:expr) => {
        match &mut $self.inner {
            Inner::Parser($parser) => $what,
            Inner::Balanced($parser) => $what,
        }
    };
}

impl Pull for Answered<'_> {
    fn feed(&mut self, chunk: Bytes) {
        inner_mut!(self, parser => parser.feed(chunk));
    }

    fn feed_slice(&mut self, chunk: &[u8]) {
        inner_mut!(self, parser => parser.feed_slice(chunk));
    }

    fn finish(&mut self) {
        inner_mut!(self, parser => parser.finish());
    }

    fn pull(&mut self) -> Result<Option<Event<'_>>, Error> {
        inner_mut!(self, parser => parser.next_event())
    }

    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>> {
        inner_mut!(self, parser => parser.next())
    }

    fn status(&self) -> Status {
        inner!(self, parser => parser.status())
    }

    fn work(&self) -> Work {
        inner!(self, parser => parser.work())
    }

    fn encoding(&self) -> Option<Encoding> {
        inner!(self, parser => parser.encoding())
    }

    fn answer(&mut self) -> bool {
        let Status::NeedsEntity(request) = self.status() else {
            return false;
        };
        let found = find(&request, &self.entities);
        // A clone is as good at every piece of an entity.
        self.inner = self.inner.clone();
        inner_mut!(self, parser => match found {
            Some(bytes) => {
                for piece in bytes.chunks(self.piece) {
                    parser.feed_entity(piece);
                }
                parser.finish_entity(Some(request.system_id()));
            }
            None => parser.skip_entity(),
        });
        true
    }
}

fn answer_builder(builder: &mut TreeBuilder<Xml>, entities: &[&[u8]], piece: usize) -> bool {
    let Status::NeedsEntity(request) = builder.status() else {
        return false;
    };
    match find(&request, entities) {
        Some(bytes) => {
            for piece in bytes.chunks(piece) {
                builder.feed_entity(piece);
            }
            builder.finish_entity(Some(request.system_id()));
        }
        None => builder.skip_entity(),
    }
    true
}

fn find<'e>(request: &EntityRequest, entities: &[&'e [u8]]) -> Option<&'e [u8]> {
    let number: usize = request.system_id().parse().ok()?;
    entities.get(number.checked_sub(1)?).copied()
}
