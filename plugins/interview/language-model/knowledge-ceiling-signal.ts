import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import { choiceField, confidenceField, flagField, reasoningField, withDefault } from './schema-fields.js';

export const knowledgeCeiling = z
  .object({
    is_terminal: flagField('there is nothing more to learn from them on this topic'),
    response_type: withDefault(
      choiceField('what their not knowing is', {
        terminal: 'the end of the topic',
        exploratory: 'they would like to find out',
        transitional: 'they move on to something else',
        unknown: '',
      }),
      'unknown',
    ),
    has_curiosity: flagField('they would like to know'),
    redirection_available: flagField('they offer another topic'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('the respondent says that they do not know');

/**
 * Whether a "don't know" is the end of a topic (`is_terminal`) or a beginning: curious respondents may be asked on.
 */
export type KnowledgeCeiling = z.output<typeof knowledgeCeiling>;

/** What a language model reads of the limits of the respondent's knowledge. */
export class KnowledgeCeilingSignal implements Signal<ReadingParams, KnowledgeCeiling | undefined> {
  static readonly meta = defineSignal({
    summary: 'Whether a "don’t know" ends the topic, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): KnowledgeCeiling | undefined {
    return readQualitativeSignal('knowledge_ceiling', params, run);
  }
}
