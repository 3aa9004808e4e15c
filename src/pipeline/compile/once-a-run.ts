import type { Focus, GeneratorRun, Reported, ReportRun, RunFacts } from '../../contract/index.js';
import type { ClassUse, Phase, ReportEntry, SignalEntry, StrategyEntry } from '../../profile/profile.js';
import type { CompiledStrategy } from '../../stages/generate.js';
import type { RunState } from '../../stages/plan.js';
import type { CompiledReport } from '../../stages/report.js';
import type { CompiledPhase, CompiledSignal } from '../../stages/signals.js';
import type { Binder } from './bind.js';
import { made } from './made.js';
import type { Instantiate } from './unit.js';

/** The method of the kinds that depend on the run by nature, as the engine calls it: params are their schema's. */
interface Prepares<R, V> {
  prepare(params: unknown, run: R): V | Promise<V>;
}

/** Compiles what is asked once a run, of the run as a whole: signals and phases, strategies, reports. */
export class OnceARun {
  constructor(
    private readonly binder: Binder,
    private readonly instantiate: Instantiate,
  ) {}

  signal(entry: SignalEntry): CompiledSignal {
    const { id, use, when, timeout, retries, onError } = entry;
    const compute = this.#instance<RunFacts, unknown>(id, use);
    return {
      id,
      timeout,
      retries,
      onError,
      when: this.binder.holds(when, id, 'signals'),
      compute: (state, abort) => compute(this.#facts(state, abort)),
    };
  }

  phase({ name, turns, when }: Phase): CompiledPhase {
    return { name, turns, when: this.binder.holds(when, name, 'signals') };
  }

  strategy({ id, data, focus }: StrategyEntry): CompiledStrategy {
    const generate = focus && this.#instance<GeneratorRun, readonly Focus[]>(id, focus.use);
    return {
      id,
      data,
      available: this.binder.holds(focus?.when, id, 'generate'),
      focuses: generate && ((state, abort) => generate(Object.assign(this.#facts(state, abort), { strategy: data }))),
    };
  }

  report({ id, use, when, timeout, warnBelow }: ReportEntry): CompiledReport {
    const compute = this.#instance<ReportRun, Reported>(id, use);
    return {
      id,
      timeout,
      warnBelow,
      when: this.binder.holds(when, id, 'report'),
      compute: (facts, state, abort) => compute(Object.assign(this.#facts(state, abort), facts)),
    };
  }

  #instance<R, V>(id: string, use: ClassUse): (run: R) => V | Promise<V> {
    const unit = made({ id }, () => this.instantiate(use.unit)) as Prepares<R, V>;
    return (run) => unit.prepare(use.params, run);
  }

  /** What every unit is told about its run. */
  #facts(state: RunState, abort: AbortSignal): RunFacts {
    const { now, context, signals } = state;
    return { now, context, signals, abort, expression: this.binder.paramsOf(state) };
  }
}
