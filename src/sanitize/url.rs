//! The scheme of a URL, as the URL standard's basic URL parser finds it. It must not know which schemes are good.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

/// The letters of a scheme, in small ones; none, if the URL is relative.
pub(super) fn scheme(url: &str) -> Option<impl Iterator<Item = char> + '_> {
    // Leading C0 controls and spaces are not there to the parser, nor are tabs and line ends anywhere.
    let url = url.trim_start_matches(|character: char| character <= ' ');
    let mut characters = url.chars().filter(|character| !is_dropped(*character));
    let starts = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic());
    let is_part = |character: &char| {
        character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.')
    };
    let ends = characters.find(|character| !is_part(character)) == Some(':');
    (starts && ends).then(|| {
        let letters = url.chars().filter(|character| !is_dropped(*character));
        letters
            .take_while(|character| *character != ':')
            .map(|letter| letter.to_ascii_lowercase())
    })
}

/// Whether a URL has this scheme, which is in small letters.
pub(super) fn has_scheme(url: &str, name: &str) -> bool {
    scheme(url).is_some_and(|scheme| scheme.eq(name.chars()))
}

fn is_dropped(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r')
}
