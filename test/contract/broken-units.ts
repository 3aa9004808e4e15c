import { defineScorer, type Facts, type Score, type UnitClass, z } from '../../src/sdk.js';

export interface Stars {
  readonly stars: number;
}

export const stars: readonly Stars[] = [{ stars: 0 }, { stars: 3 }, { stars: 7 }, { stars: 1 }];

/** A scorer of one candidate, with a schema of its own. */
export function unitOf<T = Stars>(
  score: Score<T>,
  facts: Partial<Facts<unknown>> & { params?: z.ZodType } = {},
): UnitClass {
  const { params = z.strictObject({}), ...rest } = facts;
  return class {
    static readonly meta = defineScorer({ summary: 'A function.', ...rest, params });
    compile(): Score<T> {
      return score;
    }
  };
}
