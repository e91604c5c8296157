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
    /// True if a node is elsewhere in the tree than the events say.
    pub is_moved: bool,
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
            events.is_moved |= event.is_moved();
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
                    events.is_moved |= tag.is_implied() && !is_in_order(tag.name());
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

    /// Returns the events of the content.
    fn items(self) -> Vec<Item> {
        let mut items = Vec::new();
        for part in self.parts() {
            match part {
                Part::Text(text) => items.push(Item::Text(text.to_owned())),
                Part::Comment(text) => items.push(Item::Comment(text.to_owned())),
                Part::Element(name) => items.extend([
                    Item::Start(name.to_owned(), Vec::new()),
                    Item::Text("m".to_owned()),
                    Item::End(name.to_owned()),
                ]),
            }
        }
        items
    }
}

/// An edit of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    SetAttribute(String),
    RemoveAttribute(String),
    Rename,
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

/// The name of elements that are renamed.
pub const NAME: &str = "renamed";

/// Draws one to three edits of different events.
pub fn draw(random: &mut Random, events: &Events) -> Vec<Edit> {
    let mut edits = BTreeMap::new();
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
        let kind = random.below(9);
        let those = of_kind(kind);
        if those.is_empty() {
            continue;
        }
        let at = those[random.below(those.len())];
        let piece = Piece::draw(random);
        let op = match &events.items[at] {
            Item::Start(_, attributes) => {
                // Other names depend on declarations of namespaces.
                let names: Vec<&String> = attributes
                    .iter()
                    .map(|(name, _)| name)
                    .filter(|name| !name.starts_with("xmlns"))
                    .collect();
                let some = match names.is_empty() {
                    true => None,
                    false => Some(names[random.below(names.len())].clone()),
                };
                match (random.below(12), some) {
                    (0, Some(name)) => Op::SetAttribute(name),
                    (0 | 1, _) => Op::SetAttribute("data-x".to_owned()),
                    (2, Some(name)) => Op::RemoveAttribute(name),
                    (2, None) | (3, _) => Op::Rename,
                    (4 | 5, _) => Op::Remove,
                    (6, _) => Op::Unwrap,
                    (7, _) => Op::Before(piece),
                    (8, _) => Op::After(piece),
                    (9, _) => Op::Prepend(piece),
                    (10, _) => Op::Append(piece),
                    _ => Op::SetContent(piece),
                }
            }
            Item::End(_) => {
                // The element has one edit only.
                let start = events.own.get(&at).copied();
                if start.is_some_and(|start| edits.contains_key(&start)) {
                    continue;
                }
                match random.below(2) {
                    0 => Op::Before(piece),
                    _ => Op::After(piece),
                }
            }
            Item::Text(_) | Item::Comment(_) | Item::Other(_) => match random.below(5) {
                0 | 1 => Op::SetText(TEXTS[random.below(TEXTS.len())].to_owned()),
                2 => Op::Remove,
                3 => Op::Before(piece),
                _ => Op::After(piece),
            },
        };
        let is_end_edited = |at: usize| {
            let end = events.ends.get(&at);
            end.is_some_and(|end| events.own.get(end) == Some(&at) && edits.contains_key(end))
        };
        if !is_end_edited(at) {
            edits.insert(at, op);
        }
    }
    edits.into_iter().map(|(at, op)| Edit { at, op }).collect()
}

/// The result of rewriting a document.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The output.
    pub out: Vec<u8>,
    /// The edits that were accepted. For a run of text, the last field of `SetText` is the text that replaces the run,
    /// because edits of single pieces can be refused.
    pub made: Vec<Edit>,
    /// The errors of edits that were refused at the end of an element.
    pub late: Vec<String>,
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
        is_replaced: false,
        made: Vec::new(),
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
                Err(error @ RewriteError::Refused(..)) => done.late.push(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        rewriter.output_to(&mut done.out);
        after_chunk(number, &mut rewriter);
    }
    done.made = editor.made;
    Ok(done)
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
    is_replaced: bool,
    made: Vec<Edit>,
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
        if let Some(edit) = self.edits.iter().find(|edit| edit.at == at) {
            let result = match &edit.op {
                Op::SetAttribute(name) => event.set_attribute(name, VALUE),
                Op::RemoveAttribute(name) => event.remove_attribute(name),
                Op::Rename => event.rename(NAME),
                Op::Remove => event.remove(),
                Op::Unwrap => event.unwrap_element(),
                Op::Before(piece) => piece.with(|content| event.before(content)),
                Op::After(piece) => piece.with(|content| event.after(content)),
                Op::Prepend(piece) => piece.with(|content| event.prepend(content)),
                Op::Append(piece) => piece.with(|content| event.append(content)),
                Op::SetContent(piece) => piece.with(|content| event.set_content(content)),
                Op::SetText(text) => event.set_text(text),
            };
            if result.is_ok() {
                self.made.push(edit.clone());
            }
        }
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
            self.is_replaced = false;
        }
        let Some(at) = self.run else {
            return;
        };
        let is_last = event.is_last();
        if is_last {
            self.run = None;
        }
        let Some(edit) = self.edits.iter().find(|edit| edit.at == at) else {
            return;
        };
        match &edit.op {
            Op::Before(piece)
                if is_first && piece.with(|content| event.before(content).is_ok()) =>
            {
                self.made.push(edit.clone());
            }
            Op::After(piece) if is_last && piece.with(|content| event.after(content).is_ok()) => {
                self.made.push(edit.clone());
            }
            Op::SetText(new) => {
                let is_made = match is_first {
                    true => event.set_text(new).is_ok(),
                    false => !text.is_empty() && self.is_replaced && event.remove().is_ok(),
                };
                self.add(if is_first { new } else { "" }, text, is_made);
            }
            Op::Remove => {
                let is_made =
                    !text.is_empty() && (is_first || self.is_replaced) && event.remove().is_ok();
                self.add("", text, is_made);
            }
            _ => {}
        }
        if is_last && self.is_replaced {
            let op = Op::SetText(std::mem::take(&mut self.text));
            self.made.push(Edit { at, op });
        }
    }

    fn add(&mut self, new: &str, old: &str, is_made: bool) {
        self.is_replaced |= is_made;
        self.text.push_str(if is_made { new } else { old });
    }
}

/// Returns the events with these edits, for tags as written.
#[must_use]
pub fn edited(events: &Events, made: &[Edit]) -> Vec<Item> {
    let length = events.items.len();
    let mut items: Vec<Option<Item>> = events.items.iter().cloned().map(Some).collect();
    // The content before and after each item. Content between two items: first the content after the first one, then the
    // content of the elements that end there, the innermost first, then the content before the second one.
    let mut after = vec![Vec::new(); length];
    let mut ended: Vec<Vec<(usize, Vec<Item>)>> = vec![Vec::new(); length + 1];
    let mut before = vec![Vec::new(); length];
    for Edit { at, op } in made {
        let at = *at;
        let end = events.ends.get(&at).copied().unwrap_or(at);
        let is_own = events.own.get(&end) == Some(&at);
        let contents = (at + 1).min(end)..end;
        // A start tag without an end event gets one if content is inserted.
        let filled = |piece: &Piece| {
            let mut items = piece.items();
            if end == at
                && !items.is_empty()
                && let Item::Start(name, _) = &events.items[at]
            {
                items.push(Item::End(name.clone()));
            }
            items
        };
        match op {
            Op::SetAttribute(name) => {
                if let Some(Item::Start(_, attributes)) = &mut items[at] {
                    match attributes.iter_mut().find(|(is, _)| is == name) {
                        Some((_, value)) => *value = VALUE.to_owned(),
                        None => attributes.push((name.clone(), VALUE.to_owned())),
                    }
                }
            }
            Op::RemoveAttribute(name) => {
                if let Some(Item::Start(_, attributes)) = &mut items[at] {
                    attributes.retain(|(is, _)| is != name);
                }
            }
            Op::Rename => {
                if let Some(Item::Start(name, _)) = &mut items[at] {
                    NAME.clone_into(name);
                }
                if let Some(Some(Item::End(name))) = items.get_mut(end)
                    && is_own
                    && !name.is_empty()
                {
                    NAME.clone_into(name);
                }
            }
            Op::Remove => {
                items[at] = None;
                items[contents].fill(None);
                if is_own {
                    items[end] = None;
                }
            }
            Op::Unwrap => {
                items[at] = None;
                if is_own {
                    items[end] = None;
                }
            }
            Op::Before(piece) => before[at].extend(piece.items()),
            Op::After(piece) if end == at || is_own => {
                let content: &mut Vec<Item> = &mut after[end];
                content.extend(piece.items());
            }
            Op::Append(piece) if end == at => after[at].splice(0..0, filled(piece)).for_each(drop),
            Op::After(piece) | Op::Append(piece) => ended[end].push((at, piece.items())),
            Op::Prepend(piece) => after[at].splice(0..0, filled(piece)).for_each(drop),
            Op::SetContent(piece) => {
                items[contents].fill(None);
                after[at].splice(0..0, filled(piece)).for_each(drop);
            }
            Op::SetText(text) => {
                items[at] = Some(match &items[at] {
                    Some(Item::Comment(_)) => Item::Comment(text.clone()),
                    _ => Item::Text(text.clone()),
                });
            }
        }
    }
    let mut all = Vec::new();
    for at in 0..=length {
        ended[at].sort_by_key(|(start, _)| std::cmp::Reverse(*start));
        all.extend(ended[at].drain(..).flat_map(|(_, content)| content));
        if at < length {
            all.append(&mut before[at]);
            all.extend(items[at].take());
            all.append(&mut after[at]);
        }
    }
    joined(all)
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
