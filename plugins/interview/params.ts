import { z } from '../../src/sdk.js';

/** A param that is a list of phrases, which are searched in lower-case text. */
export const phrasesParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string().min(1))
    .default([...fallback])
    .transform((list): readonly string[] => [...new Set(list.map((phrase) => phrase.toLowerCase()))])
    .describe(what);

/** A param that is the number of latest utterances, of either speaker, that count. */
export const lookbackParam = (
  fallback: number,
  what = 'How many of the latest utterances, of either speaker, count.',
) => z.int().positive().default(fallback).describe(what);

export const strategyIdsParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string())
    .default([...fallback])
    .describe(what);

/** The param that lists the strategies that a veto never refuses. */
export const exemptStrategiesParam = strategyIdsParam([], 'The strategies that are never refused here.');

export const useSignalsParam = z
  .boolean()
  .default(true)
  .describe('Whether a language model’s reading decides where there is one; false: the rules alone.');

/** A param that is a fraction: 0 to 1. */
export const fractionParam = (fallback: number, what: string) =>
  z.number().min(0).max(1).default(fallback).describe(what);

/** A param that existing configurations contain and no unit reads. */
export const ignoredParam = z.unknown().optional().meta({ deprecated: true, description: 'Accepted, and not read.' });

/** The strategies that a veto refuses: `vetoed_strategies` without `exempt_strategies`. */
export const vetoedStrategies = (params: {
  readonly vetoed_strategies: readonly string[];
  readonly exempt_strategies: readonly string[];
}): ReadonlySet<string> =>
  new Set(params.vetoed_strategies.filter((strategy) => !params.exempt_strategies.includes(strategy)));

/** Clamps a score that params may move anywhere to 0.5 to 1.8, the limits of the reference. */
export const clampScore = (score: number): number => Math.min(1.8, Math.max(0.5, score));
