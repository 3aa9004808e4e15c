import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { isBuilt } from '../scale/threads/folder.js';
import { type BundleOptions, type Bundler, byEsbuild, byRolldown, byRollup, byVite, byWebpack } from './bundlers.js';
import { emptyFolder, makeProject } from './project.js';

/** Ranks with presets, and reads data that only the package's own files contain. */
const PROGRAM = `import { createPipeline, rankFile } from 'assize';

const failure = (error) => error.problems?.map(({ code, message }) => code + ' ' + message).join() ?? error.stack;
async function main() {
  const traces = await createPipeline({ extends: ['knowledgepulse'], tier2_scorers: [{ id: 'novelty', params: { embedder: 'lexical' } }] });
  const steps = [{ type: 'thought', content: '日本語 and more' }];
  const ranking = await traces.rank([{ id: 'b', steps }, { id: 'a', steps: [...steps, ...steps] }]);
  console.log(ranking.ranked.map(({ id }) => id).join());
  console.log((await createPipeline('next-tool')).name);
  await createPipeline('knowledgpulse').catch((error) => console.log(failure(error)));
  await createPipeline({ plugins: ['./words.js'] }).catch((error) => console.log(failure(error)));
  const long = { tier2_scorers: [{ id: 'long', expr: 'candidate.name.size()' }], select: { top: 1 } };
  await rankFile(long, 'names.jsonl', {}, { workers: 2 }).catch((error) => console.log(failure(error)));
  console.log((await rankFile(long, 'names.jsonl', {}, { workers: 1 })).selected[0].id);
}
void main();
`;

const OUTPUT = `b,a
next-tool
ASZ205 unknown preset knowledgpulse
ASZ304 plugin ./words.js cannot be loaded: this program was bundled without the file loader
ASZ110 the files of the package assize are missing, because this program was bundled without them
longest
`;

/** Several threads read at once. */
const NAMES = `${'{ "name": "short" }\n'.repeat(100_000)}{ "id": "longest", "name": "longest of all" }\n`;

/** Bundled as published. */
describe.skipIf(!isBuilt)('a bundled program, without the optional packages', () => {
  const elsewhere = emptyFolder();

  const ways: readonly (readonly [string, Bundler, NonNullable<BundleOptions['format']>])[] = [
    ['esbuild to an ES module', byEsbuild, 'esm'],
    ['esbuild to CommonJS', byEsbuild, 'cjs'],
    ['rolldown to an ES module', byRolldown, 'esm'],
    ['rolldown to CommonJS', byRolldown, 'cjs'],
    ['Rollup to an ES module', byRollup, 'esm'],
    ['Rollup to CommonJS', byRollup, 'cjs'],
    ['Vite to an ES module', byVite, 'esm'],
    ['Vite to CommonJS', byVite, 'cjs'],
    ['webpack to an ES module', byWebpack, 'esm'],
    ['webpack to CommonJS', byWebpack, 'cjs'],
  ];
  test.each(ways)('%s runs in an empty folder, and below an unrelated package', async (way, bundle, format) => {
    const project = emptyFolder();
    makeProject(project);
    const { code } = await bundle(PROGRAM, { project, platform: 'node', format });
    rmSync(project, { recursive: true }); // webpack writes its path into the program
    const alone = join(elsewhere, way.replaceAll(' ', '-'));
    const below = join(alone, 'other', 'app');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(alone, 'other', 'package.json'), '{ "name": "other" }');
    for (const folder of [alone, below]) {
      writeFileSync(join(folder, 'names.jsonl'), NAMES);
      const file = join(folder, format === 'cjs' ? 'main.cjs' : 'main.mjs');
      writeFileSync(file, code);
      const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
        cwd: folder,
        encoding: 'utf8',
        timeout: PATIENCE_MS, // it once searched for its presets in an endless loop
      });
      expect({ folder, stdout, stderr, status }).toEqual({ folder, stdout: OUTPUT, stderr: '', status: 0 });
    }
  });
});
