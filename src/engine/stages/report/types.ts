import type { ReportResult, ReportRun, RunFacts } from '../../../contract/index.js';
import type { RunContext } from '../../entries/run-context.js';

/** What a report is given of the run's result. */
export type ReportFacts = Omit<ReportRun, keyof RunFacts>;

/** A report's unit, compiled: a value of the ranking as a whole. */
export interface CompiledReport {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly compute: (
    facts: ReportFacts,
    context: RunContext,
    abort: AbortSignal,
  ) => ReportResult | Promise<ReportResult>;
}

/** The values of the reports by id, and the warnings of all. */
export interface Reports {
  readonly values: ReadonlyMap<string, unknown>;
  readonly warnings: readonly string[];
}
