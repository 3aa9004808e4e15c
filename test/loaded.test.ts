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

/** Says on standard error what is loaded: the modules of ECMAScript as they are, what they require at the end. */
const WATCH = `import { createRequire, register } from 'node:module';
const hook = \`import { writeSync } from 'node:fs';
export const load = (url, context, next) => (writeSync(2, 'loaded ' + url + '\\\\n'), next(url, context));\`;
register('data:text/javascript,' + encodeURIComponent(hook));
const { cache } = createRequire(${JSON.stringify(MAIN)});
process.on('exit', () => Object.keys(cache).forEach((file) => console.error('loaded ' + file)));`;

/** What a process has loaded by its end: files of what is published, and packages. */
interface Loaded {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

function loadedBy(args: readonly string[], cwd = folder): Loaded {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', watch, ...args], { cwd, encoding: 'utf8' });
  expect({ args, status }, stderr).toEqual({ args, status: 0 });
  const names = (pattern: RegExp): readonly string[] =>
    [...new Set(Array.from(stderr.matchAll(pattern), ([, name = '']) => name))].sort();
  return {
    files: names(/^loaded .*\/dist\/bundle\/([^\n]+)/gm),
    packages: names(/^loaded .*\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm),
  };
}

const script = (text: string): Loaded =>
  loadedBy(['--input-type=module', '-e', `import { createPipeline } from 'assize';\n${text}`], root);
const rank = (file: string): Loaded => loadedBy([MAIN, 'rank', '--profile', './repos.yaml', file]);

/** What the library is made of. Everything else is heavy, or needed by few, and waits until it is asked for. */
const LIBRARY: Loaded = {
  files: ['base.js', 'engine.js', 'index.js', 'input.js', 'library.js', 'rolldown-runtime.js'],
  packages: ['@marcbachmann/cel-js', 'zod'],
};
const YAML = ['yaml.js', 'yaml'];
const PRESET = ['presets.js', ...YAML];
const CONTAINER = /^(?:@inversifyjs\/.*|inversify|reflect-metadata)$/;
const besides = ({ files, packages }: Loaded): readonly string[] => [
  ...files.filter((file) => !LIBRARY.files.includes(file)),
  ...packages.filter((name) => !LIBRARY.packages.includes(name)),
];
const withoutContainer = (loaded: readonly string[]): readonly string[] =>
  loaded.filter((name) => !CONTAINER.test(name));

/** Run as it is published. */
describe.skipIf(!existsSync(MAIN))('what is loaded', () => {
  it('by the package: what the library is made of', () => {
    expect(script('')).toEqual(LIBRARY);
  });

  it('by the SDK, with its decorators: no container', () => {
    const { packages } = loadedBy(['--input-type=module', '-e', "await import('assize/sdk');"], root);
    expect(packages).toEqual(LIBRARY.packages);
  });

  it('by a unit that has something injected: the container', () => {
    const profile = "{ tier2_scorers: [{ id: 'new', class: 'NoveltyScorer', params: { text: 'text' } }] }";
    const loaded = besides(script(`await createPipeline(${profile});`));
    expect(loaded).toEqual(expect.arrayContaining(['inversify', 'reflect-metadata']));
    expect(withoutContainer(loaded)).toEqual([]);
  });

  it('by a profile: what reads YAML, for one that is in a file', () => {
    const profile = "{ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }";
    expect(besides(script(`(await createPipeline(${profile})).rankSync([{ stars: 850 }]);`))).toEqual([]);
    expect(withoutContainer(besides(script("await createPipeline('knowledgepulse');")))).toEqual(PRESET);
  });

  it('by the preset of tools: its plugin, and what reads graphs with the first graph', () => {
    expect(besides(script("await createPipeline('next-tool');"))).toEqual(['agentcards.js', ...PRESET]);
    const graph = "{ nodes: ['a', 'b'], edges: [{ from: 'a', to: 'b', weight: 1, count: 1 }] }";
    const run = `await pipeline.rank([{ id: 'b' }], { graph: ${graph}, tools: ['a'] });`;
    expect(besides(script(`const pipeline = await createPipeline('next-tool');\n${run}`))).toContain('graphology');
  });

  it('by the help: what reads the command line', () => {
    expect(loadedBy([MAIN, '--help'])).toEqual({
      files: ['base.js', 'cli.js', 'input.js'],
      packages: ['commander'],
    });
  });

  it('by a ranking: what reads its files', () => {
    const verb = (...readers: readonly string[]) =>
      ['cli.js', 'rank-in-workers.js', ...readers, 'session.js', 'yaml.js'].toSorted();
    expect(besides(rank('repos.json'))).toEqual([...verb('read-json.js'), 'commander', 'yaml']);
    const csv = verb('csv-columns.js', 'read-csv.js');
    expect(besides(rank('repos.csv'))).toEqual([...csv, 'commander', 'csv-parse', 'yaml']);
  });
});
