import { addCounts, dateFactsOf } from '../data/index.js';
import type { Context } from '../sdk/index.js';
import type { Problem } from '../base/index.js';
import {
  refusedIn,
  type PlanOverrides,
  checkDates,
  idOf,
  type Degraded,
  Failures,
  type Plan,
  type Evaluation,
  NEVER,
} from '../engine/index.js';
import {
  absentContextWarnings,
  failedInputWarnings,
  infiniteDateWarnings,
  UnseenPaths,
  refusedRow,
  type Placed,
  type Refused,
  type Scored,
  TermsReader,
} from '../ranking/index.js';
import type { StreamMemories } from './stream-memory.js';
import { chunksOf, evaluateChunk, openStreamRun, type StreamCounts, type StreamRun, traceRows } from './stream-run.js';

/** The options of `scoreStream`. */
export interface ScoreStreamOptions {
  /** Stops the run: the next read rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Overrides the weights of the profile, as for `rank`. */
  readonly weights?: PlanOverrides['weights'];
  /** Whether each row includes the terms of its score, as `Ranking.terms`. Default: false. */
  readonly terms?: boolean;
  /** Whether the profile's memories are updated, part by part. Default: true. */
  readonly updateMemory?: boolean;
  /**
   * For a server that shares one thread among requests: awaited before each chunk is scored. It resolves to a function
   * that is called when the chunk is done. A stream that waits for candidates or its reader does not hold a turn.
   */
  readonly takeTurn?: () => Promise<() => void>;
}

/** The scores of a stream. Can be read once. `degraded` and `warnings` cover the rows read so far. */
export class ScoreStream<T> implements AsyncIterable<Scored<T> | Refused<T>> {
  readonly #rows: AsyncGenerator<Scored<T> | Refused<T>, void>;
  readonly #failures = new Failures();
  readonly #counts: StreamCounts = { candidates: 0, refused: 0, failures: this.#failures };
  readonly #unseen: UnseenPaths;
  readonly #fileWarnings: Problem[] = [];
  #given = 0;
  #scoredInFull = false;
  /** By field, the number of rows read so far with an infinite date. */
  #infiniteDates: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly plan: Plan,
    private readonly candidates: AsyncIterable<T> | Iterable<T>,
    private readonly context: Context,
    options: ScoreStreamOptions,
    private readonly memories?: StreamMemories,
  ) {
    this.#unseen = new UnseenPaths(plan.profile);
    this.#rows = traceRows(plan, 'scoreStream', this.#score(candidates, context, options), this.#counts);
  }

  /** A row for each candidate, in their order: its score, or why it was refused. An abort ends the rows. */
  [Symbol.asyncIterator](): AsyncGenerator<Scored<T> | Refused<T>, void> {
    return this.#rows;
  }

  /** The failures so far that did not fail the stream. */
  get degraded(): readonly Degraded[] {
    return this.#failures.list();
  }

  /**
   * Warnings about fields that no candidate so far has, missing context variables, infinite dates, and rules and vetoes
   * that read failed values.
   */
  get warnings(): readonly Problem[] {
    if (this.#given === 0) return [];
    const { profile } = this.plan;
    const counts = dateFactsOf(this.candidates)?.infinite() ?? this.#infiniteDates;
    this.#fileWarnings.push(...this.plan.units.memories.store.takeWarnings());
    return [
      ...this.#fileWarnings,
      ...this.#unseen.warnings(),
      ...infiniteDateWarnings(profile, counts),
      ...absentContextWarnings(profile, this.context, () => !this.#scoredInFull),
      ...failedInputWarnings(profile, this.#failures.list()),
    ];
  }

  #count({ start }: StreamRun, { candidates, verdicts }: Evaluation): void {
    if (!start.trace) return;
    this.#counts.candidates += candidates.length;
    this.#counts.refused! += refusedIn(verdicts);
  }

  async *#score(
    source: AsyncIterable<T> | Iterable<T>,
    context: Context,
    { signal = NEVER, terms = false, takeTurn }: ScoreStreamOptions,
  ): AsyncGenerator<Scored<T> | Refused<T>, void> {
    const run = await openStreamRun(this.plan, context, signal, this.#failures);
    let offset = 0;
    for await (const candidates of chunksOf(source, signal)) {
      checkDates(this.plan.profile, dateFactsOf(source)?.fields);
      const giveBack = await takeTurn?.();
      const evaluation = await evaluateChunk(run, candidates, offset, this.memories).finally(giveBack);
      this.#infiniteDates = addCounts(this.#infiniteDates, dateFactsOf(candidates)?.infinite() ?? new Map());
      this.#count(run, evaluation);
      this.#unseen.add(candidates);
      this.#given += candidates.length;
      for (const row of scoredRows<T>(this.plan, evaluation, offset, terms)) {
        this.#scoredInFull ||= isScoredInFull(row);
        signal.throwIfAborted(); // The reader may have aborted since the previous row.
        yield row;
      }
      offset += candidates.length;
    }
  }
}

/** Whether all scorers returned a number for a row. */
export const isScoredInFull = (row: Scored<unknown> | Refused<unknown>): boolean =>
  'score' in row && row.score !== undefined && row.partial === undefined;

/**
 * The rows of an evaluated chunk: one for each candidate, in their order.
 *
 * @param offset the number of candidates before the chunk
 * @param terms whether a row includes the terms of its score
 */
export function* scoredRows<T>(
  plan: Plan,
  evaluation: Evaluation,
  offset: number,
  terms: boolean,
): Generator<Scored<T> | Refused<T>, void> {
  const { candidates, verdicts, vetoes, kept, totals, scored } = evaluation;
  const of = scored.scoring.active.length;
  const reader = terms ? new TermsReader(plan, evaluation) : undefined;
  // Rows of Tier 2 and rows of the ranking: both ascend with the position.
  let row = 0;
  let rankedRow = 0;
  for (const [position, candidate] of candidates.entries()) {
    const index = offset + position;
    const id = idOf(plan.profile, candidate, index);
    const placed: Placed<T> = { id, index, candidate: candidate as T };
    const wasKept = kept[row] === position;
    const verdict = verdicts[position]!;
    if (verdict !== 0) {
      yield refusedRow(plan, evaluation, position, placed, vetoes.all?.get(position) ?? [verdict]);
    } else if (!wasKept) {
      yield Object.freeze({ ...placed, score: undefined, because: 'pinned' as const });
    } else {
      const present = scored.partial.get(row);
      const score = totals[rankedRow++]! + 0; // Turns −0 into 0, as in a ranking.
      const partial = present === undefined ? undefined : { partial: { present, of } };
      // Not `...placed`: V8 gives each object that is spread and then frozen its own hidden class.
      yield Object.freeze({ id, index, candidate: candidate as T, score, ...partial, ...reader?.at(row) });
    }
    if (wasKept) row += 1;
  }
}
