import { type JsonValue, omitUndefined, toJsonValue } from '../json-value.js';
import type { Scale } from './field-values.js';

/** How many candidates are ranked at most to find the changes of one explanation, and how many runs these are at least and at most. */
const MAX_CANDIDATES = 2_000_000;
const MAX_RUNS = 1000;
const MIN_RUNS = 24;

/** Counts the runs that are left. */
export class RunLimit {
  #left: number;
  readonly runs: number;

  /** @param share of the most runs that there may be */
  constructor(candidates: number, share = 1) {
    const affordable = Math.floor((share * MAX_CANDIDATES) / Math.max(1, candidates));
    this.runs = Math.min(share * MAX_RUNS, Math.max(MIN_RUNS, affordable));
    this.#left = this.runs;
  }

  /** Takes up to so many runs: how many there are. */
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

/** Tries values, as many as are granted. */
export class Attempts {
  readonly #known = new Map<unknown, boolean>();

  constructor(
    private readonly reaches: (value: unknown) => boolean,
    public left: number,
  ) {}

  /** Whether a value reaches the goal; undefined if no run is left. */
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

/** What a search found. */
export type SearchOutcome =
  | {
      readonly state: 'flips';
      /** The value, in the type of the field. */
      readonly to: JsonValue;
      /** The change in words: `price 12.40 or less`. */
      readonly text: string;
      /**
       * Every value beyond `to` reaches the goal as well, as far as `through`: all readers of the field are one monotone
       * formula. Missing if that is not certain.
       */
      readonly beyond?: 'more' | 'less';
      readonly through?: JsonValue;
      /** The neighbour of `to` on the way from the value now: it does not reach the goal. Missing if it was not tried. */
      readonly threshold?: JsonValue;
    }
  | {
      /** No value that was tried reaches the goal. `certain`: none does, of numbers and dates none `within` these bounds. */
      readonly state: 'none';
      readonly certain: boolean;
      readonly within?: { readonly least: JsonValue; readonly most: JsonValue };
    }
  | { readonly state: 'not_asked'; readonly because: string };

/** The first of a few values that reaches the goal. */
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

/** The nearest value of a scale that reaches the goal; with a direction also that all beyond it do. */
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

/** A search on a scale: where it starts, what a position gives, and how it is written. */
interface ScaleSearch {
  readonly scale: Scale;
  readonly from: unknown;
  /** NaN if the value now is absent, or of another type. */
  readonly start: number;
  readonly at: (position: number) => boolean | undefined;
  readonly json: (position: number) => JsonValue;
  readonly text: (position: number) => string;
}

/** The first position that reaches the goal, where every one beyond it does. */
function searchToward(direction: 'more' | 'less', { scale, from, start, at, json, text }: ScaleSearch): SearchOutcome {
  const { first, last, seen } = scale;
  const [worst, end] = direction === 'more' ? [first, last] : [last, first];
  const wins = at(end);
  if (wins === undefined) return OUT_OF_RUNS;
  if (!wins) return { state: 'none', certain: true, within: { least: json(first), most: json(last) } };
  const isAbsent = Number.isNaN(start);
  if (isAbsent && at(worst) === true) {
    // Any value reaches it: one that is usual.
    const usual = seen[Math.floor(seen.length / 2)] ?? worst;
    return at(usual) === true ? { state: 'flips', to: json(usual), text: text(usual) } : OUT_OF_RUNS;
  }
  // The value now does not reach the goal, though it may lie between two positions.
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

/** The nearest position found by trying; others between those tried may be nearer. */
function searchAround({ scale, from, start, at, json, text }: ScaleSearch): SearchOutcome {
  const found = nearestWinner(scale, start, at);
  if (found === 'out_of_runs') return OUT_OF_RUNS;
  if (!found) return { state: 'none', certain: false };
  if (found.failed === undefined) return { state: 'flips', to: json(found.won), text: text(found.won) };
  const { failed, won, tight } = bisect(found.failed, found.won, at);
  const threshold = failed === found.origin ? toJsonValue(from) : json(failed);
  return omitUndefined({ state: 'flips', to: json(won), text: text(won), threshold: tight ? threshold : undefined });
}

const OUT_OF_RUNS: SearchOutcome = { state: 'not_asked', because: 'the limit of runs was reached' };

const wordFor = ({ kind }: Scale, direction: 'more' | 'less'): string =>
  kind === 'date' ? (direction === 'more' ? 'later' : 'earlier') : direction;

/** Halves between a position that fails and one that wins, until they are neighbours or no run is left. */
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

/** The nearest of some positions that wins, and the one before it on the way from the start. */
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
