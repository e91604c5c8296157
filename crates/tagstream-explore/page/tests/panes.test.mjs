// Load, type, step, select in each pane, dialects and options.
import assert from 'node:assert/strict';
import { change, paste, rows, settled, sourceText } from './browser.mjs';
import { openText } from './documents.mjs';
import { pageTest } from './setup.mjs';

const selected = (page) => page.locator('#source .cm-selected').allTextContents().then((parts) => parts.join(''));

// Waits until exactly this text of the source is marked.
async function marked(page, text) {
  await page.waitForFunction((wanted) => {
    const parts = document.querySelector('#source').shadowRoot.querySelectorAll('.cm-selected');
    return [...parts].map((part) => part.textContent).join('') === wanted;
  }, text).catch(async () => assert.equal(await selected(page), text));
}

async function active(page, list, text) {
  await page.waitForFunction(([id, wanted]) => {
    const row = document.querySelector(`#${id} .row.is-active .row-main`);
    return row?.innerText.trim() === wanted;
  }, [list, text]).catch(async () =>
    assert.equal(await page.locator(`#${list} .row.is-active .row-main`).innerText(), text));
}

async function stepped(page, step, action) {
  await action();
  await page.waitForSelector(`html[data-step="${step}"]`);
  await settled(page);
}

pageTest('the page opens with an example', {}, async ({ page }) => {
  await settled(page);
  assert.match(await sourceText(page), /^<!DOCTYPE html>\n<title>Misnested/);
  assert.deepEqual((await rows(page, 'events')).slice(0, 4), ['<!DOCTYPE html>', '"↵"', '<title>', '"Misnested formatting"']);
  assert.deepEqual((await rows(page, 'tree')).slice(0, 4).map((row) => row.replace(/^[▾▸]\s*/, '')), ['document', '<!DOCTYPE html>', '<html>', '<head>']);
  assert.equal(await page.locator('#source-info').innerText(), '258 bytes, UTF-8');
});

pageTest('typing parses the document again', {}, async ({ page }) => {
  await paste(page, '<p>a<b>c');
  assert.deepEqual(await rows(page, 'events'), ['<p>', '"a"', '<b>', '"c"']);
  await change(page, () => page.keyboard.type('d'));
  assert.deepEqual(await rows(page, 'events'), ['<p>', '"a"', '<b>', '"cd"']);
  await change(page, () => page.keyboard.press('ControlOrMeta+z'));
  assert.notEqual((await rows(page, 'events')).at(-1), '"cd"');
});

pageTest('a byte-order mark and characters outside the BMP keep their positions', {}, async ({ page }) => {
  await openText(page, '\uFEFF<i>😀é</i><b>x</b>');
  await page.locator('#events .row', { hasText: '<b>' }).click();
  await marked(page, '<b>');
  await paste(page, '<i>😀é</i><b>x</b>');
  await page.locator('#events .row', { hasText: '<b>' }).click();
  await marked(page, '<b>');
});

pageTest('an event marks its source and its node', {}, async ({ page }) => {
  await paste(page, '<p id=x>one <b>two</b></p>');
  await page.locator('#events .row', { hasText: '<b>' }).first().click();
  await marked(page, '<b>');
  await active(page, 'tree', '▾<b>');
});

pageTest('a node marks its source and its event', {}, async ({ page }) => {
  await paste(page, '<p id=x>one <b>two</b></p>');
  await page.locator('#tree .row', { hasText: '<b>' }).click();
  await marked(page, '<b>two</b>');
  await active(page, 'events', '<b>');
});

pageTest('the cursor in the source marks the event and the node', {}, async ({ page }) => {
  await paste(page, '<p>one</p><b>two</b>');
  await page.locator('#source .cm-content').focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft');
  await active(page, 'events', '"two"');
  await active(page, 'tree', '"two"');
  await marked(page, 'two');
});

pageTest('text that was moved out of a table is the node of its source', {}, async ({ page }) => {
  await paste(page, '<table><tr><td>cell</td></tr>moved</table>');
  await page.locator('#source .cm-content').focus();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowLeft');
  await active(page, 'tree', '"moved"');
  await page.locator('#events .row', { hasText: 'cell' }).click();
  await active(page, 'tree', '"cell"');
  await page.locator('#events .row', { hasText: 'moved' }).click();
  await active(page, 'tree', '"moved"');
  // The text that was joined contains the start tag of the table.
  await paste(page, 'a<table>b<tr>');
  await page.locator('#source .cm-content').focus();
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft');
  await active(page, 'tree', '▾<table>');
});

pageTest('lists are used with the keyboard, and elements collapse', {}, async ({ page }) => {
  await paste(page, '<p>one<b>two</b></p>');
  await page.locator('#events .list-scroller').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await marked(page, 'one');
  await page.keyboard.press('End');
  await marked(page, '</p>');
  const tree = page.locator('#tree .list-scroller');
  await tree.focus();
  await page.keyboard.press('Home');
  const before = await rows(page, 'tree');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('#tree .row').length === 1);
  assert.equal(await page.locator('#tree .row').getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((count) => document.querySelectorAll('#tree .row').length === count, before.length);
  assert.equal(await tree.getAttribute('aria-activedescendant'), 'tree-0');
});

pageTest('the slider and the keys feed the document byte by byte', {}, async ({ page }) => {
  await paste(page, '<p>a<b>c</b>');
  await stepped(page, 3, () => page.locator('#slider').fill('3'));
  assert.deepEqual(await rows(page, 'events'), ['<p>']);
  assert.equal(await page.locator('#source .cm-unfed').allTextContents().then((all) => all.join('')), 'a<b>c</b>');
  await stepped(page, 4, () => page.keyboard.press('F9'));
  await stepped(page, 3, () => page.keyboard.press('Shift+F9'));
  assert.equal(await page.locator('#step-output').innerText(), 'Byte 3 of 12');
  await page.locator('#slider').focus();
  await stepped(page, 4, () => page.keyboard.press('ArrowRight'));
  await stepped(page, 7, () => page.locator('#slider').fill('7'));
  assert.deepEqual(await rows(page, 'events'), ['<p>', '"a"', '<b>']);
  await stepped(page, 13, () => page.locator('#step-end').click());
  assert.equal((await rows(page, 'events')).at(-1), '</b>');
  await stepped(page, 0, () => page.locator('#step-start').click());
  assert.deepEqual(await rows(page, 'events'), []);
  await change(page, () => page.locator('#leave-steps').click());
  assert.equal((await rows(page, 'events')).length, 5);
});

pageTest('the keys F8 go from event to event', {}, async ({ page }) => {
  await paste(page, '<p><b>cc</b>');
  await stepped(page, 0, () => page.locator('#step-start').click());
  await stepped(page, 3, () => page.keyboard.press('F8'));
  await stepped(page, 6, () => page.keyboard.press('F8'));
  await stepped(page, 3, () => page.keyboard.press('Shift+F8'));
});

pageTest('the document plays', {}, async ({ page }) => {
  await paste(page, '<p>a<b>c</b>');
  await page.locator('#speed').selectOption('4');
  await page.locator('#play').click();
  await page.waitForSelector('html[data-step="13"]');
  await page.waitForSelector('#play[aria-label="Play"]');
});

pageTest('the trace shows the states while the document is stepped', {}, async ({ page }) => {
  await paste(page, '<!DOCTYPE html><table><b>x<tr><td>y');
  await stepped(page, 22, () => page.locator('#slider').fill('22'));
  assert.match(await page.locator('#trace-mode').innerText(), /in table/i);
  assert.match(await page.locator('#trace-state').innerText(), /data/i);
  assert.deepEqual(await page.locator('#trace-open li').allInnerTexts(), ['html', 'body', 'table']);
  await stepped(page, 25, () => page.keyboard.press('F8'));
  assert.deepEqual(await page.locator('#trace-formatting li').allInnerTexts(), ['b']);
  assert.ok((await page.locator('#trace-rows tbody tr').count()) > 0);
  const section = 'https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-in';
  assert.equal(await page.locator('#trace-mode a').getAttribute('href'), `${section}table`);
  const tables = await page.locator('#trace-rows tbody a').evaluateAll((links) => links.map((link) => [link.textContent, link.href]));
  assert.deepEqual(tables.at(-1), ['in body', `${section}body`]);
  assert.ok(tables.every(([, address]) => address.startsWith(section)), JSON.stringify(tables));
  await page.locator('#trace-open button', { hasText: 'table' }).click();
  await active(page, 'tree', '<table>');
});

const XML_ER = 'http://dvcs.w3.org/hg/xml-er/raw-file/tip/Overview.html';

// A dialect, its options, a document, the byte at which the state is read, and the sections with their links.
const SECTIONS = [
  ['html', {}, '<p>x<!--y-->', 9, []],
  ['xml', {}, '<a>x<!--y--></a>', 9, [['XML-ER, Comment state', XML_ER], ['XML 1.0, production [15] Comment', 'https://www.w3.org/TR/xml/#NT-Comment']]],
  ['xml', { strict: true }, '<a>&#65;</a>', 6, [['XML 1.0, production [66] CharRef', 'https://www.w3.org/TR/xml/#NT-CharRef']]],
  ['microxml', {}, "<a b='c'>", 7, [['Error recovery for MicroXML, SingleQuoteAttributeValueMode', null]]],
  ['microxml', { revision: 'final' }, '<a><![CDATA[b]]></a>', 13, [['Error recovery for MicroXML, final draft, CData mode', null]]],
  ['sky', {}, '<script>a</scr</script>', 14, [['Parsing in Sky, Script raw data: close 5 state', null]]],
  ['leafxml', {}, '<a><?b?></a>', 6, [['LeafXML specification, Tokenizing, instruction tokens', null]]],
];

for (const [dialect, options, text, byte, expected] of SECTIONS) {
  pageTest(`the trace has the sections of ${dialect} ${JSON.stringify(options)}`, {}, async ({ page }) => {
    await openText(page, text, dialect, options);
    await page.locator('#tab-trace').click();
    await page.locator('#panel-trace', { hasText: 'Step through the document' }).waitFor();
    await stepped(page, byte, () => page.locator('#slider').fill(String(byte)));
    const found = await page.locator('#trace-rule li').evaluateAll((items) =>
      items.map((item) => [item.textContent, item.querySelector('a')?.getAttribute('href') ?? null]),
    );
    assert.deepEqual(found, expected);
    // The name of a state of HTML is itself the link, and only HTML has a schema.
    for (const part of ['#trace-state a', '#trace-mode', '#trace-formatting', '#trace-rows']) {
      assert.equal(await page.locator(part).count(), dialect === 'html' ? 1 : 0, part);
    }
  });
}

pageTest('errors are underlined, listed and explained', {}, async ({ page }) => {
  await paste(page, '<!DOCTYPE html><p a=1 a=2>x</p>');
  assert.equal(await page.locator('#tab-errors .count').innerText(), '1');
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-error'));
  assert.notEqual(await page.locator('#source .cm-error').allTextContents().then((all) => all.join('')), '');
  await page.locator('#tab-errors').click();
  const row = page.locator('#errors .row');
  await row.waitFor();
  await settled(page);
  assert.match(await row.innerText(), /1:\d+\s+duplicate-attribute/);
  const link = row.locator('a');
  assert.match(await link.getAttribute('href'), /^https:\/\/html\.spec\.whatwg\.org\/.*duplicate-attribute$/);
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  await row.locator('.error-code').click();
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-selected'));
  await page.locator('#source .cm-error').first().hover();
  await page.locator('#source .cm-tooltip code', { hasText: 'duplicate-attribute' }).waitFor();
});

pageTest('a strict parse ends at the first error', {}, async ({ page }) => {
  await change(page, () => page.locator('#examples').selectOption('xml-strict'));
  await page.locator('#tab-errors').click();
  await page.locator('#panel-errors .notice', { hasText: 'The parse ended (3:' }).waitFor();
  await page.locator('#options-button').click();
  await change(page, () => page.locator('#option-strict').uncheck());
  assert.ok(await page.locator('#panel-errors .notice').isHidden());
});

pageTest('dialects and options change the result', {}, async ({ page }) => {
  await paste(page, '<p>a<noscript><b>x</b></noscript>');
  await page.locator('#options-button').click();
  await change(page, () => page.locator('#option-scripting').check());
  assert.ok((await rows(page, 'tree')).some((row) => row.includes('"<b>x</b>"')));
  assert.equal(await page.locator('#options-changed').innerText(), '1');
  await change(page, () => page.locator('#option-scripting').uncheck());
  assert.ok((await rows(page, 'tree')).some((row) => row.includes('<b>')));
  await page.locator('#option-fragment').fill('svg path');
  await change(page, () => page.locator('#option-fragment').press('Enter'));
  for (const [dialect, event] of [['xml', '<p>'], ['microxml', '<p>'], ['sky', '<p>'], ['leafxml', '<p>']]) {
    await change(page, () => page.locator('#dialect').selectOption(dialect));
    assert.equal((await rows(page, 'events'))[0], event, dialect);
  }
  await change(page, () => page.locator('#dialect').selectOption('html'));
  assert.equal(await page.locator('#option-fragment').inputValue(), 'svg path');
});

pageTest('an option that the engine refuses gives a message', {}, async ({ page }) => {
  await page.locator('#options-button').click();
  await page.locator('#option-encoding').fill('utf-9');
  await page.locator('#option-encoding').press('Enter');
  await page.locator('#notice', { hasText: 'utf-9' }).waitFor();
});

pageTest('tabs, theme and the narrow layout', { width: 390, height: 844 }, async ({ page }) => {
  assert.ok(await page.locator('#panel-source').isVisible());
  assert.ok(await page.locator('#panel-events').isHidden());
  await page.locator('#tab-source').focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.locator('#panel-events').isVisible());
  assert.ok(await page.locator('#panel-source').isHidden());
  await page.locator('#events .row').first().waitFor();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator('#theme').selectOption('dark');
  assert.notEqual(await background(), light);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForFunction(() => !document.querySelector('#panel-source').hidden && !document.querySelector('#panel-tree').hidden);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 1440);
});
