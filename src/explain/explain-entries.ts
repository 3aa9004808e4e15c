import {
  type ActiveScorer,
  type ActiveVeto,
  CandidateRefused,
  decideVeto,
  indexIn,
  leavesRange,
  NoteRecorder,
  readMeasure,
  type Refusal,
  refuserOf,
  refuses,
  type ResolvedScore,
  resolveScore,
  wasEvaluated,
} from '../engine/index.js';
import { labelOf, type ScorerEntry } from '../profile/index.js';
import { entryTerm, errorText, notAskedTerm } from './entry-term.js';
import { type ExplainContext, StaleCandidateError } from './explain-context.js';
import type { MeasureTerm, ScorerTerm, VetoTerm } from './explanation.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';

const WHEN_IS_FALSE = 'its when is not true';

/** Evaluates the vetoes again, in the order and as far as the run did. */
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

/** Evaluates the scorers again, in the order and as far as the run did. */
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

/** The key of the entry that decided which number counts, as the profile writes it; undefined where the raw one does. */
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
    ? `it is not among the best ${secondPhase.top} by the others`
    : 'it could not be selected';
}
