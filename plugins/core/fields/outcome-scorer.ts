import {
  abstain,
  defineScorer,
  type ParamsOf,
  path,
  type RowScorer,
  readBoolean,
  readFinite,
  type Score,
  z,
} from '../../../src/sdk.js';

type Params = ParamsOf<typeof OutcomeScorer>;

/**
 * Takes a value such as a confidence, less where the outcome was a failure: `value × (success ? 1 : failure_factor)`.
 * KnowledgePulse's Outcome Confidence (O). The value should be from 0 to 1 and is not clamped: the entry's
 * `out_of_range` decides about one outside.
 */
export class OutcomeScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours a high value, such as a confidence, and marks it down where the outcome was a failure.',
    reads: 'params',
    params: z.strictObject({
      value: path().describe('The path to a number from 0 to 1.'),
      success: path().describe('The path to true or false.'),
      failure_factor: z
        .number()
        .min(0)
        .max(1)
        .default(0.3)
        .describe('What the value is multiplied by after a failure.'),
    }),
    range: [0, 1],
    formula: ({ value, success, failure_factor }, parts) =>
      `${parts.path(value)} * (${parts.path(success)} ? 1 : ${parts.number(failure_factor)})`,
    reasons: {
      succeeded: '{value}, and it succeeded',
      failed: '{value}, but it failed: × {failure_factor}',
      absent: '{field} is absent',
    },
  });

  compile({ value, success, failure_factor }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const claimed = readFinite(value, candidate);
      if (claimed === undefined) return abstain(note, 'absent', { field: value.source });
      const succeeded = readBoolean(success, candidate);
      if (succeeded === undefined) return abstain(note, 'absent', { field: success.source });
      if (succeeded) note?.('succeeded', { value: claimed });
      else note?.('failed', { value: claimed, failure_factor });
      return claimed * (succeeded ? 1 : failure_factor);
    };
  }
}
