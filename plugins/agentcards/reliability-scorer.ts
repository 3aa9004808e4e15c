import {
  abstain,
  defineScorer,
  describeValue,
  type ParamsOf,
  type PathReader,
  path,
  type RowScorer,
  type Score,
  typeMismatch,
  z,
} from '../../src/sdk.js';

type Params = ParamsOf<typeof ReliabilityScorer>;

const rateBoundParam = z.number().min(0).max(1);
const factorParam = z.number().nonnegative();

/**
 * Turns a success rate into a factor, by steps: low rates are punished, high ones rewarded; or gives the rate itself.
 * It abstains where the rate is unknown.
 */
export class ReliabilityScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'A factor for what succeeds rarely, and one for what nearly always does.',
    reads: 'params',
    params: z.strictObject({
      rate: path('success_rate').describe('The path to the success rate, from 0 to 1.'),
      low: rateBoundParam.default(0.5).describe('Rates below it have low_factor.'),
      low_factor: factorParam.default(0.1).describe('The factor of what succeeds rarely.'),
      high: rateBoundParam.default(0.9).describe('Rates above it have high_factor.'),
      high_factor: factorParam.default(1.2).describe('The factor of what nearly always succeeds.'),
      dependencies: path()
        .optional()
        .describe('The path to the success rates of what it depends on: the lowest of them is a factor, too.'),
      give: z.enum(['factor', 'rate']).default('factor').describe('factor: by these steps; rate: the rate as it is.'),
    }),
    reasons: {
      rate: 'it succeeds in {rate:percent}',
      low: 'it succeeds in {rate:percent}, less than {bound:percent}: × {factor}',
      middling: 'it succeeds in {rate:percent}: × {factor}',
      high: 'it succeeds in {rate:percent}, more than {bound:percent}: × {factor}',
      absent: 'the candidate has no {path}',
    },
  });

  compile({ rate: at, low, low_factor, high, high_factor, dependencies, give }: Params): Score<unknown> {
    return (candidate, _index, note) => {
      const value = at(candidate);
      if (value === undefined) return abstain(note, 'absent', { path: at.source });
      const rate = readRate(at, value);
      const weakest = dependencies === undefined ? 1 : lowestRate(dependencies, candidate);
      if (give === 'rate') {
        note?.('rate', { rate: rate * weakest });
        return rate * weakest;
      }
      const own = rate < low ? low_factor : rate > high ? high_factor : 1;
      const reason = rate < low ? 'low' : rate > high ? 'high' : 'middling';
      note?.(reason, { rate, bound: reason === 'low' ? low : high, factor: own * weakest });
      return own * weakest;
    };
  }
}

function readRate(at: PathReader, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new RangeError(`${at.source}: expected a rate from 0 to 1, found ${describeValue(value)}`);
}

/** The lowest success rate of the dependencies; 1 without any. */
function lowestRate(at: PathReader, candidate: unknown): number {
  const rates = at(candidate);
  if (rates === undefined) return 1;
  if (!Array.isArray(rates)) throw typeMismatch(at.source, 'a list of rates', rates);
  return rates.reduce((least: number, rate: unknown) => Math.min(least, readRate(at, rate)), 1);
}
