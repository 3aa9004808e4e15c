import { abstain, type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { historyParams, outcomeCountsOf, outcomeRate, readOutcomeHistory } from './outcome-history.js';

type Params = ParamsOf<typeof OutcomeRateScorer>;

/**
 * Scores the share of a candidate's known outcomes that are successes, or failures. With fewer than `min_observations`
 * known outcomes it abstains: an unused tool, or one whose outcomes were not observed, has not failed.
 */
export class OutcomeRateScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what succeeded before, or finds what failed.',
    reads: 'params',
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
