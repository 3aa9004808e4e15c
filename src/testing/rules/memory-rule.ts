import { openTestSession, type RuleSubject, type TestSession } from '../test-session.js';
import { scoreOf } from '../unit-probe.js';
import { firstDifference, resultOf, type UnitResult } from '../unit-results.js';

/** The memory that `prepare` returned beside its score. */
const memoryOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'memory') : undefined;

const scoreAll = (score: ReturnType<typeof scoreOf>, candidates: readonly object[]): UnitResult[] =>
  candidates.map((candidate, i) => resultOf(() => score?.(candidate, i)));

/** Prepared on the old memory again, the unit gives the same values: nothing was written into it. */
async function leavesOldMemory(session: TestSession, candidates: readonly object[]): Promise<string[]> {
  await session.run(candidates.slice(0, candidates.length >> 1));
  const { call, results } = await session.run(candidates);
  const again = scoreAll(scoreOf(await call.again(call.memoryBefore)), candidates);
  const differs = firstDifference(results, again);
  return differs === undefined ? [] : [`prepared on the same memory twice, ${differs}: it writes into its old memory`];
}

/** A batch leaves the memory that its candidates leave one call after another. */
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

/** Prepared on a memory that was stored and restored, the unit gives the same values. */
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

/** `memory`, of scorers and vetoes. */
export async function memory(subject: RuleSubject): Promise<string[]> {
  const { unit, example, first } = subject;
  const declares = unit.meta.memory !== undefined;
  const gives = typeof first.call.result === 'object' && first.call.result !== null;
  if (!declares) return gives ? ['it gives a memory, and its meta declares none'] : [];
  if (memoryOf(first.call.result) === undefined) return ['its meta declares a memory, and prepare gives none'];
  const open = (): Promise<TestSession> => openTestSession(unit, example);
  return [
    ...(await leavesOldMemory(await open(), example.candidates)),
    ...(await batchEqualsSequence(await open(), await open(), example.candidates)),
    ...(await restoresMemory(subject, await open(), example.candidates)),
  ];
}
