//! Random HTML documents: documents of a few dozen tokens with the elements that tree construction has rules for;
//! documents of pieces, for the tokenizer; and the first bytes of documents, for the detection of the encoding.

use super::{Parts, Pieces, many, one, some, spoilt, words};
use crate::random::Random;
use std::fmt;
use tagstream::{Encoding, Html};

/// Pieces for the tokenizer: tags, and parts of tokens.
static PIECES: Pieces = Pieces::new(|| {
    words(
        "<a> </a> <B> </B> <p </p <br/> </> <3> </3> < > / </ /> ␣a=1 ␣A='2' ␣b=\"3\" ␣c \
         ␣D=\"&amp;\" ␣e='&not ␣f=&lang ␣g=\r\n ␣=h = \" ' ` ␣ \n \r \r\n \t \u{c} x text 日本 𝄞 \
         \0 \u{1} \u{7f} \u{85} \u{fdd0} \u{fffe} \u{1ffff} \u{feff} & &amp; &amp &not &notit; \
         &noti &NotEqualTilde; &unknown; &#65; &#x41 &#0; &#xD800; &#99999999999; &# &#x ; <!-- \
         --> --!> <!--> <!---> <!--␣c␣--> -- - ! <!- <!x> <!DOCTYPE␣html> <!doctype ␣html \
         ␣PUBLIC ␣system ␣\"i\" ␣'j' <!DOCTYPE> <![CDATA[ ]]> ] <?pi␣d?> <? ?> ? <?xml␣?> <?3> \
         <title> </title> <TITLE␣> </Title␣x> <textarea> </textarea/> <style> </style> <script> \
         </script> <script </script␣ <svg> </svg> <math> </math> <mi> <desc> </desc> \
         <foreignObject> <annotation-xml␣encoding=text/html> <font␣color=x> <plaintext> \
         <noscript> </noscript> <meta␣charset=koi8-r> <meta␣charset=utf-8> \
         <meta␣http-equiv=content-type␣content='charset=big5'> script SCRIPT title xmp </scr \
         </tit PUB PUBLIC SYSTEM [CDATA[ xml -stylesheet <?xml-stylesheet <?_a-9 # X 1 f gt t; \
         &#x80; &#13; &#xFFFF; &ngE; &acE _ é <p> </p> <b> </b> <b␣i=1> <i> </i> <nobr> </nobr> \
         </font> <div> </div> <span> </span> <table> </table> <tr> </tr> <td> </td> <th> <tbody> \
         </tbody> <thead> <tfoot> <caption> </caption> <colgroup> <col> </colgroup> <select> \
         </select> <option> </option> <option␣selected> <optgroup> <selectedcontent> <button> \
         </button> <hr> <input> <input␣type=hidden> <form> </form> <template> </template> </mi> \
         <mtext> <annotation-xml> </foreignObject> <g/> <svg/> </textarea> <xmp> </xmp> <iframe> \
         </iframe> <noframes> </noframes> <frameset> </frameset> <frame> <html> </html> \
         <html␣a=1> <head> </head> <body> </body> <body␣b=1> <meta␣charset=latin1> <link> <base> \
         <li> </li> <ul> </ul> <dd> <dt> <dl> </dl> <h1> </h2> <ruby> <rt> <rp> <rb> <rtc> \
         <applet> </applet> <object> </object> <br> </br> <img> <image> <pre> </pre> <listing> \
         &lt &notin <! <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣HTML␣4.01␣Frameset//\"> <?pi <p␣ ␣a=' \
         <x-y> </x-y> <search> </search>",
    )
});

/// Maximum number of tokens in a document.
const TOKENS: usize = 60;

/// Groups of elements that interact in tree construction. A document uses elements of a few groups.
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
    "div template p template span x-y template section b template select option td body",
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
    "abbr audio bdi bdo canvas cite data datalist del dfn ins kbd label legend map mark meter object \
     output picture progress q samp slot span sub sup time var video fencedframe geolocation \
     permission portal model",
    "acronym blink command content element image isindex menuitem multicol nextid rb rtc shadow spacer \
     x-y foo",
    "html head body frameset template table caption colgroup col tbody tfoot thead tr td th select \
     option optgroup datalist selectedcontent button p li dd dt ul ol div address b a nobr i form \
     applet marquee object ruby rb rtc rt svg desc foreignObject title math mi mtext annotation-xml \
     h1 h2 span x-y noscript script style textarea input hr meta br font pre search select optgroup \
     option div select optgroup",
];

/// Elements that contain text up to their end tags.
const TEXTS: &str = "title textarea style script xmp iframe noembed noframes noscript plaintext";

/// Context elements of fragments.
const CONTEXTS: &str = "html,head,body,div,p,a,b,li,table,caption,colgroup,tbody,thead,tfoot,tr,td,th,\
    template,select,option,optgroup,button,form,frameset,title,textarea,style,script,xmp,iframe,\
    noembed,noframes,noscript,plaintext,ruby,object,selectedcontent,ul,dl,h1,pre,svg svg,svg path,\
    svg foreignObject,svg desc,svg title,svg script,svg select,svg template,math math,math mi,\
    math mo,math mn,math ms,math mtext,math mrow,math annotation-xml,math malignmark,math mglyph,\
    math form,math td";

/// Text, whitespace of all kinds, and mixtures.
static CHARACTERS: Pieces = Pieces::new(|| {
    words(
        "x y 1 ␣ ␣ \n \t a␣b ␣x␣ x␣ ␣\n␣ &amp; &lt;b> é \u{c} &nbsp; &#32; \r\n \0 x\0y ␣\0␣ ]]> \
         \n\n &#10; &#0; &#13;",
    )
});

/// Comments, processing instructions and the like.
static OTHERS: Pieces = Pieces::new(|| {
    words(
        "<!--c--> <!--c--> <!--c--> <!--x--> <!----> <!DOCTYPE␣html> <!DOCTYPE␣x> <![CDATA[x]]> \
         <![CDATA[x]]> <![CDATA[␣]]> <![CDATA[\0]]> <![CDATA[<b>]]> <?pi␣d?> <?pi␣d?> <?pi> \
         <?x␣y> <?␣z> <?xml␣v?> </> <!> </␣x>",
    )
});

/// Markers, and similar instructions that are not markers.
static MARKERS: Pieces = Pieces::new(|| {
    words(
        "<?marker␣name=\"x\"> <?marker␣name='x'> <?marker␣name=\"y\"␣a='1'> <?start␣name=\"x\"> \
         <?start␣name=\"x\"> <?start␣name=\"y\"> <?end> <?end> <?end␣name=\"x\"> <?start> \
         <?marker␣name=x> <?marker␣name=\"x\"␣name=\"x\"> <?marker␣name=\"&#x78;\"?> \
         <?marker␣name=\"&amp;\"> <?marker␣name> <?Start␣name=\"x\"> <?marker␣name=\"\">",
    )
});

/// DOCTYPEs at the beginning of documents.
static DOCTYPES: Pieces = Pieces::new(|| {
    words(
        "<!DOCTYPE␣html> <!doctype␣HTML> <!DOCTYPE> <!DOCTYPE␣x> \
         <!DOCTYPE␣html␣SYSTEM␣\"about:legacy-compat\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣HTML␣4.01//EN\"␣\"http://www.w3.org/TR/html4/strict.dtd\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣HTML␣4.01␣Transitional//EN\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣HTML␣4.01␣Transitional//EN\"␣\"\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//w3c//dtd␣html␣4.01␣frameset//EN\"␣\"x\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣XHTML␣1.0␣Transitional//EN\"␣\"x\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-//W3C//DTD␣HTML␣3.2␣Final//EN\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"html\"> \
         <!DOCTYPE␣html␣SYSTEM␣\"HTTP://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\"> \
         <!DOCTYPE␣html␣PUBLIC␣\"-/W3C/DTD␣HTML␣4.0␣Transitional/EN\"␣\"\">",
    )
});

/// Attributes of any element.
static ATTRIBUTES: Pieces = Pieces::new(|| words("␣i=1 ␣i=2 ␣i=1␣j=1 ␣j=1␣i=1 ␣a ␣b=c ␣a=1␣a=2"));

/// Pieces of the first bytes of documents.
static BEGINNINGS: Pieces = Pieces::new(|| {
    words(
        "<meta <META <meta␣ <meta/ <meta\t <metal␣ <met <meta␣charset=sjis> \
         <meta␣charset=\"utf-16\"> <meta␣charset='x-user-defined'␣> \
         <meta␣http-equiv=content-type␣content='text/html;␣charset=big5'> \
         <meta␣content=\"charset=koi8-r\"␣HTTP-EQUIV='Content-Type'> ␣charset charset= \
         ␣CHARSET␣=␣ ␣charset=gbk ␣charset='euc-kr' ␣charset=\"\tEUC-JP␣\" ␣charset=klingon \
         ␣charset='' ␣http-equiv=content-type ␣http-equiv=\"Content-Type\" ␣http-equiv=refresh \
         ␣content=charset=sjis ␣content='charset=big5' \
         ␣content='charset␣charset\n=\u{c}\"gbk\"␣' ␣content='charset=\"gbk' \
         ␣content=\"charset='gbk\" ␣content=\"charset=;\" ␣content=\"x;␣charset=utf-16le;y\" \
         ␣content=charset ␣content utf-8 utf-16be x-user-defined replacement iso-2022-kr <!-- \
         --> -- - <!--> <!---> <! </ <? <?xml <?xml␣encoding='sjis'?> \
         <?xml␣version=\"1.0\"␣encoding\u{1}=\u{2}\"utf-16\" <?xml␣encoding=x-user-defined \
         ␣encoding=\"gbk\" encoding ?> < > / /> = \" ' ␣ \t \n \u{c} \r \u{b} ; a Z <a <a␣ </a␣ \
         </meta␣ <3 </3 ␣title='<meta␣charset=sjis>' \0 <\0?\0x\0 \0<\0?\0x <\0?\0X\0",
    )
});

/// Pieces with bytes that are not ASCII.
const BYTES: [&[u8]; 8] = [
    b" charset=\xE9",
    b"\xFF",
    b"\xFE",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xE3\x81\x82",
];

/// A document, and the options with which it is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub tokens: Vec<String>,
    /// The context element, if the document is a fragment.
    pub context: Option<&'static str>,
    pub scripting: bool,
    pub processing_instructions: bool,
}

/// The options with which the tree of a document is built.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions {
    /// The context element of a fragment. `None` for a document.
    pub context: Option<&'static str>,
    /// True if scripting is on.
    pub scripting: bool,
    /// True if `<?` starts a processing instruction.
    pub processing_instructions: bool,
    /// True if templates may declare shadow roots.
    pub shadow_roots: bool,
}

impl TreeOptions {
    /// Returns the options of the library.
    #[must_use]
    pub fn html(&self) -> Html {
        let html = self.context.map_or_else(Html::default, |context| {
            Html::fragment(context).expect("a context")
        });
        html.scripting(self.scripting)
            .processing_instructions(self.processing_instructions)
            .shadow_roots(self.shadow_roots)
            .encoding(Encoding::UTF_8)
    }
}

/// Draws a document in parts, and the options with which its tree is built.
pub fn tree_input(random: &mut Random) -> (TreeOptions, Parts) {
    let case = match random.one_in(8) {
        true => patched(random),
        false => case(random),
    };
    let options = TreeOptions {
        context: case.context,
        scripting: case.scripting,
        processing_instructions: case.processing_instructions,
        shadow_roots: random.one_in(2),
    };
    (options, case.parts(random))
}

fn word<'a>(random: &mut Random, list: &'a str) -> &'a str {
    let words: Vec<&str> = list.split_ascii_whitespace().collect();
    random.pick(&words)
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.text())?;
        if let Some(context) = self.context {
            write!(formatter, " in {context}")?;
        }
        match self.scripting {
            true => formatter.write_str(", scripting"),
            false => Ok(()),
        }
    }
}

impl Case {
    /// Returns the options of the library.
    pub fn html(&self) -> Html {
        let html = self.context.map_or_else(Html::default, |context| {
            Html::fragment(context).expect("a context")
        });
        html.scripting(self.scripting)
            .processing_instructions(self.processing_instructions)
            .encoding(Encoding::UTF_8)
    }

    /// The document.
    pub fn text(&self) -> String {
        self.tokens.concat()
    }

    /// Returns the tokens as parts. One document in eight has ill-formed bytes between them.
    pub fn parts(&self, random: &mut Random) -> Parts {
        let tokens = self.tokens.iter().map(|token| token.clone().into_bytes());
        spoilt(random, tokens.collect())
    }
}

/// Draws a document: half of the documents consist of pieces, the other half of tokens with a few pieces after them.
pub fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    for _ in 0..many(random) {
        if random.one_in(8) {
            parts.push(vec![random.below(0x80) as u8]);
        }
        parts.push(one(random, &PIECES));
    }
    if random.one_in(2) {
        let tokens = case(random).tokens.into_iter();
        let parts = parts.into_iter().take(4);
        let both = tokens.map(String::into_bytes).chain(parts).collect();
        return spoilt(random, both);
    }
    spoilt(random, parts)
}

/// Number of bytes that are prescanned for the encoding.
const PRESCANNED: usize = 1024;

/// Draws the first bytes of a document, in which an encoding may be declared.
pub fn beginning(random: &mut Random) -> Parts {
    let most = [3, 6, 12, 24][random.below(4)];
    let mut parts = Parts::new();
    for _ in 0..=random.below(most) {
        parts.push(match random.one_in(12) {
            true => random.pick(&BYTES).to_vec(),
            false => one(random, &BEGINNINGS),
        });
    }
    let length: usize = parts.iter().map(Vec::len).sum();
    // Some documents reach the end of the prescanned bytes, and end a few bytes before or after it.
    if random.one_in(32) && length < PRESCANNED {
        let filler: &[u8] = [&b" "[..], b"a", b"<p>", b"\"<a '>"][random.below(4)];
        let filling = (PRESCANNED + random.below(8)).saturating_sub(length + 4);
        let filling = filler.iter().copied().cycle().take(filling).collect();
        parts.insert([0, parts.len() / 2][random.below(2)], filling);
    }
    parts
}

/// A random document.
pub fn case(random: &mut Random) -> Case {
    let most = [1, 2, 2, 2, 3, 3, 6, FAMILIES.len()][random.below(8)];
    let families: Vec<&'static str> = (0..most).map(|_| random.pick(FAMILIES)).collect();
    let any = |random: &mut Random| {
        let family = random.pick(&families);
        word(random, family)
    };
    // There are few different names, so that end tags often match open elements.
    let names: Vec<&str> = match random.percent(40) {
        true => (0..random.below(6) + 2).map(|_| any(random)).collect(),
        false => (0..60).map(|_| any(random)).collect(),
    };
    let contexts: Vec<&'static str> = CONTEXTS.split(',').collect();
    let context = random.percent(30).then(|| random.pick(&contexts));
    let mut tokens: Vec<String> = Vec::new();
    if context.is_none() && random.percent(50) {
        tokens.push(some(random, &DOCTYPES).to_owned());
    }
    if context.is_none() && random.percent(5) {
        tokens.push("<html>".to_owned());
    }
    let most = [6, 12, 24, TOKENS][random.below(4)];
    let length = random.below(most) + 1;
    let mut open: Vec<&str> = Vec::new();
    while tokens.len() < length {
        match random.below(100) {
            0..48 => {
                let name = random.pick(&names);
                start_tag(random, name, &mut tokens);
                open.push(name);
            }
            48..66 => {
                // The name of an open element in most cases, and not always that of the last one.
                let name = match (open.len(), random.below(10)) {
                    (0, _) | (_, 0..2) => random.pick(&names),
                    (length, 2..6) => open.swap_remove(length - 1),
                    (length, _) => open.swap_remove(random.below(length)),
                };
                tokens.push(end_tag(name));
            }
            66..70 => {
                let family = random.pick(FAMILIES);
                tokens.push(end_tag(word(random, family)));
            }
            70..90 => tokens.push(some(random, &CHARACTERS).to_owned()),
            90..96 => tokens.push(some(random, &OTHERS).to_owned()),
            _ => {
                let family = random.pick(FAMILIES);
                let name = word(random, family);
                start_tag(random, name, &mut tokens);
            }
        }
    }
    tokens.truncate(TOKENS);
    Case {
        tokens,
        context,
        scripting: random.percent(30),
        processing_instructions: random.percent(90),
    }
}

/// Draws a document with markers, and with templates whose content replaces them.
pub fn patched(random: &mut Random) -> Case {
    let mut case = case(random);
    case.processing_instructions = true;
    let count = random.below(6) + 2;
    for number in 0..count {
        // Most markers come before the templates.
        let place = random.below(case.tokens.len() + 1);
        if number < count.div_ceil(2) {
            let marker = some(random, &MARKERS).to_owned();
            case.tokens
                .insert(place.min(random.below(place + 1)), marker);
            continue;
        }
        let tag = [
            "<template for=x>",
            "<template for=x>",
            "<template for='y'>",
            "<template for>",
        ];
        let tag = match random.one_in(12) {
            true => "<template for=x shadowrootmode=open>",
            false => random.pick(&tag),
        };
        case.tokens.insert(place, tag.to_owned());
        if random.percent(85) {
            let end = place + 1 + random.below(case.tokens.len() - place).min(4);
            case.tokens.insert(end, "</template>".to_owned());
        }
    }
    case
}

fn end_tag(name: &str) -> String {
    match name {
        "hidden" => "</input>".to_owned(),
        _ => format!("</{name}>"),
    }
}

/// Adds a start tag. If the element contains text, its end tag follows in most cases.
fn start_tag(random: &mut Random, name: &str, tokens: &mut Vec<String>) {
    if name == "hidden" {
        return tokens.push("<input type=hidden>".to_owned());
    }
    // After this tag, the rest of the document is text.
    if name == "plaintext" && !random.percent(10) {
        return;
    }
    let mut tag = format!("<{name}");
    if random.percent(4) {
        tag.make_ascii_uppercase();
    }
    tag.push_str(attributes(random, name));
    tag.push_str(if random.percent(6) { "/>" } else { ">" });
    tokens.push(tag);
    if TEXTS.split(' ').any(|text| text == name) && random.percent(80) {
        if random.percent(60) {
            let text = ["x", "<b>", "\n", " ", "&amp;", "<!--", "\0", "\nx", "\r\n"];
            tokens.push(random.pick(&text).to_owned());
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
        "template" => &[
            " for=x",
            " shadowrootmode=open",
            " shadowrootmode=OPEN shadowrootclonable shadowrootslotassignment=manual",
            " shadowrootmode=closed shadowrootserializable",
            " shadowrootmode=x",
            "",
            "",
            "",
        ],
        _ => &[],
    };
    match own.is_empty() {
        false => random.pick(own),
        true if random.percent(20) => some(random, &ATTRIBUTES),
        true => "",
    }
}
