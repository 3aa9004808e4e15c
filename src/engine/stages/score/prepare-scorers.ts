import type { Score } from '../../../contract/index.js';
import { contextOfRows, prepareEntry, type PrepareFailure, type PrepareInput } from '../../entries.js';
import { failRun, type Failures, replacementOf } from '../../failures.js';
import { itemsAt } from '../../kernel/run-buffers.js';
import type { RunState, Stage } from '../../run-state.js';
import { awaitAll, chain, isTask, type MaybeAsync, type Task } from '../../tasks.js';
import type { CompiledScorer, Kept, ScoresOfCandidates, Scoring, SecondPhasePlan } from '../../tier-plans.js';
import { activeScorers, makeScoring } from './scoring.js';

/**
 * Prepares the scorers that are in the run, in the profile's order.
 *
 * @param deferred those of the second phase, which are prepared there
 */
export function prepareScorers(run: RunState, deferred: readonly DeferredScorer[]): MaybeAsync<Scoring> {
  const { context, failures } = run;
  const { score: plan } = run.plan;
  const present = plan.conditional ? plan.scorers.filter(({ when }) => when()) : plan.scorers;
  return chain(awaitAll(startAll(run, present, deferred)), (outcomes) => {
    for (let k = 0; k < present.length; k++) {
      const failure = outcomes[k];
      if (failure) recordPrepareFailure(present[k]!, failure.cause, run.kept.length, failures);
    }
    const scoring =
      deferred.length === 0
        ? plan.scoringOf(present, outcomes)
        : makeScoring(
            plan,
            activeScorers(present, outcomes).map((one) => {
              const { raw, evaluated } = deferred.find(({ scorer }) => scorer.entry === one.entry) ?? {};
              return raw && evaluated ? { ...one, raw, evaluated } : one;
            }),
          );
    context.scores = scoring.scores;
    return scoring;
  });
}

/** Starts all of them: each waits for its own model or store, and none needs what another prepares. */
function startAll(
  run: RunState,
  present: readonly CompiledScorer[],
  deferred: readonly DeferredScorer[],
): readonly MaybeAsync<PrepareFailure | undefined>[] {
  return present.map((scorer) => {
    const now = scorer.unit.prepares && !deferred.some((one) => one.scorer === scorer);
    return now ? prepareEntry(scorer.entry, scorer.unit, run.keptInput) : undefined;
  });
}

/** A scorer that could not be prepared is one constant for all, unless that fails the run. */
export function recordPrepareFailure(
  { entry }: CompiledScorer,
  cause: unknown,
  candidates: number,
  failures: Failures,
): void {
  const { id, onPrepareError: rule } = entry;
  if (rule === 'fail') failRun(id, 'score', cause);
  failures.addUnprepared(id, 'score', cause, candidates, replacementOf(rule));
}

/** What is known of the rows once deferred scorers have seen some of them. */
export interface DeferredScores {
  /** By row: its upper bound, or its score without them. */
  readonly upperBounds: Float64Array;
  /** By row: whether every scorer that should see it has. */
  readonly done: Uint8Array;
  /** The score of the last of the best; −Infinity where there are fewer, or after a rerank. */
  readonly minCompetitiveScore: number;
}

/** A deferred scorer that could not be prepared, and why. */
export interface DeferredPrepareFailure extends PrepareFailure {
  readonly scorer: DeferredScorer;
}

/** Rows that it was prepared for together. */
interface Batch {
  readonly score: Score<unknown>;
}

/** The deferred scorers of a run; none where there are no more rows than they should see. */
export function deferredScorers(run: RunState, { ask, top }: SecondPhasePlan): readonly DeferredScorer[] {
  const rows = run.kept.length;
  if (rows <= top) return [];
  return ask.flatMap((id) => {
    const scorer = run.plan.score.scorers.find(({ entry }) => entry.id === id);
    return scorer?.when() ? [new DeferredScorer(scorer, run, rows)] : [];
  });
}

/**
 * A scorer of the second phase: prepared for one batch of rows after another, only for those that are worth it. Its
 * score is by row as every scorer's, and finds the batch that a row was in.
 */
export class DeferredScorer {
  /** By row: the number of its batch, from 1 on; 0 where it has not seen the row. */
  readonly #batch: Int32Array;
  /** By row: its position in that batch. */
  readonly #index: Int32Array;
  readonly #batches: Batch[] = [];
  /** Of a scorer that prepares nothing, because it is expensive to compute twice. */
  readonly #kept: KeptScores | undefined;
  readonly #input: PrepareInput;
  /** How many rows it has seen. */
  count = 0;

  constructor(
    readonly scorer: CompiledScorer,
    private readonly run: RunState,
    rows: number,
  ) {
    this.#input = run.keptInput;
    this.#batch = new Int32Array(rows);
    this.#index = new Int32Array(rows);
    const { entry, unit } = scorer;
    this.#kept = unit.prepares ? undefined : new KeptScores(rows, unit.score, entry.id);
  }

  readonly evaluated = (row: number): boolean => this.#batch[row] !== 0;

  readonly raw: Score<unknown> = (candidate, row, note) => {
    const batch = this.#batches[this.#batch[row]! - 1];
    if (!batch) throw new Error(`${this.scorer.entry.id} was not asked about row ${row}`);
    return this.#kept ? this.#kept.raw(candidate, row, note) : batch.score(candidate, this.#index[row]!, note);
  };

  /**
   * Prepares it for rows, in the order of the input.
   *
   * @returns why it could not be prepared, where it could not
   */
  *prepareFor(rows: Int32Array): Task<PrepareFailure | undefined> {
    if (rows.length === 0) return undefined;
    this.count += rows.length;
    const { current } = this.run.plan;
    const { entry, unit } = this.scorer;
    let { score } = unit;
    if (unit.prepares) {
      const context = contextOfRows(this.#input.context, rows);
      const candidates = itemsAt(this.#input.candidates, rows);
      const { abort, updates } = this.#input;
      const pending = prepareEntry(entry, unit, { candidates, context, abort, updates });
      const failure = isTask(pending) ? yield* pending : pending;
      if (failure) return failure;
      score = current.bind(context, unit.scoreIn(context)); // entries inside it read the context of the batch
    }
    const batch = this.#batches.push({ score });
    for (const [index, row] of rows.entries()) {
      this.#batch[row] = batch;
      this.#index[row] = index;
    }
    return undefined;
  }
}

/** What one scorer gave, by row: it is called once for each, however often its score is read. */
export class KeptScores {
  /** NaN where it was not called, or gave something else than a number. */
  readonly #numbers: Float64Array;
  readonly #others = new Map<number, Kept>();

  /**
   * @param score  the unit's function
   * @param entry  the entry's id
   * @param stream where the scores of a stream's candidates are: those that are retained are scored again, as a set
   */
  constructor(
    rows: number,
    private readonly score: Score<unknown>,
    private readonly entry: string,
    private readonly stream?: ScoresOfCandidates,
  ) {
    this.#numbers = new Float64Array(rows).fill(Number.NaN);
  }

  /** The unit's function, but for an explanation called once for each row. */
  readonly raw: Score<unknown> = (candidate, row, note) => {
    if (note) return this.score(candidate, row, note);
    const number = this.#numbers[row];
    if (number !== undefined && !Number.isNaN(number)) return number;
    const kept = this.#others.get(row) ?? this.#call(candidate, row);
    if ('error' in kept) throw kept.error;
    return kept.value;
  };

  #call(candidate: unknown, row: number): Kept {
    const known = this.#ofStream(candidate);
    let kept = known?.get(this.entry);
    if (!kept) {
      try {
        kept = { value: this.score(candidate, row) };
      } catch (error) {
        kept = { error };
      }
      known?.set(this.entry, kept);
    }
    if ('value' in kept && typeof kept.value === 'number' && !Number.isNaN(kept.value)) this.#numbers[row] = kept.value;
    else this.#others.set(row, kept);
    return kept;
  }

  #ofStream(candidate: unknown): Map<string, Kept> | undefined {
    if (!this.stream || typeof candidate !== 'object' || candidate === null) return undefined;
    let known = this.stream.get(candidate);
    if (!known) this.stream.set(candidate, (known = new Map()));
    return known;
  }
}

/**
 * A stage that prepares some entries on the kept candidates, and scores nothing: for what they do on the way, such as
 * embedding. An entry that cannot be prepared is among the failures of the run.
 *
 * @param isWanted by an entry's id
 */
export const prepareKept =
  (isWanted: (id: string) => boolean): Stage =>
  (run) =>
    prepareEach(run, isWanted);

function* prepareEach({ plan, keptInput, failures }: RunState, isWanted: (id: string) => boolean): Task<void> {
  const scorers = plan.score.scorers.map(({ entry, unit, when }) => ({ id: entry.id, entry, unit, when }));
  const measures = plan.measures.map((one) => ({ id: one.id, entry: one, unit: one.unit, when: one.when }));
  for (const { id, entry, unit, when } of [...measures, ...scorers]) {
    if (!unit.prepares || !isWanted(id) || !when()) continue;
    const pending = prepareEntry(entry, unit, keptInput);
    const failure = isTask(pending) ? yield* pending : pending;
    if (failure) failures.addUnprepared(id, 'score', failure.cause, keptInput.candidates.length);
  }
}
