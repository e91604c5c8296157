//! Checks Sky on any bytes: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::dialects::check_sky);
