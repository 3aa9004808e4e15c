import { verdictOf, keyText, type ActiveScorer, type Refusal, type Scoring } from '../../engine/index.js';
import type { Adjustment, NumberOrExpression, TableFactor } from '../../profile/index.js';
import type { StreamRun } from '../../pipeline/index.js';
import { combineBound, combineScores, keepsOrder, type SqlScore, translateScorer } from './combine.js';
import { Untranslatable } from './dialect.js';
import { type RowVariable, type Target, translator } from './expression.js';
import { runValue } from './calls.js';
import { KeptRows, type PartNote } from './kept-rows.js';
import { absentNumber, type Uncertain, uncertainWhere, orFalse, type SqlNumber } from './values.js';

/** The SQL that judges a row. */
export interface Judgement {
  /** 0 for a scored row, the verdict of a refused row, or −1 for an uncertain row. */
  readonly verdict: string;
  /** The verdicts that refused rows may have. */
  readonly verdicts: readonly number[];
  /** The score of a row with verdict 0; undefined if SQL scores no row. */
  readonly score: SqlNumber | undefined;
  readonly notes: readonly PartNote[];
  /** Whether every row is uncertain. */
  readonly isIdle: boolean;
  /**
   * Whether the score is an upper bound. The process then evaluates the unknown scorers, on as few rows as possible.
   */
  readonly isBound: boolean;
}

/** Translates a profile in the order of its stages: the first stage that decides about a row determines its verdict. */
export class JudgementTranslator {
  readonly #rows: KeptRows;
  #isBound = false;

  /** @param leave the reason why the process evaluates every row that passes the vetoes, if it does */
  constructor(
    private readonly run: StreamRun,
    private readonly target: Target,
    private readonly leave?: string,
  ) {
    this.#rows = new KeptRows(run, target);
  }

  translate(): Judgement {
    const { steps, notes } = this.#rows;
    this.#rows.veto();
    const score = this.leave === undefined ? this.#ranked() : this.#left(this.leave);
    if (!score) steps.giveUp();
    const { isIdle, verdicts } = steps;
    return { verdict: steps.sql(this.target.numbers.layers), verdicts, score, notes, isIdle, isBound: this.#isBound };
  }

  /** The score of the rows that pass the vetoes; undefined if SQL scores none of them. */
  #ranked(): SqlNumber | undefined {
    this.#rows.setPinnedAside();
    this.#rows.measure();
    const scored = this.#score();
    const score = scored && this.#adjust(scored);
    return score && this.#limit(score);
  }

  /** Notes for each scorer why SQL does not score it. */
  #left(why: string): undefined {
    for (const { entry } of this.run.plan.score.scorers) this.#rows.notes.push({ part: 'scorer', id: entry.id, why });
  }

  #score(): SqlNumber | undefined {
    const { plan, start } = this.run;
    const { steps } = this.#rows;
    const present = plan.score.scorers.filter(({ when }) => plan.current.enter(start, when));
    const scoring = plan.current.enter(start, () => plan.score.scoringOf(present, []));
    const found = this.#scorers(
      plan.score.scorers.map(({ entry }) => entry.id),
      scoring,
    );
    const scores = found.filter((score) => score !== undefined);
    const total = this.#total(scoring, found);
    if (!total) return undefined;
    steps.add({ uncertain: scores.flatMap(({ value }) => value.uncertain) });
    for (const { refuser, refuses } of scores) {
      if (refuses !== undefined) steps.add({ uncertain: [], refuses, verdict: verdictOf(refuser, 'absent') });
    }
    const sql = this.target.numbers.layers.let(total.sql);
    const verdict = verdictOf(plan.score.combineRefuser, 'unscored');
    if (this.#isBound) steps.add({ uncertain: [...total.uncertain, `(${sql} IS NULL)`] });
    else steps.add({ uncertain: total.uncertain, refuses: `(${sql} IS NULL)`, verdict });
    return { ...total, sql, uncertain: [] };
  }

  /** The score of a row. If pruning defers every unknown scorer, the upper bound of the score. */
  #total(scoring: Scoring, found: readonly (SqlScore | undefined)[]): SqlNumber | undefined {
    const { secondPhase, score: plan, profile } = this.run.plan;
    const unknown = scoring.active.filter((_, k) => found[k] === undefined);
    if (unknown.length === 0) {
      const scores = found.filter((score) => score !== undefined);
      return this.#rows.attempt('combine', 'scores', () => combineScores(this.target, plan, scoring, scores));
    }
    if (secondPhase?.how !== 'prune' || !unknown.every(({ entry }) => secondPhase.ask.includes(entry.id)))
      return undefined;
    this.#isBound = true;
    return this.#rows.attempt('combine', 'bounds', () => {
      const turning = profile.adjustments.find((rule) => !keepsOrder(rule));
      if (turning) throw new Untranslatable(`the rule ${turning.id} may reverse the order`);
      return combineBound(this.target, plan, scoring, found);
    });
  }

  /** The scorers by their positions in the run; undefined if a scorer has no translation. */
  #scorers(ids: readonly string[], { active }: Scoring): readonly (SqlScore | undefined)[] {
    const { scores: known } = this.#rows;
    const scores = active.map((one) => this.#rows.attempt('scorer', one.entry.id, () => this.#scorer(one)));
    for (const id of ids) {
      // The score of a scorer that is not in this run is absent.
      if (!active.some(({ entry }) => entry.id === id)) known.set(id, absentNumber(this.target.numbers.dialect));
    }
    for (const score of scores) if (score) known.set(score.id, { ...score.value, uncertain: [] });
    return scores;
  }

  #scorer(one: ActiveScorer): SqlScore {
    const { scopes } = one.entry;
    // Only an entry whose extremes are known can read values of all candidates.
    if (scopes.has('sequence') || (scopes.has('set') && !this.target.extremes))
      throw new Untranslatable('it needs all candidates');
    return translateScorer(this.target, one, this.#rows.variables);
  }

  #adjust(total: SqlNumber): SqlNumber | undefined {
    const { plan } = this.run;
    const { steps, variables } = this.#rows;
    let score: SqlNumber | undefined = total;
    for (const [k, rule] of plan.profile.adjustments.entries()) {
      const before: SqlNumber | undefined = score;
      const found: SqlRule | undefined =
        before && this.#rows.attempt('rule', rule.id, () => translateRule(this.target, rule, before, variables));
      if (found) {
        steps.add({ uncertain: found.score.uncertain });
        for (const { where, refusal } of found.refusals) {
          const verdict = verdictOf(plan.firstRuleRefuser + k, refusal);
          if (this.#isBound) steps.add({ uncertain: [orFalse(where)] });
          else steps.add({ uncertain: [], refuses: orFalse(where), verdict });
        }
      }
      score = found && { ...found.score, uncertain: [] };
    }
    return score;
  }

  /** A row is uncertain if its score is within the error of `min_score`. */
  #limit(score: SqlNumber): SqlNumber {
    const { minScore } = this.run.plan.select;
    const { numbers } = this.target;
    if (minScore !== undefined)
      this.#rows.steps.add({ uncertain: numbers.compare('>=', score, numbers.constant(minScore)).uncertain });
    return score;
  }
}

/** The score after a rule. */
export interface SqlRule {
  readonly score: SqlNumber;
  /** When the rule refuses the row, and why. */
  readonly refusals: readonly { readonly where: string; readonly refusal: Refusal }[];
}

const ORDER = ['set', 'add', 'multiply', 'min', 'max'] as const;

/** Translates a rule: if its condition is true, applies each operation with an amount, in order. */
export function translateRule(target: Target, rule: Adjustment, score: SqlNumber, variables: RowVariable): SqlRule {
  const { numbers } = target;
  const { layers } = numbers;
  const withScore: RowVariable = (name, field) =>
    name === 'score' && field === undefined ? score : variables(name, field);
  const condition = rule.when && translator(target, withScore).bool(rule.when.tree);
  const fires = layers.let(condition ? orFalse(condition.sql) : 'TRUE');
  const uncertain: string[] = [...(condition?.uncertain ?? [])];
  const refusals: { where: string; refusal: Refusal }[] = [];
  if (rule.refuse) refusals.push({ where: fires, refusal: 'veto' });
  if (condition && rule.refuse?.onAbsent === 'refuse')
    refusals.push({ where: `(${condition.sql}) IS NULL`, refusal: 'absent' });
  let current = score;
  for (const operation of ORDER) {
    const part = rule[operation];
    if (part === undefined) continue;
    const found = amountOf(target, part, withScore);
    const amount = {
      ...found,
      sql: layers.let(found.sql),
      error: found.error && layers.let(found.error),
      uncertain: [] as Uncertain,
    };
    uncertain.push(...uncertainWhere(fires, found.uncertain));
    const acts = layers.let(`(${fires} AND ${amount.sql} IS NOT NULL)`);
    if (typeof part === 'object' && 'table' in part && part.zero === 'refuse') {
      refusals.push({ where: layers.let(`(${acts} AND ${amount.sql} = 0)`), refusal: 'veto' });
    }
    const before = {
      ...current,
      sql: layers.let(current.sql),
      error: current.error && layers.let(current.error),
      uncertain: [] as Uncertain,
    };
    const after = apply(target, operation, before, amount);
    uncertain.push(...uncertainWhere(acts, after.uncertain));
    current = numbers.choose(acts, after, before);
  }
  return { score: { ...current, sql: layers.let(current.sql), uncertain }, refusals };
}

function apply({ numbers }: Target, operation: (typeof ORDER)[number], score: SqlNumber, amount: SqlNumber): SqlNumber {
  switch (operation) {
    case 'set':
      return amount;
    case 'add':
      return numbers.add(score, amount);
    case 'multiply':
      return numbers.multiply(score, amount);
    case 'min':
      return numbers.extremum('max', score, amount);
    default:
      return numbers.extremum('min', score, amount);
  }
}

function amountOf(target: Target, part: NumberOrExpression | TableFactor, variables: RowVariable): SqlNumber {
  if (typeof part === 'number') return target.numbers.constant(part);
  return 'table' in part ? tableFactor(target, part, variables) : translator(target, variables).number(part.tree);
}

/**
 * Translates the factor of a table. Keys that are the same for every row are looked up now; others are compared as
 * texts.
 */
function tableFactor(target: Target, { table, by, missing }: TableFactor, variables: RowVariable): SqlNumber {
  const { numbers } = target;
  const uncertain: string[] = [];
  const keys = by.map(({ tree }) => {
    const same = runValue(target.run, tree);
    if (same) return same;
    const text = translator(target, variables).text(tree);
    uncertain.push(...text.uncertain);
    return { sql: numbers.layers.let(text.sql) };
  });
  let most = Math.abs(missing);
  const literal = (factor: number): string => {
    most = Math.max(most, Math.abs(factor));
    return numbers.constant(factor).sql;
  };
  const look = (at: unknown, level: number): string => {
    const key = keys[level];
    if (!key) return literal(typeof at === 'number' ? at : missing);
    const rows = at instanceof Map ? (at as ReadonlyMap<string, unknown>) : new Map<string, unknown>();
    if ('value' in key) return look(rows.get(keyText(key.value)), level + 1);
    const branches = [...rows].map(
      ([name, row]) => `WHEN ${key.sql} = ${numbers.dialect.text(name)} THEN ${look(row, level + 1)}`,
    );
    const otherwise = look(undefined, level + 1);
    return branches.length === 0 ? otherwise : `CASE ${branches.join(' ')} ELSE ${otherwise} END`;
  };
  if (keys.some((key) => 'value' in key && (key.value === undefined || key.value === null))) {
    return absentNumber(numbers.dialect);
  }
  const found = look(table, 0);
  const there = keys.flatMap((key) => ('sql' in key ? [`${key.sql} IS NOT NULL`] : []));
  const sql = there.length === 0 ? found : `CASE WHEN ${there.join(' AND ')} THEN ${found} END`;
  return { kind: 'number', sql, error: undefined, most, uncertain };
}
