import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { makeProject } from '../bundling/project.js';
import { temporaryFolder } from '../temporary-folder.js';

const root = packageRoot();
const node = (cwd: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

/** Uses entry points together: a pipeline of one is a pipeline of the others. */
const PROGRAM = `import { type AssizeError, createPipeline, type Pipeline } from 'assize';
import { createPipeline as createInPage } from 'assize/browser';
import { checkUnit } from 'assize/testing';
import { assizeMatchers } from 'assize/testing/vitest';
import { inject, injectable, type UnitMeta, scorer, z } from 'assize/sdk';
import { rankWith, translate } from 'assize/sql';
import { evaluateValue } from 'assize/knowledgepulse';
import { evaluateProfiles } from '@assize/evaluate';
import { meanOf } from '@assize/evaluate/measures';
import { tuneWeights } from '@assize/evaluate/tune';
import { type AppOptions, createApp } from '@assize/serve';
import { instrument } from '@assize/serve/telemetry';
import { openStudio } from '@assize/studio';
import { createJob } from '@assize/jobs';
import { startLanguageServer } from '@assize/lsp';
import { createProfileService } from '@assize/lsp/service';

const Params = z.strictObject({ most: z.number().default(1) });
@injectable()
export class StarsScorer {
  static readonly meta = { kind: 'scorer', description: 'Stars.', params: Params } as const;
  constructor(@inject('stars') readonly stars: number) {}
  score(candidate: { readonly stars: number }): number {
    return candidate.stars / this.stars;
  }
}
interface Repo { readonly id: string; readonly stars: number }
const pipeline: Pipeline<Repo> = await createPipeline<Repo>('./repos.yaml');
const inPage: Pipeline<Repo> = await createInPage<Repo>({ tier2_scorers: [] });
const ranking = pipeline.rankSync([{ id: 'a', stars: 1 }]);
export const first: string | undefined = ranking.selected[0]?.candidate.id;
export const used: readonly unknown[] = [inPage, checkUnit, assizeMatchers, scorer, rankWith, translate];
export const around: readonly unknown[] = [meanOf, tuneWeights, createApp, openStudio, createJob, startLanguageServer, createProfileService];
export const measured = evaluateProfiles({ pipeline }, [{ id: 'q', candidates: [], grades: [] }], { measures: ['RR'] });
export const stop = instrument();
export type App = AppOptions;
export type Used = [UnitMeta, AssizeError, typeof evaluateValue];
// @ts-expect-error -- there is no such field
export const wrong = ranking.selected[0]?.candidate.nothing;
`;

/** As built. `npm run generate` writes the files. */
describe.skipIf(!existsSync(join(root, 'dist', 'types')))('the public API', () => {
  test('is the one that was reviewed', async () => {
    const folder = temporaryFolder();
    expect(node(root, '.declarations.js', 'report', folder)).toEqual({ status: 0, output: '' });
    const names = readdirSync(folder).toSorted();
    expect(names.length).toBeGreaterThan(0);
    await Promise.all(
      names.map((name) =>
        expect(readFileSync(join(folder, name), 'utf8')).toMatchFileSnapshot(join(root, 'test', 'api', name)),
      ),
    );
    const reviewed = readdirSync(join(root, 'test', 'api')).filter((name) => name.endsWith('.api.md'));
    expect(names).toEqual(expect.arrayContaining(reviewed));
  });

  test('of the packages around the engine has no type of assize/internal', () => {
    const folder = join(root, 'plugins', '@assize');
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(0);
    const declared = (name: string) => readFileSync(join(folder, name, 'dist', 'types', 'declarations.d.ts'), 'utf8');
    expect(names.filter((name) => declared(name).includes('assize/internal'))).toEqual([]);
  });

  test.each(['nodenext', 'bundler'])('has types for a program with moduleResolution %s', (moduleResolution) => {
    const folder = temporaryFolder();
    makeProject(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      module: moduleResolution === 'bundler' ? 'ESNext' : 'NodeNext',
      moduleResolution,
      preserveSymlinks: true,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      experimentalDecorators: true,
      noEmit: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(node(folder, tsc, '-p', '.')).toEqual({ status: 0, output: '' });
  });
});
