//! Serialization of hash tables. The entries are saved, and are hashed again with the seeds of the process that loads
//! them.

use super::{Saved, Saving, load_all};
use core::hash::{BuildHasher, Hash};
use hashbrown::{HashMap, HashSet};
use serde_core::{Deserializer, Serializer};

impl<K: Saved + Eq + Hash, V: Saved, H: BuildHasher + Default> Saved for HashMap<K, V, H> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(|(key, value)| (Saving(key), Saving(value))))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<HashMap<K, V, H>, D::Error> {
        load_all::<(K, V), _, D>(from)
    }
}

impl<T: Saved + Eq + Hash, H: BuildHasher + Default> Saved for HashSet<T, H> {
    fn save<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter().map(Saving))
    }

    fn load<'de, D: Deserializer<'de>>(from: D) -> Result<HashSet<T, H>, D::Error> {
        load_all(from)
    }
}
