import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../src/base/package-root.js';
import { wrongContents } from './release/contents.js';
import { temporaryFolder } from './temporary-folder.js';

const root = packageRoot();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: { readonly assize: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const entries = Object.values(manifest.exports).filter((entry) => typeof entry === 'object');
const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

function published(): readonly string[] {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [tarball] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  return tarball.files.map(({ path }) => path);
}

const SPECS = /^(?:(?:import|export)\b[^;]*?\bfrom\s*|import\s*)(["'])([^"']+)\1|\bimport\(\s*(["'])([^"']+)\3\s*\)/gm;

/**
 * The files and packages that some files import, directly or indirectly.
 *
 * @param ending of the files: an import of `./x.js` is of the types next to it, or of the code
 */
function closure(starts: readonly string[], ending: '.js' | '.d.ts') {
  const files = new Set(starts);
  const packages = new Set<string>();
  for (const file of files) {
    const text = read(file).replace(/\/\*[^]*?\*\//g, '');
    for (const [, , fixed, , late] of text.matchAll(SPECS)) {
      const spec = fixed ?? late ?? '';
      if (spec.startsWith('.')) files.add(join(dirname(file), spec.replace(/\.js$/, ending)));
      else if (!spec.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(spec)?.[0] ?? spec);
    }
  }
  return { files: [...files], packages: [...packages] };
}

/** The packages whose code a file contains, as its first line lists them. */
const packagesIn = (text: string): readonly string[] =>
  [...(/^\/\*! Contains (.*): see LICENSES/.exec(text)?.[1] ?? '').matchAll(/((?:@[\w-]+\/)?[\w-]+) \d/g)].map(
    ([, name = '']) => name,
  );

/** As built. */
describe.skipIf(!existsSync(join(root, 'dist', 'bundle')))('the published package', () => {
  const paths = published();

  test('matches package.json', async () => {
    const { messages } = await publint({ pkgDir: root, strict: true });
    expect(messages).toEqual([]);
  });

  test('contains the expected files and no others', () => {
    expect(wrongContents('assize', paths)).toEqual([]);
  });

  test('contains all its code, which imports only declared packages', () => {
    const { files, packages } = closure(
      [
        ...entries.map((entry) => entry.default),
        manifest.bin.assize,
        'dist/bundle/worker.js',
        'dist/bundle/serve-thread.js',
      ],
      '.js',
    );
    expect(paths).toEqual(expect.arrayContaining(files.map((file) => file.replace(/^\.\//, ''))));
    expect(named).toEqual(expect.arrayContaining(packages));
  });

  test('contains all its types, which depend only on Zod, commander, OpenTelemetry and themselves', () => {
    const { files, packages } = closure(
      entries.map(({ types }) => types),
      '.d.ts',
    );
    expect(paths).toEqual(expect.arrayContaining(files.map((file) => file.replace(/^\.\//, ''))));
    expect(packages.toSorted()).toEqual(['@opentelemetry/api', 'commander', 'zod']);
  });

  test('contains other packages in these files, with their licences', () => {
    const licences = read('dist/bundle/LICENSES.txt');
    const bundled = paths
      .filter((path) => /^dist\/bundle\/(?!studio-page).*\.js$/.test(path))
      .map((path) => [basename(path), packagesIn(read(path))] as const)
      .filter(([, names]) => names.length > 0);
    expect(Object.fromEntries(bundled)).toEqual({
      'base.js': ['fast-string-truncated-width', 'fast-string-width'],
      'changed-lines.js': ['diff'],
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
      'parse-json-with-places.js': ['jsonc-parser'],
      'read-parquet.js': ['hyparquet'],
      'yaml-parser.js': ['yaml'],
    });
    const listed = [...licences.matchAll(/^((?:@[\w-]+\/)?[\w-]+) \d\S+ \([\w.-]+\)$/gm)].map(([, name = '']) => name);
    const inPage = ['@marcbachmann/cel-js', 'preact', 'zod'];
    expect(listed.toSorted()).toEqual([...bundled.flatMap(([, names]) => names), ...inPage].toSorted());
    expect(licences).toContain('Remo H. Jansen');
    expect(licences).toContain('Kevin Decker');
  });

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
      join(root, manifest.bin.assize),
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
});
