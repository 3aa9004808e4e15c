import type { SelectorNotSelected } from '../../sdk/index.js';
import { didYouMean, toAssizeError, describeValue } from '../../base/index.js';
import {
  parseName,
  type CandidateNames,
  idOf,
  CandidateRefused,
  causeOf,
  RunFailed,
  VERDICT_NOT_EVALUATED,
  refusalOf,
  refuserOf,
  type Plan,
  type RunResult,
  pinnedBefore,
  notSelectedOfRow,
  type UnselectedRow,
} from '../../engine/index.js';
import { labelOf } from '../../profile/index.js';
import {
  type ExplainContext,
  explainContext,
  explainLets,
  explainMeasures,
  explainScorers,
  explainSignals,
  explainVetoes,
  notEvaluatedNode,
  StaleCandidateError,
  stageNode,
  withRun,
} from './explain-entries.js';
import { explainScore, notScored, refusalsIn, type RefusingNodes } from './explain-score.js';
import type {
  CombineNode,
  Explanation,
  ExplanationNode,
  MeasureNode,
  RuleNode,
  StageNode,
  VetoNode,
} from './explanation.js';
import { type CandidateOutcome, type NotSelectedTerm, outcomeText, type SelectionTerm } from './outcome.js';
import { rankedRowOf } from '../result-rows.js';
import { deepFreeze, omitUndefined } from './json-value.js';
import { prunedReason, selectorNoteText } from './reason-text.js';

/** The evaluated stages of one candidate, and its result. */
interface EvaluatedStages {
  readonly outcome: CandidateOutcome;
  readonly vetoes: readonly VetoNode[];
  readonly measures: readonly MeasureNode[];
  readonly combine: CombineNode;
  readonly rules: StageNode<RuleNode>;
}

/** Explains the candidates of one ranking. Evaluates their entries again with the functions of the run. */
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
   * @param which a name: an id (the first candidate that has it), `@3` or `widget (@3)`; or a position in the input
   * @throws AssizeError if the candidate does not exist (ASZ504), or has changed since it was ranked (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    const index = this.find(which);
    const id = this.names.idAt(index);
    const { plan, result } = this;
    const { outcome, vetoes, measures, combine, rules } = this.again(index, () =>
      index < 0 ? this.#fallbackOnly() : withRun(plan, result, () => this.#evaluate(index)),
    );
    const lets = index < 0 ? [] : withRun(plan, result, () => explainLets(explainContext(plan, result, index)));
    const stages = [
      explainSignals(this.result.context.signals),
      stageNode('veto', 'Vetoes', vetoes),
      stageNode('let', 'Named values', lets, [{ key: 'value', head: 'value' }]),
      stageNode('measure', 'Measures', measures, [{ key: 'value', head: 'value' }]),
      combine,
      rules,
      explainSelection(outcome),
    ];
    return deepFreeze(
      omitUndefined(
        { kind: 'candidate', id, value: outcome.kind === 'ranked' ? outcome.score : undefined },
        { text: outcomeText(outcome), profile: this.plan.profile.name, index },
        { sameId: this.#lookup.countOfId(id), outcome, now: this.result.context.now },
        { details: stages.filter(({ kind, details }) => kind === 'combine' || details.length > 0) },
      ),
    );
  }

  /**
   * The position of a candidate; −1 if only a fallback generated it.
   *
   * @throws AssizeError if the candidate does not exist (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return this.#lookup.find(which);
  }

  /**
   * Evaluates the candidate at a position again.
   *
   * @throws AssizeError if an entry returns a different result than in the run (ASZ503)
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

  /** Evaluates the stages again up to the stage that the run reached for this candidate. */
  #evaluate(index: number): EvaluatedStages {
    const { plan, result } = this;
    const context = explainContext(plan, result, index);
    const vetoes = explainVetoes(context);
    const verdict = result.verdicts[index] ?? 0;
    if (verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser) {
      const because = `${labelOf(plan.profile.labels, plan.refusers[refuserOf(verdict)] ?? '')} refused`;
      return { outcome: this.#refused(index, verdict, { vetoes }), vetoes, ...this.#notMeasured(because) };
    }
    const [refusal] = refusalsIn(this.plan.profile, { vetoes });
    if (refusal) throw new StaleCandidateError(`${refusal.by} now refuses it: ${refusal.reason}`);
    if (context.row < 0) return { outcome: this.#pinned(index), vetoes, ...this.#notMeasured('it is pinned') };
    const measures = explainMeasures(context);
    if (verdict === VERDICT_NOT_EVALUATED) {
      const { nodes } = explainScorers(context);
      const outcome = this.#pruned(context);
      return { outcome, vetoes, measures, ...notScored(plan.profile, 'it was not scored', nodes) };
    }
    const { score, ...scoring } = explainScore(context);
    const outcome = verdict === 0 ? this.#ranked(context, score, scoring) : this.#refused(index, verdict, scoring);
    return { outcome, vetoes, measures, ...scoring };
  }

  /** A candidate that only a fallback generated: no entry evaluated it. */
  #fallbackOnly(): EvaluatedStages {
    const because = 'only a fallback generated it';
    const { labels, vetoes } = this.plan.profile;
    const nodes = vetoes.map((entry) => notEvaluatedNode('veto', labels, entry, because));
    return { outcome: { kind: 'made', selected: 'fallback' }, vetoes: nodes, ...this.#notMeasured(because) };
  }

  /** The nodes after the vetoes for a candidate that was not measured. */
  #notMeasured(because: string): Omit<EvaluatedStages, 'outcome' | 'vetoes'> {
    const { profile } = this.plan;
    const measures = profile.measures.map((entry) => notEvaluatedNode('measure', profile.labels, entry, because));
    return { measures, ...notScored(profile, because) };
  }

  #refused(position: number, verdict: number, nodes: RefusingNodes): CandidateOutcome {
    const all = refusalsIn(this.plan.profile, nodes);
    const [first] = all;
    const by = this.plan.refusers[refuserOf(verdict)] ?? 'combine';
    if (!first || first.by !== by || first.kind !== refusalOf(verdict)) {
      throw new StaleCandidateError(
        first ? `${first.by} now refuses it: ${first.reason}` : `${by} refused it and no longer does`,
      );
    }
    const { kind: refusal, label, reason } = first;
    return omitUndefined({ kind: 'refused', refusal, by, label, reason, all, selected: this.#asFallback(position) });
  }

  #ranked({ position, row }: ExplainContext, score: number | undefined, nodes: RefusingNodes): CandidateOutcome {
    const stored = this.result.scored.totals[row];
    if (score === undefined || score !== stored) {
      const [refusal] = refusalsIn(this.plan.profile, nodes);
      throw new StaleCandidateError(
        refusal ? `${refusal.by} now refuses it: ${refusal.reason}` : `its score was ${stored} and is ${score}`,
      );
    }
    const ranked = rankedRowOf(this.result, position);
    const isSelected = this.#lookup.isSelected(ranked);
    return omitUndefined({
      kind: 'ranked',
      score: score + 0,
      rank: this.rankOf(ranked),
      of: this.result.totals.length,
      selected: isSelected ? 'score' : this.#asFallback(position),
      note: isSelected ? this.#lookup.noteOf(position) : undefined,
      // Expensive: builds an index of all rows that were not selected.
      notSelected: isSelected ? undefined : this.#lookup.notSelected(position, ranked),
    });
  }

  #pinned(position: number): CandidateOutcome {
    const notSelected = this.#lookup.notSelected(position, -1);
    return notSelected ? { kind: 'pinned', notSelected } : { kind: 'pinned', selected: 'pinned' };
  }

  /** A candidate on which some scorers did not run. */
  #pruned({ position, row }: ExplainContext): CandidateOutcome {
    const { pruned } = this.result.scored;
    if (!pruned) throw new Error(`candidate ${position} was pruned, but the run has no pruned candidates`);
    const left = prunedReason(pruned, position, row);
    return omitUndefined({
      kind: 'not_evaluated',
      atMost: pruned.plan.how === 'prune' ? pruned.most[row] : undefined,
      notSelected: { reason: left.reason, text: selectorNoteText(left) },
      selected: this.result.fallback?.positions.includes(position) ? 'fallback' : undefined,
    });
  }

  #asFallback(position: number): 'fallback' | undefined {
    return this.#lookup.isFallback(position) ? 'fallback' : undefined;
  }
}

/** The select stage of an explanation: whether and why the candidate was selected. */
function explainSelection(outcome: CandidateOutcome): StageNode {
  const { selected } = outcome;
  const notSelected = 'notSelected' in outcome ? outcome.notSelected : undefined;
  const reason = selected === undefined ? notSelected : 'note' in outcome ? outcome.note : undefined;
  const nodes: ExplanationNode[] = [];
  if (selected !== undefined || notSelected) {
    const state = selected === undefined ? 'not_selected' : 'selected';
    const id = reason?.reason ?? selected ?? state;
    nodes.push({ kind: 'selection', id, text: reason?.text ?? '', state, details: [] });
  }
  return stageNode('select', 'Selection', nodes);
}

/** How an entry's result differs from the run; undefined if the error has another cause. */
function differenceOf(error: unknown): string | undefined {
  if (error instanceof StaleCandidateError) return error.message;
  if (error instanceof RunFailed) return `${error.entry} fails: ${causeOf(error.failure)}`;
  return error instanceof CandidateRefused ? `${error.by} now refuses it` : undefined;
}

/** Looks up candidates of a ranking, their rows and their selection. Builds each index on first use. */
class RankLookup {
  #selected: ReadonlySet<number> | undefined;
  #notSelectedBySelect: ReadonlyMap<number, UnselectedRow> | undefined;
  /** Candidates that were not packed, and pinned candidates of an earlier page. */
  #notSelectedAlone: ReadonlyMap<number, SelectorNotSelected> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
  ) {}

  /**
   * The position of a candidate; −1 if only a fallback generated it.
   *
   * @param which a name: an id (the first candidate that has it), `@3` or `widget (@3)`; or a position
   * @throws AssizeError if the candidate does not exist (ASZ504)
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
    const index = /^#?\d+$/.test(name) ? Number(name.replace('#', '')) : Number.NaN;
    const byPosition = index < this.result.candidates.length;
    throw toAssizeError([
      {
        code: 'ASZ504',
        message: `no candidate has the id ${name}`,
        hint: byPosition ? `'@${index}' names the candidate at position ${index}, counted from 0` : hint,
      },
    ]);
  }

  /** The position in a name such as `@3` or `widget (@3)`, if the candidate at it has the id. */
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
      throw toAssizeError([{ code: 'ASZ504', message, hint: this.#whichHint(which) }]);
    }
    const { index } = which;
    if (Number.isInteger(index) && index >= 0 && index < candidates.length) return index;
    if (index === -1 && fallback && fallback.made.length > 0) return index;
    const hint = candidates.length === 0 ? undefined : `expected 0 to ${candidates.length - 1}`;
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the index ${index}`, hint }]);
  }

  /** How to name the candidate that a caller passed as itself, or by its bare position. */
  #whichHint(which: unknown): string | undefined {
    if (typeof which === 'number') return `pass { index: ${which} }, or the id as a string`;
    const position = this.result.candidates.findIndex((candidate) => candidate === which);
    return position < 0 ? undefined : `pass its id, or { index: ${position} }`;
  }

  /** How many candidates have an id; undefined if only one has it. */
  countOfId(id: string): number | undefined {
    return this.names.shared.get(id)?.length;
  }

  /** Whether a row of the ranking is selected for its score. */
  isSelected(row: number): boolean {
    const { arrangement, selected } = this.result;
    this.#selected ??= new Set(
      arrangement ? arrangement.order.flatMap(({ index }) => arrangement.rowOf.get(index) ?? []) : selected.rows,
    );
    return this.#selected.has(row);
  }

  /** The reason that a class gave for selecting a candidate. */
  noteOf(position: number): SelectionTerm | undefined {
    const note = this.result.arrangement?.notes.get(position);
    return note && { reason: note.reason, text: selectorNoteText(note) };
  }

  /** Whether a fallback selected a candidate, or generated one with the same id. */
  isFallback(position: number): boolean {
    const { positions = [], made = [] } = this.result.fallback ?? {};
    const isSame = (candidate: unknown): boolean =>
      this.names.first.get(idOf(this.plan.profile, candidate, -1)) === position;
    return positions.includes(position) || made.some(isSame);
  }

  /**
   * Why a candidate was not selected for its score, was not packed, or is pinned to another page; undefined otherwise.
   *
   * @param row its row in the ranking; −1 if it is not ranked
   */
  notSelected(position: number, row: number): NotSelectedTerm | undefined {
    const left = this.#notSelectedWithoutRow(position) ?? this.#unselected(row);
    if (!left) return undefined;
    const names = (left.replacedBy ?? []).map((other) => this.names.nameAt(other));
    return omitUndefined({
      reason: left.reason,
      text: selectorNoteText(left),
      replacedBy: names.length > 0 ? names : undefined,
    });
  }

  #notSelectedWithoutRow(position: number): SelectorNotSelected | undefined {
    this.#notSelectedAlone ??= new Map([
      ...(this.result.arrangement?.left ?? []).map((left): [number, SelectorNotSelected] => [left.index, left]),
      ...pinnedBefore(this.plan, this.result.pinned).map((index): [number, SelectorNotSelected] => [
        index,
        { index, reason: 'offset' },
      ]),
    ]);
    return this.#notSelectedAlone.get(position);
  }

  #unselected(row: number): SelectorNotSelected | undefined {
    const { selected, rows, kept } = this.result;
    this.#notSelectedBySelect ??= new Map(selected.left().map((left) => [left.row, left]));
    const left = this.#notSelectedBySelect.get(row);
    return left && notSelectedOfRow(left, (other) => kept[rows?.[other] ?? other]!);
  }
}
