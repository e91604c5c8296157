//! Random documents of LeafXML: one half is nearly well-formed, the other half consists of random pieces.

use super::{COMMON, Parts, Pieces, content, spoilt, words};
use crate::random::Random;

/// Further pieces of documents.
static PIECES: Pieces = Pieces::new(|| {
    words(
        "<![CDATA[ <![CDATA[c]]> <![CDATA[]]> <?pi␣d?> <? ?> <!DOCTYPE␣a> <!DOCTYPE␣a␣[ ]> <p:a> \
         </p:a> <a␣xmlns:p='u'␣p:b=''> ␣xmlns='u' ␣xmlns:p=\"u\" ␣p:b='1' ␣xml:lang='e' \u{301} \
         a\u{327} <e\u{301}> &#x301; &#13; &#10;",
    )
});

/// Names. The first ones are valid.
static NAMES: Pieces = Pieces::new(|| {
    words(
        "a b é e\u{301} _x p:a q:b xml:a Å A\u{30a} xmlns:z p: 1 a:b:c : \u{1fef} r:a x\u{387} \
         \u{301}x p:\u{301}",
    )
});

/// Texts of elements and values. The first ones are valid in both.
static TEXTS: Pieces = Pieces::new(|| {
    words(
        "x ␣ \n \r\n \r \t é e \u{301} \u{327} &#x301; &lt; &gt; &amp; &quot; &apos; &#x41; \
         &#xA; &#10; &#xD; &#13; &#x85; \u{85} \u{2028} &#x2028; \u{d2f}\u{d3e} \u{d46} \u{d3e} \
         \u{1100} \u{1161} \u{ac00} 😀 \u{928}\u{94d} \u{958} ]]> > ' \" <![CDATA[␣]]> \
         <![CDATA[\u{301}]]> <![CDATA[\r]]> <![CDATA[\n]]> <!--␣--> <?p?> &#x80; & \u{7f} \
         \u{fffe}",
    )
});

/// Pieces outside of the root element.
static OUTSIDE: Pieces = Pieces::new(|| {
    words(
        "␣ \n \r\u{85} &#32; <![CDATA[␣]]> <!--␣--> <?xml␣version='1.0'?> <!DOCTYPE␣a␣'>'> x \
         <!DOCTYPE␣a␣[>",
    )
});

const NAMESPACES: [&str; 8] = [
    "u",
    "v",
    "e\u{301}",
    "\u{e9}",
    "u v",
    "",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
];

/// Draws a document.
pub fn document(random: &mut Random) -> Parts {
    if random.one_in(2) {
        let parts = written(random);
        return spoilt(random, parts);
    }
    let mut parts = Parts::new();
    if random.one_in(2) {
        parts.push(b"<a xmlns:p='u'>".to_vec());
    }
    content(random, &COMMON, &PIECES, &mut parts);
    if random.one_in(2) {
        parts.push(b"</a>".to_vec());
    }
    spoilt(random, parts)
}

/// Draws a document that is nearly well-formed.
fn written(random: &mut Random) -> Parts {
    let mut writer = Writer {
        random: Random(random.number()),
        parts: Parts::new(),
    };
    writer.outside();
    writer.element(0);
    writer.outside();
    writer.parts
}

struct Writer {
    random: Random,
    parts: Parts,
}

impl Writer {
    /// Draws one of the first `usual` items, or, rarely, any item.
    fn pick<'p, S: AsRef<str>>(&mut self, of: &'p [S], usual: usize) -> &'p str {
        let count = if self.random.one_in(50) {
            of.len()
        } else {
            usual
        };
        of[self.random.below(count)].as_ref()
    }

    fn put(&mut self, text: &str) {
        self.parts.push(text.as_bytes().to_vec());
    }

    fn space(&mut self) {
        const SPACES: [&str; 8] = [
            " ", "\n", "\r", " \r\n", "\u{85}", "\u{2028}", "\x0C", "\u{a0}",
        ];
        if self.random.one_in(3) {
            let space = self.pick(&SPACES, 6);
            self.put(space);
        }
    }

    fn value(&mut self) {
        let quote = if self.random.one_in(2) { '"' } else { '\'' };
        let mut value = String::new();
        for _ in 0..self.random.below(6) {
            value += self.pick(&TEXTS, 34);
        }
        self.put(&format!(
            "{quote}{}{quote}",
            value.replace([quote, '<'], "")
        ));
    }

    fn outside(&mut self) {
        for _ in 0..self.random.below(3) {
            let text = self.pick(&OUTSIDE, 7);
            self.put(text);
        }
    }

    fn declaration(&mut self) {
        const DECLARED: [&str; 5] = [
            "xmlns",
            "xmlns:r",
            "xmlns:xml",
            "xmlns:xmlns",
            "xmlns:e\u{301}",
        ];
        let (name, value) = (self.pick(&DECLARED, 2), self.pick(&NAMESPACES, 5));
        self.put(&format!("{name}='{value}'"));
    }

    fn element(&mut self, depth: usize) {
        let name = self.pick(&NAMES, if depth == 0 { 5 } else { 8 });
        self.put(&format!("<{name}"));
        if depth == 0 {
            self.put(" xmlns:p='u' xmlns:q=\"v\"");
        }
        for number in 0..self.random.below(4) {
            if !self.random.one_in(60) {
                self.put(" ");
            }
            self.space();
            if self.random.one_in(5) {
                self.declaration();
                continue;
            }
            let attribute = self.pick(&NAMES, 10);
            match self.random.one_in(10) {
                true => self.put(attribute),
                false => self.put(&format!("{attribute}{number}")),
            }
            self.space();
            self.put("=");
            self.space();
            self.value();
        }
        self.space();
        if self.random.one_in(4) {
            return self.put("/>");
        }
        self.put(">");
        for _ in 0..self.random.below(7) {
            match depth < 3 && self.random.one_in(3) {
                true => self.element(depth + 1),
                false => {
                    let text = self.pick(&TEXTS, 44);
                    self.put(text);
                }
            }
        }
        self.put(&format!("</{name}"));
        self.space();
        self.put(">");
    }
}
