//! Tags that tree construction implies at one position of the input, and that may have to be written there.

use crate::engine::event::Event;
use crate::engine::text::html_facts;
use alloc::string::String;

/// The tags that the input omits at one position.
///
/// Content that is inserted at that position belongs after these tags, so they are written before the content, unless
/// the content implies the same tags. If the event that implied the tags is removed, they are *owed*: they are written
/// before the next event that does not imply them.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpliedTags {
    /// The tags as they are written.
    tags: String,
    /// Length of `tags` before the last start tag.
    before_start: usize,
    /// Offset in the input at which the tags are implied.
    at: u64,
    /// True if other tags than those of `html`, `head` and `body` are implied.
    has_others: bool,
    /// True if the tags cannot be written, because that would change how the following content is parsed.
    is_stuck: bool,
    owed: Owed,
}

/// The time at which tags are written whose event was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owed {
    /// No event was removed.
    #[default]
    No,
    /// After the current event.
    Later,
    /// Before the current event, unless it is removed too.
    Now,
    /// Not at all, because the current event implies the same tags. If it is removed too, after it.
    Implied,
}

impl ImpliedTags {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.is_stuck
    }

    pub(super) fn is_owed(&self) -> bool {
        self.owed != Owed::No
    }

    pub(super) fn clear(&mut self) {
        if !self.is_empty() || self.is_owed() {
            self.tags.clear();
            (self.has_others, self.is_stuck, self.owed) = (false, false, Owed::No);
        }
    }

    /// Forgets the tags that are implied at another position, unless they are owed.
    #[inline]
    pub(super) fn move_to(&mut self, at: u64) {
        if self.at != at && !self.is_owed() {
            self.clear();
        }
        self.at = at;
    }

    /// Adds a start tag.
    pub(super) fn start(&mut self, name: &str) {
        let is_structure = html_facts::DOCUMENT_STRUCTURE.contains(name);
        if self.is_owed() && !is_structure {
            return;
        }
        self.before_start = self.tags.len();
        if is_structure || html_facts::IMPLIED_BY_CONTENT.contains(name) {
            self.has_others |= !is_structure;
            self.add("<", name);
        } else {
            self.is_stuck = true;
        }
    }

    /// Adds an end tag. `is_html` is true for the elements of HTML. An element of another dialect may have the same name.
    /// If `is_writable` is false, the encoding of the output does not have the name, and nothing can be inserted here.
    pub(super) fn end(&mut self, name: &str, is_html: bool, is_writable: bool) {
        let is_structure = is_html && html_facts::DOCUMENT_STRUCTURE.contains(name);
        if !self.is_owed() {
            self.is_stuck |= is_html && html_facts::FORMATTING.contains(name) || !is_writable;
            self.has_others |= !is_structure;
        }
        if !self.is_owed() || is_structure {
            self.add("</", name);
        }
    }

    fn add(&mut self, before: &str, name: &str) {
        for part in [before, name, ">"] {
            self.tags.push_str(part);
        }
    }

    /// Returns the tags at a position and forgets them, if they are not only those of `html`, `head` and `body`, which most
    /// tags imply. Called if the start tag that implies them is renamed or removed.
    pub(super) fn take_others(&mut self, at: u64) -> String {
        match self.is_at(at) && self.has_others {
            true => self.take_all(),
            false => String::new(),
        }
    }

    /// Returns true if tags are implied at a position.
    pub(super) fn is_at(&self, at: u64) -> bool {
        !self.is_empty() && self.at == at && !self.is_owed()
    }

    /// Returns true if nothing can be inserted at a position.
    pub(super) fn is_stuck_at(&self, at: u64) -> bool {
        self.is_stuck && self.at == at
    }

    /// Returns the tags to write before a piece of content at a position, and forgets them.
    pub(super) fn take_for(&mut self, piece: &str, at: u64) -> String {
        if self.is_empty() || self.at != at && !self.is_owed() {
            return String::new();
        }
        let is_text = !piece.starts_with(|first: char| first == '<' || first.is_ascii_whitespace());
        let has_others = self.has_others;
        let tags = self.take_all();
        match is_text && !piece.is_empty() && !has_others {
            true => String::new(),
            false => tags,
        }
    }

    /// Called when the event at a position is removed. Returns the tags to write there now.
    pub(super) fn omit(&mut self, at: u64) -> String {
        let tags = self.take_others(at);
        if self.is_at(at) || self.is_owed() {
            self.owed = Owed::Later;
        }
        tags
    }

    /// Returns the tags to write before the last start tag, and forgets all tags.
    pub(super) fn take_before_start(&mut self) -> String {
        let (has_others, length) = (self.has_others, self.before_start);
        let mut tags = self.take_all();
        match has_others && tags.is_char_boundary(length) {
            true => tags.truncate(length),
            false => tags.clear(),
        }
        tags
    }

    /// Returns the tags, and forgets them.
    pub(super) fn take_all(&mut self) -> String {
        let tags = core::mem::take(&mut self.tags);
        self.clear();
        tags
    }

    /// Returns true if owed tags have to be written before the current event, unless the event is removed.
    pub(super) fn is_due(&self) -> bool {
        self.owed == Owed::Now
    }

    /// Called for each event. If tags are owed, because the event that implied them was removed, this event determines
    /// when they are written.
    pub(super) fn pass_owed(&mut self, event: &Event<'_>) {
        let implies = match event {
            _ if !self.is_owed() => return,
            Event::Text(text) => {
                let first = text.as_str().bytes().next();
                first.is_some_and(|first| first != 0 && !first.is_ascii_whitespace())
            }
            Event::Start(tag) if !tag.is_implied() => !html_facts::BEFORE_BODY.contains(tag.name()),
            Event::Start(_) | Event::End(_) => return,
            _ => false,
        };
        self.owed = match implies {
            true => Owed::Implied,
            false => Owed::Now,
        };
    }

    /// Called when the current event stays. Returns owed tags that have to be written before it, and forgets them.
    pub(super) fn take_owed(&mut self) -> String {
        match self.owed {
            Owed::No | Owed::Later => String::new(),
            Owed::Now => self.take_all(),
            Owed::Implied => {
                self.clear();
                String::new()
            }
        }
    }
}

crate::checkpoint::checkpointable! {
    enum Owed { No, Later, Now, Implied }
    struct ImpliedTags { tags, before_start, at, has_others, is_stuck, owed }
}
