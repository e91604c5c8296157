//! Serialization of `Arc`s. A value that several parts of a state share, such as the text of an external entity, is
//! saved once, and is shared again after loading. serde passes no context to implementations, so the list of shared
//! values is a thread-local variable.

use super::{Loaded, Saved, Saving};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use hashbrown::HashMap;
use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// The shared values met so far. While saving, `numbers` maps the address and length of a value to its number; while
/// loading, `loaded` contains the values by number.
#[derive(Default)]
struct Met {
    numbers: HashMap<(usize, usize), u32>,
    loaded: Vec<Box<dyn Any>>,
}

std::thread_local! {
    static MET: RefCell<Met> = RefCell::new(Met::default());
}

/// Guard that clears the list when it is dropped, also after a panic. An address may belong to another value
/// afterwards.
struct Forgets;

impl Drop for Forgets {
    fn drop(&mut self) {
        MET.take();
    }
}

/// Runs `work` with an empty list, and clears the list afterwards.
pub(super) fn together<T>(work: impl FnOnce() -> T) -> T {
    let _forgets = Forgets;
    MET.take();
    work()
}

/// Saves a value, or only its number if the value was saved before.
fn save<S: Serializer>(
    key: (usize, usize),
    value: &impl Serialize,
    to: S,
) -> Result<S::Ok, S::Error> {
    if let Some(number) = MET.with_borrow(|met| met.numbers.get(&key).copied()) {
        return Err::<(), _>(number).serialize(to);
    }
    let saved = Ok::<_, u32>(value).serialize(to);
    MET.with_borrow_mut(|met| {
        let number = met.numbers.len() as u32;
        met.numbers.insert(key, number);
    });
    saved
}

/// Loads a value with `make`, or returns the value with the number that was saved.
fn load<'de, T, V, D>(from: D, make: impl FnOnce(V) -> Arc<T>) -> Result<Arc<T>, D::Error>
where
    T: ?Sized + 'static,
    V: Deserialize<'de>,
    D: Deserializer<'de>,
{
    match Deserialize::deserialize(from)? {
        Ok(value) => {
            let made = make(value);
            MET.with_borrow_mut(|met| met.loaded.push(Box::new(Arc::clone(&made))));
            Ok(made)
        }
        Err(number) => MET.with_borrow(|met| {
            let number: u32 = number;
            let met = met.loaded.get(number as usize);
            let found = met.and_then(|met| met.downcast_ref::<Arc<T>>());
            found
                .cloned()
                .ok_or_else(|| D::Error::custom("nothing of this number is shared"))
        }),
    }
}

impl<T: Saved + 'static> Saved for Arc<T> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // The length distinguishes a sized value from a string at the same address. A zero-sized value has no address
        // of its own, but sharing it is harmless.
        save((Arc::as_ptr(self).addr(), usize::MAX), &Saving(&**self), to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
        load(from, |Loaded(value): Loaded<T>| Arc::new(value))
    }
}

impl Saved for Arc<str> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        save((Arc::as_ptr(self).addr(), self.len()), &&**self, to)
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        load(from, |text: &str| Arc::from(text))
    }
}
