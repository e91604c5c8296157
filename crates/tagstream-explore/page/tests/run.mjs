// Runs all tests of the page in one process, one after the other: they share the server and the browser, and two cores.
// `node tests/run.mjs WORD…` runs the files whose names contain one of the words.
import { after } from 'node:test';
import { readdirSync } from 'node:fs';
import { stop } from './setup.mjs';

const words = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'));
for (const name of files.sort()) {
  if (words.length === 0 || words.some((word) => name.includes(word))) await import(`./${name}`);
}
after(stop);
