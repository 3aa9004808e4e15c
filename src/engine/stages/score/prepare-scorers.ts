import { EntryTimedOut, type Score } from '../../../sdk/index.js';
import { contextOfRows, prepareEntry, type PrepareFailure, type PrepareInput } from '../../entries.js';
import { failRun, type Failures, replacementOf } from '../../failures.js';
import { itemsAt } from '../../kernel/run-buffers.js';
import type { RunState, Stage } from '../../run-state.js';
import { awaitAll, chain, isTask, type MaybeAsync, type Task } from '../../tasks.js';
import type { CachedResult, CompiledScorer, ScoresOfCandidates, Scoring, SecondPhasePlan } from '../../tier-plans.js';
import { prepareForGroups, withGroupScores } from './prepare-groups.js';
import { activeScorers, makeScoring } from './scoring.js';

/**
 * Prepares the scorers that take part in the run, in the profile's order.
 *
 * @param deferred the scorers of the second phase, which prepares them itself
 */
export function prepareScorers(run: RunState, deferred: readonly DeferredScorer[]): MaybeAsync<Scoring> {
  const { context, failures } = run;
  const { score: plan } = run.plan;
  const present = plan.conditional ? plan.scorers.filter(({ when }) => when()) : plan.scorers;
  const { groupEnds } = run.start;
  if (groupEnds)
    return chain(prepareForGroups(run, present, groupEnds), (scores) => {
      const scoring = makeScoring(plan, withGroupScores(activeScorers(present, []), scores));
      context.scores = scoring.scores;
      return scoring;
    });
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

/** Starts to prepare all scorers at once: they are independent, and each may wait for its own model or store. */
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

/** Records that a scorer could not be prepared, or fails the run. */
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

/** The result of a second phase, before its rows are resolved. */
export interface DeferredScores {
  /** By row: its upper bound; after a rerank, its score without the deferred scorers. */
  readonly upperBounds: Float64Array;
  /** By row: 1 if every scorer that must be evaluated on it was. */
  readonly done: Uint8Array;
  /** The score of the last row of the top; −Infinity if there are fewer rows, or after a rerank. */
  readonly minCompetitiveScore: number;
}

/** A deferred scorer that could not be prepared, and why. */
export interface DeferredPrepareFailure extends PrepareFailure {
  readonly scorer: DeferredScorer;
}

/** A batch of rows that were prepared together. */
interface Batch {
  readonly score: Score<unknown>;
}

/** The deferred scorers of a run. Empty if they must be evaluated on all rows anyway. */
export function deferredScorers(run: RunState, { ask, top }: SecondPhasePlan): readonly DeferredScorer[] {
  const rows = run.kept.length;
  if (rows <= top) return [];
  return ask.flatMap((id) => {
    const scorer = run.plan.score.scorers.find(({ entry }) => entry.id === id);
    return scorer?.when() ? [new DeferredScorer(scorer, run, rows)] : [];
  });
}

/**
 * A scorer of the second phase. It is prepared batch by batch, only for rows that need it. Its score function takes a row, as
 * for any scorer, and looks up the row's batch.
 */
export class DeferredScorer {
  /** By row: the number of its batch, from 1; 0 if it was not evaluated on the row. */
  readonly #batch: Int32Array;
  /** By row: its position in that batch. */
  readonly #index: Int32Array;
  readonly #batches: Batch[] = [];
  /** The cache of a scorer that does not prepare, because its scores are expensive. */
  readonly #cache: CachedScores | undefined;
  readonly #input: PrepareInput;
  /** The number of rows on which it was evaluated. */
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
    this.#cache = unit.prepares ? undefined : new CachedScores(rows, unit.score, entry.id);
  }

  readonly evaluated = (row: number): boolean => this.#batch[row] !== 0;

  readonly raw: Score<unknown> = (candidate, row, note) => {
    const batch = this.#batches[this.#batch[row]! - 1];
    if (!batch) throw new Error(`${this.scorer.entry.id} was not evaluated on row ${row}`);
    return this.#cache ? this.#cache.raw(candidate, row, note) : batch.score(candidate, this.#index[row]!, note);
  };

  /**
   * Prepares the scorer for rows, in the order of the input.
   *
   * @returns why it could not be prepared, if it failed
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

  /**
   * After the timeout of a batch: keeps the scores of earlier batches, and fails on each of the other rows.
   *
   * @returns false after another failure, which concerns all rows, and if no batch came before
   */
  failRest({ cause }: PrepareFailure): boolean {
    if (this.#batches.length === 0 || !(cause instanceof EntryTimedOut)) return false;
    const rest = this.#batches.push({
      score: () => {
        throw cause;
      },
    });
    this.count = this.#batch.length;
    for (const [row, batch] of this.#batch.entries()) if (batch === 0) this.#batch[row] = rest;
    return true;
  }
}

/** The number of rows for which a cache is created. */
const FIRST_ROWS = 32;

/** A cache of one scorer's results, by row. The scorer is called only once per row. */
export class CachedScores {
  /** By row, as far as rows were scored. NaN if the scorer was not called, or did not return a number. */
  #numbers = new Float64Array();
  readonly #others = new Map<number, CachedResult>();

  /**
   * @param score  the unit's function
   * @param entry  the entry's id
   * @param stream the scores of a stream's candidates: retained candidates are scored again as a set
   */
  constructor(
    private readonly rows: number,
    private readonly score: Score<unknown>,
    private readonly entry: string,
    private readonly stream?: ScoresOfCandidates,
  ) {}

  /** The cached score function. An explanation calls the unit's own function. */
  readonly raw: Score<unknown> = (candidate, row, note) => {
    if (note) return this.score(candidate, row, note);
    const number = this.#numbers[row];
    if (number !== undefined && !Number.isNaN(number)) return number;
    const result = this.#others.get(row) ?? this.#call(candidate, row);
    if ('error' in result) throw result.error;
    return result.value;
  };

  #call(candidate: unknown, row: number): CachedResult {
    const known = this.#ofStream(candidate);
    let result = known?.get(this.entry);
    if (!result) {
      try {
        result = { value: this.score(candidate, row) };
      } catch (error) {
        result = { error };
      }
      known?.set(this.entry, result);
    }
    const value = 'value' in result ? result.value : undefined;
    if (typeof value === 'number' && !Number.isNaN(value)) this.#keep(row, value);
    else this.#others.set(row, result);
    return result;
  }

  /** Most caches hold only the first rows, on which costs are measured. */
  #keep(row: number, value: number): void {
    const { length } = this.#numbers;
    if (row >= length) {
      const grown = new Float64Array(Math.min(this.rows, Math.max(row + 1, 4 * length, FIRST_ROWS))).fill(Number.NaN);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[row] = value;
  }

  #ofStream(candidate: unknown): Map<string, CachedResult> | undefined {
    if (!this.stream || typeof candidate !== 'object' || candidate === null) return undefined;
    let known = this.stream.get(candidate);
    if (!known) this.stream.set(candidate, (known = new Map()));
    return known;
  }
}

/**
 * A stage that prepares some entries on the kept candidates and scores nothing. Used for side effects of preparing, such as
 * filling a cache of embeddings. An entry that cannot be prepared is counted among the failures of the run.
 *
 * @param isWanted whether to prepare the entry with an id
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
