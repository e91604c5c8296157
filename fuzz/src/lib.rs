//! What the fuzz targets do with bytes: the first byte is options, the rest the input. The checks are
//! those of `testing::invariants`; what is found becomes a named case in a test before it is mended.

use testing::invariants::{Check, Options};

/// Puts bytes to a check.
///
/// # Panics
///
/// Panics where something does not hold.
pub fn put(check: Check, data: &[u8]) {
    let Some((bits, input)) = data.split_first() else {
        return;
    };
    if let Err(problem) = check(Options::of_fuzz(*bits, input), input) {
        panic!("{:?}: {problem}", String::from_utf8_lossy(input));
    }
}

/// A target that puts its bytes to a check.
#[macro_export]
macro_rules! target {
    ($check:path) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::put($check, data));
    };
}
