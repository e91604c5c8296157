//! ammonia: sanitizes pages by its own lists, from string to string.

use super::{Done, Job};
use crate::reading::Reading;

pub fn sanitize<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let clean = ammonia::clean(std::str::from_utf8(&job.input.bytes)?);
    super::left(clean, reading);
    Ok(())
}
