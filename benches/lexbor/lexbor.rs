//! Loads lexbor at run time from the library that `build.sh` in this folder builds, and visits the nodes of its trees.

use libloading::{Library, Symbol};
use std::ffi::c_void;
use std::path::Path;
use std::sync::OnceLock;

/// A node of a tree, or a part of one. The visitor gets the depth of each.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// An element: its namespace and its name.
    Element(&'static str, &'a str),
    /// An attribute of the last element: its namespace, its name with the prefix, and its value.
    Attribute(&'static str, &'a str, &'a str),
    /// Text.
    Text(&'a str),
    /// A comment.
    Comment(&'a str),
    /// A doctype's name and public identifier.
    Doctype(&'a str, &'a str),
    /// The system identifier of the last doctype.
    SystemId(&'a str),
    /// The start of the contents of a template.
    Content,
    /// A processing instruction: its target and its data.
    Instruction(&'a str, &'a str),
}

pub type Visit = extern "C" fn(*mut c_void, i32, usize, u32, *const u8, usize, *const u8, usize);

type Walk = unsafe extern "C" fn(
    *const u8,
    usize,
    i32,
    *const u8,
    usize,
    u32,
    Option<Visit>,
    *mut c_void,
) -> i32;

/// The library, if it was built.
fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lexbor/target");
        // SAFETY: the library is the one that the script builds; loading it runs nothing.
        unsafe { Library::new(folder.join("liblexbor_walk.so")) }.ok()
    });
    library.as_ref()
}

/// Returns whether the library was built.
pub fn is_there() -> bool {
    library().is_some()
}

/// Parses a document, or a fragment in a context (`div`, `svg path`), and visits its tree. Returns whether lexbor
/// succeeded.
pub fn walk<V: FnMut(usize, Seen<'_>)>(
    text: &str,
    context: Option<&str>,
    scripting: bool,
    mut visit: V,
) -> bool {
    let context_of_visits = std::ptr::from_mut(&mut visit).cast();
    call(text, context, scripting, Some(show::<V>), context_of_visits)
}

/// Calls the library, which drops the tree at the end. Without a visitor, the library only parses.
pub fn call(
    text: &str,
    context: Option<&str>,
    scripting: bool,
    visit: Option<Visit>,
    context_of_visits: *mut c_void,
) -> bool {
    let Some(library) = library() else {
        return false;
    };
    // SAFETY: `walk.c` defines the function with these parameters.
    let Ok(walk) = (unsafe { library.get::<Walk>(b"lexbor_walk\0") }) else {
        return false;
    };
    let walk: Symbol<'_, Walk> = walk;
    let (namespace, name) = match context {
        None => (0, ""),
        Some(context) => match context.split_once(' ') {
            Some(("svg", name)) => (4, name),
            Some((_, name)) => (3, name),
            None => (2, context),
        },
    };
    let name_start = match context {
        Some(_) => name.as_ptr(),
        None => std::ptr::null(),
    };
    // SAFETY: the strings live during the call, and the visitor gets the context that it expects.
    let status = unsafe {
        walk(
            text.as_ptr(),
            text.len(),
            i32::from(scripting),
            name_start,
            name.len(),
            namespace,
            visit,
            context_of_visits,
        )
    };
    status == 0
}

extern "C" fn show<V: FnMut(usize, Seen<'_>)>(
    context: *mut c_void,
    kind: i32,
    depth: usize,
    namespace: u32,
    name: *const u8,
    name_length: usize,
    value: *const u8,
    value_length: usize,
) {
    // SAFETY: `walk` passes the visitor as context, and nothing else uses it during the call.
    let visit = unsafe { &mut *context.cast::<V>() };
    // SAFETY: lexbor keeps the strings until the visitor returns.
    let (name, value) = unsafe { (string(name, name_length), string(value, value_length)) };
    let seen = match kind {
        0 => Seen::Element(namespace_name(namespace), name),
        1 if namespace > 4 => Seen::Attribute(namespace_name(namespace), name, value),
        1 => Seen::Attribute("", name, value),
        2 => Seen::Text(value),
        3 => Seen::Comment(value),
        4 => Seen::Doctype(name, value),
        5 => Seen::SystemId(value),
        6 => Seen::Content,
        _ => Seen::Instruction(name, value),
    };
    visit(depth, seen);
}

/// # Safety
///
/// The bytes must stay valid as long as the string is used, unless the pointer is null.
unsafe fn string<'a>(start: *const u8, length: usize) -> &'a str {
    if start.is_null() {
        return "";
    }
    // SAFETY: the caller guarantees that the bytes are valid.
    let bytes = unsafe { std::slice::from_raw_parts(start, length) };
    std::str::from_utf8(bytes).unwrap_or("not UTF-8")
}

fn namespace_name(namespace: u32) -> &'static str {
    match namespace {
        2 => "http://www.w3.org/1999/xhtml",
        3 => "http://www.w3.org/1998/Math/MathML",
        4 => "http://www.w3.org/2000/svg",
        5 => "http://www.w3.org/1999/xlink",
        6 => "http://www.w3.org/XML/1998/namespace",
        7 => "http://www.w3.org/2000/xmlns/",
        _ => "",
    }
}
