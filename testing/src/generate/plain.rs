//! Random plain documents, which the four dialects of the XML family read in the same way.
//!
//! A document is plain if no dialect has a special rule for anything in it: names of elements begin with an ASCII
//! letter, tags contain no tabs, values contain no whitespace except single spaces between other characters,
//! whitespace-only text is inside a `t`, there is no script, style or template, and all characters are in NFC.

use super::{Parts, Pieces, some, words};
use crate::random::Random;

/// Names of elements and attributes.
static NAMES: Pieces = Pieces::new(|| words("a b item _x a-b a.1 aé _日本 z9 x𐀀"));

/// Whitespace. The last piece, a tab, is not whitespace in Sky's tags.
static WHITE: Pieces = Pieces::new(|| words("␣ \n \r\n \r ␣␣ \t"));

/// Number of pieces of whitespace, from the start of `WHITE`, that may be in tags.
const IN_TAGS: usize = 5;

/// Pieces other than whitespace.
static TEXTS: Pieces =
    Pieces::new(|| words("x text 1 aé 世界 😀 &lt; &gt; &amp; &quot; &apos; - ] / = ?"));

/// Draws a document.
pub fn document(random: &mut Random) -> Parts {
    let mut writer = Writer {
        preformatted: random.one_in(2),
        random: Random(random.number()),
        out: String::new(),
    };
    writer.white();
    writer.element(0);
    writer.white();
    vec![writer.out.into_bytes()]
}

/// Writes elements up to a maximum depth.
struct Writer {
    random: Random,
    out: String,
    /// True inside a `t` element, in which all text is kept, even whitespace.
    preformatted: bool,
}

impl Writer {
    fn put(&mut self, of: &[String]) {
        self.out += some(&mut self.random, of);
    }

    fn white(&mut self) {
        if self.random.one_in(4) {
            self.put(&WHITE[..IN_TAGS]);
        }
    }

    /// Writes a value. It contains no whitespace except single spaces between other characters.
    fn value(&mut self) {
        let quote = self.random.pick(&["\"", "'"]);
        self.out += quote;
        for _ in 0..self.random.below(4) {
            self.put(&TEXTS);
            if self.random.one_in(4) {
                self.out += " x";
            }
        }
        self.out += quote;
    }

    /// Writes a text. A text consists of whitespace only if such text is kept.
    fn text(&mut self) {
        if !self.preformatted || self.random.one_in(2) {
            self.put(&TEXTS);
        }
        for _ in 0..self.random.below(4) {
            match self.random.one_in(3) {
                true => self.put(&WHITE),
                false => self.put(&TEXTS),
            }
        }
    }

    fn element(&mut self, depth: usize) {
        let name = match (depth, self.preformatted) {
            (0, true) => "t",
            _ => some(&mut self.random, &NAMES),
        };
        self.out += "<";
        self.out += name;
        for number in 0..self.random.below(4) {
            self.put(&WHITE[..IN_TAGS]);
            self.put(&NAMES);
            self.out += &number.to_string();
            self.white();
            self.out += "=";
            self.white();
            self.value();
        }
        self.white();
        if self.random.one_in(4) {
            self.out += "/>";
            return;
        }
        self.out += ">";
        // Two adjacent texts would be read as one.
        let mut after_text = false;
        for _ in 0..self.random.below(6) {
            let is_element = after_text || depth < 4 && self.random.one_in(2);
            after_text = !is_element;
            match is_element {
                true => self.element(depth + 1),
                false => self.text(),
            }
        }
        self.out += "</";
        self.out += name;
        self.white();
        self.out += ">";
    }
}
