//! Sanitizes the markup of a user in one line.
//!
//! `cargo run --example sanitize [MARKUP]`

use tagstream::{Html, Sanitizer};

fn main() {
    let markup = std::env::args().nth(1);
    let markup = markup.unwrap_or_else(|| {
        "<p onclick=evil()>Hello <b>you</b><script>evil()</script> <font>and</font> \
         <a href='java&Tab;script:evil()'>this</a> <img src=cat.jpg onerror=evil()>"
            .to_owned()
    });
    println!("{}", Html::sanitize(&markup));
    // Comments and posts may have pictures. A `font` element is replaced with its children.
    println!("{}", Sanitizer::user_content().clean(&markup));
}
