import type { Score } from '../../../sdk/index.js';
import type { OpenColumns } from '../../candidates.js';
import type { RunContext } from '../../entries.js';
import { PartialRows, prefixOf } from '../../kernel/run-buffers.js';
import { BestRows, isFewOf } from '../../kernel/top-rows.js';
import { type ScoreInput, unsound } from '../../kernel/score-loop.js';
import type { Plan } from '../../plan.js';
import type { RunState } from '../../run-state.js';
import { chain, inTurns, type MaybeAsync, NEVER } from '../../tasks.js';
import { vetoInput } from '../veto.js';
import { CachedScores, type DeferredScorer, deferredScorers, prepareScorers } from './prepare-scorers.js';
import { failOnExhaustion, resolveUnresolved } from './resolve.js';
import { loopScorersIn, makeScoring } from './scoring.js';
import { scoreSecondPhase } from './second-phase.js';
import type { ActiveScorer, ScoredRows, ScorePlan, ScoresOfCandidates, Scoring } from '../../tier-plans.js';

/** Tier 2: prepares the scorers, scores every kept candidate, and combines its scores in the same loop. */
export function scoreAndCombine(run: RunState): MaybeAsync<void> {
  const { secondPhase } = run.start;
  const deferred = secondPhase ? deferredScorers(run, secondPhase) : NO_DEFERRED;
  return chain(prepareScorers(run, deferred), (scoring) => {
    if (run.abort !== NEVER) run.abort.throwIfAborted();
    if (!secondPhase || deferred.length === 0)
      return chain(scoreRows(run, scoring), (scored) => void (run.scored = scored));
    // The second phase may resolve a row several times, so every score that may be expensive is cached.
    const first = startMeasured(run, scoring, run.kept.length, run.start.streamScores)?.first ?? scoring;
    return chain(scoreSecondPhase(run, secondPhase, first, deferred), (scored) => void (run.scored = scored));
  });
}

const NO_DEFERRED: readonly DeferredScorer[] = [];

/** @param byColumn the candidates, if they are stored by column */
export function scoreRows(run: RunState, given: Scoring, byColumn?: OpenColumns): MaybeAsync<ScoredRows> {
  const { abort, kept, plan } = run;
  const { loops } = plan.score;
  const columns = columnsToKeep(run, given, kept.length);
  const form = { ...byColumn, keeps: columns !== undefined };
  const partial = new PartialRows(kept.length);
  const measured = startMeasured(run, given, kept.length, byColumn ? undefined : run.start.streamScores);
  let first = 0;
  if (measured?.measures) {
    first = Math.min(kept.length, SAMPLED_ROWS);
    loops.plainScore(given.active)(scoreInput(run, measured.first, { kept, columns, partial, ...byColumn }), 0, first);
  }
  const scoring = settleMeasured(run, given, measured);
  const loop = loops.score(given.active, form);
  const input = scoreInput(run, scoring, { kept, columns, partial, ...byColumn });
  const looped = inTurns(abort, kept.length - first, 'score', (from, to) => loop(input, first + from, first + to));
  return chain(looped, () => resolveUnresolved(run, scoring, partial, columns));
}

/**
 * Starts measuring scorers, or caching the scores of expensive ones; undefined if the run needs neither.
 *
 * @param stream the scores of a stream by candidate; undefined if one object represents every candidate in turn
 */
function startMeasured(
  run: RunState,
  scoring: Scoring,
  rows: number,
  stream: ScoresOfCandidates | undefined,
): MeasuredScoring | undefined {
  const { score } = run.plan;
  const started = score.costs.start(scoring.active, rows);
  if (!started) return undefined;
  const measured = new MeasuredScoring(score, scoring, rows, run.context, started.measures, stream);
  run.context.scores = measured.first.scores;
  return measured;
}

/** The scoring for the rows after those on which scorers were measured. */
function settleMeasured(run: RunState, given: Scoring, measured: MeasuredScoring | undefined): Scoring {
  if (!measured) return given;
  const scoring = measured.settle();
  run.context.scores = scoring.scores;
  return scoring;
}

/** The columns into which a loop writes its scores, if they are kept. A formula has none: it is one function. */
const columnsToKeep = ({ start }: RunState, scoring: Scoring, rows: number): ScoreInput['columns'] =>
  scoring.arithmetic && start.columns?.take(scoring.active.length, rows);

/** The input of a loop. */
const scoreInput = (
  run: RunState,
  scoring: Scoring,
  { kept, at, table, columns, partial }: Pick<ScoreInput, 'kept' | 'at' | 'table' | 'columns' | 'partial'>,
  best = new BestRows(run.buffers.totals, 0),
): ScoreInput => ({
  candidates: run.candidates,
  at,
  table,
  kept,
  columns,
  partial,
  scorers: loopScorersIn(run.plan.score, scoring, run.context),
  known: scoring.active.map(({ known }) => known),
  weights: scoring.weights,
  caseWeights: scoring.caseWeights,
  weightsOf: scoring.weightsOf,
  totals: run.buffers.totals,
  best,
  unsound,
  caught: (error, position, row) => failOnExhaustion(run, scoring, error, position, row),
});

/** Vetoes, scores and combines in one generated loop. The results equal those of the separate stages. */
export function fusedPass(run: RunState): MaybeAsync<void> {
  const { plan, candidates, context, buffers } = run;
  const { vetoes, scoring: given } = plan.fusedPass!; // this pass runs only if the plan has it
  context.scores = given.scores;
  const { loops } = plan.score;
  const byColumn = plan.columnReader.open(candidates);
  const columns = columnsToKeep(run, given, candidates.length);
  const form = { ...byColumn, keeps: columns !== undefined };
  const vetoing = vetoInput(vetoes, candidates, buffers, run.failures, byColumn);
  const partial = new PartialRows(candidates.length);
  const own = { kept: buffers.kept, columns, partial, ...byColumn };
  let rows = 0;
  let first = 0;
  const measured = startMeasured(run, given, candidates.length, byColumn ? undefined : run.start.streamScores);
  if (measured?.measures) {
    const loop = loops.plainFused(given.active);
    const input = scoreInput(run, measured.first, own);
    const most = Math.min(candidates.length, SEARCHED_CANDIDATES);
    while (rows < SAMPLED_ROWS && first < most) {
      const to = Math.min(most, first + SAMPLED_ROWS);
      rows = loop(vetoing, input, first, to, rows);
      first = to;
    }
  }
  const scoring = settleMeasured(run, given, measured);
  const loop = loops.fused(
    vetoes,
    given.active,
    form,
    () => plan.rules.map((rule) => rule.inLoop(NO_SCORES)),
    candidates.length,
  );
  const sampled = rows;
  const isFinal = loop.findsBest === true && (plan.rules.length === 0 || loop.appliesRules === true);
  const best = new BestRows(buffers.totals, isFinal ? bestCount(plan, candidates.length) : 0);
  const scorers = scoreInput(run, scoring, own, best);
  const looped = inTurns(run.abort, candidates.length - first, 'score', (from, to) => {
    rows = loop(vetoing, scorers, first + from, first + to, rows);
  });
  return chain(looped, () => {
    run.vetoes = { runs: vetoes, all: undefined };
    run.kept = prefixOf(buffers.kept, rows);
    const withoutRules = loop.appliesRules ? Array.from({ length: sampled }, (_, row) => row) : undefined;
    return chain(
      resolveUnresolved(run, scoring, partial, columns, withoutRules, loop.findsBest ? { sampled, best } : undefined),
      (scored) => void (run.scored = scored),
    );
  });
}

/** How many of the best rows a loop should keep: none if the selection needs all rows, or most of them. */
function bestCount({ select, diversify }: Plan, rows: number): number {
  const { duplicates, minScore, per, ties, top, offset } = select;
  const needsAll = [duplicates, minScore, per, ties, diversify].some((key) => key !== undefined);
  const count = needsAll || top === undefined ? 0 : offset + top;
  return isFewOf(count, rows) ? count : 0;
}

const NO_SCORES = new Map<string, never>();

/** A scorer that takes longer than this per candidate, in milliseconds, is called only once per candidate of a run. */
const EXPENSIVE_MS = 0.01;

/** The number of rows on which costs are measured before they are recorded, and the number of candidates to search for such rows. */
const SAMPLED_ROWS = 16;
const SEARCHED_CANDIDATES = 1024;

/** The scorers of one run that are measured or expensive. Their scores are cached. */
class MeasuredScoring {
  readonly #caches = new Map<ActiveScorer, CachedScores>();
  readonly #times = new Map<ActiveScorer, number[]>();
  /** The scoring for the first rows: measured scorers are timed, and their scores are cached. */
  readonly first: Scoring;

  constructor(
    private readonly plan: ScorePlan,
    private readonly scoring: Scoring,
    rows: number,
    context: RunContext,
    /** Whether costs are measured in this run. */
    readonly measures: boolean,
    stream: ScoresOfCandidates | undefined,
  ) {
    for (const one of scoring.active) {
      if (one.evaluated || one.failed) continue; // a deferred scorer caches its own scores
      const isMeasured = measures && plan.costs.isMeasured(one);
      if (!isMeasured && !plan.costs.isExpensive(one)) continue;
      const score = one.unit.prepares ? one.unit.scoreIn(context) : one.raw;
      const called = isMeasured ? timed(score, this.#timesOf(one)) : score;
      this.#caches.set(one, new CachedScores(rows, called, one.entry.id, stream));
    }
    this.first = this.#with(() => true);
  }

  /** The scoring for the other rows: the scores of expensive scorers are cached. */
  settle(): Scoring {
    const expensive = new Set<ActiveScorer>();
    for (const one of this.#caches.keys()) {
      const times = this.#times.get(one);
      if (times && times.length > 0) {
        const isExpensive = costOf(times) > EXPENSIVE_MS;
        if (times.length >= SAMPLED_ROWS) this.plan.costs.record(one, isExpensive);
        if (isExpensive) expensive.add(one);
      } else if (this.plan.costs.isExpensive(one)) expensive.add(one);
    }
    return expensive.size === 0 ? this.scoring : this.#with((one) => expensive.has(one));
  }

  #with(isCached: (one: ActiveScorer) => boolean): Scoring {
    const active = this.scoring.active.map((one) => {
      const cache = this.#caches.get(one);
      return cache && isCached(one) ? { ...one, raw: cache.raw, cached: true } : one;
    });
    return makeScoring(this.plan, active);
  }

  #timesOf(one: ActiveScorer): number[] {
    const times = this.plan.costs.timesOf(one);
    this.#times.set(one, times);
    return times;
  }
}

/** Times the first calls of a score. */
const timed =
  (score: Score<unknown>, times: number[]): Score<unknown> =>
  (candidate, row, note) => {
    if (times.length >= SAMPLED_ROWS) return score(candidate, row, note);
    const start = performance.now();
    try {
      return score(candidate, row, note);
    } finally {
      times.push(performance.now() - start);
    }
  };

/** The median: the first calls are not yet compiled, and a busy machine or garbage collection interrupts some. */
const costOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0;
