import type { RunMessage } from '../../contract/index.js';
import type { Failures } from '../failures/failures.js';
import { refuses } from '../kernel/verdict.js';
import type { Plan } from '../plan.js';
import type { RunState } from '../run-state.js';
import { RunTrace } from '../trace/run-trace.js';

/** The trace of a run that begins; undefined where runs have no subscriber. */
export const traceOf = ({ tracer, profile }: Plan): RunTrace | undefined =>
  tracer.isFollowed() ? new RunTrace(tracer, profile.name) : undefined;

/** Writes the counts of a run that has succeeded into its message. */
export function noteCounts(message: RunMessage, { candidates, verdicts, scored, failures }: RunState): void {
  message.candidates = candidates.length;
  message.refused = refusedIn(verdicts);
  message.pruned = scored.pruned?.count ?? 0;
  message.degraded = degradedIn(failures);
}

/** How many candidates are refused. */
export const refusedIn = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, verdict) => n + Number(refuses(verdict)), 0);

/** The failures so far, as a message has them. */
export const degradedIn = (failures: Failures): NonNullable<RunMessage['degraded']> =>
  failures.list().map(({ entry, stage, count }) => ({ entry, stage, count }));
