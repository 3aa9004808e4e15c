import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import {
  choiceField,
  confidenceField,
  flagField,
  fractionField,
  reasoningField,
  withDefault,
} from './schema-fields.js';

export const conceptDepth = z
  .object({
    abstraction_level: fractionField('from concrete to abstract', 0.5),
    has_concrete_examples: flagField('they name things that happened'),
    has_abstract_principles: flagField('they name principles or values'),
    suggestion: withDefault(choiceField('what to do next', { deepen: '', broaden: '', stay: '' }), 'stay'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('how abstract the talk has become');

/** How abstract the talk has become: `abstraction_level` is 0 where it is concrete, and 1 where it is abstract. */
export type ConceptDepth = z.output<typeof conceptDepth>;

/** What a language model reads of how abstract the talk is. */
export class ConceptDepthSignal implements Signal<ReadingParams, ConceptDepth | undefined> {
  static readonly meta = defineSignal({
    summary: 'How abstract the talk has become, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): ConceptDepth | undefined {
    return readQualitativeSignal('concept_depth', params, run);
  }
}
