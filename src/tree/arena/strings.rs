//! The strings of a document in one growing buffer. A node or attribute stores an offset and a length, eight bytes in
//! all.
//!
//! ```text
//! shared  [.....value.....text of node 7....text of node 9]
//!                         ^ start           ^ the last range grows in place
//! owned   ["text of node 3, which grew after others had come", …]
//! ```
//!
//! A string that grows while it is not the last is moved, once, to a `String` of its own, so that
//! any number of appends in any order costs time linear in the bytes appended.

use alloc::string::String;
use alloc::vec::Vec;

/// The length that says "`start` is an index into the owned strings".
const OWNED: u32 = u32::MAX;

/// Length in bytes from which a string is shared instead of copied a second time.
const WORTH: u32 = 64;

/// The location of a string: an offset and a length in the shared buffer, or the number of an owned string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stored {
    start: u32,
    length: u32,
}

/// The strings.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    shared: String,
    owned: Vec<String>,
    /// Places among the owned strings that no string has any more.
    free: Vec<u32>,
    /// Bytes in the owned strings.
    apart: usize,
    /// Bytes copied by moves: what the test of linearity counts.
    #[cfg(test)]
    moved: usize,
}

impl Strings {
    /// Makes room for so many bytes more.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.shared.reserve(bytes);
    }

    /// Forgets all strings.
    pub(super) fn clear(&mut self) {
        self.shared.clear();
        self.owned.clear();
        self.free.clear();
        self.apart = 0;
    }

    /// Gives back room that was not used.
    pub(super) fn shrink_to_fit(&mut self) {
        self.shared.shrink_to_fit();
    }

    /// Keeps a copy of `text`.
    #[inline]
    pub(super) fn store(&mut self, text: &str) -> Stored {
        let (start, length) = (self.shared.len(), text.len());
        if start.saturating_add(length) >= OWNED as usize {
            // The shared buffer is beyond what a range can say.
            return self.own(String::from(text));
        }
        self.shared.push_str(text);
        Stored {
            start: start as u32,
            length: length as u32,
        }
    }

    /// Keeps a copy of `text` that can be [given up](Self::release): what replaces another string, so that
    /// replacing one again and again takes no more memory.
    pub(super) fn keep(&mut self, text: &str) -> Stored {
        match text.is_empty() {
            true => Stored::default(),
            false => self.own(String::from(text)),
        }
    }

    /// Frees an owned string that is no longer used. Text in the shared buffer is not freed.
    pub(super) fn release(&mut self, stored: Stored) {
        if stored.length == OWNED {
            let own = core::mem::take(&mut self.owned[stored.start as usize]);
            self.apart -= own.len();
            self.free.push(stored.start);
        }
    }

    /// The string at `stored`.
    #[inline]
    pub(super) fn read(&self, stored: Stored) -> &str {
        let start = stored.start as usize;
        if stored.length == OWNED {
            &self.owned[start]
        } else {
            &self.shared[start..start + stored.length as usize]
        }
    }

    /// The string at `stored` followed by `text`; the old range is not to be used any more.
    pub(super) fn append(&mut self, stored: Stored, text: &str) -> Stored {
        if stored.length == OWNED {
            self.owned[stored.start as usize].push_str(text);
            self.apart += text.len();
            return stored;
        }
        if stored.length == 0 {
            return self.store(text);
        }
        let end = stored.start as usize + stored.length as usize;
        if end == self.shared.len()
            && let Ok(more) = u32::try_from(text.len())
            && let Some(length) = stored.length.checked_add(more)
            && length < OWNED
        {
            self.shared.push_str(text);
            return Stored { length, ..stored };
        }
        let mut own = String::with_capacity(stored.length as usize + text.len());
        own.push_str(self.read(stored));
        own.push_str(text);
        #[cfg(test)]
        {
            self.moved += stored.length as usize;
        }
        self.own(own)
    }

    /// The string once for its holder and once for another, which may grow apart: as a range in the
    /// shared buffer, for what that covers never changes; as two copies where that buffer is full.
    pub(super) fn duplicate(&mut self, stored: Stored) -> [Stored; 2] {
        if stored.length != OWNED {
            return [stored; 2];
        }
        let own = core::mem::take(&mut self.owned[stored.start as usize]);
        if self.shared.len().saturating_add(own.len()) < OWNED as usize {
            self.apart -= own.len();
            self.free.push(stored.start);
            return [self.store(&own); 2];
        }
        let copy = own.clone();
        self.owned[stored.start as usize] = own;
        [stored, self.own(copy)]
    }

    /// Whether the string may be that of several, and is long enough that this is worth knowing.
    pub(super) fn may_be_shared(stored: Stored) -> bool {
        stored.length != OWNED && stored.length >= WORTH
    }

    /// Bytes of all strings.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.shared.len() + self.apart
    }

    /// Bytes of memory held.
    pub(super) fn heap_size(&self) -> usize {
        self.shared.capacity()
            + self.owned.capacity() * size_of::<String>()
            + self.owned.iter().map(String::capacity).sum::<usize>()
            + self.free.capacity() * size_of::<u32>()
    }

    fn own(&mut self, text: String) -> Stored {
        if let Some(start) = self.free.pop() {
            self.apart += text.len();
            self.owned[start as usize] = text;
            return Stored {
                start,
                length: OWNED,
            };
        }
        let Ok(start) = u32::try_from(self.owned.len()) else {
            // Nodes and attributes are at their most: what is left out is theirs that are left out.
            return Stored::default();
        };
        self.apart += text.len();
        self.owned.push(text);
        Stored {
            start,
            length: OWNED,
        }
    }
}

#[cfg(feature = "checkpoints")]
impl Strings {
    /// The string, if there is one.
    pub(super) fn find(&self, stored: Stored) -> Option<&str> {
        let start = stored.start as usize;
        match stored.length == OWNED {
            true => self.owned.get(start).map(String::as_str),
            false => {
                let end = start.checked_add(stored.length as usize)?;
                self.shared.get(start..end)
            }
        }
    }

    /// Whether what is counted is there.
    pub(super) fn is_valid(&self) -> bool {
        let are_free = |place: &u32| {
            self.owned
                .get(*place as usize)
                .is_some_and(String::is_empty)
        };
        self.apart == self.owned.iter().map(String::len).sum::<usize>()
            && self.free.iter().all(are_free)
    }
}

crate::checkpoint::checkpointable! {
    struct Stored { start, length }
    struct Strings {
        shared, owned, free, apart
        ; skip #[cfg(test)] moved = Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Strings;

    /// Appends `rounds` times one byte to each of `count` strings in turn and gives the bytes
    /// moved.
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
            // All but the last, which has the end of the buffer to itself from then on.
            assert_eq!(moved(count, 1_000), count - 1);
        }
    }

    /// A string that is replaced any number of times takes one place.
    #[test]
    fn what_is_given_up_makes_room() {
        let mut strings = Strings::default();
        let mut stored = strings.store("first");
        for round in 0..1_000 {
            strings.release(stored);
            stored = strings.keep(if round % 2 == 0 { "even" } else { "odd" });
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
