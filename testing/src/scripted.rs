//! Documents whose scripts write markup: the markup of each script, a host that writes it, and the document with all of
//! this markup inserted.
//!
//! The text of a script is `w(N)`. Such a script writes the pieces with the number N, one after the other. They contain
//! only scripts with higher numbers, so that writing ends.

use crate::generate::html::{Case, case};
use crate::random::Random;
use tagstream::tree::NodeId;
use tagstream::{Error, Html, Limits, TreeBuilder};

/// The markup that each script writes, in pieces.
pub type Writes = Vec<Vec<String>>;

/// Number of scripts that write.
const SCRIPTS: usize = 5;

/// Pieces of markup that end in the middle of a token.
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

/// Draws a document whose scripts write markup.
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

/// Draws the markup that the scripts write from a seed.
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
            // The markup ends in the middle of a token.
            text += random.pick(&ENDS);
        }
        writes.push(pieces(random, &text));
    }
    writes
}

/// Inserts a script between two tokens.
fn put(random: &mut Random, tokens: &mut Vec<String>, number: usize) {
    let before = match random.below(8) {
        0 => "<svg>",
        1 => "<template>",
        _ => "",
    };
    let script = format!("{before}<script>w({number})</script>");
    tokens.insert(random.below(tokens.len() + 1), script);
}

/// Splits a text at random positions.
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

/// Returns the pieces that the script at which a builder is paused writes.
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

/// Runs the scripts at which a builder pauses. `step` is called after each write and after each script, and may replace
/// the builder.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn run(
    builder: &mut TreeBuilder<Html>,
    writes: &Writes,
    step: &mut dyn FnMut(&mut TreeBuilder<Html>),
) -> Result<(), Error> {
    // The scripts that are running, each with the pieces that it has not written yet.
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

/// The origin of a byte of a document in which the written markup is inserted.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The offset of the byte in the document, or of the script that wrote it.
    pub offset: usize,
    /// Whether a script wrote it.
    pub is_written: bool,
}

/// Inserts all markup that the scripts of a document write. The position of each script is found by parsing from the
/// start. Returns the document and the origin of each of its bytes.
///
/// # Errors
///
/// Returns the error that ended a parse.
pub fn flattened(
    html: &Html,
    limits: Limits,
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
    while let Some((at, pieces)) = after_script((html, limits), &text, done, writes)? {
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

/// Returns the offset after the script with the index `before`, and the pieces that it writes.
fn after_script<'w>(
    (html, limits): (&Html, Limits),
    text: &str,
    before: usize,
    writes: &'w Writes,
) -> Result<Option<(usize, &'w [String])>, Error> {
    let mut builder = TreeBuilder::new(html.clone()).limits(limits).hosted();
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
