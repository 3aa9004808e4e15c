import { isDeepStrictEqual } from 'node:util';
import { openTestSession, type TestSession } from '../test-session.js';
import { scoreOf } from '../unit-probe.js';
import { copyPlain, firstDifference, freezePlain, resultOf, type UnitResult } from '../unit-results.js';
import type { RuleSubject, RuleViolations } from './scorer-rules.js';

/** A key that no unit has. */
const UNKNOWN_PARAM = 'no_such_param';

export async function params({ unit, example }: RuleSubject): Promise<string[]> {
  const schema = unit.meta.params;
  const seen: string[] = [];
  if (schema.safeParse({ ...example.params, [UNKNOWN_PARAM]: 1 }).success) {
    seen.push('it takes a param that it does not know: use z.strictObject');
  }
  if (!schema.safeParse({}).success) return seen;
  try {
    await openTestSession(unit, example, {}).then((session) =>
      session.run(candidatesForKind(unit.meta.kind, example.candidates)),
    );
  } catch (error) {
    seen.push(`without params it fails: ${error instanceof Error ? error.message : String(error)}`);
  }
  return seen;
}

/** A generator makes the candidates of its run. */
export const candidatesForKind = (kind: string, candidates: readonly object[]): readonly object[] | undefined =>
  kind === 'generator' ? undefined : candidates;

const memoryOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'memory') : undefined;

const scoreAll = (score: ReturnType<typeof scoreOf>, candidates: readonly object[]): UnitResult[] =>
  candidates.map((candidate, i) => resultOf(() => score?.(candidate, i)));

/** The old memory still answers as before: nothing was written into it. */
async function leavesOldMemory(session: TestSession, candidates: readonly object[]): Promise<string[]> {
  await session.run(candidates.slice(0, candidates.length >> 1));
  const { call, results } = await session.run(candidates);
  const again = scoreAll(scoreOf(await call.again(call.memoryBefore)), candidates);
  const differs = firstDifference(results, again);
  return differs === undefined ? [] : [`prepared on the same memory twice, ${differs}: it writes into its old memory`];
}

/** What a batch teaches is what its candidates teach one call after another. */
async function batchEqualsSequence(
  batch: TestSession,
  single: TestSession,
  candidates: readonly object[],
): Promise<string[]> {
  await batch.run(candidates);
  for (const candidate of candidates) await single.run([candidate]);
  const [after, expected] = [await batch.run(candidates), await single.run(candidates)];
  const differs = firstDifference(expected.results, after.results);
  return differs === undefined ? [] : [`after a batch it answers otherwise than after one call each: ${differs}`];
}

/** What was stored and restored answers as what was not. */
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
  const restored = format.restore(stored, call.params as never);
  const differs = firstDifference(results, scoreAll(scoreOf(await call.again(restored)), candidates));
  return differs === undefined ? [] : [`its memory stored and restored, ${differs}`];
}

export async function memory(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const remembers = unit.meta.memory !== undefined;
  const gives = typeof first.call.result === 'object' && first.call.result !== null;
  if (!remembers) return gives ? ['it gives a memory, and its meta declares none'] : [];
  if (memoryOf(first.call.result) === undefined) return ['its meta declares a memory, and prepare gives none'];
  const open = (): Promise<TestSession> => openTestSession(unit, example);
  return [
    ...(await leavesOldMemory(await open(), example.candidates)),
    ...(await batchEqualsSequence(await open(), await open(), example.candidates)),
    ...(await restoresMemory(subject, await open(), example.candidates)),
  ];
}

/** Signals, generators and reports: the same value again, from a context and candidates that nobody can write to. */
export async function sameValueAgain({ unit, example, first }: RuleSubject): Promise<string[]> {
  const frozen = { ...example, context: freezePlain(copyPlain(example.context ?? {})) };
  const candidates = candidatesForKind(unit.meta.kind, freezePlain(copyPlain(example.candidates)));
  const again = await openTestSession(unit, frozen).then((session) => session.run(candidates));
  if (isDeepStrictEqual(first.call.result, again.call.result)) return [];
  return [`${JSON.stringify(first.call.result)}, and in another run ${JSON.stringify(again.call.result)}`];
}

export function* validFocuses({ first }: RuleSubject): RuleViolations {
  const list: unknown = first.call.result;
  if (!Array.isArray(list)) {
    yield 'a generator gives a list of focus objects';
    return;
  }
  const keys = list.map((focus: unknown) =>
    typeof focus === 'object' && focus ? Reflect.get(focus, 'key') : undefined,
  );
  if (keys.some((key) => typeof key !== 'string' || key === '')) yield 'every focus needs a key, a string';
  if (new Set(keys).size < keys.length) yield 'two focus objects have the same key';
}
