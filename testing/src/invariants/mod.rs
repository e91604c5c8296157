//! What must hold for any input whatever: the checks that the fuzz targets and the random documents
//! share. They know the public interface only, and nothing of where an input comes from.
//!
//! - `entities.rs`: the checks of Xml with external entities.
//! - `html.rs`: the checks of HTML; those of Xml are here.
//! - `html_tree.rs`: the checks of HTML's trees.
//! - `places.rs`: lines and columns are those of a plain count.
//! - `seen.rs`: an input fed in pieces, and all that was seen of it.
//! - `streams.rs`: the checks of MicroXml, Sky and LeafXml.
//! - `tree.rs`: balanced events are a tree, and the tree built from them is the same one.

pub mod entities;
pub mod html;
pub mod html_tree;
mod places;
mod seen;
pub mod streams;
mod tree;

use crate::random::Random;
use seen::{Feeding, Seen, pull};
use tagstream::{Balanced, Encoding, Limits, Parser, TextPolicy, Xml};

/// The options of a check, as bits.
#[derive(Clone, Copy, Debug)]
pub struct Options(pub u8);

impl Options {
    const NO_NAMESPACES: u8 = 1;
    const SMALL_LIMITS: u8 = 2;
    const LATIN_1: u8 = 4;

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    fn dialect(self, strict: bool) -> Xml {
        let xml = if strict {
            Xml::strict()
        } else {
            Xml::default()
        };
        let xml = xml.namespaces(!self.has(Options::NO_NAMESPACES));
        if self.has(Options::LATIN_1) {
            xml.encoding(Encoding::LATIN_1)
        } else {
            xml
        }
    }

    fn limits(self) -> Limits {
        if self.has(Options::SMALL_LIMITS) {
            Limits {
                depth: 4,
                name: 6,
                attributes: 3,
                token: 40,
                ..Limits::default()
            }
        } else {
            Limits::default()
        }
    }

    fn parser(self, strict: bool) -> Parser<Xml> {
        Parser::new(self.dialect(strict)).limits(self.limits())
    }

    fn balanced(self, strict: bool) -> Balanced<Xml> {
        Balanced::new(self.dialect(strict)).limits(self.limits())
    }
}

/// Checks all that must hold of Xml on one input.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_xml(options: Options, input: &[u8]) -> Result<(), String> {
    let cuts = cuts(input);
    let clone_at = cuts.first().copied().unwrap_or(0);
    for strict in [false, true] {
        let parser = || options.parser(strict).errors(true);
        let whole = pull(parser(), input, &Feeding::Whole)?;
        in_bounds(&whole, input)?;
        in_order_with_references(&whole, input)?;
        places::right(&whole, input)?;
        for feeding in [
            Feeding::Bytes,
            Feeding::Cuts(&cuts),
            Feeding::CloneAt(clone_at),
            Feeding::Slices(&cuts),
        ] {
            let seen = pull(parser(), input, &feeding)?;
            same(&format!("strict={strict} {feeding:?}"), &whole, &seen)?;
            in_bounds(&seen, input)?;
        }
        let owned = seen::owned(parser(), input, &cuts)?;
        same(&format!("strict={strict} owned"), &whole, &owned)?;

        let silent = pull(options.parser(strict), input, &Feeding::Whole)?;
        same("without errors", &whole.without_errors(), &silent)?;

        let joined = whole.without_errors().joined();
        for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts)] {
            let pieces = pull(parser().text(TextPolicy::Pieces), input, &feeding)?;
            in_bounds(&pieces, input)?;
            // A piece may be handed out before the limit that the whole run breaks is reached.
            if whole.failed_on("token-limit") {
                continue;
            }
            let what = format!("strict={strict} pieces {feeding:?}");
            same(&what, &joined, &pieces.without_errors().joined())?;
            let (expected, seen) = (whole.beside_text(), pieces.beside_text());
            same(&format!("{what}, beside text"), &expected, &seen)?;
        }

        let balanced = || options.balanced(strict).errors(true);
        let whole = pull(balanced(), input, &Feeding::Whole)?;
        in_bounds(&whole, input)?;
        in_order_with_references(&whole, input)?;
        tree::balanced(&whole)?;
        for feeding in [
            Feeding::Bytes,
            Feeding::Cuts(&cuts),
            Feeding::CloneAt(clone_at),
        ] {
            let seen = pull(balanced(), input, &feeding)?;
            same(
                &format!("balanced strict={strict} {feeding:?}"),
                &whole,
                &seen,
            )?;
        }
        if !options.has(Options::SMALL_LIMITS) {
            for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts)] {
                let built = tree::built(options.dialect(strict), input, &feeding)?;
                tree::same(&format!("tree strict={strict} {feeding:?}"), &whole, &built)?;
            }
        }
    }
    strictness(options, input)
}

/// Strict mode refuses at the first error that recovering mode repairs, and at nothing else.
fn strictness(options: Options, input: &[u8]) -> Result<(), String> {
    let recovering = pull(options.parser(false).errors(true), input, &Feeding::Whole)?;
    let strict = pull(options.parser(true).errors(true), input, &Feeding::Whole)?;
    agree(&recovering, &strict)
}

fn agree(recovering: &Seen, strict: &Seen) -> Result<(), String> {
    let first = recovering.events.iter().position(|event| event.is_error());
    let until = first.unwrap_or(recovering.events.len());
    let expected = match first {
        Some(at) => Some(recovering.events[at].failure()),
        None => recovering.failure.clone(),
    };
    if first.is_none() && recovering.failure.is_some() {
        // A limit ended the one parse; the other holds text for a byte less and may have gone on.
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

fn same(what: &str, expected: &Seen, seen: &Seen) -> Result<(), String> {
    if expected.events == seen.events && expected.end == seen.end {
        return Ok(());
    }
    Err(format!("{what}: expected\n{expected}\nbut saw\n{seen}"))
}

/// Spans lie within the input, and the work is linear in it.
fn in_bounds(seen: &Seen, input: &[u8]) -> Result<(), String> {
    in_bounds_within(seen, input, 2)
}

/// The same, with work of so many times the text.
fn in_bounds_within(seen: &Seen, input: &[u8], most: u64) -> Result<(), String> {
    // Spans are in the text decoded, and no byte decodes to more than a replacement character.
    let length = input.len() as u64 * if seen.is_utf8 { 1 } else { 3 };
    let text = seen.text_length;
    if seen.work > most * text + 64 || text > 3 * input.len() as u64 {
        return Err(format!(
            "work is {} for {text} bytes of text\n{seen}",
            seen.work
        ));
    }
    let utf8 = seen.is_utf8.then(|| std::str::from_utf8(input).ok());
    let cuts_no_character = |at: u64| {
        let text = utf8.flatten();
        text.is_none_or(|text| text.is_char_boundary(at as usize))
    };
    for event in &seen.events {
        if event.start > event.end || event.end > length {
            return Err(format!("a span is outside the input\n{seen}"));
        }
        if !cuts_no_character(event.start) || !cuts_no_character(event.end) {
            return Err(format!("a span cuts a character at {}\n{seen}", event.line));
        }
    }
    Ok(())
}

/// Events stand in the order of their spans, which don't overlap. (Errors lie in the event that
/// comes after them; a change of the encoding lies in the tag before it.)
fn in_order(seen: &Seen) -> Result<(), String> {
    in_order_but(seen, |_, _| false)
}

/// The same, but that events share the span of the reference whose replacement text they come of.
fn in_order_with_references(seen: &Seen, input: &[u8]) -> Result<(), String> {
    let characters = places::characters(seen, input);
    in_order_but(seen, |start, end| {
        let text = characters
            .as_ref()
            .map(|all| places::between(all, start, end));
        // In an encoding that nobody else knows, all that is asked is that no event begins too early.
        text.is_none_or(|text| is_reference(&text))
    })
}

/// Whether a text is one reference to an entity, and nothing else.
fn is_reference(text: &str) -> bool {
    let name = text
        .strip_prefix(['&', '%'])
        .and_then(|text| text.strip_suffix(';'));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['&', '%', ';', '<', '>', ' ', '#']))
}

/// Events stand in the order of their spans. Two that overlap share what lies between the begin of the
/// later and the end of the earlier one: that may be shared.
fn in_order_but(seen: &Seen, may_be_shared: impl Fn(u64, u64) -> bool) -> Result<(), String> {
    let (mut last, mut end, mut inside) = (0, 0, 0);
    for event in &seen.events {
        if event.is_error() || (event.kind == seen::Kind::EncodingChange && event.end == end) {
            continue;
        }
        // Instructions of a DOCTYPE stand inside the event around them, which comes later.
        let before = if event.is_in_doctype {
            inside.max(end)
        } else {
            end
        };
        let overlaps = event.start < before;
        if overlaps && (event.start < last || !may_be_shared(event.start, before)) {
            return Err(format!("spans overlap at {}\n{seen}", event.line));
        }
        if event.is_in_doctype {
            inside = event.end;
        } else {
            (last, end) = (event.start, event.end);
        }
    }
    Ok(())
}

/// Where to cut an input: random, but the same for the same input.
fn cuts(input: &[u8]) -> Vec<usize> {
    let mut random = Random(input.iter().fold(input.len() as u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }));
    let most = random.below(12) + 1;
    let mut cuts: Vec<usize> = (0..most).map(|_| random.below(input.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}
