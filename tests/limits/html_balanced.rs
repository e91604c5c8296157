//! HTML's balanced stream, on inputs for which a simple tree construction takes quadratic time. The number of steps per
//! token is small, the memory is within its limit, and each start has its end.

use crate::html_steps::{SHAPES, UNITS, allowed, counted};
use crate::memory::{MIB, at_most, peak};
use core::fmt::Write;
use tagstream::{Encoding, Error, Event, Html, Limits, Nested, Parser, Sizes, TextPolicy};
use testing::effort::{Effort, sized};
use testing::pull::{in_chunks, write_event};
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

pub(crate) fn add(program: &mut Program) {
    for shape in shapes(SHAPES) {
        let name = format!("html/balanced, steps: {}", shape.name());
        let same = shape.clone();
        program.case(name, move || steps(&shape));
        let name = format!("html/balanced, memory: {}", same.name());
        program.case_alone(name, move || held(&same));
    }
    program.case_alone("html/balanced, memory: an endless page", endless);
    program.case_alone("html/balanced, memory: long attributes again", again);
    program.case_alone(
        "html/balanced, memory: endless after the body",
        after_the_body,
    );
    program.case_alone(
        "html/balanced, memory: pieces of delayed text",
        delayed_pieces,
    );
    program.leave_out_in_quick("three of four limits of memory for balanced events of HTML");
    testing::cases!(
        program,
        "html/balanced, memory",
        the_limit_does_not_depend_on_cuts,
        the_limit_does_not_depend_on_pieces,
        restored_parsers_count_as_others_do,
    );
}

/// Documents with all that the limit on memory counts: open elements, formatting elements with attributes that are in
/// the list and no longer in it, names, delayed events and the text of tables.
const COUNTED: [&str; 10] = [
    "<i><b>",
    "<m><i><b>",
    "<p><a href='data:yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'>x</a><p><i a b c>y<p>z",
    "<p><b a=1><b a=1><b a=1><b a=1><b a=1><b a=1>x<p>y</b></b></b></b>z",
    "<a><em><b i=1><b i=2><b i=3><a></em><a><p>x<p>y<p>z",
    "<table><td><b class=abcdefghijklmnop><td><i><td>x<tr><td>y</table>z",
    "<table>text that is put before the table <b class=x>and <i>more</table>x",
    "<a-long-name><another-long-name>x</a-long-name><b a='&amp;&amp;\0'>y",
    "</head> <!--delayed--> <link> <p>x</body><!--one--><!--another--></html><!--last--><b>y",
    "<font a b c d e f g h i j k l m n o p q r s t u v w x y z>x<p>y<p></font><font a=b><p>",
];

/// The error and its place are the same, and so are the events before it, whether the document is fed at once or in
/// chunks, with small batches, and whether the parser is restored before each chunk.
fn the_limit_does_not_depend_on_cuts() -> Result<(), Failed> {
    let mut limited = 0;
    for document in COUNTED {
        for memory in (0..16 << 10).step_by(Effort::choose(204, 51)) {
            let limits = Limits::default().depth(512).memory(memory);
            let outcome = |size: usize, sizes: Sizes, restores: bool| {
                let mut parser = parser().limits(limits).inspect_sizes(sizes);
                let mut events = String::new();
                let mut read = || {
                    for chunk in document.as_bytes().chunks(size) {
                        if restores {
                            let html = Html::default().encoding(Encoding::UTF_8);
                            let restored = Parser::restore(html, &parser.checkpoint());
                            parser = restored.expect("its own checkpoint");
                        }
                        parser.feed(chunk);
                        write_all(&mut parser, &mut events)?;
                    }
                    parser.finish();
                    write_all(&mut parser, &mut events)
                };
                let done = read().map_err(|error| format!("{} {error}", error.span()));
                format!("{events}{done:?}")
            };
            let whole = outcome(usize::MAX, Sizes::USUAL, false);
            limited += usize::from(whole.contains("memory-limit"));
            for (size, sizes, restores) in [
                (1, Sizes::USUAL, false),
                (1, Sizes::USUAL, true),
                (7, Sizes::USUAL, true),
                (
                    usize::MAX,
                    Sizes {
                        batch: 1,
                        ..Sizes::USUAL
                    },
                    false,
                ),
                (
                    usize::MAX,
                    Sizes {
                        batch: 3,
                        window: 5,
                        ..Sizes::USUAL
                    },
                    false,
                ),
            ] {
                let found = outcome(size, sizes, restores);
                if found != whole {
                    let how = format!("chunks of {size}, {sizes:?}, restored {restores}");
                    return Err(format!(
                        "{document:?}, {memory} bytes, {how}:\n{found}\ninstead of\n{whole}"
                    )
                    .into());
                }
            }
        }
    }
    assert!(limited > 100, "{limited} parses reached the limit");
    Ok(())
}

/// If text is returned in pieces, the error is before the character that exceeds the limit, and the other events and the
/// joined text before it are the same for all chunks. Text right before the error may be returned with it or not.
fn the_limit_does_not_depend_on_pieces() -> Result<(), Failed> {
    let delayed = |length| {
        let space = "\n".repeat(length);
        format!("<title>a</title></head>{space}<title>b</title>{space}x")
    };
    let documents = [
        ("<table>\n  ".to_owned(), 1_536..1_560),
        (
            "<table>\r\n\n \r ab\0c&amp;d &lt;\u{e9}d<td>".into(),
            1_536..1_560,
        ),
        (
            "<table>\n\u{e9} x&#32;\u{20ac}<td> y<tr> z</table>".into(),
            1_536..1_560,
        ),
        ("  x y\0z<svg>\0a<![CDATA[b".into(), 500..1_600),
        (delayed(20), 33_000..33_001),
        (delayed(300), 64_000..64_001),
        (delayed(600), 1 << 20..(1 << 20) + 1),
    ];
    let mut limited = 0;
    for (document, limits) in documents {
        for memory in limits {
            let outcome = |size: usize| {
                let mut parser = parser()
                    .text(TextPolicy::Pieces)
                    .limits(Limits::default().memory(memory));
                let mut text = String::new();
                let mut events = String::new();
                let done = in_chunks(&mut parser, document.as_bytes(), size, |event| {
                    if let Event::Text(piece) = event {
                        text.push_str(piece.as_str());
                    } else {
                        let _ = writeln!(events, "{:?}", core::mem::take(&mut text));
                        write_event(&mut events, event);
                    }
                });
                let done = done.map_err(|error| format!("{} {error}", error.span()));
                format!("{events}{done:?}")
            };
            let whole = outcome(usize::MAX);
            limited += usize::from(whole.contains("memory-limit"));
            for size in [1, 2, 3, 7, 11, 100] {
                let found = outcome(size);
                if found != whole {
                    let how = format!("{memory} bytes, chunks of {size}");
                    return Err(
                        format!("{document:?}, {how}:\n{found}\ninstead of\n{whole}").into(),
                    );
                }
            }
        }
    }
    assert!(limited > 50, "{limited} parses reached the limit");
    Ok(())
}

/// Writes the available events.
fn write_all(parser: &mut Parser<Html, Nested>, events: &mut String) -> Result<(), Error> {
    while let Some(event) = parser.next_event()? {
        write_event(events, &event);
    }
    Ok(())
}

/// A parser that is restored after each chunk returns the same events as one that is not, within the usual limits: the
/// count of stored start tags does not drift, whatever memory they have allocated.
fn restored_parsers_count_as_others_do() -> Result<(), Failed> {
    let long = format!("<p><a href='data:{}'>x</a><p><i>y<p>z", "y".repeat(5_000));
    let short =
        "<p><a href=b>c<p>d</a><i>e<p><b class=f>g</i>h<a i=0123456789012345678901234567890>"
            .repeat(60);
    let many = (0..300)
        .map(|number| format!("<b i={number}>x<p>"))
        .collect::<String>();
    for document in [long, short, many] {
        let read = |restores: bool| {
            let mut parser = parser();
            let mut events = String::new();
            for chunk in document.as_bytes().chunks(11) {
                parser.feed(chunk);
                write_all(&mut parser, &mut events)?;
                if restores {
                    let html = Html::default().encoding(Encoding::UTF_8);
                    parser = Parser::restore(html, &parser.checkpoint())?;
                }
            }
            parser.finish();
            write_all(&mut parser, &mut events)?;
            Ok::<_, Failed>(events)
        };
        if read(true)? != read(false)? {
            return Err("the restored parser returns other events".into());
        }
    }
    Ok(())
}

fn parser() -> Parser<Html, Nested> {
    Parser::new(Html::default().encoding(Encoding::UTF_8)).balanced()
}

/// Reads all available events. Returns their number, and updates the number of open elements.
fn pull(parser: &mut Parser<Html, Nested>, open: &mut u64) -> Result<u64, Error> {
    let mut count = 0;
    while let Some(event) = parser.next_event()? {
        count += 1;
        match event {
            Event::Start(_) => *open += 1,
            Event::End(_) => *open -= 1,
            _ => {}
        }
    }
    Ok(count)
}

/// Reads an input to its end. Returns the numbers of events and steps.
fn read(input: &[u8], size: usize, mut parser: Parser<Html, Nested>) -> Result<(u64, u64), Error> {
    let (mut events, mut open) = (0, 0);
    for chunk in input.chunks(size) {
        parser.feed(chunk);
        events += pull(&mut parser, &mut open)?;
    }
    parser.finish();
    events += pull(&mut parser, &mut open)?;
    assert_eq!(open, 0, "each start has its end");
    Ok((events, parser.inspect_machine().balancing_steps()))
}

/// Asserts that the number of steps is small and linear. The stream takes at most twice as many steps as tree
/// construction: one step for each start and one for each end are added.
fn steps(shape: &Shape) -> Result<(), Failed> {
    let units = sized(UNITS);
    let (tokens, _) = counted(shape, units, usize::MAX);
    let limits = Limits::default().depth(512).memory(usize::MAX);
    let parser = || parser().limits(limits);
    let (events, steps) = read(shape.of_units(units).as_bytes(), usize::MAX, parser())?;
    let (_, of_two) = read(shape.of_units(2 * units).as_bytes(), usize::MAX, parser())?;
    let (_, cut) = read(shape.of_units(units / 10).as_bytes(), 1, parser())?;
    let most = 2 * allowed(shape, units, tokens);
    println!("{events} events, {steps} steps for {tokens} tokens");
    match steps > 0 && steps <= most && of_two * 10 <= steps * 21 && cut <= most {
        true => Ok(()),
        false => {
            Err(format!("{steps} steps for {tokens} tokens, {of_two} for twice, {cut} cut").into())
        }
    }
}

/// Asserts that the memory is within its limit, apart from a batch of events, whatever elements are open.
fn held(shape: &Shape) -> Result<(), Failed> {
    let limits = Limits::default().depth(512).memory(4 * MIB);
    let input = shape.of_bytes(sized(4 * MIB));
    let held = peak(|| match read(&input, 4096, parser().limits(limits)) {
        Ok(_) => Ok(()),
        Err(error) if error.as_str() == "memory-limit" => Ok(()),
        Err(error) => Err(error.into()),
    })?;
    at_most(held, 12 * MIB)
}

/// Asserts that no memory is retained for elements that have ended.
fn endless() -> Result<(), Failed> {
    let unit = "<p class=a>b <b>c<i id=d>e<p>f</b>g <table><tr><td>h<td>i</table> <!--j--> ";
    let held = peak(|| {
        read(
            unit.repeat(sized(8 * MIB) / unit.len()).as_bytes(),
            4096,
            parser(),
        )
        .map(|_| ())
        .map_err(Failed::from)
    })?;
    at_most(held, 10 * MIB)
}

/// Elements that are reopened in each batch are copied, within the limit of copies.
fn again() -> Result<(), Failed> {
    let mut input = format!("<p><b title={}>", "x".repeat(MIB / 8)).into_bytes();
    input.extend(b"<p>a<title></title>".repeat(sized(50_000)));
    let mut parser = parser();
    let mut open = 0;
    let held = peak(|| {
        let mut copied = 0;
        for chunk in input.chunks(4096) {
            parser.feed(chunk);
            while let Some(event) = parser.next_event()? {
                match event {
                    Event::Start(tag) if tag.is_implied() => {
                        copied += tag.attribute("title").map_or(0, str::len);
                        open += 1;
                    }
                    _ => {}
                }
            }
        }
        let limits = Limits::default();
        let most = (limits.tree_allowance / 2).max(limits.tree_ratio / 2 * input.len());
        match copied <= most + MIB && open > 0 {
            true => Ok(()),
            false => Err(format!("{copied} bytes were copied, {most} may be").into()),
        }
    })?;
    at_most(held, 8 * MIB)
}

/// Comments that are delayed until the end of the body take at most a 64th of the memory limit.
fn after_the_body() -> Result<(), Failed> {
    let limits = Limits::default().depth(512).memory(32 * MIB);
    let input = "<p></body><!--comment-->".repeat(sized(MIB));
    let held = peak(|| {
        read(input.as_bytes(), 4096, parser().limits(limits))
            .map(|_| ())
            .map_err(Failed::from)
    })?;
    at_most(held, input.len() / 1000 + 4 * MIB)
}

/// Pieces of text that are delayed take about the memory that is counted for them, however short they are.
fn delayed_pieces() -> Result<(), Failed> {
    for start in ["<table>", "<table>x", "<head></head>"] {
        let length = sized(MIB / 2);
        let held = peak(|| {
            let limits = Limits::default().memory(64 * length);
            let mut parser = parser().text(TextPolicy::Pieces).limits(limits);
            parser.feed(start);
            for _ in 0..length {
                parser.feed("\n");
                while parser.next_event()?.is_some() {}
            }
            Ok::<(), Failed>(())
        })?;
        at_most(held, 5 * length + MIB / 8)?;
    }
    Ok(())
}
