import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCompiledProfile } from '../../../src/pipeline/create-pipeline.js';
import { NEVER } from '../../../src/engine/tasks.js';
import {
  AssizeError,
  createPipeline,
  type PlanOverrides,
  type ProfileInput,
  rankFile,
  scorer,
  type TopRanking,
} from 'assize';
import { readCandidates } from '../../../src/data/read-candidates.js';
import { openStreamRun } from '../../../src/pipeline/stream-run.js';
import { RunParts } from '../../../src/scale/parts/profile-parts.js';
import { openSharedFile, type FileRun, rankFileWith } from '../../../src/scale/threads/rank-file.js';
import { SHARD_SIZES } from '../../../src/scale/threads/sharding.js';
import { cutIntoShards, versionedFile } from '../../../src/scale/threads/versioned-file.js';
import { isBuilt, newFolder } from './folder.js';
import { brokenLines, jsonLines } from './json-lines.js';
import { MEETS } from './meets.js';

const folder = newFolder();

const PROFILE: ProfileInput = {
  name: 'repos',
  candidate: { pinned: 'candidate.?keep.orValue(false)' },
  signals: [{ id: 'one', class: 'ExpressionSignal', params: { value: '1 + 1' } }],
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived' }],
  measures: [{ id: 'half', expr: 'candidate.stars / 2' }],
  tier2_scorers: [
    { id: 'stars', expr: 'candidate.stars / 3', on_absent: 'refuse' },
    { id: 'forks', expr: 'candidate.forks' },
    { id: 'halves', expr: 'measures.half + signals.one' },
    { id: 'rare', expr: 'candidate.raer', weight: 2 },
    { id: 'age', expr: 'now - 1' },
  ],
  adjustments: [{ id: 'third', when: 'candidate.stars == 3', add: 1 }],
  select: { top: 4, min_score: 0.2, ties: ['candidate.odd', 'candidate.forks', 'candidate.?id.orValue("")'] },
};

/** Everything that a ranking of many reports. */
const said = (found: TopRanking<object>): unknown => ({
  ...(JSON.parse(JSON.stringify(found)) as object),
  now: found.now,
  extent: found.extent(),
  explained: found.selected.map(({ index }) => found.explain({ index })),
});

/** The work of the threads, one part after another in this one. */
async function inParts(file: string, shard: number): Promise<TopRanking<object>> {
  const { plan } = await createCompiledProfile(PROFILE);
  const parts = new RunParts(await openStreamRun(plan, { now: 0 }, NEVER));
  const version = await versionedFile(file, file);
  const merge = parts.merge();
  const shared = openSharedFile(version!, 'jsonl');
  for (const { from, to } of cutIntoShards(version!.size, shard)) {
    const { minCompetitiveScore } = merge;
    const part = await shared.rankShard(parts, { from, to, minCompetitiveScore });
    expect(part.unreadable).toBe(false);
    merge.take(merge.next, part);
  }
  return shared.rankMerged(merge);
}

describe('a file in parts', () => {
  test('equals the ranking as a whole, for any split', async () => {
    const pipeline = await createPipeline<object>(PROFILE);
    let files = 0;
    await fc.assert(
      fc.asyncProperty(jsonLines, fc.integer({ min: 1, max: 300 }), async (text, shard) => {
        const file = folder.write(`property-${files++ % 4}.jsonl`, text);
        const whole = await pipeline.rankStream(await readCandidates(file, {}), { now: 0 });
        expect(said(await inParts(file, shard))).toEqual(said(whole));
      }),
      { numRuns: 60 },
    );
  });
});

/** Split into parts of this many bytes. */
const rankFileIn = async (
  profile: string | ProfileInput,
  file: string,
  how: FileRun,
  shard: number,
): Promise<TopRanking<object>> =>
  rankFileWith(
    { compiled: await createCompiledProfile(profile, how), profile, trust: how.trust ?? 'full' },
    file,
    how,
    { ...SHARD_SIZES, bytes: shard },
  );

const options = (more: FileRun = {}): FileRun => ({ context: { now: 0 }, ...more });

/** In one thread and in two, split into parts of this many bytes. */
const bothWays = async (
  profile: string | ProfileInput,
  file: string,
  more: FileRun = {},
  shard = 500,
): Promise<readonly [one: TopRanking<object>, two: TopRanking<object>]> => [
  await rankFileIn(profile, file, options({ ...more, workers: 1 }), shard),
  await rankFileIn(profile, file, options({ ...more, workers: 2 }), shard),
];

const REPOS = Array.from({ length: 400 }, (_, i) =>
  JSON.stringify({
    id: i % 5 === 0 ? undefined : `repo-${i}`,
    stars: (i * 7) % 50,
    forks: i % 4,
    archived: i % 9 === 0,
  }),
).join('\r\n');

/** The start of a plugin, whose main thread waits until another one has begun, and then does little. */
const WAITS_FOR_A_THREAD = `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { defineScorer, z } from 'assize/sdk';
const flag = import.meta.filename + '.begun';
const begun = () => writeFileSync(flag, '');
const untilBegun = async () => {
  do await wait(50);
  while (!existsSync(flag));
};
`;

describe.skipIf(!isBuilt)('several threads', () => {
  const repos = folder.write('repos.jsonl', REPOS);

  test('equal one thread', async () => {
    const meets = folder.write('meets.mjs', MEETS);
    const together: ProfileInput = {
      ...PROFILE,
      plugins: [meets],
      measures: [...(PROFILE.measures ?? []), { id: 'meets', class: 'Meets' }],
    };
    const met = join(folder.path, 'met');
    const one = await rankFileIn(together, repos, options({ workers: 1 }), 500);
    const two = await rankFileIn(together, repos, options({ workers: 2, context: { now: 0, met } }), 500);
    expect(existsSync(met)).toBe(true);
    expect(said(two)).toEqual(said(one));
    expect(two.notices).toEqual([]);
    expect(two.counts).toMatchObject({ given: 400, selected: 4 });
  });

  test.each<[string, PlanOverrides, ProfileInput['select']?]>([
    ['weights', { weights: { stars: 3, age: 0 } }],
    ['page', { top: 6, offset: 7 }],
    ['least score', { minScore: 9, top: 400 }],
    ['limits, by its context', {}, { top: 'context.most', min_score: 'context.least' }],
  ])('have the %s of the call', async (_, overrides, select = {}) => {
    const profile = { ...PROFILE, select: { ...PROFILE.select, ...select } };
    const context = { now: 0, most: 5, least: 12 };
    const [one, two] = await bothWays(profile, repos, { context, ...overrides });
    expect(said(two)).toEqual(said(one));
    expect(two.notices).toEqual([]);
    const pipeline = await createPipeline<object>(profile);
    const { selected, notSelected } = await pipeline.rank(await readCandidates(repos, {}), context, overrides);
    expect(JSON.stringify(two.selected)).toBe(JSON.stringify(selected));
    expect(two.counts).toMatchObject({ selected: selected.length, notSelected: notSelected.length });
  });

  test('can use presets', async () => {
    const file = folder.write(
      'traces.jsonl',
      Array.from({ length: 30 }, (_, i) =>
        JSON.stringify({
          id: `t${i}`,
          steps: Array.from({ length: i % 7 }, () => ({ type: 'thought', content: 'x' })),
        }),
      ).join('\n'),
    );
    const profile = folder.write(
      'alone.yaml',
      'extends: [knowledgepulse]\nselect: { top: 5 }\ntier2_scorers: [{ id: novelty, enabled: false }]\n',
    );
    const [one, two] = await bothWays(profile, file);
    expect(said(two)).toEqual(said(one));
  });

  test('load plugins by paths, relative to the right folder', async () => {
    folder.write(
      'length.mjs',
      `import { defineScorer, z } from 'assize/sdk';
export class Length {
  static meta = defineScorer({ summary: 'Long ids.', params: z.strictObject({}) });
  compile() { return ({ id }) => (id === undefined ? undefined : id.length); }
}
`,
    );
    folder.write('plugin.yaml', 'plugins: [./length.mjs]\ntier2_scorers: [{ id: length, class: Length }]\n');
    const [one, two] = await bothWays('./plugin.yaml', repos, { folder: folder.path, top: 3 }, 500);
    expect(said(two)).toEqual(said(one));
    expect(two.notices).toEqual([]);
  });

  test('name a candidate that fails the run by its position among all', async () => {
    const failing: ProfileInput = { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars', on_error: 'fail' }] };
    const file = folder.write('failing.jsonl', `${REPOS}\n{"stars":"many"}\n`);
    for (const workers of [1, 2]) {
      const ranking = rankFileIn(failing, file, { workers, top: 1 }, 500);
      await expect(ranking).rejects.toMatchObject({
        problems: [{ code: 'ASZ501', message: expect.stringContaining('stars failed on @400: ') as string }],
      });
    }
  });

  test('report invalid lines like one thread', async () => {
    const found: unknown[] = [];
    const [text] = fc.sample(brokenLines, { numRuns: 1, seed: 7 });
    const file = folder.write('broken.jsonl', `${REPOS}\n\n${text ?? ''}\n{"id":\n${REPOS}\n[1]`);
    for (const workers of [1, 2]) {
      found.push(await rankFileIn(PROFILE, file, options({ workers }), 300).catch((error: unknown) => error));
    }
    const [one, two] = found as [AssizeError, AssizeError];
    expect(one).toBeInstanceOf(AssizeError);
    expect(two.problems).toEqual(one.problems);
    expect(two.message).toBe(one.message);
    expect(two.problems.at(-1)).toMatchObject({ code: 'ASZ103', place: { file, column: 1 } });
  });

  test('stop on abort', async () => {
    const controller = new AbortController();
    const ranking = rankFileIn(
      PROFILE,
      repos,
      options({ workers: 2, signal: controller.signal, progress: () => controller.abort(new Error('enough')) }),
      100,
    );
    await expect(ranking).rejects.toThrow('enough');
  });

  test('fail if one of them dies', async () => {
    folder.write(
      'dies.mjs',
      `${WAITS_FOR_A_THREAD}
export class Dies {
  static meta = defineScorer({ summary: 'Dies.', scope: 'candidate', params: z.strictObject({}) });
  async prepare() {
    if (!isMainThread) begun(), process.exit(3);
    await untilBegun();
    return () => 1;
  }
}
`,
    );
    folder.write('dies.yaml', 'plugins: [./dies.mjs]\ntier2_scorers: [{ id: dies, class: Dies }]\n');
    const ranking = rankFileIn('./dies.yaml', repos, { folder: folder.path, workers: 2, top: 1 }, 10);
    await expect(ranking).rejects.toMatchObject({
      problems: [{ code: 'ASZ519', message: 'a worker thread ended before it finished: worker exited with code: 3' }],
    });
  });

  test('report a plugin that cannot be loaded in a thread, with its place', async () => {
    folder.write(
      'main-only.mjs',
      `${WAITS_FOR_A_THREAD}
if (!isMainThread) {
  begun();
  throw new Error('only in the main thread');
}
export class MainOnly {
  static meta = defineScorer({ summary: 'Here only.', scope: 'candidate', params: z.strictObject({}) });
  async prepare() {
    await untilBegun();
    return () => 1;
  }
}
`,
    );
    folder.write('main-only.yaml', 'plugins: [./main-only.mjs]\ntier2_scorers: [{ id: a, class: MainOnly }]\n');
    const ranking = rankFileIn('./main-only.yaml', repos, { folder: folder.path, workers: 2, top: 1 }, 10);
    await expect(ranking).rejects.toMatchObject({
      problems: [{ code: 'ASZ304', message: expect.stringContaining('only in the main thread') as string }],
    });
  });

  test('reject a file that changes while they read it', async () => {
    const file = folder.write('changing.jsonl', REPOS);
    let changed = false;
    const progress = (): void => {
      if (!changed) appendFileSync(file, '\n{"stars":1}');
      changed = true;
    };
    const ranking = rankFileIn(PROFILE, file, options({ workers: 2, progress }), 100);
    await expect(ranking).rejects.toThrow('it changed while it was read');
  });
});

describe('one thread', () => {
  const inputs: FileRun[] = [{}, { input: 'jsonl' }];
  test.skipIf(process.platform === 'win32').each(inputs)('reads an open pipe once: %j', async (input) => {
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [reader, writer] = await Promise.all([open(pipe, 'r'), open(pipe, 'w')]);
    const path = `/dev/fd/${reader.fd}`;
    await writer.writeFile(REPOS);
    let closed: Promise<void> | undefined;
    const progress = (): void => void (closed ??= writer.close()); // its end arrives only at the readers that have opened it
    const found = await rankFile(PROFILE, path, { now: 0 }, { workers: 2, ...input, progress });
    await Promise.all([reader.close(), closed]);
    await rm(pipe);
    expect(found.counts.given).toBe(REPOS.trim().split('\n').length);
    expect(found.notices).toEqual([`one thread: ${path} can only be read from its beginning`]);
  });

  const few = folder.write('few.jsonl', '{"id":"a","stars":1}\n{"id":"b","stars":2}\n{"id":"c","stars":2}\n');
  const stars: ProfileInput = { name: 'stars', tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] };
  const ids = ({ selected }: TopRanking<object>): readonly string[] => selected.map(({ id }) => id);

  test.each<[string, ProfileInput, FileRun, string]>([
    [
      'an entry that needs all candidates',
      {
        name: 'all',
        tier2_scorers: [{ id: 'scaled', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.stars' } } }],
      },
      {},
      'one thread, and all candidates in memory: profile all cannot rank a stream: scaled needs all candidates at once',
    ],
    [
      'a selection without a bound',
      stars,
      {},
      'one thread, and all candidates in memory: profile stars cannot rank a stream: it selects every scored candidate',
    ],
    [
      'units that are given in code',
      stars,
      { top: 9, units: { Stars: scorer(() => 1) } },
      'one thread: units given in code cannot be sent to another thread',
    ],
    [
      'a context that is more than data',
      stars,
      { top: 9, context: { ask: () => 1 } },
      'one thread: the context or a signal has a value that cannot be sent to another thread',
    ],
  ])('is used for %s, with a message', async (_, profile, more, notice) => {
    const found = await rankFileIn(profile, few, { workers: 2, ...more }, 5);
    expect(ids(found)).toEqual(['b', 'c', 'a']);
    expect(found.notices).toEqual([notice]);
  });

  test('reads other formats than JSON Lines, with a message', async () => {
    const csv = folder.write('few.csv', 'id,stars\na,1\nb,2\n');
    const found = await rankFile(stars, csv, {}, { workers: 2, top: 1 });
    expect(ids(found)).toEqual(['b']);
    expect(found.notices).toEqual([`one thread: ${csv} is CSV, and only JSON Lines and Parquet are ranked in parts`]);
    const list = folder.write('few.dat', '[{"id":"a","stars":1}]');
    expect((await rankFile(stars, list, {}, { workers: 2, top: 1 })).notices).toEqual([
      `one thread: ${list} is JSON, and only JSON Lines and Parquet are ranked in parts`,
    ]);
  });

  test('ranks a small file and an empty one without a message', async () => {
    expect((await rankFile(stars, few, {}, { workers: 2, top: 1 })).notices).toEqual([]);
    const none = await rankFile(stars, folder.write('none.jsonl', ''), {}, { workers: 2, top: 1 });
    expect(none.counts).toEqual({ given: 0, ranked: 0, selected: 0, notSelected: 0, refused: 0 });
    expect(none.notices).toEqual([]);
  });

  test('reports a missing file like every command', async () => {
    await expect(rankFile(stars, '/nowhere/x.jsonl', {}, { workers: 2, top: 1 })).rejects.toThrow(
      'cannot read /nowhere/x.jsonl: no such file',
    );
  });
});

test.each([1, 2])('a relative path of candidates starts from the folder, in %i threads', async (workers) => {
  if (workers > 1 && !isBuilt) return;
  const lines = folder.write('relative.jsonl', `${REPOS}\n`);
  folder.write('relative.yaml', 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\nselect: { top: 3 }\n');
  const how = { folder: folder.path, workers };
  const ranking = await rankFile('./relative.yaml', 'relative.jsonl', {}, how);
  expect(ranking.counts.given).toBe(400);
  expect((await rankFile('./relative.yaml', lines, {}, how)).selected).toEqual(ranking.selected);
  await expect(rankFile('./relative.yaml', 'gone.jsonl', {}, how)).rejects.toThrow(join(folder.path, 'gone.jsonl'));
});

test.each([1, 2])('a line that is a list is an error with its line, in %i threads', async (workers) => {
  if (workers > 1 && !isBuilt) return;
  const lines = folder.write('lists.jsonl', `${REPOS}\n[1]\n${REPOS}\n`);
  await expect(rankFile(PROFILE, lines, { now: 0 }, { workers })).rejects.toThrow('lists.jsonl:401');
});
