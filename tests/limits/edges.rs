//! Limits that were found to be too strict or too lenient. Each is tested with the values around the lowest sufficient
//! one, in every dialect, with the whole input in one chunk and byte by byte.

use crate::memory::{ALLOCATOR, MIB};
use tagstream::{
    Buildable, Dialect, Document, Error, Html, Limits, Parser, Status, TextPolicy, TreeBuilder, Xml,
};
use testing::effort::Effort;
use testing::run::Program;
use testing::shapes::{Shape, shapes};
use testing::tree_formats::TreeFormats as _;
use testing::with_dialect;

pub(crate) fn add(program: &mut Program) {
    for (section, check) in [
        ("a tree of XML", tree_needs as fn(&Shape, &str)),
        ("a tree of entities", tree_needs),
        ("a tree of HTML", tree_needs),
        ("trees of the other dialects", tree_needs),
        ("names at their limit", needs),
        ("texts and tokens at their limit", needs),
        ("counts at their limit", needs),
        ("empty entities count", needs),
    ] {
        program.case(format!("core/limits/{section}"), move || {
            for shape in shapes(section) {
                let dialects = shape.dialects();
                dialects.for_each(|dialect| check(&shape, dialect));
            }
        });
    }
    testing::cases!(
        program,
        "core/limits",
        no_limit_of_a_token_for_the_encoding,
        the_limit_of_memory_may_depend_on_the_encoding_but_not_on_chunks,
        no_depth_is_too_little_for_the_root,
        the_deepest_element_is_where_browsers_have_it,
        limits_of_trees_do_not_depend_on_pieces_of_text,
    );
    for shape in shapes("the limit of memory") {
        let name = format!("core/limits/the limit of memory: {}", shape.name());
        program.case_alone(name, move || {
            shape.dialects().for_each(|it| memory(&shape, it))
        });
    }
}

/// The root element of HTML is in the tree whatever the limit of depth is. Deeper elements become its siblings.
fn no_depth_is_too_little_for_the_root() {
    let page = "<table><b>x<svg><p>y<select><a>";
    let least = tree(Html::default(), Limits::none().depth(0), page.as_bytes(), 1);
    assert!(least.0.starts_with("<html>\n"), "{}", least.0);
    for limits in [Limits::none().depth(0), Limits::none().depth(1)] {
        assert_eq!(tree(Html::default(), limits, page.as_bytes(), 7), least);
    }
}

/// Of 600 nested elements, Chromium puts 511 on separate levels below the body. The last of these levels is 513,
/// counted from the root; the other elements are siblings on it. A parent of text or a comment may be on the same
/// level.
fn the_deepest_element_is_where_browsers_have_it() {
    for (tag, deep) in [("<div>", 511), ("<b i=№>", 511), ("<svg>", 511)] {
        let tags = (0..600).map(|number| tag.replace('№', &number.to_string()));
        let page = Document::parse(Html::default(), tags.collect::<String>()).unwrap();
        let mut level = vec![1];
        let mut node = page.root_element().unwrap().last_child().unwrap();
        while let Some(last) = node.last_child() {
            level.push(node.children().count());
            node = last;
        }
        assert_eq!(level.len(), deep + 1, "{tag}");
        assert_eq!(level[deep], 600 - deep + 1, "{tag}");
        assert!(level[..deep].iter().all(|&count| count == 1), "{tag}");
    }
}

/// The start of a run of text, or all of it, may be ignored, or inserted elsewhere than its end, and its first piece may
/// create other nodes than the text. The limits count the whole run whatever chunks it arrives in.
fn limits_of_trees_do_not_depend_on_pieces_of_text() {
    let spaces = " ".repeat(1_000);
    let documents = [
        ("html", format!("<!DOCTYPE html>{spaces}h")),
        (
            "html",
            format!("<p>x</p></body>{spaces}h<b><p>{spaces}i</b>j"),
        ),
        (
            "html",
            format!("<head></head>{spaces}\0\0{spaces}h<title>\n{spaces}</title>"),
        ),
        (
            "html",
            format!("<table>{spaces}h{spaces}<td>\0\0h{spaces}<b>x<p>y</table>z"),
        ),
        (
            "html",
            format!("<frameset>{spaces}h{spaces}<frame></frameset>{spaces}h"),
        ),
        (
            "html",
            format!("<b><i a=b><p>x</b>{spaces}{}", "<p>x</p> y".repeat(30)),
        ),
        (
            "html",
            "<select><selectedcontent><option><b>x<b>y</option></select> z".to_owned(),
        ),
        (
            "html",
            format!("<svg>\0{spaces}h<desc>\0 h</svg></p>{spaces}"),
        ),
        ("microxml", ";<b/> h".to_owned()),
        (
            "microxml",
            format!("{spaces}h<b>{spaces}c</b>{spaces}h<b/>{spaces}"),
        ),
        (
            "leafxml",
            format!("<r>{spaces}c<b>{spaces}e</b>{spaces}<b/>{spaces}f</r>{spaces}"),
        ),
        ("sky", format!("{spaces}<b>{spaces}c</b>{spaces}h")),
        // An end tag without an element ends the run, although it is no event.
        (
            "sky",
            "!mojo mojo:sky\r</>SKY MODULE\n<$:a.-></>;".to_owned(),
        ),
        ("sky", format!("{spaces}</>b</>{spaces}c</d>e\r</></>f")),
        ("microxml", format!("<a>{spaces}</b>c\r</d>{spaces}</e>f")),
        (
            "xml",
            format!("<a>{spaces}</b>c\r</d>{spaces}</e>f</a></>g"),
        ),
        (
            "xml",
            format!("<a>{spaces}b<![CDATA[c]]>{spaces}<d/>&amp;{spaces}</a>{spaces}"),
        ),
        // Parse errors of a tag are reported before the tag.
        ("xml", "<a x='&e;'\">".to_owned()),
        ("html", "\u{feff}<!OC html><x y=z y=>".to_owned()),
        (
            "html",
            "<!OC html><x y=z y=><p &#x;\u{ffff} b b>&notit;<b c c>".to_owned(),
        ),
    ];
    let none = Limits::none();
    let mut ends = 0;
    for (dialect, document) in documents {
        let nodes = (0..24).map(|nodes| none.tree_nodes(nodes));
        let attributes = (0..4).map(|attributes| none.tree_attributes(attributes));
        let bytes = (0..4).chain([11, 16, 20]).flat_map(|ratio| {
            let allowances = (0..2_400).step_by(Effort::choose(64, 16));
            allowances.map(move |most| none.tree_ratio(ratio).tree_allowance(most))
        });
        for limits in nodes.chain(attributes).chain(bytes) {
            let built = |size| {
                let (tree, end) =
                    with_dialect!(dialect, |it| tree(it, limits, document.as_bytes(), size));
                match end {
                    Some(end) => Err(end),
                    None => Ok(tree),
                }
            };
            let whole = built(usize::MAX);
            ends += usize::from(whole.is_err());
            for size in [1, 3, 64, 1_001] {
                let found = built(size);
                let shown = document.replace(&spaces, "…");
                assert!(
                    found == whole,
                    "chunks of {size}: {found:?}\nwhole: {whole:?}\n{shown:?}, {limits:?}"
                );
            }
        }
    }
    assert!(ends > 500, "{ends} parses reached the limit");
}

/// The limit that ended the parse, and the position and the message of the error.
type End = (&'static str, String);

fn ended(error: &Error) -> End {
    let limit = error.limit().expect("only limits end these");
    (
        limit.as_str(),
        format!("{} {} {error}", error.span(), error.position()),
    )
}

/// Returns the name of the field of `Limits` for a limit that is one number: `depth` for `depth-limit`.
fn field(limit: &str) -> String {
    limit.trim_end_matches("-limit").replace('-', "_")
}

/// Asserts that the message contains the limit, if the limit is one number.
fn says_its_number(shape: &Shape, limits: &Limits, end: &str) {
    let numbers = serde_json::to_value(limits).expect("limits are numbers");
    let Some(number) = numbers.get(field(shape.limit().expect("a limit"))) else {
        return;
    };
    let told = format!(" more than {number} (");
    assert!(end.contains(&told), "{}: {end}: {told}", shape.name());
}

/// Returns limits of which only that of a shape is set.
fn only(shape: &Shape, value: usize) -> Limits {
    let mut limits = Limits::none();
    let is_ratio = shape.has("tree-ratio");
    match shape.limit().expect("a limit") {
        "entity-expansion-limit" => {
            (limits.entity_ratio, limits.entity_allowance) = (0, value);
        }
        "tree-bytes-limit" if is_ratio => {
            (limits.tree_ratio, limits.tree_allowance) = (value, 300);
        }
        "tree-bytes-limit" => (limits.tree_ratio, limits.tree_allowance) = (0, value),
        limit => {
            let mut numbers = serde_json::to_value(limits).expect("limits are numbers");
            *numbers.get_mut(field(limit)).expect("a limit of this name") = value.into();
            limits = serde_json::from_value(numbers).expect("limits");
        }
    }
    limits
}

/// Returns limits around the lowest value with which a shape is read: this value is sufficient, and one less is not.
/// Each comes with the limit that must end the parse, or `None`.
fn edges(shape: &Shape) -> impl Iterator<Item = (Limits, Option<&str>)> {
    let least = shape.number("least").expect("the least") as usize;
    let values = [0, 1, least.saturating_sub(1), least, least + 1, usize::MAX].into_iter();
    values.map(move |value| (only(shape, value), shape.limit().filter(|_| value < least)))
}

/// Returns the tree of a document that is fed in chunks, and the limit that ended the parse.
fn tree<D: Buildable>(
    dialect: D,
    limits: Limits,
    input: &[u8],
    size: usize,
) -> (String, Option<End>) {
    let builder = TreeBuilder::new(dialect).limits(limits);
    let mut builder = builder.report_errors(true);
    let mut result = Ok(());
    for chunk in input.chunks(size) {
        builder.supply(chunk);
        result = result.and_then(|()| builder.build());
    }
    builder.supply_end();
    let result = result.and_then(|()| builder.build());
    let end = result.err().map(|error: Error| ended(&error));
    let mut outline = builder.into_sink().to_outline();
    if end.is_some() && outline.ends_with("\"\n") {
        // The tree may contain a part of the text that exceeded the limit.
        outline.truncate(outline.trim_end().rfind('\n').unwrap_or(0));
    }
    (outline, end)
}

/// Asserts that the tree and the end of the parse are the same for every cut.
fn tree_needs(shape: &Shape, dialect: &str) {
    let input = shape.of_bytes(0);
    for (limits, wanted) in edges(shape) {
        let built = |size| with_dialect!(dialect, |it| tree(it, limits, &input, size));
        let outcome = built(usize::MAX);
        for size in [1, 2, 7] {
            assert_eq!(built(size), outcome, "{}: {limits:?}, {size}", shape.name());
        }
        if let Some((_, end)) = &outcome.1 {
            says_its_number(shape, &limits, end);
        }
        let found = outcome.1.map(|(limit, _)| limit);
        assert_eq!(found, wanted, "{}: {limits:?}", shape.name());
    }
}

/// Returns the events of a document that is fed in chunks, and the limit that ended the parse.
fn events(
    dialect: impl Dialect,
    limits: Limits,
    input: &[u8],
    size: usize,
) -> (Vec<String>, Option<End>) {
    let mut parser = Parser::new(dialect).limits(limits).report_errors(true);
    let mut events = Vec::new();
    let mut end = None;
    for chunk in input.chunks(size).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(event)) => events.push(format!("{} {event:?}", event.span())),
                Ok(None) => break,
                Err(error) => {
                    end = Some(ended(&error));
                    break;
                }
            }
        }
    }
    (events, end)
}

/// Asserts that the events and the end of the parse are the same for every cut, and that the events before the end are
/// the same as without a limit.
fn needs(shape: &Shape, dialect: &str) {
    let input = shape.of_bytes(0);
    let read = |limits, size| with_dialect!(dialect, |it| events(it, limits, &input, size));
    let (all, none) = read(Limits::none(), usize::MAX);
    assert_eq!(none, None);
    for (limits, wanted) in edges(shape) {
        let outcome = read(limits, usize::MAX);
        for size in [1, 2, 7] {
            let context = format!("{}: {limits:?}, {size}", shape.name());
            assert_eq!(read(limits, size), outcome, "{context}");
            with_dialect!(dialect, |it| tree(it, limits, &input, size));
        }
        let (events, end) = outcome;
        if let Some((_, end)) = &end {
            says_its_number(shape, &limits, end);
        }
        let found = end.map(|(limit, _)| limit);
        assert_eq!(found, wanted, "{dialect}, {}: {limits:?}", shape.name());
        // The part of a text that was read before the limit was exceeded is delivered as the last event, so this event
        // can differ.
        let same = events.len().saturating_sub(usize::from(found.is_some()));
        assert_eq!(events[..same], all[..same], "{}: {limits:?}", shape.name());
    }
}

/// The limit of a token does not apply to the bytes that are examined to detect the encoding.
fn no_limit_of_a_token_for_the_encoding() {
    let of = |token| Limits::none().token(token);
    let input = b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>";
    let latin = events(Xml::default(), Limits::none(), input, 1);
    assert_eq!(events(Xml::default(), of(43), input, 1), latin);
    let mut parser = Parser::new(Html::default()).limits(of(5));
    parser.feed(b"<meta charset=iso-8859-2><a>\xB1");
    let _ = parser.next_event();
    assert_eq!(parser.encoding().unwrap().name(), "ISO-8859-2");
}

/// A text may be shorter if its bytes are held too, which is known only when the encoding is decided: at the first
/// character that is not ASCII.
fn the_limit_of_memory_may_depend_on_the_encoding_but_not_on_chunks() {
    for (before, after) in [(0, 2_000), (300, 2_000), (900, 20), (1_250, 20)] {
        for ill_formed in [&b"\xE9"[..], "\u{e9}".as_bytes()] {
            let text = [&b"<plaintext>"[..], &b"a".repeat(before), ill_formed];
            let input = [text.concat(), b"b".repeat(after)].concat();
            let limits = Limits::none().memory(4_800);
            let whole = events(Html::default(), limits, &input, usize::MAX);
            for size in [1, 14, 100, 700, 1_000, 1_500] {
                let found = events(Html::default(), limits, &input, size);
                assert_eq!(found, whole, "{before}, {after}, chunks of {size}");
            }
        }
    }
}

/// The limit of memory, and the memory that may be added to it: that of buffers of fixed size.
const MEMORY: usize = MIB;
const FIXED: usize = 3 * MIB;

/// Reads a document with a memory limit of 1 MiB and no other limit. Asserts that the memory is within the limit.
/// Returns the limit that ended the parse, and its position.
fn held(
    dialect: impl Dialect,
    policy: TextPolicy,
    shape: &Shape,
    input: &[u8],
    size: usize,
) -> Option<End> {
    let limits = Limits::none().memory(MEMORY);
    let mut parser = Parser::new(dialect).limits(limits).text(policy);
    let entity = shape.entity().unwrap_or_default();
    let (mut end, mut most) = (None, 0);
    for chunk in input.chunks(size).map(Some).chain([None]) {
        let before = ALLOCATOR.current_usage();
        let already = most;
        ALLOCATOR.reset_peak_usage();
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event().map(|event| event.is_some()) {
                Ok(true) => {}
                Ok(false) => {
                    if !matches!(parser.status(), Status::NeedsEntity(_)) {
                        break;
                    }
                    (0..200).for_each(|_| parser.feed_entity(&entity[..]));
                    parser.finish_entity(None);
                }
                Err(error) => {
                    end = error
                        .limit()
                        .map(|limit| (limit.as_str(), error.span().to_string()));
                    break;
                }
            }
        }
        let peak = ALLOCATOR.peak_usage().saturating_sub(before);
        let kept = ALLOCATOR.current_usage() as isize - before as isize;
        most = most.max(already + kept.max(0) as usize).max(peak);
        let chunk = chunk.map_or(0, <[u8]>::len);
        assert!(peak <= MEMORY + FIXED + chunk, "{peak} in one chunk");
        if end.is_some() {
            break;
        }
    }
    let all = ALLOCATOR.current_usage();
    drop(parser);
    let all = all.saturating_sub(ALLOCATOR.current_usage());
    assert!(all <= MEMORY + FIXED, "{all} at the end");
    end
}

fn memory(shape: &Shape, dialect: &str) {
    let input = shape.of_bytes(0);
    let policy = match shape.has("text") {
        true => TextPolicy::Pieces,
        false => TextPolicy::Whole,
    };
    let mut ends = Vec::new();
    for size in [100, 1000, 5000, 1 << 16] {
        ends.push(with_dialect!(dialect, |it| held(
            it, policy, shape, &input, size
        )));
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
    let found = ends[0].as_ref().map(|(limit, _)| *limit);
    assert_eq!(found, shape.limit(), "{ends:?}");
}
