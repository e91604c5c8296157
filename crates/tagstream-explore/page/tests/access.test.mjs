// Accessibility: axe-core in both themes and widths, for each view.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { change, settled } from './browser.mjs';
import { pageTest } from './setup.mjs';

const VIEWS = ['trace', 'errors', 'selector', 'sanitizer', 'rewriter', 'dialects', 'browser'];

async function violations(page) {
  const result = await page.evaluate(async () => {
    const { violations: found, passes } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return { passes: passes.length, found: found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`) };
  });
  assert.ok(result.passes > 10);
  return result.found;
}

for (const scheme of ['light', 'dark']) {
  for (const width of [1440, 390]) {
    pageTest(`axe finds no violation, ${scheme}, ${width} pixels`, { width, scheme }, async ({ page }) => {
      await change(page, () => page.locator('#examples').selectOption('html-errors'));
      await page.evaluate(axe.source);
      if (width > 800) await page.locator('#events .row', { hasText: '<title>' }).first().click();
      await page.locator('#options-button').click();
      await page.locator('#share-button').click();
      const views = width > 800 ? VIEWS : ['source', 'events', 'tree', ...VIEWS];
      for (const view of views) {
        await page.locator(`#tab-${view}`).click();
        if (view === 'selector') await page.locator('#css').fill('p');
        if (view === 'errors') await page.locator('#errors .row').first().click();
        await settled(page);
        assert.deepEqual(await violations(page), [], view);
      }
      await page.locator('#slider').fill('60');
      await page.waitForSelector('html[data-step="60"]');
      await page.locator(`#tab-trace`).click();
      await settled(page);
      assert.deepEqual(await violations(page), [], 'steps');
    });
  }
}

pageTest('all controls can be reached with the keyboard', {}, async ({ page }) => {
  await page.locator('body').click({ position: { x: 1, y: 1 } });
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.dataset.list || ''));
  }
  for (const id of ['dialect', 'options-button', 'examples', 'open-button', 'share-button', 'theme', 'source', 'events', 'tree', 'slider', 'play', 'tab-trace']) {
    assert.ok(reached.has(id), `${id} of ${[...reached].join(', ')}`);
  }
});

pageTest('the numbers are announced', {}, async ({ page }) => {
  await page.locator('#live', { hasText: /\d+ events, \d+ nodes, \d+ errors?/ }).waitFor({ state: 'attached' });
});
