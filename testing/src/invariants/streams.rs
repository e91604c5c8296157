//! What must hold of MicroXml, Sky and LeafXml for any input whatever.

use super::seen::{self, Feeding, Seen};
use super::tree::{built, same as same_tree, same_texts};
use super::{Options, cuts, in_bounds_within, in_order, places, pull, same, tree};
use tagstream::microxml::Revision;
use tagstream::{Balanced, LeafXml, MicroXml, Parser, Sky, Streamable, TextPolicy};

/// What is cut, cleaned and looked at again costs four times its length at most; a look-ahead of
/// MicroXML's final revision that fails, once more for each of its kinds, and small inputs some bytes.
const WORK: u64 = 8;

/// The options of MicroXml, as bits.
fn microxml(options: Options) -> MicroXml {
    let microxml = match options.has(4) {
        true => MicroXml::strict(),
        false => MicroXml::default(),
    };
    microxml.revision(match options.has(1) {
        true => Revision::Final,
        false => Revision::First,
    })
}

/// Checks all that must hold of MicroXml on one input.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_microxml(options: Options, input: &[u8]) -> Result<(), String> {
    let dialect = microxml(options);
    check(dialect, true, options, input)?;
    // Its tree has an element around it, or not, by all of the document.
    if !options.has(Options::SMALL_LIMITS) {
        let whole = built(dialect, input, &Feeding::Whole)?;
        for feeding in [Feeding::Bytes, Feeding::Cuts(&cuts(input))] {
            tree::alike(&whole, &built(dialect, input, &feeding)?)?;
        }
    }
    let seen = |dialect| pull(Parser::new(dialect).errors(true), input, &Feeding::Whole);
    let first = seen(MicroXml::strict())?;
    let last = seen(MicroXml::strict().revision(Revision::Final))?;
    if first.failure.is_some() != last.failure.is_some() {
        return Err(format!("strictly by both revisions\n{first}\n{last}"));
    }
    for revision in [Revision::First, Revision::Final] {
        let recovering = seen(MicroXml::default().revision(revision))?;
        if first.failure.is_none() {
            same("strict and recovering", &first, &recovering)?;
        } else {
            is_beginning(&first, &recovering)?;
        }
    }
    Ok(())
}

/// What was read strictly before the error is what is read in any case, text apart.
fn is_beginning(strict: &Seen, recovering: &Seen) -> Result<(), String> {
    let (strict, recovering) = (strict.without_errors(), recovering.without_errors());
    let until = strict.events.len().saturating_sub(1);
    match recovering.events.get(..until) == strict.events.get(..until) {
        true => Ok(()),
        false => Err(format!("strictly, a beginning\n{strict}\n{recovering}")),
    }
}

/// Checks all that must hold of Sky on one input.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_sky(options: Options, input: &[u8]) -> Result<(), String> {
    let sky = match options.0 >> 3 & 3 {
        1 => Sky::application(),
        2 => Sky::module(),
        _ => Sky::fragment(),
    };
    let sky = match options.has(1) {
        true => sky.registered(["a", "t", "template", "script"]),
        false => sky,
    };
    let balanced = check(sky.clone(), true, options, input)?;
    // Content of templates is no child of theirs.
    let plain = !input.windows(9).any(|part| part == b"<template");
    if plain && !options.has(Options::SMALL_LIMITS) {
        for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts(input))] {
            let built = built(sky.clone(), input, &feeding)?;
            same_texts(&format!("tree {feeding:?}"), &balanced, &built, true)?;
        }
    }
    Ok(())
}

/// Checks all that must hold of LeafXml on one input.
///
/// # Errors
///
/// Says what did not hold.
pub fn check_leafxml(options: Options, input: &[u8]) -> Result<(), String> {
    let leafxml = LeafXml::default()
        .comments(options.has(1))
        .processing_instructions(options.has(4))
        .doctype(options.has(8));
    // What is discarded comes, on request, before the text around it.
    let balanced = check(leafxml, !options.has(1 | 4 | 8), options, input)?;
    if !options.has(Options::SMALL_LIMITS) {
        for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts(input))] {
            let built = built(leafxml, input, &feeding)?;
            same_tree(&format!("tree {feeding:?}"), &balanced, &built)?;
        }
    }
    Ok(())
}

/// What holds of each of them, which may be that spans are in order; gives the balanced events.
fn check<D: Streamable>(
    dialect: D,
    ordered: bool,
    options: Options,
    input: &[u8],
) -> Result<Seen, String> {
    let cuts = cuts(input);
    let clone_at = cuts.first().copied().unwrap_or(0);
    let parser = || Parser::new(dialect.clone()).limits(options.limits());
    let reporting = || parser().errors(true);
    let whole = pull(reporting(), input, &Feeding::Whole)?;
    in_bounds_within(&whole, input, WORK)?;
    if ordered {
        in_order(&whole)?;
        places::right(&whole, input)?;
    }
    for feeding in [
        Feeding::Bytes,
        Feeding::Cuts(&cuts),
        Feeding::CloneAt(clone_at),
        Feeding::Slices(&cuts),
    ] {
        let seen = pull(reporting(), input, &feeding)?;
        same(&format!("{feeding:?}"), &whole, &seen)?;
        in_bounds_within(&seen, input, WORK)?;
    }
    let owned = seen::owned(reporting(), input, &cuts)?;
    same("owned", &whole, &owned)?;
    let silent = pull(parser(), input, &Feeding::Whole)?;
    same("without errors", &whole.without_errors(), &silent)?;
    // What stands between pieces comes before the whole of them.
    let comparable = |seen: &Seen| match ordered {
        true => seen.without_errors().joined(),
        false => seen.without_errors().without_others().joined(),
    };
    let joined = comparable(&whole);
    for feeding in [Feeding::Whole, Feeding::Bytes, Feeding::Cuts(&cuts)] {
        let pieces = pull(reporting().text(TextPolicy::Pieces), input, &feeding)?;
        in_bounds_within(&pieces, input, WORK)?;
        // A piece may be handed out before the limit that the whole run breaks is reached.
        if whole.failed_on("token-limit") {
            continue;
        }
        let what = format!("pieces {feeding:?}");
        same(&what, &joined, &comparable(&pieces))?;
        let (expected, seen) = (whole.beside_text(), pieces.beside_text());
        same(&format!("{what}, beside text"), &expected, &seen)?;
    }
    let balanced = || {
        Balanced::new(dialect.clone())
            .limits(options.limits())
            .errors(true)
    };
    let whole = pull(balanced(), input, &Feeding::Whole)?;
    in_bounds_within(&whole, input, WORK)?;
    if ordered {
        in_order(&whole)?;
        places::right(&whole, input)?;
    }
    tree::nested(&whole)?;
    for feeding in [
        Feeding::Bytes,
        Feeding::Cuts(&cuts),
        Feeding::CloneAt(clone_at),
    ] {
        let seen = pull(balanced(), input, &feeding)?;
        same(&format!("balanced {feeding:?}"), &whole, &seen)?;
    }
    Ok(whole)
}
