import { describeValue } from '../diagnostics/describe-value.js';
import { causeOf } from '../engine/failures.js';
import type { NoteRecorder, RecordedChild, RecordedNote } from '../engine/note-recorder.js';
import { CandidateRefused } from '../engine/run-errors.js';
import type { Use } from '../profile/profile.js';
import type { ChildTerm, EntryTerm, NoteTerm } from './explanation.js';
import { readsOfUse, type VariableLookup } from './field-reads.js';
import { finiteOrUndefined, omitUndefined, toJsonValue } from './json-value.js';
import { noteProblem, noteText } from './reason-text.js';

/** What a use is called where it says nothing of itself. */
export const unitName = (use: Use): string => (use.kind === 'expr' ? use.expression.source : use.name);

/** An entry that was not asked. */
export const notAskedTerm = (use: Use, because: string): EntryTerm & { readonly state: 'not_asked' } => ({
  unit: unitName(use),
  state: 'not_asked',
  because,
  notes: [],
  reads: [],
  inside: [],
});

/** What was thrown, in words; undefined for what an entry said on purpose, by refusing what is absent. */
export function errorText(failure: unknown): string | undefined {
  if (!(failure instanceof CandidateRefused)) return causeOf(failure);
  return failure.failure === undefined ? undefined : causeOf(failure.failure);
}

/** What a use noted and read while it was asked why: a part of a term. */
export function explainUse(use: Use, record: NoteRecorder, sight: VariableLookup) {
  const templates = use.kind === 'class' ? use.unit.meta.reasons : undefined;
  const notes = record.notes.map((noted) => noteTerm(noted, templates));
  return {
    unit: unitName(use),
    reason: notes.at(-1)?.text,
    notes,
    reads: readsOfUse(use, sight),
    inside: record.children.map((inner): ChildTerm => childTerm(inner, use, sight)),
  };
}

/** A unit may note anything: what is wrong with a note is said, and the explanation goes on. */
function noteTerm(noted: RecordedNote, templates: Readonly<Record<string, string>> | undefined): NoteTerm {
  const data = { ...noted.data };
  const reason = typeof noted.reason === 'string' ? noted.reason : describeValue(noted.reason);
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
    return {
      reason,
      text: reason,
      data: {},
      problem: `its data cannot be shown: ${causeOf(error)}`,
    };
  }
}

function childTerm(inner: RecordedChild, around: Use, sight: VariableLookup): ChildTerm {
  const { use: child, record, raw, value, failure } = inner;
  const odd = raw !== undefined && finiteOrUndefined(raw) === undefined ? `it gave ${String(raw)}` : undefined;
  const refuses = failure instanceof CandidateRefused && failure.by === child.label && raw === undefined;
  const failed = odd !== undefined || ('failure' in inner && !refuses);
  const state: ChildTerm['state'] = failed ? 'failed' : raw === undefined ? 'absent' : 'scored';
  return omitUndefined(explainUse(child.use, record, sight), {
    state,
    raw: finiteOrUndefined(raw),
    value: finiteOrUndefined(value),
    weight: around.kind === 'class' && around.children.size > 1 ? child.weight : undefined,
    rule: state === 'absent' ? `on_absent: ${child.onAbsent}` : undefined,
    error: odd ?? ('failure' in inner ? errorText(failure) : undefined),
  });
}
