import type { Score, UnitClass, UnitInstance } from '../contract/index.js';

/** One call of the unit's `compile` or `prepare` by the engine. */
export interface RecordedCall {
  readonly params: unknown;
  readonly memoryBefore: unknown;
  /** What it returned: a score, a score with a memory, or another kind's value. */
  readonly result: unknown;
  /** Prepares the unit again on the same run, with any memory. */
  again(memory: unknown): Promise<unknown>;
}

/** A unit class wrapped so that the engine's calls are recorded. */
export interface UnitProbe {
  readonly unit: UnitClass;
  readonly calls: RecordedCall[];
}

type PrepareMethod = (this: unknown, params: unknown, run: unknown, memory: unknown) => unknown;

/** Records the calls of `compile` or `prepare`. The instance stays the unit's own, private fields included. */
function recordCalls(instance: UnitInstance, calls: RecordedCall[]): UnitInstance {
  const name = 'compile' in instance ? 'compile' : 'prepare';
  const method = Reflect.get(instance, name) as PrepareMethod;
  const recorder =
    (params: unknown, run: unknown, memoryBefore: unknown) =>
    (result: unknown): unknown => {
      const again = async (memory: unknown): Promise<unknown> => method.call(instance, params, run, memory);
      calls.push({ params, memoryBefore, result, again });
      return result;
    };
  const value = (params: unknown, run: unknown, memory: unknown): unknown => {
    const record = recorder(params, run, memory);
    const result = method.call(instance, params, run, memory);
    return result instanceof Promise ? result.then(record) : record(result);
  };
  Object.defineProperty(instance, name, { value, configurable: true });
  return instance;
}

/**
 * Wraps a class so that its calls are recorded. The metadata of inversify's decorators belongs to the identity of a class,
 * and is therefore copied to the wrapper; without reflect-metadata there is none.
 */
export function probeUnit(unit: UnitClass): UnitProbe {
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
