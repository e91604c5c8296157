// Writes `dist`: optimizes the WebAssembly file, bundles the scripts, copies the other files, and prints the sizes.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const page = dirname(fileURLToPath(import.meta.url));
const dist = join(page, '..', 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

// The features that rustc uses for this target, and no others. The options are necessary because the profile strips
// the section that names them.
const features = ['bulk-memory', 'bulk-memory-opt', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'];
const wasmOpt = join(page, 'node_modules', '.bin', 'wasm-opt');
execFileSync(wasmOpt, [
  ...features.map((feature) => `--enable-${feature}`),
  '-Oz',
  // Repeats the passes as long as the file gets smaller, which takes twice the time.
  '--converge',
  // A function that is called once stays apart if it is large: the file is then compressed to 30 KB less.
  '--one-caller-inline-max-function-size=20',
  '--strip-debug',
  '--strip-producers',
  join(page, 'generated', 'tagstream_explore_bg.wasm'),
  '-o',
  join(dist, 'engine.wasm'),
]);

const { metafile } = await build({
  absWorkingDir: page,
  entryPoints: ['src/main.ts', 'src/worker.ts'],
  outdir: dist,
  bundle: true,
  format: 'esm',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
for (const name of ['index.html', 'style.css']) cpSync(join(page, name), join(dist, name));

// The licences of the packages whose code is in the bundles require that they are distributed with it.
const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const name = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  if (name) packages.add(name);
}
const licences = [...packages].sort().map((name) => {
  const folder = join(page, 'node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((one) => join(folder, one)).find(existsSync);
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`;
});
writeFileSync(join(dist, 'licences.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));

for (const name of readdirSync(dist)) {
  const bytes = readFileSync(join(dist, name));
  console.log(`${name.padEnd(14)} ${String(bytes.length).padStart(8)} bytes  ${String(gzipSync(bytes).length).padStart(8)} gzipped`);
}
