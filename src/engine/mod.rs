//! The part of the library that all dialects share: the parser and its interface to tokenizers, events, decoding of
//! the input, errors and limits.
//!
//! The modules are listed from top to bottom: each uses only modules that are listed after it.

// `parser` is first, so that the rustdoc page of `Parser` begins with its constructors.
pub(crate) mod parser;

pub(crate) mod dialect;

pub(crate) mod tokenizer;

pub(crate) mod attributes;
pub(crate) mod stack;

pub(crate) mod text;

pub(crate) mod event;

pub(crate) mod error;

pub(crate) mod document_mode;
pub(crate) mod entity;

pub(crate) mod options;

pub(crate) mod limits;

pub(crate) mod namespaces;

pub(crate) mod hash_seed;
pub(crate) mod linked_list;
pub(crate) mod on_demand;
pub(crate) mod room;

pub(crate) mod input;

pub(crate) mod scan;

pub(crate) mod work;
