//! A streaming pull parser for markup: bytes go in, in chunks of any size; events come out.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod text;
