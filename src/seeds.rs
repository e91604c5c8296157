//! The hash of every table whose keys the input chooses: seeded, so that nobody can choose keys which
//! collide.

/// Random seeds, new for each table.
#[cfg(feature = "std")]
pub(crate) type Seeds = std::hash::RandomState;
/// Without `std` there is no source of randomness but the addresses of things.
#[cfg(not(feature = "std"))]
pub(crate) type Seeds = hashbrown::DefaultHashBuilder;

/// Seeds of hashes that are kept, and saved where that can be.
#[cfg(not(feature = "checkpoints"))]
pub(crate) type KeptSeeds = hashbrown::DefaultHashBuilder;

/// Seeds that can be saved, and hash the same in another process.
#[cfg(feature = "checkpoints")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptSeeds([u64; 2]);

#[cfg(feature = "checkpoints")]
impl Default for KeptSeeds {
    fn default() -> KeptSeeds {
        let random = Seeds::default();
        KeptSeeds([0, 1].map(|number| core::hash::BuildHasher::hash_one(&random, number)))
    }
}

/// SipHash, the only one of the standard library that takes its keys.
#[cfg(feature = "checkpoints")]
#[expect(deprecated, reason = "what is to be used instead has no keys")]
impl core::hash::BuildHasher for KeptSeeds {
    type Hasher = core::hash::SipHasher;

    fn build_hasher(&self) -> core::hash::SipHasher {
        core::hash::SipHasher::new_with_keys(self.0[0], self.0[1])
    }
}
