import { permutationTest, seededRandom } from '../../src/evaluate/index.js';

const FLIPS = 100_000;

/** How likely a mean difference at least this large would be if both methods were as good as each other. Repeatable. */
export const signFlipTest = (differences: readonly number[]): number =>
  permutationTest(differences, FLIPS, seededRandom(1));
