import { type Refusal, refuserOf, refuses } from '../engine/kernel/verdict.js';
import { NoteRecorder } from '../engine/note-recorder.js';
import { CandidateRefused } from '../engine/run-errors.js';
import type { ActiveScorer } from '../engine/stages/score/types.js';
import { leavesRange, type ResolvedScore, resolveScore, wasAsked } from '../engine/stages/score/resolve-score.js';
import type { ScorerEntry } from '../profile/profile.js';
import type { ExplainContext } from './explain-context.js';
import { errorText, explainUse, notAskedTerm } from './entry-term.js';
import { WHEN_IS_FALSE } from './explain-entries.js';
import type { ScorerTerm } from './explanation.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';

/** What scorers said when they were asked again: their terms, and the settled values of those in the run, in order. */
export interface ExplainedScorers {
  readonly terms: readonly ScorerTerm[];
  readonly resolved: readonly (number | undefined)[];
}

/** Tier 2 once more, for one candidate: in the order and as far as the run asked. */
export function explainScorers(asking: ExplainContext): ExplainedScorers {
  const { plan, outcome } = asking;
  const resolved: (number | undefined)[] = [];
  let refusedBy: string | undefined;
  const terms = plan.profile.scorers.map((entry): ScorerTerm => {
    const { id, use } = entry;
    const run = outcome.scored.scoring.active.find((one) => one.entry === entry);
    if (!run || refusedBy !== undefined)
      return { ...notAskedTerm(use, run ? `${refusedBy} refused` : WHEN_IS_FALSE), id };
    if (!wasAsked(run, asking.row)) {
      resolved.push(undefined);
      return { ...notAskedTerm(use, whyNotAsked(asking)), id };
    }
    const record = new NoteRecorder();
    const answer = resolveRecorded(run, asking, record);
    if (answer.refusal) refusedBy = id;
    resolved.push(answer.value);
    return scorerTerm(run, answer, record, asking);
  });
  return { terms, resolved };
}

function scorerTerm(
  run: ActiveScorer,
  answer: RecordedScore,
  record: NoteRecorder,
  asking: ExplainContext,
): ScorerTerm {
  const { entry } = run;
  const { state, raw, value, refusal, failure } = answer;
  const rule = appliedPolicy(entry, { state, raw, value }, run.failed !== undefined);
  return omitUndefined(
    { id: entry.id, state: state, raw: finiteOrUndefined(raw), value: finiteOrUndefined(value), rule },
    explainUse(entry.use, record, asking),
    { error: failure && errorText(failure.cause), refusal },
  );
}

interface RecordedScore extends ResolvedScore {
  readonly refusal: Refusal | undefined;
  /** What was thrown, where something was. */
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Asks as a run settles; a refusal is an answer here. */
function resolveRecorded(run: ActiveScorer, { candidate, row }: ExplainContext, record: NoteRecorder): RecordedScore {
  let failure = run.failed && { cause: run.failed.cause };
  const failed = (_entry: string, cause: unknown): void => {
    failure = { cause };
  };
  try {
    const { value, raw, state } = resolveScore(run, candidate, row, record.note, failed);
    return { value, raw, state, refusal: undefined, failure };
  } catch (error) {
    if (!(error instanceof CandidateRefused)) throw error;
    const state = error.refusal === 'absent' ? 'absent' : 'failed';
    const cause = error.failure === undefined ? failure : { cause: error.failure };
    return { value: undefined, raw: undefined, state, refusal: error.refusal, failure: cause };
  }
}

/** The entry's rule that said what counts, as the profile writes it. */
function appliedPolicy(
  entry: ScorerEntry,
  { state, raw, value }: ResolvedScore,
  unprepared: boolean,
): string | undefined {
  if (state === 'absent') return `on_absent: ${entry.onAbsent}`;
  if (state === 'failed') return `on_error: ${unprepared ? entry.onPrepareError : entry.onError}`;
  const left = entry.range !== undefined && raw !== undefined && leavesRange(entry.range, raw);
  return left || raw !== value ? `out_of_range: ${entry.outOfRange}` : undefined;
}

/** Why a scorer was not asked about a candidate that others were asked about. */
function whyNotAsked({ plan, outcome, position }: ExplainContext): string {
  const verdict = outcome.verdicts[position] ?? 0;
  if (refuses(verdict)) return `${plan.refusers[refuserOf(verdict)] ?? 'combine'} refused`;
  const late = outcome.scored.pruned?.plan;
  return late?.how === 'rerank' ? `it is not among the best ${late.top} by the others` : 'it could not be selected';
}
