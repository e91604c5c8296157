// Parses each of `questions`, [document, edits, output], makes the edits in the document, and compares the tree with that
// of the output. An edit is [path, operation, name, nodes]: the path consists of child indexes, and an inserted node is
// [kind, text]. Returns the trees of the edited documents that differ, and those of the outputs.
"use strict";

const HTML = "http://www.w3.org/1999/xhtml";

// The children of a template are those of its content.
function holder(node) {
  return node.content instanceof DocumentFragment ? node.content : node;
}

// Returns the namespace of an element that is parsed as a child of this one.
function childNamespace(parent) {
  const kind = KINDS[parent.namespaceURI];
  const isPoint = kind === "svg "
    ? ["foreignObject", "desc", "title"].includes(parent.localName)
    : ["mi", "mo", "mn", "ms", "mtext"].includes(parent.localName) ||
      /^(text\/html|application\/xhtml\+xml)$/i.test(parent.getAttribute?.("encoding"));
  return kind && !isPoint ? parent.namespaceURI : HTML;
}

function created(inner, parent, [kind, text]) {
  switch (kind) {
    case "text":
      return inner.createTextNode(text);
    case "comment":
      return inner.createComment(text);
    default: {
      const element = inner.createElementNS(childNamespace(parent), text);
      element.append("m");
      return element;
    }
  }
}

function edit(inner, node, operation, name, nodes, value) {
  const place = ["prepend", "append", "content"].includes(operation) ? node : node.parentNode;
  const content = nodes.map((one) => created(inner, place, one));
  switch (operation) {
    case "set":
      return node.setAttribute(name, value);
    case "unset":
      return node.removeAttribute(name);
    case "rename": {
      const other = inner.createElementNS(node.namespaceURI, name);
      for (const attribute of Array.from(node.attributes)) {
        other.setAttributeNode(attribute.cloneNode());
      }
      other.append(...holder(node).childNodes);
      return node.replaceWith(other);
    }
    case "remove":
      return node.remove();
    case "unwrap":
      return node.replaceWith(...holder(node).childNodes);
    case "before":
      return node.before(...content);
    case "after":
      return node.after(...content);
    case "prepend":
      return holder(node).prepend(...content);
    case "append":
      return holder(node).append(...content);
    case "content":
      return holder(node).replaceChildren(...content);
    case "data":
      node.data = name;
      return;
    case "replace":
      return node.replaceWith(...content);
  }
}

// Joins adjacent texts.
function normalize(parent) {
  parent.normalize();
  for (const template of parent.querySelectorAll("template")) {
    normalize(holder(template));
  }
}

function dumped(inner) {
  const lines = [];
  normalize(inner);
  dumpBelow(inner, 0, lines);
  return lines.join("");
}

function parsed(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

questions.forEach(([text, edits, output, value], number) => {
  let expected, found;
  try {
    const inner = parsed(text);
    // The nodes are found before the first edit.
    const found = edits.map(([path]) => path.reduce((node, index) => holder(node).childNodes[index], inner));
    edits.forEach(([, operation, name, nodes], at) => edit(inner, found[at], operation, name, nodes, value));
    expected = dumped(inner);
  } catch (error) {
    expected = "error: " + error + "\n";
  }
  found = dumped(parsed(output));
  if (found !== expected) {
    answers.push([number, "edited:\n" + expected + "output:\n" + found]);
  }
});
answer();
