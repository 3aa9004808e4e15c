import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../src/base/package-root.js';
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

/** As built. */
describe.skipIf(!existsSync(join(root, 'dist', 'bundle')))('the published package', () => {
  const paths = published();

  test('matches package.json', async () => {
    const { messages } = await publint({ pkgDir: root, strict: true });
    expect(messages).toEqual([]);
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

  test('contains all its types, which depend only on Zod, commander and themselves', () => {
    const { files, packages } = closure(
      entries.map(({ types }) => types),
      '.d.ts',
    );
    expect(paths).toEqual(expect.arrayContaining(files.map((file) => file.replace(/^\.\//, ''))));
    expect(packages.toSorted()).toEqual(['commander', 'zod']);
  });

  test('contains no other package, except inversify in one file, with the licences', () => {
    const bundled = paths
      .filter((path) => /^dist\/bundle\/.*\.js$/.test(path))
      .filter((path) => read(path).includes('// node_modules/'));
    expect(bundled).toEqual(['dist/bundle/inversify.js']);
    const text = read('dist/bundle/inversify.js');
    const packages = [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name = '']) => name);
    expect([...new Set(packages.map((name) => name.replace(/^@inversifyjs\/.*/, 'inversify')))].toSorted()).toEqual([
      'inversify',
      'reflect-metadata',
    ]);
    expect(text).toContain('Remo H. Jansen');
    expect(text).toContain('Copyright (c) 2024 inversify');
    expect(text).toContain('Licensed under the Apache License');
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
