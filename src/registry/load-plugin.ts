import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssizeError, type NamedPack } from '../contract/index.js';
import { readPack } from './read-pack.js';

/** Loads a module by its absolute path. */
type Importer = (file: string) => Promise<Readonly<Record<string, unknown>>>;

/** Packs that ship with Assize, by name; loaded only when a profile names them. */
export type ShippedPacks = Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;

const SDK = 'assize/sdk';

/**
 * jiti runs TypeScript, decorators included, on every Node that we support, and finds `assize/sdk` for a file that
 * lies outside any project that has Assize installed. It is loaded with the first plugin that is a file.
 */
async function importFile(sdk: string): Promise<Importer> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { alias: { [SDK]: sdk }, fsCache: false });
  return (file) => jiti.import<Readonly<Record<string, unknown>>>(file);
}

/** Whether a line of `plugins` names a file, and no package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || isAbsolute(spec) || /\.[cm]?[jt]s$/.test(spec);

const reasonOf = (error: unknown): string =>
  ((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '').trimEnd();

/** Where in a plugin's own file the error was thrown: the first frame there, whatever it called. */
function frameIn(file: string, { stack = '' }: Error): string | undefined {
  const places = [file, pathToFileURL(file).href];
  for (const line of stack.split('\n').filter((text) => /^\s+at /.test(text))) {
    const position = /^(:\d+:\d+)\)?$/;
    for (const place of places) {
      const start = line.indexOf(`${place}:`);
      const found = start < 0 ? undefined : position.exec(line.slice(start + place.length))?.[1];
      if (found !== undefined) return `${file}${found}`;
    }
  }
  return undefined;
}

/** The position that a syntax error carries: jiti's under its message, Node's above its stack. */
function syntaxPosition({ message, stack = '' }: Error): string | undefined {
  const under = message.split('\n').slice(1);
  const above = stack.split('\n').slice(0, 1);
  return [...under, ...above].map((line) => /^\s*((?:[\\/]|[A-Za-z]:|file:).*:\d+)\s*$/.exec(line)?.[1]).find(Boolean);
}

/** What to do about a plugin that was found, or not, and could not be imported. */
function importHint(file: string, error: unknown): string {
  const place = error instanceof Error ? (frameIn(file, error) ?? syntaxPosition(error)) : undefined;
  const where = place === undefined ? `it was looked for at ${file}` : `it fails at ${place}`;
  // Only the SDK is found for a file outside any project that has Assize installed.
  return /^Cannot find (?:module|package) 'assize'/.test(reasonOf(error))
    ? `import from '${SDK}', which every plugin finds; ${where}`
    : where;
}

/** What loading plugins needs to know of the outside. */
export interface PluginHost {
  readonly shipped: ShippedPacks;
  /** The absolute path of the module that `assize/sdk` names. */
  readonly sdk: string;
}

/**
 * Loads one line of a profile's `plugins`: a pack that ships, a file (TypeScript or JavaScript), or an npm package.
 *
 * @param spec as the profile says it
 * @param from the file or folder that a relative path and a package are looked up from
 * @throws AssizeError (ASZ304, ASZ305) when there is no such module, it fails, or it has no units
 */
export async function loadPlugin(spec: string, from: string, host: PluginHost): Promise<NamedPack> {
  const shipped = Object.hasOwn(host.shipped, spec) ? host.shipped[spec] : undefined;
  if (shipped) return readPack(spec, await shipped(), 'module');
  const file = isFileSpec(spec) ? resolve(dirname(from), spec) : await resolvePackage(spec, from, host);
  const name = isFileSpec(spec) ? basename(file, extname(file)) : spec;
  const pack = await importPack(name, spec, file, host.sdk);
  if (pack.units.size === 0 && pack.services.length === 0) {
    throw problem(`${spec} exports no unit`, 'export classes with a static meta, or services');
  }
  return pack;
}

async function importPack(name: string, spec: string, file: string, sdk: string): Promise<NamedPack> {
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = await (await importFile(sdk))(file);
  } catch (error) {
    throw problem(`plugin ${spec} cannot be loaded: ${reasonOf(error)}`, importHint(file, error), error);
  }
  return readPack(name, exports, 'module');
}

async function resolvePackage(spec: string, from: string, host: PluginHost): Promise<string> {
  const { resolve: resolveModule } = await import('import-meta-resolve');
  try {
    return fileURLToPath(resolveModule(spec, pathToFileURL(from).href));
  } catch (error) {
    const packs = Object.keys(host.shipped);
    throw problem(
      `plugin ${spec} is not found`,
      `it is no pack that ships${packs.length > 0 ? ` (${packs.join(', ')})` : ''} and no installed package; a file starts with ./`,
      error,
    );
  }
}

const problem = (message: string, hint: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ304', message, hint }], message, { cause });
