import { describeValue } from '../diagnostics/index.js';
import {
  CandidateRefused,
  causeOf,
  type NoteRecorder,
  type RecordedChild,
  type RecordedNote,
} from '../engine/index.js';
import type { Adjustment, Use } from '../profile/index.js';
import type { ChildTerm, EntryTerm, NoteTerm, RuleTerm } from './explanation.js';
import { readsOfUse, type VariableLookup } from './field-reads.js';
import { finiteOrUndefined, omitUndefined, toJsonValue } from './json-value.js';
import { noteProblem, noteText } from './reason-text.js';

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
export function errorText(failure: unknown): string | undefined {
  if (!(failure instanceof CandidateRefused)) return causeOf(failure);
  return failure.failure === undefined ? undefined : causeOf(failure.failure);
}

/** The notes and reads of an entry while it was evaluated, with the entries inside it: the common part of a term. */
export function entryTerm(use: Use, recorder: NoteRecorder, lookup: VariableLookup) {
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

/** A unit may note anything: a note that cannot be shown is a problem of the unit, and the explanation goes on. */
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
  const notFinite = raw !== undefined && finiteOrUndefined(raw) === undefined ? `it gave ${String(raw)}` : undefined;
  const refuses = failure instanceof CandidateRefused && failure.by === child.name && raw === undefined;
  const failed = notFinite !== undefined || ('failure' in recorded && !refuses);
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
