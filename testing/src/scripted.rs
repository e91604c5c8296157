//! Documents whose scripts write: what each writes, a host that does so, and what the document is with all of that in
//! it. It must not know what a tree should be.
//!
//! A script's text is `w(N)`: it writes the pieces of that number, one after the other. What is written holds scripts of
//! higher numbers only, so that writing has an end.

use crate::generate::html::{Case, case};
use crate::random::Random;
use tagstream::tree::NodeId;
use tagstream::{Error, Html, Limits, TreeBuilder};

/// What scripts write, in pieces.
pub type Writes = Vec<Vec<String>>;

/// So many scripts write.
const SCRIPTS: usize = 5;

/// What ends in the middle of something.
const ENDS: [&str; 9] = [
    "<",
    "</",
    "<p i",
    "<b i='",
    "&am",
    "\r",
    "<!--",
    "<svg><![CDATA[",
    "<script>w(",
];

/// A document whose scripts write.
pub fn draw(random: &mut Random) -> Case {
    let mut document = Case {
        context: None,
        scripting: true,
        ..case(random)
    };
    for _ in 0..=random.below(SCRIPTS) {
        let number = random.below(SCRIPTS);
        put(random, &mut document.tokens, number);
    }
    document
}

/// What scripts write, drawn from a number.
#[must_use]
pub fn writes(seed: u64) -> Writes {
    let random = &mut Random(seed);
    let mut writes = Writes::new();
    for number in 0..SCRIPTS {
        let mut tokens = case(random).tokens;
        tokens.truncate(random.below(12));
        for later in number + 1..SCRIPTS {
            if random.one_in(3) {
                put(random, &mut tokens, later);
            }
        }
        let mut text: String = tokens.concat();
        if random.one_in(3) {
            // It ends in the middle of something.
            text += random.pick(&ENDS);
        }
        writes.push(pieces(random, &text));
    }
    writes
}

/// Puts a script somewhere between tokens.
fn put(random: &mut Random, tokens: &mut Vec<String>, number: usize) {
    let before = match random.below(8) {
        0 => "<svg>",
        1 => "<template>",
        _ => "",
    };
    let script = format!("{before}<script>w({number})</script>");
    tokens.insert(random.below(tokens.len() + 1), script);
}

/// A text in pieces, cut anywhere.
#[must_use]
pub fn pieces(random: &mut Random, text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let often = [1, 4, 40][random.below(3)];
    for character in text.chars() {
        if random.one_in(often) {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("a piece").push(character);
    }
    pieces
}

/// What the script writes that a builder is paused at.
fn written<'w>(builder: &TreeBuilder<Html>, writes: &'w Writes) -> &'w [String] {
    let script = builder
        .paused_at()
        .and_then(|script| builder.document().node(script));
    let text = script
        .map(|script| script.text_content())
        .unwrap_or_default();
    let number = text
        .strip_prefix("w(")
        .and_then(|rest| rest.strip_suffix(")"));
    let number = number.and_then(|number| number.parse::<usize>().ok());
    number
        .and_then(|number| writes.get(number))
        .map_or(&[], Vec::as_slice)
}

/// Runs the scripts that a builder is paused at. At each step something may become of the builder.
///
/// # Errors
///
/// What ended the parse.
pub fn run(
    builder: &mut TreeBuilder<Html>,
    writes: &Writes,
    step: &mut dyn FnMut(&mut TreeBuilder<Html>),
) -> Result<(), Error> {
    // Of each script that is running what it is still to write.
    let mut running: Vec<(NodeId, &[String])> = Vec::new();
    while let Some(script) = builder.paused_at() {
        if running.last().is_none_or(|(last, _)| *last != script) {
            running.push((script, written(builder, writes)));
        }
        let rest = running.last_mut().map(|(_, rest)| rest);
        match rest.and_then(|rest| rest.split_off_first()) {
            Some(piece) => builder.write(piece)?,
            None => {
                running.pop();
                builder.resume(());
                builder.build()?;
            }
        }
        step(builder);
    }
    Ok(())
}

/// A byte of a document with all in it that was written.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Where it stands in the document, or where the script stands that wrote it.
    pub offset: usize,
    /// Whether a script wrote it.
    pub is_written: bool,
}

/// A document with all in it that its scripts write, each of which is found by a parse from the start; and where
/// its bytes are from.
///
/// # Errors
///
/// What ended a parse.
pub fn flattened(
    html: &Html,
    document: &str,
    writes: &Writes,
) -> Result<(String, Vec<Origin>), Error> {
    let mut text = document.to_owned();
    let own = |offset| Origin {
        offset,
        is_written: false,
    };
    let mut origins: Vec<Origin> = (0..text.len()).map(own).collect();
    let mut done = 0;
    while let Some((at, pieces)) = after_script(html, &text, done, writes)? {
        let offset = at.checked_sub(1).map_or(0, |last| {
            origins[last].offset + usize::from(!origins[last].is_written)
        });
        let new = Origin {
            offset,
            is_written: true,
        };
        let pieces = pieces.concat();
        origins.splice(at..at, pieces.bytes().map(|_| new));
        text.insert_str(at, &pieces);
        done += 1;
    }
    Ok((text, origins))
}

/// The place behind a script, so many of which came before, and what it writes.
fn after_script<'w>(
    html: &Html,
    text: &str,
    before: usize,
    writes: &'w Writes,
) -> Result<Option<(usize, &'w [String])>, Error> {
    let mut builder = TreeBuilder::new(html.clone())
        .limits(Limits::none())
        .hosted();
    builder.supply(text);
    builder.supply_end();
    let (mut end, mut count) = (0, 0);
    loop {
        while let Some(event) = builder.next_event()? {
            end = event.span().end as usize;
        }
        match builder.paused_at() {
            None => return Ok(None),
            Some(_) if count == before => return Ok(Some((end, written(&builder, writes)))),
            Some(_) => builder.resume(()),
        }
        count += 1;
    }
}
