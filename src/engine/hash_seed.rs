//! Seeded hashing for all tables whose keys come from the input, so that nobody can choose keys that collide.

/// A hasher with random seeds, different for each table.
#[cfg(feature = "std")]
pub(crate) type Seeds = std::hash::RandomState;
/// A hasher whose seeds derive from memory addresses, because without `std` there is no other source of randomness.
#[cfg(not(feature = "std"))]
pub(crate) type Seeds = hashbrown::DefaultHashBuilder;

/// A hasher for hashes that are stored.
#[cfg(not(feature = "checkpoints"))]
pub(crate) type KeptSeeds = hashbrown::DefaultHashBuilder;

/// A hasher whose seeds are part of a checkpoint, so that stored hashes stay valid in another process.
#[cfg(feature = "checkpoints")]
#[derive(Clone, Debug)]
pub(crate) struct KeptSeeds([u64; 2]);

#[cfg(feature = "checkpoints")]
impl Default for KeptSeeds {
    fn default() -> KeptSeeds {
        let random = Seeds::default();
        KeptSeeds([0, 1].map(|number| core::hash::BuildHasher::hash_one(&random, number)))
    }
}

/// Uses SipHash, the only hasher of the standard library that accepts keys.
#[cfg(feature = "checkpoints")]
#[expect(deprecated, reason = "what is to be used instead has no keys")]
impl core::hash::BuildHasher for KeptSeeds {
    type Hasher = core::hash::SipHasher;

    fn build_hasher(&self) -> core::hash::SipHasher {
        core::hash::SipHasher::new_with_keys(self.0[0], self.0[1])
    }
}

crate::checkpoint::checkpointable! {
    struct KeptSeeds(value);
}
