/**
 * Rehearses a release: packs every package, installs the tarballs into an empty folder, and checks what a user gets.
 *
 *     npm run release:check
 *
 * It needs the registry of npm, for the dependencies and for Node 20, 22 and 24. Exits with 1 if a check fails.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.js';
import { acceptedMismatches, missingLicences, publintProblems, scaffoldProblems, typeProblems } from './checks.js';
import { wrongContents } from './contents.js';
import { installInto, packAll } from './packages.js';
import { runQuickStart } from './quick-start.js';
import { run } from './run.js';

const MOST_PACKAGES = 20;
const MOST_BYTES = 22e6;
const NODE_VERSIONS = ['20', '22', '24'];

let failed = 0;

function report(title: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? 'ok     ' : 'FAILED '} ${title}`);
  for (const problem of problems) console.log(`  ${problem.trimEnd().replaceAll('\n', '\n  ')}`);
  if (problems.length > 0) failed++;
}

const skip = (title: string, why: string): void => console.log(`skipped ${title}: ${why}`);

const folder = temporaryFolder('assize-release-');
const packages = packAll(folder);
const [core, ...around] = packages;
if (core === undefined) throw new Error('there is no package');

for (const packed of packages) {
  const { name, version, files } = packed;
  report(`${name} ${version} contains the expected files (${files.length})`, wrongContents(name, files));
}

const alone = installInto(join(folder, 'alone'), [core]);
const size = `${alone.packages.length} packages, ${(alone.bytes / 1e6).toFixed(1)} MB`;
const isSmall = alone.packages.length <= MOST_PACKAGES && alone.bytes <= MOST_BYTES;
report(
  `${core.name} alone is small: ${size}`,
  isSmall
    ? []
    : [`expected ${MOST_PACKAGES} packages and ${MOST_BYTES / 1e6} MB at most: ${alone.packages.join(', ')}`],
);
const all = around.length === 0 ? alone : installInto(join(folder, 'all'), packages);

for (const packed of packages) {
  const installed = join(all.folder, 'node_modules', packed.name);
  // oxlint-disable-next-line no-await-in-loop -- in the order of the report
  report(`${packed.name}: publint`, await publintProblems(installed));
  report(`${packed.name}: types for every module resolution of ES modules`, typeProblems(packed));
  report(`${packed.name}: licences of bundled code`, missingLicences(installed));
}

/** The path of a version of Node, by npm's package `node`. */
const nodeOf = (version: string): string =>
  run('npx', ['-y', '-p', `node@${version}`, 'node', '-p', 'process.execPath'], { cwd: folder }).trim();

const nodes = [
  { title: 'this Node', node: process.execPath },
  ...NODE_VERSIONS.map((version) => ({ title: `Node ${version}`, node: nodeOf(version) })),
];
for (const { title, node } of nodes) {
  for (const { name } of packages) {
    const readme = readFileSync(join(all.folder, 'node_modules', name, 'README.md'), 'utf8');
    // oxlint-disable-next-line no-await-in-loop -- the READMEs write into one folder
    const { ran, differences } = await runQuickStart(readme, { folder: all.folder, node });
    const isEmpty = ran === 0 && name === core.name;
    report(
      `${name}: the README on ${title} (${ran} commands and programs)`,
      isEmpty ? ['nothing was run'] : differences,
    );
  }
}

report('packages of assize new pass their tests, and do not disturb Vitest', scaffoldProblems(alone.folder));

const refusal = 'a package refuses a core of another version';
if (around.length === 0) skip(refusal, 'there are no packages in plugins/@assize');
else report(refusal, acceptedMismatches(all.folder, around, join(folder, 'mismatch')));

console.log(failed === 0 ? '\nThe release can be published.' : `\n${failed} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
