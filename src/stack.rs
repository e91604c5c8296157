//! The stack of open elements: their names, and whether there is one of a given name.
//!
//! Dialects that match tags by name share it. A question about a name that is not the current
//! element's costs no walk: from the first such question on, the places of the names are kept.
//! Where an element was opened is known by marks, which cost nothing; its line and column are worked out
//! when that text goes.

use crate::error::Relation;
use crate::event::record::InEntity;
use crate::event::referred::{Place, Referred, Spot};
use crate::input::Mark;
use crate::input::held_text::{HeldText, Leaving};
use crate::limits::Limit;
use crate::seeds::Seeds;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Names go in as text, and as whole names; so they come out.
fn text(name: &[u8]) -> &str {
    core::str::from_utf8(name).expect("whole characters went in")
}

/// The open elements, the current one last.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct OpenElements {
    names: Vec<u8>,
    frames: Vec<Frame>,
    /// Where the open elements of each name are; kept once somebody has asked.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    places: Option<HashMap<Box<str>, Vec<u32>, Seeds>>,
    /// Where the outermost were opened: those whose start tags are not held any more, and `TELLING` at most.
    gone: Vec<Place>,
    /// Where in external entities those were opened that were, each with how many are open around it.
    inside: Vec<(usize, InEntity)>,
    /// Of the elements that have fewer than so many around them, something is known beside their frames.
    known: usize,
    /// The limits, and what is certainly below them.
    depth: usize,
    memory: usize,
    near_depth: usize,
    near_names: usize,
}

/// What a byte takes in memory that grows by doubling, while it grows.
const GROWTH: usize = 3;
/// What an element takes beside its name; where there are the places of names, too.
const ELEMENT: usize = GROWTH * size_of::<Frame>();
/// And as long as it is known where it was opened.
const TOLD: usize = GROWTH * size_of::<Place>();
/// So many of the outermost elements may be told where they were opened: as many as are open without other
/// limits than the usual.
const TELLING: usize = 10_000;
const PLACED: usize = 256 + ELEMENT;
/// And where some were opened in external entities.
const INSIDE: usize = GROWTH * size_of::<(usize, InEntity)>();

/// One open element.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
struct Frame {
    /// Where its name begins.
    name: u32,
    /// What the dialect wants to find again at its end.
    note: u32,
    /// Its start tag, in marks, if that is still held.
    start: Mark,
    end: Mark,
}

impl OpenElements {
    /// Takes the memory of another stack.
    pub(crate) fn inherit(&mut self, other: &mut OpenElements) {
        core::mem::swap(&mut self.names, &mut other.names);
        core::mem::swap(&mut self.frames, &mut other.frames);
        self.names.clear();
        self.frames.clear();
    }

    /// How many elements are open.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The name of the current element, in bytes.
    #[inline(always)]
    pub(crate) fn current(&self) -> Option<&[u8]> {
        self.frames
            .last()
            .map(|frame| &self.names[frame.name as usize..])
    }

    /// Name and note of the current element.
    #[inline(always)]
    pub(crate) fn innermost(&self) -> Option<(&[u8], u32)> {
        let frame = self.frames.last()?;
        Some((&self.names[frame.name as usize..], frame.note))
    }

    /// The name of the current element; empty if there is none.
    pub(crate) fn current_name(&self) -> &str {
        text(self.current().unwrap_or_default())
    }

    /// What the dialect noted for the current element.
    #[inline(always)]
    pub(crate) fn note(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.note)
    }

    pub(crate) fn set_limits(&mut self, depth: usize, memory: usize) {
        (self.depth, self.memory) = (depth, memory);
        self.recheck();
    }

    /// Whether a further element may exceed a limit: [`check`](Self::check) tells.
    #[inline(always)]
    pub(crate) fn is_near(&self) -> bool {
        self.frames.len() >= self.near_depth || self.names.len() >= self.near_names
    }

    /// The same with so many elements more, whose names have so many bytes at most.
    #[inline(always)]
    pub(crate) fn is_near_with(&self, elements: usize, names: usize) -> bool {
        self.frames.len() + elements >= self.near_depth
            || self.names.len() + names >= self.near_names
    }

    /// Bytes that the elements take; more, while memory grows.
    pub(crate) fn held(&self) -> usize {
        self.names
            .len()
            .saturating_mul(GROWTH)
            .saturating_add(self.frames.len().saturating_mul(self.element()))
            .saturating_add(self.frames.len().min(TELLING) * TOLD)
    }

    fn element(&self) -> usize {
        let element = match self.places {
            Some(_) => PLACED,
            None => ELEMENT,
        };
        match self.inside.is_empty() {
            true => element,
            false => element + INSIDE,
        }
    }

    /// The limit that a further element exceeds, where the parser holds so many bytes beside these.
    #[cold]
    pub(crate) fn check(&mut self, others: usize) -> Option<Limit> {
        if self.frames.len() >= self.depth {
            return Some(Limit::Depth);
        }
        let Some(left) = self.memory.checked_sub(others.saturating_add(self.held())) else {
            return Some(Limit::Memory);
        };
        let names = left / (2 * GROWTH);
        let frames = left / (2 * (self.element() + TOLD));
        self.near_names = self.names.len().saturating_add(names);
        self.near_depth = self.depth.min(self.frames.len().saturating_add(frames));
        None
    }

    /// Something else has changed that is held against the limits.
    #[cold]
    pub(crate) fn recheck(&mut self) {
        self.near_depth = 0;
    }

    /// Opens an element, whose start tag stands between two marks.
    #[inline(always)]
    pub(crate) fn push(&mut self, name: &str, note: u32, tag: (Mark, Mark)) {
        self.push_bytes(name.as_bytes(), note, tag);
    }

    /// Opens an element whose name is a string in bytes.
    #[inline(always)]
    pub(crate) fn push_bytes(&mut self, name: &[u8], note: u32, (start, end): (Mark, Mark)) {
        let frame = self.frames.len() as u32;
        if self.frames.capacity() == 0 {
            self.make_room();
        }
        self.frames.push(Frame {
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

    /// Makes room for the elements of a small document.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.frames = Vec::with_capacity(8);
        self.names = Vec::with_capacity(64);
    }

    /// The current element was opened in an external entity.
    #[cold]
    pub(crate) fn opened_in(&mut self, entity: InEntity) {
        if self.inside.is_empty() {
            self.recheck();
        }
        self.inside
            .push((self.frames.len().saturating_sub(1), entity));
        self.known = self.known.max(self.frames.len());
    }

    /// The start tag of the current element, for an error that refers to it.
    #[cold]
    pub(crate) fn opened(&self) -> Option<Referred> {
        let frame = self.frames.last()?;
        let around = self.frames.len() - 1;
        if around >= TELLING {
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

    /// The element is closed that had all that are open around it, and whose name begins here.
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

    /// Whether an element of this name is open.
    pub(crate) fn contains(&mut self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The innermost open element of this name: how many are open around it.
    #[cold]
    pub(crate) fn find(&mut self, name: &str) -> Option<usize> {
        if self.places.is_none() {
            self.recheck();
            self.known = usize::MAX;
        }
        let (names, frames) = (&self.names, &self.frames);
        let places = self.places.get_or_insert_with(|| {
            let mut places: HashMap<Box<str>, Vec<u32>, Seeds> = HashMap::default();
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

/// Tags that were opened in what goes have their places from then on.
impl Leaving for OpenElements {
    fn leave(&mut self, text: &HeldText<'_>, to: Mark) {
        if to == Mark::ZERO {
            return;
        }
        while self.gone.len() < TELLING
            && let Some(frame) = self.frames.get(self.gone.len())
            && frame.start < to
        {
            self.gone.push(Place::of(text, frame.start, frame.end));
        }
        self.known = self.known.max(self.gone.len());
        // Nobody asks for those further inside.
        let told = self.frames.len().min(TELLING);
        for frame in &mut self.frames[self.gone.len()..told] {
            frame.start = frame.start.rebased(to.get());
            frame.end = frame.end.rebased(to.get());
        }
    }
}
