//! The encoding of an HTML document: a parser that has decided on an encoding never changes it, and the encoding does
//! not depend on how the input is cut.

use crate::generate::html::beginning;
use crate::random::Random;
use crate::random_cases::{Drawn, Feed, RandomTest, Verdict};
use tagstream::{Encoding, Html, Parser};

/// The encoding that the caller is certain of, and the one that the caller suggests.
type EncodingOptions = [Option<Encoding>; 2];

/// Random beginnings of documents.
pub const ENCODING: RandomTest<EncodingOptions> = RandomTest {
    name: "html/encoding",
    quick: 2_000,
    full: 20_000,
    draw,
    check,
    other: [0, 0],
    shrinks: true,
};

fn draw(random: &mut Random) -> Drawn<EncodingOptions> {
    let some = ["", "ibm866", "utf-16be"].map(Encoding::for_label);
    let certain = some[[0, 0, 0, 0, 0, 0, 1, 2][random.below(8)]];
    let hint = some[[0, 0, 1, 2][random.below(4)]];
    ([certain, hint], beginning(random))
}

/// Inputs of at most this length, in bytes, are cut at every offset. Longer inputs are cut at 16 offsets.
const CUT_EVERYWHERE: usize = 200;

fn check(options: &EncodingOptions, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let [certain, hint] = *options;
    let html = certain.map_or(Html::default(), |one| Html::default().encoding(one));
    let html = html.fallback_encoding(hint.unwrap_or(Encoding::WINDOWS_1252));
    let make = || {
        let parser = Parser::new(html.clone()).limits(feed.limits);
        parser.inspect_sizes(feed.sizes)
    };
    // The encoding after each byte, and at the end of the input or at the limit that ends the parse.
    let (mut parser, mut known) = (make(), Vec::new());
    for byte in input {
        parser.feed(&[*byte]);
        let _ = pull(&mut parser);
        known.push(parser.encoding());
    }
    parser.finish();
    let end = pull(&mut parser);
    let encoding = parser.encoding();
    if encoding.is_none() && end.is_ok() {
        return Err("no encoding at the end of the input".to_owned());
    }
    // The encoding is unknown at first. After it becomes known, it does not change.
    let undecided = known.iter().take_while(|one| one.is_none()).count();
    if let Some(other) = known[undecided..].iter().position(|one| *one != encoding) {
        let (at, found) = (undecided + other, known[undecided + other]);
        return Err(format!(
            "after {at} bytes {found:?}, at the end {encoding:?}"
        ));
    }
    let step = match input.len() <= CUT_EVERYWHERE {
        true => 1,
        false => input.len() / 16,
    };
    for cut in (0..=input.len()).step_by(step) {
        let mut parser = make();
        parser.feed(&input[..cut]);
        let _ = pull(&mut parser);
        let expected = cut.checked_sub(1).and_then(|last| known[last]);
        if parser.encoding() != expected {
            let found = parser.encoding();
            return Err(format!(
                "{cut} bytes at once: {found:?}, one by one: {expected:?}"
            ));
        }
        parser.feed(&input[cut..]);
        parser.finish();
        let found = (pull(&mut parser), parser.encoding());
        if found != (end.clone(), encoding) {
            return Err(format!(
                "cut at {cut}: {found:?}, byte by byte: {:?}",
                (&end, encoding)
            ));
        }
    }
    Ok(Verdict::Right)
}

/// Reads all available events. Returns the limit that ended the parse, and its place, as an error.
fn pull(parser: &mut Parser<Html>) -> Result<(), String> {
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(error) => return Err(format!("{} {error}", error.span())),
        }
    }
}
