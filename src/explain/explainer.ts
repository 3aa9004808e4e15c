import { toAssizeError } from '../diagnostics/index.js';
import {
  type CandidateNames,
  CandidateRefused,
  causeOf,
  VERDICT_NOT_EVALUATED,
  type Plan,
  refusalOf,
  refuserOf,
  RunFailed,
  type RunResult,
} from '../engine/index.js';
import { labelOf } from '../profile/index.js';
import { notAskedRule, notAskedTerm } from './entry-term.js';
import { type ExplainContext, explainContext, StaleCandidateError, withRun } from './explain-context.js';
import { explainMeasures, explainScorers, explainVetoes } from './explain-entries.js';
import { explainScore } from './explain-score.js';
import type { CandidateOutcome, Explanation } from './explanation.js';
import { fieldRead } from './field-reads.js';
import { deepFreeze, omitUndefined } from './json-value.js';
import { RankLookup } from './rank-lookup.js';
import { selectorNoteText, prunedReason } from './reason-text.js';
import { type RefusingTerms, refusalsIn } from './refusals.js';

/** The parts of an explanation that take evaluating the candidate again. */
type EvaluatedParts = Pick<Explanation, 'outcome' | 'vetoes' | 'measures' | 'scorers' | 'rules'> & {
  readonly combine: Explanation['combine'] | undefined;
};

/** Explains the candidates of one ranking, by evaluating their entries again with the functions of the run. */
export class Explainer {
  readonly #lookup: RankLookup;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {
    this.#lookup = new RankLookup(plan, result, names);
  }

  /**
   * @param which a name: an id (the first candidate that has it), `#3` or `widget (#3)`; or a position in the candidates
   *   that were given
   * @throws AssizeError where there is no such candidate (ASZ504), or it has changed since it was ranked (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    const index = this.find(which);
    const id = this.names.idAt(index);
    const { context } = this.result;
    const parts = this.again(index, () =>
      index < 0 ? this.#fallbackOnly() : withRun(this.plan, this.result, () => this.#evaluate(index)),
    );
    return deepFreeze(
      omitUndefined({
        profile: this.plan.profile.name,
        labels: this.plan.profile.labels,
        id,
        index,
        sameId: this.#lookup.countOfId(id),
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
  }

  /**
   * The position of a candidate; −1 for one that only a fallback generated.
   *
   * @throws AssizeError where there is no such candidate (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return this.#lookup.find(which);
  }

  /**
   * Evaluates the candidate at a position again.
   *
   * @throws AssizeError where an entry gives another result than in the run (ASZ503)
   */
  again<R>(index: number, evaluate: () => R): R {
    try {
      return evaluate();
    } catch (error) {
      const difference = differenceOf(error);
      if (difference === undefined) throw error;
      const message = `candidate ${this.names.nameAt(index)} has changed since it was ranked: ${difference}`;
      const hint = 'explain a ranking before its candidates change, or rank them again';
      throw toAssizeError([{ code: 'ASZ503', message, hint }]);
    }
  }

  /** Evaluates the stages again, as far as the run did for this candidate. */
  #evaluate(index: number): EvaluatedParts {
    const { plan, result } = this;
    const context = explainContext(plan, result, index);
    const vetoes = explainVetoes(context);
    const verdict = result.verdicts[index] ?? 0;
    if (verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser) {
      const because = `${labelOf(plan.profile.labels, plan.refusers[refuserOf(verdict)] ?? '')} refused`;
      return { outcome: this.#refused(index, verdict, { vetoes }), vetoes, ...this.#notScored(because) };
    }
    const [refusal] = refusalsIn(this.plan.profile, { vetoes });
    if (refusal) throw new StaleCandidateError(`${refusal.by} refuses it now: ${refusal.reason}`);
    if (context.row < 0) return { outcome: this.#pinned(index), vetoes, ...this.#notScored('it is pinned') };
    const measures = explainMeasures(context);
    if (verdict === VERDICT_NOT_EVALUATED) {
      const { terms: scorers } = explainScorers(context);
      return { ...this.#notScored('it was not scored'), outcome: this.#pruned(context), vetoes, measures, scorers };
    }
    const { score, ...scoring } = explainScore(context);
    const outcome = verdict === 0 ? this.#ranked(context, score, scoring) : this.#refused(index, verdict, scoring);
    return { outcome, vetoes, measures, ...scoring };
  }

  /** A candidate that only a fallback generated: no entry evaluated it. */
  #fallbackOnly(): EvaluatedParts {
    const because = 'only a fallback made it';
    const vetoes = this.plan.profile.vetoes.map((entry) => notAskedTerm(entry, because));
    return { outcome: { kind: 'made', selected: 'fallback' }, vetoes, ...this.#notScored(because) };
  }

  /** The terms after the vetoes of a candidate that was not scored. */
  #notScored(because: string): Omit<EvaluatedParts, 'outcome' | 'vetoes'> {
    const { measures, scorers, adjustments } = this.plan.profile;
    return {
      measures: measures.map((entry) => notAskedTerm(entry, because)),
      scorers: scorers.map((entry) => notAskedTerm(entry, because)),
      combine: undefined,
      rules: adjustments.map(({ id }) => notAskedRule({ id }, because)),
    };
  }

  #refused(position: number, verdict: number, terms: RefusingTerms): CandidateOutcome {
    const all = refusalsIn(this.plan.profile, terms);
    const [first] = all;
    const by = this.plan.refusers[refuserOf(verdict)] ?? 'combine';
    if (!first || first.by !== by || first.kind !== refusalOf(verdict)) {
      throw new StaleCandidateError(
        first ? `${first.by} refuses it now: ${first.reason}` : `${by} refused it, and does not now`,
      );
    }
    const { kind: refusal, reason } = first;
    return omitUndefined({ kind: 'refused', refusal, by, reason, all, selected: this.#asFallback(position) });
  }

  #ranked({ position, row }: ExplainContext, score: number | undefined, terms: RefusingTerms): CandidateOutcome {
    const stored = this.result.scored.totals[row];
    if (score === undefined || score !== stored) {
      const [refusal] = refusalsIn(this.plan.profile, terms);
      throw new StaleCandidateError(
        refusal ? `${refusal.by} refuses it now: ${refusal.reason}` : `its score was ${stored} and is ${score}`,
      );
    }
    const ranked = this.#lookup.rowOf(position);
    const isSelected = this.#lookup.isSelected(ranked);
    return omitUndefined({
      kind: 'ranked',
      score: score + 0,
      rank: this.rankOf(ranked),
      of: this.result.totals.length,
      selected: isSelected ? 'score' : this.#asFallback(position),
      note: isSelected ? this.#lookup.noteOf(position) : undefined,
      leftOut: isSelected ? undefined : this.#lookup.leftOut(position, ranked), // builds an index of all left-out rows
    });
  }

  #pinned(position: number): CandidateOutcome {
    const leftOut = this.#lookup.leftOut(position, -1);
    return leftOut ? { kind: 'pinned', leftOut } : { kind: 'pinned', selected: 'pinned' };
  }

  /** A candidate that some scorers did not score. */
  #pruned({ position, row }: ExplainContext): CandidateOutcome {
    const { pruned } = this.result.scored;
    if (!pruned) throw new Error(`candidate ${position} was pruned, and nothing was pruned`);
    const left = prunedReason(pruned, position, row);
    return omitUndefined({
      kind: 'not_asked',
      atMost: pruned.plan.how === 'prune' ? pruned.most[row] : undefined,
      leftOut: { reason: left.reason, text: selectorNoteText(left) },
      selected: this.result.fallback?.positions.includes(position) ? 'fallback' : undefined,
    });
  }

  #asFallback(position: number): 'fallback' | undefined {
    return this.#lookup.isFallback(position) ? 'fallback' : undefined;
  }
}

/** How an entry's result differs from that of the run, where that is what was thrown. */
function differenceOf(error: unknown): string | undefined {
  if (error instanceof StaleCandidateError) return error.message;
  if (error instanceof RunFailed) return `${error.entry} fails: ${causeOf(error.failure)}`;
  return error instanceof CandidateRefused ? `${error.by} refuses it now` : undefined;
}
