//! Tables whose rows are records of XML documents.

mod common;
mod cuts;
mod early_end;
mod index;
#[cfg(feature = "proto")]
mod plans;
mod queries;
mod tables;
