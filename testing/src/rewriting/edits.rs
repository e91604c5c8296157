//! Random edits of a few events of a document: the events, the edits, and the rewriter that makes them.

use crate::random::Random;
use crate::random_cases::Feed;
use std::collections::{BTreeMap, BTreeSet};
use tagstream::{Balance, Content, Event, Form, RewriteError, RewriteEvent, Rewriter};

/// The content of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A start tag: the name, and the attributes in order.
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

/// The events of a document, with the elements that they form.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The events. Each run of text is one item.
    pub items: Vec<Item>,
    /// Byte offset of each item in the input.
    pub starts: Vec<u64>,
    /// Byte offset in the input of the end of each item.
    pub stops: Vec<u64>,
    /// For each start tag: the index of the item that ends the element, or the number of items if the input ends it. For
    /// a start tag without an end event: its own index.
    pub ends: BTreeMap<usize, usize>,
    /// For each end event that is the end tag of an element: the index of the start tag.
    pub own: BTreeMap<usize, usize>,
    /// The items that are written in the input: other items are implied.
    pub written: BTreeSet<usize>,
    /// The items in a DOCTYPE, which precede its event.
    pub in_doctype: BTreeSet<usize>,
    /// Names of attributes that a declaration adds.
    pub defaults: BTreeSet<String>,
    /// The items whose nodes are elsewhere in the tree than the events say, or are copies of formatting elements.
    pub moved: BTreeSet<usize>,
    /// The start tags of elements in SVG and MathML.
    pub foreign: BTreeSet<usize>,
    /// True if the events are balanced.
    pub is_balanced: bool,
}

/// Returns whether an implied element with this name is a new element, and not a formatting element that is opened
/// again.
fn is_in_order(name: &str) -> bool {
    ["html", "head", "body", "colgroup", "tbody", "tr", "p"].contains(&name)
}

/// Returns the content of an event, unless the event is text or is not compared. In tags as written, `</>` has no name,
/// because it ends another element after some edits.
fn item(event: &Event<'_>, is_balanced: bool) -> Option<Item> {
    Some(match event {
        Event::Start(tag) => {
            let attributes = tag.attributes().filter(|one| one.is_specified());
            let attributes = attributes.map(|one| (one.name().to_owned(), one.value().to_owned()));
            Item::Start(tag.name().to_owned(), attributes.collect())
        }
        Event::End(_)
            if !is_balanced
                && event.is_complete()
                && event.span().end - event.span().start == 3 =>
        {
            Item::End(String::new())
        }
        Event::End(tag) => Item::End(tag.name().to_owned()),
        Event::Text(_) | Event::EncodingChange(_) | Event::ParseError(_) => return None,
        Event::Comment(comment) => Item::Comment(comment.as_str().to_owned()),
        Event::Doctype(doctype) => Item::Other(format!("doctype {}", doctype.name())),
        Event::ProcessingInstruction(it) => {
            Item::Other(format!("instruction {} {}", it.target(), it.data()))
        }
        other => Item::Other(format!("{other:?}")),
    })
}

impl Events {
    /// Reads the events of a document with a rewriter that makes no edits.
    ///
    /// # Errors
    ///
    /// Returns the error that ended the parse.
    pub fn read<D: Balance, F: Form>(
        mut rewriter: Rewriter<D, F>,
        is_balanced: bool,
        input: &[u8],
    ) -> Result<Events, RewriteError> {
        let mut events = Events {
            is_balanced,
            ..Events::default()
        };
        let is_html = std::any::type_name::<D>().ends_with("Html");
        // The open elements: the indexes of their start tags.
        let mut open = Vec::new();
        // The item of the current run of text. Instructions in a DOCTYPE do not end a run.
        let mut run: Option<usize> = None;
        rewriter.feed(input);
        rewriter.finish();
        while let Some(event) = rewriter.next_event()? {
            let at = events.items.len();
            let is_last = event.is_last();
            let event = event.event();
            if event.is_moved() {
                events.moved.insert(at);
            }
            if let Event::Text(text) = event {
                let text = text.as_str();
                match run.and_then(|run| events.items.get_mut(run)) {
                    _ if text.is_empty() => {}
                    Some(Item::Text(before)) => {
                        before.push_str(text);
                        events.stops[run.unwrap_or(at)] = event.span().end;
                    }
                    _ => {
                        events.push(Item::Text(text.to_owned()), &event);
                        run = Some(at);
                    }
                }
                run = run.filter(|_| !is_last);
                continue;
            }
            let Some(item) = item(&event, is_balanced) else {
                continue;
            };
            match &event {
                Event::Start(tag) => {
                    let implied = tag.attributes().filter(|one| !one.is_specified());
                    events
                        .defaults
                        .extend(implied.map(|one| one.name().to_owned()));
                    // A formatting element that is opened again has the attributes of the first one, without the edits.
                    if tag.is_implied() && !is_in_order(tag.name()) {
                        events.moved.insert(at);
                    }
                    if tag.is_foreign() {
                        events.foreign.insert(at);
                    }
                    let closes_itself = match tag.is_foreign() {
                        true => tag.is_self_closing(),
                        false => VOID.contains(&tag.name()),
                    };
                    if !is_balanced && is_html && closes_itself {
                        events.ends.insert(at, at);
                    } else {
                        open.push((at, tag.name().to_owned()));
                    }
                }
                Event::End(tag) => {
                    let same = |(_, name): &(usize, String)| name == tag.name();
                    let found = match is_balanced {
                        true => open.len().checked_sub(1),
                        false => open.iter().rposition(same),
                    };
                    if let Some(found) = found {
                        events.own.insert(at, open[found].0);
                        let ended = open.split_off(found).into_iter();
                        events.ends.extend(ended.map(|(start, _)| (start, at)));
                    }
                }
                Event::Doctype(_) => {
                    let start = event.span().start;
                    let inner = (0..at).filter(|before| events.starts[*before] >= start);
                    events.in_doctype = inner.collect();
                }
                _ => {}
            }
            events.push(item, &event);
        }
        let length = events.items.len();
        events
            .ends
            .extend(open.into_iter().map(|(start, _)| (start, length)));
        Ok(events)
    }

    /// Returns true if an item from this one to the end of its element is moved.
    #[must_use]
    pub fn has_moved(&self, at: usize) -> bool {
        let end = self.ends.get(&at).copied().unwrap_or(at);
        self.moved.range(at..=end).next().is_some()
    }

    fn push(&mut self, item: Item, event: &Event<'_>) {
        let span = event.span();
        if span.start < span.end {
            self.written.insert(self.items.len());
        }
        self.items.push(item);
        self.starts.push(span.start);
        self.stops.push(span.end);
    }
}

const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Content that is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Text(&'static str),
    /// An element with the text `m`.
    Element(&'static str),
    /// A comment.
    Comment,
    /// An element with the text `m`, and a text after it.
    Both,
}

/// A node of inserted content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Text(&'static str),
    /// An element with the text `m`.
    Element(&'static str),
    Comment(&'static str),
}

const TEXTS: [&str; 14] = [
    "x", "", " ", "\n", "a & b", "<i>", "]", "]]>", "p;", "#38;", "é日", "\n-", "amp", ">",
];

impl Piece {
    fn draw(random: &mut Random) -> Piece {
        match random.below(6) {
            0..3 => Piece::Text(TEXTS[random.below(TEXTS.len())]),
            3 => Piece::Element(["i", "u", "x-y"][random.below(3)]),
            4 => Piece::Comment,
            _ => Piece::Both,
        }
    }

    /// Calls an edit with the content.
    fn with<T>(self, edit: impl FnOnce(Content<'_>) -> T) -> T {
        match self {
            Piece::Text(text) => edit(Content::Text(text)),
            Piece::Element(name) => edit(Content::Markup(&format!("<{name}>m</{name}>"))),
            Piece::Comment => edit(Content::Markup("<!--n-->")),
            Piece::Both => edit(Content::Markup("<x-y>m</x-y>t")),
        }
    }

    /// Returns the nodes of the content.
    #[must_use]
    pub fn parts(self) -> Vec<Part> {
        match self {
            Piece::Text("") => Vec::new(),
            Piece::Text(text) => vec![Part::Text(text)],
            Piece::Element(name) => vec![Part::Element(name)],
            Piece::Comment => vec![Part::Comment("n")],
            Piece::Both => vec![Part::Element("x-y"), Part::Text("t")],
        }
    }

    /// Returns true if the content has an element.
    #[must_use]
    pub fn has_element(self) -> bool {
        matches!(self, Piece::Element(_) | Piece::Both)
    }
}

/// An edit of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    SetAttribute(String),
    RemoveAttribute(String),
    Rename(&'static str),
    Remove,
    Unwrap,
    Before(Piece),
    After(Piece),
    Prepend(Piece),
    Append(Piece),
    SetContent(Piece),
    SetText(String),
}

impl Op {
    /// Returns true if an element is inserted that ends foreign content in HTML.
    #[must_use]
    pub fn inserts_html(&self) -> bool {
        let (Op::Before(piece)
        | Op::After(piece)
        | Op::Prepend(piece)
        | Op::Append(piece)
        | Op::SetContent(piece)) = self
        else {
            return false;
        };
        matches!(piece, Piece::Element("i" | "u"))
    }
}

/// An edit, and the index of the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub at: usize,
    pub op: Op,
}

/// The value of attributes that are set.
pub const VALUE: &str = "a \"b\" <c> & d\u{e9}";

/// The new names of elements. HTML's parser has rules of its own for all except the first one.
const NAMES: [&str; 22] = [
    "renamed", "b", "p", "div", "li", "h2", "a", "button", "form", "option", "select", "td", "tr",
    "table", "svg", "math", "image", "body", "frame", "template", "br", "script",
];

/// Number of operations that [`Op::numbered`] returns.
pub const OPERATIONS: usize = 12;

impl Op {
    /// Returns the operation with this number, for an event. Content and names are drawn.
    pub fn numbered(number: usize, random: &mut Random, item: &Item) -> Op {
        let piece = Piece::draw(random);
        let attribute = match item {
            Item::Start(_, attributes) => {
                // Other names depend on declarations of namespaces.
                let names = attributes.iter().map(|(name, _)| name);
                let names: Vec<&String> = names.filter(|name| !name.starts_with("xmlns")).collect();
                (!names.is_empty()).then(|| names[random.below(names.len())].clone())
            }
            _ => None,
        };
        let attribute = attribute.unwrap_or_else(|| "data-x".to_owned());
        match number {
            0 => Op::SetAttribute(attribute),
            1 => Op::SetAttribute("data-x".to_owned()),
            2 => Op::RemoveAttribute(attribute),
            3 => Op::Rename(match random.one_in(2) {
                true => NAMES[0],
                false => NAMES[random.below(NAMES.len())],
            }),
            4 => Op::Remove,
            5 => Op::Unwrap,
            6 => Op::Before(piece),
            7 => Op::After(piece),
            8 => Op::Prepend(piece),
            9 => Op::Append(piece),
            10 => Op::SetContent(piece),
            _ => Op::SetText(TEXTS[random.below(TEXTS.len())].to_owned()),
        }
    }

    /// Draws an operation that an event may have.
    fn draw(random: &mut Random, item: &Item) -> Op {
        let numbers: &[usize] = match item {
            Item::Start(..) => &[0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10],
            Item::End(_) => &[6, 7],
            _ => &[11, 11, 4, 6, 7],
        };
        Op::numbered(numbers[random.below(numbers.len())], random, item)
    }

    /// Returns the name of the method of the event that makes the edit.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self {
            Op::SetAttribute(_) => "set_attribute",
            Op::RemoveAttribute(_) => "remove_attribute",
            Op::Rename(_) => "rename",
            Op::Remove => "remove",
            Op::Unwrap => "unwrap_element",
            Op::Before(_) => "before",
            Op::After(_) => "after",
            Op::Prepend(_) => "prepend",
            Op::Append(_) => "append",
            Op::SetContent(_) => "set_content",
            Op::SetText(_) => "set_text",
        }
    }
}

/// Draws one to three edits. Half of the further edits are of an event that has one, or of the end of its element.
pub fn draw(random: &mut Random, events: &Events) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let of_kind = |kind: usize| -> Vec<usize> {
        let is_kind = |at: &usize| match &events.items[*at] {
            Item::Start(..) => kind < 5,
            Item::Text(_) => kind == 5 || kind == 6,
            Item::Comment(_) | Item::Other(_) => kind == 7,
            Item::End(_) => kind == 8 && events.written.contains(at),
        };
        (0..events.items.len()).filter(is_kind).collect()
    };
    for _ in 0..=random.below(3) {
        let those = match edits.last().filter(|_| random.one_in(2)) {
            Some(edit) => {
                let end = events.ends.get(&edit.at).copied();
                let is_own = |end: &usize| events.own.get(end) == Some(&edit.at);
                let end = end.filter(|end| is_own(end) && events.written.contains(end));
                [edit.at].into_iter().chain(end).collect()
            }
            None => of_kind(random.below(9)),
        };
        if those.is_empty() {
            continue;
        }
        let at = those[random.below(those.len())];
        let op = Op::draw(random, &events.items[at]);
        edits.push(Edit { at, op });
    }
    edits.sort_by_key(|edit| edit.at);
    edits
}

/// The result of rewriting a document.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The output.
    pub out: Vec<u8>,
    /// The edits that were accepted. For a run of text, the last field of `SetText` is the text that replaces the run,
    /// because edits of single pieces can be refused.
    pub made: Vec<Edit>,
    /// The methods whose edits were refused, each with the reason.
    pub refused: BTreeSet<(&'static str, &'static str)>,
    /// The errors of edits that were refused at the end of an element.
    pub late: Vec<String>,
    /// The reasons of these errors.
    pub late_reasons: Vec<&'static str>,
}

/// Rewrites a document with these edits.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn rewritten<D: Balance, F: Form>(
    rewriter: Rewriter<D, F>,
    feed: Feed,
    events: &Events,
    edits: &[Edit],
    input: &[u8],
) -> Result<Rewritten, RewriteError> {
    rewritten_with(rewriter, feed, events, edits, input, |_, _| ())
}

/// As [`rewritten`], and calls a function after each chunk, with the number of the chunk.
///
/// # Errors
///
/// Returns the error that ended the parse.
pub fn rewritten_with<D: Balance, F: Form>(
    rewriter: Rewriter<D, F>,
    feed: Feed,
    events: &Events,
    edits: &[Edit],
    input: &[u8],
    mut after_chunk: impl FnMut(usize, &mut Rewriter<D, F>),
) -> Result<Rewritten, RewriteError> {
    let mut rewriter = rewriter.inspect_sizes(feed.sizes);
    let mut editor = Editor {
        events,
        edits,
        next: 0,
        run: None,
        text: String::new(),
        removed: String::new(),
        beside: [Vec::new(), Vec::new()],
        change: TextChange::No,
        made: Vec::new(),
        refused: BTreeSet::new(),
    };
    let mut done = Rewritten::default();
    for (number, chunk) in feed.chunks(input).map(Some).chain([None]).enumerate() {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        loop {
            match rewriter.next_event() {
                Ok(Some(mut event)) => editor.edit(&mut event),
                Ok(None) => break,
                Err(error @ RewriteError::Refused(..)) => {
                    done.late.push(error.to_string());
                    done.late_reasons.extend(reason(&error));
                }
                Err(error) => return Err(error),
            }
        }
        rewriter.output_to(&mut done.out);
        after_chunk(number, &mut rewriter);
    }
    (done.made, done.refused) = (editor.made, editor.refused);
    Ok(done)
}

fn reason(error: &RewriteError) -> Option<&'static str> {
    match error {
        RewriteError::Refused(refusal, _) => Some(refusal.as_str()),
        _ => None,
    }
}

/// Calls the method of an edit.
fn call(op: &Op, event: &mut RewriteEvent<'_>) -> Result<(), RewriteError> {
    let result = match op {
        Op::SetAttribute(name) => event.set_attribute(name, VALUE),
        Op::RemoveAttribute(name) => event.remove_attribute(name),
        Op::Rename(name) => event.rename(name),
        Op::Remove => event.remove(),
        Op::Unwrap => event.unwrap_element(),
        Op::Before(piece) => piece.with(|content| event.before(content)),
        Op::After(piece) => piece.with(|content| event.after(content)),
        Op::Prepend(piece) => piece.with(|content| event.prepend(content)),
        Op::Append(piece) => piece.with(|content| event.append(content)),
        Op::SetContent(piece) => piece.with(|content| event.set_content(content)),
        Op::SetText(text) => event.set_text(text),
    };
    result.map(|_| ())
}

struct Editor<'e> {
    events: &'e Events,
    edits: &'e [Edit],
    /// Index of the next event. Events of removed elements are skipped.
    next: usize,
    /// The index of the current run of text.
    run: Option<usize>,
    /// The text of the current run after the edits.
    text: String,
    /// The text of the current run that was removed or replaced.
    removed: String,
    /// The content inserted before and after the current run.
    beside: [Vec<Edit>; 2],
    /// The edits that are made to the beginning of the current run, and to each further piece.
    change: TextChange,
    made: Vec<Edit>,
    refused: BTreeSet<(&'static str, &'static str)>,
}

/// The change of the pieces of a run of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextChange {
    #[default]
    No,
    /// The first piece has another text, and the others are removed.
    Replaced,
    /// All pieces are removed.
    Removed,
}

impl Editor<'_> {
    fn edit(&mut self, event: &mut RewriteEvent<'_>) {
        if let Some(text) = event.as_text() {
            return self.edit_text(event, text.as_str());
        }
        let Some(item) = item(&event.event(), self.events.is_balanced) else {
            return;
        };
        let start = event.event().span().start;
        let is_it = |at: &usize| self.events.items[*at] == item && self.events.starts[*at] == start;
        let Some(at) = (self.next..self.events.items.len()).find(is_it) else {
            panic!("{item:?} is not among the events without edits");
        };
        self.next = at + 1;
        for edit in self.edits.iter().filter(|edit| edit.at == at) {
            if self.call(&edit.op, event) {
                self.made.push(edit.clone());
            }
        }
    }

    /// Makes an edit, and returns true if it is not refused.
    fn call(&mut self, op: &Op, event: &mut RewriteEvent<'_>) -> bool {
        let result = call(op, event);
        if let Some(reason) = result.as_ref().err().and_then(reason) {
            self.refused.insert((op.method(), reason));
        }
        result.is_ok()
    }

    fn edit_text(&mut self, event: &mut RewriteEvent<'_>, text: &str) {
        let start = event.event().span().start;
        let is_first = self.run.is_none() && !text.is_empty();
        if is_first {
            let is_it = |at: &usize| {
                matches!(self.events.items[*at], Item::Text(_)) && self.events.starts[*at] == start
            };
            self.run = (self.next..self.events.items.len()).find(is_it);
            self.next = self.run.expect("a run of text") + 1;
            self.text.clear();
            self.removed.clear();
            self.change = TextChange::No;
        }
        let Some(at) = self.run else {
            return;
        };
        let is_last = event.is_last();
        if is_last {
            self.run = None;
        }
        let edits = self.edits.iter().filter(|edit| edit.at == at);
        // The text of this piece after the edits.
        let mut new = text;
        for edit in edits.clone() {
            match &edit.op {
                Op::Before(_) if !is_first => {}
                Op::After(_) if !is_last => {}
                Op::SetText(text) if is_first => {
                    if self.call(&edit.op, event) && self.change != TextChange::Removed {
                        self.change = TextChange::Replaced;
                        new = text;
                    }
                }
                Op::Remove if is_first => {
                    if self.call(&edit.op, event) {
                        self.change = TextChange::Removed;
                        new = "";
                    }
                }
                Op::SetText(_) | Op::Remove => {}
                op => {
                    if self.call(op, event) {
                        let side = usize::from(matches!(op, Op::After(_)));
                        self.beside[side].push(edit.clone());
                    }
                }
            }
        }
        if !is_first && !text.is_empty() && self.change != TextChange::No {
            match event.remove() {
                Ok(_) => new = "",
                // A piece that changes the state of a script stays, with the beginning of the word in removed pieces.
                Err(_) => self.text.push_str(begun_word(&self.removed, text)),
            }
        }
        match new == text {
            true => self.removed.clear(),
            false => self.removed.push_str(text),
        }
        self.text.push_str(new);
        if is_last {
            let [before, after] = std::mem::take(&mut self.beside);
            self.made.extend(before);
            if self.change != TextChange::No {
                let op = Op::SetText(std::mem::take(&mut self.text));
                self.made.push(Edit { at, op });
            }
            self.made.extend(after);
        }
    }
}

/// Returns the end of a removed text that the next piece continues to a word which changes the state of a script.
fn begun_word<'t>(removed: &'t str, piece: &str) -> &'t str {
    let words = ["<!--", "-->", "<script", "</script"];
    let removed_end = |length: usize| removed.get(removed.len().checked_sub(length)?..);
    let same = |left: &str, right: Option<&str>| {
        right.is_some_and(|right| left.eq_ignore_ascii_case(right))
    };
    let begun = words.iter().filter_map(|word| {
        let mut lengths = 1..word.len();
        lengths.find_map(|length| {
            let (begin, rest) = word.split_at(length);
            let end = removed_end(length)?;
            (same(begin, Some(end)) && same(rest, piece.get(..rest.len()))).then_some(end)
        })
    });
    begun.max_by_key(|begun| begun.len()).unwrap_or("")
}

/// Joins adjacent texts, and sorts attributes.
#[must_use]
pub fn joined(items: Vec<Item>) -> Vec<Item> {
    let mut all: Vec<Item> = Vec::new();
    for item in items {
        match (all.last_mut(), item) {
            (_, Item::Text(text)) if text.is_empty() => {}
            (Some(Item::Text(before)), Item::Text(text)) => before.push_str(&text),
            (_, Item::Start(name, mut attributes)) => {
                attributes.sort();
                all.push(Item::Start(name, attributes));
            }
            (_, item) => all.push(item),
        }
    }
    all
}
