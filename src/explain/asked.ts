import { describeValue } from '../expression/describe.js';
import type { Use } from '../profile/profile.js';
import { causeOf } from '../stages/failures.js';
import { Refused } from '../stages/plan.js';
import type { AskedTerm, ChildTerm, NoteTerm } from './explanation.js';
import { defined, finite, plain } from './plain.js';
import { readsOf, type Sight } from './reads.js';
import { reasonProblem, reasonText } from './reason.js';
import type { Inner, Noted, Recorder } from './recorder.js';

/** What a use is called where it says nothing of itself. */
export const unitOf = (use: Use): string => (use.kind === 'expr' ? use.expression.source : use.name);

/** An entry that was not asked. */
export const notAsked = (use: Use, because: string): AskedTerm & { readonly state: 'not_asked' } => ({
  unit: unitOf(use),
  state: 'not_asked',
  because,
  notes: [],
  reads: [],
  inside: [],
});

/** What was thrown, in words; undefined for what an entry said on purpose, by refusing what is absent. */
export function errorOf(failure: unknown): string | undefined {
  if (!(failure instanceof Refused)) return causeOf(failure);
  return failure.failure === undefined ? undefined : causeOf(failure.failure);
}

/** What a use noted and read while it was asked why: a part of a term. */
export function askedOf(use: Use, record: Recorder, sight: Sight) {
  const templates = use.kind === 'class' ? use.unit.meta.reasons : undefined;
  const notes = record.notes.map((noted) => noteOf(noted, templates));
  return {
    unit: unitOf(use),
    reason: notes.at(-1)?.text,
    notes,
    reads: readsOf(use, sight),
    inside: record.inside.map((inner): ChildTerm => childOf(inner, use, sight)),
  };
}

/** A unit may note anything: what is wrong with a note is said, and the explanation goes on. */
function noteOf(noted: Noted, templates: Readonly<Record<string, string>> | undefined): NoteTerm {
  const data = { ...noted.data };
  const reason = typeof noted.reason === 'string' ? noted.reason : describeValue(noted.reason);
  const shown: Noted = { reason, data };
  try {
    const named = Object.entries(data).filter(([, value]) => value !== undefined);
    return defined({
      reason,
      text: reasonText(shown, templates),
      data: Object.fromEntries(named.map(([name, value]) => [name, plain(value)])),
      problem: reasonProblem(shown, templates),
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

function childOf(inner: Inner, around: Use, sight: Sight): ChildTerm {
  const { use: child, record, raw, value, failure } = inner;
  const odd = raw !== undefined && finite(raw) === undefined ? `it gave ${String(raw)}` : undefined;
  const refuses = failure instanceof Refused && failure.by === child.label && raw === undefined;
  const failed = odd !== undefined || ('failure' in inner && !refuses);
  const state: ChildTerm['state'] = failed ? 'failed' : raw === undefined ? 'absent' : 'scored';
  return defined(askedOf(child.use, record, sight), {
    state,
    raw: finite(raw),
    value: finite(value),
    weight: around.kind === 'class' && around.children.size > 1 ? child.weight : undefined,
    rule: state === 'absent' ? `on_absent: ${child.onAbsent}` : undefined,
    error: odd ?? ('failure' in inner ? errorOf(failure) : undefined),
  });
}
