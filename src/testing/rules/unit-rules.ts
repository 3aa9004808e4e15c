import { isDeepStrictEqual } from 'node:util';
import { candidatesForKind, openTestSession, type RuleSubject } from '../test-session.js';
import { copyPlain, freezePlain } from '../unit-results.js';

/** A key that no unit has. */
const UNKNOWN_PARAM = 'no_such_param';

/** `params`, of every kind. */
export async function params({ unit, example }: RuleSubject): Promise<string[]> {
  const schema = unit.meta.params;
  const violations: string[] = [];
  if (schema.safeParse({ ...example.params, [UNKNOWN_PARAM]: 1 }).success) {
    violations.push('it takes a param that it does not know: use z.strictObject');
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

/** `deterministic`, of signals, generators and reports: the same value again, from a frozen context and frozen candidates. */
export async function sameValueAgain({ unit, example, first }: RuleSubject): Promise<string[]> {
  const frozen = { ...example, context: freezePlain(copyPlain(example.context ?? {})) };
  const candidates = candidatesForKind(unit.meta.kind, freezePlain(copyPlain(example.candidates)));
  const again = await openTestSession(unit, frozen).then((session) => session.run(candidates));
  if (isDeepStrictEqual(first.call.result, again.call.result)) return [];
  return [`${JSON.stringify(first.call.result)}, and in another run ${JSON.stringify(again.call.result)}`];
}

/** `value`, of generators. */
export function* validFocuses({ first }: RuleSubject): Iterable<string> {
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
