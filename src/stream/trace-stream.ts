import type { RunMessage, TracedCall } from '../contract/index.js';
import { degradedIn, type Failures, type Plan } from '../engine/index.js';
import { traced } from '../services/index.js';
import type { TopRanking } from './top-ranking.js';

/** Ranks a stream as a run that can be followed. */
export async function traceRanking<T>(
  { tracer, profile }: Plan,
  call: TracedCall,
  rank: () => Promise<TopRanking<T>>,
): Promise<TopRanking<T>> {
  const message: RunMessage = { profile: profile.name, call };
  return traced(tracer, 'run', message, rank, ({ counts, degraded }) => {
    message.candidates = counts.given;
    message.refused = counts.refused;
    message.pruned = 0;
    message.degraded = degraded.map(({ entry, stage, count }) => ({ entry, stage, count }));
  });
}

/** What has been counted of a stream so far. */
export interface StreamCounts {
  candidates: number;
  /** Undefined where it is not known. */
  refused: number | undefined;
  readonly failures: Failures;
}

/** Rows as a run that can be followed: it begins with the first that is asked for, and ends with the reading. */
export const traceRows = <R>(
  plan: Plan,
  call: TracedCall,
  rows: AsyncGenerator<R, void>,
  counts: StreamCounts,
): AsyncGenerator<R, void> => (plan.tracer.isFollowed('run') ? followRows(plan, call, rows, counts) : rows);

async function* followRows<R>(
  { tracer, profile }: Plan,
  call: TracedCall,
  rows: AsyncGenerator<R, void>,
  counts: StreamCounts,
): AsyncGenerator<R, void> {
  const message: RunMessage = { profile: profile.name, call };
  const piece = tracer.begin('run', message, (work) => {
    work.wait();
    return work;
  });
  let failure: { readonly error: unknown } | undefined;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one row after another
      const step = await piece.within(() => rows.next());
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    await piece.within(() => rows.return());
    const { candidates, refused, failures } = counts;
    Object.assign(message, { candidates, refused, pruned: 0, degraded: degradedIn(failures) });
    piece.end(failure);
  }
}
