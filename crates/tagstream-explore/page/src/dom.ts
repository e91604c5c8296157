/** Functions that make elements. Text of documents only ever becomes the text of elements, never markup. */

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** Makes an element; an attribute that is `false`, `null` or `undefined` is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) target.removeAttribute(key);
    else target.setAttribute(key, value === true ? '' : String(value));
  }
}

export function span(className: string, text: string): HTMLSpanElement {
  const made = document.createElement('span');
  made.className = className;
  made.textContent = text;
  return made;
}

/** Returns the element with this id, which index.html contains. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element ${id}`);
  return found as T;
}

const PATHS: Record<string, string> = {
  start: 'M4 3v10M12 3 7 8l5 5',
  previous: 'M7.5 3 2.5 8l5 5M13 3 8 8l5 5',
  back: 'M10.5 3l-5 5 5 5',
  play: 'M4.5 3v10L13 8z',
  pause: 'M5.5 3v10M10.5 3v10',
  forward: 'M5.5 3l5 5-5 5',
  next: 'M3 3l5 5-5 5M8.5 3l5 5-5 5',
  end: 'M12 3v10M4 3l5 5-5 5',
  close: 'M4 4l8 8M12 4l-8 8',
};

/** Makes a picture for a button. The button needs a label. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  setAttributes(svg, { viewBox: '0 0 16 16', width: 14, height: 14, 'aria-hidden': 'true', class: `icon icon-${name}` });
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  setAttributes(path, { d: PATHS[name] ?? '' });
  svg.append(path);
  return svg;
}

const visibleCharacters: Record<string, string> = { '\n': '↵', '\r': '␍', '\t': '⇥', '\0': '␀', '\f': '␌' };

/** Returns text on one line: control characters, and characters that change the direction, become visible. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (found) => {
    const known = visibleCharacters[found];
    return known ?? `\\u{${found.codePointAt(0)?.toString(16)}}`;
  });
}

const numbers = new Intl.NumberFormat('en');

export function count(n: number, one: string, many = `${one}s`): string {
  return `${numbers.format(n)} ${n === 1 ? one : many}`;
}

export function formatted(n: number): string {
  return numbers.format(n);
}
