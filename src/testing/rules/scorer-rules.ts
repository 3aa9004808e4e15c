import { isDeepStrictEqual } from 'node:util';
import type { BatchScope, NoteData, ScoreRange } from '../../contract/index.js';
import { leavesRange } from '../../engine/index.js';
import { noteProblem } from '../../explain/index.js';
import { parsePath } from '../../expression/index.js';
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

/** The results for other candidates, in a session of their own. */
const resultsFor = async (
  { unit, example }: RuleSubject,
  candidates: readonly object[],
): Promise<readonly UnitResult[]> => (await (await openTestSession(unit, example)).run(candidates)).results;

/** `value`: finite numbers (vetoes: booleans) or undefined. */
export function* values({ unit, example, first }: RuleSubject): Iterable<string> {
  const isVeto = unit.meta.kind === 'veto';
  const expected = isVeto ? 'true, false or undefined' : 'a finite number or undefined';
  for (const [i, result] of first.results.entries()) {
    if ('error' in result) {
      if (!example.mayFail) yield `candidate ${i}: it failed (${result.error}); an example that should says mayFail`;
    } else if (
      result.value !== undefined &&
      !(isVeto ? typeof result.value === 'boolean' : Number.isFinite(result.value))
    )
      yield `candidate ${i}: ${resultText(result)}; expected ${expected}`;
  }
}

/** `range`: values are within the declared range. */
export function* range({ unit, first }: RuleSubject): Iterable<string> {
  const declared = resolvedForParams<ScoreRange>(unit.meta.range, first.call);
  if (!declared) return;
  for (const [i, result] of first.results.entries()) {
    if (!('value' in result) || typeof result.value !== 'number' || !leavesRange(declared, result.value)) continue;
    yield `candidate ${i}: ${result.value} is outside ${declared[0]} to ${declared[1]}`;
  }
}

/** `deterministic`: the same values in another run, and in another order. */
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
    ['in another run', again.results],
    ['called again, backwards', backwards],
    ['as the engine had it', resultsInRanking(unit.meta.kind, first)],
  ];
  return cases.flatMap(([how, results]) => {
    const differs = firstDifference(first.results, results);
    return differs === undefined ? [] : [`${how}, ${differs}`];
  });
}

/** `unchanged`: candidates and context are not written to. */
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

/** `reads`: the same values where candidates have nothing but the fields that the unit declares to read. */
export async function reads({ unit, example, first }: RuleSubject): Promise<string[]> {
  if (unit.meta.reads !== 'params') return [];
  const session = await openTestSession(unit, example);
  const fields = session.reads.map(({ field }) => field);
  if (fields.includes(undefined)) return []; // an entry inside it reads anything
  const keys = new Set(fields.map((field = '') => parsePath(field)[0]).map((step) => step?.kind === 'key' && step.key));
  const pruned = example.candidates.map((candidate) =>
    Object.fromEntries(Object.entries(candidate).filter(([key]) => keys.has(key))),
  );
  const differs = firstDifference(first.results, (await session.run(pruned)).results);
  return differs === undefined ? [] : [`without the fields that its params do not name, ${differs}`];
}

/** `scope`: the values that the declared scope allows, in other batches and orders. */
export async function scope(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const own =
    'compile' in unit.prototype ? 'candidate' : (resolvedForParams<BatchScope>(unit.meta.scope, first.call) ?? 'set');
  const declared = example.scope ?? own;
  const { length } = example.candidates;
  const tried = { candidate: [...subsets(length), ...permutations(length)], set: permutations(length), sequence: [] };
  for (const order of tried[declared]) {
    const results = await resultsFor(
      subject,
      order.map((i) => example.candidates[i]!),
    );
    const expected = order.map((i) => first.results[i]!);
    const differs = firstDifference(expected, results, (position) => `candidate ${order[position]!}`);
    if (differs !== undefined) return [`its scope is ${declared}, and among candidates ${order.join(', ')} ${differs}`];
  }
  return [];
}

/** `reasons`: notes have declared reasons, with the data of their templates. */
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

/** `explanation`: with a note the value is the same as without. */
export function* explanation({ example, first }: RuleSubject): Iterable<string> {
  const score = scoreOf(first.call.result);
  const noted = example.candidates.map((candidate, i) => resultOf(() => score?.(candidate, i, () => {})));
  const differs = firstDifference(first.results, noted);
  if (differs !== undefined) yield `with a note, ${differs}`;
}
