/* RubricScorer with a real endpoint of chat completions that grades, refuses, breaks off or adds prose. */
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { LANGUAGE_MODELS, type LanguageModels } from 'assize/sdk';
import {
  fails,
  halfABody,
  json,
  type Reply,
  says,
  saysJson,
  serve,
  silence,
} from '../../services/language-model/chat-server.js';
import { rubricRuns } from './rubric-run.js';

const items = [2, 4, 1].map((n) => ({ id: `t${n}`, text: `text ${n}`, base: 0.5 }));
const RUBRIC = '4: answers the query in full. 0: does not touch it.';

const { profileOf, rank } = rubricRuns({ class: 'RubricScorer', rubric: RUBRIC, items, query: 'which?' });

/** Grades a text by the number in it. */
const grades: Reply = (response, seen) => {
  const grade = Number(/text (\d)/.exec(seen.body.messages.at(-1)!.content)?.[1]);
  saysJson({ grade, reason: `it says ${grade}` })(response, seen);
};

describe('RubricScorer', () => {
  test('asks one question per candidate, and reports the reason, the model and the rubric', async () => {
    const { url, seen } = await serve(grades);
    const { ranking, scores, failures } = await rank(profileOf(url));
    expect(scores).toEqual({ t2: 0.5, t4: 1, t1: 0.25 });
    expect(failures).toEqual([]);
    const [system, user] = seen[0]!.body.messages;
    expect(system!.content).toContain(RUBRIC);
    expect(JSON.parse(user!.content)).toEqual({ query: 'which?', candidate: 'text 2' });
    expect(JSON.stringify(ranking.explain('t4'))).toMatch(/4 of 4 by tiny-1, rubric [0-9a-f]{8}: it says 4/);
  });

  test('another rubric has another version, and the same one the same version', async () => {
    const { url } = await serve(grades);
    const versionOf = async (params: object) =>
      /rubric ([0-9a-f]{8})/.exec(JSON.stringify((await rank(profileOf(url, params))).ranking.explain('t4')))?.[1];
    const version = await versionOf({});
    expect(await versionOf({})).toBe(version);
    expect(await versionOf({ rubric: `${RUBRIC} Be strict.` })).not.toBe(version);
    expect(await versionOf({ most: 5 })).not.toBe(version);
  });

  test('asks a question once, in all runs', async () => {
    const { url, seen } = await serve(grades);
    const { pipeline } = await rank(profileOf(url), [...items, { id: 'again', text: 'text 4', base: 0 }]);
    expect(seen).toHaveLength(3);
    await pipeline.rank(items, { query: 'which?' });
    expect(seen).toHaveLength(3);
    await pipeline.rank(items, { query: 'another' });
    expect(seen).toHaveLength(6);
  });

  test('each run has its own budget, also runs without a context', async () => {
    const { url, seen } = await serve(grades);
    const pipeline = await createPipeline(profileOf(url, { calls: 3, cache: 0 }));
    for (const calls of [3, 6, 9]) {
      const { degraded } = await pipeline.rank(items); // oxlint-disable-line no-await-in-loop -- run after run
      expect([seen.length, degraded]).toEqual([calls, []]);
    }
  });

  test.each<[string, Reply, RegExp, number]>([
    [
      'a grade above the scale',
      saysJson({ grade: 5, reason: 'wow' }),
      /answered {"grade":5,"reason":"wow"}; expected a grade from 0 to 4/,
      3,
    ],
    ['a grade below it', saysJson({ grade: -1, reason: 'no' }), /answered {"grade":-1,/, 3],
    ['half a grade', saysJson({ grade: 2.5, reason: 'so so' }), /expected a grade from 0 to 4/, 3],
    ['a grade in words', saysJson({ grade: 'four', reason: 'so' }), /expected a grade/, 3],
    ['no reason', saysJson({ grade: 4 }), /expected a grade from 0 to 4, and a reason/, 3],
    ['a list', saysJson([4]), /expected a grade/, 3],
    ['prose', says({ content: 'I would say 4.' }), /is not JSON/, 3],
    ['a refusal', says({ refusal: 'I will not grade this.' }), /refused to answer/, 3],
    ['a truncated answer', says({ content: '{"grade":', finish: 'length' }), /was cut off/, 3],
    ['no completion', json({ hello: 1 }), /not a chat completion/, 3],
    ['half a body', halfABody, /half of it|broke off/, 3],
    ['a wrong key', fails(401, 'no key'), /needs a key/, 3],
  ])('%s is degraded, and loses no candidate', async (_, answer, cause, calls) => {
    const { url, seen } = await serve(answer);
    const { ranking, scores, failures } = await rank(profileOf(url));
    expect(ranking.ranked).toHaveLength(3);
    expect(scores).toEqual({ t2: null, t4: null, t1: null });
    expect(failures.map((one) => one.cause).join()).toMatch(cause);
    expect(seen.length).toBeLessThanOrEqual(calls);
  });

  test('an unanswered question is asked again', async () => {
    const { url, seen } = await serve(fails(503, 'busy', { 'retry-after-ms': '1' }), grades);
    const { scores, failures } = await rank(profileOf(url));
    expect(scores).toEqual({ t2: 0.5, t4: 1, t1: 0.25 });
    expect(failures).toEqual([]);
    expect(seen).toHaveLength(4);
  });

  test('a silent endpoint is degraded after the timeout', async () => {
    const { url } = await serve(silence);
    const { ranking, failures } = await rank(profileOf(url, { parallel: 3 }, { timeout: '20ms' }));
    expect(ranking.ranked).toHaveLength(3);
    expect(failures.map((one) => one.cause).join()).toMatch(/did not answer within 20 ms/);
  });

  test('the timeout of the entry keeps the grades that have arrived', async () => {
    const models: LanguageModels = {
      open: () => ({
        ask: async ({ material }) => {
          if (JSON.stringify(material).includes('text 4')) return new Promise(() => {});
          return { value: { grade: 2, reason: 'fair' }, model: 'tiny', tokens: 1 };
        },
      }),
    };
    const { tier2_scorers: [base, judged] = [], ...rest } = profileOf('http://127.0.0.1:1/', { parallel: 3 });
    const profile = { ...rest, tier2_scorers: [base!, { ...judged!, timeout: '2s' }] };
    const pipeline = await createPipeline(profile, { services: [{ token: LANGUAGE_MODELS, value: models }] });
    const ranking = await pipeline.rank(items, { query: 'which?' });
    expect(items.map(({ id }) => ranking.terms(id)?.scores['judged'])).toEqual([0.5, null, 0.5]);
    expect(ranking.degraded).toMatchObject([{ entry: 'judged', count: 1, cause: expect.stringContaining('2000 ms') }]);
  });

  test('one that fails alone keeps the grades of the others', async () => {
    const { url } = await serve(grades, saysJson({ grade: 9, reason: '' }), grades);
    const { scores, failures } = await rank(profileOf(url));
    expect(scores).toEqual({ t2: 0.5, t4: null, t1: 0.25 });
    expect(failures).toMatchObject([{ count: 1 }]);
  });

  test.each<[string, object, object, number]>([
    ['calls', { calls: 2 }, {}, 2],
    ['money', { price: 0.5, spend: 0.9 }, {}, 1],
    ['tokens', {}, { total_tokens: 1 }, 0],
  ])('no call beyond the budget of %s', async (_, params, model, calls) => {
    const { url, seen } = await serve(grades);
    const { ranking, failures } = await rank(profileOf(url, params, model));
    expect(seen).toHaveLength(calls);
    expect(ranking.ranked).toHaveLength(3);
    expect(failures).not.toEqual([]);
  });

  test.each([
    [{ rubric: ' ' }, /expected a rubric, which is not blank/],
    [{ most: 0 }, /most/],
    [{ model: undefined }, /model/],
  ])('rejects params %j', async (params, message) => {
    await expect(createPipeline(profileOf('http://x/', params))).rejects.toThrow(message);
  });
});
