//! Restores changed checkpoints that have a correct checksum: see `testing/src/corrupt_checkpoints.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| testing::corrupt_checkpoints::read(data));
