// Evaluates XPath expressions at a node of each document, and returns the values that differ from the expected ones: the
// number of the expression, and Chromium's value in the form of `xpath.rs`.
const NAMESPACES = {
  h: "http://www.w3.org/1999/xhtml",
  svg: "http://www.w3.org/2000/svg",
  math: "http://www.w3.org/1998/Math/MathML",
  xlink: "http://www.w3.org/1999/xlink",
};
const MAX_NODES = 40;

function shown(node, numbers) {
  const at = (element) => (numbers.has(element) ? numbers.get(element) : -1);
  switch (node.nodeType) {
    case Node.ELEMENT_NODE:
      return `element ${at(node)}`;
    case Node.ATTRIBUTE_NODE:
      return `attribute ${at(node.ownerElement)} ${node.name} ${node.value}`;
    case Node.TEXT_NODE:
      return `text ${at(node.parentNode)} ${node.data}`;
    case Node.COMMENT_NODE:
      return `comment ${at(node.parentNode)} ${node.data}`;
    case Node.PROCESSING_INSTRUCTION_NODE:
      return `instruction ${at(node.parentNode)} ${node.target} ${node.data}`;
    case Node.DOCUMENT_NODE:
      return "document";
    default:
      return `other ${node.nodeType}`;
  }
}

function value(page, expression, context, numbers) {
  const resolver = (prefix) => NAMESPACES[prefix] ?? null;
  const evaluate = (type) => page.evaluate(expression, context, resolver, type, null);
  let found;
  try {
    found = evaluate(XPathResult.ANY_TYPE);
    switch (found.resultType) {
      case XPathResult.NUMBER_TYPE: {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, found.numberValue);
        const bits = view.getBigUint64(0).toString(16).padStart(16, "0");
        return ["number", Number.isNaN(found.numberValue) ? "NaN" : bits];
      }
      case XPathResult.STRING_TYPE:
        return ["string", found.stringValue];
      case XPathResult.BOOLEAN_TYPE:
        return ["boolean", String(found.booleanValue)];
    }
    const nodes = evaluate(XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const list = ["nodes", String(nodes.snapshotLength)];
    for (let at = 0; at < Math.min(nodes.snapshotLength, MAX_NODES); at++) {
      list.push(shown(nodes.snapshotItem(at), numbers));
    }
    return list;
  } catch (error) {
    return ["error", String(error.message)];
  }
}

const found = [];
for (const [number, [markup, elements, context, expressions]] of questions.entries()) {
  const page = new DOMParser().parseFromString(markup, "text/html");
  // XPath has no node for a DOCTYPE, but Chromium has one, which `node()` selects.
  page.doctype?.remove();
  const all = [...page.querySelectorAll("*")];
  if (all.length !== elements) {
    found.push([number, [[-1, ["elements", String(all.length)]]]]);
    continue;
  }
  const numbers = new Map(all.map((element, at) => [element, at]));
  const node = context < 0 ? page : all[context];
  const wrong = [];
  for (const [at, [expression, expected]] of expressions.entries()) {
    const own = value(page, expression, node, numbers);
    if (JSON.stringify(own) !== JSON.stringify(expected)) wrong.push([at, own]);
  }
  if (wrong.length > 0) found.push([number, wrong]);
}
const json = JSON.stringify([questions.length, found]);
// The answer is read as markup, in which these characters are written as references.
const plain = (one) => "\\u00" + one.charCodeAt(0).toString(16);
document.getElementById("answer").textContent = json.replace(/[<>&]/g, plain);
