/**
 * A list that renders only the rows that are visible.
 *
 * The rows come from the worker in pages. A page that is older than the last call of `refresh` is shown until the new
 * one has arrived, so that the list does not flicker while somebody types.
 */
import { unlessStale } from './client';
import { element, setAttributes } from './dom';

export interface Appearance {
  /** Contents of the row's element. */
  children: Node[];
  className?: string;
  attributes?: Record<string, string | number | boolean | null | undefined>;
}

export interface ListOptions<Row> {
  id: string;
  label: string;
  role: 'listbox' | 'tree' | 'grid';
  /** Text that is shown if there are no rows. */
  empty: string;
  fetch(from: number, count: number): Promise<Row[]>;
  render(row: Row, index: number): Appearance;
  /** A row was selected with the mouse or the keyboard. */
  onSelect?(index: number, row: Row | undefined): void;
  /** A key that the list itself does not handle. Returns whether it was handled. */
  onKey?(key: string, index: number, row: Row | undefined): boolean;
}

const PAGE = 100;
const MAX_PAGES = 12;
const ROW_ROLES = { listbox: 'option', tree: 'treeitem', grid: 'row' } as const;
/** Browsers do not lay out elements that are much higher. Longer lists scroll in proportion. */
const MAX_HEIGHT = 12_000_000;
const OVERSCAN = 6;

export class VirtualList<Row> {
  readonly element: HTMLElement;
  #options: ListOptions<Row>;
  #body: HTMLElement;
  #empty: HTMLElement;
  #count = 0;
  #active = -1;
  #version = 0;
  #pages = new Map<number, { version: number; rows: Row[] }>();
  #pending = new Map<number, number>();
  #frame = 0;
  #rowHeight = 21;

  constructor(options: ListOptions<Row>) {
    this.#options = options;
    this.#body = element('div', { class: 'list-body', role: 'presentation' });
    this.#empty = element('p', { class: 'list-empty' }, options.empty);
    this.element = element('div', { class: 'list', id: options.id });
    const scroller = this.#scroller;
    scroller.append(this.#body);
    this.element.append(scroller, this.#empty);
    scroller.addEventListener('scroll', () => this.#schedule(), { passive: true });
    scroller.addEventListener('keydown', (event) => this.#onKey(event));
    scroller.addEventListener('click', (event) => this.#onClick(event));
    new ResizeObserver(() => this.#schedule()).observe(scroller);
    this.setCount(0);
  }

  readonly #scroller: HTMLElement = element('div', { class: 'list-scroller' });

  get count(): number {
    return this.#count;
  }

  /** Sets the height of a row in CSS pixels. */
  set rowHeight(height: number) {
    this.#rowHeight = height;
    this.element.style.setProperty('--row-height', `${height}px`);
    this.setCount(this.#count);
  }

  get active(): number {
    return this.#active;
  }

  setEmpty(text: string): void {
    this.#empty.textContent = text;
  }

  focus(): void {
    this.#scroller.focus();
  }

  setCount(rows: number): void {
    this.#count = rows;
    if (this.#active >= rows) this.#active = -1;
    const { role, label, id } = this.#options;
    setAttributes(this.#scroller, {
      role: rows > 0 ? role : null,
      'aria-label': rows > 0 ? label : null,
      'aria-rowcount': role === 'grid' && rows > 0 ? rows : null,
      tabindex: rows > 0 ? 0 : null,
      'data-list': id,
    });
    this.#body.style.height = `${Math.min(rows * this.#rowHeight, MAX_HEIGHT)}px`;
    this.element.classList.toggle('is-empty', rows === 0);
    this.#schedule();
  }

  /** Asks for all visible rows again. */
  refresh(): void {
    this.#version += 1;
    this.#schedule();
  }

  /** Renders the visible rows again, from the rows that are here. */
  redraw(): void {
    this.#schedule();
  }

  /** Marks a row as the active one. −1 is none. */
  setActive(index: number, scroll = true): void {
    this.#active = index < this.#count ? index : -1;
    if (scroll && this.#active >= 0) this.#scrollTo(this.#active);
    this.#schedule();
  }

  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** Number of rows by which the list is longer than its element can be high, as a factor. */
  get #scale(): number {
    return Math.max(1, (this.#count * this.#rowHeight) / MAX_HEIGHT);
  }

  get #viewRows(): number {
    return Math.max(1, Math.floor(this.#scroller.clientHeight / this.#rowHeight));
  }

  #firstVisible(): number {
    return Math.floor((this.#scroller.scrollTop * this.#scale) / this.#rowHeight);
  }

  #scrollTo(index: number): void {
    const first = this.#firstVisible();
    if (index >= first + 1 && index < first + this.#viewRows - 1) return;
    const top = Math.max(0, index - Math.floor(this.#viewRows / 3));
    this.#scroller.scrollTop = (top * this.#rowHeight) / this.#scale;
  }

  #schedule(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #render(): void {
    const height = this.#scroller.clientHeight;
    if (height === 0) return;
    const shift = this.#firstVisible();
    const first = Math.max(0, shift - OVERSCAN);
    const last = Math.min(this.#count, shift + this.#viewRows + OVERSCAN);
    const indexes: number[] = [];
    for (let i = first; i < last; i++) indexes.push(i);
    // The active row is always there, because `aria-activedescendant` refers to it.
    if (this.#active >= 0 && (this.#active < first || this.#active >= last)) indexes.push(this.#active);
    for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) this.#need(page);
    const scrolled = this.#scroller.scrollTop;
    const rows = indexes.map((i) => this.#rowElement(i, this.#scale === 1 ? i * this.#rowHeight : scrolled + (i - shift) * this.#rowHeight));
    this.#body.replaceChildren(...rows);
    setAttributes(this.#scroller, {
      'aria-activedescendant': this.#active >= 0 ? this.#rowId(this.#active) : null,
    });
  }

  #rowId(index: number): string {
    return `${this.#options.id}-${index}`;
  }

  #rowElement(index: number, top: number): HTMLElement {
    const row = this.row(index);
    const { role } = this.#options;
    const isActive = index === this.#active;
    const appearance: Appearance = row === undefined ? { children: [] } : this.#options.render(row, index);
    const made = element('div', {
      id: this.#rowId(index),
      role: ROW_ROLES[role],
      class: `row ${appearance.className ?? ''}${isActive ? ' is-active' : ''}`,
      'aria-selected': isActive ? 'true' : 'false',
      'data-index': index,
      ...(role === 'grid'
        ? { 'aria-rowindex': index + 1 }
        : { 'aria-setsize': this.#count, 'aria-posinset': index + 1 }),
      ...appearance.attributes,
    });
    made.style.transform = `translateY(${top}px)`;
    if (appearance.children.length === 0) {
      // A row that has not arrived yet. The engine keeps a limited number of events, so it may never arrive.
      appearance.children = [document.createTextNode('…')];
    }
    made.append(...appearance.children);
    return made;
  }

  /** Asks for a page unless it is here or on its way. */
  #need(page: number): void {
    const version = this.#version;
    if (this.#pages.get(page)?.version === version || this.#pending.get(page) === version) return;
    this.#pending.set(page, version);
    this.#options
      .fetch(page * PAGE, PAGE)
      .then((rows) => {
        if ((this.#pages.get(page)?.version ?? -1) <= version) {
          this.#pages.delete(page);
          this.#pages.set(page, { version, rows });
          for (const oldest of this.#pages.keys()) {
            if (this.#pages.size <= MAX_PAGES) break;
            this.#pages.delete(oldest);
          }
          this.#schedule();
        }
      })
      .catch(unlessStale)
      .finally(() => {
        if (this.#pending.get(page) === version) this.#pending.delete(page);
      });
  }

  #select(index: number): void {
    this.setActive(index);
    this.#options.onSelect?.(index, this.row(index));
  }

  #onClick(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.target.closest('a')) return;
    const row = event.target.closest<HTMLElement>('.row');
    if (!row) return;
    const index = Number(row.dataset.index);
    const key = event.target.closest('.toggle') ? 'toggle' : '';
    if (key && this.#options.onKey?.(key, index, this.row(index))) return;
    this.#select(index);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.#scroller || event.altKey || event.ctrlKey || event.metaKey || this.#count === 0) return;
    const at = this.#active;
    const last = this.#count - 1;
    const moves: Record<string, number> = {
      ArrowDown: Math.min(last, at + 1),
      ArrowUp: Math.max(0, at - 1),
      PageDown: Math.min(last, at + this.#viewRows),
      PageUp: Math.max(0, at - this.#viewRows),
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    if (move !== undefined) this.#select(move);
    else if (!this.#options.onKey?.(event.key, at, at < 0 ? undefined : this.row(at))) return;
    event.preventDefault();
  }
}
