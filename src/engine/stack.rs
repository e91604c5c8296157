//! The stack of open elements, shared by the dialects that match tags by name.
//!
//! Matching an end tag with the current element only compares two names. To find another open element by name, the
//! stack builds a hash table of names when it is asked for the first time, so that no lookup walks the stack.
//!
//! For error messages, each element records the range of its start tag in the buffered text. When that text is
//! discarded, the range is converted to a position, for the outermost elements only ([`MAX_REPORTED_DEPTH`]).

use crate::engine::error::Relation;
use crate::engine::event::in_entity::InEntity;
use crate::engine::event::referred::{InputLocation, Referred, Spot};
use crate::engine::hash_seed::Seeds;
use crate::engine::input::BufferOffset;
use crate::engine::input::held_text::HeldText;
use crate::engine::limits::Limit;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Converts the bytes of a name to a string. Only whole names are stored, so they are valid UTF-8.
fn text(name: &[u8]) -> &str {
    core::str::from_utf8(name).expect("whole characters went in")
}

/// Indices of the open elements by name.
type Places = HashMap<Box<str>, Vec<u32>, Seeds>;

/// The stack of open elements. The last element is the current one.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenElements {
    /// The names of all open elements, concatenated.
    names: Vec<u8>,
    frames: Vec<OpenElement>,
    /// Indices of the open elements by name. Created when [`find`](OpenElements::find) is called for the first time.
    places: Option<Box<Places>>,
    /// Positions in the input of start tags that are no longer buffered. The index of each is the index of the element;
    /// only the outermost [`MAX_REPORTED_DEPTH`] elements have a position.
    gone: Vec<InputLocation>,
    /// Ranges of start tags in external entities, with the index of the element, in order.
    inside: Vec<(usize, InEntity)>,
    /// Number of outermost elements for which `places`, `gone` or `inside` may contain data. Closing one of these
    /// elements has to update these fields.
    known: usize,
    /// The limits on the number of elements, and on memory in bytes. While there are fewer than `near_depth` elements,
    /// and fewer than `near_names` bytes of names, neither limit can be exceeded.
    depth: usize,
    memory: usize,
    near_depth: usize,
    near_names: usize,
}

/// Bytes of memory for each byte in a vector that grows by doubling: while it grows, the old and the new buffer
/// exist.
const GROWTH: usize = 3;
/// Bytes of memory for an open element, without its name.
const ELEMENT_BYTES: usize = GROWTH * size_of::<OpenElement>();
/// Bytes of memory for the position of a start tag.
const POSITION_BYTES: usize = GROWTH * size_of::<InputLocation>();
/// Maximum number of outermost elements whose start tags can be reported in errors. It equals the default depth
/// limit.
const MAX_REPORTED_DEPTH: usize = 10_000;
/// Bytes of memory for an open element if the table of names exists.
const INDEXED_ELEMENT_BYTES: usize = 256 + ELEMENT_BYTES;
/// Additional bytes of memory for an open element if some elements were opened in external entities.
const IN_ENTITY_BYTES: usize = GROWTH * size_of::<(usize, InEntity)>();

/// An open element.
#[derive(Clone, Copy, Debug)]
struct OpenElement {
    /// Index in [`OpenElements::names`] of the first byte of the element's name.
    name: u32,
    /// A number that the dialect stores with the element, for use at the end tag.
    note: u32,
    /// Range of the start tag in the buffered text, if it is still buffered.
    start: BufferOffset,
    end: BufferOffset,
}

impl OpenElements {
    /// Takes over the buffers of another stack, to reuse their memory.
    pub(crate) fn inherit(&mut self, other: &mut OpenElements) {
        core::mem::swap(&mut self.names, &mut other.names);
        core::mem::swap(&mut self.frames, &mut other.frames);
        self.names.clear();
        self.frames.clear();
    }

    /// Returns the number of open elements.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the name of the current element in bytes.
    #[inline(always)]
    pub(crate) fn current(&self) -> Option<&[u8]> {
        self.frames
            .last()
            .map(|frame| &self.names[frame.name as usize..])
    }

    /// Returns the name and the note of the current element.
    #[inline(always)]
    pub(crate) fn innermost(&self) -> Option<(&[u8], u32)> {
        let frame = self.frames.last()?;
        Some((&self.names[frame.name as usize..], frame.note))
    }

    /// Returns the name of the current element, or an empty string if no element is open.
    pub(crate) fn current_name(&self) -> &str {
        text(self.current().unwrap_or_default())
    }

    /// Returns the note of the current element, or 0 if no element is open.
    #[inline(always)]
    pub(crate) fn note(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.note)
    }

    pub(crate) fn set_limits(&mut self, depth: usize, memory: usize) {
        (self.depth, self.memory) = (depth, memory);
        self.recheck();
    }

    /// Returns whether one more element may exceed a limit, in which case [`check`](Self::check) decides.
    #[inline(always)]
    pub(crate) fn is_near(&self) -> bool {
        self.frames.len() >= self.near_depth || self.names.len() >= self.near_names
    }

    /// Returns whether opening `elements` more elements, whose names have at most `names` bytes in total, may exceed a
    /// limit.
    #[inline(always)]
    pub(crate) fn is_near_with(&self, elements: usize, names: usize) -> bool {
        self.frames.len() + elements >= self.near_depth
            || self.names.len() + names >= self.near_names
    }

    /// Returns an upper bound of the bytes of memory that the open elements take.
    pub(crate) fn memory_used(&self) -> usize {
        self.names
            .len()
            .saturating_mul(GROWTH)
            .saturating_add(self.frames.len().saturating_mul(self.element()))
            .saturating_add(self.frames.len().min(MAX_REPORTED_DEPTH) * POSITION_BYTES)
    }

    fn element(&self) -> usize {
        let element = match self.places {
            Some(_) => INDEXED_ELEMENT_BYTES,
            None => ELEMENT_BYTES,
        };
        match self.inside.is_empty() {
            true => element,
            false => element + IN_ENTITY_BYTES,
        }
    }

    /// Returns the limit that one more element exceeds, if any. `others` is the number of bytes that the parser holds
    /// besides the stack.
    #[cold]
    pub(crate) fn check(&mut self, others: usize) -> Option<Limit> {
        if self.frames.len() >= self.depth {
            return Some(Limit::Depth);
        }
        let Some(left) = self
            .memory
            .checked_sub(others.saturating_add(self.memory_used()))
        else {
            return Some(Limit::Memory);
        };
        let names = left / (2 * GROWTH);
        let frames = left / (2 * (self.element() + POSITION_BYTES));
        self.near_names = self.names.len().saturating_add(names);
        self.near_depth = self.depth.min(self.frames.len().saturating_add(frames));
        None
    }

    /// Forces a full check of the limits at the next element, because the memory held elsewhere has changed.
    #[cold]
    pub(crate) fn recheck(&mut self) {
        self.near_depth = 0;
    }

    /// Opens an element. `tag` is the range of its start tag in the buffered text.
    #[inline(always)]
    pub(crate) fn push(&mut self, name: &str, note: u32, tag: (BufferOffset, BufferOffset)) {
        self.push_bytes(name.as_bytes(), note, tag);
    }

    /// Opens an element whose name is given in bytes, which must be UTF-8.
    #[inline(always)]
    pub(crate) fn push_bytes(
        &mut self,
        name: &[u8],
        note: u32,
        (start, end): (BufferOffset, BufferOffset),
    ) {
        debug_assert!(
            self.is_last_start(start),
            "start tags are pushed in their order"
        );
        let frame = self.frames.len() as u32;
        if self.frames.capacity() == 0 {
            self.make_room();
        }
        self.frames.push(OpenElement {
            name: self.names.len() as u32,
            note,
            start,
            end,
        });
        self.names.extend_from_slice(name);
        if let Some(places) = &mut self.places {
            places.entry_ref(text(name)).or_default().push(frame);
        }
    }

    /// Returns whether a start tag follows those of all open elements, as far as they are buffered. The positions of start
    /// tags that are discarded are found by this order. Start tags in external entities have other offsets.
    fn is_last_start(&self, start: BufferOffset) -> bool {
        let buffered = self.gone.len()..self.frames.len().min(MAX_REPORTED_DEPTH);
        let last = self.frames.get(buffered).and_then(<[OpenElement]>::last);
        !self.inside.is_empty() || last.is_none_or(|last| last.start <= start)
    }

    /// Allocates enough memory for the open elements of a small document.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.frames = Vec::with_capacity(8);
        self.names = Vec::with_capacity(64);
    }

    /// Records that the current element was opened in an external entity.
    #[cold]
    pub(crate) fn opened_in(&mut self, entity: InEntity) {
        if self.inside.is_empty() {
            self.recheck();
        }
        self.inside
            .push((self.frames.len().saturating_sub(1), entity));
        self.known = self.known.max(self.frames.len());
    }

    /// Returns the start tag of the current element, for an error that refers to it. Returns `None` if the element is
    /// nested so deeply that its position is not recorded.
    #[cold]
    pub(crate) fn opened(&self) -> Option<Referred> {
        let frame = self.frames.last()?;
        let around = self.frames.len() - 1;
        if around >= MAX_REPORTED_DEPTH {
            return None;
        }
        let inside = self.inside.last().filter(|(at, _)| *at == around);
        Some(Referred {
            relation: Relation::OpenTag,
            spot: match self.gone.get(around) {
                Some(place) => Spot::Known(*place),
                None => Spot::Held(frame.start, frame.end),
            },
            entity: inside.map(|(_, entity)| entity.clone()),
        })
    }

    /// Closes the current element.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if self.frames.len() < self.known {
            self.forget(frame.name as usize);
        }
        self.names.truncate(frame.name as usize);
    }

    /// Removes the data of the element that was just closed from `places`, `gone` and `inside`. `from` is the index in
    /// `names` at which its name starts.
    #[cold]
    fn forget(&mut self, from: usize) {
        let open = self.frames.len();
        self.gone.truncate(open);
        self.inside.pop_if(|(at, _)| *at >= open);
        let Some(places) = &mut self.places else {
            let inside = self.inside.last().map_or(0, |(at, _)| at + 1);
            self.known = self.gone.len().max(inside);
            return;
        };
        let name = text(&self.names[from..]);
        if let Some(frames) = places.get_mut(name) {
            frames.pop();
            if frames.is_empty() {
                places.remove(name);
            }
        }
    }

    /// Returns whether an element with this name is open.
    pub(crate) fn contains(&mut self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns the index of the innermost open element with this name, which is the number of elements around it.
    #[cold]
    pub(crate) fn find(&mut self, name: &str) -> Option<usize> {
        if self.places.is_none() {
            self.recheck();
            self.known = usize::MAX;
        }
        let (names, frames) = (&self.names, &self.frames);
        let places = self.places.get_or_insert_with(|| {
            let mut places = Box::<Places>::default();
            let ends = frames
                .iter()
                .skip(1)
                .map(|frame| frame.name as usize)
                .chain([names.len()]);
            for (index, (frame, end)) in frames.iter().zip(ends).enumerate() {
                places
                    .entry_ref(text(&names[frame.name as usize..end]))
                    .or_default()
                    .push(index as u32);
            }
            places
        });
        places.get(name)?.last().map(|&frame| frame as usize)
    }
}

/// Converts the ranges of start tags that are about to be discarded to positions.
impl OpenElements {
    /// Prepares for the removal of the buffered text before the offset `to`, which becomes offset 0: the places of
    /// elements in that text become positions in the input.
    pub(crate) fn before_discard(&mut self, text: &HeldText<'_>, to: BufferOffset) {
        if to == BufferOffset::ZERO {
            return;
        }
        while self.gone.len() < MAX_REPORTED_DEPTH
            && let Some(frame) = self.frames.get(self.gone.len())
            && frame.start < to
        {
            self.gone
                .push(InputLocation::of(text, frame.start, frame.end));
        }
        self.known = self.known.max(self.gone.len());
        // Elements nested more deeply than `MAX_REPORTED_DEPTH` are never reported, so their offsets need no update.
        let told = self.frames.len().min(MAX_REPORTED_DEPTH);
        for frame in &mut self.frames[self.gone.len()..told] {
            frame.start = frame.start.rebased(to.get());
            frame.end = frame.end.rebased(to.get());
        }
    }
}

crate::checkpoint::checkpointable! {
    struct OpenElements {
        names, frames, places, gone, inside, known, depth, memory, near_depth, near_names,
    }
    struct OpenElement { name, note, start, end }
}
