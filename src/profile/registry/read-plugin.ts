import type { UnitKind, LoadedPlugin, ServiceBinding, UnitClass } from '../../sdk/index.js';
import { isCoreCode, PROBLEM_CODES, toAssizeError, describeValue, type Problem } from '../../base/index.js';

const UNIT_KINDS: ReadonlySet<unknown> = new Set<UnitKind>([
  'veto',
  'scorer',
  'signal',
  'generator',
  'selector',
  'report',
]);

/** A class has exactly one of these methods. Kinds other than veto and scorer depend on the run, so they prepare. */
const METHODS_BY_KIND: Readonly<Record<UnitKind, readonly string[]>> = {
  veto: ['compile', 'prepare'],
  scorer: ['compile', 'prepare'],
  signal: ['prepare'],
  generator: ['prepare'],
  selector: ['prepare'],
  report: ['prepare'],
};

const hasProperties = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

/** Why a class that looks like a unit is malformed. Undefined if it is valid. */
function invalidUnitReason(unit: { readonly meta?: unknown; readonly prototype?: unknown }): string | undefined {
  const { meta, prototype } = unit;
  if (!hasProperties(meta))
    return 'it has no `static meta`: describe it with defineScorer({ summary, params }) or defineVeto';
  if (!UNIT_KINDS.has(meta['kind']))
    return 'its meta has no kind: create it with defineScorer, defineVeto or a similar function';
  if (!hasProperties(meta['params']) || typeof meta['params']['safeParse'] !== 'function') {
    return 'its meta has no `params`: a Zod schema, z.strictObject({}) if it has none';
  }
  const methods = METHODS_BY_KIND[meta['kind'] as UnitKind];
  const has = methods.filter((method) => hasProperties(prototype) && typeof prototype[method] === 'function');
  if (has.length === 0) return `a ${String(meta['kind'])} needs a method ${methods.join(' or ')}`;
  if (has.length > 1)
    return 'it has both compile and prepare: keep compile if it can score a candidate alone, else prepare';
  return undefined;
}

/** Whether an export is meant as a unit: it has a meta or a unit's method. Other functions and constants are ignored. */
const looksLikeUnit = (value: unknown): value is UnitClass =>
  typeof value === 'function' &&
  ('meta' in value ||
    (hasProperties(value.prototype) && ('compile' in value.prototype || 'prepare' in value.prototype)));

const isUnitInstance = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  looksLikeUnit(value.constructor) &&
  !Object.hasOwn(value, 'constructor');

/** Why a value given in code is not a unit. Undefined for a constant, which a module may export next to its units. */
function invalidCodeUnitReason(key: string, value: unknown): string | undefined {
  if (typeof value === 'symbol') return `${key} is a symbol: a unit is a class, or made by scorer(fn) or veto(fn)`;
  if (isUnitInstance(value)) return `${key} is an instance of a class: give the class itself, without new`;
  if (typeof value !== 'function') return undefined;
  if (!/^class\b/.test(Function.prototype.toString.call(value)))
    return `${key} is a plain function: wrap it as scorer(fn) or veto(fn)`;
  return `${key} is not a unit: ${invalidUnitReason(value)}`;
}

/** Why a service binding is malformed. The container would fail on it without naming its plugin. */
function invalidServiceReason(binding: unknown): string | undefined {
  if (!hasProperties(binding)) return `expected { token, class or value }, found ${describeValue(binding)}`;
  if (typeof binding['token'] !== 'symbol')
    return `its token is ${describeValue(binding['token'])}: make one with serviceToken(name)`;
  if ('class' in binding)
    return typeof binding['class'] === 'function' ? undefined : `its class is ${describeValue(binding['class'])}`;
  return 'value' in binding ? undefined : 'it has neither class nor value';
}

/** The problems of a list of service bindings. */
export function serviceProblems(name: string, services: unknown): Problem[] {
  if (!Array.isArray(services)) {
    const message = `the services of ${name} are not a list of { token, class or value }`;
    return [{ code: 'ASZ305', message }];
  }
  return services.flatMap((binding: unknown, index): Problem[] => {
    const reason = invalidServiceReason(binding);
    return reason === undefined
      ? []
      : [{ code: 'ASZ305', message: `services[${index}] of ${name} is not a service: ${reason}` }];
  });
}

/**
 * Reads the units, services and codes of a module, or of any object whose keys are class names.
 *
 * @param from 'module' ignores exports that are not units, 'code' reports functions and classes that are not units
 * @throws AssizeError naming every malformed unit, service and code
 */
export function readPlugin(
  name: string,
  exports: Readonly<Record<string, unknown>>,
  from: 'code' | 'module' = 'code',
): LoadedPlugin {
  const units = new Map<string, UnitClass>();
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(exports)) {
    if (!looksLikeUnit(value)) {
      const message = from === 'code' ? invalidCodeUnitReason(key, value) : undefined;
      if (message !== undefined) problems.push({ code: 'ASZ305', message });
      continue;
    }
    const reason = invalidUnitReason(value);
    if (reason === undefined) units.set(key, value);
    else problems.push({ code: 'ASZ305', message: `${key} of ${name} is not a unit: ${reason}` });
  }
  const { services = [], codes = {} } = exports;
  problems.push(...serviceProblems(name, services));
  const declared = readCodes(name, codes, problems);
  if (problems.length > 0) throw toAssizeError(problems);
  return { name, units, services: services as readonly ServiceBinding[], codes: declared };
}

/** The letters of a plugin, and three digits. */
const CODE_FORMAT = /^[A-Z]{2,}\d{3}$/;
const FORM_HINT = 'a code is capital letters of its plugin and three digits: ACME001';

const takenProblem = (code: string, plugin: string, owner: string, meaning: string | undefined): Problem => ({
  code: 'ASZ306',
  message: `the code ${code} of ${plugin} is also one of ${owner}: ${JSON.stringify(meaning)}`,
  hint: FORM_HINT,
});

/**
 * Reads the codes that a plugin's export `codes` declares.
 *
 * @param problems receives malformed codes, and codes that the core declares itself
 */
function readCodes(plugin: string, declared: unknown, problems: Problem[]): LoadedPlugin['codes'] {
  const codes: Record<string, string> = {};
  const refuse = (message: string): void => void problems.push({ code: 'ASZ306', message, hint: FORM_HINT });
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
    refuse(`the codes of ${plugin} are ${describeValue(declared)}; expected a map of codes, each with its meaning`);
    return codes;
  }
  for (const [code, meaning] of Object.entries(declared) as Iterable<[string, unknown]>) {
    if (isCoreCode(code)) problems.push(takenProblem(code, plugin, 'core', PROBLEM_CODES[code]));
    else if (!CODE_FORMAT.test(code)) refuse(`the code ${code} of ${plugin} is malformed`);
    else if (typeof meaning === 'string' && meaning.trim() !== '') codes[code] = meaning;
    else refuse(`the code ${code} of ${plugin} means ${describeValue(meaning)}; expected a sentence`);
  }
  return codes;
}

/**
 * Checks that no other plugin declares a code of this one. Two profiles may name the same plugin.
 *
 * @throws AssizeError (ASZ306) naming both plugins of each such code
 */
export function checkCodesAreFree(plugin: LoadedPlugin, loaded: readonly LoadedPlugin[]): void {
  const problems = loaded.flatMap((other) =>
    Object.entries(plugin.codes).flatMap(([code, meaning]) => {
      if (!Object.hasOwn(other.codes, code)) return [];
      if (other.name === plugin.name && other.codes[code] === meaning) return [];
      return [takenProblem(code, plugin.name, other.name, other.codes[code])];
    }),
  );
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The plugins that ship with Assize, by name. Each is loaded when a profile first names it. */
export type ShippedPlugins = Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>;

/**
 * Loads a plugin that ships.
 *
 * @param loaded the plugins used together with it. No two may declare the same code
 * @returns undefined if no shipped plugin has that name
 * @throws AssizeError (ASZ306)
 */
export async function loadShipped(
  name: string,
  shipped: ShippedPlugins,
  loaded: readonly LoadedPlugin[],
): Promise<LoadedPlugin | undefined> {
  const load = Object.hasOwn(shipped, name) ? shipped[name] : undefined;
  if (load === undefined) return undefined;
  const plugin = readPlugin(name, await load(), 'module');
  checkCodesAreFree(plugin, loaded);
  return plugin;
}
