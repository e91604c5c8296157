//! The properties of rewriting, for any input. Without edits, the output is the input. With random edits, whose seed is
//! the first bytes of the input, the output is read as the edited document.

use super::{Options, cuts};
use crate::random::Random;
use crate::random_cases::Feed;
use crate::rewriting::is_same;
use crate::rewriting::tree::{Tested, checked_tree, checked_written, edit};
use tagstream::{Balance, Html, LeafXml, Limits, MicroXml, Sky, Xml};

/// Checks the rewriting of any input. The first two bytes are the seed of the edits.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_rewriting(options: Options, bytes: &[u8]) -> Result<(), String> {
    let Some((drawn, input)) = bytes.split_first_chunk() else {
        return Ok(());
    };
    let seed = Random(u64::from(u16::from_le_bytes(*drawn))).number();
    let feed = Feed {
        chunk: [usize::MAX, 1, 2, 7, 31, 64][seed as usize % 6],
        sizes: options.sizes,
        limits: Limits::default(),
    };
    let dialect = match options.bits % 5 {
        0 => Tested::Html,
        1 => Tested::Xml,
        2 => Tested::MicroXml,
        3 => Tested::Sky,
        _ => Tested::LeafXml,
    };
    match dialect {
        Tested::Html => passed_on(&Html::default(), feed, seed, input)?,
        Tested::Xml => passed_on(&Xml::default(), feed, seed, input)?,
        Tested::MicroXml => passed_on(&MicroXml::default(), feed, seed, input)?,
        Tested::Sky => passed_on(&Sky::fragment(), feed, seed, input)?,
        Tested::LeafXml => passed_on(&LeafXml::default(), feed, seed, input)?,
    }
    checked_tree(&(dialect, seed), feed, input)?;
    checked_written(&(dialect, seed), feed, input).map(drop)
}

/// Rewrites an input without edits, which must not change it, and with edits, which must not panic. The encoding is the
/// one that the input declares. Edits can change the declared encoding, so the edited output is not compared here.
fn passed_on<D: Balance>(dialect: &D, feed: Feed, seed: u64, input: &[u8]) -> Result<(), String> {
    let cuts = [&[0], &*cuts(input), &[input.len()]].concat();
    let pieces = cuts.windows(2).map(|pair| &input[pair[0]..pair[1]]);
    is_same(dialect, feed.sizes, input, feed.chunks(input))?;
    is_same(dialect, feed.sizes, input, pieces)?;
    let _ = edit(dialect, true, feed, seed, input);
    let _ = edit(dialect, false, feed, seed, input);
    Ok(())
}
