//! Calls the methods of a parser in any order: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::call_order::check_orders);
