import { defineSignal, type RunFacts, type Signal, z } from '../../../src/sdk.js';
import { confidence, flag, note, or, reasoning } from './fields.js';
import { type FromReading, fromReading, qualityOf } from './from-reading.js';

const KINDS = ['stance_reversal', 'inconsistent_detail', 'context_shift'];

/** Models that are not held to the schema write the kinds either way. */
const contradictionType = z
  .enum([...KINDS, ...KINDS.map((kind) => kind.replace('_', ' '))], { error: `one of ${KINDS.join(', ')}, or null` })
  .nullable()
  .describe(`of what kind: ${KINDS.join(', ')}, or null`);

export const contradiction = z
  .object({
    has_contradiction: flag('an answer contradicts an earlier one'),
    contradiction_type: or(contradictionType, null),
    earlier_statement: note('what they said first'),
    current_statement: note('what they say now'),
    confidence: confidence(),
    reasoning: reasoning(),
  })
  .describe('the respondent contradicts what they said before');

/** Whether the respondent contradicts themselves: what they said first, and what they say now. */
export type Contradiction = z.output<typeof contradiction>;

/** What a language model reads of the respondent's contradictions. */
export class ContradictionSignal implements Signal<FromReading, Contradiction | undefined> {
  static readonly meta = defineSignal({
    summary: 'Whether the respondent contradicts what they said before, as a language model reads it.',
    params: fromReading,
  });

  prepare(params: FromReading, run: RunFacts): Contradiction | undefined {
    return qualityOf('contradiction', params, run);
  }
}
