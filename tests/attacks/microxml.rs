//! Shapes of MicroXML: the work on them, with a tree and without.

use tagstream::microxml::Revision;
use tagstream::{Limits, MicroXml, Parser, TreeBuilder};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    program.case("microxml/work is linear", work);
}

/// Shapes that an attacker would try, some tens of KiB each.
fn shapes() -> Vec<String> {
    let parts = [
        "<",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<!---->",
        "-",
        "<!--->",
        "<?",
        "<a",
        "<a>",
        "</a>",
        "<a ",
        "<a b",
        "<a b ",
        "<a b c",
        "<a b c ",
        "<a b=",
        "<a b='",
        "<a b=\"",
        "<a b=\"c\"",
        "<a/",
        "<a/>",
        "<a b=\"c\" d ",
        "<a b=c d<",
        "&",
        "&#",
        "&#x",
        "&#x9",
        "&lt",
        "&lt;",
        "&a;",
        "<a></b>",
        "<b><c></b>",
        " ",
        "\n",
        "\r",
        "\r\n",
        "x<!---->",
        "x</a>",
        "a='b' ",
        "é",
        "'",
        "\"",
        "='",
        "<a b=c/",
        "</a ",
        "<a\r",
        "<a b\r",
        "<?a",
        "<a b='<",
        "<a b=\"<\" ",
        "<a b='<'c",
        "<a b='>",
        "<a b=\"<a c='<",
        "<![CDATA[",
        "<![CDATA[a]]>",
        "]",
        "<![CDATA[]",
        "<!DOCTYPE",
        "<!DOCTYPE a[",
        "<!DOCTYPE a[<!b ",
        "<!DOCTYPE a[<!b '",
        "<!DOCTYPE '",
        "<!DOCTYPE a[<!--",
        "<!DOCTYPE a[<?",
        "<!DOCTYPE a>",
        "&#65;",
    ];
    let mut shapes: Vec<String> = parts
        .iter()
        .map(|part| part.repeat(30_000 / part.len()))
        .collect();
    for opening in ["<a", "</a", "<a b", "<a b=\"c\" d", "<a b="] {
        shapes.push(format!("{opening}{}", " ".repeat(30_000)));
        shapes.push(format!("{opening}{}<", " ".repeat(30_000)));
        shapes.push(format!("{opening}{}<", "\r".repeat(30_000)));
        shapes.push(format!("{opening}{}", "n".repeat(30_000)));
    }
    let many: String = (0..9000).map(|number| format!("b{number}=1 ")).collect();
    shapes.push(format!("<a {many}>"));
    let names: String = (0..3000).map(|number| format!("<n{number}>")).collect();
    shapes.push(format!("{names}{}", "</x>".repeat(6000)));
    shapes.push(format!("<a b=\"{}\">", "x\r\n&lt;".repeat(4000)));
    shapes.push(format!("&{};", "n".repeat(30_000)));
    shapes.push(format!("x<!--{}-->y", "c".repeat(30_000)));
    let cut_off = [
        "x<!--",
        "x<?",
        "<a b='<",
        "<!DOCTYPE a '",
        "<!DOCTYPE a [<!b \"",
        "<!DOCTYPE a [<!--",
        "<!DOCTYPE a [<?",
    ];
    for opening in cut_off {
        shapes.push(format!("{opening}{}", "c".repeat(30_000)));
        shapes.push(format!("{opening}{}", "<!--".repeat(8_000)));
        shapes.push(format!("{opening}{}", "c<d>\r\n".repeat(5_000)));
    }
    shapes
}

/// An input and each revision that it may be read by.
fn in_both<T>(input: T) -> [(T, Revision); 2]
where
    T: Copy,
{
    [(input, Revision::First), (input, Revision::Final)]
}

fn work() -> Result<(), Failed> {
    for (shape, revision) in shapes().iter().flat_map(in_both) {
        // A look-ahead within a look-ahead, of another kind.
        let nested = ["<a b=\"<a c='<", "<a b='<<!--", "<!DOCTYPE a", "x<?<!--"];
        let nested = nested.iter().any(|nested| shape.starts_with(nested));
        let most = if nested { 3 } else { 2 };
        let dialect = MicroXml::default().revision(revision);
        for size in [1, 64, 4096, usize::MAX] {
            let mut parser = Parser::new(dialect).limits(Limits::none());
            let mut builder = TreeBuilder::new(dialect).limits(Limits::none());
            for chunk in shape.as_bytes().chunks(size) {
                parser.feed_slice(chunk);
                while parser.next_event()?.is_some() {}
                builder.feed_slice(chunk);
                builder.build()?;
            }
            parser.finish();
            while parser.next_event()?.is_some() {}
            builder.finish();
            builder.build()?;
            let beginning: String = shape.chars().take(20).collect();
            for work in [parser.work(), builder.work()] {
                // The first chunks of a look-ahead that fails move.
                let moved = if size == 4096 { 8192 } else { 0 };
                // What is cleaned or hashed is sometimes carried over as well, for its place.
                assert!(
                    work.states + work.copied <= most * work.text + 128 + moved
                        && work.cleaned <= work.text
                        && work.compared <= work.text,
                    "{beginning:?}, {revision:?}, in chunks of {size}: {work:?}"
                );
            }
        }
    }
    Ok(())
}
