//! Random XML documents: content, internal subsets, and external entities.

use super::{Parts, Pieces, many, one, spoilt, utf16, words};
use crate::random::Random;

/// Pieces of content.
static PIECES: Pieces = Pieces::new(|| {
    words(
        "<a> </a> <b> </b> <a/> <p:a> </p:a> </> <é> </é> < > / <a␣ <b␣ ␣x=\"1\" ␣x='2' ␣y=z ␣x \
         ␣p:x=\"1\" ␣q:x='1' = \" ' ␣xmlns=\"u\" ␣xmlns:p=\"u\" ␣xmlns:q='u' ␣xmlns:p='' \
         ␣xmlns='' ␣xml:lang='e' ␣xmlns:xml='u' ␣xmlns:xmlns='u' ␣é=\"ü\" ␣a=\"<\" \
         ␣a=\"&lt;\r\n\t&#10;\" /> /␣> </a␣ </b␣x='>'> </ <3 <: : <a:b:c> <a<b> ␣ \n \r \r\n \t \
         x text 日本 𝄞 \u{85} \u{2028} \u{1} \u{fffe} \u{feff} ]]> ]] ] &lt; &amp; &apos; &quot; \
         &gt; &#65; &#x1F600; &#0; &#xD; &#xd800; &#99999999999; &# &#x & &a &a; &é; ; <!-- --> \
         -- - --!> <!--␣c␣--> <!----> <!--> <!---> <![CDATA[ <![CDATA[c]]> <![CDATA[]]> <![CD <! \
         <? ?> ? <?pi␣d?> <?pi?> <??> <?xml␣version=\"1.0\"?> <?xml␣ <?xml?> ␣version='1.1' \
         ␣encoding='utf-8' ␣standalone=\"yes\" <?XML␣x?> <!DOCTYPE ␣a <!DOCTYPE␣a> <!DOCTYPE␣a␣[ \
         ]> ␣PUBLIC␣\"p\"␣'s' ␣SYSTEM␣'s' <!DOCTYPE␣a␣SYSTEM␣'s'> <!ELEMENT␣a␣ANY> \
         <!ATTLIST␣a␣b␣CDATA␣#IMPLIED> <!ENTITY␣e␣'v'> <!NOTATION␣n␣SYSTEM␣'n'> %p; % [ ! # &e; \
         <!ELEMENT <!ENTITY␣%␣p␣'>'> <!DOCTYPE␣a␣[<?p␣i?><!--c-->]> <a </a <A </A> \0 a b x:y \
         <:a> </:a> 7 <3> é <!x <!- <![cdata[ <?p <?␣ <?p␣d?> <?xml␣version='1.0'?> <?XML \
         <!DOCTYPE␣a <!DOCTYPE\t <!doctype␣a> ␣PUBLIC␣\"x\"␣\"y\" ␣PUBLIC␣'␣x\n␣y'\r\n'y' \
         ␣SYSTEM␣'z' <!DOCTYPE␣b␣SYSTEM␣'z'> &lt &#x41 &#X41; &#x3c; &#13; &#10; &#1; &#x85; \
         \r\u{85} &#32; &#xD800; &#xFFFE; &unknown; &x:y; &:; <?p:q␣d?> &f; &g; &h; ␣c='&e;' ␣c=&f; &é &a-b.1; &-; \
         &; ␣xmlns='u' ␣xmlns:p='u' ␣xmlns:q=\"u\" ␣xmlns=\"\" \
         ␣xmlns:p='http://www.w3.org/XML/1998/namespace' ␣xmlns=http://www.w3.org/2000/xmlns/ \
         <a␣xmlns:p='u'␣xmlns:q='u'> <a␣xmlns:p='u'␣xmlns:q='u'␣xmlns='v' <q:a ␣p:k=1 ␣q:k='2' \
         ␣xml:k='3' ␣a=b ␣x='␣1␣␣2␣' ␣b='\t&#32;k' ␣b=\"x\" ␣b='y\n\tz' ␣a=&lt; ␣a='<' ␣:c='1' \
         ␣x:y='2' ␣d=\"&unknown;\" ␣é",
    )
});

/// Pieces of internal subsets.
static SUBSET: Pieces = Pieces::new(|| {
    words(
        "<!DOCTYPE␣a␣[ <!DOCTYPE␣a␣[ ]> ]> <!ENTITY␣e␣'v'> <!ENTITY␣e␣' <!ENTITY␣e␣\"x&f;y\"> \
         <!ENTITY␣f␣'<b>z</b>'> <!ENTITY␣f␣'<a␣x=\"&#13;&#60;&#38;#60;'> <!ENTITY␣f␣\"&e;\" \
         <!ENTITY␣g␣'␣'> <!ENTITY␣lt␣'x'> <!ENTITY␣x:y␣'w&x:z;'> <!ENTITY␣e␣'<!DOCTYPE␣b␣[<!ENTITY␣g␣\"q\">]>'> <!ENTITY␣%␣p␣'<!ENTITY␣e␣\"q\">'> \
         <!ENTITY␣h␣SYSTEM␣'h'> <!ENTITY␣h␣PUBLIC␣'h'␣'i'␣NDATA␣n> <!ENTITY␣%␣q␣SYSTEM␣'q'> \
         <!ENTITY <!ENTITY␣ <!ENTITY% <!ATTLIST␣a␣x␣CDATA␣'d'> \
         <!ATTLIST␣a␣b␣NMTOKENS␣'␣m␣␣n&#32;' <!ATTLIST␣b␣y␣(k|l)␣#FIXED␣\"k␣\"␣x␣ID␣#IMPLIED> \
         <!ATTLIST␣a␣a␣CDATA␣#REQUIRED␣'r'␣b␣NOTATION␣(k)␣'&e;\t&#9;'> <!ATTLIST <!ATTLIST␣a ␣x \
         ␣CDATA ␣ENTITY ␣(␣k␣|␣l␣)␣ ␣#IMPLIED ␣#FIXED ␣'␣&e;␣' <!ELEMENT␣a␣ANY> <!ELEMENT␣a␣'>'> \
         <!NOTATION␣n␣SYSTEM␣'>'> <!NOTATION %p; %q; %x:y; % <!-- - --> <?p␣d?> <?p ?> < <! <!x> > ' \
         \" ] \r\n ␣ x &#13; &#x26; &#0; &g; & ␣SYSTEM␣'z' ␣NDATA␣n ␣NDATA␣n:m <!DOCTYPEx",
    )
});

/// Pieces of declarations that refer to each other. `@` is replaced by a random letter.
static DECLARATIONS: Pieces = Pieces::new(|| {
    words(
        "<!ENTITY␣@␣' <!ENTITY␣@␣\" <!ENTITY␣@␣'x'> <!ENTITY␣@␣'<b>&@;</b>'> \
         <!ENTITY␣@␣'&#60;b/>&#38;@;'> <!ENTITY␣@␣'<b>'> <!ENTITY␣@␣\"<c␣x='&@;'/>\r\n&#13;\"> \
         <!ENTITY␣@␣'&@;%@;&#37;'> <!ENTITY␣@␣SYSTEM␣'1'> <!ENTITY␣@␣PUBLIC␣'p'␣'2'> \
         <!ENTITY␣@␣SYSTEM␣'9'> <!ENTITY␣@␣SYSTEM␣'1'␣NDATA␣n> <!ENTITY␣%␣@␣' \
         <!ENTITY␣%␣@␣'CDATA'> <!ENTITY␣%␣@␣\"<!ENTITY␣@␣'y'>\"> <!ENTITY␣%␣@␣'<?p␣i?>&#37;@;'> \
         <!ENTITY␣%␣@␣'<!--'> <!ENTITY␣%␣@␣''> <!ENTITY␣%␣@␣SYSTEM␣'2'> <!ENTITY␣%␣@␣SYSTEM␣'3'> \
         <!ENTITY␣%@;␣'z'> %@; %@; % %␣ &@; <!ATTLIST␣b␣x␣ <!ATTLIST␣b␣x␣CDATA␣'d'> \
         <!ATTLIST␣b␣x␣NMTOKEN␣'␣&@;\t&#32;e␣'> <!ATTLIST␣c␣y␣(f|g)␣#REQUIRED␣x␣ID␣#IMPLIED> \
         <!ATTLIST␣c␣xmlns␣CDATA␣#FIXED␣'u'> <!ATTLIST␣p:c␣xmlns:p␣CDATA␣'u'␣p:x␣CDATA␣'v'> \
         <!ATTLIST␣b␣x␣%@;␣'w'> <!ATTLIST␣%@;> ␣CDATA ␣NOTATION␣(n|m) ␣#FIXED ␣#IMPLIED ␣(h| \
         <!ELEMENT␣b␣ <!ELEMENT␣b␣ANY> <!ELEMENT␣b␣(#PCDATA|c)*> <!ELEMENT␣b␣(%@;)> (c,(b|c)+) \
         EMPTY <!NOTATION␣n␣SYSTEM␣'n'> <!NOTATION␣m␣PUBLIC␣\"p\"> <!NOTATION␣m␣ <![INCLUDE[ \
         <![IGNORE[ <![␣%@;␣[ ]]> <?p␣i?> <?p <!--c--> <!-- --> ?> > > ' \" < <! ] ␣ \r\n \u{85} \
         é 日 𝄞 \u{1}",
    )
});

/// Pieces of content that refer to these declarations.
static CONTENT: Pieces = Pieces::new(|| {
    words(
        "&@; &@; &@; <b␣x='&@;'> <b> </b> <c/> <p:c> </p:c> <b␣x=\"␣&␣&@;␣&#9;␣\"> x \r \r\n \
         \u{85} \u{2028} 日 ]]> <![CDATA[&@;]]> <!--c--> <?p␣i?> < & &lt; &#13; </ </a> <a> %@; \
         <!DOCTYPE␣a␣[ ]> \u{1}",
    )
});

/// Beginnings of external entities.
static OPENINGS: Pieces = Pieces::new(|| {
    words(
        "<?xml␣encoding='utf-8'?> <?xml␣version='1.0'␣encoding='iso-8859-1'?> \
         <?xml␣version='1.1'␣encoding='utf-8'?> <?xml␣version='1.0'?> <?xml␣encoding='klingon'?> \
         <?xml␣",
    )
});

/// Beginnings of documents.
const DECLARATIONS_OF_XML: [&str; 5] = [
    "<?xml version='1.0'?>",
    "<?xml version='1.0' standalone='yes'?>",
    "<?xml version='1.1'?>",
    "<?xml",
    "<?xml ",
];

const LETTERS: [&str; 4] = ["e", "f", "g", "e"];

/// Separates a document and its external entities.
pub const SEPARATOR: u8 = 0x1E;

/// Draws a document. Most documents begin with a start tag, so that the rest is inside an element.
pub fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    let mut part = |part: &str| parts.push(part.as_bytes().to_vec());
    if let Some(declaration) = DECLARATIONS_OF_XML.get(random.below(20)) {
        part(declaration);
    }
    let doctype = random.below(8);
    match doctype {
        0 | 1 => part("<!DOCTYPE a ["),
        2 if random.one_in(2) => part("<!DOCTYPE a"),
        _ => {}
    }
    if doctype < 2 {
        for _ in 0..random.below(8) {
            parts.push(one(random, &SUBSET));
        }
        parts.push(b"]>".to_vec());
    }
    if random.one_in(2) {
        let root: &[u8] = [&b"<a>"[..], b"<a xmlns:p='u'>"][random.below(2)];
        parts.push(root.to_vec());
    }
    for _ in 0..many(random) {
        if random.one_in(16) {
            parts.push(vec![random.below(0x80) as u8]);
        }
        parts.push(match random.below(16) {
            0 => one(random, &SUBSET),
            _ => one(random, &PIECES),
        });
    }
    if random.one_in(2) {
        parts.push(b"</a>".to_vec());
    }
    spoilt(random, parts)
}

/// Draws a document. One document of 32 is in UTF-16.
pub fn encoded(random: &mut Random) -> Parts {
    let parts = document(random);
    match random.one_in(32) {
        true => vec![utf16(&parts.concat())],
        false => parts,
    }
}

/// Draws a document and three external entities with the system identifiers `1`, `2` and `3`. The first entity is for
/// content, the others are for declarations.
pub fn with_entities(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    let mut part = |part: &str| parts.push(part.as_bytes().to_vec());
    match random.below(12) {
        0 => part("<?xml version='1.1'?>"),
        1 => part("<?xml version='1.0' standalone='yes'?>"),
        2 => part("<?xml version='1.0'?>"),
        _ => {}
    }
    part(match random.below(4) {
        0 => "<!DOCTYPE a SYSTEM '2' [",
        1 => "<!DOCTYPE a SYSTEM '3' [",
        _ => "<!DOCTYPE a [",
    });
    put(random, &DECLARATIONS, 6, &mut parts);
    parts.push(b"]><a xmlns:p='u'>".to_vec());
    put(random, &CONTENT, 8, &mut parts);
    let ends: [&[u8]; 3] = [b"</a>", b"</b></a>", b""];
    parts.push(ends[random.below(3)].to_vec());
    for pieces in [&CONTENT, &DECLARATIONS, &DECLARATIONS] {
        let mut entity = Parts::new();
        if random.one_in(4) {
            entity.push(one(random, &OPENINGS));
        }
        put(random, pieces, 6, &mut entity);
        entity = spoilt(random, entity);
        if random.one_in(24) {
            entity = vec![utf16(&entity.concat())];
        }
        for part in &mut entity {
            part.retain(|byte| *byte != SEPARATOR);
        }
        parts.push(vec![SEPARATOR]);
        parts.append(&mut entity);
    }
    parts
}

fn put(random: &mut Random, pieces: &[String], most: usize, parts: &mut Parts) {
    for _ in 0..random.below(most) {
        let piece = &pieces[random.below(pieces.len())];
        let mut text = String::new();
        for (index, part) in piece.split('@').enumerate() {
            if index > 0 {
                text += random.pick(&LETTERS);
            }
            text += part;
        }
        parts.push(text.into_bytes());
    }
}
