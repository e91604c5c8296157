// Reads a document with one of the modules: node drive.mjs MODULE.wasm xml|html FILE
import { readFile } from 'node:fs/promises';

const [file, kind, document] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(file));
const { memory, reserve, output, output_length, read_xml, read_html } = instance.exports;
const give = (bytes, read) => {
  // Memory may grow, and then it is another buffer.
  const at = reserve(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const status = read(bytes.length);
  const text = new Uint8Array(memory.buffer, output(), output_length());
  const told = new TextDecoder().decode(text);
  status === 0 ? process.stdout.write(told) : process.stderr.write(`Error: ${told}\n`);
  return status;
};
const bytes = await readFile(document);
let status = 0;
if (kind === 'html') {
  status = give(bytes, read_html);
} else {
  for (let at = 0; at < bytes.length && status === 0; at += 1024) {
    status = give(bytes.subarray(at, at + 1024), read_xml);
  }
  status ||= give(new Uint8Array(0), read_xml);
}
process.exitCode = status;
