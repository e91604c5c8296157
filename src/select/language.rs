//! Language ranges, as in `:lang(de, "*-CH")`.

use alloc::boxed::Box;

/// Returns true if a language tag, such as `de-Latn-CH`, is in one of these language ranges, by the extended filtering of
/// RFC 4647. An empty range contains the unknown language, whose tag is empty.
pub(super) fn is_in_any(tag: &str, ranges: &[Box<str>]) -> bool {
    ranges.iter().any(|range| is_in(tag, range))
}

fn is_in(tag: &str, range: &str) -> bool {
    if tag.is_empty() || range.is_empty() {
        return tag.is_empty() && range.is_empty();
    }
    let (mut tags, mut ranges) = (tag.split('-'), range.split('-'));
    let (first_tag, first_range) = (tags.next(), ranges.next());
    let is_same = |tag: &str, range: &str| range == "*" || tag.eq_ignore_ascii_case(range);
    if !first_tag
        .zip(first_range)
        .is_some_and(|(tag, range)| is_same(tag, range))
    {
        return false;
    }
    // A wildcard that is not the first part of a range means nothing. Parts of the tag are passed over until one is that
    // of the range, but not a single letter or digit, which begins an extension.
    ranges.filter(|range| *range != "*").all(|range| {
        let mut before = tags
            .by_ref()
            .take_while(|tag| tag.len() != 1 || tag.eq_ignore_ascii_case(range));
        before.any(|tag| tag.eq_ignore_ascii_case(range))
    })
}
