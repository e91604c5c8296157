//! The `charset` parameter of a `Content-Type` header.

use alloc::borrow::Cow;
use alloc::string::String;

/// HTTP whitespace.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the first `charset` parameter of a MIME type that has a value, parsed as in the MIME Sniffing standard
/// (<https://mimesniff.spec.whatwg.org/#parse-a-mime-type>).
pub(crate) fn charset(header: &str) -> Option<Cow<'_, str>> {
    let mut rest = header.split_once(';')?.1;
    loop {
        rest = rest.trim_start_matches(SPACE);
        let end = rest.find([';', '=']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let mut value = Cow::Borrowed("");
        rest = after;
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => quoted_string(quoted),
                None => {
                    let (value, rest) = after.split_at(after.find(';').unwrap_or(after.len()));
                    (Cow::Borrowed(value.trim_end_matches(SPACE)), rest)
                }
            };
        }
        if name.eq_ignore_ascii_case("charset") && !value.is_empty() {
            return Some(value);
        }
        rest = rest.split_once(';')?.1;
    }
}

/// Splits `text` at the closing quote of a quoted string. Returns the unescaped string and the text after the quote.
fn quoted_string(text: &str) -> (Cow<'_, str>, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value.into(), &text[at + 1..]),
            '\\' => value.push(characters.next().map_or('\\', |(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value.into(), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets() {
        for (header, expected) in [
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;CHARSET=\"koi8-r\"; x=y", Some("koi8-r")),
            (
                "text/html; boundary=\"a;charset=no\" ; charset=big5 ",
                Some("big5"),
            ),
            ("text/html; charset=\"a\\\"b\"", Some("a\"b")),
            ("text/html; charset=; charset=x", Some("x")),
            ("text/html; charset", None),
            ("text/html", None),
            ("charset=utf-8", None),
            ("text/html; xcharset=utf-8", None),
            ("text/html; charset=\"open", Some("open")),
        ] {
            assert_eq!(charset(header).as_deref(), expected, "{header}");
        }
    }
}
