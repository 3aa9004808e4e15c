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
  { groups, rowsOf }: Units,
  train: Int32Array,
  options: { readonly points: number; readonly seed: number; readonly breathe: () => Promise<void> },
): Promise<Setting> {
  const groupOf = Array.from(train, (unit) => groups[unit]!);
  const folds = foldsOf(groupOf, INNER_FOLDS, options.seed).map(({ train: learnt, test }) => ({
    learnt: rowsOf(learnt.map((k) => train[k]!)),
    kept: rowsOf(test.map((k) => train[k]!)),
  }));
  const isCurved = fitter.wanted.curved.some(Boolean);
  let best: Setting = { pull: 0.03, points: options.points, polish: false };
  let value = Number.NEGATIVE_INFINITY;
  const consider = async (settings: readonly Setting[]): Promise<void> => {
    for (const setting of settings) {
      let sum = 0;
      for (const { learnt, kept } of folds) {
        // A fold without any positive, or any negative, has no AUC: it says nothing.
        const reached = fitter.measure(fitter.fit(learnt, setting), kept);
        sum += Number.isNaN(reached) ? 0 : reached;
      }
      if (sum > value + 1e-9) [best, value] = [setting, sum];
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
