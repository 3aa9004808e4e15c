import { describeValue } from '../diagnostics/describe-value.js';
import { didYouMean } from '../diagnostics/did-you-mean.js';
import type { AssizeError } from '../diagnostics/problem.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { idOf } from '../engine/candidate-id.js';
import { causeOf } from '../engine/failures.js';
import { NOT_ASKED, refusalOf, refuserOf } from '../engine/kernel/verdict.js';
import type { Plan } from '../engine/plan.js';
import { RunFailed } from '../engine/run-errors.js';
import type { RunResult } from '../engine/run-state.js';
import { leftOutText, prunedReason } from '../ranking/left-out.js';
import { createExplainContext, type ExplainContext } from './explain-context.js';
import { explainMeasures } from './explain-measures.js';
import { explainScorers } from './explain-scorers.js';
import { explainScoring } from './explain-scoring.js';
import { notAskedTerm } from './entry-term.js';
import { explainVetoes } from './explain-entries.js';
import type { CandidateOutcome, Explanation, LeftOutTerm } from './explanation.js';
import { fieldRead } from './field-reads.js';
import { deepFreeze, omitUndefined } from './json-value.js';
import { RankLookup } from './candidate-outcome.js';
import { refusalsIn } from './refusals.js';
import { StaleCandidateError } from './stale-candidate-error.js';

/** Explains the candidates of one ranking, by asking the functions that judged and scored them once more. */
export class Explainer {
  readonly #where: RankLookup;

  constructor(
    private readonly plan: Plan,
    private readonly outcome: RunResult,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {
    this.#where = new RankLookup(plan, outcome);
  }

  /**
   * @param which an id (the first candidate that has it), or a position in the candidates that were given
   * @throws AssizeError where there is no such candidate, or it has changed since it was ranked
   */
  explain(which: string | { readonly index: number }): Explanation {
    const index = typeof which === 'string' ? this.#find(which) : this.#at(which);
    const id = this.#idOf(index);
    try {
      const { current } = this.plan;
      const parts = index < 0 ? this.#made() : current.enter(this.outcome.context, () => this.#judged(index));
      const { profile } = this.plan;
      const { context } = this.outcome;
      return deepFreeze(
        omitUndefined({
          profile: profile.name,
          id,
          index,
          sameId: this.#where.ids.count.get(id),
          outcome: parts.outcome,
          now: context.now,
          signals: Object.entries(context.signals).map(([name, value]) => fieldRead(`signals.${name}`, () => value)),
          vetoes: parts.vetoes,
          measures: parts.measures,
          scorers: parts.scorers,
          combine: parts.combine,
          rules: parts.rules,
        }),
      );
    } catch (error) {
      if (error instanceof StaleCandidateError) throw staleCandidateProblem(id, error.message);
      if (error instanceof RunFailed)
        throw staleCandidateProblem(id, `${error.entry} fails: ${causeOf(error.failure)}`);
      throw error;
    }
  }

  #find(id: string): number {
    const { first } = this.#where.ids;
    const position = first.get(id);
    if (position !== undefined) return position;
    const all =
      first.size === 0
        ? 'there are no candidates'
        : `there are ${first.size.toLocaleString('en-US')} ids in this ranking`;
    const hint = didYouMean(id, first.keys(), all);
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the id ${id}`, hint }]);
  }

  #at(which: { readonly index: number }): number {
    const { candidates, fallback } = this.outcome;
    if (typeof which !== 'object' || which === null || typeof which.index !== 'number') {
      const message = `a candidate is named by its id or { index }, and not by ${describeValue(which)}`;
      throw toAssizeError([{ code: 'ASZ504', message }]);
    }
    const { index } = which;
    if (Number.isInteger(index) && index >= 0 && index < candidates.length) return index;
    if (index === -1 && fallback && fallback.made.length > 0) return index;
    const hint = candidates.length === 0 ? undefined : `expected 0 to ${candidates.length - 1}`;
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the index ${index}`, hint }]);
  }

  #idOf(index: number): string {
    const { candidates, fallback } = this.outcome;
    return idOf(this.plan.profile, index < 0 ? fallback?.made[0] : candidates[index], index);
  }

  /** A candidate that only a fallback made: nobody judged it. */
  #made(): ExplanationParts {
    const because = 'only a fallback made it';
    return {
      outcome: { kind: 'made', selected: 'fallback' },
      vetoes: this.#nobody('vetoes', because),
      ...this.#unscored(because),
    };
  }

  /** Entries that were not asked. */
  #nobody(kind: 'vetoes' | 'measures' | 'scorers', because: string) {
    return this.plan.profile[kind].map(({ id, use }) => ({ ...notAskedTerm(use, because), id }));
  }

  #unscored(because: string): Omit<ExplanationParts, 'outcome' | 'vetoes'> {
    const rules = this.plan.profile.adjustments.map(
      ({ id }) => ({ id, state: 'not_asked', because, steps: [], reads: [] }) as const,
    );
    return {
      measures: this.#nobody('measures', because),
      scorers: this.#nobody('scorers', because),
      combine: undefined,
      rules,
    };
  }

  #judged(index: number): ExplanationParts {
    const { plan, outcome } = this;
    const asking = createExplainContext(plan, outcome, index);
    const vetoes = explainVetoes(asking);
    const [refusal] = refusalsIn({ vetoes });
    const verdict = outcome.verdicts[index] ?? 0;
    const byVeto = verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser;
    if (refusal && !byVeto) throw new StaleCandidateError(`${refusal.by} refuses it now: ${refusal.reason}`);
    if (byVeto)
      return {
        outcome: this.#refused(asking, verdict, { vetoes }),
        vetoes,
        ...this.#unscored(`${this.plan.refusers[refuserOf(verdict)]} refused`),
      };
    if (asking.row < 0) return { outcome: this.#pinned(index), vetoes, ...this.#unscored('it is pinned') };
    const measures = explainMeasures(asking);
    if (verdict === NOT_ASKED) return this.#spared(asking, vetoes, measures);
    const scoring = explainScoring(asking);
    const { scorers, combine, rules, score } = scoring;
    const came =
      verdict === 0
        ? this.#ranked(asking, score, scoring)
        : this.#refused(asking, verdict, { scorers, combine, rules });
    return { outcome: came, vetoes, measures, scorers, combine, rules };
  }

  /** A candidate that was left out before all were asked about it. */
  #spared(
    asking: ExplainContext,
    vetoes: ExplanationParts['vetoes'],
    measures: ExplanationParts['measures'],
  ): ExplanationParts {
    const { position, row, outcome } = asking;
    const { pruned } = outcome.scored;
    if (!pruned) throw new Error(`candidate ${position} was spared by nobody`);
    const left = prunedReason(pruned, position, row);
    const fallen = this.outcome.fallback?.positions.includes(position);
    const came: CandidateOutcome = omitUndefined({
      kind: 'not_asked',
      atMost: pruned.plan.how === 'prune' ? pruned.most[row] : undefined,
      leftOut: { reason: left.reason, text: leftOutText(left) },
      selected: fallen ? 'fallback' : undefined,
    });
    const { terms: scorers } = explainScorers(asking);
    return { ...this.#unscored('it was not scored'), outcome: came, vetoes, measures, scorers };
  }

  #refused({ position }: ExplainContext, verdict: number, judged: Parameters<typeof refusalsIn>[0]): CandidateOutcome {
    const all = refusalsIn(judged);
    const [first] = all;
    const by = this.plan.refusers[refuserOf(verdict)] ?? 'combine';
    if (!first || first.by !== by || first.kind !== refusalOf(verdict)) {
      throw new StaleCandidateError(
        first ? `${first.by} refuses it now: ${first.reason}` : `${by} refused it, and does not now`,
      );
    }
    const fallen = this.#where.isFallback(position);
    const { kind, reason } = first;
    return omitUndefined({
      kind: 'refused',
      refusal: kind,
      by,
      reason,
      all,
      selected: fallen ? 'fallback' : undefined,
    });
  }

  #ranked(
    { position, row, outcome }: ExplainContext,
    score: number | undefined,
    judged: Parameters<typeof refusalsIn>[0],
  ): CandidateOutcome {
    const stored = outcome.scored.totals[row];
    if (score === undefined || score !== stored) {
      const [refusal] = refusalsIn(judged);
      throw new StaleCandidateError(
        refusal ? `${refusal.by} refuses it now: ${refusal.reason}` : `its score was ${stored} and is ${score}`,
      );
    }
    const ranked = this.#where.rowOf(position);
    const fallen = this.#where.isFallback(position);
    const isSelected = this.#where.isSelected(ranked);
    return omitUndefined({
      kind: 'ranked',
      score: score + 0,
      rank: this.rankOf(ranked),
      of: outcome.totals.length,
      selected: isSelected ? 'score' : fallen ? 'fallback' : undefined,
      leftOut: isSelected ? undefined : this.#leftOut(position, ranked), // all that was left out is looked up there
    });
  }

  #pinned(position: number): CandidateOutcome {
    const leftOut = this.#leftOut(position, -1);
    return leftOut ? { kind: 'pinned', leftOut } : { kind: 'pinned', selected: 'pinned' };
  }

  /** Why a candidate was not selected for its score, or had no room. */
  #leftOut(position: number, row: number): LeftOutTerm | undefined {
    const where = this.#where;
    const unpacked = where.leftOutByPack(position);
    if (unpacked) {
      const { reason, keptInstead = [] } = unpacked;
      const ids = keptInstead.map((other) => where.idAt(other));
      return omitUndefined({ reason, text: leftOutText(unpacked), keptInstead: ids.length > 0 ? ids : undefined });
    }
    const left = where.leftOutBySelect(row);
    if (!left) return undefined;
    const { reason, keptRow } = left;
    const keptInstead = keptRow === undefined ? undefined : [where.idOfRow(keptRow)];
    return omitUndefined({ reason, text: leftOutText({ index: position, reason }), keptInstead });
  }
}

/** What an explanation is made of. */
type ExplanationParts = Pick<Explanation, 'outcome' | 'vetoes' | 'measures' | 'scorers' | 'rules'> & {
  readonly combine: Explanation['combine'] | undefined;
};

const staleCandidateProblem = (id: string, how: string): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ503',
      message: `candidate ${id} has changed since it was ranked: ${how}`,
      hint: 'explain a ranking before its candidates change, or rank them again',
    },
  ]);
