import type { Score } from '../../../sdk/index.js';
import { describeValue } from '../../../base/index.js';
import type { Expression, RowFormula } from '../../../expression/index.js';
import {
  expressionFormula,
  hasRelativeWeights,
  type CombineMethod,
  type Profile,
  type ScorerEntry,
  type Use,
} from '../../../profile/index.js';
import type { CurrentRun, RunContext } from '../../entries.js';
import { causeOf, RunFailed } from '../../failures.js';
import { type ColumnLoop, type CombineLoop, makeColumnLoop, makeCombineLoop } from '../../kernel/column-loops.js';
import { arithmeticOf } from '../../kernel/combine-methods.js';
import { columnKinds, type LoopEntry } from '../../kernel/loop-text.js';
import type { LoopRule } from '../../kernel/rule-loop.js';
import { makeScoreLoop, type ScoreLoop, type ScoreShape } from '../../kernel/score-loop.js';
import { type FusedLoop, makeFusedLoop } from '../../kernel/veto-loop.js';
import { type Binder, keyText, type UnitCompiler } from '../../units/unit-compiler.js';
import {
  type ActiveScorer,
  type ActiveVeto,
  type CompiledScorer,
  type LoopForm,
  type Loops,
  type PrepareFailures,
  type ScorePlan,
  ScorerCosts,
  type Scoring,
  type SecondPhasePlan,
} from '../../tier-plans.js';
import { resolveScore, wasEvaluated, withSlack } from './resolve.js';

/** Compiles the scorers and how they combine. Refuser numbers count vetoes, scorers, combine, then rules. */
export function compileScorers(
  { scorers: entries, combine, onUnscored, weights, vetoes }: Profile,
  current: CurrentRun,
  units: UnitCompiler,
  binder: Binder,
  codegen: boolean | undefined,
): ScorePlan {
  const firstRefuser = vetoes.length;
  const scorers = entries.map(
    (entry, k): CompiledScorer => ({
      entry,
      refuser: firstRefuser + k,
      when: binder.condition(entry.when, entry.id, 'score'),
      unit: units.entry<number>(entry, 'score'),
    }),
  );
  const plan: Omit<ScorePlan, 'scoringOf'> = {
    current,
    scorers,
    combine,
    onUnscored,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstRefuser,
    combineRefuser: firstRefuser + scorers.length,
    weightOf: (expression) => binder.bind(expression)(undefined, 0),
    loops: new LoopCache({ combine, weights }, codegen, scorers, binder),
    costs: new ScorerCosts(scorers),
    conditional: scorers.some(({ entry }) => entry.when !== undefined),
  };
  const cache = new ScoringCache(plan);
  return { ...plan, scoringOf: (present, failures) => cache.get(present, failures) };
}

/**
 * The second phase of a ranking: a rerank, or pruning to the rows up to the current page.
 *
 * @param offset how many of the best rows are on earlier pages
 */
export function secondPhaseOf({ rerank, pruning, select }: Profile, offset = 0): SecondPhasePlan | undefined {
  if (rerank) return { how: 'rerank', ...rerank };
  const { top, minScore, ties, seed } = select;
  if (typeof top !== 'number' || typeof minScore === 'object' || pruning.scorers.length === 0) return undefined;
  const ask = pruning.scorers.map(({ id }) => id);
  return { how: 'prune', ask, top: offset + top, minScore, byPosition: ties === undefined && seed === undefined };
}

type Plan = Omit<ScorePlan, 'scoringOf'>;

/** Caches the scoring of the last run. It is valid for runs with the same scorers and the same prepare failures. */
class ScoringCache {
  #last: Scoring | undefined;

  constructor(private readonly plan: Plan) {}

  /** @param present the scorers that take part in the current run */
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

/** A scorer that could not be prepared: its rule applies to every row. If the rule is `fail`, the run has already failed. */
export function withPrepareFailure({ entry, unit, refuser }: ActiveScorer, cause: unknown): ActiveScorer {
  const { onPrepareError: rule } = entry;
  return { entry, unit, refuser, raw: () => undefined, failed: rule === 'fail' ? undefined : { rule, cause } };
}

/** The scorers of a run with their weights, and the functions that the loop calls. */
export function makeScoring(plan: Plan, active: readonly ActiveScorer[]): Scoring {
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const one of active) {
    const resolved: Score<unknown> = (candidate, row, note) => resolveScore(one, candidate, row, note).value;
    scores[one.refuser - plan.firstRefuser] = one.evaluated
      ? (candidate, row, note) => (wasEvaluated(one, row) ? resolved(candidate, row, note) : undefined)
      : resolved;
  }
  const scorers = active.map((one) => loopScore(one, one.raw));
  const { weights, caseWeights, weightsOf } = effectiveWeights(plan, active);
  return {
    active,
    scorers,
    loopScorers: plan.formula ? [...scorers, loopFormula(plan, plan.formula, active, scorers)] : scorers,
    prepared: active.some(({ unit, failed }) => unit.prepares && !failed),
    scores,
    arithmetic: arithmeticOf(plan.combine),
    weights,
    caseWeights,
    weightsOf,
  };
}

/** The functions that the loop calls in one run. For a batch scorer, the prepared function itself, without a lookup per row. */
export function loopScorersIn(
  plan: ScorePlan,
  { active, scorers, loopScorers, prepared }: Scoring,
  context: RunContext,
): Scoring['loopScorers'] {
  if (!prepared) return loopScorers;
  const now = active.map((one, k) =>
    one.unit.prepares && !one.failed && !one.cached ? loopScore(one, one.unit.scoreIn(context)) : scorers[k]!,
  );
  return plan.formula ? [...now, loopFormula(plan, plan.formula, active, now)] : now;
}

/** A formula for rows on which all scores are numbers. Calls every scorer, even if the formula does not read it. */
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
    return formula(candidate, row) as number | undefined; // the loop checks the result
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

/** Weights by position in the run: literal for a sum; for means, divided by their sum. NaN if all are 0. */
export function normalizedWeights(
  combine: CombineMethod,
  ids: readonly string[],
  weights: readonly number[],
): Float64Array {
  const vector = Float64Array.from(weights);
  const wrong = ids.findIndex((_, k) => !Number.isFinite(vector[k]) || (hasRelativeWeights(combine) && vector[k]! < 0));
  if (wrong >= 0) {
    const expected = hasRelativeWeights(combine) ? 'a finite number of at least 0' : 'a finite number';
    throw new RunFailed(ids[wrong]!, 'score', new RangeError(`its weight is ${weights[wrong]}; expected ${expected}`));
  }
  const total = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (total === 0) return vector.fill(Number.NaN); // no score has weight: every row is resolved and left unscored
  if (!hasRelativeWeights(combine)) return vector;
  if (Number.isFinite(total)) return vector.map((weight) => weight / total);
  // Their sum overflows a double; their proportions do not.
  return normalizedWeights(
    combine,
    ids,
    weights.map((weight) => weight / weights.length),
  );
}

/** An entry's own weight in this run: a number, or the value of its expression. */
export function ownWeight({ id, weight }: ScorerEntry, evaluate: (expression: Expression) => unknown): number {
  if (typeof weight === 'number') return weight;
  const label = `its weight ${weight.source}`;
  let value: unknown;
  try {
    value = evaluate(weight);
  } catch (error) {
    throw new RunFailed(id, 'score', new TypeError(`${label} failed: ${causeOf(error)}`, { cause: error }));
  }
  if (typeof value === 'number') return value;
  throw new RunFailed(id, 'score', new TypeError(`${label} returned ${describeValue(value)}; expected a number`));
}

/** Makes the loops of a profile: one per set of scorers, because an entry whose `when` is false does not take part. */
class LoopCache implements Loops {
  readonly #score = new LoopPerForm<ScoreLoop>();
  readonly #fused = new LoopPerForm<FusedLoop>();
  readonly #columns = new LoopPerForm<ColumnLoop>();
  readonly #combine = new LoopPerScorers<CombineLoop>();
  readonly #shape: Omit<ScoreShape, 'entries'>;
  readonly #formula: Expression | undefined;
  readonly #by: Profile['weights'];
  /** How many candidates are still scored without code: for a few, generating it takes longer than scoring them. */
  #early = 1000;

  constructor(
    { combine, weights }: Pick<Profile, 'combine' | 'weights'>,
    private readonly codegen: boolean | undefined,
    private readonly scorers: readonly CompiledScorer[],
    private readonly binder: Binder,
  ) {
    this.#formula = typeof combine === 'string' ? undefined : combine.formula;
    this.#by = weights;
    this.#shape = { arithmetic: arithmeticOf(combine), cases: weights !== undefined };
  }

  score(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop {
    // If a profile has scorers and none takes part, no candidate gets a score.
    if (active.length === 0 && this.scorers.length > 0)
      return (k, from, to) => void k.totals.fill(Number.NaN, from, to);
    return this.#score.of(form, active, () => makeScoreLoop(this.#shapeOf(active, form), this.codegen ?? true));
  }

  fused(
    vetoes: readonly ActiveVeto[],
    active: readonly ActiveScorer[],
    form: LoopForm,
    rules: () => readonly LoopRule[],
    candidates: number,
  ): FusedLoop {
    if (this.codegen === undefined && this.#early > 0) {
      this.#early -= candidates;
      if (this.#early >= 0) return this.plainFused(active);
    }
    const shape = (): ScoreShape => ({ ...this.#shapeOf(active, form), rules: rules() });
    const make = (): FusedLoop => makeFusedLoop(vetoes.map(vetoEntry), shape(), this.codegen ?? true);
    return this.#fused.of(form, active, make);
  }

  plainScore(active: readonly ActiveScorer[]): ScoreLoop {
    return makeScoreLoop(this.#plainShapeOf(active), false);
  }

  plainFused(active: readonly ActiveScorer[]): FusedLoop {
    return makeFusedLoop([], this.#plainShapeOf(active), false);
  }

  /** A loop without code calls every function: it needs no formulas. */
  #plainShapeOf(active: readonly ActiveScorer[]): ScoreShape {
    return { ...this.#shape, entries: active.map(({ entry }) => ({ id: entry.id, size: 0 })) };
  }

  columns(active: readonly ActiveScorer[], form: Omit<LoopForm, 'keeps'>): ColumnLoop {
    const make = (): ColumnLoop => makeColumnLoop(active.map(rawEntry), this.codegen ?? true, form.table);
    return this.#columns.of({ ...form, keeps: true }, active, make);
  }

  combine(active: readonly ActiveScorer[]): CombineLoop {
    const shape = (): ScoreShape => ({ ...this.#shape, entries: active.map(calledEntry) });
    return this.#combine.of(active, () => makeCombineLoop(shape(), this.codegen ?? true));
  }

  #shapeOf(active: readonly ActiveScorer[], { table, keeps }: LoopForm): ScoreShape {
    const by = this.#by && {
      formula: expressionFormula(this.#by.by, this.binder.variables),
      cases: [...this.#by.cases.keys()],
    };
    return { ...this.#shape, entries: active.map(scoreEntry), formula: this.#formulaOf(active), by, table, keeps };
  }

  /** The formula of the profile, which reads the variables of the loop. A scorer that does not take part is absent. */
  #formulaOf(active: readonly ActiveScorer[]): RowFormula | undefined {
    if (!this.#formula || active.length < this.scorers.length) return undefined;
    const locals = new Map(active.map(({ entry }, k) => [entry.id, `x${k}`]));
    return { ...expressionFormula(this.#formula, this.binder.variables), locals };
  }
}

/** A scorer whose function the loop calls on every row. */
const calledEntry = ({ entry, raw }: ActiveScorer): LoopEntry => ({
  id: entry.id,
  size: estimatedBytecodes(entry.use, raw),
});

/** A scorer without its entry's rules. Its formula stands for its function, unless that was replaced in this run. */
const rawEntry = (one: ActiveScorer): LoopEntry =>
  isReplaced(one) ? calledEntry(one) : { ...calledEntry(one), formula: one.unit.formula?.() };

/** A scorer with its entry's rules. The loop leaves an absent score, and one out of range, to its function. */
function scoreEntry(one: ActiveScorer): LoopEntry {
  const { outOfRange, range, onAbsent } = one.entry;
  return {
    ...rawEntry(one),
    isKnown: one.known !== undefined,
    range: range && outOfRange !== 'warn' ? withSlack(range) : undefined,
    onAbsent: onAbsent === 'refuse' ? undefined : onAbsent,
  };
}

/** A veto of a run. */
export const vetoEntry = ({ entry, refuses, unit, failure }: ActiveVeto): LoopEntry => ({
  size: estimatedBytecodes(entry.use, refuses),
  formula: failure ? undefined : unit.formula?.(),
});

/** Whether another function than the unit's own scores the rows of this run. */
const isReplaced = ({ raw, unit, evaluated, failed }: ActiveScorer): boolean =>
  raw !== unit.score || evaluated !== undefined || failed !== undefined;

/**
 * The approximate number of bytecodes of a function and its callees: from the number of operations of an expression, or from
 * the length of the function's text.
 */
const estimatedBytecodes = (use: Use, score: Score<unknown, unknown>): number =>
  use.kind === 'expr' ? 20 + 24 * use.expression.size : bytecodesOf(score);

export const bytecodesOf = (score: Score<unknown, unknown>): number => 0.6 * score.toString().length;

/** One loop per set of scorers. Most runs have the same set as the previous one. */
class LoopPerScorers<L> {
  readonly #made = new Map<string, L>();
  #last: { readonly active: readonly ActiveScorer[]; readonly loop: L } | undefined;

  of(active: readonly ActiveScorer[], make: () => L): L {
    if (this.#last?.active === active) return this.#last.loop;
    const key = active.map((one) => `${one.refuser}${one.known ? 'k' : isReplaced(one) ? 'r' : ''}`).join(' ');
    const loop = this.#made.get(key) ?? make();
    this.#made.set(key, loop);
    this.#last = { active, loop };
    return loop;
  }
}

/** The loops per form. */
class LoopPerForm<L> {
  readonly #forms = new Map<string, LoopPerScorers<L>>();
  /** Of objects. Looking up a form would cost a run of ten objects a tenth of its time. */
  readonly #objects = new LoopPerScorers<L>();
  readonly #keepingObjects = new LoopPerScorers<L>();

  of({ table, fields, keeps }: LoopForm, active: readonly ActiveScorer[], make: () => L): L {
    if (!table || !fields) return (keeps ? this.#keepingObjects : this.#objects).of(active, make);
    const form = `${columnKinds(table, fields)} ${keeps}`;
    const loops = this.#forms.get(form) ?? new LoopPerScorers<L>();
    this.#forms.set(form, loops);
    return loops.of(active, make);
  }
}

/** The function that the loop calls: the unit's own, or one that applies a rule without resolving the row. */
function loopScore({ entry, failed: unprepared }: ActiveScorer, raw: Score<unknown>): Score<unknown> {
  if (unprepared) {
    const { rule } = unprepared;
    return typeof rule === 'number' ? () => rule : () => undefined; // the row is resolved, which skips the score or refuses
  }
  const { onAbsent, outOfRange, range } = entry;
  const number = typeof onAbsent === 'number' ? onAbsent : undefined;
  const bounds = outOfRange === 'warn' ? undefined : range;
  if (bounds === undefined) {
    if (number === undefined) return raw;
    return (candidate, row) => {
      const value = raw(candidate, row);
      return value === undefined ? number : value; // null does not abstain
    };
  }
  const [least, most] = withSlack(bounds);
  return (candidate, row) => {
    const value = raw(candidate, row);
    if (value === undefined) return number;
    if (value >= least && value <= most) return value;
    return typeof value === 'number' ? undefined : value; // out of range, or not a number: the row is resolved
  };
}
