import type { Focus } from '../../../contract/index.js';
import { describeValue } from '../../../diagnostics/describe-value.js';
import type { Failures } from '../../failures.js';
import { callUnit } from '../../limits.js';
import type { CurrentRun, RunContext } from '../../run-context.js';
import type { Task } from '../../task.js';

export interface CompiledStrategy {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly available: () => boolean;
  /** Undefined: a single open focus, named after the strategy. */
  readonly focuses:
    | ((state: RunContext, abort: AbortSignal) => readonly Focus[] | Promise<readonly Focus[]>)
    | undefined;
}

/** A candidate that a strategy made. Its id is `strategy/focus key`. */
export interface GeneratedCandidate {
  readonly id: string;
  readonly strategy: Readonly<Record<string, unknown>>;
  readonly focus: Focus;
}

function checkFocuses(focuses: unknown): void {
  if (!Array.isArray(focuses))
    throw new TypeError(`a generator gives a list of focuses, and it gave ${describeValue(focuses)}`);
  for (const focus of focuses as readonly unknown[]) {
    const key: unknown = typeof focus === 'object' && focus !== null ? Reflect.get(focus, 'key') : undefined;
    if (typeof key !== 'string') throw new TypeError(`a focus has a key, a string; found ${describeValue(key)}`);
  }
}

/** The candidates of one strategy, in its generator's order. */
export function* generateFor(
  strategy: CompiledStrategy,
  state: RunContext,
  abort: AbortSignal,
): Task<GeneratedCandidate[]> {
  const { focuses: generator } = strategy;
  const focuses = generator
    ? yield* callUnit({ entry: strategy.id, stage: 'generate' }, abort, undefined, (limited) =>
        generator(state, limited),
      )
    : [{ key: strategy.id }];
  checkFocuses(focuses);
  return focuses.map((focus) => ({ id: `${strategy.id}/${focus.key}`, strategy: strategy.data, focus }));
}

/** Strategies × focuses: the candidates of a run whose caller brings none. A strategy that fails makes none. */
export function* generate(
  strategies: readonly CompiledStrategy[],
  cell: CurrentRun,
  state: RunContext,
  abort: AbortSignal,
  failures: Failures,
): Task<GeneratedCandidate[]> {
  const candidates: GeneratedCandidate[] = [];
  for (const strategy of strategies) {
    cell.context = state;
    if (!strategy.available()) continue;
    try {
      candidates.push(...(yield* generateFor(strategy, state, abort)));
    } catch (error) {
      abort.throwIfAborted();
      failures.add(strategy.id, 'generate', error);
    }
  }
  return candidates;
}
