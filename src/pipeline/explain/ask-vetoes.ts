import { askedOf, errorOf, notAsked } from '../../explain/asked.js';
import type { VetoTerm } from '../../explain/explanation.js';
import { defined } from '../../explain/plain.js';
import { Recorder } from '../../explain/recorder.js';
import { indexIn } from '../../matrix/slab.js';
import { askVeto, type VetoRun } from '../../stages/veto.js';
import type { Asking } from './ask-again.js';

export const NOT_IN_RUN = 'its when is not true';

/** Tier 1 once more, for one candidate: in the order and as far as the run asked. */
export function vetoTerms(asking: Asking): VetoTerm[] {
  const { plan, outcome, position } = asking;
  let refusedBy: string | undefined;
  return plan.profile.vetoes.map((entry) => {
    const run = outcome.vetoed.runs.find((one) => one.entry === entry);
    const index = run?.given ? indexIn(run.given, position) : position;
    const stopped = refusedBy !== undefined && (plan.vetoes.onFirst || index < 0);
    if (!run || stopped) return { ...notAsked(entry.use, run ? `${refusedBy} refused` : NOT_IN_RUN), id: entry.id };
    const term = vetoTerm(run, index, asking);
    if (term.refusal) refusedBy ??= entry.id;
    return term;
  });
}

function vetoTerm(run: VetoRun, index: number, asking: Asking): VetoTerm {
  const { id, use } = run.entry;
  const record = new Recorder();
  const { how, refusal, error } = askVeto(run, asking.candidate, index, record.note);
  const failed = how === 'failed' ? errorOf(error) : undefined;
  return defined({ id, state: how }, askedOf(use, record, asking), { error: failed, refusal });
}
