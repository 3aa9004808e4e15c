import { didYouMean, nameList, toAssizeError } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import type { Bounds } from '../fit/cma-es.js';
import type { Effective } from './written-entry.js';

/** A param to be found, within bounds. */
export interface TunedParam extends Bounds {
  readonly list: 'measures' | 'tier2_scorers';
  readonly entry: string;
  readonly param: string;
  /** What the profile has; the middle of the bounds where it has none. */
  readonly start: number;
  /** Whether only whole numbers are tried: where the bounds and the profile's are such. */
  readonly isWhole: boolean;
}

/** Params by `entry.param`, each with the least and the greatest that it may be. */
export type ParamBounds = Readonly<Record<string, readonly [low: number, high: number]>>;

const LISTS = ['measures', 'tier2_scorers'] as const;

/**
 * The params to be found.
 *
 * @throws AssizeError (ASZ551) where the profile has no such entry, its param is no number, or the bounds are none
 */
export const tunedParams = (effective: Effective, wanted: ParamBounds = {}): readonly TunedParam[] =>
  Object.entries(wanted).map(([name, bounds]) => tunedParam(effective, name, bounds));

function tunedParam(effective: Effective, name: string, [low, high]: readonly [number, number]): TunedParam {
  const [entry = '', param = '', ...rest] = name.split('.');
  const list = LISTS.find((key) => entriesOf(effective, key).some(({ id }) => id === entry));
  if (!list) {
    const ids = LISTS.flatMap((key) => entriesOf(effective, key).map(({ id }) => String(id)));
    throw wrong(`the profile has no measure or scorer ${entry}`, didYouMean(entry, ids, `there is: ${nameList(ids)}`));
  }
  if (param === '' || rest.length > 0)
    throw wrong(`${name} is no param`, 'expected entry.param, as in fresh.half_life');
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw wrong(`the bounds of ${name} are ${low} and ${high}`, 'expected two numbers, the least first');
  }
  const { params } = entriesOf(effective, list).find(({ id }) => id === entry)!;
  const now = isMap(params) ? params[param] : undefined;
  if (now !== undefined && typeof now !== 'number') throw wrong(`${name} is no number in the profile`);
  const start = Math.min(high, Math.max(low, now ?? (low + high) / 2));
  const isWhole = [low, high, now ?? low].every(Number.isInteger) && high - low >= 2;
  return { list, entry, param, low, high, start, isWhole };
}

const entriesOf = (effective: Effective, key: string): readonly Effective[] => {
  const list: unknown = effective[key];
  return Array.isArray(list) ? list.filter(isMap) : [];
};

/** The values as they would be written: three digits of the bounds' width, or whole. */
export const writtenValues = (params: readonly TunedParam[], values: readonly number[]): readonly number[] =>
  params.map(({ low, high, isWhole }, k) => {
    const decimals = isWhole ? 0 : Math.max(0, 2 - Math.floor(Math.log10(high - low)));
    return Math.min(high, Math.max(low, Number(values[k]!.toFixed(decimals))));
  });

/** The profile with these values, as one file. */
export function withParams(effective: Effective, params: readonly TunedParam[], values: readonly number[]): Effective {
  const changed = { ...effective };
  for (const [k, { list, entry, param }] of params.entries()) {
    changed[list] = entriesOf(changed, list).map((one) =>
      one['id'] === entry
        ? { ...one, params: { ...(isMap(one['params']) ? one['params'] : {}), [param]: values[k] } }
        : one,
    );
  }
  return changed;
}

const wrong = (message: string, hint?: string): Error => toAssizeError([{ code: 'ASZ551', message, hint }]);
