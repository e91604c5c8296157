//! Trees of HTML from any bytes: the first byte is options, the rest the input. The checks are those
//! of `testing::invariants::html_tree`; what is found becomes a named case in a test before it is mended.

#![no_main]

use libfuzzer_sys::fuzz_target;
use testing::invariants::html_tree::{HtmlOptions, check_html};

fuzz_target!(|data: &[u8]| {
    let Some((options, input)) = data.split_first() else {
        return;
    };
    if let Err(problem) = check_html(HtmlOptions(*options), input) {
        panic!("{:?}: {problem}", String::from_utf8_lossy(input));
    }
});
