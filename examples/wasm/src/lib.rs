//! Exports the library to WebAssembly: bytes in, text out. `drive.mjs` calls the functions.
//!
//! The host calls `reserve`, writes its bytes to the returned address, and then calls a `read` function with the number
//! of bytes. The result is at the address `output`. Only the attributes that export functions are unsafe.

#[cfg(feature = "html")]
mod html;
#[cfg(feature = "xml")]
mod xml;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The input of the host, and the output for the host.
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

/// Makes the input buffer as long as `length`, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let mut memory = memory();
    memory.input.resize(length, 0);
    memory.input.as_mut_ptr()
}

/// Returns the address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    memory().output.as_ptr()
}

/// Returns the length of the output, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    memory().output.len()
}
