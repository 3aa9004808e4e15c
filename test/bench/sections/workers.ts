import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProfileInput, rankFile, type TopRanking } from 'assize';
import { WORKERS } from '../bounds.js';
import { measure } from '../measure.js';
import { random } from '../random.js';
import type { Section } from '../section.js';

const CANDIDATES = 1_000_000;
export const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

export const PROFILE: ProfileInput = {
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

/** A JSON Lines file with this number of candidates of a dozen fields. */
export async function write(file: string, count: number): Promise<void> {
  const next = random();
  const out = createWriteStream(file);
  const line = (_: unknown, k: number): string => {
    const fields = Object.fromEntries(FIELDS.map((field) => [field, next()]));
    const published = NOW - Math.floor(next() * 60 * DAY);
    const tokens = Math.floor(next() * 5000);
    const rest = { published, tokens, available: next() > 0.1, age: next() * 60, title: `Item number ${k}` };
    return `${JSON.stringify({ id: `item-${k}`, ...fields, ...rest })}\n`;
  };
  for (let from = 0; from < count; from += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, count - from) }, (_, k) => line(_, from + k));
    // oxlint-disable-next-line no-await-in-loop -- no faster than the disk
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

const rank = (file: string, workers: number): Promise<TopRanking<object>> =>
  rankFile(PROFILE, file, { now: NOW }, { workers });

const rows = ({ selected }: TopRanking<object>): string => JSON.stringify(selected);

export const workers: Section = {
  name: 'workers',
  title: 'A file of candidates in two threads',
  about: `A file of JSON Lines is read, parsed, scored and ranked, with a new pipeline each time, in one thread and in two. The time
includes the start of the second thread.`,
  async *run(effort) {
    const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
    try {
      const file = join(folder, 'candidates.jsonl');
      const per = effort.of(CANDIDATES);
      await write(file, per);
      if (rows(await rank(file, 1)) !== rows(await rank(file, 2)))
        throw new Error('two threads rank otherwise than one');
      const subjects = [
        { name: 'one thread', per, pass: () => rank(file, 1) },
        { name: 'two threads', per, pass: () => rank(file, 2) },
      ];
      const times = await measure(subjects, { ...effort, rounds: Math.min(effort.rounds, 5) });
      const work = `${per.toLocaleString('en-US')} candidates of a file, the best ten`;
      yield times.result(work, 'two threads', 'candidate');
      yield { ...times.result(work, 'one thread', 'candidate', 'two threads'), goal: { atLeast: 1.6, bound: WORKERS } };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
