//! Limits that were found to hold too much or too little: each at its edges, in every dialect, whole
//! and byte by byte.

use crate::memory::ALLOCATOR;
use tagstream::{
    Buildable, Dialect, Error, Html, LeafXml, Limit, Limits, MicroXml, Parser, Sky, TreeBuilder,
    Xml,
};
use tagstream::{Status, TextPolicy};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        alone program,
        "core/limits",
        a_tree_of_xml,
        a_tree_of_entities,
        a_tree_of_html,
        trees_of_the_other_dialects,
        names_at_their_limit,
        texts_and_tokens_at_their_limit,
        counts_at_their_limit,
        entities_of_nothing_cost_what_they_cost,
        memory_bounds_all_that_is_held,
    );
}

/// The tree of a document fed in chunks, and how it ended.
fn tree<D: Buildable>(
    dialect: D,
    limits: Limits,
    input: &[u8],
    size: usize,
) -> (String, Option<(Limit, String)>) {
    let mut builder = TreeBuilder::new(dialect).limits(limits);
    let mut result = Ok(());
    for chunk in input.chunks(size) {
        builder.feed_slice(chunk);
        result = result.and_then(|()| builder.build());
    }
    builder.finish();
    let result = result.and_then(|()| builder.build());
    let end = result.err().map(|error: Error| {
        let limit = error.limit().expect("only limits end these");
        (limit, format!("{} {}", error.span(), error.position()))
    });
    let mut outline = builder.into_sink().to_outline();
    if end.is_some() && outline.ends_with("\"\n") {
        // Of the text that was too much, there may be a piece.
        outline.truncate(outline.trim_end().rfind('\n').unwrap_or(0));
    }
    (outline, end)
}

/// A limit, and how to set it.
type Setting = (Limit, fn(&mut Limits, usize));

/// Limits around the least that a tree needs: that is enough, and one less is not, however the document
/// is cut.
fn tree_limits(dialect: impl Buildable, input: &str, settings: &[(Setting, usize)]) {
    for ((limit, set), least) in settings {
        let mut ends = Vec::new();
        for value in [0, 1, least.saturating_sub(1), *least, least + 1, usize::MAX] {
            let mut limits = Limits::none();
            set(&mut limits, value);
            let outcome = tree(dialect.clone(), limits, input.as_bytes(), usize::MAX);
            for size in [1, 2, 7] {
                let other = tree(dialect.clone(), limits, input.as_bytes(), size);
                assert_eq!(other, outcome, "{input:?}: {limit:?} of {value}, {size}");
            }
            let found = outcome.1.map(|(limit, _)| limit);
            let wanted = (value < *least).then_some(*limit);
            ends.push((value, found));
            assert_eq!(found, wanted, "{input:?}: {limit:?} of {value}: {ends:?}");
        }
    }
}

const NODES: Setting = (Limit::TreeNodes, |limits, value| limits.tree_nodes = value);
const ATTRIBUTES: Setting = (Limit::TreeAttributes, |limits, value| {
    limits.tree_attributes = value
});
const BYTES: Setting = (Limit::TreeBytes, |limits, value| {
    (limits.tree_ratio, limits.tree_allowance) = (0, value)
});
const RATIO: Setting = (Limit::TreeBytes, |limits, value| {
    (limits.tree_ratio, limits.tree_allowance) = (value, 300)
});

fn a_tree_of_xml() {
    // The document, two elements, two texts, a comment: 32 bytes each; two attributes of 16 bytes, three
    // names with 32 bytes and their own; 4 bytes of values, 3 of text before the last node, 2 of comment.
    let input = "<a b='cd' e='fg'>hij<!--kl--><e/>mn</a>";
    let bytes = 6 * 32 + 2 * 16 + 3 * 33 + 4 + 3 + 2;
    let settings = [(NODES, 6), (ATTRIBUTES, 2), (BYTES, bytes)];
    tree_limits(Xml::default(), input, &settings);
    tree_limits(Xml::strict(), input, &settings);
    // Text that follows text is the same node.
    tree_limits(
        Xml::default(),
        "<a>b&amp;c<![CDATA[d]]>e</a>",
        &[(NODES, 3)],
    );
}

fn a_tree_of_entities() {
    let input = "<!DOCTYPE a [<!ENTITY e '<b/>c'><!ENTITY f '&e;&e;&e;&e;'>]><a>&f;&f;x&f;</a>";
    tree_limits(Xml::default(), input, &[(NODES, 26)]);
    // 300 bytes and so many times what was read, or expanded, before each node.
    tree_limits(Xml::default(), input, &[(RATIO, 6)]);
}

fn a_tree_of_html() {
    let input = "<!DOCTYPE html><p class=a>b<p id=c>d<!--e-->";
    tree_limits(Html::default(), input, &[(NODES, 10), (ATTRIBUTES, 2)]);
    // Formatting that is made again.
    tree_limits(Html::default(), "<p><b><i>a<p>b<p>c", &[(NODES, 16)]);
    // What the end of the input makes.
    tree_limits(Html::default(), "", &[(NODES, 4)]);
    tree_limits(Html::default(), "<b a=b></b><html c=d>", &[(ATTRIBUTES, 2)]);
}

fn trees_of_the_other_dialects() {
    let input = "<a b='c'>d<e f='g'/>h</a>";
    tree_limits(MicroXml::default(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
    tree_limits(Sky::fragment(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
    tree_limits(LeafXml::default(), input, &[(NODES, 5), (ATTRIBUTES, 2)]);
}

/// The events of a document fed in chunks, and how it ended.
fn events(
    dialect: impl Dialect,
    limits: Limits,
    input: &[u8],
    size: usize,
) -> (Vec<String>, Option<(Limit, String)>) {
    let mut parser = Parser::new(dialect).limits(limits).errors(true);
    let mut events = Vec::new();
    let mut end = None;
    for chunk in input.chunks(size).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed_slice(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(event)) => events.push(format!("{} {event:?}", event.span())),
                Ok(None) => break,
                Err(error) => {
                    let limit = error.limit().expect("only limits end these");
                    end = Some((limit, format!("{} {}", error.span(), error.position())));
                    break;
                }
            }
        }
    }
    (events, end)
}

const NAME: Setting = (Limit::Name, |limits, value| limits.name = value);
const DEPTH: Setting = (Limit::Depth, |limits, value| limits.depth = value);
const MANY: Setting = (Limit::Attributes, |limits, value| limits.attributes = value);
const TOKEN: Setting = (Limit::Token, |limits, value| limits.token = value);
const DECLARATIONS: Setting = (Limit::Declarations, |limits, value| {
    limits.declarations = value
});
const ENTITY_DEPTH: Setting = (Limit::EntityDepth, |limits, value| {
    limits.entity_depth = value
});
const EXPANSION: Setting = (Limit::EntityExpansion, |limits, value| {
    (limits.entity_ratio, limits.entity_allowance) = (0, value)
});

/// A limit that a document needs to be so large: that is enough, one less is not, and what came before
/// it is as without.
fn needs(dialect: impl Buildable, input: &str, (limit, set): Setting, least: usize) {
    let bytes = input.as_bytes();
    let (all, none) = events(dialect.clone(), Limits::none(), bytes, usize::MAX);
    assert_eq!(none, None);
    for value in [0, 1, least.saturating_sub(1), least, least + 1, usize::MAX] {
        let mut limits = Limits::none();
        set(&mut limits, value);
        let context = format!("{dialect:?} {input:?}: {limit:?} of {value}");
        let (events_of_whole, end) = events(dialect.clone(), limits, bytes, usize::MAX);
        for size in [1, 2, 7] {
            let other = events(dialect.clone(), limits, bytes, size);
            assert_eq!(
                other,
                (events_of_whole.clone(), end.clone()),
                "{context}: {size}"
            );
            let _ = tree(dialect.clone(), limits, bytes, size);
        }
        let found = end.map(|(limit, _)| limit);
        let wanted = (value < least).then_some(limit);
        assert_eq!(found, wanted, "{context}: {events_of_whole:?}");
        // The text that is too long is handed out as far as it was read.
        let same = events_of_whole
            .len()
            .saturating_sub(usize::from(found.is_some()));
        assert_eq!(events_of_whole[..same], all[..same], "{context}");
    }
}

fn names_at_their_limit() {
    let xml = [
        ("<abcde/>", 5),
        ("<a bcdef=''/>", 5),
        ("<a></abcde></a>", 5),
        ("<a>&abcde;</a>", 5),
        ("<a b='&abcde;'/>", 5),
        ("<!DOCTYPE abcde><a/>", 5),
        ("<!DOCTYPE a [<!ENTITY abcde ''>]><a/>", 5),
        ("<!DOCTYPE a [%abcde;]><a/>", 5),
        ("<!DOCTYPE a [<!NOTATION abcde SYSTEM ''>]><a/>", 5),
        ("<!DOCTYPE a [<!ATTLIST abcde>]><a/>", 5),
        ("<?abcde f?><a/>", 5),
        ("<a>&lt;</a>", 1),
    ];
    for (input, least) in xml {
        needs(Xml::default(), input, NAME, least);
    }
    for input in [
        "<abcde>",
        "<p bcdef=g>",
        "</abcde>",
        "<!DOCTYPE abcde>",
        "<!DOCTYPE abcde PUBLIC 'fghijkl'>",
        "<!DOCTYPE abcde",
        "<?abcde f?>",
    ] {
        needs(Html::default(), input, NAME, 5);
    }
    for input in ["<abcde/>", "<a bcdef='g'/>"] {
        needs(MicroXml::default(), input, NAME, 5);
        needs(Sky::fragment(), input, NAME, 5);
        needs(LeafXml::default(), input, NAME, 5);
    }
}

fn texts_and_tokens_at_their_limit() {
    for (input, least) in [
        ("<a>bcdef</a>", 5),
        ("<a>bcd&lt;</a>", 7),
        ("<a>bcde\u{e9}</a>", 6),
        ("<a>bcd<![CDATA[e]]></a>", 16),
        ("<a>bcd<!--e--></a>", 8),
        ("<a b='cd'/>", 11),
        ("<a><?b c?></a>", 7),
    ] {
        needs(Xml::default(), input, TOKEN, least);
    }
    for (input, least) in [
        ("<a>bcdef</a>", 5),
        ("bcdef<!x>", 5),
        ("b<3def<a>", 6),
        ("<p>abc&lt;d</p>", 8),
        ("<a b='cd'>", 10),
        ("<!--e-->", 8),
        ("<title>abcdefghi</title>", 9),
    ] {
        needs(Html::default(), input, TOKEN, least);
    }
    for input in ["<a>bcdef</a>", "<a>bcdef<b/></a>"] {
        needs(MicroXml::default(), input, TOKEN, 5);
        needs(Sky::fragment(), input, TOKEN, 5);
        needs(LeafXml::default(), input, TOKEN, 5);
    }
    // The limit of a token is none of what is looked at for the encoding.
    let input = b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>";
    let latin = events(Xml::default(), Limits::none(), input, 1);
    let limits = Limits {
        token: 43,
        ..Limits::none()
    };
    assert_eq!(events(Xml::default(), limits, input, 1), latin);
    let meta = b"<meta charset=iso-8859-2><a>\xB1";
    let mut parser = Parser::new(Html::default()).limits(Limits {
        token: 5,
        ..Limits::none()
    });
    parser.feed_slice(meta);
    let _ = parser.next_event();
    assert_eq!(parser.encoding().unwrap().name(), "ISO-8859-2");
}

fn counts_at_their_limit() {
    let open = "<a b='' c=''><d><e f=''/>g</d></a>";
    needs(Xml::default(), open, DEPTH, 3);
    needs(Xml::default(), open, MANY, 2);
    let open = "<a b='' c=''><d><e>f</e></d></a>";
    needs(MicroXml::default(), open, DEPTH, 3);
    needs(MicroXml::default(), open, MANY, 2);
    needs(Sky::fragment(), open, DEPTH, 3);
    needs(Sky::fragment(), open, MANY, 2);
    needs(LeafXml::default(), open, DEPTH, 3);
    needs(LeafXml::default(), open, MANY, 2);
    needs(Html::default(), open, MANY, 2);
    let declared = "<!DOCTYPE a [<!ENTITY b ''><!ELEMENT a ANY><!ATTLIST a c CDATA ''>]><a/>";
    needs(Xml::default(), declared, DECLARATIONS, 4);
    let nested = "<!DOCTYPE a [<!ENTITY b 'x'><!ENTITY c '&b;'><!ENTITY d '&c;'>]><a>&d;</a>";
    needs(Xml::default(), nested, ENTITY_DEPTH, 3);
    needs(Xml::default(), nested, EXPANSION, 1 + 3 + 3 + 3 * 128);
    let value = "<!DOCTYPE a [<!ENTITY b 'x'><!ENTITY c '&b;'>]><a e='&c;'/>";
    needs(Xml::default(), value, ENTITY_DEPTH, 2);
    needs(Xml::default(), value, EXPANSION, 1 + 3 + 2 * 128);
    let default = "<!DOCTYPE a [<!ATTLIST a b CDATA 'cd'>]><a/>";
    needs(Xml::default(), default, EXPANSION, 1 + 2 + 16);
    needs(Xml::default(), default, MANY, 1);
}

fn entities_of_nothing_cost_what_they_cost() {
    // Each entity that is entered counts, though nothing comes of it.
    let subset = "<!ENTITY a ''><!ENTITY b '&a;&a;'><!ENTITY c '&b;&b;'>";
    let spent = 2 * 6 + 6 + 7 * 128;
    let content = format!("<!DOCTYPE r [{subset}]><r>&c;</r>");
    needs(Xml::default(), &content, EXPANSION, spent);
    let value = format!("<!DOCTYPE r [{subset}]><r s='&c;'/>");
    needs(Xml::default(), &value, EXPANSION, spent);
    let parameters = "<!ENTITY % a ''><!ENTITY % b '&#37;a;&#37;a;'>%b;%b;";
    let document = format!("<!DOCTYPE r [{parameters}]><r/>");
    needs(Xml::default(), &document, EXPANSION, 2 * 7 + 4 + 6 * 128);
}

const MIB: usize = 1 << 20;

/// The limit of memory, and what may come on top of it: buffers of fixed size, and the other tests.
const MEMORY: usize = MIB;
const FIXED: usize = 3 * MIB;

/// Reads a document of parts, which are made one by one, within a memory of 1 MiB and no other limit;
/// gives the limit that ended it and where, and holds it to the memory.
fn held(
    dialect: impl Dialect,
    policy: TextPolicy,
    name: &str,
    entity: &str,
    parts: &mut dyn Iterator<Item = String>,
    size: usize,
) -> Option<(Limit, String)> {
    let limits = Limits {
        memory: MEMORY,
        ..Limits::none()
    };
    let mut parser = Parser::new(dialect).limits(limits).text(policy);
    let (mut end, mut most) = (None, 0);
    'parts: for part in parts.map(Some).chain([None]) {
        let part = match &part {
            Some(part) => part.as_bytes(),
            None => {
                parser.finish();
                b" "
            }
        };
        for chunk in part.chunks(size) {
            let before = ALLOCATOR.current_usage();
            let already = most;
            ALLOCATOR.reset_peak_usage();
            if part != b" " {
                parser.feed_slice(chunk);
            }
            loop {
                match parser.next_event().map(|event| event.is_some()) {
                    Ok(true) => {}
                    Ok(false) => {
                        if !matches!(parser.status(), Status::NeedsEntity(_)) {
                            break;
                        }
                        (0..200).for_each(|_| parser.feed_entity(entity.as_bytes()));
                        parser.finish_entity(None);
                    }
                    Err(error) => {
                        end = error.limit().map(|limit| (limit, error.span().to_string()));
                        break;
                    }
                }
            }
            let peak = ALLOCATOR.peak_usage().saturating_sub(before);
            let kept = ALLOCATOR.current_usage() as isize - before as isize;
            most = most.max(already + kept.max(0) as usize).max(peak);
            assert!(
                peak <= MEMORY + FIXED + chunk.len(),
                "{name}: {peak} in one chunk"
            );
            if end.is_some() {
                break 'parts;
            }
        }
    }
    let all = ALLOCATOR.current_usage();
    drop(parser);
    let all = all.saturating_sub(ALLOCATOR.current_usage());
    assert!(all <= MEMORY + FIXED, "{name}: {all} at the end");
    end
}

type Parts = Box<dyn Iterator<Item = String>>;

fn numbered(
    before: &str,
    count: usize,
    part: impl Fn(usize) -> String + 'static,
    after: &str,
) -> Parts {
    let ends = [before.to_owned(), after.to_owned()];
    let [before, after] = ends.map(|end| std::iter::once(end).filter(|end| !end.is_empty()));
    Box::new(before.chain((0..count).map(part)).chain(after))
}

fn memory(
    dialect: impl Dialect,
    name: &str,
    entity: &str,
    limit: Option<Limit>,
    make: &dyn Fn() -> Parts,
) {
    let mut ends = Vec::new();
    for size in [1000, 5000, usize::MAX] {
        let whole = TextPolicy::Whole;
        ends.push(held(
            dialect.clone(),
            whole,
            name,
            entity,
            &mut *make(),
            size,
        ));
    }
    assert!(ends.iter().all(|end| *end == ends[0]), "{name}: {ends:?}");
    let found = ends[0].as_ref().map(|(limit, _)| *limit);
    assert_eq!(found, limit, "{name}: {ends:?}");
}

fn memory_bounds_all_that_is_held() {
    let long = "n".repeat(50_000);
    let names = |long: &str| {
        let long = long.to_owned();
        numbered("", 2000, move |n| format!("<{long}{n}>"), "")
    };
    let (many, all) = (|n: usize| format!("<a{n}>"), Some(Limit::Memory));
    for short in [false, true] {
        let make = || match short {
            true => numbered("", 100_000, many, ""),
            false => names(&long),
        };
        memory(Xml::default(), "names", "", all, &make);
        memory(MicroXml::default(), "names of MicroXML", "", all, &make);
        memory(Sky::fragment(), "names of Sky", "", all, &make);
        memory(LeafXml::default(), "names of LeafXML", "", all, &make);
        memory(Html::default(), "names of HTML", "", None, &make);
    }
    // End tags that match none let the places of all names be kept.
    let strays = || numbered("", 100_000, |n| format!("<a{n}></b>"), "");
    memory(Xml::default(), "strays", "", all, &strays);

    let nested = || {
        let long = "n".repeat(50_000);
        numbered("", 2000, move |n| format!("<a xmlns='{long}{n}'>"), "")
    };
    memory(Xml::default(), "nested namespaces", "", all, &nested);
    let nested = || {
        let long = "n".repeat(50_000);
        let part = move |n| format!("<p:a xmlns:p='{long}{n}'>");
        numbered("", 2000, part, "")
    };
    memory(
        LeafXml::default(),
        "nested namespaces of LeafXML",
        "",
        all,
        &nested,
    );
    let beside = || {
        let long = "n".repeat(50_000);
        numbered(
            "<r>",
            400,
            move |n| format!("<a xmlns='{long}{n}'/>"),
            "</r>",
        )
    };
    memory(Xml::default(), "namespaces beside", "", None, &beside);
    let expanded = || {
        let subset = format!("<!DOCTYPE r [<!ENTITY e '{}'>]><r>", "n".repeat(50_000));
        numbered(
            &subset,
            400,
            move |n| format!("<a xmlns='&e;{n}'/>"),
            "</r>",
        )
    };
    memory(
        Xml::default(),
        "namespaces of entities",
        "",
        None,
        &expanded,
    );

    let external = || {
        numbered(
            "<!DOCTYPE r [<!ENTITY e SYSTEM 'e'>]><r>&e;",
            1,
            |_| "x".into(),
            "",
        )
    };
    let asks = Xml::default().external_entities(true);
    memory(asks, "an entity fed", &"x".repeat(MIB), all, &external);
    let declared = || {
        let part = |n| format!("<!ENTITY e{n} '{}'>", "v".repeat(1000));
        numbered("<!DOCTYPE r [", 2000, part, "]><r/>")
    };
    memory(Xml::default(), "entities declared", "", all, &declared);
    let attributes = || {
        let part = |n| format!("<!ATTLIST a{n} b CDATA '{}'>", "v".repeat(100));
        numbered("<!DOCTYPE r [", 5000, part, "]><r/>")
    };
    memory(Xml::default(), "attributes declared", "", all, &attributes);
    let notations = || {
        let part = |n| format!("<!NOTATION a{n} SYSTEM '{}'>", "v".repeat(100));
        numbered("<!DOCTYPE r [", 5000, part, "]><r/>")
    };
    memory(Xml::default(), "notations", "", all, &notations);

    let text = || numbered("<r>", 1000, |_| "text &amp; ".repeat(100), "");
    memory(Xml::default(), "text", "", all, &text);
    memory(MicroXml::default(), "text of MicroXML", "", all, &text);
    memory(LeafXml::default(), "text of LeafXML", "", all, &text);
    memory(Html::default(), "text of HTML", "", all, &text);
    let comment = || numbered("<r><!--", 1000, |_| "comment\r\n ".repeat(100), "");
    memory(Xml::default(), "a comment", "", all, &comment);
    memory(Html::default(), "a comment of HTML", "", all, &comment);
    let bomb = || {
        let subset = format!("<!DOCTYPE r [<!ENTITY e '{}'>]><r>", "t".repeat(50_000));
        numbered(&subset, 2000, |_| "&e;".into(), "</r>")
    };
    memory(Xml::default(), "text of entities", "", all, &bomb);
    let (pieces, xml) = (TextPolicy::Pieces, Xml::default());
    for size in [1, 5000, usize::MAX] {
        let end = held(xml, pieces, "pieces of entities", "", &mut *bomb(), size);
        assert_eq!(end, None);
        let mut all = std::iter::once(bomb().collect::<String>());
        let end = held(xml, pieces, "pieces of entities", "", &mut all, size);
        assert_eq!(end, None);
    }
    let values = || {
        let subset = format!("<!DOCTYPE r [<!ENTITY e '{}'>]><r>", "t".repeat(50_000));
        let all: String = (0..2000).map(|_| "<a b='&e;'/>").collect();
        numbered(&(subset + &all), 1, |_| "</r>".into(), "")
    };
    memory(Xml::default(), "values of entities", "", None, &values);
    let defaults = || {
        let attributes: String = (0..500).map(|n| format!(" a{n} CDATA ''")).collect();
        let subset =
            format!("<!DOCTYPE r [<!ATTLIST b{attributes}><!ENTITY e '<b/><b/><b/><b/>'>]>");
        let all = subset + "<r>" + &"&e;<b/>".repeat(500);
        numbered(&all, 1, |_| "</r>".into(), "")
    };
    memory(Xml::default(), "defaults", "", None, &defaults);
}
