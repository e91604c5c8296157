//! Objects that the garbage collector does not visit.
//!
//! PyO3 registers each object of a class with the collector, also if the class has no references to visit. Handles and
//! events cannot be part of a cycle that the collector could break, so to register them only costs time: a list of many
//! of them starts collections, which visit each object.

use pyo3::PyClass;
use pyo3::ffi;
use pyo3::prelude::*;

/// Removes a new object from the list of the collector.
pub(crate) fn untracked<T: PyClass>(object: Bound<'_, T>) -> Bound<'_, T> {
    // SAFETY: the type of a PyO3 class has the flag `Py_TPFLAGS_HAVE_GC`, and the function accepts tracked and untracked
    // objects of such types. An untracked object is freed by its reference count, as before. The classes have no
    // `__traverse__`, so the collector could not break a cycle through them either.
    unsafe { ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
    object
}
