import { createPipeline } from '../../src/index.js';
import { compare, line, random } from './pair.js';

interface Item {
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

const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
const HALF_LIFE = 14 * DAY;
const WEIGHTS = [3, 2, 2, 1, 1, 1, 2] as const;
const SHARE = WEIGHTS.map((weight) => weight / WEIGHTS.reduce((sum, one) => sum + one, 0));

/** Parsed, as items from a file or a request are: their shape is what V8 makes of JSON. */
function items(count: number, next: () => number): readonly Item[] {
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

/** The same arithmetic fused by hand, with a top 10 by insertion. */
function byHand(list: readonly Item[]): readonly { score: number; index: number }[] {
  const top: { score: number; index: number }[] = [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = SHARE;
  // oxlint-disable-next-line typescript/prefer-for-of -- the fastest loop there is, because that is what we compare with
  for (let index = 0; index < list.length; index++) {
    const one = list[index]!;
    if (!one.available || one.tokens > 4000 || one.age > 45) continue;
    const fresh = 2 ** -(Math.max(0, NOW - one.published) / HALF_LIFE);
    const score = a * one.a + b * one.b + c * one.c + d * one.d + e * one.e + f * one.f + g * fresh;
    if (top.length === 10 && score <= top[9]!.score) continue;
    let at = Math.min(top.length, 9);
    for (; at > 0 && top[at - 1]!.score < score; at--) top[at] = top[at - 1]!;
    top[at] = { score, index };
  }
  return top;
}

/** 3 vetoes, 6 weights and a decay, all compiled; top 10; explanations off. */
export async function* benchProfile(): AsyncGenerator<string> {
  const scorers = ['a', 'b', 'c', 'd', 'e', 'f'].map((field, k) => {
    return { id: `field_${field}`, expr: `candidate.${field}`, weight: WEIGHTS[k]! };
  });
  const curve = { type: 'exponential', half_life: '14d' };
  const pipeline = await createPipeline<Item>({
    tier1_scorers: [
      { id: 'unavailable', expr: '!candidate.available' },
      { id: 'long', expr: 'candidate.tokens > 4000' },
      { id: 'old', expr: 'candidate.age > 45' },
    ],
    tier2_scorers: [
      ...scorers,
      { id: 'fresh', class: 'DecayScorer', weight: 2, params: { field: 'published', curve } },
    ],
    select: { top: 10 },
  });
  const ours = async (list: readonly Item[]) => (await pipeline.rank(list, { now: NOW })).selected;
  const next = random();
  const sets: [name: string, sets: readonly (readonly Item[])[]][] = [
    ['1,000 items, one set', [items(1000, next)]],
    ['1,000 items, 64 sets in turn', Array.from({ length: 64 }, () => items(1000, next))],
    ['1,000,000 items', [items(1_000_000, next)]],
  ];
  for (const [name, lists] of sets) {
    const first = lists[0]!;
    const selected = await ours(first);
    const expected = byHand(first);
    if (
      selected.some(
        ({ index, score }, k) => index !== expected[k]?.index || Math.abs((score ?? 0) - expected[k].score) > 1e-12,
      )
    ) {
      throw new Error('the two sides differ');
    }
    yield line(`3 vetoes, 6 weights, a decay; ${name}`, await compare(ours, byHand, lists), first.length);
  }
}
