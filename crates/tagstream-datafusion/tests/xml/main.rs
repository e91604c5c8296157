//! Tables whose rows are records of XML documents.

mod common;
mod cuts;
mod index;
#[cfg(feature = "proto")]
mod plans;
mod queries;
mod tables;
