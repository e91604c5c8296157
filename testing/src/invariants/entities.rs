//! Checks the properties of XML with external entities, for any document and any entities: the result does not depend
//! on how they are cut.

use super::dialects::{FRAGMENT, XML, xml};
use super::recording::{Feeding, Seen, pull, same};
use super::{Checks, Options, agree, tree};
use crate::generate::xml::SEPARATOR;
use crate::pull::Pull;
use tagstream::{
    Chunk, Encoding, Error, Event, Nested, OwnedEvent, Parser, Sizes, Stats, Status, TextPolicy,
    TreeBuilder, Xml,
};

/// Chunk sizes of entities, in bytes.
const PIECES: [usize; 4] = [usize::MAX, 1, 2, 7];

/// Checks the properties of XML on one document. The entities follow the document.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_entities(options: Options, input: &[u8]) -> Result<(), String> {
    let mut parts = input.split(|byte| *byte == SEPARATOR);
    let document = parts.next().unwrap_or_default();
    let checks = Answers {
        checks: Checks::new(options, document, XML),
        entities: parts.collect(),
    };
    let both = [checks.events(false)?, checks.events(true)?];
    checks.balanced(false)?;
    checks.balanced(true)?;
    agree(&both[0], &both[1])
}

/// A document, and the entities with which its requests are answered.
struct Answers<'i> {
    checks: Checks<'i>,
    entities: Vec<&'i [u8]>,
}

impl<'i> Answers<'i> {
    fn answered<P>(&self, inner: P, piece: usize) -> Answered<'i, P> {
        Answered {
            inner,
            entities: self.entities.clone(),
            piece,
        }
    }

    fn dialect(&self, strict: bool) -> Xml {
        xml(self.checks.options, strict).external_entities(true)
    }

    fn events(&self, strict: bool) -> Result<Seen, String> {
        let dialect = self.dialect(strict);
        let parser = || self.checks.parser(&dialect);
        let whole = self.all_ways(&format!("strict={strict}"), |sizes| {
            parser().report_errors(true).inspect_sizes(sizes)
        })?;
        if !whole.failed_on_token() {
            let joined = whole.without_errors().joined();
            for (piece, feeding) in PIECES.into_iter().zip([Feeding::Whole, Feeding::Bytes]) {
                let parser = self.answered(parser().text(TextPolicy::Pieces), piece);
                let seen = pull(parser, self.checks.input, &feeding)?;
                same("pieces", &joined, &seen.joined())?;
            }
        }
        Ok(whole)
    }

    fn balanced(&self, strict: bool) -> Result<(), String> {
        let (dialect, options) = (self.dialect(strict), self.checks.options);
        let events = self.all_ways(&format!("balanced strict={strict}"), |sizes| {
            let balanced = Parser::new(dialect.clone())
                .balanced()
                .limits(options.limits);
            balanced.report_errors(true).inspect_sizes(sizes)
        })?;
        // A fragment may have text and several root elements at the top level.
        match options.has(FRAGMENT) {
            true => tree::nested(&events)?,
            false => tree::balanced(&events)?,
        }
        if options.has_small_limits() {
            return Ok(());
        }
        for (piece, feeding) in PIECES.into_iter().zip([Feeding::Whole, Feeding::Bytes]) {
            let input = self.checks.input;
            let built = tree::built(dialect.clone(), options.sizes, input, &feeding, |builder| {
                answer(builder, &self.entities, piece)
            })?;
            tree::same(&format!("tree strict={strict}"), &events, &built, true)?;
        }
        Ok(())
    }

    /// Checks that the events are the same for every cut of the document and of its entities. Returns the events.
    fn all_ways<P: Pull + Asks>(
        &self,
        what: &str,
        make: impl Fn(Sizes) -> P,
    ) -> Result<Seen, String> {
        let (input, sizes) = (self.checks.input, self.checks.options.sizes);
        let usual = self.answered(make(self.checks.options.reference()), usize::MAX);
        let whole = pull(usual, input, &Feeding::Whole)?;
        starts_in_order(&whole)?;
        let feedings = self.checks.feedings().into_iter();
        let feedings = feedings.chain([self.checks.clone_at()]);
        for (feeding, piece) in feedings.zip(PIECES.into_iter().rev()) {
            let seen = pull(self.answered(make(sizes), piece), input, &feeding)?;
            let what = format!("{what} {feeding:?}, entities by {piece}");
            same(&what, &whole, &seen)?;
            let text = seen.text_length + seen.expanded;
            if sizes == Sizes::USUAL && seen.work > 2 * text + 64 {
                return Err(format!("work for {text} bytes\n{seen}"));
            }
        }
        Ok(whole)
    }
}

/// Checks that no event begins before the previous event. (Events may overlap: the events of an entity have the span of
/// its reference, and a run of text may begin or end in an entity.)
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

/// A parser or a tree builder that requests entities.
trait Asks: Clone {
    fn asks(&self) -> Status;
    fn feed_entity(&mut self, bytes: &[u8]);
    fn finish_entity(&mut self, location: &str);
    fn skip_entity(&mut self);
}

macro_rules! asks {
    ($($parser:ident $([$form:ident])?),*) => {
        $(impl Asks for $parser<Xml $(, $form)?> {
            fn asks(&self) -> Status {
                self.status()
            }

            fn feed_entity(&mut self, bytes: &[u8]) {
                $parser::feed_entity(self, bytes);
            }

            fn finish_entity(&mut self, location: &str) {
                $parser::finish_entity(self, Some(location));
            }

            fn skip_entity(&mut self) {
                $parser::skip_entity(self);
            }
        })*
    };
}

asks!(Parser, Parser[Nested], TreeBuilder);

/// Supplies the entity that is requested, if any. Returns whether there was a request.
fn answer(parser: &mut impl Asks, entities: &[&[u8]], piece: usize) -> bool {
    let Status::NeedsEntity(request) = parser.asks() else {
        return false;
    };
    // A clone must be able to receive the entity.
    *parser = parser.clone();
    let number = request.system_id().parse().ok();
    let found = number.and_then(|number: usize| entities.get(number.checked_sub(1)?));
    match found {
        Some(bytes) => {
            for piece in bytes.chunks(piece) {
                parser.feed_entity(piece);
            }
            parser.finish_entity(request.system_id());
        }
        None => parser.skip_entity(),
    }
    true
}

/// A parser whose requests for entities are answered.
#[derive(Clone)]
struct Answered<'e, P> {
    inner: P,
    entities: Vec<&'e [u8]>,
    piece: usize,
}

impl<P: Pull + Asks> Pull for Answered<'_, P> {
    fn feed(&mut self, chunk: impl Chunk) {
        self.inner.feed(chunk);
    }

    fn finish(&mut self) {
        self.inner.finish();
    }

    fn pull(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.inner.pull()
    }

    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>> {
        self.inner.pull_owned()
    }

    fn is_in_text(&self) -> bool {
        self.inner.is_in_text()
    }

    fn status(&self) -> Status {
        self.inner.status()
    }

    fn stats(&self) -> Stats {
        self.inner.stats()
    }

    fn encoding(&self) -> Option<Encoding> {
        self.inner.encoding()
    }

    fn earliest_start(&self) -> Option<u64> {
        self.inner.earliest_start()
    }

    fn answer(&mut self) -> bool {
        answer(&mut self.inner, &self.entities, self.piece)
    }
}
