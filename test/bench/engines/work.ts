import { random } from '../random.js';

/** The ranked items, parsed from JSON as from a file or a request, so that V8 gives them the usual shape. */
export interface Item {
  readonly id: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
  readonly published: number;
  readonly tokens: number;
  readonly available: boolean;
  readonly age: number;
}

export const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
export const HALF_LIFE = 14 * DAY;
export const MAX_TOKENS = 4000;
export const MAX_AGE = 45;
export const TOP = 10;

export const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
/** The weights of the fields, then of the decay. */
export const WEIGHTS = [3, 2, 2, 1, 1, 1, 2] as const;
const SUM = WEIGHTS.reduce((sum, weight) => sum + weight, 0);
/** The same, as shares of their sum. */
export const SHARES: readonly number[] = WEIGHTS.map((weight) => weight / SUM);

/** Items with random numbers, of which about 55 % pass the vetoes. */
export function items(count: number, next = random()): readonly Item[] {
  const list = Array.from({ length: count }, (_, i) => ({
    id: `item-${i}`,
    a: next(),
    b: next(),
    c: next(),
    d: next(),
    e: next(),
    f: next(),
    published: NOW - Math.floor(next() * 60 * DAY),
    tokens: Math.floor(next() * 5000),
    available: next() > 0.1,
    age: next() * 60,
  }));
  return JSON.parse(JSON.stringify(list)) as readonly Item[];
}
