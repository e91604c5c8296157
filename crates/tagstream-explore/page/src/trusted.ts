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

export function parseInert(markup: string, type: DOMParserSupportedType): Document {
  return new DOMParser().parseFromString((documents?.createHTML(markup) ?? markup) as string, type);
}
