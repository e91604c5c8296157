//! Checks Xml with external entities on any bytes: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::entities::check_entities);
