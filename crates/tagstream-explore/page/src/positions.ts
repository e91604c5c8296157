/** Relations between events, nodes, bytes and UTF-16 offsets. */
import type { Argument, ErrorRow, EventRow, Location, NodeRow, Range, Visible } from './protocol';
import { reading, type Session } from './sessions';

/** Number of ranges that are coloured at most in one visible piece of the source. */
const MAX_VISIBLE = 1500;
/** Errors are almost in the order of their ranges. This many before the first visible one are looked at. */
const ERROR_MARGIN = 50;

/** The conversion between byte offsets and UTF-16 offsets in the text of the editor. */
export interface Offsets {
  offsets(bytes: Uint32Array): Uint32Array;
  byte_offsets(u16: Uint32Array): Uint32Array;
}

/** Converts a byte range with the session that has read the whole document. */
function toUtf16(document: Offsets, range: Range): Range {
  const [from, to] = document.offsets(new Uint32Array(range));
  return [from ?? 0, to ?? 0];
}

function eventRow(session: Session, i: number): EventRow | undefined {
  return i < 0 ? undefined : reading<EventRow[]>(session.events(i, 1))[0];
}

function nodeRow(session: Session, i: number): NodeRow | undefined {
  return i < 0 ? undefined : reading<NodeRow[]>(session.nodes(i, 1))[0];
}

/** Returns the event, the node and the source that belong to one of the three. */
export function locate(document: Offsets, session: Session, argument: Argument<'locate'>): Location {
  if ('u16' in argument) {
    const [byte] = document.byte_offsets(new Uint32Array([argument.u16]));
    const at = byte ?? 0;
    const index = session.event_at(at);
    const event = eventRow(session, index);
    const range = event?.range ?? null;
    const node = event ? nodeOf(session, event, at) : session.node_at(at);
    return { event: index, node, range, u16: range && toUtf16(document, range) };
  }
  if ('range' in argument) {
    const at = argument.range[0];
    return {
      event: session.event_at(at),
      node: session.node_at(at),
      range: argument.range,
      u16: toUtf16(document, argument.range),
    };
  }
  if ('event' in argument) {
    const event = eventRow(session, argument.event);
    const range = event?.range ?? null;
    const node = event ? nodeOf(session, event) : -1;
    return { event: argument.event, node, range, u16: range && toUtf16(document, range) };
  }
  const range = nodeRow(session, argument.node)?.range ?? null;
  const event = range ? session.event_at(range[0]) : -1;
  return { event, node: argument.node, range, u16: range && toUtf16(document, range) };
}

/** Number of rows around the deepest node among which the node of an event is searched. */
const ROWS_AROUND = 60;

/**
 * Returns the node of an event, or of the part of it at a byte. For a start tag this is the element with its name that
 * begins there, and for a text the text that contains the byte. The deepest node at that byte can be another one: a text
 * that tree construction has moved and joined contains the tags in between, and a table contains the text that was moved
 * out of it.
 */
function nodeOf(session: Session, { kind, name, range }: EventRow, byte = range?.[0] ?? 0): number {
  if (!range) return -1;
  const deepest = session.node_at(byte);
  if ((kind !== 'start' && kind !== 'text') || deepest < 0) return deepest;
  const isNode = (row: NodeRow) => {
    if (!row.range) return false;
    if (kind === 'text') return row.kind === 'text' && row.range[0] <= byte && byte < row.range[1];
    return row.kind === 'element' && row.range[0] === range[0] && row.name === name;
  };
  const first = Math.max(0, deepest - ROWS_AROUND);
  const found = reading<NodeRow[]>(session.nodes(first, 2 * ROWS_AROUND)).findLastIndex(isNode);
  return found < 0 ? deepest : first + found;
}

/** Returns the first index below `count` for which `reaches` is true; the rows before must all be false. */
function firstIndex(count: number, reaches: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reaches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Collects byte ranges, and converts all of them at once. */
class Ranges {
  #bytes: number[] = [];
  add(range: Range): void {
    this.#bytes.push(range[0], range[1]);
  }
  utf16(document: Offsets): Uint32Array {
    return document.offsets(new Uint32Array(this.#bytes));
  }
}

/** Returns the colours, errors and selected elements in a piece of the source. */
export function visible(document: Offsets, session: Session, from: number, to: number, matches: number[]): Visible {
  const [begin = 0, end = 0] = document.byte_offsets(new Uint32Array([from, to]));
  const ranges = new Ranges();
  const classes = colours(session, begin, end, ranges);
  const errors = visibleErrors(session, begin, end);
  for (const error of errors) ranges.add(error.range);
  const marked = visibleMatches(session, begin, end, matches);
  for (const range of marked) ranges.add(range);
  const u16 = ranges.utf16(document);
  let next = 0;
  const take = (): Range => [u16[next++] ?? 0, u16[next++] ?? 0];
  return {
    colours: classes.map((name) => [...take(), name]),
    errors: errors.map((error) => ({ ...error, u16: take() })),
    matches: marked.map(take),
  };
}

/** Adds the ranges of the events and attributes in `begin..end`, and returns a class for each. */
function colours(session: Session, begin: number, end: number, ranges: Ranges): string[] {
  const { events } = reading<{ events: number }>(session.counts());
  const first = firstIndex(events, (i) => (eventRow(session, i)?.range?.[1] ?? Infinity) > begin);
  const classes: string[] = [];
  for (const event of reading<EventRow[]>(session.events(first, MAX_VISIBLE))) {
    if (!event.range) continue;
    if (event.range[0] >= end) break;
    if (event.range[0] === event.range[1]) continue;
    ranges.add(event.range);
    classes.push(`cm-${event.kind}`);
    for (const [, , range] of event.attributes ?? []) {
      if (!range || range[0] === range[1]) continue;
      ranges.add(range);
      classes.push('cm-attribute');
    }
  }
  return classes;
}

function visibleErrors(session: Session, begin: number, end: number): ErrorRow[] {
  const { errors } = reading<{ errors: number }>(session.counts());
  const row = (i: number) => reading<ErrorRow[]>(session.errors(i, 1))[0];
  const first = firstIndex(errors, (i) => (row(i)?.range[1] ?? Infinity) >= begin);
  const rows = reading<ErrorRow[]>(session.errors(Math.max(0, first - ERROR_MARGIN), MAX_VISIBLE));
  return rows.filter(({ range }) => range[1] >= begin && range[0] <= end);
}

/** Returns the source ranges of the start tags of selected elements. Rows are in source order where they have one. */
function visibleMatches(session: Session, begin: number, end: number, rows: number[]): Range[] {
  const range = (i: number) => nodeRow(session, rows[i] ?? -1)?.range ?? null;
  // An element that begins earlier may reach into the visible piece, but its start tag does not.
  const first = firstIndex(rows.length, (i) => (range(i)?.[0] ?? 0) >= begin);
  const found: Range[] = [];
  for (let i = first; i < rows.length && found.length < MAX_VISIBLE; i++) {
    const of = range(i);
    if (!of) continue;
    if (of[0] > end) break;
    const tag = eventRow(session, session.event_at(of[0]))?.range;
    found.push(tag ? [of[0], tag[1]] : of);
  }
  return found;
}
