import { isDeepStrictEqual } from 'node:util';
import type { NoteData, Range, Scope, UnitClass } from '../contract/index.js';
import { reasonProblem } from '../explain/reason.js';
import { leavesRange } from '../stages/settle.js';
import { type Call, scoreOf } from './probe.js';
import { type Asked, openSession, readBack, type UnitExample } from './session.js';
import { type Answer, answerOf, copyOf, difference, freeze, parts, permutations, shown } from './values.js';

/** What is wrong, in one sentence; nothing where the unit keeps the rule. */
export type Seen = Iterable<string>;

/** What the rules look at: the unit, its example, and one run of it. */
export interface Subject {
  readonly unit: UnitClass;
  readonly example: UnitExample;
  readonly first: Asked;
}

/** What a meta says, or how the params decide it. */
export const ofParams = <V>(value: V | ((params: never) => V) | undefined, { params }: Call): V | undefined =>
  typeof value === 'function' ? (value as (params: unknown) => V)(params) : value;

/** Answers to other candidates than the example's, in a session of their own. */
const answersTo = async ({ unit, example }: Subject, candidates: readonly object[]): Promise<readonly Answer[]> =>
  (await (await openSession(unit, example)).run(candidates)).answers;

export function* values({ unit, example, first }: Subject): Seen {
  const isVeto = unit.meta.kind === 'veto';
  const expected = isVeto ? 'true, false or undefined' : 'a finite number or undefined';
  for (const [i, answer] of first.answers.entries()) {
    if ('error' in answer) {
      if (!example.mayFail) yield `candidate ${i}: it failed (${answer.error}); an example that should says mayFail`;
    } else if (
      answer.value !== undefined &&
      !(isVeto ? typeof answer.value === 'boolean' : Number.isFinite(answer.value))
    )
      yield `candidate ${i}: ${shown(answer)}; expected ${expected}`;
  }
}

export function* range({ unit, first }: Subject): Seen {
  const declared = ofParams<Range>(unit.meta.range, first.call);
  if (!declared) return;
  for (const [i, answer] of first.answers.entries()) {
    if (!('value' in answer) || typeof answer.value !== 'number' || !leavesRange(declared, answer.value)) continue;
    yield `candidate ${i}: ${answer.value} is outside ${declared[0]} to ${declared[1]}`;
  }
}

export async function deterministic(subject: Subject): Promise<string[]> {
  const { unit, example, first } = subject;
  const again = await openSession(unit, example).then((session) => session.run(example.candidates));
  const score = scoreOf(first.call.result);
  const backwards = example.candidates
    .map((_, i) => i)
    .toReversed()
    .map((i) => answerOf(() => score?.(example.candidates[i]!, i)))
    .toReversed();
  const cases: [string, readonly Answer[]][] = [
    ['asked in another run', again.answers],
    ['asked once more, backwards', backwards],
    ['as the engine had it', readBack(unit.meta.kind, first)],
  ];
  return cases.flatMap(([how, answers]) => {
    const differs = difference(first.answers, answers);
    return differs === undefined ? [] : [`${how}, ${differs}`];
  });
}

export async function unchanged(subject: Subject): Promise<string[]> {
  const { example, first } = subject;
  const candidates = copyOf(example.candidates);
  await answersTo(subject, candidates);
  const at = candidates.findIndex((candidate, i) => !isDeepStrictEqual(candidate, example.candidates[i]));
  const frozen = await answersTo(subject, freeze(copyOf(example.candidates)));
  const differs = difference(first.answers, frozen);
  // The engine freezes the context's own keys; what is below them is the caller's.
  const context = freeze(copyOf(example.context ?? {}));
  const inFrozen = await answersTo({ ...subject, example: { ...example, context } }, example.candidates);
  const depends = difference(first.answers, inFrozen);
  return [
    ...(at < 0 ? [] : [`candidate ${at} was written to`]),
    ...(differs === undefined ? [] : [`with frozen candidates, ${differs}`]),
    ...(depends === undefined ? [] : [`with a frozen context, ${depends}`]),
  ];
}

export async function scope(subject: Subject): Promise<string[]> {
  const { unit, example, first } = subject;
  const own = 'compile' in unit.prototype ? 'candidate' : (ofParams<Scope>(unit.meta.scope, first.call) ?? 'set');
  const declared = example.scope ?? own;
  const { length } = example.candidates;
  const tried = { candidate: [...parts(length), ...permutations(length)], set: permutations(length), sequence: [] };
  for (const order of tried[declared]) {
    const answers = await answersTo(
      subject,
      order.map((i) => example.candidates[i]!),
    );
    const expected = order.map((i) => first.answers[i]!);
    const differs = difference(expected, answers, (position) => `candidate ${order[position]!}`);
    if (differs !== undefined) return [`its scope is ${declared}, and among candidates ${order.join(', ')} ${differs}`];
  }
  return [];
}

export function* reasons({ unit, example, first }: Subject): Seen {
  const score = scoreOf(first.call.result);
  const seen = new Set<string>();
  for (const [i, candidate] of example.candidates.entries()) {
    const note = (reason: string, data: NoteData = {}): void => {
      const problem = reasonProblem({ reason, data }, unit.meta.reasons);
      if (problem !== undefined) seen.add(problem);
    };
    answerOf(() => score?.(candidate, i, note));
  }
  yield* seen;
}

export function* explanation({ example, first }: Subject): Seen {
  const score = scoreOf(first.call.result);
  const noted = example.candidates.map((candidate, i) => answerOf(() => score?.(candidate, i, () => {})));
  const differs = difference(first.answers, noted);
  if (differs !== undefined) yield `asked why, ${differs}`;
}
