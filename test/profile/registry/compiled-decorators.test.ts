import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { build } from 'rolldown';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { temporaryFolder } from '../../temporary-folder.js';

const root = packageRoot();
const source = readFileSync(join(root, 'test', 'fixtures', 'plugins', 'with-decorators.ts'), 'utf8');

const PROGRAM = `
import { createPipeline } from 'assize';
import { WordScorer, services } from './words.js';

const pipeline = await createPipeline({ tier2_scorers: [{ id: 'w', class: 'WordScorer' }] }, { units: { WordScorer }, services });
console.log(pipeline.rankSync([{ words: ['cat', 'dog', 'cat'] }]).ranked[0].score);
`;

/** A project with a plugin in TypeScript, of which `words.js` is made. */
function project(): string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'assize'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'words.ts'), source);
  writeFileSync(join(folder, 'program.js'), PROGRAM);
  return folder;
}

const run = (folder: string, ...args: readonly string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { stdout: stdout.trim(), stderr };
};
const scored = { stdout: '2', stderr: '' };

/** Vitest compiles those of `injection.test.ts`, and Babel, in jiti, those of a plugin that is a file. */
describe.skipIf(!existsSync(join(root, 'dist', 'bundle')))('decorators as compiled', () => {
  test.each([true, false])('by TypeScript, for strict users (emitDecoratorMetadata: %s)', (emitDecoratorMetadata) => {
    const folder = project();
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: [],
      experimentalDecorators: true,
      emitDecoratorMetadata,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['words.ts'] }));
    expect(run(folder, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.')).toEqual({
      stdout: '',
      stderr: '',
    });
    expect(run(folder, 'program.js')).toEqual(scored);
  });

  test('by esbuild, which tsx uses', () => {
    const folder = project();
    const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
    const { code } = transformSync(source, { loader: 'ts', format: 'esm', tsconfigRaw });
    writeFileSync(join(folder, 'words.js'), code);
    expect(run(folder, 'program.js')).toEqual(scored);
  });

  test('by Oxc, in Rolldown', async () => {
    const folder = project();
    await build({
      input: join(folder, 'words.ts'),
      external: /^assize/,
      transform: { decorator: { legacy: true } },
      output: { file: join(folder, 'words.js') },
    });
    expect(run(folder, 'program.js')).toEqual(scored);
  });
});
