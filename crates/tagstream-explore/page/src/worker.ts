/**
 * The worker: it holds the engine and answers the page's requests.
 *
 * A document is fed in slices. Between two slices the worker handles the messages that have arrived, so that it can
 * answer requests about the part that is parsed, and stops when the page has opened another document.
 */
import init, * as engine from '../generated/tagstream_explore.js';
import { Stepper } from './stepper';
import { locate, type Offsets, visible } from './positions';
import type {
  Argument,
  Counts,
  Operation,
  OptionValue,
  Reply,
  Request,
  Result,
  SessionName,
  Settings,
  Source,
} from './protocol';
import { pause, reading, type Session } from './sessions';

const FIRST_SLICE_BYTES = 64 * 1024;
const SLICE_BYTES = 256 * 1024;
/** Number of bytes that the other dialects and the browser's parser get at most. */
const COMPARED_BYTES = 1024 * 1024;
const UTF8_MARK_BYTES = 3;

/** The part of the global scope of a worker that this file uses. */
interface WorkerScope {
  location: { href: string };
  onmessage: ((message: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply): void;
}

const scope = self as unknown as WorkerScope;
const ready = init({ module_or_path: new URL('engine.wasm', scope.location.href) });

let generation = 0;
let bytes: Uint8Array = new Uint8Array();
let settings: Settings = { dialect: 'html', options: {}, encoding: '' };
let stepper: Stepper | null = null;
let matches: { session: SessionName; rows: number[] } = { session: 'document', rows: [] };
/** True if the document is typed text that begins with a byte-order mark. */
let hasTypedMark = false;
const sessions = new Map<SessionName, Session>();

function post(reply: Reply): void {
  scope.postMessage(reply);
}

function optionsJson(of: Settings, extra: Record<string, OptionValue> = {}): string {
  return JSON.stringify({ ...of.options, dialect: of.dialect, encoding: of.encoding || null, trace: false, ...extra });
}

function replaceSession(name: SessionName, session: Session | null): void {
  sessions.get(name)?.free();
  if (session) sessions.set(name, session);
  else sessions.delete(name);
}

/** The reason for which a request fails whose session has ended, for example because the page has left the steps. */
class Ended extends Error {}

function sessionNamed(name: SessionName): Session {
  const session = sessions.get(name);
  if (!session) throw new Ended(name);
  return session;
}

/** Returns the conversion of offsets for the text of the editor. */
function offsets(): Offsets {
  const session = sessionNamed('document');
  if (!hasTypedMark) return session;
  // The engine does not count a byte-order mark as a character, but the editor does.
  return {
    offsets: (bytes) => session.offsets(bytes).map((u16, i) => ((bytes[i] ?? 0) >= UTF8_MARK_BYTES ? u16 + 1 : u16)),
    byte_offsets: (u16) => session.byte_offsets(u16.map((at) => Math.max(0, at - 1))),
  };
}

function counts(session: Session): Counts {
  return reading<Counts>(session.counts());
}

/** Returns the bytes of a source, and the encoding that the parser is given for them. */
function encoded(source: Source, encoding: string): { bytes: Uint8Array; encoding: string } {
  if ('bytes' in source) return { bytes: source.bytes, encoding };
  // Typed text keeps its characters, whatever encoding the document itself declares.
  if (encoding === '') return { bytes: new TextEncoder().encode(source.text), encoding: 'utf-8' };
  return { bytes: engine.encode(source.text, encoding), encoding };
}

async function feedSlices(session: Session, input: Uint8Array, mine: number, progress: boolean): Promise<boolean> {
  let begin = 0;
  while (begin < input.length) {
    const end = Math.min(input.length, begin + (begin === 0 ? FIRST_SLICE_BYTES : SLICE_BYTES));
    session.feed(input.subarray(begin, end));
    begin = end;
    if (begin === input.length) break;
    if (progress) post({ progress: counts(session), generation: mine });
    await pause();
    if (generation !== mine) return false;
  }
  session.finish();
  return true;
}

async function open({ source, settings: asked }: Argument<'open'>, mine: number): Promise<Result<'open'>> {
  // Keeps memory bounded: nothing of the previous document is needed any more.
  stepper?.end();
  stepper = null;
  for (const name of [...sessions.keys()]) replaceSession(name, null);
  matches = { session: 'document', rows: [] };
  hasTypedMark = 'text' in source && source.text.startsWith('\uFEFF');
  const input = encoded(source, asked.encoding);
  bytes = input.bytes;
  settings = { ...asked, encoding: input.encoding };
  const session = new engine.Session(optionsJson(settings));
  replaceSession('document', session);
  if (!(await feedSlices(session, bytes, mine, true))) return null;
  const isFile = 'bytes' in source;
  const text = isFile ? session.source_text() : null;
  // UTF-8 represents every character, so only other encodings need the comparison.
  const differs = !isFile && asked.encoding !== '' && session.source_text() !== source.text.replace(/^\uFEFF/, '');
  return { counts: counts(session), text, differs, memory: (await ready).memory.buffer.byteLength };
}

/** Returns the first bytes of the document, and whether there are more. */
function compared(): { part: boolean; input: Uint8Array } {
  return { part: bytes.length > COMPARED_BYTES, input: bytes.subarray(0, COMPARED_BYTES) };
}

/** Parses the document in another dialect, in a session of its own. */
async function parseAs({ dialect, options }: Argument<'dialect'>, mine: number): Promise<Result<'dialect'> | null> {
  const { input, part } = compared();
  const session = new engine.Session(optionsJson({ dialect, options, encoding: settings.encoding }));
  replaceSession(`dialect-${dialect}`, session);
  if (!(await feedSlices(session, input, mine, false))) return null;
  return { ...counts(session), part };
}

/** Parses the document as `DOMParser` does, and returns the tree in the format of the html5lib tests. */
async function dump({ limit }: Argument<'dump'>, mine: number): Promise<Result<'dump'> | null> {
  const { part } = compared();
  const text = sessionNamed('document').source_text().slice(0, COMPARED_BYTES);
  // A document of `DOMParser` has no browsing context: scripting is off, and it allows no declarative shadow roots.
  const session = new engine.Session(
    optionsJson({ ...settings, encoding: 'utf-8' }, { scripting: false, shadow: false, fragment: null }),
  );
  try {
    if (!(await feedSlices(session, new TextEncoder().encode(text), mine, false))) return null;
    return { text, dump: session.tree_dump(limit), part };
  } finally {
    session.free();
  }
}

function text(): string {
  return sessionNamed('document').source_text();
}

type Handlers = {
  [O in Operation]: (argument: Argument<O>, mine: number) => Result<O> | null | Promise<Result<O> | null>;
};

const handlers: Handlers = {
  dialects: () => reading(engine.dialects()),
  open,
  events: ({ session, from, count }) => reading(sessionNamed(session).events(from, count)),
  nodes: ({ session, from, count }) => reading(sessionNamed(session).nodes(from, count)),
  errors: ({ session, from, count }) => reading(sessionNamed(session).errors(from, count)),
  locate: (argument) => locate(offsets(), sessionNamed(argument.session), argument),
  visible: ({ session, from, to }) =>
    visible(offsets(), sessionNamed(session), from, to, matches.session === session ? matches.rows : []),
  async step(target, mine) {
    if (!stepper) {
      const make = () => {
        const session = new engine.Session(optionsJson(settings, { trace: true }));
        replaceSession('step', session);
        return session;
      };
      stepper = new Stepper(bytes, make, () => generation === mine);
    }
    const state = await stepper.move(target);
    if (!state) return null;
    const [mark] = offsets().offsets(new Uint32Array([state.position]));
    return { ...state, mark: mark ?? 0 };
  },
  leaveStep() {
    stepper?.end();
    stepper = null;
    replaceSession('step', null);
    return null;
  },
  trace: () => reading(sessionNamed('document').trace()),
  select({ session, css }) {
    if (css.trim() === '') {
      matches = { session, rows: [] };
      return { count: 0, rows: [] };
    }
    const result = reading<Result<'select'>>(sessionNamed(session).select(css));
    matches = { session, rows: 'rows' in result ? result.rows : [] };
    return result;
  },
  sanitize: ({ options }) => reading(engine.sanitize(text(), JSON.stringify(options))),
  rewrite: ({ edits }) => reading(engine.rewrite(text(), optionsJson(settings), JSON.stringify(edits))),
  dialect: parseAs,
  dump,
};

scope.onmessage = async (message: MessageEvent<Request>) => {
  const request = message.data;
  if (request.operation === 'open') generation = request.generation;
  try {
    await ready;
    if (request.generation !== generation) {
      post({ id: request.id, stale: true });
      return;
    }
    const handler = handlers[request.operation] as (argument: unknown, mine: number) => unknown;
    const result = await handler(request.argument, request.generation);
    // Only requests that were interrupted by a newer document return null, and `leaveStep`.
    if (request.generation !== generation) post({ id: request.id, stale: true });
    else post({ id: request.id, result });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) post({ fatal: error.message });
    else if (error instanceof Ended) post({ id: request.id, stale: true });
    else post({ id: request.id, error: error instanceof Error ? error.message : String(error) });
  }
};
