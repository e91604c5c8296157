//! Checks the trees of Html from any bytes: see `fuzz/src/lib.rs`.

#![no_main]

tagstream_fuzz::target!(testing::invariants::html_tree::check_html_tree);
