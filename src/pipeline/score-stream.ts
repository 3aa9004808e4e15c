import type { Context, Problem } from '../contract/index.js';
import { type Degraded, Failures } from '../stages/failures.js';
import { UnseenPaths } from './warnings/absent-paths.js';
import { chunks } from './chunks.js';
import type { Plan } from './compile/plan.js';
import { idOf } from './ids.js';
import { refusedRow } from './refused-row.js';
import type { Placed, Refused, Scored } from './rows.js';
import type { Judgement } from './outcome.js';
import { judgePart, openRun } from './stream/stream-run.js';

/** The scores of a stream, to be read once, and what is known of it so far. */
export class ScoreStream<T> implements AsyncIterable<Scored<T> | Refused<T>> {
  readonly #rows: AsyncGenerator<Scored<T> | Refused<T>, void>;
  readonly #failures = new Failures();
  readonly #unseen: UnseenPaths;

  constructor(
    private readonly plan: Plan,
    candidates: AsyncIterable<T> | Iterable<T>,
    context: Context,
    abort: AbortSignal,
  ) {
    this.#unseen = new UnseenPaths(plan.profile);
    this.#rows = this.#score(candidates, context, abort);
  }

  /** A row for each candidate, in their order: its score, or why it was refused. */
  [Symbol.asyncIterator](): AsyncGenerator<Scored<T> | Refused<T>, void> {
    return this.#rows;
  }

  /** What failed so far without failing the stream. */
  get degraded(): readonly Degraded[] {
    return this.#failures.list();
  }

  /** What is surely a mistake: fields that the profile reads and that no candidate had so far. */
  get warnings(): readonly Problem[] {
    return this.#unseen.warnings();
  }

  async *#score(
    source: AsyncIterable<T> | Iterable<T>,
    given: Context,
    abort: AbortSignal,
  ): AsyncGenerator<Scored<T> | Refused<T>, void> {
    const run = await openRun(this.plan, given, abort, this.#failures);
    let offset = 0;
    for await (const candidates of chunks(source, abort)) {
      const judged = await judgePart(run, candidates, offset);
      this.#unseen.look(candidates);
      yield* this.#rowsOf(candidates, judged, offset);
      offset += candidates.length;
    }
  }

  *#rowsOf(candidates: readonly T[], judged: Judgement, offset: number): Generator<Scored<T> | Refused<T>, void> {
    const { verdicts, vetoed, kept, totals, scored } = judged;
    const { profile } = this.plan;
    const of = scored.scoring.runs.length;
    // The row of Tier 2, and that of the ranking: both go up with the position.
    let row = 0;
    let r = 0;
    for (const [position, candidate] of candidates.entries()) {
      const index = offset + position;
      const placed: Placed<T> = { id: idOf(profile, candidate, index), index, candidate };
      const wasKept = kept[row] === position;
      const verdict = verdicts[position]!;
      if (verdict !== 0) {
        yield refusedRow(this.plan, judged, position, placed, vetoed.all?.get(position) ?? [verdict]);
      } else if (!wasKept) {
        yield Object.freeze({ ...placed, score: undefined, because: 'pinned' as const });
      } else {
        const present = scored.partial.get(row);
        const score = totals[r++]!;
        yield Object.freeze({ ...placed, score, ...(present !== undefined && { partial: { present, of } }) });
      }
      if (wasKept) row += 1;
    }
  }
}
