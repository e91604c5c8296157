//! Rewrites any bytes in each dialect, with random edits whose seed is the first bytes: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::rewriting::check_rewriting);
