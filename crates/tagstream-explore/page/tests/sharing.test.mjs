// Files, encodings, drops, links, the address of the page, and work without a network.
import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { change, paste, rows, settled, sourceText } from './browser.mjs';
import { address, documents, pageTest } from './setup.mjs';

// Drops a file on the page, as the browser does it for a file of the user.
async function drop(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], fileName));
      return data;
    },
    [name, [...bytes]],
  );
  await page.dispatchEvent('#source', 'dragover', { dataTransfer: transfer });
  assert.ok(await page.locator('#drop').isVisible());
  await change(page, () => page.dispatchEvent('#source', 'drop', { dataTransfer: transfer }));
  assert.ok(await page.locator('#drop').isHidden());
}

async function markedText(page) {
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-selected'));
  return page.locator('#source .cm-selected').allTextContents().then((parts) => parts.join(''));
}

const ascii = (text) => [...text].map((character) => character.charCodeAt(0));

// „日本語“ in Shift_JIS and „привет“ in windows-1251.
const SHIFT_JIS = [...ascii('<meta charset=shift_jis><p>'), 0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, ...ascii('<b id=x>y</b>')];
const WINDOWS_1251 = [...ascii('<p>'), 0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, ...ascii('<b>y</b>')];

pageTest('a file in Shift_JIS keeps its bytes, and marks are in the right places', {}, async ({ page }) => {
  await drop(page, 'page.html', SHIFT_JIS);
  assert.equal(await sourceText(page), '<meta charset=shift_jis><p>日本語<b id=x>y</b>');
  assert.equal(await page.locator('#source-info').innerText(), `${SHIFT_JIS.length} bytes, Shift_JIS`);
  await page.locator('#events .row', { hasText: '<b id' }).click();
  assert.equal(await markedText(page), '<b id=x>');
  await page.locator('#events .row', { hasText: '日本語' }).click();
  await page.waitForFunction(() => document.querySelector('#source').shadowRoot.querySelector('.cm-selected')?.textContent === '日本語');
  // The cursor before `y`: UTF-16 offsets become byte offsets.
  await page.locator('#source .cm-content').focus();
  await page.keyboard.press('ControlOrMeta+End');
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('#events .row.is-active .row-main')?.innerText.trim() === '"y"');
});

pageTest('the encoding of the transport applies to a file', {}, async ({ page }) => {
  await page.locator('#options-button').click();
  await page.locator('#option-encoding').fill('windows-1251');
  await change(page, () => page.locator('#option-encoding').press('Enter'));
  await drop(page, 'page.html', WINDOWS_1251);
  assert.equal(await sourceText(page), '<p>привет<b>y</b>');
  await page.locator('#events .row', { hasText: '<b>' }).click();
  assert.equal(await markedText(page), '<b>');
});

pageTest('a file that is edited keeps its encoding', {}, async ({ page }) => {
  await drop(page, 'page.html', SHIFT_JIS);
  await page.locator('#source .cm-content').focus();
  await page.keyboard.press('ControlOrMeta+End');
  await change(page, () => page.keyboard.type('語'));
  assert.equal(await page.locator('#source-info').innerText(), `${SHIFT_JIS.length + 2} bytes, Shift_JIS`);
  assert.match(await sourceText(page), /日本語<b id=x>y<\/b>語$/);
});

pageTest('a file chosen in the dialog opens in the dialect of its name', {}, async ({ page }) => {
  const buffer = Buffer.from('<a><b/></a>');
  await change(page, () => page.locator('#file').setInputFiles({ name: 'data.xml', mimeType: 'text/xml', buffer }));
  assert.equal(await page.locator('#dialect').inputValue(), 'xml');
  assert.deepEqual(await rows(page, 'events'), ['<a>', '<b/>', '</a>']);
});

pageTest('carriage returns in a file stay where they are', {}, async ({ page }) => {
  await drop(page, 'page.html', ascii('<p>a\r\nb\rc\n<b>d</b>'));
  await page.locator('#events .row', { hasText: '<b>' }).click();
  assert.equal(await markedText(page), '<b>');
});

pageTest('a link holds the text and the settings', {}, async ({ page, context }) => {
  await change(page, () => page.locator('#dialect').selectOption('xml'));
  await page.locator('#options-button').click();
  await change(page, () => page.locator('#option-strict').check());
  await paste(page, '<a>ü😀</b>');
  await page.locator('#share-button').click();
  const link = await page.locator('#share-link').inputValue();
  assert.ok(link.startsWith(`${address}#1.`));
  assert.equal(page.url(), link);
  const other = await context.newPage();
  await other.goto(link);
  await other.waitForSelector('html[data-shown]');
  await settled(other);
  assert.equal(await sourceText(other), '<a>ü😀</b>');
  assert.equal(await other.locator('#dialect').inputValue(), 'xml');
  await other.locator('#options-button').click();
  assert.ok(await other.locator('#option-strict').isChecked());
});

pageTest('a link to a file in another encoding holds its bytes', {}, async ({ page, context }) => {
  await drop(page, 'page.html', SHIFT_JIS);
  await page.locator('#share-button').click();
  const other = await context.newPage();
  await other.goto(await page.locator('#share-link').inputValue());
  await other.waitForSelector('html[data-shown]');
  assert.match(await sourceText(other), /日本語/);
});

pageTest('a document that is too long for a link gives a note', {}, async ({ page }) => {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647).toString(36);
  await paste(page, Array.from({ length: 9000 }, random).join(' '));
  await page.locator('#share-button').click();
  await page.locator('#share-note', { hasText: 'too long for a link' }).waitFor();
});

pageTest('a link that was cut gives a message', { path: '#1.eJy' }, async ({ page }) => {
  await page.locator('#notice', { hasText: 'cannot be opened' }).waitFor();
});

const packed = (text) => deflateRawSync(Buffer.from(text)).toString('base64url');
for (const [name, fragment, reason] of [
  ['without settings', packed('{}\n<p>'), 'it has no settings'],
  ['without JSON', packed('<p>'), 'it has no settings'],
  ['with settings that are null', packed('null\n<p>'), 'it has no settings'],
  ['with other characters', '***', 'it has characters that no link of this page has'],
  ['with another document', 'AAAA', 'its compressed document is damaged'],
]) {
  pageTest(`a link ${name} gives a message`, { path: `#1.${fragment}` }, async ({ page }) => {
    await page.locator('#notice', { hasText: `This link cannot be opened: ${reason}.` }).waitFor();
  });
}

pageTest('an address that is none gives a message', { path: '?file=http://[' }, async ({ page }) => {
  await page.locator('#notice', { hasText: 'own server only' }).waitFor();
  await paste(page, '<p>a');
  assert.equal(await sourceText(page), '<p>a');
});

pageTest('a document that was replaced is not kept for undo', {}, async ({ page }) => {
  await drop(page, 'one.html', ascii('<p>one'));
  await page.locator('#source .cm-content').focus();
  await change(page, () => page.keyboard.type('x'));
  await drop(page, 'two.html', ascii('<p>two'));
  await page.locator('#source .cm-content').focus();
  await page.keyboard.press('ControlOrMeta+z');
  assert.equal(await sourceText(page), '<p>two');
  // Edits of the new document can be undone.
  await change(page, () => page.keyboard.type('y'));
  await change(page, () => page.keyboard.press('ControlOrMeta+z'));
  assert.equal(await sourceText(page), '<p>two');
});

documents.set('/document', Buffer.from(SHIFT_JIS));
pageTest('the address names a file of the server', { path: '?file=/document&name=news.html' }, async ({ page }) => {
  await page.waitForSelector('html[data-shown]');
  await settled(page);
  assert.match(await sourceText(page), /日本語/);
});

pageTest('files of other servers are refused', { path: '?file=https://example.org/x' }, async ({ page }) => {
  await page.locator('#notice', { hasText: 'own server only' }).waitFor();
});

pageTest('the page works without a network', {}, async ({ page, context }) => {
  await settled(page);
  await context.setOffline(true);
  await paste(page, '<p>offline<b>x');
  assert.equal((await rows(page, 'events')).length, 4);
  for (const tab of ['trace', 'errors', 'selector', 'sanitizer', 'rewriter', 'dialects', 'browser']) {
    await page.locator(`#tab-${tab}`).click();
  }
  await page.locator('#step-start').click();
  await page.waitForSelector('html[data-step="0"]');
  await page.locator('#share-button').click();
  await page.locator('#share-link').waitFor();
});
