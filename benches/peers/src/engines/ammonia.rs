//! ammonia: what may stay of a page that others wrote, by its own lists. It takes strings and gives them.

use super::{Done, Job};
use crate::reading::Reading;

pub fn sanitize<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let clean = ammonia::clean(std::str::from_utf8(&job.input.bytes)?);
    super::left(clean, reading);
    Ok(())
}
