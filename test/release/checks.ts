import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packageRoot } from '../../src/base/package-root.js';
import type { PackedPackage } from './packages.js';
import { outcome } from './run.js';

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

/** The packages whose code is in a bundle, but whose licence is not beside it. */
export function missingLicences(folder: string): readonly string[] {
  const ofCore = join(folder, 'dist', 'bundle');
  const bundle = existsSync(ofCore) ? ofCore : join(folder, 'dist');
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

/** The packages around the core that run with a core of another version, or do not name both versions. */
export function acceptedMismatches(
  installed: string,
  around: readonly PackedPackage[],
  into: string,
): readonly string[] {
  cpSync(installed, into, { recursive: true });
  const manifest = join(into, 'node_modules', 'assize', 'package.json');
  const other = '0.0.1-mismatch';
  const described = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, JSON.stringify({ ...described, version: other }));
  return around.flatMap(({ name, version }) => {
    const verb = name.replace('@assize/', '');
    const [code, output] = outcome(process.execPath, ['node_modules/assize/dist/bundle/cli.js', verb, '--help'], {
      cwd: into,
    });
    const isRefused = code !== 0 && [name, version, other].every((part) => output.includes(part));
    return isRefused ? [] : [`assize ${verb} with assize ${other} ends with exit code ${code}: ${output}`];
  });
}

const SCAFFOLDS = [
  ['scorer', 'brevity'],
  ['veto', 'too-long'],
] as const;

/** What fails of the packages that `assize new` writes: their own tests, or Vitest in the project around them. */
export function scaffoldProblems(installed: string): readonly string[] {
  const cli = 'node_modules/assize/dist/bundle/cli.js';
  const failing = SCAFFOLDS.flatMap(([kind, name]) => {
    const written = outcome(process.execPath, [cli, 'new', kind, name], { cwd: installed });
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
