import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../src/profile/presets.js';

const root = packageRoot();
const MAIN = join(root, 'dist', 'src', 'cli', 'main.js');

const folder = mkdtempSync(join(tmpdir(), 'assize-'));
afterAll(() => rmSync(folder, { recursive: true }));
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

/** The packages, besides this one, that a process has loaded by its end. */
function packagesOf(args: readonly string[], cwd = folder): readonly string[] {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', watch, ...args], { cwd, encoding: 'utf8' });
  expect({ args, status }, stderr).toEqual({ args, status: 0 });
  expect(stderr, 'it is seen what is loaded').toContain('dist/src/');
  const names = stderr.matchAll(/^loaded .*\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm);
  return [...new Set(Array.from(names, ([, name = '']) => name))].sort();
}

const script = (text: string): readonly string[] =>
  packagesOf(['--input-type=module', '-e', `import { createPipeline } from 'assize';\n${text}`], root);
const rank = (file: string): readonly string[] => packagesOf([MAIN, 'rank', '--profile', './repos.yaml', file]);

/** What the engine is made of. Everything else is heavy, or needed by few, and waits until it is asked for. */
const ENGINE = ['@inversifyjs', '@marcbachmann/cel-js', 'inversify', 'reflect-metadata', 'yaml', 'zod'];
const others = (loaded: readonly string[]): readonly string[] =>
  loaded.filter((name) => !ENGINE.some((own) => name === own || name.startsWith(`${own}/`)));

/** Run as it is built. */
describe.skipIf(!existsSync(MAIN))('what is loaded', () => {
  it('by the package: what the engine is made of', () => {
    const loaded = script('');
    expect(loaded).toContain('zod');
    expect(others(loaded)).toEqual([]);
  });

  it('by a profile: no more, where it needs no more', () => {
    const profile = "{ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }";
    expect(others(script(`(await createPipeline(${profile})).rankSync([{ stars: 850 }]);`))).toEqual([]);
    expect(others(script("await createPipeline('knowledgepulse');"))).toEqual([]);
  });

  it('by the preset of tools: what reads graphs, with the first graph', () => {
    expect(others(script("await createPipeline('next-tool');"))).toEqual([]);
    const graph = "{ nodes: ['a', 'b'], edges: [{ from: 'a', to: 'b', weight: 1, count: 1 }] }";
    const run = `await pipeline.rank([{ id: 'b' }], { graph: ${graph}, tools: ['a'] });`;
    expect(others(script(`const pipeline = await createPipeline('next-tool');\n${run}`))).toContain('graphology');
  });

  it('by the help: what reads the command line', () => {
    expect(packagesOf([MAIN, '--help'])).toEqual(['commander']);
  });

  it('by a ranking: the engine, and csv-parse for CSV alone', () => {
    expect(others(rank('repos.json'))).toEqual(['commander']);
    expect(others(rank('repos.csv'))).toEqual(['commander', 'csv-parse']);
  });
});
