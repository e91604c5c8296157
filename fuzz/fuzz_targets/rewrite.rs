//! Rewriting of any bytes in each dialect, with changes drawn from the first of them: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::rewriting::check_rewriting);
