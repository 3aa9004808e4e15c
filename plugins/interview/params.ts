import { z } from '../../src/unit-sdk.js';

/** A param that is a list of phrases, which are searched in lower-case text. */
export const phrasesParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string().min(1))
    .default([...fallback])
    .transform((list): readonly string[] => [...new Set(list.map((phrase) => phrase.toLowerCase()))])
    .describe(what);

/** A param for the number of latest utterances, of either speaker, to consider. */
export const lookbackParam = (
  fallback: number,
  what = 'The number of latest utterances, of either speaker, to consider.',
) => z.int().positive().default(fallback).describe(what);

export const strategyIdsParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string())
    .default([...fallback])
    .describe(what);

/** The param that lists the strategies that a veto never refuses. */
export const exemptStrategiesParam = strategyIdsParam([], 'The strategies that are never refused.');

export const useSignalsParam = z
  .boolean()
  .default(true)
  .describe('Whether a language model’s reading takes precedence if there is one. false: use the rules only.');

/** A param that is a fraction: 0 to 1. */
export const fractionParam = (fallback: number, what: string) =>
  z.number().min(0).max(1).default(fallback).describe(what);

/** A param that existing configurations contain and no unit reads. */
export const ignoredParam = z.unknown().optional().meta({ deprecated: true, description: 'Accepted and ignored.' });

/** The strategies that a veto refuses: `vetoed_strategies` without `exempt_strategies`. */
export const vetoedStrategies = (params: {
  readonly vetoed_strategies: readonly string[];
  readonly exempt_strategies: readonly string[];
}): ReadonlySet<string> =>
  new Set(params.vetoed_strategies.filter((strategy) => !params.exempt_strategies.includes(strategy)));

/** Clamps a score that params may move anywhere to the limits of the reference, 0.5 to 1.8. */
export const clampScore = (score: number): number => Math.min(1.8, Math.max(0.5, score));
