import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/base/package-root.js';
import { temporaryFolder } from './temporary-folder.js';

const root = packageRoot();
const MAIN = join(root, 'dist', 'bundle', 'cli.js');

const folder = temporaryFolder();
writeFileSync(join(folder, 'repos.yaml'), 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n');
writeFileSync(join(folder, 'repos.json'), '[{ "id": "compass", "stars": 850 }]');
writeFileSync(join(folder, 'repos.csv'), 'id,stars\ncompass,850\n');

/** Prints what is loaded to standard error: ES modules when they are loaded, CommonJS modules at the end. */
const WATCH = `import { createRequire, register } from 'node:module';
const hook = \`import { writeSync } from 'node:fs';
export const load = (url, context, next) => (writeSync(2, 'loaded ' + url + '\\\\n'), next(url, context));\`;
register('data:text/javascript,' + encodeURIComponent(hook));
const { cache } = createRequire(${JSON.stringify(MAIN)});
process.on('exit', () => Object.keys(cache).forEach((file) => console.error('loaded ' + file)));`;

/** What a process has loaded when it ends: published files of the core, and other packages. */
interface Loaded {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** The same, and published files of the packages around the core: `evaluate/verbs.js`. */
interface AllLoaded extends Loaded {
  readonly around: readonly string[];
}

function loadedBy(args: readonly string[], cwd = folder): Loaded {
  const { files, packages } = allLoadedBy(args, cwd);
  return { files, packages };
}

function allLoadedBy(args: readonly string[], cwd: string): AllLoaded {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', watch, ...args], { cwd, encoding: 'utf8' });
  expect({ args, status }, stderr).toEqual({ args, status: 0 });
  const names = (pattern: RegExp): readonly string[] =>
    [...new Set(Array.from(stderr.matchAll(pattern), ([, name = '']) => name))].sort();
  return {
    files: names(/^loaded .*\/dist\/bundle\/([^\n]+)/gm),
    packages: names(/^loaded .*\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm),
    around: names(/^loaded .*\/plugins\/@assize\/([^\n]+)/gm).map((file) => file.replace('/dist/', '/')),
  };
}

const script = (text: string): Loaded =>
  loadedBy(['--input-type=module', '-e', `import { createPipeline } from 'assize';\n${text}`], root);
const rank = (file: string): Loaded => loadedBy([MAIN, 'rank', '--profile', './repos.yaml', file]);

/** What a program loads before it calls the library. */
const START: Loaded = { files: ['base.js', 'index.js', 'page.js', 'start.js', 'zod.js'], packages: [] };
/** The parts of the library. Everything else is large or rarely needed, and is loaded on demand. */
const LIBRARY: Loaded = {
  files: [...START.files, 'engine.js', 'input.js', 'library.js', 'rolldown-runtime.js'],
  packages: [],
};
const YAML = ['yaml-parser.js', 'yaml.js'];
const PRESET = ['presets.js', ...YAML];
/** Inversify with reflect-metadata. */
const CONTAINER = 'inversify.js';
const besides = ({ files, packages }: Loaded): readonly string[] => [
  ...files.filter((file) => !LIBRARY.files.includes(file)),
  ...packages.filter((name) => !LIBRARY.packages.includes(name)),
];

/** Run as published. */
describe.skipIf(!existsSync(MAIN))('loaded modules', () => {
  it('for the package: what needs no engine', () => {
    expect(script('')).toEqual(START);
    const functions =
      "import { scorer, columns } from 'assize'; scorer((repo) => repo.stars); columns({ stars: [1] });";
    expect(script(functions)).toEqual(START);
  });

  it('for a profile: the library', () => {
    const { files, packages } = script(
      "await createPipeline({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });",
    );
    expect({ files, packages }).toEqual({ files: LIBRARY.files.toSorted(), packages: LIBRARY.packages });
  });

  it('for the SDK, with its decorators: the container', () => {
    const { files, packages } = loadedBy(['--input-type=module', '-e', "await import('assize/sdk');"], root);
    expect(files).toContain(CONTAINER);
    expect(packages).toEqual(['zod']);
  });

  it('for a unit with an injected service: the container', () => {
    const profile = "{ tier2_scorers: [{ id: 'new', class: 'NoveltyScorer', params: { text: 'text' } }] }";
    expect(besides(script(`await createPipeline(${profile});`))).toEqual([CONTAINER]);
  });

  it('for a profile in a file: the YAML parser', () => {
    const profile = "{ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }";
    expect(besides(script(`(await createPipeline(${profile})).rankSync([{ stars: 850 }]);`))).toEqual([]);
    expect(besides(script("await createPipeline('knowledgepulse');"))).toEqual([CONTAINER, ...PRESET]);
  });

  it('for the preset of tools: its plugin, and the graph reader with the first graph', () => {
    expect(besides(script("await createPipeline('next-tool');"))).toEqual(['agentcards.js', ...PRESET]);
    const graph = "{ nodes: ['a', 'b'], edges: [{ from: 'a', to: 'b', weight: 1, count: 1 }] }";
    const run = `await pipeline.rank([{ id: 'b' }], { graph: ${graph}, tools: ['a'] });`;
    expect(besides(script(`const pipeline = await createPipeline('next-tool');\n${run}`))).toContain('graphology.js');
  });

  it('for the help: the command-line parser', () => {
    expect(loadedBy([MAIN, '--help'])).toEqual({
      files: ['base.js', 'cli-main.js', 'cli.js', 'command.js', 'input.js', 'table-options.js'],
      packages: ['commander'],
    });
  });

  it('for a ranking: the readers of its files', () => {
    const verb = (...readers: readonly string[]) =>
      [
        'cli-main.js',
        'cli.js',
        'command.js',
        'message-query.js',
        'rank-by-parts.js',
        ...readers,
        'session.js',
        'table-options.js',
        ...YAML,
      ].toSorted();
    expect(besides(rank('repos.json'))).toEqual([...verb('read-json.js'), 'commander']);
    const csv = verb('csv-columns.js', 'no-value-cells.js', 'read-csv.js');
    expect(besides(rank('repos.csv'))).toEqual([...csv, 'commander']);
  });

  it('for the measures of @assize/evaluate: what a page loads', () => {
    const program = "await import('@assize/evaluate/measures');";
    const { files, packages, around } = allLoadedBy(['--input-type=module', '-e', program], root);
    expect({ files, packages }).toEqual({ files: ['base.js', 'browser.js', 'page.js', 'zod.js'], packages: [] });
    expect(around).toContain('evaluate/measures.js');
  });

  // The SDK exports the names of Zod.
  it.each([
    ['evaluate', []],
    ['serve', ['@hono/node-server', 'hono', 'zod']],
    ['studio', ['yaml', 'zod']],
    ['jobs', ['zod']],
  ])('for @assize/%s: the library, and %j', (name, others) => {
    const { packages } = loadedBy(['--input-type=module', '-e', `await import('@assize/${name}');`], root);
    expect(packages).toEqual(others);
  });

  // The options of the studio include those of data sets.
  it.each([
    ['evaluate', ['evaluate']],
    ['serve', ['serve']],
    ['studio', ['evaluate', 'studio']],
    ['jobs', ['jobs']],
    ['lsp', ['lsp']],
  ])('for the help of assize %s: the verbs of %j', (verb, packages) => {
    const loaded = allLoadedBy([MAIN, verb, '--help'], folder);
    expect(loaded.packages).toEqual(['commander']);
    expect(loaded.files).not.toContain('library.js');
    expect([...new Set(loaded.around.map((file) => file.split('/')[0]))]).toEqual(packages);
  });
});
