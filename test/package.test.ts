import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../src/base/package-root.js';
import { missingLicences } from './release/checks.js';
import { codeProblems, inPackage, neededCode, neededTypes } from './release/code.js';
import { wrongContents } from './release/contents.js';
import { temporaryFolder } from './temporary-folder.js';
import { workspace } from './workspace.js';

const root = packageRoot();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const named = workspace.map((one) => [one.name, one] as const);

function published(folder: string): readonly string[] {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(root, folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [tarball] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  return tarball.files.map(({ path }) => path);
}

/** The packages that the published types of a package import. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  assize: ['commander', 'zod'],
  '@assize/evaluate': ['assize', 'commander'],
  '@assize/serve': ['@opentelemetry/api', 'assize'],
  '@assize/studio': ['@assize/evaluate', 'assize'],
  '@assize/jobs': ['assize'],
  '@assize/lsp': ['assize'],
};

/** As built. */
const isBuilt = workspace.every(({ types }) => existsSync(join(root, types)));
describe.skipIf(!isBuilt).each(named)('the package %s', (name, one) => {
  const folder = join(root, one.folder);

  test('matches its package.json', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true });
    expect(messages).toEqual([]);
  });

  test('publishes the expected files, with all its code and types, and no others', () => {
    const paths = published(one.folder);
    expect(wrongContents(name, paths)).toEqual([]);
    const needed = [...neededCode(one, folder).files, ...neededTypes(one, folder).files];
    expect(needed.filter((file) => !paths.includes(file))).toEqual([]);
  });

  test('contains no file that nothing needs, and imports only packages that it declares', () => {
    expect(codeProblems(one, folder)).toEqual([]);
  });

  test('has types that depend only on these packages', () => {
    expect(neededTypes(one, folder).packages.toSorted()).toEqual(TYPES[name]);
  });

  test('has the licences of the packages that it contains', () => {
    expect(missingLicences(join(folder, inPackage(one, one.bundle)))).toEqual([]);
  });
});

/** The packages whose code a file contains, as its first line lists them. */
const packagesIn = (text: string): readonly string[] =>
  [...(/^\/\*! Contains (.*): see LICENSES/.exec(text)?.[1] ?? '').matchAll(/((?:@[\w-]+\/)?[\w-]+) \d/g)].map(
    ([, name = '']) => name,
  );

/** The packages whose licences a folder of code has. */
const licencesIn = (bundle: string): readonly string[] =>
  [...read(`${bundle}/LICENSES.txt`).matchAll(/^((?:@[\w-]+\/)?[\w-]+) \d\S+ \([\w.-]+\)$/gm)]
    .map(([, name = '']) => name)
    .toSorted();

describe.skipIf(!isBuilt)('the code of other packages', () => {
  /** The packages in each file of a bundle that has any. */
  const contained = (bundle: string) =>
    readdirSync(join(root, bundle))
      .filter((file) => file.endsWith('.js'))
      .map((file) => [basename(file), packagesIn(read(`${bundle}/${file}`))] as const)
      .filter(([, names]) => names.length > 0);

  test('is in these files of the core', () => {
    const bundled = contained('dist/bundle');
    expect(Object.fromEntries(bundled)).toEqual({
      'base.js': ['fast-string-truncated-width', 'fast-string-width'],
      'csv-columns.js': ['csv-parse'],
      'graphology.js': ['events', 'graphology'],
      'graphology-communities-louvain.js': [
        'graphology-communities-louvain',
        'graphology-indices',
        'graphology-utils',
        'mnemonist',
        'obliterator',
        'pandemonium',
      ],
      'hyparquet-compressors.js': ['fzstd', 'hyparquet-compressors', 'hysnappy'],
      'import-meta-resolve.js': ['import-meta-resolve'],
      'inversify.js': [
        '@inversifyjs/common',
        '@inversifyjs/container',
        '@inversifyjs/core',
        '@inversifyjs/plugin',
        '@inversifyjs/prototype-utils',
        '@inversifyjs/reflect-metadata-utils',
        'inversify',
        'reflect-metadata',
      ],
      'ml-matrix.js': ['ml-matrix'],
      'parquet-writer.js': ['hyparquet-writer'],
      'parse-json-with-places.js': ['jsonc-parser'],
      'read-parquet.js': ['hyparquet'],
      'utils.js': ['hyparquet'],
      'yaml-parser.js': ['yaml'],
      'zod.js': ['zod'],
    });
    expect(licencesIn('dist/bundle')).toEqual([...new Set(bundled.flatMap(([, names]) => names))].toSorted());
    expect(read('dist/bundle/LICENSES.txt')).toContain('Remo H. Jansen');
  });

  test('is in the page of the studio, and in no other file of the packages around the core', () => {
    const around = workspace.slice(1).flatMap(({ bundle }) => contained(bundle));
    expect(around.map(([file]) => file)).toEqual(['studio-page.js']);
    const [, inPage = []] = around[0] ?? [];
    expect(inPage).toEqual(expect.arrayContaining(['preact', 'yaml', 'zod']));
    expect(licencesIn('plugins/@assize/studio/dist')).toEqual(inPage.toSorted());
    expect(read('plugins/@assize/studio/dist/LICENSES.txt')).toContain('Jason Miller');
  });
});

/** A scorer whose params are schemas of the package zod, with those of the SDK inside, and a few inside of those. */
const WITH_ZOD = `import * as z from 'zod';
import { createPipeline } from 'assize';
import { child, defineScorer, path, url } from 'assize/sdk';
import { effectiveProfile } from 'assize/internal';

class Scaled {
  static meta = defineScorer({
    summary: 'Scales an entry.',
    params: z.strictObject({
      factor: z.number().min(1).default(2).describe('The factor.'),
      of: child(),
      deep: z.object({ list: z.array(z.object({ field: path(), x: z.int() })), at: url().optional() }),
    }),
  });
  compile({ factor, of }, live) {
    const score = live.child(of);
    return (candidate, index) => factor * score(candidate, index);
  }
}
const profile = (params) => ({ tier2_scorers: [{ id: 's', class: 'Scaled', params }] });
const units = { Scaled };
const good = profile({ of: { expr: 'candidate.n' }, deep: { list: [] } });
const bad = profile({ factor: 0, of: { exp: '1' }, deep: { list: [{ field: 'a b', x: 1.5 }], at: 'http://localhost/' } });

const pipeline = await createPipeline(good, { units });
const error = await createPipeline(bad, { units, trust: 'none' }).catch((reason) => reason);
const effective = await effectiveProfile(good, { units, defaults: true });
console.log(JSON.stringify({
  score: pipeline.rankSync([{ n: 3 }]).ranked[0].score,
  problems: error.problems.map(({ path, place, message }) => (place?.path ?? path) + ': ' + message),
  defaults: effective.tier2_scorers[0].params,
  described: z.toJSONSchema(Scaled.meta.params, { io: 'input', unrepresentable: 'any' }).properties.factor,
}));
`;

describe.skipIf(!isBuilt)('the published core', () => {
  test('gives an external plugin the same services as its own', () => {
    const folder = temporaryFolder();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    copyFileSync(join(root, 'test', 'fixtures', 'plugins', 'with-decorators.ts'), join(folder, 'words.ts'));
    writeFileSync(
      join(folder, 'cats.yaml'),
      'plugins: [./words.ts]\ntier2_scorers: [{ id: cats, class: WordScorer }]\n',
    );
    writeFileSync(join(folder, 'texts.json'), '[{ "id": "a", "words": ["cat", "dog", "cat"] }]');
    const args = [
      join(root, 'dist', 'bundle', 'cli.js'),
      'rank',
      '--profile',
      './cats.yaml',
      'texts.json',
      '--format',
      'jsonl',
    ];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'a', score: 2 });
  });

  test('takes params of the package zod, of which it bundles a copy for itself', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', WITH_ZOD], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      score: 6,
      problems: [
        'tier2_scorers[0].params.factor: expected a number of at least 1, found the number 0',
        'tier2_scorers[0].params.of.exp: unknown key exp',
        'tier2_scorers[0].params.deep.list[0].field: expected "." or "[", found " "; write a field with a space in its name as \'["a b"]\'',
        'tier2_scorers[0].params.deep.list[0].x: expected a whole number, found the number 1.5',
        'tier2_scorers[0].params.deep.at: expected no address in an untrusted profile, found the string "http://localhost/"',
      ],
      defaults: { of: { expr: 'candidate.n' }, deep: { list: [] }, factor: 2 },
      described: { description: 'The factor.', default: 2, type: 'number', minimum: 1 },
    });
  });
});
