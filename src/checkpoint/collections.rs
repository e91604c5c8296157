//! Serialization of values that contain other values. Of a hash table, the entries are saved; they are hashed again
//! with the seeds of the process that loads them.

use super::{Checkpointable, Damaged, Reader, Writer};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use hashbrown::{HashMap, HashSet};

impl<T: Checkpointable> Checkpointable for Option<T> {
    fn save(&self, to: &mut Writer) {
        self.is_some().save(to);
        if let Some(value) = self {
            value.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Option<T>, Damaged> {
        match bool::load(from)? {
            true => T::load(from).map(Some),
            false => Ok(None),
        }
    }
}

impl<T: Checkpointable> Checkpointable for Box<T> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Box<T>, Damaged> {
        from.nested(T::load).map(Box::new)
    }
}

impl<A: Checkpointable, B: Checkpointable> Checkpointable for (A, B) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<(A, B), Damaged> {
        Ok((A::load(from)?, B::load(from)?))
    }
}

impl<A: Checkpointable, B: Checkpointable, C: Checkpointable> Checkpointable for (A, B, C) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
        self.2.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<(A, B, C), Damaged> {
        Ok((A::load(from)?, B::load(from)?, C::load(from)?))
    }
}

impl<T: Checkpointable, const N: usize> Checkpointable for [T; N] {
    fn save(&self, to: &mut Writer) {
        self.iter().for_each(|value| value.save(to));
    }

    fn load(from: &mut Reader<'_>) -> Result<[T; N], Damaged> {
        let values: Vec<T> = (0..N).map(|_| T::load(from)).collect::<Result<_, _>>()?;
        values.try_into().map_err(|_| Damaged)
    }
}

/// Saves the number of values, and the values with `save`.
fn save_all<T>(
    values: impl ExactSizeIterator<Item = T>,
    to: &mut Writer,
    save: impl Fn(T, &mut Writer),
) {
    to.number(values.len() as u64);
    values.for_each(|value| save(value, to));
}

/// Loads values that were saved with [`save_all`]. Memory is reserved only for as many values as the bytes that are
/// left would fill.
fn load_all<T: Checkpointable>(from: &mut Reader<'_>) -> Result<Vec<T>, Damaged> {
    let length = from.length()?;
    let likely = from.left() / size_of::<T>().max(1);
    let mut values = Vec::with_capacity(length.min(likely));
    from.nested(|from| {
        for _ in 0..length {
            values.push(T::load(from)?);
        }
        Ok(values)
    })
}

fn save_entry<K: Checkpointable, V: Checkpointable>((key, value): (&K, &V), to: &mut Writer) {
    key.save(to);
    value.save(to);
}

impl<T: Checkpointable> Checkpointable for Vec<T> {
    fn save(&self, to: &mut Writer) {
        save_all(self.iter(), to, T::save);
    }

    fn load(from: &mut Reader<'_>) -> Result<Vec<T>, Damaged> {
        load_all(from)
    }
}

impl<T: Checkpointable> Checkpointable for VecDeque<T> {
    fn save(&self, to: &mut Writer) {
        save_all(self.iter(), to, T::save);
    }

    fn load(from: &mut Reader<'_>) -> Result<VecDeque<T>, Damaged> {
        load_all(from).map(VecDeque::from)
    }
}

impl<K: Checkpointable + Ord, V: Checkpointable> Checkpointable for BTreeMap<K, V> {
    fn save(&self, to: &mut Writer) {
        save_all(self.iter(), to, save_entry);
    }

    fn load(from: &mut Reader<'_>) -> Result<BTreeMap<K, V>, Damaged> {
        load_all(from).map(BTreeMap::from_iter)
    }
}

impl<K, V, H> Checkpointable for HashMap<K, V, H>
where
    K: Checkpointable + Eq + Hash,
    V: Checkpointable,
    H: BuildHasher + Default,
{
    fn save(&self, to: &mut Writer) {
        save_all(self.iter(), to, save_entry);
    }

    fn load(from: &mut Reader<'_>) -> Result<HashMap<K, V, H>, Damaged> {
        load_all(from).map(HashMap::from_iter)
    }
}

impl<T, H> Checkpointable for HashSet<T, H>
where
    T: Checkpointable + Eq + Hash,
    H: BuildHasher + Default,
{
    fn save(&self, to: &mut Writer) {
        save_all(self.iter(), to, T::save);
    }

    fn load(from: &mut Reader<'_>) -> Result<HashSet<T, H>, Damaged> {
        load_all(from).map(HashSet::from_iter)
    }
}
