/** The controls of the dialect and its options. */
import { byId, element } from './dom';
import type { DialectDescription, OptionDescription, OptionValue, Settings } from './protocol';

const ENCODING = 'encoding';

export class SettingsForm {
  #dialects: DialectDescription[];
  #select = byId<HTMLSelectElement>('dialect');
  #panel = byId('options');
  #button = byId<HTMLButtonElement>('options-button');
  #onChange: () => void;
  /** The values that are not the default, for each dialect, so that they survive a change of the dialect. */
  #values = new Map<string, Record<string, OptionValue>>();
  #encoding = '';

  constructor(dialects: DialectDescription[], onChange: () => void) {
    this.#dialects = dialects;
    this.#onChange = onChange;
    for (const { id, name } of dialects) this.#select.append(element('option', { value: id }, name));
    this.#select.addEventListener('change', () => {
      this.#render();
      onChange();
    });
    this.#button.addEventListener('click', () => this.toggle());
    this.#render();
  }

  toggle(open = this.#panel.hidden): void {
    this.#panel.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
  }

  get settings(): Settings {
    return { dialect: this.#select.value, options: this.optionsOf(this.#select.value), encoding: this.#encoding };
  }

  /** Sets dialect and options. Unknown ones are ignored, because they can come from a link. */
  set settings({ dialect, options, encoding }: Settings) {
    if (this.#dialects.some(({ id }) => id === dialect)) this.#select.value = dialect;
    const values: Record<string, OptionValue> = {};
    for (const option of this.#options(this.#select.value)) {
      const value = options[option.id];
      const isRight = option.type === 'bool' ? typeof value === 'boolean' : typeof value === 'string';
      if (isRight && value !== undefined && value !== option.default) values[option.id] = value;
    }
    this.#values.set(this.#select.value, values);
    this.#encoding = typeof encoding === 'string' ? encoding : '';
    this.#render();
  }

  set encoding(label: string) {
    this.#encoding = label;
    this.#render();
  }

  get dialects(): DialectDescription[] {
    return this.#dialects;
  }

  /** Returns all options of a dialect. */
  optionsOf(dialect: string): Record<string, OptionValue> {
    const defaults = this.#options(dialect).map((option) => [option.id, option.default] as const);
    return { ...Object.fromEntries(defaults), ...this.#values.get(dialect) };
  }

  #options(dialect: string): OptionDescription[] {
    const found = this.#dialects.find(({ id }) => id === dialect);
    return (found?.options ?? []).filter(({ id }) => id !== ENCODING);
  }

  #set(option: OptionDescription, value: OptionValue): void {
    const values = { ...this.#values.get(this.#select.value) };
    if (value === option.default || (value === '' && option.default === null)) delete values[option.id];
    else values[option.id] = value;
    this.#values.set(this.#select.value, values);
    this.#showChanged();
    this.#onChange();
  }

  #showChanged(): void {
    const changed = Object.keys(this.#values.get(this.#select.value) ?? {}).length + (this.#encoding ? 1 : 0);
    const badge = byId('options-changed');
    badge.hidden = changed === 0;
    badge.textContent = String(changed);
  }

  #render(): void {
    const dialect = this.#select.value;
    const controls = this.#options(dialect).map((option) => this.#control(option, this.optionsOf(dialect)[option.id] ?? null));
    const all = this.#dialects.find(({ id }) => id === dialect)?.options ?? [];
    if (all.some(({ id }) => id === ENCODING)) controls.push(this.#encodingControl());
    this.#panel.replaceChildren(...controls);
    this.#showChanged();
  }

  #control(option: OptionDescription, value: OptionValue): HTMLElement {
    const { id, label, help } = option;
    if (option.type === 'bool') {
      const input = element('input', { type: 'checkbox', id: `option-${id}` });
      input.checked = value === true;
      input.addEventListener('change', () => this.#set(option, input.checked));
      return element('label', { class: 'field', title: help }, input, label);
    }
    if (option.type === 'choice') {
      const select = element('select', { id: `option-${id}` });
      for (const choice of option.choices ?? []) {
        const [key, text] = typeof choice === 'string' ? [choice, choice] : [choice.id, choice.label];
        select.append(element('option', { value: key }, text));
      }
      select.value = String(value ?? '');
      select.addEventListener('change', () => this.#set(option, select.value));
      return element('label', { class: 'field', title: help }, element('span', {}, label), select);
    }
    const input = element('input', { type: 'text', id: `option-${id}`, autocomplete: 'off', spellcheck: 'false' });
    input.value = String(value ?? '');
    input.addEventListener('change', () => this.#set(option, input.value.trim()));
    return element('label', { class: 'field', title: help }, element('span', {}, label), input);
  }

  #encodingControl(): HTMLElement {
    const input = element('input', {
      type: 'text',
      id: 'option-encoding',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'none',
    });
    input.value = this.#encoding;
    input.addEventListener('change', () => {
      this.#encoding = input.value.trim();
      this.#showChanged();
      this.#onChange();
    });
    const help = 'The encoding according to the transport, for example the header Content-Type: shift_jis, windows-1251';
    return element('label', { class: 'field', title: help }, element('span', {}, 'Encoding of the transport'), input);
  }
}
