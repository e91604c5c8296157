//! What `check` does beside its output: statuses, streams, memory, time.

use crate::{folder, program};
use libtest_mimic::Trial;

pub(crate) fn trials() -> Vec<Trial> {
    let _ = (folder, program);
    Vec::new()
}
