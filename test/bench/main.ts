/**
 * Measures the speed against hand-written code and other engines.
 *
 *     npm run bench [-- NAME ...]
 *
 * Each NAME is a section. Without one, all sections run, and `BENCHMARKS.md` and its charts are written.
 *
 * @module
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import type { Measured } from './measured.js';
import { charts } from './report/charts.js';
import { consoleLine } from './report/console.js';
import { machine } from './report/machine.js';
import { markdown } from './report/markdown.js';
import { runSection } from './run-section.js';
import { SECTIONS } from './sections/index.js';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name));
if (unknown.length > 0) {
  const there = SECTIONS.map(({ name }) => name).join(', ');
  console.error(`There is no section ${unknown.join(', ')}; there are: ${there}.`);
  process.exit(1);
}
const asked = names.length === 0 ? SECTIONS : SECTIONS.filter(({ name }) => names.includes(name));

console.log(machine());
const measured: Measured[] = [];
for (const section of asked) {
  const start = performance.now();
  console.log(`\n${section.title} (${section.name})`);
  let work = '';
  // oxlint-disable-next-line no-await-in-loop -- two at once would slow each other
  const one = await runSection(section, (result) => {
    if (result.work !== work) console.log(` ${result.work}`);
    ({ work } = result);
    console.log(consoleLine(result));
  });
  const took = `${((performance.now() - start) / 1000).toFixed(0)} s`;
  console.log(one.failure === undefined ? ` in ${took}` : ` FAILED after ${took}: ${one.failure}`);
  measured.push(one);
}

if (measured.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
if (names.length === 0) {
  const folder = join(packageRoot(), 'test', 'bench');
  const drawn = charts(measured);
  for (const { file, svg } of drawn) writeFileSync(join(folder, file), svg);
  const text = markdown(measured, drawn);
  writeFileSync(join(folder, 'BENCHMARKS.md'), text);
  console.log(`\nwritten: ${['BENCHMARKS.md', ...drawn.map(({ file }) => file)].join(', ')} in test/bench`);
}
