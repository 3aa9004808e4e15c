import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { recentNodesOf, saturationOf } from './concepts.js';
import { counterOf, idsAt, readMove } from './fields.js';
import { containsAny, historyOf, isContentWord, lastOf, lowInfoStreak, wordsOf } from './history.js';
import { clampScore, fractionParam, ignoredParam, lookbackParam } from './params.js';

/** The number of words at the start of a description that identify its topic. */
const MAX_WORDS = 3;

type NoveltyParams = ParamsOf<typeof NoveltyScorer>;

/** Favours topics that were not mentioned recently. */
export class NoveltyScorer implements BatchScorer<NoveltyParams> {
  static readonly meta = defineScorer({
    summary: 'Favours topics that were not mentioned recently; 1.2 otherwise.',
    params: z.strictObject({
      lookback_window: lookbackParam(8, 'The number of latest utterances and of recent nodes to search.'),
      fresh_threshold: z.number().default(1).describe('The number of mentions up to which a topic is fresh.'),
      overdiscussed_threshold: z
        .number()
        .default(4)
        .describe('The number of mentions from which a topic is over-discussed.'),
      fresh_boost: z.number().default(1.2).describe('The score of a fresh topic.'),
      overdiscussed_penalty: z.number().default(0.7).describe('The score of an over-discussed topic.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { mentions: '{mentions} mentions lately' },
  });

  prepare(params: NoveltyParams, { context }: Run): Score<unknown> {
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

const [MODERATE, OVERUSE] = [2, 3];

type StrategyDiversityParams = ParamsOf<typeof StrategyDiversityScorer>;

/** Disfavours strategies that were used several times recently. */
export class StrategyDiversityScorer implements BatchScorer<StrategyDiversityParams> {
  static readonly meta = defineScorer({
    summary: 'Disfavours strategies that were used several times recently; 1 otherwise.',
    params: z.strictObject({
      lookback_window: lookbackParam(5, 'The number of latest moves to count.'),
      moderate_penalty: z.number().default(0.8).describe('The score of a strategy that was used twice.'),
      overuse_penalty: z.number().default(0.6).describe('The score of a strategy that was used three times or more.'),
      moderate_use_threshold: ignoredParam,
      overuse_threshold: ignoredParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { used: '{strategy} was used {uses} times in the last {window} moves' },
  });

  prepare(params: StrategyDiversityParams, { context }: Run): Score<unknown> {
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

type SaturationParams = ParamsOf<typeof SaturationScorer>;

/** Favours breadth over depth at saturation: almost all types of concepts were found, or answers bring little new. */
export class SaturationScorer implements BatchScorer<SaturationParams> {
  static readonly meta = defineScorer({
    summary: 'Favours breadth when nothing new comes up; 1 otherwise.',
    params: z.strictObject({
      chao1_threshold: fractionParam(0.9, 'Above this share of types found, the interview is saturated.'),
      run_length: z
        .int()
        .positive()
        .default(2)
        .describe('The interview is also saturated after this number of turns in a row with little new.'),
      saturated_penalty: z.number().default(0.7).describe('The score of depth at saturation.'),
      breadth_boost: z.number().default(1.5).describe('The score of breadth at saturation.'),
      new_info_threshold: ignoredParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      saturated: '{share} of the types are found, {streak} turns with little new: saturated',
      open: '{share} of the types are found, {streak} turns with little new',
    },
  });

  prepare(params: SaturationParams, run: Run): Score<unknown> {
    const found = saturationOf(run.context);
    const streak = counterOf(run, 'low_info_streak', () => lowInfoStreak(historyOf(run.context)));
    const saturated = found > params.chao1_threshold || streak >= params.run_length;
    const scores: Readonly<Record<string, number>> = { depth: params.saturated_penalty, breadth: params.breadth_boost };
    return (candidate, _index, note) => {
      const { category = '' } = readMove(candidate);
      note?.(saturated ? 'saturated' : 'open', { share: found, streak });
      const value = saturated && Object.hasOwn(scores, category) ? scores[category] : undefined;
      return clampScore(value ?? 1);
    };
  }
}

type ClusterSaturationParams = ParamsOf<typeof ClusterSaturationScorer>;

/** Favours a summary when most types of concepts were found. */
export class ClusterSaturationScorer implements BatchScorer<ClusterSaturationParams> {
  static readonly meta = defineScorer({
    summary: 'Favours a summary when most types of concepts were found; 1 for other strategies.',
    params: z.strictObject({
      strategy: z.string().default('synthesis').describe('The strategy that summarises.'),
      high_saturation_threshold: fractionParam(0.7, 'A share of types found above this scores 1.5.'),
      moderate_saturation_threshold: fractionParam(0.4, 'A share above this scores 1.2.'),
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: { found: '{share} of the types are found', other_strategy: 'it is another strategy' },
  });

  prepare(params: ClusterSaturationParams, { context }: Run): Score<unknown> {
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
