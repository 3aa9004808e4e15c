import type { Signals } from '../contract/index.js';
import type { Failures } from './failures.js';
import { given } from './limits.js';
import type { Cell, RunState } from './plan.js';
import { failRun } from './prepare.js';
import type { Steps } from './wait.js';

export interface CompiledSignal {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly retries: number;
  readonly onError: 'skip' | 'fail';
  readonly when: () => boolean;
  readonly compute: (state: RunState, abort: AbortSignal) => unknown;
}

export interface CompiledPhase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: () => boolean;
}

function* attempt(signal: CompiledSignal, state: RunState, abort: AbortSignal): Steps<unknown> {
  const who = { entry: signal.id, stage: 'signals' };
  for (let tries = 0; ; tries++) {
    try {
      return yield* given(who, abort, signal.timeout, (limited) => signal.compute(state, limited));
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
  cell: Cell,
  state: RunState,
  abort: AbortSignal,
  failures: Failures,
  known: Signals,
): Steps<void> {
  for (const signal of signals) {
    cell.state = state;
    if (Object.hasOwn(known, signal.id)) {
      state.signals = withSignal(state.signals, signal.id, known[signal.id]);
      continue;
    }
    if (!signal.when()) continue;
    try {
      const value = yield* attempt(signal, state, abort);
      if (value !== undefined) state.signals = withSignal(state.signals, signal.id, value);
    } catch (error) {
      abort.throwIfAborted();
      if (signal.onError === 'fail') failRun(signal.id, 'signals', error);
      failures.add(signal.id, 'signals', error);
    }
  }
  cell.state = state;
  const phase = phaseOf(phases, state.context['turn_count']);
  if (phase !== undefined) state.signals = withSignal(state.signals, 'phase', phase);
}

/** A new frozen record: who has read the earlier one keeps it. No prototype, so that an id can be any name. */
const withSignal = (signals: RunState['signals'], id: string, value: unknown): RunState['signals'] =>
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
