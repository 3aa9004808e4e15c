import { describe, expect, test } from 'vitest';
import {
  ablateLabelled,
  compareLabelled,
  evaluateLabelled,
  type JudgedQuery,
  type LabelledDifference,
} from '@assize/evaluate';
import { auc, averagePrecisionOf } from '../src/measures/labelled-measures.js';
import { seededRandom } from '../src/significance/distributions.js';
import { createPipeline, type ProfileInput } from 'assize';

interface Run {
  readonly id: number;
  readonly steps: number;
  readonly noise: number;
}

/** Runs of ten sources; long ones fail more often. */
function runs(count = 300): JudgedQuery<Run> {
  const next = seededRandom(3);
  const candidates = Array.from({ length: count }, (_, id) => ({ id, steps: next(), noise: next() }));
  const grades = candidates.map(({ steps }, k) => (k % 50 === 49 ? undefined : next() > steps ? 1 : 0));
  return { id: 'all', candidates, grades, candidateGroups: candidates.map(({ id }) => `source ${id % 10}`) };
}

const by = (expr: string, more: ProfileInput = {}) =>
  createPipeline<Run>({ tier2_scorers: [{ id: 'only', expr }], ...more });

describe('profiles over data without queries', () => {
  test('are measured by the association of scores and labels', async () => {
    const query = runs();
    const evaluation = await evaluateLabelled(
      { short: await by('-candidate.steps'), long: await by('candidate.steps') },
      [query],
      { measures: ['auc', 'AP', 'tau', 'rho'] },
    );
    expect(evaluation.measures).toEqual(['AUC', 'AP', 'tau', 'rho']);
    const judged = query.candidates.filter((_, k) => query.grades[k] !== undefined);
    const positive = query.grades.filter((grade) => grade !== undefined).map((grade) => grade === 1);
    const [short, long] = evaluation.profiles;
    expect(short!.values['AUC']).toBe(auc({ scores: judged.map(({ steps }) => -steps), positive }));
    expect(short!.values['AUC']! + long!.values['AUC']!).toBeCloseTo(1, 12);
    expect(short!.values['tau']).toBeGreaterThan(0.3);
    expect(short!.values['rho']! + long!.values['rho']!).toBeCloseTo(0, 12);
    expect(evaluation.groups).toHaveLength(294);
  });

  test('put refused candidates below all others', async () => {
    const query = { ...runs(4), grades: [1, 1, 0, 0] };
    const refuses = await by('1.0', { tier1_scorers: [{ id: 'late', expr: 'candidate.id > 1' }] });
    const { profiles } = await evaluateLabelled({ refuses }, [query], { measures: ['AUC'] });
    expect(profiles[0]!.values['AUC']).toBe(1);
  });

  test('differ, or show no difference', async () => {
    const pipelines = {
      noise: await by('candidate.noise'),
      again: await by('candidate.noise * 2.0'),
      short: await by('-candidate.steps'),
    };
    const evaluation = await evaluateLabelled(pipelines, [runs()], { measures: ['AUC'] });
    const differences = compareLabelled(evaluation, { samples: 400 });
    expect(differences).toMatchObject([
      { profile: 'again', mean: 0, interval: [0, 0], adjusted: 1, verdict: 'no difference shown' },
      { profile: 'short', baseline: 'noise', measure: 'AUC', verdict: 'better' },
    ]);
    expect(differences[1]!.interval[0]).toBeGreaterThan(0.1);
    expect(compareLabelled(evaluation, { samples: 400 })).toEqual(differences);
  });

  test('have standard errors by a jackknife over groups, and none for a single group', async () => {
    const query = runs(120);
    const [before, after] = [await by('candidate.noise'), await by('candidate.noise - candidate.steps')];
    const evaluation = await evaluateLabelled({ before, after }, [query], { measures: ['AP'] });
    const gainOf = (isKept: (group: string) => boolean): number => {
      const kept = Array.from(evaluation.grades.keys()).filter((row) => isKept(evaluation.groups![row]!));
      const [low, high] = evaluation.profiles.map(({ scores }) =>
        averagePrecisionOf({
          scores: kept.map((row) => scores[row]!),
          positive: kept.map((row) => evaluation.grades[row] === 1),
        })(),
      );
      return high! - low!;
    };
    const groups = [...new Set(evaluation.groups)];
    const gains = groups.map((left) => gainOf((group) => group !== left));
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / groups.length;
    const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
    const error = Math.sqrt(((groups.length - 1) / groups.length) * squares);
    const [{ mean: difference, interval }] = compareLabelled(evaluation) as [LabelledDifference];
    expect(groups).toHaveLength(10);
    expect(difference).toBeCloseTo(
      gainOf(() => true),
      12,
    );
    expect((interval[1] - interval[0]) / 2).toBeCloseTo(2.262_157 * error, 6); // Student's t with 9 degrees of freedom
    const alone = { ...evaluation, groups: evaluation.grades.map(() => 'one') };
    expect(compareLabelled(alone)).toMatchObject([
      { interval: [Number.NaN, Number.NaN], verdict: 'no difference shown' },
    ]);
  });

  test('have parts that contribute, harm and change nothing', async () => {
    const profile: ProfileInput = {
      tier1_scorers: [{ id: 'never', expr: 'candidate.steps > 2' }],
      tier2_scorers: [
        { id: 'short', expr: '1 - candidate.steps' },
        { id: 'noise', expr: 'candidate.noise' },
      ],
    };
    const { parts, fixed } = await ablateLabelled(await createPipeline<Run>(profile), [runs()], {
      measures: ['AUC'],
      samples: 400,
    });
    expect(parts.map(({ kind, id, earns }) => [kind, id, earns[0]!.verdict])).toEqual([
      ['scorer', 'short', 'earns'],
      ['veto', 'never', 'changes nothing'],
      ['scorer', 'noise', 'harms'],
    ]);
    expect(fixed).toEqual([]);
  });

  test('have no measures of queries', async () => {
    const pipeline = await by('1.0');
    await expect(evaluateLabelled({ pipeline }, [runs()], { measures: ['nDCG@10'] })).rejects.toThrow(
      'there is no measure nDCG@10 for data without queries',
    );
  });
});
