import { indexIn } from '../engine/kernel/run-buffers.js';
import { NoteRecorder } from '../engine/note-recorder.js';
import type { ActiveVeto } from '../engine/stages/veto/types.js';
import { decideVeto } from '../engine/stages/veto/decide-veto.js';
import type { ExplainContext } from './explain-context.js';
import { errorText, explainUse, notAskedTerm } from './entry-term.js';
import type { VetoTerm } from './explanation.js';
import { omitUndefined } from './json-value.js';

export const WHEN_IS_FALSE = 'its when is not true';

/** Tier 1 once more, for one candidate: in the order and as far as the run asked. */
export function explainVetoes(asking: ExplainContext): VetoTerm[] {
  const { plan, outcome, position } = asking;
  let refusedBy: string | undefined;
  return plan.profile.vetoes.map((entry) => {
    const run = outcome.vetoes.runs.find((one) => one.entry === entry);
    const index = run?.given ? indexIn(run.given, position) : position;
    const stopped = refusedBy !== undefined && (plan.vetoes.onFirst || index < 0);
    if (!run || stopped)
      return { ...notAskedTerm(entry.use, run ? `${refusedBy} refused` : WHEN_IS_FALSE), id: entry.id };
    const term = vetoTerm(run, index, asking);
    if (term.refusal) refusedBy ??= entry.id;
    return term;
  });
}

function vetoTerm(run: ActiveVeto, index: number, asking: ExplainContext): VetoTerm {
  const { id, use } = run.entry;
  const record = new NoteRecorder();
  const { state, refusal, error } = decideVeto(run, asking.candidate, index, record.note);
  const failed = state === 'failed' ? errorText(error) : undefined;
  return omitUndefined({ id, state: state }, explainUse(use, record, asking), { error: failed, refusal });
}
