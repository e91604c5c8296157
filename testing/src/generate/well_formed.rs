//! Random well-formed XML with everything that it can contain: declarations, entities and defaults of an internal
//! subset, namespaces, CDATA sections, and characters that can be written only as references.

use super::{Parts, Pieces, some, words};
use crate::random::Random;

static NAMES: Pieces = Pieces::new(|| words("a b c d item é _x a-b.1 日本 B"));

/// Names of attributes. A tag uses each name at most once, whether it has a prefix or not.
const ATTRIBUTES: [&str; 7] = ["k", "l", "é", "_m", "n.1", "o-p", "K"];

static TEXTS: Pieces = Pieces::new(|| {
    words(
        "x text 1 é 日本 𝄞 ] ]] > -- ' \" = / ; ␣ ␣␣ \n \t \r \r\n \u{85} \u{2028} \u{a0} \u{7f} \u{fffd} &lt; &gt; \
         &amp; &quot; &apos; &#65; &#x1F600; &#9; &#10; &#13; &#xD; &#x20; &#38;lt; &#60;",
    )
});

/// Pieces of content that attribute values do not contain.
static MARKUP: Pieces = Pieces::new(|| {
    words(
        "<![CDATA[<&>]]> <![CDATA[]]> <![CDATA[]]]]> <![CDATA[\r\n␣]]> <!--c--> <!----> <!--␣-␣<&>\r\n␣--> <?p?> \
         <?p␣d?> <?xml-s␣␣a='<&>'␣?> <?é␣?␣>\r?> <?p␣␣?>",
    )
});

/// The declarations of an internal subset.
static SUBSET: Pieces = Pieces::new(|| {
    words(
        "<!ATTLIST␣b␣y␣CDATA␣'d&#38;␣&#9;\n&lt;'> <!ATTLIST␣b␣z␣NMTOKENS␣'␣i␣␣j␣'> \
         <!ATTLIST␣c␣w␣(v|u)␣#FIXED␣'v'␣k␣CDATA␣#IMPLIED> <!ATTLIST␣d␣xmlns:r␣CDATA␣'urn:r'␣r:s␣CDATA␣'t'> \
         <!ATTLIST␣item␣k␣NMTOKENS␣#IMPLIED␣l␣ID␣#IMPLIED> <!ATTLIST␣B␣xmlns␣CDATA␣'urn:B'> \
         <!ATTLIST␣a␣xml:space␣(default|preserve)␣'preserve'> <!NOTATION␣n␣SYSTEM␣'n&'> \
         <!NOTATION␣m␣PUBLIC␣\"it's\"> <!NOTATION␣o␣PUBLIC␣'p'␣'a\"b'> <!ENTITY␣g␣SYSTEM␣'g.gif'␣NDATA␣n> \
         <!ELEMENT␣a␣ANY> <!--in--> <?q␣in?> ␣ \n",
    )
});

/// Declarations of entities that content and values refer to, and of one that contains elements.
const ENTITIES: &str =
    "<!ENTITY e 'v&#38;#38;w&#9;'><!ENTITY f '<b k=\"&e;\">z&e;</b>\r\n<c/>'><!ENTITY h ''>";

/// Namespaces. One contains characters that are written as references.
const NAMESPACES: [&str; 3] = ["urn:u", "urn:v", "http://w/?a&amp;&lt;&#9;b"];

/// Draws a document of XML 1.0, or of XML 1.0 or 1.1.
pub fn document(random: &mut Random, with_xml11: bool) -> Parts {
    let mut writer = Writer {
        is_xml11: with_xml11 && random.one_in(6),
        has_entities: false,
        bound: Vec::new(),
        parts: Parts::new(),
        random: Random(random.number()),
    };
    writer.document();
    writer.parts
}

/// The document written so far.
struct Writer {
    is_xml11: bool,
    has_entities: bool,
    /// The prefixes in scope that are bound.
    bound: Vec<&'static str>,
    parts: Parts,
    random: Random,
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.parts.push(text.as_bytes().to_vec());
    }

    fn document(&mut self) {
        match (self.is_xml11, self.random.below(8)) {
            (true, 0) => self.put("<?xml version='1.1' encoding='UTF-8' standalone='yes'?>"),
            (true, _) => self.put("<?xml version=\"1.1\"?>"),
            (false, 0) => self.put("<?xml version='1.0' encoding='utf-8'?>"),
            (false, 1) => self.put("<?xml version='1.0' standalone='no'?>\n"),
            _ => {}
        }
        self.around();
        if self.random.one_in(3) {
            let doctype = [
                "<!DOCTYPE a ",
                "<!DOCTYPE a SYSTEM 's' ",
                "<!DOCTYPE a PUBLIC 'p' \"it's\"",
            ];
            let one = [0, 0, 0, 1, 2][self.random.below(5)];
            self.put(doctype[one]);
            if self.random.percent(80) {
                self.put("[");
                self.has_entities = self.random.percent(80);
                if self.has_entities {
                    self.put(ENTITIES);
                }
                let mut notations = Vec::new();
                for _ in 0..self.random.below(6) {
                    let one = some(&mut self.random, &SUBSET).to_owned();
                    // A notation may be declared only once.
                    if !notations.contains(&one) {
                        self.put(&one);
                        notations.push(one);
                    }
                }
                self.put("]");
            }
            self.put(">");
            self.around();
        }
        self.element(0);
        self.around();
    }

    /// Writes content before or after the root element.
    fn around(&mut self) {
        while self.random.one_in(3) {
            let one = self
                .random
                .pick(&["\n", " \t", "<!--c-->", "<!--\n-->", "<?p d?>", "<?p?>"]);
            self.put(one);
        }
    }

    fn element(&mut self, depth: usize) {
        let before = self.bound.len();
        let unbound = self.bound.clone();
        let mut declared = Vec::new();
        let mut declarations = String::new();
        for prefix in ["", "p", "q"] {
            if !self.random.one_in(if prefix.is_empty() { 6 } else { 5 }) {
                continue;
            }
            declared.push(prefix);
            let namespace = match self.random.below(5) {
                4 if prefix.is_empty() || self.is_xml11 => "",
                other => NAMESPACES[other % 3],
            };
            let name = if prefix.is_empty() { "xmlns" } else { "xmlns:" };
            declarations += &format!(" {name}{prefix}=\"{namespace}\"");
            self.bound.retain(|bound| *bound != prefix);
            if !namespace.is_empty() && !prefix.is_empty() {
                self.bound.push(prefix);
            }
        }
        let name = self.name();
        let mut tag = format!("<{name}");
        let declares_first = self.random.one_in(2);
        if declares_first {
            tag += &declarations;
        }
        let mut attributes = ATTRIBUTES.to_vec();
        for _ in 0..[0, 0, 1, 2, 5][self.random.below(5)] {
            let one = attributes.remove(self.random.below(attributes.len()));
            tag += self.random.pick(&[" ", "\n", "  ", "\t"]);
            if let Some(prefix) = self.random.one_in(3).then(|| self.prefix()).flatten() {
                tag += prefix;
                tag += ":";
            }
            tag += one;
            tag += self.random.pick(&["=", " = "]);
            tag += &self.value();
        }
        if self.random.one_in(12) {
            tag += " xml:lang='en'";
        }
        if !declares_first {
            tag += &declarations;
        }
        self.put(&tag);
        if self.random.one_in(4) {
            self.put("/>");
        } else {
            self.put(">");
            for _ in 0..self.random.below(if depth < 4 { 7 } else { 2 }) {
                match self.random.below(8) {
                    0..=2 if depth < 5 => self.element(depth + 1),
                    3 => {
                        let one = some(&mut self.random, &MARKUP).to_owned();
                        self.put(&one);
                    }
                    4 if self.has_entities => {
                        let one = self.random.pick(&["&e;", "&f;", "&h;"]);
                        self.put(one);
                    }
                    _ => self.text(),
                }
            }
            self.put(&format!("</{name}>"));
        }
        self.bound.truncate(before);
        self.bound = unbound;
    }

    fn prefix(&mut self) -> Option<&'static str> {
        match self.bound.len() {
            0 => None,
            many => Some(self.bound[self.random.below(many)]),
        }
    }

    fn name(&mut self) -> String {
        let local = some(&mut self.random, &NAMES).to_owned();
        match self.random.one_in(3).then(|| self.prefix()).flatten() {
            Some(prefix) => format!("{prefix}:{local}"),
            None => local,
        }
    }

    fn text(&mut self) {
        if self.is_xml11 && self.random.one_in(6) {
            let one = self
                .random
                .pick(&["&#1;", "&#x85;", "\r\u{85}", "&#x2028;", "&#x7F;"]);
            self.put(one);
        }
        let one = some(&mut self.random, &TEXTS).to_owned();
        let ends_section = one == ">" && self.parts.last().is_some_and(|last| last.ends_with(b"]"));
        // Skips a `>` after `]`, which could end a `]]>`, and U+007F in XML 1.1, which permits only a reference to it.
        if !(ends_section || self.is_xml11 && one == "\u{7f}") {
            self.put(&one);
        }
    }

    fn value(&mut self) -> String {
        let quote = self.random.pick(&["\"", "'"]);
        let mut value = String::from(quote);
        for _ in 0..self.random.below(5) {
            let one = match self.random.below(12) {
                0 if self.has_entities => self.random.pick(&["&e;", "&h;"]),
                _ => some(&mut self.random, &TEXTS),
            };
            if one != quote && !(self.is_xml11 && one == "\u{7f}") {
                value += one;
            }
        }
        value + quote
    }
}
