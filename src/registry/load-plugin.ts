import { stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LoadedPlugin } from '../contract/index.js';
import { type AssizeError, closestName, toAssizeError } from '../diagnostics/index.js';
import { isFileSpec } from '../profile/index.js';
import { errorReason, importHint, PLUGIN_FORMS, type SourceTransform } from './import-error.js';
import { checkCodesAreFree } from './plugin-codes.js';
import { readPlugin } from './read-plugin.js';
import { loadShipped, type ShippedPlugins } from './shipped-plugins.js';

/** Loads a module by its absolute path. */
type Importer = (file: string) => Promise<Readonly<Record<string, unknown>>>;

const SDK_MODULE = 'assize/sdk';

/**
 * jiti runs TypeScript, decorators included, on every Node that we support, and finds `assize/sdk` for a file that
 * lies outside any project that has Assize installed. It is loaded with the first plugin that is a file.
 */
async function createImporter(sdk: string): Promise<Importer> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { alias: { [SDK_MODULE]: sdk }, fsCache: false });
  return (file) => jiti.import<Readonly<Record<string, unknown>>>(file);
}

/** The transform that was applied before running, here with a source map: needed only to locate an error. */
async function createTransform(): Promise<SourceTransform> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { fsCache: false, sourceMaps: true });
  return (source, filename) => jiti.transform({ source, filename, ts: /\.[cm]?ts$/.test(filename), async: true });
}

/** What loading a plugin needs besides its name. */
export interface PluginHost {
  readonly shipped: ShippedPlugins;
  /** The absolute path of the module that `assize/sdk` names; undefined in a program that was bundled without it. */
  readonly sdk: () => string | undefined;
  /** How long a plugin may take to load, in milliseconds: `PLUGIN_TIMEOUT_MS` when not given. */
  readonly timeoutMs?: number;
}

/** A plugin that awaits something for ever at its top level would make loading a profile wait for ever. */
const PLUGIN_TIMEOUT_MS = 30_000;

/** The value of a promise, unless it takes longer than so many milliseconds. What it waits for goes on by itself. */
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
 * With its host it is the `PluginLoader` that a profile is loaded with.
 *
 * @param spec the line
 * @param from the file, or a name in its folder, that a relative path and a package are looked up from
 * @param loaded the plugins that are in use with it: no two declare one code
 * @throws AssizeError (ASZ304 to ASZ306) when there is no such module, it fails, is not ready within 30 s, has no units,
 *   or one of its exports is malformed
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
  const file = isFileSpec(spec) ? resolve(dirname(from), spec) : await resolvePackage(spec, from, host);
  const name = isFileSpec(spec) ? basename(file, extname(file)) : spec;
  if (isFileSpec(spec)) await checkIsCode(spec, file);
  const plugin = await importPlugin(name, spec, file, host);
  if (plugin.units.size === 0 && plugin.services.length === 0) {
    throw pluginError(`${spec} exports no unit`, 'export classes with a static meta, or services');
  }
  return plugin;
}

const CODE_FILE = /\.[cm]?[jt]sx?$/i;

/**
 * Refuses what is no code: run as such, its error would say what is in it, and a pipe would be waited for. What is not
 * there, or is a folder, is looked up as an import is.
 */
async function checkIsCode(spec: string, file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory() || (found.isFile() && CODE_FILE.test(file))) return;
  throw pluginError(`plugin ${spec} is no code`, PLUGIN_FORMS);
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
      `${near ? `did you mean ${near}? ` : ''}it is no plugin that ships${names} and no installed package; a file starts with ./`,
      error,
    );
  }
}

function sdkOf(spec: string, host: PluginHost): string {
  const sdk = host.sdk();
  if (sdk !== undefined) return sdk;
  const hint =
    'import its units, and give them in code: createPipeline(profile, { units }); or tell the bundler that assize is external';
  throw pluginError(`plugin ${spec} cannot be loaded: this program was bundled without what loads files`, hint);
}

const pluginError = (message: string, hint: string, cause?: unknown): AssizeError =>
  toAssizeError([{ code: 'ASZ304', message, hint }], { cause });
