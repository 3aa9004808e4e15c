import { type Evaluation, type Plan, refusalOf, refuserOf } from '../engine/index.js';
import type { Profile } from '../profile/index.js';
import { explainContext, withRun } from './explain-context.js';
import { explainVetoes } from './explain-entries.js';
import { explainScore } from './explain-score.js';
import type { EntryTerm, Explanation, RefusalTerm } from './explanation.js';

/** The terms of an explanation that may refuse. */
export interface RefusingTerms extends Partial<Pick<Explanation, 'vetoes' | 'scorers' | 'rules'>> {
  readonly combine?: Explanation['combine'] | undefined;
}

/** The refusals among some terms, in the order of evaluation, with their reasons: the profile's own, where it has one. */
export function refusalsIn(
  profile: Profile,
  { vetoes = [], scorers = [], combine, rules = [] }: RefusingTerms,
): RefusalTerm[] {
  const refusals: RefusalTerm[] = [];
  const own = (entries: readonly WithReason[], id: string): string | undefined =>
    entries.find((entry) => entry.id === id)?.reason;
  for (const term of vetoes) {
    const { id: by, refusal: kind } = term;
    const said = kind === 'veto' ? own(profile.vetoes, by) : undefined;
    if (kind) refusals.push({ kind, by, reason: said ?? refusalText(term) });
  }
  for (const term of scorers) {
    const { id: by, refusal: kind } = term;
    const said = kind === 'absent' ? own(profile.scorers, by) : undefined;
    if (kind) refusals.push({ kind, by, reason: said ?? refusalText(term) });
  }
  if (combine?.refusal)
    refusals.push({ kind: combine.refusal, by: 'combine', reason: combine.error ?? unscoredText(combine) });
  for (const { id, refusal, error } of rules) {
    const said = error ?? own(profile.adjustments, id) ?? `the factor of ${id} is 0`;
    if (refusal) refusals.push({ kind: refusal, by: id, reason: said });
  }
  return refusals;
}

interface WithReason {
  readonly id: string;
  readonly reason: string | undefined;
}

const refusalText = ({ unit, error, reason, state }: EntryTerm & { readonly state: string }): string =>
  error ?? reason ?? (state === 'absent' ? abstainText(unit) : unit);

/** A class abstains, an expression is absent; the text of an expression is never one word. */
const abstainText = (unit: string): string => (/^[\w$]+$/.test(unit) ? `${unit} abstained` : `${unit} is absent`);

function unscoredText({ formula, of }: NonNullable<Explanation['combine']>): string {
  if (formula !== undefined) return `the formula ${formula} is absent`;
  return of === 0 ? 'no scorer is in this run' : 'no scorer had anything to go on';
}

const STALE_CANDIDATE = 'the candidate has changed since the run';

/** The reason of a veto for every candidate: the profile's, or its expression. Undefined where its class gives it. */
const constantReason = ({ reason, use }: Profile['vetoes'][number]): string | undefined =>
  reason ?? (use.kind === 'expr' ? use.expression.source : undefined);

/**
 * The reason of a verdict. Where it is not the same for every candidate, the entry that refused is evaluated again.
 *
 * @param verdict one of those that were passed on the candidate at `position`
 */
export function refusalReason(plan: Plan, evaluation: Evaluation, position: number, verdict: number): string {
  const refuser = refuserOf(verdict);
  const by = plan.refusers[refuser];
  const kind = refusalOf(verdict);
  const veto = kind === 'veto' ? plan.profile.vetoes.find(({ id }) => id === by) : undefined;
  const constant = veto && constantReason(veto);
  if (constant !== undefined) return constant;
  const context = explainContext(plan, evaluation, position);
  try {
    const refusals = withRun(plan, evaluation, () =>
      refusalsIn(
        plan.profile,
        refuser < plan.score.firstRefuser ? { vetoes: explainVetoes(context) } : explainScore(context),
      ),
    );
    return refusals.find((one) => one.by === by && one.kind === kind)?.reason ?? STALE_CANDIDATE;
  } catch {
    return STALE_CANDIDATE; // an entry whose failure fails the run did not fail in it
  }
}
