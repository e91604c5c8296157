//! One input in many feedings: what the test suites share.

pub(crate) mod cuts;
pub(crate) mod dump;
pub(crate) mod pull;
