import {
  AssizeError,
  type Context,
  contextPath,
  describeValue,
  type PathReader,
  type Problem,
  path,
  z,
} from '../../src/sdk.js';

/** The known outcomes of one id. */
export interface OutcomeCounts {
  readonly successes: number;
  readonly failures: number;
}

/** The params of a unit that reads earlier outcomes. */
export const historyParams = {
  history: contextPath('history').describe(
    'The path to earlier outcomes, in the context: a list of { tool, success }, or { successes, failures } by id.',
  ),
  node: path('id').describe('The path to the candidate’s id there.'),
  min_observations: z.int().min(1).default(1).describe('How many outcomes must be known; with fewer there is no rate.'),
  prior: z
    .strictObject({ successes: z.number().nonnegative(), failures: z.number().nonnegative() })
    .default({ successes: 0, failures: 0 })
    .describe('Imagined outcomes that are added to the known ones (a Beta prior), so that one failure says little.'),
};

/** The share of one kind among the known outcomes and the prior; undefined with too few known outcomes. */
export function outcomeRate(
  of: 'successes' | 'failures',
  known: OutcomeCounts,
  { min_observations, prior }: { readonly min_observations: number; readonly prior: OutcomeCounts },
): number | undefined {
  if (known.successes + known.failures < min_observations) return undefined;
  const total = known.successes + known.failures + prior.successes + prior.failures;
  return (known[of] + prior[of]) / total;
}

const NO_OUTCOMES: OutcomeCounts = { successes: 0, failures: 0 };

/** The known outcomes of a candidate; none for one without an id. */
export function outcomeCountsOf(
  history: ReadonlyMap<string, OutcomeCounts>,
  node: PathReader,
  candidate: unknown,
): OutcomeCounts {
  const id = node(candidate);
  return (typeof id === 'string' || typeof id === 'number' ? history.get(String(id)) : undefined) ?? NO_OUTCOMES;
}

/**
 * Reads the earlier outcomes of the context, by id; empty where it has none.
 *
 * @throws AssizeError (ASZ522) where they are malformed
 */
export function readOutcomeHistory(context: Context, at: PathReader): ReadonlyMap<string, OutcomeCounts> {
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

/** Counts a list of episodes by tool: `success` is true or false; absent or null it is not known. */
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
      report(`[${k}].success`, 'true or false, or nothing where it is not known', success);
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

/** Reads outcomes that are counted already, by id. */
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
