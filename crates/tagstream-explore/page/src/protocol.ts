/** Messages between the page and the worker that holds the engine, and the rows that the engine returns. */

/** Begin and end; the end is exclusive. Byte offsets into the input, unless a name says UTF-16. */
export type Range = [number, number];

export type Attribute = [name: string, value: string, range?: Range | null];

export interface EventRow {
  i: number;
  kind: string;
  name?: string;
  text?: string;
  cut?: boolean;
  attributes?: Attribute[];
  self_closing?: boolean;
  implied?: boolean;
  range: Range | null;
  depth: number;
}

export interface NodeRow {
  id: number;
  depth: number;
  kind: string;
  name?: string;
  namespace?: string | null;
  text?: string;
  cut?: boolean;
  attributes?: Attribute[];
  range: Range | null;
  /** Number of rows of the subtree, including this one. */
  rows?: number;
}

export interface ErrorRow {
  code: string;
  message: string;
  range: Range;
  line: number;
  column: number;
  link: string | null;
}

export interface Counts {
  bytes: number;
  events: number;
  nodes: number;
  errors: number;
  dropped?: number;
  finished: boolean;
  failed: null | { message: string; code?: string; range?: Range; line?: number; column?: number };
  encoding: string | null;
  mode: string | null;
}

/** A section of a specification. `link` is the address of the section or of the whole document, if it has one. */
export interface Section {
  document: string;
  section: string;
  link: string | null;
}

export interface Trace {
  state: string | null;
  /** Address of the state in the standard of HTML. */
  link?: string | null;
  insertion_mode: string | null;
  mode_link: string | null;
  /** The rules for the next token. In foreign content they are not those of the insertion mode. */
  rules?: string | null;
  rules_link: string | null;
  open: { name: string; row: number }[];
  formatting: ({ name: string } | { marker: true })[];
  rows: { table: string; link: string; row: number; token: string; tokens?: string; conditions: string; actions: string }[];
  /** The sections that describe the state of the other dialects. */
  rule: Section[];
}

export interface OptionDescription {
  id: string;
  label: string;
  type: 'bool' | 'choice' | 'text';
  choices?: (string | { id: string; label: string })[];
  default: boolean | string | null;
  help?: string;
}

export interface DialectDescription {
  id: string;
  name: string;
  options: OptionDescription[];
}

export type OptionValue = boolean | string | null;

/** The dialect and the values of its options, in the form that the engine reads. */
export interface Settings {
  dialect: string;
  options: Record<string, OptionValue>;
  /** Encoding according to the transport; empty if there is none. */
  encoding: string;
}

/** Text that somebody typed, or the bytes of a file. */
export type Source = { text: string } | { bytes: Uint8Array };

/** Name of a session in the worker: the whole document, the document up to the current step, or another dialect. */
export type SessionName = 'document' | 'step' | `dialect-${string}`;

/** An event, a node and a range of the source that belong together. Indexes are −1 if there is none. */
export interface Location {
  event: number;
  node: number;
  range: Range | null;
  u16: Range | null;
}

export interface VisibleError extends ErrorRow {
  u16: Range;
}

/** All that is drawn in a visible piece of the source. Positions are UTF-16 offsets. */
export interface Visible {
  /** Begin, end and class of each coloured range. */
  colours: [number, number, string][];
  errors: VisibleError[];
  matches: Range[];
}

export interface StepState {
  position: number;
  total: number;
  atEnd: boolean;
  counts: Counts;
  trace: Trace;
  /** UTF-16 offset of the first byte that was not fed. */
  mark: number;
}

export interface Edit {
  selector: string;
  action: string;
  name?: string;
  value?: string;
}

export type StepTarget = { to: number } | { by: number } | { event: 1 | -1 } | { end: true };

/**
 * Requests and their results. A result is null if a newer document or step has replaced the request.
 *
 * In the result of `open`, `text` is the decoded text of a file, `differs` is true if the encoding cannot represent the
 * typed text, and `memory` is the size of the engine's memory in bytes. In the result of `rewrite`, `changed` has the ranges
 * of the output that edits have changed, as UTF-16 offsets; an empty range is the place of a removal.
 */
export interface Operations {
  dialects: [Record<string, never>, DialectDescription[]];
  open: [
    { source: Source; settings: Settings },
    { counts: Counts; text: string | null; differs: boolean; memory: number } | null,
  ];
  events: [{ session: SessionName; from: number; count: number }, EventRow[]];
  nodes: [{ session: SessionName; from: number; count: number }, NodeRow[]];
  errors: [{ session: SessionName; from: number; count: number }, ErrorRow[]];
  locate: [
    { session: SessionName } & ({ event: number } | { node: number } | { u16: number } | { range: Range }),
    Location,
  ];
  visible: [{ session: SessionName; from: number; to: number }, Visible];
  step: [StepTarget, StepState | null];
  leaveStep: [Record<string, never>, null];
  trace: [Record<string, never>, Trace];
  select: [
    { session: SessionName; css: string },
    { count: number; rows: number[] } | { error: string; at?: number },
  ];
  sanitize: [{ options: Record<string, OptionValue> }, { output: string } | { error: string }];
  rewrite: [{ edits: Edit[] }, { output: string; changed: Range[] } | { error: string }];
  dialect: [{ dialect: string; options: Record<string, OptionValue> }, Counts & { part: boolean }];
  dump: [{ limit: number }, { text: string; dump: string; part: boolean }];
}

export type Operation = keyof Operations;
export type Argument<O extends Operation> = Operations[O][0];
export type Result<O extends Operation> = Operations[O][1];

export interface Request<O extends Operation = Operation> {
  id: number;
  /** Number of the document. The worker drops requests about earlier documents. */
  generation: number;
  operation: O;
  argument: Argument<O>;
}

export type Reply =
  | { id: number; result: unknown }
  | { id: number; error: string }
  | { id: number; stale: true }
  | { progress: Counts; generation: number }
  | { fatal: string };
