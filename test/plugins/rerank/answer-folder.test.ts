/* Answers that are kept in a folder, questions in flight, and budgets of all runs. */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { ANSWER_FOLDERS, LANGUAGE_MODELS, type LanguageModels } from 'assize/sdk';
import { FileAnswerFolders } from '../../../src/services/node.js';
import { temporaryFolder } from '../../temporary-folder.js';

const items = ['a', 'b', 'c'].map((id) => ({ id, text: `text ${id}` }));

const profileOf = (params: object = {}, entry: object = {}): ProfileInput => ({
  plugins: ['rerank'],
  tier1_scorers: [
    {
      id: 'safe',
      class: 'RubricVeto',
      params: { model: 'tiny', rubric: 'Refuse b.', text: 'text', backoff: 1, ...params },
      ...entry,
    },
  ],
});

/** A model that refuses `text b`, and the texts that it was asked about. */
function judge(delay = 5) {
  const asked: string[] = [];
  const models: LanguageModels = {
    open: ({ name }) => ({
      ask: async ({ material }) => {
        const { candidate } = material as { readonly candidate: string };
        asked.push(candidate);
        await new Promise((resolve) => setTimeout(resolve, delay));
        return {
          value: { reason: 'so', verdict: candidate === 'text b' ? 'refuse' : 'clear' },
          model: name,
          tokens: 1,
        };
      },
    }),
  };
  return { asked, models };
}

/** A pipeline with folders of its own, as after a restart. */
const open = (profile: ProfileInput, models: LanguageModels, folders = new FileAnswerFolders()) =>
  createPipeline(profile, {
    services: [
      { token: LANGUAGE_MODELS, value: models },
      { token: ANSWER_FOLDERS, value: folders },
    ],
  });

const selectedBy = async (pipeline: Awaited<ReturnType<typeof open>>, candidates: readonly object[] = items) =>
  (await pipeline.rank(candidates)).selected.map(({ id }) => id);

/** The warnings of the process during a test. */
function processWarnings(): string[] {
  const warnings: string[] = [];
  const listen = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  return warnings;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('equal questions in flight', () => {
  test('of ten runs of a pipeline cost one call each', async () => {
    const { asked, models } = judge();
    const pipeline = await open(profileOf(), models);
    const results = await Promise.all(Array.from({ length: 10 }, () => selectedBy(pipeline)));
    expect(results).toEqual(Array.from({ length: 10 }, () => ['a', 'c']));
    expect(asked.toSorted()).toEqual(['text a', 'text b', 'text c']);
  });

  test('of ten pipelines that share a folder, too', async () => {
    const { asked, models } = judge();
    const folders = new FileAnswerFolders();
    const profile = profileOf({ cache_folder: temporaryFolder() });
    const pipelines = await Promise.all(Array.from({ length: 10 }, () => open(profile, models, folders)));
    await Promise.all(pipelines.map((pipeline) => selectedBy(pipeline)));
    expect(asked.toSorted()).toEqual(['text a', 'text b', 'text c']);
  });

  test('are asked by another run if the first one is aborted or times out', async () => {
    let calls = 0;
    const models: LanguageModels = {
      open: () => ({
        ask: async () =>
          calls++ === 0 ? new Promise(() => {}) : { value: { reason: 'so', verdict: 'clear' }, model: 'm', tokens: 1 },
      }),
    };
    const pipeline = await open(profileOf(), models);
    const stop = new AbortController();
    const first = pipeline.rank(items.slice(0, 1), {}, { signal: stop.signal });
    await vi.waitFor(() => expect(calls).toBe(1));
    const second = selectedBy(pipeline, items.slice(0, 1));
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(calls).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    expect(await second).toEqual(['a']);
    expect(calls).toBe(2);
  });

  test('fail together, and are not refused by the call limit of another run', async () => {
    let calls = 0;
    const models: LanguageModels = {
      open: () => ({
        ask: async () => {
          calls++;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { value: 'nonsense', model: 'm', tokens: 1 };
        },
      }),
    };
    const pipeline = await open(profileOf({ parallel: 1 }), models);
    const runs = await Promise.all([1, 2, 3].map(() => pipeline.rank(items)));
    expect(calls).toBe(3);
    expect(runs.map(({ refused }) => refused.length)).toEqual([3, 3, 3]);
    const { asked, models: judges } = judge();
    const limited = await open(profileOf({ parallel: 1, calls: 2 }), judges);
    await Promise.all([1, 2].map(() => selectedBy(limited)));
    expect(asked.toSorted()).toEqual(['text a', 'text b', 'text c']); // the second run asked what the first could not
  });
});

describe('a cache folder', () => {
  test('makes a restart cost no call, and holds no text of candidates', async () => {
    const folder = join(temporaryFolder(), 'new', 'answers');
    const { asked, models } = judge();
    expect(await selectedBy(await open(profileOf({ cache_folder: folder }), models))).toEqual(['a', 'c']);
    const restarted = await open(profileOf({ cache_folder: folder }), models);
    const ranking = await restarted.rank(items);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(ranking.refused[0]!.reason).toMatch(/^so \(tiny, rubric /);
    expect(asked).toHaveLength(3);
    expect(readFileSync(join(folder, 'answers.jsonl'), 'utf8')).not.toContain('text a');
  });

  test('does not mix models, rubrics or queries', async () => {
    const cache_folder = temporaryFolder();
    const { asked, models } = judge();
    for (const params of [{}, { model: 'other' }, { rubric: 'Refuse c.' }, { answer_tokens: 99 }])
      await selectedBy(await open(profileOf({ cache_folder, ...params }), models)); // oxlint-disable-line no-await-in-loop -- one after another
    expect(asked).toHaveLength(12);
  });

  test('sees the answers that another process adds', async () => {
    const cache_folder = temporaryFolder();
    const { asked, models } = judge();
    const [one, other] = [
      await open(profileOf({ cache_folder }), models),
      await open(profileOf({ cache_folder }), models),
    ];
    await selectedBy(one, items.slice(0, 2));
    await selectedBy(other);
    await selectedBy(one);
    expect(asked).toEqual(['text a', 'text b', 'text c']);
  });

  test.each<[string, string]>([
    ['text', 'garbage'],
    ['half a line of a process that was killed', '["abc",{"verdict":'],
    ['another form', '{"a":1}'],
    ['null', '["abc",null]'],
  ])('skips and names a line that is %s', async (_, line) => {
    const cache_folder = temporaryFolder();
    const file = join(cache_folder, 'answers.jsonl');
    const { asked, models } = judge();
    await selectedBy(await open(profileOf({ cache_folder }), models));
    const before = readFileSync(file, 'utf8');
    appendFileSync(file, line); // without a line break, as after a crash
    const more = await open(profileOf({ cache_folder }), models);
    await selectedBy(more, [...items, { id: 'd', text: 'text d' }]);
    const warnings = processWarnings();
    expect(
      await selectedBy(await open(profileOf({ cache_folder }), models), [...items, { id: 'd', text: 'text d' }]),
    ).toEqual(['a', 'c', 'd']);
    expect(asked).toHaveLength(4);
    await nextTurn();
    const number = before.split('\n').length;
    expect(warnings.join()).toContain(`${file}:${number} is not a cached answer and is skipped`);
  });

  test('asks again if a stored answer has another form, and never clears by it', async () => {
    const cache_folder = temporaryFolder();
    const file = join(cache_folder, 'answers.jsonl');
    const { asked, models } = judge();
    await selectedBy(await open(profileOf({ cache_folder }), models));
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"verdict":"refuse"', '"verdict":"ok"'));
    expect(await selectedBy(await open(profileOf({ cache_folder }), models))).toEqual(['a', 'c']);
    expect(asked).toEqual(['text a', 'text b', 'text c', 'text b']);
  });

  test('keeps the newest answers, up to the size of the cache', async () => {
    const cache_folder = temporaryFolder();
    const { asked, models } = judge(0);
    const many = Array.from({ length: 130 }, (_, k) => ({ id: `${k}`, text: `text ${k}` }));
    await selectedBy(await open(profileOf({ cache_folder, cache: 10, calls: 999, parallel: 1 }), models), many);
    const lines = readFileSync(join(cache_folder, 'answers.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.length).toBeLessThan(130);
    await selectedBy(await open(profileOf({ cache_folder, cache: 10 }), models), many.slice(-10));
    expect(asked).toHaveLength(130);
    expect(readdirSync(cache_folder)).toEqual(['answers.jsonl']);
  });

  test('that cannot be read fails the guard, which then refuses', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { models } = judge();
    const pipeline = await open(profileOf({ cache_folder: join(file, 'sub') }), models);
    const { selected, refused } = await pipeline.rank(items);
    expect([selected.length, refused.length]).toEqual([0, 3]);
  });

  test('is not available to an untrusted profile', async () => {
    await expect(createPipeline(profileOf({ cache_folder: './x' }), { trust: 'none' })).rejects.toThrow(
      /no file or folder/,
    );
    expect(existsSync('./x')).toBe(false);
  });
});

describe('a budget of all runs', () => {
  const texts = (from: number, count: number) =>
    Array.from({ length: count }, (_, k) => ({ id: `t${from + k}`, text: `text ${from + k}` }));

  test.each([
    ['calls', { budget: { per: 'hour', calls: 3 } }],
    ['spend', { budget: { per: 'hour', spend: 0.3 }, price: 0.1 }],
  ])('limits %s in memory: the guard then refuses', async (_, params) => {
    const { asked, models } = judge();
    const pipeline = await open(profileOf(params), models);
    expect(await selectedBy(pipeline, texts(0, 2))).toEqual(['t0', 't1']);
    const { selected, refused } = await pipeline.rank(texts(2, 3));
    expect(asked).toHaveLength(3);
    expect(selected).toHaveLength(1);
    expect(refused.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['error', expect.stringMatching(/^the budget of this hour is used up \(/)],
      ['error', expect.stringMatching(/^the budget of this hour is used up \(/)],
    ]);
    expect(await selectedBy(pipeline, texts(0, 2))).toEqual(['t0', 't1']); // cached answers are free
  });

  test('in a folder is shared by processes, to the last call, and starts again in the next period', async () => {
    const cache_folder = temporaryFolder();
    const clock = { at: Date.UTC(2026, 5, 1, 9, 59), now: () => clock.at };
    const { asked, models } = judge(1);
    const profile = profileOf({ cache_folder, budget: { per: 'hour', calls: 7 }, parallel: 8 });
    const pipelines = await Promise.all(
      Array.from({ length: 4 }, () => open(profile, models, new FileAnswerFolders(clock))),
    );
    await Promise.all(pipelines.map((pipeline, k) => selectedBy(pipeline, texts(10 * k, 5))));
    expect(asked).toHaveLength(7);
    const later = await open(profile, models, new FileAnswerFolders(clock));
    expect(await selectedBy(later, texts(100, 2))).toEqual([]);
    clock.at += 60_000;
    expect(await selectedBy(later, texts(200, 2))).toEqual(['t200', 't201']);
    await expect
      .poll(() => readdirSync(cache_folder).toSorted())
      .toEqual(['answers.jsonl', 'calls-hour-2026-06-01T09.log', 'calls-hour-2026-06-01T10.log']);
    clock.at += 3_600_000;
    await selectedBy(later, texts(300, 1));
    await expect
      .poll(() => readdirSync(cache_folder).toSorted())
      .toEqual(['answers.jsonl', 'calls-hour-2026-06-01T10.log', 'calls-hour-2026-06-01T11.log']);
  });

  test.each([
    ['in memory', () => ({})],
    ['in a folder', () => ({ cache_folder: temporaryFolder() })],
  ])('%s counts on if the clock is set back over the end of a period', async (_, folder) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1, 9, 59, 59) });
    try {
      const { asked, models } = judge(0);
      const pipeline = await open(
        profileOf({ ...folder(), budget: { per: 'hour', calls: 2 } }),
        models,
        new FileAnswerFolders({ now: () => Date.now() }),
      );
      const counts: number[] = [];
      for (const [k, ms] of [0, 2000, -2000, 2000].entries()) {
        vi.setSystemTime(Date.now() + ms);
        await selectedBy(pipeline, texts(10 * k, 3)); // oxlint-disable-line no-await-in-loop -- one after another
        counts.push(asked.length);
      }
      expect(counts).toEqual([2, 4, 4, 4]);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [{ per: 'week', calls: 1 }, /hour/],
    [{ per: 'hour' }, /expected calls, spend, or both/],
    [{ calls: 3 }, /per/],
  ])('%j is an error', async (budget, message) => {
    await expect(open(profileOf({ budget }), judge().models)).rejects.toThrow(message);
  });
});
