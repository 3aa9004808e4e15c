import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createPipeline, type Pipeline, type Ranking } from 'assize';
import { packageRoot } from '../../src/base/package-root.js';
import type { Family } from './family.js';
import { type Difference, sum, type Tally } from './tally.js';

/** A candidate of a case: plain data with an id. */
type Candidate = Readonly<Record<string, unknown>> & { readonly id: string | number };

/** A case of a published ranker's own test table. */
interface SystemCase {
  readonly name: string;
  readonly context?: Readonly<Record<string, unknown>>;
  /** The weights of the sub-queries. */
  readonly weights?: readonly number[];
  readonly candidates: readonly Candidate[];
  /** The scores by candidate; candidates that are missing are not compared. */
  readonly expected?: Readonly<Record<string, number>>;
  /** The tolerance of the case. */
  readonly delta?: number;
  /** The part of the configuration that the system rejects. */
  readonly invalid?: string;
  /** The number of ranked candidates, and the best. */
  readonly count?: number;
  readonly first?: string;
}

interface SystemTable {
  readonly source: { readonly delta?: number };
  readonly cases: readonly SystemCase[];
}

/** The rankers with a test table. Each has a profile of this name in `test/fixtures/systems/profiles`. */
export const SYSTEMS = [
  'k8s-balanced-allocation',
  'k8s-fit-score',
  'k8s-image-locality',
  'k8s-least-allocated',
  'k8s-most-allocated',
  'k8s-node-affinity',
  'k8s-pod-topology-spread',
  'k8s-requested-to-capacity-ratio',
  'k8s-taint-toleration',
  'langchain-ensemble',
  'llmd-active-request',
  'llmd-kv-cache',
  'llmd-load-aware',
  'llmd-lora',
  'llmd-max-score-picker',
  'llmd-no-hit-lru',
  'llmd-prefix',
  'llmd-queue',
  'llmd-running',
  'llmd-session',
  'llmd-token-load',
  'llmd-weighted-random-picker',
  'opensearch-arithmetic-mean',
  'opensearch-geometric-mean',
  'opensearch-harmonic-mean',
  'opensearch-l2',
  'opensearch-min-max',
  'opensearch-min-max-bounds',
  'opensearch-rrf-combination',
  'opensearch-rrf-normalisation',
  'opensearch-z-score',
] as const;

/** The rounding of doubles, where the table has no tolerance. The systems compute in float32, float64 or integers. */
const ROUNDING = 1e-9;

/** The picks of each case of a random picker, and how far a frequency may be from the share of the score. */
const PICKS = 10_000;
const FREQUENCY = 0.05;

const profileFile = (name: string): string => join(packageRoot(), 'test/fixtures/systems/profiles', `${name}.yaml`);

/** Compares all cases of a table with what the profile of the same name computes. */
export async function compareSystem(name: string, file: string): Promise<Tally> {
  const { source, cases } = JSON.parse(await readFile(file, 'utf8')) as SystemTable;
  const yaml = await readFile(profileFile(name), 'utf8');
  const tallies: Tally[] = [];
  for (const one of cases) {
    // oxlint-disable-next-line no-await-in-loop -- the cases run one after another
    const failed = await differences(name, yaml, one, one.delta ?? source.delta ?? ROUNDING);
    tallies.push({ passed: failed.length === 0 ? 1 : 0, failed: failed.slice(0, 1), skipped: [] });
  }
  return sum(...tallies);
}

async function differences(
  name: string,
  yaml: string,
  given: SystemCase,
  tolerance: number,
): Promise<readonly Difference[]> {
  const differs = (expected: unknown, found: unknown): readonly Difference[] =>
    expected === found ? [] : [{ name: given.name, expected: String(expected), found: String(found) }];
  const context: Readonly<Record<string, unknown>> = {
    ...given.context,
    ...(given.weights && { weights: given.weights }),
  };
  const isPick = typeof context['top'] === 'number';
  let pipeline: Pipeline<Candidate>;
  let ranking: Ranking<Candidate>;
  try {
    pipeline = await pipelineOf(name, yaml);
    ranking = await pipeline.rank(given.candidates, context, isPick ? { seed: 1 } : {}); // pickers order ties at random
  } catch (error) {
    return given.invalid === undefined ? differs('a ranking', error) : [];
  }
  if (given.invalid !== undefined) return differs(`an error about ${given.invalid}`, 'a ranking');
  if (given.first !== undefined)
    return [...differs(given.count, ranking.ranked.length), ...differs(given.first, ranking.ranked[0]?.id)];
  if (given.expected === undefined) return pickDifferences(pipeline, given, context, differs);
  const scores = new Map(ranking.ranked.map(({ id, score }) => [id, score]));
  return [
    ...Object.entries(given.expected).flatMap(([id, expected]): readonly Difference[] => {
      const found = scores.get(id);
      if (found !== undefined && Math.abs(found - expected) <= tolerance) return [];
      return differs(`${id}: ${expected} ± ${tolerance}`, found ?? 'no score');
    }),
    ...(isPick
      ? differs(
          Object.keys(given.expected).toSorted().join(),
          ranking.selected
            .map(({ id }) => id)
            .toSorted()
            .join(),
        )
      : []),
  ];
}

/** Compares the frequency of each pick with its share of the scores. */
async function pickDifferences(
  pipeline: Pipeline<Candidate>,
  { candidates }: SystemCase,
  context: Readonly<Record<string, unknown>>,
  differs: (expected: unknown, found: unknown) => readonly Difference[],
): Promise<readonly Difference[]> {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < PICKS; seed++) {
    const [picked] = pipeline.rankSync(candidates, context, { seed }).selected;
    if (picked) counts.set(picked.id, (counts.get(picked.id) ?? 0) + 1);
  }
  const total = candidates.reduce((whole, { score }) => whole + Number(score), 0);
  return candidates.flatMap(({ id, score }) => {
    const [share, found] = [Number(score) / total, (counts.get(String(id)) ?? 0) / PICKS];
    return Math.abs(share - found) <= FREQUENCY ? [] : differs(`${id}: ${share} ± ${FREQUENCY}`, found);
  });
}

const pipelines = new Map<string, Promise<Pipeline<Candidate>>>();

async function pipelineOf(name: string, yaml: string): Promise<Pipeline<Candidate>> {
  const known = pipelines.get(name);
  if (known) return known;
  const file = profileFile(name);
  const made = createPipeline<Candidate>({ yaml, name: file }, { folder: dirname(file) });
  pipelines.set(name, made);
  return made;
}

/** Published rankers: each of their own test cases, computed by a profile. */
export const systems: Family = {
  name: 'systems',
  checks: SYSTEMS.map((name) => {
    const file = `vectors/systems/${name}.json`;
    return { file, run: (folder) => compareSystem(name, join(folder, file)) };
  }),
};
