import { seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { type Result, simulateQueries, simulateRows } from './evaluate-cases.js';
import { simulateAsking, simulateInterleaving } from './other-cases.js';
import { simulateTuning, TUNE_BASE, type TuneWorld } from './tune-cases.js';
import { BASE, ROW_BASE, type RowWorld, type World } from './worlds.js';

/** One row of the report. */
export interface Setting {
  readonly call: 'evaluate, queries' | 'evaluate, rows' | 'tune' | 'interleaving' | 'ask';
  readonly name: string;
  /** Whether the true difference is 0, so that every verdict is wrong. */
  readonly isNull: boolean;
  /** Relative to `--repetitions`: tuning takes seconds, and the rest milliseconds. */
  readonly share: number;
  readonly run: (repetitions: number, seed: number) => Result | Promise<Result>;
}

const queries = (name: string, more: Partial<World> = {}): Setting => ({
  call: 'evaluate, queries',
  name,
  isNull: (more.gain ?? 0) === 0,
  share: 1,
  run: (repetitions, seed) => simulateQueries({ ...BASE, ...more }, repetitions, seed),
});

const rows = (name: string, more: Partial<RowWorld> = {}): Setting => ({
  call: 'evaluate, rows',
  name,
  isNull: (more.gain ?? 0) === 0,
  share: 1,
  run: (repetitions, seed) => simulateRows({ ...ROW_BASE, ...more }, repetitions, seed),
});

const tune = (name: string, more: Partial<TuneWorld> = {}): Setting => ({
  call: 'tune',
  name,
  isNull: (more.signal ?? 0) === 0,
  share: 0.2,
  run: (repetitions, seed) => simulateTuning({ ...TUNE_BASE, ...more }, repetitions, seed),
});

const RULE = { adjustments: [{ id: 'rule', when: 'has(candidate.b) && candidate.b > 0.5', add: 0.5 }] };
const CASES = {
  weights: { by: 'has(candidate.b) && candidate.b > 0.0 ? "high" : "low"', cases: { high: { a: 0.5, c: 2 } } },
};
const AUC = { measure: 'AUC' };

/** The base of each call, and each factor alone. */
const ALONE: readonly Setting[] = [
  queries('base: 40 queries, nDCG@10'),
  ...[10, 20, 200].map((count) => queries(`${count} queries`, { queries: count })),
  queries('8 groups of 5', { groupSize: 5 }),
  queries('40 groups of 5', { groupSize: 5, queries: 200 }),
  queries('4 groups of 10', { groupSize: 10 }),
  queries('ties', { ties: true }),
  queries('absences', { absent: 0.3 }),
  queries('mean near 1, 10 queries', { skill: 0.9, queries: 10 }),
  queries('mean near 1', { skill: 0.9 }),
  queries('Success@3 near 1, 10 queries', { measure: 'Success@3', skill: 0.6, queries: 10 }),
  queries('Success@3 near 1', { measure: 'Success@3', skill: 0.6 }),
  queries('5 comparisons', { comparisons: 5 }),
  queries('51 comparisons', { comparisons: 51 }),
  queries('gain of 0.1', { gain: 0.24 }),
  queries('gain of 0.1, 10 queries', { gain: 0.24, queries: 10 }),
  queries('gain of 0.1, 5 comparisons', { gain: 0.24, comparisons: 5 }),
  rows('base: AUC, 20 of 100 positive'),
  rows('5 positives', { positives: 5, negatives: 95 }),
  rows('100 positives', { positives: 100, negatives: 400 }),
  rows('groups of 5', { groupSize: 5 }),
  rows('ties', { ties: true }),
  rows('AUC near 1, 5 positives', { positives: 5, negatives: 95, shift: 2.5 }),
  rows('AUC near 1', { shift: 2.5 }),
  rows('AP', { measures: ['AP'] }),
  rows('AP, 100 positives', { measures: ['AP'], positives: 100, negatives: 400 }),
  rows('tau', { measures: ['tau'] }),
  rows('rho', { measures: ['rho'] }),
  rows('5 comparisons', { comparisons: 5 }),
  rows('51 comparisons', { comparisons: 51 }),
  rows('gain', { gain: 0.5 }),
  tune('base: noise, 40 queries'),
  tune('noise, 10 queries', { queries: 10 }),
  tune('noise, 20 queries', { queries: 20 }),
  tune('noise, 8 groups of 5', { groupSize: 5 }),
  tune('noise, ties', { ties: true }),
  tune('noise, absences', { absent: 0.2 }),
  tune('noise, a rule', { more: RULE }),
  tune('noise, a rule, curves', { more: RULE, options: { ...TUNE_BASE.options, curves: 3 } }),
  tune('noise, curves', { options: { ...TUNE_BASE.options, curves: 3 } }),
  tune('noise, a case', { more: CASES, options: { ...TUNE_BASE.options, case: 'high' } }),
  tune('signal, 20 queries', { queries: 20, signal: 0.3 }),
  tune('signal', { signal: 0.3 }),
  tune('gain of 0.1', { signal: 0.42 }),
  tune('noise, divided once', { options: { ...TUNE_BASE.options, repeats: 1 } }),
  tune('signal, 200 queries', { queries: 200, signal: 0.15 }),
  tune('noise, AUC, 5 of 200 positive', { positives: 5, options: AUC }),
  tune('noise, AUC, 16 of 200 positive', { positives: 16, options: AUC }),
  tune('noise, AUC, 100 of 200 positive', { positives: 100, options: AUC }),
  tune('signal, AUC, 16 of 200 positive', { positives: 16, signal: 0.4, options: AUC }),
  ...[10, 40, 200].map(
    (lists): Setting => ({
      call: 'interleaving',
      name: `${lists} lists, a quarter of them ties`,
      isNull: true,
      share: 1,
      run: (repetitions, seed) => simulateInterleaving(lists, 0.25, repetitions, seed),
    }),
  ),
  ...[3, 6].map(
    (scorers): Setting => ({
      call: 'ask',
      name: `${scorers} scorers (nominal 90 %)`,
      isNull: false,
      share: 0.2,
      run: (repetitions, seed) => simulateAsking(scorers, repetitions, seed),
    }),
  ),
];

/** Combinations of factors, drawn by a fixed seed. */
function drawn(count: number): readonly Setting[] {
  const random = seededRandom(2026);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, (_, k) => {
    if (k % 2 === 0) {
      const world = {
        queries: pick([10, 20, 40, 200]),
        comparisons: pick([1, 5]),
        groupSize: pick([1, 1, 5]),
        ties: pick([false, true]),
        absent: pick([0, 0.3]),
        measure: pick(['nDCG@10', 'RR', 'P@5']),
        skill: pick([0.2, 0.5, 0.8]),
        gain: pick([0, 0.15]),
      };
      return queries(`drawn: ${textOf(world)}`, world);
    }
    const positives = pick([5, 20, 100]);
    const world = {
      positives,
      negatives: 4 * positives,
      comparisons: pick([1, 5]),
      groupSize: pick([1, 1, 5]),
      ties: pick([false, true]),
      measures: [pick(['AUC', 'AP', 'rho'])],
      shift: pick([0.5, 1, 2]),
      gain: pick([0, 0.4]),
    };
    return rows(`drawn: ${textOf(world)}`, world);
  });
}

/** The factors that most worlds have. */
const USUAL: ReadonlySet<string> = new Set(['comparisons 1', 'groupSize 1', 'ties false', 'absent 0', 'gain 0']);

const textOf = (world: object): string =>
  Object.entries(world)
    .map(([key, value]) => `${key} ${String(value)}`)
    .filter((factor) => !USUAL.has(factor))
    .join(', ');

export const SETTINGS: readonly Setting[] = [...ALONE, ...drawn(20)];
