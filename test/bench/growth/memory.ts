import { setTimeout } from 'node:timers/promises';
import { createPipeline } from 'assize';
import { profile } from '../engines/assize.js';
import { items, NOW } from '../engines/work.js';
import type { Result } from '../result.js';
import type { Effort } from '../section.js';
import { spread } from '../statistics.js';
import { SIZES } from './by-candidates.js';
import { profileOf, rows, SCORERS } from './by-scorers.js';
import { count, grown } from './grown.js';

/** Bytes in use after unreachable objects are collected. Array buffers are freed after the collection. */
async function inUse(): Promise<number> {
  for (let again = 0; again < 2; again++) {
    globalThis.gc?.();
    // oxlint-disable-next-line no-await-in-loop -- gives them time to be freed
    await setTimeout(5);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes that each of several rankings holds. */
async function held<T>(make: () => Promise<T>, rankings: number): Promise<number> {
  const before = await inUse();
  const kept: T[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after another
  while (kept.length < rankings) kept.push(await make());
  const bytes = (await inUse()) - before;
  return bytes / kept.splice(0).length;
}

const REPEATS = 3;

async function line(subject: string, make: () => Promise<unknown>, rankings: number, effort: Effort): Promise<Held> {
  await make(); // compiled and cached data belongs to no ranking
  const repeats: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after another
  for (let k = 0; k < Math.min(REPEATS, effort.rounds); k++) repeats.push(await held(make, rankings));
  return { work: WORK, subject, amount: spread(repeats), unit: 'bytes', per: 'ranking', repeats };
}

interface Held extends Result {
  readonly repeats: readonly number[];
}

const WORK = 'Memory that a ranking holds';

const transposed = (lines: readonly Held[]): readonly (readonly number[])[] =>
  lines[0]?.repeats.map((_, k) => lines.map(({ repeats }) => repeats[k] ?? Number.NaN)) ?? [];

/** The memory of a ranking of the first section's profile, before and after its columns are read. */
export async function* memory(effort: Effort): AsyncGenerator<Result> {
  const pipeline = await createPipeline(profile);
  const sizes = SIZES.map((size) => effort.of(size));
  const bySize: Held[] = [];
  for (const size of sizes) {
    const list = items(size);
    const make = () => pipeline.rank(list, { now: NOW });
    // oxlint-disable-next-line no-await-in-loop -- one after another
    bySize.push(await line(`${count(size)} candidates`, make, Math.ceil(effort.of(100_000) / size), effort));
    yield bySize.at(-1)!;
  }
  yield grown(WORK, 'growth with the candidates', sizes, transposed(bySize));

  const list = rows(effort.of(20_000));
  const byColumns: Held[] = [];
  for (const columns of [0, ...SCORERS]) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const wide = await profileOf(columns);
    const make = async () => {
      const ranking = await wide.rank(list, { now: NOW });
      for (const entry of ranking.matrix.entries) ranking.matrix.column(entry);
      return ranking;
    };
    const subject = `${count(list.length)} candidates, ${columns} columns read`;
    // oxlint-disable-next-line no-await-in-loop -- one after another
    byColumns.push(await line(subject, make, 1, effort));
    yield byColumns.at(-1)!;
  }
  const beyond = transposed(byColumns).map(([none = 0, ...others]) => others.map((bytes) => bytes - none));
  yield grown(WORK, 'growth with the columns, beyond 0', SCORERS, beyond);
}
