/** The page: the document that is open, and the panes and panels that show it. */
import { type Client, Stale, unlessStale } from './client';
import { BrowserPanel, DialectsPanel, DUMP_CHARACTERS } from './compare';
import { byId, count, element, formatted, oneLine } from './dom';
import { Editor } from './editor';
import { EXAMPLES } from './examples';
import { Intake } from './intake';
import { Layout } from './layout';
import { VirtualList } from './list';
import { RewriterPanel, SanitizerPanel } from './outputs';
import type {
  Argument,
  Counts,
  DialectDescription,
  ErrorRow,
  EventRow,
  SessionName,
  Source,
  StepState,
  StepTarget,
} from './protocol';
import { errorRow, eventRow } from './rows';
import { SelectorPanel } from './selector';
import { SettingsForm } from './settings';
import { StepBar } from './steps';
import { TracePanel } from './trace';
import { TreePane } from './tree';

/** Longer texts are sent to the worker only when typing pauses for a moment. */
const LARGE_CHARACTERS = 200_000;
const LARGE_DELAY_MS = 150;
/** Time without a change after which the numbers are announced to screen readers. */
const ANNOUNCE_DELAY_MS = 700;
/** The panels of sanitizer and rewriter read documents up to this length. */
const MAX_TOOL_BYTES = 8 * 1024 * 1024;

/** Heights of rows in CSS pixels. */
const ROW = 21;
const TALL_ROW = 46;

const NO_COUNTS: Counts = {
  bytes: 0,
  events: 0,
  nodes: 0,
  errors: 0,
  finished: false,
  failed: null,
  encoding: null,
  mode: null,
};

type Origin = 'source' | 'events' | 'tree' | 'errors' | 'other';

export class App {
  #client: Client;
  #session: SessionName = 'document';
  #counts = NO_COUNTS;
  #source: Source = { text: '' };
  #isStarting = true;
  #editor: Editor;
  #events: VirtualList<EventRow>;
  #errors: VirtualList<ErrorRow>;
  #tree: TreePane;
  #steps: StepBar;
  #trace: TracePanel;
  #settings: SettingsForm;
  #layout: Layout;
  #selector: SelectorPanel;
  #sanitizer: SanitizerPanel;
  #rewriter: RewriterPanel;
  #dialects: DialectsPanel;
  #browser = new BrowserPanel();
  #intake: Intake;
  #failure = element('p', { class: 'notice', hidden: true });
  #changeTimer = 0;
  #announceTimer = 0;

  constructor(client: Client, dialects: DialectDescription[]) {
    this.#client = client;
    client.onProgress = (counts) => this.#showCounts(counts);
    client.onFatal = (message) => {
      this.notify(`The engine failed and was started again: ${message}`);
    };
    this.#editor = new Editor(byId('source'), 'Source of the document', {
      onChange: () => this.#onType(),
      onCursor: (u16) => void this.#locate({ u16 }, 'source'),
      onViewport: () => void this.#drawVisible(),
    });
    this.#events = new VirtualList<EventRow>({
      id: 'events',
      label: 'Events',
      role: 'listbox',
      empty: 'There are no events yet.',
      fetch: (from, rows) => client.ask('events', { session: this.#session, from, count: rows }),
      render: eventRow,
      onSelect: (event) => void this.#locate({ event }, 'events'),
    });
    byId('panel-events').append(this.#events.element);
    this.#tree = new TreePane({
      fetch: (from, rows) => client.ask('nodes', { session: this.#session, from, count: rows }),
      onSelect: (node) => void this.#locate({ node }, 'tree'),
    });
    byId('panel-tree').append(this.#tree.list.element);
    this.#errors = new VirtualList<ErrorRow>({
      id: 'errors',
      label: 'Errors',
      role: 'grid',
      empty: 'The document has no errors.',
      fetch: (from, rows) => client.ask('errors', { session: this.#session, from, count: rows }),
      render: (row, index) => errorRow(row, index === this.#errors.active),
      onSelect: (_, row) => row && void this.#locate({ range: row.range }, 'errors'),
    });
    byId('panel-errors').append(this.#failure, this.#errors.element);
    // On a narrow screen, an error has two lines.
    const narrow = matchMedia('(max-width: 860px)');
    const setHeight = () => (this.#errors.rowHeight = narrow.matches ? TALL_ROW : ROW);
    narrow.addEventListener('change', setHeight);
    setHeight();
    this.#steps = new StepBar({ step: (target) => this.#step(target), leave: () => void this.#leaveSteps() });
    this.#trace = new TracePanel((node) => void this.#locate({ node }, 'other'));
    this.#selector = new SelectorPanel({
      select: (css) => client.ask('select', { session: this.#session, css }),
      rows: (from, rows) => client.ask('nodes', { session: this.#session, from, count: rows }),
      onMatches: (rows) => {
        this.#tree.setMatches(rows);
        void this.#drawVisible();
      },
      onSelect: (node) => void this.#locate({ node }, 'other'),
    });
    this.#sanitizer = new SanitizerPanel(() => void this.#showSanitized());
    this.#rewriter = new RewriterPanel(() => void this.#showRewritten());
    this.#dialects = new DialectsPanel(
      dialects,
      (session, from, rows) => client.ask('events', { session, from, count: rows }),
      (dialect, event) => void this.#locateIn(`dialect-${dialect}`, event),
    );
    this.#settings = new SettingsForm(dialects, () => void this.#open(this.#source));
    this.#intake = new Intake({
      open: (source, settings) => void this.openWith(source, settings),
      current: () => ({ source: this.#source, settings: this.#settings.settings }),
      notify: (text) => this.notify(text),
    });
    this.#layout = new Layout([
      { id: 'source', title: 'Source', isPane: true },
      { id: 'events', title: 'Events', isPane: true },
      { id: 'tree', title: 'Tree', isPane: true },
      { id: 'trace', title: 'Trace' },
      { id: 'errors', title: 'Errors' },
      { id: 'selector', title: 'Selector' },
      { id: 'sanitizer', title: 'Sanitizer', onShow: () => void this.#showSanitized() },
      { id: 'rewriter', title: 'Rewriter', onShow: () => void this.#showRewritten() },
      { id: 'dialects', title: 'Dialects', onShow: () => void this.#showDialects() },
      { id: 'browser', title: 'Browser', onShow: () => void this.#showBrowser() },
    ]);
    this.#startExamples(dialects);
  }

  /** Opens what the address names, or else the first example. */
  async openFirst(): Promise<void> {
    const first = await this.#intake.fromAddress();
    const notice = byId('notice').textContent ?? '';
    this.#isStarting = false;
    if (first) await this.openWith(first.source, first.settings);
    else await this.#openExample(EXAMPLES[0]?.id ?? '');
    if (notice) this.notify(notice);
  }

  notify(text: string): void {
    const notice = byId('notice');
    notice.textContent = text;
    notice.hidden = text === '';
  }

  #startExamples(dialects: DialectDescription[]): void {
    const select = byId<HTMLSelectElement>('examples');
    select.append(element('option', { value: '' }, 'Open…'));
    for (const { id, name } of dialects) {
      const group = element('optgroup', { label: name });
      for (const example of EXAMPLES.filter(({ dialect }) => dialect === id)) {
        group.append(element('option', { value: example.id }, example.title));
      }
      select.append(group);
    }
    select.addEventListener('change', () => void this.#openExample(select.value));
  }

  async #openExample(id: string): Promise<void> {
    const example = EXAMPLES.find((one) => one.id === id);
    if (!example) return;
    await this.openWith({ text: example.text }, { dialect: example.dialect, options: example.options ?? {}, encoding: '' });
    byId<HTMLSelectElement>('examples').value = id;
  }

  async openWith(source: Source, settings: Argument<'open'>['settings'] | null): Promise<void> {
    if (settings) this.#settings.settings = settings;
    byId<HTMLSelectElement>('examples').value = '';
    this.#events.setActive(-1);
    this.#tree.show(-1);
    this.#errors.setActive(-1);
    if ('text' in source) this.#editor.setText(source.text);
    await this.#open(source);
  }

  /** Parses a source with the current settings. */
  async #open(source: Source): Promise<void> {
    if (this.#isStarting) return;
    clearTimeout(this.#changeTimer);
    this.#source = source;
    this.#session = 'document';
    this.#editor.setMark(null);
    this.notify('');
    byId('share').hidden = true;
    delete document.documentElement.dataset.step;
    try {
      const result = await this.#client.open({ source, settings: this.#settings.settings });
      if (!result) return;
      if (result.text !== null) this.#editor.setText(result.text);
      if (result.differs) {
        const label = this.#settings.settings.encoding;
        this.notify(`Some characters of the text have no representation in ${label}: positions after them can be wrong.`);
      }
      this.#showCounts(result.counts);
      this.#steps.showTotal(result.counts.bytes);
      document.documentElement.dataset.memory = String(result.memory);
      await this.#showAll();
    } catch (error) {
      if (error instanceof Stale) return;
      this.#showCounts(NO_COUNTS);
      this.#editor.setVisible(null);
      this.notify(error instanceof Error ? error.message : String(error));
    }
  }

  #onType(): void {
    clearTimeout(this.#changeTimer);
    const isLarge = this.#editor.view.state.doc.length > LARGE_CHARACTERS;
    this.#changeTimer = setTimeout(() => void this.#openTyped(), isLarge ? LARGE_DELAY_MS : 0);
  }

  /** Parses the text of the editor. If it was read from a file, it keeps the encoding of that file. */
  async #openTyped(): Promise<void> {
    if ('bytes' in this.#source) {
      const { encoding } = this.#counts;
      this.#settings.encoding = encoding && encoding.toLowerCase() !== 'utf-8' ? encoding : '';
    }
    byId<HTMLSelectElement>('examples').value = '';
    await this.#open({ text: this.#editor.text });
    await this.#locate({ u16: this.#editor.view.state.selection.main.head }, 'source');
  }

  #showCounts(counts: Counts): void {
    this.#counts = counts;
    this.#events.setCount(counts.events);
    this.#events.refresh();
    this.#tree.setNodes(counts.nodes);
    this.#errors.setCount(counts.errors);
    this.#errors.refresh();
    const { failed } = counts;
    const place = failed?.line ? ` (${failed.line}:${failed.column})` : '';
    this.#failure.textContent = failed ? `The parse ended${place}: ${oneLine(failed.message)}` : '';
    this.#failure.hidden = !failed;
    this.#errors.setEmpty(failed ? 'There are no other errors.' : 'The document has no errors.');
    this.#errors.element.classList.toggle('has-failure', failed !== null);
    const errors = counts.errors + (failed ? 1 : 0);
    this.#layout.setCount('errors', errors > 0 ? formatted(errors) : '');
    const dropped = counts.dropped ? `, the first ${formatted(counts.events - counts.dropped)} are kept` : '';
    byId('source-info').textContent = [count(counts.bytes, 'byte'), counts.encoding].filter(Boolean).join(', ');
    byId('events-info').textContent = `${formatted(counts.events)}${dropped}`;
    byId('tree-info').textContent = [count(counts.nodes, 'node'), counts.mode].filter(Boolean).join(', ');
    document.documentElement.dataset.events = String(counts.events);
    this.#announce();
  }

  #announce(): void {
    clearTimeout(this.#announceTimer);
    this.#announceTimer = setTimeout(() => {
      const { bytes, events, nodes, errors, failed } = this.#counts;
      const end = failed ? `, the parse ended: ${failed.message}` : '';
      byId('live').textContent = `${count(bytes, 'byte')}, ${count(events, 'event')}, ${count(nodes, 'node')}, ${count(errors, 'error')}${end}`;
    }, ANNOUNCE_DELAY_MS);
  }

  /** Shows the current session in all that is visible. */
  async #showAll(): Promise<void> {
    const shows = [this.#selector.run(), this.#drawVisible()];
    if (this.#session === 'document') shows.push(this.#showTrace());
    if (this.#layout.isShown('sanitizer')) shows.push(this.#showSanitized());
    if (this.#layout.isShown('rewriter')) shows.push(this.#showRewritten());
    if (this.#layout.isShown('dialects')) shows.push(this.#showDialects());
    if (this.#layout.isShown('browser')) shows.push(this.#showBrowser());
    await Promise.all(shows);
    document.documentElement.dataset.shown = String(this.#client.generation);
  }

  async #showTrace(): Promise<void> {
    await this.#client
      .ask('trace', {})
      .then((trace) => this.#trace.show(trace, false))
      .catch(unlessStale);
  }

  async #drawVisible(): Promise<void> {
    const [from, to] = this.#editor.viewport;
    await this.#client
      .ask('visible', { session: this.#session, from, to })
      .then((visible) => this.#editor.setVisible(visible))
      .catch(unlessStale);
  }

  async #locate(what: { event: number } | { node: number } | { u16: number } | { range: [number, number] }, origin: Origin): Promise<void> {
    await this.#client
      .ask('locate', { session: this.#session, ...what })
      .then(({ event, node, u16 }) => {
        this.#editor.select(u16, origin !== 'source');
        if (origin !== 'events') this.#events.setActive(event);
        if (origin !== 'tree') this.#tree.show(node);
      })
      .catch(unlessStale);
  }

  /** Marks the source of an event of another dialect. */
  async #locateIn(session: SessionName, event: number): Promise<void> {
    await this.#client
      .ask('locate', { session, event })
      .then(({ u16, range }) => {
        this.#editor.select(u16, true);
        if (range) void this.#locate({ range }, 'source');
      })
      .catch(unlessStale);
  }

  async #step(target: StepTarget): Promise<StepState | null> {
    try {
      const state = await this.#client.ask('step', target);
      if (!state) return null;
      const isFirst = this.#session !== 'step';
      this.#session = 'step';
      this.#steps.showStep(state);
      this.#editor.setMark(state.mark);
      if (isFirst) this.#editor.select(null, false);
      this.#showCounts(state.counts);
      this.#trace.show(state.trace, true);
      this.#events.setActive(state.counts.events - 1);
      await Promise.all([this.#showLast(state.counts.events - 1), this.#selector.run(), this.#drawVisible()]);
      document.documentElement.dataset.step = String(state.position + (state.atEnd ? 1 : 0));
      return state;
    } catch (error) {
      unlessStale(error);
      return null;
    }
  }

  /** Shows the node of the last event of the steps. */
  async #showLast(event: number): Promise<void> {
    if (event < 0) return;
    const { node } = await this.#client.ask('locate', { session: 'step', event });
    this.#tree.show(node);
  }

  async #leaveSteps(): Promise<void> {
    if (this.#session === 'document') return;
    await this.#client.ask('leaveStep', {}).catch(unlessStale);
    await this.#open(this.#source);
  }

  #isTooLong(): boolean {
    return this.#counts.bytes > MAX_TOOL_BYTES;
  }

  async #showSanitized(): Promise<void> {
    if (this.#isTooLong()) return;
    await this.#client
      .ask('sanitize', { options: this.#sanitizer.options })
      .then((answer) => this.#sanitizer.beside.show(this.#editor.text, answer))
      .catch(unlessStale);
  }

  async #showRewritten(): Promise<void> {
    if (this.#isTooLong()) return;
    await this.#client
      .ask('rewrite', { edits: this.#rewriter.edits })
      .then((answer) => this.#rewriter.beside.show(this.#editor.text, answer))
      .catch(unlessStale);
  }

  async #showDialects(): Promise<void> {
    try {
      for (const dialect of this.#dialects.dialects) {
        const options = this.#settings.optionsOf(dialect);
        this.#dialects.show(dialect, await this.#client.ask('dialect', { dialect, options }));
      }
    } catch (error) {
      unlessStale(error);
    }
  }

  async #showBrowser(): Promise<void> {
    const { dialect, options } = this.#settings.settings;
    if (dialect !== 'html' && dialect !== 'xml') {
      this.#browser.showNone('Browsers have parsers for HTML and XML only. Choose one of these dialects.');
    } else if (dialect === 'html' && options.fragment) {
      this.#browser.showNone('DOMParser parses documents, not fragments. Remove the context element in the options.');
    } else {
      await this.#client
        .ask('dump', { limit: DUMP_CHARACTERS })
        .then((trees) => this.#browser.show(dialect, trees))
        .catch(unlessStale);
    }
  }
}
