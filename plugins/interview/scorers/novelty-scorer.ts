import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { historyOf, lastOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { lookbackParam } from '../turn/params.js';
import { recentNodesOf } from '../turn/recent-nodes.js';
import { containsAny, isContentWord, wordsOf } from '../turn/text.js';

/** The number of a description's first words that stand for it. */
const MAX_WORDS = 3;

type Params = ParamsOf<typeof NoveltyScorer>;

/** Favours topics that were not mentioned lately. */
export class NoveltyScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what was not spoken of lately; rests at 1.2.',
    params: z.strictObject({
      lookback_window: lookbackParam(8, 'How many of the latest utterances, and of the recent nodes, count.'),
      fresh_threshold: z.number().default(1).describe('Up to so many mentions is fresh.'),
      overdiscussed_threshold: z.number().default(4).describe('From so many on it is discussed enough.'),
      fresh_boost: z.number().default(1.2).describe('The score of what is fresh.'),
      overdiscussed_penalty: z.number().default(0.7).describe('And of what is discussed enough.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { mentions: '{mentions} mentions lately' },
  });

  prepare(params: Params, { context }: Run): Score<unknown> {
    const { lookback_window: window } = params;
    const nodes = recentNodesOf(context).slice(-window);
    const utterances = lastOf(historyOf(context), window);
    return (candidate, _index, note) => {
      const { node, description } = readMove(candidate);
      const terms = wordsOf(description.toLowerCase()).slice(0, MAX_WORDS).filter(isContentWord);
      const mentions =
        nodes.filter(({ id }) => id !== undefined && id === node).length +
        utterances.filter(({ lower }) => containsAny(lower, terms)).length;
      note?.('mentions', { mentions });
      if (mentions <= params.fresh_threshold) return params.fresh_boost;
      return mentions < params.overdiscussed_threshold ? 1 : params.overdiscussed_penalty;
    };
  }
}
