import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { choice, confidence, flag, quotes, reasoning, share } from './fields.js';
import { type FromReading, fromReading, qualityOf } from './from-reading.js';

export const reasoningQuality = z
  .object({
    reasoning_quality: choice('of what kind', {
      causal: 'from causes to effects',
      counterfactual: 'what would be otherwise',
      associative: 'from one thing to the next',
      reactive: 'a bare reaction',
      metacognitive: 'about their own thinking',
    }),
    confidence: confidence(),
    depth_score: share('how far it goes, a bare reaction being 0', 0.5),
    has_examples: flag('they give examples'),
    has_abstractions: flag('they generalise'),
    examples: quotes('where it shows'),
    reasoning: reasoning(),
  })
  .describe('how the respondent reasons');

/** How the respondent reasons. `depth_score` is 0 (a bare reaction) to 1. */
export type Reasoning = z.output<typeof reasoningQuality>;

/** What a language model reads of the respondent's reasoning. */
export class ReasoningSignal implements Signal<FromReading, Reasoning | undefined> {
  static readonly meta = defineSignal({
    summary: 'How the respondent reasons, as a language model reads it.',
    params: fromReading,
  });

  prepare(params: FromReading, run: RunFacts): Reasoning | undefined {
    return qualityOf('reasoning', params, run);
  }
}
