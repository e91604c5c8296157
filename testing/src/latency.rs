//! Checks that each event is delivered as early as possible. An input is fed byte by byte. After each byte, the input
//! is continued in many different ways. The events that were delivered must be those that all continuations have in
//! common.

use crate::pieces::{Pieces, pieces};
use crate::pull::{Pull, write_event, write_position};
use bytes::Bytes;
use tagstream::Status;

/// Continuations of an input. Each is tried after each prefix.
static CONTINUATIONS: Pieces = Pieces::new(|| {
    pieces(
        r#"> < </ </> x x> - -> --> ]]> ]> >]]> ?> ??>x?> "' "> '> ␣ ␣> \n \r \r\n &amp; &x ; 1; = ='1'>
        /> ! !-- <!-- --x--> <![CDATA[ CDATA[ [CDATA[x]]> DOCTYPE␣y> <?p␣?> \u{e9}< \x80\x80\x80> !>
        --!> title> /script> e; n; \0"#,
    )
});

/// Further continuations, of several tokens.
static COMBINATIONS: Pieces = Pieces::new(|| {
    pieces(
        r#"␣x='1'>t</a> "']]>--></a> \xa9</a><b/> [CDATA[]]></a> OCTYPE␣y␣[<!--␣-->␣<?p?>]></a> [x>y<z/>"#,
    )
});

/// Tokens that may continue or end a text. The prefix may already contain the beginning of one.
static TOKENS: Pieces = Pieces::new(|| {
    pieces(
        r#"<![CDATA[y]]>z <!DOCTYPE␣y>z <!DOCTYPE␣y␣SYSTEM␣'s'>z <!DOCTYPE␣y␣PUBLIC␣'p'>z <!--y-->z
        <!--y-->␣ <?y?>z &amp;z &lt;z &#x41;z </script␣x>z </style>z ␣b␣c='d'␣e>z"#,
    )
});

/// Returns the suffixes of each token, including the whole token.
fn rests<'a>() -> impl Iterator<Item = &'a [u8]> {
    let tokens = TOKENS.iter();
    tokens.flat_map(|token| (0..token.len()).map(|at| &token[at..]))
}

/// Feeds an input byte by byte. After each byte, all events must have been delivered that every continuation has in
/// common.
///
/// # Errors
///
/// Returns a message with the bytes after which an event was late.
pub fn check(mode: &str, mut parser: impl Pull, input: &[u8]) -> Result<(), String> {
    let mut last = None;
    for at in 0..=input.len() {
        // An incomplete character is not checked.
        if std::str::from_utf8(&input[..at]).is_ok()
            && let Some(event) = decided(&parser, &input[at..], last.as_deref())
        {
            let prefix = input[..at].escape_ascii();
            return Err(format!("{mode}, after \"{prefix}\": not out is {event}"));
        }
        if let Some(byte) = input.get(at) {
            parser.feed(&[*byte]);
            while let Some(event) = next(&mut parser, last.as_deref()) {
                last = Some(event);
            }
        }
    }
    Ok(())
}

/// Returns the next event, if it is the same for every continuation.
fn decided(parser: &impl Pull, rest: &[u8], last: Option<&str>) -> Option<String> {
    let mut common = None;
    let continuations = CONTINUATIONS.iter().chain(&*COMBINATIONS);
    let continuations = continuations.map(|piece| &piece[..]).chain(rests());
    for more in [rest, b""].into_iter().chain(continuations) {
        let mut clone = parser.clone();
        clone.feed(Bytes::copy_from_slice(more));
        clone.finish();
        let event = next(&mut clone, last)?;
        while clone.pull_owned().is_some_and(|event| event.is_ok()) {}
        assert!(!matches!(
            clone.status(),
            Status::NeedsInput | Status::HasEvents
        ));
        match &common {
            None => common = Some(event),
            Some(common) if *common == event => {}
            Some(_) => return None,
        }
    }
    common
}

/// Returns the next event, or the error that ends the parse, unless that error is `last`.
fn next(parser: &mut impl Pull, last: Option<&str>) -> Option<String> {
    let mut line = String::new();
    match parser.pull() {
        Ok(event) => write_event(&mut line, &event?),
        Err(error) => {
            line = format!("Err {} {}", error.as_str(), error.span());
            write_position(&mut line, error.position());
            if last == Some(&line) {
                return None;
            }
        }
    }
    Some(line)
}
