import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { choice, confidence, quotes, reasoning, share } from './fields.js';
import { type FromReading, fromReading, qualityOf } from './from-reading.js';

export const uncertainty = z
  .object({
    uncertainty_type: choice('of what kind', {
      knowledge_gap: 'they lack a fact or an experience',
      conceptual_clarity: 'they do not understand the question or its words',
      confidence_qualification: 'they hedge what they say',
      epistemic_humility: 'they see the limits of what anybody could know',
      apathy: 'they do not care',
    }),
    confidence: confidence(),
    severity: share('how much it keeps them from answering', 0.5),
    examples: quotes('where it shows'),
    reasoning: reasoning(),
  })
  .describe('the respondent is unsure of something');

/** What the respondent is unsure of, and why. `severity` is 0 to 1, and so is the model's own `confidence`. */
export type Uncertainty = z.output<typeof uncertainty>;

/** What a language model reads of the respondent's uncertainty. */
export class UncertaintySignal implements Signal<FromReading, Uncertainty | undefined> {
  static readonly meta = defineSignal({
    summary: 'What the respondent is unsure of, as a language model reads it.',
    params: fromReading,
  });

  prepare(params: FromReading, run: RunFacts): Uncertainty | undefined {
    return qualityOf('uncertainty', params, run);
  }
}
