// Starts Chromium and opens the page.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

export async function start() {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`${CHROMIUM} is missing: install it with testing/tools/install chromium`);
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

// Opens the page in a context of its own. What it must never do is recorded in `faults`: violations of its policy,
// errors, dialogs, and requests to anything but its own files.
export async function open(browser, address, { path = '', width = 1440, height = 900, scheme = 'light', ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, ...more });
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('popup', () => faults.push('a window was opened'));
  context.on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  await page.goto(address + path);
  await page.waitForSelector('html[data-ready]');
  return { page, context, faults, requests };
}

// The text of the editor of the source, as far as it is visible.
export function sourceText(page) {
  return page.locator('#source .cm-line').evaluateAll((lines) => lines.map((line) => line.textContent).join('\n'));
}

// Replaces the text of the editor as if it were pasted, and waits until the page shows the result.
export async function paste(page, text) {
  await page.locator('#source .cm-content').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await change(page, () => page.keyboard.insertText(text));
}

// Waits until the page shows the document that an action opens.
export async function change(page, action) {
  const before = await page.evaluate(() => document.documentElement.dataset.shown);
  await action();
  await page.waitForFunction((shown) => document.documentElement.dataset.shown !== shown, before);
  await settled(page);
}

// Waits until the lists have rendered: two frames without a pending row.
export async function settled(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        let quiet = 0;
        const look = () => {
          const pending = [...document.querySelectorAll('.row')].some((row) => row.offsetParent && row.textContent === '…');
          quiet = pending ? 0 : quiet + 1;
          if (quiet > 2) resolve();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

// The texts of the visible rows of a list, without numbers and ranges.
export function rows(page, list) {
  return page
    .locator(`#${list} .row`)
    .evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .map((row) => (row.querySelector('.row-main') ?? row).innerText.trim()),
    );
}
