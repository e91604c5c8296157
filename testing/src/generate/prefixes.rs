//! Random documents in which prefixes are bound, shadowed and unbound at every depth.

use super::{Parts, Pieces, many, one, words};
use crate::random::Random;

static PIECES: Pieces = Pieces::new(|| {
    words(
        "<a␣xmlns:p='u'> <a␣xmlns:p='v'␣xmlns='d'> <b␣xmlns:q='w'␣xmlns:p='x'> <b␣xmlns='e'> <b␣xmlns=''> \
         <a␣xmlns:p=''> <c␣xmlns:p='y'/> <c␣xmlns:k1='1'␣xmlns:k2='2'␣xmlns:k3='3'/> <a> <b> <c/> </a> </b> </a> \
         </b> </> text p:name <!--c--> <?pi␣d?> <p:a> </p:a> <q:c/> <a␣xmlns:p='z'␣xmlns:p='w'> \
         <a␣xmlns:k1='1'␣xmlns:k2='2'␣xmlns:k3='3'␣xmlns:k4='4'␣xmlns:k5='5'␣xmlns:k6='6'␣xmlns:k7='7'> \
         <b␣xmlns:k8='8'␣xmlns:k9='9'␣xmlns:k1='i'␣xmlns:p='j'> <a␣xmlns:xml='u'␣xmlns:q='v'> &e; ␣x=\"y\" > < \
         <a␣xmlns:xml='http://www.w3.org/XML/1998/namespace'> <a␣xmlns:q='http://www.w3.org/2000/xmlns/'>",
    )
});

/// Draws a document.
pub fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    if random.one_in(4) {
        let doctype = "<!DOCTYPE a [<!ENTITY e '<b xmlns:p=\"f\">p:x<c xmlns:q=\"g\"/></b>'>\
                       <!ATTLIST b xmlns:q CDATA 'h'>]>";
        parts.push(doctype.as_bytes().to_vec());
    }
    parts.push(b"<a xmlns:q='o'>".to_vec());
    for _ in 0..many(random) {
        parts.push(one(random, &PIECES));
    }
    parts
}
