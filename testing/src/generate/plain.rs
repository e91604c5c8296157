//! Random plain documents, which the four dialects of the XML family read in the same way.
//!
//! A document is plain if no dialect has a rule of its own for anything in it: names of elements begin with an ASCII
//! letter, tags contain no tabs, values contain no whitespace except single spaces between other characters, text that
//! is only whitespace is inside a `t`, there is no script, style or template, and all characters are in NFC.

use super::{Parts, Pieces, some, words};
use crate::random::Random;

/// Names of elements and attributes.
static NAMES: Pieces = Pieces::new(|| words("a b item _x a-b a.1 aé _日本 z9 x𐀀"));

/// White space; a tab, the last, is none in Sky's tags.
static WHITE: Pieces = Pieces::new(|| words("␣ \n \r\n \r ␣␣ \t"));

/// Number of pieces of whitespace, from the start of `WHITE`, that may be in tags.
const IN_TAGS: usize = 5;

/// Pieces other than whitespace.
static TEXTS: Pieces =
    Pieces::new(|| words("x text 1 aé 世界 😀 &lt; &gt; &amp; &quot; &apos; - ] / = ?"));

/// A document.
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

/// Elements to a depth.
struct Writer {
    random: Random,
    out: String,
    /// All text inside is kept, white space too.
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

    /// A value: no white space but single spaces between other characters.
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

    /// Text, of white space alone only where that is kept.
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
        // Two texts without anything between them are one.
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
