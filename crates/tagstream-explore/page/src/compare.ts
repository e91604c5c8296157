/** The panels that compare: all dialects side by side, and the browser's own parser beside the engine. */
import { byId, count, element, oneLine, setAttributes, span } from './dom';
import { compareLines, type DiffRow, isDifferent } from './diff';
import { knownDifferences } from './differences';
import { dumpTree } from './dom-dump';
import { VirtualList } from './list';
import type { Counts, DialectDescription, EventRow, SessionName } from './protocol';
import { eventRow } from './rows';
import { parseInert } from './trusted';

type Fetch = (session: SessionName, from: number, count: number) => Promise<EventRow[]>;

export class DialectsPanel {
  #columns = new Map<string, { list: VirtualList<EventRow>; info: HTMLElement }>();

  constructor(dialects: DialectDescription[], fetch: Fetch, onSelect: (dialect: string, event: number) => void) {
    const columns = element('div', { class: 'columns' });
    for (const { id, name } of dialects) {
      const info = element('span', { class: 'info' });
      const list = new VirtualList<EventRow>({
        id: `dialect-${id}`,
        label: `Events of ${name}`,
        role: 'listbox',
        empty: 'There are no events.',
        fetch: (from, rows) => fetch(`dialect-${id}`, from, rows),
        render: eventRow,
        onSelect: (index) => onSelect(id, index),
      });
      columns.append(element('section', { class: 'column' }, element('h3', {}, name, info), list.element));
      this.#columns.set(id, { list, info });
    }
    byId('panel-dialects').append(columns);
  }

  get dialects(): string[] {
    return [...this.#columns.keys()];
  }

  show(dialect: string, counts: Counts & { part: boolean }): void {
    const column = this.#columns.get(dialect);
    if (!column) return;
    const parts = [count(counts.events, 'event'), count(counts.nodes, 'node'), count(counts.errors, 'error')];
    if (counts.failed) parts.push(`ends: ${counts.failed.message}`);
    if (counts.part) parts.push('first 1 MB');
    column.info.textContent = parts.join(', ');
    column.info.title = parts.join(', ');
    column.list.setCount(counts.events);
    column.list.refresh();
  }
}

/** The two trees are written up to this many characters. */
export const DUMP_CHARACTERS = 2_000_000;

export class BrowserPanel {
  #rows: DiffRow[] = [];
  #info = element('span', { class: 'info', id: 'browser-info', role: 'status' });
  #list: VirtualList<DiffRow>;

  constructor() {
    this.#list = new VirtualList<DiffRow>({
      id: 'comparison',
      label: 'Tree of tagstream and tree of the browser',
      role: 'grid',
      empty: 'There is nothing to compare.',
      fetch: async (from, rows) => this.#rows.slice(from, from + rows),
      render: (row) => ({
        children: [row.left, row.right].map((line) =>
          element('span', { role: 'gridcell', class: 'row-main' }, span('', oneLine(line ?? ''))),
        ),
        className: isDifferent(row) ? 'is-different' : '',
      }),
    });
    byId('panel-browser').append(element('div', { class: 'controls' }, this.#info), this.#list.element);
  }

  showNone(reason: string): void {
    this.#rows = [];
    this.#info.textContent = reason;
    this.#list.setCount(0);
  }

  /** Parses the text with the browser's parser and compares the tree with ours. */
  show(dialect: string, { text, dump, part }: { text: string; dump: string; part: boolean }): void {
    const style = dialect === 'html' ? 'html' : 'xml';
    const parsed = parseInert(text, dialect === 'html' ? 'text/html' : 'application/xml');
    const failure = style === 'xml' ? parsed.querySelector('parsererror') : null;
    if (failure) {
      this.showNone(`The browser's XML parser reports an error: ${oneLine(failure.textContent ?? '').slice(0, 300)}`);
      return;
    }
    const theirs = dumpTree(parsed, style, DUMP_CHARACTERS);
    this.#rows = compareLines(lines(dump), lines(theirs));
    const different = this.#rows.filter(isDifferent).length;
    const parts = ['tagstream on the left, DOMParser on the right, without scripting and shadow roots'];
    parts.push(different === 0 ? `${count(this.#rows.length, 'line')}, no difference` : count(different, 'different line'));
    const known = style === 'html' ? knownDifferences(text) : [];
    if (different > 0 && known.length > 0) parts.push(`Known reasons that can apply: ${known.join('; ')}`);
    if (part) parts.push('first 1 MB');
    this.#info.textContent = `${parts.join('. ')}.`;
    setAttributes(this.#info, { 'data-different': different, 'data-known': known.length });
    this.#list.setCount(this.#rows.length);
    this.#list.refresh();
  }
}

/** Returns the lines of a tree. A line break in a text is part of its line. */
function lines(dump: string): string[] {
  const found: string[] = [];
  for (const line of dump.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('| ') || found.length === 0) found.push(line);
    else found.push(`${found.pop()}\n${line}`);
  }
  return found;
}
