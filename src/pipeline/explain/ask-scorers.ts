import { askedOf, errorOf, notAsked } from '../../explain/asked.js';
import type { ScorerTerm } from '../../explain/explanation.js';
import { defined, finite } from '../../explain/plain.js';
import { Recorder } from '../../explain/recorder.js';
import { judgeOf, type Refusal, refuses } from '../../matrix/verdict.js';
import type { ScorerEntry } from '../../profile/profile.js';
import { Refused } from '../../stages/plan.js';
import { isAsked, leavesRange, type ScorerRun, type Settled, settle } from '../../stages/settle.js';
import type { Asking } from './ask-again.js';
import { NOT_IN_RUN } from './ask-vetoes.js';

/** What scorers said when they were asked again: their terms, and the settled values of those in the run, in order. */
export interface AskedScorers {
  readonly terms: readonly ScorerTerm[];
  readonly settled: readonly (number | undefined)[];
}

/** Tier 2 once more, for one candidate: in the order and as far as the run asked. */
export function scorerTerms(asking: Asking): AskedScorers {
  const { plan, outcome } = asking;
  const settled: (number | undefined)[] = [];
  let refusedBy: string | undefined;
  const terms = plan.profile.scorers.map((entry): ScorerTerm => {
    const { id, use } = entry;
    const run = outcome.scored.scoring.runs.find((one) => one.entry === entry);
    if (!run || refusedBy !== undefined) return { ...notAsked(use, run ? `${refusedBy} refused` : NOT_IN_RUN), id };
    if (!isAsked(run, asking.row)) {
      settled.push(undefined);
      return { ...notAsked(use, whySpared(asking)), id };
    }
    const record = new Recorder();
    const answer = answerOf(run, asking, record);
    if (answer.refusal) refusedBy = id;
    settled.push(answer.value);
    return scorerTerm(run, answer, record, asking);
  });
  return { terms, settled };
}

function scorerTerm(run: ScorerRun, answer: Answer, record: Recorder, asking: Asking): ScorerTerm {
  const { entry } = run;
  const { how, raw, value, refusal, failure } = answer;
  const rule = ruleOf(entry, { how, raw, value }, run.failed !== undefined);
  return defined(
    { id: entry.id, state: how, raw: finite(raw), value: finite(value), rule },
    askedOf(entry.use, record, asking),
    { error: failure && errorOf(failure.cause), refusal },
  );
}

interface Answer extends Settled {
  readonly refusal: Refusal | undefined;
  /** What was thrown, where something was. */
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Asks as a run settles; a refusal is an answer here. */
function answerOf(run: ScorerRun, { candidate, row }: Asking, record: Recorder): Answer {
  let failure = run.failed && { cause: run.failed.cause };
  const failed = (_entry: string, cause: unknown): void => {
    failure = { cause };
  };
  try {
    const { value, raw, how } = settle(run, candidate, row, record.note, failed);
    return { value, raw, how, refusal: undefined, failure };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const how = error.refusal === 'absent' ? 'absent' : 'failed';
    const cause = error.failure === undefined ? failure : { cause: error.failure };
    return { value: undefined, raw: undefined, how, refusal: error.refusal, failure: cause };
  }
}

/** The entry's rule that said what counts, as the profile writes it. */
function ruleOf(entry: ScorerEntry, { how, raw, value }: Settled, unprepared: boolean): string | undefined {
  if (how === 'absent') return `on_absent: ${entry.onAbsent}`;
  if (how === 'failed') return `on_error: ${unprepared ? entry.onPrepareError : entry.onError}`;
  const left = entry.range !== undefined && raw !== undefined && leavesRange(entry.range, raw);
  return left || raw !== value ? `out_of_range: ${entry.outOfRange}` : undefined;
}

/** Why a scorer was not asked about a candidate that others were asked about. */
function whySpared({ plan, outcome, position }: Asking): string {
  const verdict = outcome.verdicts[position] ?? 0;
  if (refuses(verdict)) return `${plan.judges[judgeOf(verdict)] ?? 'combine'} refused`;
  const late = outcome.scored.spared?.late;
  return late?.how === 'rerank' ? `it is not among the best ${late.top} by the others` : 'it could not be selected';
}
