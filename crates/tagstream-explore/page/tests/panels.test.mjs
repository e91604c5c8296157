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

// The text of each mark of the rewriter's output in its order. A removal is "-".
const marks = (page) =>
  page.locator('#panel-rewriter .column').nth(1).locator('mark.cm-changed, .cm-removed').evaluateAll((all) => all.map((mark) => (mark.matches('mark') ? mark.textContent : '-')));

const rewriterInfo = (page) => page.locator('#panel-rewriter .column').nth(1).locator('.info');

pageTest('the changes of the rewriter are marked', {}, async ({ page }) => {
  await openText(page, '<p>é😀<a href=1>x</a><script>y</script><a href=2>z</a>');
  await page.locator('#tab-rewriter').click();
  await rewriterInfo(page).filter({ hasText: '3 changes' }).waitFor();
  assert.deepEqual(await marks(page), [' rel="nofollow"', '-', ' rel="nofollow"']);
  const removed = page.locator('#panel-rewriter .cm-removed');
  assert.equal(await removed.getAttribute('role'), 'img');
  assert.equal(await removed.getAttribute('aria-label'), 'Something was removed here');
  const style = await page.locator('#panel-rewriter mark').first().evaluate((mark) => {
    const { textDecorationLine, color, backgroundColor } = getComputedStyle(mark);
    return { textDecorationLine, color, backgroundColor };
  });
  assert.equal(style.textDecorationLine, 'underline');
  assert.notEqual(style.color, style.backgroundColor);
  // Marks are no part of the text.
  assert.equal(await lines(page, 'rewriter', 1), '<p>é😀<a href=1 rel="nofollow">x</a><a href=2 rel="nofollow">z</a>');
  await page.locator('[aria-label="Remove edit 1"]').click();
  await page.locator('[aria-label="Remove edit 1"]').click();
  await rewriterInfo(page).filter({ hasText: '0 changes' }).waitFor();
  assert.deepEqual(await marks(page), []);
  // Markup in a document stays text.
  await openText(page, '<p><a href="x">&lt;img src=x onerror=pwned=1></a>');
  await page.locator('#add-edit').click();
  await page.locator('[aria-label="Selector of edit 1"]').fill('a');
  await page.locator('[aria-label="Action of edit 1"]').selectOption('before');
  await page.locator('[aria-label="Value of edit 1"]').fill('<img src=x onerror=pwned=1>');
  await rewriterInfo(page).filter({ hasText: '1 change' }).waitFor();
  assert.deepEqual(await marks(page), ['<img src=x onerror=pwned=1>']);
  assert.equal(await page.locator('#panel-rewriter .columns img').count(), 0);
});

pageTest('a limited number of changes is marked', {}, async ({ page }) => {
  await openText(page, '<a href=1>x</a>\n'.repeat(6000));
  await page.locator('#tab-rewriter').click();
  await rewriterInfo(page).filter({ hasText: '6,000 changes, the first 5,000 are marked' }).waitFor();
  // Only the marks of visible lines are elements.
  const drawn = (await marks(page)).length;
  assert.ok(drawn > 0 && drawn < 400, `${drawn} marks`);
  const content = page.locator('#panel-rewriter .column').nth(1).locator('.cm-scroller');
  const atLine = async (line) => {
    await content.evaluate((scroller, part) => (scroller.scrollTop = scroller.scrollHeight * part), line / 6000);
    await settled(page);
    return (await marks(page)).length;
  };
  assert.ok((await atLine(4000)) > 1);
  // The line of the cursor, which is the first one, is always there.
  assert.equal(await atLine(5500), 1);
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
