//! Random documents of MicroXML.

use super::{COMMON, Parts, Pieces, content, spoilt, words};
use crate::random::Random;

/// Further pieces of documents.
static PIECES: Pieces = Pieces::new(|| {
    words(
        "<![CDATA[ <![CDATA[c]]> <![CD <? ?> <?pi␣d?> <??> ? <!DOCTYPE <!doctype␣a> \
         <!DOCTYPE␣a␣[ ]> <!b␣c> <!b␣'c>'␣\"d\"> [ ␣'lit' ␣xmlns='u' ␣b␣c␣d <a\rb <!doctype␣ \
         <!x␣ &x; a b é a= b=' c=\" <a␣b='c'> <a␣b␣c> 1 $ : . ␣b= \"␣ '> '/> <a␣b='< <a␣b=\"< \
         &#xD800; &#x110000; b=\"\r\n",
    )
});

/// Draws a document. Half of the documents begin with a start tag, and half end with an end tag.
pub fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    if random.one_in(2) {
        parts.push(b"<a>".to_vec());
    }
    content(random, &COMMON, &PIECES, &mut parts);
    if random.one_in(2) {
        parts.push(b"</a>".to_vec());
    }
    spoilt(random, parts)
}
