/**
 * The editors: the source, and the outputs that can only be read.
 *
 * Each editor is in a shadow root. CodeMirror then adds its style sheets with `adoptedStyleSheets`; in the document
 * itself it would add `style` elements, which the page's content security policy forbids.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Range, StateEffect, StateField, Transaction } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { element } from './dom';
import type { Range as Span, Visible, VisibleError } from './protocol';
import { isLink, specificationLink } from './rows';

/** Longer documents are not wrapped: wrapping has to measure every line. */
const MAX_WRAPPED = 200_000;

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--code-size)', color: 'var(--text)', backgroundColor: 'var(--pane)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--code-font)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--pane)', color: 'var(--soft)', border: 'none', paddingRight: '4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-start, .cm-end': { color: 'var(--t-tag)' },
  '.cm-attribute': { color: 'var(--t-name)' },
  '.cm-comment': { color: 'var(--t-comment)' },
  '.cm-pi, .cm-doctype, .cm-xml, .cm-declaration': { color: 'var(--t-pi)' },
  '.cm-selected': { backgroundColor: 'var(--mark)', outline: '1px solid var(--mark-line)' },
  '.cm-match': { backgroundColor: 'var(--match)', borderBottom: '2px solid var(--match-line)' },
  '.cm-changed': { color: 'inherit', backgroundColor: 'var(--changed)', textDecoration: 'underline 2px var(--changed-line)', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.cm-removed': { display: 'inline-block', height: '1.25em', verticalAlign: 'text-bottom', borderLeft: '3px solid var(--error)', margin: '0 1px' },
  '.cm-error': { textDecoration: 'underline wavy var(--error)', textDecorationSkipInk: 'none' },
  '.cm-unfed, .cm-unfed *': { color: 'var(--faint) !important' },
  '.cm-position': { borderLeft: '2px solid var(--accent)', marginLeft: '-1px', marginRight: '-1px' },
  '.cm-specialChar': { color: 'var(--error)' },
  '.cm-tooltip': { backgroundColor: 'var(--pane)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '4px', maxWidth: '420px', fontFamily: 'var(--font)', fontSize: '13px' },
  '.cm-tooltip .tip': { padding: '6px 10px' },
  '.cm-tooltip code': { fontFamily: 'var(--code-font)', color: 'var(--error)' },
  '.cm-tooltip p': { margin: '2px 0' },
  '.cm-tooltip a': { color: 'var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--page)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel input, .cm-panel button': { backgroundColor: 'var(--pane)', backgroundImage: 'none', color: 'var(--text)', border: '1px solid var(--control-line)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-placeholder': { color: 'var(--soft)' },
});

interface Drawn {
  selected: Span | null;
  mark: number | null;
  visible: Visible | null;
  changed: Span[];
  decorations: DecorationSet;
}

const setSelected = StateEffect.define<Span | null>();
const setMark = StateEffect.define<number | null>();
const setVisible = StateEffect.define<Visible | null>();
const setChanged = StateEffect.define<Span[]>();
/** Marks transactions that are no edit of the user. */
const byProgram = Annotation.define<boolean>();

class PositionWidget extends WidgetType {
  toDOM(): HTMLElement {
    return element('span', { class: 'cm-position', 'aria-hidden': 'true' });
  }
  override eq(): boolean {
    return true;
  }
}

const position = Decoration.widget({ widget: new PositionWidget(), side: 1 });

class RemovedWidget extends WidgetType {
  toDOM(): HTMLElement {
    const label = 'Something was removed here';
    return element('span', { class: 'cm-removed', role: 'img', 'aria-label': label, title: label });
  }
  override eq(): boolean {
    return true;
  }
}

const removed = Decoration.widget({ widget: new RemovedWidget(), side: 1 });
const inserted = Decoration.mark({ class: 'cm-changed', tagName: 'mark' });

/** Returns decorations for all that is drawn. Ranges are limited to the text, because it may have changed since. */
function decorate(drawn: Omit<Drawn, 'decorations'>, length: number): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const add = (from: number, to: number, name: string) => {
    const begin = Math.max(0, Math.min(from, length));
    const end = Math.min(to, length);
    if (begin < end) ranges.push(Decoration.mark({ class: name }).range(begin, end));
  };
  for (const [from, to, name] of drawn.visible?.colours ?? []) add(from, to, name);
  for (const [from, to] of drawn.visible?.matches ?? []) add(from, to, 'cm-match');
  for (const { u16 } of drawn.visible?.errors ?? []) add(...widened(u16, length), 'cm-error');
  for (const [from, to] of drawn.changed) {
    if (to > length) break;
    ranges.push(from < to ? inserted.range(from, to) : removed.range(from));
  }
  if (drawn.selected) add(...drawn.selected, 'cm-selected');
  if (drawn.mark !== null) {
    add(drawn.mark, length, 'cm-unfed');
    ranges.push(position.range(Math.min(drawn.mark, length)));
  }
  return Decoration.set(ranges, true);
}

/** Returns a range of at least one character, so that an error between two characters is visible. */
function widened([from, to]: Span, length: number): Span {
  if (from < to) return [from, to];
  return from < length ? [from, from + 1] : [Math.max(0, length - 1), length];
}

const drawing = StateField.define<Drawn>({
  create: () => ({ selected: null, mark: null, visible: null, changed: [], decorations: Decoration.none }),
  update(drawn, transaction) {
    let next: Drawn = drawn;
    for (const effect of transaction.effects) {
      if (effect.is(setSelected)) next = { ...next, selected: effect.value };
      else if (effect.is(setMark)) next = { ...next, mark: effect.value };
      else if (effect.is(setVisible)) next = { ...next, visible: effect.value };
      else if (effect.is(setChanged)) next = { ...next, changed: effect.value };
    }
    if (next !== drawn) return { ...next, decorations: decorate(next, transaction.newDoc.length) };
    if (transaction.docChanged) return { ...drawn, selected: null, decorations: drawn.decorations.map(transaction.changes) };
    return drawn;
  },
  provide: (field) => EditorView.decorations.from(field, (drawn) => drawn.decorations),
});

function errorTip(errors: VisibleError[]): HTMLElement {
  const tip = element('div', { class: 'tip' });
  for (const { code, message, link } of errors.slice(0, 5)) {
    const line = element('p', {}, element('code', {}, code), ` ${message} `);
    if (isLink(link)) line.append(specificationLink(link, true));
    tip.append(line);
  }
  return tip;
}

const errorTooltip = hoverTooltip((view, at) => {
  const length = view.state.doc.length;
  const all = view.state.field(drawing).visible?.errors ?? [];
  const errors = all.filter(({ u16 }) => {
    const [from, to] = widened(u16, length);
    return from <= at && at <= to;
  });
  const first = errors[0];
  if (!first) return null;
  return { pos: widened(first.u16, length)[0], above: true, create: () => ({ dom: errorTip(errors) }) };
});

// If typed text replaces a selection, Chromium keeps the style of that selection in a `style` attribute, which the policy
// of the page forbids. So the editor itself replaces the selection.
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    const isTyped = event.inputType === 'insertText' && event.data !== null && !event.isComposing && !view.composing;
    if (!isTyped || main.empty || view.state.readOnly) return false;
    view.dispatch(view.state.replaceSelection(event.data ?? ''), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

export interface EditorHandlers {
  onChange?(): void;
  onCursor?(u16: number): void;
  onViewport?(from: number, to: number): void;
}

export class Editor {
  readonly view: EditorView;
  #wrapping = new Compartment();
  #history = new Compartment();

  constructor(host: HTMLElement, label: string, handlers: EditorHandlers, readOnly = false) {
    const root = host.attachShadow({ mode: 'open' });
    const place = element('div', { class: 'editor-place' });
    root.append(place);
    place.style.height = '100%';
    const listener = EditorView.updateListener.of((update) => {
      const isOurs = update.transactions.some((transaction) => transaction.annotation(byProgram));
      if (update.docChanged && !isOurs) handlers.onChange?.();
      else if (update.selectionSet && !isOurs) handlers.onCursor?.(update.state.selection.main.head);
      if (update.viewportChanged || update.docChanged) handlers.onViewport?.(...this.viewport);
    });
    const state = EditorState.create({
      extensions: [
        // Carriage returns stay in the text, so that its offsets are those of the source.
        EditorState.lineSeparator.of('\n'),
        lineNumbers(),
        highlightSpecialChars(),
        this.#history.of(history()),
        search({ top: true }),
        highlightSelectionMatches(),
        readOnly ? [] : [highlightActiveLine(), highlightActiveLineGutter()],
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        replaceSelection,
        drawing,
        errorTooltip,
        theme,
        listener,
        this.#wrapping.of(EditorView.lineWrapping),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          spellcheck: 'false',
          autocorrect: 'off',
          autocapitalize: 'off',
          ...(readOnly ? { 'aria-readonly': 'true' } : {}),
        }),
      ],
    });
    this.view = new EditorView({ state, parent: place, root });
  }

  get text(): string {
    return this.view.state.sliceDoc();
  }

  get viewport(): Span {
    const { from, to } = this.view.viewport;
    return [from, to];
  }

  /** Replaces the text. This is no edit of the user, and clears what is drawn and the edits that can be undone. */
  setText(text: string): void {
    this.view.dispatch({ effects: this.#history.reconfigure([]) });
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: this.view.state.toText(text) },
      selection: { anchor: 0 },
      scrollIntoView: true,
      effects: [
        setSelected.of(null),
        setMark.of(null),
        setVisible.of(null),
        setChanged.of([]),
        this.#wrapping.reconfigure(text.length <= MAX_WRAPPED ? EditorView.lineWrapping : []),
        this.#history.reconfigure(history()),
      ],
      annotations: [byProgram.of(true), Transaction.addToHistory.of(false)],
    });
  }

  select(range: Span | null, scroll: boolean): void {
    const length = this.view.state.doc.length;
    const at = range && Math.min(range[0], length);
    this.view.dispatch({
      effects: [
        setSelected.of(range),
        ...(scroll && at !== null ? [EditorView.scrollIntoView(at, { y: 'center', x: 'nearest' })] : []),
      ],
      annotations: byProgram.of(true),
    });
  }

  setMark(u16: number | null): void {
    const effects: StateEffect<unknown>[] = [setMark.of(u16)];
    if (u16 !== null) effects.push(EditorView.scrollIntoView(Math.min(u16, this.view.state.doc.length), { y: 'nearest' }));
    this.view.dispatch({ effects, annotations: byProgram.of(true) });
  }

  setVisible(visible: Visible | null): void {
    this.view.dispatch({ effects: setVisible.of(visible), annotations: byProgram.of(true) });
  }

  /** Marks the ranges that have changed. An empty range is the place of a removal. */
  setChanged(ranges: Span[]): void {
    this.view.dispatch({ effects: setChanged.of(ranges), annotations: byProgram.of(true) });
  }
}
