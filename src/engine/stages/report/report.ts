import type { ReportResult, ReportRun, RunFacts } from '../../../contract/index.js';
import { describeValue } from '../../../diagnostics/describe-value.js';
import type { Failures } from '../../failures.js';
import { callUnit } from '../../limits.js';
import type { CurrentRun, RunContext } from '../../run-context.js';
import type { Task } from '../../task.js';

/** What came out of a run. */
export type ReportFacts = Omit<ReportRun, keyof RunFacts>;

export interface CompiledReport {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
  readonly when: () => boolean;
  readonly compute: (facts: ReportFacts, state: RunContext, abort: AbortSignal) => ReportResult | Promise<ReportResult>;
}

/** Computes the values of the ranking as a whole, with what they warn of. One that fails is missing. */
export function* report(
  reports: readonly CompiledReport[],
  facts: ReportFacts,
  cell: CurrentRun,
  state: RunContext,
  abort: AbortSignal,
  failures: Failures,
): Task<{ readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] }> {
  const values = new Map<string, unknown>();
  const warnings: string[] = [];
  for (const one of reports) {
    cell.context = state;
    if (!one.when()) continue;
    const who = { entry: one.id, stage: 'report' };
    try {
      const reported = yield* callUnit(who, abort, one.timeout, (limited) => one.compute(facts, state, limited));
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
