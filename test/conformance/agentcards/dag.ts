import { ask, type Case } from './case.js';
import { byPreset, type Checks, expected, number, numbers, plugins, type Row } from './row.js';

const STAGES: Readonly<Record<string, number>> = { cold: 0, growing: 0.05, mature: 0.5 };

/** The report of dag-suggest, with given scores, and weights by a given density or by a line. */
const confidenceOf = (weights: object, params: object) => ({
  extends: ['dag-suggest'],
  plugins,
  context: { density: { type: 'number' }, alpha: { type: 'number' } },
  signals: [{ id: 'weights', ...weights }],
  tier2_scorers: [
    { id: 'hybrid', expr: 'candidate.hybrid' },
    { id: 'page_rank', expr: 'candidate.pageRank' },
  ],
  report: [{ id: 'confidence', params }],
});
const byDensity = { params: { by: 'context.density' } };

/** The interpolation of the later code between the rows of the original table. */
const line = {
  class: 'StageSignal',
  params: {
    by: 'context.alpha',
    anchors: [
      { at: 0.5, values: { hybrid: 0.55, page_rank: 0.3, path: 0.15 } },
      { at: 1, values: { hybrid: 0.85, page_rank: 0.05, path: 0.1 } },
    ],
  },
};
/** Amends the preset's signal: without stages, since it has anchors. */
const alongTheLine = { class: 'StageSignal', params: line.params };

const weightChecks = (row: Row, signals: readonly object[], context: object): readonly Omit<Case, 'name'>[] => {
  const names = ['hybrid', 'page_rank', 'path'];
  const tier2 = names.map((name) => ({ id: `w_${name}`, expr: `signals.weights.${name}` }));
  return names.map((name, k) => ({
    expected: numbers(row, 'weights')[k] ?? null,
    found: async () => (await ask({ plugins, signals, tier2_scorers: tier2 }, [{}], context)).column(`w_${name}`),
  }));
};

/** Candidates whose paths have these values: from the first to each of the next, over separate nodes. */
function ways(confidences: readonly number[], worth: readonly number[]) {
  const edges = confidences.flatMap((confidence, k) => {
    const hops = worth.includes(confidence) ? worth.indexOf(confidence) + 1 : worth.length + 1;
    const stops = ['c0', ...Array.from({ length: hops - 1 }, (_, i) => `c${k + 1} stop ${i}`), `c${k + 1}`];
    return stops.slice(1).map((to, i) => ({ from: stops[i] ?? '', to }));
  });
  return { nodes: ['c0'], edges };
}

const fromAlpha: Checks = (row) => {
  const [paths, ranks] = [numbers(row, 'pathConfidences'), numbers(row, 'pageRanksTop3')];
  const count = Math.max(ranks.length, paths.length + 1);
  const candidates = Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    hybrid: i === 0 ? number(row, 'hybrid') : -i,
    pageRank: ranks[i],
  }));
  const graph = ways(paths, [0.95, 0.8, 0.65]);
  const profile = {
    ...confidenceOf(alongTheLine, { max: 100, steps: 100 }),
    tier2_scorers: [
      { id: 'hybrid', expr: 'candidate.hybrid' },
      { id: 'page_rank', expr: 'candidate.pageRank', weight: 0 },
    ],
  };
  const found = (field: string) => async () =>
    (await ask(profile, candidates, { alpha: row['alpha'], graph })).report('confidence', field);
  return [
    { expected: expected(row, 'pageRankScore'), found: found('page_rank') },
    { expected: expected(row, 'pathStrength'), found: found('path') },
    { expected: expected(row, 'confidence'), found: found('confidence') },
  ];
};

/** The workflow of the best tools, and the confidence in it. */
export const DAG: Readonly<Record<string, Checks>> = {
  expansionAndStage: (row) => {
    const context = { density: row['density'] };
    const read = (expr: string) => async () =>
      (
        await ask(
          { ...confidenceOf(byDensity, {}), measures: [{ id: 'asked', expr }] },
          [{ hybrid: 1, pageRank: 0 }],
          context,
        )
      ).column('asked');
    return [
      { expected: 1, found: read(`signals.weights.stage == "${String(row['stage'])}" ? 1.0 : 0.0`) },
      { expected: expected(row, 'multiplier'), found: read('signals.weights.pool') },
      {
        expected: expected(row, 'searchLimit'),
        found: read(`ceil(signals.weights.pool * ${number(row, 'limit').toFixed(1)})`),
      },
      ...['hybrid', 'page_rank', 'path'].map((name, k) => ({
        expected: numbers(row, 'weights')[k] ?? null,
        found: read(`signals.weights.${name}`),
      })),
    ];
  },
  pageRankBoost: byPreset('dag-suggest', { hybrid: 'final', page_rank: 'pageRank' }),
  dagConfidence: (row) => {
    const context = { density: STAGES[String(row['stage'])] };
    const found = (max: number) => async () =>
      (await ask(confidenceOf(byDensity, { no_path: row['path'], max }), [row], context)).report(
        'confidence',
        'confidence',
      );
    const capped = 'capped095' in row ? [{ expected: expected(row, 'capped095'), found: found(0.95) }] : [];
    return [{ expected: expected(row, 'confidence'), found: found(100) }, ...capped];
  },
  weightsFromLocalAlpha: (row) => weightChecks(row, [{ id: 'weights', ...line }], { alpha: row['alpha'] }),
  dagConfidenceFromAlpha: fromAlpha,
};
