//! lexbor: its tokenizer, with the state changes that a tree builder would make, and its tree. The library that
//! `benches/lexbor/build.sh` builds is loaded at run time.

use super::{Done, Job};
use crate::reading::Fold;
use libloading::Library;
use std::ffi::c_char;
use std::path::Path;
use std::sync::LazyLock;

/// A function of `benches/lexbor/read.c`.
type Read<const EXACT: bool> =
    unsafe extern "C" fn(*const c_char, usize, usize, *mut Fold<EXACT>) -> i32;

static LIBRARY: LazyLock<Option<Library>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lexbor/target");
    // SAFETY: the library is the one that the script builds; loading it runs nothing.
    unsafe { Library::new(folder.join("liblexbor_walk.so")) }.ok()
});

/// Returns whether the library was built.
pub fn is_there() -> bool {
    LIBRARY.is_some()
}

pub fn tokens<const EXACT: bool>(job: &Job<'_>, reading: &mut Fold<EXACT>) -> Done {
    call(b"lexbor_tokens\0", job, reading)
}

pub fn tree<const EXACT: bool>(job: &Job<'_>, reading: &mut Fold<EXACT>) -> Done {
    call(b"lexbor_tree\0", job, reading)
}

fn call<const EXACT: bool>(name: &[u8], job: &Job<'_>, reading: &mut Fold<EXACT>) -> Done {
    let library = LIBRARY
        .as_ref()
        .ok_or("benches/lexbor/build.sh builds it")?;
    // SAFETY: `read.c` defines the functions with these parameters.
    let read = unsafe { library.get::<Read<EXACT>>(name) }?;
    let bytes = &job.input.bytes;
    // SAFETY: the bytes and the reading live during the call.
    match unsafe { read(bytes.as_ptr().cast(), bytes.len(), job.chunk, reading) } {
        0 => Ok(()),
        status => Err(format!("status {status}").into()),
    }
}
