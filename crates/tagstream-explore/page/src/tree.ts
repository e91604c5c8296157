/** The list of nodes, whose elements can be collapsed. */
import { VirtualList } from './list';
import type { NodeRow } from './protocol';
import { nodeRow } from './rows';

interface TreeHandlers {
  fetch(from: number, count: number): Promise<NodeRow[]>;
  onSelect(row: number): void;
}

/** A collapsed element: its row and the number of rows of its subtree. */
interface Collapsed {
  row: number;
  rows: number;
}

export class TreePane {
  readonly list: VirtualList<NodeRow>;
  #nodes = 0;
  /** In the order of rows; none is inside another. */
  #collapsed: Collapsed[] = [];
  #matches = new Set<number>();

  constructor(handlers: TreeHandlers) {
    this.list = new VirtualList<NodeRow>({
      id: 'tree',
      label: 'Tree',
      role: 'tree',
      empty: 'There are no nodes yet.',
      fetch: (from, count) => this.#fetch(from, count, handlers.fetch),
      render: (row, index) => {
        const at = this.#toRow(index);
        const state = (row.rows ?? 1) > 1 ? !this.#collapsed.some((one) => one.row === at) : null;
        return nodeRow(row, state, this.#matches.has(at));
      },
      onSelect: (index) => handlers.onSelect(this.#toRow(index)),
      onKey: (key, index, row) => this.#onKey(key, index, row),
    });
  }

  setNodes(nodes: number): void {
    this.#nodes = nodes;
    this.#collapsed = [];
    this.list.setCount(nodes);
    this.list.refresh();
  }

  setMatches(rows: number[]): void {
    this.#matches = new Set(rows);
    this.list.redraw();
  }

  /** Makes a row the active one, and opens the element that hides it. −1 is none. */
  show(row: number): void {
    const hides = this.#collapsed.find((one) => one.row < row && row < one.row + one.rows);
    if (hides) this.#expand(hides.row);
    this.list.setActive(row < 0 ? -1 : this.#toIndex(row));
  }

  #toRow(index: number): number {
    let row = index;
    for (const one of this.#collapsed) {
      if (row <= one.row) break;
      row += one.rows - 1;
    }
    return row;
  }

  #toIndex(row: number): number {
    let hidden = 0;
    for (const one of this.#collapsed) {
      if (row <= one.row) break;
      hidden += one.rows - 1;
    }
    return row - hidden;
  }

  /** Asks for each run of rows between two collapsed elements. */
  async #fetch(from: number, count: number, ask: TreeHandlers['fetch']): Promise<NodeRow[]> {
    const rows: NodeRow[] = [];
    let index = from;
    const end = Math.min(from + count, this.list.count);
    while (index < end) {
      const begin = this.#toRow(index);
      let run = 1;
      while (index + run < end && this.#toRow(index + run) === begin + run) run++;
      rows.push(...(await ask(begin, run)));
      index += run;
    }
    return rows;
  }

  #changed(): void {
    const hidden = this.#collapsed.reduce((sum, one) => sum + one.rows - 1, 0);
    this.list.setCount(this.#nodes - hidden);
    this.list.refresh();
  }

  #expand(row: number): void {
    this.#collapsed = this.#collapsed.filter((one) => one.row !== row);
    this.#changed();
  }

  #collapse(row: number, rows: number): void {
    const outside = this.#collapsed.filter((one) => one.row < row || one.row >= row + rows);
    this.#collapsed = [...outside, { row, rows }].sort((a, b) => a.row - b.row);
    this.#changed();
  }

  #onKey(key: string, index: number, node: NodeRow | undefined): boolean {
    if (!node || (node.rows ?? 1) < 2) return false;
    const row = this.#toRow(index);
    const isOpen = !this.#collapsed.some((one) => one.row === row);
    if (isOpen && (key === 'ArrowLeft' || key === 'toggle' || key === 'Enter')) this.#collapse(row, node.rows ?? 1);
    else if (!isOpen && (key === 'ArrowRight' || key === 'toggle' || key === 'Enter')) this.#expand(row);
    else return false;
    return true;
  }
}
