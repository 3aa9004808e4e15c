import type { JudgedQuery } from '@assize/evaluate';
import { seededRandom } from '../../src/significance/distributions.js';

export interface Item {
  readonly id: string;
  readonly good: number;
  readonly bad: number;
  readonly noise: number;
  readonly hiss: number;
  readonly peak?: number;
}

/**
 * Queries whose better items have more of `good` and less of `bad`; `noise` and `hiss` are noise, and `peak` is best in
 * the middle.
 */
export function madeQueries(count: number, seed = 42): readonly JudgedQuery<Item>[] {
  const next = seededRandom(seed);
  return Array.from({ length: count }, (_, q) => {
    const candidates = Array.from({ length: 10 }, (__, k): Item => {
      return {
        id: `q${q}-${k}`,
        good: next(),
        bad: next(),
        noise: next(),
        hiss: next(),
        ...(k > 0 && { peak: next() }),
      };
    });
    const worth = ({ good, bad, peak = 0.5 }: Item): number => 2 * good - bad - 4 * (peak - 0.5) ** 2 + 0.6 * next();
    return { id: `q${q}`, candidates, grades: candidates.map((one) => Math.max(0, Math.round(2 * worth(one)))) };
  });
}
