import { abstain, type BatchVeto, defineVeto, type ParamsOf, type Run, type Score, z } from '../../src/sdk.js';
import { historyParams, outcomeCountsOf, outcomeRate, readOutcomeHistory } from './outcome-history.js';

type Params = ParamsOf<typeof FailureRateVeto>;

/** Refuses candidates whose failure rate over known outcomes is above `max`; exactly `max` passes. */
export class FailureRateVeto implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses what failed too often before.',
    reads: 'params',
    params: z.strictObject({
      ...historyParams,
      max: z.number().min(0).max(1).default(0.5).describe('The failure rate that still passes.'),
    }),
    scope: 'candidate',
    reasons: {
      failing: 'it failed in {rate:percent} of {known} uses, more than {max:percent}',
      working: 'it failed in {rate:percent} of {known} uses',
      unknown: 'the outcomes of {known} uses are known, fewer than {min}',
    },
  });

  prepare({ history: at, node, max, ...settings }: Params, run: Run): Score<unknown, boolean> {
    const history = readOutcomeHistory(run.context, at);
    return (candidate, _index, note) => {
      const outcomes = outcomeCountsOf(history, node, candidate);
      const known = outcomes.successes + outcomes.failures;
      const rate = outcomeRate('failures', outcomes, settings);
      if (rate === undefined) return abstain(note, 'unknown', { known, min: settings.min_observations });
      note?.(rate > max ? 'failing' : 'working', { rate, known, max });
      return rate > max;
    };
  }
}
