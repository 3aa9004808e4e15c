/*
 * CrossEncoderScorer with the real transformers.js and a real model of a few kilobytes, whose logits are known by hand.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { CROSS_ENCODERS, type CrossEncoders } from 'assize/sdk';
import { tinyCrossEncoder } from '../../services/tiny/cross-encoder-model.js';
import { writeModel } from '../../services/tiny/write-model.js';
import { temporaryFolder } from '../../temporary-folder.js';

const GROUPS = [
  ['laptop', 'notebook'],
  ['fast', 'quick'],
  ['apple', 'banana'],
];
const scratch = temporaryFolder();

let models = 0;
/** The settings of a model in a separate folder: loads are shared by the whole process. */
function modelIn(files: ReadonlyMap<string, Buffer> = tinyCrossEncoder(GROUPS)) {
  const name = `lab/tiny-${models++}`;
  writeModel(join(scratch, name), files);
  return { name, dtype: 'fp32', folder: scratch };
}
const shared = modelIn();

const profileOf = (params: object = {}, entry: object = {}): ProfileInput => ({
  plugins: ['rerank'],
  tier2_scorers: [
    { id: 'base', expr: 'clamp(0.5, 0, 1)' },
    { id: 'model', class: 'CrossEncoderScorer', params: { model: shared, text: 'text', ...params }, ...entry },
  ],
});

const items = ['a quick notebook', 'apple banana', 'notebook laptop', 'fast', ' '].map((text, k) => ({
  id: `t${k}`,
  text,
}));
const query = 'Fast laptop';
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** The scores of the model by id. */
async function rank(profile: ProfileInput, context: object = { query }, candidates: readonly object[] = items) {
  const ranking = await (await createPipeline(profile)).rank(candidates, { ...context });
  const scores = ranking.ranked.map(({ id, index }) => [id, ranking.terms({ index })!.scores['model']]);
  return { ranking, scores: Object.fromEntries(scores) as Record<string, number | null> };
}

describe('the score', () => {
  // Pairs of words of one group, minus 1.
  const logits = { t0: 1, t1: -1, t2: 1, t3: 0 };

  test("is the sigmoid of the model's logit for query and text together", async () => {
    const { ranking, scores } = await rank(profileOf());
    const expected = Object.entries(logits).map(([id, logit]) => [id, sigmoid(logit)]);
    expect(scores).toEqual({ ...Object.fromEntries(expected), t4: null });
    expect(JSON.stringify(ranking.explain('t1'))).toContain(`by ${shared.name}:fp32, of the logit -1`);
    expect(JSON.stringify(ranking.explain('t4'))).toContain('there is no text to compare');
  });

  test('is the logit if the activation is none', async () => {
    expect((await rank(profileOf({ activation: 'none' }))).scores).toEqual({ ...logits, t4: null });
  });

  test('equals a count by hand for any query and text, in any batch', async () => {
    const words = fc.array(fc.constantFrom(...GROUPS.flat(), 'unknown'), { minLength: 1, maxLength: 6 });
    const pipeline = await createPipeline(profileOf({ activation: 'none' }));
    const groupOf = (word: string) => GROUPS.findIndex((group) => group.includes(word));
    await fc.assert(
      fc.asyncProperty(words, fc.array(words, { minLength: 1, maxLength: 4 }), async (asked, texts) => {
        const candidates = texts.map((text, k) => ({ id: `c${k}`, text: text.join(' ') }));
        const ranking = await pipeline.rank(candidates, { query: asked.join(' ') });
        for (const [index, text] of texts.entries()) {
          const pairs = asked.flatMap((word) =>
            text.filter((other) => groupOf(word) >= 0 && groupOf(word) === groupOf(other)),
          );
          expect(ranking.terms({ index })!.scores['model']).toBe(pairs.length - 1);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is absent without a query', async () => {
    const { ranking, scores } = await rank(profileOf(), {});
    expect(new Set(Object.values(scores))).toEqual(new Set([null]));
    expect(JSON.stringify(ranking.explain('t0'))).toContain('the context has no query');
  });

  test("of a text longer than the model's input is that of its start", async () => {
    const long = [{ id: 'long', text: `laptop ${'unknown '.repeat(600)} fast` }];
    expect((await rank(profileOf({ activation: 'none' }), { query }, long)).scores).toEqual({ long: 0 });
  });
});

test('a text is scored once, and not again in the next run', async () => {
  const asked: string[][] = [];
  const crossEncoders: CrossEncoders = {
    open: ({ name }) => ({
      name,
      rerank: ({ documents }) => Promise.resolve(documents.map((text) => (asked.push([...documents]), text.length))),
    }),
  };
  const services = [{ token: CROSS_ENCODERS, value: crossEncoders }];
  const pipeline = await createPipeline(profileOf({ model: 'mine' }), { services });
  const twice = [...items, { id: 'again', text: 'fast' }];
  await pipeline.rank(twice, { query });
  await pipeline.rank(twice, { query });
  expect(asked).toHaveLength(4);
  await pipeline.rank(twice, { query: 'another' });
  expect(asked).toHaveLength(8);
});

describe('a failure is degraded, and loses no candidate', () => {
  const broken = async (params: object, entry: object = {}) => {
    const { ranking, scores } = await rank(profileOf(params, { on_error: 'skip', ...entry }));
    expect(Object.values(scores)).toEqual(items.map(() => null));
    return ranking.degraded.map(({ cause }) => cause).join();
  };

  test('a missing model', async () => {
    const cause = await broken({ model: { name: 'lab/none', folder: scratch } });
    expect(cause).toContain(`the model lab/none cannot be loaded from ${scratch}`);
  });

  test('an invalid file', async () => {
    const model = modelIn();
    writeFileSync(join(scratch, model.name, 'onnx', 'model.onnx'), 'not a model');
    expect(await broken({ model })).toMatch(/cannot be loaded/);
  });

  test('a model with three labels', async () => {
    expect(await broken({ model: modelIn(tinyCrossEncoder(GROUPS, 3)) })).toMatch(/gives 3 numbers.*expected one/);
  });

  test('a model without a score, or with one that is not a number', async () => {
    const answers = [Number.NaN, undefined, 2, Infinity];
    const value = { open: () => ({ name: 'odd', rerank: () => Promise.resolve(answers) }) };
    const services = [{ token: CROSS_ENCODERS, value }];
    const pipeline = await createPipeline(profileOf({ activation: 'none' }, { on_error: 'skip' }), { services });
    const ranking = await pipeline.rank(items, { query });
    expect(ranking.ranked).toHaveLength(items.length);
    expect([0, 1, 2, 3].map((index) => ranking.terms({ index })!.scores['model'])).toEqual([null, null, 2, null]);
    expect(ranking.degraded.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(3);
  });
});

test.each<[string, object, RegExp]>([
  ['no model', { model: undefined }, /model/],
  ['an unknown dtype', { model: { name: 'm', dtype: 'q9' } }, /no dtype is called 'q9'/],
  ['an unknown activation', { activation: 'softmax' }, /activation/],
  ['an unknown setting', { model: { name: 'm', batch: 3 } }, /batch/],
])('rejects %s when the profile is loaded', async (_, params, message) => {
  await expect(createPipeline(profileOf(params))).rejects.toThrow(message);
});

test('an untrusted profile may name no model, unless the host gives the service', async () => {
  const profile = profileOf({ model: 'Xenova/ms-marco-MiniLM-L-6-v2' });
  await expect(createPipeline(profile, { trust: 'none' })).rejects.toThrow(/expected no model/);
  const value = { open: () => ({ name: 'the host’s', rerank: () => Promise.resolve([]) }) };
  const services = [{ token: CROSS_ENCODERS, value }];
  expect((await createPipeline(profile, { trust: 'none', services })).warnings).toEqual([]);
  await expect(createPipeline(profileOf(), { trust: 'none', services })).rejects.toThrow(/expected no file or folder/);
});
