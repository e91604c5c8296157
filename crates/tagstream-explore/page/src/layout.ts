/** Tabs, theme and the change between wide and narrow screens. */
import { byId, element, setAttributes } from './dom';

export interface View {
  id: string;
  title: string;
  /** True for source, events and tree, which a wide screen always shows. */
  isPane?: boolean;
  /** Called when the view becomes visible. */
  onShow?(): void;
}

export class Layout {
  #views: View[];
  #narrow = matchMedia('(max-width: 860px)');
  /** The view that a wide screen shows below the panes. */
  #selected = 'trace';
  /** The view that a narrow screen shows. */
  #current = 'source';
  #tabs = new Map<string, HTMLButtonElement>();

  constructor(views: View[]) {
    this.#views = views;
    const list = byId('tabs');
    for (const view of views) {
      const tab = element('button', {
        type: 'button',
        id: `tab-${view.id}`,
        role: 'tab',
        class: view.isPane ? 'is-pane' : '',
        'aria-controls': `panel-${view.id}`,
      }, view.title);
      tab.addEventListener('click', () => this.show(view.id));
      this.#tabs.set(view.id, tab);
      list.append(tab);
      if (!view.isPane) setAttributes(byId(`panel-${view.id}`), { role: 'tabpanel', 'aria-labelledby': tab.id });
    }
    list.addEventListener('keydown', (event) => this.#onKey(event));
    this.#narrow.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  /** True if the view can be seen. */
  isShown(id: string): boolean {
    return !byId(`panel-${id}`).hidden;
  }

  show(id: string): void {
    const view = this.#views.find((one) => one.id === id);
    if (!view) return;
    if (!view.isPane) this.#selected = id;
    this.#current = id;
    this.#apply();
  }

  /** Shows a number beside the title of a view. */
  setCount(id: string, text: string): void {
    const tab = this.#tabs.get(id);
    const title = this.#views.find((one) => one.id === id)?.title ?? '';
    if (!tab) return;
    tab.textContent = title;
    if (text) tab.append(element('span', { class: 'count' }, text));
  }

  get #active(): string {
    return this.#narrow.matches ? this.#current : this.#selected;
  }

  #apply(): void {
    const narrow = this.#narrow.matches;
    const active = this.#active;
    for (const view of this.#views) {
      const panel = byId(`panel-${view.id}`);
      const wasHidden = panel.hidden;
      panel.hidden = view.isPane && !narrow ? false : view.id !== active;
      if (view.isPane) {
        setAttributes(panel, {
          role: narrow ? 'tabpanel' : null,
          'aria-labelledby': narrow ? `tab-${view.id}` : `title-${view.id}`,
        });
      }
      const isSelected = view.id === active;
      setAttributes(this.#tabs.get(view.id) as HTMLElement, {
        'aria-selected': String(isSelected),
        tabindex: isSelected ? 0 : -1,
      });
      if (wasHidden && !panel.hidden) view.onShow?.();
    }
  }

  #onKey(event: KeyboardEvent): void {
    const shown = this.#views.filter((view) => this.#narrow.matches || !view.isPane);
    const at = shown.findIndex((view) => view.id === this.#active);
    const last = shown.length - 1;
    const target = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    const view = target === undefined ? undefined : shown[target];
    if (!view) return;
    event.preventDefault();
    this.show(view.id);
    const tab = this.#tabs.get(view.id);
    tab?.focus();
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

const THEME = 'tagstream-theme';

/** Connects the control of the theme. The browser remembers the choice. */
export function startTheme(): void {
  const select = byId<HTMLSelectElement>('theme');
  const apply = () => setAttributes(document.documentElement, { 'data-theme': select.value === 'auto' ? null : select.value });
  try {
    select.value = localStorage.getItem(THEME) ?? 'auto';
  } catch {
    // Storage can be disabled. The theme is then that of the system.
  }
  if (select.value === '') select.value = 'auto';
  apply();
  select.addEventListener('change', () => {
    apply();
    try {
      localStorage.setItem(THEME, select.value);
    } catch {
      // The choice then lasts until the page is closed.
    }
  });
}
