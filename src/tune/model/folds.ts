import { seededRandom } from '../../evaluate/significance/random.js';

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
