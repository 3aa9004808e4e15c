import type { LoadedPlugin } from '../sdk/index.js';
import type { ProfileSource } from '../profile/index.js';
import type { BrowserPipelineOptions } from './browser.js';
import type { Pipeline } from './pipeline.js';

/** `core` for a profile that uses none of its classes. */
const NO_CORE: LoadedPlugin = { name: 'core', units: new Map(), services: [], codes: {} };

/**
 * As `createPipeline` of `assize/browser`, with the same results. It loads the plugin `core` only if the profile may use
 * it, which makes the start of a page with its own units a seventh smaller.
 */
export async function createSmallPipeline<T = unknown>(
  profile: ProfileSource,
  options: BrowserPipelineOptions = {},
): Promise<Pipeline<T>> {
  const [{ createHostedPipeline }, core] = await Promise.all([
    import('./page-host.js'),
    mayUseCore(profile, options.units) ? import('./core-plugin.js').then(({ corePlugin }) => corePlugin) : NO_CORE,
  ]);
  return createHostedPipeline<T>(profile, options, core);
}

/**
 * Whether a profile, or a change of it, may name a class of `core`. A change gives an entry new params, so the units that
 * the profile names must have none.
 */
function mayUseCore(profile: ProfileSource, units: Readonly<Record<string, unknown>> = {}): boolean {
  if (typeof profile === 'string' || Object.hasOwn(profile, 'yaml') || Object.hasOwn(profile, 'extends')) return true;
  return hasClass(profile, (name) => !isWithoutParams(Object.hasOwn(units, name) ? units[name] : undefined));
}

/** Whether a value names a class for which the test holds, at any depth. A `pack` has a class by default. */
function hasClass(value: unknown, test: (name: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => hasClass(item, test));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) =>
      key === 'pack' || (key === 'class' && typeof item === 'string' && test(item)) || hasClass(item, test),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

function isWithoutParams(unit: unknown): boolean {
  const shape = [unit, 'meta', 'params', 'shape'].reduce((at, key) => (isRecord(at) ? at[String(key)] : undefined));
  return isRecord(shape) && Object.keys(shape).length === 0;
}
