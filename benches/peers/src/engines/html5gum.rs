//! html5gum: its tokenizer. It is compared but not measured, because it sorts attributes by name.

use super::{Done, Job};
use crate::reading::Reading;
use html5gum::{DefaultEmitter, Token, Tokenizer};

pub fn tokens<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(job.input.text(), emitter) {
        match token {
            Token::StartTag(tag) => {
                reading.start(utf8(&tag.name));
                for (name, value) in &tag.attributes {
                    reading.attribute(utf8(name), utf8(value));
                }
                if tag.self_closing {
                    reading.self_closing();
                }
            }
            Token::EndTag(tag) => reading.end(utf8(&tag.name)),
            Token::String(text) => reading.text(utf8(&text)),
            Token::Comment(text) => reading.comment(utf8(&text)),
            Token::Doctype(doctype) => reading.doctype(utf8(&doctype.name)),
            Token::Error(_) => {}
        }
    }
    Ok(())
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}
