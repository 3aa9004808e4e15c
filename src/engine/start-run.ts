import { type Context, type Signals } from '../contract/index.js';
import { describeValue } from '../diagnostics/describe-value.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { isMap } from '../expression/is-map.js';
import { toMillis } from '../expression/time.js';
import type { ContextField, Profile } from '../profile/profile.js';
import type { Clock } from '../services/clock.js';
import type { RunContext } from './run-context.js';

/** Nothing is known of any signal. */
export const NO_SIGNALS: Signals = Object.freeze(Object.create(null) as Signals);

/** Nothing is known of the request. */
export const NO_CONTEXT: Context = Object.freeze({});

/** What a record whose keys are ids inherits. V8 keeps such a record fast, and one that inherits null slow. */
const NO_PROPERTIES = Object.freeze(Object.create(null) as object);

/** A tally that nobody has made yet: only a fallback asks. */
const NO_COUNTS: RunContext['counts'] = { generated: 0, vetoed: 0, failed: 0, strategies: [] };

/** The state between runs, and the start of every run. */
export const emptyContext = (now = 0, context: Context = NO_CONTEXT): RunContext => ({
  now,
  context,
  signals: NO_SIGNALS,
  measures: Object.create(NO_PROPERTIES) as Record<string, Float64Array>,
  prepared: [],
  scores: [],
  values: [],
  score: 0,
  counts: NO_COUNTS,
});

const TYPE_CHECKS: Readonly<Record<NonNullable<ContextField['type']>, (value: unknown) => boolean>> = {
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  map: isMap,
  time: isTime,
};

function isTime(value: unknown): boolean {
  try {
    return Number.isFinite(toMillis(value));
  } catch {
    return false;
  }
}

/** Holds a context to what its profile declares of it. */
function checkContext(profile: Profile, context: Context): void {
  if (profile.context.size === 0) return;
  const problems = [...profile.context].flatMap(([key, { type, required }]) => {
    const value = Object.hasOwn(context, key) ? context[key] : undefined;
    const absent = value === undefined || value === null;
    if (absent ? !required : type === undefined || TYPE_CHECKS[type](value)) return [];
    const message = `the context's ${key} is ${absent ? 'missing' : describeValue(value)}; expected ${type ?? 'a value'}`;
    return [{ code: 'ASZ104' as const, message, path: `context.${key}`, hint: `profile ${profile.name} declares it` }];
  });
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The start of a run: the context, checked and frozen, and the one time that everything in the run sees. */
export function startContext(profile: Profile, given: Context, clock: Clock): RunContext {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw toAssizeError([{ code: 'ASZ104', message: `the context is ${describeValue(given)}; expected an object` }]);
  }
  checkContext(profile, given);
  const context = given === NO_CONTEXT ? given : Object.freeze({ ...given });
  return emptyContext(nowOf(context, clock), context);
}

function nowOf(context: Context, clock: Clock): number {
  const { now } = context;
  if (now === undefined || now === null) return clock.now();
  try {
    return toMillis(now);
  } catch (error) {
    const message = `the context's now is no time: ${error instanceof Error ? error.message : String(error)}`;
    throw toAssizeError([{ code: 'ASZ104', message, path: 'context.now' }], { cause: error });
  }
}
