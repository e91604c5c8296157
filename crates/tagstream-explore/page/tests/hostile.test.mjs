// Documents that try to run something in the page. `pageTest` checks that there was no dialog, no violation of the
// policy and no request.
import assert from 'node:assert/strict';
import { settled } from './browser.mjs';
import { HOSTILE, openText } from './documents.mjs';
import { pageTest } from './setup.mjs';

const TABS = ['trace', 'errors', 'selector', 'sanitizer', 'rewriter', 'dialects', 'browser'];

for (const dialect of ['html', 'xml', 'microxml', 'sky', 'leafxml']) {
  pageTest(`hostile documents run nothing as ${dialect}`, {}, async ({ page }) => {
    const before = await page.evaluate(() => Object.keys(globalThis).length);
    await page.locator('#css').evaluate((input) => {
      input.value = '*';
    });
    for (const text of HOSTILE) {
      await openText(page, text, dialect);
      for (const tab of TABS) {
        await page.locator(`#tab-${tab}`).click();
        await settled(page);
      }
      // The rows, the tooltips and the steps show pieces of the document too.
      for (const list of ['events', 'tree']) {
        const rows = page.locator(`#${list} .row`);
        if ((await rows.count()) > 0) await rows.last().click();
      }
      await page.locator('#tab-trace').click();
      const total = Buffer.byteLength(text);
      for (const step of [Math.floor(total / 2), total + 1]) {
        await page.locator('#slider').fill(String(step));
        await page.waitForSelector(`html[data-step="${step}"]`);
      }
      const error = page.locator('#source .cm-error').first();
      if ((await error.count()) > 0) await error.hover();
    }
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
    assert.equal(await page.evaluate(() => Object.keys(globalThis).length), before);
    const elements = 'iframe, object, embed, base, body script, body style, body link, body meta, img:not(.cm-widgetBuffer), [onload], [onerror], [srcdoc]';
    assert.equal(await page.locator(elements).count(), 0);
    assert.equal(await page.evaluate(() => document.title), 'tagstream explorer');
    const addresses = await page.locator('a').evaluateAll((all) => all.map((link) => link.protocol));
    assert.deepEqual(addresses.filter((protocol) => !protocol.startsWith('http')), []);
  });
}

pageTest('hostile edits and selectors run nothing', {}, async ({ page }) => {
  await openText(page, '<p>a<a href=x>b</a>');
  await page.locator('#tab-rewriter').click();
  for (const field of await page.locator('.edits input').all()) await field.fill('"><img src=x onerror=pwned=1>');
  await page.locator('.edits input').first().fill('a');
  await settled(page);
  await page.locator('#tab-selector').click();
  await page.locator('#css').fill('<img src=x onerror=pwned=1>');
  await page.locator('#selector-info.problem').waitFor();
  assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
});
