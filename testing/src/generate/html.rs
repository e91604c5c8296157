//! Nasty documents of a few dozen tokens, weighted towards what tree construction has rules for. It
//! must not know those rules.

use crate::random::Random;

/// A document has no more tokens.
const TOKENS: usize = 60;

/// Elements whose tags meet: a document draws from a few of these.
const FAMILIES: &[&str] = &[
    "table caption colgroup col tbody thead tfoot tr td th table tr td input form style script",
    "table tbody tr td th select option p b a template hidden",
    "a b big code em font i nobr s small strike strong tt u a b i nobr",
    "a b i p div p div span h1 nobr font",
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure \
     footer header hgroup main menu nav ol p search section summary ul pre listing h1 h2 h3 h6 p",
    "ul ol li dl dt dd li dir menu p div address button",
    "select option optgroup hr button selectedcontent option input datalist select option",
    "select button selectedcontent option option div b selectedcontent",
    "select select option table template object svg td optgroup textarea keygen p",
    "template template tr td col caption colgroup tbody div select option p",
    "ruby rb rp rt rtc p span ruby",
    "svg svg foreignObject desc title path g script font p div a style textPath image table math",
    "math math mi mo mn ms mtext annotation-xml mglyph malignmark mrow svg p b div",
    "svg desc math annotation-xml p b table select template foreignObject mi button",
    "form button input textarea fieldset legend label form button div p template table",
    "head base basefont bgsound link meta title noscript noframes style script template html body",
    "frameset frame noframes frameset html body head",
    "noscript p div b li button span noscript p",
    "head noscript link meta style noframes basefont br html",
    "table colgroup col caption template tr tbody tfoot thead",
    "frameset frame noframes html",
    "applet marquee object param embed p b a",
    "area br img image wbr source track hr param embed keygen input br",
    "title textarea style script xmp iframe noembed noframes noscript plaintext",
    "html head body p br html body frameset",
    "abbr audio data del label object output q span sub sup var video selectedcontent sarcasm x-y \
     menuitem isindex command search",
];

/// The elements that hold text up to their end tags.
const TEXTS: &str = "title textarea style script xmp iframe noembed noframes noscript plaintext";

/// The elements that fragments are parsed in.
const CONTEXTS: &str = "html,head,body,div,p,a,b,li,table,caption,colgroup,tbody,thead,tfoot,tr,td,th,\
    template,select,option,optgroup,button,form,frameset,title,textarea,style,script,xmp,iframe,\
    noembed,noframes,noscript,plaintext,ruby,object,selectedcontent,ul,dl,h1,pre,svg svg,svg path,\
    svg foreignObject,svg desc,svg title,svg script,svg select,svg template,math math,math mi,\
    math mo,math mn,math ms,math mtext,math mrow,math annotation-xml,math malignmark,math mglyph,\
    math form,math td";

/// Text, white space of all kinds, and what is neither.
const CHARACTERS: &[&str] = &[
    "x", "y", " ", " ", "\n", "\t", "a b", " x ", "x ", " \n ", "&amp;", "&lt;b>", "é", "\x0C",
    "&nbsp;", "&#32;", "\r\n", "\0", "x\0y", " \0 ", "]]>", "\n\n", "&#10;", "&#0;", "&#13;",
];

const OTHERS: &[&str] = &[
    "<!--c-->",
    "<!--c-->",
    "<!--c-->",
    "<!---->",
    "<!DOCTYPE html>",
    "<!DOCTYPE x>",
    "<![CDATA[x]]>",
    "<![CDATA[x]]>",
    "<![CDATA[ ]]>",
    "<![CDATA[\0]]>",
    "<![CDATA[<b>]]>",
    "<?pi d?>",
    "<?pi d?>",
    "<?pi>",
    "<?x y>",
    "<? z>",
    "<?xml v?>",
    "</>",
    "<!>",
    "</ x>",
];

const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html>",
    "<!doctype HTML>",
    "<!DOCTYPE>",
    "<!DOCTYPE x>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"\">",
    "<!DOCTYPE html PUBLIC \"-//w3c//dtd html 4.01 frameset//EN\" \"x\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"x\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">",
    "<!DOCTYPE html PUBLIC \"html\">",
    "<!DOCTYPE html SYSTEM \"HTTP://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\">",
    "<!DOCTYPE html PUBLIC \"-/W3C/DTD HTML 4.0 Transitional/EN\" \"\">",
];

/// Attributes of any element.
const ATTRIBUTES: &[&str] = &[
    " i=1", " i=2", " i=1 j=1", " j=1 i=1", " a", " b=c", " a=1 a=2",
];

/// A document, and how it is read.
#[derive(Clone, Debug)]
pub struct Case {
    pub tokens: Vec<String>,
    /// The element of a fragment.
    pub context: Option<&'static str>,
    pub scripting: bool,
    pub processing_instructions: bool,
}

fn one_of<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

fn word<'a>(random: &mut Random, list: &'a str) -> &'a str {
    let words: Vec<&str> = list.split_ascii_whitespace().collect();
    one_of(random, &words)
}

/// Whether something happens that happens so often in a hundred.
fn percent(random: &mut Random, often: usize) -> bool {
    random.below(100) < often
}

/// A random document.
pub fn case(random: &mut Random) -> Case {
    let most = [1, 2, 2, 2, 3, 3, 6, FAMILIES.len()][random.below(8)];
    let families: Vec<&'static str> = (0..most).map(|_| one_of(random, FAMILIES)).collect();
    let any = |random: &mut Random| {
        let family = one_of(random, &families);
        word(random, family)
    };
    // Few names, so that tags meet others of their name.
    let names: Vec<&str> = match percent(random, 40) {
        true => (0..random.below(6) + 2).map(|_| any(random)).collect(),
        false => (0..60).map(|_| any(random)).collect(),
    };
    let contexts: Vec<&'static str> = CONTEXTS.split(',').collect();
    let context = percent(random, 30).then(|| one_of(random, &contexts));
    let mut tokens: Vec<String> = Vec::new();
    if context.is_none() && percent(random, 50) {
        tokens.push(one_of(random, DOCTYPES).to_owned());
    }
    let most = [6, 12, 24, TOKENS][random.below(4)];
    let length = random.below(most) + 1;
    let mut open: Vec<&str> = Vec::new();
    while tokens.len() < length {
        match random.below(100) {
            0..48 => {
                let name = one_of(random, &names);
                start_tag(random, name, &mut tokens);
                open.push(name);
            }
            48..66 => {
                // Mostly something that is open, not always the last.
                let name = match (open.len(), random.below(10)) {
                    (0, _) | (_, 0..2) => one_of(random, &names),
                    (length, 2..6) => open.swap_remove(length - 1),
                    (length, _) => open.swap_remove(random.below(length)),
                };
                tokens.push(end_tag(name));
            }
            66..70 => {
                let family = one_of(random, FAMILIES);
                tokens.push(end_tag(word(random, family)));
            }
            70..90 => tokens.push(one_of(random, CHARACTERS).to_owned()),
            90..96 => tokens.push(one_of(random, OTHERS).to_owned()),
            _ => {
                let family = one_of(random, FAMILIES);
                let name = word(random, family);
                start_tag(random, name, &mut tokens);
            }
        }
    }
    tokens.truncate(TOKENS);
    Case {
        tokens,
        context,
        scripting: percent(random, 30),
        processing_instructions: percent(random, 90),
    }
}

fn end_tag(name: &str) -> String {
    match name {
        "hidden" => "</input>".to_owned(),
        _ => format!("</{name}>"),
    }
}

/// A start tag; for the elements that hold text, mostly with their end.
fn start_tag(random: &mut Random, name: &str, tokens: &mut Vec<String>) {
    if name == "hidden" {
        return tokens.push("<input type=hidden>".to_owned());
    }
    // All behind it is text.
    if name == "plaintext" && !percent(random, 10) {
        return;
    }
    let mut tag = format!("<{name}");
    if percent(random, 4) {
        tag.make_ascii_uppercase();
    }
    tag.push_str(attributes(random, name));
    tag.push_str(if percent(random, 6) { "/>" } else { ">" });
    tokens.push(tag);
    if TEXTS.split(' ').any(|text| text == name) && percent(random, 80) {
        if percent(random, 60) {
            let text = ["x", "<b>", "\n", " ", "&amp;", "<!--", "\0", "\nx", "\r\n"];
            tokens.push(one_of(random, &text).to_owned());
        }
        tokens.push(end_tag(name));
    }
}

fn attributes(random: &mut Random, name: &str) -> &'static str {
    let own: &[&str] = match name {
        "input" => &[" type=hidden", " type=HIDDEN", " type=text", " type", ""],
        "font" => &[" color=red", " face=x", " size=1", " i=1", ""],
        "annotation-xml" => &[
            " encoding=text/html",
            " encoding=APPLICATION/xhtml+xml",
            " encoding=x",
            "",
        ],
        "select" => &[
            " multiple",
            " size=1",
            " size=2",
            " size=+1x",
            " size=0",
            "",
            "",
            "",
            "",
        ],
        "option" => &[" selected", " disabled", " selected disabled", "", "", ""],
        "optgroup" => &[" disabled", "", ""],
        "svg" | "path" | "g" | "math" | "mi" | "mrow" | "foreignObject" => &[
            " viewbox=1",
            " xlink:href=x",
            " xml:lang=e xml:base=f",
            " xmlns:xlink=x",
            " xmlns=x",
            " definitionurl=u",
            " attributename=a i=1",
            "",
            "",
            "",
        ],
        "html" | "body" => &[" i=1", " j=2 i=4", " i=3", ""],
        "meta" => &[" charset=utf-8", ""],
        "template" => &[" for=x", " shadowrootmode=open", "", "", ""],
        _ => &[],
    };
    match own.is_empty() {
        false => one_of(random, own),
        true if percent(random, 20) => one_of(random, ATTRIBUTES),
        true => "",
    }
}
