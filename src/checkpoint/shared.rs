//! Serialization of `Arc`s. A value that several parts of a state share, such as the text of an external entity, is
//! saved once, and is shared again after loading.

use super::{Checkpointable, Damaged, Reader, Writer};
use alloc::boxed::Box;
use alloc::sync::Arc;

/// Saves the number of a value that was saved before, or otherwise 0 and the value.
fn save(key: (usize, usize), to: &mut Writer, value: impl FnOnce(&mut Writer)) {
    if let Some(number) = to.shared.numbers.get(&key) {
        return to.number(*number);
    }
    to.number(0);
    value(to);
    let number = to.shared.numbers.len() as u64 + 1;
    to.shared.numbers.insert(key, number);
}

/// Loads a value with `value`, or returns the value with the number that was saved.
fn load<T: ?Sized + 'static>(
    from: &mut Reader<'_>,
    value: impl FnOnce(&mut Reader<'_>) -> Result<Arc<T>, Damaged>,
) -> Result<Arc<T>, Damaged> {
    let Some(index) = from.number()?.checked_sub(1) else {
        let loaded = from.nested(value)?;
        from.shared.loaded.push(Box::new(Arc::clone(&loaded)));
        return Ok(loaded);
    };
    let index = usize::try_from(index).map_err(|_| Damaged)?;
    let loaded = from.shared.loaded.get(index);
    let loaded = loaded.and_then(|loaded| loaded.downcast_ref::<Arc<T>>());
    loaded.cloned().ok_or(Damaged)
}

impl<T: Checkpointable + 'static> Checkpointable for Arc<T> {
    fn save(&self, to: &mut Writer) {
        // The length distinguishes a sized value from a string at the same address. A zero-sized value has no address
        // of its own, but sharing it is harmless.
        let key = (Arc::as_ptr(self).addr(), usize::MAX);
        save(key, to, |to| (**self).save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<Arc<T>, Damaged> {
        load(from, |from| T::load(from).map(Arc::new))
    }
}

impl Checkpointable for Arc<str> {
    fn save(&self, to: &mut Writer) {
        let key = (Arc::as_ptr(self).addr(), self.len());
        save(key, to, |to| to.slice(self.as_bytes()));
    }

    fn load(from: &mut Reader<'_>) -> Result<Arc<str>, Damaged> {
        load(from, |from| from.text().map(Arc::from))
    }
}
