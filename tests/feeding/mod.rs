//! One input in many feedings: what the test suites share.

pub(crate) mod cuts;
mod dump;
pub(crate) mod pull;
