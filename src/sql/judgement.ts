import { verdictOf } from '../engine/kernel/verdict.js';
import type { ActiveScorer, Scoring } from '../engine/stages/score/types.js';
import type { StreamRun } from '../stream/stream-run.js';
import { combineBound, keepsOrder } from './bound.js';
import { combineScores } from './combine.js';
import type { RowVariable } from './expression.js';
import { absentNumber } from './literals.js';
import { type SqlRule, translateRule } from './rules.js';
import { type SqlScore, translateScorer } from './scores.js';
import { type Target, translateUse, translator } from './uses.js';
import { anyOf, type Odd, orFalse, type SqlNumber, Untranslatable } from './values.js';

/** In the place of a verdict: SQL promises nothing about the row. */
export const ODD = -1;

/** What SQL does about one part of a profile, or why it does nothing. */
export interface PartNote {
  readonly part: string;
  readonly id: string;
  /** Undefined where it is translated. */
  readonly why: string | undefined;
}

/** What SQL finds out about a row. */
export interface Judgement {
  /** 0 for a row that is scored, the verdict of one that is refused, −1 for one that is odd. */
  readonly verdict: string;
  /** The score of a row whose verdict is 0; undefined where SQL scores none. */
  readonly score: SqlNumber | undefined;
  readonly notes: readonly PartNote[];
  /** Whether every row is odd. */
  readonly isIdle: boolean;
  /** Whether the score is an upper bound: some scorers are for the process, which asks as few of them as it can. */
  readonly isBound: boolean;
}

/** Translates a profile in the order of its stages: what comes first decides, as in a run. */
export class JudgementTranslator {
  readonly #steps: { readonly odd: Odd; readonly refuses?: string | undefined; readonly verdict?: number }[] = [];
  readonly #notes: PartNote[] = [];
  #isBound = false;
  readonly #measures = new Map<string, SqlNumber>();
  readonly #scores = new Map<string, SqlNumber>();
  readonly #variables: RowVariable = (name, field) => {
    if (field === undefined) return undefined;
    const found =
      name === 'measures' ? this.#measures.get(field) : name === 'scores' ? this.#scores.get(field) : undefined;
    if (found || (name !== 'measures' && name !== 'scores')) return found;
    throw new Untranslatable(`it reads ${name}.${field}, which has no translation`);
  };

  /** @param leave why all that the vetoes leave is the process's, where it is */
  constructor(
    private readonly run: StreamRun,
    private readonly target: Target,
    private readonly leave?: string,
  ) {}

  translate(): Judgement {
    this.#vetoes();
    const kept = this.leave === undefined ? this.#ranked() : this.#left(this.leave);
    if (!kept) this.#step({ odd: ['TRUE'] });
    const first = this.#steps.find(({ odd, refuses }) => refuses !== undefined || odd.includes('TRUE'));
    const isIdle = first?.odd.includes('TRUE') === true;
    return { verdict: this.#verdict(), score: kept, notes: this.#notes, isIdle, isBound: this.#isBound };
  }

  /** The score of what the vetoes leave; undefined where SQL scores none of it. */
  #ranked(): SqlNumber | undefined {
    this.#pinned();
    this.#takeMeasures();
    const scored = this.#score();
    const score = scored && this.#adjust(scored);
    return score && this.#limit(score);
  }

  /** SQL scores nothing, and says why of each scorer. */
  #left(why: string): undefined {
    for (const { entry } of this.run.plan.score.scorers) this.#notes.push({ part: 'scorer', id: entry.id, why });
  }

  #vetoes(): void {
    const { plan, start } = this.run;
    const { groups, onFirst } = plan.vetoes;
    for (const { vetoes } of groups) {
      for (const { entry, refuser, when } of vetoes) {
        if (!plan.current.enter(start, when)) continue;
        const found = this.#attempt('veto', entry.id, () => {
          if ([...entry.scopes].some((scope) => scope !== 'candidate'))
            throw new Untranslatable('it needs all candidates');
          return translateUse(this.target, entry.use, 'bool', this.#variables);
        });
        if (!found) {
          if (onFirst) this.#step({ odd: ['TRUE'] });
          else this.#steps.unshift({ odd: ['TRUE'] });
          continue;
        }
        const { layers } = this.target.numbers;
        const sql = layers.let(found.sql);
        this.#step({ odd: found.odd, refuses: orFalse(sql), verdict: verdictOf(refuser, 'veto') });
        if (entry.onAbsent === 'refuse') {
          this.#step({ odd: [], refuses: `(${sql} IS NULL)`, verdict: verdictOf(refuser, 'absent') });
        }
        // What would be asked of a refused row may fail, and be counted: then the process asks it.
        if (!onFirst) this.#steps.unshift({ odd: found.odd });
      }
    }
  }

  #pinned(): void {
    const { pinned } = this.run.plan.profile.candidate;
    if (!pinned) return;
    const found = this.#attempt('candidate', 'pinned', () =>
      translator(this.target, this.#variables).bool(pinned.tree),
    );
    this.#step({ odd: found ? [...found.odd, orFalse(found.sql)] : ['TRUE'] });
  }

  #takeMeasures(): void {
    const { plan, start } = this.run;
    const { numbers } = this.target;
    for (const measure of plan.measures) {
      const entry = plan.profile.measures.find(({ id }) => id === measure.id)!;
      const isIn = plan.current.enter(start, () => measure.when());
      const found = this.#attempt('measure', entry.id, () => {
        if (!isIn) return absentNumber(numbers.dialect);
        return translateUse(this.target, entry.use, 'number', this.#variables);
      });
      if (found?.kind !== 'number') {
        this.#step({ odd: ['TRUE'] });
        continue;
      }
      this.#step({ odd: found.odd });
      this.#measures.set(entry.id, { ...found, sql: numbers.layers.let(found.sql), odd: [] });
    }
  }

  #score(): SqlNumber | undefined {
    const { plan, start } = this.run;
    const present = plan.score.scorers.filter(({ when }) => plan.current.enter(start, when));
    const scoring = plan.current.enter(start, () => plan.score.scoringOf(present, []));
    const found = this.#scorers(
      plan.score.scorers.map(({ entry }) => entry.id),
      scoring,
    );
    const scores = found.filter((score) => score !== undefined);
    const total = this.#total(scoring, found);
    if (!total) return undefined;
    this.#step({ odd: scores.flatMap(({ value }) => value.odd) });
    for (const { refuser, refuses } of scores) {
      if (refuses !== undefined) this.#step({ odd: [], refuses, verdict: verdictOf(refuser, 'absent') });
    }
    const sql = this.target.numbers.layers.let(total.sql);
    const verdict = verdictOf(plan.score.combineRefuser, 'unscored');
    if (this.#isBound) this.#step({ odd: [...total.odd, `(${sql} IS NULL)`] });
    else this.#step({ odd: total.odd, refuses: `(${sql} IS NULL)`, verdict });
    return { ...total, sql, odd: [] };
  }

  /** The score of a row; where a scorer is not known that pruning would defer, its upper bound. */
  #total(scoring: Scoring, found: readonly (SqlScore | undefined)[]): SqlNumber | undefined {
    const { secondPhase, score: plan } = this.run.plan;
    const unknown = scoring.active.filter((_, k) => found[k] === undefined);
    if (unknown.length === 0) {
      const scores = found.filter((score) => score !== undefined);
      return this.#attempt('combine', 'scores', () => combineScores(this.target, plan, scoring, scores));
    }
    if (secondPhase?.how !== 'prune' || !unknown.every(({ entry }) => secondPhase.ask.includes(entry.id)))
      return undefined;
    this.#isBound = true;
    return this.#attempt('combine', 'bounds', () => {
      const turning = this.run.plan.profile.adjustments.find((rule) => !keepsOrder(rule));
      if (turning) throw new Untranslatable(`the rule ${turning.id} may turn the order around`);
      return combineBound(this.target, plan, scoring, found);
    });
  }

  /** Every scorer by its position in the run; undefined where it has no translation. */
  #scorers(ids: readonly string[], { active }: Scoring): readonly (SqlScore | undefined)[] {
    const scores = active.map((one) => this.#attempt('scorer', one.entry.id, () => this.#scorer(one)));
    for (const id of ids) {
      // One that is not in this run is absent.
      if (!active.some(({ entry }) => entry.id === id)) this.#scores.set(id, absentNumber(this.target.numbers.dialect));
    }
    for (const score of scores) if (score) this.#scores.set(score.id, { ...score.value, odd: [] });
    return scores;
  }

  #scorer(one: ActiveScorer): SqlScore {
    if ([...one.entry.scopes].some((scope) => scope !== 'candidate'))
      throw new Untranslatable('it needs all candidates');
    return translateScorer(this.target, one, this.#variables);
  }

  #adjust(total: SqlNumber): SqlNumber | undefined {
    const { plan } = this.run;
    let score: SqlNumber | undefined = total;
    for (const [k, rule] of plan.profile.adjustments.entries()) {
      const before: SqlNumber | undefined = score;
      const found: SqlRule | undefined =
        before && this.#attempt('rule', rule.id, () => translateRule(this.target, rule, before, this.#variables));
      if (found) {
        this.#step({ odd: found.score.odd });
        const verdict = verdictOf(plan.firstRuleRefuser + k, 'veto');
        if (found.refuses !== undefined && this.#isBound) this.#step({ odd: [orFalse(found.refuses)] });
        else if (found.refuses !== undefined) this.#step({ odd: [], refuses: orFalse(found.refuses), verdict });
      }
      score = found && { ...found.score, odd: [] };
    }
    return score;
  }

  /** A score that is too near to `min_score` is odd. */
  #limit(score: SqlNumber): SqlNumber {
    const { minScore } = this.run.plan.select;
    const { numbers } = this.target;
    if (minScore !== undefined) this.#step({ odd: numbers.compare('>=', score, numbers.constant(minScore)).odd });
    return score;
  }

  #step(step: { readonly odd: Odd; readonly refuses?: string; readonly verdict?: number }): void {
    this.#steps.push(step);
  }

  #verdict(): string {
    const { layers } = this.target.numbers;
    const cases = this.#steps.flatMap(({ odd, refuses, verdict }) => [
      ...(odd.length > 0 ? [`WHEN ${layers.let(anyOf(odd))} THEN ${ODD}`] : []),
      ...(refuses !== undefined ? [`WHEN ${refuses} THEN ${verdict}`] : []),
    ]);
    return cases.length === 0 ? '0' : `CASE ${cases.join('\n    ')} ELSE 0 END`;
  }

  #attempt<V>(part: string, id: string, translate: () => V): V | undefined {
    try {
      const value = translate();
      this.#notes.push({ part, id, why: undefined });
      return value;
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.#notes.push({ part, id, why: error.message });
      return undefined;
    }
  }
}
