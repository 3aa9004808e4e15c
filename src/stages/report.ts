import type { Reported, ReportRun, RunFacts } from '../contract/index.js';
import { describeValue } from '../expression/describe.js';
import type { Failures } from './failures.js';
import { given } from './limits.js';
import type { Cell, RunState } from './plan.js';
import type { Steps } from './wait.js';

/** What came out of a run. */
export type ReportFacts = Omit<ReportRun, keyof RunFacts>;

export interface CompiledReport {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
  readonly when: () => boolean;
  readonly compute: (facts: ReportFacts, state: RunState, abort: AbortSignal) => Reported | Promise<Reported>;
}

/** Computes the values of the ranking as a whole, with what they warn of. One that fails is missing. */
export function* report(
  reports: readonly CompiledReport[],
  facts: ReportFacts,
  cell: Cell,
  state: RunState,
  abort: AbortSignal,
  failures: Failures,
): Steps<{ readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] }> {
  const values = new Map<string, unknown>();
  const warnings: string[] = [];
  for (const one of reports) {
    cell.state = state;
    if (!one.when()) continue;
    const who = { entry: one.id, stage: 'report' };
    try {
      const reported = yield* given(who, abort, one.timeout, (limited) => one.compute(facts, state, limited));
      if (typeof reported !== 'object' || reported === null || !('value' in reported)) {
        throw new TypeError(`a report gives { value }, and it gave ${describeValue(reported)}`);
      }
      values.set(one.id, reported.value);
      for (const warning of reported.warnings ?? []) warnings.push(`${one.id}: ${warning}`);
      if (one.warnBelow !== undefined && typeof reported.value === 'number' && reported.value < one.warnBelow) {
        warnings.push(`${one.id} is ${reported.value}, below ${one.warnBelow}`);
      }
    } catch (error) {
      abort.throwIfAborted();
      failures.add(one.id, 'report', error);
    }
  }
  return { values, warnings };
}
