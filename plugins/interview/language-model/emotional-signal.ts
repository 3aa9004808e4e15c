import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import { choiceField, confidenceField, quotationsField, reasoningField, withDefault } from './schema-fields.js';

export const emotional = z
  .object({
    intensity: choiceField('how strong, and which way', {
      high_positive: '',
      moderate_positive: '',
      neutral: '',
      moderate_negative: '',
      high_negative: '',
    }),
    confidence: confidenceField(),
    trajectory: withDefault(
      choiceField('where it goes', { rising: '', falling: '', stable: '', volatile: 'up and down' }),
      'stable',
    ),
    markers: quotationsField('where it shows'),
    reasoning: reasoningField(),
  })
  .describe('how engaged the respondent feels');

/** How engaged the respondent feels, and where that goes over the last answers. */
export type Emotional = z.output<typeof emotional>;

const SENTIMENT: ReadonlyMap<string, number> = new Map([
  ['high_positive', 1],
  ['moderate_positive', 0.5],
  ['neutral', 0],
  ['moderate_negative', -0.5],
  ['high_negative', -1],
]);

/** An intensity as a number from −1 to 1; null for a word that is none. */
export const sentimentOf = (intensity: string): number | null => SENTIMENT.get(intensity) ?? null;

/** What a language model reads of the respondent's feelings. */
export class EmotionalSignal implements Signal<ReadingParams, Emotional | undefined> {
  static readonly meta = defineSignal({
    summary: 'How engaged the respondent feels, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): Emotional | undefined {
    return readQualitativeSignal('emotional', params, run);
  }
}
