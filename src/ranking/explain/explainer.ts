import type { SelectorLeftOut } from '../../sdk/index.js';
import { didYouMean, toAssizeError, describeValue } from '../../base/index.js';
import {
  parseName,
  type CandidateNames,
  idOf,
  CandidateRefused,
  causeOf,
  RunFailed,
  indexIn,
  VERDICT_NOT_EVALUATED,
  refusalOf,
  refuserOf,
  type Plan,
  type RunResult,
  pinnedBefore,
  leftOutOfRow,
  type UnselectedRow,
} from '../../engine/index.js';
import { labelOf } from '../../profile/index.js';
import {
  type ExplainContext,
  explainContext,
  explainMeasures,
  explainScorers,
  explainVetoes,
  notAskedRule,
  notAskedTerm,
  StaleCandidateError,
  withRun,
} from './explain-entries.js';
import { explainScore, refusalsIn, type RefusingTerms } from './explain-score.js';
import type { CandidateOutcome, Explanation, LeftOutTerm, SelectionTerm } from './explanation.js';
import { deepFreeze, fieldRead, omitUndefined } from './json-value.js';
import { prunedReason, selectorNoteText } from './reason-text.js';

/** The parts of an explanation for which the candidate is evaluated again. */
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
   * @throws AssizeError if there is no such candidate (ASZ504), or it has changed since it was ranked (ASZ503)
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
   * @throws AssizeError if there is no such candidate (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return this.#lookup.find(which);
  }

  /**
   * Evaluates the candidate at a position again.
   *
   * @throws AssizeError if an entry gives another result than in the run (ASZ503)
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
    if (refusal) throw new StaleCandidateError(`${refusal.by} now refuses it: ${refusal.reason}`);
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
    const because = 'only a fallback generated it';
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
        first ? `${first.by} now refuses it: ${first.reason}` : `${by} refused it and no longer does`,
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
        refusal ? `${refusal.by} now refuses it: ${refusal.reason}` : `its score was ${stored} and is ${score}`,
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
    if (!pruned) throw new Error(`candidate ${position} was pruned, but the run has no pruned candidates`);
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

/** How an entry's result differs from that of the run, if that is what was thrown. */
function differenceOf(error: unknown): string | undefined {
  if (error instanceof StaleCandidateError) return error.message;
  if (error instanceof RunFailed) return `${error.entry} fails: ${causeOf(error.failure)}`;
  return error instanceof CandidateRefused ? `${error.by} now refuses it` : undefined;
}

/** Finds the candidates of a ranking, their rows and their selection. Each index is built when it is first needed. */
class RankLookup {
  #selected: ReadonlySet<number> | undefined;
  #leftOutBySelect: ReadonlyMap<number, UnselectedRow> | undefined;
  /** What was not packed, and the pinned of an earlier page. */
  #leftOutAlone: ReadonlyMap<number, SelectorLeftOut> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
  ) {}

  /**
   * The position of a candidate; −1 for one that only a fallback generated.
   *
   * @param which a name: an id (of several candidates with it the first), `#3` or `widget (#3)`; or a position
   * @throws AssizeError if there is no such candidate (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return typeof which === 'string' ? this.#findByName(which) : this.#checkIndex(which);
  }

  #findByName(name: string): number {
    const { first } = this.names;
    const position = first.get(name) ?? this.#positionIn(name);
    if (position !== undefined) return position;
    const all =
      first.size === 0
        ? 'there are no candidates'
        : `there are ${first.size.toLocaleString('en-US')} ids in this ranking`;
    const hint = didYouMean(name, first.keys(), all);
    const byPosition = /^\d+$/.test(name) && Number(name) < this.result.candidates.length;
    throw toAssizeError([
      {
        code: 'ASZ504',
        message: `no candidate has the id ${name}`,
        hint: byPosition ? `'#${name}' names the candidate at position ${name}, counted from 0` : hint,
      },
    ]);
  }

  /** The position in a name such as `#3` or `widget (#3)`, where the candidate there has the id. */
  #positionIn(name: string): number | undefined {
    const parsed = parseName(name);
    if (!parsed) return undefined;
    const { id, index } = parsed;
    const inRange = index < this.result.candidates.length;
    if (id === undefined) return this.#checkIndex({ index });
    return inRange && this.names.idAt(index) === id ? index : undefined;
  }

  #checkIndex(which: { readonly index: number }): number {
    const { candidates, fallback } = this.result;
    if (typeof which !== 'object' || which === null || typeof which.index !== 'number') {
      const message = `expected the id of a candidate or { index }, found ${describeValue(which)}`;
      throw toAssizeError([{ code: 'ASZ504', message }]);
    }
    const { index } = which;
    if (Number.isInteger(index) && index >= 0 && index < candidates.length) return index;
    if (index === -1 && fallback && fallback.made.length > 0) return index;
    const hint = candidates.length === 0 ? undefined : `expected 0 to ${candidates.length - 1}`;
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the index ${index}`, hint }]);
  }

  /** How many candidates have an id, if it is more than one. */
  countOfId(id: string): number | undefined {
    return this.names.shared.get(id)?.length;
  }

  /** The row of the ranking that a candidate has; −1 if it is not ranked. */
  rowOf(position: number): number {
    const { kept, rows } = this.result;
    const row = indexIn(kept, position);
    return row < 0 || !rows ? row : indexIn(rows, row);
  }

  /** Whether a row of the ranking is selected for its score. */
  isSelected(row: number): boolean {
    const { arrangement, selected } = this.result;
    this.#selected ??= new Set(
      arrangement ? arrangement.order.flatMap(({ index }) => arrangement.rowOf.get(index) ?? []) : selected.rows,
    );
    return this.#selected.has(row);
  }

  /** The reason of the class that chose a candidate. */
  noteOf(position: number): SelectionTerm | undefined {
    const note = this.result.arrangement?.notes.get(position);
    return note && { reason: note.reason, text: selectorNoteText(note) };
  }

  /** Whether a fallback selects a candidate, or one that it generated with the same id. */
  isFallback(position: number): boolean {
    const { positions = [], made = [] } = this.result.fallback ?? {};
    const isSame = (candidate: unknown): boolean =>
      this.names.first.get(idOf(this.plan.profile, candidate, -1)) === position;
    return positions.includes(position) || made.some(isSame);
  }

  /**
   * Why a candidate was not selected for its score, was not packed, or is pinned to another page; undefined if neither is so.
   *
   * @param row its row of the ranking; −1 if it has none
   */
  leftOut(position: number, row: number): LeftOutTerm | undefined {
    const left = this.#leftOutWithoutRow(position) ?? this.#unselected(row);
    if (!left) return undefined;
    const names = (left.keptInstead ?? []).map((other) => this.names.nameAt(other));
    return omitUndefined({
      reason: left.reason,
      text: selectorNoteText(left),
      keptInstead: names.length > 0 ? names : undefined,
    });
  }

  #leftOutWithoutRow(position: number): SelectorLeftOut | undefined {
    this.#leftOutAlone ??= new Map([
      ...(this.result.arrangement?.left ?? []).map((left): [number, SelectorLeftOut] => [left.index, left]),
      ...pinnedBefore(this.plan, this.result.pinned).map((index): [number, SelectorLeftOut] => [
        index,
        { index, reason: 'offset' },
      ]),
    ]);
    return this.#leftOutAlone.get(position);
  }

  #unselected(row: number): SelectorLeftOut | undefined {
    const { selected, rows, kept } = this.result;
    this.#leftOutBySelect ??= new Map(selected.left().map((left) => [left.row, left]));
    const left = this.#leftOutBySelect.get(row);
    return left && leftOutOfRow(left, (other) => kept[rows?.[other] ?? other]!);
  }
}
