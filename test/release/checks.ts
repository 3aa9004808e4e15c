import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packageRoot } from '../../src/base/package-root.js';
import { CLI, installInto, type PackedPackage } from './packages.js';
import { outcome, run } from './run.js';

/** What `publint` reports on an installed package. */
export async function publintProblems(folder: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** What `@arethetypeswrong/cli` reports on a tarball, for a package of ES modules. */
export function typeProblems({ tarball }: PackedPackage): readonly string[] {
  const attw = join(packageRoot(), 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const args = [attw, tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji'];
  const [code, output] = outcome(process.execPath, args, { cwd: packageRoot() });
  return code === 0 ? [] : [output];
}

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/**
 * The packages whose code is in the files of a folder, but whose licence is not beside it.
 *
 * @param bundle the folder
 */
export function missingLicences(bundle: string): readonly string[] {
  const list = join(bundle, 'LICENSES.txt');
  const listed = new Set(
    existsSync(list) ? namesIn(readFileSync(list, 'utf8'), /^((?:@[\w.-]+\/)?[\w.-]+) \d\S* \(\S+\)$/gm) : [],
  );
  return readdirSync(bundle)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => {
      const text = readFileSync(join(bundle, file), 'utf8');
      const contains = /^\/\*! Contains (.*): see LICENSES/.exec(text)?.[1] ?? '';
      const names = [
        ...namesIn(contains, /((?:@[\w.-]+\/)?[\w.-]+) \d/g),
        ...namesIn(text, /^\/\/ (?:\.\.\/)*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm),
      ];
      return [...new Set(names)].filter((name) => !listed.has(name)).map((name) => `${file}: ${name}`);
    });
}

const SCAFFOLDS = [
  ['scorer', 'brevity'],
  ['veto', 'too-long'],
] as const;

/** What fails of the packages that `assize new` writes: their own tests, or Vitest in the project around them. */
export function scaffoldProblems(installed: string): readonly string[] {
  const failing = SCAFFOLDS.flatMap(([kind, name]) => {
    const written = outcome(process.execPath, [CLI, 'new', kind, name], { cwd: installed });
    const tested = outcome('npm', ['test'], { cwd: join(installed, `${name}-${kind}`) });
    return [written, tested].filter(([code]) => code !== 0).map(([, output]) => output);
  });
  writeFileSync(join(installed, 'own.test.mjs'), 'test("own", () => {});\n');
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const [code, output] = outcome(process.execPath, [vitest, 'run', '--globals', '--root', installed], {
    cwd: installed,
  });
  return code === 0 ? failing : [...failing, output];
}

/** The files of `create-assize`. */
const CREATE_FILES = ['LICENSE', 'README.md', 'index.js', 'package.json'];

/** What is wrong with `create-assize`: its files, or the folders that it writes, once they are installed. */
export function createProblems(core: PackedPackage, into: string): readonly string[] {
  mkdirSync(into);
  const pack = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', into];
  const [packed] = JSON.parse(run('npm', pack, { cwd: join(packageRoot(), 'plugins', 'create-assize') })) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  const files = packed.files.map(({ path }) => path).toSorted();
  const { folder } = installInto(join(into, 'project'), [core.tarball, join(into, packed.filename)]);
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', core.tarball];
  const failing = [[], ['--ts']].flatMap((options) => {
    const name = options.length === 0 ? 'mine' : 'mine-ts';
    const cwd = join(folder, name);
    const steps = [
      outcome('npx', ['--no-install', 'create-assize', name, ...options], { cwd: folder }),
      outcome('npm', install, { cwd }),
      outcome('npm', ['test'], { cwd }),
      outcome('npm', ['run', 'rank'], { cwd }),
    ];
    return steps.filter(([code]) => code !== 0).map(([, output]) => output);
  });
  return files.join() === CREATE_FILES.join() ? failing : [`create-assize contains ${files.join(', ')}`, ...failing];
}
