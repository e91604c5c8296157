//! A second implementation of the specification of each dialect except HTML. The models follow the text of the
//! specification, read the whole input at once, and share no code with the library. The results of both must be equal.

pub mod leafxml;
pub mod microxml;
pub mod sky;
pub mod xml;
