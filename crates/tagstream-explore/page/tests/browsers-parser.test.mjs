// The comparison with the browser's own parser.
import assert from 'node:assert/strict';
import { settled } from './browser.mjs';
import { openText, randomDocument, randomNumbers } from './documents.mjs';
import { pageTest } from './setup.mjs';

const RANDOM_DOCUMENTS = 200;

async function compared(page) {
  return page.locator('#browser-info').evaluate((info) => ({ ...info.dataset, text: info.textContent }));
}

pageTest('no example differs from the tree of DOMParser', {}, async ({ page }) => {
  await page.locator('#tab-browser').click();
  const examples = await page
    .locator('#examples option')
    .evaluateAll((all) => all.filter(({ value }) => value.startsWith('html')).map(({ value }) => value));
  assert.ok(examples.length >= 6);
  for (const example of examples) {
    const shown = await page.evaluate(() => document.documentElement.dataset.shown);
    await page.locator('#examples').selectOption(example);
    await page.waitForFunction((before) => document.documentElement.dataset.shown !== before, shown);
    const { different, text } = await compared(page);
    assert.equal(different, '0', `${example}: ${text}`);
  }
});

pageTest('random documents differ from DOMParser for listed reasons only', {}, async ({ page, report }) => {
  await page.locator('#tab-browser').click();
  const random = randomNumbers(20261126);
  let withReason = 0;
  let different = 0;
  for (let i = 0; i < RANDOM_DOCUMENTS; i++) {
    const text = randomDocument(random);
    await openText(page, text);
    const result = await compared(page);
    if (result.known !== '0') withReason += 1;
    if (result.different !== '0') different += 1;
    assert.ok(result.different === '0' || result.known !== '0', `document ${i}: ${JSON.stringify(text)}: ${result.text}`);
  }
  report.diagnostic(`${RANDOM_DOCUMENTS} documents, ${withReason} with a known reason, ${different} different`);
  // Otherwise the comparison would say little.
  assert.ok(withReason < RANDOM_DOCUMENTS / 4);
});

pageTest('a difference is marked', {}, async ({ page }) => {
  await page.locator('#tab-browser').click();
  await openText(page, '<!DOCTYPE html><b><search></b>x');
  await settled(page);
  const { different, text } = await compared(page);
  assert.notEqual(different, '0');
  assert.match(text, /search as a special element/);
  assert.ok((await page.locator('#comparison .is-different').count()) > 0);
});

pageTest('XML is compared with the XML parser of the browser', {}, async ({ page }) => {
  await page.locator('#tab-browser').click();
  await openText(page, '<a xmlns="urn:x" b="1">t<!--c--><p:d xmlns:p="urn:p" p:e="2"/><![CDATA[<x>]]></a>', 'xml');
  assert.equal((await compared(page)).different, '0');
  await openText(page, '<a><b></a>', 'xml');
  await page.locator('#browser-info', { hasText: 'reports an error' }).waitFor();
  await openText(page, '<a/>', 'sky');
  await page.locator('#browser-info', { hasText: 'HTML and XML only' }).waitFor();
});
