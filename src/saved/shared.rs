//! What several parts of a state share, such as the text of an external entity: it is saved once, and shared
//! again by those who load it. serde hands no context on, so the list of what was met is one of the thread's.

use super::{Loaded, Saved, Saving};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use hashbrown::HashMap;
use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// What was met so far: where it is and how long, with its number; what was loaded, by its number.
#[derive(Default)]
struct Met {
    numbers: HashMap<(usize, usize), u32>,
    loaded: Vec<Box<dyn Any>>,
}

std::thread_local! {
    static MET: RefCell<Met> = RefCell::new(Met::default());
}

/// Forgets all when it goes, after a panic too: an address may be another's afterwards.
struct Forgets;

impl Drop for Forgets {
    fn drop(&mut self) {
        MET.take();
    }
}

/// Nothing is known before `work`, nor after it.
pub(super) fn together<T>(work: impl FnOnce() -> T) -> T {
    let _forgets = Forgets;
    MET.take();
    work()
}

/// Saves the number of what was met, or else what is there.
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

/// Loads what was met, or else makes it of what is there.
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
        // A type without size has no place of its own, and nothing to share.
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
