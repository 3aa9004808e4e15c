/* Every function that takes a profile takes a pipeline too, with the same result. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluateLabelled, evaluateProfiles, ablateProfile, type JudgedQuery } from '@assize/evaluate';
import { createPipeline, diffProfiles, type ProfileInput, rankFile } from 'assize';
import { Pipeline } from '../../src/pipeline/index.js';
import { createCompiledProfile } from '../../src/pipeline/node.js';
import { createJob, jobText } from '@assize/jobs';
import { duckDbEngine, rankWith } from 'assize/sql';
import { askWeights, tuneWeights } from '@assize/evaluate/tune';
import { temporaryFolder } from '../temporary-folder.js';

const PROFILE: ProfileInput = {
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 100' },
    { id: 'fresh', expr: '1 - candidate.age / context.oldest' },
  ],
};
const CONTEXT = { now: 0, oldest: 100 };
const next = (k: number): number => (k * 7919) % 101;
const repos = Array.from({ length: 40 }, (_, k) => ({ id: `r${k}`, stars: next(k + 1), age: next(k + 50) }));
const queries: readonly JudgedQuery<(typeof repos)[number]>[] = Array.from({ length: 8 }, (_, q) => {
  const candidates = repos.slice(q * 5, q * 5 + 5);
  return { id: `q${q}`, candidates, context: CONTEXT, grades: candidates.map(({ stars }) => (stars > 50 ? 1 : 0)) };
});

const folder = temporaryFolder();
const file = join(folder, 'repos.jsonl');
writeFileSync(file, repos.map((repo) => `${JSON.stringify(repo)}\n`).join(''));

/** What a call gives, as plain data. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Given = ProfileInput | Pipeline<(typeof repos)[number]>;
const CALLS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  rankFile: async (given) => rankFile(given, file, CONTEXT, { top: 3, workers: 1 }),
  rankWith: async (given) => {
    const engine = await duckDbEngine([file]);
    try {
      return await rankWith(given, engine, CONTEXT, { top: 3 });
    } finally {
      await engine.close();
    }
  },
  diffProfiles: async (given) => diffProfiles(given, { tier2_scorers: [{ id: 'stars', expr: '1' }] }, repos, CONTEXT),
  createJob: async (given) => jobText(await createJob(given, file, CONTEXT, { top: 3 })),
  askWeights: async (given) =>
    askWeights(given, repos, CONTEXT, { ask: ({ a, b }) => (a.stars > b.stars ? 'a' : 'b') }),
  tuneWeights: async (given) => tuneWeights(given, queries, { measure: 'nDCG@3', repeats: 1 }),
  evaluateProfiles: async (given) => evaluateProfiles({ one: given }, queries, { measures: ['nDCG@3'] }),
  evaluateLabelled: async (given) => evaluateLabelled({ one: given }, queries, { measures: ['AUC'] }),
  ablateProfile: async (given) => ablateProfile(given, queries, { measures: ['nDCG@3'] }),
};

test.each(Object.keys(CALLS))('%s takes a profile or a pipeline', async (name) => {
  const call = CALLS[name]!;
  const byProfile = plain(await call(PROFILE));
  expect(byProfile).not.toEqual({});
  expect(plain(await call(await createPipeline(PROFILE)))).toEqual(byProfile);
});

test('a pipeline whose source is unknown is an error', async () => {
  const pipeline = new Pipeline<object>(await createCompiledProfile(PROFILE));
  await expect(rankFile(pipeline, file, CONTEXT)).rejects.toThrow('the source of this pipeline is unknown');
});
