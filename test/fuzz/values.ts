import type { Random } from './random.js';

const KEYS = ['a', 'b', 'list', 'map', 'text', 'id', '__proto__', 'constructor', 'toString', 'é', ''];

const ODD: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => Infinity,
  () => -0,
  () => 2 ** 53,
  () => 1e-320,
  () => '',
  () => '\ud800',
  () => '\u0000\u009b',
  () => 10n,
  () => Symbol('s'),
  () => () => 1,
  () => new Date(Number.NaN),
  () => new Date(0),
  () => /a/,
  () => new Map([[1, 2]]),
  () => new Float64Array(3),
  () => Object.create(null) as unknown,
  () => [, 1], // oxlint-disable-line no-sparse-arrays -- a list with a hole
  () => Promise.resolve(1),
];

/** Any data value, and occasionally an invalid one. */
export function randomValue(random: Random, depth = 3, getters = false): unknown {
  if (random.chance(0.15)) return random.pick(ODD)();
  switch (random.below(depth > 0 ? 6 : 4)) {
    case 0:
      return random.below(10) - 2;
    case 1:
      return random.next();
    case 2:
      return random.pick(['a', 'b', 'some text', '2026-01-31', '7d', '12']);
    case 3:
      return random.chance(0.5);
    case 4:
      return random.list(4, () => randomValue(random, depth - 1, getters));
    default:
      return randomCandidate(random, depth - 1, getters);
  }
}

/** A candidate: a map, some of whose fields may be getters that throw. */
export function randomCandidate(random: Random, depth = 3, getters = true): object {
  const made: Record<string, unknown> = random.chance(0.1) ? (Object.create({ a: 1 }) as Record<string, unknown>) : {};
  for (const key of KEYS) {
    if (random.chance(0.5)) continue;
    const value = randomValue(random, depth, getters);
    const throws = random.chance(0.02) && getters;
    Object.defineProperty(made, key, {
      enumerable: true,
      configurable: true,
      ...(throws
        ? {
            get: () => {
              throw new Error('a getter of the candidate');
            },
          }
        : { value, writable: true }),
    });
  }
  if (random.chance(0.02)) Object.defineProperty(made, 'map', { value: made, enumerable: true });
  return made;
}
