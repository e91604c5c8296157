// The selector, the sanitizer, the rewriter and the dialects side by side.
import assert from 'node:assert/strict';
import { change, rows, settled } from './browser.mjs';
import { openText } from './documents.mjs';
import { pageTest } from './setup.mjs';

const lines = (page, panel, column) =>
  page.locator(`#panel-${panel} .column`).nth(column).locator('.cm-line').evaluateAll((all) => all.map((line) => line.textContent).join('\n'));

async function waitForLines(page, panel, column, wanted) {
  await page.waitForFunction(
    ([id, at, text]) => {
      const host = document.querySelectorAll(`#panel-${id} .column .editor`)[at];
      return [...host.shadowRoot.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n') === text;
    },
    [panel, column, wanted],
  ).catch(async () => assert.equal(await lines(page, panel, column), wanted));
}

pageTest('a selector marks the elements in source and tree', {}, async ({ page }) => {
  await openText(page, '<ul><li>one<li class=x>two<li class=x>three</ul>');
  await page.locator('#tab-selector').click();
  await page.locator('#css').fill('li.x');
  await page.locator('#selector-info', { hasText: '2 elements' }).waitFor();
  await settled(page);
  assert.equal((await rows(page, 'selected')).length, 2);
  assert.equal(await page.locator('#tree .row.is-match').count(), 2);
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelectorAll('.cm-match').length >= 2);
  assert.equal(await page.locator('#source .cm-match').allTextContents().then((all) => all.join('')), '<li class=x><li class=x>');
  await page.locator('#selected .row').nth(1).click();
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-selected')?.textContent.startsWith('<li'));
  await page.locator('#css').fill('li[');
  await page.locator('#selector-info.problem').waitFor();
  await page.locator('#css').fill('');
  await page.waitForFunction(() => document.querySelectorAll('#tree .row.is-match').length === 0);
});

pageTest('the sanitizer writes beside its input', {}, async ({ page }) => {
  await openText(page, '<p onclick=a()>x<script>y</script><!--c--></p>');
  await page.locator('#tab-sanitizer').click();
  await waitForLines(page, 'sanitizer', 0, '<p onclick=a()>x<script>y</script><!--c--></p>');
  await waitForLines(page, 'sanitizer', 1, '<p>x</p>');
  await page.locator('#sanitizer-comments').check();
  await waitForLines(page, 'sanitizer', 1, '<p>x<!--c--></p>');
});

pageTest('the rewriter applies the edits', {}, async ({ page }) => {
  await openText(page, '<p><a href=1>x</a><script>y</script>');
  await page.locator('#tab-rewriter').click();
  await waitForLines(page, 'rewriter', 1, '<p><a href=1 rel="nofollow">x</a>');
  await page.locator('[aria-label="Remove edit 2"]').click();
  await waitForLines(page, 'rewriter', 1, '<p><a href=1 rel="nofollow">x</a><script>y</script>');
  await page.locator('#add-edit').click();
  await page.locator('[aria-label="Selector of edit 2"]').fill('a');
  await page.locator('[aria-label="Action of edit 2"]').selectOption('rename');
  await page.locator('[aria-label="Name of edit 2"]').fill('b');
  await waitForLines(page, 'rewriter', 1, '<p><b href=1 rel="nofollow">x</b><script>y</script>');
});

pageTest('the dialects are side by side', {}, async ({ page }) => {
  await openText(page, '<a><b>x</a>');
  await page.locator('#tab-dialects').click();
  for (const dialect of ['html', 'xml', 'microxml', 'sky', 'leafxml']) {
    await page.locator(`#dialect-${dialect} .row`).first().waitFor();
  }
  assert.equal(await page.locator('#panel-dialects .column').count(), 5);
  await page.locator('#panel-dialects h3', { hasText: 'LeafXML' }).locator('text=ends:').waitFor();
  await page.locator('#dialect-xml .row', { hasText: '<b>' }).click();
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-selected')?.textContent === '<b>');
});

pageTest('each example opens without a message', {}, async ({ page }) => {
  const examples = await page.locator('#examples option').evaluateAll((all) => all.map(({ value }) => value).filter(Boolean));
  for (const example of examples) {
    await change(page, () => page.locator('#examples').selectOption(example));
    assert.ok(await page.locator('#notice').isHidden(), example);
    assert.ok((await rows(page, 'events')).length > 0, example);
  }
});
