import { meanOf, seededRandom } from '../../evaluate/significance/distributions.js';
import type { Fitter, Setting } from './fitter.js';
import type { Model } from './weighing.js';

/** How strong a pull may be: from nearly the start itself to nearly none. The strongest wins where they are equal. */
const PULLS = [1, 0.1, 0.03, 0.01, 0.003, 0.001];
const INNER_FOLDS = 4;

/** What a setting is chosen by: the units that are learnt from, their groups, and their rows. */
export interface Units {
  /** By unit: its group. */
  readonly groups: readonly string[];
  readonly rowsOf: (units: Int32Array) => Int32Array;
}

/**
 * The setting whose models measure best on parts of the training data that they have not seen: first the pull, then
 * fewer points, then whether to polish. A sparse model has the fewest scorers that measure within one standard error of
 * that.
 */
export async function chooseSetting(
  fitter: Fitter,
  units: Units,
  train: Int32Array,
  options: {
    readonly points: number;
    readonly seed: number;
    readonly sparse?: boolean | undefined;
    readonly breathe: () => Promise<void>;
  },
): Promise<Setting> {
  const folds = innerFolds(units, train, options.seed);
  const isCurved = fitter.wanted.curved.some(Boolean);
  let best: Setting = { pull: 0.03, points: options.points, polish: false };
  let value = Number.NEGATIVE_INFINITY;
  const consider = async (settings: readonly Setting[]): Promise<void> => {
    for (const setting of settings) {
      const reached = meanOver(fitter, folds, setting);
      if (reached > value + 1e-9) [best, value] = [setting, reached];
      // oxlint-disable-next-line no-await-in-loop -- so that an abort is heard
      await options.breathe();
    }
  };
  if (folds.length < 2) return best;
  await consider(PULLS.map((pull) => ({ ...best, pull })));
  if (isCurved)
    await consider([3, 4, 5].filter((points) => points < options.points).map((points) => ({ ...best, points })));
  await consider([{ ...best, polish: true }]);
  return options.sparse === true ? sparsest(fitter, folds, best, options.breathe) : best;
}

/** The setting with the fewest scorers whose mean is within one standard error of that with all (Breiman et al. 1984). */
async function sparsest(
  fitter: Fitter,
  folds: readonly InnerFold[],
  setting: Setting,
  breathe: () => Promise<void>,
): Promise<Setting> {
  const full = valuesOver(fitter, folds, setting);
  const mean = meanOf(full);
  const variance = full.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (full.length - 1);
  const least = mean - Math.sqrt(variance / full.length);
  const most = fitter.wanted.before.length;
  for (let scorers = 1; scorers < most; scorers = Math.max(scorers + 1, Math.round(scorers * 1.2))) {
    const fewer = { ...setting, scorers };
    if (meanOver(fitter, folds, fewer) >= least) return fewer;
    // oxlint-disable-next-line no-await-in-loop -- so that an abort is heard
    await breathe();
  }
  return setting;
}

/** How models of one setting measure on parts of the training data that they have not seen. */
export const innerMean = (fitter: Fitter, units: Units, train: Int32Array, setting: Setting, seed: number): number =>
  meanOver(fitter, innerFolds(units, train, seed), setting);

/** The rows that are learnt from, and those that are kept back meanwhile. */
interface InnerFold {
  readonly learnt: Int32Array;
  readonly kept: Int32Array;
}

function innerFolds({ groups, rowsOf }: Units, train: Int32Array, seed: number): readonly InnerFold[] {
  const groupOf = Array.from(train, (unit) => groups[unit]!);
  return foldsOf(groupOf, INNER_FOLDS, seed).map(({ train: learnt, test }) => ({
    learnt: rowsOf(learnt.map((k) => train[k]!)),
    kept: rowsOf(test.map((k) => train[k]!)),
  }));
}

/** By fold: the measure of what is kept back. A fold without any positive, or any negative, has no AUC and counts as 0. */
const valuesOver = (fitter: Fitter, folds: readonly InnerFold[], setting: Setting): readonly number[] =>
  folds.map(({ learnt, kept }) => fitter.measure(fitter.fit(learnt, setting), kept) || 0);

const meanOver = (fitter: Fitter, folds: readonly InnerFold[], setting: Setting): number =>
  meanOf(valuesOver(fitter, folds, setting));

/** Of so much of what all scorers contribute is a negative weight worth a hint. */
const LEAST_REACH = 0.05;

/**
 * The scorers that get no weight though they would help with a negative one: on every part of the data that is learnt from.
 *
 * @returns their positions among the tuned scorers
 */
export function wantNegative(
  fitter: Fitter,
  units: Units,
  train: Int32Array,
  model: Model,
  seed: number,
): readonly number[] {
  if (fitter.wanted.signed || !model.some(({ weight, points }) => weight === 0 && !points)) return [];
  const parts = [units.rowsOf(train), ...innerFolds(units, train, seed).map(({ learnt }) => learnt)];
  const reaches = parts.map((rows) => fitter.signedReach(rows));
  return [...model.keys()].filter(
    (k) =>
      model[k]!.weight === 0 &&
      !fitter.wanted.curved[k] &&
      reaches.every((reach) => reach[k]! < -LEAST_REACH * reach.reduce((sum, one) => sum + Math.abs(one), 0)),
  );
}

/** What is kept back once, and what is learnt from meanwhile: positions of units, which are queries or rows. */
export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
}

/**
 * Divides units into folds; those of one group are always in one fold. Groups are shuffled, and each goes to the fold
 * that has the fewest units, the largest groups first, so that folds are about equal.
 *
 * @param groups by unit: its group
 * @returns as many folds as asked for, or as there are groups
 */
export function foldsOf(groups: readonly string[], count: number, seed: number): readonly Fold[] {
  const members = new Map<string, number[]>();
  for (const [unit, group] of groups.entries()) {
    const list = members.get(group) ?? [];
    list.push(unit);
    members.set(group, list);
  }
  const shuffled = shuffle([...members.values()], seed).sort((a, b) => b.length - a.length);
  const tests = Array.from({ length: Math.min(count, shuffled.length) }, (): number[] => []);
  for (const list of shuffled) tests.reduce((least, one) => (one.length < least.length ? one : least)).push(...list);
  return tests.map((test) => keepBack(groups.length, test));
}

/** The folds that the data has, by unit. */
export function givenFolds(folds: readonly string[]): readonly Fold[] {
  return [...new Set(folds)].map((name) =>
    keepBack(
      folds.length,
      Array.from(folds.keys()).filter((unit) => folds[unit] === name),
    ),
  );
}

function keepBack(count: number, test: readonly number[]): Fold {
  const kept = new Set(test);
  const train = Array.from({ length: count }, (_, unit) => unit).filter((unit) => !kept.has(unit));
  return { train: Int32Array.from(train), test: Int32Array.from(test).sort() };
}

function shuffle<T>(list: T[], seed: number): T[] {
  const random = seededRandom(seed);
  for (let k = list.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [list[k], list[other]] = [list[other]!, list[k]!];
  }
  return list;
}
