import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { type ReadingParams, readingParams, readQualitativeSignal } from './read-qualitative-signal.js';
import { confidenceField, flagField, reasoningField, textField, withDefault } from './schema-fields.js';

const CONTRADICTION_TYPES = ['stance_reversal', 'inconsistent_detail', 'context_shift'];

/** Models that are not held to the schema write the kinds either way. */
const contradictionType = z
  .enum([...CONTRADICTION_TYPES, ...CONTRADICTION_TYPES.map((kind) => kind.replace('_', ' '))], {
    error: `one of ${CONTRADICTION_TYPES.join(', ')}, or null`,
  })
  .nullable()
  .describe(`of what kind: ${CONTRADICTION_TYPES.join(', ')}, or null`);

export const contradiction = z
  .object({
    has_contradiction: flagField('an answer contradicts an earlier one'),
    contradiction_type: withDefault(contradictionType, null),
    earlier_statement: textField('what they said first'),
    current_statement: textField('what they say now'),
    confidence: confidenceField(),
    reasoning: reasoningField(),
  })
  .describe('the respondent contradicts what they said before');

/** Whether the respondent contradicts themselves: what they said first, and what they say now. */
export type Contradiction = z.output<typeof contradiction>;

/** What a language model reads of the respondent's contradictions. */
export class ContradictionSignal implements Signal<ReadingParams, Contradiction | undefined> {
  static readonly meta = defineSignal({
    summary: 'Whether the respondent contradicts what they said before, as a language model reads it.',
    params: readingParams,
  });

  prepare(params: ReadingParams, run: RunFacts): Contradiction | undefined {
    return readQualitativeSignal('contradiction', params, run);
  }
}
