import { describeValue } from '../../base/index.js';
import {
  CandidateRefused,
  causeOf,
  indexIn,
  type Refusal,
  refuserOf,
  refuses,
  type Plan,
  type Evaluation,
  readMeasure,
  leavesRange,
  type ResolvedScore,
  resolveScore,
  wasEvaluated,
  decideVeto,
  type ActiveScorer,
  type ActiveVeto,
  NoteRecorder,
  type RecordedChild,
  type RecordedNote,
} from '../../engine/index.js';
import { parsePath } from '../../expression/index.js';
import { type Adjustment, labelOf, type ScorerEntry, type Use } from '../../profile/index.js';
import type { ChildTerm, EntryTerm, MeasureTerm, NoteTerm, RuleTerm, ScorerTerm, VetoTerm } from './explanation.js';
import {
  finiteOrUndefined,
  omitUndefined,
  readsOfUse,
  readSteps,
  toJsonValue,
  type VariableLookup,
} from './json-value.js';
import { noteProblem, noteText } from './reason-text.js';

/** One candidate of a run, for evaluating its entries again. */
export interface ExplainContext extends VariableLookup {
  readonly plan: Plan;
  readonly evaluation: Evaluation;
  /** Its position in the candidates that were given. */
  readonly position: number;
  /** Its row of Tier 2; −1 if it has none. */
  readonly row: number;
}

/** An entry returns a different result than in the run, because the candidate has changed. */
export class StaleCandidateError extends Error {}

/**
 * Does synchronous work in a run that has ended, so that its units read its context, signals and prepared scores. All
 * repeated evaluations use this function.
 */
export function withRun<R>(plan: Plan, { context }: Pick<Evaluation, 'context'>, work: () => R): R {
  return plan.current.enter(context, work);
}

/** The context of one candidate. Its variables are only valid inside `withRun`. */
export function explainContext(plan: Plan, evaluation: Evaluation, position: number): ExplainContext {
  const { candidates, kept, context } = evaluation;
  const candidate = candidates[position];
  const row = indexIn(kept, position);
  const scorers = plan.profile.scorers.map(({ id }) => id);
  const variable = (name: string): unknown => {
    const [holder = '', key = ''] = name.split('.');
    if (holder === 'measures') return measureAt(context.measures[key], row);
    if (holder === 'signals') return context.signals[key];
    if (holder === 'scores') return context.scores[scorers.indexOf(key)]?.(candidate, row);
    if (/^context\b/.test(name)) return readSteps(parsePath(name).slice(1), context.context);
    return context.values[scorers.indexOf(name)]; // of a formula: a scorer's id
  };
  return { plan, evaluation, position, row, candidate, variable };
}

function measureAt(column: Float64Array | undefined, row: number): number | undefined {
  const value = column?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

const WHEN_IS_FALSE = 'its when is not true';

/** Evaluates the vetoes again, in the order of the run, up to the same veto. */
export function explainVetoes(context: ExplainContext): VetoTerm[] {
  const { plan, evaluation, position } = context;
  let refusedBy: string | undefined;
  return plan.profile.vetoes.map((entry) => {
    const veto = evaluation.vetoes.runs.find((one) => one.entry === entry);
    const index = veto?.given ? indexIn(veto.given, position) : position;
    const stopped = refusedBy !== undefined && (plan.vetoes.onFirst || index < 0);
    if (!veto || stopped) return notAskedTerm(entry, veto ? `${refusedBy} refused` : WHEN_IS_FALSE);
    const term = vetoTerm(veto, index, context);
    if (term.refusal) refusedBy ??= labelOf(plan.profile.labels, entry.id);
    return term;
  });
}

/** @param index the candidate's place among those that the veto was given */
function vetoTerm(veto: ActiveVeto, index: number, context: ExplainContext): VetoTerm {
  const { id, use } = veto.entry;
  const recorder = new NoteRecorder();
  const { state, refusal, error } = decideVeto(veto, context.candidate, index, recorder.note);
  return omitUndefined({ id, state }, entryTerm(use, recorder, context), {
    error: state === 'failed' ? errorText(error) : undefined,
    refusal,
  });
}

/**
 * Evaluates the measures again.
 *
 * @throws StaleCandidateError where one differs from the run's column
 */
export function explainMeasures(context: ExplainContext): MeasureTerm[] {
  const { plan, evaluation, candidate, row } = context;
  return plan.profile.measures.map((entry): MeasureTerm => {
    const { id, use } = entry;
    const measure = evaluation.measures.find((one) => one.id === id);
    if (!measure) return notAskedTerm(entry, WHEN_IS_FALSE);
    const recorder = new NoteRecorder();
    let failure = measure.score ? undefined : { cause: measure.cause };
    const onFailure = (cause: unknown): void => {
      failure = { cause };
    };
    const value = measure.score ? readMeasure(measure.score, candidate, row, onFailure, recorder.note) : Number.NaN;
    const stored = evaluation.context.measures[id]?.[row] ?? Number.NaN;
    if (value !== stored && !(Number.isNaN(value) && Number.isNaN(stored)))
      throw new StaleCandidateError(`${id} was ${stored} and is ${value}`);
    const state = failure ? 'failed' : Number.isNaN(value) ? 'absent' : 'scored';
    return omitUndefined({ id, state, value: finiteOrUndefined(value) }, entryTerm(use, recorder, context), {
      error: failure && errorText(failure.cause),
    });
  });
}

/** The terms of the scorers, and the resolved values of those in the run, in order: what is combined. */
export interface ExplainedScorers {
  readonly terms: readonly ScorerTerm[];
  readonly resolved: readonly (number | undefined)[];
}

/** Evaluates the scorers again, in the order of the run, up to the same scorer. */
export function explainScorers(context: ExplainContext): ExplainedScorers {
  const { plan, evaluation } = context;
  const resolved: (number | undefined)[] = [];
  let refusedBy: string | undefined;
  const terms = plan.profile.scorers.map((entry): ScorerTerm => {
    const scorer = evaluation.scored.scoring.active.find((one) => one.entry === entry);
    if (!scorer) return notAskedTerm(entry, WHEN_IS_FALSE);
    if (refusedBy !== undefined) return notAskedTerm(entry, `${refusedBy} refused`);
    if (!wasEvaluated(scorer, context.row)) {
      resolved.push(undefined);
      return notAskedTerm(entry, whyNotAsked(context));
    }
    const recorder = new NoteRecorder();
    const score = resolveOrRefuse(scorer, context, recorder);
    if (score.refusal) refusedBy = labelOf(plan.profile.labels, entry.id);
    resolved.push(score.value);
    return scorerTerm(scorer, score, recorder, context);
  });
  return { terms, resolved };
}

function scorerTerm(
  { entry, failed }: ActiveScorer,
  score: ScoreOrRefusal,
  recorder: NoteRecorder,
  context: ExplainContext,
): ScorerTerm {
  const { state, raw, value, refusal, failure } = score;
  const rule = appliedPolicy(entry, score, failed !== undefined);
  return omitUndefined(
    { id: entry.id, state, raw: finiteOrUndefined(raw), value: finiteOrUndefined(value), rule },
    entryTerm(entry.use, recorder, context),
    { error: failure && errorText(failure.cause), refusal },
  );
}

interface ScoreOrRefusal extends ResolvedScore {
  readonly refusal: Refusal | undefined;
  /** What was thrown, where something was. */
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Resolves a score as the run does; here a refusal is a result, and not thrown. */
function resolveOrRefuse(
  scorer: ActiveScorer,
  { candidate, row }: ExplainContext,
  { note }: NoteRecorder,
): ScoreOrRefusal {
  let failure = scorer.failed && { cause: scorer.failed.cause };
  const onFailure = (_entry: string, cause: unknown): void => {
    failure = { cause };
  };
  try {
    const { value, raw, state } = resolveScore(scorer, candidate, row, note, onFailure);
    return { value, raw, state, refusal: undefined, failure };
  } catch (error) {
    if (!(error instanceof CandidateRefused)) throw error;
    const state = error.refusal === 'absent' ? 'absent' : 'failed';
    const cause = error.failure === undefined ? failure : { cause: error.failure };
    return { value: undefined, raw: undefined, state, refusal: error.refusal, failure: cause };
  }
}

/** The key of the entry that decided which number counts, as the profile writes it; undefined if the raw one does. */
function appliedPolicy(
  entry: ScorerEntry,
  { state, raw, value }: ResolvedScore,
  unprepared: boolean,
): string | undefined {
  if (state === 'absent') return `on_absent: ${entry.onAbsent}`;
  if (state === 'failed') return `on_error: ${unprepared ? entry.onPrepareError : entry.onError}`;
  const outside = entry.range !== undefined && raw !== undefined && leavesRange(entry.range, raw);
  return outside || raw !== value ? `out_of_range: ${entry.outOfRange}` : undefined;
}

/** Why a deferred scorer did not score this candidate. */
function whyNotAsked({ plan, evaluation, position }: ExplainContext): string {
  const verdict = evaluation.verdicts[position] ?? 0;
  if (refuses(verdict)) {
    return `${labelOf(plan.profile.labels, plan.refusers[refuserOf(verdict)] ?? 'combine')} refused`;
  }
  const secondPhase = evaluation.scored.pruned?.plan;
  return secondPhase?.how === 'rerank'
    ? `it is not among the best ${secondPhase.top} by the other scorers`
    : 'it could not be selected';
}

/** The name of a class, or the text of an expression. */
const unitName = (use: Use): string => (use.kind === 'expr' ? use.expression.source : use.name);

/** The term of an entry that was not run. */
export const notAskedTerm = (
  { id, use }: { readonly id: string; readonly use: Use },
  because: string,
): EntryTerm & { readonly id: string; readonly state: 'not_asked' } => ({
  unit: unitName(use),
  state: 'not_asked',
  because,
  notes: [],
  reads: [],
  inside: [],
  id,
});

/** The term of a rule that was not applied. */
export const notAskedRule = ({ id, when }: Partial<Pick<Adjustment, 'when'>> & { id: string }, because: string) =>
  ({
    id,
    ...(when && { when: when.source }),
    state: 'not_asked',
    steps: [],
    reads: [],
    because,
  }) as const satisfies RuleTerm;

/** The message of an error; undefined for an entry that refuses an absent value, as its profile has it. */
function errorText(failure: unknown): string | undefined {
  if (!(failure instanceof CandidateRefused)) return causeOf(failure);
  return failure.failure === undefined ? undefined : causeOf(failure.failure);
}

/** The notes and reads of an entry while it was evaluated, with the entries inside it: the common part of a term. */
function entryTerm(use: Use, recorder: NoteRecorder, lookup: VariableLookup) {
  const templates = use.kind === 'class' ? use.unit.meta.reasons : undefined;
  const notes = recorder.notes.map((note) => noteTerm(note, templates));
  return {
    unit: unitName(use),
    reason: notes.at(-1)?.text,
    notes,
    reads: readsOfUse(use, lookup),
    inside: recorder.children.map((child): ChildTerm => childTerm(child, use, lookup)),
  };
}

/** Units may note anything. A note that cannot be shown is reported as a problem of the unit. */
function noteTerm(note: RecordedNote, templates: Readonly<Record<string, string>> | undefined): NoteTerm {
  const data = { ...note.data };
  const reason = typeof note.reason === 'string' ? note.reason : describeValue(note.reason);
  const shown: RecordedNote = { reason, data };
  try {
    const named = Object.entries(data).filter(([, value]) => value !== undefined);
    return omitUndefined({
      reason,
      text: noteText(shown, templates),
      data: Object.fromEntries(named.map(([name, value]) => [name, toJsonValue(value)])),
      problem: noteProblem(shown, templates),
    });
  } catch (error) {
    return { reason, text: reason, data: {}, problem: `its data cannot be shown: ${causeOf(error)}` };
  }
}

function childTerm(recorded: RecordedChild, parent: Use, lookup: VariableLookup): ChildTerm {
  const { use: child, record, raw, value, failure } = recorded;
  const notFinite =
    raw !== undefined && finiteOrUndefined(raw) === undefined ? `it returned ${String(raw)}` : undefined;
  const isRefusal = failure instanceof CandidateRefused && failure.by === child.name && raw === undefined;
  const failed = notFinite !== undefined || ('failure' in recorded && !isRefusal);
  const state: ChildTerm['state'] = failed ? 'failed' : raw === undefined ? 'absent' : 'scored';
  return omitUndefined(entryTerm(child.use, record, lookup), {
    state,
    raw: finiteOrUndefined(raw),
    value: finiteOrUndefined(value),
    weight: parent.kind === 'class' && parent.children.size > 1 ? child.weight : undefined,
    rule: state === 'absent' ? `on_absent: ${child.onAbsent}` : undefined,
    error: notFinite ?? ('failure' in recorded ? errorText(failure) : undefined),
  });
}
