/** The panel with the states of the parser. */
import { byId, element, oneLine } from './dom';
import type { Section, Trace } from './protocol';
import { isLink, specificationLink } from './rows';

/** The panel shows this many entries of each list. */
const MAX_SHOWN = 200;

const STEP_HINT = 'Step through the document to see the states after each byte: F9 feeds a byte, F8 goes to the next event.';

/** Returns a text, as a link if it has an address in a specification. */
function linked(text: string, link: string | null): Node | string {
  return isLink(link) ? specificationLink(link, true, text) : text;
}

export class TracePanel {
  #panel = byId('panel-trace');
  #onNode: (row: number) => void;

  constructor(onNode: (row: number) => void) {
    this.#onNode = onNode;
  }

  show(trace: Trace, isStepping: boolean): void {
    const value = (id: string, title: string, ...text: (Node | string)[]) => [
      element('h3', {}, title),
      element('p', { class: 'value', id }, ...text),
    ];
    const { state, insertion_mode: mode, rules } = trace;
    const states = element('div', {}, ...value('trace-state', 'Tokenizer state', linked(state ?? '–', trace.link ?? null)));
    if (trace.rule.length > 0) states.append(...this.#sections(trace.rule));
    if (mode) states.append(...value('trace-mode', 'Insertion mode', linked(mode, trace.mode_link)));
    if (mode && rules && rules !== mode) {
      states.append(...value('trace-rules', 'Rules for the next token', linked(rules, trace.rules_link)));
    }
    const open = trace.open.slice(-MAX_SHOWN).map(({ name, row }) => element('li', {}, this.#node(name, row)));
    const formatting = trace.formatting
      .slice(-MAX_SHOWN)
      .map((entry) => element('li', {}, 'name' in entry ? oneLine(entry.name) : '(marker)'));
    const children = [states, this.#list('Open elements', 'trace-open', open)];
    // Only HTML has insertion modes, active formatting elements, and a schema.
    if (mode) {
      children.push(this.#list('Active formatting elements', 'trace-formatting', formatting), this.#rows(trace, isStepping));
    } else if (!isStepping) {
      children.push(element('p', { class: 'info trace-hint' }, STEP_HINT));
    }
    const content = element('div', { class: 'trace', tabindex: 0, role: 'group', 'aria-label': 'States of the parser' }, ...children);
    // The element that scrolls keeps the focus and its position.
    const previous = this.#panel.querySelector('.trace');
    if (previous) previous.replaceChildren(...children);
    else this.#panel.append(content);
  }

  /** Lists the sections of the specifications that describe the state. */
  #sections(sections: Section[]): HTMLElement[] {
    const items = sections.map(({ document: name, section, link }) => {
      return element('li', {}, linked(`${name}, ${section}`, link));
    });
    return [element('h3', {}, 'Specification'), element('ol', { id: 'trace-rule' }, ...items)];
  }

  #node(name: string, row: number): HTMLElement {
    if (row < 0) return element('span', {}, oneLine(name));
    const button = element('button', { type: 'button', class: 'linked' }, oneLine(name));
    button.addEventListener('click', () => this.#onNode(row));
    return button;
  }

  #list(title: string, id: string, items: HTMLElement[]): HTMLElement {
    const body = items.length > 0 ? element('ol', { id }, ...items) : element('p', { class: 'value', id }, '–');
    return element('div', {}, element('h3', {}, title), body);
  }

  #rows(trace: Trace, isStepping: boolean): HTMLElement {
    const box = element('div', { class: 'trace-rows', id: 'trace-rows' }, element('h3', {}, 'Rows of the schema that acted'));
    if (trace.rows.length === 0) {
      box.append(element('p', { class: 'info' }, isStepping ? 'None for this byte.' : STEP_HINT));
      return box;
    }
    const titles = ['Token', 'Table', 'Row for', 'Conditions', 'Actions'];
    const head = element('tr', {}, ...titles.map((text) => element('th', { scope: 'col' }, text)));
    const body = trace.rows.slice(-MAX_SHOWN).map(({ table, link, token, tokens, conditions, actions }) => {
      const cells = [oneLine(token), linked(table, link), oneLine(tokens ?? ''), oneLine(conditions), oneLine(actions)];
      return element('tr', {}, ...cells.map((content, i) => element('td', { 'data-title': titles[i] }, content)));
    });
    box.append(element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
    return box;
  }
}
