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
import { chunksOf, evaluateChunk, openStreamRun, type StreamCounts, type StreamRun, traceRows } from './stream-run.js';

/** The options of `scoreStream`. */
export interface ScoreStreamOptions {
  /** Stops the run: reading rejects with its reason. */
  readonly signal?: AbortSignal;
  /** In place of the profile's, as of `rank`. */
  readonly weights?: PlanOverrides['weights'];
  /** Whether each row has the numbers that its score is made of, as `Ranking.terms`. False when not given. */
  readonly terms?: boolean;
  /**
   * Called before each part of the candidates is scored, and what it resolves to when the part is done: for a server
   * whose callers take turns. A stream that waits for candidates, or for its reader, has no turn.
   */
  readonly takeTurn?: () => Promise<() => void>;
}

/** The scores of a stream, to be read once. `degraded` and `warnings` are those of the rows read so far. */
export class ScoreStream<T> implements AsyncIterable<Scored<T> | Refused<T>> {
  readonly #rows: AsyncGenerator<Scored<T> | Refused<T>, void>;
  readonly #failures = new Failures();
  readonly #counts: StreamCounts = { candidates: 0, refused: 0, failures: this.#failures };
  readonly #unseen: UnseenPaths;
  #given = 0;
  #scoredInFull = false;
  /** By field: in how many of the rows read so far its date is infinite. */
  #infiniteDates: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly plan: Plan,
    private readonly candidates: AsyncIterable<T> | Iterable<T>,
    private readonly context: Context,
    options: ScoreStreamOptions,
  ) {
    this.#unseen = new UnseenPaths(plan.profile);
    this.#rows = traceRows(plan, 'scoreStream', this.#score(candidates, context, options), this.#counts);
  }

  /** A row for each candidate, in their order: its score, or why it was refused. None follows an abort. */
  [Symbol.asyncIterator](): AsyncGenerator<Scored<T> | Refused<T>, void> {
    return this.#rows;
  }

  /** The failures so far that did not fail the stream. */
  get degraded(): readonly Degraded[] {
    return this.#failures.list();
  }

  /**
   * What the profile reads and no candidate so far has, or the context lacks; infinite dates; and rules and vetoes that read
   * what failed.
   */
  get warnings(): readonly Problem[] {
    if (this.#given === 0) return [];
    const { profile } = this.plan;
    const counts = dateFactsOf(this.candidates)?.infinite() ?? this.#infiniteDates;
    return [
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
      const evaluation = await evaluateChunk(run, candidates, offset).finally(giveBack);
      this.#infiniteDates = addCounts(this.#infiniteDates, dateFactsOf(candidates)?.infinite() ?? new Map());
      this.#count(run, evaluation);
      this.#unseen.add(candidates);
      this.#given += candidates.length;
      for (const row of scoredRows<T>(this.plan, evaluation, offset, terms)) {
        this.#scoredInFull ||= isScoredInFull(row);
        signal.throwIfAborted(); // its reader may have taken any time over the one before
        yield row;
      }
      offset += candidates.length;
    }
  }
}

/** Whether each scorer gave a row a number. */
export const isScoredInFull = (row: Scored<unknown> | Refused<unknown>): boolean =>
  'score' in row && row.score !== undefined && row.partial === undefined;

/**
 * The rows of an evaluated chunk: one for each candidate, in their order.
 *
 * @param offset how many candidates come before it
 * @param terms  whether a row has the numbers that its score is made of
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
      const score = totals[rankedRow++]! + 0; // as in a ranking
      const partial = present === undefined ? undefined : { partial: { present, of } };
      // Its fields one by one: V8 gives each object that is spread and then frozen a hidden class of its own.
      yield Object.freeze({ id, index, candidate: candidate as T, score, ...partial, ...reader?.at(row) });
    }
    if (wasKept) row += 1;
  }
}
