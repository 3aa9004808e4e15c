import { defineScorer, type MemoryFormat, type Run, type Score, type UnitClass, type UnitFacts, z } from 'assize/sdk';

export interface Stars {
  readonly stars: number;
}

export const stars: readonly Stars[] = [{ stars: 0 }, { stars: 3 }, { stars: 7 }, { stars: 1 }];

/** A scorer of one candidate, with its own schema. */
export function unitOf<T = Stars>(
  score: Score<T>,
  facts: Partial<UnitFacts<unknown>> & { params?: z.ZodType } = {},
): UnitClass {
  const { params = z.strictObject({}), ...rest } = facts;
  return class {
    static readonly meta = defineScorer({ summary: 'A function.', ...rest, params });
    compile(): Score<T> {
      return score;
    }
  };
}

/** A prepared scorer, of any scope. */
export function unitPreparing(scope: 'candidate' | 'set' | 'sequence', make: (run: Run<Stars>) => Score<Stars>) {
  return class {
    static readonly meta = defineScorer({ summary: 'Prepares.', scope, params: z.strictObject({}) });
    prepare(_params: object, run: Run<Stars>): Score<Stars> {
      return make(run);
    }
  };
}

/** A scorer with a memory of the candidates. */
export function unitRemembering(
  make: (memory: Set<number>, run: Run<Stars>) => { score: Score<Stars>; memory: Set<number> },
  file?: MemoryFormat<unknown>,
) {
  return class {
    static readonly meta = defineScorer({
      summary: 'Remembers.',
      scope: 'sequence',
      params: z.strictObject({}),
      memory: { empty: () => new Set<number>(), ...(file && { file }) },
    });
    prepare(_params: object, run: Run<Stars>, memory: Set<number>) {
      return make(memory, run);
    }
  };
}
