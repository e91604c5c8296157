/** The panels of the sanitizer and of the rewriter: their input beside what they write. */
import { byId, count, element, formatted, icon } from './dom';
import { Editor } from './editor';
import type { Edit, OptionValue, Range } from './protocol';

/** The output, and the ranges in which it differs from the input, if they are known. */
interface Output {
  output: string;
  changed?: Range[];
}

/** At most this many changes are marked, so that the editor stays fast. */
const MAX_MARKED = 5000;

type Answer = Output | { error: string };

/** Two editors side by side that can only be read. */
class Beside {
  readonly element: HTMLElement;
  #input: Editor;
  #output: Editor;
  #info = element('span', { class: 'info' });
  #id: string;

  constructor(id: string, name: string) {
    this.#id = id;
    const column = (title: string, info: HTMLElement) => {
      const host = element('div', { class: 'editor' });
      return { host, column: element('section', { class: 'column' }, element('h3', {}, title, info), host) };
    };
    const left = column('Input', element('span', { class: 'info' }));
    const right = column('Output', this.#info);
    this.element = element('div', { class: 'columns' }, left.column, right.column);
    this.#input = new Editor(left.host, `Input of the ${name}`, {}, true);
    this.#output = new Editor(right.host, `Output of the ${name}`, {}, true);
  }

  show(input: string, answer: Answer): void {
    this.#input.setText(input);
    const text = 'error' in answer ? '' : answer.output;
    this.#output.setText(text);
    this.element.dataset.output = this.#id;
    if ('error' in answer) {
      this.#info.textContent = answer.error;
      this.#info.className = 'problem';
      return;
    }
    this.#info.className = 'info';
    const parts = [count(text.length, 'character')];
    if (answer.changed) {
      this.#output.setChanged(answer.changed.slice(0, MAX_MARKED));
      parts.push(count(answer.changed.length, 'change'));
      if (answer.changed.length > MAX_MARKED) parts.push(`the first ${formatted(MAX_MARKED)} are marked`);
    }
    this.#info.textContent = parts.join(', ');
  }

  get text(): string {
    return this.#output.text;
  }
}

const PRESETS = [
  ['default', 'Default of the standard'],
  ['user_content', 'User content'],
  ['allow_all', 'All that is safe'],
  ['allow_nothing', 'Nothing: text only'],
] as const;

export class SanitizerPanel {
  readonly beside = new Beside('sanitizer', 'sanitizer');
  #preset = element('select', { id: 'sanitizer-preset' });
  #comments = element('input', { type: 'checkbox', id: 'sanitizer-comments' });

  constructor(onChange: () => void) {
    for (const [value, text] of PRESETS) {
      this.#preset.append(element('option', { value }, text));
    }
    this.#preset.addEventListener('change', onChange);
    this.#comments.addEventListener('change', onChange);
    byId('panel-sanitizer').append(
      element(
        'div',
        { class: 'controls' },
        element('label', { class: 'field' }, element('span', {}, 'Configuration'), this.#preset),
        element('label', { class: 'field' }, this.#comments, 'Keep comments'),
        element('span', { class: 'info' }, 'The source is read as a fragment of HTML.'),
      ),
      this.beside.element,
    );
  }

  get options(): Record<string, OptionValue> {
    return { preset: this.#preset.value, comments: this.#comments.checked };
  }
}

/** Actions of the rewriter, and whether each needs a name and a value. */
const ACTIONS: [action: string, label: string, name: boolean, value: boolean][] = [
  ['set_attribute', 'set attribute', true, true],
  ['remove_attribute', 'remove attribute', true, false],
  ['rename', 'rename to', true, false],
  ['set_text', 'set text', false, true],
  ['set_content', 'set content', false, true],
  ['before', 'insert before', false, true],
  ['prepend', 'insert first inside', false, true],
  ['append', 'insert last inside', false, true],
  ['after', 'insert after', false, true],
  ['unwrap', 'unwrap', false, false],
  ['remove', 'remove', false, false],
];

export class RewriterPanel {
  readonly beside = new Beside('rewriter', 'rewriter');
  #rows = element('div', { class: 'edits', role: 'group', 'aria-label': 'Edits' });
  #edits: Edit[] = [
    { selector: 'a[href]', action: 'set_attribute', name: 'rel', value: 'nofollow' },
    { selector: 'script', action: 'remove' },
  ];
  #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    byId('panel-rewriter').append(element('div', { class: 'rewriter' }, this.#rows, this.beside.element));
    this.#render();
  }

  get edits(): Edit[] {
    return this.#edits.filter(({ selector }) => selector.trim() !== '');
  }

  #render(): void {
    const add = element('button', { type: 'button', id: 'add-edit' }, 'Add an edit');
    add.addEventListener('click', () => {
      this.#edits.push({ selector: '', action: 'remove' });
      this.#render();
      this.#rows.querySelector<HTMLInputElement>('.edit:last-of-type input')?.focus();
    });
    this.#rows.replaceChildren(...this.#edits.map((edit, i) => this.#row(edit, i)), element('div', {}, add));
  }

  #row(edit: Edit, i: number): HTMLElement {
    const number = i + 1;
    const action = element('select', { 'aria-label': `Action of edit ${number}` });
    for (const [value, label] of ACTIONS) action.append(element('option', { value }, label));
    action.value = edit.action;
    const [, , hasName, hasValue] = ACTIONS.find(([value]) => value === edit.action) ?? ['', '', true, true];
    action.addEventListener('change', () => {
      edit.action = action.value;
      this.#render();
      this.#onChange();
    });
    const field = (key: 'selector' | 'name' | 'value', label: string) => {
      const input = element('input', { type: 'text', 'aria-label': `${label} of edit ${number}`, placeholder: label, autocomplete: 'off', spellcheck: 'false' });
      input.value = edit[key] ?? '';
      input.addEventListener('input', () => {
        edit[key] = input.value;
        this.#onChange();
      });
      return input;
    };
    const remove = element('button', { type: 'button', title: 'Remove this edit', 'aria-label': `Remove edit ${number}` }, icon('close'));
    remove.addEventListener('click', () => {
      this.#edits.splice(i, 1);
      this.#render();
      this.#onChange();
    });
    const row = element('div', { class: 'edit' }, field('selector', 'Selector'), action);
    if (hasName) row.append(field('name', 'Name'));
    if (hasValue) row.append(field('value', 'Value'));
    row.append(remove);
    return row;
  }
}
