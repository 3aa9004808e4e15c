/**
 * Compares Assize with the results of the systems that it reproduces.
 *
 *     npm run conformance [-- FOLDER] [--live]
 *
 * FOLDER contains the results; by default `../shared` next to the package. Then the suites in this package run, and a
 * table has their counts. Exits with 1 if there is a difference, if fewer cases of a suite pass than its README says, or
 * if a given folder contains nothing to compare.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';
import { FAMILIES } from './families.js';
import { report } from './report.js';
import { SUITES } from './suites.js';
import { fallenSuites, runSuites, suitesTable } from './table.js';
import { sum, type Tally } from './tally.js';

const { values, positionals } = parseArgs({
  options: { live: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = positionals[0] === undefined ? join(packageRoot(), '..', 'shared') : resolve(positionals[0]);

const known = FAMILIES.flatMap((family) => family.checks);
const checks = known.filter(({ file, own }) => existsSync(join(own ? packageRoot() : folder, file)));
const isEmpty = checks.every(({ own }) => own);
const tallies: Tally[] = [];
for (const check of checks) {
  // oxlint-disable-next-line no-await-in-loop -- one file after another, so that each has the machine to itself
  const tally = await check.run(folder, values);
  console.log(report(check.file, tally).join('\n'));
  tallies.push(tally);
}
if (isEmpty) {
  const files = known.flatMap(({ file, own }) => (own ? [] : file));
  const why = existsSync(folder)
    ? `${folder} has none of ${[...new Set(files)].join(', ')}`
    : `there is no folder ${folder}`;
  console.log(`Nothing else was compared: ${why}. Give the folder of the reference results as an argument.`);
}
const nothing = isEmpty && positionals.length > 0;
const rows = await runSuites(SUITES);
const fallen = fallenSuites(rows, readFileSync(join(packageRoot(), 'test', 'conformance', 'README.md'), 'utf8'));
console.log(`\n${suitesTable(rows)}\n`);
for (const { suite, hasRun, failed } of rows) {
  if (!hasRun)
    console.log(`${suite.name} did not run, because it is not installed: the counts are those of its last run.`);
  if (failed > 0) console.log(`${suite.name}: ${failed} failed`);
}
for (const line of fallen) console.log(line);
const failed = sum(...tallies).failed.length + rows.reduce((total, row) => total + row.failed, 0);
process.exitCode = nothing || failed > 0 || fallen.length > 0 ? 1 : 0;
