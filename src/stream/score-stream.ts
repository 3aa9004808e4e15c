import type { Context } from '../contract/index.js';
import type { Problem } from '../diagnostics/problem.js';
import { type Degraded, Failures } from '../engine/failures.js';
import type { Plan } from '../engine/plan.js';
import type { Refused, Scored } from '../ranking/rows.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import { chunksOf } from './chunks.js';
import { scoredRows } from './scored-rows.js';
import { evaluateChunk, openStreamRun } from './stream-run.js';

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
    const run = await openStreamRun(this.plan, given, abort, this.#failures);
    let offset = 0;
    for await (const candidates of chunksOf(source, abort)) {
      const judged = await evaluateChunk(run, candidates, offset);
      this.#unseen.add(candidates);
      yield* scoredRows<T>(this.plan, judged, offset);
      offset += candidates.length;
    }
  }
}
