/**
 * The two uses of strings that Trusted Types guard.
 *
 * The policy of index.html allows these two policies and no other, so that no other code of the page can turn a string
 * into markup or into the address of a script.
 */
import type {} from './trusted-types';

const workers = window.trustedTypes?.createPolicy('tagstream-worker', {
  createScriptURL(address: string) {
    if (address !== 'worker.js') throw new TypeError('the page has one worker');
    return address;
  },
});

// `DOMParser` makes a document without a browsing context: it runs no script and loads nothing. Its nodes are read by
// `dom-dump.ts` and never move into the page.
const documents = window.trustedTypes?.createPolicy('tagstream-domparser', {
  createHTML: (markup: string) => markup,
});

export function workerAddress(address: string): string {
  return (workers?.createScriptURL(address) ?? address) as string;
}

/**
 * Returns a parser of a window that has no frame any more.
 *
 * A document has the content security policy of the window whose parser made it. With the parser of the page, the browser
 * would report each `style` element and each event handler of a document as a violation by the page, although nothing of
 * the document is ever used. A window without a frame can run nothing, and reports nothing.
 */
function detachedParser(): DOMParser {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  try {
    const inner = frame.contentWindow as (Window & typeof globalThis) | null;
    return inner ? new inner.DOMParser() : new DOMParser();
  } finally {
    frame.remove();
  }
}

export function parseInert(markup: string, type: DOMParserSupportedType): Document {
  const trusted = (documents?.createHTML(markup) ?? markup) as string;
  try {
    return detachedParser().parseFromString(trusted, type);
  } catch {
    // Not every browser parses for a window without a frame.
    return new DOMParser().parseFromString(trusted, type);
  }
}
