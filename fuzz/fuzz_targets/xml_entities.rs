//! Xml with external entities on any bytes: see `fuzz/src/lib.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tagstream_fuzz::xml_entities(data));
