import type { Focus, GeneratorRun } from '../../sdk/index.js';
import { describeValue } from '../../base/index.js';
import type { StrategyEntry } from '../../profile/index.js';
import { callEntry, type RunContext } from '../entries.js';
import type { CompiledStrategy, GeneratedCandidate } from '../plan.js';
import type { RunState } from '../run-state.js';
import type { Task } from '../tasks.js';
import { type Binder, type Instantiate, runUnit } from '../units/unit-compiler.js';

/** Generates the candidates: strategies × focuses. A strategy that fails generates none. */
export function* generate(run: RunState): Task<void> {
  const { plan, context, abort, failures } = run;
  const candidates: GeneratedCandidate[] = [];
  for (const strategy of plan.strategies) {
    if (!strategy.available()) continue;
    try {
      candidates.push(...(yield* generateFor(strategy, context, abort)));
    } catch (error) {
      abort.throwIfAborted();
      failures.add(strategy.id, 'generate', error);
    }
  }
  run.setCandidates(candidates);
}

/** The candidates of one strategy, in its generator's order. */
export function* generateFor(
  strategy: CompiledStrategy,
  context: RunContext,
  abort: AbortSignal,
): Task<GeneratedCandidate[]> {
  const { id, data, focuses: generator } = strategy;
  const caller = { entry: id, stage: 'generate' };
  const focuses = generator
    ? yield* callEntry(caller, context, abort, undefined, (limited) => generator(context, limited))
    : [{ key: id }];
  checkFocuses(focuses);
  return focuses.map((focus) => ({ id: `${id}/${focus.key}`, strategy: data, focus }));
}

/** A generator in plain JavaScript may return anything. */
function checkFocuses(focuses: unknown): void {
  if (!Array.isArray(focuses))
    throw new TypeError(`expected a list of focuses from the generator, found ${describeValue(focuses)}`);
  for (const focus of focuses as readonly unknown[]) {
    const key: unknown = typeof focus === 'object' && focus !== null ? Reflect.get(focus, 'key') : undefined;
    if (typeof key !== 'string')
      throw new TypeError(`expected a string as the key of a focus, found ${describeValue(key)}`);
  }
}

export function compileStrategy(
  { id, data, focus }: StrategyEntry,
  binder: Binder,
  instantiate: Instantiate,
): CompiledStrategy {
  const makeFocuses = focus && runUnit<GeneratorRun, readonly Focus[]>(id, focus.use, instantiate);
  return {
    id,
    data,
    available: binder.condition(focus?.when, id, 'generate'),
    focuses:
      makeFocuses &&
      ((context, abort) => makeFocuses(Object.assign(binder.runFacts(context, abort), { strategy: data }))),
  };
}
