//! The work on each shape is proportional to its length, with and without a tree, in chunks of any size. The end of the
//! parse does not depend on the chunks.

use crate::memory::MIB;
use crate::{SIZES, run};
use tagstream::microxml::Revision;
use tagstream::{
    Buildable, Dialect, Encoding, Error, Html, LeafXml, Limits, MicroXml, Parser, Sky, Stats,
    TreeBuilder, Xml,
};
use testing::effort::Effort;
use testing::effort::sized;
use testing::pieces::words;
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

/// Maximum number of bytes that HTML copies in addition: the first chunk of a long run is copied once, as soon as there
/// is a second chunk.
const FIRST: u64 = 4096 + 64;

/// Maximum number of bytes that other dialects copy in addition: the first two chunks.
const FIRST_TWO: u64 = 2 * 4096 + 64;

/// The beginnings of floods. Each results in another state of the tokenizer.
const BEGINNINGS: &str = "<a␣ <a␣b= <a␣b=' <a␣b=\" <!-- <! <?a␣ <title> <style> <script> <script><!-- \
    <script><!--<script> <svg><![CDATA[ <svg> <!DOCTYPE␣ <!DOCTYPE␣a␣ <!DOCTYPE␣a␣PUBLIC␣' \
    <!DOCTYPE␣a␣PUBLIC␣''";

/// The units of floods: every byte that is significant in some state, and some bytes that are not.
const PIECES: &str = "< / > ! - ? & # x A ; ␣ = \" ' ` \r \n \0 ] _ 1 \u{e9}";

pub(crate) fn add(program: &mut Program) {
    for shape in shapes("XML") {
        let name = shape.name().to_owned();
        let same = shape.clone();
        program.case(format!("xml/work: {name}"), move || xml(&shape));
        program.case(format!("xml/default limits: {name}"), move || {
            default_limits(&same)
        });
    }
    for shape in shapes("HTML") {
        let name = format!("html/work: {}", shape.name());
        program.case(name, move || {
            html(&shape.of_bytes(sized(MIB)), most(&shape))
        });
    }
    program.case("html/work: attributes, equal but for capitals", || {
        let capital = |bit: bool| if bit { 'A' } else { 'a' };
        let name = |number: usize| -> String {
            (0..17).map(|bit| capital(number >> bit & 1 == 1)).collect()
        };
        let names: String = (0..sized(100_000))
            .map(|number| name(number) + " ")
            .collect();
        html(format!("<p {names}>").repeat(2).as_bytes(), 2)
    });
    program.case("html/work: scripts that write", scripts_that_write);
    for before in [String::new()].into_iter().chain(words(BEGINNINGS)) {
        let name = format!("html/work: {before:?} and floods of all pairs");
        program.case(name, move || floods(&before));
    }
    let last = MicroXml::default().revision(Revision::Final);
    others(program, "microxml/work", MicroXml::default(), "MicroXML");
    others(program, "microxml/final, work", last, "MicroXML");
    others(program, "sky/work", Sky::fragment(), "Sky");
    others(program, "leafxml/work", LeafXml::default(), "LeafXML");
    program.case("microxml/work is linear", move || {
        // If a lookahead fails, its first chunks are copied.
        let slack = |size| if size == 4096 { 128 + 8192 } else { 128 };
        with_trees(MicroXml::default(), "MicroXML, with a tree", slack)?;
        with_trees(last, "MicroXML, with a tree", slack)
    });
    program.case("sky/work is linear", || {
        with_trees(Sky::fragment(), "Sky, with a tree", |_| 64)
    });
}

/// Documents with many scripts of which each writes text, with a script that writes often, and with scripts in text
/// that other scripts write.
fn scripts_that_write() -> Result<(), Failed> {
    const SCRIPT: &str = "<script></script>";
    let count = sized(20_000);
    let many = format!("{SCRIPT}x").repeat(count);
    for chunk in [usize::MAX, 100] {
        written(&many, chunk, |builder| {
            while builder.paused_at().is_some() {
                builder.write("b")?;
                builder.resume(());
                builder.build()?;
            }
            Ok(count)
        })?;
        written(
            &(SCRIPT.to_owned() + &"x".repeat(sized(MIB))),
            chunk,
            |builder| {
                for _ in 0..count {
                    builder.write("b")?;
                }
                builder.resume(());
                builder.build()?;
                Ok(count)
            },
        )?;
        written(
            &(SCRIPT.to_owned() + &"x".repeat(sized(MIB))),
            chunk,
            |builder| {
                let inner = format!("{SCRIPT}b<i a='");
                for _ in 0..count {
                    builder.write(&inner)?;
                }
                for _ in 0..=count {
                    builder.resume(());
                    builder.build()?;
                }
                Ok(count * inner.len())
            },
        )?;
    }
    Ok(())
}

/// Asserts that the work on a document and on the text that a host writes is within a bound. `host` returns the length
/// of this text.
fn written(
    document: &str,
    chunk: usize,
    host: impl Fn(&mut TreeBuilder<Html>) -> Result<usize, Error>,
) -> Result<(), Failed> {
    let html = Html::default().scripting(true);
    let builder = TreeBuilder::new(html).limits(Limits::none());
    let mut builder = builder.hosted();
    for piece in document.as_bytes().chunks(chunk) {
        builder.supply(piece);
    }
    builder.build()?;
    let length = (document.len() + host(&mut builder)?) as u64;
    builder.end()?;
    let stats = builder.stats();
    let work = stats.states + stats.copied + stats.cleaned + stats.compared;
    match stats.text == length && work <= 3 * length {
        true => Ok(()),
        false => Err(format!("{stats:?} for {length} bytes").into()),
    }
}

/// Returns the work that is allowed, as a multiple of the length of the input.
fn most(shape: &Shape) -> u64 {
    shape.number("work").map_or(2, |number| number as u64)
}

/// Asserts that the work is within a bound. Returns the end of the parse.
fn work<D: Dialect>(
    dialect: &D,
    input: &[u8],
    within: impl Fn(&Stats) -> bool,
) -> Result<String, Failed> {
    let mut ends = Vec::new();
    for size in SIZES {
        let mut parser = Parser::new(dialect.clone()).limits(Limits::none());
        ends.push(ended(run(&mut parser, input, size)));
        let work = parser.stats();
        if !within(&work) {
            return Err(format!("chunks of {size}: for {}: {work:?}", input.len()).into());
        }
    }
    one(ends)
}

/// Returns the end of all parses, which must be the same.
fn one(ends: Vec<String>) -> Result<String, Failed> {
    match ends.iter().all(|end| *end == ends[0]) {
        true => Ok(ends[0].clone()),
        false => Err(format!("it depends on the chunks: {ends:#?}").into()),
    }
}

/// Asserts that the parse reached the end of the input.
fn read(end: &str) -> Result<(), Failed> {
    match end.ends_with(" events") {
        true => Ok(()),
        false => Err(end.into()),
    }
}

/// States consume or peek at most 1.1 times the input, and all work together is at most twice the input plus a
/// constant.
fn xml(shape: &Shape) -> Result<(), Failed> {
    let input = shape.of_bytes(sized(MIB));
    // Number of bytes of decoded text. In some encodings, a byte of input becomes several bytes of text, which the
    // states read.
    let length = (input.len() as f64 * shape.number("growth").unwrap_or(1.0)) as u64;
    // For some shapes, characters are examined twice because a lookahead fails, and text that is cut by a chunk and
    // normalized is copied twice. The bound is then three times the input.
    let (states, all) = match shape.has("read-twice") {
        true => (20, 3),
        false => (11, 2),
    };
    read(&work(&Xml::default(), &input, |work| {
        work.states * 10 <= length * states + 640 && work.total() <= length * all + 64
    })?)
}

/// Asserts that the default limits result in the same end for every chunk size, and that this is the limit that the
/// shape names.
fn default_limits(shape: &Shape) -> Result<(), Failed> {
    let input = shape.of_bytes(sized(MIB));
    let ends = SIZES.map(|size| ended(run(&mut Parser::new(Xml::default()), &input, size)));
    let end = one(ends.to_vec())?;
    let found = end
        .split(' ')
        .next()
        .filter(|name| name.ends_with("-limit"));
    match found == shape.limit() {
        true => Ok(()),
        false => Err(format!("wanted {:?}, found {end}", shape.limit()).into()),
    }
}

/// The states may consume characters again that the standard reconsumes, so their work is at most twice the input. All
/// other work is at most `most - 1` times the input, plus a constant. U+FFFD, which replaces U+0000, takes three bytes.
fn html(input: &[u8], most: u64) -> Result<(), Failed> {
    let length = String::from_utf8_lossy(input).len() as u64;
    let html = Html::default().encoding(Encoding::UTF_8);
    read(&work(&html, input, |work| {
        let other = work.total() - work.states;
        work.states <= 2 * length && other <= length * (most - 1) + FIRST
    })?)
}

/// Asserts the same bound for each pair of pieces that is repeated after `before`.
fn floods(before: &str) -> Result<(), Failed> {
    let pieces = words(PIECES);
    for (first, second) in pieces
        .iter()
        .flat_map(|first| pieces.iter().map(move |two| (first, two)))
    {
        let unit = format!("{first}{second}");
        let input = format!("{before}{}", unit.repeat(sized(1 << 11) / unit.len()));
        let length = input.len() as u64;
        let most = if unit.contains('\0') { 4 } else { 2 };
        for size in [1, usize::MAX] {
            let mut parser = Parser::new(Html::default().encoding(Encoding::UTF_8));
            run(&mut parser, input.as_bytes(), size)?;
            let work = parser.stats();
            let other = work.total() - work.states;
            if work.states > 2 * length || other > length * (most - 1) + 64 {
                let report = format!("{unit:?} in chunks of {size}: for {length}: {work:?}");
                return Err(report.into());
            }
        }
    }
    Ok(())
}

/// Adds the cases of MicroXML, Sky or LeafXML: the shapes for all three dialects, and those of the dialect itself.
fn others<D: Dialect>(program: &mut Program, name: &str, dialect: D, own: &str) {
    for section in ["Markup", "Look-aheads", own] {
        for shape in shapes(section) {
            let dialect = dialect.clone();
            program.case(format!("{name}: {}", shape.name()), move || {
                let input = shape.of_bytes(sized(MIB / 4));
                let most = input.len() as u64 * most(&shape) + FIRST_TWO;
                work(&dialect, &input, |work| work.total() <= most).map(|_| ())
            });
        }
    }
}

/// Asserts that the work of events and of trees is proportional to the text, for some tens of KiB of each shape.
fn with_trees<D: Buildable>(
    dialect: D,
    section: &str,
    slack: impl Fn(usize) -> u64,
) -> Result<(), Failed> {
    for shape in shapes(section) {
        let input = shape.of_bytes(Effort::choose(5_000, 30_000));
        for size in SIZES {
            let mut parser = Parser::new(dialect.clone()).limits(Limits::none());
            let mut builder = TreeBuilder::new(dialect.clone()).limits(Limits::none());
            run(&mut parser, &input, size)?;
            for chunk in input.chunks(size) {
                builder.supply(chunk);
                builder.build()?;
            }
            builder.supply_end();
            builder.build()?;
            for work in [parser.stats(), builder.stats()] {
                // Text that was normalized or hashed is sometimes also copied, so these counters have separate bounds.
                let is_linear = work.states + work.copied <= most(&shape) * work.text + slack(size)
                    && work.cleaned <= work.text
                    && work.compared <= work.text;
                if !is_linear {
                    let name = shape.name();
                    return Err(format!("{name}, {dialect:?}, by {size}: {work:?}").into());
                }
            }
        }
    }
    Ok(())
}

/// Returns the number of events, or the error.
fn ended(end: Result<usize, Error>) -> String {
    match end {
        Ok(count) => format!("{count} events"),
        Err(error) => format!("{} {} {error}", error.as_str(), error.span()),
    }
}
