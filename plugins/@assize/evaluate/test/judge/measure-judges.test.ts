/* Judges with known biases: what is measured equals what they do. */
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import type { LanguageModels } from 'assize/sdk';
import { measureJudges } from '../../src/judge/measure-judges.js';
import { seededRandom } from '../../src/significance/distributions.js';
import { essays, fakeModels, gradeIn, judgedBy, measureOf } from './fake-judges.js';

const perfect = ({ first, second }: { readonly first: string; readonly second: string }) => {
  const [one, other] = [gradeIn(first), gradeIn(second)];
  return { better: one === other ? 'neither' : one > other ? 'first' : 'second', reason: '' };
};
const grading = (grade: (text: string) => number) =>
  fakeModels(({ candidate }) => ({ grade: Math.max(0, Math.min(4, grade(candidate))), reason: '' }));

describe('a judge that compares pairs', () => {
  test('and is perfect has no bias, and agrees with people', async () => {
    const models = fakeModels(perfect);
    const report = await measureJudges(await judgedBy('PairwiseRubricScorer', models, { price: 0.5 }), essays(12), {
      calls: 5000,
    });
    for (const [aspect, name] of [
      ['repeatability', 'flip rate'],
      ['order bias', 'flip rate'],
      ['length bias', 'flip rate'],
      ['length bias', 'change'],
    ] as const)
      expect(measureOf(report, aspect, name).value).toBeCloseTo(0, 12);
    expect(measureOf(report, 'order bias', 'share won by the first').value).toBe(0.5);
    expect(measureOf(report, 'length bias', 'share won by the longer').value).toBe(0.5);
    for (const name of ['same winner', 'kappa', 'kappa, quadratic', 'alpha, nominal', 'alpha, interval'])
      expect(measureOf(report, 'agreement', name).value).toBe(1);
    const [judge] = report.judges;
    // 10 candidates meet 4 others each: 20 pairs in both orders, twice, and once more with a longer text.
    expect(judge).toMatchObject({ kind: 'pairs', model: 'fake', asked: 12 * 20, failed: 0 });
    expect(models.calls).toBe(12 * 20 * 6);
    expect(judge!.cost).toEqual({ calls: 1440, failedCalls: 0, tokens: 14400, spend: 720 });
  });

  test('and always prefers the first flips every pair, and agrees by chance', async () => {
    const models = fakeModels(() => ({ better: 'first', reason: '' }));
    const report = await measureJudges(await judgedBy('PairwiseRubricScorer', models), essays(8), { calls: 5000 });
    expect(measureOf(report, 'order bias', 'flip rate').value).toBe(1);
    expect(measureOf(report, 'order bias', 'share won by the first').value).toBe(1);
    expect(measureOf(report, 'repeatability', 'flip rate').value).toBe(0);
    expect(measureOf(report, 'repeatability', 'alpha').value).toBe(1);
    expect(measureOf(report, 'length bias', 'share won by the longer').value).toBe(0.5);
    expect(measureOf(report, 'agreement', 'kappa').value).toBeCloseTo(0, 12);
    const [low, high] = measureOf(report, 'order bias', 'flip rate').interval!;
    expect(low).toBeLessThan(1);
    expect(high).toBe(1);
  });

  test('and prefers the longer has the length bias of its preference', async () => {
    const models = fakeModels(({ first, second }) => ({
      better: first.length === second.length ? 'neither' : first.length > second.length ? 'first' : 'second',
      reason: '',
    }));
    const report = await measureJudges(await judgedBy('PairwiseRubricScorer', models), essays(8), { calls: 5000 });
    expect(measureOf(report, 'length bias', 'share won by the longer').value).toBe(1);
    expect(measureOf(report, 'length bias', 'change').value).toBeGreaterThan(0.1);
    expect(measureOf(report, 'order bias', 'flip rate').value).toBe(0);
    expect(Math.abs(measureOf(report, 'agreement', 'kappa').value!)).toBeLessThan(0.2);
  });

  test('and answers at random flips half of the answers', async () => {
    const random = seededRandom(3);
    const models = fakeModels(() => ({ better: random() < 0.5 ? 'first' : 'second', reason: '' }));
    const report = await measureJudges(await judgedBy('PairwiseRubricScorer', models), essays(20), { calls: 9000 });
    for (const [aspect, name] of [
      ['repeatability', 'flip rate'],
      ['order bias', 'flip rate'],
      ['order bias', 'share won'],
    ] as const) {
      const { value, interval } = measureOf(report, aspect, name);
      expect(value).toBeCloseTo(0.5, 1);
      expect(interval![0]).toBeLessThan(0.5);
      expect(interval![1]).toBeGreaterThan(0.5);
    }
    expect(measureOf(report, 'repeatability', 'alpha').value).toBeCloseTo(0, 1);
    expect(measureOf(report, 'agreement', 'kappa').value).toBeCloseTo(0, 1);
  });
});

describe('a judge that grades', () => {
  test('and is perfect has no bias, and agrees with people', async () => {
    const models = grading(gradeIn);
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(10), { repeats: 3 });
    expect(models.calls).toBe(400);
    expect(report.judges[0]).toMatchObject({
      kind: 'grades',
      asked: 100,
      failed: 0,
      cost: { calls: 400, tokens: 4000 },
    });
    expect(report.judges[0]!.cost).not.toHaveProperty('spend');
    expect(measureOf(report, 'repeatability', 'flip rate').value).toBe(0);
    expect(measureOf(report, 'repeatability', 'alpha').value).toBe(1);
    expect(measureOf(report, 'length bias', 'change').value).toBeCloseTo(0, 12);
    expect(measureOf(report, 'length bias', 'correlation').absent).toMatch(/equal/);
    for (const name of ['same grade', 'kappa', 'kappa, linear', 'alpha, ordinal', 'rank correlation'])
      expect(measureOf(report, 'agreement', name).value).toBeCloseTo(1, 12);
    expect(measureOf(report, 'order bias', 'flip rate').absent).toMatch(/one candidate at a time/);
    expect(measureOf(report, 'people', 'alpha').absent).toMatch(/one person/);
  });

  test('and adds a grade to long texts has that length bias', async () => {
    const models = grading((text) => gradeIn(text) + (text.length > 100 ? 1 : 0));
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(10, [0, 1, 2, 3]));
    // The sentence makes the short half long.
    expect(measureOf(report, 'length bias', 'change').value).toBeCloseTo(0.5, 12);
    expect(measureOf(report, 'length bias', 'flip rate').value).toBeCloseTo(0.5, 12);
    expect(measureOf(report, 'length bias', 'correlation').value).toBeGreaterThan(0.8);
    expect(measureOf(report, 'agreement', 'same grade').value).toBeCloseTo(0.5, 12);
  });

  test('and grades at random repeats itself by chance', async () => {
    const random = seededRandom(2);
    const models = grading(() => Math.floor(random() * 5));
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(40), { calls: 9000, repeats: 3 });
    expect(measureOf(report, 'repeatability', 'flip rate').value).toBeCloseTo(0.8, 1);
    expect(measureOf(report, 'repeatability', 'alpha').value).toBeCloseTo(0, 1);
    for (const name of ['kappa', 'kappa, quadratic', 'alpha, interval', 'rank correlation']) {
      const { value, interval } = measureOf(report, 'agreement', name);
      expect(value).toBeCloseTo(0, 1);
      expect(interval![0]).toBeLessThan(0);
      expect(interval![1]).toBeGreaterThan(0);
    }
  });

  test('asks again what the cache of the profile knows', async () => {
    const models = grading(gradeIn);
    await measureJudges(await judgedBy('RubricScorer', models, { calls: 1 }), essays(1), { repeats: 2 });
    expect(models.calls).toBe(30);
  });
});

describe('what the data does not determine is absent, and not 0', () => {
  test('without grades', async () => {
    const queries = essays(6).map((query) => ({ ...query, grades: query.candidates.map(() => undefined) }));
    for (const name of ['RubricScorer', 'PairwiseRubricScorer'] as const) {
      const models = name === 'RubricScorer' ? grading(gradeIn) : fakeModels(perfect);
      // oxlint-disable-next-line no-await-in-loop -- one report after the other
      const report = await measureJudges(await judgedBy(name, models), queries);
      for (const { value, absent } of report.judges[0]!.measures.filter(({ aspect }) => aspect === 'agreement')) {
        expect(value).toBeUndefined();
        expect(absent).toBe('no candidate has a human grade');
      }
      expect(measureOf(report, 'people', 'alpha').absent).toBe('no candidate has a human grade');
      expect(measureOf(report, 'repeatability', 'flip rate').value).toBe(0);
    }
  });

  test('if all human grades are equal', async () => {
    const queries = essays(6, [2]);
    const graded = await measureJudges(await judgedBy('RubricScorer', grading(gradeIn)), queries);
    expect(measureOf(graded, 'agreement', 'kappa')).toMatchObject({ absent: expect.stringContaining('equal (2)') });
    expect(measureOf(graded, 'agreement', 'rank correlation').value).toBeUndefined();
    const compared = await measureJudges(await judgedBy('PairwiseRubricScorer', fakeModels(perfect)), queries);
    expect(measureOf(compared, 'agreement', 'alpha, nominal').absent).toMatch(/every pair both human grades are equal/);
  });

  test('if people use another scale, only the rank correlation is known', async () => {
    const queries = essays(6).map((query) => ({ ...query, grades: query.grades.map((grade) => grade! * 25) }));
    const report = await measureJudges(await judgedBy('RubricScorer', grading(gradeIn)), queries);
    expect(measureOf(report, 'agreement', 'kappa').absent).toMatch(/a human grade is 25, .* from 0 to 4/);
    expect(measureOf(report, 'agreement', 'rank correlation').value).toBeCloseTo(1, 12);
  });

  test('if the judge fails on some rows, those are left out and counted', async () => {
    const models = fakeModels(({ candidate }) => {
      if (gradeIn(candidate) === 3) throw new Error('no thanks');
      return { grade: gradeIn(candidate), reason: '' };
    });
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(5));
    expect(report.judges[0]).toMatchObject({ asked: 50, failed: 10, failure: 'no thanks', cost: { failedCalls: 30 } });
    expect(measureOf(report, 'agreement', 'kappa')).toMatchObject({ value: 1, count: 40 });
  });

  test('if the judge never answers, nothing is measured, and it is not called for every row', async () => {
    const models = fakeModels(() => ({ grade: 9, reason: '' }));
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(20));
    expect(models.calls).toBeLessThanOrEqual(4);
    expect(report.judges[0]!.failure).toBe('fake answered {"grade":9,"reason":""}');
    const known = report.judges[0]!.measures.filter(({ value }) => value !== undefined);
    expect(known).toEqual([]);
  });

  test('if the calls are used up, the rest fails', async () => {
    const models = grading(gradeIn);
    const report = await measureJudges(await judgedBy('RubricScorer', models), essays(5), { calls: 60 });
    expect(models.calls).toBe(60);
    expect(report.judges[0]).toMatchObject({ failed: 30, failure: 'the 60 calls of the measurement are used up' });
    expect(measureOf(report, 'repeatability', 'flip rate')).toMatchObject({ value: 0, count: 20 });
  });

  test('one repeat, one query of one candidate, and a candidate without a text', async () => {
    const queries = [
      {
        id: 'q',
        candidates: [
          { id: 'a', text: 'grade 1' },
          { id: 'b', text: ' ' },
        ],
        grades: [1, 2],
      },
    ];
    const graded = await measureJudges(await judgedBy('RubricScorer', grading(gradeIn)), queries, { repeats: 1 });
    expect(graded.judges[0]).toMatchObject({ asked: 1, withoutText: 1 });
    expect(measureOf(graded, 'repeatability', 'flip rate').absent).toBe('each question was asked once');
    expect(measureOf(graded, 'length bias', 'change')).not.toHaveProperty('interval');
    const compared = await measureJudges(await judgedBy('PairwiseRubricScorer', fakeModels(perfect)), queries);
    expect(compared.judges[0]).toMatchObject({ asked: 0, cost: { calls: 0 } });
  });
});

test('the agreement of people is measured by their grades in the candidates', async () => {
  const queries = essays(10).map((query) => ({
    ...query,
    candidates: query.candidates.map((one) => ({ ...one, second: gradeIn(one.text) })),
  }));
  const pipeline = await judgedBy('RubricScorer', grading(gradeIn));
  const report = await measureJudges(pipeline, queries, { raters: ['second'] });
  expect(measureOf(report, 'people', 'alpha, ordinal').value).toBe(1);
  await expect(measureJudges(pipeline, queries, { raters: ['text'] })).rejects.toThrow(/reads text.*measured by text/);
});

test('a profile without a judge, and unknown options, are errors', async () => {
  const none = await createPipeline<object>({ tier2_scorers: [{ id: 'x', expr: '1' }] });
  await expect(measureJudges(none, essays(1))).rejects.toThrow(/has no judge/);
  const pipeline = await judgedBy('RubricScorer', grading(gradeIn));
  await expect(measureJudges(pipeline, essays(1), { repeats: 0 })).rejects.toThrow(/repeats/);
});

test.each(['RubricScorer', 'PairwiseRubricScorer'] as const)(
  'the questions are those of the profile: %s',
  async (name) => {
    const asked: string[] = [];
    const models: LanguageModels = {
      open: (settings) => ({
        ask: async (question) => {
          asked.push(JSON.stringify([settings, question]));
          return { value: { grade: 1, better: 'neither', reason: '' }, model: 'fake', tokens: 1 };
        },
      }),
    };
    const pipeline = await judgedBy(name, models, { query: 'query', answer_tokens: 77 });
    const [query] = essays(1, [0, 3]).map((one) => ({ ...one, context: { query: 'which?' } }));
    await pipeline.rank(query!.candidates, query!.context);
    const ofProfile = new Set(asked.splice(0));
    await measureJudges(pipeline, [query!]);
    expect(ofProfile.size).toBe(name === 'RubricScorer' ? 4 : 12);
    expect([...ofProfile].filter((one) => !asked.includes(one))).toEqual([]);
  },
);
