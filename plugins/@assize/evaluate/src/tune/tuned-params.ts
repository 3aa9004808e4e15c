import { didYouMean, toAssizeError } from 'assize';
import { nameList } from 'assize/internal';
import type { Bounds } from './fit/derivative-free.js';
import type { Effective, ParamBounds } from './tune-options.js';
import { isMap } from '../values.js';

/** A param to tune within bounds. */
export interface TunedParam extends Bounds {
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  /** Its path in the params: `half_life`, `curve.half_life`, `points.0`. */
  readonly param: string;
  /** The value in the profile; the middle of the bounds if it has none. */
  readonly start: number;
  /** The unit of a duration in the profile, `d` of `30d`. Bounds and values are in this unit. */
  readonly unit: string;
  /** Whether to try integers only: if the bounds and the value in the profile are integers. */
  readonly isWhole: boolean;
}

const LISTS = ['measures', 'tier2_scorers'] as const;

/**
 * Resolves the params to tune.
 *
 * @throws AssizeError (ASZ551) if the entry does not exist, the param is not a number, or the bounds are invalid
 */
export const tunedParams = (effective: Effective, wanted: ParamBounds = {}): readonly TunedParam[] =>
  Object.entries(wanted).map(([name, bounds]) => tunedParam(effective, name, bounds));

function tunedParam(effective: Effective, name: string, [low, high]: readonly [number, number]): TunedParam {
  const [entry = '', ...steps] = name.split('.');
  const param = steps.join('.');
  const list = LISTS.find((key) => entriesOf(effective, key).some(({ id }) => id === entry));
  if (!list) {
    const ids = LISTS.flatMap((key) => entriesOf(effective, key).map(({ id }) => String(id)));
    throw wrong(
      `the profile has no measure or scorer ${entry}`,
      didYouMean(entry, ids, `the entries are ${nameList(ids)}`),
    );
  }
  const params = paramsOf(effective, list, entry);
  const numbers = numbersIn(params).map((path) => `${entry}.${path}`);
  if (steps.length === 0 || steps.includes('')) {
    throw wrong(
      `${name} is not the name of a param`,
      numbers.length > 0 ? `the numbers of ${entry} are ${nameList(numbers)}` : 'expected entry.param, as in near.to',
    );
  }
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw wrong(`the bounds of ${name} are ${low} and ${high}`, 'expected two numbers, the lower one first');
  }
  const now = paramAt(params, steps);
  const found = numberOf(now);
  if (now !== undefined && !found) throw wrong(`${name} is not a number in the profile`, otherNumbers(entry, numbers));
  // A param that the profile lacks has the default of its class, if it is not one of another param.
  const inner = numbers.find((path) => path.endsWith(`.${steps.at(-1)}`));
  if (now === undefined && (steps.length > 1 || inner !== undefined)) {
    throw wrong(
      `the profile has no param ${name}`,
      inner === undefined ? otherNumbers(entry, numbers) : `did you mean ${inner}?`,
    );
  }
  const start = Math.min(high, Math.max(low, found?.value ?? (low + high) / 2));
  const isWhole = [low, high, found?.value ?? low].every(Number.isInteger) && high - low >= 2;
  return { list, entry, param, low, high, start, unit: found?.unit ?? '', isWhole };
}

const otherNumbers = (entry: string, numbers: readonly string[]): string | undefined =>
  numbers.length > 0 ? `the numbers of ${entry} are ${nameList(numbers)}` : undefined;

const entriesOf = (effective: Effective, key: string): readonly Effective[] => {
  const list: unknown = effective[key];
  return Array.isArray(list) ? list.filter(isMap) : [];
};

const paramsOf = (effective: Effective, list: string, entry: string): Effective => {
  const params = entriesOf(effective, list).find(({ id }) => id === entry)?.['params'];
  return isMap(params) ? params : {};
};

/** A number, or a duration of one unit. */
function numberOf(value: unknown): { readonly value: number; readonly unit: string } | undefined {
  if (typeof value === 'number') return { value, unit: '' };
  const [, number, unit = ''] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?)([a-z]+)$/.exec(value) ?? []) : [];
  return number === undefined ? undefined : { value: Number(number), unit };
}

const childAt = (value: unknown, step: string): unknown =>
  Array.isArray(value)
    ? (value[Number(step)] as unknown)
    : isMap(value) && Object.hasOwn(value, step)
      ? value[step]
      : undefined;

const paramAt = (params: Effective, steps: readonly string[]): unknown => steps.reduce<unknown>(childAt, params);

/** The paths of all numbers and durations in params. */
function numbersIn(value: unknown): readonly string[] {
  if (numberOf(value)) return [''];
  const parts = Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];
  return parts.flatMap(([key, part]) => numbersIn(part).map((rest) => (rest === '' ? String(key) : `${key}.${rest}`)));
}

/** Replaces a value in params. */
function withValue(value: unknown, [step, ...rest]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  const child = withValue(childAt(value, step), rest, to);
  if (Array.isArray(value)) return value.with(Number(step), child);
  return { ...(isMap(value) ? value : {}), [step]: child };
}

/** A param with a value in the unit of its bounds. */
export interface ParamValue extends Pick<TunedParam, 'list' | 'entry' | 'param' | 'unit'> {
  readonly value: number;
}

/**
 * The params of an entry that values change, by their first key: a profile that extends another one, and a change of a
 * run, replace the whole of it.
 */
export function changedParams(effective: Effective, entry: string, values: readonly ParamValue[]): Effective {
  const own = values.filter((one) => one.entry === entry);
  const changed = own.reduce<unknown>(
    (params, { param, unit, value }) => withValue(params, param.split('.'), unit === '' ? value : `${value}${unit}`),
    own[0] ? paramsOf(effective, own[0].list, entry) : {},
  );
  const keys = new Set(own.map(({ param }) => param.split('.')[0]));
  return Object.fromEntries(Object.entries(isMap(changed) ? changed : {}).filter(([key]) => keys.has(key)));
}

export const paramValues = (params: readonly TunedParam[], values: readonly number[]): readonly ParamValue[] =>
  params.map(({ list, entry, param, unit }, k) => ({ list, entry, param, unit, value: values[k]! }));

/** Rounds values for output: to three digits of the width of the bounds, or to integers. */
export const writtenValues = (params: readonly TunedParam[], values: readonly number[]): readonly number[] =>
  params.map(({ low, high, isWhole }, k) => {
    const decimals = isWhole ? 0 : Math.max(0, 2 - Math.floor(Math.log10(high - low)));
    return Math.min(high, Math.max(low, Number(values[k]!.toFixed(decimals))));
  });

/** The effective profile with these values. */
export function withParams(effective: Effective, values: readonly ParamValue[]): Effective {
  const changed = { ...effective };
  for (const { list, entry } of values) {
    changed[list] = entriesOf(changed, list).map((one) =>
      one['id'] === entry
        ? { ...one, params: { ...paramsOf(effective, list, entry), ...changedParams(effective, entry, values) } }
        : one,
    );
  }
  return changed;
}

const wrong = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ551', message, hint }]);
