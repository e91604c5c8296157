//! Conversion between documents and Rust values with serde: [`de`] deserializes documents into values, [`ser`]
//! serializes values as documents, and `impls` implements serde's traits for the crate's events, errors and limits.

pub mod de;
mod impls;
pub mod ser;
