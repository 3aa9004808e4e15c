/**
 * Rehearses a release: packs every package, installs the tarballs into empty folders, and checks what a user gets.
 *
 *     npm run release:check
 *
 * It needs the registry of npm, for the dependencies and for Node 20, 22 and 24. Exits with 1 if a check fails.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { createProblems, missingLicences, publintProblems, scaffoldProblems, typeProblems } from './checks.js';
import { codeProblems, inPackage } from './code.js';
import { wrongContents } from './contents.js';
import { deadLinks } from './links.js';
import { type Installed, installInto, packAll, withOwn } from './packages.js';
import { packagesOf, runQuickStart } from './quick-start.js';
import { run } from './run.js';
import { acceptedMismatches, startProblems, togetherProblems } from './together.js';

const MOST_PACKAGES = 20;
const MOST_BYTES = 22e6;
const NODE_VERSIONS = ['20', '22', '24'];

let failed = 0;

function report(title: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? 'ok     ' : 'FAILED '} ${title}`);
  for (const problem of problems) console.log(`  ${problem.trimEnd().replaceAll('\n', '\n  ')}`);
  if (problems.length > 0) failed++;
}

const folder = temporaryFolder('assize-release-');
const packages = packAll(folder);
const [core, ...around] = packages;
if (core === undefined) throw new Error('there is no package');

const shortName = (name: string): string => name.replace('@assize/', '');
const sizeOf = ({ packages: all, bytes }: Installed): string =>
  `${all.length} packages, ${(bytes / 1e6).toFixed(1)} MB`;

/** The packages, each installed with those that it needs. */
const installed = packages.map((packed) => {
  const tarballs = withOwn(packed, packages).map(({ tarball }) => tarball);
  return { packed, project: installInto(join(folder, shortName(packed.name)), tarballs) };
});

for (const { packed, project } of installed) {
  const { name, version, files, source } = packed;
  const place = join(project.folder, 'node_modules', name);
  report(`${name} ${version} contains the expected files (${files.length})`, wrongContents(name, files));
  report(`${name}: its code and types are complete, and needed`, codeProblems(source, place));
  // oxlint-disable-next-line no-await-in-loop -- in the order of the report
  report(`${name}: publint`, await publintProblems(place));
  report(`${name}: types for every module resolution of ES modules`, typeProblems(packed));
  report(`${name}: licences of bundled code`, missingLicences(join(place, inPackage(source, source.bundle))));
  const isSmall = project.packages.length <= MOST_PACKAGES && project.bytes <= MOST_BYTES;
  const most = `expected ${MOST_PACKAGES} packages and ${MOST_BYTES / 1e6} MB at most`;
  const isCore = name === core.name;
  report(
    isCore ? `${name} alone is small: ${sizeOf(project)}` : `${name} is installed: ${sizeOf(project)}`,
    isCore && !isSmall ? [`${most}: ${project.packages.join(', ')}`] : [],
  );
}

report(
  'each link in a page of a package leads to a file of that package',
  deadLinks(
    installed.map(({ packed: { name, files }, project }) => {
      return { name, folder: join(project.folder, 'node_modules', name), files };
    }),
  ),
);

const readmes = packages.map(({ name, source }) => ({
  name,
  readme: readFileSync(join(packageRoot(), source.folder, 'README.md'), 'utf8'),
}));
const { devDependencies } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
/** What the programs of the READMEs import besides the packages and their dependencies. */
const others = [...new Set(readmes.flatMap(({ readme }) => packagesOf(readme)))].flatMap((name) =>
  devDependencies[name] === undefined ? [] : [`${name}@${devDependencies[name]}`],
);
const all = installInto(join(folder, 'all'), [...packages.map(({ tarball }) => tarball), ...others]);

/** The path of a version of Node, by npm's package `node`. */
const nodeOf = (version: string): string =>
  run('npx', ['-y', '-p', `node@${version}`, 'node', '-p', 'process.execPath'], { cwd: folder }).trim();

const nodes = [
  { title: 'this Node', node: process.execPath },
  ...NODE_VERSIONS.map((version) => ({ title: `Node ${version}`, node: nodeOf(version) })),
];
for (const { title, node } of nodes) {
  for (const { packed, project } of installed)
    report(`${packed.name}: entry points and verbs on ${title}`, startProblems(packed, project.folder, node));
  report(`evaluate and serve in one process on ${title}`, togetherProblems(all.folder, node));
  for (const { name, readme } of readmes) {
    const place = { folder: join(folder, title, shortName(name)), installed: all.folder, node };
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a user runs them
    const { ran, differences } = await runQuickStart(readme, place);
    const problems = ran === 0 ? ['nothing was run'] : differences;
    report(`${name}: the README on ${title} (${ran} commands and programs)`, problems);
  }
}

report(
  'the command line refuses a package of another version',
  acceptedMismatches(core, around, join(folder, 'mismatches')),
);

const alone = installInto(join(folder, 'scaffolds'), [core.tarball]);
report('packages of assize new pass their tests, and do not disturb Vitest', scaffoldProblems(alone.folder));
report('folders of create-assize pass their tests and rank', createProblems(core, join(folder, 'create')));

console.log(failed === 0 ? '\nThe release can be published.' : `\n${failed} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
