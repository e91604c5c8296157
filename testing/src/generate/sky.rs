//! Random documents of Sky.

use super::{COMMON, Parts, Pieces, content, spoilt, words};
use crate::random::Random;

/// Further pieces of documents.
static PIECES: Pieces = Pieces::new(|| {
    words(
        "<script> </script> </script␣ </scrip <style> </style> </style/ <template> </template> \
         <t> </t> <script/> <import␣src=a␣as=b␣/> #!mojo␣mojo:sky\n SKY␣MODULE\n SKY␣MODULE␣x\n \
         <\0> ␣b\0=c <_.-> &lt &amp &AMP; &#X4a; &x; &1; a b é a= b=' c=\" <a␣b='c'> 1 . _ ␣b= \
         \"␣ <template/> </script <error> </error> <x> </x> <x/> &#xD800; &#x110000; &#32; \
         <a␣b␣b␣\0␣\u{fffd}> b=\"\r\n",
    )
});

/// Beginnings of documents.
const BEGINNINGS: [&str; 7] = [
    "#!mojo mojo:sky\n",
    "SKY MODULE\n",
    "\u{feff}SKY MODULE x\r\n",
    "#!mojo mojo:sky\r",
    "SKY MODUL",
    "",
    "SKY MODULE\n",
];

/// Draws a document. Half of the documents begin like an application or a module.
pub fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    if random.one_in(2) {
        parts.push(random.pick(&BEGINNINGS).as_bytes().to_vec());
    }
    content(random, &COMMON, &PIECES, &mut parts);
    if random.one_in(2) {
        parts.push(b"</>".to_vec());
    }
    spoilt(random, parts)
}
