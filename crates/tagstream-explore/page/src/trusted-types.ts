/** The part of the Trusted Types interface that the page uses; TypeScript's library does not have it yet. */
interface Policy {
  createHTML(markup: string): unknown;
  createScriptURL(address: string): unknown;
}

interface Rules {
  createHTML?(markup: string): string;
  createScriptURL?(address: string): string;
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
  }
}

export {};
