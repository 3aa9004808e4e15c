import type { Score } from '../../../contract/index.js';
import { arithmeticOf } from '../../kernel/combine-methods.js';
import { keyText } from '../key-text.js';
import type { RunContext } from '../../entries/run-context.js';
import { loopScore, resolveScore, wasAsked } from './resolve-score.js';
import type { ActiveScorer, CompiledScorer, PrepareFailures, ScorePlan, Scoring } from './types.js';
import { normalizedWeights, ownWeight } from './weights.js';

type Plan = Omit<ScorePlan, 'scoringOf'>;

/** Keeps the scoring of the last run: it serves every run with the same scorers, of which the same failed in prepare. */
export class ScoringCache {
  #last: Scoring | undefined;

  constructor(private readonly plan: Plan) {}

  /** @param present the scorers that are in the current run */
  get(present: readonly CompiledScorer[], failures: PrepareFailures): Scoring {
    if (this.#last && isSame(this.#last.active, present, failures)) return this.#last;
    const scoring = makeScoring(this.plan, activeScorers(present, failures));
    // A weight that is an expression may have another value in the next run.
    this.#last = present.every(({ entry }) => typeof entry.weight === 'number') ? scoring : undefined;
    return scoring;
  }
}

function isSame(
  active: readonly ActiveScorer[],
  present: readonly CompiledScorer[],
  failures: PrepareFailures,
): boolean {
  if (active.length !== present.length) return false;
  for (let k = 0; k < active.length; k++) {
    const { entry, failed } = active[k]!;
    const failure = failures[k];
    if (entry !== present[k]!.entry || (failed !== undefined) !== (failure !== undefined)) return false;
    if (failed?.cause !== failure?.cause) return false;
  }
  return true;
}

/** The scorers of a run. */
export const activeScorers = (present: readonly CompiledScorer[], failures: PrepareFailures): readonly ActiveScorer[] =>
  present.map(({ entry, unit, refuser }, k): ActiveScorer => {
    const active = { entry, unit, refuser, raw: unit.score, failed: undefined };
    const failure = failures[k];
    return failure ? withPrepareFailure(active, failure.cause) : active;
  });

/** A scorer that could not be prepared: one constant for all. Where that fails the run, it has failed by now. */
export function withPrepareFailure({ entry, unit, refuser }: ActiveScorer, cause: unknown): ActiveScorer {
  const { onPrepareError: rule } = entry;
  return { entry, unit, refuser, raw: () => undefined, failed: rule === 'fail' ? undefined : { rule, cause } };
}

/** The scorers of a run with their weights, and what the loop calls. */
export function makeScoring(plan: Plan, active: readonly ActiveScorer[]): Scoring {
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const one of active) {
    const resolved: Score<unknown> = (candidate, row, note) => resolveScore(one, candidate, row, note).value;
    scores[one.refuser - plan.firstRefuser] = one.asked
      ? (candidate, row, note) => (wasAsked(one, row) ? resolved(candidate, row, note) : undefined)
      : resolved;
  }
  const scorers = active.map((one) => loopScore(one, one.raw));
  const { weights, caseWeights, weightsOf } = effectiveWeights(plan, active);
  return {
    active,
    scorers,
    loopScorers: plan.formula ? [loopFormula(plan, plan.formula, active, scorers)] : scorers,
    prepared: active.some(({ unit, failed }) => unit.prepares && !failed),
    scores,
    arithmetic: arithmeticOf(plan.combine),
    weights,
    caseWeights,
    weightsOf,
  };
}

/** What the loop calls in one run: of a batch scorer the function that it prepared, without the look-up for each row. */
export function loopScorersIn(
  plan: ScorePlan,
  { active, scorers, loopScorers, prepared }: Scoring,
  context: RunContext,
): Scoring['loopScorers'] {
  if (!prepared) return loopScorers;
  const now = active.map((one, k) =>
    one.unit.prepares && !one.failed && !one.kept ? loopScore(one, one.unit.scoreIn(context)) : scorers[k]!,
  );
  return plan.formula ? [loopFormula(plan, plan.formula, active, now)] : now;
}

/** A formula on a row on which all scores are numbers: every scorer is called, whatever the formula reads. */
function loopFormula(
  { current, firstRefuser }: Plan,
  formula: Score<unknown, unknown>,
  active: readonly ActiveScorer[],
  scorers: readonly Score<unknown>[],
): Score<unknown> {
  const positions = active.map((one) => one.refuser - firstRefuser);
  return (candidate, row) => {
    const { values } = current.context;
    for (let k = 0; k < scorers.length; k++) {
      const value = scorers[k]!(candidate, row);
      if (!Number.isFinite(value)) return undefined; // resolved with the row
      values[positions[k]!] = value;
    }
    return formula(candidate, row) as number | undefined; // the loop tests what it gives
  };
}

/** The weights of a set of scorers in the current run, and how they differ by candidate. */
function effectiveWeights(
  plan: Plan,
  active: readonly ActiveScorer[],
): Pick<Scoring, 'weights' | 'caseWeights' | 'weightsOf'> {
  const ids = active.map((one) => one.entry.id);
  const own = active.map((one) => ownWeight(one.entry, plan.weightOf));
  const weights = normalizedWeights(plan.combine, ids, own);
  const { cases } = plan;
  if (!cases) return { weights, caseWeights: undefined, weightsOf: () => weights };
  const vectors = new Map<string, Float64Array>();
  for (const [name, byId] of cases.cases) {
    const ofCase = ids.map((id, k) => byId.get(id) ?? own[k]!);
    vectors.set(name, normalizedWeights(plan.combine, ids, ofCase));
  }
  const weightsOf: Scoring['weightsOf'] = (candidate, row) =>
    vectors.get(keyText(cases.evaluate(candidate, row))) ?? weights;
  return { weights, caseWeights: vectors, weightsOf };
}
