import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { idsAt } from '../turn/field-readers.js';
import { readMove } from '../turn/interview-move.js';
import { ignoredParam, lookbackParam } from '../turn/params.js';

const [MODERATE, OVERUSE] = [2, 3];

type Params = ParamsOf<typeof StrategyDiversityScorer>;

/** Disfavours strategies that were used several times lately. */
export class StrategyDiversityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Disfavours strategies that were used several times of late; rests at 1.',
    params: z.strictObject({
      lookback_window: lookbackParam(5, 'How many of the latest moves count.'),
      moderate_penalty: z.number().default(0.8).describe('The score of a strategy that was used twice.'),
      overuse_penalty: z.number().default(0.6).describe('And of one that was used three times or more.'),
      moderate_use_threshold: ignoredParam,
      overuse_threshold: ignoredParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { used: '{strategy} was used {uses} times in the last {window} moves' },
  });

  prepare(params: Params, { context }: Run): Score<unknown> {
    const { lookback_window: window, moderate_penalty: moderate, overuse_penalty: overuse } = params;
    const uses = new Map<string, number>();
    for (const id of idsAt(context, 'strategy_history', 'context').slice(-window))
      uses.set(id, (uses.get(id) ?? 0) + 1);
    return (candidate, _index, note) => {
      const { strategy } = readMove(candidate);
      const used = uses.get(strategy) ?? 0;
      note?.('used', { strategy, uses: used, window });
      if (used >= OVERUSE) return overuse;
      return used >= MODERATE ? moderate : 1;
    };
  }
}
