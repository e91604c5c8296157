//! Checks for any dialect and any bytes that the events are the same however the input is cut: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::dialects::check_cuts);
