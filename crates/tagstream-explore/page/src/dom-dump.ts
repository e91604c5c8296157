/** Writes a tree of the browser in the format of the html5lib tests. The nodes are read, and never moved. */

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const PREFIXES: Record<string, string> = {
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.w3.org/XML/1998/namespace': 'xml',
  'http://www.w3.org/2000/xmlns/': 'xmlns',
};

/** As in the tests of HTML (`<svg path>`) or of XML (`<{namespace}path>`). */
export type Style = 'html' | 'xml';

function elementName(element: Element, style: Style): string {
  if (style === 'xml') return element.namespaceURI ? `{${element.namespaceURI}}${element.nodeName}` : element.nodeName;
  if (element.namespaceURI === SVG) return `svg ${element.localName}`;
  if (element.namespaceURI === MATHML) return `math ${element.localName}`;
  return element.localName;
}

function attributeName(attribute: Attr, style: Style): string {
  const namespace = attribute.namespaceURI;
  if (namespace === null) return attribute.name;
  if (style === 'xml') return `{${namespace}}${attribute.name}`;
  const prefix = PREFIXES[namespace];
  return prefix ? `${prefix} ${attribute.localName}` : attribute.name;
}

// The node belongs to another window, so that `instanceof` cannot be used. Elements such as `meta` have a `content` too.
function isTemplate(node: Node): node is HTMLTemplateElement {
  return node.nodeName === 'TEMPLATE' && (node as Element).namespaceURI === HTML;
}

/** A node, its depth, and whether it is the content of a template. */
type Entry = { node: Node; depth: number } | { content: DocumentFragment; depth: number } | { text: string; depth: number };

/** Returns the children as entries. Adjacent texts are one: Chromium divides long texts. */
function entries(parent: Node, depth: number): Entry[] {
  const list: Entry[] = [];
  let text: { text: string; depth: number } | null = null;
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
      if (text) text.text += child.nodeValue ?? '';
      else list.push((text = { text: child.nodeValue ?? '', depth }));
    } else {
      text = null;
      list.push({ node: child, depth });
    }
  }
  return list;
}

function doctype(node: DocumentType): string {
  const ids = node.publicId || node.systemId ? ` "${node.publicId}" "${node.systemId}"` : '';
  return `<!DOCTYPE ${node.name}${ids}>`;
}

function describe(node: Node, indent: string, style: Style): string[] {
  switch (node.nodeType) {
    case Node.ELEMENT_NODE: {
      const element = node as Element;
      const attributes = [...element.attributes]
        .map((attribute): [string, string] => [attributeName(attribute, style), attribute.value])
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return [
        `${indent}<${elementName(element, style)}>`,
        ...attributes.map(([name, value]) => `${indent}  ${name}="${value}"`),
      ];
    }
    case Node.COMMENT_NODE:
      return [`${indent}<!-- ${node.nodeValue} -->`];
    case Node.PROCESSING_INSTRUCTION_NODE:
      return [`${indent}<?${node.nodeName} ${node.nodeValue}?>`];
    case Node.DOCUMENT_TYPE_NODE:
      return [`${indent}${doctype(node as DocumentType)}`];
    default:
      return [`${indent}${node.nodeName}`];
  }
}

/** Returns the lines of the tree, at most about `limit` characters of it. */
export function dumpTree(top: Document, style: Style, limit: number): string {
  const lines: string[] = [];
  let length = 0;
  const stack = entries(top, 0).reverse();
  for (let entry = stack.pop(); entry && length < limit; entry = stack.pop()) {
    const indent = `| ${'  '.repeat(entry.depth)}`;
    const before = lines.length;
    if ('text' in entry) {
      lines.push(`${indent}"${entry.text}"`);
    } else if ('content' in entry) {
      lines.push(`${indent}content`);
      stack.push(...entries(entry.content, entry.depth + 1).reverse());
    } else {
      const { node, depth } = entry;
      lines.push(...describe(node, indent, style));
      stack.push(...entries(node, depth + 1).reverse());
      if (isTemplate(node)) stack.push({ content: node.content, depth: depth + 1 });
    }
    for (const line of lines.slice(before)) length += line.length + 1;
  }
  return lines.join('\n');
}
