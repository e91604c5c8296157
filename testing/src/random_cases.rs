//! Tests of random documents, as cases of a test program. A document depends only on the seed and on its number. If the
//! check of a document fails, the case reports a smaller document for which the check fails too.

use crate::draws;
use crate::effort;
use crate::generate::Parts;
use crate::pull::Pull;
use crate::random::Random;
use crate::run::Program;
use crate::shrink;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tagstream::{Error, Event, Limits, Sizes};

/// Number of cases among which the documents of a seed are divided, so that all cores are used.
const SLICES: usize = 8;

/// The seed of every run, unless `TAGSTREAM_SEED` sets another one.
const SEED: u64 = 0x7461_6773_7472_6561;

/// The way in which an input is fed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed {
    /// Length of the chunks, in bytes.
    pub chunk: usize,
    /// Sizes of windows and batches.
    pub sizes: Sizes,
    /// Limits of the parse. Only checks that compare results of the library with each other use them.
    pub limits: Limits,
}

impl Feed {
    /// Returns one chunk in windows of the usual sizes, with the usual limits, as in a program.
    #[must_use]
    pub fn whole() -> Feed {
        Feed {
            chunk: usize::MAX,
            sizes: Sizes::USUAL,
            limits: Limits::default(),
        }
    }

    /// Draws the length of chunks, the sizes of windows and batches, and limits, independently of each other.
    #[must_use]
    pub fn draw(random: &mut Random) -> Feed {
        Feed {
            chunk: draws::chunk_length(random),
            sizes: draws::sizes(random),
            limits: draws::limits(random),
        }
    }

    /// The chunks of an input.
    pub fn chunks<'i>(&self, input: &'i [u8]) -> impl Iterator<Item = &'i [u8]> + Clone {
        input.chunks(self.chunk)
    }

    /// Feeds an input and passes all events to `each`.
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse.
    pub fn events<P: Pull>(
        &self,
        mut parser: P,
        input: &[u8],
        mut each: impl FnMut(Event<'_>),
    ) -> Result<(), Error> {
        for chunk in self.chunks(input) {
            parser.feed(chunk);
            while let Some(event) = parser.pull()? {
                each(event);
            }
        }
        parser.finish();
        while let Some(event) = parser.pull()? {
            each(event);
        }
        Ok(())
    }
}

/// The options of the dialect, and a document in parts.
pub type Drawn<H> = (H, Parts);

/// The result of a check that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The usual result.
    Right,
    /// The result is right too, but must not be frequent, or must occur sometimes: the document is refused, a
    /// difference is permitted, or the specification does not define the result.
    Other,
}

/// A generator of random documents, and the check of each.
#[derive(Clone, Copy)]
pub struct RandomTest<H> {
    /// The name, which starts with the dialect.
    pub name: &'static str,
    /// Number of documents of each seed in the quick effort.
    pub quick: usize,
    /// Number of documents of each seed in the full effort.
    pub full: usize,
    /// Draws a document.
    pub draw: fn(&mut Random) -> Drawn<H>,
    /// The check.
    pub check: fn(&H, Feed, &[u8]) -> Result<Verdict, String>,
    /// The minimum and maximum number of documents, out of a thousand, whose verdict is `Other`.
    pub other: [usize; 2],
    /// True if a document without some of its parts is still a document of the tested kind, so that it can be reduced.
    pub shrinks: bool,
}

impl<H: Copy + Debug + 'static> RandomTest<H> {
    /// Adds the cases of the test: the documents of each seed in slices.
    pub fn add(self, program: &mut Program) {
        let documents = effort::documents(self.quick, self.full);
        let seed = effort::seed(SEED);
        let slices = SLICES.min(documents.div_ceil(100)).max(1);
        for slice in 0..slices {
            let from = documents * slice / slices;
            let to = documents * (slice + 1) / slices;
            let name = format!("{}/seed {seed}, {from}..{to}", self.name);
            program.case(name, move || self.documents(seed, from, to));
        }
    }

    fn documents(self, seed: u64, from: usize, to: usize) -> Result<(), String> {
        let mut others = 0;
        for number in from..to {
            // The seed is scrambled, so that consecutive documents are unrelated.
            let mut random = Random(Random(seed.wrapping_add(number as u64)).number());
            let (how, parts) = (self.draw)(&mut random);
            let feed = Feed::draw(&mut random);
            match self.checked(&how, feed, &parts.concat()) {
                Ok(Verdict::Right) => {}
                Ok(Verdict::Other) => others += 1,
                Err(problem) => return Err(self.told(seed, number, (how, parts), feed, problem)),
            }
        }
        let documents = to - from;
        let [least, most] = self.other.map(|share| documents * share / 1000);
        // A tolerance, because the number of documents is random. It matters if there are few documents.
        let chance = if self.other == [0, 0] {
            0
        } else {
            8 + documents / 100
        };
        match (least.saturating_sub(chance)..=most + chance).contains(&others) {
            true => Ok(()),
            false => Err(format!("{others} of {documents} have the other verdict")),
        }
    }

    /// Runs the check. A panic of the library is reported like any other problem.
    fn checked(&self, how: &H, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
        let check = || (self.check)(how, feed, input);
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or(panic.downcast_ref::<&str>().map(ToString::to_string));
            Err(format!("a panic: {}", words.unwrap_or_default()))
        })
    }

    /// Returns a description of the problem, with the smallest document that was found to have it, and the seed and
    /// number that reproduce the problem.
    fn told(
        &self,
        seed: u64,
        number: usize,
        (how, parts): Drawn<H>,
        mut feed: Feed,
        problem: String,
    ) -> String {
        let wrong = |feed, input: &[u8]| self.checked(&how, feed, input).err();
        for simpler in [
            Feed {
                limits: Limits::default(),
                ..feed
            },
            Feed::whole(),
        ] {
            if wrong(simpler, &parts.concat()).is_some() {
                feed = simpler;
            }
        }
        let (document, problem) = match self.shrinks {
            true => shrink::smallest(parts, problem, |input| wrong(feed, input)),
            false => (parts.concat(), problem),
        };
        format!(
            "TAGSTREAM_SEED={seed}, document {number}, {how:?}, {feed:?}:\n{}\n{problem}",
            shown(&document)
        )
    }
}

/// Returns a document as a literal that can be used in a test.
fn shown(document: &[u8]) -> String {
    match std::str::from_utf8(document) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("b\"{}\"", document.escape_ascii()),
    }
}
