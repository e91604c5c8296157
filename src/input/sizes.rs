//! The sizes of what is worked on at a time: windows, chunks, batches. They are chosen for speed, and
//! what comes out never depends on them; so that tests meet every edge in short documents, the feature
//! `inspect` lets them be set.

/// Sizes of what a parser works on at a time, in bytes unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Sizes {
    /// Windows are at most this long, which bounds the masks and keeps them in the nearest cache.
    pub window: usize,
    /// The first window after an ill-formed sequence: where there is one, others are near, and what is
    /// checked beyond the next one is checked in vain.
    pub cautious: usize,
    /// Chunks below this length are appended to the buffer of our own, and so are chunks that are
    /// shorter than the beginning of a token that is held already. What is dead in that buffer waits
    /// until it is as long.
    pub in_place: usize,
    /// Chunks above this length are taken in parts, so that marks fit into 32 bits.
    pub part: usize,
    /// How far two known places are apart, from which lines and columns are counted.
    pub lines: usize,
    /// Replacement text is looked at in windows of about this length: an entity that refers to others
    /// is entered anew after each of them.
    pub expansion: usize,
    /// How many events a batch has, at least.
    pub batch: usize,
    /// In windows of which less is left, plain content of XML is read by the states alone.
    pub plain: usize,
    /// In windows of fewer bytes, few of the elements that are opened are closed too: their names are
    /// copied at once.
    pub brief: usize,
}

impl Sizes {
    /// What programs use.
    pub const USUAL: Sizes = Sizes {
        window: 32 << 10,
        cautious: 64,
        in_place: 4096,
        part: 1 << 30,
        lines: 4096,
        expansion: 512,
        batch: 128,
        plain: 16,
        brief: 1024,
    };
}

#[cfg(feature = "inspect")]
impl Sizes {
    /// All of them alike: windows, parts and batches of this size.
    #[must_use]
    pub const fn all(size: usize) -> Sizes {
        Sizes {
            window: size,
            cautious: size,
            in_place: size,
            part: size,
            lines: size,
            expansion: size,
            batch: size,
            plain: 1,
            brief: 1,
        }
    }

    /// The same, none of them zero.
    pub(crate) fn some(self) -> Sizes {
        Sizes {
            window: self.window.max(1),
            cautious: self.cautious.max(1),
            in_place: self.in_place.max(1),
            part: self.part.max(1),
            lines: self.lines.max(1),
            expansion: self.expansion.max(1),
            batch: self.batch.max(1),
            plain: self.plain,
            brief: self.brief,
        }
    }
}

#[cfg(feature = "checkpoints")]
impl Sizes {
    /// Whether a parser can work with them.
    pub(super) fn are_sound(&self) -> bool {
        let Sizes {
            window,
            cautious,
            in_place,
            part,
            lines,
            expansion,
            batch,
            plain: _,
            brief: _,
        } = *self;
        ![window, cautious, in_place, part, lines, expansion, batch].contains(&0)
    }
}
