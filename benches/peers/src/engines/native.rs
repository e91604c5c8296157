//! pugixml, expat and libxml2, through the C and C++ files in `native/`.

use super::{Done, Job};
use crate::reading::{Exact, Fold};
use std::ffi::c_char;

/// A function of `native/`. The field `exact` of the reading decides whether it reads exactly.
type Read = unsafe extern "C" fn(*const c_char, usize, usize, *mut Exact) -> i32;

macro_rules! engines {
    ($($name:ident)*) => {
        mod c {
            use crate::reading::Exact;
            use std::ffi::c_char;

            unsafe extern "C" {
                $(pub fn $name(xml: *const c_char, length: usize, chunk: usize, fold: *mut Exact) -> i32;)*
            }
        }

        $(pub fn $name<const EXACT: bool>(job: &Job<'_>, reading: &mut Fold<EXACT>) -> Done {
            call(c::$name, job, reading)
        })*
    };
}

engines! {
    pugixml_tree
    expat_events
    expat_namespaces
    libxml2_events
    libxml2_tree
}

fn call<const EXACT: bool>(read: Read, job: &Job<'_>, reading: &mut Fold<EXACT>) -> Done {
    let bytes = &job.input.bytes;
    let reading = std::ptr::from_mut(reading).cast();
    // SAFETY: the bytes and the reading live during the call, and `Fold` has the same layout for both values of its
    // parameter.
    match unsafe { read(bytes.as_ptr().cast(), bytes.len(), job.chunk, reading) } {
        0 => Ok(()),
        _ => Err("the document is refused".into()),
    }
}
