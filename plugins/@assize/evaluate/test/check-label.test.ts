import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkLabel, readDataset } from '@assize/evaluate';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { scorer } from 'assize/sdk';

const problemsOf = (error: unknown) => (error instanceof AssizeError ? error.problems : String(error));

const found = async (profile: ProfileInput | string, label: string) => {
  const pipeline = await createPipeline(profile, {
    units: { Any: scorer((one: { grade?: number }) => one.grade) },
  });
  try {
    return checkLabel({ mine: pipeline }, label);
  } catch (error) {
    return problemsOf(error);
  }
};

describe('rejects a profile that reads its label, in any part', () => {
  test.each<[string, ProfileInput, string]>([
    ['an expression', { tier2_scorers: [{ id: 'cheat', expr: 'candidate.m.grade * 2' }] }, 'cheat reads m.grade'],
    [
      'a param',
      { tier2_scorers: [{ id: 'cheat', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.m.grade' } } }] },
      'cheat reads m.grade',
    ],
    ['a veto', { tier1_scorers: [{ id: 'low', expr: 'candidate.m.grade < 1' }] }, 'low reads m.grade'],
    ['the map that it is in', { tier2_scorers: [{ id: 'cheat', expr: 'size(candidate.m)' }] }, 'cheat reads m,'],
    [
      'something in it',
      { tier2_scorers: [{ id: 'cheat', expr: 'candidate.m.grade.value' }] },
      'cheat reads m.grade.value',
    ],
    [
      'a rule',
      {
        tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
        adjustments: [{ id: 'bonus', when: 'candidate.m.grade == 1', add: 1 }],
      },
      'bonus reads m.grade',
    ],
    [
      'ties',
      { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { ties: ['candidate.m.grade'] } },
      'select.ties reads m.grade',
    ],
    [
      'cases',
      {
        tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
        weights: { by: 'candidate.m.grade', cases: { x: { a: 2 } } },
      },
      'weights.by reads m.grade',
    ],
    [
      'duplicates',
      { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { duplicates: 'candidate.m.grade' } },
      'select.duplicates reads m.grade',
    ],
  ])('%s', async (_, profile, message) => {
    expect(await found(profile, 'm.grade')).toMatchObject([
      { code: 'ASZ540', message: expect.stringContaining(message) },
    ]);
  });

  test('accepts a profile that reads neighbours of the label', async () => {
    const profile = { tier2_scorers: [{ id: 'fair', expr: 'candidate.m.gradeless + candidate.grade' }] };
    expect(await found(profile, 'm.grade')).toBeUndefined();
  });

  test('the preset knowledgepulse: a scorer and a rule know whether a run succeeded', async () => {
    const hint = 'a profile that reads its label cannot be evaluated: extend it by extends: [mine] and disable';
    const place = expect.objectContaining({ file: expect.stringContaining('knowledgepulse.yaml') });
    expect(await found('knowledgepulse', 'metadata.success')).toMatchObject([
      {
        message: 'outcome reads metadata.success, but the profile is measured by metadata.success',
        path: 'tier2_scorers[3]',
        place,
      },
      { message: expect.stringContaining('recovered reads'), hint: `${hint} { id: recovered, enabled: false }`, place },
    ]);
    const without: ProfileInput = {
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'outcome', enabled: false }],
      adjustments: [{ id: 'recovered', enabled: false }],
    };
    expect(await found(without, 'metadata.success')).toBeUndefined();
  });
});

test('a class that may read any field does not find the label in the rows', async () => {
  async function* stdin() {
    yield '{"id":"a","grade":1}\n{"id":"b","grade":0}\n';
  }
  const { queries } = await readDataset('-', { label: 'grade', stdin: stdin() });
  const pipeline = await createPipeline(
    { tier2_scorers: [{ id: 'cheat', class: 'Any', on_absent: 0.5 }] },
    { units: { Any: scorer((one: { grade?: number }) => one.grade) } },
  );
  expect(() => checkLabel({ pipeline }, 'grade')).not.toThrow();
  expect(pipeline.rankSync(queries[0]!.candidates).ranked.map(({ score }) => score)).toEqual([0.5, 0.5]);
});

const TRACES = new URL('../../../../../shared/data/traces/traces.jsonl', import.meta.url);
test.skipIf(!existsSync(TRACES))('1,832 traces by their success [../shared/data]', async () => {
  const { queries, hasQueries } = await readDataset(TRACES.pathname, { label: 'metadata.success' });
  expect(hasQueries).toBe(false);
  expect(queries[0]!.grades.filter((grade) => grade === 1).length).toBeGreaterThan(800);
  expect(queries[0]!.candidates.some((one) => JSON.stringify(one).includes('"success":'))).toBe(false);
});
