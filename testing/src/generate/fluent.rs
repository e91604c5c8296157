//! Random documents of nested elements with texts and references, of any length: the content that fast paths read
//! alone, with a share of exceptions that is drawn for each document, and is often zero.

use super::{Parts, Pieces, ill_formed, some, words};
use crate::random::Random;
use crate::rewriting::tree::Tested;

static HTML_NAMES: Pieces = Pieces::new(|| {
    words(
        "p b i a em td tr table div span li ul h1 svg desc longer-name select option nobr form button math mi template \
         frameset frame caption col body font code",
    )
});

static XML_NAMES: Pieces = Pieces::new(|| words("a b c longer-name p:a q:b é aaaaaaaaa"));

static OTHER_NAMES: Pieces = Pieces::new(|| words("a b c longer-name e\u{301} é t"));

static ATTRIBUTES: Pieces = Pieces::new(|| {
    words(
        "␣k='v' ␣k='&lt;' ␣k=\"v\"␣l='é' ␣k='v'␣ \nk='v' ␣k='v'␣l='w'␣m='x'␣n='y' ␣p:k='v' ␣xml:id='␣a' \
         ␣longer-attribute=\"some␣value␣of␣it\"",
    )
});

static EMPTY: Pieces = Pieces::new(|| words("<e/> <e␣/> <e␣k='v'/> <p:e/>"));

static EMPTY_HTML: Pieces = Pieces::new(|| words("<br> <e␣/> <img␣k='v'/> <svg/> <input>"));

static TEXTS: Pieces = Pieces::new(|| words("x y␣z \n␣␣ words␣here␣and␣there é 日本 𝄞 ]] ] \r\n"));

static REFERENCES: Pieces =
    Pieces::new(|| words("&amp; &lt; a&gt;b &apos;x &quot; x&amp;y &amp;&amp;"));

/// Content that fast paths leave to the states.
static EXCEPTIONS: Pieces = Pieces::new(|| {
    words(
        "\r\n \r &#65; &#x20AC; &e; &f; &h; &nope; & < <!--c--> <!--␣&␣\r\n␣--> <?p␣i?> <![CDATA[<c>&amp;\r\n]]> ]]> \0 \
         \u{85} </zz> </> <3 <a␣b=c> <a␣k='1'␣k='2'> <a␣x= <!DOCTYPE␣q> <script>if(a<b)</script> <style> </style> \
         <title>a&amp;b</title> <textarea>\n </textarea> <plaintext \u{feff} \u{fffe} e\u{301} <p:x␣xmlns:p='u'> \
         <b␣xmlns='w'> <q:z␣q:k='&lt;'␣p:k=''> <b␣xml:lang='x'␣p:k='&#9;'␣k=\"\r\n\">",
    )
});

static END_TAGS: Pieces = Pieces::new(|| words("</zz> </a␣> </b </>"));

/// Beginnings of XML documents: declarations of namespaces, and rarely a DOCTYPE.
static ROOTS: Pieces = Pieces::new(|| {
    words(
        "<r␣xmlns:p='urn:p'␣xmlns:q='urn:q'> <r␣xmlns='urn:d'␣xmlns:p='urn:p'␣xmlns:q='urn:p'> <r>",
    )
});

const DOCTYPE: &str = "<!DOCTYPE r [<!ENTITY e \"ent&#38;amp;\"><!ENTITY f \"<g>in</g>\"><!ENTITY h \"&e;<i k='&e;'/>&f;\">\
    <!ATTLIST a d CDATA 'v' n NMTOKENS #IMPLIED>]>";

/// Draws a document with about `most` bytes at most.
pub fn document(random: &mut Random, dialect: Tested, most: usize) -> Parts {
    let names: &'static [String] = match dialect {
        Tested::Html => &HTML_NAMES,
        Tested::Xml => &XML_NAMES,
        _ => &OTHER_NAMES,
    };
    let few = 2 + random.below(5);
    let names = match random.one_in(3) {
        true => names.iter().map(String::as_str).collect(),
        false => (0..few).map(|_| some(random, names)).collect(),
    };
    let mut writer = Writer {
        dialect,
        names,
        percent_misnested: match dialect {
            Tested::Html => [0, 10, 40][random.below(3)],
            _ => 0,
        },
        open: Vec::new(),
        parts: Parts::new(),
        most_open: [3, 12, 40][random.below(3)],
        percent_references: [0, 3, 10, 30, 70][random.below(5)],
        percent_exceptions: [0, 0, 0, 3][random.below(4)],
        random: Random(random.number()),
    };
    writer.begin();
    let length = 20 + writer.random.below(most);
    let mut so_far = 0;
    while so_far < length {
        let part = writer.part();
        so_far += part.len();
        writer.parts.push(part);
    }
    writer.end();
    writer.parts
}

/// The document written so far.
struct Writer {
    dialect: Tested,
    /// The names of elements. Most documents have few, so that elements with the same name meet.
    names: Vec<&'static str>,
    /// The share of end tags that are not those of the innermost element.
    percent_misnested: usize,
    /// The names of the open elements.
    open: Vec<&'static str>,
    parts: Parts,
    /// Maximum number of open elements.
    most_open: usize,
    /// The share of references in texts.
    percent_references: usize,
    /// The share of content that fast paths leave to the states.
    percent_exceptions: usize,
    random: Random,
}

impl Writer {
    fn begin(&mut self) {
        if self.dialect == Tested::Html {
            if self.random.one_in(2) {
                self.parts.push(b"<!DOCTYPE html>".to_vec());
            }
            return;
        }
        if self.dialect == Tested::Xml && self.percent_exceptions > 0 && self.random.one_in(2) {
            self.parts.push(DOCTYPE.as_bytes().to_vec());
        }
        let root = match self.dialect {
            Tested::Xml => some(&mut self.random, &ROOTS),
            _ => "<r>",
        };
        self.parts.push(root.as_bytes().to_vec());
        self.open.push("r");
    }

    /// Returns the next tag, text or reference.
    fn part(&mut self) -> Vec<u8> {
        let is_html = self.dialect == Tested::Html;
        match self.random.below(100) {
            0..35 if self.open.len() < self.most_open => self.start_tag().into_bytes(),
            0..48 => {
                let empty = if is_html { &EMPTY_HTML } else { &EMPTY };
                some(&mut self.random, empty).as_bytes().to_vec()
            }
            48..75 if self.open.len() > usize::from(!is_html) => self.end_tag().into_bytes(),
            _ => self.text(),
        }
    }

    fn start_tag(&mut self) -> String {
        let name = self.names[self.random.below(self.names.len())];
        self.open.push(name);
        let attribute = match self.random.one_in(3) {
            true => some(&mut self.random, &ATTRIBUTES),
            false => "",
        };
        format!("<{name}{attribute}>")
    }

    /// Returns the end tag of the last open element. In a document with exceptions, some end tags are missing or wrong.
    fn end_tag(&mut self) -> String {
        if self.random.percent(self.percent_misnested) {
            let at = self.random.below(self.open.len());
            return format!("</{}>", self.open.remove(at));
        }
        let name = self.open.pop().unwrap_or("r");
        match self.percent_exceptions > 0 && self.random.percent(3) {
            true if self.random.one_in(3) => String::new(),
            true => some(&mut self.random, &END_TAGS).to_owned(),
            false => format!("</{name}>"),
        }
    }

    fn text(&mut self) -> Vec<u8> {
        if self.random.percent(self.percent_exceptions) {
            if self.random.one_in(12) {
                return ill_formed(&mut self.random);
            }
            return some(&mut self.random, &EXCEPTIONS).as_bytes().to_vec();
        }
        let from: &[String] = match self.random.percent(self.percent_references) {
            true => &REFERENCES,
            false => &TEXTS,
        };
        some(&mut self.random, from).as_bytes().to_vec()
    }

    /// Closes the open elements of most documents.
    fn end(&mut self) {
        if self.random.one_in(5) {
            return;
        }
        while let Some(name) = self.open.pop() {
            self.parts.push(format!("</{name}>").into_bytes());
        }
        if self.random.one_in(2) {
            let length = self.random.below(3000);
            self.parts.push(vec![b' '; length]);
        }
    }
}
