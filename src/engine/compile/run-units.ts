import type { Focus, GeneratorRun, ReportResult, ReportRun, RunFacts } from '../../contract/index.js';
import type { ClassUse, Phase, ReportEntry, SignalEntry, StrategyEntry } from '../../profile/profile.js';
import type { RunContext } from '../run-context.js';
import type { CompiledStrategy } from '../stages/generate/generate.js';
import type { CompiledReport } from '../stages/report/report.js';
import type { CompiledPhase, CompiledSignal } from '../stages/signals/signals.js';
import type { Binder } from './binder.js';
import type { Instantiate } from './unit-compiler.js';
import { reportUnitProblem } from './unit-problems.js';

/** The method of the kinds that depend on the run by nature, as the engine calls it: params are their schema's. */
interface Prepares<R, V> {
  prepare(params: unknown, run: R): V | Promise<V>;
}

/** Compiles what is asked once a run, of the run as a whole: signals and phases, strategies, reports. */
export class RunUnitCompiler {
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
      when: this.binder.condition(when, id, 'signals'),
      compute: (state, abort) => compute(this.#facts(state, abort)),
    };
  }

  phase({ name, turns, when }: Phase): CompiledPhase {
    return { name, turns, when: this.binder.condition(when, name, 'signals') };
  }

  strategy({ id, data, focus }: StrategyEntry): CompiledStrategy {
    const generate = focus && this.#instance<GeneratorRun, readonly Focus[]>(id, focus.use);
    return {
      id,
      data,
      available: this.binder.condition(focus?.when, id, 'generate'),
      focuses: generate && ((state, abort) => generate(Object.assign(this.#facts(state, abort), { strategy: data }))),
    };
  }

  report({ id, use, when, timeout, warnBelow }: ReportEntry): CompiledReport {
    const compute = this.#instance<ReportRun, ReportResult>(id, use);
    return {
      id,
      timeout,
      warnBelow,
      when: this.binder.condition(when, id, 'report'),
      compute: (facts, state, abort) => compute(Object.assign(this.#facts(state, abort), facts)),
    };
  }

  #instance<R, V>(id: string, use: ClassUse): (run: R) => V | Promise<V> {
    const unit = reportUnitProblem({ id }, () => this.instantiate(use.unit)) as Prepares<R, V>;
    return (run) => unit.prepare(use.params, run);
  }

  /** What every unit is told about its run. */
  #facts(state: RunContext, abort: AbortSignal): RunFacts {
    const { now, context, signals } = state;
    return { now, context, signals, abort, expression: this.binder.paramsOf(state) };
  }
}
