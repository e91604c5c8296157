//! Prints the octets that an XML signature covers: those of each signed element, of which the program would compute the
//! digest, and those of `SignedInfo`, of which it would check the signature. It verifies nothing.
//!
//! `cargo run --example sign [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::tree::C14n;
use tagstream::{Document, Node, Xml};

const SIGNATURE: &str = "http://www.w3.org/2000/09/xmldsig#";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1);
    let path = path.unwrap_or("examples/data/signed.xml".to_owned());
    // A second element with the same ID would be an attack: the program must process the element that it verified.
    let document = Document::read(Xml::strict(), File::open(path)?)?;
    let info = find(document.root(), "SignedInfo").ok_or("there is no signature")?;
    let method = find(info, "CanonicalizationMethod").ok_or("there is no canonicalization")?;
    println!("{}", info.to_c14n(form(method)?)?);
    for reference in info.children().filter(|node| is(node, "Reference")) {
        let id = reference
            .attribute("URI")
            .and_then(|uri| uri.strip_prefix('#'));
        let has_id = |node: &Node<'_>| id.is_some() && node.attribute("ID") == id;
        let mut signed = document.root().descendants().filter(has_id);
        let (Some(signed), None) = (signed.next(), signed.next()) else {
            return Err("not one element has the ID of the reference".into());
        };
        let mut transforms = reference.descendants().filter(|node| is(node, "Transform"));
        let (Some(transform), None) = (transforms.next(), transforms.next()) else {
            return Err("only a reference with one transform is supported".into());
        };
        println!("{}", signed.to_c14n(form(transform)?)?);
    }
    Ok(())
}

/// Returns the form of Canonical XML that the attribute `Algorithm` of an element demands.
fn form(method: Node<'_>) -> Result<C14n<'_>, Box<dyn Error>> {
    let prefixes = method
        .children()
        .find_map(|node| node.attribute("PrefixList"));
    let algorithm = method.attribute("Algorithm").unwrap_or_default();
    let (name, has_comments) = match algorithm.strip_suffix("WithComments") {
        Some(name) => (name, true),
        None => (algorithm, false),
    };
    let form = match name.trim_end_matches('#') {
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315" => C14n::inclusive(),
        "http://www.w3.org/2001/10/xml-exc-c14n" => C14n::exclusive(),
        _ => return Err(format!("{algorithm} is not supported").into()),
    };
    let form = form.inclusive_prefixes(prefixes.unwrap_or_default());
    Ok(form.comments(has_comments))
}

fn find<'d>(node: Node<'d>, name: &str) -> Option<Node<'d>> {
    node.descendants().find(|node| is(node, name))
}

/// Returns true for an element of XML signatures with this name.
fn is(node: &Node<'_>, name: &str) -> bool {
    node.local_name() == name && node.namespace() == Some(SIGNATURE)
}
