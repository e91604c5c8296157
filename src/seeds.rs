//! The hash of every table whose keys the input chooses: seeded, so that nobody can choose keys which
//! collide.

/// Random seeds, new for each table.
#[cfg(feature = "std")]
pub(crate) type Seeds = std::hash::RandomState;
/// Without `std` there is no source of randomness but the addresses of things.
#[cfg(not(feature = "std"))]
pub(crate) type Seeds = hashbrown::DefaultHashBuilder;
