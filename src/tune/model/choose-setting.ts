import { foldsOf } from './folds.js';
import type { Fitter, Setting } from './fitter.js';

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
 * fewer points, then whether to polish.
 */
export async function chooseSetting(
  fitter: Fitter,
  units: Units,
  train: Int32Array,
  options: { readonly points: number; readonly seed: number; readonly breathe: () => Promise<void> },
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
  return best;
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

/** A fold without any positive, or any negative, has no AUC: it says nothing. */
function meanOver(fitter: Fitter, folds: readonly InnerFold[], setting: Setting): number {
  let sum = 0;
  for (const { learnt, kept } of folds) {
    const reached = fitter.measure(fitter.fit(learnt, setting), kept);
    sum += Number.isNaN(reached) ? 0 : reached;
  }
  return sum / folds.length;
}
