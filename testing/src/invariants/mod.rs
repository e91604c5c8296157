//! Properties that must hold for any input. Fuzz targets and random documents are checked for them. The checks use only
//! the public API, and do not depend on where an input comes from.
//!
//! - `apart.rs`: results do not depend on sizes, chunks and interruptions, in short and in long documents.
//! - `async_events.rs`: asynchronous events are those of a source that is always ready, even if waits are cancelled.
//! - `call_order.rs`: the methods of a parser can be called in any order.
//! - `checkpoints.rs`: a parser that is saved and restored at any time continues as if it had not been.
//! - `dialects.rs`: the checks of each dialect.
//! - `entities.rs`: the checks of XML with external entities.
//! - `html_balanced.rs`: the balanced events of HTML are its tree.
//! - `html_encoding.rs`: the encoding of HTML does not depend on how the input is cut.
//! - `html_plans.rs`: HTML's trees with and without plans are the same.
//! - `html_scripted.rs`: HTML whose scripts write has the tree of the document with the written markup in it.
//! - `html_stack.rs`: the summaries of the stack of open elements are right.
//! - `html_tree.rs`: the checks of HTML's trees.
//! - `positions.rs`: lines and columns are those found by counting.
//! - `random_inputs.rs`: the checks of random documents.
//! - `recording.rs`: records everything that a parser reports for an input in pieces.
//! - `rewriting.rs`: the checks of rewritten documents.
//! - `sanitized.rs`: sanitized markup stays the same if it is sanitized again, and nothing in it runs.
//! - `tree.rs`: balanced events are a tree, and the tree built from them is the same one.

pub mod apart;
pub mod async_events;
pub mod call_order;
mod checkpoints;
pub mod dialects;
pub mod entities;
pub mod html_balanced;
pub mod html_encoding;
pub mod html_plans;
pub mod html_scripted;
pub mod html_stack;
pub mod html_tree;
mod positions;
pub mod random_inputs;
mod recording;
pub mod rewriting;
pub mod sanitized;
mod tree;

use crate::draws;
use crate::pull::Pull;
use crate::random::Random;
use crate::rewriting::is_same as passed_on;
use checkpoints::{Interrupted, Restored};
use recording::{Feeding, Kind, Seen, pull, same};
use tagstream::{Balance, Buildable, Dialect, Limits, Parser, Sizes, TextPolicy};

/// The options of a check: bits, whose meaning depends on the dialect, the sizes of windows and batches, and limits.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    bits: u8,
    sizes: Sizes,
    limits: Limits,
}

impl Options {
    /// Creates options of bits and sizes, with the usual limits.
    #[must_use]
    pub fn new(bits: u8, sizes: Sizes) -> Options {
        Options {
            bits,
            sizes,
            limits: Limits::default(),
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Options {
        Options { limits, ..self }
    }

    /// Returns the options of a fuzz target: the given bits, and sizes and limits that depend on the input.
    #[must_use]
    pub fn of_fuzz(bits: u8, input: &[u8]) -> Options {
        let mut random = Random(hash(input));
        let sizes = draws::sizes(&mut random);
        Options::new(bits, sizes).limits(draws::limits(&mut random))
    }

    fn has(self, bit: u8) -> bool {
        self.bits & bit != 0
    }

    fn has_small_limits(self) -> bool {
        self.limits != Limits::default()
    }

    /// Returns the sizes with which the results for the sizes of the options are compared.
    fn reference(self) -> Sizes {
        draws::reference(self.sizes)
    }
}

/// A check of any input.
pub type Check = fn(Options, &[u8]) -> Result<(), String>;

/// The properties that a dialect has in addition to those of all dialects.
#[derive(Clone, Copy, Debug)]
struct Promises {
    /// Maximum work, as a multiple of the length of the text.
    work: u64,
    /// True if events are in the order of their spans.
    ordered: bool,
    /// True if events may share the span of a reference.
    share_references: bool,
    /// True if adjacent texts become one node of the tree.
    joins_text: bool,
    /// True if the joined pieces of a text have to be converted to NFC.
    joins_in_nfc: bool,
}

/// An input, the offsets at which it is cut, and the properties to check.
struct Checks<'i> {
    options: Options,
    input: &'i [u8],
    cuts: Vec<usize>,
    promises: Promises,
}

impl<'i> Checks<'i> {
    fn new(options: Options, input: &'i [u8], promises: Promises) -> Checks<'i> {
        Checks {
            options,
            input,
            cuts: cuts(input),
            promises,
        }
    }

    /// Returns the ways to feed the input: whole, byte by byte, and cut.
    fn feedings(&self) -> [Feeding<'_>; 3] {
        [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&self.cuts)]
    }

    fn clone_at(&self) -> Feeding<'_> {
        Feeding::CloneAt(self.cuts.first().copied().unwrap_or(0))
    }

    fn parser<D: Dialect>(&self, dialect: &D) -> Parser<D> {
        let parser = Parser::new(dialect.clone()).limits(self.options.limits);
        parser.inspect_sizes(self.options.sizes)
    }

    /// Checks the properties of the events of a dialect. Returns the events, with errors.
    fn events<D: Dialect>(&self, what: &str, dialect: &D) -> Result<Seen, String> {
        let reporting = || self.parser(dialect).report_errors(true);
        let usual = reporting().inspect_sizes(self.options.reference());
        let whole = pull(usual, self.input, &Feeding::Whole)?;
        self.right(&whole)?;
        let slices = Feeding::Slices(&self.cuts);
        for feeding in self.feedings().into_iter().chain([self.clone_at(), slices]) {
            let seen = pull(reporting(), self.input, &feeding)?;
            same(&format!("{what} {feeding:?}"), &whole, &seen)?;
            self.in_bounds(&seen)?;
        }
        let owned = recording::owned(reporting(), self.input, &self.cuts)?;
        same(&format!("{what} owned"), &whole, &owned)?;
        let silent = pull(self.parser(dialect), self.input, &Feeding::Whole)?;
        same("without errors", &whole.without_errors(), &silent)?;
        self.pieces(what, dialect, &whole)?;
        for feeding in [Feeding::Bytes, Feeding::Cuts(&self.cuts)] {
            for policy in [TextPolicy::Whole, TextPolicy::Pieces] {
                let what = format!("{what} {policy:?}");
                self.interrupted(&what, dialect, reporting().text(policy), &feeding)?;
            }
        }
        Ok(whole)
    }

    /// Checks that the events of an input do not depend on cuts and on the sizes of windows.
    fn cut<D: Dialect>(&self, what: &str, dialect: &D) -> Result<(), String> {
        let parser = |sizes| {
            self.parser(dialect)
                .report_errors(true)
                .inspect_sizes(sizes)
        };
        let whole = pull(
            parser(self.options.reference()),
            self.input,
            &Feeding::Whole,
        )?;
        for feeding in [Feeding::Whole, Feeding::Cuts(&self.cuts)] {
            let seen = pull(parser(self.options.sizes), self.input, &feeding)?;
            same(&format!("{what} {feeding:?}"), &whole, &seen)?;
        }
        Ok(())
    }

    /// Checks that the joined pieces of text equal the whole text.
    fn pieces<D: Dialect>(&self, what: &str, dialect: &D, whole: &Seen) -> Result<(), String> {
        // Events between the pieces of a text precede the whole text.
        let comparable = |seen: &Seen| {
            let seen = match self.promises.ordered {
                true => seen.without_errors().joined(),
                false => seen.without_errors().without_others().joined(),
            };
            match self.promises.joins_in_nfc {
                true => seen.in_nfc(),
                false => seen,
            }
        };
        let joined = comparable(whole);
        let mut texts = None;
        for feeding in self.feedings() {
            let parser = self
                .parser(dialect)
                .report_errors(true)
                .text(TextPolicy::Pieces);
            let pieces = pull(parser, self.input, &feeding)?;
            self.in_bounds(&pieces)?;
            // A piece may be returned before the whole run reaches the limit.
            if whole.failed_on_token() {
                continue;
            }
            let what = format!("{what} pieces {feeding:?}");
            same(&what, &joined, &comparable(&pieces))?;
            let texts = texts.get_or_insert_with(|| pieces.texts());
            if *texts != pieces.texts() {
                return Err(format!("{what}: {texts:?}\nbut {:?}", pieces.texts()));
            }
            let (expected, seen) = (whole.beside_text(), pieces.beside_text());
            same(&format!("{what}, beside text"), &expected, &seen)?;
        }
        Ok(())
    }

    /// Checks the properties of the balanced events of a dialect. Returns the events, with errors.
    fn balanced<D: Balance>(&self, what: &str, dialect: &D) -> Result<Seen, String> {
        let balanced = |sizes| {
            let balanced = Parser::new(dialect.clone())
                .balanced()
                .limits(self.options.limits);
            balanced.report_errors(true).inspect_sizes(sizes)
        };
        let whole = pull(
            balanced(self.options.reference()),
            self.input,
            &Feeding::Whole,
        )?;
        self.right(&whole)?;
        tree::nested(&whole)?;
        for feeding in self.feedings().into_iter().chain([self.clone_at()]) {
            let seen = pull(balanced(self.options.sizes), self.input, &feeding)?;
            same(&format!("balanced {what} {feeding:?}"), &whole, &seen)?;
            let balanced = balanced(self.options.sizes);
            self.interrupted(&format!("balanced {what}"), dialect, balanced, &feeding)?;
        }
        if self.promises.ordered {
            self.in_order(what, dialect)?;
            self.balanced_pieces(what, dialect, &whole)?;
        }
        checkpoints::rewritten(dialect, self.options.sizes, self.input, &self.cuts)?;
        if !self.options.has_small_limits() {
            let cuts = [&[0], &*self.cuts, &[self.input.len()]].concat();
            let cut = cuts.windows(2).map(|pair| &self.input[pair[0]..pair[1]]);
            let sizes = self.options.sizes;
            passed_on(dialect, sizes, self.input, self.input.chunks(1))?;
            passed_on(dialect, sizes, self.input, cut)?;
        }
        Ok(whole)
    }

    /// Checks that balanced events in the order of the input have this order, and do not depend on how it is cut.
    fn in_order<D: Balance>(&self, what: &str, dialect: &D) -> Result<(), String> {
        let parser = |policy, sizes| {
            let parser = Parser::new(dialect.clone()).balanced_in_order();
            let parser = parser.limits(self.options.limits).text(policy);
            parser.inspect_sizes(sizes)
        };
        let whole = pull(
            parser(TextPolicy::Whole, self.options.reference()),
            self.input,
            &Feeding::Whole,
        )?;
        self.in_bounds(&whole)?;
        tree::nested(&whole)?;
        in_order(
            &without_reconstructed(&whole),
            self.input,
            self.promises.share_references,
        )?;
        for feeding in self.feedings() {
            let sizes = self.options.sizes;
            let seen = pull(parser(TextPolicy::Whole, sizes), self.input, &feeding)?;
            same(&format!("{what} in order {feeding:?}"), &whole, &seen)?;
            let pieces = pull(parser(TextPolicy::Pieces, sizes), self.input, &feeding)?;
            self.in_bounds(&pieces)?;
        }
        Ok(())
    }

    /// Checks that the pieces of text in balanced events do not depend on cuts. In HTML they do, because tree construction
    /// drops parts of a text.
    fn balanced_pieces<D: Balance>(
        &self,
        what: &str,
        dialect: &D,
        whole: &Seen,
    ) -> Result<(), String> {
        if whole.failed_on_token() {
            return Ok(());
        }
        let mut texts = None;
        for feeding in self.feedings() {
            let parser = Parser::new(dialect.clone())
                .balanced()
                .limits(self.options.limits);
            let parser = parser
                .inspect_sizes(self.options.sizes)
                .text(TextPolicy::Pieces);
            let found = pull(parser, self.input, &feeding)?.texts();
            let expected = texts.get_or_insert_with(|| found.clone());
            if *expected != found {
                let what = format!("balanced {what} pieces {feeding:?}");
                return Err(format!("{what}: {expected:?}\nbut {found:?}"));
            }
        }
        Ok(())
    }

    /// Checks that the tree is the tree of the balanced events.
    fn tree<D: Balance + Buildable>(
        &self,
        what: &str,
        dialect: &D,
        events: &Seen,
    ) -> Result<(), String> {
        if self.options.has_small_limits() {
            return Ok(());
        }
        for feeding in self.feedings() {
            let built = self.built(dialect, &feeding)?;
            tree::same(
                &format!("tree {what} {feeding:?}"),
                events,
                &built,
                self.promises.joins_text,
            )?;
            checkpoints::built(dialect, self.options.sizes, self.input, &feeding)?;
        }
        Ok(())
    }

    /// Checks that a parser that is saved and restored now and then reads like one that is not.
    fn interrupted<D: Dialect, P: Pull + Restored<D>>(
        &self,
        what: &str,
        dialect: &D,
        parser: P,
        feeding: &Feeding<'_>,
    ) -> Result<(), String> {
        if !checkpoints::is_chosen(self.input) {
            return Ok(());
        }
        let alone = pull(parser.clone(), self.input, feeding)?;
        let interrupted = Interrupted::new(parser, dialect, hash(self.input));
        let seen = pull(interrupted, self.input, feeding)?;
        let what = format!("{what} {feeding:?}, restored");
        same(&what, &alone, &seen)?;
        let told = |seen: &Seen| (seen.work, seen.text_length, seen.expanded, seen.encoding);
        match told(&alone) == told(&seen) {
            true => Ok(()),
            false => Err(format!(
                "{what}: the work of\n{alone}\nis not that of\n{seen}"
            )),
        }
    }

    fn built<D: Balance + Buildable>(
        &self,
        dialect: &D,
        feeding: &Feeding<'_>,
    ) -> Result<tree::Built, String> {
        tree::built(
            dialect.clone(),
            self.options.sizes,
            self.input,
            feeding,
            |_| false,
        )
    }

    fn right(&self, seen: &Seen) -> Result<(), String> {
        self.in_bounds(seen)?;
        if self.promises.ordered {
            in_order(seen, self.input, self.promises.share_references)?;
            positions::right(seen, self.input)?;
            positions::related(seen)?;
        }
        Ok(())
    }

    /// Checks that spans lie within the input, and that the work is linear in the length of the input.
    fn in_bounds(&self, seen: &Seen) -> Result<(), String> {
        let length = self.input.len() as u64;
        let (text, work) = (seen.text_length, seen.work);
        // With small windows, unfinished tokens are moved more often, so the work is not checked.
        let is_usual = self.options.sizes == Sizes::USUAL;
        let is_too_much = is_usual && work > self.promises.work * text + 64;
        if is_too_much || text > 3 * self.input.len() as u64 {
            return Err(format!("work is {work} for {text} bytes of text\n{seen}"));
        }
        let utf8 = std::str::from_utf8(self.input).ok();
        let utf8 = utf8.filter(|_| seen.is_utf8);
        let cuts_a_character =
            |at: u64| utf8.is_some_and(|text| !text.is_char_boundary(at as usize));
        for event in &seen.events {
            if event.start > event.end || event.end > length {
                return Err(format!("a span is outside the input\n{seen}"));
            }
            if cuts_a_character(event.start) || cuts_a_character(event.end) {
                return Err(format!("a span cuts a character at {}\n{seen}", event.line));
            }
        }
        Ok(())
    }
}

/// Checks that strict mode ends with the first error from which recovering mode recovers, and with no other error.
fn agree(recovering: &Seen, strict: &Seen) -> Result<(), String> {
    let first = recovering.events.iter().position(|event| event.is_error());
    let until = first.unwrap_or(recovering.events.len());
    let expected = match first {
        Some(at) => Some(recovering.events[at].failure()),
        None => recovering.failure.clone(),
    };
    if first.is_none() && recovering.failure.is_some() {
        // A limit ended the recovering parse. The strict parse may have continued, because it buffers slightly less
        // text.
        return Ok(());
    }
    if strict.failure != expected {
        return Err(format!(
            "strict and recovering differ: {:?}, expected {expected:?}\n{recovering}\n{strict}",
            strict.failure
        ));
    }
    let (before, rest) = strict.events.split_at(strict.events.len().min(until));
    let cut_text = rest.len() == 1 && rest[0].is_text();
    if before != &recovering.events[..until] || !(rest.is_empty() || cut_text) {
        return Err(format!(
            "strict's events before its error differ\n{recovering}\n{strict}"
        ));
    }
    Ok(())
}

/// Checks that events are in the order of their spans, and that the spans do not overlap. (An error lies in the
/// following event; a change of the encoding lies in the previous tag.) If `share_references` is true, events may share
/// the span of the reference from whose replacement text they come: the common part of two overlapping spans, from the
/// start of the later to the end of the earlier one, must be a reference.
fn in_order(seen: &Seen, input: &[u8], share_references: bool) -> Result<(), String> {
    let characters = positions::characters(seen, input).filter(|_| share_references);
    let may_be_shared = |start, end| {
        let text = characters.as_ref();
        let text = text.map(|all| positions::between(all, start, end));
        // If the text of the input is unknown because of its encoding, only the order of the starts is checked.
        text.map_or(share_references, |text| is_reference(&text))
    };
    let (mut last, mut end, mut inside) = (0, 0, 0);
    for event in &seen.events {
        if event.is_error() || (event.kind == Kind::EncodingChange && event.end == end) {
            continue;
        }
        // Instructions in a DOCTYPE lie within the span of the DOCTYPE, whose event comes later.
        let before = match event.is_in_doctype {
            true => inside.max(end),
            false => end,
        };
        let overlaps = event.start < before;
        if overlaps && (event.start < last || !may_be_shared(event.start, before)) {
            return Err(format!("spans overlap at {}\n{seen}", event.line));
        }
        match event.is_in_doctype {
            true => inside = event.end,
            false => (last, end) = (event.start, event.end),
        }
    }
    Ok(())
}

/// Returns the recording without the implied start tags of formatting elements that were reconstructed for the text of a
/// table. They have the offset of the token after the text.
fn without_reconstructed(seen: &Seen) -> Seen {
    let mut next: Option<&recording::Shown> = None;
    let mut events = Vec::new();
    for event in seen.events.iter().rev() {
        let is_start = event.is_implied && matches!(event.kind, Kind::Start(_));
        match next {
            Some(text) if is_start && text.is_text() && text.start < event.start => continue,
            _ if event.is_implied => {}
            _ => next = Some(event),
        }
        events.push(event.clone());
    }
    events.reverse();
    Seen {
        events,
        ..seen.clone()
    }
}

/// Returns whether a text is exactly one reference to an entity.
fn is_reference(text: &str) -> bool {
    let name = text.strip_prefix(['&', '%']);
    let name = name.and_then(|text| text.strip_suffix(';'));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['&', '%', ';', '<', '>', ' ', '#']))
}

fn hash(input: &[u8]) -> u64 {
    input.iter().fold(input.len() as u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns random offsets at which an input is cut. They are the same for the same input.
fn cuts(input: &[u8]) -> Vec<usize> {
    let mut random = Random(hash(input));
    let most = random.below(12) + 1;
    let mut cuts: Vec<usize> = (0..most).map(|_| random.below(input.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}
