import { expect, test } from 'vitest';
import { compareProfiles, type Evaluation } from '@assize/evaluate';
import { differencesFrom, parseMeasure, valueText } from '@assize/evaluate/measures';

const values = (profile: string, own: readonly number[]) => ({
  profile,
  values: { RR: Float64Array.from(own) },
  means: { RR: own.reduce((sum, x) => sum + x, 0) / own.length },
});
const few = values('few', [1, 0.5, 0.5, 0.25, 1, 0.5, 1, 0.2]);
const more = values('more', [1, 1, 1, 0.5, 1, 1, 0.5, 1]);
const evaluation: Evaluation = {
  measures: ['RR'],
  queries: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  groups: undefined,
  profiles: [few, more],
};

test('differencesFrom gives the differences of compareProfiles, from any of the profiles', () => {
  const [difference] = differencesFrom(evaluation, more, { samples: 500, seed: 3 });
  expect(difference).toMatchObject({ profile: 'few', baseline: 'more', better: 1, worse: 5, same: 2 });
  expect(valueText(difference!.mean)).toBe('-0.256');
  expect([difference]).toEqual(compareProfiles(evaluation, { baseline: 'more', samples: 500, seed: 3 }));
  expect(differencesFrom(evaluation, few)).toEqual(compareProfiles(evaluation));
});

test('an unknown measure or baseline is reported with the closest name', () => {
  expect(() => parseMeasure('nDGC@10')).toThrow('did you mean nDCG?');
  expect(() => compareProfiles(evaluation, { baseline: 'mroe' })).toThrow('did you mean more?');
});
