import { abstain, type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { historyParams, outcomeCountsOf, outcomeRate, readOutcomeHistory } from './outcome-history.js';

type Params = ParamsOf<typeof OutcomeRateScorer>;

/**
 * How often a candidate succeeded, or failed, of the times whose outcome is known. With fewer than `min_observations` of
 * those it abstains: what nobody tried, and what nobody looked at, is no failure.
 */
export class OutcomeRateScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what succeeded before, or finds what failed.',
    params: z.strictObject({
      ...historyParams,
      of: z.enum(['successes', 'failures']).default('successes').describe('Which outcomes count.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      known: '{successes} successes and {failures} failures',
      unknown: 'the outcomes of {known} uses are known, fewer than {min}',
    },
  });

  prepare({ history: at, node, of, ...settings }: Params, run: Run): Score<unknown> {
    const history = readOutcomeHistory(run.context, at);
    return (candidate, _index, note) => {
      const outcomes = outcomeCountsOf(history, node, candidate);
      const rate = outcomeRate(of, outcomes, settings);
      if (rate === undefined) {
        const known = outcomes.successes + outcomes.failures;
        return abstain(note, 'unknown', { known, min: settings.min_observations });
      }
      note?.('known', { successes: outcomes.successes, failures: outcomes.failures });
      return rate;
    };
  }
}
