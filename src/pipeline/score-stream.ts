import type { Context, Problem } from '../contract/index.js';
import { type Degraded, Failures } from '../stages/failures.js';
import { chunks } from './chunks.js';
import type { Plan } from './compile/plan.js';
import type { Refused, Scored } from './rows.js';
import { scoredRows } from './scored-rows.js';
import { judgePart, openRun } from './stream/stream-run.js';
import { UnseenPaths } from './warnings/absent-paths.js';

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
      yield* scoredRows<T>(this.plan, judged, offset);
      offset += candidates.length;
    }
  }
}
