//! How promptness is checked: an input is fed byte by byte, and after each byte it goes on in every way
//! that might matter. It must not know what the events are to be.

use crate::pull::{Pull, write_event, write_position};
use bytes::Bytes;
use tagstream::{Event, Status};

/// How an input may go on; each is tried after each prefix.
const CONTINUATIONS: [&[u8]; 49] = [
    b"",
    b">",
    b"<",
    b"</",
    b"</>",
    b"x",
    b"x>",
    b"-",
    b"->",
    b"-->",
    b"]]>",
    b"]>",
    b">]]>",
    b"?>",
    b"??>x?>",
    b"\"",
    b"'",
    b"\">",
    b"'>",
    b" ",
    b" >",
    b"\n",
    b"\r",
    b"\r\n",
    b"&amp;",
    b"&x",
    b";",
    b"1;",
    b"=",
    b"='1'>",
    b"/>",
    b"!",
    b"!--",
    b"<!--",
    b"--x-->",
    b"<![CDATA[",
    b"CDATA[",
    b"[CDATA[x]]>",
    b"DOCTYPE y>",
    b"<?p ?>",
    "\u{e9}<".as_bytes(),
    b"\x80\x80\x80>",
    b"!>",
    b"--!>",
    b"title>",
    b"/script>",
    b"e;",
    b"n;",
    b"\0",
];

/// More of them, of several tokens.
const COMBINATIONS: [&[u8]; 6] = [
    b" x='1'>t</a>",
    b"\"']]>--></a>",
    b"\xa9</a><b/>",
    b"[CDATA[]]></a>",
    b"OCTYPE y [<!-- --> <?p?>]></a>",
    b"[x>y<z/>",
];

/// Tokens that a text may go on with or past; each may have begun already.
const TOKENS: [&str; 13] = [
    "<![CDATA[y]]>z",
    "<!DOCTYPE y>z",
    "<!DOCTYPE y SYSTEM 's'>z",
    "<!DOCTYPE y PUBLIC 'p'>z",
    "<!--y-->z",
    "<!--y--> ",
    "<?y?>z",
    "&amp;z",
    "&lt;z",
    "&#x41;z",
    "</script x>z",
    "</style>z",
    " b c='d' e>z",
];

/// What is left of a token after each of its beginnings.
fn rests() -> impl Iterator<Item = &'static [u8]> {
    TOKENS
        .into_iter()
        .flat_map(|token| (0..token.len()).map(|at| &token.as_bytes()[at..]))
}

/// Feeds byte by byte; after each, goes on in every way.
pub fn check_with(mode: &str, mut parser: impl Pull, input: &[u8]) -> Result<(), String> {
    let mut out = Vec::new();
    for at in 0..=input.len() {
        let mut common: Option<Vec<String>> = None;
        let own = [input[at..].to_vec()];
        let continuations = CONTINUATIONS.into_iter().chain(COMBINATIONS);
        let continuations = continuations.chain(rests()).map(Vec::from);
        for more in continuations.chain(own) {
            let mut clone = parser.clone();
            clone.feed(Bytes::from(more));
            clone.finish();
            let mut all = out.clone();
            while let Some(Ok(event)) = clone.pull_owned() {
                push(&mut all, &event.event());
            }
            pull(&mut clone, &mut all);
            assert_ne!(clone.status(), Status::NeedsInput);
            common = Some(match common {
                None => all,
                Some(events) => {
                    let pairs = events.iter().zip(&all);
                    let length = pairs.take_while(|(one, two)| one == two).count();
                    events[..length].to_vec()
                }
            });
        }
        let common = common.unwrap_or_default();
        // A character decides when it is complete.
        let is_whole = std::str::from_utf8(&input[..at]).is_ok();
        let is_right = if is_whole {
            common == out
        } else {
            common.starts_with(&out)
        };
        if !is_right {
            let prefix = String::from_utf8_lossy(&input[..at]).into_owned();
            let report = format!("{mode}, after {prefix:?}\nwanted: {common:#?}\nfound:  {out:#?}");
            return Err(report);
        }
        if let Some(byte) = input.get(at) {
            parser.feed_slice(&[*byte]);
            pull(&mut parser, &mut out);
        }
    }
    Ok(())
}

fn push(out: &mut Vec<String>, event: &Event<'_>) {
    let mut line = String::new();
    write_event(&mut line, event);
    out.push(line);
}

fn pull(parser: &mut impl Pull, out: &mut Vec<String>) {
    loop {
        match parser.pull() {
            Ok(Some(event)) => push(out, &event),
            Ok(None) => break,
            Err(error) => {
                let mut line = format!("Err {} {}", error.as_str(), error.span());
                write_position(&mut line, error.position());
                if out.last() != Some(&line) {
                    out.push(line);
                }
                break;
            }
        }
    }
}
