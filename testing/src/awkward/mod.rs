//! Content that is not well-behaved, inserted by the rewriter: strings that are markup, a part of markup, or characters
//! that an encoding lacks, at places of each content model, in each encoding.
//!
//! The written output is decoded by `encoding_rs`, and by the library. Both texts must be the same, and must have the
//! events of the input with exactly the inserted content at its place, or the edit was refused. The expected events are
//! computed without the rewriter.

mod events;
mod tables;

pub use tables::LABELS;

use crate::generate::Parts;
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tables::{CONTENTS, Charset, KEPT, NAMES, RAW, charsets};
use tagstream::{
    Balance, Content, Event, Form, Html, LeafXml, MicroXml, RewriteError, RewriteEvent, Rewriter,
    Sky, Xml,
};

/// A dialect whose documents are edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Html,
    Xml,
    StrictXml,
    MicroXml,
    FinalMicroXml,
    Sky,
    LeafXml,
}

/// One edit, of the element `t` or of the text or the comment in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Before,
    After,
    Prepend,
    Append,
    Content,
    Text,
    Comment,
    SetAttribute,
    AddAttribute,
    NameAttribute,
    RemoveAttribute,
    Rename,
    Remove,
}

const OPS: [Op; 13] = [
    Op::Before,
    Op::After,
    Op::Prepend,
    Op::Append,
    Op::Content,
    Op::Text,
    Op::Comment,
    Op::SetAttribute,
    Op::AddAttribute,
    Op::NameAttribute,
    Op::RemoveAttribute,
    Op::Rename,
    Op::Remove,
];

/// A random edit. The document is generated with it.
#[derive(Clone, Copy, Debug)]
pub struct Awkward {
    pub kind: Kind,
    pub charset: usize,
    pub op: Op,
    /// True if the inserted content is markup.
    pub is_markup: bool,
    /// True if the events are balanced.
    pub is_balanced: bool,
    /// The name of the edited element.
    pub element: &'static str,
    /// Draws the inserted string.
    pub seed: u64,
}

impl Awkward {
    /// Returns the string that is inserted: a few parts, most of which come from the table.
    #[must_use]
    pub fn content(&self) -> String {
        let mut random = Random(self.seed);
        let is_name = matches!(self.op, Op::NameAttribute | Op::Rename);
        let mut content = String::new();
        for _ in 0..=random.below(3) {
            content += match random.below(8) {
                0 => "x",
                1 => " ",
                2 | 3 if is_name => random.pick(&NAMES),
                _ => random.pick(&CONTENTS),
            };
        }
        content
    }

    /// The encoding of the document.
    #[must_use]
    pub fn charset(&self) -> Charset {
        charsets(matches!(self.kind, Kind::Xml | Kind::StrictXml))[self.charset]
    }
}

/// Elements of each content model in HTML.
const HTML_ELEMENTS: [&str; 10] = [
    "b", "div", "script", "style", "title", "textarea", "pre", "listing", "span", "p",
];

/// Draws an edit and a document for it.
#[must_use]
pub fn draw(random: &mut Random) -> (Awkward, Parts) {
    draw_of(random, None)
}

/// Draws an edit of strict XML in UTF-8, and makes it. Returns the output for another parser, or `None` if the edit is
/// refused or the document is not well-formed.
#[must_use]
pub fn rewritten_xml(random: &mut Random) -> Option<Vec<u8>> {
    let (awkward, parts) = draw_of(random, Some(Kind::StrictXml));
    let (content, input) = (awkward.content(), parts.concat());
    // Expat has the name characters of the fourth edition of XML 1.0.
    if matches!(awkward.op, Op::Rename | Op::NameAttribute) && !content.is_ascii() {
        return None;
    }
    let rewriter = Rewriter::new(Xml::strict());
    let done = match awkward.is_balanced {
        true => rewritten(
            rewriter.balanced(),
            &awkward,
            &content,
            Feed::whole(),
            &input,
        ),
        false => rewritten(rewriter, &awkward, &content, Feed::whole(), &input),
    };
    let (out, refused) = done.ok()?;
    (refused.is_none() && out != input).then_some(out)
}

/// Draws an edit and a document for it. `kind_of_all` is the dialect, if it is not drawn; the encoding is then UTF-8.
fn draw_of(random: &mut Random, kind_of_all: Option<Kind>) -> (Awkward, Parts) {
    let kind = [
        Kind::Html,
        Kind::Html,
        Kind::Html,
        Kind::Xml,
        Kind::Xml,
        Kind::StrictXml,
        Kind::MicroXml,
        Kind::FinalMicroXml,
        Kind::Sky,
        Kind::LeafXml,
    ][random.below(10)];
    let is_xml = matches!(kind, Kind::Xml | Kind::StrictXml);
    let charset = match kind == Kind::Html || is_xml {
        true => random.below(charsets(is_xml).len()),
        false => 0,
    };
    let element = match kind {
        Kind::Html => HTML_ELEMENTS[random.below(HTML_ELEMENTS.len())],
        Kind::Sky => ["b", "script"][random.below(2)],
        _ => "t",
    };
    let mut awkward = Awkward {
        kind,
        charset,
        op: OPS[random.below(OPS.len())],
        is_markup: random.one_in(2),
        is_balanced: random.one_in(2),
        element,
        seed: random.number(),
    };
    if kind == Kind::Sky && matches!(awkward.op, Op::Remove | Op::Text) {
        // Whether whitespace is text depends on the text beside it.
        awkward.op = Op::RemoveAttribute;
    }
    if matches!(awkward.element, "pre" | "listing") && awkward.op == Op::Text {
        // As written, the text has a newline that the tree does not have.
        awkward.is_balanced = true;
    }
    let inserts = [Op::Before, Op::After, Op::Prepend, Op::Append, Op::Content];
    awkward.is_markup &= inserts.contains(&awkward.op);
    if let Some(kind) = kind_of_all {
        (awkward.kind, awkward.charset, awkward.element) = (kind, 0, "t");
    }
    let parts = document(&awkward, random);
    (awkward, parts)
}

/// Returns a document with one edited element, in the encoding of the edit.
fn document(awkward: &Awkward, random: &mut Random) -> Parts {
    let (kind, name) = (awkward.kind, awkward.element);
    let charset = awkward.charset();
    let mut parts = Parts::new();
    let mut put = |text: &str| parts.push(charset.encoded(text));
    put(match kind {
        Kind::Html => "<section>",
        _ => "<r>",
    });
    let kept = |random: &mut Random, put: &mut dyn FnMut(&str)| {
        for _ in 0..random.below(3) {
            put(random.pick(&KEPT));
        }
    };
    kept(random, &mut put);
    put(&format!("<{name} a=\"v"));
    kept(random, &mut put);
    put("\"");
    if random.one_in(2) {
        put(" b='w");
        kept(random, &mut put);
        put("'");
    }
    put(">");
    let has_section = !matches!(kind, Kind::Html | Kind::Sky | Kind::MicroXml);
    match random.below(4) {
        0 if has_section => {
            put("<![CDATA[");
            kept(random, &mut put);
            put("]]>");
        }
        1 => {
            put("<!--k");
            kept(random, &mut put);
            put("-->");
        }
        2 => put("\n"),
        _ => {}
    }
    kept(random, &mut put);
    put(&format!("</{name}>"));
    kept(random, &mut put);
    put(match kind {
        Kind::Html => "</section>",
        _ => "</r>",
    });
    // Bytes that are ill-formed, and escape sequences.
    for _ in 0..[0, 0, 1, 2][random.below(4)] {
        let at = 1 + random.below(parts.len() - 1);
        parts.insert(at, random.pick(&RAW).to_vec());
    }
    parts
}

/// Makes an edit, and compares the output.
///
/// # Errors
///
/// Returns a description of the difference.
pub fn check(awkward: &Awkward, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let feed = Feed {
        limits: tagstream::Limits::default(),
        ..feed
    };
    let encoding = awkward.charset().encoding;
    match awkward.kind {
        Kind::Html => {
            let html = Html::default();
            check_in(
                &html.clone().encoding(encoding),
                &html,
                awkward,
                feed,
                input,
            )
        }
        Kind::Xml => {
            let xml = Xml::default();
            check_in(&xml.clone().encoding(encoding), &xml, awkward, feed, input)
        }
        Kind::StrictXml => {
            let xml = Xml::strict();
            check_in(&xml.clone().encoding(encoding), &xml, awkward, feed, input)
        }
        Kind::MicroXml => same(&MicroXml::default(), awkward, feed, input),
        Kind::FinalMicroXml => {
            let revision = tagstream::microxml::Revision::Final;
            same(
                &MicroXml::default().revision(revision),
                awkward,
                feed,
                input,
            )
        }
        Kind::Sky => same(&Sky::fragment(), awkward, feed, input),
        Kind::LeafXml => same(&LeafXml::default(), awkward, feed, input),
    }
}

fn same<D: Balance>(
    dialect: &D,
    awkward: &Awkward,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    check_in(dialect, dialect, awkward, feed, input)
}

/// Makes an edit. `dialect` reads bytes in the encoding of the document, and `plain` reads decoded text.
fn check_in<D: Balance>(
    dialect: &D,
    plain: &D,
    awkward: &Awkward,
    feed: Feed,
    input: &[u8],
) -> Result<Verdict, String> {
    let charset = awkward.charset();
    let source = charset.decoded(input);
    // The inserted markup and its place are compared as tags as written, and everything else in the tree.
    let is_tree = !awkward.is_markup;
    let Some(before) = events::read(plain, is_tree, &source) else {
        return Ok(Verdict::Other);
    };
    if !events::has_tags(plain, awkward.element, &source) {
        return Ok(Verdict::Other);
    }
    // As written, the end of an element is its end tag, even if it ends elements in it too.
    let is_open = awkward.op == Op::Append && !awkward.is_balanced && is_tree;
    if is_open && !events::has_all_ends(plain, &source) {
        return Ok(Verdict::Other);
    }
    let content = awkward.content();
    let Some(wanted) = events::edited(plain, awkward, &content, &before) else {
        return Ok(Verdict::Other);
    };
    let rewriter = || Rewriter::new(dialect.clone()).inspect_sizes(feed.sizes);
    let done = match awkward.is_balanced {
        true => rewritten(rewriter().balanced(), awkward, &content, feed, input),
        false => rewritten(rewriter(), awkward, &content, feed, input),
    };
    let (out, refused) = done?;
    if let Some(refused) = refused {
        // A script arrives in pieces, of which one can be refused after another one was replaced.
        let is_partial = awkward.op == Op::Text && awkward.element == "script";
        return match out == input || is_partial {
            true => Ok(Verdict::Other),
            false => Err(format!(
                "{content:?} was refused ({refused}), but the output is {:?}",
                out.escape_ascii().to_string()
            )),
        };
    }
    let text = charset.decoded(&out);
    let shown = || format!("{content:?} in {source:?} is {text:?}");
    if let Some(ours) = charset.decoded_by_us(&out)
        && ours != text
    {
        return Err(format!("{}, but the library reads {ours:?}", shown()));
    }
    if let Some(problem) = awkward
        .is_markup
        .then(|| events::problem_of_fragment(awkward.kind, &content))
        .flatten()
    {
        return Err(format!("{}: the fragment is accepted: {problem}", shown()));
    }
    let Some(found) = events::read(plain, is_tree, &text) else {
        return Err(format!("{} cannot be read", shown()));
    };
    let (found, wanted) = match awkward.kind {
        // Whether whitespace is text depends on the text beside it.
        Kind::Sky => (events::trimmed(found), events::trimmed(wanted)),
        _ => (found, wanted),
    };
    match found == wanted {
        true => Ok(Verdict::Right),
        false => Err(format!(
            "{}\nfound    {found:?}\nexpected {wanted:?}",
            shown()
        )),
    }
}

/// Makes the edit. Returns the output, and the reason if the edit was refused.
fn rewritten<D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    awkward: &Awkward,
    content: &str,
    feed: Feed,
    input: &[u8],
) -> Result<(Vec<u8>, Option<String>), String> {
    let (mut out, mut refused) = (Vec::new(), None);
    let mut place = Place::default();
    for chunk in feed.chunks(input).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            let done = match rewriter.next_event() {
                Ok(Some(mut event)) => edit(&mut event, awkward, content, &mut place),
                Ok(None) => break,
                // Ill-formed bytes, which `source` does not have.
                Err(error @ RewriteError::Read(_)) => {
                    return Ok((input.to_vec(), Some(error.to_string())));
                }
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                refused.get_or_insert(error.to_string());
            }
        }
        rewriter.output_to(&mut out);
    }
    Ok((out, refused))
}

/// The progress of an edit.
#[derive(Default)]
struct Place {
    is_inside: bool,
    is_done: bool,
    is_refused: bool,
}

fn edit(
    event: &mut RewriteEvent<'_>,
    awkward: &Awkward,
    content: &str,
    place: &mut Place,
) -> Result<(), RewriteError> {
    let is_start = event
        .as_start()
        .is_some_and(|tag| tag.name() == awkward.element);
    if event
        .as_end()
        .is_some_and(|tag| tag.name() == awkward.element)
    {
        (place.is_inside, place.is_done) = (false, true);
    }
    let inserted = match awkward.is_markup {
        true => Content::Markup(content),
        false => Content::Text(content),
    };
    if is_start && !place.is_done {
        place.is_inside = true;
        match awkward.op {
            Op::Before => event.before(inserted)?,
            Op::After => event.after(inserted)?,
            Op::Prepend => event.prepend(inserted)?,
            Op::Append => event.append(inserted)?,
            Op::Content => event.set_content(inserted)?,
            Op::SetAttribute => event.set_attribute("a", content)?,
            Op::AddAttribute => event.set_attribute("c", content)?,
            Op::NameAttribute => event.set_attribute(content, "v")?,
            Op::RemoveAttribute => event.remove_attribute("a")?,
            Op::Rename => event.rename(content)?,
            Op::Remove => event.remove()?,
            Op::Text | Op::Comment => return Ok(()),
        };
        return Ok(());
    }
    match (event.event(), awkward.op) {
        // The first piece of a text is replaced, and the other pieces are removed.
        (Event::Text(text), Op::Text)
            if place.is_inside && !place.is_refused && !text.as_str().is_empty() =>
        {
            let is_first = !core::mem::replace(&mut place.is_done, true);
            let text = if is_first { content } else { "" };
            let done = event.set_text(text).map(drop);
            place.is_refused = done.is_err();
            done?;
        }
        (Event::Comment(_), Op::Comment) if place.is_inside && !place.is_done => {
            place.is_done = true;
            event.set_text(content)?;
        }
        _ => {}
    }
    Ok(())
}

/// Awkward content in documents of all dialects. The other verdict is: the edit was refused, or the document does not
/// have the edited element.
pub const CONTENT: RandomTest<Awkward> = RandomTest {
    name: "html/rewriting/awkward content",
    quick: 20_000,
    full: 200_000,
    draw,
    check,
    other: [300, 800],
    shrinks: true,
};
