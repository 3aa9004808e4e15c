import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { CLI, installInto, pack, type PackedPackage } from './packages.js';
import { outcome } from './run.js';

/** The entry points of a package that need an optional package. */
const OPTIONAL: Readonly<Record<string, string>> = { 'assize/testing/vitest': 'vitest' };

/** The verbs of a package, as its package.json lists them. */
function verbsOf({ source }: PackedPackage): readonly string[] {
  const manifest = readFileSync(join(packageRoot(), source.folder, 'package.json'), 'utf8');
  const { assize } = JSON.parse(manifest) as { readonly assize?: { readonly verbs: object } };
  return Object.keys(assize?.verbs ?? {});
}

/** What does not start of a package that is installed: entry points and verbs, without the optional packages. */
export function startProblems(one: PackedPackage, folder: string, node: string): readonly string[] {
  const entries = [...one.source.sources.keys()].filter((spec) => OPTIONAL[spec] === undefined);
  const imports = entries.map((spec) => outcome(node, ['-e', `import('${spec}')`], { cwd: folder }));
  const helps = verbsOf(one).map((verb) => outcome(node, [CLI, verb, '--help'], { cwd: folder }));
  return [...imports, ...helps].flatMap(([code, output]) => (code === 0 ? [] : [output]));
}

/** Uses two packages: a pipeline of the core is measured and served, and their errors are those of the core. */
const PROGRAM = `import { AssizeError, createPipeline } from 'assize';
import { evaluateProfiles, readDataset } from '@assize/evaluate';
import { startServer } from '@assize/serve';

const pipeline = await createPipeline({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
const query = { id: 'q', candidates: [{ id: 'a', stars: 1 }, { id: 'b', stars: 2 }], grades: [0, 1] };
const { profiles } = await evaluateProfiles({ pipeline }, [query], { measures: ['RR@1'] });
const errors = await Promise.all([
  readDataset('./missing.jsonl').catch((error) => error),
  startServer({ profiles: './missing', port: 0 }).catch((error) => error),
  createPipeline('./missing.yaml').catch((error) => error),
]);
console.log(JSON.stringify({ value: profiles[0]?.values, errors: errors.map((error) => error instanceof AssizeError) }));
`;

/** What is wrong with a program that uses two packages in one process. */
export function togetherProblems(folder: string, node: string): readonly string[] {
  writeFileSync(join(folder, 'together.js'), PROGRAM);
  const [code, output] = outcome(node, ['together.js'], { cwd: folder });
  return code === 0 && output.includes('"errors":[true,true,true]') ? [] : [output];
}

const OTHER = '0.0.1-mismatch';

/** Copies a package as it is packed, with another version of it and of the core. */
function otherVersion({ source }: PackedPackage, into: string): string {
  const folder = join(into, 'other');
  cpSync(join(packageRoot(), source.folder), folder, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|test)$/.test(path),
  });
  const { dependencies: _, ...manifest } = { ...source.manifest, version: OTHER, peerDependencies: { assize: OTHER } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return pack(source, into, folder).tarball;
}

/** The packages of another version that the command line runs, or whose refusal does not name both versions. */
export function acceptedMismatches(
  core: PackedPackage,
  around: readonly PackedPackage[],
  into: string,
): readonly string[] {
  return around.flatMap((one) => {
    const folder = join(into, one.name.replace('@assize/', ''));
    mkdirSync(folder, { recursive: true });
    // npm would look for the other version of the core in the registry.
    const project = installInto(
      join(folder, 'project'),
      [core.tarball, otherVersion(one, folder)],
      ['--legacy-peer-deps'],
    );
    return verbsOf(one).flatMap((verb) => {
      const [code, output] = outcome(process.execPath, [CLI, verb, '--help'], { cwd: project.folder });
      const isRefused = code !== 0 && [one.name, OTHER, core.version].every((part) => output.includes(part));
      return isRefused ? [] : [`assize ${verb} with ${one.name} ${OTHER} ends with exit code ${code}: ${output}`];
    });
  });
}
