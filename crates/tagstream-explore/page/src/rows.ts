/** The contents of the rows of events, nodes and errors. */
import { element, oneLine, span } from './dom';
import type { Appearance } from './list';
import type { Attribute, ErrorRow, EventRow, NodeRow, Range } from './protocol';

/** Rows show this many characters of a value. The source has all of it. */
const MAX_VALUE = 120;
const MAX_ATTRIBUTES = 8;
const MAX_INDENT = 24;

function shortened(text: string): string {
  return oneLine(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text);
}

function attributes(list: Attribute[] | undefined): Node[] {
  const nodes: Node[] = [];
  for (const [name, value] of (list ?? []).slice(0, MAX_ATTRIBUTES)) {
    nodes.push(span('t-name', ` ${oneLine(name)}`), span('t-mark', '="'), span('t-value', shortened(value)), span('t-mark', '"'));
  }
  if ((list?.length ?? 0) > MAX_ATTRIBUTES) nodes.push(span('t-mark', ' …'));
  return nodes;
}

function tag(open: string, name: string, list: Attribute[] | undefined, close: string): Node[] {
  return [span('t-mark', open), span('t-tag', oneLine(name)), ...attributes(list), span('t-mark', close)];
}

function rangeText(range: Range | null): string {
  return range ? `${range[0]}–${range[1]}` : '';
}

/** The parts of a row that events and nodes have in common. */
function content(kind: string, row: EventRow | NodeRow): Node[] {
  const name = row.name ?? '';
  const text = shortened(row.text ?? '') + (row.cut ? '…' : '');
  switch (kind) {
    case 'start':
    case 'element':
      return tag('<', name, row.attributes, 'self_closing' in row && row.self_closing ? '/>' : '>');
    case 'end':
      return tag('</', name, undefined, '>');
    case 'text':
    case 'cdata':
      return [span('t-mark', '"'), span('t-text', text), span('t-mark', '"')];
    case 'comment':
      return [span('t-comment', `<!--${text}-->`)];
    case 'pi':
      return [span('t-pi', `<?${oneLine(name)} ${text}?>`), ...attributes(row.attributes)];
    case 'doctype':
      return [span('t-pi', `<!DOCTYPE ${oneLine(name)}${text ? ` ${text}` : ''}>`)];
    case 'document':
      return [span('t-mark', 'document')];
    case 'shadow':
      return [span('t-mark', 'shadow root'), span('t-value', text ? ` ${text}` : '')];
    case 'content':
      return [span('t-mark', 'content of the template')];
    default:
      return [span('t-pi', name ? oneLine(name) : ''), span('t-text', text), ...attributes(row.attributes)];
  }
}

function indent(depth: number): HTMLElement {
  const made = span('indent', '');
  made.style.width = `${Math.min(depth, MAX_INDENT) * 12}px`;
  return made;
}

export function eventRow(row: EventRow): Appearance {
  const main = element('span', { class: 'row-main' }, indent(row.depth), ...content(row.kind, row));
  if (row.implied) main.append(span('badge', 'implied'));
  return {
    children: [span('row-number', String(row.i)), span(`kind kind-${row.kind}`, row.kind), main, span('row-range', rangeText(row.range))],
    className: row.implied ? 'is-implied' : '',
  };
}

const NAMESPACES: Record<string, string> = { svg: 'svg', math: 'math' };

/** `state` is whether the element is open, or null if it has no children. */
export function nodeRow(row: NodeRow, state: boolean | null, isMatch: boolean): Appearance {
  const toggle = span('toggle', state === null ? '' : state ? '▾' : '▸');
  const main = element('span', { class: 'row-main' }, indent(row.depth), toggle, ...content(row.kind, row));
  const namespace = row.namespace ? (NAMESPACES[row.namespace] ?? (row.namespace === 'html' ? '' : row.namespace)) : '';
  if (namespace) main.append(span('badge', oneLine(namespace)));
  if (row.kind === 'element' && !row.range) main.append(span('badge', 'implied'));
  return {
    children: [main, span('row-range', rangeText(row.range))],
    className: `${isMatch ? 'is-match' : ''}${row.range ? '' : ' is-implied'}`,
    attributes: { 'aria-level': row.depth + 1, 'aria-expanded': state === null ? null : String(state) },
  };
}

/** Returns whether an address may become a link: the engine's links lead to specifications. */
export function isLink(address: string | null): address is string {
  return address !== null && /^https?:\/\//.test(address);
}

export function specificationLink(address: string, tabbable: boolean, text = 'Specification'): HTMLAnchorElement {
  return element(
    'a',
    { href: address, target: '_blank', rel: 'noopener noreferrer', tabindex: tabbable ? null : -1 },
    text,
  );
}

export function errorRow(row: ErrorRow, isActive: boolean): Appearance {
  const cell = (className: string, ...children: (Node | string)[]) =>
    element('span', { class: className, role: 'gridcell' }, ...children);
  return {
    children: [
      cell('error-place', `${row.line}:${row.column}`),
      cell('error-code', row.code),
      cell('error-message', oneLine(row.message)),
      cell('error-link', isLink(row.link) ? specificationLink(row.link, isActive) : ''),
      cell('row-range', rangeText(row.range)),
    ],
  };
}
