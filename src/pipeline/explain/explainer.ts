import type { AssizeError } from '../../contract/index.js';
import { failure } from '../../document/failure.js';
import { notAsked } from '../../explain/asked.js';
import type { CandidateOutcome, Explanation, LeftOutTerm } from '../../explain/explanation.js';
import { defined, frozen } from '../../explain/plain.js';
import { readOf } from '../../explain/reads.js';
import { refusalsIn } from '../../explain/refusals.js';
import { describeValue } from '../../expression/describe.js';
import { didYouMean } from '../../expression/suggest.js';
import { judgeOf, NOT_ASKED, refusalOf } from '../../matrix/verdict.js';
import { causeOf } from '../../stages/failures.js';
import { RunFailed } from '../../stages/plan.js';
import type { Plan } from '../compile/plan.js';
import { idOf } from '../ids.js';
import { leftText, sparedLeft } from '../left-out.js';
import type { Outcome } from '../outcome.js';
import { type Asking, askAgain } from './ask-again.js';
import { measureTerms } from './ask-measures.js';
import { scorerTerms } from './ask-scorers.js';
import { askScoring } from './ask-scoring.js';
import { vetoTerms } from './ask-vetoes.js';
import { Changed } from './changed.js';
import { Whereabouts } from './whereabouts.js';

/** Explains the candidates of one ranking, by asking the functions that judged and scored them once more. */
export class Explainer {
  readonly #where: Whereabouts;

  constructor(
    private readonly plan: Plan,
    private readonly outcome: Outcome,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {
    this.#where = new Whereabouts(plan, outcome);
  }

  /**
   * @param which an id (the first candidate that has it), or a position in the candidates that were given
   * @throws AssizeError where there is no such candidate, or it has changed since it was ranked
   */
  explain(which: string | { readonly index: number }): Explanation {
    const index = typeof which === 'string' ? this.#find(which) : this.#at(which);
    const id = this.#idOf(index);
    try {
      const parts = index < 0 ? this.#made() : this.#judged(index);
      const { profile } = this.plan;
      const { state } = this.outcome;
      return frozen(
        defined({
          profile: profile.name,
          id,
          index,
          sameId: this.#where.ids.count.get(id),
          outcome: parts.outcome,
          now: state.now,
          signals: Object.entries(state.signals).map(([name, value]) => readOf(`signals.${name}`, () => value)),
          vetoes: parts.vetoes,
          measures: parts.measures,
          scorers: parts.scorers,
          combine: parts.combine,
          rules: parts.rules,
        }),
      );
    } catch (error) {
      if (error instanceof Changed) throw changed(id, error.message);
      if (error instanceof RunFailed) throw changed(id, `${error.entry} fails: ${causeOf(error.failure)}`);
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
    throw failure([{ code: 'ASZ504', message: `no candidate has the id ${id}`, hint }]);
  }

  #at(which: { readonly index: number }): number {
    const { candidates, fallback } = this.outcome;
    if (typeof which !== 'object' || which === null || typeof which.index !== 'number') {
      const message = `a candidate is named by its id or { index }, and not by ${describeValue(which)}`;
      throw failure([{ code: 'ASZ504', message }]);
    }
    const { index } = which;
    if (Number.isInteger(index) && index >= 0 && index < candidates.length) return index;
    if (index === -1 && fallback && fallback.made.length > 0) return index;
    const hint = candidates.length === 0 ? undefined : `expected 0 to ${candidates.length - 1}`;
    throw failure([{ code: 'ASZ504', message: `no candidate has the index ${index}`, hint }]);
  }

  #idOf(index: number): string {
    const { candidates, fallback } = this.outcome;
    return idOf(this.plan.profile, index < 0 ? fallback?.made[0] : candidates[index], index);
  }

  /** A candidate that only a fallback made: nobody judged it. */
  #made(): Parts {
    const because = 'only a fallback made it';
    return {
      outcome: { kind: 'made', selected: 'fallback' },
      vetoes: this.#nobody('vetoes', because),
      ...this.#unscored(because),
    };
  }

  /** Entries that were not asked. */
  #nobody(kind: 'vetoes' | 'measures' | 'scorers', because: string) {
    return this.plan.profile[kind].map(({ id, use }) => ({ ...notAsked(use, because), id }));
  }

  #unscored(because: string): Omit<Parts, 'outcome' | 'vetoes'> {
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

  #judged(index: number): Parts {
    const { plan, outcome } = this;
    const asking = askAgain(plan, outcome, index);
    const vetoes = vetoTerms(asking);
    const [refusal] = refusalsIn({ vetoes });
    const verdict = outcome.verdicts[index] ?? 0;
    const byVeto = verdict !== 0 && judgeOf(verdict) < plan.score.firstJudge;
    if (refusal && !byVeto) throw new Changed(`${refusal.by} refuses it now: ${refusal.reason}`);
    if (byVeto)
      return {
        outcome: this.#refused(asking, verdict, { vetoes }),
        vetoes,
        ...this.#unscored(`${this.plan.judges[judgeOf(verdict)]} refused`),
      };
    if (asking.row < 0) return { outcome: this.#pinned(index), vetoes, ...this.#unscored('it is pinned') };
    const measures = measureTerms(asking);
    if (verdict === NOT_ASKED) return this.#spared(asking, vetoes, measures);
    const scoring = askScoring(asking);
    const { scorers, combine, rules, score } = scoring;
    const came =
      verdict === 0
        ? this.#ranked(asking, score, scoring)
        : this.#refused(asking, verdict, { scorers, combine, rules });
    return { outcome: came, vetoes, measures, scorers, combine, rules };
  }

  /** A candidate that was left out before all were asked about it. */
  #spared(asking: Asking, vetoes: Parts['vetoes'], measures: Parts['measures']): Parts {
    const { position, row, outcome } = asking;
    const { spared } = outcome.scored;
    if (!spared) throw new Error(`candidate ${position} was spared by nobody`);
    const left = sparedLeft(spared, position, row);
    const fallen = this.outcome.fallback?.positions.includes(position);
    const came: CandidateOutcome = defined({
      kind: 'not_asked',
      atMost: spared.late.how === 'prune' ? spared.most[row] : undefined,
      leftOut: { reason: left.reason, text: leftText(left) },
      selected: fallen ? 'fallback' : undefined,
    });
    const { terms: scorers } = scorerTerms(asking);
    return { ...this.#unscored('it was not scored'), outcome: came, vetoes, measures, scorers };
  }

  #refused({ position }: Asking, verdict: number, judged: Parameters<typeof refusalsIn>[0]): CandidateOutcome {
    const all = refusalsIn(judged);
    const [first] = all;
    const by = this.plan.judges[judgeOf(verdict)] ?? 'combine';
    if (!first || first.by !== by || first.kind !== refusalOf(verdict)) {
      throw new Changed(first ? `${first.by} refuses it now: ${first.reason}` : `${by} refused it, and does not now`);
    }
    const fallen = this.#where.isFallback(position);
    const { kind, reason } = first;
    return defined({ kind: 'refused', refusal: kind, by, reason, all, selected: fallen ? 'fallback' : undefined });
  }

  #ranked(
    { position, row, outcome }: Asking,
    score: number | undefined,
    judged: Parameters<typeof refusalsIn>[0],
  ): CandidateOutcome {
    const stored = outcome.scored.totals[row];
    if (score === undefined || score !== stored) {
      const [refusal] = refusalsIn(judged);
      throw new Changed(
        refusal ? `${refusal.by} refuses it now: ${refusal.reason}` : `its score was ${stored} and is ${score}`,
      );
    }
    const ranked = this.#where.rowOf(position);
    const fallen = this.#where.isFallback(position);
    const isSelected = this.#where.isSelected(ranked);
    return defined({
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
    const unpacked = where.unpacked(position);
    if (unpacked) {
      const { reason, keptInstead = [] } = unpacked;
      const ids = keptInstead.map((other) => where.idAt(other));
      return defined({ reason, text: leftText(unpacked), keptInstead: ids.length > 0 ? ids : undefined });
    }
    const left = where.leftOut(row);
    if (!left) return undefined;
    const { reason, keptRow } = left;
    const keptInstead = keptRow === undefined ? undefined : [where.idOfRow(keptRow)];
    return defined({ reason, text: leftText({ index: position, reason }), keptInstead });
  }
}

/** What an explanation is made of. */
type Parts = Pick<Explanation, 'outcome' | 'vetoes' | 'measures' | 'scorers' | 'rules'> & {
  readonly combine: Explanation['combine'] | undefined;
};

const changed = (id: string, how: string): AssizeError =>
  failure([
    {
      code: 'ASZ503',
      message: `candidate ${id} has changed since it was ranked: ${how}`,
      hint: 'explain a ranking before its candidates change, or rank them again',
    },
  ]);
