import { describeValue } from '../expression/describe.js';
import { reasonText } from '../explain/reason.js';
import { Recorder } from '../explain/recorder.js';
import { indexIn } from '../matrix/slab.js';
import { judgeOf, refusalOf } from '../matrix/verdict.js';
import type { Use } from '../profile/profile.js';
import { applyRule } from '../stages/adjust.js';
import { causeOf } from '../stages/failures.js';
import { Refused } from '../stages/plan.js';
import { settleRow } from '../stages/score.js';
import { type ScorerRun, settle } from '../stages/settle.js';
import type { VetoRun } from '../stages/veto.js';
import type { Plan } from './compile.js';
import type { Outcome } from './run.js';

/** What a use noted last, as a person reads it; undefined when it noted nothing. */
function noted(use: Use, record: Recorder): string | undefined {
  const last = record.notes.at(-1);
  return last && reasonText(last, use.kind === 'class' ? use.unit.meta.reasons : undefined);
}

/** What a use is, where it says nothing of itself. */
const named = (use: Use): string => (use.kind === 'expr' ? use.expression.source : use.name);

/** What a use that gave nothing is said to have done. */
const abstained = (use: Use): string => (use.kind === 'expr' ? `${named(use)} is absent` : `${named(use)} abstained`);

function askVeto({ entry, refuses, given }: VetoRun, candidate: unknown, position: number): string {
  const { use } = entry;
  const record = new Recorder();
  const index = given ? indexIn(given, position) : position;
  try {
    const answer: unknown = refuses(candidate, index, record.note);
    if (answer === true) return noted(use, record) ?? named(use);
    if (answer === false) return 'the candidate has changed since the run';
    if (answer === undefined) return noted(use, record) ?? abstained(use);
    return `a veto gives true or false, and it gave ${describeValue(answer)}`;
  } catch (error) {
    return causeOf(error);
  }
}

function askScorer(run: ScorerRun, candidate: unknown, row: number): string {
  const record = new Recorder();
  const { use } = run.entry;
  try {
    const { value } = settle(run, candidate, row, record.note);
    return noted(use, record) ?? `${named(use)} gave ${value}`;
  } catch (error) {
    if (!(error instanceof Refused)) return causeOf(error);
    return error.refusal === 'error' ? causeOf(error.failure) : (noted(use, record) ?? abstained(use));
  }
}

/** What scoring, combining or a rule says when it is asked again about a candidate that it refused. */
function askScoring(plan: Plan, outcome: Outcome, candidate: unknown, position: number, judge: number): string {
  const row = indexIn(outcome.kept, position);
  const { scoring } = outcome.scored;
  const one = scoring.runs.find((run) => run.judge === judge);
  try {
    if (one) return askScorer(one, candidate, row);
    let { total } = settleRow(plan.score, scoring, candidate, row);
    if (total === undefined) return 'no scorer had anything to go on';
    for (const rule of plan.rules) total = applyRule(rule, total, candidate, row, outcome.state);
    return `the score is ${total}`;
  } catch (error) {
    return error instanceof Refused && error.refusal === 'veto' ? `the factor of ${error.by} is 0` : causeOf(error);
  }
}

function unscoredReason({ profile }: Plan, { scored }: Outcome): string {
  const { combine } = profile;
  if (typeof combine !== 'string') return `the formula ${combine.formula.source} is absent`;
  if (scored.scoring.runs.length === 0) return 'no scorer is in this run';
  return 'no scorer had anything to go on';
}

/** Why a candidate was refused: made by asking again whoever refused it. */
export function refusalReason(plan: Plan, outcome: Outcome, position: number, verdict: number): string {
  plan.cell.state = outcome.state;
  const judge = judgeOf(verdict);
  const candidate = outcome.candidates[position];
  const veto = outcome.vetoed.runs.find((run) => run.judge === judge);
  if (veto) return askVeto(veto, candidate, position);
  if (refusalOf(verdict) === 'unscored') return unscoredReason(plan, outcome);
  return askScoring(plan, outcome, candidate, position, judge);
}
