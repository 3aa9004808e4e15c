import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { choice, confidence, flag, or, reasoning } from './fields.js';
import { type FromReading, fromReading, qualityOf } from './from-reading.js';

export const knowledgeCeiling = z
  .object({
    is_terminal: flag('there is nothing more to learn from them on this topic'),
    response_type: or(
      choice('what their not knowing is', {
        terminal: 'the end of the topic',
        exploratory: 'they would like to find out',
        transitional: 'they move on to something else',
        unknown: '',
      }),
      'unknown',
    ),
    has_curiosity: flag('they would like to know'),
    redirection_available: flag('they offer another topic'),
    confidence: confidence(),
    reasoning: reasoning(),
  })
  .describe('the respondent says that they do not know');

/**
 * Whether a "don't know" is the end of a topic (`is_terminal`) or a beginning: curious respondents may be asked on.
 */
export type KnowledgeCeiling = z.output<typeof knowledgeCeiling>;

/** What a language model reads of the limits of the respondent's knowledge. */
export class KnowledgeCeilingSignal implements Signal<FromReading, KnowledgeCeiling | undefined> {
  static readonly meta = defineSignal({
    summary: 'Whether a "don’t know" ends the topic, as a language model reads it.',
    params: fromReading,
  });

  prepare(params: FromReading, run: RunFacts): KnowledgeCeiling | undefined {
    return qualityOf('knowledge_ceiling', params, run);
  }
}
