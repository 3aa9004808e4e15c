import { isObject } from '../../base/index.js';
import { closureReader, compileSteps, type PathStep, isMap, toMillis } from '../../expression/index.js';
import { type JsonValue, omitUndefined, toJsonValue } from './json-value.js';

// Limits of the search for one explanation: candidates ranked in all runs together, and the number of runs.
const MAX_CANDIDATES = 2_000_000;
const MAX_RUNS = 1000;
const MIN_RUNS = 24;

/** A budget of runs. A run ranks all candidates once. */
export class RunLimit {
  #left: number;
  readonly runs: number;

  /** @param share the fraction of the limits to use */
  constructor(candidates: number, share = 1) {
    const affordable = Math.floor((share * MAX_CANDIDATES) / Math.max(1, candidates));
    this.runs = Math.min(share * MAX_RUNS, Math.max(MIN_RUNS, affordable));
    this.#left = this.runs;
  }

  /** Takes up to `wanted` runs and returns the number taken. */
  take(wanted: number): number {
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }

  give(unused: number): void {
    this.#left += unused;
  }

  get left(): number {
    return this.#left;
  }
}

/** Tries values within a granted number of runs. */
export class Attempts {
  readonly #known = new Map<unknown, boolean>();

  constructor(
    private readonly reaches: (value: unknown) => boolean,
    public left: number,
  ) {}

  /** Whether a value reaches the goal; undefined if the runs are used up. */
  try(value: unknown): boolean | undefined {
    const key = value instanceof Date ? value.getTime() : value;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.left === 0) return undefined;
    this.left -= 1;
    const reaches = this.reaches(value);
    this.#known.set(key, reaches);
    return reaches;
  }
}

/** The result of a search. */
export type SearchOutcome =
  | {
      readonly state: 'flips';
      /** The value, in the type of the field. */
      readonly to: JsonValue;
      /** The change as text: `price 12.40 or less`. */
      readonly text: string;
      /**
       * All values from `to` through `through` also reach the goal, because the field's only reader is a monotone
       * formula. Missing if that is not proven.
       */
      readonly beyond?: 'more' | 'less';
      readonly through?: JsonValue;
      /** The value next to `to`, toward the current value. It does not reach the goal. Missing if it was not tried. */
      readonly threshold?: JsonValue;
    }
  | {
      /** No tried value reaches the goal. `certain`: no value does; for numbers and dates, no value `within` these bounds. */
      readonly state: 'none';
      readonly certain: boolean;
      readonly within?: { readonly least: JsonValue; readonly most: JsonValue };
    }
  | { readonly state: 'not_evaluated'; readonly because: string };

/** Tries a few values in order until one reaches the goal. */
export function chooseValue(
  field: string,
  from: unknown,
  choices: readonly (boolean | string)[],
  attempts: Attempts,
): SearchOutcome {
  const others = choices.filter((choice) => choice !== from);
  const to = others.find((choice) => attempts.try(choice) === true);
  if (to !== undefined) return { state: 'flips', to, text: `${field} ${JSON.stringify(to)}` };
  const all = others.every((choice) => attempts.try(choice) !== undefined);
  return { state: 'none', certain: all && typeof choices[0] === 'boolean' };
}

/** Searches a scale for the nearest value that reaches the goal. With a direction, all values beyond it do as well. */
export function searchScale(
  field: string,
  from: unknown,
  scale: Scale,
  direction: 'more' | 'less' | undefined,
  attempts: Attempts,
): SearchOutcome {
  const search: ScaleSearch = {
    scale,
    from,
    start: from === undefined ? Number.NaN : scale.positionOf(from),
    at: (position) => attempts.try(scale.valueAt(position)),
    json: (position) => toJsonValue(scale.valueAt(position)),
    text: (position) => `${field} ${scale.textOf(scale.valueAt(position))}`,
  };
  const isKnown = from === undefined || (search.start >= scale.first && search.start <= scale.last);
  return direction && isKnown ? searchToward(direction, search) : searchAround(search);
}

/** A search on a scale: where it starts, and whether a position reaches the goal. */
interface ScaleSearch {
  readonly scale: Scale;
  readonly from: unknown;
  /** NaN if the current value is absent or of another type. */
  readonly start: number;
  readonly at: (position: number) => boolean | undefined;
  readonly json: (position: number) => JsonValue;
  readonly text: (position: number) => string;
}

/** Bisects for the nearest position that reaches the goal. Requires that all positions beyond it do as well. */
function searchToward(direction: 'more' | 'less', { scale, from, start, at, json, text }: ScaleSearch): SearchOutcome {
  const { first, last, seen } = scale;
  const [worst, end] = direction === 'more' ? [first, last] : [last, first];
  const wins = at(end);
  if (wins === undefined) return OUT_OF_RUNS;
  if (!wins) return { state: 'none', certain: true, within: { least: json(first), most: json(last) } };
  const isAbsent = Number.isNaN(start);
  if (isAbsent && at(worst) === true) {
    // Every value reaches the goal: return a typical one.
    const usual = seen[Math.floor(seen.length / 2)] ?? worst;
    return at(usual) === true ? { state: 'flips', to: json(usual), text: text(usual) } : OUT_OF_RUNS;
  }
  // The current value does not reach the goal. It may lie between two positions.
  const failing = isAbsent ? worst : direction === 'more' ? Math.floor(start) : Math.ceil(start);
  const { failed, won, tight } = bisect(failing, end, at);
  const isLast = won === end;
  return omitUndefined({
    state: 'flips',
    to: json(won),
    text: isLast ? text(won) : `${text(won)} or ${wordFor(scale, direction)}`,
    beyond: isLast ? undefined : direction,
    through: isLast ? undefined : json(end),
    threshold: !tight ? undefined : failed === failing && !isAbsent ? toJsonValue(from) : json(failed),
  });
}

/** Probes for the nearest position that reaches the goal. It can miss nearer ones between two probes. */
function searchAround({ scale, from, start, at, json, text }: ScaleSearch): SearchOutcome {
  const found = nearestWinner(scale, start, at);
  if (found === 'out_of_runs') return OUT_OF_RUNS;
  if (!found) return { state: 'none', certain: false };
  if (found.failed === undefined) return { state: 'flips', to: json(found.won), text: text(found.won) };
  const { failed, won, tight } = bisect(found.failed, found.won, at);
  const threshold = failed === found.origin ? toJsonValue(from) : json(failed);
  return omitUndefined({ state: 'flips', to: json(won), text: text(won), threshold: tight ? threshold : undefined });
}

const OUT_OF_RUNS: SearchOutcome = { state: 'not_evaluated', because: 'the limit of runs was reached' };

const wordFor = ({ kind }: Scale, direction: 'more' | 'less'): string =>
  kind === 'date' ? (direction === 'more' ? 'later' : 'earlier') : direction;

/** Bisects between a position that fails and one that wins, until they are adjacent or the runs are used up. */
function bisect(
  failing: number,
  winning: number,
  at: (position: number) => boolean | undefined,
): { readonly failed: number; readonly won: number; readonly tight: boolean } {
  let [failed, won] = [failing, winning];
  while (Math.abs(won - failed) > 1) {
    const middle = Math.floor((failed + won) / 2);
    const wins = at(middle);
    if (wins === undefined) return { failed, won, tight: false };
    if (wins) won = middle;
    else failed = middle;
  }
  return { failed, won, tight: true };
}

/** The nearest probed position that wins, and the position probed before it on the same side of the start. */
function nearestWinner(
  { first, last, seen }: Scale,
  start: number,
  at: (position: number) => boolean | undefined,
): { readonly won: number; readonly failed?: number; readonly origin?: number } | 'out_of_runs' | undefined {
  const isKnown = Number.isFinite(start);
  const center = isKnown ? start : seen[Math.floor(seen.length / 2)]!;
  const steps = Array.from({ length: 54 }, (_, k) => 2 ** k).filter((step) => step <= last - first);
  const around = steps.flatMap((step) => [Math.floor(center) + step, Math.ceil(center) - step]);
  const positions = [...new Set([...around, ...seen, first, last])]
    .filter((position) => position >= first && position <= last && position !== start)
    .toSorted((a, b) => Math.abs(a - center) - Math.abs(b - center));
  const tried: number[] = [];
  for (const won of positions) {
    const wins = at(won);
    if (wins === undefined) return 'out_of_runs';
    if (!wins) {
      tried.push(won);
      continue;
    }
    if (!isKnown) return { won };
    const side = Math.sign(won - start);
    const origin = side > 0 ? Math.floor(start) : Math.ceil(start);
    return { won, failed: tried.findLast((other) => Math.sign(other - start) === side) ?? origin, origin };
  }
  return undefined;
}

/** Numbers or dates in equal steps; a position is a whole number of steps. */
export interface Scale {
  readonly kind: 'number' | 'date';
  /** The first and the last position. */
  readonly first: number;
  readonly last: number;
  /** The value at a position, in the type that the field has. */
  valueAt(position: number): unknown;
  /** The number that formulas read at a position. */
  numberAt(position: number): number;
  /** The position of a value: fractional if it lies between two positions; NaN if it is of another type. */
  positionOf(value: unknown): number;
  /** A sample of the positions of the candidates' values, ascending. */
  readonly seen: readonly number[];
  /** As text: `12.40`, `2026-05-30`. */
  textOf(value: unknown): string;
}

/** The values that a field may take: a scale, or a few values. */
type FieldValues =
  | { readonly scale: Scale; readonly choices?: undefined }
  | { readonly scale?: undefined; readonly choices: readonly (boolean | string)[] };

// How many candidates are sampled for the values of a field, and how many of their values a scale keeps.
const SAMPLED_CANDIDATES = 10_000;
const MAX_SEEN = 24;
const MAX_CHOICES = 8;
/** Numbers are tried up to this multiple of the greatest in the data. */
const BEYOND = 10;
const MAX_DECIMALS = 4;
const SIGNIFICANT_DIGITS = 4;
const SECOND = 1000;
const DAY = 86_400_000;

/**
 * The values that a field may take, inferred from the candidates: numbers with the same decimals, dates in the same
 * format, true and false, or one of a few texts. Undefined for anything else.
 */
export function fieldValues(
  steps: readonly PathStep[],
  candidates: readonly unknown[],
  now: number,
): FieldValues | undefined {
  const read = compileSteps(steps, closureReader);
  const values: unknown[] = [];
  const stride = Math.max(1, Math.ceil(candidates.length / SAMPLED_CANDIDATES));
  for (let k = 0; k < candidates.length; k += stride) {
    const value = read(candidates[k]);
    if (value !== undefined) values.push(value);
  }
  const numbers = values.filter((value): value is number => Number.isFinite(value));
  if (numbers.length > 0 && numbers.length * 2 > values.length) {
    const scale = numberScale(numbers);
    return scale && { scale };
  }
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'boolean')) return { choices: [true, false] };
  const dates = dateScale(values, now);
  if (dates) return { scale: dates };
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const isCategory = texts.size > 0 && texts.size <= MAX_CHOICES && texts.size * 2 <= values.length;
  return isCategory && values.every((value) => typeof value === 'string') ? { choices: [...texts] } : undefined;
}

/** An even sample of positions, ascending. It includes the least and the greatest. */
function someOf(positions: readonly number[]): readonly number[] {
  const sorted = [...new Set(positions)].toSorted((a, b) => a - b);
  if (sorted.length <= MAX_SEEN) return sorted;
  const at = (k: number): number => sorted[Math.round((k * (sorted.length - 1)) / (MAX_SEEN - 1))]!;
  return Array.from({ length: MAX_SEEN }, (_, k) => at(k));
}

/** Numbers in steps of their last decimal; with more than four decimals, in steps of four significant digits. */
export function numberScale(values: readonly number[]): Scale | undefined {
  const most = values.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  const hasNegative = values.some((value) => value < 0);
  const found = values.reduce((decimals, value) => Math.max(decimals, decimalsOf(value)), 0);
  const coarse = Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(most || 1)));
  const decimals = found <= MAX_DECIMALS ? found : Math.max(1, coarse);
  const unit = 10 ** decimals;
  const last = Math.ceil(Math.max(most, 1) * BEYOND * unit);
  if (decimals > 15 || last > Number.MAX_SAFE_INTEGER) return undefined;
  const numberAt = (position: number): number => Number((position / unit).toFixed(decimals)) + 0;
  return {
    kind: 'number',
    first: hasNegative ? -last : 0,
    last,
    valueAt: numberAt,
    numberAt,
    positionOf(value) {
      if (typeof value !== 'number') return Number.NaN; // Conversion of other types may throw.
      const near = Math.round(value * unit);
      return numberAt(near) === value ? near : value * unit;
    },
    seen: someOf(values.map((value) => Math.round(value * unit))),
    textOf: (value) =>
      typeof value !== 'number' ? String(value) : found <= MAX_DECIMALS ? value.toFixed(found) : String(value),
  };
}

function decimalsOf(value: number): number {
  const [, digits = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Days if all values are dates without a time, seconds otherwise. */
function dateScale(values: readonly unknown[], now: number): Scale | undefined {
  const isText = values.every((value) => typeof value === 'string' && (DATE.test(value) || DATE_TIME.test(value)));
  if (!isText && !values.every((value) => value instanceof Date)) return undefined;
  const isDay = isText && values.every((value) => DATE.test(String(value)));
  const unit = isDay ? DAY : SECOND;
  const times: number[] = [];
  for (const value of values) {
    try {
      times.push(toMillis(value));
    } catch {
      return undefined; // Not a valid date.
    }
  }
  const least = times.reduce((a, b) => Math.min(a, b), now);
  const most = times.reduce((a, b) => Math.max(a, b), now);
  const span = Math.max(most - least, DAY);
  const textAt = (millis: number): string =>
    isDay ? new Date(millis).toISOString().slice(0, 10) : new Date(millis).toISOString().replace('.000Z', 'Z');
  const [first, last] = [Math.floor((least - span) / unit), Math.ceil((most + span) / unit)];
  const FOUR_DIGIT_YEARS = [-62_135_596_800_000, 253_402_300_799_000];
  if (first * unit < FOUR_DIGIT_YEARS[0]! || last * unit > FOUR_DIGIT_YEARS[1]!) return undefined;
  return {
    kind: 'date',
    first,
    last,
    valueAt: (position) => (isText ? textAt(position * unit) : new Date(position * unit)),
    numberAt: (position) => position * unit,
    positionOf(value) {
      try {
        return toMillis(value) / unit;
      } catch {
        return Number.NaN;
      }
    },
    seen: someOf(times.map((time) => Math.round(time / unit))),
    textOf: (value) => (value instanceof Date ? textAt(value.getTime()) : String(value)),
  };
}

/**
 * Copies a candidate with another value at a path. Everything outside the path is shared.
 *
 * @returns undefined if a value on the path has no fields
 */
export function withField(candidate: unknown, [step, ...rest]: readonly PathStep[], value: unknown): unknown {
  if (!step) return value;
  if (step.kind === 'each') return undefined;
  if (step.kind === 'index') {
    if (!Array.isArray(candidate) || step.index >= candidate.length) return undefined;
    const inner = withField(candidate[step.index], rest, value);
    return inner === undefined ? undefined : candidate.with(step.index, inner);
  }
  const from = candidate ?? {};
  if (!isMap(from)) return undefined;
  const inner = withField(Object.hasOwn(from, step.key) ? from[step.key] : undefined, rest, value);
  if (inner === undefined) return undefined;
  const copy: unknown = Object.create(Reflect.getPrototypeOf(from), Object.getOwnPropertyDescriptors(from));
  const property = { value: inner, enumerable: true, configurable: true, writable: true };
  return isObject(copy) ? Object.defineProperty(copy, step.key, property) : undefined;
}
