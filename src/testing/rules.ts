import { isDeepStrictEqual } from 'node:util';
import type {
  BatchScope,
  ScoreRange,
  CostedRow,
  NoteData,
  SelectorFunction,
  SelectorNotSelected,
  SelectorLimits,
  SelectorResult,
} from '../sdk/index.js';
import { leavesRange, isWithin, totalCost, reasonTemplatesOf } from '../engine/index.js';
import { noteProblem } from '../ranking/index.js';
import { parsePath } from '../expression/index.js';
import {
  candidatesForKind,
  copyPlain,
  firstDifference,
  freezePlain,
  openTestSession,
  permutations,
  resolvedForParams,
  resultOf,
  resultsInRanking,
  resultText,
  type RuleSubject,
  scoreOf,
  subsets,
  type TestSession,
  type UnitResult,
} from './test-session.js';

/** A key that no unit declares. */
const UNKNOWN_PARAM = 'no_such_param';

/** `params`, of every kind. */
export async function params({ unit, example }: RuleSubject): Promise<string[]> {
  const schema = unit.meta.params;
  const violations: string[] = [];
  if (schema.safeParse({ ...example.params, [UNKNOWN_PARAM]: 1 }).success) {
    violations.push('it accepts an unknown param: use z.strictObject');
  }
  if (!schema.safeParse({}).success) return violations;
  try {
    await openTestSession(unit, example, {}).then((session) =>
      session.run(candidatesForKind(unit.meta.kind, example.candidates)),
    );
  } catch (error) {
    violations.push(`without params it fails: ${error instanceof Error ? error.message : String(error)}`);
  }
  return violations;
}

/** `deterministic`, for signals, generators and reports: a second run with frozen context and candidates gives the same value. */
export async function sameValueAgain({ unit, example, first }: RuleSubject): Promise<string[]> {
  const frozen = { ...example, context: freezePlain(copyPlain(example.context ?? {})) };
  const candidates = candidatesForKind(unit.meta.kind, freezePlain(copyPlain(example.candidates)));
  const again = await openTestSession(unit, frozen).then((session) => session.run(candidates));
  if (isDeepStrictEqual(first.call.result, again.call.result)) return [];
  return [`${JSON.stringify(first.call.result)}, but in another run ${JSON.stringify(again.call.result)}`];
}

/** `value`, for generators. */
export function* validFocuses({ first }: RuleSubject): Iterable<string> {
  const list: unknown = first.call.result;
  if (!Array.isArray(list)) {
    yield 'a generator must return a list of focus objects';
    return;
  }
  const keys = list.map((focus: unknown) =>
    typeof focus === 'object' && focus ? Reflect.get(focus, 'key') : undefined,
  );
  if (keys.some((key) => typeof key !== 'string' || key === '')) yield 'every focus needs a key, a string';
  if (new Set(keys).size < keys.length) yield 'two focus objects have the same key';
}

/** The results for other candidates, in a separate session. */
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
      if (!example.mayFail) yield `candidate ${i}: it failed (${result.error}); set mayFail if the example should fail`;
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
    ['called again in reverse order', backwards],
    ['in the ranking', resultsInRanking(unit.meta.kind, first)],
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
  // The engine freezes only the top level of the context.
  const context = freezePlain(copyPlain(example.context ?? {}));
  const inFrozen = await resultsFor({ ...subject, example: { ...example, context } }, example.candidates);
  const depends = firstDifference(first.results, inFrozen);
  return [
    ...(at < 0 ? [] : [`candidate ${at} was written to`]),
    ...(differs === undefined ? [] : [`with frozen candidates, ${differs}`]),
    ...(depends === undefined ? [] : [`with a frozen context, ${depends}`]),
  ];
}

/** `reads`: the same values if candidates have only the fields that the unit declares. */
export async function reads({ unit, example, first }: RuleSubject): Promise<string[]> {
  if (unit.meta.reads !== 'params') return [];
  const session = await openTestSession(unit, example);
  const fields = session.reads.map(({ field }) => field);
  if (fields.includes(undefined)) return []; // a nested entry may read any field
  const keys = new Set(fields.map((field = '') => parsePath(field)[0]).map((step) => step?.kind === 'key' && step.key));
  const pruned = example.candidates.map((candidate) =>
    Object.fromEntries(Object.entries(candidate).filter(([key]) => keys.has(key))),
  );
  const differs = firstDifference(first.results, (await session.run(pruned)).results);
  return differs === undefined ? [] : [`without fields that its params do not name, ${differs}`];
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
    if (differs !== undefined) return [`its scope is ${declared}, but among candidates ${order.join(', ')} ${differs}`];
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

/** `explanation`: a note does not change the value. */
export function* explanation({ example, first }: RuleSubject): Iterable<string> {
  const score = scoreOf(first.call.result);
  const noted = example.candidates.map((candidate, i) => resultOf(() => score?.(candidate, i, () => {})));
  const differs = firstDifference(first.results, noted);
  if (differs !== undefined) yield `with a note, ${differs}`;
}

/** The memory that `prepare` returned with its score. */
const memoryOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'memory') : undefined;

const scoreAll = (score: ReturnType<typeof scoreOf>, candidates: readonly object[]): UnitResult[] =>
  candidates.map((candidate, i) => resultOf(() => score?.(candidate, i)));

/** Preparing the unit on the old memory again gives the same values, so nothing was written into it. */
async function leavesOldMemory(session: TestSession, candidates: readonly object[]): Promise<string[]> {
  await session.run(candidates.slice(0, candidates.length >> 1));
  const { call, results } = await session.run(candidates);
  const again = scoreAll(scoreOf(await call.again(call.memoryBefore)), candidates);
  const differs = firstDifference(results, again);
  return differs === undefined ? [] : [`prepared on the same memory twice, ${differs}: it writes into its old memory`];
}

/** A batch leaves the same memory as one call for each of its candidates. */
async function batchEqualsSequence(
  batch: TestSession,
  single: TestSession,
  candidates: readonly object[],
): Promise<string[]> {
  await batch.run(candidates);
  for (const candidate of candidates) await single.run([candidate]);
  const [after, expected] = [await batch.run(candidates), await single.run(candidates)];
  const differs = firstDifference(expected.results, after.results);
  return differs === undefined ? [] : [`after a batch its results differ from those after one call each: ${differs}`];
}

/** Preparing the unit on a stored and restored memory gives the same values. */
async function restoresMemory(
  { unit }: RuleSubject,
  session: TestSession,
  candidates: readonly object[],
): Promise<string[]> {
  const format = unit.meta.memory?.file;
  if (format === undefined) return [];
  await session.run(candidates);
  const { call, results } = await session.run(candidates);
  const stored = format.store(call.memoryBefore as never);
  const restored = format.restore(stored, call.params as never, format.version);
  const differs = firstDifference(results, scoreAll(scoreOf(await call.again(restored)), candidates));
  if (differs !== undefined) return [`with its memory stored and restored, ${differs}`];
  const after = memoryOf(call.result);
  const changes = format.changes?.store(call.memoryBefore as never, after as never);
  if (changes === undefined || format.changes === undefined) return [];
  const applied = format.changes.apply(call.memoryBefore as never, changes, call.params as never);
  const expected = scoreAll(scoreOf(await call.again(after)), candidates);
  const unlike = firstDifference(expected, scoreAll(scoreOf(await call.again(applied)), candidates));
  return unlike === undefined ? [] : [`with the changes of its memory stored and applied, ${unlike}`];
}

/** `memory`, of scorers and vetoes. */
export async function memory(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const declares = unit.meta.memory !== undefined;
  const gives = typeof first.call.result === 'object' && first.call.result !== null;
  if (!declares) return gives ? ['it returns a memory, but its meta does not declare one'] : [];
  if (memoryOf(first.call.result) === undefined) return ['its meta declares a memory, but prepare does not return one'];
  const open = (): Promise<TestSession> => openTestSession(unit, example);
  return [
    ...(await leavesOldMemory(await open(), example.candidates)),
    ...(await batchEqualsSequence(await open(), await open(), example.candidates)),
    ...(await restoresMemory(subject, await open(), example.candidates)),
  ];
}

/** The default of the example's limits: unlimited, as for a class that only places. */
const NO_LIMITS: SelectorLimits = { target: Infinity, max: Infinity };

const selectOf = (result: unknown): SelectorFunction => {
  if (typeof result !== 'function') throw new TypeError('prepare must return a function of rows and limits');
  return result as SelectorFunction;
};

/** The rows of an example, one per candidate. */
function rowsOf({ example }: RuleSubject): CostedRow[] {
  const { candidates, rows } = example;
  if (rows?.length !== candidates.length)
    throw new TypeError('the example of a selector needs rows, one per candidate');
  return rows.map(({ score, cost, pinned = false }, index) => {
    return { id: `@${index}`, index, candidate: candidates[index], score, cost, pinned };
  });
}

/** Applies the selector of a run to the example's rows. */
const selection = (subject: RuleSubject, rows = rowsOf(subject), result = subject.first.call.result): SelectorResult =>
  selectOf(result)(rows, subject.example.limits ?? NO_LIMITS);

const indexes = (rows: readonly { readonly index: number }[]): number[] =>
  rows.map(({ index }) => index).toSorted((a, b) => a - b);

/** `value`: given = kept + left, and pinned rows are kept. */
export function* partition(subject: RuleSubject): Iterable<string> {
  const rows = rowsOf(subject);
  const { kept, left } = selection(subject, rows);
  const given = indexes(rows);
  const gave = indexes([...kept, ...left]);
  if (!isDeepStrictEqual(given, gave))
    yield `it received the rows ${given.join(', ')}, but returned ${gave.join(', ')}`;
  const inside = new Set(indexes(kept));
  for (const { index, pinned } of rows) if (pinned && !inside.has(index)) yield `it dropped the pinned row ${index}`;
  for (const { index, replacedBy = [] } of left) {
    const gone = replacedBy.filter((other) => !inside.has(other));
    if (gone.length > 0) yield `row ${index} was left for ${gone.join(', ')}, which it did not keep`;
  }
}

/** `limits`: the kept rows do not exceed the limits. */
export function* limits(subject: RuleSubject): Iterable<string> {
  const { unit, example, first } = subject;
  if (example.overflows ?? resolvedForParams<boolean>(unit.meta.overflows, first.call)) return;
  const { max } = example.limits ?? NO_LIMITS;
  const cost = totalCost(selection(subject).kept.filter(({ pinned }) => !pinned));
  if (!isWithin(cost, max)) yield `the kept rows cost ${cost}, and the limit is ${max}`;
}

/** A row that was left, with its getters read. */
const plainLeftRow = ({ index, reason, data, replacedBy }: SelectorNotSelected) => ({
  index,
  reason,
  data,
  replacedBy,
});

const selectionSummary = ({ kept, left }: SelectorResult): unknown => ({
  kept: kept.map(({ index }) => index),
  left: left.map(plainLeftRow),
});

/** `deterministic`: the same rows in another call and another run. */
export async function sameRows(subject: RuleSubject): Promise<string[]> {
  const { unit, example } = subject;
  const first = selectionSummary(selection(subject));
  const other = await openTestSession(unit, example).then((session) => session.run(example.candidates));
  const cases: [string, unknown][] = [
    ['called again', selectionSummary(selection(subject))],
    ['in another run', selectionSummary(selection(subject, rowsOf(subject), other.call.result))],
  ];
  return cases.flatMap(([how, again]) =>
    isDeepStrictEqual(first, again)
      ? []
      : [`${how}, it returned ${JSON.stringify(again)} after ${JSON.stringify(first)}`],
  );
}

/** `unchanged`: rows are not written to. */
export function* unchangedRows(subject: RuleSubject): Iterable<string> {
  const rows = rowsOf(subject);
  const before = copyPlain(rows);
  const first = selectionSummary(selection(subject, rows));
  if (!isDeepStrictEqual(before, rows)) yield 'its rows were written to';
  const frozen = selectionSummary(selection(subject, freezePlain(copyPlain(rows))));
  if (!isDeepStrictEqual(first, frozen)) yield 'with frozen rows it returns another result';
}

/** `reasons`: left rows have a reason that the meta of the selector, or of a nested selector, declares. */
export function* leftReasons(subject: RuleSubject): Iterable<string> {
  const own = subject.unit.meta.reasons ?? {};
  const seen = new Set<string>();
  for (const left of selection(subject).left) {
    const problem = noteProblem({ reason: left.reason, data: left.data ?? {} }, { ...reasonTemplatesOf(left), ...own });
    if (problem !== undefined) seen.add(`a row is left: ${problem}`);
  }
  yield* seen;
}
