/** The panel with a CSS selector, which marks the elements that it selects. */
import { byId, count, element } from './dom';
import { unlessStale } from './client';
import { VirtualList } from './list';
import type { NodeRow, Result } from './protocol';
import { nodeRow } from './rows';

interface SelectorHandlers {
  select(css: string): Promise<Result<'select'>>;
  rows(from: number, count: number): Promise<NodeRow[]>;
  onMatches(rows: number[]): void;
  onSelect(row: number): void;
}

export class SelectorPanel {
  #handlers: SelectorHandlers;
  #input = element('input', {
    type: 'text',
    id: 'css',
    class: 'css',
    placeholder: 'p > a[href^="/"]',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  #info = element('span', { class: 'info', id: 'selector-info', role: 'status' });
  #list: VirtualList<NodeRow>;
  #rows: number[] = [];
  #runs = 0;

  constructor(handlers: SelectorHandlers) {
    this.#handlers = handlers;
    this.#list = new VirtualList<NodeRow>({
      id: 'selected',
      label: 'Selected elements',
      role: 'listbox',
      empty: 'Elements that the selector selects are listed here, and marked in the source and in the tree.',
      fetch: (from, rows) => this.#fetch(from, rows),
      render: (row) => {
        const { children } = nodeRow({ ...row, depth: 0 }, null, false);
        return { children };
      },
      onSelect: (index) => handlers.onSelect(this.#rows[index] ?? -1),
    });
    this.#input.addEventListener('input', () => void this.run());
    byId('panel-selector').append(
      element('div', { class: 'controls' }, element('label', { for: 'css' }, 'CSS selector'), this.#input, this.#info),
      this.#list.element,
    );
  }

  async #fetch(from: number, rows: number): Promise<NodeRow[]> {
    const wanted = this.#rows.slice(from, from + rows);
    const found = await Promise.all(wanted.map((row) => this.#handlers.rows(row, 1)));
    return found.flatMap(([row]) => row ?? []);
  }

  /** Selects again, for example because the document has changed. */
  async run(): Promise<void> {
    const css = this.#input.value.trim();
    const run = ++this.#runs;
    if (css === '' && this.#rows.length === 0) {
      this.#info.textContent = '';
      this.#info.className = 'info';
      return;
    }
    try {
      const result = await this.#handlers.select(css);
      if (run !== this.#runs) return;
      const isError = 'error' in result;
      this.#rows = isError ? [] : result.rows;
      this.#info.className = isError ? 'problem' : 'info';
      if (isError) this.#info.textContent = result.error;
      else this.#info.textContent = css === '' ? '' : `${count(result.count, 'element')}`;
      this.#list.setCount(this.#rows.length);
      this.#list.refresh();
      this.#handlers.onMatches(this.#rows);
    } catch (error) {
      unlessStale(error);
    }
  }
}
