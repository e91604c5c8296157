//! The element names that HTML's tree construction speaks of, as small integers: those of HTML,
//! the ones of MathML and SVG it treats apart, and those whose SVG spelling it restores. Must not
//! know what is done with any of them.
//!
//! A name is found by one multiplication, one look into a table of 1,024 bytes and a comparison
//! of words. No two of the names share a place in that table; should a new name break this, the
//! test `names_have_places_of_their_own` finds another multiplier and says it.

use super::key::Key;

/// Declares the names: variant, spelling in lower case, spelling in SVG where that differs.
macro_rules! element_names {
    ($($variant:ident $name:literal $($svg:literal)?,)*) => {
        /// One of the known names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
        pub(crate) enum ElementName {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl ElementName {
            /// All names; each stands at its own number.
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name as tags of an SVG fragment have it after HTML has restored its capitals.
            pub(crate) const fn svg_name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $svg,)?)*
                    _ => self.name(),
                }
            }
        }

        /// The names in lower case, by their numbers.
        static NAMES: [&str; ElementName::ALL.len()] = [$($name),*];
    };
}

element_names! {
    A "a",
    Address "address",
    AltGlyph "altglyph" "altGlyph",
    AltGlyphDef "altglyphdef" "altGlyphDef",
    AltGlyphItem "altglyphitem" "altGlyphItem",
    AnimateColor "animatecolor" "animateColor",
    AnimateMotion "animatemotion" "animateMotion",
    AnimateTransform "animatetransform" "animateTransform",
    AnnotationXml "annotation-xml",
    Applet "applet",
    Area "area",
    Article "article",
    Aside "aside",
    B "b",
    Base "base",
    Basefont "basefont",
    Bgsound "bgsound",
    Big "big",
    Blockquote "blockquote",
    Body "body",
    Br "br",
    Button "button",
    Caption "caption",
    Center "center",
    ClipPath "clippath" "clipPath",
    ErrorCode "code",
    Col "col",
    Colgroup "colgroup",
    Datalist "datalist",
    Dd "dd",
    Desc "desc",
    Details "details",
    Dialog "dialog",
    Dir "dir",
    Div "div",
    Dl "dl",
    Dt "dt",
    Em "em",
    Embed "embed",
    FeBlend "feblend" "feBlend",
    FeColorMatrix "fecolormatrix" "feColorMatrix",
    FeComponentTransfer "fecomponenttransfer" "feComponentTransfer",
    FeComposite "fecomposite" "feComposite",
    FeConvolveMatrix "feconvolvematrix" "feConvolveMatrix",
    FeDiffuseLighting "fediffuselighting" "feDiffuseLighting",
    FeDisplacementMap "fedisplacementmap" "feDisplacementMap",
    FeDistantLight "fedistantlight" "feDistantLight",
    FeDropShadow "fedropshadow" "feDropShadow",
    FeFlood "feflood" "feFlood",
    FeFuncA "fefunca" "feFuncA",
    FeFuncB "fefuncb" "feFuncB",
    FeFuncG "fefuncg" "feFuncG",
    FeFuncR "fefuncr" "feFuncR",
    FeGaussianBlur "fegaussianblur" "feGaussianBlur",
    FeImage "feimage" "feImage",
    FeMerge "femerge" "feMerge",
    FeMergeNode "femergenode" "feMergeNode",
    FeMorphology "femorphology" "feMorphology",
    FeOffset "feoffset" "feOffset",
    FePointLight "fepointlight" "fePointLight",
    FeSpecularLighting "fespecularlighting" "feSpecularLighting",
    FeSpotLight "fespotlight" "feSpotLight",
    FeTile "fetile" "feTile",
    FeTurbulence "feturbulence" "feTurbulence",
    Fieldset "fieldset",
    Figcaption "figcaption",
    Figure "figure",
    Font "font",
    Footer "footer",
    ForeignObject "foreignobject" "foreignObject",
    Form "form",
    Frame "frame",
    Frameset "frameset",
    GlyphRef "glyphref" "glyphRef",
    H1 "h1",
    H2 "h2",
    H3 "h3",
    H4 "h4",
    H5 "h5",
    H6 "h6",
    Head "head",
    Header "header",
    Hgroup "hgroup",
    Hr "hr",
    Html "html",
    I "i",
    Iframe "iframe",
    Image "image",
    Img "img",
    Input "input",
    Keygen "keygen",
    Li "li",
    LinearGradient "lineargradient" "linearGradient",
    Link "link",
    Listing "listing",
    Main "main",
    Malignmark "malignmark",
    Marquee "marquee",
    Math "math",
    Menu "menu",
    Meta "meta",
    Mglyph "mglyph",
    Mi "mi",
    Mn "mn",
    Mo "mo",
    Ms "ms",
    Mtext "mtext",
    Nav "nav",
    Nobr "nobr",
    Noembed "noembed",
    Noframes "noframes",
    Noscript "noscript",
    Object "object",
    Ol "ol",
    Optgroup "optgroup",
    Option "option",
    Output "output",
    P "p",
    Param "param",
    Plaintext "plaintext",
    Pre "pre",
    RadialGradient "radialgradient" "radialGradient",
    Rb "rb",
    Rp "rp",
    Rt "rt",
    Rtc "rtc",
    Ruby "ruby",
    S "s",
    Script "script",
    Search "search",
    Section "section",
    Select "select",
    Selectedcontent "selectedcontent",
    Small "small",
    Source "source",
    Span "span",
    Strike "strike",
    Strong "strong",
    Style "style",
    Sub "sub",
    Summary "summary",
    Sup "sup",
    Svg "svg",
    Table "table",
    Tbody "tbody",
    Td "td",
    Template "template",
    Textarea "textarea",
    TextPath "textpath" "textPath",
    Tfoot "tfoot",
    Th "th",
    Thead "thead",
    Title "title",
    Tr "tr",
    Track "track",
    Tt "tt",
    U "u",
    Ul "ul",
    Var "var",
    Wbr "wbr",
    Xmp "xmp",
}

impl ElementName {
    /// The element of that name, which is given in lower case, as the tokenizer emits it.
    #[inline]
    pub(crate) fn find(name: &str) -> Option<Self> {
        let key = Key::new(name.as_bytes())?;
        let found = PLACES[key.place(MULTIPLIER, PLACES_BITS)]?;
        (KEYS[found as usize] == key && (key.is_all() || name == found.name())).then_some(found)
    }

    /// The name in lower case.
    pub(crate) const fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// The table has a place for each number of so many bits.
const PLACES_BITS: u32 = 10;

/// Gives every name a place of its own.
const MULTIPLIER: u64 = 0xFEE9_67F8_BD64_00A7;

/// The names by their places.
static PLACES: [Option<ElementName>; 1 << PLACES_BITS] = {
    let mut places = [None; 1 << PLACES_BITS];
    let mut number = 0;
    while number < ElementName::ALL.len() {
        places[KEYS_MADE[number].place(MULTIPLIER, PLACES_BITS)] = Some(ElementName::ALL[number]);
        number += 1;
    }
    places
};

/// The keys of the names, by their numbers.
static KEYS: [Key; ElementName::ALL.len()] = KEYS_MADE;

/// The value of [`KEYS`], which the table of places is made from too.
const KEYS_MADE: [Key; ElementName::ALL.len()] = {
    let mut keys = [Key::EMPTY; ElementName::ALL.len()];
    let mut number = 0;
    while number < keys.len() {
        let Some(key) = Key::new(NAMES[number].as_bytes()) else {
            panic!("a name is longer than keys are made for");
        };
        keys[number] = key;
        number += 1;
    }
    keys
};

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec::Vec};

    /// Whether `multiplier` gives every name a place of its own.
    fn is_perfect(multiplier: u64) -> bool {
        let mut taken = [false; 1 << PLACES_BITS];
        KEYS.iter()
            .all(|key| !core::mem::replace(&mut taken[key.place(multiplier, PLACES_BITS)], true))
    }

    #[test]
    fn names_have_places_of_their_own() {
        if !is_perfect(MULTIPLIER) {
            // Some one in 100,000 is perfect; the numbers tried are those of a Weyl sequence.
            let step = 0x9E37_79B9_7F4A_7C15_u64;
            let mut tries = (1..50_000_000).map(|count| step.wrapping_mul(count) | 1);
            let found = tries.find(|&multiplier| is_perfect(multiplier));
            panic!("let MULTIPLIER be {found:#X?}");
        }
    }

    #[test]
    fn every_name_is_found_and_nothing_else() {
        let known: Vec<&str> = NAMES.to_vec();
        assert!(known.is_sorted_by(|a, b| a < b));
        let check = |name: &str| {
            let expected = known.iter().position(|&known| known == name);
            assert_eq!(
                ElementName::find(name).map(|found| found as usize),
                expected,
                "{name:?}"
            );
        };
        check("");
        for (number, &name) in known.iter().enumerate() {
            let found = ElementName::find(name).unwrap();
            assert_eq!((found, found.name()), (ElementName::ALL[number], name));
            assert_eq!(found as usize, number);
            // Everything one edit away: removed, replaced, inserted, in capitals.
            check(&name.to_ascii_uppercase());
            for at in 0..=name.len() {
                check(&name[..at]);
                check(&name[at..]);
                for other in ('\0'..='\u{7F}').chain(['é', '\u{10FFFF}']) {
                    check(&format!("{}{other}{}", &name[..at], &name[at..]));
                    let rest = name.get(at + 1..).unwrap_or_default();
                    check(&format!("{}{other}{rest}", &name[..at]));
                }
            }
        }
        for length in 0..100 {
            check(&"a".repeat(length));
        }
    }

    #[test]
    fn svg_spellings_differ_in_capitals_only() {
        let mut restored = 0;
        for name in ElementName::ALL {
            assert_eq!(name.svg_name().to_ascii_lowercase(), name.name());
            restored += usize::from(name.svg_name() != name.name());
        }
        assert_eq!(restored, 37);
        assert_eq!(ElementName::ForeignObject.svg_name(), "foreignObject");
        assert_eq!(ElementName::FeFuncR.svg_name(), "feFuncR");
        assert_eq!(ElementName::A.svg_name(), "a");
    }
}
