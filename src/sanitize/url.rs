//! The scheme of a URL, as the URL standard's basic URL parser finds it. It must not know which schemes are good.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

/// A scheme, as it stands in a URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme<'u>(&'u str);

impl<'u> Scheme<'u> {
    /// That of a URL; none, if the URL is relative.
    pub(super) fn of(url: &'u str) -> Option<Scheme<'u>> {
        // Leading C0 controls and spaces are not there to the parser, nor are tabs and line ends anywhere.
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

    /// Whether it is this one, which is in small letters.
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
