//! The scheme of a URL, as the URL standard's basic URL parser finds it.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

/// The scheme of a URL, as written: its case is unchanged, and it may contain tabs and newlines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme<'u>(&'u str);

impl<'u> Scheme<'u> {
    /// Returns the scheme of a URL, or `None` if the URL is relative.
    pub(super) fn of(url: &'u str) -> Option<Scheme<'u>> {
        // The URL parser ignores leading C0 controls and spaces, and tabs and newlines anywhere.
        let url = url.trim_start_matches(|character: char| character <= ' ');
        if !url.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let is_part = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') || is_dropped(byte)
        };
        let end = url.bytes().position(|byte| !is_part(byte))?;
        (url.as_bytes()[end] == b':').then_some(Scheme(&url[..end]))
    }

    /// Compares the scheme with a lowercase name.
    pub(super) fn is(self, name: &str) -> bool {
        let letters = self.0.bytes().filter(|byte| !is_dropped(*byte));
        letters
            .map(|letter| letter.to_ascii_lowercase())
            .eq(name.bytes())
    }
}

fn is_dropped(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}
