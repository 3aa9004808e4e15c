import type { Score } from '../contract/index.js';
import type { Expression } from '../expression/expression.js';
import { type Arithmetic, makeScoreLoop, type ScoreLoop } from '../matrix/score-loop.js';
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
  /** The loop for the scorers that are in a run. */
  readonly loopFor: (inRun: readonly ScorerRun[]) => ScoreLoop;
}

/** The scorers of one run with their weights: what scores a row, and what explains it later. */
export interface Scoring {
  readonly runs: readonly ScorerRun[];
  readonly arithmetic: Arithmetic;
  readonly weights: Float64Array;
  weightsOf(candidate: unknown, row: number): Float64Array;
}

/** What came out of Tier 2, by row: the position in the kept candidates. */
export interface Scored {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /** How many scorers a row was scored on, where it was not all of them. */
  readonly partial: ReadonlyMap<number, number>;
}

/** One loop a set of scorers: an entry whose `when` is false is not in the run, and the loop is made without it. */
export function scoreLoops(combine: Combine, cases: boolean, codegen: boolean): ScorePlan['loopFor'] {
  const loops = new Map<string, ScoreLoop>();
  const arithmetic = arithmeticOf(combine);
  return (inRun) => {
    const key = inRun.map((run) => run.judge).join(' ');
    const made = loops.get(key) ?? makeScoreLoop({ scorers: inRun.length, arithmetic, cases }, codegen);
    loops.set(key, made);
    return made;
  };
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
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const run of runs) {
    scores[run.judge - plan.firstJudge] = (candidate, row, note) => settle(run, candidate, row, note).value;
  }
  batch.state.scores = scores;
  return { runs, arithmetic: arithmeticOf(plan.combine), ...weigh(plan, runs) };
}

/** One row, scorer by scorer: what combines, or undefined where nothing does. Counts what was there. */
export function settleRow(
  plan: ScorePlan,
  scoring: Scoring,
  candidate: unknown,
  row: number,
  onFailure?: (entry: string, error: unknown) => void,
): { readonly total: number | undefined; readonly present: number } {
  const settled = scoring.runs.map((run) => settle(run, candidate, row, undefined, onFailure).value);
  const present = settled.filter((value) => value !== undefined).length;
  const total =
    scoring.arithmetic === 'formula'
      ? formulaOf(plan, candidate, row)
      : combineRow(scoring.arithmetic, settled, scoring.weightsOf(candidate, row));
  if (total !== undefined && !Number.isFinite(total)) throw new RangeError(`combining the scores gave ${total}`);
  return { total, present };
}

function formulaOf(plan: ScorePlan, candidate: unknown, row: number): number | undefined {
  const total = plan.formula?.(candidate, row);
  if (total === undefined || typeof total === 'number') return total;
  throw new TypeError(`the formula gave a ${typeof total}; expected a number`);
}

/** Tier 2: scores every kept candidate and combines its scores. Rows that are not finite are settled one by one. */
export function score(
  plan: ScorePlan,
  scoring: Scoring,
  state: RunState,
  cell: Cell,
  candidates: readonly unknown[],
  kept: Int32Array,
  verdicts: Uint16Array,
  failures: Failures,
): Scored {
  const totals = new Float64Array(kept.length);
  const partial = new Map<number, number>();
  const scorers = plan.formula ? [plan.formula as Score<unknown>] : scoring.runs.map(fastScore);
  const onFailure = (entry: string, error: unknown): void => failures.add(entry, 'score', error);
  cell.state = state;
  plan.loopFor(scoring.runs)(
    {
      candidates,
      kept,
      scorers,
      weights: scoring.weights,
      weightsOf: (candidate, row) => scoring.weightsOf(candidate, row),
      totals,
    },
    0,
    kept.length,
  );
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total - total === 0) continue;
    const position = kept[row]!;
    try {
      const settled = settleRow(plan, scoring, candidates[position], row, onFailure);
      if (settled.total === undefined) verdicts[position] = verdictOf(plan.combineJudge, 'unscored');
      else totals[row] = settled.total;
      if (settled.present < scoring.runs.length) partial.set(row, settled.present);
    } catch (error) {
      verdicts[position] = refusedBy(plan, error, onFailure);
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
