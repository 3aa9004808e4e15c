import type { Signals } from '../../../contract/index.js';
import type { Failures } from '../../failures.js';
import { callUnit } from '../../limits.js';
import { failRun } from '../../prepare-entry.js';
import type { CurrentRun, RunContext } from '../../run-context.js';
import type { Task } from '../../task.js';

export interface CompiledSignal {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly retries: number;
  readonly onError: 'skip' | 'fail';
  readonly when: () => boolean;
  readonly compute: (state: RunContext, abort: AbortSignal) => unknown;
}

export interface CompiledPhase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: () => boolean;
}

function* computeWithRetries(signal: CompiledSignal, state: RunContext, abort: AbortSignal): Task<unknown> {
  const who = { entry: signal.id, stage: 'signals' };
  for (let tries = 0; ; tries++) {
    try {
      return yield* callUnit(who, abort, signal.timeout, (limited) => signal.compute(state, limited));
    } catch (error) {
      abort.throwIfAborted();
      if (tries >= signal.retries) throw error;
    }
  }
}

/**
 * Computes the signals in order: each may fail alone, and then it is missing.
 *
 * @param known what is known of them already, and need not be computed
 */
export function* readSignals(
  signals: readonly CompiledSignal[],
  phases: readonly CompiledPhase[],
  cell: CurrentRun,
  state: RunContext,
  abort: AbortSignal,
  failures: Failures,
  known: Signals,
): Task<void> {
  for (const signal of signals) {
    cell.context = state;
    if (Object.hasOwn(known, signal.id)) {
      state.signals = withSignal(state.signals, signal.id, known[signal.id]);
      continue;
    }
    if (!signal.when()) continue;
    try {
      const value = yield* computeWithRetries(signal, state, abort);
      if (value !== undefined) state.signals = withSignal(state.signals, signal.id, value);
    } catch (error) {
      abort.throwIfAborted();
      if (signal.onError === 'fail') failRun(signal.id, 'signals', error);
      failures.add(signal.id, 'signals', error);
    }
  }
  cell.context = state;
  const phase = phaseOf(phases, state.context['turn_count']);
  if (phase !== undefined) state.signals = withSignal(state.signals, 'phase', phase);
}

/** A new frozen record: who has read the earlier one keeps it. No prototype, so that an id can be any name. */
const withSignal = (signals: RunContext['signals'], id: string, value: unknown): RunContext['signals'] =>
  Object.freeze(Object.assign(Object.create(null), signals, { [id]: value }) as Record<string, unknown>);

/**
 * Windows of `n_turns` follow one another; one whose `when` is not true yields to the next, the last always holds,
 * and without a turn count it is the first that may hold.
 */
function phaseOf(phases: readonly CompiledPhase[], turnCount: unknown): string | undefined {
  const turn = typeof turnCount === 'number' && Number.isFinite(turnCount) ? turnCount : 0;
  let end = 0;
  for (const [k, phase] of phases.entries()) {
    end += phase.turns ?? Number.POSITIVE_INFINITY;
    if (k === phases.length - 1 || (turn < end && phase.when())) return phase.name;
  }
  return undefined;
}
