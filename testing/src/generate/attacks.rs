//! Known attacks on sanitizers, and pieces of random attacks. Each attack would call `evil()`.

use super::html::Case;
use crate::random::Random;

/// Pieces of attacks. `onstart` is not among them, because Chromium 156 never returns if the attribute is sanitized
/// without a list of attributes.
const ATTACKS: &[&str] = &[
    "<script>evil()</script>",
    "<svg><script>evil()</script>",
    "<img src=x onerror=evil()>",
    "<svg onload=evil()>",
    "<body onload=evil()>",
    "<a href=javascript:evil()>",
    "<a href='java\tscript:evil()'>",
    "<a href='&#1; JavaScript&colon;evil()' id=x class=y>",
    "<svg><a xlink:href=javascript:evil()>",
    "<a xlink:href=javascript:evil()>",
    "<math href=javascript:evil()>",
    "<mi xlink:href=javascript:evil()>",
    "<svg><animate attributeName=href values=javascript:evil() onbegin=evil()>",
    "<set attributeName=xlink:href to=javascript:evil()>",
    "<svg><use href='#x' xlink:href='data:image/svg+xml,x'>",
    "<iframe src=javascript:evil()></iframe>",
    "<iframe srcdoc='<script>parent.evil()</script>'></iframe>",
    "<object data=javascript:evil()></object>",
    "<embed src=javascript:evil()>",
    "<form action=javascript:evil()>",
    "<button formaction=javascript:evil()>",
    "<input formaction=javascript:evil() autofocus onfocus=evil()>",
    "<style><img src=x onerror=evil()></style>",
    "<svg><style><img src=x onerror=evil()></style>",
    "<svg><style>&lt;img src=x onerror=evil()&gt;</style>",
    "<noscript><p title='</noscript><img src=x onerror=evil()>'></noscript>",
    "<title><img src=x onerror=evil()></title>",
    "<textarea><img src=x onerror=evil()></textarea>",
    "<xmp><img src=x onerror=evil()></xmp>",
    "<template><img src=x onerror=evil()></template>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=evil()&gt;'>",
    "<svg></p><style><a title='</style><img src=x onerror=evil()>'>",
    "<!--><img src=x onerror=evil()>-->",
    "<!--x--!><img src=x onerror=evil()>",
    "<?x <img src=x onerror=evil()>?>",
    "<p title='<img src=x onerror=evil()>' data-x=1 lang=en>",
    "<details open ontoggle=evil()>",
    "<table background=javascript:evil()><td>",
    "<select><option onclick=evil()>",
    "<marquee onclick=evil()>",
    "<x-y onclick=evil() style=x>",
    "<path d=x stroke=red onclick=evil() />",
    "<base href=javascript:evil()/>",
    "<plaintext><img src=x onerror=evil()>",
];

/// The known attacks, one per line.
const KNOWN: &str = include_str!("../../../tests/data/sanitizer-attacks.txt");

/// Returns the known attacks.
#[must_use]
pub fn known() -> Vec<&'static str> {
    let is_attack = |line: &&str| !line.is_empty() && !line.starts_with('#');
    KNOWN.lines().filter(is_attack).collect()
}

/// Inserts attacks between the tokens of a document.
#[must_use]
pub fn attacked(mut case: Case, random: &mut Random) -> Case {
    for _ in 0..=random.below(4) {
        let at = random.below(case.tokens.len() + 1);
        case.tokens.insert(at, random.pick(ATTACKS).to_owned());
    }
    case
}
