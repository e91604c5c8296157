//! A cluster of [Ballista](https://datafusion.apache.org/ballista) that reads XML: Ballista's scheduler and executors with
//! the codecs of tagstream-datafusion.
//!
//! The program `cluster` runs a scheduler, an executor or a query, and has a demonstration that starts a cluster of
//! processes, kills one of them in the middle of a query, and checks the result.

pub mod children;
pub mod demo;
pub mod documents;
pub mod executor;
pub mod logger;
pub mod scheduler;
pub mod session;

/// The error of a command.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
