// Documents for the tests: links that open a text, random documents, hostile documents, and a large one.
import { deflateRawSync } from 'node:zlib';
import { change } from './browser.mjs';

// Opens a text as if somebody had followed a shared link to it.
export async function openText(page, text, dialect = 'html', options = {}) {
  const header = JSON.stringify({ settings: { dialect, options, encoding: '' }, isFile: false });
  const packed = deflateRawSync(Buffer.from(`${header}\n${text}`)).toString('base64url');
  // The number makes each link different, so that the address changes even if the text does not.
  await change(page, () => page.evaluate((fragment) => void (location.hash = fragment), `1.${packed}`));
}

// A generator of numbers below `limit`, always the same for a seed.
export function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const TOKENS = [
  ...['a', 'b', 'i', 'p', 'div', 'span', 'h1', 'ul', 'li', 'dl', 'dt', 'dd', 'nobr', 'button', 'form', 'font', 'pre'],
  ...['table', 'tbody', 'tr', 'td', 'th', 'caption', 'colgroup', 'select', 'option', 'optgroup', 'ruby', 'rt', 'svg'],
  ...['math', 'mi', 'g', 'desc', 'title', 'textarea', 'script', 'style', 'address', 'article', 'center', 'code'],
].flatMap((name) => [`<${name}>`, `<${name}>`, `</${name}>`]);
const OTHERS = [
  ...['text', 'x', ' ', '\n', '&amp;', '&lt;', '&notit;', '&copy', '&#x80;', '&#65;', 'é', '😀', '<', '</', '<3', '&'],
  ...['<!-- comment -->', '<!--x--!>', '<!-->', '<!x>', '</>', '<br>', '<hr/>', '<img src=a.png>', '<input type=hidden>'],
  ...['<input>', '<col>', '<a href=1>', '<p class="a b" id=x>', '<font color=red>', '<b x=1 x=2>', '<svg viewbox=1>'],
  ...['<math definitionurl=2>', '<svg xlink:href=3>', '<html lang=en>', '<body class=z>', '<![CDATA[c]]>', '</p>', '</br>'],
  ...['<annotation-xml encoding=text/html>', '<frameset>', '<plaintext>', '<noscript>', '</noscript>', '<meta charset=x>'],
  ...['<template>', '</template>', '<search>', '</body>', '</html>', '<td>', '<tr>'],
];

// A small random document of HTML.
export function randomDocument(random) {
  const parts = random(3) > 0 ? ['<!DOCTYPE html>'] : random(2) > 0 ? ['<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">'] : [];
  for (let i = 2 + random(18); i > 0; i--) {
    const list = random(2) > 0 ? TOKENS : OTHERS;
    parts.push(list[random(list.length)]);
  }
  return parts.join('');
}

// Each would set `pwned`, open a dialog, or load something, if any of it were used as markup, address or style.
export const HOSTILE = [
  '<script>pwned=1;alert(1)</script>',
  '<img src=x onerror="pwned=1"><img src="/evil.png"><image href=/evil.png>',
  '<svg onload="pwned=1"><script>pwned=1</script><script href="data:,pwned=1"/><use href="/evil.svg#x"/><animate onbegin="pwned=1" attributeName="x" dur="1s"/></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned=1&gt;">',
  '<a href="javascript:pwned=1" id=x>click</a><iframe src="javascript:parent.pwned=1"></iframe><form action="javascript:pwned=1"><button>go</button></form>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><object data="data:text/html,<script>parent.pwned=1</script>"></object><embed src="/evil.swf">',
  '<style>@import "/evil.css"; body { background: url(/evil.png) !important; display: none !important }</style><link rel=stylesheet href=/evil.css><p style="background:url(/evil.png);position:fixed;inset:0">',
  '<base href="https://example.org/"><meta http-equiv=refresh content="0;url=/evil"><meta http-equiv="Content-Security-Policy" content="default-src *">',
  '<body onload="pwned=1" onpageshow="pwned=1"><input autofocus onfocus="pwned=1"><details open ontoggle="pwned=1"><video src=x onerror="pwned=1"><marquee onstart="pwned=1">',
  '<template shadowrootmode=open><script>pwned=1</script></template><div><template shadowrootmode=open><img src=x onerror=pwned=1></template></div>',
  '<noscript><p title="</noscript><img src=x onerror=pwned=1>"></noscript><textarea></textarea><img src=x onerror=pwned=1></textarea>',
  '<p title="</span><script>pwned=1</script>" "><img src=x onerror=pwned=1>=1 \u202eonload=x><!--><script>pwned=1</script>--><?x <script>pwned=1</script>?>',
  '<?xml version="1.0"?><?xml-stylesheet href="/evil.xsl" type="text/xsl"?><!DOCTYPE a [<!ENTITY e SYSTEM "/evil.ent"><!ENTITY f "<script>pwned=1</script>">]><a xmlns:h="http://www.w3.org/1999/xhtml">&e;&f;<h:script>pwned=1</h:script><h:img src="/evil.png" onerror="pwned=1"/></a>',
  '<a xmlns="javascript:pwned=1" xmlns:x="&quot;&gt;&lt;img src=x onerror=pwned=1&gt;"><x:b x:c="1"/><![CDATA[<script>pwned=1</script>]]></a>',
  '<script>pwned=1</script',
  '{{constructor.constructor("pwned=1")()}} ${pwned=1} <__proto__ constructor=1 __proto__=2><constructor>',
];

// A page of about this many bytes, with errors, as a site could have.
export function largePage(bytes) {
  const parts = ['<!DOCTYPE html>\n<title>A large page</title>\n<table>\n'];
  const row = (i) =>
    `<tr class="row r${i % 7}" data-index=${i}><td><a href="/item/${i}?page=1&amp;size=20">Item ${i}</a><td><b>Price <i>${i * 3} €</b></i><td>Süß &amp; gut, 日本\n`;
  for (let length = 0, i = 0; length < bytes; i++) {
    const next = row(i);
    length += Buffer.byteLength(next);
    parts.push(next);
  }
  return Buffer.from(parts.join(''));
}
