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
import { LET_BINDINGS, parsePath } from '../../expression/index.js';
import { labelOf, type Labels, type ScorerEntry, type Use } from '../../profile/index.js';
import type {
  EntryNode,
  ExplanationNode,
  FieldNode,
  LetNode,
  MeasureNode,
  NoteNode,
  ScorerNode,
  StageNode,
  VetoNode,
} from './explanation.js';
import {
  finiteOrUndefined,
  displayValue,
  shownText,
  omitUndefined,
  fieldNode,
  readsOfExpression,
  readsOfUse,
  readSteps,
  toJsonValue,
  type VariableLookup,
} from './json-value.js';
import { noteProblem, noteText } from './reason-text.js';

/** One candidate of a run whose entries are evaluated again. */
export interface ExplainContext extends VariableLookup {
  readonly plan: Plan;
  readonly evaluation: Evaluation;
  /** Its position in the input. */
  readonly position: number;
  /** Its row of Tier 2; −1 if it did not reach Tier 2. */
  readonly row: number;
}

/** An entry returned a different result than in the run, because the candidate has changed. */
export class StaleCandidateError extends Error {}

/**
 * Runs synchronous work in the context of a run that has ended: units read its context, signals and prepared scores.
 * Every repeated evaluation must use this function.
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
  const statistic = compiledStatistics(plan);
  const variable = (name: string): unknown => {
    const [holder = '', key = ''] = name.split('.');
    if (holder === 'measures') return measureAt(context.measures[key], row);
    if (holder === 'stats') return statistic(name, candidate, row);
    if (holder === 'signals') return context.signals[key];
    if (holder === 'scores') return context.scores[scorers.indexOf(key)]?.(candidate, row);
    if (/^context\b/.test(name)) return readSteps(parsePath(name).slice(1), context.context);
    return context.values[scorers.indexOf(name)]; // In a formula, a variable is a scorer's id.
  };
  return { plan, evaluation, position, row, candidate, variable };
}

/** Reads a statistic, such as `stats.price.max`, for a candidate and its row of Tier 2. */
const compiledStatistics =
  ({ binder }: Plan) =>
  (name: string, candidate: unknown, row: number): unknown => {
    const dot = name.lastIndexOf('.');
    const numbers = binder.variables[name.slice(0, dot)];
    return typeof numbers === 'object' ? numbers[name.slice(dot + 1)]?.(candidate, row) : undefined;
  };

function measureAt(column: Float64Array | undefined, row: number): number | undefined {
  const value = column?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** An entry's id, and its label if it has one. */
export const named = (labels: Labels | undefined, id: string): Pick<ExplanationNode, 'id' | 'label'> => {
  const label = labelOf(labels, id);
  return label === id ? { id } : { id, label };
};

export const stageNode = <D extends ExplanationNode>(
  id: string,
  label: string,
  details: readonly D[],
  columns?: ExplanationNode['columns'],
): StageNode<D> => omitUndefined({ kind: 'stage', id, label, text: '', columns, details });

/** The signals of the run, the phase among them. */
export const explainSignals = (signals: Readonly<Record<string, unknown>>): StageNode<FieldNode> =>
  stageNode(
    'signals',
    'Signals',
    Object.entries(signals).map(([name, value]) => fieldNode(`signals.${name}`, () => value)),
  );

const WHEN_IS_FALSE = 'its when is not true';

/** Evaluates the vetoes again, in the order of the run, up to the veto at which the run stopped. */
export function explainVetoes(context: ExplainContext): VetoNode[] {
  const { plan, evaluation, position } = context;
  const { labels, vetoes } = plan.profile;
  let refusedBy: string | undefined;
  return vetoes.map((entry) => {
    const veto = evaluation.vetoes.runs.find((one) => one.entry === entry);
    const index = veto?.given ? indexIn(veto.given, position) : position;
    const stopped = refusedBy !== undefined && (plan.vetoes.onFirst || index < 0);
    if (!veto || stopped) return notEvaluatedNode('veto', labels, entry, veto ? `${refusedBy} refused` : WHEN_IS_FALSE);
    const node = vetoNode(veto, index, context);
    if (node.refusal) refusedBy ??= labelOf(labels, entry.id);
    return node;
  });
}

/** @param index the candidate's position in the input of the veto */
function vetoNode(veto: ActiveVeto, index: number, context: ExplainContext): VetoNode {
  const { id, use } = veto.entry;
  const recorder = new NoteRecorder();
  const { state, refusal, error } = decideVeto(veto, context.candidate, index, recorder.note);
  return omitUndefined(
    { kind: 'veto', ...named(context.plan.profile.labels, id), state },
    unitNode(use, recorder, context, { state, error: state === 'failed' ? errorText(error) : undefined }),
    { refusal },
  );
}

/**
 * Evaluates the measures again.
 *
 * @throws StaleCandidateError if a value differs from the run's column
 */
export function explainMeasures(context: ExplainContext): MeasureNode[] {
  const { plan, evaluation, candidate, row } = context;
  const { labels, measures } = plan.profile;
  return measures.map((entry): MeasureNode => {
    const { id, use } = entry;
    const measure = evaluation.measures.find((one) => one.id === id);
    if (!measure) return notEvaluatedNode('measure', labels, entry, WHEN_IS_FALSE);
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
    return omitUndefined(
      { kind: 'measure', ...named(labels, id), state, value: finiteOrUndefined(value) },
      unitNode(use, recorder, context, { state, error: failure && errorText(failure.cause) }),
    );
  });
}

/** The named expressions that are read, with their values. Those of kept candidates are unknown for other candidates. */
export function explainLets(context: ExplainContext): LetNode[] {
  const { plan, candidate, row, position } = context;
  const functions = plan.binder.variables[LET_BINDINGS];
  return plan.profile.lets.flatMap(({ name, expression, isRead }): LetNode[] => {
    const evaluate = typeof functions === 'object' ? functions[name] : undefined;
    const needsRow = expression.reads.some((read) => /^(?:measures|stats)\b/.test(read));
    if (!isRead || !evaluate || (needsRow && row < 0)) return [];
    const { source: unit } = expression;
    const fields = readsOfExpression(expression, context);
    const base = { kind: 'let', id: name, unit } as const;
    try {
      const value = evaluate(candidate, row < 0 ? position : row);
      const shown = displayValue(value);
      const state = value === undefined ? 'absent' : 'computed';
      // A number has a column of its own.
      const text = value === undefined || typeof value === 'number' ? unit : `${shownText(shown)}, from ${unit}`;
      return [{ ...base, ...shown, text, state, details: fields }];
    } catch (error) {
      return [{ ...base, text: `failed: ${causeOf(error)}`, state: 'failed', details: fields }];
    }
  });
}

/** The scorers, and the resolved scores of those in the run, in order. The combine method reads the latter. */
export interface ExplainedScorers {
  readonly nodes: readonly ScorerNode[];
  readonly resolved: readonly (number | undefined)[];
}

/** Evaluates the scorers again, in the order of the run, up to the scorer at which the run stopped. */
export function explainScorers(context: ExplainContext): ExplainedScorers {
  const { plan, evaluation } = context;
  const resolved: (number | undefined)[] = [];
  let refusedBy: string | undefined;
  const { labels, scorers } = plan.profile;
  const nodes = scorers.map((entry): ScorerNode => {
    const scorer = evaluation.scored.scoring.active.find((one) => one.entry === entry);
    if (!scorer) return notEvaluatedNode('scorer', labels, entry, WHEN_IS_FALSE);
    if (refusedBy !== undefined) return notEvaluatedNode('scorer', labels, entry, `${refusedBy} refused`);
    if (!wasEvaluated(scorer, context.row)) {
      resolved.push(undefined);
      return notEvaluatedNode('scorer', labels, entry, whyNotEvaluated(context));
    }
    const recorder = new NoteRecorder();
    const score = resolveOrRefuse(scorer, context, recorder);
    if (score.refusal) refusedBy = labelOf(labels, entry.id);
    resolved.push(score.value);
    return scorerNode(scorer, score, recorder, context);
  });
  return { nodes, resolved };
}

function scorerNode(
  { entry, failed }: ActiveScorer,
  score: ScoreOrRefusal,
  recorder: NoteRecorder,
  context: ExplainContext,
): ScorerNode {
  const { state, raw, value, refusal, failure } = score;
  const rule = appliedPolicy(entry, score, failed !== undefined);
  return omitUndefined(
    { kind: 'scorer', ...named(context.plan.profile.labels, entry.id), state },
    { raw: finiteOrUndefined(raw), value: finiteOrUndefined(value), rule },
    unitNode(entry.use, recorder, context, { state, rule, error: failure && errorText(failure.cause) }),
    { refusal },
  );
}

interface ScoreOrRefusal extends ResolvedScore {
  readonly refusal: Refusal | undefined;
  /** The thrown value, if the scorer failed. */
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Resolves a score as the run does, but returns a refusal instead of throwing it. */
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

/** The key of the entry that replaced the raw number, as written in the profile: `on_absent: 0.5`. */
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

/** Why a deferred scorer did not run on this candidate. */
function whyNotEvaluated({ plan, evaluation, position }: ExplainContext): string {
  const verdict = evaluation.verdicts[position] ?? 0;
  if (refuses(verdict)) {
    return `${labelOf(plan.profile.labels, plan.refusers[refuserOf(verdict)] ?? 'combine')} refused`;
  }
  const secondPhase = evaluation.scored.pruned?.plan;
  return secondPhase?.how === 'rerank'
    ? `it is not among the best ${secondPhase.top} by the other scorers`
    : 'it could not be selected';
}

/** The name of the class, or the text of the expression. */
const unitName = (use: Use): string => (use.kind === 'expr' ? use.expression.source : use.name);

/** The node of an entry that was not evaluated. */
export const notEvaluatedNode = <K extends 'veto' | 'measure' | 'scorer'>(
  kind: K,
  labels: Labels | undefined,
  { id, use }: { readonly id: string; readonly use: Use },
  because: string,
) => ({
  kind,
  ...named(labels, id),
  state: 'not_evaluated' as const,
  unit: unitName(use),
  text: because,
  details: [],
});

/** The message of an error; undefined if an entry refused an absent value because of its `on_absent`. */
function errorText(failure: unknown): string | undefined {
  if (!(failure instanceof CandidateRefused)) return causeOf(failure);
  return failure.failure === undefined ? undefined : causeOf(failure.failure);
}

interface Evaluated {
  readonly state: string;
  readonly rule?: string | undefined;
  readonly error?: string | undefined;
}

/** Why an entry has its result: its last note, its error, or that it is absent; with the key that replaced its number. */
function whyText(unit: string, notes: readonly NoteNode[], { state, rule, error }: Evaluated): string {
  const reason = notes.at(-1)?.text;
  const text =
    state === 'failed'
      ? `failed: ${error ?? 'an entry inside it refuses'}`
      : state === 'absent'
        ? `absent${reason === undefined ? '' : `: ${reason}`}`
        : (reason ?? unit);
  return rule === undefined ? text : `${text} (${rule})`;
}

/** The common part of an entry's node: its notes, the fields it read, and the entries it called. */
function unitNode(use: Use, recorder: NoteRecorder, lookup: VariableLookup, evaluated: Evaluated) {
  const templates = use.kind === 'class' ? use.unit.meta.reasons : undefined;
  const notes = recorder.notes.map((note) => noteNode(note, templates));
  const entries = recorder.children.map((child): EntryNode => entryNode(child, use, lookup));
  const unit = unitName(use);
  return {
    unit,
    error: evaluated.error,
    text: whyText(unit, notes, evaluated),
    details: [...notes, ...readsOfUse(use, lookup), ...entries],
  };
}

/** The node of a note. Note data is arbitrary: if it cannot be shown, the node reports that as the unit's mistake. */
function noteNode(note: RecordedNote, templates: Readonly<Record<string, string>> | undefined): NoteNode {
  const data = { ...note.data };
  const id = typeof note.reason === 'string' ? note.reason : describeValue(note.reason);
  const shown: RecordedNote = { reason: id, data };
  try {
    const known = Object.entries(data).filter(([, value]) => value !== undefined);
    return omitUndefined({
      kind: 'note',
      id,
      text: noteText(shown, templates),
      data: Object.fromEntries(known.map(([name, value]) => [name, toJsonValue(value)])),
      problem: noteProblem(shown, templates),
      details: [],
    });
  } catch (error) {
    return {
      kind: 'note',
      id,
      text: id,
      data: {},
      problem: `its data cannot be shown: ${causeOf(error)}`,
      details: [],
    };
  }
}

function entryNode(recorded: RecordedChild, parent: Use, lookup: VariableLookup): EntryNode {
  const { use: child, record, raw, value, failure } = recorded;
  const notFinite =
    raw !== undefined && finiteOrUndefined(raw) === undefined ? `it returned ${String(raw)}` : undefined;
  const isRefusal = failure instanceof CandidateRefused && failure.by === child.name && raw === undefined;
  const failed = notFinite !== undefined || ('failure' in recorded && !isRefusal);
  const state: EntryNode['state'] = failed ? 'failed' : raw === undefined ? 'absent' : 'scored';
  const rule = state === 'absent' ? `on_absent: ${child.onAbsent}` : undefined;
  const error = notFinite ?? ('failure' in recorded ? errorText(failure) : undefined);
  return omitUndefined(
    {
      kind: 'entry',
      id: unitName(child.use),
      state,
      raw: finiteOrUndefined(raw),
      value: finiteOrUndefined(value),
      rule,
    },
    { weight: parent.kind === 'class' && parent.children.size > 1 ? child.weight : undefined },
    unitNode(child.use, record, lookup, { state, rule, error }),
  );
}
