import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { WorkspacePackage } from '../workspace.js';

const SPECS = /^(?:(?:import|export)\b[^;]*?\bfrom\s*|import\s*)(["'])([^"']+)\1|\bimport\(\s*(["'])([^"']+)\3\s*\)/gm;

/** What programs load of a package, sooner or later. */
interface Needed {
  /** From the folder of the package. */
  readonly files: readonly string[];
  /** The other packages that these import. */
  readonly packages: readonly string[];
}

/**
 * The files and packages that some files of a package import, directly or indirectly.
 *
 * @param folder of the package
 * @param ending of the files: an import of `./x.js` is of the types next to it, or of the code
 */
function neededBy(folder: string, starts: readonly string[], ending: '.js' | '.d.ts'): Needed {
  const files = new Set(starts.map((start) => posix.normalize(start)));
  const packages = new Set<string>();
  for (const file of files) {
    if (!existsSync(join(folder, file))) continue;
    const text = readFileSync(join(folder, file), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    for (const [, , fixed, , late] of text.matchAll(SPECS)) {
      const spec = fixed ?? late ?? '';
      if (spec.startsWith('.')) files.add(posix.join(dirname(file), spec.replace(/\.js$/, ending)));
      else if (!spec.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(spec)?.[0] ?? spec);
    }
  }
  return { files: [...files], packages: [...packages] };
}

/** A folder of a package, from the package's own folder. */
export const inPackage = ({ folder }: WorkspacePackage, path: string): string => posix.relative(folder, path);

const targetsOf = ({ manifest }: WorkspacePackage) =>
  Object.values(manifest.exports).filter((target) => typeof target === 'object');

/** What the code of a package needs. */
export function neededCode(one: WorkspacePackage, folder: string): Needed {
  const others = Object.keys(one.others).map((name) => `${inPackage(one, one.bundle)}/${name}.js`);
  return neededBy(folder, [...targetsOf(one).map((target) => target.default), ...others], '.js');
}

/** What the types of a package need. */
export const neededTypes = (one: WorkspacePackage, folder: string): Needed =>
  neededBy(
    folder,
    targetsOf(one).map(({ types }) => types),
    '.d.ts',
  );

/** A file that a package reads as text: it imports nothing. */
const READ_AS_TEXT = ['dist/studio-page.js'];

/** Words: no hashes, which differ in each release, and no numbers, which depend on the order of files. */
const NAME = /^[a-z]+(?:-[a-z]+)*(?:\.d\.ts|\.js)$/;

/**
 * What is wrong with the code and the types of a package: files that are missing or that nothing needs, their names, and
 * packages that its package.json does not list.
 *
 * @param folder where the package is built or installed
 */
export function codeProblems(one: WorkspacePackage, folder: string): readonly string[] {
  const { dependencies, peerDependencies } = one.manifest;
  const declared = Object.keys({ ...dependencies, ...peerDependencies });
  const [code, types] = [neededCode(one, folder), neededTypes(one, folder)];
  const needed = [...code.files, ...types.files, ...READ_AS_TEXT];
  const present = [one.bundle, one.types].flatMap((path) =>
    readdirSync(join(folder, inPackage(one, path)), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:js|d\.ts)$/.test(entry.name))
      .map((entry) => `${inPackage(one, path)}/${entry.name}`),
  );
  return [
    ...[...code.files, ...types.files].filter((file) => !present.includes(file)).map((file) => `${file} is missing`),
    ...present.filter((file) => !needed.includes(file)).map((file) => `${file} is not needed`),
    ...present.filter((file) => !NAME.test(posix.basename(file))).map((file) => `${file}: the name is not words alone`),
    ...[...new Set([...code.packages, ...types.packages])]
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is imported, and package.json does not list it`),
  ];
}
