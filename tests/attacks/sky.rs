//! Shapes of Sky: the work on them, with a tree and without.

use tagstream::{Limits, Parser, Sky, TreeBuilder};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    program.case("sky/work is linear", work);
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
        "<a",
        "<a>",
        "</a>",
        "</>",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=\"",
        "<a/",
        "<a/>",
        "&",
        "&#",
        "&#x",
        "&#9",
        "&lt",
        "&lt;",
        "<script>",
        "<script>a</",
        "</script",
        "<style>",
        "</styl",
        "<template>",
        "</template>",
        "<template></b>",
        "<a></b>",
        "<b><c></b>",
        " ",
        "\n",
        "\r",
        "\r\n",
        "x<!---->",
        "x</a>",
        "<t> </t>",
        " <!---->",
        "a='b' ",
        "é",
        "<import/>",
    ];
    let mut shapes: Vec<String> = parts
        .iter()
        .map(|part| part.repeat(30_000 / part.len()))
        .collect();
    shapes.push(format!("<script>{}", "</scrip".repeat(4000)));
    shapes.push(format!("<a {}>", "b ".repeat(9_000)));
    let many: String = (0..9000).map(|number| format!("b{number}=1 ")).collect();
    shapes.push(format!("<a {many}>"));
    let names: String = (0..3000).map(|number| format!("<n{number}>")).collect();
    let ends: String = (0..3000).map(|number| format!("</n{number}>")).collect();
    shapes.push(format!("{names}{ends}"));
    shapes.push(format!("{names}{}", "</x>".repeat(6000)));
    shapes.push(format!(
        "<a>{}",
        "<template>".repeat(3000) + &"</a>".repeat(6000)
    ));
    shapes.push(format!("<a b=\"{}\">", "x\r\n&lt;".repeat(4000)));
    shapes.push(format!("<{}>", "n".repeat(30_000)));
    shapes.push(format!("&{};", "n".repeat(30_000)));
    shapes.push(format!("x<!--{}-->y", "c".repeat(30_000)));
    shapes
}

fn work() -> Result<(), Failed> {
    for shape in shapes() {
        for size in [1, 64, 4096, usize::MAX] {
            let mut parser = Parser::new(Sky::fragment()).limits(Limits::none());
            let mut balanced = TreeBuilder::new(Sky::fragment()).limits(Limits::none());
            for chunk in shape.as_bytes().chunks(size) {
                parser.feed_slice(chunk);
                while parser.next_event()?.is_some() {}
                balanced.feed_slice(chunk);
                balanced.build()?;
            }
            parser.finish();
            while parser.next_event()?.is_some() {}
            balanced.finish();
            balanced.build()?;
            let beginning: String = shape.chars().take(20).collect();
            for work in [parser.work(), balanced.work()] {
                // What is cleaned or hashed is sometimes carried over as well, for its place.
                assert!(
                    work.states + work.copied <= 2 * work.text + 64
                        && work.cleaned <= work.text
                        && work.compared <= work.text,
                    "{beginning:?} in chunks of {size}: {work:?}"
                );
            }
        }
    }
    Ok(())
}
