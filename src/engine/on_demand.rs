//! A value that takes no memory as long as it is not changed.

#[cfg(feature = "checkpoints")]
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};
use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};

/// A value that is allocated when it is changed for the first time. Until then, it reads as [`Blank::BLANK`].
///
/// PERF: most documents use little of a parser's state, so a parser is made, moved and dropped faster if its rare parts
/// are not in it.
#[derive(Clone, Debug)]
pub(crate) struct OnDemand<T>(Option<Box<T>>);

/// A type of which [`OnDemand`] has values.
pub(crate) trait Blank: Default + 'static {
    /// The default value.
    const BLANK: &'static Self;
}

impl<T> OnDemand<T> {
    /// A value that was not changed yet.
    pub(crate) const NONE: OnDemand<T> = OnDemand(None);

    /// Returns the value if it was changed.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T> Default for OnDemand<T> {
    fn default() -> OnDemand<T> {
        OnDemand::NONE
    }
}

impl<T: Blank> Deref for OnDemand<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::BLANK)
    }
}

impl<T: Blank> DerefMut for OnDemand<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

#[cfg(feature = "checkpoints")]
impl<T: Blank + Checkpointable> Checkpointable for OnDemand<T> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<OnDemand<T>, Damaged> {
        Ok(OnDemand(Some(Box::new(T::load(from)?))))
    }
}
