//! Rewrites documents. Without edits, the output is the input. With edits, the output is read as the document with the
//! same edits.

use crate::cuts::positions;
use crate::generate::{self, Parts};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tagstream::{
    Balance, Event, Form, Html, LeafXml, MicroXml, RewriteError, RewriteEvent, Rewriter, Sizes,
    Sky, Xml,
};
use unicode_normalization::UnicodeNormalization;

/// Rewrites an input in chunks without edits. Returns the output, and whether all of the input was read.
fn passed_on<'i, D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    chunks: impl Iterator<Item = &'i [u8]>,
) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    for chunk in chunks.map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        let is_read = loop {
            match rewriter.next_event() {
                Ok(Some(_)) => {}
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        rewriter.output_to(&mut out);
        if !is_read {
            return (out, false);
        }
    }
    (out, true)
}

/// Checks that rewriting an input in chunks without edits does not change it, with tags as written and with balanced
/// events.
///
/// # Errors
///
/// Returns the output if it differs.
pub fn is_same<'i, D: Balance>(
    dialect: &D,
    sizes: Sizes,
    input: &[u8],
    chunks: impl Iterator<Item = &'i [u8]> + Clone,
) -> Result<(), String> {
    let rewriter = || Rewriter::new(dialect.clone());
    let written = passed_on(rewriter().inspect_sizes(sizes), chunks.clone());
    let balanced = passed_on(rewriter().balanced().inspect_sizes(sizes), chunks);
    for (form, (out, is_read)) in [("as written", written), ("balanced", balanced)] {
        // If the parse ends in an error, the output may end there.
        let is_right = if is_read {
            out == input
        } else {
            input.starts_with(&out)
        };
        if !is_right {
            return Err(format!(
                "rewritten {form} without a change, {:?} is\n{:?}",
                String::from_utf8_lossy(input),
                String::from_utf8_lossy(&out)
            ));
        }
    }
    Ok(())
}

/// Checks that rewriting an input without edits does not change it: whole, byte by byte, and cut at every position.
///
/// # Panics
///
/// Panics if the output differs from the input.
pub fn check_same<D: Balance>(dialect: &D, input: &[u8]) {
    let check = |chunks: &[&[u8]]| {
        let chunks = chunks.iter().copied();
        is_same(dialect, Sizes::USUAL, input, chunks).unwrap_or_else(|wrong| panic!("{wrong}"));
    };
    check(&[input]);
    check(&input.chunks(1).collect::<Vec<_>>());
    for at in positions(input.len()) {
        check(&[&input[..at], &input[at..]]);
    }
}

/// The content of an event that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A start tag.
    Start(String, Vec<(String, String)>),
    /// The end of an element.
    End(String),
    /// A run of text.
    Text(String),
    /// A comment.
    Comment(String),
    /// Anything else.
    Other(String),
}

/// Returns the content of an event, unless the event is not compared.
fn said(event: &Event<'_>) -> Option<Said> {
    Some(match event {
        Event::Start(tag) => {
            let mut attributes: Vec<_> = tag
                .attributes()
                .filter(|one| one.is_specified())
                .map(|one| (one.name().to_owned(), one.value().to_owned()))
                .collect();
            attributes.sort();
            Said::Start(tag.name().to_owned(), attributes)
        }
        Event::End(tag) => Said::End(tag.name().to_owned()),
        Event::Text(text) => Said::Text(text.as_str().to_owned()),
        Event::Comment(comment) => Said::Comment(comment.as_str().to_owned()),
        Event::EncodingChange(_) | Event::ParseError(_) => return None,
        Event::Doctype(doctype) => Said::Other(format!("doctype {}", doctype.name())),
        other => Said::Other(format!("{other:?}")),
    })
}

/// Adds the content of an event, and joins adjacent text.
fn add(all: &mut Vec<Said>, one: Said) {
    match (all.last_mut(), one) {
        (_, Said::Text(text)) if text.is_empty() => {}
        (Some(Said::Text(before)), Said::Text(text)) => before.push_str(&text),
        (_, one) => all.push(one),
    }
}

/// The parameters of random edits.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The seed of the edits.
    pub seed: u64,
    /// True if elements are also edited in ways that can change how HTML parses the elements around them.
    pub any: bool,
}

/// A document after random edits.
#[derive(Debug, Default)]
pub struct Changed {
    /// The output.
    pub out: Vec<u8>,
    /// The expected content of the output.
    pub expected: Vec<Said>,
    /// Number of edits.
    pub changes: usize,
    /// The last edit that was refused after its call, at the end of an element. An edit that is refused at its call is
    /// not expected in the output.
    pub refused: Option<String>,
    /// True if a node is elsewhere in the tree than the events say.
    pub is_moved: bool,
}

/// The pending edits of the open elements: their new names, and the content to insert at their ends.
struct Frame {
    name: String,
    is_unwrapped: bool,
    last: Option<String>,
    after: Option<String>,
}

/// Returns whether an implied element with this name is a new element, and not a formatting element that is opened
/// again.
fn is_in_order(name: &str) -> bool {
    ["html", "head", "body", "colgroup", "tbody", "tr", "p"].contains(&name)
}

/// Returns whether changing an attribute with this name does not change how the document is parsed.
fn says_nothing(name: &str) -> bool {
    let known = ["xmlns", "encoding", "type", "color", "face", "size"];
    !name.contains(':') && !known.contains(&name)
}

const ADDED: &str = "a \"b\" <c> & d\u{e9}\u{3042}";

/// The edit of a run of text. It is chosen at the first piece, and does not depend on the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunEdit {
    /// Nothing is changed.
    Keep,
    /// The text from the first character that is not whitespace is replaced.
    Replace,
    /// The text is removed, because it was replaced in a piece before.
    Remove,
}

/// Makes random edits of the events of a document.
struct Editor {
    random: Random,
    any: bool,
    frames: Vec<Frame>,
    /// The edit of the current run of text, if a piece of it was read.
    run: Option<RunEdit>,
    changed: Changed,
}

impl Editor {
    /// Edits an event, and adds what it becomes to the expected content. An edit that is refused changes nothing.
    fn edit(&mut self, event: &mut RewriteEvent<'_>) {
        let Some(one) = said(&event.event()) else {
            return;
        };
        self.changed.is_moved |= match event.event() {
            // A formatting element that is opened again has the attributes of the first one, without the edits.
            Event::Start(tag) => tag.is_moved() || tag.is_implied() && !is_in_order(tag.name()),
            Event::End(tag) => tag.is_moved(),
            Event::Text(text) => text.is_moved(),
            Event::Comment(comment) => comment.is_moved(),
            _ => false,
        };
        if !matches!(one, Said::Text(_)) {
            self.run = None;
        }
        match one {
            Said::Start(name, attributes) => self.start(event, name, attributes),
            Said::End(_) => self.end(),
            Said::Text(text) => {
                if !text.is_empty() {
                    self.text(event, text);
                }
                if event.is_last() {
                    self.run = None;
                }
            }
            Said::Comment(text) => self.comment(event, text),
            other => add(&mut self.changed.expected, other),
        }
    }

    /// Returns whether an edit was made, and counts it.
    fn is_made<T>(&mut self, edited: Result<T, RewriteError>) -> bool {
        self.changed.changes += usize::from(edited.is_ok());
        edited.is_ok()
    }

    fn start(
        &mut self,
        event: &mut RewriteEvent<'_>,
        name: String,
        mut attributes: Vec<(String, String)>,
    ) {
        let pick = self.random.below(12);
        let is_written = !event.as_start().is_some_and(|tag| tag.is_implied());
        let any = self.any && is_written;
        let is_inner = !self.frames.is_empty();
        let mut frame = Frame {
            name,
            is_unwrapped: false,
            last: None,
            after: None,
        };
        let mut content = None;
        match pick {
            0 if is_written && self.is_made(event.set_attribute("data-x", ADDED)) => {
                attributes.retain(|(name, _)| name != "data-x");
                attributes.push(("data-x".to_owned(), ADDED.to_owned()));
            }
            1 | 2 => {
                if let Some((name, value)) = attributes.first_mut()
                    && is_written
                    && says_nothing(name)
                    && self.is_made(event.set_attribute(name, "new"))
                {
                    *value = "new".to_owned();
                }
            }
            3 => {
                if let Some((name, _)) = attributes.last().cloned()
                    && is_written
                    && says_nothing(&name)
                    && self.is_made(event.remove_attribute(&name))
                {
                    attributes.pop();
                }
            }
            // The rewriter returns no end event for a removed element.
            4 if any && is_inner && self.is_made(event.remove()) => return,
            // Elements that declare prefixes are not unwrapped.
            5 if any
                && is_inner
                && attributes.iter().all(|(name, _)| !name.contains("xmlns"))
                && self.is_made(event.unwrap_element()) =>
            {
                frame.is_unwrapped = true;
                self.frames.push(frame);
                return;
            }
            6 if any && is_inner => {
                if self.is_made(event.append("z < y")) {
                    frame.last = Some("z < y".to_owned());
                }
                if self.is_made(event.before("b")) {
                    add(&mut self.changed.expected, Said::Text("b".to_owned()));
                }
            }
            7 if any && self.is_made(event.set_content(ADDED)) => content = Some(ADDED),
            8 if any && is_inner => {
                if self.is_made(event.after("after")) {
                    frame.after = Some("after".to_owned());
                }
                if self.is_made(event.rename("renamed")) {
                    frame.name = "renamed".to_owned();
                }
            }
            _ => {}
        }
        attributes.sort();
        let all = &mut self.changed.expected;
        add(all, Said::Start(frame.name.clone(), attributes));
        if let Some(content) = content {
            add(all, Said::Text(content.to_owned()));
        }
        self.frames.push(frame);
    }

    fn end(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let all = &mut self.changed.expected;
        if let Some(last) = frame.last {
            add(all, Said::Text(last));
        }
        if !frame.is_unwrapped {
            add(all, Said::End(frame.name));
        }
        if let Some(after) = frame.after {
            add(all, Said::Text(after));
        }
    }

    /// Edits a piece of text that is not empty.
    fn text(&mut self, event: &mut RewriteEvent<'_>, mut text: String) {
        let run = match self.run {
            Some(run) => run,
            None => {
                let pick = self.random.below(12);
                if pick == 1 && self.is_made(event.before("1")) {
                    add(&mut self.changed.expected, Said::Text("1".to_owned()));
                }
                match pick {
                    0 => RunEdit::Replace,
                    _ => RunEdit::Keep,
                }
            }
        };
        self.run = Some(run);
        let space = text.len() - text.trim_ascii_start().len();
        match run {
            RunEdit::Replace if space < text.len() => {
                let new = [&text[..space], "t"].concat();
                self.run = match self.is_made(event.set_text(&new)) {
                    true => {
                        text = new;
                        Some(RunEdit::Remove)
                    }
                    false => Some(RunEdit::Keep),
                };
            }
            RunEdit::Remove if self.is_made(event.remove()) => return,
            _ => {}
        }
        add(&mut self.changed.expected, Said::Text(text));
    }

    fn comment(&mut self, event: &mut RewriteEvent<'_>, mut text: String) {
        match self.random.below(12) {
            0..4 if self.is_made(event.remove()) => return,
            4..6 if self.is_made(event.set_text("new")) => text = "new".to_owned(),
            _ => {}
        }
        add(&mut self.changed.expected, Said::Comment(text));
    }
}

/// Edits the balanced events of a document at random.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn change<D: Balance>(
    dialect: &D,
    feed: Feed,
    drawn: Drawn,
    input: &[u8],
) -> Result<Changed, RewriteError> {
    let rewriter = Rewriter::new(dialect.clone()).balanced();
    let mut rewriter = rewriter.inspect_sizes(feed.sizes);
    let mut editor = Editor {
        random: Random(drawn.seed),
        any: drawn.any,
        frames: Vec::new(),
        run: None,
        changed: Changed::default(),
    };
    for chunk in feed.chunks(input).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            match rewriter.next_event() {
                Ok(Some(mut event)) => editor.edit(&mut event),
                Ok(None) => break,
                Err(RewriteError::Refused(refusal, place)) => {
                    editor.changed.refused = Some(format!("{place}: {refusal}"));
                }
                Err(error) => return Err(error),
            }
        }
        rewriter.output_to(&mut editor.changed.out);
    }
    Ok(editor.changed)
}

/// Returns the content of a document.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn read<D: Balance>(dialect: &D, input: &[u8]) -> Result<Vec<Said>, RewriteError> {
    let mut rewriter = Rewriter::new(dialect.clone()).balanced();
    let mut all = Vec::new();
    rewriter.feed(input);
    rewriter.finish();
    while let Some(event) = rewriter.next_event()? {
        if let Some(one) = said(&event.event()) {
            add(&mut all, one);
        }
    }
    Ok(all)
}

/// The index of the dialect, and the seed of the edits.
pub type How = (u8, u64);

/// Tests of random edits in random documents of each dialect.
pub const TESTS: [RandomTest<How>; 6] = [
    RandomTest {
        draw: |random| ((0, random.number()), generate::html::document(random)),
        check: checked,
        other: [0, 250],
        ..kind("html/rewriting", 1_000, 10_000)
    },
    RandomTest {
        draw: |random| ((1, random.number()), generate::xml::document(random)),
        check: checked,
        other: [0, 100],
        ..kind("xml/rewriting", 1_000, 10_000)
    },
    RandomTest {
        draw: |random| ((2, random.number()), generate::microxml::document(random)),
        check: checked,
        other: [0, 100],
        ..kind("microxml/rewriting", 500, 5_000)
    },
    RandomTest {
        draw: |random| ((3, random.number()), generate::sky::document(random)),
        check: checked,
        other: [0, 100],
        ..kind("sky/rewriting", 500, 5_000)
    },
    RandomTest {
        draw: |random| {
            // Most documents of the first generator end in an error.
            let document = match random.one_in(4) {
                true => generate::leafxml::document(random),
                false => generate::plain::document(random),
            };
            ((4, random.number()), document)
        },
        check: checked,
        other: [0, 250],
        ..kind("leafxml/rewriting", 500, 5_000)
    },
    RandomTest {
        draw: |random| ((5, random.number()), generate::plain::document(random)),
        check: checked,
        other: [0, 50],
        ..kind("xml/rewriting plain documents", 500, 5_000)
    },
];

const fn kind(name: &'static str, quick: usize, full: usize) -> RandomTest<How> {
    RandomTest {
        name,
        quick,
        full,
        draw: |_| ((0, 0), Parts::new()),
        check: checked,
        other: [0, 0],
        shrinks: true,
    }
}

/// Checks that an edited document is read as the document with the same edits.
///
/// # Errors
///
/// Returns the content that was read and the expected content if they differ.
pub fn checked(&(dialect, seed): &How, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let any = Drawn { seed, any: true };
    let few = Drawn { seed, any: false };
    let utf8 = tagstream::Encoding::UTF_8;
    match dialect {
        0 => is_read_as_changed(&Html::default().encoding(utf8), feed, few, input),
        1 => is_read_as_changed(&Xml::default(), feed, few, input),
        2 => is_read_as_changed(&MicroXml::default(), feed, few, input),
        3 => is_read_as_changed(&Sky::fragment(), feed, few, input),
        4 => is_read_as_changed(&LeafXml::default(), feed, any, input),
        _ => is_read_as_changed(&Xml::default(), feed, any, input),
    }
}

/// Checks that an edited document is read as expected, unless a node was moved or an edit was refused after its call.
fn is_read_as_changed<D: Balance>(
    dialect: &D,
    feed: Feed,
    drawn: Drawn,
    input: &[u8],
) -> Result<Verdict, String> {
    let is_normal = std::any::type_name::<D>().ends_with("LeafXml");
    let Ok(changed) = change(dialect, feed, drawn, input) else {
        return Ok(Verdict::Other);
    };
    if changed.is_moved || changed.refused.is_some() {
        return Ok(Verdict::Other);
    }
    let read = read(dialect, &changed.out).map_err(|error| error.to_string())?;
    // LeafXML normalizes text to NFC, and the joined text may differ from the joined normalized parts.
    let normal = |all: &[Said]| -> Vec<Said> {
        let each = all.iter().map(|one| match one {
            Said::Text(text) => Said::Text(text.nfc().collect()),
            other => other.clone(),
        });
        each.collect()
    };
    if read == changed.expected || is_normal && normal(&read) == normal(&changed.expected) {
        return Ok(Verdict::Right);
    }
    let out = String::from_utf8_lossy(&changed.out);
    Err(format!(
        "{out:?}\nsays\n{read:?}\nand is to say\n{:?}",
        changed.expected
    ))
}
