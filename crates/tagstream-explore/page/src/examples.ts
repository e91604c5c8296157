/** Documents to begin with. All were written for this page. */
export interface Example {
  id: string;
  title: string;
  dialect: string;
  options?: Record<string, boolean | string>;
  text: string;
}

export const EXAMPLES: Example[] = [
  {
    id: 'html-formatting',
    title: 'Misnested formatting',
    dialect: 'html',
    text: `<!DOCTYPE html>
<title>Misnested formatting</title>
<p>One <b>two <i>three</b> four</i> five.
<p>The end tags above are in the <a href=#rules>wrong order</a>.
   The standard says which elements are opened again.
<p>A <b>second <b>and</b></b> last paragraph
`,
  },
  {
    id: 'html-table',
    title: 'Text in a table',
    dialect: 'html',
    text: `<!DOCTYPE html>
<title>A table that needs repair</title>
<h1>Tides</h1>
<table>
  This text is not allowed here.
  <tr><th>Port<th>High water
  <tr><td>Brest<td>04:12
  <p>Nor is this paragraph.
  <tr><td>Dover<td>11:38<td colspan=2>late
</table>
<p>After the table.
`,
  },
  {
    id: 'html-template',
    title: 'Template and shadow root',
    dialect: 'html',
    text: `<!DOCTYPE html>
<html lang="en">
<title>Templates</title>
<template id="row"><tr><td class="name"></td></tr></template>
<clock-face zone="UTC">
  <template shadowrootmode="open">
    <style>time { font-weight: bold }</style>
    <time><slot></slot></time>
  </template>
  12:34
</clock-face>
</html>
`,
  },
  {
    id: 'html-foreign',
    title: 'SVG and MathML',
    dialect: 'html',
    text: `<!DOCTYPE html>
<title>Foreign content</title>
<p>An icon: <svg viewbox="0 0 16 16" xmlns:xlink="http://www.w3.org/1999/xlink">
  <clippath id="c"><circle r="6" cx="8" cy="8"/></clippath>
  <a xlink:href="#c"><path d="M2 8h12"/></a>
  <foreignobject><p>HTML <b>inside</b></foreignobject>
</svg>
<p>A formula: <math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math>
<p>And <svg><title>breaks out</title><p>of SVG</svg>
`,
  },
  {
    id: 'html-errors',
    title: 'Parse errors',
    dialect: 'html',
    text: `<html>
<!-- a comment -- with hyphens --!>
<title>Errors &copy &nosuch; &#x80;</title>
<p id=a id=b class="x"title=y>An attribute twice
<p/>A paragraph that is not self-closing
</br><image src=a.png alt=“quotes”>
<ul><li>One<li>Two</ul></li>
<div<p>A name with a bracket</div>
<a href="/one">one <a href="/two">two</a>
<? php echo "no" ?>
</p foo="bar">
`,
  },
  {
    id: 'html-script',
    title: 'Script data',
    dialect: 'html',
    text: `<!DOCTYPE html>
<title>Where does a script end?</title>
<script>
if (a < b && c > d) show("<p>no element</p>");
<!-- <script> double escaped </script> still a script -->
</script>
<style>p > b { color: red } /* </p> */</style>
<textarea><b>not bold</b> &amp; decoded</textarea>
<noscript><p>Depends on the option “Scripting”.</noscript>
`,
  },
  {
    id: 'xml-feed',
    title: 'A feed with namespaces',
    dialect: 'xml',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="feed.css" type="text/css"?>
<!DOCTYPE feed [
  <!ENTITY author "Ada Example">
  <!ATTLIST entry lang CDATA "en">
]>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <title>News &amp; notes</title>
  <entry>
    <dc:creator>&author;</dc:creator>
    <content type="html"><![CDATA[<p>Markup as <b>text</b>]]></content>
  </entry>
</feed>
`,
  },
  {
    id: 'xml-broken',
    title: 'Recovery from errors',
    dialect: 'xml',
    text: `<list>
  <item id=1 id="2">no quotes</item>
  <item>an &undeclared; entity & an ampersand</item>
  <b><i>wrong order</b></i>
  <item>never closed
</list>
`,
  },
  {
    id: 'xml-strict',
    title: 'Strict: the first error ends the parse',
    dialect: 'xml',
    options: { strict: true },
    text: `<list>
  <item>well-formed</item>
  <item>ends here</itme>
  <item>never read</item>
</list>
`,
  },
  {
    id: 'microxml-list',
    title: 'A list with errors',
    dialect: 'microxml',
    text: `<list lang="en">
  <item key=1>no quotes</item>
  <!-- comments are no events -->
  <item key="2">1 < 2 &amp; 3 > 2
  <b><i>wrong order</b></i>
</list>
`,
  },
  {
    id: 'sky-module',
    title: 'A module',
    dialect: 'sky',
    text: `SKY MODULE
<import src="clock.sky" as="clock" />
<template>
  <clock zone="UTC">12:34 &amp; later</>
  <style>clock { color: red } a</b</style>
</>
<script>
if (1 < 2) start("</p>");
</script>
`,
  },
  {
    id: 'leafxml-nfc',
    title: 'Namespaces and NFC',
    dialect: 'leafxml',
    text: `<list xmlns:p="urn:example:places">
  <item p:id="7" class="  port   large ">Cafe&#x301;</item>
  <item><![CDATA[1 < 2]]> &amp; more</item>
</list>
`,
  },
  {
    id: 'leafxml-error',
    title: 'An undeclared prefix',
    dialect: 'leafxml',
    text: `<list>
  <item>read</item>
  <q:item>the prefix is not declared</q:item>
</list>
`,
  },
];
