import {
  abstain,
  type BatchScorer,
  defineScorer,
  lowerBound,
  type ParamsOf,
  path,
  type PathReader,
  readFinite,
  type Run,
  type Score,
  toMillis,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';

type RecencyParams = ParamsOf<typeof RecencyScorer>;

/**
 * Scores the rank of a candidate's time in the batch: with `c` dated candidates of which `r` are strictly earlier, `r /
 * (c − 1)`. It is 1 for the only dated candidate.
 */
export class RecencyScorer implements BatchScorer<RecencyParams> {
  static readonly meta = defineScorer({
    summary: 'Favours recent candidates, by rank in the batch.',
    reads: 'params',
    params: z.strictObject({
      field: path('timestamp').describe('The path to a time: milliseconds since 1970, ISO 8601 or a Date.'),
      otherwise: z
        .enum(['absent', 'position'])
        .default('absent')
        .describe('If no candidate has a time: no score, or the position in the input, the last the most recent.'),
    }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      ranked: 'later than {below} of {others} others',
      alone: 'the only one with {field}',
      placed: 'after {below} of {others} others in the input',
      absent: '{field} is absent',
    },
  });

  prepare({ field, otherwise }: RecencyParams, { candidates }: Run): Score<unknown> {
    const hasTime = (candidate: unknown): boolean => valueOrError(() => readTime(field, candidate)) !== undefined;
    return otherwise === 'position' && !candidates.some(hasTime)
      ? positionRank(candidates.length - 1)
      : percentRank(candidates, field, readTime);
  }
}

/** The position of a candidate among the others, from 0 for the first to 1 for the last. */
const positionRank =
  (others: number): Score<unknown> =>
  (_, index, note) => {
    note?.('placed', { below: index, others });
    return others === 0 ? 1 : index / others;
  };

function readTime(field: PathReader, candidate: unknown): number | undefined {
  const at = field(candidate);
  return at === undefined ? undefined : toMillis(at);
}

type PriorityParams = ParamsOf<typeof PriorityScorer>;

/**
 * Scores the rank of a candidate's priority in the batch: with `c` candidates that have one, of which `r` are strictly
 * lower, `r / (c − 1)`. It is 1 for the only one.
 */
export class PriorityScorer implements BatchScorer<PriorityParams> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates with a high priority, by rank in the batch.',
    reads: 'params',
    params: z.strictObject({ field: path('priority').describe('The path to a number. Higher is better.') }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      ranked: 'above {below} of {others} others',
      alone: 'the only one with {field}',
      absent: '{field} is absent',
    },
  });

  prepare({ field }: PriorityParams, { candidates }: Run): Score<unknown> {
    return percentRank(candidates, field, readFinite);
  }
}

/** Reads the number to rank by; undefined if it is absent. */
type ReadField = (field: PathReader, candidate: unknown) => number | undefined;

/** The rank of a candidate whose value is absent or malformed. */
const NO_RANK = -1;

/**
 * Scores candidates by percent rank: the share of the other candidates with a value that is strictly below, `below /
 * others`. This is SQL's PERCENT_RANK, but 1 without others (SQL: 0). Ties have the rank of their lowest. It takes one
 * sort and a binary search per candidate, O(N log N).
 *
 * @returns a score that notes `ranked` (`below`, `others`), `alone` or `absent`, each with the `field`
 */
function percentRank(candidates: readonly unknown[], field: PathReader, read: ReadField): Score<unknown> {
  const values = Float64Array.from(candidates, (candidate) => {
    const value = valueOrError(() => read(field, candidate));
    return typeof value === 'number' ? value : Number.NaN; // a malformed value fails alone and does not count
  });
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const ranks = Int32Array.from(values, (value) => (Number.isNaN(value) ? NO_RANK : lowerBound(sorted, value)));
  const others = sorted.length - 1;
  return (candidate, index, note) => {
    const below = ranks[index] ?? NO_RANK;
    if (below === NO_RANK) {
      read(field, candidate); // throws again if the value is malformed
      return abstain(note, 'absent', { field: field.source });
    }
    note?.(others === 0 ? 'alone' : 'ranked', { field: field.source, below, others });
    return others === 0 ? 1 : below / others;
  };
}
