//! The common part of the fuzz targets. The first byte of the data is the options, and the rest is the input. The
//! checks are those of `testing::invariants`. For each problem that is found, a named test case is added before the
//! problem is fixed.

use testing::invariants::{Check, Options};

/// Runs a check on the data of the fuzzer.
///
/// # Panics
///
/// Panics if the check fails.
pub fn put(check: Check, data: &[u8]) {
    let Some((bits, input)) = data.split_first() else {
        return;
    };
    if let Err(problem) = check(Options::of_fuzz(*bits, input), input) {
        panic!("{:?}: {problem}", String::from_utf8_lossy(input));
    }
}

/// Defines a target that runs a check.
#[macro_export]
macro_rules! target {
    ($check:path) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::put($check, data));
    };
}
