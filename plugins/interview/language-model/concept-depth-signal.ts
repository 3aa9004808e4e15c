import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { choice, confidence, flag, or, reasoning, share } from './fields.js';
import { type FromReading, fromReading, qualityOf } from './from-reading.js';

export const conceptDepth = z
  .object({
    abstraction_level: share('from concrete to abstract', 0.5),
    has_concrete_examples: flag('they name things that happened'),
    has_abstract_principles: flag('they name principles or values'),
    suggestion: or(choice('what to do next', { deepen: '', broaden: '', stay: '' }), 'stay'),
    confidence: confidence(),
    reasoning: reasoning(),
  })
  .describe('how abstract the talk has become');

/** How abstract the talk has become: `abstraction_level` is 0 where it is concrete, and 1 where it is abstract. */
export type ConceptDepth = z.output<typeof conceptDepth>;

/** What a language model reads of how abstract the talk is. */
export class ConceptDepthSignal implements Signal<FromReading, ConceptDepth | undefined> {
  static readonly meta = defineSignal({
    summary: 'How abstract the talk has become, as a language model reads it.',
    params: fromReading,
  });

  prepare(params: FromReading, run: RunFacts): ConceptDepth | undefined {
    return qualityOf('concept_depth', params, run);
  }
}
