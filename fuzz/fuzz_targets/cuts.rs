//! Any dialect on any bytes, whole and cut alone: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::dialects::check_cuts);
