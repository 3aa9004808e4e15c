import { isDeepStrictEqual } from 'node:util';
import { createPipeline } from '../pipeline/node.js';
import type {
  BatchScope,
  UnitKind,
  ServiceBinding,
  Context,
  Score,
  SelectorLimits,
  UnitClass,
  UnitInstance,
} from '../sdk/index.js';
import { checkOptions, describeValue, isObject, type OptionTypes, toAssizeError } from '../base/index.js';
import type { CandidateRead, ProfileInput } from '../profile/index.js';
import type { Ranking } from '../ranking/index.js';

/** The input of `checkUnit`. */
export interface UnitExample {
  /** Realistic candidates and edge cases such as an empty list or an absent field. About ten are enough. */
  readonly candidates: readonly object[];
  /** The params as a profile has them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The context of every run; `now` is a fixed time by default. */
  readonly context?: Context;
  /** Services to inject into the unit, in place of the included ones. */
  readonly services?: readonly ServiceBinding[];
  /** Other units that the params or the profile name, by class name. */
  readonly units?: Readonly<Record<string, unknown>>;
  /** The rest of the profile: signals and measures that the unit reads. It must not refuse any candidate. */
  readonly profile?: ProfileInput;
  /** The expected scope. If params contain nested units, give the widest scope; by default the unit's own. */
  readonly scope?: BatchScope;
  /** Whether the unit may fail on some candidates, for malformed examples. */
  readonly mayFail?: boolean;
  /** For a selector: the score and cost of each candidate, by position, the pinned first. */
  readonly rows?: readonly RowExample[];
  /** For a selector: its limits; unlimited by default. */
  readonly limits?: SelectorLimits;
  /** For a selector: whether it, or a nested one, may exceed the limits; by default as its meta declares. */
  readonly overflows?: boolean;
}

/** The types of an example's keys. The engine checks params, units and services itself. */
const EXAMPLE_OPTIONS: OptionTypes = {
  candidates: 'list',
  params: 'anything',
  context: 'anything',
  services: 'anything',
  units: 'anything',
  profile: 'anything',
  scope: 'anything',
  mayFail: 'boolean',
  rows: 'list',
  limits: 'anything',
  overflows: 'boolean',
};

/** @throws AssizeError (ASZ305) if a unit is not a class with a meta */
export function checkUnitClass(call: string, unit: unknown): void {
  if (typeof unit === 'function' && isObject(Reflect.get(unit, 'meta'))) return;
  const message = `the unit of ${call} is ${describeValue(unit)}; expected a class with a static meta`;
  const hint = typeof unit === 'function' ? 'wrap a function: scorer(fn) or veto(fn)' : undefined;
  throw toAssizeError([{ code: 'ASZ305', message, hint }]);
}

/** @throws AssizeError (ASZ533) if it is not an example: with an ignored key, a test would check nothing */
export function checkExample(call: string, example: unknown): void {
  if (Array.isArray(example)) {
    const message = `the example of ${call} is a list; expected an object`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'pass { candidates: [ … ] }' }]);
  }
  checkOptions(call, example, EXAMPLE_OPTIONS);
}

/** A row of a selector's example. */
export interface RowExample {
  readonly score: number;
  readonly cost: number;
  readonly pinned?: boolean;
}

/** The id and the class name of the unit's entry. */
const ENTRY = 'unit_under_test';
const CLASS = 'UnitUnderTest';

/** One run of the unit. */
interface UnitRun {
  readonly call: RecordedCall;
  /** By candidate: the values of the unit's score, called directly. */
  readonly results: readonly UnitResult[];
  /** Undefined if a selector failed the run. */
  readonly ranking: Ranking<object> | undefined;
}

/** A pipeline with the unit in it. Runs of one session share the unit's memory. */
export interface TestSession {
  /** The fields of candidates that the unit reads, by its params and its class. */
  readonly reads: readonly CandidateRead[];
  run(candidates: readonly object[] | undefined): Promise<UnitRun>;
}

const now = '2026-01-01T00:00:00Z';

/** The budget of a selector under test: rules pass it the example's rows, and the run only prepares it. */
const AMPLE_PACK = { cost: '1.0 + 0.0', budget: 1e6, overflow: 'proceed' } as const;

/** A profile with the unit in it. A scorer is added as a measure, because the value of a measure cannot refuse a candidate. */
function profileOf(unit: UnitClass, example: UnitExample, params: UnitExample['params']): ProfileInput {
  const around = example.profile ?? {};
  const entry = { id: ENTRY, class: CLASS, ...(params && { params }) };
  switch (unit.meta.kind) {
    case 'veto':
      return { ...around, tier1_scorers: [entry] };
    case 'signal':
      return { ...around, signals: [...(around.signals ?? []), { ...entry, on_error: 'fail' }] };
    case 'generator':
      return { ...around, strategies: [{ id: ENTRY, focus: { class: CLASS, ...(params && { params }) } }] };
    case 'report':
      return { ...around, report: [entry] };
    case 'selector':
      return { ...around, select: { pack: { ...AMPLE_PACK, class: CLASS, ...(params && { params }) } } };
    default:
      return { ...around, measures: [...(around.measures ?? []), entry] };
  }
}

/**
 * Loads a profile with the unit as its only entry.
 *
 * @throws AssizeError if the params do not match the unit's schema
 */
export async function openTestSession(
  unit: UnitClass,
  example: UnitExample,
  params: UnitExample['params'] = example.params,
): Promise<TestSession> {
  const { unit: probed, calls } = probeUnit(unit);
  const pipeline = await createPipeline<object>(profileOf(unit, example, params), {
    units: { ...(unit.name && { [unit.name]: unit }), ...example.units, [CLASS]: probed },
    ...(example.services && { services: example.services }),
  });
  const context = { now, ...example.context };
  return {
    reads: pipeline.candidateReads,
    async run(candidates) {
      const before = calls.some(({ once }) => once) ? 0 : calls.length;
      const ranking = await pipeline.rank(candidates, context).catch((error: unknown) => {
        if (unit.meta.kind !== 'selector' || calls.length === before) throw error;
        return undefined; // the run prepared it, and the rules call it
      });
      const call = calls.at(-1);
      if (!call || calls.length === before) {
        throw new Error(ranking?.degraded.find(({ entry }) => entry === ENTRY)?.cause ?? 'the engine did not call it');
      }
      const score = unit.meta.kind === 'selector' ? undefined : scoreOf(call.result);
      const results = score ? (candidates ?? []).map((candidate, i) => resultOf(() => score(candidate, i))) : [];
      return { call, results, ranking };
    },
  };
}

/** The results of the unit as the engine read them in a run. */
export function resultsInRanking(kind: UnitKind, { ranking, results }: UnitRun): readonly UnitResult[] {
  if (!ranking) return results;
  if (kind === 'veto') {
    const refused = new Set(ranking.refused.filter((one) => one.kind === 'veto').map(({ index }) => index));
    return results.map((result, i) =>
      'value' in result && result.value !== undefined ? { value: refused.has(i) } : result,
    );
  }
  const { values } = ranking.matrix.column(ENTRY);
  return results.map((result, i) =>
    'value' in result && Number.isFinite(result.value) ? { value: values[i] } : result,
  );
}

/** The subject of a rule: the unit, its example, and one run of it. */
export interface RuleSubject {
  readonly unit: UnitClass;
  readonly example: UnitExample;
  readonly first: UnitRun;
}

/** A rule. Returns a sentence for each violation. */
export type RuleCheck = (subject: RuleSubject) => Iterable<string> | Promise<Iterable<string>>;

/** The candidates to run a unit on; undefined for a generator, which generates them. */
export const candidatesForKind = (kind: UnitKind, candidates: readonly object[]): readonly object[] | undefined =>
  kind === 'generator' ? undefined : candidates;

/** The value of a meta, which may be a function of params. */
export const resolvedForParams = <V>(
  value: V | ((params: never) => V) | undefined,
  { params }: RecordedCall,
): V | undefined => (typeof value === 'function' ? (value as (params: unknown) => V)(params) : value);

/** One call of the unit's `compile`, `alone` or `prepare` by the engine. */
interface RecordedCall {
  /** Whether the engine calls the method once per pipeline, not once per run. */
  readonly once: boolean;
  readonly params: unknown;
  readonly memoryBefore: unknown;
  /** What it returned: a score, a score with a memory, or another kind's value. */
  readonly result: unknown;
  /** Prepares the unit again on the same run, with the given memory. */
  again(memory: unknown): Promise<unknown>;
}

/** A unit class wrapped so that the engine's calls are recorded. */
interface UnitProbe {
  readonly unit: UnitClass;
  readonly calls: RecordedCall[];
}

type PrepareMethod = (this: unknown, params: unknown, run: unknown, memory: unknown) => unknown;

/** Records the calls of a unit's methods. The instance stays the unit's own, private fields included. */
function recordCalls(instance: UnitInstance, calls: RecordedCall[]): UnitInstance {
  for (const name of METHODS) if (name in instance) recordCallsOf(instance, name, calls);
  return instance;
}

const METHODS = ['compile', 'alone', 'prepare'] as const;

function recordCallsOf(instance: UnitInstance, name: (typeof METHODS)[number], calls: RecordedCall[]): void {
  const method = Reflect.get(instance, name) as PrepareMethod;
  const recorder =
    (params: unknown, run: unknown, memoryBefore: unknown) =>
    (result: unknown): unknown => {
      const again = async (memory: unknown): Promise<unknown> => method.call(instance, params, run, memory);
      if (name !== 'alone' || result !== undefined) {
        calls.push({ once: name !== 'prepare', params, memoryBefore, result, again });
      }
      return result;
    };
  const value = (params: unknown, run: unknown, memory: unknown): unknown => {
    const record = recorder(params, run, memory);
    const result = method.call(instance, params, run, memory);
    return result instanceof Promise ? result.then(record) : record(result);
  };
  Object.defineProperty(instance, name, { value, configurable: true });
}

/**
 * Wraps a class so that its calls are recorded. The metadata of decorators belongs to the identity of a class, so it is
 * copied to the wrapper.
 */
function probeUnit(unit: UnitClass): UnitProbe {
  const calls: RecordedCall[] = [];
  const wrapped = new Proxy(unit, {
    construct: (target, services: never[], newTarget): object =>
      recordCalls(Reflect.construct(target, services, newTarget) as UnitInstance, calls),
  });
  const keys: unknown[] = 'getOwnMetadataKeys' in Reflect ? Reflect.getOwnMetadataKeys(unit) : [];
  for (const key of keys) Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, unit), wrapped);
  return { unit: wrapped, calls };
}

/** The score that `compile` or `prepare` of a veto or scorer returned. */
export function scoreOf(result: unknown): Score<unknown, unknown> | undefined {
  if (typeof result === 'function') return result as Score<unknown, unknown>;
  const score: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'score') : undefined;
  return typeof score === 'function' ? (score as Score<unknown, unknown>) : undefined;
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** A deep copy of lists and plain maps; dates, vectors and other objects are shared. */
export function copyPlain<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => copyPlain(item)) as T;
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyPlain(item)])) as T;
}

/** Freezes lists and plain maps deeply, so that a write throws in any module. */
export function freezePlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || (!Array.isArray(value) && !isPlainObject(value))) return value;
  for (const item of Object.values(value)) freezePlain(item);
  return Object.freeze(value);
}

/** The result of a score for one candidate: a value or an error. */
export type UnitResult = { readonly value: unknown } | { readonly error: string };

/** The value of a call, or the message of its error. */
export const resultOf = (score: () => unknown): UnitResult => {
  try {
    return { value: score() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

/** A result as text for a finding. */
export function resultText(result: UnitResult): string {
  if ('error' in result) return `an error (${result.error})`;
  const { value } = result;
  if (value === undefined) return 'nothing';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeValue(value);
}

/** The first difference of two lists of results, as a sentence; undefined if they are equal. */
export function firstDifference(
  first: readonly UnitResult[],
  second: readonly UnitResult[],
  name: (position: number) => string = (position) => `candidate ${position}`,
): string | undefined {
  const at = first.findIndex((result, position) => !isDeepStrictEqual(result, second[position]));
  const other = second[at];
  return at < 0 ? undefined : `${name(at)}: ${resultText(first[at]!)}, then ${other ? resultText(other) : 'no result'}`;
}

/** Orders that show whether order matters: reversed, rotated by half, and odd before even. Always the same. */
export function permutations(length: number): readonly (readonly number[])[] {
  const all = Array.from({ length }, (_, i) => i);
  const half = length >> 1;
  return [
    all.toReversed(),
    [...all.slice(half), ...all.slice(0, half)],
    [...all.filter((i) => i % 2 === 1), ...all.filter((i) => i % 2 === 0)],
  ];
}

/** Subsets of a batch: each candidate alone, both halves, and the odd positions. */
export function subsets(length: number): readonly (readonly number[])[] {
  const all = Array.from({ length }, (_, i) => i);
  const half = length >> 1;
  const parts = [all.slice(0, half), all.slice(half), all.filter((i) => i % 2 === 1)];
  return [...all.map((i) => [i]), ...parts.filter((part) => part.length > 0)];
}
