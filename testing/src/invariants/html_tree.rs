//! The properties of the tree of any input read as HTML. The fuzz target and the random documents share these checks.
//! They use only the public API, and no rule of the standard except what the tree of every document has.

use super::recording::Feeding;
use super::{Options, cuts};
use crate::tree_formats::TreeFormats as _;
use std::fmt::Write;
use tagstream::tree::{NamespaceId, NodeId, Patch, QualifiedName, QuirksMode, XmlVersion};
use tagstream::{
    Document, Encoding, Error, Event, Html, Node, NodeKind, Status, TreeBuilder, TreeSink,
};

/// Context elements of fragments, selected by the options.
const CONTEXTS: [&str; 16] = [
    "body", "table", "tbody", "tr", "td", "colgroup", "select", "template", "html", "frameset",
    "textarea", "script", "svg path", "svg desc", "math mi", "form",
];

/// The bits of the options.
const SCRIPTING: u8 = 1;
const SNIFFED: u8 = 4;
const FRAGMENT: u8 = 8;
const DEEP: u8 = 2;

fn builder(options: Options) -> TreeBuilder<Html, Checked> {
    let html = match options.has(FRAGMENT) {
        true => Html::fragment(CONTEXTS[usize::from(options.bits >> 4)]).expect("a context"),
        false => Html::default(),
    };
    let html = html.scripting(options.has(SCRIPTING));
    let html = match options.has(SNIFFED) {
        true => html,
        false => html.encoding(Encoding::UTF_8),
    };
    let builder = TreeBuilder::with_sink(html, Checked::default());
    // Half of the inputs have a limit of depth that most of them meet.
    let limits = match options.bits & DEEP {
        0 => options.limits,
        _ => options.limits.depth(options.limits.depth.min(5)),
    };
    builder.limits(limits).inspect_sizes(options.sizes)
}

/// Checks all properties of the tree of one input.
///
/// # Errors
///
/// Returns a description of the property that does not hold.
pub fn check_html_tree(options: Options, input: &[u8]) -> Result<(), String> {
    let usual = Options::new(options.bits, options.reference()).limits(options.limits);
    let whole = built(usual, input, &Feeding::Whole, false)?;
    let whole_errors = built(usual, input, &Feeding::Whole, true)?;
    // If errors are reported, runs of text are not divided, so that they may exceed a limit.
    let has_same_end = whole.failure.is_none() && whole_errors.failure.is_none();
    if has_same_end && whole.tree != whole_errors.tree {
        let (without, with) = (&whole.tree, &whole_errors.tree);
        return Err(differ("with errors reported", without, with));
    }
    let cuts = cuts(input);
    let place = cuts[cuts.len() / 2];
    for feeding in [
        Feeding::Bytes,
        Feeding::Cuts(&cuts),
        Feeding::Cuts(&[place]),
        Feeding::CloneAt(cuts[0]),
    ] {
        for (errors, whole) in [(false, &whole), (true, &whole_errors)] {
            let found = built(options, input, &feeding, errors)?;
            if *whole != found {
                let how = format!("{feeding:?}, errors {errors}");
                return Err(differ(&how, &whole.shown(), &found.shown()));
            }
        }
    }
    Ok(())
}

fn differ(how: &str, whole: &str, found: &str) -> String {
    format!("{how}: whole\n{whole}\nbut found\n{found}")
}

/// The tree of an input, its parse errors, and the error that ended the parse. If there is one, the tree is empty: it may
/// contain a part of the text that exceeded a limit.
#[derive(Debug, PartialEq, Eq)]
struct Built {
    tree: String,
    errors: String,
    failure: Option<String>,
}

impl Built {
    fn shown(&self) -> String {
        format!("{}{}{:?}", self.errors, self.tree, self.failure)
    }
}

fn built(
    options: Options,
    input: &[u8],
    feeding: &Feeding<'_>,
    errors: bool,
) -> Result<Built, String> {
    let mut builder = builder(options).report_errors(errors);
    let (mut lines, mut failure) = (String::new(), None);
    for (number, chunk) in feeding.chunks(input).into_iter().enumerate() {
        if number > 0 && !matches!(feeding, Feeding::Bytes) {
            // The tree can be read while it is being built.
            consistent(builder.sink().document.root())?;
        }
        if number > 0 && matches!(feeding, Feeding::CloneAt(_)) {
            let clone = builder.clone();
            // Other input for the original must not affect the clone.
            let other = b"<table><b><p>x</b></table>";
            builder.supply(other);
            let _ = pull(&mut builder, &mut String::new());
            builder = clone;
        }
        builder.supply(chunk);
        failure = failure.or(pull(&mut builder, &mut lines).err());
    }
    builder.supply_end();
    failure = failure.or(pull(&mut builder, &mut lines).err());
    let ended = match failure {
        None => Status::Finished,
        Some(_) => Status::Failed,
    };
    if builder.status() != ended {
        return Err(format!("it ended as {:?}", builder.status()));
    }
    let document = builder.into_sink().document;
    consistent(document.root())?;
    if let Some(error) = failure {
        if error.limit().is_none() {
            return Err(format!("it failed: {error}"));
        }
        return Ok(Built {
            tree: String::new(),
            errors: lines,
            failure: Some(format!("{} {} {error}", error.span(), error.position())),
        });
    }
    // At a depth of 2, elements in the body are its siblings, and so is the body to the root element at a depth of 1.
    if !options.has(FRAGMENT) && options.limits.depth > 2 {
        is_document(&document, may_patch(input))?;
    }
    // Serializing the tree must not panic.
    let _ = document.to_html();
    let mut tree = document.to_html5lib();
    write!(tree, "{:?}", document.quirks_mode()).map_err(|error| error.to_string())?;
    Ok(Built {
        tree,
        errors: lines,
        failure: None,
    })
}

fn pull(builder: &mut TreeBuilder<Html, Checked>, lines: &mut String) -> Result<(), Error> {
    while let Some(event) = builder.next_event()? {
        if let Event::ParseError(error) = event {
            lines.push_str(&format!("{} {}\n", error.span(), error.code().as_str()));
        }
    }
    Ok(())
}

/// Checks that the links of a tree are consistent, and that no text is empty.
fn consistent(top: Node<'_>) -> Result<(), String> {
    let mut waiting = vec![top];
    while let Some(node) = waiting.pop() {
        let mut before = None;
        for child in node.children() {
            if child.parent() != Some(node) || child.previous_sibling() != before {
                return Err(format!("the links of {child:?} are wrong"));
            }
            if child.is_text() && child.text().is_empty() {
                return Err(format!("an empty text in {node:?}"));
            }
            before = Some(child);
            waiting.push(child);
        }
        if node.last_child() != before {
            return Err(format!("the last child of {node:?} is wrong"));
        }
        waiting.extend(node.template_contents());
    }
    Ok(())
}

/// Returns whether the input may contain a marker, so that a template may replace the head or the body.
fn may_patch(input: &[u8]) -> bool {
    // U+0000 is removed, because the two characters may be several bytes apart in UTF-16.
    let letters: Vec<u8> = input.iter().copied().filter(|byte| *byte != 0).collect();
    letters.windows(2).any(|two| two == b"<?")
}

/// Checks the structure that the standard guarantees for every document: a root element `html` with a head and then a
/// body or frameset.
fn is_document(document: &Document, may_patch: bool) -> Result<(), String> {
    let mut roots = 0;
    for child in document.root().children() {
        match child.kind() {
            NodeKind::Element => roots += 1,
            NodeKind::Doctype if roots > 0 => return Err("a late doctype".to_owned()),
            NodeKind::Text => return Err("text beside the root element".to_owned()),
            _ => {}
        }
    }
    let root = document.root_element().ok_or("no root element")?;
    let elements: Vec<&str> = root
        .children()
        .filter(Node::is_element)
        .map(|element| element.name())
        .collect();
    let is_right = roots == 1
        && root.name() == "html"
        && (may_patch
            || elements.first() == Some(&"head")
                && elements
                    .get(1)
                    .is_some_and(|name| *name == "body" || *name == "frameset"));
    match is_right {
        true => Ok(()),
        false => Err(format!("{roots} roots, with {elements:?}")),
    }
}

/// A document that checks the guarantees of the builder.
#[derive(Clone, Debug, Default)]
struct Checked {
    document: Document,
}

impl Checked {
    fn node(&self, id: NodeId) -> Node<'_> {
        self.document.node(id).expect("a node of this document")
    }

    /// Checks that `parent` may have `child` as a child.
    fn check_place(&self, parent: NodeId, child: NodeId) {
        let (parent, child) = (self.node(parent), self.node(child));
        self.check_parent(parent.id());
        let is_inner = matches!(
            child.kind(),
            NodeKind::Document | NodeKind::DocumentFragment
        );
        assert!(!is_inner, "{child:?} gets a parent");
        let mut above = parent.ancestors();
        assert!(
            parent != child && above.all(|node| node != child),
            "{child:?} is put below itself"
        );
    }

    fn check_parent(&self, parent: NodeId) {
        let parent = self.node(parent);
        let may_have = matches!(
            parent.kind(),
            NodeKind::Element | NodeKind::Document | NodeKind::DocumentFragment
        );
        assert!(may_have, "{parent:?} gets a child");
    }
}

impl TreeSink for Checked {
    type Handle = NodeId;
    type Namespace = NamespaceId;

    fn document(&self) -> NodeId {
        self.document.document()
    }

    fn namespace(&mut self, name: &str) -> NamespaceId {
        self.document.namespace(name)
    }

    fn create_element(&mut self, name: QualifiedName<'_>) -> NodeId {
        self.document.create_element(name)
    }

    fn add_attribute(&mut self, element: NodeId, name: QualifiedName<'_>, value: &str) {
        let node = self.node(element);
        assert!(node.is_element(), "{node:?} gets an attribute");
        let mut attributes = node.attributes();
        let is_new = attributes.all(|attribute| attribute.name() != name.qualified());
        assert!(is_new, "a second attribute {:?}", name.qualified());
        self.document.add_attribute(element, name, value);
    }

    fn add_missing_attribute(&mut self, element: NodeId, name: QualifiedName<'_>, value: &str) {
        self.document.add_missing_attribute(element, name, value);
    }

    fn create_comment(&mut self, data: &str) -> NodeId {
        self.document.create_comment(data)
    }

    fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        self.document.create_processing_instruction(target, data)
    }

    fn create_doctype(
        &mut self,
        name: &str,
        public_id: Option<&str>,
        system_id: Option<&str>,
    ) -> NodeId {
        self.document.create_doctype(name, public_id, system_id)
    }

    fn create_fragment(&mut self) -> NodeId {
        self.document.create_fragment()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        TreeSink::parent(&self.document, node)
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.check_place(parent, child);
        TreeSink::append(&mut self.document, parent, child);
    }

    fn append_text(&mut self, parent: NodeId, text: &str) {
        self.check_parent(parent);
        TreeSink::append_text(&mut self.document, parent, text);
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        if let Some(parent) = TreeSink::parent(&self.document, sibling) {
            self.check_place(parent, child);
        }
        self.document.insert_before(sibling, child);
    }

    fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        self.document.insert_text_before(sibling, text);
    }

    fn remove(&mut self, node: NodeId) {
        self.document.remove(node);
    }

    fn begin_patch(&mut self, scope: NodeId, name: &str) -> Option<Patch<NodeId>> {
        let patch = self.document.begin_patch(scope, name)?;
        assert!(
            self.node(patch.start)
                .ancestors()
                .any(|node| node.id() == scope),
            "{patch:?}"
        );
        assert_eq!(
            TreeSink::parent(&self.document, patch.start),
            Some(patch.target)
        );
        Some(patch)
    }

    fn move_children(&mut self, from: NodeId, to: NodeId) {
        self.check_parent(to);
        for child in self.node(from).children() {
            self.check_place(to, child.id());
        }
        self.document.move_children(from, to);
    }

    fn clone_element(&mut self, element: NodeId) -> NodeId {
        assert!(self.node(element).is_element(), "no element to clone");
        self.document.clone_element(element)
    }

    fn clone_subtree(&mut self, node: NodeId) -> NodeId {
        self.document.clone_subtree(node)
    }

    fn template_contents(&mut self, element: NodeId) -> NodeId {
        let node = self.node(element);
        assert_eq!(node.name(), "template", "contents of {node:?}");
        self.document.template_contents(element)
    }

    fn set_doctype(&mut self, name: &str, public_id: Option<&str>, system_id: Option<&str>) {
        self.document.set_doctype(name, public_id, system_id);
    }

    fn set_xml_version(&mut self, version: XmlVersion) {
        panic!("HTML has no {version:?}");
    }

    fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.document.set_quirks_mode(mode);
    }

    fn set_scripting(&mut self, scripting: bool) {
        self.document.set_scripting(scripting);
    }

    fn element_closed(&mut self, element: NodeId) {
        assert!(self.node(element).is_element(), "no element is closed");
    }
}
