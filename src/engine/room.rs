//! The first memory of lists and strings, most of which stay short.

use alloc::string::String;
use alloc::vec::Vec;

/// Number of values for which a list gets memory with its first value.
const FIRST_VALUES: usize = 8;

/// Adds a value to a list.
///
/// PERF: the first memory takes half as many instructions as growth by [`Vec::push`], which also has to handle a list
/// that has memory already.
#[inline(always)]
pub(crate) fn push_first<T>(list: &mut Vec<T>, value: T) {
    if list.capacity() == 0 {
        *list = Vec::with_capacity(FIRST_VALUES);
    }
    list.push(value);
}

/// Makes room for `count` more values in a list. PERF: see [`push_first`].
#[inline(always)]
pub(crate) fn reserve_first<T>(list: &mut Vec<T>, count: usize) {
    match list.capacity() {
        0 => *list = Vec::with_capacity(count),
        _ => list.reserve(count),
    }
}

/// Makes room for `bytes` more bytes in a string. PERF: see [`push_first`].
#[inline(always)]
pub(crate) fn reserve_first_bytes(text: &mut String, bytes: usize) {
    match text.capacity() {
        0 => *text = String::with_capacity(bytes),
        _ => text.reserve(bytes),
    }
}
