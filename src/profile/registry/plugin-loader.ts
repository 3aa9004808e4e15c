/**
 * Loads plugins that are files or packages, which needs Node.
 *
 * @module
 */

import { readFile, stat } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import { basename, dirname, extname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LoadedPlugin } from '../../sdk/index.js';
import {
  closestName,
  toAssizeError,
  type AssizeError,
  errorCode,
  isModuleNotFound,
  toError,
} from '../../base/index.js';
import { isFileSpec } from '../source/source-loader.js';
import { checkCodesAreFree, loadShipped, readPlugin, type ShippedPlugins } from './read-plugin.js';

/** Loads a module by its absolute path. */
type Importer = (file: string) => Promise<Readonly<Record<string, unknown>>>;

const SDK_MODULE = 'assize/sdk';

/**
 * jiti runs TypeScript, decorators included, on every Node that we support. It resolves `assize/sdk` for a file outside
 * any project that has Assize installed. It is loaded with the first plugin that is a file.
 */
async function createImporter(sdk: string): Promise<Importer> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { alias: { [SDK_MODULE]: sdk }, fsCache: false });
  return (file) => jiti.import<Readonly<Record<string, unknown>>>(file);
}

/** The same transform with a source map, to locate an error. */
async function createTransform(): Promise<SourceTransform> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { fsCache: false, sourceMaps: true });
  return (source, filename) => jiti.transform({ source, filename, ts: /\.[cm]?ts$/.test(filename), async: true });
}

/** The environment that loads plugins. */
export interface PluginHost {
  readonly shipped: ShippedPlugins;
  /** The absolute path of `assize/sdk`, or undefined in a program that was bundled without it. */
  readonly sdk: () => string | undefined;
  /** The maximum time to load a plugin, in milliseconds. Defaults to `PLUGIN_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
}

/** Without a limit, a plugin whose top-level await never ends would block its profile forever. */
const PLUGIN_TIMEOUT_MS = 30_000;

/** Rejects if a promise takes longer than `ms`. The work itself is not stopped. */
async function withinTime<V>(work: Promise<V>, ms: number): Promise<V> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotReadyError(`it was not ready after ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class NotReadyError extends Error {}

/**
 * Loads one line of a profile's `plugins`: a plugin that ships, a file (TypeScript or JavaScript), or an npm package.
 *
 * @param spec the line
 * @param from the file, or a name in its folder, that relative paths and packages are resolved from
 * @param loaded the plugins used together with it. No two may declare the same code
 * @throws AssizeError (ASZ304 to ASZ306) if the module does not exist, fails, does not load within 30 s, has no units,
 *   or has a malformed export
 */
export async function loadPlugin(
  spec: string,
  from: string,
  host: PluginHost,
  loaded: readonly LoadedPlugin[] = [],
): Promise<LoadedPlugin> {
  const shipped = await loadShipped(spec, host.shipped, loaded);
  if (shipped !== undefined) return shipped;
  const plugin = await importSpec(spec, from, host);
  checkCodesAreFree(plugin, loaded);
  return plugin;
}

async function importSpec(spec: string, from: string, host: PluginHost): Promise<LoadedPlugin> {
  const file = await pluginFile(spec, from, host);
  const name = isFileSpec(spec) ? basename(file, extname(file)) : spec;
  if (isFileSpec(spec)) await checkIsCode(spec, file);
  const plugin = await importPlugin(name, spec, file, host);
  if (plugin.units.size === 0 && plugin.services.length === 0) {
    throw pluginError(`${spec} exports no unit`, 'export classes with a static meta, or services');
  }
  return plugin;
}

/**
 * The module of a plugin that does not ship.
 *
 * @param spec its line in a profile's `plugins`
 * @param from the file, or a name in its folder, that it is resolved from
 * @throws AssizeError (ASZ304) if it is a package that is not installed
 */
export const pluginFile = async (spec: string, from: string, host: PluginHost): Promise<string> =>
  isFileSpec(spec) ? resolve(dirname(from), spec) : resolvePackage(spec, from, host);

const CODE_FILE = /\.[cm]?[jt]sx?$/i;

/**
 * Refuses files that are not code: the error of running one would show its content, and reading a pipe would block.
 * Missing files and folders are resolved like an import.
 */
async function checkIsCode(spec: string, file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory() || (found.isFile() && CODE_FILE.test(file))) return;
  throw pluginError(`plugin ${spec} is not code`, PLUGIN_FORMS);
}

async function importPlugin(name: string, spec: string, file: string, host: PluginHost): Promise<LoadedPlugin> {
  const { timeoutMs = PLUGIN_TIMEOUT_MS } = host;
  const sdk = sdkOf(spec, host);
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = await withinTime((await createImporter(sdk))(file), timeoutMs);
  } catch (error) {
    const hint =
      error instanceof NotReadyError
        ? `an await at the top level of ${file}, or of what it imports, has not ended: wait in prepare instead`
        : await importHint(file, error, await createTransform(), SDK_MODULE);
    throw pluginError(`plugin ${spec} cannot be loaded: ${errorReason(error)}`, hint, error);
  }
  return readPlugin(name, exports, 'module');
}

async function resolvePackage(spec: string, from: string, host: PluginHost): Promise<string> {
  const { resolve: resolveModule } = await import('import-meta-resolve');
  try {
    return fileURLToPath(resolveModule(spec, pathToFileURL(from).href));
  } catch (error) {
    const shipped = Object.keys(host.shipped);
    const near = closestName(spec, shipped);
    const names = shipped.length > 0 ? ` (${shipped.join(', ')})` : '';
    throw pluginError(
      `plugin ${spec} is not found`,
      `${near ? `did you mean ${near}? ` : ''}it is not a shipped plugin${names} or an installed package; a file starts with ./`,
      error,
    );
  }
}

function sdkOf(spec: string, host: PluginHost): string {
  const sdk = host.sdk();
  if (sdk !== undefined) return sdk;
  const hint =
    'import its units, and give them in code: createPipeline(profile, { units }); or tell the bundler that assize is external';
  throw pluginError(`plugin ${spec} cannot be loaded: this program was bundled without the file loader`, hint);
}

const pluginError = (message: string, hint: string, cause?: unknown): AssizeError =>
  toAssizeError([{ code: 'ASZ304', message, hint }], { cause });

/** Node's record of a module that was required, or that jiti ran. */
interface CachedModule {
  readonly filename: string;
  readonly children?: readonly CachedModule[];
}

const cacheOf = (file: string): Record<string, CachedModule | undefined> => createRequire(file).cache;

/**
 * The modules of a plugin that was loaded from a file: the file and its imports, without packages and Assize.
 *
 * @param file an absolute path
 * @param sdk  the path of `assize/sdk`
 */
export function pluginModules(file: string, sdk: string | undefined): readonly string[] {
  const own = sdk === undefined ? undefined : dirname(sdk) + sep;
  const found = new Set([file]);
  const visit = (module: CachedModule | undefined): void => {
    for (const child of module?.children ?? []) {
      const { filename } = child;
      const isForeign =
        filename.includes(`${sep}node_modules${sep}`) || (own !== undefined && filename.startsWith(own));
      if (isForeign || found.has(filename)) continue;
      found.add(filename);
      visit(child);
    }
  };
  visit(cacheOf(file)[file]);
  return [...found];
}

/**
 * Whether Node itself imported a loaded module and keeps it until the process ends, as it does ES modules in
 * JavaScript. jiti runs TypeScript, and JavaScript in a package without `"type": "module"`.
 */
export const isKeptForGood = (file: string): boolean => cacheOf(file)[file] === undefined || file.endsWith('.cjs');

/** Removes modules from the cache, so that the next import loads them again. */
export function forgetModules(files: Iterable<string>): void {
  for (const file of files) delete cacheOf(file)[file];
}

/** The allowed forms of a plugin, for hints. */
const PLUGIN_FORMS = 'a plugin is JavaScript or TypeScript: .js, .mjs, .cjs, .ts …';

/** A line and a column, both counted from 1. */
interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Transforms a file's text into plain JavaScript with an inline source map. */
type SourceTransform = (source: string, file: string) => string;

/** The first line of an error's message. */
const errorReason = (error: unknown): string => {
  const first = toError(error).message.split('\n')[0] ?? '';
  return first.trimEnd().replaceAll(/\(0 , \w+\.(\w+)\)/g, '$1'); // a transformed call of an imported function
};

/** The first frame of an error's stack in a plugin's own file. */
function findStackFrame(
  file: string,
  { stack = '' }: Error,
): { readonly at: SourcePosition; readonly native: boolean } | undefined {
  for (const line of stack.split('\n').filter((text) => /^\s+at /.test(text))) {
    for (const place of [file, pathToFileURL(file).href]) {
      const start = line.indexOf(`${place}:`);
      const found = start < 0 ? null : /^:(\d+):(\d+)\)?$/.exec(line.slice(start + place.length));
      if (found) return { at: { line: Number(found[1]), column: Number(found[2]) }, native: place !== file };
    }
  }
  return undefined;
}

/** The position below the message of a syntax error, whose columns count from 0. */
function syntaxErrorLocation({ message }: Error): string | undefined {
  for (const line of message.split('\n').slice(1)) {
    const [, file, row, column] = /^\s*((?:[\\/]|[A-Za-z]:|file:).*?):(\d+)(?::(\d+))?\s*$/.exec(line) ?? [];
    if (file !== undefined) return `${file}:${row}${column === undefined ? '' : `:${Number(column) + 1}`}`;
  }
  return undefined;
}

const INLINE_SOURCE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([\w+/=]+)/;

/** Maps a position in the transformed text to the source. Undefined if it is not mapped. */
async function originalPosition(
  file: string,
  { line, column }: SourcePosition,
  transform: SourceTransform,
): Promise<SourcePosition | undefined> {
  try {
    const encoded = INLINE_SOURCE_MAP.exec(transform(await readFile(file, 'utf8'), file))?.[1];
    if (encoded === undefined) return undefined;
    const map = new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()));
    const entry = map.findEntry(line - 1, column - 1);
    if (!('originalLine' in entry)) return undefined;
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    return undefined;
  }
}

async function errorLocation(file: string, error: Error, transform: SourceTransform): Promise<string | undefined> {
  const frame = findStackFrame(file, error);
  if (frame === undefined) return syntaxErrorLocation(error);
  const { at, native } = frame;
  // Node's own loader runs the file as written. A transform keeps lines but not columns.
  const own = native || /[\\/]node_modules[\\/]|\.cjs$/.test(file) ? at : await originalPosition(file, at, transform);
  return own ? `${file}:${own.line}:${own.column}` : `${file}:${at.line}`;
}

/** The hint for a plugin that cannot be imported: where it fails, or where it was searched. */
async function importHint(file: string, error: unknown, transform: SourceTransform, sdk: string): Promise<string> {
  if (errorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION') return PLUGIN_FORMS;
  const place = error instanceof Error ? await errorLocation(file, error, transform) : undefined;
  const missing = isModuleNotFound(error);
  const where =
    place === undefined ? (missing ? `it was looked for at ${file}` : `it fails in ${file}`) : `it fails at ${place}`;
  // Outside a project with Assize installed, only the SDK is resolved. The error has no code that names the module.
  const isMainEntry = missing && errorReason(error).includes("'assize'");
  return isMainEntry ? `import from '${sdk}', which every plugin finds; ${where}` : where;
}
