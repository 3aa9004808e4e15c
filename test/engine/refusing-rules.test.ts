/* Rules with `refuse`: they refuse a candidate after scoring, also if the score that they read is missing. */
import { describe, expect, test } from 'vitest';
import { createPipeline, explanationText, type ProfileInput, scorer } from 'assize';

const rule = { id: 'unsafe', when: 'scores.safe < 0.5', refuse: true, reason: 'the judge finds it unsafe' } as const;

const profileOf = (adjustments: ProfileInput['adjustments'], safe: object = {}): ProfileInput => ({
  tier2_scorers: [
    { id: 'base', expr: 'candidate.base' },
    { id: 'safe', expr: 'candidate.safe', ...safe },
  ],
  adjustments,
});

const items = [
  { id: 'good', base: 0.2, safe: 0.9 },
  { id: 'bad', base: 0.9, safe: 0.1 },
  { id: 'unknown', base: 0.8 },
];

async function refusals(profile: ProfileInput, units?: Record<string, unknown>) {
  const pipeline = await createPipeline(profile, units ? { units } : {});
  const ranking = await pipeline.rank(items);
  const { selected, notSelected, refused } = ranking;
  expect(selected.length + notSelected.length + refused.length).toBe(items.length);
  return {
    pipeline,
    ranking,
    selected: selected.map(({ id }) => id),
    refused: refused.map(({ id, kind, by, reason }) => [id, kind, by, reason]),
  };
}

describe('a rule with refuse', () => {
  test('refuses after scoring, with its reason, and fails closed if the score is missing', async () => {
    const { ranking, selected, refused } = await refusals(profileOf([rule]));
    expect(selected).toEqual(['good']);
    expect(refused).toEqual([
      ['bad', 'veto', 'unsafe', 'the judge finds it unsafe'],
      ['unknown', 'absent', 'unsafe', 'scores.safe < 0.5 is absent'],
    ]);
    const text = explanationText(ranking.explain('bad'));
    expect(text).toContain('unsafe (veto): the judge finds it unsafe');
    expect(text).toContain('scores.safe < 0.5');
    expect(ranking.explain('bad').outcome).toMatchObject({ kind: 'refused', by: 'unsafe' });
  });

  test('without a reason shows its condition', async () => {
    const { refused } = await refusals(profileOf([{ id: 'unsafe', when: 'scores.safe < 0.5', refuse: true }]));
    expect(refused[0]).toEqual(['bad', 'veto', 'unsafe', 'scores.safe < 0.5']);
  });

  test('keeps a candidate without the score only with on_absent: pass, which is a warning', async () => {
    const { pipeline, selected } = await refusals(profileOf([{ ...rule, on_absent: 'pass' }]));
    expect(selected).toEqual(['unknown', 'good']);
    expect(pipeline.warnings.map(({ code }) => code)).toEqual(['ASZ766']);
  });

  test('that reads only the candidate passes an absent field, like a veto, unless it is on_absent: refuse', async () => {
    const own = { id: 'own', when: 'candidate.safe < 0.5', refuse: true } as const;
    expect((await refusals(profileOf([own]))).selected).toEqual(['unknown', 'good']);
    expect((await refusals(profileOf([{ ...own, on_absent: 'refuse' }]))).selected).toEqual(['good']);
  });

  test('fails closed if the scorer that it reads fails or does not answer in time', async () => {
    const Judge = scorer(
      async ({ id }: { id: string }) => {
        if (id === 'bad') throw new Error('no answer');
        return id === 'unknown' ? new Promise<number>(() => {}) : 0.9;
      },
      { range: [0, 1] },
    );
    const judged = profileOf([rule]);
    const [base] = judged.tier2_scorers!;
    const entry = { id: 'safe', class: 'Judge', on_error: 'skip', timeout: 300 } as const;
    const { selected, refused } = await refusals({ ...judged, tier2_scorers: [base!, entry] }, { Judge });
    expect(selected).toEqual(['good']);
    expect(refused.map(([id, kind]) => [id, kind])).toEqual([
      ['bad', 'absent'],
      ['unknown', 'absent'],
    ]);
  });

  test('refuses if its when returns null, like a veto', async () => {
    const nulls = { id: 'own', when: 'candidate.base > 0.5 ? null : false', refuse: true } as const;
    const { refused } = await refusals(profileOf([nulls]));
    expect(refused).toEqual(
      ['bad', 'unknown'].map((id) => [id, 'error', 'own', 'expected true or false from the when, found null']),
    );
  });

  test('warns that it does not refuse pinned candidates', async () => {
    const { pipeline, selected } = await refusals({
      ...profileOf([rule]),
      candidate: { pinned: 'candidate.base > 0.85' },
    });
    expect(selected).toEqual(['bad', 'good']);
    expect(pipeline.warnings.map(({ code, path }) => [code, path])).toEqual([['ASZ766', 'adjustments[0].refuse']]);
  });

  test('applies in order with the others, with and without generated code', async () => {
    const rules: ProfileInput['adjustments'] = [
      { id: 'less', when: 'candidate.base > 0.85', set: 0.1 },
      { id: 'low', when: 'score < 0.2', refuse: true },
      { id: 'more', add: 1 },
    ];
    for (const codegen of [true, false]) {
      const pipeline = await createPipeline(profileOf(rules), { codegen }); // oxlint-disable-line no-await-in-loop -- two
      const many = Array.from({ length: 3000 }, (_, k) => ({ id: `c${k}`, base: (k % 10) / 10, safe: (k % 10) / 10 }));
      const ranking = pipeline.rankSync(many);
      expect(ranking.refused.map(({ id, by }) => [id, by])).toEqual(
        many.filter((_, k) => [0, 1, 9].includes(k % 10)).map(({ id }) => [id, 'low']),
      );
      expect(ranking.ranked[0]!.score).toBeCloseTo(1.8);
    }
  });

  test.each<[object, RegExp]>([
    [{ refuse: true }, /expected a when: without it, the rule refuses every candidate/],
    [{ refuse: true, when: 'score < 1', add: 1 }, /expected no other operation with refuse/],
    [{ refuse: false, when: 'score < 1' }, /refuse/],
    [{ when: 'score < 1' }, /expected at least one of set, add, multiply, min, max, refuse/],
  ])('%j is an error', async (given, message) => {
    await expect(createPipeline(profileOf([Object.assign({ id: 'r' }, given)]))).rejects.toThrow(message);
  });

  test('on_absent without refuse is a warning', async () => {
    const { warnings } = await createPipeline(profileOf([{ id: 'r', add: 1, on_absent: 'pass' }]));
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([['ASZ702', 'adjustments[0].on_absent']]);
  });
});
