//! Pages of HTML at, below and above the limits, through every part of the library that builds trees or balances events.
//! None of them panics, the result does not depend on chunks, and a page without an edit is written as it was read.

use tagstream::{
    Document, Encoding, Error, Event, Form, Html, Limits, Nested, Parser, RewriteError, Rewriter,
    Sanitizer, TreeBuilder,
};
use testing::effort::Effort;
use testing::pull::write_event;
use testing::run::{Failed, Program};
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    program.leave_out_in_quick(
        "three of four formatting elements in pages at small limits, and two of three elements around them",
    );
    program.leave_out_in_quick(
        "pages that differ from the usual limits of HTML by more than one, and those with end tags",
    );
    for (name, pages) in usual() {
        // Cases of about the same length, which run side by side.
        for (number, pages) in pages.chunks(9).map(<[String]>::to_vec).enumerate() {
            program.case(
                format!("html/pages at the usual limits: {name} {number}"),
                move || pages.iter().try_for_each(|page| check(page, None)),
            );
        }
    }
    for name in FORMATTING.iter().step_by(Effort::choose(4, 1)) {
        program.case(
            format!("html/pages at small limits of formatting elements: {name}"),
            move || formatting(name),
        );
    }
}

/// The formatting elements of the standard.
const FORMATTING: [&str; 14] = [
    "em", "a", "b", "big", "code", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Elements that tree construction has rules of their own for, in which or around which formatting elements are
/// misnested.
const OTHERS: [&str; 12] = [
    "p", "button", "option", "select", "div", "applet", "template", "table", "td", "svg", "desc",
    "x-y",
];

/// Maximum depth of browsers, which is the usual limit of HTML.
const DEPTH: usize = 512;

/// Returns pages with as many items as each usual limit allows, with fewer, and with more.
fn usual() -> Vec<(&'static str, Vec<String>)> {
    let around = |limit: usize| -> Vec<usize> {
        let beyond = Effort::choose(1, 3);
        (limit - Effort::choose(1, 2)..=limit + beyond).collect()
    };
    let repeated = |count: usize, unit: &str| -> String {
        (0..count)
            .map(|number| unit.replace('№', &number.to_string()))
            .collect()
    };
    let mut pages = Vec::new();
    let mut formatting = Vec::new();
    let mut nested = Vec::new();
    for count in around(DEPTH) {
        for (before, unit, after) in [
            ("<a><em>", "<b i=№>", "<a></em><a>"),
            ("<a><nobr>", "<b i=№>", "<a></nobr><a><nobr>x"),
            ("<a href=x><b>", "<font i=№>", "</a></b><a>x<p></a>y"),
            (
                "<table><td><a><em>",
                "<i i=№>",
                "<a></em><a></td><td>x</table>y",
            ),
            ("<template><a><em>", "<u i=№>", "<a></em><a></template><a>x"),
            ("<applet><a><em>", "<s i=№>", "<a></em></applet><a>x"),
            (
                "<select><option><a><em>",
                "<b i=№>",
                "<a></em><option></select><a>x",
            ),
            ("<a><em>", "<b i=№></b>", "<a></em><a>"),
            ("", "<b i=№>", "<p>x</p>y<p>z"),
        ] {
            formatting.push(before.to_owned() + &repeated(count, unit) + after);
        }
        for unit in [
            "<div>",
            "<b i=№>",
            "<svg>",
            "<table><td>",
            "<p><b i=№>",
            "<template>",
            "<x-y>",
            "<select>",
            "<ul><li>",
            "<svg><desc>",
            "<button>",
            "<ruby><rt>",
            "<math><mi>",
        ] {
            let each = repeated(count, unit);
            // The quick effort has pages that meet the limit, and pages that exceed it.
            if Effort::choose(count >= DEPTH, true) {
                nested.push(each.clone() + "x<!--c--><img>");
            }
            if Effort::is_full() {
                nested.push(each + "</p></a></div>y</b>z</table>" + &"</b></svg>".repeat(count));
            }
        }
    }
    pages.push(("formatting elements", formatting));
    pages.push(("depth", nested));
    let attributes =
        (around(10_000).into_iter()).map(|count| format!("<a{}>x<p>y<a>z", repeated(count, " a№")));
    pages.push(("attributes", attributes.collect()));
    let mut names = Vec::new();
    for length in around(64 << 10) {
        let name = "a".repeat(length);
        names.push(format!("x<{name}><p>y</{name}>z"));
        names.push(format!("x<p {name}=b>y"));
        names.push(format!("<!DOCTYPE {name}>x"));
    }
    pages.push(("names", names));
    pages
}

/// Pages with a formatting element of this name that is closed while others are open, under each small limit of depth.
fn formatting(name: &str) -> Result<(), Failed> {
    let others = FORMATTING.iter().chain(&OTHERS);
    for other in others.step_by(Effort::choose(3, 1)) {
        for depth in 0..6 {
            for count in 0..depth + 3 {
                let some: String = (0..count).map(|n| format!("<{other} i={n}>")).collect();
                for page in [
                    format!("<a><{name}>{some}<a></{name}><a>"),
                    format!("<a><{name}>{some}<a></{name}></a>x<p>y"),
                    format!("<{name}><nobr>{some}<nobr></{name}><nobr>x"),
                    format!("<{name}><a>{some}<p><a></{name}><a></p></a>"),
                    format!("<table><td><a><{name}>{some}<a></{name}></td><td><a></table><a>"),
                ] {
                    check(&page, Some(depth))?;
                }
            }
        }
    }
    Ok(())
}

/// Uses a page in every way, with a limit of depth or with the usual limits.
fn check(page: &str, depth: Option<usize>) -> Result<(), Failed> {
    let told = |problem: String| match page.len() {
        ..1000 => format!("{page:?}, depth {depth:?}: {problem}"),
        length => format!("{:?}… of {length} bytes: {problem}", &page[..100]),
    };
    trees(page, depth).map_err(told)?;
    balanced(page, depth).map_err(told)?;
    rewritten(page, depth).map_err(told)?;
    sanitized(page).map_err(told)?;
    Ok(())
}

fn html() -> Html {
    Html::default().encoding(Encoding::UTF_8)
}

/// Returns the limits of HTML, with this limit of depth.
fn limits(depth: Option<usize>) -> Limits {
    let usual = Limits::default().depth(DEPTH);
    depth.map_or(usual, |depth| usual.depth(depth))
}

/// Returns the size of the chunks in which a page is fed, so that long pages have some hundred of them.
fn chunk(page: &str) -> usize {
    page.len() / 200 + 1
}

/// The tree is the same whole, in chunks and without plans, the list of active formatting elements is consistent, and
/// the selectors of the crate find the same elements on the tree and on the stream of a page in which nothing moves.
fn trees(page: &str, depth: Option<usize>) -> Result<(), String> {
    let built = |mut builder: TreeBuilder<Html>, size: usize| {
        for chunk in page.as_bytes().chunks(size) {
            if let Err(error) = builder.feed(chunk) {
                return Ok(format!("{error}"));
            }
            if let Some(problem) = builder.formatting_problem() {
                return Err(problem);
            }
        }
        let done = builder.end().err().map(|error| error.to_string());
        let document = builder.into_sink();
        let count = document
            .select("a")
            .map_err(|error| error.to_string())?
            .count();
        Ok(format!("{}{count} links, {done:?}", document.to_html5lib()))
    };
    let builder = || match depth {
        None => TreeBuilder::new(html()),
        Some(_) => TreeBuilder::new(html()).limits(limits(depth)),
    };
    let whole = built(builder(), usize::MAX)?;
    for other in [
        built(builder(), chunk(page))?,
        built(builder().without_plans(), usize::MAX)?,
        built(builder().report_errors(true), usize::MAX)?,
    ] {
        if other != whole {
            return Err(format!("the tree is\n{whole}\nor\n{other}"));
        }
    }
    if depth.is_none() {
        let parsed = Document::parse(html(), page);
        let parsed = parsed.map_err(|error| error.to_string());
        let is_same = match &parsed {
            Ok(document) => whole.starts_with(&document.to_html5lib()),
            Err(error) => whole == *error,
        };
        if !is_same {
            return Err(format!("`Document::parse` gives another tree: {parsed:?}"));
        }
    }
    Ok(())
}

/// Every start has its end, and the events do not depend on chunks.
fn balanced(page: &str, depth: Option<usize>) -> Result<(), String> {
    let read = |mut parser: Parser<Html, Nested>, size: usize| {
        let (mut written, mut open) = (String::new(), 0_i64);
        let mut pull = |parser: &mut Parser<Html, Nested>| -> Result<(), Error> {
            while let Some(event) = parser.next_event()? {
                open += match event {
                    Event::Start(_) => 1,
                    Event::End(_) => -1,
                    _ => 0,
                };
                write_event(&mut written, &event);
            }
            Ok(())
        };
        let mut read = || {
            for chunk in page.as_bytes().chunks(size) {
                parser.feed(chunk);
                pull(&mut parser)?;
            }
            parser.finish();
            pull(&mut parser)
        };
        let done = read().map_err(|error| format!("{} {}", error.as_str(), error.span()));
        match done.is_ok() && open != 0 {
            true => Err(format!("{open} elements have no end")),
            false => Ok(format!("{written}{done:?}")),
        }
    };
    let parsers = [
        || Parser::new(html()).balanced(),
        || Parser::new(html()).balanced_in_order(),
    ];
    for parser in parsers {
        let parser = || parser().limits(limits(depth)).report_errors(true);
        let (whole, cut) = (read(parser(), usize::MAX)?, read(parser(), chunk(page))?);
        if whole != cut {
            return Err(format!("the events are\n{whole}\nor\n{cut}"));
        }
    }
    Ok(())
}

/// A page without an edit is written as it is, with and without selectors, up to an error.
fn rewritten(page: &str, depth: Option<usize>) -> Result<(), String> {
    let rewriter = || Rewriter::new(html()).limits(limits(depth));
    for selects in [false, true] {
        written(rewriter(), page, selects)?;
        written(rewriter().balanced(), page, selects)?;
    }
    Ok(())
}

/// Rewrites a page without an edit, all events or those that selectors select.
fn written<F: Form>(
    mut rewriter: Rewriter<Html, F>,
    page: &str,
    selects: bool,
) -> Result<(), String> {
    let mut output = Vec::new();
    if selects {
        for selector in ["a > b", "em a"] {
            let id = rewriter.select(selector);
            id.map_err(|error| error.to_string())?;
        }
    }
    let mut rewrite = || {
        let mut pull = |rewriter: &mut Rewriter<Html, F>| -> Result<(), RewriteError> {
            while match selects {
                false => rewriter.next_event()?.is_some(),
                true => rewriter.next_selected()?.is_some(),
            } {}
            rewriter.output_to(&mut output);
            Ok(())
        };
        for chunk in page.as_bytes().chunks(chunk(page)) {
            rewriter.feed(chunk);
            pull(&mut rewriter)?;
        }
        rewriter.finish();
        pull(&mut rewriter)
    };
    let is_whole = rewrite().is_ok();
    match page.as_bytes().starts_with(&output) && (!is_whole || output.len() == page.len()) {
        true => Ok(()),
        false => Err(format!("written as {:?}", String::from_utf8_lossy(&output))),
    }
}

/// Sanitizing the sanitized page changes nothing.
fn sanitized(page: &str) -> Result<(), String> {
    for sanitizer in [Sanitizer::default(), Sanitizer::allow_all()] {
        for context in ["div", "html", "td"] {
            let clean = |markup: &str| sanitizer.clean_in(context, markup);
            let once = clean(page).map_err(|error| error.to_string())?;
            let twice = clean(&once).map_err(|error| error.to_string())?;
            if once != twice {
                return Err(format!("in {context}: {once:?}, and then {twice:?}"));
            }
        }
    }
    Ok(())
}
