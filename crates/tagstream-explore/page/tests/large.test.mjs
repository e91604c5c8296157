// A page of 5 MB.
import assert from 'node:assert/strict';
import { settled } from './browser.mjs';
import { largePage } from './documents.mjs';
import { pageTest } from './setup.mjs';

const MEGABYTES = 5;
const buffer = largePage(MEGABYTES * 1024 * 1024);

// Records long tasks, and the messages to and from the worker.
async function record(page) {
  await page.evaluate(() => {
    globalThis.record = { tasks: [], first: 0, events: 0, start: 0 };
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        if (record.start && startTime >= record.start) record.tasks.push(Math.round(duration));
      }
    }).observe({ type: 'longtask' });
    document.querySelector('#file').addEventListener('change', () => (record.start = performance.now()), { capture: true });
    const root = document.documentElement;
    new MutationObserver(() => {
      if (record.start && !record.events && Number(root.dataset.events) > 100) {
        record.events = Number(root.dataset.events);
        requestAnimationFrame(() => (record.first = performance.now() - record.start));
      }
    }).observe(root, { attributes: true, attributeFilter: ['data-events'] });
  });
}

async function openLarge(page) {
  const before = await page.evaluate(() => document.documentElement.dataset.shown);
  await page.locator('#file').setInputFiles({ name: 'large.html', mimeType: 'text/html', buffer });
  return () => page.waitForFunction((shown) => document.documentElement.dataset.shown !== shown, before, { timeout: 60_000 });
}

pageTest('the first events of 5 MB are there before the rest is parsed', {}, async ({ page, report }) => {
  await settled(page);
  await record(page);
  const opened = await openLarge(page);
  await opened();
  await settled(page);
  const whole = await page.evaluate(() => performance.now() - record.start);
  const { first, events, tasks } = await page.evaluate(() => record);
  const all = Number(await page.evaluate(() => document.documentElement.dataset.events));
  const memory = Number(await page.evaluate(() => document.documentElement.dataset.memory));
  report.diagnostic(`first ${events} of ${all} events after ${Math.round(first)} ms, all shown after ${Math.round(whole)} ms`);
  report.diagnostic(`long tasks while it opens: ${tasks.join(', ') || 'none'} ms; memory of the engine ${Math.round(memory / 2 ** 20)} MiB`);
  assert.ok(events > 0 && events < all, `${events} of ${all} events`);
  assert.equal(await page.locator('#source-info').innerText(), `${buffer.length.toLocaleString('en')} bytes, UTF-8`);
  // The work does not depend on the length of the document.
  const drawn = await page.evaluate(() => ({
    rows: document.querySelectorAll('.row').length,
    lines: document.querySelector('#source').shadowRoot.querySelectorAll('.cm-line').length,
  }));
  assert.ok(drawn.rows < 200, `${drawn.rows} rows`);
  assert.ok(drawn.lines < 400, `${drawn.lines} lines`);

  await page.evaluate(() => (record.tasks = []));
  await page.locator('#events .list-scroller').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('#tree .row.is-active'));
  await settled(page);
  await page.locator('#tree .list-scroller').evaluate((list) => (list.scrollTop = list.scrollHeight / 2));
  await settled(page);
  await page.locator('#source .cm-content').focus();
  await page.keyboard.press('ControlOrMeta+End');
  const shown = await page.evaluate(() => document.documentElement.dataset.shown);
  await page.keyboard.type('<p>x');
  await page.waitForFunction((before) => document.documentElement.dataset.shown !== before, shown, { timeout: 60_000 });
  await settled(page);
  report.diagnostic(`long tasks while it is scrolled and edited: ${(await page.evaluate(() => record.tasks)).join(', ') || 'none'} ms`);
});

pageTest('a newer document cancels the work on an older one', {}, async ({ page }) => {
  await settled(page);
  // Counts the progress messages of each document.
  await page.evaluate(() => {
    globalThis.progress = {};
    const descriptor = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
    Object.defineProperty(MessageEvent.prototype, 'data', {
      get() {
        const data = descriptor.get.call(this);
        if (data?.progress) progress[data.generation] = (progress[data.generation] ?? 0) + 1;
        return data;
      },
    });
  });
  const opened = await openLarge(page);
  await page.waitForFunction(() => Object.keys(progress).length > 0);
  await page.locator('#examples').selectOption('html-table');
  await opened();
  await settled(page);
  const counts = Object.values(await page.evaluate(() => progress));
  const slices = Math.ceil(buffer.length / (256 * 1024));
  assert.equal(counts.length, 1);
  assert.ok(counts[0] < slices - 2, `${counts[0]} of ${slices} slices`);
  assert.match(await page.locator('#source-info').innerText(), /^\d{3} bytes/);
});

pageTest('memory does not grow with the number of documents', {}, async ({ page }) => {
  const sizes = [];
  for (let i = 0; i < 4; i++) {
    await (await openLarge(page))();
    sizes.push(Number(await page.evaluate(() => document.documentElement.dataset.memory)));
  }
  assert.ok(sizes[3] <= sizes[1] * 1.05, sizes.join(', '));
});
