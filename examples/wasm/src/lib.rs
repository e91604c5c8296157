//! The library behind functions that WebAssembly exports: bytes in, text out. `drive.mjs` calls them.
//!
//! The host asks for room with `reserve`, writes its bytes there, and then says how many these are; what is to
//! be read stands at `output`. Nothing here is unsafe but the attribute that exports.

#[cfg(feature = "html")]
mod html;
#[cfg(feature = "xml")]
mod xml;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the host writes, and what it reads.
struct Memory {
    input: Vec<u8>,
    output: String,
}

static MEMORY: Mutex<Memory> = Mutex::new(Memory {
    input: Vec::new(),
    output: String::new(),
});

fn memory() -> MutexGuard<'static, Memory> {
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for so many bytes; gives where.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut memory = memory();
    memory.input.resize(length, 0);
    memory.input.as_mut_ptr()
}

/// Where the output stands.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    memory().output.as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    memory().output.len()
}
