/*
 * The inputs of a rule, a veto or a condition may fail: they are absent then, and it does not fire. The run reports it.
 */
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer } from 'assize';
import { defineSignal, LANGUAGE_MODELS, type LanguageModels, z } from 'assize/sdk';

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id, text: `text ${id}` }));

/** Grades all candidates as unsafe. */
const models: LanguageModels = {
  open: () => ({ ask: async () => ({ value: { grade: 0, reason: 'unsafe' }, model: 'tiny', tokens: 1 }) }),
};
const services = [{ token: LANGUAGE_MODELS, value: models }];

const judged = (calls: number): ProfileInput => ({
  plugins: ['rerank'],
  measures: [
    {
      id: 'safe',
      class: 'RubricScorer',
      params: { model: { name: 'tiny' }, rubric: 'Is it safe?', text: 'text', parallel: 1, calls },
    },
  ],
  tier2_scorers: [{ id: 'same', expr: '1' }],
  adjustments: [{ id: 'cap', when: 'measures.safe < 0.5', multiply: 0.1 }],
  select: { top: 4 },
});

const textOf = ({ warnings }: { readonly warnings: readonly { readonly code: string; readonly message: string }[] }) =>
  warnings.flatMap(({ code, message }) => (code === 'ASZ719' ? [message] : []));

test('names a rule that reads a failed measure, with the count', async () => {
  // A separate pipeline each: answers are cached.
  const pipeline = () => createPipeline<object>(judged(1), { services });
  const ranking = await (await pipeline()).rank(rows);
  expect(ranking.ranked.map(({ score }) => score)).toEqual([1, 1, 1, 0.1]);
  const said = textOf(ranking);
  expect(said).toEqual([
    expect.stringMatching(/^rule cap may not fire for 3 candidates: it reads measure safe, which failed \(/),
  ]);
  expect(textOf(await (await pipeline()).rankStream(rows))).toEqual(said);
  const stream = (await pipeline()).scoreStream(rows);
  for await (const _ of stream);
  expect(textOf(stream)).toEqual(said);
});

test('reports nothing if every candidate was graded, or the measure abstains', async () => {
  const pipeline = await createPipeline<object>(judged(100), { services });
  expect(textOf(await pipeline.rank(rows))).toEqual([]);
  expect(textOf(await pipeline.rank([...rows, { id: 'e' }]))).toEqual([]);
});

test('a measure that fails for every candidate counts them all', async () => {
  const pipeline = await createPipeline<object>(judged(0), { services });
  expect(textOf(await pipeline.rank(rows))).toEqual([
    expect.stringContaining('rule cap may not fire for 4 candidates'),
  ]);
});

class Broken {
  static readonly meta = defineSignal({ summary: 'Fails.', params: z.strictObject({}) });
  prepare(): number {
    throw new Error('the gauge is broken');
  }
}

test('also names a veto, a when, a rule, and a rule that reads a scorer’s value', async () => {
  const profile: ProfileInput = {
    signals: [{ id: 'level', class: 'Broken' }],
    tier1_scorers: [{ id: 'high', label: 'Too high', expr: 'signals.level > 3' }],
    tier2_scorers: [
      { id: 'same', expr: '1' },
      { id: 'late', expr: '2', when: 'signals.level < 1' },
      { id: 'odd', class: 'Odd', on_error: 'skip' },
      { id: 'sure', class: 'Odd', on_error: 0 },
    ],
    adjustments: [
      { id: 'more', add: 'signals.level' },
      { id: 'less', when: 'scores.odd < 1', add: '1' },
      { id: 'fine', when: 'scores.sure < 1', add: '1' },
    ],
  };
  const Odd = scorer(({ id }: { id: string }) => {
    if (id === 'b') throw new Error('it is odd');
    return 1;
  });
  const pipeline = await createPipeline<{ id: string }>(profile, { units: { Broken, Odd } });
  expect(textOf(await pipeline.rank(rows))).toEqual([
    'veto Too high may not refuse for any candidate: it reads signal level, which failed (the gauge is broken)',
    'the when of late may not hold for any candidate: it reads signal level, which failed (the gauge is broken)',
    'rule more may not fire for any candidate: it reads signal level, which failed (the gauge is broken)',
    'rule less may not fire for 1 candidate: it reads scorer odd, which failed (it is odd)',
  ]);
});

test('also names what reads a failed value through measures and scorers that are absent for it', async () => {
  const Odd = scorer(({ id }: { id: string }) => {
    if (id === 'b') throw new Error('it is odd');
    return 0.2;
  });
  const profile: ProfileInput = {
    measures: [
      { id: 'safe', class: 'Odd' },
      { id: 'half', expr: 'measures.safe / 2' },
      {
        id: 'quarter',
        class: 'CurveScorer',
        params: {
          scorer: { expr: 'measures.half / 2' },
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      },
      { id: 'handled', expr: 'measures.?safe.orValue(0.0)' },
      { id: 'other', expr: '0.1' },
    ],
    tier2_scorers: [
      { id: 'same', expr: '1' },
      { id: 'skipped', expr: 'measures.half', weight: 0.1 },
      { id: 'zero', expr: 'measures.half', on_absent: 0, weight: 0.1 },
    ],
    adjustments: [
      { id: 'far', when: 'measures.quarter < 0.3', multiply: 0.1 },
      { id: 'score', when: 'scores.skipped < 0.3', multiply: 0.1 },
      { id: 'number', when: 'scores.zero < 0.3', multiply: 0.1 },
      { id: 'fine', when: 'measures.handled < 0.3 && measures.other < 1', multiply: 0.1 },
    ],
  };
  const pipeline = await createPipeline<{ id: string }>(profile, { units: { Odd } });
  const text = (rule: string, through: string): string =>
    `rule ${rule} may not fire for 1 candidate: it reads ${through}, which reads measure safe, which failed (it is odd)`;
  expect(textOf(await pipeline.rank(rows))).toEqual([text('far', 'measures.quarter'), text('score', 'scores.skipped')]);
});

test('lists the warnings in the order of the profile, in a list and in a stream', async () => {
  // The second measure fails before the first one, and the scorer reads both.
  const fails = (at: string) =>
    scorer(({ id }: { id: string }) => {
      if (id >= at) throw new Error(`it fails from ${at} on`);
      return 0.5;
    });
  const profile: ProfileInput = {
    measures: [
      { id: 'first', class: 'Late' },
      { id: 'second', class: 'Early' },
    ],
    tier2_scorers: [
      { id: 'same', expr: '1' },
      { id: 'both', expr: 'measures.first + measures.second' },
      { id: 'odd', class: 'Early', on_error: 'skip' },
    ],
    adjustments: [{ id: 'cap', when: 'scores.both < 1.0 && scores.odd < 1.0', multiply: 0.5 }],
    select: { top: 4 },
  };
  const pipeline = await createPipeline<object>(profile, { units: { Late: fails('d'), Early: fails('b') } });
  const expected = [
    expect.stringMatching(/^rule cap .* for 1 candidate: it reads scores\.both, which reads measure first/),
    expect.stringMatching(/^rule cap .* for 3 candidates: it reads scores\.both, which reads measure second/),
    expect.stringMatching(/^rule cap .* for 3 candidates: it reads scorer odd/),
  ];
  expect(textOf(await pipeline.rank(rows))).toEqual(expected);
  expect(textOf(await pipeline.rankStream(rows))).toEqual(expected);
  const stream = pipeline.scoreStream(rows);
  for await (const _ of stream);
  expect(textOf(stream)).toEqual(expected);
});
