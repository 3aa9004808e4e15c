import { meanOf, seededRandom } from '../../significance/distributions.js';
import type { Fitter, Setting } from './fitter.js';
import type { Model } from './weighing.js';

/** The strengths of regularization to try, strongest first. The strongest wins ties. */
const PULLS = [1, 0.1, 0.03, 0.01, 0.003, 0.001];
const INNER_FOLDS = 4;

/** The units of cross-validation, queries or rows, with their groups. */
export interface Units {
  /** By unit: its group. */
  readonly groups: readonly string[];
  readonly rowsOf: (units: Int32Array) => Int32Array;
}

/**
 * Chooses the setting with the best inner cross-validation on the training data: first the strength of regularization,
 * then fewer points, then coordinate ascent. A sparse model has the fewest scorers within one standard error of the best.
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
      // oxlint-disable-next-line no-await-in-loop -- lets an abort take effect
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

/** The setting with the fewest scorers within one standard error of all scorers (Breiman et al. 1984). */
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
    // oxlint-disable-next-line no-await-in-loop -- lets an abort take effect
    await breathe();
  }
  return setting;
}

/** The mean measure of a setting in inner cross-validation on the training data. */
export const innerMean = (fitter: Fitter, units: Units, train: Int32Array, setting: Setting, seed: number): number =>
  meanOver(fitter, innerFolds(units, train, seed), setting);

/** Training rows and held-out rows of an inner fold. */
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

/** The measure of each held-out fold. A fold with one class only has no AUC and counts as 0. */
const valuesOver = (fitter: Fitter, folds: readonly InnerFold[], setting: Setting): readonly number[] =>
  folds.map(({ learnt, kept }) => fitter.measure(fitter.fit(learnt, setting), kept) || 0);

const meanOver = (fitter: Fitter, folds: readonly InnerFold[], setting: Setting): number =>
  meanOf(valuesOver(fitter, folds, setting));

/** The minimum share of all contributions for a hint about a negative weight. */
const LEAST_REACH = 0.05;

/**
 * The scorers with the weight 0 that a negative weight would improve in all inner folds.
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

/** A fold: positions of training units and test units (queries or rows). */
export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
}

/**
 * Divides units into folds of about equal size without splitting groups. Shuffled groups, the largest first, each go to
 * the smallest fold.
 *
 * @param groups by unit: its group
 * @returns `count` folds, or fewer if there are fewer groups
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

/** The folds that the data defines, by unit. */
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
