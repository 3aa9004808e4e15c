import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { type ProfileInput, rankFile, type TopRanking } from '../../src/index.js';
import { random } from './pair.js';

const CANDIDATES = 1_000_000;
const ROUNDS = 5;
const NOW = 1_700_000_000_000;
const DAY = 86_400_000;

const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

const PROFILE: ProfileInput = {
  tier1_scorers: [
    { id: 'unavailable', expr: '!candidate.available' },
    { id: 'long', expr: 'candidate.tokens > 4000' },
    { id: 'old', expr: 'candidate.age > 45' },
  ],
  tier2_scorers: [
    ...FIELDS.map((field, k) => ({ id: `field_${field}`, expr: `candidate.${field}`, weight: k + 1 })),
    {
      id: 'fresh',
      class: 'DecayScorer',
      weight: 2,
      params: { field: 'published', curve: { type: 'exponential', half_life: '14d' } },
    },
  ],
  select: { top: 10 },
};

/** A file of JSON Lines with so many candidates, 12 fields each. */
async function write(file: string): Promise<void> {
  const next = random();
  const out = createWriteStream(file);
  for (let from = 0; from < CANDIDATES; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, k) => {
      const fields = Object.fromEntries(FIELDS.map((field) => [field, next()]));
      const published = NOW - Math.floor(next() * 60 * DAY);
      const tokens = Math.floor(next() * 5000);
      const rest = { published, tokens, available: next() > 0.1, age: next() * 60, title: `Item number ${from + k}` };
      return `${JSON.stringify({ id: `item-${from + k}`, ...fields, ...rest })}\n`;
    });
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

const rank = (file: string, workers: number): Promise<TopRanking<object>> =>
  rankFile(PROFILE, file, { workers, context: { now: NOW } });

const ids = ({ selected }: TopRanking<object>): string => JSON.stringify(selected.map(({ id, score }) => [id, score]));

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** A million candidates in a file, read, parsed, judged, scored and ranked by two threads, beside one. */
export async function* benchWorkers(): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
  try {
    const file = join(folder, 'candidates.jsonl');
    await write(file);
    const seconds = async (workers: number): Promise<number> => {
      const start = performance.now();
      await rank(file, workers);
      return (performance.now() - start) / 1000;
    };
    // The first of each also warms what it runs on.
    if (ids(await rank(file, 1)) !== ids(await rank(file, 2))) throw new Error('the two sides differ');
    const rounds: { one: number; two: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const first = round % 2 === 0 ? 1 : 2;
      const a = await seconds(first);
      const b = await seconds(3 - first);
      rounds.push(first === 1 ? { one: a, two: b } : { one: b, two: a });
    }
    const ratios = rounds.map(({ one, two }) => one / two);
    const times = (side: 'one' | 'two'): string => `${middle(rounds.map((round) => round[side])).toFixed(2)} s`;
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const size = `${(statSync(file).size / 1e6).toFixed(0)} MB`;
    const memory = `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB held`;
    yield `a file of 10⁶ candidates, ${size}, top 10; ${availableParallelism()} cores`;
    yield `  one thread ${times('one')}   two ${times('two')}   ${middle(ratios).toFixed(2)} times as fast (${spread})   ${memory}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
