import type { RunFacts } from '../../sdk/index.js';
import type { Phase, SignalEntry } from '../../profile/index.js';
import { callEntry, NO_SIGNALS, type RunContext } from '../entries.js';
import { failRun } from '../failures.js';
import type { CompiledPhase, CompiledSignal } from '../plan.js';
import type { RunState } from '../run-state.js';
import type { Task } from '../tasks.js';
import { type Binder, type Instantiate, runUnit } from '../units/unit-compiler.js';

/** Computes the signals in order, the phase last. Each can fail independently and is then missing. */
export function* computeSignals({ plan: { signals, phases }, start, context, abort, failures }: RunState): Task<void> {
  const { knownSignals = NO_SIGNALS } = start;
  for (const signal of signals) {
    if (Object.hasOwn(knownSignals, signal.id)) {
      const known = knownSignals[signal.id];
      if (known !== undefined) setSignal(context, signal.id, known);
      continue;
    }
    if (!signal.when()) continue;
    try {
      const value = yield* computeWithRetries(signal, context, abort);
      if (value !== undefined) setSignal(context, signal.id, value);
    } catch (error) {
      abort.throwIfAborted();
      if (signal.onError === 'fail') failRun(signal.id, 'signals', error);
      failures.add(signal.id, 'signals', error);
    }
  }
  const phase = phaseOf(phases, context.context['turn_count']);
  if (phase !== undefined) setSignal(context, 'phase', phase);
}

function* computeWithRetries(signal: CompiledSignal, context: RunContext, abort: AbortSignal): Task<unknown> {
  const caller = { entry: signal.id, stage: 'signals' };
  for (let tries = 0; ; tries++) {
    try {
      return yield* callEntry(caller, context, abort, signal.timeout, (limited) => signal.compute(context, limited));
    } catch (error) {
      abort.throwIfAborted();
      if (tries >= signal.retries) throw error;
    }
  }
}

/** Replaces the frozen record; a unit that holds the earlier one keeps it. Without a prototype, an id can be any name. */
function setSignal(context: RunContext, id: string, value: unknown): void {
  const signals = Object.assign(Object.create(null), context.signals, { [id]: value }) as Record<string, unknown>;
  context.signals = Object.freeze(signals);
}

/**
 * The name of the current phase. Each phase covers the `n_turns` turns after the previous one. If its `when` is not true,
 * the next phase applies. The last phase always applies. Without a turn count, the first phase is tried first.
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

export function compileSignal(entry: SignalEntry, binder: Binder, instantiate: Instantiate): CompiledSignal {
  const { id, use, when, timeout, retries, onError } = entry;
  const compute = runUnit<RunFacts, unknown>(id, use, instantiate);
  return {
    id,
    timeout,
    retries,
    onError,
    when: binder.condition(when, id, 'signals'),
    compute: (context, abort) => compute(binder.runFacts(context, abort)),
  };
}

export const compilePhase = ({ name, turns, when }: Phase, binder: Binder): CompiledPhase => ({
  name,
  turns,
  when: binder.condition(when, name, 'signals'),
});
