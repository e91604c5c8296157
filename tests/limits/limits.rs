//! Small limits: the error, its position and the events before it are the same for every cut.

use tagstream::{Document, Event, LeafXml, Limits, Parser, TextPolicy, TreeBuilder, Xml};
use testing::effort::Effort;
use testing::pull::in_chunks;
use testing::run::{Failed, Program};
use testing::shapes::shapes;

pub(crate) fn add(program: &mut Program) {
    program.leave_out_in_quick("seven of eight small limits");
    for (number, shape) in shapes("small limits").into_iter().enumerate() {
        let name = format!("xml/small limits: input {number}");
        program.case(name, move || check(&shape.of_units(0)));
    }
    // Texts that differ from their source in every few bytes.
    for unit in [
        "<![CDATA[ab]]>",
        "<![CDATA[e\u{301}]]>",
        "<![CDATA[]]>&amp;",
        "b&#x301;<![CDATA[]]>",
        "&#x301;",
        "b\r\n",
        "\r\n&#13;\u{85}",
        "<!--c-->a",
        "e<!--d-->\u{301}",
    ] {
        program.case(
            format!("leafxml/limits of texts in pieces/{}", unit.escape_debug()),
            move || texts_in_pieces(unit),
        );
    }
}

/// Checks that the limit of tokens bounds the text after the last character before which a text can be split, in trees
/// and in pieces, for chunks of any length.
fn texts_in_pieces(unit: &str) -> Result<(), Failed> {
    let input = format!("<r>{}</r>", unit.repeat(1000 / unit.len()));
    for token in [12, 40, 100, 300] {
        let limits = Limits::default().token(token);
        let built = |chunk: usize| {
            let mut builder: TreeBuilder<LeafXml> =
                TreeBuilder::new(LeafXml::default()).limits(limits);
            for chunk in input.as_bytes().chunks(chunk) {
                builder.feed(chunk)?;
            }
            builder
                .finish()
                .map(|tree: Document| tree.root().text_content())
        };
        let pulled = |chunk: usize| {
            let parser = Parser::new(LeafXml::default()).limits(limits);
            let mut parser = parser.text(TextPolicy::Pieces);
            let mut text = String::new();
            in_chunks(&mut parser, input.as_bytes(), chunk, |event| {
                if let Event::Text(piece) = event {
                    text.push_str(piece.as_str());
                }
            })?;
            Ok::<_, tagstream::Error>(text)
        };
        let show = |result: Result<String, tagstream::Error>| match result {
            Ok(text) => text,
            Err(error) => format!("{error} {}", error.span()),
        };
        let (tree, text) = (show(built(1)), show(pulled(1)));
        for chunk in 2..input.len() + 1 {
            let found = (show(built(chunk)), show(pulled(chunk)));
            if found != (tree.clone(), text.clone()) {
                return Err(format!(
                    "token({token}), byte by byte:\n{tree}\n{text}\nin chunks of {chunk}:\n{}\n{}",
                    found.0, found.1
                )
                .into());
            }
        }
    }
    Ok(())
}

fn check(input: &str) -> Result<(), Failed> {
    let mut limited = 0;
    for size in (0..=80).step_by(Effort::choose(8, 1)) {
        let none = Limits::none();
        for limits in [
            none.token(size),
            none.name(size),
            none.depth(size),
            none.attributes(size),
            none.declarations(size),
        ] {
            limited += usize::from(check_limits(input.as_bytes(), limits)?);
        }
    }
    match limited {
        0 => Err("no limit was reached".into()),
        _ => Ok(()),
    }
}

/// Returns true if the limit was reached.
fn check_limits(input: &[u8], limits: Limits) -> Result<bool, Failed> {
    for errors in [false, true] {
        let whole = outcome(input, limits, errors, [input.len(), input.len()]);
        for first in 0..input.len() {
            for cuts in [[first, input.len()], [first, first + 1]] {
                let found = outcome(input, limits, errors, cuts);
                if found != whole {
                    let report = format!("{limits:?}\ncut at {cuts:?}\n{whole:#?}\n{found:#?}");
                    return Err(report.into());
                }
            }
        }
        let mut parser = Parser::new(Xml::default())
            .limits(limits)
            .report_errors(errors);
        let mut bytes = Vec::new();
        input
            .chunks(1)
            .for_each(|byte| take(&mut parser, byte, &mut bytes));
        finish(parser, &mut bytes);
        if bytes != whole {
            return Err(format!("{limits:?}\nbyte by byte\n{whole:#?}\n{bytes:#?}").into());
        }
        if errors && whole.last().is_some_and(|end| end.starts_with("Err")) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn outcome(input: &[u8], limits: Limits, errors: bool, [first, second]: [usize; 2]) -> Vec<String> {
    let mut parser = Parser::new(Xml::default())
        .limits(limits)
        .report_errors(errors);
    let mut out = Vec::new();
    for piece in [&input[..first], &input[first..second], &input[second..]] {
        take(&mut parser, piece, &mut out);
    }
    finish(parser, &mut out);
    out
}

fn take(parser: &mut Parser<Xml>, piece: &[u8], out: &mut Vec<String>) {
    parser.feed(piece);
    while let Ok(Some(event)) = parser.next_event() {
        out.push(format!("{} {} {event:?}", event.span(), event.position()));
    }
}

fn finish(mut parser: Parser<Xml>, out: &mut Vec<String>) {
    parser.finish();
    take(&mut parser, b"", out);
    if let Err(error) = parser.next_event() {
        // The error is not that of a chunk after the end of the input: `take` fed an empty chunk, which is allowed.
        out.push(format!("Err {} {} {error}", error.as_str(), error.span()));
    }
}
