/**
 * Compares a packed older build with the present one: `npm run compare OLD.tgz [-- --pairs 20000 --commands 500 --seed 1]`.
 *
 * Both builds run the same random profiles, candidates and command lines. Rankings, scores, the numbers of explanations,
 * problem codes and places must be equal; messages may differ. Prints the coverage and every difference, and fails if
 * there is a difference or if a full campaign covers a stage, class or option fewer than 100 times.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { CLASSES } from './cases.js';
import { commandOf, runCommand, writeFiles } from './commands.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const SHOWN = 20;
const WANTED = 100;

/** Unpacks a tarball where its dependencies resolve to those of this repository. */
function unpack(tarball: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  const build = join(modules, 'assize');
  mkdirSync(build, { recursive: true });
  const tar = spawnSync('tar', ['-xzf', tarball, '-C', build, '--strip-components=1'], { encoding: 'utf8' });
  if (tar.status !== 0) throw new Error(`cannot unpack ${tarball}: ${tar.stderr}`);
  const names = readdirSync(join(root, 'node_modules')).filter((name) => name !== 'assize' && !name.startsWith('.'));
  for (const name of names) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return build;
}

/** The outcomes of one build, line by line. */
async function* outcomes(
  build: string,
  seed: number,
  pairs: number,
): AsyncGenerator<{ n: number; features: string[]; outcome: unknown }> {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'run-cases.js');
  const child = spawn(process.execPath, [script, build, String(seed), '0', String(pairs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: root,
  });
  for await (const line of createInterface({ input: child.stdout }))
    yield JSON.parse(line) as { n: number; features: string[]; outcome: unknown };
}

/** The paths at which two outcomes differ, with both values. */
function* differences(a: unknown, b: unknown, path = ''): Generator<string> {
  if (isDeepStrictEqual(a, b)) return;
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      yield* differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}.${key}`);
    }
  } else yield `${path || '.'}: old ${JSON.stringify(a)}, new ${JSON.stringify(b)}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '20000' },
    commands: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
const [tarball] = positionals;
if (tarball === undefined || !existsSync(tarball)) {
  console.error(
    `compare: ${tarball === undefined ? 'no tarball given' : `${tarball} does not exist`}; expected: npm run compare OLD.tgz`,
  );
  process.exit(2);
}
const [pairs, commands, seed] = [Number(values.pairs), Number(values.commands), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), 'assize-compare-'));
const coverage = new Map<string, number>();
let [loaded, differing] = [0, 0];
/** By kind of difference, which is its text without the numbers: how many cases have it. */
const kinds = new Map<string, number>();
const report = (what: string, old: unknown, present: unknown): void => {
  differing += 1;
  const lines = [...differences(old, present)];
  for (const kind of new Set(lines.map((line) => line.replaceAll(/(?<!ASZ\d*)\d+/g, 'N').slice(0, 120))))
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (differing > SHOWN) return;
  console.log(what);
  for (const line of lines.slice(0, 6)) console.log(`  ${line}`);
};

try {
  const old = unpack(resolve(tarball), folder);
  const present = outcomes(root, seed, pairs);
  for await (const expected of outcomes(old, seed, pairs)) {
    const actual = (await present.next()).value;
    if (!actual) throw new Error(`the present build stopped at case ${expected.n}`);
    const loads = !('load' in (expected.outcome as object));
    if (loads) loaded += 1;
    // A feature is covered if its profile loads; problems of profiles that do not load are compared all the same.
    for (const feature of loads ? actual.features : ['stage load'])
      coverage.set(feature, (coverage.get(feature) ?? 0) + 1);
    if (!isDeepStrictEqual(expected.outcome, actual.outcome))
      report(`case ${expected.n} of seed ${seed}`, expected.outcome, actual.outcome);
  }
  const work = join(folder, 'work');
  writeFiles(work, seed);
  const verbs = new Map<string, number>();
  for (let n = 0; n < commands; n++) {
    const args = commandOf(seed, n);
    verbs.set(args[0]!, (verbs.get(args[0]!) ?? 0) + 1);
    // oxlint-disable-next-line no-await-in-loop -- two processes at a time, one per build
    const [expected, actual] = await Promise.all([runCommand(old, work, args), runCommand(root, work, args)]);
    if (!isDeepStrictEqual(expected, actual)) report(`assize ${args.join(' ')}`, expected, actual);
  }
  console.log(
    `\n${pairs} pairs, of which ${loaded} load; ${commands} command lines (${[...verbs].map(([verb, count]) => `${verb} ${count}`).join(', ')})`,
  );
  console.log(
    `coverage: ${[...coverage]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([feature, count]) => `${feature} ${count}`)
      .join(', ')}`,
  );
  const rare = [...new Set([...CLASSES.map(({ name }) => `class ${name}`), ...coverage.keys()])].filter(
    (feature) => (coverage.get(feature) ?? 0) < WANTED,
  );
  if (rare.length > 0) console.log(`fewer than ${WANTED} times: ${rare.join(', ')}`);
  for (const [kind, count] of [...kinds].sort(([, a], [, b]) => b - a).slice(0, 4 * SHOWN))
    console.log(`${count} × ${kind}`);
  console.log(
    `${differing} differences from ${(JSON.parse(readFileSync(join(old, 'package.json'), 'utf8')) as { version: string }).version}`,
  );
  process.exitCode = differing > 0 || (pairs >= 20_000 && rare.length > 0) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
