/**
 * Links that hold a document and its settings in their fragment. Browsers do not send fragments to servers.
 *
 * The fragment is `#1.` and the base64url form of a deflated text: a line of JSON with the settings, and the bytes of
 * the document.
 */
import type { Settings, Source } from './protocol';

const VERSION = '#1.';
/** Some programs cut longer links. */
export const MAX_LINK_CHARACTERS = 30_000;
/** A short link can expand to many bytes. */
const MAX_EXPANDED_BYTES = 8 * 1024 * 1024;

interface Header {
  settings: Settings;
  /** True if the document is the bytes of a file, and not typed text. */
  isFile: boolean;
}

class TooLarge extends Error {}

async function through(bytes: Uint8Array, stream: GenericTransformStream, limit: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new TooLarge('the document in it is too large');
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export async function toFragment(source: Source, settings: Settings): Promise<string> {
  const isFile = 'bytes' in source;
  const header: Header = { settings, isFile };
  const body = isFile ? source.bytes : new TextEncoder().encode(source.text);
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return VERSION + toBase64Url(await through(whole, new CompressionStream('deflate-raw'), Infinity));
}

/** Decodes and inflates the text of a fragment. */
async function expanded(text: string): Promise<Uint8Array> {
  let packed: Uint8Array;
  try {
    packed = fromBase64Url(text);
  } catch {
    throw new Error('it has characters that no link of this page has');
  }
  try {
    return await through(packed, new DecompressionStream('deflate-raw'), MAX_EXPANDED_BYTES);
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new Error('its compressed document is damaged');
  }
}

/** Reads the line with the settings. */
function headerOf(line: string): Header {
  let header: Partial<Header> | null = null;
  try {
    header = JSON.parse(line) as Partial<Header> | null;
  } catch {
    // The message below is clearer.
  }
  const settings = header?.settings;
  if (!settings || typeof settings.dialect !== 'string') throw new Error('it has no settings');
  return { settings, isFile: header?.isFile === true };
}

/** Reads a fragment, or returns null if it is none of ours. */
export async function fromFragment(fragment: string): Promise<{ source: Source; settings: Settings } | null> {
  if (!fragment.startsWith(VERSION)) return null;
  const whole = await expanded(fragment.slice(VERSION.length));
  const end = whole.indexOf(10);
  const header = headerOf(new TextDecoder().decode(whole.subarray(0, end)));
  const { dialect, options, encoding } = header.settings;
  const settings = { dialect: String(dialect), options: { ...options }, encoding: String(encoding ?? '') };
  const body = whole.subarray(end + 1);
  const source = header.isFile ? { bytes: body } : { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body) };
  return { source, settings };
}
