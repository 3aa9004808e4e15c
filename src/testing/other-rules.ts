import { isDeepStrictEqual } from 'node:util';
import { scoreOf } from './probe.js';
import type { Seen, Subject } from './rules.js';
import { openSession, type Session } from './session.js';
import { type Answer, answerOf, copyOf, difference, freeze } from './values.js';

/** A key that no unit has. */
const UNKNOWN = 'no_such_param';

export async function params({ unit, example }: Subject): Promise<string[]> {
  const schema = unit.meta.params;
  const seen: string[] = [];
  if (schema.safeParse({ ...example.params, [UNKNOWN]: 1 }).success) {
    seen.push('it takes a param that it does not know: use z.strictObject');
  }
  if (!schema.safeParse({}).success) return seen;
  try {
    await openSession(unit, example, {}).then((session) =>
      session.run(candidatesOf(unit.meta.kind, example.candidates)),
    );
  } catch (error) {
    seen.push(`without params it fails: ${error instanceof Error ? error.message : String(error)}`);
  }
  return seen;
}

/** A generator makes the candidates of its run. */
export const candidatesOf = (kind: string, candidates: readonly object[]): readonly object[] | undefined =>
  kind === 'generator' ? undefined : candidates;

const memoryOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null ? Reflect.get(result, 'memory') : undefined;

const allOf = (score: ReturnType<typeof scoreOf>, candidates: readonly object[]): Answer[] =>
  candidates.map((candidate, i) => answerOf(() => score?.(candidate, i)));

/** The old memory still answers as before: nothing was written into it. */
async function oldMemory(session: Session, candidates: readonly object[]): Promise<string[]> {
  await session.run(candidates.slice(0, candidates.length >> 1));
  const { call, answers } = await session.run(candidates);
  const again = allOf(scoreOf(await call.again(call.memoryBefore)), candidates);
  const differs = difference(answers, again);
  return differs === undefined ? [] : [`prepared on the same memory twice, ${differs}: it writes into its old memory`];
}

/** What a batch teaches is what its candidates teach one call after another. */
async function sameLesson(batch: Session, single: Session, candidates: readonly object[]): Promise<string[]> {
  await batch.run(candidates);
  for (const candidate of candidates) await single.run([candidate]);
  const [after, expected] = [await batch.run(candidates), await single.run(candidates)];
  const differs = difference(expected.answers, after.answers);
  return differs === undefined ? [] : [`after a batch it answers otherwise than after one call each: ${differs}`];
}

/** What was stored and restored answers as what was not. */
async function storedMemory({ unit }: Subject, session: Session, candidates: readonly object[]): Promise<string[]> {
  const format = unit.meta.memory?.file;
  if (format === undefined) return [];
  await session.run(candidates);
  const { call, answers } = await session.run(candidates);
  const stored = format.store(call.memoryBefore as never);
  const restored = format.restore(stored, call.params as never);
  const differs = difference(answers, allOf(scoreOf(await call.again(restored)), candidates));
  return differs === undefined ? [] : [`its memory stored and restored, ${differs}`];
}

export async function memory(subject: Subject): Promise<string[]> {
  const { unit, example, first } = subject;
  const remembers = unit.meta.memory !== undefined;
  const gives = typeof first.call.result === 'object' && first.call.result !== null;
  if (!remembers) return gives ? ['it gives a memory, and its meta declares none'] : [];
  if (memoryOf(first.call.result) === undefined) return ['its meta declares a memory, and prepare gives none'];
  const open = (): Promise<Session> => openSession(unit, example);
  return [
    ...(await oldMemory(await open(), example.candidates)),
    ...(await sameLesson(await open(), await open(), example.candidates)),
    ...(await storedMemory(subject, await open(), example.candidates)),
  ];
}

/** Signals, generators and reports: the same value again, from a context and candidates that nobody can write to. */
export async function otherKinds({ unit, example, first }: Subject): Promise<string[]> {
  const frozen = { ...example, context: freeze(copyOf(example.context ?? {})) };
  const candidates = candidatesOf(unit.meta.kind, freeze(copyOf(example.candidates)));
  const again = await openSession(unit, frozen).then((session) => session.run(candidates));
  if (isDeepStrictEqual(first.call.result, again.call.result)) return [];
  return [`${JSON.stringify(first.call.result)}, and in another run ${JSON.stringify(again.call.result)}`];
}

export function* focuses({ first }: Subject): Seen {
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
