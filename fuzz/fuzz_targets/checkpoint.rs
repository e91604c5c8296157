//! Checkpoints that somebody has changed, with a right checksum: see `testing/src/forged.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testing::corrupt_checkpoints::read(data));
