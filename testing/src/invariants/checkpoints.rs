//! Saves and restores parsers, builders and rewriters at random, as if the process had ended in between.

use super::recording::Feeding;
use crate::pull::Pull;
use crate::random::Random;
use tagstream::{
    Balance, Buildable, CheckpointError, Chunk, Dialect, Document, Encoding, Error, Event, Form,
    Nested, OwnedEvent, Parser, RewriteError, Rewriter, Sizes, Stats, Status, TreeBuilder,
};

/// Returns whether an input is tested with checkpoints. One input of sixteen is, because this test takes several times
/// as long as all other tests of the input.
pub(super) fn is_chosen(input: &[u8]) -> bool {
    super::hash(input).is_multiple_of(16)
}

/// A parser or a builder that can be saved and restored.
pub trait Restored<D>: Sized {
    /// Restores a copy from a checkpoint of `self`.
    fn restored(&self, dialect: D) -> Result<Self, CheckpointError>;
}

macro_rules! restored {
    ($($type:ident $([$form:ident])?: $bound:path),*) => {
        $(impl<D: $bound> Restored<D> for $type<D $(, $form)?> {
            fn restored(&self, dialect: D) -> Result<Self, CheckpointError> {
                let restored = Self::restore(dialect, &self.checkpoint())?;
                assert_eq!(restored.resume_at(), self.resume_at());
                Ok(restored)
            }
        })*
    };
}

restored!(
    Parser: Dialect,
    Parser[Nested]: Balance,
    TreeBuilder: Buildable,
    Rewriter: Balance,
    Rewriter[Nested]: Balance
);

/// A parser that is saved and restored at random.
#[derive(Clone)]
pub(super) struct Interrupted<D, P> {
    pub(super) inner: P,
    dialect: D,
    random: Random,
}

impl<D: Dialect, P: Restored<D>> Interrupted<D, P> {
    pub(super) fn new(inner: P, dialect: &D, seed: u64) -> Interrupted<D, P> {
        Interrupted {
            inner,
            dialect: dialect.clone(),
            random: Random(seed),
        }
    }

    /// Saves and restores the parser in one of five calls.
    pub(super) fn moment(&mut self) {
        if self.random.one_in(5) {
            let restored = self.inner.restored(self.dialect.clone());
            self.inner = restored.expect("its own checkpoint");
        }
    }
}

impl<D: Dialect, P: Pull + Restored<D>> Pull for Interrupted<D, P> {
    fn feed(&mut self, chunk: impl Chunk) {
        self.moment();
        self.inner.feed(chunk);
        self.moment();
    }

    fn finish(&mut self) {
        self.inner.finish();
        self.moment();
    }

    fn pull(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.moment();
        self.inner.pull()
    }

    fn pull_owned(&mut self) -> Option<Result<OwnedEvent, Error>> {
        self.moment();
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
}

/// Checks that a tree is the same whether its builder is saved and restored between chunks or not.
pub(super) fn built<D: Buildable>(
    dialect: &D,
    sizes: Sizes,
    input: &[u8],
    feeding: &Feeding<'_>,
) -> Result<(), String> {
    if !is_chosen(input) {
        return Ok(());
    }
    let build = |chance: usize| {
        let builder = TreeBuilder::new(dialect.clone()).inspect_sizes(sizes);
        let mut builder = builder.positions(input.len().is_multiple_of(2));
        let mut random = Random(super::hash(input));
        for chunk in feeding.chunks(input) {
            if let Err(error) = builder.feed(chunk) {
                return format!("{error:?}\n{}", shown(builder.document()));
            }
            if random.below(4) < chance {
                builder = builder
                    .restored(dialect.clone())
                    .expect("its own checkpoint");
            }
        }
        match builder.finish() {
            Ok(document) => shown(&document),
            Err(error) => format!("{error:?}"),
        }
    };
    let (alone, restored) = (build(0), build(if input.len() > 400 { 1 } else { 3 }));
    match alone == restored {
        true => Ok(()),
        false => Err(format!(
            "{feeding:?}, a tree\n{alone}\nbut restored\n{restored}"
        )),
    }
}

/// Returns a text with all properties of a tree.
fn shown(document: &Document) -> String {
    let nodes = document.root().descendants().map(|node| {
        let attributes: Vec<_> = node.attributes().collect();
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {attributes:?}\n",
            node.id(),
            node.kind(),
            node.name(),
            node.namespace(),
            node.text(),
            node.span(),
        )
    });
    nodes.collect::<String>() + &format!("{:?} {}", document.quirks_mode(), document.to_html())
}

/// Checks that a document with random edits is the same whether the rewriter is saved and restored or not, with tags as
/// written and with balanced events.
pub(super) fn rewritten<D: Balance>(
    dialect: &D,
    sizes: Sizes,
    input: &[u8],
    cuts: &[usize],
) -> Result<(), String> {
    if !is_chosen(input) {
        return Ok(());
    }
    let rewriter = || Rewriter::new(dialect.clone());
    let written = rewriter().inspect_sizes(sizes);
    is_restored(dialect, &written, input, cuts)?;
    let balanced = rewriter().balanced().inspect_sizes(sizes);
    is_restored(dialect, &balanced, input, cuts)
}

fn is_restored<D: Balance, F: Form>(
    dialect: &D,
    rewriter: &Rewriter<D, F>,
    input: &[u8],
    cuts: &[usize],
) -> Result<(), String>
where
    Rewriter<D, F>: Restored<D>,
{
    let rewrite = |chance: usize| {
        let mut rewriter = rewriter.clone();
        let (mut edits, mut moments) = (Random(super::hash(input)), Random(super::hash(input)));
        let mut out = Vec::new();
        let mut told = String::new();
        let chunks = Feeding::Cuts(cuts).chunks(input);
        for chunk in chunks.into_iter().map(Some).chain([None]) {
            match chunk {
                Some(chunk) => rewriter.feed(chunk),
                None => rewriter.finish(),
            }
            loop {
                let edited = match rewriter.next_event() {
                    Ok(Some(mut event)) => {
                        let edited = match edits.below(16) {
                            0 => event.set_attribute("x", "\u{e9}<"),
                            1 => event.before("<!-- -->"),
                            2 => event.remove(),
                            3 => event.unwrap_element(),
                            4 => event.append("<i>"),
                            5 => event.rename("b"),
                            _ => Ok(&mut event),
                        };
                        edited.map(drop)
                    }
                    Ok(None) => break,
                    Err(error) => Err(error),
                };
                match edited {
                    Ok(()) => {}
                    Err(RewriteError::Refused(refusal, place)) => {
                        told += &format!("{place}: {refusal}\n");
                    }
                    Err(error) => return (out, format!("{told}{error:?}")),
                }
                if moments.below(4) < chance {
                    rewriter = rewriter
                        .restored(dialect.clone())
                        .expect("its own checkpoint");
                }
                if moments.one_in(4) {
                    rewriter.output_to(&mut out);
                }
            }
        }
        rewriter.output_to(&mut out);
        (out, told)
    };
    let (alone, restored) = (rewrite(0), rewrite(1));
    match alone == restored {
        true => Ok(()),
        false => Err(format!(
            "rewritten\n{}{:?}\nbut restored\n{}{:?}",
            alone.1,
            String::from_utf8_lossy(&alone.0),
            restored.1,
            String::from_utf8_lossy(&restored.0)
        )),
    }
}
