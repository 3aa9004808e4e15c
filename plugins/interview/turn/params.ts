import { z } from '../../../src/sdk.js';

/** A param that is a list of phrases, looked for in lower-cased text. */
export const phrasesParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string().min(1))
    .default([...fallback])
    .transform((list): readonly string[] => [...new Set(list.map((phrase) => phrase.toLowerCase()))])
    .describe(what);

/** A param that says how many of the latest utterances, of either speaker, are looked at. */
export const lookbackParam = (
  fallback: number,
  what = 'How many of the latest utterances, of either speaker, count.',
) => z.int().positive().default(fallback).describe(what);

export const strategyIdsParam = (fallback: readonly string[], what: string) =>
  z
    .array(z.string())
    .default([...fallback])
    .describe(what);

export const exemptStrategiesParam = strategyIdsParam([], 'The strategies that are never refused here.');

export const useSignalsParam = z
  .boolean()
  .default(true)
  .describe('Whether a language model’s reading decides where there is one; false: the rules alone.');

/** A share: 0 to 1. */
export const fractionParam = (fallback: number, what: string) =>
  z.number().min(0).max(1).default(fallback).describe(what);

/** What existing configurations say, and nothing ever read. */
export const ignoredParam = z.unknown().optional().meta({ deprecated: true, description: 'Accepted, and not read.' });
