import { defineReport, type ParamsOf, type Report, type ReportResult, type ReportRun, z } from '../../../src/sdk.js';

type Params = ParamsOf<typeof Alternatives>;

/** Reports the best ranked candidates after the selected ones, those that score at least `min_score`. */
export class Alternatives implements Report<Params> {
  static readonly meta = defineReport({
    summary: 'The next best after what was selected.',
    reads: 'params',
    params: z.strictObject({
      count: z.int().positive().default(3).describe('How many of the next best are looked at.'),
      min_score: z.number().optional().describe('Those that score less are no alternative.'),
    }),
  });

  prepare(
    { count, min_score: minimum = Number.NEGATIVE_INFINITY }: Params,
    { ranked, selected }: ReportRun,
  ): ReportResult {
    const taken = new Set(selected.map(({ index }) => index));
    const next = ranked.filter(({ index }) => !taken.has(index)).slice(0, count);
    return { value: next.filter(({ score }) => score >= minimum).map(({ id, score }) => ({ id, score })) };
  }
}
