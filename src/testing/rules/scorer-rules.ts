import { isDeepStrictEqual } from 'node:util';
import type { BatchScope, NoteData, ScoreRange } from '../../contract/index.js';
import { leavesRange } from '../../engine/index.js';
import { noteProblem } from '../../explain/index.js';
import { openTestSession, type RuleSubject, resolvedForParams, resultsInRanking } from '../test-session.js';
import { scoreOf } from '../unit-probe.js';
import {
  copyPlain,
  firstDifference,
  freezePlain,
  permutations,
  resultOf,
  resultText,
  subsets,
  type UnitResult,
} from '../unit-results.js';

/** The results for other candidates than the example's, in a session of their own. */
const resultsFor = async (
  { unit, example }: RuleSubject,
  candidates: readonly object[],
): Promise<readonly UnitResult[]> => (await (await openTestSession(unit, example)).run(candidates)).results;

export function* values({ unit, example, first }: RuleSubject): Iterable<string> {
  const isVeto = unit.meta.kind === 'veto';
  const expected = isVeto ? 'true, false or undefined' : 'a finite number or undefined';
  for (const [i, answer] of first.results.entries()) {
    if ('error' in answer) {
      if (!example.mayFail) yield `candidate ${i}: it failed (${answer.error}); an example that should says mayFail`;
    } else if (
      answer.value !== undefined &&
      !(isVeto ? typeof answer.value === 'boolean' : Number.isFinite(answer.value))
    )
      yield `candidate ${i}: ${resultText(answer)}; expected ${expected}`;
  }
}

export function* range({ unit, first }: RuleSubject): Iterable<string> {
  const declared = resolvedForParams<ScoreRange>(unit.meta.range, first.call);
  if (!declared) return;
  for (const [i, answer] of first.results.entries()) {
    if (!('value' in answer) || typeof answer.value !== 'number' || !leavesRange(declared, answer.value)) continue;
    yield `candidate ${i}: ${answer.value} is outside ${declared[0]} to ${declared[1]}`;
  }
}

export async function deterministic(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const again = await openTestSession(unit, example).then((session) => session.run(example.candidates));
  const score = scoreOf(first.call.result);
  const backwards = example.candidates
    .map((_, i) => i)
    .toReversed()
    .map((i) => resultOf(() => score?.(example.candidates[i]!, i)))
    .toReversed();
  const cases: [string, readonly UnitResult[]][] = [
    ['asked in another run', again.results],
    ['asked once more, backwards', backwards],
    ['as the engine had it', resultsInRanking(unit.meta.kind, first)],
  ];
  return cases.flatMap(([how, answers]) => {
    const differs = firstDifference(first.results, answers);
    return differs === undefined ? [] : [`${how}, ${differs}`];
  });
}

export async function unchanged(subject: RuleSubject): Promise<string[]> {
  const { example, first } = subject;
  const candidates = copyPlain(example.candidates);
  await resultsFor(subject, candidates);
  const at = candidates.findIndex((candidate, i) => !isDeepStrictEqual(candidate, example.candidates[i]));
  const frozen = await resultsFor(subject, freezePlain(copyPlain(example.candidates)));
  const differs = firstDifference(first.results, frozen);
  // The engine freezes the context's own keys; what is below them is the caller's.
  const context = freezePlain(copyPlain(example.context ?? {}));
  const inFrozen = await resultsFor({ ...subject, example: { ...example, context } }, example.candidates);
  const depends = firstDifference(first.results, inFrozen);
  return [
    ...(at < 0 ? [] : [`candidate ${at} was written to`]),
    ...(differs === undefined ? [] : [`with frozen candidates, ${differs}`]),
    ...(depends === undefined ? [] : [`with a frozen context, ${depends}`]),
  ];
}

export async function scope(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const own =
    'compile' in unit.prototype ? 'candidate' : (resolvedForParams<BatchScope>(unit.meta.scope, first.call) ?? 'set');
  const declared = example.scope ?? own;
  const { length } = example.candidates;
  const tried = { candidate: [...subsets(length), ...permutations(length)], set: permutations(length), sequence: [] };
  for (const order of tried[declared]) {
    const answers = await resultsFor(
      subject,
      order.map((i) => example.candidates[i]!),
    );
    const expected = order.map((i) => first.results[i]!);
    const differs = firstDifference(expected, answers, (position) => `candidate ${order[position]!}`);
    if (differs !== undefined) return [`its scope is ${declared}, and among candidates ${order.join(', ')} ${differs}`];
  }
  return [];
}

export function* reasons({ unit, example, first }: RuleSubject): Iterable<string> {
  const score = scoreOf(first.call.result);
  const seen = new Set<string>();
  for (const [i, candidate] of example.candidates.entries()) {
    const note = (reason: string, data: NoteData = {}): void => {
      const problem = noteProblem({ reason, data }, unit.meta.reasons);
      if (problem !== undefined) seen.add(problem);
    };
    resultOf(() => score?.(candidate, i, note));
  }
  yield* seen;
}

export function* explanation({ example, first }: RuleSubject): Iterable<string> {
  const score = scoreOf(first.call.result);
  const noted = example.candidates.map((candidate, i) => resultOf(() => score?.(candidate, i, () => {})));
  const differs = firstDifference(first.results, noted);
  if (differs !== undefined) yield `asked why, ${differs}`;
}
