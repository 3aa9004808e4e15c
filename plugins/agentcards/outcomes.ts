import {
  abstain,
  AssizeError,
  type BatchScorer,
  type BatchVeto,
  type Context,
  contextPath,
  defineScorer,
  defineVeto,
  describeValue,
  type ParamsOf,
  path,
  type PathReader,
  type Problem,
  type RowScorer,
  type Run,
  type Score,
  typeMismatch,
  z,
} from '../../src/unit-sdk.js';

/** The known outcomes of one id. */
interface OutcomeCounts {
  readonly successes: number;
  readonly failures: number;
}

/** The params of a unit that reads earlier outcomes. */
const historyParams = {
  history: contextPath('history').describe(
    'The path to earlier outcomes in the context: a list of { tool, success }, or a map from id to { successes, failures }.',
  ),
  node: path('id').describe('The path to the candidate’s id in the history.'),
  min_observations: z
    .int()
    .min(1)
    .default(1)
    .describe('The minimum number of known outcomes. With fewer, there is no rate.'),
  prior: z
    .strictObject({ successes: z.number().nonnegative(), failures: z.number().nonnegative() })
    .default({ successes: 0, failures: 0 })
    .describe(
      'Pseudo-counts that are added to the known outcomes (a Beta prior), so that one failure has little effect.',
    ),
};

/** The share of successes or failures among the known outcomes and the prior; undefined with too few known outcomes. */
function outcomeRate(
  of: 'successes' | 'failures',
  known: OutcomeCounts,
  { min_observations, prior }: { readonly min_observations: number; readonly prior: OutcomeCounts },
): number | undefined {
  if (known.successes + known.failures < min_observations) return undefined;
  const total = known.successes + known.failures + prior.successes + prior.failures;
  return (known[of] + prior[of]) / total;
}

const NO_OUTCOMES: OutcomeCounts = { successes: 0, failures: 0 };

/** The known outcomes of a candidate; all 0 for a candidate without an id. */
function outcomeCountsOf(
  history: ReadonlyMap<string, OutcomeCounts>,
  node: PathReader,
  candidate: unknown,
): OutcomeCounts {
  const id = node(candidate);
  return (typeof id === 'string' || typeof id === 'number' ? history.get(String(id)) : undefined) ?? NO_OUTCOMES;
}

/**
 * Reads the earlier outcomes from the context, by id; empty if they are absent.
 *
 * @throws AssizeError (ASZ522) if they are malformed
 */
function readOutcomeHistory(context: Context, at: PathReader): ReadonlyMap<string, OutcomeCounts> {
  const given = at(context);
  if (given === undefined) return new Map();
  const problems: Problem[] = [];
  const report = (where: string, expected: string, found: unknown): void => {
    const place = `${at.source}${where}`;
    const message = `${place} is ${describeValue(found)}; expected ${expected}`;
    problems.push({ code: 'ASZ522', message, path: place });
  };
  const history = Array.isArray(given) ? countEpisodes(given, report) : readCounts(given, report);
  if (problems.length > 0) throw new AssizeError(problems);
  return history;
}

type ReportProblem = (where: string, expected: string, found: unknown) => void;

/** Counts a list of episodes by tool. `success` is true or false; if it is absent or null, the outcome is unknown. */
function countEpisodes(episodes: readonly unknown[], report: ReportProblem): ReadonlyMap<string, OutcomeCounts> {
  const history = new Map<string, { successes: number; failures: number }>();
  for (const [k, episode] of episodes.entries()) {
    if (typeof episode !== 'object' || episode === null) {
      report(`[${k}]`, 'an episode: { tool, success }', episode);
      continue;
    }
    const { tool, success }: { tool?: unknown; success?: unknown } = episode;
    if (typeof tool !== 'string' && typeof tool !== 'number') {
      report(`[${k}].tool`, 'an id', tool);
    } else if (success !== undefined && success !== null && typeof success !== 'boolean') {
      report(`[${k}].success`, 'true or false, or no value if it is unknown', success);
    } else {
      const outcomes = history.get(String(tool)) ?? { successes: 0, failures: 0 };
      if (success === true) outcomes.successes += 1;
      if (success === false) outcomes.failures += 1;
      history.set(String(tool), outcomes);
    }
  }
  return history;
}

/** The keys of one id's counts; `unknown` is accepted and not used. */
const COUNT_KEYS = ['successes', 'failures', 'unknown'];

/** Reads outcomes that are already counted, by id. */
function readCounts(given: unknown, report: ReportProblem): ReadonlyMap<string, OutcomeCounts> {
  if (typeof given !== 'object' || given === null) {
    report('', 'a list of episodes, or counts by id', given);
    return new Map();
  }
  const history = new Map<string, OutcomeCounts>();
  for (const [id, counts] of Object.entries(given) as [string, unknown][]) {
    if (typeof counts !== 'object' || counts === null || !COUNT_KEYS.some((key) => Object.hasOwn(counts, key))) {
      report(pathSegment(id), 'a map with successes or failures', counts);
      continue;
    }
    const count = (key: keyof OutcomeCounts): number => {
      const value: unknown = Reflect.get(counts, key) ?? 0;
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
      report(`${pathSegment(id)}.${key}`, 'a whole number of at least 0', value);
      return 0;
    };
    history.set(id, { successes: count('successes'), failures: count('failures') });
  }
  return history;
}

const pathSegment = (id: string): string => (/^[a-z_]\w*$/i.test(id) ? `.${id}` : `[${JSON.stringify(id)}]`);

type OutcomeRateParams = ParamsOf<typeof OutcomeRateScorer>;

/**
 * Scores the share of successes (or failures) among a candidate's known outcomes. With fewer than `min_observations`
 * known outcomes it abstains, because a tool that was not used or not observed has not failed.
 */
export class OutcomeRateScorer implements BatchScorer<OutcomeRateParams> {
  static readonly meta = defineScorer({
    summary: 'Scores the rate of earlier successes, or of failures.',
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

  prepare({ history: at, node, of, ...settings }: OutcomeRateParams, run: Run): Score<unknown> {
    const history = readOutcomeHistory(run.context, at);
    return (candidate, _index, note) => {
      const outcomes = outcomeCountsOf(history, node, candidate);
      const { successes, failures } = outcomes;
      const rate = outcomeRate(of, outcomes, settings);
      if (rate === undefined)
        return abstain(note, 'unknown', { known: successes + failures, min: settings.min_observations });
      note?.('known', { successes, failures });
      return rate;
    };
  }
}

type FailureRateVetoParams = ParamsOf<typeof FailureRateVeto>;

/** Refuses candidates whose failure rate over known outcomes exceeds `max`. */
export class FailureRateVeto implements BatchVeto<FailureRateVetoParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates that failed too often before.',
    reads: 'params',
    params: z.strictObject({
      ...historyParams,
      max: z.number().min(0).max(1).default(0.5).describe('The highest failure rate that is accepted.'),
    }),
    scope: 'candidate',
    reasons: {
      failing: 'it failed in {rate:percent} of {known} uses, more than {max:percent}',
      working: 'it failed in {rate:percent} of {known} uses',
      unknown: 'the outcomes of {known} uses are known, fewer than {min}',
    },
  });

  prepare({ history: at, node, max, ...settings }: FailureRateVetoParams, run: Run): Score<unknown, boolean> {
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

type ReliabilityParams = ParamsOf<typeof ReliabilityScorer>;

const rateBoundParam = z.number().min(0).max(1);
const factorParam = z.number().nonnegative();

/**
 * Maps a success rate to a factor in steps, which penalises low rates and rewards high ones, or returns the rate
 * itself. It abstains if the rate is unknown.
 */
export class ReliabilityScorer implements RowScorer<ReliabilityParams> {
  static readonly meta = defineScorer({
    summary: 'Maps a success rate to a factor: a penalty for low rates, a bonus for high ones.',
    reads: 'params',
    params: z.strictObject({
      rate: path('success_rate').describe('The path to the success rate, from 0 to 1.'),
      low: rateBoundParam.default(0.5).describe('Rates below this get low_factor.'),
      low_factor: factorParam.default(0.1).describe('The factor for low rates.'),
      high: rateBoundParam.default(0.9).describe('Rates above this get high_factor.'),
      high_factor: factorParam.default(1.2).describe('The factor for high rates.'),
      dependencies: path()
        .optional()
        .describe('The path to the success rates of its dependencies. The lowest of them is an additional factor.'),
      give: z
        .enum(['factor', 'rate'])
        .default('factor')
        .describe('factor: map the rate in steps. rate: return the rate unchanged.'),
    }),
    reasons: {
      rate: 'it succeeds in {rate:percent}',
      low: 'it succeeds in {rate:percent}, less than {bound:percent}: × {factor}',
      middling: 'it succeeds in {rate:percent}: × {factor}',
      high: 'it succeeds in {rate:percent}, more than {bound:percent}: × {factor}',
      absent: 'the candidate has no {path}',
    },
  });

  compile({ rate: at, low, low_factor, high, high_factor, dependencies, give }: ReliabilityParams): Score<unknown> {
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
