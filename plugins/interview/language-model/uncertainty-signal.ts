import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import { choiceField, confidenceField, fractionField, quotationsField, reasoningField } from './schema-fields.js';

export const uncertainty = z
  .object({
    uncertainty_type: choiceField('of what kind', {
      knowledge_gap: 'they lack a fact or an experience',
      conceptual_clarity: 'they do not understand the question or its words',
      confidence_qualification: 'they hedge what they say',
      epistemic_humility: 'they see the limits of what anybody could know',
      apathy: 'they do not care',
    }),
    confidence: confidenceField(),
    severity: fractionField('how much it keeps them from answering', 0.5),
    examples: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('the respondent is unsure of something');

/** What the respondent is unsure of, and why. `severity` is 0 to 1, and so is the model's own `confidence`. */
export type Uncertainty = z.output<typeof uncertainty>;

/** What a language model reads of the respondent's uncertainty. */
export class UncertaintySignal implements Signal<ReadingParams, Uncertainty | undefined> {
  static readonly meta = defineSignal({
    summary: 'What the respondent is unsure of, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): Uncertainty | undefined {
    return readQualitativeSignal('uncertainty', params, run);
  }
}
