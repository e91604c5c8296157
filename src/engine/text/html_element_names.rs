//! The element names that HTML's tree construction refers to, as small integers: those of HTML, those of MathML and
//! SVG that need special treatment, and those whose SVG spelling is restored.
//!
//! A name is found with a perfect hash: one multiplication, one lookup in a table of 1,024 bytes, and a comparison of
//! words. If a new name collides with another, the test `names_have_places_of_their_own` finds a new multiplier and
//! prints it.

use super::key::Key;

/// Declares the names. Each row has the variant, the lower-case spelling and, if it differs, the spelling in SVG.
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
            /// All names; the index of each is its number.
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the spelling in SVG elements, after HTML has restored its capital letters.
            pub(crate) const fn svg_name(self) -> &'static str {
                match self {
                    $($(Self::$variant => $svg,)?)*
                    _ => self.name(),
                }
            }
        }

        /// The lower-case spellings, indexed by number.
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
    /// Finds the element with a name in lower case, which is how the tokenizer emits names.
    #[inline]
    pub(crate) fn find(name: &str) -> Option<Self> {
        let key = Key::new(name.as_bytes())?;
        let found = PLACES[key.place(MULTIPLIER, PLACES_BITS)]?;
        (KEYS[found as usize] == key && (key.is_all() || name == found.name())).then_some(found)
    }

    /// Whether `name` is the name of this element in lower case.
    #[inline(always)]
    pub(crate) fn is(self, name: &str) -> bool {
        Key::new(name.as_bytes())
            .is_some_and(|key| KEYS[self as usize] == key && (key.is_all() || name == self.name()))
    }

    /// Returns the name in lower case.
    pub(crate) const fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// The hash table has 2 to the power of this number of entries.
const PLACES_BITS: u32 = 10;

/// The multiplier with which no two names have the same index in the table.
const MULTIPLIER: u64 = 0xFEE9_67F8_BD64_00A7;

/// The hash table.
static PLACES: [Option<ElementName>; 1 << PLACES_BITS] = {
    let mut places = [None; 1 << PLACES_BITS];
    let mut number = 0;
    while number < ElementName::ALL.len() {
        places[KEYS_MADE[number].place(MULTIPLIER, PLACES_BITS)] = Some(ElementName::ALL[number]);
        number += 1;
    }
    places
};

/// The keys of the names, indexed by number.
static KEYS: [Key; ElementName::ALL.len()] = KEYS_MADE;

/// The value of [`KEYS`] as a constant, because the hash table is built from it at compile time.
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

    /// Returns whether no two names have the same index in the table with this multiplier.
    fn is_perfect(multiplier: u64) -> bool {
        let mut taken = [false; 1 << PLACES_BITS];
        KEYS.iter()
            .all(|key| !core::mem::replace(&mut taken[key.place(multiplier, PLACES_BITS)], true))
    }

    #[test]
    fn names_have_places_of_their_own() {
        if !is_perfect(MULTIPLIER) {
            // About one in 100,000 multipliers works. The candidates are a Weyl sequence.
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
            // Test all strings one edit away: with a character removed, replaced or inserted, or in capitals.
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
    fn an_element_has_its_own_name_only() {
        for element in ElementName::ALL {
            for name in NAMES {
                assert_eq!(element.is(name), element.name() == name, "{name:?}");
                assert!(!element.is(&format!("{name}\0")), "{name:?}");
                let shorter = &name[..name.len() - 1];
                assert_eq!(element.is(shorter), element.name() == shorter, "{name:?}");
            }
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
