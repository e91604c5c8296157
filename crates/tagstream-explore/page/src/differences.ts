/**
 * Known differences between Chromium's parser and the HTML standard, which tagstream follows.
 *
 * Each has a test of the text, which can be true for documents without the difference. The repository compares tens of
 * thousands of documents with the same list: see `REASONS` in `testing/src/bin/chromium/main.rs`.
 */
interface Difference {
  reason: string;
  applies(text: string): boolean;
}

const has = (pattern: RegExp) => (text: string) => pattern.test(text);

const DIFFERENCES: Difference[] = [
  {
    reason: 'Chromium drops U+0000 where the standard requires U+FFFD or a body element',
    applies: (text) => text.includes('\0') || /&#0*;|&#x0*;/i.test(text),
  },
  {
    reason: 'a reference to white space opens a body element in Chromium',
    applies: has(/&#(0*(9|10|12|13|32)|x0*(9|a|c|d|20))\b|&(Tab|NewLine);/i),
  },
  {
    reason: 'Chromium updates the wrong elements if there are several selectedcontent elements',
    applies: has(/<selectedcontent[\s/>]/i),
  },
  {
    reason: 'Chromium does not use the insertion mode of a template after title, base, basefont, bgsound or noframes',
    applies: (text) => /<template[\s/>]/i.test(text) && /<(title|base|basefont|bgsound|noframes)[\s/>]/i.test(text),
  },
  {
    reason: 'Chromium does not close the elements in a form that ends in a template',
    applies: (text) => /<template[\s/>]/i.test(text) && /<\/form/i.test(text),
  },
  {
    reason: 'Chromium does not apply the rules of tables to white space in a template',
    applies: has(/<template[^]*<(caption|colgroup|tbody|tfoot|thead|tr|td)[^]*[ \t\n\r\f]/i),
  },
  { reason: 'markers that a template replaces', applies: has(/<template[^>]*\sfor[\s=>]/i) },
  { reason: 'Chromium does not ignore a head start tag after noscript', applies: has(/<noscript[^]*<head/i) },
  {
    reason: 'Chromium treats foreignObject and textPath before svg as SVG elements',
    applies: has(/<(foreignobject|textpath)[^]*<svg/i),
  },
  {
    reason: 'Chromium does not reconstruct formatting elements for white space after body or html',
    applies: has(/<\/(body|html)[^]*[ \t\n\r\f]/i),
  },
  { reason: 'Chromium does not treat search as a special element', applies: has(/<search[\s/>]/i) },
];

/** Returns the reasons for which Chromium's tree of a text can differ. */
export function knownDifferences(text: string): string[] {
  return DIFFERENCES.filter(({ applies }) => applies(text)).map(({ reason }) => reason);
}
