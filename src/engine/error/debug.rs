//! The macro that implements `Debug` for error types.

/// Implements `Debug` for error types as `Display`, because a program that returns an error from `main` prints it with
/// `Debug`.
macro_rules! debug_as_display {
    ($($error:ty),*) => {$(
        impl core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    )*};
}
pub(crate) use debug_as_display;
