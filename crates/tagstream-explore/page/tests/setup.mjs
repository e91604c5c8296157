// The server and the browser that all tests share.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open, start } from './browser.mjs';
import { serve } from './server.mjs';

export const dist = join(import.meta.dirname, '..', '..', 'dist');
// Documents that the server has beside the page, by their paths.
export const documents = new Map();

if (!existsSync(join(dist, 'engine.wasm'))) throw new Error('dist is missing: run crates/tagstream-explore/build');
const browser = await start();
const server = await serve(dist, documents);
export const { address } = server;

export async function stop() {
  await browser.close();
  server.close();
}

// Declares a test that gets an open page. The test fails if the page has an error, violates its policy, opens a dialog or
// a window, or asks for anything but its own files.
export function pageTest(name, options, run) {
  test(name, { timeout: 120_000 }, async (report) => {
    const opened = await open(browser, address, options);
    opened.page.setDefaultTimeout(15_000);
    try {
      await run({ ...opened, report });
      assert.deepEqual(opened.faults, []);
      const foreign = opened.requests.filter((url) => !url.startsWith(address) && !url.startsWith('data:'));
      assert.deepEqual(foreign, []);
    } finally {
      await opened.context.close();
    }
  });
}
