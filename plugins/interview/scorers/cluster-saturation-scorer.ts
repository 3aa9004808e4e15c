import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { saturationOf } from '../turn/chao1-saturation.js';
import { readMove } from '../turn/interview-move.js';
import { fractionParam } from '../turn/params.js';

type Params = ParamsOf<typeof ClusterSaturationScorer>;

/** Favours a summary once most types of concepts were found. */
export class ClusterSaturationScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours to sum up once most types of concepts were found; 1 for all other strategies.',
    params: z.strictObject({
      strategy: z.string().default('synthesis').describe('The strategy that sums up.'),
      high_saturation_threshold: fractionParam(0.7, 'A share of types found above this scores 1.5.'),
      moderate_saturation_threshold: fractionParam(0.4, 'And one above this 1.2.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { found: '{share} of the types are found', other_strategy: 'it is another strategy' },
  });

  prepare(params: Params, { context }: Run): Score<unknown> {
    const found = saturationOf(context);
    const score =
      found > params.high_saturation_threshold ? 1.5 : found > params.moderate_saturation_threshold ? 1.2 : 1;
    return (candidate, _index, note) => {
      const applies = readMove(candidate).strategy === params.strategy;
      note?.(applies ? 'found' : 'other_strategy', { share: found });
      return applies ? score : 1;
    };
  }
}
