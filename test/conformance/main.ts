/**
 * Compares Assize with the results of the systems that it reproduces.
 *
 *     npm run conformance [-- FOLDER] [--live]
 *
 * FOLDER contains the results; by default `../shared` next to the package. Exits with 1 if there is a difference, or if
 * a given folder contains nothing to compare.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';
import { FAMILIES } from './families.js';
import { report } from './report.js';
import { sum, type Tally } from './tally.js';

const { values, positionals } = parseArgs({
  options: { live: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = positionals[0] === undefined ? join(packageRoot(), '..', 'shared') : resolve(positionals[0]);

const known = FAMILIES.flatMap((family) => family.checks);
const checks = known.filter(({ file }) => existsSync(join(folder, file)));
const tallies: Tally[] = [];
for (const check of checks) {
  // oxlint-disable-next-line no-await-in-loop -- one file after another, so that each has the machine to itself
  const tally = await check.run(folder, values);
  console.log(report(check.file, tally).join('\n'));
  tallies.push(tally);
}
if (checks.length === 0) {
  const why = existsSync(folder)
    ? `${folder} has none of ${[...new Set(known.map(({ file }) => file))].join(', ')}`
    : `there is no folder ${folder}`;
  console.log(`Nothing was compared: ${why}. Give the folder of the reference results as an argument.`);
}
const nothing = checks.length === 0 && positionals.length > 0;
process.exitCode = nothing || sum(...tallies).failed.length > 0 ? 1 : 0;
