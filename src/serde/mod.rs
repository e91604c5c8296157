//! Conversion between documents and Rust values with serde: [`de`] reads values from documents, [`ser`] writes values
//! as documents, and `impls` implements serde's traits for events, errors and limits.

pub mod de;
mod impls;
pub mod ser;
