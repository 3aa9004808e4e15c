import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import {
  choiceField,
  confidenceField,
  flagField,
  fractionField,
  quotationsField,
  reasoningField,
} from './schema-fields.js';

export const reasoningQuality = z
  .object({
    reasoning_quality: choiceField('of what kind', {
      causal: 'from causes to effects',
      counterfactual: 'what would be otherwise',
      associative: 'from one thing to the next',
      reactive: 'a bare reaction',
      metacognitive: 'about their own thinking',
    }),
    confidence: confidenceField(),
    depth_score: fractionField('how far it goes, a bare reaction being 0', 0.5),
    has_examples: flagField('they give examples'),
    has_abstractions: flagField('they generalise'),
    examples: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('how the respondent reasons');

/** How the respondent reasons. `depth_score` is 0 (a bare reaction) to 1. */
export type Reasoning = z.output<typeof reasoningQuality>;

/** What a language model reads of the respondent's reasoning. */
export class ReasoningSignal implements Signal<ReadingParams, Reasoning | undefined> {
  static readonly meta = defineSignal({
    summary: 'How the respondent reasons, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): Reasoning | undefined {
    return readQualitativeSignal('reasoning', params, run);
  }
}
