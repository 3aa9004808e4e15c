import type { Score } from '../contract/index.js';
import type { Expression } from '../expression/expression.js';
import { makeRowLoop, type RowLoop } from '../matrix/row-loop.js';
import {
  type Arithmetic,
  makeScoreLoop,
  type ScoreInput,
  type ScoreLoop,
  type ScoreShape,
} from '../matrix/score-loop.js';
import { firstOf, type Slab } from '../matrix/slab.js';
import { verdictOf } from '../matrix/verdict.js';
import type { CaseWeights, Combine } from '../profile/profile.js';
import { arithmeticOf, combineRow } from './combine.js';
import type { Failures } from './failures.js';
import { type Batch, type Cell, type CompiledScorer, Refused, type RunState } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import { fastScore, type ScorerRun, settle } from './settle.js';
import { ownWeight, weightVector } from './weights.js';

/** How a profile scores: its scorers, and how their scores become one number. */
export interface ScorePlan {
  readonly scorers: readonly CompiledScorer[];
  readonly combine: Combine;
  /** The formula, where `combine` is one: reads the settled scores of the cell's run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** What a verdict calls the first scorer, and what refuses when nothing is left to combine. */
  readonly firstJudge: number;
  readonly combineJudge: number;
  /** What a weight that is an expression gives in the cell's run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: Loops;
}

/** The scorers of one run with their weights: what scores a row, and what explains it later. */
export interface Scoring {
  readonly runs: readonly ScorerRun[];
  /** What the loop calls, by position in `runs`. */
  readonly fast: readonly Score<unknown>[];
  /** The settled scores by position in the profile, for rules and formulas; undefined is not in the run. */
  readonly scores: RunState['scores'];
  readonly arithmetic: Arithmetic;
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

/** What came out of Tier 2, by row: the position in the kept candidates. */
export interface Scored {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /** How many scorers a row was scored on, where it was not all of them. */
  readonly partial: ReadonlyMap<number, number>;
}

/** The loops of a profile: one a set of scorers, because an entry whose `when` is false is not in the run. */
export class Loops {
  readonly #score = new Map<string, ScoreLoop>();
  readonly #row = new Map<string, RowLoop>();
  readonly #shape: Omit<ScoreShape, 'scorers'>;

  constructor(
    combine: Combine,
    cases: boolean,
    private readonly codegen: boolean,
  ) {
    this.#shape = { arithmetic: arithmeticOf(combine), cases };
  }

  /** The loop over rows that are kept already. */
  score(runs: readonly ScorerRun[]): ScoreLoop {
    return this.#made(this.#score, runs, (shape) => makeScoreLoop(shape, this.codegen));
  }

  /** The loop that asks the vetoes, too. */
  row(vetoes: number, runs: readonly ScorerRun[]): RowLoop {
    return this.#made(this.#row, runs, (shape) => makeRowLoop(vetoes, shape, this.codegen));
  }

  #made<L>(loops: Map<string, L>, runs: readonly ScorerRun[], make: (shape: ScoreShape) => L): L {
    const key = runs.map((run) => run.judge).join(' ');
    const scorers = this.#shape.arithmetic === 'formula' ? 1 : runs.length;
    const loop = loops.get(key) ?? make({ ...this.#shape, scorers });
    loops.set(key, loop);
    return loop;
  }
}

async function prepareScorer(
  scorer: CompiledScorer,
  judge: number,
  batch: Batch,
  failures: Failures,
): Promise<ScorerRun> {
  const { entry, unit } = scorer;
  const failure = unit.batch ? await prepareEntry(entry, unit, batch) : undefined;
  if (!failure) return { entry, judge, raw: unit.scoreIn(batch.state), failed: undefined };
  if (entry.onPrepareError === 'fail') return failRun(entry.id, 'score', failure.cause);
  failures.add(entry.id, 'score', failure.cause);
  return { entry, judge, raw: () => undefined, failed: { rule: entry.onPrepareError, cause: failure.cause } };
}

function weigh(plan: ScorePlan, runs: readonly ScorerRun[]): Pick<Scoring, 'weights' | 'weightsOf'> {
  const ids = runs.map((run) => run.entry.id);
  const own = runs.map((run) => ownWeight(run.entry, plan.weightOf));
  const weights = weightVector(plan.combine, ids, own);
  const { cases } = plan;
  if (!cases) return { weights, weightsOf: () => weights };
  const vectors = new Map<unknown, Float64Array>();
  for (const [name, byId] of cases.cases) {
    vectors.set(
      name,
      weightVector(
        plan.combine,
        ids,
        ids.map((id, k) => byId.get(id) ?? own[k]!),
      ),
    );
  }
  return { weights, weightsOf: (candidate, row) => vectors.get(cases.evaluate(candidate, row)) ?? weights };
}

/** Prepares the scorers that are in the run. Their order is the profile's. */
export async function prepareScorers(
  plan: ScorePlan,
  inRun: (scorer: CompiledScorer) => boolean,
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Promise<Scoring> {
  cell.state = batch.state;
  const active = plan.scorers
    .map((scorer, k) => ({ scorer, judge: plan.firstJudge + k }))
    .filter(({ scorer }) => inRun(scorer));
  const runs: ScorerRun[] = [];
  for (const { scorer, judge } of active) runs.push(await prepareScorer(scorer, judge, batch, failures));
  cell.state = batch.state;
  const scoring = scoringOf(plan, runs);
  batch.state.scores = scoring.scores;
  return scoring;
}

function scoringOf(plan: ScorePlan, runs: readonly ScorerRun[]): Scoring {
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const run of runs) {
    scores[run.judge - plan.firstJudge] = (candidate, row, note) => settle(run, candidate, row, note).value;
  }
  const fast = plan.formula ? [plan.formula as Score<unknown>] : runs.map(fastScore);
  return { runs, fast, scores, arithmetic: arithmeticOf(plan.combine), ...weigh(plan, runs) };
}

/** The scoring of a profile whose scorers, weights and functions are the same in every run; made with the first. */
export function fixedScoring(plan: ScorePlan, state: RunState): Scoring | undefined {
  const varies = plan.scorers.some(({ entry, unit }) => unit.batch || entry.when || typeof entry.weight !== 'number');
  if (varies) return undefined;
  const runs = plan.scorers.map(({ entry, unit }, k): ScorerRun => {
    return { entry, judge: plan.firstJudge + k, raw: unit.scoreIn(state), failed: undefined };
  });
  return scoringOf(plan, runs);
}

/** One row, scorer by scorer: what combines, or undefined where nothing does. Counts what was there. */
export function settleRow(
  plan: ScorePlan,
  { runs, arithmetic, weightsOf }: Scoring,
  candidate: unknown,
  row: number,
  onFailure?: (entry: string, error: unknown) => void,
): { readonly total: number | undefined; readonly present: number } {
  if (arithmetic === 'formula') return { total: finite(formulaOf(plan, candidate, row)), present: runs.length };
  const settled = runs.map((run) => settle(run, candidate, row, undefined, onFailure).value);
  const present = settled.filter((value) => value !== undefined).length;
  return { total: finite(combineRow(arithmetic, settled, weightsOf(candidate, row))), present };
}

function finite(total: number | undefined): number | undefined {
  if (total === undefined || Number.isFinite(total)) return total;
  throw new RangeError(`combining the scores gave ${total}`);
}

function formulaOf(plan: ScorePlan, candidate: unknown, row: number): number | undefined {
  const total = plan.formula?.(candidate, row);
  if (total === undefined || typeof total === 'number') return total;
  throw new TypeError(`the formula gave a ${typeof total}; expected a number`);
}

/** What one run's scoring works on. */
export interface ScoringInput {
  readonly candidates: readonly unknown[];
  readonly state: RunState;
  readonly cell: Cell;
  readonly slab: Slab;
  readonly failures: Failures;
}

/** What a loop is given to score with. */
export const scoreInput = (scoring: Scoring, { candidates, slab }: ScoringInput, kept: Int32Array): ScoreInput => ({
  candidates,
  kept,
  scorers: scoring.fast,
  weights: scoring.weights,
  weightsOf: scoring.weightsOf,
  totals: slab.totals,
});

/** Tier 2: scores every kept candidate and combines its scores. Rows that are not finite are settled one by one. */
export function score(plan: ScorePlan, scoring: Scoring, input: ScoringInput, kept: Int32Array): Scored {
  input.cell.state = input.state;
  plan.loops.score(scoring.runs)(scoreInput(scoring, input, kept), 0, kept.length);
  return settleOdd(plan, scoring, input, kept);
}

/** Settles, scorer by scorer, the rows in which one was absent, failed, or gave no finite number. */
export function settleOdd(plan: ScorePlan, scoring: Scoring, input: ScoringInput, kept: Int32Array): Scored {
  const { candidates, slab, failures } = input;
  const totals = firstOf(slab.totals, kept.length);
  const partial = new Map<number, number>();
  const onFailure = (entry: string, error: unknown): void => failures.add(entry, 'score', error);
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total - total === 0) continue;
    const position = kept[row]!;
    try {
      const settled = settleRow(plan, scoring, candidates[position], row, onFailure);
      if (settled.total === undefined) slab.verdicts[position] = verdictOf(plan.combineJudge, 'unscored');
      else totals[row] = settled.total;
      if (settled.present < scoring.runs.length) partial.set(row, settled.present);
    } catch (error) {
      slab.verdicts[position] = refusedBy(plan, error, onFailure);
    }
  }
  return { scoring, totals, partial };
}

/** The verdict of what was thrown while a row was scored. */
function refusedBy(plan: ScorePlan, error: unknown, onFailure: (entry: string, error: unknown) => void): number {
  if (error instanceof Refused) {
    const k = plan.scorers.findIndex((scorer) => scorer.entry.id === error.by);
    return verdictOf(k < 0 ? plan.combineJudge : plan.firstJudge + k, error.refusal);
  }
  if (error instanceof RangeError || error instanceof TypeError || isExpressionFailure(error)) {
    onFailure('combine', error);
    return verdictOf(plan.combineJudge, 'error');
  }
  throw error;
}

const isExpressionFailure = (error: unknown): boolean => error instanceof Error && error.name === 'EvaluationFailure';
