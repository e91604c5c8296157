//! The strings of a document: ranges of the chunk of input that the document keeps, or of one growing buffer. A node or
//! attribute stores the offset and the length of its string, which take eight bytes together. Offsets count through the
//! text that the buffer had when the chunk came, the chunk, and the rest of the buffer.
//!
//! ```text
//! source  <a x="value">text of node 5<b/>…
//! shared  [.....value.....text of node 7....text of node 9]
//!                         ^ start           ^ the last range grows in place
//! owned   ["text of node 3, which grew after others had come", …]
//! ```
//!
//! A string that is a part of the chunk in memory is not copied.
//!
//! Only the string that was stored last can grow: in its place if it is at the end of the buffer, or if the text follows
//! it in the chunk, and otherwise as a copy at the end of the buffer. If text is appended to another string, the string
//! is moved to a `String` of its own, an owned string. Each string is moved at most twice. Any number of appends, in any
//! order, therefore takes time linear in the number of appended bytes.
//!
//! The number of bytes that limits count does not depend on whether a chunk is kept: see [`Strings::bytes`].

use crate::engine::room::reserve_first_bytes;
use crate::engine::scan::Checked;
use alloc::string::String;
use alloc::vec::Vec;

/// The value of [`Stored::length`] that marks an owned string. `start` is then an index into [`Strings::owned`].
const OWNED: u32 = u32::MAX;

/// Minimum length in bytes of a string that several nodes of a copied document share. A shorter string is copied for
/// each node, which is cheaper than finding the earlier copy.
const MIN_SHARED_BYTES: u32 = 64;

/// The location of a string: its offset and its length in the chunk or the shared buffer, in bytes, or the index of an
/// owned string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stored {
    start: u32,
    length: u32,
}

/// All strings of a document: text, attribute values, comments and processing instructions.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    shared: String,
    /// The chunk of the input that the document keeps. Empty if the document keeps none.
    source: Checked,
    /// Length in bytes of `shared` when the chunk came: the offset of the first byte of the chunk.
    source_start: usize,
    /// Offset of the end of the string that was stored last, apart from owned and empty strings. Only this string grows
    /// without becoming an owned string.
    last_end: usize,
    /// Number of bytes that all strings would take without a chunk: those in the shared buffer, including the strings
    /// that were moved out of it, and the owned ones.
    bytes: usize,
    owned: Vec<String>,
    /// Indices in `owned` that are unused, because their strings were released. New owned strings reuse them.
    free: Vec<u32>,
    /// Number of bytes that were copied because a string was moved out of the shared buffer. The tests check that
    /// appends take linear time with this number.
    #[cfg(test)]
    moved: usize,
}

impl Strings {
    /// Reserves capacity for this number of additional bytes in the shared buffer.
    pub(super) fn reserve(&mut self, bytes: usize) {
        reserve_first_bytes(&mut self.shared, bytes);
    }

    /// Removes all strings, but keeps the allocated memory for later strings.
    pub(super) fn clear(&mut self) {
        self.shared.clear();
        self.source = Checked::default();
        self.source_start = 0;
        self.last_end = 0;
        self.bytes = 0;
        self.owned.clear();
        self.free.clear();
    }

    /// Releases the unused capacity of the shared buffer, and the chunk of input. `all` are the locations of all
    /// strings. Those in the chunk are copied to the buffer, a part of the chunk that several strings share only once.
    pub(super) fn shrink_to_fit<'s>(&mut self, all: impl Iterator<Item = &'s mut Stored>) {
        let source = core::mem::take(&mut self.source);
        let start = core::mem::take(&mut self.source_start);
        let in_source =
            |stored: &Stored| (start..start + source.len()).contains(&(stored.start as usize));
        let mut parts = Vec::new();
        for stored in all.filter(|stored| stored.length != OWNED && source.len() > 0) {
            if in_source(stored) {
                parts.push(stored);
            } else if stored.start as usize >= start {
                stored.start -= source.len() as u32;
            }
        }
        parts.sort_unstable_by_key(|stored| stored.start);
        // The range of the chunk that was copied last, and its offset in the shared buffer.
        let (mut copied, mut offset) = (0..0, 0);
        for stored in parts {
            let from = stored.start as usize - start;
            let to = from + stored.length as usize;
            if from >= copied.end {
                (copied, offset) = (from..from, self.shared.len());
            }
            if to > copied.end {
                self.shared.push_str(&source.as_str()[copied.end..to]);
                copied.end = to;
            }
            stored.start = (offset + from - copied.start) as u32;
        }
        self.shared.shrink_to_fit();
        self.last_end = self.shared.len();
    }

    /// Keeps a chunk of the input, so that its parts need no copies, unless there is such a chunk already. Called again
    /// when more of the same chunk is known to be UTF-8.
    pub(super) fn keep_source(&mut self, chunk: &Checked) {
        let end = self.shared.len().saturating_add(chunk.len());
        if self.source.len() == 0 && end < OWNED as usize {
            self.source_start = self.shared.len();
            self.source = chunk.clone();
            // The room that was reserved for copies of the strings is not needed.
            self.shared.shrink_to_fit();
        } else {
            self.source.follow(chunk);
        }
    }

    /// Stores a string: its location in the source if it is a part of it, otherwise a copy at the end of the shared
    /// buffer, or as an owned string if the buffer has no room for it. Returns the location.
    #[inline(always)]
    pub(super) fn store(&mut self, text: &str) -> Stored {
        match self.location(text) {
            Some(start) => self.store_part(start, text.len()),
            None => self.store_copy(text),
        }
    }

    /// Returns the location of a text that is a part of the source.
    #[inline(always)]
    pub(super) fn location(&self, text: &str) -> Option<usize> {
        // PERF: a document without a source needs no comparison of addresses.
        match self.source.valid() {
            0 => None,
            _ => Some(self.source_start + self.source.place(text)?),
        }
    }

    /// Stores a string that is a part of the source, from the location `start` on.
    #[inline(always)]
    pub(super) fn store_part(&mut self, start: usize, length: usize) -> Stored {
        self.bytes += length;
        if length != 0 {
            self.last_end = start + length;
        }
        Stored {
            start: start as u32,
            length: length as u32,
        }
    }

    /// Stores a copy of `text`. Returns the location of the copy.
    #[inline]
    pub(super) fn store_copy(&mut self, text: &str) -> Stored {
        let (start, length) = (self.end(), text.len());
        if start.saturating_add(length) >= OWNED as usize {
            // The end of the string would exceed the offsets that `Stored` can hold.
            return self.store_owned(String::from(text));
        }
        self.shared.push_str(text);
        self.bytes += length;
        self.last_end = start + length;
        Stored {
            start: start as u32,
            length: length as u32,
        }
    }

    /// Stores a copy of `text` as an owned string, which [`release`](Self::release) can free. This is for values that a
    /// program replaces: any number of replacements takes no more memory than the last value.
    pub(super) fn store_releasable(&mut self, text: &str) -> Stored {
        match text.is_empty() {
            true => Stored::default(),
            false => self.store_owned(String::from(text)),
        }
    }

    /// Frees an owned string that is no longer used. Text in the shared buffer is not freed.
    pub(super) fn release(&mut self, stored: Stored) {
        if stored.length == OWNED {
            let own = core::mem::take(&mut self.owned[stored.start as usize]);
            self.bytes = self.bytes.saturating_sub(own.len());
            self.free.push(stored.start);
        }
    }

    /// Returns the string at `stored`.
    #[inline]
    pub(super) fn read(&self, stored: Stored) -> &str {
        let start = stored.start as usize;
        if stored.length == OWNED {
            return &self.owned[start];
        }
        let length = stored.length as usize;
        match self.source_index(stored) {
            Some(at) => &self.source.as_str()[at..at + length],
            None => {
                let at = self.shared_index(start);
                &self.shared[at..at + length]
            }
        }
    }

    /// Returns the location of the next string of the shared buffer.
    #[inline(always)]
    fn end(&self) -> usize {
        self.shared.len() + self.source.len()
    }

    /// Returns the index in the source of a string that is a part of it.
    #[inline(always)]
    fn source_index(&self, stored: Stored) -> Option<usize> {
        let at = (stored.start as usize).wrapping_sub(self.source_start);
        (at < self.source.len()).then_some(at)
    }

    /// Returns the index in the shared buffer of a location.
    #[inline(always)]
    fn shared_index(&self, start: usize) -> usize {
        match start < self.source_start {
            true => start,
            false => start - self.source.len(),
        }
    }

    /// Appends `text` to the string at `stored` and returns the location of the longer string. The caller must no
    /// longer use the old location.
    pub(super) fn append(&mut self, stored: Stored, text: &str) -> Stored {
        if stored.length == OWNED {
            self.owned[stored.start as usize].push_str(text);
            self.bytes += text.len();
            return stored;
        }
        if stored.length == 0 {
            return self.store(text);
        }
        let end = stored.start as usize + stored.length as usize;
        let length = stored.length as usize + text.len();
        let is_last = end == self.last_end && length < OWNED as usize;
        let is_at_end = end == self.end() && self.source_index(stored).is_none();
        if is_last && (is_at_end || self.follows(stored, text)) {
            if is_at_end {
                self.shared.push_str(text);
            }
            self.bytes += text.len();
            self.last_end = end + text.len();
            let length = length as u32;
            return Stored { length, ..stored };
        }
        let mut own = String::with_capacity(length);
        own.push_str(self.read(stored));
        own.push_str(text);
        #[cfg(test)]
        {
            self.moved += stored.length as usize;
        }
        match is_last {
            true => {
                self.bytes = self.bytes.saturating_sub(stored.length as usize);
                self.store_copy(&own)
            }
            false => self.store_owned(own),
        }
    }

    /// Returns whether the string at `stored` is a part of the chunk, and `text` is the next part of it.
    fn follows(&self, stored: Stored, text: &str) -> bool {
        let from = self.source_index(stored);
        from.is_some_and(|from| self.source.place(text) == Some(from + stored.length as usize))
    }

    /// Returns two locations of the same string, for a node and for its clone. A later append to one of them does not
    /// change the other. Both are the same range of the shared buffer if possible, because a range of this buffer never
    /// changes its content. If the buffer is full, the string is copied.
    pub(super) fn duplicate(&mut self, stored: Stored) -> [Stored; 2] {
        if stored.length != OWNED {
            return [stored; 2];
        }
        let own = core::mem::take(&mut self.owned[stored.start as usize]);
        if self.end().saturating_add(own.len()) < OWNED as usize {
            self.bytes = self.bytes.saturating_sub(own.len());
            self.free.push(stored.start);
            return [self.store_copy(&own); 2];
        }
        let copy = own.clone();
        self.owned[stored.start as usize] = own;
        [stored, self.store_owned(copy)]
    }

    /// Returns true if several nodes may refer to the same range of the shared buffer, and if the string has at least
    /// [`MIN_SHARED_BYTES`] bytes, so that a copy of the document should share it, too.
    pub(super) fn may_be_shared(stored: Stored) -> bool {
        stored.length != OWNED && stored.length >= MIN_SHARED_BYTES
    }

    /// Returns the number of bytes in all strings, which does not depend on whether they are parts of a chunk.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    /// Returns the number of bytes that the strings have allocated on the heap, and of the whole chunk.
    pub(super) fn heap_size(&self) -> usize {
        self.shared.capacity()
            + self.source.len()
            + self.owned.capacity() * size_of::<String>()
            + self.owned.iter().map(String::capacity).sum::<usize>()
            + self.free.capacity() * size_of::<u32>()
    }

    fn store_owned(&mut self, text: String) -> Stored {
        if let Some(start) = self.free.pop() {
            self.bytes += text.len();
            self.owned[start as usize] = text;
            return Stored {
                start,
                length: OWNED,
            };
        }
        let Ok(start) = u32::try_from(self.owned.len()) else {
            // There are 2³² owned strings, so the document already has its maximum number of nodes or attributes. The
            // node or attribute of this string will not be added, and the string is not needed.
            return Stored::default();
        };
        self.bytes += text.len();
        self.owned.push(text);
        Stored {
            start,
            length: OWNED,
        }
    }
}

#[cfg(feature = "checkpoints")]
impl Strings {
    /// Returns the string at `stored`, or `None` if the location is invalid. This is for locations that were loaded
    /// from a checkpoint.
    pub(super) fn find(&self, stored: Stored) -> Option<&str> {
        let start = stored.start as usize;
        match stored.length == OWNED {
            true => self.owned.get(start).map(String::as_str),
            false => {
                let length = stored.length as usize;
                let (text, at) = match self.source_index(stored) {
                    Some(at) => (self.source.as_str(), at),
                    None if start < self.source_start => (&*self.shared, start),
                    None => (&*self.shared, start.checked_sub(self.source.len())?),
                };
                text.get(at..at.checked_add(length)?)
            }
        }
    }

    /// Returns true if strings that were loaded from a checkpoint are consistent: the chunk came before the rest of the
    /// buffer, all owned bytes are counted, the count is no more than memory can hold, and each free index denotes an
    /// empty string.
    pub(super) fn is_valid(&self) -> bool {
        let are_free = |place: &u32| {
            self.owned
                .get(*place as usize)
                .is_some_and(String::is_empty)
        };
        self.source_start <= self.shared.len()
            && self.bytes >= self.owned.iter().map(String::len).sum::<usize>()
            && self.bytes <= isize::MAX as usize
            && self.free.iter().all(are_free)
    }
}

crate::checkpoint::checkpointable! {
    struct Stored { start, length }
    struct Strings {
        shared, source, source_start, last_end, bytes, owned, free
        ; skip #[cfg(test)] moved = Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Strings;

    /// Creates `count` strings, appends one byte to each of them in turn, `rounds` times, and returns the number of
    /// bytes that were moved.
    fn moved(count: usize, rounds: usize) -> usize {
        let mut strings = Strings::default();
        let mut all: Vec<_> = (0..count).map(|_| strings.store("")).collect();
        for _ in 0..rounds {
            for stored in &mut all {
                *stored = strings.append(*stored, "x");
            }
        }
        for stored in all {
            assert_eq!(strings.read(stored).len(), rounds);
        }
        strings.moved
    }

    #[test]
    fn appends_to_one_string_move_nothing() {
        assert_eq!(moved(1, 100_000), 0);
    }

    #[test]
    fn interleaved_appends_move_a_string_once() {
        for count in [2, 3, 100] {
            // All strings are moved, except the last one. It is at the end of the shared buffer, and grows there.
            assert_eq!(moved(count, 1_000), count - 1);
        }
    }

    /// A value that is replaced any number of times takes one entry in the list of owned strings.
    #[test]
    fn what_is_given_up_makes_room() {
        let mut strings = Strings::default();
        let mut stored = strings.store("first");
        for round in 0..1_000 {
            strings.release(stored);
            stored = strings.store_releasable(if round % 2 == 0 { "even" } else { "odd" });
        }
        assert_eq!((strings.read(stored), strings.owned.len()), ("odd", 1));
        assert_eq!(strings.len(), "first".len() + "odd".len());
    }

    #[test]
    fn duplicates_grow_apart() {
        let mut strings = Strings::default();
        let first = strings.store("ab");
        let [first, second] = strings.duplicate(first);
        let first = strings.append(first, "1");
        let second = strings.append(second, "2");
        let [second, third] = strings.duplicate(second);
        let third = strings.append(third, "3");
        assert_eq!(
            [
                strings.read(first),
                strings.read(second),
                strings.read(third)
            ],
            ["ab1", "ab2", "ab23"]
        );
    }
}
